// SPDX-License-Identifier: GPL-3.0-or-later
#include "cost/tail.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "cost/collectives.h"
#include "cost/machine.h"
#include "model/dimensions.h"
#include "model/operators.h"
#include "model/optimizer_state.h"
#include "model/saved.h"

namespace shardlens::cost {
namespace {

constexpr double kFreeJitterGpus = 8;

double gradient_bytes(const Setup& setup) { return setup.gradient_dtype == Dtype::fp32 ? 4 : 2; }
double weight_bytes(const Setup& setup) { return setup.plan.training.precision == Precision::fp32 ? 4 : 2; }

/// Reduction and gather of a stage over the data-parallel groups, before anything is hidden.
template <class N> struct Traffic { N reduce = 0, gather = 0; };

template <class N>
Traffic<N> data_traffic(const Setup& setup, const Groups& groups, const StageWeights<N>& weights) {
    Traffic<N> traffic;
    const double gradients = gradient_bytes(setup);
    const double second = setup.zero == 0 ? gradients : weight_bytes(setup);
    const auto shard = static_cast<double>(std::max<std::int64_t>(setup.shard, 1));
    const bool hybrid = setup.zero > 0 && groups.replica.members > 1;
    if (setup.zero == 3) return traffic; // every micro-batch, inside the passes
    if (setup.zero == 1 && setup.stack.shard_by_all_reduce) {
        traffic.reduce = all_reduce_time<N>(setup, groups.data, weights.dense * gradients);
        traffic.gather = gather_time<N>(setup, groups.data, weights.dense * second);
    } else if (setup.zero == 0 || !hybrid) {
        traffic.reduce = gather_time<N>(setup, groups.data, weights.dense * gradients);
        traffic.gather = gather_time<N>(setup, groups.data, weights.dense * second);
    } else {
        traffic.reduce = gather_time<N>(setup, groups.shard, weights.dense * gradients) +
                         all_reduce_time<N>(setup, groups.replica, weights.dense * gradients / shard);
        traffic.gather = gather_time<N>(setup, groups.shard, weights.dense * second);
    }
    traffic.reduce += gather_time<N>(setup, groups.expert_data, weights.expert * gradients);
    traffic.gather += gather_time<N>(setup, groups.expert_data, weights.expert * second);
    if (setup.zero == 2) traffic.reduce = 0.0; // reduced every micro-batch
    if (setup.zero == 0 && setup.stack.reduce_bucket_parameters > 0)
        traffic.reduce +=
            stack_constant<N>(setup, setup.stack.reduce_bucket_s, "time_per_bucket", "s") *
            named((weights.dense + weights.expert) / setup.stack.reduce_bucket_parameters,
                  {"reduction_buckets", "1", "gradients on the rank over the bucket's size", Tag::modelled});
    traffic.reduce = named(traffic.reduce,
                           {"gradient_reduction", "s", "ring over the data-parallel group", Tag::modelled});
    traffic.gather = named(traffic.gather, {"parameter_gather", "s",
                                            "second half: updated parameters, or the rest of an "
                                            "all-reduce",
                                            Tag::modelled});
    return traffic;
}

/// A tied matrix on two pipeline ranks: their gradients are added up once the passes are over.
bool ties_over_stages(const Setup& setup) {
    return setup.pipeline > 1 && setup.shape.tied_embeddings && setup.zero != 3 &&
           !model::ends_share_rank(setup);
}

template <class N> N tied_matrix(const Setup& setup) {
    return named(model::dimensions<N>(setup).vocabulary *
                     input<N>(static_cast<double>(setup.shape.embedding_width()),
                              {"embedding_width", "1", "model", Tag::exact}),
                 {"embedding_matrix", "1", "V / t · h", Tag::exact});
}

template <class N> N tied_reduction(const Setup& setup, const Groups& groups) {
    if (!ties_over_stages(setup)) return 0.0;
    placement::Reach ends;
    ends.members = 2;
    ends.domains = ends.nodes = groups.pipeline.domains > 1 ? 2 : 1;
    ends.members_per_domain = ends.members_per_node = groups.pipeline.domains > 1 ? 1 : 2;
    return named(all_reduce_time<N>(setup, ends, tied_matrix<N>(setup) * gradient_bytes(setup)),
                 {"tied_gradients", "s",
                  "all-reduce of the embedding's gradient between first and last stage", Tag::modelled});
}

/// Larger of the stack's exposed share and what `room` seconds of backward cannot hide.
template <class N> N beyond(const Setup& setup, const N& room, const N& traffic, const N& share) {
    return max_of(share * traffic, traffic - setup.stack.hiding_stretch * room);
}

template <class N>
void add_data(const Setup& setup, const Groups& groups, const StageWeights<N>& weights, const N& room,
              TailTime<N>& tail) {
    if (setup.data * setup.context <= 1 && setup.expert_data <= 1) return;
    if (reduces_every_pass(setup)) return;
    const Traffic<N> traffic = data_traffic(setup, groups, weights);
    const auto& wanted = setup.plan.overlap;
    const bool after_backward = setup.zero == 1 && setup.stack.shard_by_all_reduce;
    const bool reduce_may = !after_backward && wanted.grad_reduce.value_or(true),
               gather_may = !after_backward && wanted.param_gather.value_or(true);
    double least = setup.stack.data_exposed;
    if (wanted.grad_reduce.value_or(false) && !setup.stack.overlap_grad_reduce)
        least = std::min(least, setup.stack.asked_data_exposed);
    const N hideable = (reduce_may ? traffic.reduce : N(0.0)) + (gather_may ? traffic.gather : N(0.0));
    const N always = (reduce_may ? N(0.0) : traffic.reduce) + (gather_may ? N(0.0) : traffic.gather);
    const N floor_share = stack_constant<N>(setup, least, "data_exposed", "1");
    const N exposed =
        named(beyond(setup, room, hideable, floor_share),
              {"exposed_reduction", "s", "larger of the stack's exposed share and what backward cannot hide",
               Tag::modelled});
    tail.data_comm_s = always + exposed;
    tail.hidden_data_comm_s = max_of(hideable - exposed, N(0.0));
    const double both = value_of(hideable);
    const double hidden_share = both > 0 ? value_of(tail.hidden_data_comm_s) / both : 0;
    TailParts& parts = tail.parts;
    parts.reduce_hidden_s = reduce_may ? hidden_share * value_of(traffic.reduce) : 0;
    parts.gather_hidden_s = gather_may ? hidden_share * value_of(traffic.gather) : 0;
    parts.reduce_exposed_s = value_of(traffic.reduce) - parts.reduce_hidden_s;
    // The host cuts every weight tensor into the ranks' slices before the gather and copies them back after.
    if (setup.stack.gather_view_s > 0 && (setup.zero == 1 || setup.zero == 2) && setup.shard > 1)
        tail.data_comm_s += stack_constant<N>(setup, setup.stack.gather_view_s, "host_time_per_slice", "s") *
                            input<N>(weights.tensors * static_cast<double>(setup.shard),
                                     {"slices", "1", "weight tensors of the rank times ranks that share them",
                                      Tag::modelled});
    // Some stacks send each rank's updated shard in turn.
    const double senders = setup.zero == 1 || setup.zero == 2 ? static_cast<double>(setup.shard) : 0;
    if (setup.stack.broadcast_s_per_rank > 0 && senders > 8)
        tail.data_comm_s +=
            stack_constant<N>(setup, setup.stack.broadcast_s_per_rank, "broadcast_per_rank", "s") *
            (senders - 8);
}

template <class N> void add_optimizer(const Setup& setup, const StageWeights<N>& weights, TailTime<N>& tail) {
    const bool sharded = setup.zero > 0;
    const N shard = input<N>(sharded ? static_cast<double>(std::max<std::int64_t>(setup.shard, 1)) : 1.0,
                             {"state_shards", "1", "plan", Tag::exact});
    const N expert_shard =
        input<N>(sharded ? static_cast<double>(std::max<std::int64_t>(setup.expert_shard, 1)) : 1.0,
                 {"expert_state_shards", "1", "plan", Tag::exact});
    const N own = named(weights.dense / shard + weights.expert / expert_shard,
                        {"parameters_updated", "1", "parameters whose states this rank holds", Tag::exact});
    const Offload offload = setup.plan.memory.offload_optimizer;
    if (offload == Offload::none) {
        // The stack's constant is Adam's with fp32 moments. Per parameter an update reads gradient, master
        // copy and moments and writes all but the gradient: 4 + 2·4 + 2·moments, and the 16-bit parameter.
        constexpr double kBesideMoments = 14, kAdamMoments = 8;
        const N share = input<N>(
            (kBesideMoments + 2 * model::optimizer_moment_bytes(setup)) / (kBesideMoments + 2 * kAdamMoments),
            {"update_traffic_over_adam", "1", "bytes read and written by the update", Tag::modelled});
        tail.optimizer_s = named(own * share *
                                     stack_constant<N>(setup, setup.stack.optimizer_bytes_per_parameter,
                                                       "optimizer_bytes_per_parameter", "B") /
                                     memory_rate<N>(setup),
                                 {"optimizer_pass", "s", "memory traffic of the update", Tag::modelled});
        return;
    }
    // Gradients down and parameters up are part of the measured rate.
    N time =
        own / stack_constant<N>(setup, setup.stack.cpu_optimizer_parameters_per_s, "cpu_optimizer_rate", "1");
    if (offload == Offload::nvme) {
        const double state = 4 + 2 * (setup.optimizer_dtype == Dtype::fp32 ? 4.0 : 2.0);
        time +=
            2.0 * state * own / stack_constant<N>(setup, setup.stack.nvme_bytes_per_s, "nvme_rate", "B/s");
    }
    tail.offload_s = named(time, {"optimizer_on_host", "s", "CPU Adam and host link", Tag::modelled});
}

template <class N> N sum_of(const ChunkTime<N>& c) {
    return c.forward.total() + c.backward.total() + c.recompute.total();
}

} // namespace

bool reduces_every_pass(const Setup& setup) {
    return setup.stack.reduces_every_pass && setup.zero == 0 && setup.pipeline > 1 &&
           setup.data * setup.context > 1;
}

template <class N>
N exposed_reduction(const Setup& setup, const Groups& groups, const StageWeights<N>& weights, const N& room) {
    const Traffic<N> traffic = data_traffic(setup, groups, weights);
    const N share = stack_constant<N>(setup, std::min(setup.stack.data_exposed, 1.0), "data_exposed", "1");
    return named(beyond(setup, room, traffic.reduce + traffic.gather, share),
                 {"reduction_every_pass", "s", "what backward cannot hide of each micro-batch's reduction",
                  Tag::modelled});
}

template <class N>
TailTime<N> tail_time(const Setup& setup, const Groups& groups, const std::vector<StageWeights<N>>& one_copy,
                      const std::vector<ChunkTime<N>>& chunks) {
    // Two copies of the model in opposite directions: a rank reduces and updates the stages of both.
    std::vector<StageWeights<N>> weights = one_copy;
    if (setup.schedule == ScheduleKind::dualpipe || setup.schedule == ScheduleKind::chimera)
        for (std::size_t r = 0; r < weights.size(); ++r) {
            weights[r].dense += one_copy[weights.size() - 1 - r].dense;
            weights[r].expert += one_copy[weights.size() - 1 - r].expert;
            weights[r].tensors += one_copy[weights.size() - 1 - r].tensors;
        }
    // The rank with most parameters reduces last, and the busiest rank sets the pace of the passes.
    std::size_t largest = 0;
    const auto all = [&](std::size_t r) { return value_of(weights[r].dense) + value_of(weights[r].expert); };
    for (std::size_t r = 1; r < weights.size(); ++r)
        if (all(r) > all(largest)) largest = r;
    std::vector<double> busy(weights.size(), 0);
    std::vector<double> each(chunks.size());
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        each[i] = value_of(sum_of(chunks[i]));
        busy[static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(i)))] += each[i];
    }
    const auto busiest = static_cast<std::size_t>(std::max_element(busy.begin(), busy.end()) - busy.begin());
    N backward = 0, passes = 0;
    for (std::size_t i = 0; i < chunks.size(); ++i) {
        const auto rank = static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(i)));
        if (rank == largest) backward += chunks[i].backward.total() + chunks[i].recompute.total();
        if (rank == busiest) passes += sum_of(chunks[i]);
    }
    TailTime<N> tail;
    const N room =
        named(backward * (setup.pipeline > 1 ? setup.stack.hiding_room_pipeline : setup.stack.hiding_room),
              {"backward_to_hide_under", "s", "last micro-batch's backward on the stage", Tag::modelled});
    add_data(setup, groups, weights[largest], room, tail);
    const N tied = tied_reduction<N>(setup, groups);
    tail.data_comm_s += tied;
    TailParts& parts = tail.parts;
    parts.reduce_exposed_s += value_of(tied);
    // The rest of an all-reduce comes before the optimizer like its first half.
    const double rest = std::max(0.0, value_of(tail.data_comm_s) - parts.reduce_exposed_s);
    (setup.zero == 0 ? parts.reduce_exposed_s : parts.gather_exposed_s) += rest;
    if (setup.zero == 0) parts.reduce_hidden_s += std::exchange(parts.gather_hidden_s, 0.0);
    add_optimizer(setup, weights[largest], tail);
    const double doublings =
        std::log2(std::max(static_cast<double>(setup.world()), kFreeJitterGpus) / kFreeJitterGpus);
    const N m =
        input<N>(static_cast<double>(setup.micro_batches), {"micro_batches", "1", "plan", Tag::exact});
    const N busy_s =
        named(m * passes, {"busiest_rank", "s", "passes of the busiest rank in a step", Tag::modelled});
    const N jitter =
        named((busy_s + tail.data_comm_s + tail.optimizer_s + tail.offload_s) *
                  stack_constant<N>(setup, setup.stack.jitter_per_doubling, "jitter_per_doubling", "1") *
                  input<N>(doublings, {"doublings_beyond_8_gpus", "1", "log2(GPUs / 8)", Tag::exact}),
              {"jitter", "s", "slowdown that grows with the job", Tag::modelled});
    tail.other_s =
        named(jitter + stack_constant<N>(setup, setup.stack.step_overhead_s, "step_overhead", "s"),
              {"overhead_and_jitter", "s", "data loading, logging, synchronisation", Tag::modelled});
    return tail;
}

