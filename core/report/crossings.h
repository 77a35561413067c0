// SPDX-License-Identifier: GPL-3.0-or-later
// Which groups of a plan leave their node, fast fabric or pod, and what that costs.
#pragma once

#include "report/report.h"

namespace shardlens {

enum class Tier : std::uint8_t { node, domain, pod };
[[nodiscard]] const char* to_string(Tier tier);

struct TierCrossing {
    placement::GroupKind kind = placement::GroupKind::tp;
    Tier tier = Tier::node;
    std::int64_t groups = 0, crossing = 0; ///< of the kind; those that touch more than one place of the tier
    std::int64_t places = 1;               ///< most that one group touches
    double payload_bytes = 0;              ///< per rank and step
    /// Where the collective takes longest: a NIC, a pod's uplink, or the fast fabric where that is slower or
    /// reaches over the nodes.
    placement::LinkClass link = placement::LinkClass::nic;
    bool on_network = false;       ///< some of its bytes go through NICs
    double busiest_link_bytes = 0; ///< per step, of the busiest link of that class
    double transfer_s = 0;         ///< CollectiveTraffic::busy_s: what that link needs for them
    double exposed_s = 0;          ///< of the step, in the report's part that this collective belongs to
};

/// Kinds that the plan communicates over and that cross a tier, the outermost tier of each first, by
/// transfer_s descending. A tier of the same size as the one below it is left out. Empty without a placement.
[[nodiscard]] std::vector<TierCrossing> tier_crossings(const Report& report);

} // namespace shardlens
