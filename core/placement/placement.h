// SPDX-License-Identifier: GPL-3.0-or-later
// Ranks → groups → GPUs, nodes and pods. Everything is arithmetic on strides; nothing is stored per rank, so
// 100,000 GPUs cost no more than 8. Rank r sits on the host launched as number r / gpus_per_node, local GPU
// r % gpus_per_node; that host stands where its name counts (node2 before node10) when the plan names hosts.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
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

/// The rank order of a plan: contract string ("tp-cp-ep-dp-pp", left-most fastest) or launcher name. An order
/// without ep has it directly behind etp (rules/rank_order.h).
struct RankOrder {
    std::vector<Axis> dense;  ///< tp, cp, dp, pp in some order
    std::vector<Axis> expert; ///< the same string with tp → etp, cp left out, dp → edp
};
[[nodiscard]] Result<RankOrder> parse_rank_order(std::string_view text);

enum class GroupKind : std::uint8_t {
    tp,
    cp,
    dp,
    dp_cp,
    pp,
    ep,
    etp,
    edp,
    dp_replicate,
    dp_shard,
    embedding
};
inline constexpr std::array kGroupKinds = {GroupKind::tp,       GroupKind::cp,       GroupKind::dp,
                                           GroupKind::dp_cp,    GroupKind::pp,       GroupKind::ep,
                                           GroupKind::etp,      GroupKind::edp,      GroupKind::dp_replicate,
                                           GroupKind::dp_shard, GroupKind::embedding};
[[nodiscard]] const char* to_string(GroupKind kind);

/// Groups of the ranks that differ along `axes` only, such as {tp, pp} (the model-parallel groups), in the
/// order of Placement::groups.
[[nodiscard]] std::vector<std::vector<std::int64_t>> groups_along(const Grid& grid,
                                                                  std::initializer_list<Axis> axes);

/// Where the members of one kind of group sit. Worst group of the kind: the fewest members together, the most
/// nodes touched.
struct Reach {
    std::int64_t members = 1;            ///< ranks in a group
    std::int64_t members_per_domain = 1; ///< most members of the group that share one scale-up domain
    std::int64_t domains = 1;            ///< scale-up domains a group touches
    std::int64_t members_per_node = 1;
    std::int64_t nodes = 1; ///< nodes a group touches
    std::int64_t pods = 1;
    std::int64_t groups_per_node = 1; ///< groups of the kind that have members on one node
    bool rail_aligned = false;        ///< all members on the same local index
};

class Placement {
public:
    /// Degrees that do not multiply to the world give an error, and so does a rank order that cannot be read.
    /// An expert grid that does not multiply to the world is left out (has_experts() is false).
    [[nodiscard]] static Result<Placement> make(const Setup& setup);

    [[nodiscard]] const Grid& dense() const { return m_dense; }
    [[nodiscard]] const Grid& expert() const { return m_expert; } ///< world 1 grid when there are no experts
    [[nodiscard]] bool has_experts() const { return m_has_experts; }
    [[nodiscard]] std::int64_t world() const { return m_dense.world(); }

    /// Number of groups of a kind and members in group-local order. Expert kinds have no group without
    /// experts. Order of groups and of members as in Megatron's RankGenerator: the axes outside the group
    /// count the groups, the axes inside count the members, fastest first; dp_shard and dp_replicate cut each
    /// dp_cp group in turn.
    [[nodiscard]] std::int64_t group_count(GroupKind kind) const;
    [[nodiscard]] std::vector<std::int64_t> group(GroupKind kind, std::int64_t index) const;
    /// The group of `kind` that `rank` belongs to (empty when it belongs to none: embedding).
    [[nodiscard]] std::vector<std::int64_t> group_of(GroupKind kind, std::int64_t rank) const;
    [[nodiscard]] std::vector<std::vector<std::int64_t>> groups(GroupKind kind) const;

    [[nodiscard]] Reach reach(GroupKind kind) const;
    /// Groups that touch more than one node.
    [[nodiscard]] std::int64_t crossing(GroupKind kind) const;
    /// Groups that touch more than one scale-up domain.
    [[nodiscard]] std::int64_t crossing_domains(GroupKind kind) const;
    /// Groups that touch more than one pod.
    [[nodiscard]] std::int64_t crossing_pods(GroupKind kind) const;
    /// Fewest members of a group that share one block of `block` consecutive ranks, where they share most.
    [[nodiscard]] std::int64_t together(GroupKind kind, std::int64_t block) const {
        return bound(kind, block).together;
    }
    /// Does any rank of `stage` have its pipeline neighbour of `stage` + 1 (behind the last stage: the first)
    /// on another node?
    [[nodiscard]] bool stage_border_crosses_node(std::int64_t stage) const;