template <class N>
placement::GroupVolumes tail_volumes(const Setup& setup, const Groups& groups,
                                     const StageWeights<N>& weights) {
    placement::GroupVolumes volumes;
    if (setup.zero == 3) return volumes;
    const bool by_all_reduce = setup.zero == 1 && setup.stack.shard_by_all_reduce;
    const double once = setup.zero == 2 ? 0 : gradient_bytes(setup); // 2: reduced every micro-batch
    const double reduce = by_all_reduce ? 2 * once : once;
    const double second = setup.zero == 0 ? gradient_bytes(setup) : weight_bytes(setup);
    if (setup.data * setup.context > 1) volumes.data_bytes = value_of(weights.dense) * (reduce + second);
    if (setup.expert_data > 1) volumes.expert_data_bytes = value_of(weights.expert) * (once + second);
    if (setup.zero > 0 && !by_all_reduce && groups.replica.members > 1)
        volumes.replica_bytes = 2 * value_of(weights.dense) * once / static_cast<double>(setup.shard);
    if (ties_over_stages(setup))
        volumes.embedding_bytes = 2 * value_of(tied_matrix<N>(setup)) * gradient_bytes(setup);
    return volumes;
}

template <class N> N offloaded_bytes(const Setup& setup, const model::KindCounts& kinds) {
    N bytes = 0.0;
    std::int64_t layers = 0;
    for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
        if (kinds[kind] == 0) continue;
        const auto layer = model::layer<N>(setup, model::body_kind(kind), model::is_global(kind));
        bytes +=
            static_cast<double>(kinds[kind]) * model::kept_bytes(setup, layer, model::is_recomputed(kind));
        layers += kinds[kind];
    }
    // offload_layers counts per rank: its chunks share them alike.
    const std::int64_t limit = setup.plan.memory.offload_layers;
    if (limit > 0 && layers > 0) {
        const double share = static_cast<double>(limit) / static_cast<double>(setup.virtual_pipeline) /
                             static_cast<double>(layers);
        bytes *= std::min(1.0, share);
    }
    return named(bytes,
                 {"offloaded_activations", "B", "kept activations that leave for the host", Tag::modelled});
}

template TailTime<double> tail_time<double>(const Setup&, const Groups&,
                                            const std::vector<StageWeights<double>>&,
                                            const std::vector<ChunkTime<double>>&);
template TailTime<Traced> tail_time<Traced>(const Setup&, const Groups&,
                                            const std::vector<StageWeights<Traced>>&,
                                            const std::vector<ChunkTime<Traced>>&);
template double exposed_reduction<double>(const Setup&, const Groups&, const StageWeights<double>&,
                                          const double&);
template Traced exposed_reduction<Traced>(const Setup&, const Groups&, const StageWeights<Traced>&,
                                          const Traced&);
template placement::GroupVolumes tail_volumes<double>(const Setup&, const Groups&,
                                                      const StageWeights<double>&);
template placement::GroupVolumes tail_volumes<Traced>(const Setup&, const Groups&,
                                                      const StageWeights<Traced>&);
template double offloaded_bytes<double>(const Setup&, const model::KindCounts&);
template Traced offloaded_bytes<Traced>(const Setup&, const model::KindCounts&);

} // namespace shardlens::cost
