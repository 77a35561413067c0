// SPDX-License-Identifier: GPL-3.0-or-later
// Every GPU is in one group of each dimension, so a node always runs all its groups at once and the loads of
// the dimensions add up. Reductions and gathers run in two levels (inside the fast fabric, then between equal
// positions), rings in rank order, all-to-alls uniformly.
#include "placement/traffic.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <utility>

#include "placement/exchange.h"
#include "placement/port_loads.h"
#include "placement/ports.h"

namespace shardlens::placement {

void GroupVolumes::add(const GroupVolumes& other, double times) {
    tensor_bytes += times * other.tensor_bytes;
    expert_tensor_bytes += times * other.expert_tensor_bytes;
    context_bytes += times * other.context_bytes;
    expert_bytes += times * other.expert_bytes;
    data_bytes += times * other.data_bytes;
    replica_bytes += times * other.replica_bytes;
    expert_data_bytes += times * other.expert_data_bytes;
    embedding_bytes += times * other.embedding_bytes;
    pipeline_bytes += times * other.pipeline_bytes;
}

void GroupVolumes::take_larger(const GroupVolumes& other) {
    tensor_bytes = std::max(tensor_bytes, other.tensor_bytes);
    expert_tensor_bytes = std::max(expert_tensor_bytes, other.expert_tensor_bytes);
    context_bytes = std::max(context_bytes, other.context_bytes);
    expert_bytes = std::max(expert_bytes, other.expert_bytes);
    data_bytes = std::max(data_bytes, other.data_bytes);
    replica_bytes = std::max(replica_bytes, other.replica_bytes);
    expert_data_bytes = std::max(expert_data_bytes, other.expert_data_bytes);
    embedding_bytes = std::max(embedding_bytes, other.embedding_bytes);
    pipeline_bytes = std::max(pipeline_bytes, other.pipeline_bytes);
}

const char* to_string(LinkClass link) {
    switch (link) {
    case LinkClass::scale_up: return "scale_up";
    case LinkClass::package: return "package";
    case LinkClass::torus_axis: return "torus_axis";
    case LinkClass::nic: return "nic";
    case LinkClass::uplink: return "uplink";
    }
    return "";
}

namespace {

/// How a kind of group moves its bytes.
enum class Pattern : std::uint8_t { reduction, ring, all_to_all, neighbours };

/// One collective of a plan: what traffic() and nic_loads() both walk over.
struct Flow {
    GroupKind kind;
    Pattern pattern;
    double bytes;
    double copies = 0; ///< of a token that an all-to-all sends once to each place; 0: all of them

    [[nodiscard]] double distinct(double places) const {
        return copies > 0 ? distinct_share(places, copies) : 1;
    }
};

std::vector<Flow> flows_of(const Placement& placement, const Setup& setup, const GroupVolumes& volumes) {
    const Pattern context = setup.context_kind == ContextKind::ring      ? Pattern::ring
                            : setup.context_kind == ContextKind::ulysses ? Pattern::all_to_all
                                                                         : Pattern::reduction;
    const bool hybrid = volumes.replica_bytes > 0;
    std::vector<Flow> flows = {
        {GroupKind::tp, Pattern::reduction, volumes.tensor_bytes},
        {GroupKind::cp, context, volumes.context_bytes},
        {hybrid ? GroupKind::dp_shard : GroupKind::dp_cp, Pattern::reduction, volumes.data_bytes},
        {GroupKind::dp_replicate, Pattern::reduction, volumes.replica_bytes},
        {GroupKind::pp, Pattern::neighbours, volumes.pipeline_bytes / 2},
        {GroupKind::embedding, Pattern::reduction, volumes.embedding_bytes},
    };
    if (placement.has_experts()) {
        flows.push_back({GroupKind::etp, Pattern::reduction, volumes.expert_tensor_bytes});
        const bool once = setup.moe() && sends_token_once(setup);
        flows.push_back({GroupKind::ep, Pattern::all_to_all, volumes.expert_bytes,
                         once ? static_cast<double>(setup.shape.moe->top_k) : 0});
        flows.push_back({GroupKind::edp, Pattern::reduction, volumes.expert_data_bytes});
    }
    std::erase_if(flows, [](const Flow& flow) { return flow.bytes <= 0; });
    return flows;
}

/// What the formulas read of the cluster. A NIC serves `gpus_per_nic` GPUs of its node.
struct Machine {
    const Node& node;
    double world = 1, gpus_per_nic = 1, pod_gpus = 0, pods = 1;
    bool change_rail = false; ///< traffic to another rail goes over the fast fabric to that rail's GPU first

