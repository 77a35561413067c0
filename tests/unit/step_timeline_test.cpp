// SPDX-License-Identifier: GPL-3.0-or-later
// What views draw beside the operations: memory over time, live sets, the step's own intervals, trace events.
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <nlohmann/json.hpp>

#include "memory/ledger.h"
#include "plan/fields.h"
#include "plans.h"
#include "report/memory_curve.h"
#include "report/step_timeline.h"
#include "report/trace_json.h"

using namespace shardlens;
using shardlens::test::catalog;
using shardlens::test::llama_70b;
using shardlens::test::report_of;

namespace {

/// Every schedule on Llama 3 70B with 4 stages; 16 micro-batches, so that all are legal.
Plan with_schedule(ScheduleKind kind) {
    Plan plan = llama_70b();
    plan.training.global_batch_size = 32;
    plan.parallel.schedule = kind;
    const bool several = kind == ScheduleKind::interleaved || kind == ScheduleKind::interleaved_ep ||
                         kind == ScheduleKind::bfs || kind == ScheduleKind::interleaved_zb;
    plan.parallel.virtual_pipeline = several ? 2 : 1;
    return plan;
}

std::vector<ScheduleKind> plannable() {
    std::vector<ScheduleKind> kinds;
    for (int k = 0; k < static_cast<int>(ScheduleKind::pipedream); ++k)
        kinds.push_back(static_cast<ScheduleKind>(k));
    return kinds;
}

double exposed(const RankStep& rank, std::initializer_list<StepPart> parts) {
    double seconds = 0;
    for (const StepInterval& one : rank.intervals)
        if (one.exposed && std::ranges::find(parts, one.part) != parts.end())
            seconds += one.end_s - one.start_s;
    return seconds;
}

} // namespace

TEST_CASE("The memory curve of every rank and schedule peaks where the ledger says") {
    for (const ScheduleKind kind : plannable()) {
        const auto report = report_of(with_schedule(kind), true);
        INFO(to_string(kind));
        REQUIRE(report->valid);
        for (std::size_t r = 0; r < report->memory.stages.size(); ++r) {
            INFO("rank " << r);
            const auto& stage = report->memory.stages[r];
            const MemoryCurve curve = memory_curve(*report, static_cast<std::int64_t>(r));
            REQUIRE(curve.time_s.size() == curve.bytes.size());
            REQUIRE(curve.time_s.size() > 1);
            REQUIRE(curve.time_s.front() == 0);
            REQUIRE(std::ranges::is_sorted(curve.time_s));
            // Whole bytes in the ledger, unrounded here.
            REQUIRE(std::abs(curve.peak_bytes() - stage.total_bytes) <= 1);
            REQUIRE(*std::ranges::max_element(curve.bytes) <= curve.peak_bytes() * (1 + 1e-9));
            REQUIRE(curve.bytes.back() == Approx(curve.base_bytes).epsilon(1e-12));
            REQUIRE(curve.states_bytes ==
                    stage.parameters_bytes + stage.gradients_bytes + stage.optimizer_bytes);
            REQUIRE(curve.peak_event == stage.peak_event);
            // The live set at that moment is what the curve holds there, and its last member reached it.
            const auto live = live_at(*report, static_cast<std::int64_t>(r), curve.peak_time_s());
            double sum = curve.base_bytes;
            for (const LiveActivation& one : live) sum += one.bytes;
            REQUIRE(sum == Approx(curve.peak_bytes()).epsilon(1e-12));
            REQUIRE(curve.at(curve.peak_time_s()) == Approx(sum).epsilon(1e-12));
            const pipeline::Op& reached = report->timeline->schedule.ops[curve.peak_op];
            REQUIRE(reached.kind == pipeline::OpKind::forward);
            REQUIRE(report->timeline->start[curve.peak_op] == curve.peak_time_s());
            REQUIRE(std::ranges::any_of(live, [&](const LiveActivation& one) {
                return one.chunk == reached.chunk && one.micro_batch == reached.micro_batch;
            }));
        }
    }
}

TEST_CASE("What is offloaded is not on the memory curve") {
    Plan plan = with_schedule(ScheduleKind::one_f_one_b);
    plan.memory.offload_activations = Offload::cpu;
    plan.memory.offload_layers = 5;
    const auto report = report_of(plan, true);
    const MemoryCurve curve = memory_curve(*report, 1);
    REQUIRE(std::abs(curve.peak_bytes() - report->memory.stages[1].total_bytes) <= 1);
    // 5 of the rank's 20 layers leave
    REQUIRE(curve.chunk_bytes[0] == Approx(0.75 * report->chunk_activation_bytes[1]));
}

