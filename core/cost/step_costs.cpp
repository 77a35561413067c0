// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/step_costs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "cost/collectives.h"
#include "cost/layer_time.h"
#include "cost/machine.h"
#include "cost/tail.h"
#include "model/counts.h"
#include "model/layer_kinds.h"

namespace shardlens::cost {
namespace {

using model::kBodyKinds;
using model::KindCounts;
using model::LayerKind;

template <class N> void add(PassTime<N>& to, const PassTime<N>& from, const N& times) {
    const auto one = [&](N& a, const N& b) {
        if (value_of(b) != 0) a += times * b;
    };
    one(to.compute_s, from.compute_s);
    one(to.tensor_comm_s, from.tensor_comm_s);
    one(to.context_comm_s, from.context_comm_s);
    one(to.expert_comm_s, from.expert_comm_s);
    one(to.data_comm_s, from.data_comm_s);
    one(to.pipeline_comm_s, from.pipeline_comm_s);
    one(to.offload_s, from.offload_s);
    one(to.host_s, from.host_s);
}

/// Everything of the plan's distinct layers, and of its ends.
template <class N> struct Library {
    std::array<std::optional<LayerTime<N>>, kBodyKinds> body;
    LayerTime<N> embedding, head;
    std::optional<LayerTime<N>> mtp;
};

template <class N>
Library<N> make_library(const Setup& setup, const Groups& groups, const std::vector<KindCounts>& counts) {
    Library<N> library;
    for (std::size_t kind = 0; kind < kBodyKinds; ++kind) {
        const bool used =
            std::any_of(counts.begin(), counts.end(), [&](const KindCounts& c) { return c[kind] > 0; });
        if (used)
            library.body[kind] = layer_time<N>(setup, groups, model::body_kind(kind), model::is_global(kind),
                                               model::is_recomputed(kind));
    }
    library.embedding = layer_time<N>(setup, groups, LayerKind::embedding, true, false);
    library.head = layer_time<N>(setup, groups, LayerKind::head, true, false);
    if (setup.shape.mtp_layers > 0)
        library.mtp =
            layer_time<N>(setup, groups, LayerKind::mtp, true, setup.plan.memory.recompute_layers == 0);
    return library;
}

/// What a chunk holds beside its times.
template <class N> struct ChunkSum {
    N recompute_flops = 0, hidden_data_s = 0;
    placement::GroupVolumes volumes; ///< per micro-batch
};

template <class N>
void add_layer(ChunkTime<N>& time, StageWeights<N>& weights, ChunkSum<N>& sum, const LayerTime<N>& layer,
               std::int64_t count) {
    const N n = input<N>(static_cast<double>(count),
                         {"layers_of_kind", "1", "the split of layers over chunks", Tag::exact});
    add(time.forward, layer.passes.forward, n);
    add(time.backward, layer.passes.backward, n);
    add(time.recompute, layer.passes.recompute, n);
    time.weight_s += n * layer.passes.weight_s;
    weights.dense += n * layer.dense_weights;
    weights.expert += n * layer.expert_weights;
    weights.tensors += static_cast<double>(count) * layer.weight_tensors;
    sum.recompute_flops += n * layer.recompute_flops;
    sum.hidden_data_s += n * layer.hidden_data_s;
    sum.volumes.add(layer.volumes, static_cast<double>(count));
}

double pipeline_share(const Setup& setup) {
    const auto wanted = setup.plan.overlap.pipeline;
    if (!wanted) return setup.stack.pipeline_exposed;
    return *wanted ? std::min(setup.stack.pipeline_exposed, setup.stack.asked_pipeline_exposed) : 1;
}

/// Traffic per parameter of adding a micro-batch's gradients to those before.
double accumulated_bytes_per_parameter(const Setup& setup) {
    if (setup.micro_batches <= 1) return 0;
    return setup.stack.accumulate_bytes_per_parameter *
           (setup.zero == 0 ? setup.stack.accumulate_zero0_factor : 1);
}

/// One stage-to-stage transfer: inside a domain, or over the network.
template <class N> struct Transfers {
    N inside = 0, across = 0;
    double bytes = 0;
};

template <class N> Transfers<N> transfers(const Setup& setup) {
    const auto d = model::dimensions<N>(setup);
    const N whole = d.tokens * d.hidden * d.element;
    Transfers<N> t;
    if (setup.tensor > 1 && !setup.sequence) {
        // Each tensor rank sends its share; the receivers gather it inside the domain (scatter-gather, arXiv
        // 2104.04473).
        t.across = point_to_point_time<N>(setup, true, whole / d.tensor) +
                   point_to_point_time<N>(setup, false, whole) + N(setup.architecture.message_gather_s);
        t.inside = point_to_point_time<N>(setup, false, whole);
        t.bytes = value_of(whole) / static_cast<double>(setup.tensor);
    } else {
        const N own = d.unit * d.element;
        t.across = point_to_point_time<N>(setup, true, own);
        t.inside = point_to_point_time<N>(setup, false, own);
        t.bytes = value_of(own);
    }
    return t;
}

/// Activations that a pass moves over the host link and cannot hide under its own compute.
template <class N> N offload_exposed(const Setup& setup, const N& bytes, const N& compute) {
    const double link = setup.plan.memory.offload_activations == Offload::nvme
                            ? setup.stack.nvme_bytes_per_s
                            : setup.cluster.node.host_link_bytes_per_s;
    const N time = bytes / input<N>(std::max(link, 1e9),
                                    {"host_link", "B/s", "node, one direction per GPU", Tag::exact});
    return max_of(time - compute, N(0.0));
}

} // namespace

template <class N> StepCosts<N> step_costs(const Setup& setup, const placement::Placement* placement) {
    const Groups groups = Groups::of(setup, placement);
    const std::vector<KindCounts> kinds = model::count_kinds(setup);
    const Library<N> library = make_library<N>(setup, groups, kinds);
    const std::size_t chunks = kinds.size();
    const std::int64_t p = setup.pipeline, v = setup.virtual_pipeline;

    StepCosts<N> out;
    out.chunks.resize(chunks);
    std::vector<StageWeights<N>> weights(static_cast<std::size_t>(p));
    std::vector<ChunkSum<N>> sums(static_cast<std::size_t>(p));
    const auto transfer = p > 1 ? transfers<N>(setup) : Transfers<N>{};
    const N share = stack_constant<N>(setup, pipeline_share(setup), "pipeline_share_occupying", "1");
    const bool may_cross =
        placement && p > 1 && reach_of(setup, placement, placement::GroupKind::pp, p).domains > 1;
    std::vector<bool> crossing(static_cast<std::size_t>(p), false);
    if (may_cross)
        for (std::int64_t r = 0; r < p; ++r)
            crossing[static_cast<std::size_t>(r)] = placement->stage_border_crosses_node(r);
    const double between = full_graph(setup) ? 0 : setup.stack.micro_batch_overhead_s;
    const N micro_batch_share =
        stack_constant<N>(setup, between / static_cast<double>(v), "micro_batch_overhead", "s");
    const double accumulate = accumulated_bytes_per_parameter(setup);
    const N accumulate_bytes = stack_constant<N>(setup, accumulate, "accumulation_bytes_per_parameter", "B");

    const N handshake = stack_constant<N>(setup, setup.stack.pipeline_sync_s, "handshake", "s");

    bool any_cross = false;
    for (std::size_t chunk = 0; chunk < chunks; ++chunk) {
        ChunkTime<N>& time = out.chunks[chunk];
        const auto rank = static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(chunk)));
        StageWeights<N> own;
        ChunkSum<N> sum;
        for (std::size_t kind = 0; kind < kBodyKinds; ++kind)
            if (kinds[chunk][kind] > 0) add_layer(time, own, sum, *library.body[kind], kinds[chunk][kind]);
        if (chunk == 0) add_layer(time, own, sum, library.embedding, 1);
        if (chunk + 1 == chunks) {
            add_layer(time, own, sum, library.head, 1);
            if (library.mtp) add_layer(time, own, sum, *library.mtp, setup.shape.mtp_layers);
        }
        time.forward.host_s += micro_batch_share / 3.0;
        time.backward.host_s += micro_batch_share * (2.0 / 3.0);
        if (accumulate > 0) {
            const N traffic = named(
                accumulate_bytes * (own.dense + own.expert) / memory_rate<N>(setup),
                {"gradient_accumulation", "s", "traffic of adding a micro-batch's gradients", Tag::modelled});
            time.backward.compute_s += traffic;
            time.weight_s += traffic;
        }
        if (setup.plan.memory.offload_activations != Offload::none) {
            const N bytes = offloaded_bytes<N>(setup, kinds[chunk]);
            time.forward.offload_s = offload_exposed<N>(setup, bytes, time.forward.compute_s);
            time.backward.offload_s =
                offload_exposed<N>(setup, bytes, time.backward.compute_s + time.recompute.compute_s);
        }
        if (p > 1) {
            const std::size_t before = (rank + static_cast<std::size_t>(p) - 1) % static_cast<std::size_t>(p);
            const bool wraps = v > 1;
            const bool cross = (crossing[rank] && (wraps || rank + 1 < static_cast<std::size_t>(p))) ||
                               (crossing[before] && (wraps || rank > 0));
            any_cross = any_cross || cross;
            const N each = share * (cross ? transfer.across : transfer.inside) + handshake;
            time.forward.pipeline_comm_s = each;
            time.backward.pipeline_comm_s = each;
        }
        if (reduces_every_pass(setup))
            time.backward.data_comm_s +=
                exposed_reduction<N>(setup, groups, own, time.backward.total() + time.recompute.total());
        out.chunk_parameters.push_back(value_of(own.dense) + value_of(own.expert));
        auto& rank_weights = weights[rank];
        rank_weights.tensors += own.tensors;
        rank_weights.dense += own.dense;
        rank_weights.expert += own.expert;
        auto& rank_sum = sums[rank];
        rank_sum.recompute_flops += sum.recompute_flops;
        rank_sum.hidden_data_s += sum.hidden_data_s;
        rank_sum.volumes.add(sum.volumes, 1);
    }
    if (p > 1)
        out.hop_s = named(
            (any_cross ? transfer.across : transfer.inside) * max_of(1.0 - share, N(0.0)),
            {"hop_latency", "s", "the part of a transfer that does not occupy its ranks", Tag::modelled});

    out.tail = tail_time<N>(setup, groups, weights, out.chunks);

    const N m =
        input<N>(static_cast<double>(setup.micro_batches), {"micro_batches", "1", "plan", Tag::exact});
    N recomputed = 0;
    std::size_t hidden_rank = 0;
    for (std::size_t r = 0; r < sums.size(); ++r) {
        recomputed += sums[r].recompute_flops;
        if (sums[r].hidden_data_s > sums[hidden_rank].hidden_data_s) hidden_rank = r;
    }
    if (value_of(sums[hidden_rank].hidden_data_s) > 0)
        out.tail.hidden_data_comm_s += m * sums[hidden_rank].hidden_data_s;
    const double tokens = static_cast<double>(setup.plan.training.sequence_length) *
                          static_cast<double>(setup.plan.training.global_batch_size);
    out.hardware_flops_per_gpu =
        model::model_flops_per_token<N>(setup.shape,
                                        static_cast<double>(setup.plan.training.sequence_length)) *
            input<N>(tokens / static_cast<double>(setup.world()),
                     {"tokens_per_gpu", "1", "plan", Tag::exact}) +
        named(m * recomputed / static_cast<double>(p),
              {"recomputed_flops", "FLOP", "operators run again, mean over ranks", Tag::modelled});

    const auto micro = static_cast<double>(setup.micro_batches);
    for (std::size_t r = 0; r < sums.size(); ++r) {
        placement::GroupVolumes rank = tail_volumes(setup, groups, weights[r]);
        rank.add(sums[r].volumes, micro);
        out.volumes.take_larger(rank);
    }
    if (p > 1) out.volumes.pipeline_bytes = 2 * micro * transfer.bytes * static_cast<double>(v);
    out.message_bytes = transfer.bytes;
    return out;
}

