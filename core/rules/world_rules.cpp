// SPDX-License-Identifier: GPL-3.0-or-later
// Degrees against the cluster and each other.
#include <algorithm>
#include <array>
#include <numeric>

#include "rules/host_order.h"
#include "rules/rank_order.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr std::int64_t kMostGpus = 10'000'000;

/// Ranks that one pipeline stage has, 0 when the stages do not divide the cluster.
std::int64_t stage_ranks(const Setup& s) { return s.world() % s.pipeline == 0 ? s.world() / s.pipeline : 0; }

// --- world-size

bool world_size_broken(const Setup& s) {
    return product({s.tensor, s.pipeline, s.context, s.data}) != s.world();
}

void world_size_describe(const Setup& s, Message& message) {
    const std::int64_t ranks = model_ranks(s), gpus = s.world();
    const bool data_given = s.plan.parallel.data.has_value();
    if (data_given) {
        message.path = "parallel.data";
        say(message,
            "tensor {0} · pipeline {1} · context {2} · data {3} = {4} ranks, but the cluster has {5} GPUs",
            s.tensor, s.pipeline, s.context, s.data, product({ranks, s.data}), gpus);
    } else {
        say(message,
            "{0} GPUs cannot be divided by tensor {1} · pipeline {2} · context {3} = {4} ranks per replica",
            gpus, s.tensor, s.pipeline, s.context, ranks);
    }
    if (gpus % ranks == 0) propose(message, {{"parallel.data", gpus / ranks}});
    const auto with_gpus = [&](std::int64_t count) {
        if (count < 1 || count > kMostGpus) return;
        Edits edits{{"cluster.gpus", count}};
        if (data_given && count / ranks != s.data) edits.emplace_back("parallel.data", count / ranks);
        propose(message, std::move(edits));
    };
    if (data_given && ranks <= kMostGpus) with_gpus(product({ranks, s.data}));
    const auto with_degree = [&](const char* path, std::int64_t now) {
        const std::int64_t others = ranks / now;
        if (gpus % others != 0) return;
        for (const std::int64_t degree :
             near_divisors(gpus / others, now, 2, [&](std::int64_t value) { return value != now; })) {
            Edits edits{{path, degree}};
            if (data_given && gpus / others / degree != s.data)
                edits.emplace_back("parallel.data", gpus / others / degree);
            propose(message, std::move(edits));
        }
    };
    with_degree("parallel.pipeline", s.pipeline);
    with_degree("parallel.tensor", s.tensor);
    with_degree("parallel.context", s.context);
    if (ranks <= kMostGpus)
        for (const std::int64_t count : near_multiples(ranks, gpus)) with_gpus(count);
}

// --- rank-order

bool rank_order_broken(const Setup& s) { return !parse_axis_order(s.plan.parallel.rank_order).ok(); }

void rank_order_describe(const Setup& s, Message& message) {
    const Result<AxisOrder> order = parse_axis_order(s.plan.parallel.rank_order);
    say(message, "{0}", order.ok() ? std::string() : order.error().what);
    propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
}

/// Distance between neighbours along `axis`; 0 when the order cannot be read.
std::int64_t stride(const Setup& s, OrderAxis axis, bool expert_grid) {
    const Result<AxisOrder> order = parse_axis_order(s.plan.parallel.rank_order);
    if (!order) return 0;
    std::int64_t result = 1;
    for (const OrderAxis name : *order) {
        if (name == axis) break;
        switch (name) {
        case OrderAxis::tp: result = product({result, expert_grid ? s.expert_tensor : s.tensor}); break;
        case OrderAxis::cp: result = product({result, expert_grid ? 1 : s.context}); break;
        case OrderAxis::ep: result = product({result, expert_grid ? s.expert : 1}); break;
        case OrderAxis::dp: result = product({result, expert_grid ? s.expert_data : s.data}); break;
        case OrderAxis::pp: result = product({result, s.pipeline}); break;
        }
    }
    return result;
}

