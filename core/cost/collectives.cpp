// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/collectives.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "cost/machine.h"
#include "placement/exchange.h"

namespace shardlens::cost {
namespace {

using placement::Reach;

/// One-direction rate of a rank into its scale-up domain when the group has `members` there.
template <class N> N scale_up_rate(const Setup& setup, double members) {
    const Node& node = setup.cluster.node;
    // Without a switch a rank reaches its peers over separate links: a group uses only those to its members.
    const double rate = node.scale_up_bytes_per_s_per_gpu * node.scale_up_share(members);
    return input<N>(rate, {"scale_up_bandwidth", "B/s", "node, one direction", Tag::exact}) *
           architecture_constant<N>(setup.architecture.scale_up_efficiency, "scale_up_efficiency", "1");
}

/// Usable network rate of one rank.
template <class N> N network_rate(const Setup& setup) {
    return input<N>(std::max(setup.cluster.node.scale_out_bytes_per_s_per_gpu, 1.0),
                    {"network_bandwidth", "B/s", "node, one direction, per GPU", Tag::exact}) *
           stack_constant<N>(setup, setup.stack.nic_efficiency, "network_efficiency", "1");
}

double scale_up_latency(const Setup& setup) {
    const double latency = setup.cluster.node.scale_up_latency_s;
    return latency > 0 ? latency : setup.architecture.scale_up_latency_s;
}
double network_latency(const Setup& setup) { return setup.architecture.network_latency_s; }

template <class N> N collective_latency(const Setup& setup, const Reach& reach) {
    const auto n = static_cast<double>(reach.members), domains = static_cast<double>(reach.domains);
    const Node& node = setup.cluster.node;
    const double per_hop =
        node.torus_dimensions > 0 ? scale_up_latency(setup) : setup.architecture.rank_latency_s;
    double seconds = 4 * scale_up_latency(setup) + per_hop * node.scale_up_ring_hops(n);
    if (reach.domains > 1) {
        const double hops = domains - 1;
        const double effective = hops <= 64 ? hops : 64 * (1 + std::log(hops / 64)); // large groups use trees
        seconds = 2 * scale_up_latency(setup) + network_latency(setup) * effective;
    }
    return input<N>(
        seconds, {"latency", "s", "messages of the collective, NCCL small-message timings", Tag::measured});
}

/// Rate at which a rank's share of a collective over several domains flows: its k neighbours in the domain
/// drive k NICs, and the last step inside the domain is bounded by the scale-up links.
template <class N> N two_tier_rate(const Setup& setup, const Reach& reach) {
    const auto k = static_cast<double>(std::max<std::int64_t>(reach.members_per_domain, 1));
    double nics = std::pow(k, setup.stack.nic_share_exponent);
    const Node& node = setup.cluster.node;
    // Where several ranks share a card, the communicators of groups that hold a part of each node choose
    // cards by distance, each for itself, and some cards stay idle.
    if (k > 1 && k < static_cast<double>(node.gpus_per_node)) nics *= setup.stack.nic_share_partial;
    // A ring leaves a pod once per group; only pods with fewer nodes than their oversubscription throttle it.
    if (reach.pods > 1 && node.nodes_per_pod > 0 && node.oversubscription > 1)
        nics *= std::min(1.0, static_cast<double>(node.nodes_per_pod) / node.oversubscription);
    const N network = network_rate<N>(setup) *
                      input<N>(nics, {"network_cards", "1", "members of the group on a node drive that many",
                                      Tag::measured});
    return named(min_of(network, scale_up_rate<N>(setup, k)),
                 {"group_bandwidth", "B/s", "slower of network and scale-up link", Tag::modelled});
}

/// Protocol ramp: seconds per square root of a megabyte, up to where the protocols stop changing.
template <class N> N ramp(const Setup& setup, const N& bytes) {
    const N megabytes = min_of(bytes, N(setup.architecture.collective_ramp_bytes)) / 1e6;
    return architecture_constant<N>(setup.architecture.collective_sqrt_s, "protocol_ramp", "s") *
           pow_of(megabytes, N(0.5));
}

/// Distance between neighbours of a group along one axis; 0 for groups of several axes.
std::int64_t stride_of(const placement::Placement& placement, placement::GroupKind kind) {
    using placement::Axis;
    using placement::GroupKind;
    switch (kind) {
    case GroupKind::tp: return placement.dense().stride(Axis::tp);
    case GroupKind::cp: return placement.dense().stride(Axis::cp);
    case GroupKind::pp: return placement.dense().stride(Axis::pp);
    case GroupKind::ep: return placement.expert().stride(Axis::ep);
    case GroupKind::etp: return placement.expert().stride(Axis::etp);
    case GroupKind::edp: return placement.expert().stride(Axis::edp);
    default: return 0;
    }
}

} // namespace

placement::Reach reach_of(const Setup& setup, const placement::Placement* placement,
                          placement::GroupKind kind, std::int64_t members) {
    Reach reach;
    reach.members = reach.members_per_domain = reach.members_per_node = std::max<std::int64_t>(members, 1);
    if (!placement || members <= 1) return reach;
    reach = placement->reach(kind);
    const Node& node = setup.cluster.node;
    if (node.scale_up_domain <= node.gpus_per_node || setup.world() <= node.scale_up_domain) return reach;
    const std::int64_t stride = stride_of(*placement, kind);
    const auto segment =
        static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(node.scale_up_domain)));
    if (stride <= 0) return reach;
    const std::int64_t together = std::clamp<std::int64_t>(segment / stride, 1, reach.members);
    // Hosts launched in another order tear groups apart wherever segments start.
    reach.members_per_domain =
        placement->hosts_moved() ? std::min(together, reach.members_per_domain) : together;
    reach.domains = (reach.members + reach.members_per_domain - 1) / reach.members_per_domain;
    return reach;
}

