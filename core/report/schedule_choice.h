// SPDX-License-Identifier: GPL-3.0-or-later
// All pipeline schedules for one plan side by side: what each costs, or why it cannot be.
#pragma once

#include "report/report.h"

namespace shardlens {

/// One schedule for the plan. Nothing but the schedule changes, and what it brings with it: the number of
/// chunks per rank where the plan's is none of its own, and the split of layers where its length no longer
/// fits.
struct ScheduleOption {
    ScheduleKind kind = ScheduleKind::one_f_one_b;
    bool current = false; ///< the plan's own
    Fix set;              ///< what applying the choice changes in the plan; empty for the current one
    bool legal = false;
    std::vector<Message>
        obstacles;          ///< when not legal: every rule it breaks, in the plan's own paths, or its size
    std::optional<Fix> fix; ///< when not legal: the nearest change (with `set`) that was tried and is legal
    std::vector<Message> notes; ///< when legal: warnings of the schedule rules (a short step …)

    // Of a legal one.
    std::int64_t chunks_per_rank = 1; ///< v; the two directions of dualpipe and chimera count as one
    double step_s = 0, bubble_s = 0, bubble_fraction = 0;
    double peak_bytes = 0; ///< largest stage total, as in the report
    bool fits = false;
    double in_flight_micro_batches = 0; ///< the most of any rank
    double parameters_per_rank = 0; ///< most parameters that one GPU holds; 0 = textbook, which does not say
    int model_copies = 1;           ///< 2 for dualpipe and chimera
    std::int64_t boundaries = 0;    ///< stage borders between ranks that a micro-batch crosses each way
    double p2p_bytes_per_step = 0;  ///< over all borders of one pipeline (one GPU of each stage)
};

/// Every schedule that a plan can have, in the order of the contract. Errors: unknown preset ids.
[[nodiscard]] Result<std::vector<ScheduleOption>> compare_schedules(const Plan& plan, const Catalog& catalog);

} // namespace shardlens