/// Megatron asserts that both grids give the same pipeline groups (parallel_state.py, RankGenerator).
bool order_pipeline_broken(const Setup& s) {
    if (!s.moe() || s.pipeline == 1 || rank_order_broken(s)) return false;
    const std::int64_t ranks = stage_ranks(s), experts = product({s.expert_tensor, s.expert});
    if (world_size_broken(s) || ranks == 0 || ranks % experts != 0) return false; // said by their own rules
    return stride(s, OrderAxis::pp, false) != stride(s, OrderAxis::pp, true);
}

void order_pipeline_describe(const Setup& s, Message& message) {
    say(message,
        "With rank order {0}, stages are {1} ranks apart for attention (tensor · context) and {2} for "
        "experts "
        "(expert_tensor · expert): both must have the same pipeline groups",
        s.plan.parallel.rank_order, stride(s, OrderAxis::pp, false), stride(s, OrderAxis::pp, true));
    propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
    propose(message, {{"parallel.rank_order", std::string("cp-tp-ep-dp-pp")}});
}

// --- experts

bool expert_grid_broken(const Setup& s) {
    const std::int64_t ranks = stage_ranks(s);
    return s.moe() && ranks > 0 && ranks % product({s.expert_tensor, s.expert}) != 0;
}

void propose_expert_degrees(const Setup& s, Message& message) {
    const std::int64_t ranks = stage_ranks(s), experts = s.shape.moe->experts;
    const auto fits = [&](std::int64_t expert_tensor) {
        return [=](std::int64_t expert) { return ranks % product({expert_tensor, expert}) == 0; };
    };
    for (const std::int64_t expert : near_divisors(experts, s.expert, 3, fits(s.expert_tensor)))
        propose(message, {{"parallel.expert", expert}});
    if (s.expert_tensor > 1)
        for (const std::int64_t expert : near_divisors(experts, s.expert, 2, fits(1))) {
            Edits edits{{"parallel.expert_tensor", std::int64_t{1}}};
            if (expert != s.expert) edits.emplace_back("parallel.expert", expert);
            propose(message, std::move(edits));
        }
}

void expert_grid_describe(const Setup& s, Message& message) {
    const std::int64_t ranks = stage_ranks(s);
    say(message,
        "expert_tensor {0} · expert {1} = {2} does not divide the {3} ranks of a pipeline stage (tensor · "
        "context · data)",
        s.expert_tensor, s.expert, product({s.expert_tensor, s.expert}), ranks);
    propose_expert_degrees(s, message);
}

bool expert_count_broken(const Setup& s) { return s.moe() && s.shape.moe->experts % s.expert != 0; }

void expert_count_describe(const Setup& s, Message& message) {
    say(message, "{0} experts cannot be split over {1} expert ranks", s.shape.moe->experts, s.expert);
    if (stage_ranks(s) > 0) propose_expert_degrees(s, message);
    propose(message, {{"parallel.expert", std::int64_t{1}}});
}

bool no_experts_broken(const Setup& s) { return !s.moe() && s.expert > 1; }

void no_experts_describe(const Setup& s, Message& message) {
    say(message, "The model has no experts that {0} expert ranks could share", s.expert);
    propose(message, {{"parallel.expert", std::int64_t{1}}});
}

bool expert_tensor_idle_broken(const Setup& s) { return !s.moe() && s.expert_tensor > 1; }

void expert_tensor_idle_describe(const Setup& s, Message& message) {
    say(message, "expert_tensor {0} has no effect: the model has no experts", s.expert_tensor);
    propose(message, {{"parallel.expert_tensor", std::int64_t{1}}});
}

// --- who crosses the network

bool leaves(const Setup& s, std::int64_t degree, std::int64_t distance) {
    const std::int64_t near = near_gpus(s), reach = product({degree, distance});
    return degree > 1 && distance > 0 && s.world() > near && (reach > near || near % reach != 0);
}

/// Nodes (or scale-up domains, when they are larger) that a group touches at least.
std::int64_t places(const Setup& s, std::int64_t degree, std::int64_t distance) {
    const std::int64_t near = near_gpus(s);
    return std::max<std::int64_t>(2, distance >= near ? degree : (degree * distance + near - 1) / near);
}