std::array<double, kBodyKinds> layer_seconds(const Setup& setup, const placement::Placement* placement) {
    const Groups groups = Groups::of(setup, placement);
    const double accumulate = accumulated_bytes_per_parameter(setup) / memory_rate<double>(setup);
    const bool windowed = setup.shape.attention_window > 0;
    const std::int64_t limit = setup.plan.memory.recompute_layers;
    std::array<double, kBodyKinds> seconds{};
    for (std::size_t kind = 0; kind < kBodyKinds; ++kind) {
        const bool moe = model::body_kind(kind) == LayerKind::moe;
        if ((moe && !setup.moe()) || (!model::is_global(kind) && !windowed) ||
            (!model::is_recomputed(kind) && limit == 0))
            continue;
        const auto layer = layer_time<double>(setup, groups, model::body_kind(kind), model::is_global(kind),
                                              model::is_recomputed(kind));
        seconds[kind] = layer.passes.forward.total() + layer.passes.backward.total() +
                        layer.passes.recompute.total() +
                        accumulate * (layer.dense_weights + layer.expert_weights);
    }
    return seconds;
}

template StepCosts<double> step_costs<double>(const Setup&, const placement::Placement*);
template StepCosts<Traced> step_costs<Traced>(const Setup&, const placement::Placement*);

} // namespace shardlens::cost