template <class N> N gather_time(const Setup& setup, const Reach& reach, N bytes) {
    if (reach.members <= 1 || !(value_of(bytes) > 0)) return 0.0;
    const N ranks = input<N>(static_cast<double>(reach.members), {"ranks", "1", "group size", Tag::exact});
    const N sent = named(ring_half_bytes(ranks, bytes),
                         {"bytes_sent", "B", "ring: (P − 1) / P · N, Patarasuk and Yuan 2009", Tag::exact});
    const N rate = reach.domains > 1 ? two_tier_rate<N>(setup, reach)
                                     : scale_up_rate<N>(setup, static_cast<double>(reach.members_per_domain));
    return named(sent / rate + ramp(setup, sent) + collective_latency<N>(setup, reach),
                 {"ring_half", "s",
                  "all-gather or reduce-scatter: bytes over bandwidth, protocol ramp, latency",
                  Tag::modelled});
}

namespace {

/// An all-reduce up and down a double binary tree over the domains (NCCL 2.4): every rank's share crosses the
/// network twice, at a little less than a ring's rate, and latency grows with the logarithm of the domains.
template <class N> N tree_time(const Setup& setup, const Reach& reach, const N& bytes) {
    const auto k = static_cast<double>(std::max<std::int64_t>(reach.members_per_domain, 1));
    const N network = 2.0 * bytes /
                      (architecture_constant<N>(setup.architecture.tree_share, "tree_share", "1") *
                       two_tier_rate<N>(setup, reach));
    const N inside = k > 1 ? 2.0 * ring_half_bytes<N>(k, bytes) / scale_up_rate<N>(setup, k) : N(0.0);
    const double levels = std::ceil(std::log2(static_cast<double>(reach.domains)));
    const N latency =
        input<N>(4 * scale_up_latency(setup) + 2 * levels * network_latency(setup),
                 {"tree_latency", "s", "two ways through the levels of the tree", Tag::modelled});
    return named(
        max_of(network, inside) + 2.0 * ramp(setup, bytes) + latency,
        {"tree_all_reduce", "s", "double binary tree: bytes over bandwidth, ramp, latency", Tag::modelled});
}

} // namespace