bool tensor_network_broken(const Setup& s) {
    return s.tensor > 1 && leaves(s, s.tensor, stride(s, OrderAxis::tp, false));
}

void tensor_network_describe(const Setup& s, Message& message) {
    const std::int64_t near = near_gpus(s), distance = stride(s, OrderAxis::tp, false);
    say(message,
        "Tensor groups of {0} ranks cross nodes ({1} GPUs share the fast fabric): two all-reduces per layer "
        "and pass go "
        "over the network",
        s.tensor, near);
    // Neighbours first: nothing else of the plan has to change.
    if (distance > 1) propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
    const std::vector<std::int64_t> inside =
        near_divisors(std::gcd(s.shape.heads, s.world()), s.tensor, 3, [&](std::int64_t value) {
            return value < s.tensor && near % product({value, distance}) == 0;
        });
    propose_each(message, "parallel.tensor", inside);
}

bool context_network_broken(const Setup& s) {
    return s.context > 1 && leaves(s, s.context, stride(s, OrderAxis::cp, false));
}

void context_network_describe(const Setup& s, Message& message) {
    say(message,
        "Context groups of {0} ranks reach over {1} or more nodes: keys and values cross the network in "
        "every layer",
        s.context, places(s, s.context, stride(s, OrderAxis::cp, false)));
}

/// Not even two members of an expert group share a fast fabric.
bool expert_apart_broken(const Setup& s) {
    const std::int64_t distance = stride(s, OrderAxis::ep, true);
    return s.moe() && leaves(s, s.expert, distance) && distance >= near_gpus(s);
}

void expert_apart_describe(const Setup& s, Message& message) {
    say(message,
        "The {0} ranks of an expert group sit on {0} nodes: every all-to-all crosses the network whole; "
        "pipeline "
        "stages fit such nodes better, as they send far less",
        s.expert);
    const std::int64_t stages = product({s.pipeline, s.expert});
    if (s.data % s.expert == 0 && s.shape.layers % stages == 0) {
        Edits edits{{"parallel.expert", std::int64_t{1}}, {"parallel.pipeline", stages}};
        if (s.plan.parallel.data) edits.emplace_back("parallel.data", s.data / s.expert);
        propose(message, std::move(edits));
    }
    if (near_gpus(s) > 1 && stride(s, OrderAxis::ep, true) > s.expert_tensor)
        propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
}

bool expert_network_broken(const Setup& s) {
    return s.moe() && s.expert > 1 && leaves(s, s.expert, stride(s, OrderAxis::ep, true)) &&
           !expert_apart_broken(s);
}

void expert_network_describe(const Setup& s, Message& message) {
    say(message,
        "Expert groups of {0} ranks reach over {1} or more nodes: the all-to-all crosses the network",
        s.expert, places(s, s.expert, stride(s, OrderAxis::ep, true)));
    const std::int64_t near = near_gpus(s), ranks = stage_ranks(s);
    propose_each(message, "parallel.expert",
                 near_divisors(s.shape.moe->experts, s.expert, 2, [&](std::int64_t value) {
                     const std::int64_t together = product({s.expert_tensor, value});
                     return value < s.expert && near % together == 0 && ranks > 0 && ranks % together == 0;
                 }));
    if (stride(s, OrderAxis::ep, true) > s.expert_tensor)
        propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
}

// --- pods, rails and shared cards

/// Ranks of a pod; 0 when the cluster is one pod.
std::int64_t pod_ranks(const Setup& s) {
    const std::int64_t ranks = product({s.cluster.node.nodes_per_pod, s.cluster.node.gpus_per_node});
    return ranks > 0 && s.world() > ranks ? ranks : 0;
}

bool pipeline_pods_broken(const Setup& s) {
    const std::int64_t pod = pod_ranks(s), distance = stride(s, OrderAxis::pp, false);
    if (s.pipeline == 1 || pod == 0 || distance == 0 || s.cluster.node.oversubscription <= 1) return false;
    const std::int64_t reach = product({distance, s.pipeline});
    return reach > pod || pod % reach != 0;
}

