// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "report/build.h"

namespace shardlens {
namespace {

constexpr double kMostOps = 1.2e6; ///< simulated op by op
constexpr double kMostOpsWhole =
    8e6; ///< for schedules whose memory needs every micro-batch, and for the short runs

double ops_of(const pipeline::ScheduleSpec& s, double micro_batches) {
    return 2.0 * static_cast<double>(s.ranks) * static_cast<double>(s.chunks) * micro_batches;
}

bool holds_every_micro_batch(ScheduleKind kind) {
    return kind == ScheduleKind::gpipe || kind == ScheduleKind::bfs;
}
bool is_bidirectional(ScheduleKind kind) {
    return kind == ScheduleKind::dualpipe || kind == ScheduleKind::chimera;
}

pipeline::ScheduleSpec spec_of(const Setup& setup) {
    pipeline::ScheduleSpec spec;
    spec.kind = setup.schedule;
    spec.ranks = setup.pipeline;
    spec.micro_batches = setup.micro_batches;
    spec.chunks = is_bidirectional(setup.schedule) ? 0 : setup.virtual_pipeline;
    spec.group = setup.plan.parallel.virtual_pipeline_group;
    return spec;
}

pipeline::Costs simulator_costs(const std::vector<cost::ChunkTime<double>>& stages, double hop_s) {
    pipeline::Costs costs;
    costs.hop = hop_s;
    costs.stages.reserve(stages.size());
    for (const auto& stage : stages) {
        const double backward_s = stage.backward.total() + stage.recompute.total();
        costs.stages.push_back({stage.forward.total(), backward_s - stage.weight_s, stage.weight_s, -1});
    }
    return costs;
}

std::vector<PipelineRun::Counts> counts_of(const pipeline::Timeline& timeline) {
    std::vector<PipelineRun::Counts> counts;
    counts.reserve(timeline.critical.stages.size());
    for (const auto& s : timeline.critical.stages)
        counts.push_back({static_cast<double>(s.forward), static_cast<double>(s.backward),
                          static_cast<double>(s.input_grad), static_cast<double>(s.weight_grad),
                          static_cast<double>(s.overlapped)});
    return counts;
}

/// Micro-batches after which the order only repeats, with the remainder of `m` kept. The steady state repeats
/// every `period` micro-batches; warm-up and cool-down do not depend on how often.
struct Repetition {
    std::int64_t period, enough;
};

Repetition repetition(const pipeline::ScheduleSpec& spec) {
    const std::int64_t m = spec.micro_batches;
    const std::int64_t period = std::max<std::int64_t>(spec.group > 1 ? spec.group : spec.ranks, 1);
    const std::int64_t least = 2 * spec.ranks + 2 * period;
    return {period, std::min(m, m % period + (least / period + 1) * period)};
}

Result<pipeline::Timeline> run(const pipeline::ScheduleSpec& spec, const Setup& setup,
                               const cost::StepCosts<double>& costs, bool keep_ops) {
    auto schedule = pipeline::make_schedule(spec);
    if (!schedule) return schedule.error();
    const auto stages = stage_times(setup, costs, schedule->stages);
    return pipeline::simulate(std::move(schedule).value(), simulator_costs(stages, costs.hop_s), keep_ops);
}

} // namespace

template <class N>
std::vector<cost::ChunkTime<N>> stage_times(const Setup& setup, const cost::StepCosts<N>& costs,
                                            std::int64_t stages) {
    const auto wanted = static_cast<std::size_t>(stages);
    if (costs.chunks.size() == wanted) return costs.chunks;
    const auto add = [](cost::PassTime<N>& to, const cost::PassTime<N>& from) {
        to.compute_s += from.compute_s;
        to.tensor_comm_s += from.tensor_comm_s;
        to.context_comm_s += from.context_comm_s;
        to.expert_comm_s += from.expert_comm_s;
        to.data_comm_s += from.data_comm_s;
        to.pipeline_comm_s += from.pipeline_comm_s;
        to.offload_s += from.offload_s;
        to.host_s += from.host_s;
    };
    std::vector<cost::ChunkTime<N>> merged(wanted);
    for (std::size_t i = 0; i < costs.chunks.size(); ++i) {
        const auto rank = static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(i)));
        auto& stage = merged[rank % wanted];
        add(stage.forward, costs.chunks[i].forward);
        add(stage.backward, costs.chunks[i].backward);
        add(stage.recompute, costs.chunks[i].recompute);
        stage.weight_s += costs.chunks[i].weight_s;
    }
    return merged;
}

