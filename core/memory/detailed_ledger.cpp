// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger of every pipeline rank at its peak: states + persistent buffers + activations alive + the larger
// of what the loss, a layer's backward or the optimizer step needs on top.
#include <algorithm>
#include <set>

#include "memory/detailed.h"
#include "pipeline/simulate.h"

namespace shardlens::memory {
namespace {

/// Entries in model order that one local chunk of a rank holds: every `step`-th from `first` on, before
/// `stop`.
struct Entries {
    std::size_t first, stop, step;

    struct Iterator {
        std::size_t at, step;
        std::size_t operator*() const { return at; }
        void operator++() { at += step; }
        bool operator!=(std::size_t stop) const { return at < stop; }
    };
    [[nodiscard]] Iterator begin() const { return {first, step}; }
    [[nodiscard]] std::size_t end() const { return stop; }
};

/// Chunks of a rank in local order; a chunk of a bidirectional schedule is several entries in model order.
std::vector<Entries> local_chunks(const Setup& setup, const pipeline::Schedule* schedule, std::int64_t rank) {
    const std::size_t count = setup.layers_per_chunk.size();
    std::vector<Entries> local;
    if (schedule) {
        const auto stages = static_cast<std::size_t>(std::max<std::int64_t>(schedule->stages, 1));
        local.reserve(static_cast<std::size_t>(schedule->spec.chunks));
        for (std::int64_t c = 0; c < schedule->spec.chunks; ++c)
            local.push_back({static_cast<std::size_t>(schedule->stage(rank, c)), count, stages});
        return local;
    }
    if (setup.schedule == ScheduleKind::dualpipe || setup.schedule == ScheduleKind::chimera) {
        const auto v = static_cast<std::size_t>(setup.virtual_pipeline);
        for (std::size_t i = static_cast<std::size_t>(rank) * v;
             i < std::min(count, (static_cast<std::size_t>(rank) + 1) * v); ++i)
            local.push_back({i, i + 1, 1});
        return local;
    }
    // Every visit of the ranks holds one chunk of each, in an order that depends on the visit alone.
    const auto ranks = static_cast<std::size_t>(setup.pipeline);
    for (std::size_t visit = 0; visit * ranks < count; ++visit) {
        const std::size_t at = visit * ranks + static_cast<std::size_t>(rank);
        const std::size_t mirrored = visit * ranks + (ranks - 1 - static_cast<std::size_t>(rank));
        for (const std::size_t i : {at, mirrored})
            if (i < count && setup.rank_of_chunk(static_cast<std::int64_t>(i)) == rank) {
                local.push_back({i, i + 1, 1});
                break;
            }
    }
    return local;
}

/// Share of a rank's activations that moves to the host; only with offloaded activations.
double offloaded_share(const Setup& setup, std::int64_t layers) {
    const std::int64_t limit = setup.plan.memory.offload_layers;
    if (limit <= 0 || layers <= 0) return 1;
    return std::min(1.0, static_cast<double>(limit) / static_cast<double>(layers));
}

/// Activations alive per local chunk when their sum is largest, and the largest number of them.
struct Live {
    std::vector<std::int64_t> chunks;
    double in_flight = 0; ///< chunk activations
};

Live live_of(const Setup& setup, const pipeline::Schedule* schedule, std::int64_t rank,
             const std::vector<double>& weights) {
    const auto v = static_cast<std::int64_t>(weights.size());
    if (schedule) {
        // A split backward keeps the inputs of linears until their weight gradients are done: bytes count
        // until then (that reads up to 4 % high for long delays; counting none of it read up to 16 % low on
        // the zero-bubble runs of arXiv 2401.10241), while the printed count ends with the input gradient.
        pipeline::LivePeak peak = pipeline::live_peak(schedule->rank(rank), weights, true);
        return {std::move(peak.chunks), static_cast<double>(peak.most)};
    }
    // Closed forms in chunk activations: ZB-V all of 2p, 1F1B p − r, interleaved 1F1B
    // (v − 1) p + 2 (p − 1 − r) + 1 (arXiv 2104.04473).
    const std::int64_t p = setup.pipeline, all = setup.micro_batches * v;
    std::int64_t alive = v <= 1 ? p - rank : (v - 1) * p + 2 * (p - 1 - rank) + 1;
    if (setup.schedule == ScheduleKind::gpipe || setup.schedule == ScheduleKind::bfs) alive = all;
    if (setup.schedule == ScheduleKind::zb_v) alive = 2 * p;
    if (setup.schedule == ScheduleKind::v_half || setup.schedule == ScheduleKind::v_min ||
        setup.schedule == ScheduleKind::one_f_one_b_v)
        alive = pipeline::v_shaped_live_limit(setup.schedule, p);
    alive = std::min(alive, all);
    // Evenly, the first chunks one more: counted, not dealt, there may be thousands of millions.
    Live live{std::vector<std::int64_t>(weights.size(), v > 0 ? alive / v : 0), static_cast<double>(alive)};
    for (std::int64_t c = 0; v > 0 && c < alive % v; ++c) ++live.chunks[static_cast<std::size_t>(c)];
    return live;
}

template <class N>
RankWeights<N> rank_weights(const Setup& setup, const LayerLibrary<N>& library,
                            const std::vector<Entries>& local) {
    RankWeights<N> w;
    model::KindCounts kinds{};
    bool first = false, last = false;
    for (const auto& entries : local)
        for (const std::size_t chunk : entries) {
            for (std::size_t k = 0; k < model::kBodyKinds; ++k) kinds[k] += library.chunks[chunk][k];
            first = first || chunk == 0;
            last = last || chunk + 1 == library.chunks.size();
        }
    const auto add = [&](const LayerBytes<N>& layer, std::int64_t n) {
        const N count =
            input<N>(static_cast<double>(n), {"layers_of_kind", "1", "layers on the rank", Tag::exact});
        w.dense += count * layer.dense_weights;
        if (value_of(layer.expert_weights) > 0) w.expert += count * layer.expert_weights;
        w.largest_layer = max_of(w.largest_layer, layer.dense_weights + layer.expert_weights);
    };
    for (std::size_t k = 0; k < model::kBodyKinds; ++k)
        if (kinds[k] > 0) add(*library.body[k], kinds[k]);
    if (last && library.mtp) add(*library.mtp, setup.shape.mtp_layers);
    if (first) w.ends += library.embedding.dense_weights;
    if (last) w.ends += library.head.dense_weights;
    if (first || last)
        w.largest_end = max_of(first ? library.embedding.dense_weights : N(0.0),
                               last ? library.head.dense_weights : N(0.0));
    // Multi-token prediction looks up the next token: its rank holds the embedding as well.
    if (last && !first && library.mtp) w.ends += library.embedding.dense_weights;
    w.vocabulary = w.ends;
    w.dense = named(w.dense + w.ends,
                    {"parameters_on_rank", "1", "layers of the rank, embedding and head", Tag::exact});
    w.expert = named(w.expert, {"expert_parameters_on_rank", "1", "routed experts on the rank", Tag::exact});
    return w;
}

/// Transformer Engine keeps one zero-filled weight gradient per distinct weight shape when gradients are
/// accumulated inside the GEMM. Index: dense layers on the rank + 2 · MoE layers.
template <class N> std::array<N, 4> dummy_gradients(const Setup& setup) {
    std::array<N, 4> bytes{N(0.0), N(0.0), N(0.0), N(0.0)};
    if (!setup.stack.dummy_weight_gradients || setup.plan.training.precision == Precision::fp32) return bytes;
    for (std::size_t kinds = 1; kinds < (setup.moe() ? 4u : 2u); ++kinds) {
        std::set<std::pair<double, double>> shapes;
        for (const auto kind : {model::LayerKind::dense, model::LayerKind::moe}) {
            if (!(kinds & (kind == model::LayerKind::dense ? 1u : 2u))) continue;
            for (const auto& op : model::layer<N>(setup, kind).operators) {
                if (op.kind != model::OperatorKind::gemm || op.expert || !op.low_precision) continue;
                if (shapes.emplace(value_of(op.n), value_of(op.k)).second) bytes[kinds] += 2.0 * op.n * op.k;
            }
        }
        bytes[kinds] =
            named(bytes[kinds], {"dummy_weight_gradients", "B",
                                 "Transformer Engine, one per distinct weight shape", Tag::measured});
    }
    return bytes;
}

/// Sorts of layers on a rank: 1 dense + 2 MoE.
std::size_t layer_sorts(const model::KindCounts& kinds) {
    std::size_t sorts = 0;
    for (std::size_t k = 0; k < kinds.size(); ++k)
        if (kinds[k] > 0) sorts |= model::body_kind(k) == model::LayerKind::moe ? 2u : 1u;
    return sorts;
}

/// Freed blocks that a communication stream has used come back only when that stream has passed, so the
/// steady state of 1F1B over tensor groups fills segments with blocks of several micro-batches; a segment
/// with one live block cannot be returned when the device is full (c10::cuda::CUDACachingAllocator,
/// release_cached_blocks). It counts with the device's own use: no flush gives it back.
template <class N> N lost_segments(const Setup& setup, const N& activations, double in_flight_micro_batches) {
    const bool steady = static_cast<double>(setup.micro_batches) > in_flight_micro_batches;
    if (setup.tensor <= 1 || setup.pipeline <= 1 || !steady || setup.stack.lost_pipeline <= 0) return 0.0;
    return named(
        setup.stack.lost_pipeline * activations,
        {"lost_segments", "B", "segments with a live block, not returned by a flush", Tag::measured});
}

/// What the allocator holds beyond its peak need: blocks that a side stream still uses, sizes that do not
/// fit.
template <class N>
N fragmentation(const Setup& setup, const RankWeights<N>& w, const N& activations, const N& allocated,
                const N& context, std::int64_t layers) {
    const StackProfile& stack = setup.stack;
    N bytes = allocated * input<N>(stack.fragmentation_factor, {"fragmentation_share", "1",
                                                                "reserved over allocated on published "
                                                                "runs",
                                                                Tag::measured});
    if (setup.tensor > 1 && setup.pipeline == 1 && stack.growth_tensor_bytes > 0) {
        const auto d = model::dimensions<N>(setup);
        // The host runs ahead by no more kernels than the launch queue holds.
        bytes += stack.growth_tensor_bytes * d.tokens * d.hidden *
                 std::min(static_cast<double>(layers), stack.run_ahead_layers);
    }
    if (setup.tensor > 1 && setup.pipeline > 1) bytes += stack.growth_pipeline * activations;
    if (setup.tensor > 1 && stack.growth_parameters > 0)
        bytes += stack.growth_parameters * (w.dense + w.expert);
    // Cached blocks are returned when the device is full: they never make it overflow.
    const N left = input<N>(setup.cluster.capacity_bytes,
                            {"capacity_bytes", "B", "accelerator preset or plan", Tag::measured}) -
                   context - allocated;
    return min_of(bytes, max_of(left, N(0.0)));
}

template <class N> N whole(const N& bytes, const char* name, const char* source) {
    return named(ceil_of(max_of(bytes, N(0.0))), {name, "B", source, Tag::modelled});
}

/// Largest need on top of the activations alive, and what it is.
template <class N> struct Transient {
    N logits = 0, buffers = 0;
    const char* event = "";
};

template <class N>
Transient<N> transient(const Setup& setup, const LayerLibrary<N>& library, const RankWeights<N>& w,
                       const N& activations, bool has_head, const model::KindCounts& kinds) {
    N backward = 0.0;
    for (std::size_t k = 0; k < model::kBodyKinds; ++k)
        if (kinds[k] > 0) backward = max_of(backward, library.body[k]->working + library.body[k]->remade);
    Transient<N> out;
    N logits = 0.0;
    if (has_head) {
        const auto d = model::dimensions<N>(setup);
        // DTensor's gathered hidden state and its gradient stand beside the logits.
        if (setup.sequence && setup.stack.saved == SavedStyle::torchtitan)
            logits += 2.0 * d.tokens * d.hidden * d.element;
        const StackProfile& stack = setup.stack;
        const bool shared = setup.tensor > 1 && stack.parallel_logits_bytes_per_value > 0;
        logits += d.tokens * d.vocabulary *
                  input<N>(shared ? stack.parallel_logits_bytes_per_value : stack.logits_bytes_per_value,
                           {"bytes_per_logit", "B", "copies of the logits alive at the loss", Tag::measured});
    }
    const bool loss = value_of(logits) > value_of(backward);
    out.event = loss ? "loss forward"
                : setup.plan.memory.recompute == Recompute::none
                    ? "backward of the last layer"
                    : "recomputation in the last layer's backward";
    if (loss)
        out.logits = logits;
    else
        out.buffers = named(backward, {"working_set", "B", "one layer's backward", Tag::modelled});
    // The step's buffers reuse what activations and working set have freed; only the rest is new.
    const N step = step_buffers<N>(setup, w);
    const N more = step - activations - out.logits - out.buffers;
    if (value_of(more) > 0) {
        out.buffers += named(more, {"step_buffers_beyond_activations", "B", "optimizer step", Tag::modelled});
        out.event = "optimizer step";
    }
    return out;
}

} // namespace

template <class N>
std::vector<StageLedger<N>> detailed_ledger(const Setup& setup, const pipeline::Schedule* schedule) {
    const auto library = LayerLibrary<N>::of(setup);
    std::vector<N> chunk_bytes(library.chunks.size());
    for (std::size_t i = 0; i < chunk_bytes.size(); ++i)
        chunk_bytes[i] = named(library.chunk_bytes(setup, i),
                               {"chunk_activation_bytes", "B",
                                "kept per micro-batch by the chunk's "
                                "layers",
                                Tag::modelled},
                               static_cast<int>(i));
    const N context = context_bytes<N>(setup);
    const std::array<N, 4> dummies = dummy_gradients<N>(setup);
    std::vector<StageLedger<N>> out;
    out.reserve(static_cast<std::size_t>(setup.pipeline));
    for (std::int64_t rank = 0; rank < setup.pipeline; ++rank) {
        const auto local = local_chunks(setup, schedule, rank);
        StageLedger<N> stage;
        stage.stage = rank;
        model::KindCounts kinds{};
        std::vector<double> weights(local.size(), 0);
        bool has_head = false;
        for (std::size_t c = 0; c < local.size(); ++c)
            for (const std::size_t chunk : local[c]) {
                stage.layers += setup.layers_per_chunk[chunk];
                weights[c] += value_of(chunk_bytes[chunk]);
                has_head = has_head || chunk + 1 == library.chunks.size();
                for (std::size_t k = 0; k < model::kBodyKinds; ++k) kinds[k] += library.chunks[chunk][k];
            }
        const Live live = live_of(setup, schedule, rank, weights);
        const auto chunks_per_rank = static_cast<double>(std::max<std::size_t>(local.size(), 1));
        stage.in_flight_micro_batches =
            input<N>(live.in_flight, {"chunk_activations_alive", "1", "order of the schedule", Tag::exact}) /
            chunks_per_rank;
        N activations = 0.0;
        for (std::size_t c = 0; c < local.size(); ++c) {
            if (live.chunks[c] == 0) continue;
            const N alive = input<N>(static_cast<double>(live.chunks[c]),
                                     {"alive", "1",
                                      "micro-batches between forward and backward "
                                      "at the peak",
                                      Tag::exact},
                                     static_cast<int>(c));
            for (const std::size_t chunk : local[c]) activations += alive * chunk_bytes[chunk];
        }
        const MemoryOptions& memory = setup.plan.memory;
        N offloaded = 0.0;
        if (memory.offload_activations != Offload::none) {
            const double share = offloaded_share(setup, stage.layers);
            offloaded = named(activations * input<N>(share, {"offloaded_share", "1", "plan", Tag::exact}),
                              {"offloaded_activations", "B", "moved to the host between forward and backward",
                               Tag::modelled});
            activations -= offloaded;
        }

        const RankWeights<N> w = rank_weights<N>(setup, library, local);
        const StateBytes<N> states = state_bytes<N>(setup, w);
        const Transient<N> peak = transient<N>(setup, library, w, activations, has_head, kinds);
        stage.parameters_bytes =
            whole(states.parameters, "parameters_bytes", "working copies of the rank's weights");
        stage.gradients_bytes = whole(states.gradients, "gradients_bytes", "gradients of the rank's weights");
        stage.optimizer_bytes = whole(states.optimizer, "optimizer_bytes", "master weights and moments");
        stage.activations_bytes =
            whole(activations, "activations_bytes", "activations alive at the rank's peak");
        stage.logits_bytes = whole(peak.logits, "logits_bytes", "logits and their gradient at the loss");
        stage.buffers_bytes =
            whole(persistent_buffers<N>(setup, w) + dummies[layer_sorts(kinds)] + peak.buffers,
                  "buffers_bytes", "gathers, buckets, working set, base of the allocator");
        const N allocated = stage.parameters_bytes + stage.gradients_bytes + stage.optimizer_bytes +
                            stage.activations_bytes + stage.logits_bytes + stage.buffers_bytes;
        stage.context_bytes =
            whole(context + lost_segments<N>(setup, activations, value_of(stage.in_flight_micro_batches)),
                  "context_bytes", "device context, communicators, libraries, segments lost to fragments");
        stage.fragmentation_bytes = whole(
            fragmentation<N>(setup, w, activations, allocated, stage.context_bytes, stage.layers),
            "fragmentation_bytes", "what the allocator reserves beyond its need, as far as there is room");
        stage.total_bytes = named(allocated + stage.fragmentation_bytes + stage.context_bytes,
                                  {"total_bytes", "B", "sum of the rank's items", Tag::modelled});
        const N host_activations = memory.offload_activations == Offload::cpu ? offloaded : N(0.0);
        stage.host_bytes =
            whole(states.host + host_activations, "host_bytes", "offloaded states and activations, per GPU");
        const N resident = stage.parameters_bytes + stage.gradients_bytes + stage.optimizer_bytes + context;
        stage.saved_bytes =
            whole(states.saved, "saved_bytes", "weights, master copy and moments that the rank writes");
        // Between steps no activation lives. Whole weights are gathered and moved to the host piece by piece
        // (torch FSDP, full state dict with offload_to_cpu; DeepSpeed, _zero3_consolidated_16bit_state_dict).
        stage.save_device_bytes = whole(resident + states.largest_unit, "save_device_bytes",
                                        "states and the piece of sharded weights that is gathered");
        // torch.load without map_location brings tensors back on the device they were saved from.
        stage.load_device_bytes = whole(resident + states.saved_here, "load_device_bytes",
                                        "states and the copy read from the checkpoint");
        stage.peak_event = peak.event;
        out.push_back(std::move(stage));
    }
    return out;
}

std::vector<double> resident_chunk_bytes(const Setup& setup, const std::vector<double>& chunk_bytes,
                                         const pipeline::Schedule& schedule, std::int64_t rank) {
    const auto local = local_chunks(setup, &schedule, rank);
    std::vector<double> bytes(local.size(), 0);
    std::int64_t layers = 0;
    for (std::size_t c = 0; c < local.size(); ++c)
        for (const std::size_t chunk : local[c]) {
            bytes[c] += chunk_bytes[chunk];
            layers += setup.layers_per_chunk[chunk];
        }
    if (setup.plan.memory.offload_activations != Offload::none)
        for (double& each : bytes) each *= 1 - offloaded_share(setup, layers);
    return bytes;
}

double optimizer_step_bytes(const Setup& setup, std::int64_t rank) {
    const auto library = LayerLibrary<double>::of(setup);
    const auto w = rank_weights<double>(setup, library, local_chunks(setup, nullptr, rank));
    const auto states = state_bytes<double>(setup, w);
    return states.parameters + states.gradients + states.optimizer + persistent_buffers<double>(setup, w) +
           step_buffers<double>(setup, w);
}

template std::vector<StageLedger<double>> detailed_ledger<double>(const Setup&, const pipeline::Schedule*);
template std::vector<StageLedger<Traced>> detailed_ledger<Traced>(const Setup&, const pipeline::Schedule*);

} // namespace shardlens::memory
