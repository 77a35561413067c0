// SPDX-License-Identifier: GPL-3.0-or-later
// Steps with more operations than are simulated one by one: a few micro-batches are, and their steady state
// is continued. The result must be that of simulating all.
#include <algorithm>

#include "detailed_plans.h"
#include "plan/fields.h"

using namespace shardlens;
using shardlens::test::detailed_plan;
using shardlens::test::gpt;
using shardlens::test::report_of;

namespace {

/// A million and a quarter operations on 4 stages.
Plan long_step(ScheduleKind kind, std::int64_t chunks, std::int64_t micro_batches) {
    ModelShape shape = gpt(16, 2048, 16);
    shape.tied_embeddings = false; // the head makes the last stage the slowest
    Plan plan = detailed_plan(shape, "dgx-h100", 4);
    plan.parallel.pipeline = 4;
    plan.parallel.schedule = kind;
    plan.parallel.virtual_pipeline = chunks;
    plan.training.global_batch_size = micro_batches;
    return plan;
}

double makespan_of_all(const Report& report) {
    pipeline::ScheduleSpec spec = report.timeline->schedule.spec;
    spec.micro_batches = report.setup->micro_batches;
    pipeline::Costs costs;
    costs.hop = report.costs->hop_s;
    for (const auto& chunk : report.costs->chunks) {
        const double backward = chunk.backward.total() + chunk.recompute.total();
        costs.stages.push_back({chunk.forward.total(), backward - chunk.weight_s, chunk.weight_s, -1});
    }
    return pipeline::simulate(*pipeline::make_schedule(spec), costs, false)->makespan;
}

} // namespace

TEST_CASE("A long step takes as long as all its micro-batches, simulated one by one") {
    struct Case {
        ScheduleKind kind;
        std::int64_t chunks, micro_batches;
    };
    using enum ScheduleKind;
    for (const auto& [kind, chunks, micro_batches] :
         {Case{one_f_one_b, 1, 160'003}, Case{one_f_one_b_eager, 1, 160'003}, Case{interleaved, 2, 80'000},
          Case{interleaved_ep, 2, 80'000}, Case{zb_h1, 1, 160'002}, Case{interleaved_zb, 2, 80'000},
          Case{zb_h2, 1, 160'001}, Case{zb_v, 2, 80'003}, Case{v_half, 2, 80'002}, Case{v_min, 2, 80'001},
          Case{one_f_one_b_v, 2, 80'003}, Case{dualpipe, 1, 160'002}, Case{dualpipe_v, 2, 80'003},
          Case{chimera, 1, 160'000}, Case{hanayo, 2, 80'000}}) {
        INFO(to_string(kind));
        const auto report = report_of(long_step(kind, chunks, micro_batches), true);
        REQUIRE(report->valid);
        REQUIRE(report->setup->micro_batches == micro_batches);
        // Shortened, and said so.
        REQUIRE(report->timeline->schedule.spec.micro_batches < 100);
        REQUIRE(std::ranges::any_of(report->messages,
                                    [](const Message& m) { return m.code == "timeline-shortened"; }));
        const auto& tail = report->costs->tail;
        const double pipeline_s =
            report->time.step_s - tail.data_comm_s - tail.optimizer_s - tail.offload_s - tail.other_s;
        REQUIRE(pipeline_s == Approx(makespan_of_all(*report)).epsilon(1e-6));
    }
}
