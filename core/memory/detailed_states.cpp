// SPDX-License-Identifier: GPL-3.0-or-later
// Model states: bytes per parameter by dtype, optimizer and ZeRO stage (arXiv 1910.02054; Megatron's
// distributed optimizer: 6 + 12/d bytes with fp32 gradients, Megatron Core documentation, dist_optimizer).
#include <algorithm>

#include "memory/detailed.h"
#include "model/optimizer_state.h"

namespace shardlens::memory {
namespace {

double bytes_of(Dtype dtype) { return dtype == Dtype::fp32 ? 4 : 2; }

struct PerParameter {
    double parameters, gradients, optimizer;
    double
        vocabulary_moments; ///< further bytes per embedding or head parameter (Muon trains those with AdamW)
};

PerParameter per_parameter(const Setup& setup) {
    const StackProfile& stack = setup.stack;
    const bool full = setup.plan.training.precision == Precision::fp32;
    PerParameter b{};
    const bool reduces = setup.data * setup.context > 1;
    if (full || stack.all_fp32_states) {
        b.parameters = 4;
        b.gradients = full ? 4 : std::max(4.0, bytes_of(setup.gradient_dtype));
        b.optimizer = model::optimizer_moment_bytes(setup);
    } else {
        b.parameters = stack.parameter_bytes;
        b.gradients = bytes_of(setup.gradient_dtype) +
                      (reduces && setup.gradient_dtype == Dtype::fp32 ? stack.gradient_extra_bytes : 0);
        b.optimizer = (stack.master_weights ? 4 : 0) + model::optimizer_moment_bytes(setup);
    }
    b.vocabulary_moments =
        setup.plan.training.optimizer == Optimizer::muon ? bytes_of(setup.optimizer_dtype) : 0;
    return b;
}

} // namespace

double weight_bytes_per_parameter(const Setup& setup) { return per_parameter(setup).parameters; }
double saved_bytes_per_parameter(const Setup& setup) {
    const PerParameter b = per_parameter(setup);
    return b.parameters + b.optimizer;
}

double state_shards(const Setup& setup) {
    return setup.zero > 0 ? static_cast<double>(std::max<std::int64_t>(setup.shard, 1)) : 1;
}
double expert_state_shards(const Setup& setup) {
    return setup.zero > 0 ? static_cast<double>(std::max<std::int64_t>(setup.expert_shard, 1)) : 1;
}

template <class N> StateBytes<N> state_bytes(const Setup& setup, const RankWeights<N>& weights) {
    const PerParameter b = per_parameter(setup);
    const char* precision = "dtypes of stack and plan";
    const N shards = input<N>(state_shards(setup), {"state_shards", "1",
                                                    "ranks that share a state: data · context, or the "
                                                    "shard group",
                                                    Tag::exact});
    const N expert_shards = input<N>(expert_state_shards(setup),
                                     {"expert_state_shards", "1", "expert data-parallel ranks", Tag::exact});
    const auto sharded = [&](const N& bytes, std::int64_t from_stage) {
        if (setup.zero >= from_stage)
            return bytes * (weights.dense / shards + weights.expert / expert_shards);
        return bytes * (weights.dense + weights.expert);
    };
    StateBytes<N> out;
    const N parameter = input<N>(b.parameters, {"bytes_per_parameter", "B", precision, Tag::exact});
    const N gradient = input<N>(b.gradients, {"bytes_per_gradient", "B", precision, Tag::exact});
    const Tag optimizer_tag = setup.plan.training.optimizer == Optimizer::adamw ? Tag::exact : Tag::assumed;
    const N optimizer = input<N>(b.optimizer, {"optimizer_bytes_per_parameter", "B",
                                               "master copy and moments of the optimizer", optimizer_tag});
    out.parameters = sharded(parameter, 3);
    N saved_parameters = out.parameters;
    if (setup.zero == 2 && setup.stack.all_fp32_states && state_shards(setup) > 1)
    // FSDP's shard-grad-op: the 16-bit gathered copy lives from forward to the end of backward beside the
    // shard.
    {
        saved_parameters = sharded(parameter, 2);
        out.parameters =
            saved_parameters +
            2.0 * (expert_state_shards(setup) > 1 ? weights.dense + weights.expert : weights.dense);
    }
    out.gradients = sharded(gradient, 2);
    out.optimizer = sharded(optimizer, 1);
    if (b.vocabulary_moments > 0)
        out.optimizer += b.vocabulary_moments * weights.vocabulary / (setup.zero >= 1 ? shards : N(1.0));
    const MemoryOptions& memory = setup.plan.memory;
    out.saved = saved_parameters + out.optimizer;
    if (memory.offload_parameters == Offload::none) out.saved_here += saved_parameters;
    if (memory.offload_optimizer == Offload::none) out.saved_here += out.optimizer;
    if (setup.zero == 3 && state_shards(setup) > 1)
        out.largest_unit = parameter * max_of(weights.largest_layer, weights.largest_end);
    // A sharded 16-bit optimizer keeps an fp32 copy of its share of the gradients; an unsharded one makes it
    // at the step (step_buffers). Gradients in fp32 need none.
    if (setup.zero > 0 && setup.stack.sharded_gradient_copy_bytes > 0 &&
        setup.plan.training.precision != Precision::fp32) {
        const N copy = input<N>(setup.stack.sharded_gradient_copy_bytes,
                                {"gradient_copy_bytes", "B", "stack profile", Tag::measured});
        if (state_shards(setup) > 1) out.optimizer += copy * weights.dense / shards;
        if (expert_state_shards(setup) > 1) out.optimizer += copy * weights.expert / expert_shards;
    }
    if (memory.offload_optimizer != Offload::none) {
        // The host also holds the gradients that the update reads, in fp32.
        if (memory.offload_optimizer == Offload::cpu) out.host += out.optimizer + sharded(N(4.0), 1);
        out.optimizer = 0.0;
    }
    if (memory.offload_parameters != Offload::none) {
        if (memory.offload_parameters == Offload::cpu) out.host += out.parameters;
        // Gathered layers are counted among the buffers.
        if (setup.zero == 3) out.parameters = 0.0;
    }
    return out;
}

template <class N> N persistent_buffers(const Setup& setup, const RankWeights<N>& weights) {
    const StackProfile& stack = setup.stack;
    N bytes =
        input<N>(stack.base_bytes, {"allocator_base", "B",
                                    "stack profile: what is left over on published runs", Tag::measured});
    const bool reduces = setup.data * setup.context > 1;
    const double weight = setup.plan.training.precision == Precision::fp32 ? 4 : 2;
    if (setup.zero == 3 && state_shards(setup) > 1) {
        if (stack.live_gather_elements > 0) {
            const N live = min_of(N(stack.live_gather_elements), weights.dense + weights.expert);
            bytes += named(weight * live, {"gathered_parameters", "B",
                                           "stage3_max_live_parameters, DeepSpeed defaults", Tag::modelled});
        } else {
            // Two layers gathered and their gradients before and after the reduction's dtype, and both ends.
            bytes += named(weight * 4.0 * weights.largest_layer + 8.0 * weights.largest_end,
                           {"gathered_parameters", "B",
                            "FSDP2: two gathered layers with gradients, embedding and head", Tag::modelled});
        }
    }
    if (stack.bucket_elements > 0 && reduces) {
        const N bucket = min_of(N(stack.bucket_elements), weights.dense + weights.expert);
        // One bucket is being filled while the other is reduced.
        bytes += named(2.0 * weight * bucket, {"reduction_buckets", "B",
                                               "stack's bucket size, filled and in flight", Tag::modelled});
    }
    if (setup.tensor > 1 && stack.shared_gather_buffers > 0) {
        const auto d = model::dimensions<N>(setup);
        bytes += named(stack.shared_gather_buffers * d.tokens * d.hidden * d.element,
                       {"shared_gather_buffers", "B", "stack's buffers for gathered inputs", Tag::modelled});
    }
    return bytes;
}

template <class N> N step_buffers(const Setup& setup, const RankWeights<N>& weights) {
    const StackProfile& stack = setup.stack;
    const bool reduces = setup.data * setup.context > 1;
    if (setup.plan.memory.offload_optimizer != Offload::none || setup.zero == 3) return 0.0;
    if (setup.zero == 0 || state_shards(setup) <= 1) {
        const bool has_accumulator = reduces && stack.gradient_extra_bytes > 0;
        if (has_accumulator || setup.gradient_dtype == Dtype::fp32 ||
            setup.plan.training.precision == Precision::fp32)
            return 0.0;
        return named(stack.step_copy_bytes * (weights.dense + weights.expert),
                     {"fp32_gradient_copies", "B", "the optimizer step's fp32 copies of 16-bit gradients",
                      Tag::measured});
    }
    const N shards = input<N>(state_shards(setup), {"state_shards", "1", "plan", Tag::exact});
    return named(stack.step_gather_bytes * (weights.dense + weights.expert) * (1.0 + 1.0 / shards),
                 {"update_gather", "B", "coalesced all-gather of updated parameters", Tag::measured});
}

template <class N> N context_bytes(const Setup& setup) {
    const StackProfile& stack = setup.stack;
    const auto active = [](std::int64_t degree) { return degree > 1 ? 1.0 : 0.0; };
    const std::int64_t world = setup.world();
    // The world's communicator, and one for every mesh dimension that is cut. Device meshes of FSDP use the
    // world's own where it is the whole group (torch.distributed.device_mesh); others make a second one.
    double communicators =
        active(world) + active(setup.tensor) + active(setup.pipeline) + active(setup.context);
    const std::int64_t replicas = setup.data * setup.context;
    if (replicas > 1 && (replicas < world || !stack.all_fp32_states)) communicators += 1;
    if (setup.moe()) communicators += active(setup.expert) + active(setup.expert_tensor);
    if (setup.moe() && setup.expert_data > 1 && setup.expert_data != setup.data * setup.context)
        communicators += 1;
    if (setup.pipeline > 1 && setup.shape.tied_embeddings) communicators += 1;
    return input<N>(stack.context_bytes,
                    {"device_context", "B", "pith-train's itemisation on 32 H100", Tag::measured}) +
           input<N>(communicators, {"communicators", "1", "world and mesh dimensions in use", Tag::exact}) *
               input<N>(stack.communicator_bytes,
                        {"bytes_per_communicator", "B", "pith-train; NVIDIA/nccl#964", Tag::measured}) +
           input<N>(stack.runtime_bytes,
                    {"libraries", "B", "workspaces of the first forward pass", Tag::measured});
}

template StateBytes<double> state_bytes<double>(const Setup&, const RankWeights<double>&);
template StateBytes<Traced> state_bytes<Traced>(const Setup&, const RankWeights<Traced>&);
template double persistent_buffers<double>(const Setup&, const RankWeights<double>&);
template Traced persistent_buffers<Traced>(const Setup&, const RankWeights<Traced>&);
template double step_buffers<double>(const Setup&, const RankWeights<double>&);
template Traced step_buffers<Traced>(const Setup&, const RankWeights<Traced>&);
template double context_bytes<double>(const Setup&);
template Traced context_bytes<Traced>(const Setup&);

} // namespace shardlens::memory