    Machine(const Placement& placement, const Setup& setup) : node(setup.cluster.node) {
        world = static_cast<double>(placement.world());
        const std::int64_t per_node = placement.gpus_per_node();
        gpus_per_nic = static_cast<double>(std::min(per_node, placement.world())) /
                       static_cast<double>(std::min(nics_per_node(node), placement.world()));
        change_rail = node.topology == FabricTopology::rail_optimised;
        if (placement.nodes_per_pod() > 0) {
            pod_gpus = static_cast<double>(std::min(placement.nodes_per_pod() * per_node, placement.world()));
            pods = world / pod_gpus;
        }
    }
    /// A fast fabric that reaches over nodes keeps traffic off the NICs; one smaller than the node does not.
    [[nodiscard]] bool wide() const { return node.scale_up_domain > node.gpus_per_node; }

    /// Of one link, one direction.
    [[nodiscard]] double capacity(LinkClass link) const {
        switch (link) {
        case LinkClass::scale_up: return node.scale_up_bytes_per_s_per_gpu;
        case LinkClass::package: return node.package_accelerators > 1 ? node.package_bytes_per_s : 0;
        case LinkClass::torus_axis:
            return node.torus_dimensions > 0 ? node.scale_up_bytes_per_s_per_gpu /
                                                   (2.0 * static_cast<double>(node.torus_dimensions))
                                             : 0;
        case LinkClass::nic: return node.scale_out_bytes_per_s_per_gpu * gpus_per_nic;
        case LinkClass::uplink:
            return pod_gpus > 0 && pods > 1
                       ? pod_gpus * node.scale_out_bytes_per_s_per_gpu / std::max(1.0, node.oversubscription)
                       : 0;
        }
        return 0;
    }
};

/// Members of a group: n in all, u together in the fast fabric (k such parts), y in one pod, d in a package.
struct Parts {
    double n = 1, u = 1, k = 1, y = 1, d = 1;
    bool leaves_pod = false;

    Parts(const Placement& placement, const Machine& machine, GroupKind kind, const Reach& reach) {
        n = static_cast<double>(reach.members);
        k = static_cast<double>(machine.wide() ? reach.domains : reach.nodes);
        u = k <= 1 ? n
                   : static_cast<double>(machine.wide() ? reach.members_per_domain : reach.members_per_node);
        leaves_pod = reach.pods > 1;
        y = leaves_pod ? std::max(1.0, n / static_cast<double>(reach.pods)) : n;
        if (machine.node.package_accelerators > 1)
            d = static_cast<double>(placement.together(kind, machine.node.package_accelerators));
    }
};

/// Loads of one collective, and the time that the fast fabric takes for its part.
class Load {
public:
    Load(const Machine& machine, const Parts& parts, CollectiveTraffic& out)
        : m_machine(machine), m_parts(parts), m_out(out) {}

