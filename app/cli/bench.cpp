// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "pipeline/simulate.h"
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
    if (const auto once = evaluate(*plan, catalog, {.timeline = false}); !once)
        return unreadable(once.error());
    const double evaluate_s =
        best_seconds(0.5, [&] { static_cast<void>(evaluate(*plan, catalog, {.timeline = false})); });
    const double timeline_s =
        best_seconds(0.5, [&] { static_cast<void>(evaluate(*plan, catalog, {.timeline = true})); });

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
                       {"simulate 1,000,000 operations", fmt::format("{:.1f} ms", simulate_s * 1e3)},
                       {"the same, first run", fmt::format("{:.1f} ms", first_simulate_s * 1e3)}},
                      {false, true}),
                ""};
    }
    nlohmann::ordered_json output;
    output["evaluate_us"] = std::round(evaluate_s * 1e8) / 100;
    output["evaluate_timeline_us"] = std::round(timeline_s * 1e8) / 100;
    output["simulate_1m_ops_ms"] = std::round(simulate_s * 1e5) / 100;
    output["simulate_1m_ops_first_ms"] = std::round(first_simulate_s * 1e5) / 100;
    return {kDone, document(output), ""};
}

} // namespace shardlens::cli
