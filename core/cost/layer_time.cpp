// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/layer_time.h"

#include <algorithm>
#include <cmath>

#include "cost/collectives.h"
#include "cost/machine.h"
#include "cost/roofline.h"

namespace shardlens::cost {
namespace {

using model::CommGroup;
using model::LayerKind;
using model::OperatorKind;
using placement::GroupKind;

/// Host time to launch one layer's forward pass.
template <class N> N host_time(const Setup& setup, const Groups& groups, bool experts) {
    const StackProfile& stack = setup.stack;
    if (full_graph(setup)) return N(0.0);
    const auto t = static_cast<double>(setup.tensor);
    double seconds = stack.host_s_per_layer + 0.5 * stack.host_tensor_s * std::log2(t);
    // Transfers over the network are driven by a thread of the process that launches kernels. Every launch it
    // delays holds up the collectives of the whole tensor group, so each of its ranks adds its own delays.
    if (groups.pipeline.domains > 1) seconds += stack.host_pipeline_tensor_s * t;
    if (experts) seconds += stack.expert_host_s;
    if (setup.shape.mla) seconds *= stack.mla_host_factor;
    seconds /= setup.cluster.node.host_speed;
    if (partial_graph(setup)) seconds *= stack.partial_graph_host;
    return stack_constant<N>(setup, seconds, "host_time_per_layer", "s");
}

/// What waiting for kernel launches adds to `device` seconds: (d^q + h^q)^(1/q) − d.
template <class N> N host_wait(const Setup& setup, const N& device, const N& host) {
    if (!(value_of(host) > 0)) return N(0.0);
    if (!(value_of(device) > 0)) return host;
    const N larger = max_of(device, host), smaller = min_of(device, host);
    const double q = setup.stack.host_smoothness;
    return larger * pow_of(1.0 + pow_of(smaller / larger, N(q)), N(1 / q)) - device;
}

double tensor_share(const Setup& setup) {
    const auto wanted = setup.plan.overlap.tensor;
    if (wanted && !*wanted) return 1;
    if (wanted && !setup.stack.overlap_tensor)
        return std::min(setup.stack.tensor_exposed, setup.stack.asked_tensor_exposed);
    return setup.stack.tensor_exposed;
}

/// Exchanges run under the compute of another micro-batch (1F1B expert overlap of Megatron Core).
bool experts_overlap(const Setup& setup) { return setup.plan.overlap.expert.value_or(full_graph(setup)); }

/// Share of a rank's forwards and backwards that run alone, before and after the steady state in which each
/// is paired with one of another micro-batch: the first rank's warm-up (Narayanan et al. 2021) and the pass
/// by which pairing lets forward run ahead.
double unpaired_share(const Setup& setup) {
    const auto ranks = static_cast<double>(setup.pipeline);
    const auto chunks = static_cast<double>(setup.virtual_pipeline);
    const double warm_up = (chunks - 1) * ranks + 2 * (ranks - 1) + 1;
    return std::min(1.0, warm_up / (static_cast<double>(setup.micro_batches) * chunks));
}

double expert_share(const Setup& setup) {
    const auto wanted = setup.plan.overlap.expert;
    if (experts_overlap(setup)) {
        const double alone = unpaired_share(setup);
        return alone + (1 - alone) * setup.stack.expert_overlapped;
    }
    if (wanted) return 1;
    return setup.stack.expert_exposed * (setup.virtual_pipeline > 1 ? setup.stack.expert_exposed_virtual : 1);
}

/// Synchronisation of tensor ranks per layer and pass, given at t = 8.
double tensor_sync(const Setup& setup) {
    const double ratio = static_cast<double>(setup.tensor) / 8;
    return setup.stack.tensor_sync_s * ratio * ratio * ratio;
}

template <class N> N collective_time(const Setup& setup, const Groups& groups, const model::Operator<N>& op) {
    const placement::Reach& reach =
        op.group == CommGroup::expert_tensor ? groups.expert_tensor : groups.tensor;
    const N time = op.kind == OperatorKind::all_reduce ? all_reduce_time<N>(setup, reach, op.payload_bytes)
                                                       : gather_time<N>(setup, reach, op.payload_bytes);
    if (reach.domains <= 1 || !(setup.stack.tensor_network_s > 0)) return time;
    // A wait that does not depend on the bytes and grows with the nodes (groups of 16 and 32 ranks in the
    // playbook's sweep take the same time for hidden sizes from 2048 to 8192).
    return time + stack_constant<N>(setup, setup.stack.tensor_network_s, "network_wait_per_node", "s") *
                      input<N>(static_cast<double>(reach.domains), {"nodes", "1", "placement", Tag::exact});
}

/// Context exchange that is not hidden under the attention it feeds.
template <class N> N context_exposed(const Setup& setup, const N& exchange, const N& attention) {
    if (setup.context_kind != ContextKind::ring) return exchange;
    const N least = stack_constant<N>(setup, setup.stack.context_exposed, "context_exposed", "1") * exchange;
    return max_of(least, exchange - setup.stack.context_hiding * attention);
}

/// Device times of one pass before the host is taken into account.
template <class N> struct Sums { N gemm_and_attention = 0, tensor = 0, context = 0, expert = 0; };

template <class N> PassTime<N> pass_of(const Sums<N>& sums) {
    PassTime<N> pass;
    pass.compute_s = sums.gemm_and_attention;
    pass.tensor_comm_s = sums.tensor;
    pass.context_comm_s = sums.context;
    pass.expert_comm_s = sums.expert;
    return pass;
}

/// Selective recomputation that chooses operators by their kind instead of modules.
bool selects_operators(const Setup& setup) {
    return setup.recompute_modules == 0 && setup.stack.selective_linear_share > 0;
}

/// Share of an operator's forward that such a recomputation runs again. Of the collectives it keeps
/// reduce-scatters and repeats all-gathers (torchtitan's list of saved operators).
template <class N> N repeated_share(const Setup& setup, const model::Operator<N>& op) {
    if (op.kind == OperatorKind::attention) return 0.0;
    if (op.kind == OperatorKind::gemm)
        return stack_constant<N>(setup, setup.stack.selective_linear_share, "selective_linear_share", "1");
    return 1.0;
}

/// Does recomputation run this operator again?
template <class N> bool repeated(const Setup& setup, const model::Operator<N>& op) {
    if (setup.plan.memory.recompute == Recompute::full)
        return !(setup.stack.early_stop_recompute && op.last_of_layer);
    return (op.module & setup.recompute_modules) != 0;
}

} // namespace

Groups Groups::of(const Setup& setup, const placement::Placement* placement) {
    const placement::Placement* experts = placement && placement->has_experts() ? placement : nullptr;
    const std::int64_t all = setup.data * setup.context;
    const std::int64_t shard = setup.zero > 0 ? std::max<std::int64_t>(setup.shard, 1) : all;
    Groups groups;
    groups.tensor = reach_of(setup, placement, GroupKind::tp, setup.tensor);
    groups.context = reach_of(setup, placement, GroupKind::cp, setup.context);
    groups.expert = reach_of(setup, experts, GroupKind::ep, setup.expert);
    groups.expert_tensor = reach_of(setup, experts, GroupKind::etp, setup.expert_tensor);
    groups.data = reach_of(setup, placement, GroupKind::dp_cp, all);
    groups.shard = shard == all ? groups.data : reach_of(setup, placement, GroupKind::dp_shard, shard);
    groups.replica = reach_of(setup, shard == all ? nullptr : placement, GroupKind::dp_replicate,
                              all / std::max<std::int64_t>(shard, 1));
    groups.expert_data = reach_of(setup, experts, GroupKind::edp, setup.expert_data);
    groups.pipeline = reach_of(setup, placement, GroupKind::pp, setup.pipeline);
    return groups;
}

namespace {

/// ZeRO-3 (and ZeRO-2 where gradients are reduced every micro-batch): what stays visible beside compute.
template <class N> void add_sharding(const Setup& setup, const Groups& groups, LayerTime<N>& out) {
    const bool gathers = setup.zero == 3;
    if (setup.zero < 2 || setup.data * setup.context <= 1 || setup.shard <= 1) return;
    const double gradient_bytes = setup.gradient_dtype == Dtype::fp32 ? 4 : 2;
    const double weight_bytes = setup.plan.training.precision == Precision::fp32 ? 4 : 2;
    const auto both = [&](double bytes) {
        return gather_time<N>(setup, groups.shard, out.dense_weights * bytes) +
               gather_time<N>(setup, groups.expert_data, out.expert_weights * bytes);
    };
    N gather = gathers ? named(both(weight_bytes),
                               {"parameter_gather", "s", "all-gather of the layer's weights", Tag::modelled})
                       : N(0.0);
    N reduce = named(both(gradient_bytes),
                     {"gradient_scatter", "s", "reduce-scatter of the layer's gradients", Tag::modelled});
    if (groups.replica.members > 1)
        reduce += all_reduce_time<N>(setup, groups.replica,
                                     out.dense_weights * gradient_bytes /
                                         static_cast<double>(std::max<std::int64_t>(setup.shard, 1)));
    const Offload parameters = setup.plan.memory.offload_parameters;
    if (gathers && parameters != Offload::none) {
        // Every rank first brings its own shard from the host.
        const double link = parameters == Offload::nvme ? setup.stack.nvme_bytes_per_s
                                                        : setup.cluster.node.host_link_bytes_per_s;
        gather += out.dense_weights * (weight_bytes / static_cast<double>(setup.shard) / std::max(link, 1e9));
    }
    const N least = stack_constant<N>(setup, std::min(setup.stack.data_exposed, 1.0), "data_exposed", "1");
    const auto visible = [&](PassTime<N>& pass, const N& compute, const N& traffic) {
        const N hidden = min_of(traffic, compute);
        const N longer = max_of(compute + setup.stack.sharded_slowdown * hidden, traffic) + least * hidden;
        pass.data_comm_s = named(max_of(longer - compute, N(0.0)), {"sharding_exposed", "s",
                                                                    "per layer: slower of compute and "
                                                                    "traffic, plus the exposed share",
                                                                    Tag::modelled});
        out.hidden_data_s += max_of(traffic - pass.data_comm_s, N(0.0));
    };
    if (gathers) visible(out.passes.forward, out.passes.forward.total(), gather);
    visible(out.passes.backward, out.passes.backward.total() + out.passes.recompute.total(), gather + reduce);
    const double passes = (gathers ? 2 * weight_bytes : 0) + gradient_bytes;
    out.volumes.data_bytes = passes * value_of(out.dense_weights);
    out.volumes.expert_data_bytes = passes * value_of(out.expert_weights);
    if (groups.replica.members > 1)
        out.volumes.replica_bytes =
            2 * value_of(out.dense_weights) * gradient_bytes / static_cast<double>(setup.shard);
}

} // namespace

template <class N>
LayerTime<N> layer_time(const Setup& setup, const Groups& groups, LayerKind kind, bool global_attention,
                        bool recomputed) {
    const model::Layer<N> layer = model::layer<N>(setup, kind, global_attention);
    const bool body = kind == LayerKind::dense || kind == LayerKind::moe || kind == LayerKind::mtp;
    const Recompute mode = recomputed && body ? setup.plan.memory.recompute : Recompute::none;
    Sums<N> forward, backward, again;
    LayerTime<N> out;
    N attention_forward = 0, attention_backward = 0, attention_flops = 0, exchange = 0;
    bool context_again = false;
    const bool by_operator = mode == Recompute::selective && selects_operators(setup);
    for (const auto& op : layer.operators) {
        const bool redo = by_operator ? op.kind == OperatorKind::all_gather
                                      : mode != Recompute::none && repeated(setup, op);
        if (op.group == CommGroup::tensor || op.group == CommGroup::expert_tensor) {
            const N time = named(collective_time<N>(setup, groups, op),
                                 {op.name, "s", "collective over the tensor group", Tag::modelled});
            forward.tensor += time;
            backward.tensor += time;
            if (redo) again.tensor += time;
            (op.group == CommGroup::tensor ? out.volumes.tensor_bytes : out.volumes.expert_tensor_bytes) +=
                value_of(op.payload_bytes) * (op.kind == OperatorKind::all_reduce ? 2 : 1) * (redo ? 3 : 2);
        } else if (op.group == CommGroup::context) {
            exchange = setup.context_kind == ContextKind::ulysses
                           ? all_to_all_time<N>(setup, groups.context, op.payload_bytes)
                           : gather_time<N>(setup, groups.context, op.payload_bytes);
            context_again = redo;
            out.volumes.context_bytes += value_of(op.payload_bytes) * (redo ? 4 : 3);
        } else if (op.group == CommGroup::expert) {
            const double copies = setup.shape.moe ? static_cast<double>(setup.shape.moe->top_k) : 0;
            const N time = named(age_factor<N>(setup, true) *
                                     all_to_all_time<N>(setup, groups.expert, op.payload_bytes, copies),
                                 {op.name, "s", "exchange over the expert group", Tag::modelled});
            forward.expert += time;
            backward.expert += time;
            if (redo) again.expert += time;
            out.volumes.expert_bytes += value_of(op.payload_bytes) * (redo ? 3 : 2);
        } else {
            if (value_of(op.weights) > 0) out.weight_tensors += 1;
            KernelTime<N> time = kernel_time<N>(setup, op);
            const Label label_of{op.name, "s", "roofline of the operator", Tag::modelled};
            time.forward = named(time.forward, label_of);
            time.input_gradient = named(time.input_gradient, label_of);
            time.weight_gradient = named(time.weight_gradient, label_of);
            forward.gemm_and_attention += time.forward;
            backward.gemm_and_attention += time.backward();
            out.passes.weight_s += time.weight_gradient;
            if (by_operator)
                again.gemm_and_attention += repeated_share<N>(setup, op) * time.forward;
            else if (redo)
                again.gemm_and_attention += time.forward;
            if (op.kind == OperatorKind::attention) {
                attention_forward = time.forward;
                attention_backward = time.backward();
                attention_flops = op.attention_flops;
            }
        }
    }
    const N tensor_exposed = stack_constant<N>(setup, tensor_share(setup), "tensor_exposed", "1");
    const N sync =
        setup.tensor > 1 && body ? stack_constant<N>(setup, tensor_sync(setup), "tensor_sync", "s") : N(0.0);
    const N expert_exposed = stack_constant<N>(setup, expert_share(setup), "expert_exposed", "1");
    // Forward's exchange hides under another micro-batch's backward and the other way round.
    const bool expert_overlap = layer.has_experts && setup.expert > 1 && experts_overlap(setup);
    const N room = expert_overlap ? (setup.stack.hiding_room / 2) *
                                        (forward.gemm_and_attention + backward.gemm_and_attention)
                                  : N(0.0);
    for (Sums<N>* sums : {&forward, &backward, &again}) {
        const bool used = sums != &again || value_of(again.tensor) > 0;
        sums->tensor = sums->tensor * tensor_exposed + (used ? sync : N(0.0));
        const N whole = sums->expert;
        sums->expert = whole * expert_exposed;
        if (expert_overlap && sums != &again) sums->expert = max_of(sums->expert, whole - room);
    }
    if (value_of(exchange) > 0) {
        forward.context = context_exposed<N>(setup, exchange, attention_forward);
        backward.context = context_exposed<N>(setup, 2.0 * exchange, attention_backward);
        if (context_again) again.context = forward.context;
    }

    const auto label = [](const N& x, const char* name) {
        return named(x, {name, "s", "operator roofline over the layer's operator list", Tag::modelled});
    };
    forward.gemm_and_attention = label(forward.gemm_and_attention, "layer_forward_compute");
    backward.gemm_and_attention = label(backward.gemm_and_attention, "layer_backward_compute");
    out.passes.forward = pass_of(forward);
    out.passes.backward = pass_of(backward);
    if (body) {
        // The host launches each pass once; copying expert counts to the host stalls it.
        const N host = host_time<N>(setup, groups, layer.has_experts);
        const N expert_sync = layer.has_experts && !full_graph(setup)
                                  ? stack_constant<N>(setup, setup.stack.expert_sync_s, "expert_sync", "s")
                                  : N(0.0);
        const N backward_factor =
            stack_constant<N>(setup, setup.stack.host_backward_factor, "host_backward_factor", "1");
        out.passes.forward.host_s =
            label(host_wait<N>(setup, out.passes.forward.total(), host) + expert_sync, "host_wait_forward");
        out.passes.backward.host_s =
            label(host_wait<N>(setup, out.passes.backward.total(), host * backward_factor) + expert_sync,
                  "host_wait_backward");
        if (mode == Recompute::full) {
            out.passes.recompute = pass_of(again);
            out.passes.recompute.host_s =
                host_wait<N>(setup, out.passes.recompute.total(), host) + expert_sync;
        } else if (mode == Recompute::selective) {
            out.passes.recompute = pass_of(again);
        }
    }
    out.dense_weights =
        named(model::dense_weights(layer), {"layer_weights_on_rank", "1", "operator list", Tag::exact});
    out.expert_weights =
        named(model::expert_weights(layer), {"expert_weights_on_rank", "1", "operator list", Tag::exact});
    if (mode == Recompute::full) out.recompute_flops = model::forward_flops(layer);
    if (mode == Recompute::selective && setup.recompute_modules != 0)
        out.recompute_flops = model::forward_flops(layer, setup.recompute_modules);
    if (mode == Recompute::selective && setup.recompute_modules == 0)
        out.recompute_flops =
            (model::forward_flops(layer) - attention_flops) * setup.stack.selective_linear_share;
    add_sharding<N>(setup, groups, out);
    return out;
}

template LayerTime<double> layer_time<double>(const Setup&, const Groups&, LayerKind, bool, bool);
template LayerTime<Traced> layer_time<Traced>(const Setup&, const Groups&, LayerKind, bool, bool);

} // namespace shardlens::cost