    void run(const Flow& flow, double stride) {
        switch (flow.pattern) {
        case Pattern::reduction: reduction(flow.bytes); break;
        case Pattern::ring: ring(flow.bytes); break;
        case Pattern::all_to_all: all_to_all(flow); break;
        case Pattern::neighbours: neighbours(flow.bytes, stride); break;
        }
        finish();
    }

private:
    void put(LinkClass link, double busiest, double all) {
        LinkTraffic& traffic = m_out.links[static_cast<std::size_t>(link)];
        traffic.busiest_link_bytes += busiest;
        traffic.bytes_per_step += all;
    }
    /// `hops`: links of a torus that a message passes; `paired`: share of the bytes between dies of a
    /// package.
    void scale_up(double per_gpu, double all, double hops, double paired) {
        if (per_gpu <= 0) return;
        put(LinkClass::scale_up, per_gpu, all);
        const Node& node = m_machine.node;
        const double share = node.scale_up_share(m_parts.u);
        if (node.scale_up_bytes_per_s_per_gpu > 0)
            m_out.busy_s += per_gpu * hops / (node.scale_up_bytes_per_s_per_gpu * share);
        if (node.torus_dimensions > 0)
            put(LinkClass::torus_axis,
                per_gpu * hops / (share * 2 * static_cast<double>(node.torus_dimensions)), all * hops);
        if (paired > 0) put(LinkClass::package, per_gpu * (m_parts.u > 2 ? 1 : paired), all * paired);
    }
    void nic(double per_nic, double all) { put(LinkClass::nic, per_nic, all); }
    void uplink(double per_pod) { put(LinkClass::uplink, per_pod, per_pod * m_machine.pods); }

    /// Of the hops of a ring in rank order, those inside a package: d − 1 of every d, all of them where the
    /// package holds the whole ring.
    [[nodiscard]] double ring_paired() const {
        if (m_parts.d <= 1) return 0;
        return m_parts.d >= m_parts.u ? 1 : (m_parts.d - 1) / m_parts.d;
    }

    /// Reduce-scatters and all-gathers of vectors of `bytes` in all.
    void reduction(double bytes) {
        const Parts& p = m_parts;
        m_out.sent_bytes = bytes * (p.n - 1) / p.n;
        const double inside = bytes * (p.u - 1) / p.u;
        scale_up(inside, inside * m_machine.world * share_of_ranks(), 1, ring_paired());
        if (p.k <= 1) return;
        const double per_gpu = (p.k - 1) / p.k * bytes / p.u;
        nic(m_machine.gpus_per_nic * per_gpu, m_machine.world * share_of_ranks() * per_gpu);
        m_out.two_level_nic_bytes = m_machine.gpus_per_nic * per_gpu;
        m_out.flat_nic_bytes = m_machine.gpus_per_nic * bytes / p.u * (p.n - 1) / p.n;
        m_out.two_level_messages = 2 * (p.u - 1) + 2 * (p.k - 1);
        m_out.flat_messages = 2 * (p.n - 1);
        if (p.leaves_pod) uplink(m_machine.pod_gpus / p.y * bytes * (p.n - 1) / p.n);
    }

    /// A ring in rank order that brings every rank the parts of all others, `bytes` of them with its own.
    void ring(double bytes) {
        const Parts& p = m_parts;
        const double sent = bytes * (p.n - 1) / p.n;
        m_out.sent_bytes = sent;
        if (p.k <= 1) return scale_up(sent, sent * m_machine.world, 1, ring_paired());
        // One hop per group leaves each part: the NIC of that GPU carries all of it and the others nothing.
        const double leaving = std::max(1.0, m_machine.gpus_per_nic / p.u);
        nic(leaving * sent, m_machine.world / p.u * sent);
        if (p.u > 1) scale_up(sent, m_machine.world * (p.u - 1) / p.u * sent, 1, ring_paired());
        if (p.leaves_pod) uplink(m_machine.pod_gpus / p.y * sent);
    }

