// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "cost/step_costs.h"
#include "pipeline/simulate.h"
#include "placement/traffic.h"
#include "report/evaluate.h"

namespace shardlens::cli {

namespace {

// Llama 3 405B on 16,384 GPUs, the largest published dense run.
constexpr const char* kBenchPlan = "llama3-405b-16384xh100";

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Shortest of the runs that fit into `budget_s`, at least five.
template <class Run> double best_seconds(double budget_s, Run&& run) {
    double best = 1e30;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < 5 || seconds_since(begin) < budget_s; ++i) {
        const auto start = std::chrono::steady_clock::now();
        run();
        best = std::min(best, seconds_since(start));
    }
    return best;
}

} // namespace

Outcome bench_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = catalog.plan(kBenchPlan);
    if (!plan) return unreadable(plan.error());
    if (const auto once = evaluate(*plan, catalog, {.timeline = false, .traffic = false}); !once)
        return unreadable(once.error());
    const double evaluate_s = best_seconds(
        0.5, [&] { static_cast<void>(evaluate(*plan, catalog, {.timeline = false, .traffic = false})); });
    const double timeline_s =
        best_seconds(0.5, [&] { static_cast<void>(evaluate(*plan, catalog, {.timeline = true})); });

    // The same model on about 100,000 GPUs: where every group lies and what every link carries, and all
    // groups of all kinds listed besides.
    Plan large = *plan;
    auto small = resolve(*plan, catalog);
    if (!small) return unreadable(small.error());
    const std::int64_t model_ranks = small->world() / small->data;
    large.cluster.gpus = (100'000 + model_ranks - 1) / model_ranks * model_ranks;
    large.parallel.data.reset();
    const auto setup = resolve(large, catalog);
    if (!setup) return unreadable(setup.error());
    const auto placed = placement::Placement::make(*setup);
    if (!placed) return unreadable(placed.error());
    const auto volumes = cost::step_costs<double>(*setup, &*placed).volumes;
    const double place_s = best_seconds(0.1, [&] {
        static_cast<void>(placement::traffic(*placement::Placement::make(*setup), *setup, volumes));
    });
    const double groups_s = best_seconds(0.1, [&] {
        for (const placement::GroupKind kind : placement::kGroupKinds)
            static_cast<void>(placed->groups(kind));
    });

    // 50 ranks · 10,000 micro-batches · forward and backward = 1,000,000 operations.
    const Result<pipeline::Schedule> schedule =
        pipeline::make_schedule({.kind = ScheduleKind::one_f_one_b, .ranks = 50, .micro_batches = 10000});
    if (!schedule) return unreadable(schedule.error());
    pipeline::Costs costs;
    costs.stages = {{.forward = 1, .input_grad = 1, .weight_grad = 1}};
    double simulate_s = 1e30, first_simulate_s = 0; // the first run touches fresh memory
    for (int i = 0; i < 7; ++i) {
        pipeline::Schedule copy = *schedule;
        const auto start = std::chrono::steady_clock::now();
        const Result<pipeline::Timeline> timeline = pipeline::simulate(std::move(copy), costs, true);
        const double seconds = seconds_since(start);
        if (i == 0) first_simulate_s = seconds;
        simulate_s = std::min(simulate_s, seconds);
        if (!timeline) return unreadable(timeline.error());
    }

    if (options.text) {
        return {kDone,
                table({{"evaluate, without timeline", fmt::format("{:.1f} us", evaluate_s * 1e6)},
                       {"evaluate, with timeline", fmt::format("{:.1f} us", timeline_s * 1e6)},
                       {fmt::format("placement and traffic, {} GPUs", large.cluster.gpus),
                        fmt::format("{:.3f} ms", place_s * 1e3)},
                       {"all its groups listed", fmt::format("{:.1f} ms", groups_s * 1e3)},
                       {"simulate 1,000,000 operations", fmt::format("{:.1f} ms", simulate_s * 1e3)},
                       {"the same, first run", fmt::format("{:.1f} ms", first_simulate_s * 1e3)}},
                      {false, true}),
                ""};
    }
    nlohmann::ordered_json output;
    output["evaluate_us"] = std::round(evaluate_s * 1e8) / 100;
    output["evaluate_timeline_us"] = std::round(timeline_s * 1e8) / 100;
    output["placement_100k_ms"] = std::round(place_s * 1e6) / 1000;
    output["groups_100k_ms"] = std::round(groups_s * 1e5) / 100;
    output["simulate_1m_ops_ms"] = std::round(simulate_s * 1e5) / 100;
    output["simulate_1m_ops_first_ms"] = std::round(first_simulate_s * 1e5) / 100;
    return {kDone, document(output), ""};
}

} // namespace shardlens::cli
