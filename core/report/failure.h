// SPDX-License-Identifier: GPL-3.0-or-later
// What goes when a node or one of its network ports fails.
#pragma once

#include <optional>

#include "report/report.h"

namespace shardlens {

struct Outage {
    std::int64_t node = 0;
    std::optional<std::int64_t> nic; ///< one port of the node; empty: the whole node
};

struct LostGroups {
    placement::GroupKind kind = placement::GroupKind::tp;
    std::int64_t groups = 0; ///< that have a member among the ranks (a port: and leave their node)
    std::int64_t of = 0;     ///< groups of the kind in all
};

struct FailureEffect {
    std::vector<std::int64_t> ranks;         ///< on the node, or behind the port
    std::vector<LostGroups> groups;          ///< kinds with groups of more than one rank
    bool ranks_lost = true;                  ///< false: the node's other ports carry the traffic on
    std::vector<std::int64_t> replicas_lost; ///< data-parallel coordinates with a rank that is lost
    std::int64_t replicas = 0;
    /// The run restarted without the lost replicas (largest data degree that breaks no rule, the same work
    /// per replica), or with less network rate: a GPU's other ports carry on, else it shares its neighbour's,
    /// and a synchronous step waits for it.
    Plan after;                  ///< the plan that the figures behind are of
    std::int64_t data_after = 0; ///< 0: no whole replica is left
    double tokens_per_s_before = 0, tokens_per_s_after = 0;
    double step_s_before = 0, step_s_after = 0; ///< after = 0 when nothing is left

    [[nodiscard]] double throughput_share() const {
        return tokens_per_s_before > 0 ? tokens_per_s_after / tokens_per_s_before : 0;
    }
};

/// Errors: unknown preset ids; degrees that make no world; a node or port that the cluster does not have.
[[nodiscard]] Result<FailureEffect> failure_effect(const Plan& plan, const Catalog& catalog,
                                                   const Outage& outage);

} // namespace shardlens