    /// A uniform all-to-all in which every rank holds `bytes`, its own share included.
    void all_to_all(const Flow& flow) {
        const Parts& p = m_parts;
        const double bytes = flow.bytes;
        const double remote = p.k <= 1 ? 0 : bytes * (p.n - p.u) / p.n * flow.distinct(p.k);
        const double near = bytes * (p.u - 1) / p.n * flow.distinct(p.n);
        m_out.sent_bytes = near + remote;
        const double inside = near + (m_machine.change_rail ? remote * (p.u - 1) / p.u : 0);
        const double paired = p.u > 1 && p.d > 1 ? (p.d - 1) / (p.u - 1) : 0;
        if (inside > 0) {
            scale_up(inside, inside * m_machine.world, m_machine.node.scale_up_mean_hops(p.u), 0);
            if (paired > 0) put(LinkClass::package, inside * paired, inside * paired * m_machine.world);
        }
        if (p.k <= 1) return;
        nic(m_machine.gpus_per_nic * remote, m_machine.world * remote);
        // In two levels a node's members hand over what goes to the same node: same bytes, fewer messages.
        m_out.two_level_nic_bytes = m_out.flat_nic_bytes = m_machine.gpus_per_nic * remote;
        m_out.two_level_messages = p.k - 1;
        m_out.flat_messages = p.u * (p.k - 1);
        if (p.leaves_pod) uplink(m_machine.pod_gpus * bytes * (1 - p.y / p.n) * flow.distinct(p.k));
    }

    /// `bytes` each way between neighbour stages: every pair of ranks carries twice that.
    void neighbours(double bytes, double stride) {
        const Parts& p = m_parts;
        if (p.n <= 1) return;
        const double pairs = m_machine.world * (p.n - 1) / p.n;
        const double leaving = (p.k - 1) / (p.n - 1);        // share of the pairs
        const double per_rank = p.n > 2 ? 2 * bytes : bytes; // an inner stage sends both ways
        m_out.sent_bytes = per_rank;
        scale_up(leaving < 1 ? per_rank : 0, pairs * (1 - leaving) * 2 * bytes, 1, 0);
        if (leaving <= 0) return;
        const double per_nic =
            p.u > 1 ? std::min(m_machine.gpus_per_nic, stride) * bytes : m_machine.gpus_per_nic * per_rank;
        nic(per_nic, pairs * leaving * 2 * bytes);
        if (p.leaves_pod) uplink(m_machine.pod_gpus / p.y * bytes * (p.n > 2 * p.y ? 2 : 1));
    }

    /// Embedding groups hold the first and last stage alone.
    [[nodiscard]] double share_of_ranks() const {
        return m_out.kind == GroupKind::embedding
                   ? static_cast<double>(m_out.groups) * m_parts.n / m_machine.world
                   : 1;
    }

    void finish() { // busy_s holds the fast fabric's time so far
        for (const LinkClass link : {LinkClass::package, LinkClass::nic, LinkClass::uplink})
            if (const double capacity = m_machine.capacity(link); capacity > 0)
                m_out.busy_s = std::max(m_out.busy_s, m_out.of(link).busiest_link_bytes / capacity);
    }

