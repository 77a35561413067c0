// SPDX-License-Identifier: GPL-3.0-or-later
#include "catalog/acting_plan.h"

namespace shardlens {
namespace {

void fill_cluster(ClusterSpec& spec, const Cluster& cluster) {
    const Node& node = cluster.node;
    spec.accelerator = cluster.accelerator.id;
    spec.gpus_per_node = node.gpus_per_node;
    spec.memory_bytes = cluster.capacity_bytes;
    spec.memory_bandwidth_bytes_per_s = cluster.accelerator.memory_bandwidth_bytes_per_s;
    spec.scale_up_bytes_per_s_per_gpu = node.scale_up_bytes_per_s_per_gpu;
    spec.scale_out_bytes_per_s_per_gpu = node.scale_out_bytes_per_s_per_gpu;
    spec.scale_up_domain = node.scale_up_domain;
    spec.nodes_per_pod = node.nodes_per_pod;
    spec.oversubscription = node.oversubscription;
    spec.host_memory_bytes = node.host_memory_bytes;
    if (node.dollars_per_gpu_hour > 0) spec.dollars_per_gpu_hour = node.dollars_per_gpu_hour;
}

} // namespace

Plan acting_plan(const Setup& setup) {
    Plan plan = setup.plan;
    plan.model = setup.shape;
    auto& shape = std::get<ModelShape>(plan.model);
    shape.kv_heads = setup.shape.kv();
    shape.head_dim = setup.shape.head_size();
    plan.stack_version = setup.stack.version;
    Parallel& parallel = plan.parallel;
    parallel.tensor = setup.tensor;
    parallel.sequence = setup.sequence;
    parallel.pipeline = setup.pipeline;
    parallel.virtual_pipeline = setup.virtual_pipeline;
    parallel.context = setup.context;
    parallel.context_kind = setup.context_kind;
    parallel.expert = setup.expert;
    parallel.expert_tensor = setup.expert_tensor;
    parallel.data = setup.data;
    parallel.schedule = setup.schedule;
    parallel.layers_per_stage = setup.layers_per_chunk;
    plan.training.gradient_dtype = setup.gradient_dtype;
    plan.training.optimizer_dtype = setup.optimizer_dtype;
    plan.memory.recompute_modules = setup.recompute_modules;
    plan.overlap = setup.overlap;
    fill_cluster(plan.cluster, setup.cluster);
    return plan;
}

} // namespace shardlens
