// SPDX-License-Identifier: GPL-3.0-or-later
// Plan + presets → Setup. Nothing here may fail for a plan whose fields are inside their own bounds: products
// saturate, degrees are at least 1, lists are bounded.
#include "catalog/setup.h"

#include <algorithm>
#include <limits>
#include <string_view>

namespace shardlens {
namespace {

std::int64_t at_least_one(std::int64_t value) { return std::max<std::int64_t>(value, 1); }

std::int64_t times(std::int64_t a, std::int64_t b) {
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<std::int64_t>::max() : product;
}

/// The plan path stands in front, unless the error already names the preset's file.
Error located(const Error& error, const char* path) {
    return error.where.empty() ? Error{path, error.what} : error;
}

/// There and back through the ranks, instead of round and round.
bool is_v_shaped(ScheduleKind kind) {
    switch (kind) {
    case ScheduleKind::zb_v:
    case ScheduleKind::v_half:
    case ScheduleKind::v_min:
    case ScheduleKind::one_f_one_b_v:
    case ScheduleKind::dualpipe_v:
    case ScheduleKind::hanayo: return true;
    default: return false;
    }
}

void use_accelerator(Node& node, const Accelerator& old, const Accelerator& accelerator) {
    node.accelerator = accelerator.id;
    // The fast links sit on the accelerator, and a board wires no more than it has.
    if (accelerator.scale_up_bytes_per_s > 0)
        node.scale_up_bytes_per_s_per_gpu = accelerator.scale_up_bytes_per_s;
    if (accelerator.host_link_bytes_per_s > 0) node.host_link_bytes_per_s = accelerator.host_link_bytes_per_s;
    if (node.node_power_w > 0 && old.tdp_w > 0 && accelerator.tdp_w > 0)
        node.node_power_w = std::max(0.0, node.node_power_w + static_cast<double>(node.gpus_per_node) *
                                                                  (accelerator.tdp_w - old.tdp_w));
    node.dollars_per_gpu_hour = 0;
}

void use_gpus_per_node(Node& node, std::int64_t gpus_per_node) {
    const auto before = at_least_one(node.gpus_per_node);
    node.gpus_per_node = at_least_one(gpus_per_node);
    const double ratio = static_cast<double>(node.gpus_per_node) / static_cast<double>(before);
    node.node_power_w *= ratio;
    // A fast domain that is the node grows and shrinks with it; a rack's does not.
    if (node.scale_up_domain == before) node.scale_up_domain = node.gpus_per_node;
}

Result<Cluster> resolve_cluster(const Plan& plan, const Catalog& catalog) {
    const auto& given = plan.cluster;
    const auto node = catalog.node(given.node);
    if (!node) return located(node.error(), "cluster.node");
    const auto own = catalog.accelerator((*node)->accelerator);
    if (!own) return located(own.error(), "cluster.node");

    Cluster cluster;
    cluster.node = **node;
    cluster.accelerator = **own;
    cluster.gpus = at_least_one(given.gpus);
    if (given.accelerator && *given.accelerator != (*own)->id) {
        const auto other = catalog.accelerator(*given.accelerator);
        if (!other) return located(other.error(), "cluster.accelerator");
        cluster.accelerator = **other;
        use_accelerator(cluster.node, **own, cluster.accelerator);
    }
    if (given.gpus_per_node) use_gpus_per_node(cluster.node, *given.gpus_per_node);

    auto& n = cluster.node;
    if (given.scale_up_domain) n.scale_up_domain = at_least_one(*given.scale_up_domain);
    if (given.scale_up_bytes_per_s_per_gpu)
        n.scale_up_bytes_per_s_per_gpu = *given.scale_up_bytes_per_s_per_gpu;
    if (given.scale_out_bytes_per_s_per_gpu)
        n.scale_out_bytes_per_s_per_gpu = *given.scale_out_bytes_per_s_per_gpu;
    if (given.nodes_per_pod) n.nodes_per_pod = *given.nodes_per_pod;
    if (given.oversubscription) n.oversubscription = *given.oversubscription;
    if (given.host_memory_bytes) n.host_memory_bytes = *given.host_memory_bytes;
    if (given.power_w) n.node_power_w = *given.power_w * static_cast<double>(n.gpus_per_node);
    if (given.dollars_per_gpu_hour) n.dollars_per_gpu_hour = *given.dollars_per_gpu_hour;
    if (given.memory_bandwidth_bytes_per_s)
        cluster.accelerator.memory_bandwidth_bytes_per_s = *given.memory_bandwidth_bytes_per_s;

    const auto& accelerator = cluster.accelerator;
    if (given.memory_bytes) {
        cluster.capacity_bytes = *given.memory_bytes;
    } else if (plan.fidelity == Fidelity::textbook) {
        cluster.capacity_bytes = accelerator.bytes_if_binary_gib;
    } else {
        cluster.capacity_is_label = !accelerator.plan_with_bytes.has_value();
        cluster.capacity_bytes = accelerator.plan_with_bytes.value_or(accelerator.bytes_if_decimal_gb);
    }
    return cluster;
}

ContextKind context_kind(const Plan& plan, const StackProfile& stack) {
    if (plan.parallel.context_kind) return *plan.parallel.context_kind;
    const auto launcher = std::string_view(plan.target).substr(0, plan.target.find('@'));
    if (launcher.empty() || launcher == "contract") return stack.context_kind;
    return launcher == "deepspeed" || launcher == "megatron-deepspeed" ? ContextKind::ulysses
                                                                       : ContextKind::ring;
}

Dtype gradient_dtype(const Plan& plan, const StackProfile& stack) {
    if (plan.training.gradient_dtype) return *plan.training.gradient_dtype;
    if (plan.training.precision == Precision::fp32) return Dtype::fp32;
    // A stack that keeps 16-bit gradients keeps those of the training precision.
    if (plan.training.precision == Precision::fp16 && stack.gradient_dtype == Dtype::bf16) return Dtype::fp16;
    return stack.gradient_dtype;
}

/// `layers_per_stage` as chunks in model order; empty when the list does not fit the plan (a rule says so).
std::vector<std::int64_t> given_split(const Setup& setup) {
    const auto& list = setup.plan.parallel.layers_per_stage;
    const auto stages = static_cast<std::size_t>(setup.pipeline);
    const auto chunks = times(setup.pipeline, setup.virtual_pipeline);
    std::int64_t sum = 0;
    for (const auto layers : list) {
        if (layers < 0 || layers > setup.shape.layers) return {};
        sum += layers;
    }
    if (list.empty() || sum != setup.shape.layers) return {};
    if (list.size() == static_cast<std::size_t>(chunks)) return list;
    if (list.size() != stages) return {};
    std::vector<std::int64_t> split(static_cast<std::size_t>(chunks));
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const auto layers = list[static_cast<std::size_t>(setup.rank_of_chunk(chunk))];
        const auto visit = chunk / setup.pipeline;
        split[static_cast<std::size_t>(chunk)] =
            layers / setup.virtual_pipeline + (visit < layers % setup.virtual_pipeline ? 1 : 0);
    }
    return split;
}

std::vector<std::int64_t> usual_split(const Setup& setup) {
    const auto chunks = times(setup.pipeline, setup.virtual_pipeline);
    const auto& shape = setup.shape;
    if (!setup.stack.splits_by_cost)
        return split_layers(shape.layers, chunks, setup.stack.ends_count_as_layers, shape.mtp_layers);
    const auto hidden = static_cast<double>(shape.hidden);
    const double mlp = (shape.gated_mlp ? 3.0 : 2.0) * hidden * static_cast<double>(shape.ffn_hidden);
    return split_layers_by_cost(shape.layers, chunks, 4 * hidden * hidden + mlp,
                                static_cast<double>(shape.vocab) * hidden);
}

} // namespace

