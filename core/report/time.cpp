// SPDX-License-Identifier: GPL-3.0-or-later
// Step time put together: the slowest rank's own work, its idle time from the simulated pipeline, and the
// tail.
#include <algorithm>

#include "report/build.h"

namespace shardlens {
namespace {

constexpr const char* kSimulated = "simulated pipeline";
constexpr const char* kStep = "operators, collectives and simulated pipeline";

template <class N> N seconds(const N& x, const char* name, const char* source = kStep) {
    return named(x, {name, "s", source, Tag::modelled});
}

template <class N> struct StageDurations {
    N forward, backward, weight; ///< backward is the whole one
};

/// Stages with equal durations share one entry; `like` maps a stage to the first of its kind.
template <class N> struct DistinctStages {
    std::vector<StageDurations<N>> durations;
    std::vector<std::size_t> like;
    std::vector<std::size_t> first;
};

template <class N> DistinctStages<N> distinct(const std::vector<cost::ChunkTime<N>>& stages) {
    DistinctStages<N> result;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        const N forward = stages[i].forward.total();
        const N backward = stages[i].backward.total() + stages[i].recompute.total();
        std::size_t k = 0;
        while (k < result.durations.size() &&
               !(result.durations[k].forward == forward && result.durations[k].backward == backward &&
                 result.durations[k].weight == stages[i].weight_s))
            ++k;
        if (k == result.durations.size()) {
            const int at = static_cast<int>(i);
            result.first.push_back(i);
            result.durations.push_back(
                {named(forward, {"stage_forward_s", "s", kStep, Tag::modelled}, at),
                 named(backward, {"stage_backward_s", "s", kStep, Tag::modelled}, at),
                 named(stages[i].weight_s, {"stage_weight_gradient_s", "s", kStep, Tag::modelled}, at)});
        }
        result.like.push_back(k);
    }
    return result;
}

/// The makespan as the sum over its critical path: count × duration per kind, plus hops.
template <class N> N makespan(const DistinctStages<N>& stages, const N& hop_s, const PipelineRun& run) {
    std::vector<PipelineRun::Counts> counts(stages.durations.size());
    for (std::size_t i = 0; i < run.critical.size(); ++i) {
        auto& c = counts[stages.like[i]];
        c.forward += run.critical[i].forward;
        c.backward += run.critical[i].backward;
        c.input_grad += run.critical[i].input_grad;
        c.weight_grad += run.critical[i].weight_grad;
        c.overlapped += run.critical[i].overlapped;
    }
    std::vector<N> terms;
    const auto add = [&](double count, const char* name, std::size_t stage, const N& duration) {
        if (count > 0)
            terms.push_back(input<N>(count, {name, "1", kSimulated, Tag::modelled}, static_cast<int>(stage)) *
                            duration);
    };
    for (std::size_t k = 0; k < counts.size(); ++k) {
        const auto& d = stages.durations[k];
        add(counts[k].forward, "critical_forwards", stages.first[k], d.forward);
        add(counts[k].backward, "critical_backwards", stages.first[k], d.backward);
        add(counts[k].input_grad, "critical_input_gradients", stages.first[k], d.backward - d.weight);
        add(counts[k].weight_grad, "critical_weight_gradients", stages.first[k], d.weight);
        add(counts[k].overlapped, "critical_overlapped_cells", stages.first[k], d.forward + d.backward);
    }
    if (run.hops > 0)
        terms.push_back(input<N>(run.hops, {"critical_hops", "1", kSimulated, Tag::modelled}) * hop_s);
    return sum_of(terms);
}

/// Sums one member of the passes over the chunks of a rank.
template <class N, class Member>
N over_chunks(const std::vector<const cost::ChunkTime<N>*>& chunks, const Member& member) {
    std::vector<N> terms;
    for (const auto* chunk : chunks) terms.push_back(member(*chunk));
    return sum_of(terms);
}

} // namespace