TEST_CASE("The live set of 1F1B in words") {
    const auto report = report_of(with_schedule(ScheduleKind::one_f_one_b), true);
    const pipeline::Timeline& timeline = *report->timeline;
    // Rank 0 of 4 warms up with 3 forwards, then one forward, one backward: while B0 runs it holds F0 … F3.
    const auto first = timeline.schedule.rank(0);
    const auto backward = std::ranges::find(first, pipeline::OpKind::backward, &pipeline::Op::kind);
    const auto at = static_cast<std::size_t>(backward - first.begin());
    const double during = (timeline.start[at] + timeline.end[at]) / 2;
    REQUIRE(live_text(live_at(*report, 0, during), false) == "F0…F3");
    // once it has ended F0 is gone
    REQUIRE(live_text(live_at(*report, 0, timeline.end[at] * (1 + 1e-12)), false).substr(0, 2) == "F1");
    REQUIRE(live_at(*report, 0, timeline.makespan).empty());
    REQUIRE(live_at(*report, 0, -1).empty());
    REQUIRE(live_at(*report, 9, 0).empty());
    REQUIRE(live_text({{0, 3, 1}, {0, 4, 1}, {1, 2, 1}}, true) == "F3.0, F4.0, F2.1");
    REQUIRE(live_text({}, true).empty());
    REQUIRE(memory_curve(*report, 4).bytes.empty());
    REQUIRE(memory_curve(*report_of(with_schedule(ScheduleKind::one_f_one_b), false), 0).bytes.empty());
}

TEST_CASE("The step's own intervals add up to the report and end with the step") {
    for (const ScheduleKind kind : plannable())
        for (const std::int64_t zero : {0, 1, 2}) {
            Plan plan = with_schedule(kind);
            plan.parallel.zero = zero;
            const auto report = report_of(plan, true);
            INFO(to_string(kind) << " zero " << zero);
            const StepTimeline step = step_timeline(*report);
            REQUIRE(step.ranks.size() == 4);
            REQUIRE(step.step_s == Approx(report->time.step_s).epsilon(1e-9));
            const RankStep& largest = step.ranks[static_cast<std::size_t>(step.largest_rank)];
            const double inside = report->time.data_comm_s - report->costs->tail.data_comm_s;
            REQUIRE(inside >= -1e-12);
            REQUIRE(exposed(largest, {StepPart::grad_reduce, StepPart::param_gather}) ==
                    Approx(report->time.data_comm_s - inside).epsilon(1e-9));
            REQUIRE(exposed(largest, {StepPart::optimizer}) ==
                    Approx(report->time.optimizer_s).epsilon(1e-9));
            for (std::size_t r = 0; r < step.ranks.size(); ++r) {
                INFO("rank " << r);
                std::map<std::int32_t, double> last_gradient;
                const pipeline::Timeline& timeline = *report->timeline;
                for (std::size_t i = timeline.schedule.first[r]; i < timeline.schedule.first[r + 1]; ++i) {
                    const pipeline::Op& op = timeline.schedule.ops[i];
                    if (op.kind == pipeline::OpKind::backward || op.kind == pipeline::OpKind::weight_grad)
                        last_gradient[op.chunk] = timeline.end[i];
                }
                double rank_end = 0;
                for (const auto& [chunk, end] : last_gradient) rank_end = std::max(rank_end, end);
                double optimizer = 0;
                for (const StepInterval& one : step.ranks[r].intervals) {
                    REQUIRE(one.start_s >= 0);
                    REQUIRE(one.end_s > one.start_s);
                    REQUIRE(one.end_s <= step.step_s * (1 + 1e-12));
                    if (one.part == StepPart::optimizer) optimizer = one.start_s;
                    if (one.part != StepPart::grad_reduce) continue;
                    // Exposed behind the rank's work, hidden beside it, never after the optimizer has begun.
                    if (one.exposed) {
                        REQUIRE(one.start_s >= rank_end * (1 - 1e-12));
                        REQUIRE(one.end_s <=
                                step.pipeline_end_s + report->costs->tail.parts.reduce_exposed_s + 1e-12);
                    } else {
                        REQUIRE(one.end_s <= rank_end * (1 + 1e-12));
                        REQUIRE(one.start_s <= last_gradient[one.chunk] * (1 + 1e-12));
                    }
                }
                REQUIRE(optimizer >= step.pipeline_end_s);
            }
        }
}

TEST_CASE("Communication inside the operations counts as exposed") {
    const auto report = report_of(with_schedule(ScheduleKind::one_f_one_b), true);
    const StepTimeline step = step_timeline(*report);
    // The slowest rank is the last one (head): its parts of the report are its own.
    const auto& time = report->time;
    const double parts = time.tensor_comm_s + time.context_comm_s + time.expert_comm_s + time.pipeline_comm_s;
    const double tail = exposed(step.ranks[3], {StepPart::grad_reduce, StepPart::param_gather});
    REQUIRE(parts > 0);
    REQUIRE(step.ranks[3].exposed_comm_s == Approx(parts + tail).epsilon(1e-9));
}