    /// Where the rank's host stands: nodes of a pod are neighbours in this count.
    [[nodiscard]] std::int64_t node_of(std::int64_t rank) const {
        const std::int64_t launched = rank / m_gpus_per_node;
        return m_places.empty() ? launched : m_places[static_cast<std::size_t>(launched)];
    }
    /// Hosts were launched in another order than they stand in.
    [[nodiscard]] bool hosts_moved() const { return !m_places.empty(); }
    /// The scale-up domain the rank's GPU is in; nodes of a domain are neighbours in the count of node_of().
    [[nodiscard]] std::int64_t domain_of(std::int64_t rank) const {
        return (m_places.empty() ? rank : slot_of(rank)) / m_domain;
    }
    /// The node's first rank; behind the world for a node that does not exist.
    [[nodiscard]] std::int64_t first_rank_on(std::int64_t node) const;
    [[nodiscard]] std::int64_t node_count() const {
        return (world() + m_gpus_per_node - 1) / m_gpus_per_node;
    }
    [[nodiscard]] std::int64_t local_of(std::int64_t rank) const { return rank % m_gpus_per_node; }
    [[nodiscard]] std::int64_t gpus_per_node() const { return m_gpus_per_node; }
    [[nodiscard]] std::int64_t nodes_per_pod() const { return m_nodes_per_pod; }

private:
    /// A digit of a rank in mixed radix. Group members differ in the member digits only.
    struct Digit {
        std::int64_t count = 1, stride = 1;
        bool member = false;
    };
    /// How one kind of group lies in the ranks: digits by ascending stride, neighbours of the same sort
    /// merged.
    struct Layout {
        std::array<Digit, 8> digits{};
        std::size_t size = 0;
        std::int64_t members = 1, groups = 0;

        void add(std::int64_t count, std::int64_t stride, bool member);
        [[nodiscard]] std::int64_t base(std::int64_t index) const;    ///< first rank of a group
        [[nodiscard]] std::int64_t offset(std::int64_t member) const; ///< from the first rank of the group
        [[nodiscard]] std::int64_t index_of(std::int64_t rank, bool of_member) const;
    };
    /// Of all groups of a kind over blocks of `block` consecutive ranks (nodes, domains, pods).
    struct Bound {
        std::int64_t blocks = 1;   ///< most blocks that a group touches
        std::int64_t together = 1; ///< most members on one block, in the group where that is least
        std::int64_t crossing = 0; ///< groups that touch more than one block
    };

    [[nodiscard]] static Layout make_layout(const Grid& grid, Axis first, Axis second);
    void make_layouts();
    [[nodiscard]] const Layout& layout(GroupKind kind) const {
        return m_layouts[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] bool is_sliced(GroupKind kind) const;
    [[nodiscard]] Bound bound(GroupKind kind, std::int64_t block, bool blocks_only = false) const;
    [[nodiscard]] std::int64_t groups_on_a_node(GroupKind kind) const;
    /// Where the rank's GPU stands, counted through the nodes in order.
    [[nodiscard]] std::int64_t slot_of(std::int64_t rank) const {
        return node_of(rank) * m_gpus_per_node + local_of(rank);
    }
    /// As bound(), over blocks of `block` neighbouring GPUs where hosts were launched in another order.
    [[nodiscard]] Bound permuted_bound(GroupKind kind, std::int64_t block) const;

    Grid m_dense, m_expert;
    bool m_has_experts = false;
    std::int64_t m_gpus_per_node = 8, m_domain = 8, m_nodes_per_pod = 0;
    std::int64_t m_shard = 1;  ///< ranks of a dp_shard group (HSDP) inside dp · cp
    bool m_even_slices = true; ///< dp_shard slices are digits of the rank; else they cut across (rare)
    std::array<Layout, kGroupKinds.size()> m_layouts;
    std::vector<std::int64_t> m_places; ///< of the launched hosts; empty: they stand in launch order
    /// With m_places, over several nodes each: every group has been looked at once.
    std::array<Bound, kGroupKinds.size()> m_permuted_pods{}, m_permuted_domains{};
};

/// Network ports of a node, at least one; left out in a preset: one per GPU.
[[nodiscard]] std::int64_t nics_per_node(const Node& node);
/// The first port that GPU `local` of a node uses: GPUs share ports, or have several, in runs of neighbours.
[[nodiscard]] std::int64_t nic_of(const Node& node, std::int64_t local);

} // namespace shardlens::placement
