// SPDX-License-Identifier: GPL-3.0-or-later
// Bytes per step over each class of links. Every GPU is in one group of each dimension, so a node always runs
// all its groups at once and the loads of the dimensions add up. Reductions and gathers run in two levels
// (inside the fast fabric, then between equal positions), rings in rank order, all-to-alls uniformly.
#include "placement/traffic.h"

#include <algorithm>

namespace shardlens::placement {

namespace {

/// Sums over the dimensions. A NIC serves `gpus_per_nic` GPUs of its node.
struct Load {
    double world = 1, gpus_per_nic = 1, pod_gpus = 0, pods = 1;
    bool change_rail = false; ///< traffic to another rail goes over the fast fabric to that rail's GPU first
    Traffic traffic;

    void scale_up(double per_gpu, double all) {
        traffic.scale_up.busiest_link_bytes += per_gpu;
        traffic.scale_up.bytes_per_step += all;
    }
    void nic(double per_nic, double all) {
        traffic.nic.busiest_link_bytes += per_nic;
        traffic.nic.bytes_per_step += all;
    }
    void uplink(double per_pod) {
        traffic.uplink.busiest_link_bytes += per_pod;
        traffic.uplink.bytes_per_step += per_pod * pods;
    }
};

/// Members of a group: n in all, u together in the fast fabric (k such parts), y in one pod.
struct Parts {
    double n = 1, u = 1, k = 1, y = 1;
    bool leaves_pod = false;
};

/// Reduce-scatters and all-gathers of vectors of `bytes` in all.
void add_reduction(Load& load, const Parts& parts, double bytes) {
    const double inside = bytes * (parts.u - 1) / parts.u;
    load.scale_up(inside, inside * load.world);
    if (parts.k <= 1) return;
    const double per_gpu = (parts.k - 1) / parts.k * bytes / parts.u;
    load.nic(load.gpus_per_nic * per_gpu, load.world * per_gpu);
    if (parts.leaves_pod) load.uplink(load.pod_gpus / parts.y * bytes * (parts.n - 1) / parts.n);
}

/// A ring in rank order in which every rank sends `bytes`.
void add_ring(Load& load, const Parts& parts, double bytes) {
    if (parts.n <= 1) return;
    if (parts.k <= 1) return load.scale_up(bytes, bytes * load.world);
    // One hop per group leaves each part, so the NIC of that GPU carries all of it and the others nothing.
    const double leaving = std::max(1.0, load.gpus_per_nic / parts.u);
    load.nic(leaving * bytes, load.world / parts.u * bytes);
    if (parts.u > 1) load.scale_up(bytes, load.world * (parts.u - 1) / parts.u * bytes);
    if (parts.leaves_pod) load.uplink(load.pod_gpus / parts.y * bytes);
}

/// A uniform all-to-all in which every rank holds `bytes`, its own share included.
void add_all_to_all(Load& load, const Parts& parts, double bytes) {
    const double remote = parts.k <= 1 ? 0 : bytes * (parts.k - 1) / parts.k;
    const double inside =
        bytes * (parts.u - 1) / parts.n + (load.change_rail ? remote * (parts.u - 1) / parts.u : 0);
    load.scale_up(inside, inside * load.world);
    load.nic(load.gpus_per_nic * remote, load.world * remote);
    if (parts.leaves_pod) load.uplink(load.pod_gpus * bytes * (1 - parts.y / parts.n));
}

/// `bytes` each way between neighbour stages: every pair of ranks carries twice that.
void add_neighbours(Load& load, const Parts& parts, double bytes, double stride) {
    if (parts.n <= 1) return;
    const double pairs = load.world * (parts.n - 1) / parts.n;
    const double leaving = (parts.k - 1) / (parts.n - 1);    // share of the pairs
    const double per_rank = parts.n > 2 ? 2 * bytes : bytes; // an inner stage sends both ways
    load.scale_up(leaving < 1 ? per_rank : 0, pairs * (1 - leaving) * 2 * bytes);
    if (leaving <= 0) return;
    const double per_nic =
        parts.u > 1 ? std::min(load.gpus_per_nic, stride) * bytes : load.gpus_per_nic * per_rank;
    load.nic(per_nic, pairs * leaving * 2 * bytes);
    if (parts.leaves_pod) load.uplink(load.pod_gpus / parts.y * bytes * (parts.n > 2 * parts.y ? 2 : 1));
}

} // namespace

Traffic traffic(const Placement& placement, const Setup& setup, const GroupVolumes& volumes) {
    const Node& node = setup.cluster.node;
    Load load;
    load.world = static_cast<double>(placement.world());
    const std::int64_t per_node = placement.gpus_per_node();
    const std::int64_t nics = node.nics_per_node > 0 ? node.nics_per_node : per_node;
    load.gpus_per_nic = static_cast<double>(std::min(per_node, placement.world())) /
                        static_cast<double>(std::min(nics, placement.world()));
    load.change_rail = node.topology == FabricTopology::rail_optimised;
    if (placement.nodes_per_pod() > 0) {
        load.pod_gpus =
            static_cast<double>(std::min(placement.nodes_per_pod() * per_node, placement.world()));
        load.pods = load.world / load.pod_gpus;
    }

    const auto parts_of = [&](GroupKind kind) {
        const Reach reach = placement.reach(kind);
        Parts parts;
        parts.n = static_cast<double>(reach.members);
        // A fast fabric that reaches over nodes keeps traffic off the NICs; one smaller than the node does
        // not.
        const bool wide = node.scale_up_domain > per_node;
        parts.k = static_cast<double>(wide ? reach.domains : reach.nodes);
        parts.u = parts.k <= 1
                      ? parts.n
                      : static_cast<double>(wide ? reach.members_per_domain : reach.members_per_node);
        parts.leaves_pod = reach.pods > 1;
        parts.y = parts.leaves_pod ? std::max(1.0, parts.n / static_cast<double>(reach.pods)) : parts.n;
        return parts;
    };

    add_reduction(load, parts_of(GroupKind::tp), volumes.tensor_bytes);
    const Parts context = parts_of(GroupKind::cp);
    if (setup.context_kind == ContextKind::ring)
        add_ring(load, context, volumes.context_bytes * (context.n - 1) / context.n); // own part stays
    else if (setup.context_kind == ContextKind::ulysses)
        add_all_to_all(load, context, volumes.context_bytes);
    else
        add_reduction(load, context, volumes.context_bytes);
    if (placement.has_experts()) add_all_to_all(load, parts_of(GroupKind::ep), volumes.expert_bytes);
    add_reduction(load, parts_of(GroupKind::dp_cp), volumes.data_bytes);
    const double stride = static_cast<double>(placement.dense().stride(Axis::pp));
    add_neighbours(load, parts_of(GroupKind::pp), volumes.pipeline_bytes / 2, stride);
    return load.traffic;
}

} // namespace shardlens::placement
