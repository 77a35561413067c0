// SPDX-License-Identifier: GPL-3.0-or-later
// The published runs most like a plan, each with what was measured and what the program says of it.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/calibrate.h"
#include "calibrate/published.h"
#include "catalog/setup.h"

namespace shardlens::calibrate {

/// In what two runs may differ.
enum class Trait : std::uint8_t {
    stack,
    generation,  ///< of the GPUs
    accelerator, ///< within the generation
    experts,     ///< dense or with experts
    model_size,
    gpus,
    sequence_length,
    precision,
    tensor,
    pipeline,
    context,
    expert,
    data,
    zero,
    recompute,
    micro_batch,
};
inline constexpr std::size_t kTraits = 16;
/// English; also the key for translation.
[[nodiscard]] const char* to_string(Trait trait);

/// What the distance looks at.
struct Traits {
    std::string stack, stack_relative, architecture, accelerator;
    bool experts = false;
    double parameters = 0, active_parameters = 0;
    std::int64_t gpus = 0, sequence_length = 0, micro_batch = 0;
    Precision precision = Precision::bf16;
    std::int64_t tensor = 1, pipeline = 1, context = 1, expert = 1, data = 1, zero = 0;
    Recompute recompute = Recompute::none;
};
[[nodiscard]] Traits traits_of(const Setup& setup);

/// Distance by trait; the distance of two runs is the sum. Names count once when they differ, sizes by the
/// binary logarithm of their ratio, so a doubling weighs the same at every scale. The weights are a
/// judgement: what the constants of the planner hang on (stack, GPU generation, dense or experts) outweighs
/// several doublings of a size, a size outweighs a detail of the layout. A stack that another takes its
/// values from is a near one. Data parallelism and GPUs mostly follow from each other and share their weight.
[[nodiscard]] std::array<double, kTraits> distances(const Traits& a, const Traits& b);
[[nodiscard]] double distance(const Traits& a, const Traits& b);

struct NearbyRun {
    std::shared_ptr<const PublishedRun> run;
    double distance = 0;
    std::vector<Trait> differences;     ///< what the distance consists of, largest part first
    std::shared_ptr<const Setup> setup; ///< the run's plan, resolved
    std::optional<Comparison> step_s;   ///< none as well where a defect of the framework was measured
    std::optional<Comparison> memory;   ///< the peak as `memory_kind` counts it
    PeakKind memory_kind = PeakKind::allocated;
};

/// The published runs that have something to compare with, ready for many look-ups.
class PublishedIndex {
public:
    /// Reads presets/published: a few megabytes of JSON. Errors: as published_runs(), and plans of unknown
    /// presets.
    [[nodiscard]] static Result<PublishedIndex> load(const Catalog& catalog);
    [[nodiscard]] static Result<PublishedIndex> make(std::vector<PublishedRun> runs, const Catalog& catalog);

    [[nodiscard]] std::size_t size() const { return m_runs.size(); }
    /// The `count` nearest, nearest first (equally near ones in the order of the files), each evaluated.
    [[nodiscard]] std::vector<NearbyRun> nearest(const Setup& setup, std::size_t count,
                                                 const Catalog& catalog) const;

private:
    struct Entry {
        std::shared_ptr<const PublishedRun> run;
        Traits traits;
    };
    std::vector<Entry> m_runs;
};

/// A web address for the source of a run: arXiv papers and files of public repositories; "" when it names
/// neither.
[[nodiscard]] std::string source_address(const std::string& source);

} // namespace shardlens::calibrate
