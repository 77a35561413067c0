// SPDX-License-Identifier: GPL-3.0-or-later
// What a step holds beside the operations of its pipeline, placed in time on every rank: gradient reduction,
// optimizer, parameter gather, offload, overhead. Together with the timeline's operations it is the whole
// step: the last interval ends at time.step_s.
#pragma once

#include "report/report.h"

namespace shardlens {

enum class StepPart : std::uint8_t { grad_reduce, param_gather, optimizer, offload, other };
/// "grad_reduce" …
[[nodiscard]] const char* to_string(StepPart part);

/// Seconds from the start of the step. An interval that is not `exposed` runs beside operations of its rank.
struct StepInterval {
    StepPart part = StepPart::other;
    bool exposed = true;
    std::int32_t chunk = -1; ///< local chunk whose gradients or parameters are moved; -1: of the whole rank
    double start_s = 0, end_s = 0;
};

struct RankStep {
    std::vector<StepInterval> intervals; ///< by start
    /// Communication of this rank that no operation of it hides: inside its operations (tensor, context,
    /// expert, sharded parameters, transfers that occupy it), and of the intervals.
    double exposed_comm_s = 0, hidden_comm_s = 0;
};

struct StepTimeline {
    std::vector<RankStep> ranks;
    double pipeline_end_s = 0;     ///< end of the last operation that is drawn
    double step_s = 0;             ///< end of everything; time.step_s when every micro-batch is drawn
    std::int64_t largest_rank = 0; ///< most parameters: its exposed reduction is the report's
};

/// Empty (no ranks) when the report has no timeline with operations. Gradients of a chunk are reduced from
/// its last backward (or weight half) on; where the stack overlaps, buckets go out while that backward still
/// runs. Updated parameters are gathered behind the optimizer, or hidden under the first forwards of the
/// chunk. What is exposed on the rank with most parameters adds up to the report's data_comm_s less what its
/// operations hold.
[[nodiscard]] StepTimeline step_timeline(const Report& report);

} // namespace shardlens
