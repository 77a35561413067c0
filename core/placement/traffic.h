// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes per step over each class of links, by collective and in sum, and what leaves a node through which
// port.
#pragma once

#include <array>

#include "placement/placement.h"

namespace shardlens::placement {

/// Bytes that one rank hands to each kind of collective per step; filled by cost (cost/step_costs.h), which
/// times the same payloads.
struct GroupVolumes {
    double tensor_bytes = 0;        ///< sum of reduce-scatter and all-gather payloads (full vector sizes)
    double expert_tensor_bytes = 0; ///< the same over the etp groups
    double context_bytes = 0;       ///< ring, allgather: payloads (full vector sizes); ulysses: held per rank
    double expert_bytes = 0;        ///< held per rank for dispatch and combine, own share included
    double data_bytes = 0; ///< dense gradients and weights · passes (all-reduce = 2) over data · context, or
                           ///< with replica_bytes > 0 over the shard groups
    double replica_bytes = 0;     ///< hybrid sharding: the shard's gradients between the replicas · 2
    double expert_data_bytes = 0; ///< gradients and weights of the experts · passes over edp
    double embedding_bytes = 0;   ///< tied matrix between first and last stage · 2
    double pipeline_bytes = 0;    ///< sent per rank of an inner stage, to both neighbours together

    void add(const GroupVolumes& other, double times);
    void take_larger(const GroupVolumes& other); ///< of each member
};

/// scale_up: an accelerator's ports into its fast fabric together; package: the link between the dies of one
/// package; torus_axis: one link of a torus; nic: a network port of a node; uplink: all ports of a pod
/// together. Bytes inside a package or over a torus count in scale_up as well.
enum class LinkClass : std::uint8_t { scale_up, package, torus_axis, nic, uplink };
inline constexpr std::array kLinkClasses = {LinkClass::scale_up, LinkClass::package, LinkClass::torus_axis,
                                            LinkClass::nic, LinkClass::uplink};
[[nodiscard]] const char* to_string(LinkClass link);

/// Bytes per step over one class of links, counted where they are sent.
struct LinkTraffic {
    double bytes_per_step = 0;     ///< all links of the class together
    double busiest_link_bytes = 0; ///< the busiest single link
};

struct LinkLoad : LinkTraffic {
    double capacity_bytes_per_s = 0; ///< of one link, one direction; 0 = the cluster has none of this class
    /// What the busiest link would carry at the worst moment if it could: collectives that may run at the
    /// same time, each as fast as its own slowest link lets it alone. Above the capacity they slow each other
    /// down.
    double peak_bytes_per_s = 0;

    [[nodiscard]] double busy_s() const { ///< time that the busiest link needs for its bytes at least
        return capacity_bytes_per_s > 0 ? busiest_link_bytes / capacity_bytes_per_s : 0;
    }
};

/// One collective of the plan over its kind of groups.
struct CollectiveTraffic {
    GroupKind kind = GroupKind::tp;
    Reach reach;
    std::int64_t groups = 0, crossing = 0; ///< groups of the kind; those that touch more than one node
    double payload_bytes = 0;              ///< per rank and step, as in GroupVolumes
    double sent_bytes = 0;                 ///< by one rank per step (the one that sends most)
    std::array<LinkTraffic, kLinkClasses.size()> links{};
    double busy_s = 0; ///< its slowest class of links alone, bytes over capacity
    /// Groups that send through one NIC at the same time; 0 when none leaves its node.
    std::int64_t groups_per_nic = 0;
    /// Busiest NIC and latency-bound messages of one group in a row, in two levels (as counted above) and as
    /// one flat ring in rank order with as many parallel channels as members share a node. Reductions only.
    double two_level_nic_bytes = 0, flat_nic_bytes = 0;
    double two_level_messages = 0, flat_messages = 0;

    [[nodiscard]] const LinkTraffic& of(LinkClass link) const {
        return links[static_cast<std::size_t>(link)];
    }
};

struct Traffic {
    LinkLoad scale_up, package, torus_axis, nic, uplink;
    std::vector<CollectiveTraffic> collectives; ///< those that the plan has (groups of more than one rank)

    [[nodiscard]] const LinkLoad& of(LinkClass link) const;
    [[nodiscard]] const CollectiveTraffic* of(GroupKind kind) const; ///< null when the plan has none
};
[[nodiscard]] Traffic traffic(const Placement& placement, const Setup& setup, const GroupVolumes& volumes);

/// What leaves a node through one of its ports per step.
struct NicLoad {
    std::int64_t nic = 0;
    double bytes_per_step = 0;
    std::array<double, kGroupKinds.size()> by_kind{}; ///< indexed by GroupKind
};
/// Every port of one node, counted rank by rank (traffic() is the closed form of the busiest).
[[nodiscard]] std::vector<NicLoad> nic_loads(const Placement& placement, const Setup& setup,
                                             const GroupVolumes& volumes, std::int64_t node);

} // namespace shardlens::placement
