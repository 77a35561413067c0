// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/crossings.h"

#include <algorithm>

namespace shardlens {

namespace {

using placement::GroupKind;

/// The class of links that a collective takes longest on. The time of the fast fabric knows the share of it
/// that a group reaches and the hops of a torus, so that it is what remains when no other class needs busy_s.
placement::LinkClass slowest_link(const placement::Traffic& traffic,
                                  const placement::CollectiveTraffic& collective) {
    using placement::LinkClass;
    constexpr double kSame = 1 - 1e-9; // of two ways to the same quotient
    for (const LinkClass link : {LinkClass::uplink, LinkClass::nic, LinkClass::package})
        if (const double capacity = traffic.of(link).capacity_bytes_per_s;
            capacity > 0 && collective.busy_s > 0 &&
            collective.of(link).busiest_link_bytes / capacity >= collective.busy_s * kSame)
            return link;
    return LinkClass::scale_up;
}

/// The report's part that the collectives of this kind are counted in.
double exposed_seconds(const TimeReport<double>& time, GroupKind kind) {
    switch (kind) {
    case GroupKind::tp:
    case GroupKind::etp: return time.tensor_comm_s;
    case GroupKind::cp: return time.context_comm_s;
    case GroupKind::ep: return time.expert_comm_s;
    case GroupKind::pp: return time.pipeline_comm_s;
    case GroupKind::dp:
    case GroupKind::dp_cp:
    case GroupKind::edp:
    case GroupKind::dp_replicate:
    case GroupKind::dp_shard:
    case GroupKind::embedding: return time.data_comm_s;
    }
    return 0;
}

} // namespace

const char* to_string(Tier tier) {
    switch (tier) {
    case Tier::node: return "node";
    case Tier::domain: return "domain";
    case Tier::pod: return "pod";
    }
    return "";
}

std::vector<TierCrossing> tier_crossings(const Report& report) {
    std::vector<TierCrossing> crossings;
    if (!report.placement || !report.setup) return crossings;
    const placement::Placement& placed = *report.placement;
    const Node& node = report.setup->cluster.node;
    for (const placement::CollectiveTraffic& one : report.traffic.collectives) {
        TierCrossing crossing;
        crossing.kind = one.kind;
        crossing.groups = one.groups;
        crossing.payload_bytes = one.payload_bytes;
        crossing.exposed_s = exposed_seconds(report.time, one.kind);
        if (one.reach.pods > 1) {
            crossing.tier = Tier::pod;
            crossing.places = one.reach.pods;
            crossing.crossing = placed.crossing_pods(one.kind);
        } else if (node.scale_up_domain > node.gpus_per_node && one.reach.domains > 1) {
            crossing.tier = Tier::domain;
            crossing.places = one.reach.domains;
            crossing.crossing = placed.crossing_domains(one.kind);
        } else if (one.reach.nodes > 1) {
            crossing.places = one.reach.nodes;
            crossing.crossing = one.crossing;
        } else
            continue;
        crossing.link = slowest_link(report.traffic, one);
        crossing.on_network = one.of(placement::LinkClass::nic).busiest_link_bytes > 0;
        crossing.busiest_link_bytes = one.of(crossing.link).busiest_link_bytes;
        crossing.transfer_s = one.busy_s;
        crossings.push_back(crossing);
    }
    std::stable_sort(crossings.begin(), crossings.end(), [](const TierCrossing& a, const TierCrossing& b) {
        return a.transfer_s > b.transfer_s;
    });
    return crossings;
}

} // namespace shardlens
