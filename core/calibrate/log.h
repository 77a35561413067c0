// SPDX-License-Identifier: GPL-3.0-or-later
// What a run's log says about its step time and its memory: the measured side of a calibration. Which lines
// are known stands in log_shapes.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/message.h"
#include "plan/plan.h"
#include "json/result.h"

namespace shardlens::calibrate {

/// What one step works on. Some launchers print rates instead of times; the step time follows from these.
struct StepBatch {
    double samples = 0;        ///< the global batch
    double tokens_per_gpu = 0; ///< global batch · sequence length / GPUs
};

[[nodiscard]] StepBatch step_batch(const Plan& plan);

/// The largest peak any line of any rank gives.
struct MemoryPeak {
    double bytes = 0;
    std::size_t line = 0;             ///< counted from 1
    std::optional<std::int64_t> rank; ///< where the line names it ("[Rank 3]", "[rank3]:")
};

struct TrainingLog {
    std::string
        format; ///< the launcher whose lines gave the step time, or the memory if no line gives a time

    /// A step here is one printed time: launchers that print every n-th iteration print the mean of n. Lines
    /// of several ranks about the same iteration are one step, as slow as its slowest rank.
    std::size_t steps_read = 0;
    std::size_t other_batch_skipped =
        0; ///< steps of a batch ramp-up, before the last global batch was reached
    std::size_t warmup_skipped = 0;
    std::size_t outliers_skipped = 0;
    std::optional<double> step_s;        ///< the median of the rest
    std::vector<std::size_t> step_lines; ///< the lines of that rest, counted from 1

    std::optional<double> global_batch; ///< samples, where the lines print it
    std::optional<MemoryPeak> allocated;
    std::optional<MemoryPeak> reserved;

    /// How the step time came about, part by part.
    [[nodiscard]] std::vector<Message> account() const;
    /// The same as one sentence.
    [[nodiscard]] std::string step_account() const;
};

/// `origin` names the text in errors. Colours, CRLF, progress bars that redraw their line, interleaved ranks
/// and a last line that was cut off are all expected. Without a `batch`, a log that prints only rates is
/// refused; with one, a log that prints another global batch is.
[[nodiscard]] Result<TrainingLog> read_training_log(std::string_view text, const std::string& origin,
                                                    const std::optional<StepBatch>& batch = std::nullopt);

} // namespace shardlens::calibrate
