// SPDX-License-Identifier: GPL-3.0-or-later
// Published training runs (presets/published/*.json): plans with what was measured, which predictions are
// held against.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "catalog/catalog.h"
#include "plan/plan.h"
#include "json/result.h"

namespace shardlens::calibrate {

/// What a printed peak counts: the allocator's use, what it reserved, or all that the device shows.
enum class PeakKind : std::uint8_t { allocated, reserved, device };

struct PublishedRun {
    std::string id, source, notes;
    bool direct = true;   ///< quality A: layout, batch and recomputation known
    bool suspect = false; ///< the source contradicts itself
    Plan plan;
    std::optional<double> step_s;
    std::optional<double> peak_bytes; ///< as `peak_kind` counts
    PeakKind peak_kind = PeakKind::allocated;
    std::optional<double> reserved_bytes;
    std::optional<double>
        optimizer_peak_bytes;          ///< allocator's peak of the gradient sync and optimizer step alone
    std::optional<double> mfu;         ///< as printed
    std::optional<bool> out_of_memory; ///< of sweeps that report failures too
    bool after_pipeline_fix = true;    ///< false: measured with a pipeline defect of the framework
};

/// Every run of every file in published/ of the catalogue's directories, in order of file and line.
/// Errors: a file that cannot be read or does not hold such runs, with the run's id.
[[nodiscard]] Result<std::vector<PublishedRun>> published_runs(const Catalog& catalog);
[[nodiscard]] Result<std::vector<PublishedRun>> published_runs(const nlohmann::ordered_json& document,
                                                               const std::string& origin);

} // namespace shardlens::calibrate
