// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks → groups → GPUs, nodes and pods. Everything is arithmetic on strides; nothing is stored per rank, so
// 100,000 GPUs cost no more than 8. Rank r sits on node r / gpus_per_node, local GPU r % gpus_per_node.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "catalog/setup.h"
#include "json/result.h"

namespace shardlens::placement {

enum class Axis : std::uint8_t { tp, cp, ep, etp, dp, edp, pp };

/// One row-major grid over all ranks: axes[0] varies fastest.
struct Grid {
    std::vector<Axis> axes;
    std::vector<std::int64_t> sizes;

    [[nodiscard]] std::int64_t world() const;
    [[nodiscard]] std::int64_t size(Axis axis) const;   ///< 1 when the grid has no such axis
    [[nodiscard]] std::int64_t stride(Axis axis) const; ///< distance between neighbours along the axis
    [[nodiscard]] std::int64_t coordinate(std::int64_t rank, Axis axis) const;
};

/// The rank order of a plan: contract string ("tp-cp-ep-dp-pp", left-most fastest) or launcher name.
struct RankOrder {
    std::vector<Axis> dense;  ///< tp, cp, dp, pp in some order
    std::vector<Axis> expert; ///< the same string with tp → etp, cp left out, dp → edp
};
[[nodiscard]] Result<RankOrder> parse_rank_order(std::string_view text);

enum class GroupKind : std::uint8_t { tp, cp, dp, dp_cp, pp, ep, etp, edp, dp_replicate, dp_shard, embedding };
inline constexpr std::array kGroupKinds = {GroupKind::tp,  GroupKind::cp,  GroupKind::dp,           GroupKind::dp_cp,
                                           GroupKind::pp,  GroupKind::ep,  GroupKind::etp,          GroupKind::edp,
                                           GroupKind::dp_replicate, GroupKind::dp_shard, GroupKind::embedding};
[[nodiscard]] const char* to_string(GroupKind kind);

/// Where the members of one kind of group sit. Worst group of the kind.
struct Reach {
    std::int64_t members = 1;          ///< ranks in a group
    std::int64_t members_per_domain = 1; ///< most members that share one scale-up domain
    std::int64_t domains = 1;          ///< scale-up domains a group touches
    std::int64_t members_per_node = 1;
    std::int64_t nodes = 1;            ///< nodes a group touches
    std::int64_t pods = 1;
    std::int64_t groups_per_node = 1;  ///< groups of the kind that have members on one node
    bool rail_aligned = false;         ///< all members on the same local index
};

class Placement {
public:
    /// Degrees that do not multiply to the world give an error.
    [[nodiscard]] static Result<Placement> make(const Setup& setup);

    [[nodiscard]] const Grid& dense() const { return m_dense; }
    [[nodiscard]] const Grid& expert() const { return m_expert; } ///< world 1 grid when there are no experts
    [[nodiscard]] bool has_experts() const { return m_has_experts; }
    [[nodiscard]] std::int64_t world() const { return m_dense.world(); }

    /// Number of groups of a kind and members in group-local order.
    [[nodiscard]] std::int64_t group_count(GroupKind kind) const;
    [[nodiscard]] std::vector<std::int64_t> group(GroupKind kind, std::int64_t index) const;
    /// The group of `kind` that `rank` belongs to (empty when it belongs to none: embedding).
    [[nodiscard]] std::vector<std::int64_t> group_of(GroupKind kind, std::int64_t rank) const;
    [[nodiscard]] std::vector<std::vector<std::int64_t>> groups(GroupKind kind) const;

    [[nodiscard]] Reach reach(GroupKind kind) const;
    /// Groups that touch more than one node.
    [[nodiscard]] std::int64_t crossing(GroupKind kind) const;
    /// Do the pipeline neighbours of `stage` and `stage` + 1 sit on different nodes?
    [[nodiscard]] bool stage_border_crosses_node(std::int64_t stage) const;

    [[nodiscard]] std::int64_t node_of(std::int64_t rank) const { return rank / m_gpus_per_node; }
    [[nodiscard]] std::int64_t local_of(std::int64_t rank) const { return rank % m_gpus_per_node; }
    [[nodiscard]] std::int64_t gpus_per_node() const { return m_gpus_per_node; }
    [[nodiscard]] std::int64_t nodes_per_pod() const { return m_nodes_per_pod; }

private:
    Grid m_dense, m_expert;
    bool m_has_experts = false;
    std::int64_t m_gpus_per_node = 8, m_domain = 8, m_nodes_per_pod = 0;
    std::int64_t m_shard = 1; ///< ranks of a dp_shard group (HSDP) inside dp · cp
};

/// Bytes per step over one class of links.
struct LinkTraffic {
    double bytes_per_step = 0;     ///< all links of the class together
    double busiest_link_bytes = 0; ///< the busiest single link
};

struct Traffic {
    LinkTraffic scale_up, nic, uplink;
};

/// Bytes that one rank hands to each kind of collective per step; filled by cost (cost/step_costs.h).
struct GroupVolumes {
    double tensor_bytes = 0;   ///< sum of reduce-scatter and all-gather payloads (full vector sizes)
    double context_bytes = 0;
    double expert_bytes = 0;   ///< sent per rank by dispatch and combine
    double data_bytes = 0;     ///< full gradient vector · passes (all-reduce = 2)
    double pipeline_bytes = 0; ///< sent per rank to a neighbour stage
};
[[nodiscard]] Traffic traffic(const Placement& placement, const Setup& setup, const GroupVolumes& volumes);

} // namespace shardlens::placement