template <class N>
TimeReport<N> detailed_time(const Setup& setup, const cost::StepCosts<N>& costs, const PipelineRun& run) {
    TimeReport<N> time;
    if (!run.timeline) return time;
    const pipeline::Schedule& schedule = run.timeline->schedule;
    const auto stages = stage_times(setup, costs, schedule.stages);
    const auto durations = distinct(stages);

    // Micro-batches per chunk: half of them each way when two copies of the model run in opposite directions.
    const double per_chunk = static_cast<double>(setup.micro_batches) / (schedule.bidirectional ? 2 : 1);
    const N m = input<N>(per_chunk, {"micro_batches", "1", "plan", Tag::exact});

    const auto busy_of_chunks = [&](std::int64_t rank) {
        double sum = 0;
        for (std::int64_t c = 0; c < schedule.spec.chunks; ++c) {
            const auto& d =
                durations.durations[durations.like[static_cast<std::size_t>(schedule.stage(rank, c))]];
            sum += value_of(d.forward) + value_of(d.backward);
        }
        return sum;
    };
    std::int64_t slowest = 0;
    double all_busy = 0;
    for (std::int64_t rank = 0; rank < schedule.spec.ranks; ++rank) {
        all_busy += busy_of_chunks(rank);
        if (busy_of_chunks(rank) > busy_of_chunks(slowest) * (1 + 1e-12)) slowest = rank;
    }
    std::vector<const cost::ChunkTime<N>*> own;
    for (std::int64_t c = 0; c < schedule.spec.chunks; ++c)
        own.push_back(&stages[static_cast<std::size_t>(schedule.stage(slowest, c))]);

    const auto passes = [&](const auto& member) {
        return over_chunks<N>(own, [&](const cost::ChunkTime<N>& c) {
            return member(c.forward) + member(c.backward) + member(c.recompute);
        });
    };
    using Pass = cost::PassTime<N>;
    time.forward_s =
        seconds(m * over_chunks<N>(own, [](const auto& c) { return c.forward.compute_s; }), "forward_s");
    time.backward_s =
        seconds(m * over_chunks<N>(own, [](const auto& c) { return c.backward.compute_s; }), "backward_s");
    time.recompute_s =
        seconds(m * over_chunks<N>(own, [](const auto& c) { return c.recompute.compute_s; }), "recompute_s");
    time.tensor_comm_s = seconds(m * passes([](const Pass& p) { return p.tensor_comm_s; }), "tensor_comm_s");
    time.context_comm_s =
        seconds(m * passes([](const Pass& p) { return p.context_comm_s; }), "context_comm_s");
    time.expert_comm_s = seconds(m * passes([](const Pass& p) { return p.expert_comm_s; }), "expert_comm_s");
    time.pipeline_comm_s =
        seconds(m * passes([](const Pass& p) { return p.pipeline_comm_s; }), "pipeline_comm_s");
    const N shard_comm_s =
        seconds(m * passes([](const Pass& p) { return p.data_comm_s; }), "sharded_parameter_comm_s");
    const N activation_offload_s =
        seconds(m * passes([](const Pass& p) { return p.offload_s; }), "activation_offload_s");
    const N host_s = seconds(m * passes([](const Pass& p) { return p.host_s; }), "host_wait_s");

    const N tail_data_s = seconds(costs.tail.data_comm_s, "gradient_reduction_tail_s");
    const N tail_offload_s = seconds(costs.tail.offload_s, "state_offload_s");
    const N tail_other_s = seconds(costs.tail.other_s, "step_overhead_s");
    time.data_comm_s = seconds(shard_comm_s + tail_data_s, "data_comm_s");
    time.offload_s = seconds(activation_offload_s + tail_offload_s, "offload_s");
    time.other_s = seconds(host_s + tail_other_s, "other_s");
    time.optimizer_s = seconds(costs.tail.optimizer_s, "optimizer_s");
    time.hidden_data_comm_s = seconds(costs.tail.hidden_data_comm_s, "hidden_data_comm_s");

    // The slowest rank's own time in the pipeline, without the tail.
    const N busy =
        named(time.forward_s + time.backward_s + time.recompute_s + time.tensor_comm_s + time.context_comm_s +
                  time.expert_comm_s + time.pipeline_comm_s + shard_comm_s + activation_offload_s + host_s,
              {"busy_s", "s", kSimulated, Tag::modelled});
    const bool alone = schedule.spec.ranks == 1;
    // The step shows the critical path itself; other numbers refer to it by name.
    const N path = makespan(durations, named(costs.hop_s, {"hop_s", "s", kStep, Tag::modelled}), run);
    const N span = named(path, {"pipeline_makespan_s", "s", kSimulated, Tag::modelled});
    time.bubble_s = seconds(alone ? N(0) : max_of(N(0), span - busy), "bubble_s", kSimulated);
    if (!alone) {
        // Σ idle over all ranks as share of p times the makespan.
        std::vector<N> terms;
        std::vector<double> visits(durations.durations.size(), 0);
        for (std::int64_t rank = 0; rank < schedule.spec.ranks; ++rank)
            for (std::int64_t c = 0; c < schedule.spec.chunks; ++c)
                visits[durations.like[static_cast<std::size_t>(schedule.stage(rank, c))]] += 1;
        for (std::size_t k = 0; k < visits.size(); ++k)
            if (visits[k] > 0)
                terms.push_back(input<N>(visits[k], {"stages_like", "1", "plan", Tag::exact},
                                         static_cast<int>(durations.first[k])) *
                                (durations.durations[k].forward + durations.durations[k].backward));
        const N all = named(m * sum_of(terms), {"busy_all_ranks_s", "s", kSimulated, Tag::modelled});
        const N p = input<N>(static_cast<double>(schedule.spec.ranks), {"pipeline", "1", "plan", Tag::exact});
        time.bubble_fraction = max_of(N(0), (p * span - all) / (p * span));
    }
    time.bubble_fraction = named(time.bubble_fraction, {"bubble_fraction", "1", kSimulated, Tag::modelled});
    time.step_s = seconds(path + tail_data_s + time.optimizer_s + tail_offload_s + tail_other_s, "step_s");
    return time;
}