bool Setup::is_moe_layer(std::int64_t index) const {
    if (!moe() || index < shape.moe->dense_layers) return false;
    return (index - shape.moe->dense_layers + 1) % at_least_one(shape.moe->layer_step) == 0;
}

bool Setup::is_global_attention(std::int64_t index) const {
    if (shape.attention_window <= 0) return true;
    return shape.global_attention_every > 0 && (index + 1) % shape.global_attention_every == 0;
}

std::int64_t Setup::rank_of_chunk(std::int64_t chunk) const {
    // Both copies of a bidirectional pipeline hold consecutive chunks as one stage.
    if (schedule == ScheduleKind::dualpipe || schedule == ScheduleKind::chimera)
        return chunk / virtual_pipeline;
    const auto rank = chunk % pipeline;
    return is_v_shaped(schedule) && (chunk / pipeline) % 2 == 1 ? pipeline - 1 - rank : rank;
}

void derive_degrees(Setup& setup) {
    const auto& given = setup.plan.parallel;
    const auto gpus = setup.cluster.gpus;
    setup.tensor = at_least_one(given.tensor);
    setup.pipeline = std::clamp<std::int64_t>(given.pipeline, 1, kMaxChunks);
    setup.schedule = given.schedule.value_or(given.virtual_pipeline > 1 ? ScheduleKind::interleaved
                                                                        : ScheduleKind::one_f_one_b);
    // A rank of a V or a wave holds two chunks by its nature; 1 is what a plan that leaves the number out
    // says.
    const bool by_nature = is_v_shaped(setup.schedule) && given.virtual_pipeline == 1 && given.pipeline > 1;
    const std::int64_t chunks = by_nature ? 2 : given.virtual_pipeline;
    setup.virtual_pipeline = std::clamp<std::int64_t>(chunks, 1, kMaxChunks / setup.pipeline);
    setup.context = at_least_one(given.context);
    setup.expert = at_least_one(given.expert);
    setup.expert_tensor = at_least_one(given.expert_tensor);
    const auto replica = times(times(setup.tensor, setup.context), at_least_one(given.pipeline));
    setup.data = at_least_one(given.data.value_or(gpus / replica));
    setup.expert_data =
        at_least_one(gpus / times(times(setup.expert, setup.expert_tensor), at_least_one(given.pipeline)));
    setup.sequence = given.sequence && setup.tensor > 1;
    setup.zero = std::clamp<std::int64_t>(given.zero, 0, 3);
    if (setup.zero > 0) {
        const auto group = times(setup.data, setup.context);
        setup.shard = given.shard_group > 0 ? std::min(given.shard_group, group) : group;
        // The replicas of hybrid sharding replicate the experts too: edp / (group / k).
        const auto experts = static_cast<double>(setup.expert_data) * static_cast<double>(setup.shard) /
                             static_cast<double>(group);
        setup.expert_shard = at_least_one(static_cast<std::int64_t>(experts));
    }
    const auto& training = setup.plan.training;
    const auto samples = times(at_least_one(training.micro_batch_size), setup.data);
    const auto batch = at_least_one(training.global_batch_size);
    setup.micro_batches = batch / samples + (batch % samples != 0 ? 1 : 0);
    setup.context_kind = context_kind(setup.plan, setup.stack);
}