template <class N> N all_reduce_time(const Setup& setup, const Reach& reach, N bytes) {
    const N half = gather_time<N>(setup, reach, bytes);
    if (reach.domains > 2 && value_of(half) > 0)
        return min_of(2.0 * half,
                      tree_time<N>(setup, reach, bytes)); // NCCL takes what its model says is faster
    const bool in_switch = setup.cluster.node.in_switch_reduction && reach.domains == 1 &&
                           static_cast<double>(reach.members) >= setup.architecture.in_switch_least_ranks;
    if (!in_switch) return 2.0 * half;
    return 2.0 * half / architecture_constant<N>(setup.architecture.in_switch_gain, "in_switch_gain", "1");
}

template <class N> N all_to_all_time(const Setup& setup, const Reach& reach, N bytes, double copies) {
    if (reach.members <= 1 || !(value_of(bytes) > 0)) return 0.0;
    const auto n = static_cast<double>(reach.members);
    const auto inside = static_cast<double>(reach.members_per_domain);
    const Architecture& arch = setup.architecture;
    const Node& node = setup.cluster.node;
    const bool once = copies > 0 && placement::sends_token_once(setup);
    const auto distinct = [&](double places) { return once ? placement::distinct_share(places, copies) : 1; };
    N seconds =
        bytes * (distinct(n) * (inside - 1) / n) /
        (input<N>(
             node.scale_up_bytes_per_s_per_gpu * node.scale_up_share(inside) /
                 node.scale_up_mean_hops(inside),
             {"scale_up_bandwidth", "B/s", "node, one direction, over the links on the way", Tag::exact}) *
         architecture_constant<N>(arch.all_to_all_scale_up_efficiency, "exchange_efficiency_inside", "1"));
    if (reach.domains > 1) {
        const double share = (n - inside) / n * distinct(static_cast<double>(reach.domains));
        double uplink = 1;
        if (reach.pods > 1)
            uplink = std::max(1.0, setup.cluster.node.oversubscription *
                                       (1 - 1.0 / static_cast<double>(reach.pods)));
        N outside =
            bytes *
            input<N>(share, {"share_to_other_domains", "1", "members outside the domain", Tag::exact}) *
            uplink /
            (network_rate<N>(setup) * architecture_constant<N>(arch.all_to_all_network_efficiency,
                                                               "exchange_efficiency_outside", "1"));
        if (setup.cluster.node.efa && copies > 0) {
            // EFA handles the many messages of an exchange one by one while their bytes already flow: the
            // published runs take as long with one sample as with two, then grow with the bytes.
            const N messages = architecture_constant<N>(0.5 * arch.efa_stall_s, "efa_messages", "s");
            outside = outside / stack_constant<N>(setup, setup.stack.efa_exchange_efficiency,
                                                  "efa_exchange_efficiency", "1");
            outside = pow_of(outside * outside + messages * messages, N(0.5));
        }
        seconds += outside;
    }
    return named(seconds + collective_latency<N>(setup, reach),
                 {"all_to_all", "s", "share inside over scale-up links, share outside over the network",
                  Tag::modelled});
}

template <class N> N point_to_point_time(const Setup& setup, bool crosses_node, N bytes) {
    if (crosses_node)
        return named(bytes / network_rate<N>(setup) + N(setup.architecture.message_network_s),
                     {"message_over_network", "s", "bytes over the NIC + latency", Tag::modelled});
    // One stream does not reach what a ring with all channels does.
    return named(bytes / (setup.architecture.stream_share * scale_up_rate<N>(setup, 2)) +
                     N(setup.architecture.message_inside_s),
                 {"message_inside_domain", "s",
                  "bytes over one stream's share of the scale-up rate + latency", Tag::modelled});
}

template double gather_time<double>(const Setup&, const Reach&, double);
template Traced gather_time<Traced>(const Setup&, const Reach&, Traced);
template double all_reduce_time<double>(const Setup&, const Reach&, double);
template Traced all_reduce_time<Traced>(const Setup&, const Reach&, Traced);
template double all_to_all_time<double>(const Setup&, const Reach&, double, double);
template Traced all_to_all_time<Traced>(const Setup&, const Reach&, Traced, double);
template double point_to_point_time<double>(const Setup&, bool, double);
template Traced point_to_point_time<Traced>(const Setup&, bool, Traced);

} // namespace shardlens::cost