    const Machine& m_machine;
    const Parts& m_parts;
    CollectiveTraffic& m_out;
};

/// Groups whose traffic goes through one NIC at the same time.
std::int64_t groups_behind_a_nic(const Placement& placement, const Machine& machine, GroupKind kind) {
    const auto served = static_cast<std::int64_t>(machine.gpus_per_nic);
    if (served <= 1) return 1;
    const std::int64_t together = placement.together(kind, served);
    return (served + together - 1) / together;
}

/// What a link class would carry per second at the worst moment. A layer waits for its tensor, context and
/// expert collectives one at a time; beside them run the stage messages and what is reduced or gathered
/// under the passes; the rest of the data-parallel traffic has the links to itself.
double peak_rate(const Traffic& traffic, const Setup& setup, LinkClass link) {
    const auto rate = [&](std::initializer_list<GroupKind> kinds) {
        double most = 0;
        for (const GroupKind kind : kinds)
            if (const CollectiveTraffic* one = traffic.of(kind); one && one->busy_s > 0)
                most = std::max(most, one->of(link).busiest_link_bytes / one->busy_s);
        return most;
    };
    const double layer = rate({GroupKind::tp, GroupKind::etp, GroupKind::cp, GroupKind::ep});
    const double data =
        rate({GroupKind::dp_cp, GroupKind::dp_shard, GroupKind::dp_replicate, GroupKind::edp});
    const double stages = rate({GroupKind::pp});
    const OverlapOptions& overlap = setup.overlap;
    const bool data_beside =
        setup.zero >= 2 || overlap.grad_reduce.value_or(false) || overlap.param_gather.value_or(false);
    const bool stages_beside = overlap.pipeline.value_or(false);
    double beside = layer;
    if (stages_beside) beside += stages;
    if (data_beside) beside += data;
    return std::max({beside, stages, data, rate({GroupKind::embedding})});
}

/// Within which a rank's bytes stay off the ports: its fast fabric where that is wider than the node.
std::int64_t near_of(const Placement& placement, const Machine& machine, std::int64_t rank) {
    return machine.wide() ? placement.domain_of(rank) : placement.node_of(rank);
}

/// Bytes that member `own` of a group sends out of its place (near_of), where `together` members share it and
/// the group lies on `blocks` places. `places` of all members.
double sent_away(const Flow& flow, const std::vector<std::int64_t>& places, std::size_t own,
                 std::int64_t together, std::int64_t blocks) {
    const auto n = static_cast<double>(places.size()), u = static_cast<double>(together);
    const auto away = [&](std::size_t i) { return places[i] != places[own]; };
    switch (flow.pattern) {
    case Pattern::reduction: return (n - u) / n * flow.bytes / u;
    case Pattern::ring: return away((own + 1) % places.size()) ? flow.bytes * (n - 1) / n : 0;
    case Pattern::all_to_all: return flow.bytes * (n - u) / n * flow.distinct(static_cast<double>(blocks));
    case Pattern::neighbours: break;
    }
    double sent = 0;
    if (own + 1 < places.size() && away(own + 1)) sent += flow.bytes;
    if (own > 0 && away(own - 1)) sent += flow.bytes;
    return sent;
}

} // namespace

const LinkLoad& Traffic::of(LinkClass link) const {
    switch (link) {
    case LinkClass::package: return package;
    case LinkClass::torus_axis: return torus_axis;
    case LinkClass::nic: return nic;
    case LinkClass::uplink: return uplink;
    case LinkClass::scale_up: break;
    }
    return scale_up;
}

const CollectiveTraffic* Traffic::of(GroupKind kind) const {
    for (const CollectiveTraffic& one : collectives)
        if (one.kind == kind) return &one;
    return nullptr;
}

Traffic traffic(const Placement& placement, const Setup& setup, const GroupVolumes& volumes) {
    const Machine machine(placement, setup);
    const auto stride = static_cast<double>(placement.dense().stride(Axis::pp));
    Traffic result;
    for (const Flow& flow : flows_of(placement, setup, volumes)) {
        CollectiveTraffic one;
        one.kind = flow.kind;
        one.reach = placement.reach(flow.kind);
        if (one.reach.members <= 1) continue;
        one.groups = placement.group_count(flow.kind);
        one.crossing = placement.crossing(flow.kind);
        one.payload_bytes = flow.pattern == Pattern::neighbours ? 2 * flow.bytes : flow.bytes;
        const Parts parts(placement, machine, flow.kind, one.reach);
        Load(machine, parts, one).run(flow, stride);
        if (one.of(LinkClass::nic).busiest_link_bytes > 0)
            one.groups_per_nic = groups_behind_a_nic(placement, machine, flow.kind);
        result.collectives.push_back(one);
    }
    const std::array<std::pair<LinkClass, LinkLoad*>, kLinkClasses.size()> loads = {
        {{LinkClass::scale_up, &result.scale_up},
         {LinkClass::package, &result.package},
         {LinkClass::torus_axis, &result.torus_axis},
         {LinkClass::nic, &result.nic},
         {LinkClass::uplink, &result.uplink}}};
    for (const auto& [link, sum] : loads) {
        LinkLoad& load = *sum;
        for (const CollectiveTraffic& one : result.collectives) {
            load.bytes_per_step += one.of(link).bytes_per_step;
            load.busiest_link_bytes += one.of(link).busiest_link_bytes;
        }
        load.capacity_bytes_per_s = machine.capacity(link);
        load.peak_bytes_per_s = peak_rate(result, setup, link);
    }
    return result;
}

std::vector<NicLoad> nic_loads(const Placement& placement, const Setup& setup, const GroupVolumes& volumes,
                               std::int64_t node) {
    const Machine machine(placement, setup);
    const std::int64_t per_node = placement.gpus_per_node(), nics = nics_per_node(machine.node);
    std::vector<NicLoad> loads(static_cast<std::size_t>(nics));
    for (std::int64_t i = 0; i < nics; ++i) loads[static_cast<std::size_t>(i)].nic = i;
    const double share = std::min(1.0, static_cast<double>(per_node) / static_cast<double>(nics));
    const std::int64_t begin = placement.first_rank_on(node);
    const std::int64_t end = std::min(begin + per_node, placement.world());
    for (const Flow& flow : flows_of(placement, setup, volumes))
        for (std::int64_t rank = begin; rank < end; ++rank) {
            std::vector<std::int64_t> places = placement.group_of(flow.kind, rank);
            if (places.size() < 2) continue;
            const auto own =
                static_cast<std::size_t>(std::find(places.begin(), places.end(), rank) - places.begin());
            for (std::int64_t& member : places) member = near_of(placement, machine, member);
            const auto together = std::count(places.begin(), places.end(), places[own]);
            const std::set<std::int64_t> blocks(places.begin(), places.end());
            const double sent =
                sent_away(flow, places, own, together, static_cast<std::int64_t>(blocks.size()));
            for (NicLoad& load : loads) {
                if (!uses_nic(machine.node, placement.local_of(rank), load.nic)) continue;
                load.bytes_per_step += sent * share;
                load.by_kind[static_cast<std::size_t>(flow.kind)] += sent * share;
            }
        }
    return loads;
}

PortLoads port_loads(const Placement& placement, const Setup& setup, const GroupVolumes& volumes) {
    const Machine machine(placement, setup);
    const std::int64_t per_node = placement.gpus_per_node();
    const std::int64_t nodes = placement.node_count();
    const std::int64_t near = machine.wide() ? machine.node.scale_up_domain : per_node;
    PortLoads loads;
    loads.ports = nics_per_node(machine.node);
    const double share = std::min(1.0, static_cast<double>(per_node) / static_cast<double>(loads.ports));
    loads.bytes_per_step.resize(static_cast<std::size_t>(nodes * loads.ports));
    // Members of the group at hand by place; only the touched entries are cleared again.
    std::vector<std::int64_t> together(static_cast<std::size_t>(nodes * per_node / near + 1)), places;
    for (const Flow& flow : flows_of(placement, setup, volumes)) {
        const std::int64_t groups = placement.group_count(flow.kind);
        for (std::int64_t group = 0; group < groups; ++group) {
            const std::vector<std::int64_t> members = placement.group(flow.kind, group);
            if (members.size() < 2) continue;
            places.clear();
            std::int64_t blocks = 0;
            for (const std::int64_t member : members) {
                places.push_back(near_of(placement, machine, member));
                if (together[static_cast<std::size_t>(places.back())]++ == 0) ++blocks;
            }
            for (std::size_t i = 0; i < members.size(); ++i) {
                const std::int64_t rank = members[i], local = placement.local_of(rank);
                const double sent =
                    sent_away(flow, places, i, together[static_cast<std::size_t>(places[i])], blocks);
                if (sent <= 0) continue;
                const auto at = static_cast<std::size_t>(placement.node_of(rank) * loads.ports);
                for (std::int64_t port = 0; port < loads.ports; ++port)
                    if (uses_nic(machine.node, local, port))
                        loads.bytes_per_step[at + static_cast<std::size_t>(port)] += sent * share;
            }
            for (const std::int64_t place : places) together[static_cast<std::size_t>(place)] = 0;
        }
    }
    return loads;
}

} // namespace shardlens::placement
