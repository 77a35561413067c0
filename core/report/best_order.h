// SPDX-License-Identifier: GPL-3.0-or-later
// The rank order that leaves the least communication exposed, found by trying them all.
#pragma once

#include "report/report.h"

namespace shardlens {

struct OrderFigures {
    std::string rank_order; ///< one of the orders that place the ranks like this
    double step_s = 0;
    double exposed_comm_s = 0; ///< tensor, context, expert, pipeline and data communication of the step
    double nic_bytes = 0;      ///< busiest NIC per step
    double uplink_bytes = 0;   ///< busiest pod uplink per step
    /// Groups of each kind that touch more than one node, indexed by GroupKind.
    std::array<std::int64_t, placement::kGroupKinds.size()> crossing{};
};

struct BestOrder {
    OrderFigures before, best;
    bool changed = false; ///< false: no order is faster, `best` is `before`
    Plan plan;            ///< the plan with parallel.rank_order set; as given when nothing changed
    /// Every order that the plan can have, the fastest first; orders that place all ranks alike count once.
    std::vector<OrderFigures> orders;
    std::int64_t refused = 0; ///< orders that break a rule the plan does not break

    [[nodiscard]] double lost_s() const { return before.step_s - best.step_s; } ///< against the best order
};

/// Errors: unknown preset ids; degrees that make no world; textbook fidelity (no communication in it).
[[nodiscard]] Result<BestOrder> best_order(const Plan& plan, const Catalog& catalog);

} // namespace shardlens