void pipeline_pods_describe(const Setup& s, Message& message) {
    say(message,
        "Neighbouring stages are {0} ranks apart and sit in different pods of {1} GPUs: their messages pass "
        "uplinks with 1/{2} of the bandwidth",
        stride(s, OrderAxis::pp, false), pod_ranks(s), s.cluster.node.oversubscription);
    for (const char* order : {"tp-cp-ep-pp-dp", "cp-tp-ep-pp-dp"})
        propose(message, {{"parallel.rank_order", std::string(order)}});
}

/// Ranks between the members of a gradient reduction: over dp alone without context parallelism, else over
/// whichever of dp and cp lies closer.
std::int64_t data_distance(const Setup& s) {
    const std::int64_t data = stride(s, OrderAxis::dp, false), context = stride(s, OrderAxis::cp, false);
    if (s.context == 1) return data;
    return s.data == 1 ? context : std::min(data, context);
}

/// Ranks from the first to behind the last member of a gradient reduction.
std::int64_t data_reach(const Setup& s) {
    const std::int64_t data = s.data > 1 ? product({stride(s, OrderAxis::dp, false), s.data}) : 1;
    const std::int64_t context = s.context > 1 ? product({stride(s, OrderAxis::cp, false), s.context}) : 1;
    return std::max(data, context);
}

std::int64_t ports(const Setup& s) {
    return s.cluster.node.nics_per_node > 0 ? s.cluster.node.nics_per_node : s.cluster.node.gpus_per_node;
}

bool over_network(const Setup& s) {
    return product({s.data, s.context}) > 1 && s.world() > near_gpus(s) && data_distance(s) > 0;
}

/// On one rail inside a pod every port carries its own groups and nothing is lost. Between pods without rails
/// few large streams are what equal-cost paths spread badly (Gangidi et al., SIGCOMM 2024).
bool data_rail_broken(const Setup& s) {
    const std::int64_t per_node = std::max<std::int64_t>(1, s.cluster.node.gpus_per_node), pod = pod_ranks(s);
    if (!over_network(s) || per_node == 1 || ports(s) == 1 || near_gpus(s) != per_node || pod == 0 ||
        s.cluster.node.topology != FabricTopology::fat_tree || data_distance(s) % per_node != 0)
        return false;
    return data_reach(s) > pod || pod % data_reach(s) != 0;
}

void data_rail_describe(const Setup& s, Message& message) {
    say(message,
        "Each data-parallel group stands on one rail and reaches over pods of {0} GPUs: all its gradients "
        "leave a "
        "node as one stream through one of {1} ports, and few large streams share the paths between pods "
        "unevenly",
        pod_ranks(s), ports(s));
    const std::int64_t inside = product({s.tensor, s.context, s.data});
    if (s.pipeline > 1 && inside <= pod_ranks(s) && pod_ranks(s) % inside == 0)
        propose(message, {{"parallel.rank_order", std::string(kDefaultRankOrder)}});
}

bool shared_port_broken(const Setup& s) {
    const std::int64_t served = s.cluster.node.gpus_per_node / std::max<std::int64_t>(1, ports(s));
    return over_network(s) && near_gpus(s) == s.cluster.node.gpus_per_node && served > 1 &&
           data_distance(s) > 1;
}

void shared_port_describe(const Setup& s, Message& message) {
    const std::int64_t served = s.cluster.node.gpus_per_node / ports(s);
    const std::int64_t groups = std::min(served, data_distance(s));
    say(message,
        "{0} GPUs share a network port and belong to {1} data-parallel groups, which reduce at the same "
        "time: "
        "each gets 1/{1} of the port",
        served, groups);
    if (near_gpus(s) % product({s.data, s.tensor, s.context}) == 0)
        propose(message, {{"parallel.rank_order", std::string("dp-tp-cp-ep-pp")}});
}

// --- hosts

bool hosts_order_broken(const Setup& s) { return !in_order(s.plan.cluster.hosts); }