template std::vector<cost::ChunkTime<double>> stage_times(const Setup&, const cost::StepCosts<double>&,
                                                          std::int64_t);
template std::vector<cost::ChunkTime<Traced>> stage_times(const Setup&, const cost::StepCosts<Traced>&,
                                                          std::int64_t);

std::optional<pipeline::Schedule> ledger_schedule(const Setup& setup) {
    pipeline::ScheduleSpec spec = pipeline::with_defaults(spec_of(setup));
    if (!holds_every_micro_batch(spec.kind)) spec.micro_batches = repetition(spec).enough;
    if (ops_of(spec, static_cast<double>(spec.micro_batches)) > kMostOpsWhole) return std::nullopt;
    auto schedule = pipeline::make_schedule(spec);
    if (!schedule) return std::nullopt;
    return std::move(schedule).value();
}

bool serves_ledger(const Setup& setup, const pipeline::Schedule& simulated) {
    pipeline::ScheduleSpec spec = pipeline::with_defaults(spec_of(setup));
    const std::int64_t enough =
        holds_every_micro_batch(spec.kind) ? spec.micro_batches : repetition(spec).enough;
    const std::int64_t held = simulated.spec.micro_batches;
    spec.micro_batches = held;
    return simulated.spec == spec && held >= enough && held <= 2 * enough;
}

PipelineRun run_pipeline(const Setup& setup, const cost::StepCosts<double>& costs, bool keep_ops,
                         std::vector<Message>& messages) {
    pipeline::ScheduleSpec spec = pipeline::with_defaults(spec_of(setup));
    if (static_cast<std::int64_t>(costs.chunks.size()) < setup.pipeline)
        return {}; // a rule has spoken: more stages than layers
    if (ops_of(spec, static_cast<double>(spec.micro_batches)) <= kMostOpsWhole) {
        if (const auto obstacles = pipeline::check(spec); !obstacles.empty()) {
            messages.push_back({Severity::warning,
                                "schedule-fallback",
                                "parallel.schedule",
                                "The step is timed as plain 1F1B over whole stages: {0}",
                                {obstacles.front().text()},
                                {}});
            spec = {ScheduleKind::one_f_one_b, setup.pipeline, setup.micro_batches, 1, 0};
        }
    }

    const std::int64_t m = spec.micro_batches;
    const auto [period, enough] = repetition(spec);
    const bool cut = ops_of(spec, static_cast<double>(m)) > kMostOps && !holds_every_micro_batch(spec.kind);
    const std::int64_t short_m = cut ? enough : m;
    PipelineRun result;
    if (ops_of(spec, static_cast<double>(short_m)) > kMostOpsWhole) {
        const std::int64_t samples = setup.plan.training.micro_batch_size * setup.data * setup.pipeline;
        messages.push_back({Severity::error,
                            "pipeline-size",
                            "training.global_batch_size",
                            "{0} chunks with {1} micro-batches are too many operations to simulate",
                            {std::to_string(spec.ranks * spec.chunks), std::to_string(m)},
                            {Fix{{{"training.global_batch_size", samples}}}}});
        return result;
    }
    spec.micro_batches = short_m;
    auto timeline = run(spec, setup, costs, keep_ops);
    if (!timeline) return result;
    result.critical = counts_of(*timeline);
    result.hops = static_cast<double>(timeline->critical.hops);
    result.makespan = timeline->makespan;
    result.simulated_micro_batches = static_cast<double>(short_m);
    if (short_m < m) {
        spec.micro_batches = short_m + period;
        if (const auto longer = run(spec, setup, costs, false)) {
            const double periods = static_cast<double>(m - short_m) / static_cast<double>(period);
            const auto more = counts_of(*longer);
            const auto extend = [&](double& a, double b) { a += periods * (b - a); };
            for (std::size_t i = 0; i < result.critical.size(); ++i) {
                auto& c = result.critical[i];
                extend(c.forward, more[i].forward);
                extend(c.backward, more[i].backward);
                extend(c.input_grad, more[i].input_grad);
                extend(c.weight_grad, more[i].weight_grad);
                extend(c.overlapped, more[i].overlapped);
            }
            extend(result.hops, static_cast<double>(longer->critical.hops));
            extend(result.makespan, longer->makespan);
        }
    }
    result.timeline = std::make_shared<const pipeline::Timeline>(std::move(timeline).value());
    return result;
}

} // namespace shardlens