TEST_CASE("A plan's trace has every operation, every result that changes ranks, and bytes over time") {
    for (const ScheduleKind kind : plannable()) {
        INFO(to_string(kind));
        const auto report = report_of(with_schedule(kind), true);
        const auto text = trace_json(*report);
        REQUIRE(text.ok());
        const auto trace = nlohmann::json::parse(*text);
        const pipeline::Schedule& schedule = report->timeline->schedule;
        std::multiset<std::string> drawn, wanted;
        std::map<std::int64_t, std::int64_t> flows; // id → events
        std::map<std::int64_t, std::vector<std::pair<double, double>>> by_thread;
        std::size_t counters = 0, threads = 0;
        for (const auto& event : trace["traceEvents"]) {
            const std::string phase = event["ph"];
            REQUIRE(event["pid"] == 0);
            if (phase == "M") {
                threads += event["name"] == "thread_name";
                continue;
            }
            REQUIRE(event["ts"].get<double>() >= 0);
            if (phase == "X") {
                REQUIRE(event["dur"].get<double>() >= 0);
                const std::int64_t thread = event["tid"];
                by_thread[thread].emplace_back(event["ts"],
                                               event["ts"].get<double>() + event["dur"].get<double>());
                if (thread % 2 != 0) continue; // the step's own intervals
                const std::string name = event["name"];
                const auto plus = name.find('+');
                drawn.insert(std::to_string(thread / 2) + " " + name.substr(0, plus));
                if (plus != std::string::npos)
                    drawn.insert(std::to_string(thread / 2) + " " + name.substr(plus + 1));
            } else if (phase == "s" || phase == "f") {
                flows[event["id"]] += phase == "s" ? 1 : 100;
            } else {
                REQUIRE(phase == "C");
                REQUIRE(event["args"]["bytes"].get<double>() > 0);
                ++counters;
            }
        }
        std::int64_t borders = 0;
        std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> rank_of; // copy, stage
        for (std::int64_t r = 0; r < schedule.spec.ranks; ++r) {
            for (const pipeline::Op& op : schedule.rank(r))
                wanted.insert(std::to_string(r) + " " + pipeline::token(op, schedule.spec.chunks > 1));
            for (std::int64_t c = 0; c < schedule.spec.chunks; ++c)
                rank_of[{schedule.bidirectional ? c : 0, schedule.stage(r, c)}] = r;
        }
        for (const auto& [at, rank] : rank_of)
            if (at.second > 0) borders += rank != rank_of[{at.first, at.second - 1}];
        REQUIRE(drawn == wanted);
        REQUIRE(threads == 8);
        REQUIRE(counters > static_cast<std::size_t>(4 * schedule.spec.micro_batches));
        const std::int64_t each_way =
            schedule.spec.micro_batches * borders / (schedule.bidirectional ? 2 : 1);
        REQUIRE(static_cast<std::int64_t>(flows.size()) == 2 * each_way);
        for (const auto& [id, events] : flows) REQUIRE(events == 101); // one start, one finish
        for (auto& [thread, spans] : by_thread) {
            std::ranges::sort(spans);
            for (std::size_t i = 1; i < spans.size(); ++i)
                REQUIRE(spans[i].first >= spans[i - 1].second - 1e-3); // thousandths of a microsecond
        }
    }
    REQUIRE_FALSE(trace_json(*report_of(with_schedule(ScheduleKind::gpipe), false)).ok());
}

TEST_CASE("A bare schedule's trace counts activations in whole milliseconds") {
    auto timeline = pipeline::simulate(*pipeline::make_schedule({ScheduleKind::one_f_one_b, 2, 2}),
                                       {{pipeline::StageCost{1, 1, 1}}, 0}, true);
    const auto trace = nlohmann::json::parse(*trace_json(*timeline));
    // rank 1: F0 1–2, B0 2–4, F1 4–5, B1 5–7
    std::map<double, double> alive;
    for (const auto& event : trace["traceEvents"])
        if (event["ph"] == "C" && event["name"] == "rank 1 activations")
            alive[event["ts"]] = event["args"]["alive"];
    REQUIRE(alive == std::map<double, double>{{1000, 1}, {4000, 1}, {7000, 0}});
}

TEST_CASE("Times that nanoseconds cannot count are refused, not wrapped around") {
    const auto schedule = *pipeline::make_schedule({ScheduleKind::one_f_one_b, 2, 2});
    // (2 + 2 - 1) · 3 = 9 units of a millisecond: 9e9 s and 9.9e9 s; 2⁶³ ns are 9.22e9 s
    const auto longest = pipeline::simulate(schedule, {{pipeline::StageCost{1e12, 1e12, 1e12}}, 0}, true);
    const auto longer =
        pipeline::simulate(schedule, {{pipeline::StageCost{1.1e12, 1.1e12, 1.1e12}}, 0}, true);
    const auto trace = nlohmann::json::parse(*trace_json(*longest));
    for (const auto& event : trace["traceEvents"])
        if (event.contains("ts")) REQUIRE(event["ts"].get<double>() >= 0);
    REQUIRE_FALSE(trace_json(*longer).ok());
}