void hosts_order_describe(const Setup& s, Message& message) {
    const auto& hosts = s.plan.cluster.hosts;
    std::vector<std::string> counted(hosts.size());
    const std::vector<std::int64_t> launched = places_of(hosts);
    std::size_t first = 0;
    while (launched[first] == static_cast<std::int64_t>(first)) ++first;
    for (std::size_t i = 0; i < hosts.size(); ++i) counted[static_cast<std::size_t>(launched[i])] = hosts[i];
    if (hosts == torchrun_order(hosts))
        say(message,
            "{0} is launched before {1}, as torchrun sorts names as text: neighbouring ranks then sit on "
            "nodes "
            "that are no neighbours; start with static rendezvous and node ranks",
            hosts[first], counted[first]);
    else
        say(message,
            "{0} is launched before {1}: neighbouring ranks then sit on nodes that are no neighbours",
            hosts[first], counted[first]);
    propose(message, {{"cluster.hosts", counted}});
}

// --- nodes

bool partial_node_broken(const Setup& s) {
    return s.world() % std::max<std::int64_t>(1, s.cluster.node.gpus_per_node) != 0;
}

void partial_node_describe(const Setup& s, Message& message) {
    const std::int64_t per_node = s.cluster.node.gpus_per_node;
    say(message, "The last node is partly filled: {0} of its {1} GPUs stay unused",
        per_node - s.world() % per_node, per_node);
}

bool hosts_broken(const Setup& s) {
    const auto& hosts = s.plan.cluster.hosts;
    return !hosts.empty() && static_cast<std::int64_t>(hosts.size()) != s.cluster.nodes();
}

void hosts_describe(const Setup& s, Message& message) {
    say(message, "{0} host names are given for {1} nodes", s.plan.cluster.hosts.size(), s.cluster.nodes());
    propose(message, {{"cluster.hosts", std::vector<std::string>{}}});
}

constexpr std::array kRules = {
    Rule{"world-size", "cluster.gpus", "", Severity::error, world_size_broken, world_size_describe},
    Rule{"rank-order", "parallel.rank_order", "", Severity::error, rank_order_broken, rank_order_describe},
    Rule{"expert-without-experts", "parallel.expert", "", Severity::error, no_experts_broken,
         no_experts_describe},
    Rule{"expert-count", "parallel.expert", "", Severity::error, expert_count_broken, expert_count_describe},
    Rule{"expert-grid", "parallel.expert", "", Severity::error, expert_grid_broken, expert_grid_describe},
    Rule{"rank-order-pipeline", "parallel.rank_order", "", Severity::error, order_pipeline_broken,
         order_pipeline_describe},
    Rule{"tensor-crosses-nodes", "parallel.tensor", "", Severity::warning, tensor_network_broken,
         tensor_network_describe},
    Rule{"hosts-count", "cluster.hosts", "", Severity::warning, hosts_broken, hosts_describe},
    Rule{"context-crosses-nodes", "parallel.context", "", Severity::info, context_network_broken,
         context_network_describe},
    Rule{"expert-apart", "parallel.expert", "", Severity::warning, expert_apart_broken,
         expert_apart_describe},
    Rule{"expert-crosses-nodes", "parallel.expert", "", Severity::info, expert_network_broken,
         expert_network_describe},
    Rule{"pipeline-crosses-pods", "parallel.rank_order", "", Severity::info, pipeline_pods_broken,
         pipeline_pods_describe},
    Rule{"data-one-rail", "parallel.tensor", "", Severity::info, data_rail_broken, data_rail_describe},
    Rule{"port-shared", "parallel.rank_order", "", Severity::info, shared_port_broken, shared_port_describe},
    Rule{"hosts-order", "cluster.hosts", "", Severity::info, hosts_order_broken, hosts_order_describe},
    Rule{"expert-tensor-idle", "parallel.expert_tensor", "", Severity::info, expert_tensor_idle_broken,
         expert_tensor_idle_describe},
    Rule{"partial-node", "cluster.gpus", "", Severity::info, partial_node_broken, partial_node_describe},
};

} // namespace

std::span<const Rule> world_rules() { return kRules; }

} // namespace shardlens::rules