template <class N> TimeReport<N> textbook_time(const Setup& setup, const model::ParameterCounts<N>& counts) {
    constexpr const char* kSixN = "6·N·D, arXiv 2001.08361, section 2.1";
    TimeReport<N> time;
    const Training& training = setup.plan.training;
    const N parameters = named(counts.active, {"active_parameters", "1", "", Tag::exact});
    const N tokens =
        input<N>(static_cast<double>(training.global_batch_size),
                 {"global_batch_size", "1", "plan", Tag::exact}) *
        input<N>(static_cast<double>(training.sequence_length), {"sequence_length", "1", "plan", Tag::exact});
    const N gpus = input<N>(static_cast<double>(setup.world()), {"gpus", "1", "plan", Tag::exact});
    const N peak = input<N>(setup.cluster.accelerator.peak_flops(training.precision),
                            {"peak_flops", "FLOP/s", "accelerator preset", Tag::exact});
    const N mfu = input<N>(training.assumed_mfu, {"assumed_mfu", "1", "plan", Tag::assumed});
    const N base =
        named(6.0 * parameters * tokens / (gpus * peak * mfu), {"compute_s", "s", kSixN, Tag::modelled});
    time.forward_s = named(base / 3.0, {"forward_s", "s", kSixN, Tag::modelled});
    time.backward_s = named(base * 2.0 / 3.0, {"backward_s", "s", kSixN, Tag::modelled});
    const bool full = setup.plan.memory.recompute == Recompute::full;
    time.recompute_s = named(full ? base / 3.0 : N(0), {"recompute_s", "s", kSixN, Tag::modelled});
    time.step_s =
        named(time.forward_s + time.backward_s + time.recompute_s, {"step_s", "s", kSixN, Tag::modelled});
    for (N* part : {&time.tensor_comm_s, &time.context_comm_s, &time.expert_comm_s, &time.pipeline_comm_s,
                    &time.bubble_s, &time.data_comm_s, &time.optimizer_s, &time.offload_s, &time.other_s,
                    &time.hidden_data_comm_s})
        *part = named(N(0), {"inside_the_assumed_mfu", "s", "textbook form", Tag::exact});

    const N p = input<N>(static_cast<double>(setup.pipeline), {"pipeline", "1", "plan", Tag::exact});
    const N m =
        input<N>(static_cast<double>(setup.micro_batches), {"micro_batches", "1", "plan", Tag::exact});
    const N v =
        input<N>(static_cast<double>(setup.virtual_pipeline), {"virtual_pipeline", "1", "plan", Tag::exact});
    time.bubble_fraction =
        named(setup.virtual_pipeline > 1 ? ((p - 1.0) / v) / (m + (p - 1.0) / v) : (p - 1.0) / (m + p - 1.0),
              {"bubble_fraction", "1", "arXiv 2104.04473, section 2.2", Tag::modelled});
    return time;
}