void derive_layers(Setup& setup) {
    setup.layers_per_chunk = given_split(setup);
    if (setup.layers_per_chunk.empty()) setup.layers_per_chunk = usual_split(setup);
}

Result<Setup> resolve(const Plan& plan, const Catalog& catalog) {
    Setup setup;
    setup.plan = plan;
    if (const auto* id = std::get_if<std::string>(&plan.model)) {
        const auto preset = catalog.model(*id);
        if (!preset) return located(preset.error(), "model");
        setup.shape = (*preset)->shape;
        setup.model_id = *id;
        setup.model_source = (*preset)->source;
    } else {
        setup.shape = std::get<ModelShape>(plan.model);
        setup.model_source = "model given in the plan";
    }
    auto cluster = resolve_cluster(plan, catalog);
    if (!cluster) return cluster.error();
    setup.cluster = std::move(cluster).value();
    auto stack = catalog.stack(plan.stack, plan.stack_version);
    if (!stack) return located(stack.error(), "stack");
    setup.stack = std::move(stack).value();
    if (setup.stack.version != plan.stack_version) setup.oldest_release = catalog.oldest_release(plan.stack);
    const auto architecture = catalog.architecture(setup.cluster.accelerator.architecture);
    if (!architecture)
        return located(architecture.error(),
                       plan.cluster.accelerator ? "cluster.accelerator" : "cluster.node");
    setup.architecture = **architecture;

    derive_degrees(setup);
    setup.gradient_dtype = gradient_dtype(plan, setup.stack);
    setup.optimizer_dtype = plan.training.optimizer_dtype.value_or(setup.stack.optimizer_dtype);
    if (plan.memory.recompute == Recompute::selective)
        setup.recompute_modules = plan.memory.recompute_modules != 0 ? plan.memory.recompute_modules
                                                                     : setup.stack.usual_recompute_modules;
    setup.overlap.tensor = plan.overlap.tensor.value_or(setup.stack.overlap_tensor);
    setup.overlap.grad_reduce = plan.overlap.grad_reduce.value_or(setup.stack.overlap_grad_reduce);
    setup.overlap.param_gather = plan.overlap.param_gather.value_or(setup.stack.overlap_param_gather);
    setup.overlap.pipeline = plan.overlap.pipeline.value_or(setup.stack.overlap_pipeline);
    setup.overlap.expert = plan.overlap.expert.value_or(setup.stack.overlap_expert);
    derive_layers(setup);
    return setup;
}

} // namespace shardlens