template <class N>
void add_rates(TimeReport<N>& time, const Setup& setup, const N& model_flops_per_token,
               const N& hardware_flops_per_gpu) {
    const N zero = named(N(0), {"not_computed", "1", "the plan is invalid", Tag::exact});
    time.tokens_per_s = time.tokens_per_s_per_gpu = time.model_flops_per_s_per_gpu = time.mfu = time.hfu =
        zero;
    // Rates mean nothing for a step that was not timed, or when the degrees do not multiply to the GPUs.
    if (!(value_of(time.step_s) > 0) ||
        setup.tensor * setup.context * setup.data * setup.pipeline != setup.world())
        return;
    const Training& training = setup.plan.training;
    const N tokens = named(input<N>(static_cast<double>(training.global_batch_size),
                                    {"global_batch_size", "1", "plan", Tag::exact}) *
                               input<N>(static_cast<double>(training.sequence_length),
                                        {"sequence_length", "1", "plan", Tag::exact}),
                           {"tokens_per_step", "1", "plan", Tag::exact});
    const N gpus = input<N>(static_cast<double>(setup.world()), {"gpus", "1", "plan", Tag::exact});
    const N peak = input<N>(setup.cluster.accelerator.peak_flops(training.precision),
                            {"peak_flops", "FLOP/s", "accelerator preset", Tag::exact});
    time.tokens_per_s = named(tokens / time.step_s,
                              {"tokens_per_s", "tokens/s", "tokens of a step over its time", Tag::modelled});
    time.tokens_per_s_per_gpu =
        named(time.tokens_per_s / gpus, {"tokens_per_s_per_gpu", "tokens/s", "", Tag::modelled});
    time.model_flops_per_s_per_gpu =
        named(time.tokens_per_s_per_gpu * model_flops_per_token,
              {"model_flops_per_s_per_gpu", "FLOP/s", "arXiv 2204.02311, appendix B", Tag::modelled});
    const auto share = [&](const N& x, const Label& label) {
        return value_of(peak) > 0 ? named(x / peak, label) : named(N(0), label);
    };
    time.mfu =
        share(time.model_flops_per_s_per_gpu, {"mfu", "1", "arXiv 2204.02311, appendix B", Tag::modelled});
    time.hfu = share(hardware_flops_per_gpu / time.step_s,
                     {"hfu", "1", "arXiv 2205.05198, section 6.3", Tag::modelled});
    if (training.tokens)
        time.time_to_train_s =
            named(input<N>(*training.tokens, {"tokens", "1", "plan", Tag::exact}) / time.tokens_per_s,
                  {"time_to_train_s", "s", "tokens over tokens per second", Tag::modelled});
}

template <class N> std::optional<CostReport<N>> training_cost(const Setup& setup, const TimeReport<N>& time) {
    if (!time.time_to_train_s) return std::nullopt;
    CostReport<N> cost;
    const N gpus = input<N>(static_cast<double>(setup.world()), {"gpus", "1", "plan", Tag::exact});
    cost.gpu_hours = named(gpus * *time.time_to_train_s / 3600.0,
                           {"gpu_hours", "GPUh", "GPUs times time to train", Tag::modelled});
    const Node& node = setup.cluster.node;
    if (node.dollars_per_gpu_hour > 0)
        cost.dollars =
            named(cost.gpu_hours * input<N>(node.dollars_per_gpu_hour, {"dollars_per_gpu_hour", "USD",
                                                                        "node preset or plan", Tag::assumed}),
                  {"dollars", "USD", "price list of the node preset", Tag::modelled});
    double watts = setup.plan.cluster.power_w.value_or(0);
    if (watts <= 0)
        watts = node.node_power_w > 0 ? node.node_power_w / static_cast<double>(node.gpus_per_node)
                                      : setup.cluster.accelerator.tdp_w;
    if (watts > 0)
        cost.energy_kwh = named(
            cost.gpu_hours * input<N>(watts, {"watts_per_gpu", "1", "node preset or plan", Tag::assumed}) *
                input<N>(setup.plan.cluster.pue.value_or(1.0), {"pue", "1", "plan, else 1", Tag::assumed}) /
                1000.0,
            {"energy_kwh", "kWh", "GPU hours times power times PUE", Tag::modelled});
    return cost;
}

#define SHARDLENS_INSTANTIATE(N)                                                                             \
    template TimeReport<N> detailed_time<N>(const Setup&, const cost::StepCosts<N>&, const PipelineRun&);    \
    template TimeReport<N> textbook_time<N>(const Setup&, const model::ParameterCounts<N>&);                 \
    template void add_rates<N>(TimeReport<N>&, const Setup&, const N&, const N&);                            \
    template std::optional<CostReport<N>> training_cost<N>(const Setup&, const TimeReport<N>&)
SHARDLENS_INSTANTIATE(double);
SHARDLENS_INSTANTIATE(Traced);
#undef SHARDLENS_INSTANTIATE

} // namespace shardlens
