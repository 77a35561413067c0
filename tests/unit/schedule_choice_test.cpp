// SPDX-License-Identifier: GPL-3.0-or-later
// All schedules side by side, and the split of layers that makes the slowest stage fastest.
#include <algorithm>
#include <chrono>
#include <functional>
#include <numeric>

#include "detailed_plans.h"
#include "plan/edit.h"
#include "plan/fields.h"
#include "report/balance.h"
#include "report/schedule_choice.h"

using namespace shardlens;
using shardlens::test::catalog;
using shardlens::test::detailed_plan;
using shardlens::test::gpt;
using shardlens::test::llama_70b;
using shardlens::test::report_of;
using shardlens::test::setup_of;

namespace {

std::vector<ScheduleOption> choices(const Plan& plan) {
    auto options = compare_schedules(plan, catalog());
    REQUIRE(options.ok());
    return std::move(options).value();
}

const ScheduleOption& find(const std::vector<ScheduleOption>& options, ScheduleKind kind) {
    const auto at = std::ranges::find(options, kind, &ScheduleOption::kind);
    REQUIRE(at != options.end());
    return *at;
}

/// Busy time of the slowest rank for one micro-batch, from the chunks' own costs.
double slowest_stage(const Setup& setup) {
    const auto costs = cost::step_costs<double>(setup, nullptr);
    std::vector<double> ranks(static_cast<std::size_t>(setup.pipeline), 0);
    for (std::size_t i = 0; i < costs.chunks.size(); ++i)
        ranks[static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(i)))] +=
            costs.chunks[i].forward.total() + costs.chunks[i].backward.total() +
            costs.chunks[i].recompute.total();
    return *std::ranges::max_element(ranks);
}

/// Calls visit(split) for every way to deal `layers` to `chunks`, at least one each.
void every_split(std::int64_t layers, std::size_t chunks,
                 const std::function<void(const std::vector<std::int64_t>&)>& visit) {
    std::vector<std::int64_t> split(chunks, 1);
    const std::function<void(std::size_t, std::int64_t)> deal = [&](std::size_t chunk, std::int64_t left) {
        if (chunk + 1 == chunks) {
            split[chunk] = left;
            visit(split);
            return;
        }
        const auto after = static_cast<std::int64_t>(chunks - chunk - 1);
        for (split[chunk] = 1; split[chunk] <= left - after; ++split[chunk])
            deal(chunk + 1, left - split[chunk]);
    };
    deal(0, layers);
}

struct Best {
    double slowest = 1e300;
    std::int64_t splits = 0, fitting = 0;
};

Best brute_force(Plan plan, bool must_fit) {
    Best best;
    const Setup base = setup_of(plan);
    every_split(base.shape.layers, base.layers_per_chunk.size(), [&](const std::vector<std::int64_t>& split) {
        plan.parallel.layers_per_stage = split;
        ++best.splits;
        if (must_fit) {
            const auto report = report_of(plan);
            if (report->memory.need_bytes > report->memory.usable_bytes) return;
            ++best.fitting;
        }
        best.slowest = std::min(best.slowest, slowest_stage(setup_of(plan)));
    });
    return best;
}

/// A small GPT whose head is as long as several layers.
Plan small(std::int64_t layers, std::int64_t p, std::int64_t v) {
    ModelShape shape = gpt(layers, 1024, 16);
    shape.vocab = 256000;
    shape.tied_embeddings = false;
    Plan plan = detailed_plan(shape, "dgx-a100-640", 8);
    plan.parallel.pipeline = p;
    plan.parallel.virtual_pipeline = v;
    plan.training.global_batch_size = 8 * 2 * p;
    return plan;
}

} // namespace

TEST_CASE("Every schedule that a plan can have is compared, by the same figures as its report") {
    Plan plan = llama_70b();
    plan.training.global_batch_size = 32; // 16 micro-batches
    const auto options = choices(plan);
    REQUIRE(options.size() == 17); // all but pipedream
    for (const ScheduleOption& option : options) {
        INFO(to_string(option.kind));
        REQUIRE(option.legal);
        REQUIRE(option.obstacles.empty());
        REQUIRE(option.current == (option.kind == ScheduleKind::one_f_one_b));
        Plan chosen = plan;
        REQUIRE(apply_fix(chosen, option.set).what.empty());
        const auto report = report_of(chosen);
        REQUIRE(report->setup->schedule == option.kind);
        REQUIRE(option.step_s == report->time.step_s);
        REQUIRE(option.bubble_fraction == report->time.bubble_fraction);
        REQUIRE(option.peak_bytes == report->memory.peak_bytes);
        REQUIRE(option.fits == report->fits);
        REQUIRE(option.chunks_per_rank == report->setup->virtual_pipeline);
    }
    // Borders between ranks: p - 1, p v - 1 around the loop, 2 p - 2 where the turn of the V is local,
    // v (p - 1) of a wave; two copies of the model for the bidirectional ones.
    const auto borders = [&](ScheduleKind kind) { return find(options, kind).boundaries; };
    REQUIRE(borders(ScheduleKind::one_f_one_b) == 3);
    REQUIRE(borders(ScheduleKind::zb_h2) == 3);
    REQUIRE(borders(ScheduleKind::interleaved) == 7);
    REQUIRE(borders(ScheduleKind::bfs) == 7);
    REQUIRE(borders(ScheduleKind::zb_v) == 6);
    REQUIRE(borders(ScheduleKind::dualpipe_v) == 6);
    REQUIRE(borders(ScheduleKind::hanayo) == 6);
    REQUIRE(borders(ScheduleKind::dualpipe) == 3);
    REQUIRE(borders(ScheduleKind::chimera) == 3);
    const ScheduleOption &plain = find(options, ScheduleKind::one_f_one_b),
                         &both = find(options, ScheduleKind::dualpipe);
    REQUIRE(plain.model_copies == 1);
    REQUIRE(both.model_copies == 2);
    REQUIRE(find(options, ScheduleKind::chimera).model_copies == 2);
    REQUIRE(find(options, ScheduleKind::dualpipe_v).model_copies == 1);
    // 70.55e9 parameters over 8 tensor ranks and 4 stages, the ends on the first and the last
    REQUIRE(plain.parameters_per_rank > 70.55e9 / 32);
    REQUIRE(plain.parameters_per_rank < 70.55e9 / 32 * 1.1);
    REQUIRE(both.parameters_per_rank == Approx(2 * plain.parameters_per_rank).epsilon(0.06));
    // 2 · m · borders messages of s · h / t bf16 numbers (sequence parallel)
    REQUIRE(plain.p2p_bytes_per_step == 2.0 * 16 * 3 * 8192 * 8192 / 8 * 2);
    REQUIRE(find(options, ScheduleKind::interleaved).p2p_bytes_per_step ==
            2.0 * 16 * 7 * 8192 * 8192 / 8 * 2);
}

TEST_CASE("What a plan cannot have comes with the reason and a change that mends it") {
    Plan plan = llama_70b();
    plan.training.global_batch_size = 14; // 7 micro-batches on 4 stages
    const auto options = choices(plan);
    int illegal = 0;
    for (const ScheduleOption& option : options) {
        INFO(to_string(option.kind));
        if (option.legal) continue;
        ++illegal;
        REQUIRE_FALSE(option.obstacles.empty());
        REQUIRE(option.fix.has_value());
        Plan mended = plan;
        REQUIRE(apply_fix(mended, option.set).what.empty());
        REQUIRE(apply_fix(mended, *option.fix).what.empty());
        REQUIRE(report_of(mended)->valid);
        REQUIRE(report_of(mended)->setup->schedule == option.kind);
    }
    REQUIRE(illegal >= 3);
    for (const ScheduleKind kind : {ScheduleKind::dualpipe, ScheduleKind::dualpipe_v, ScheduleKind::hanayo})
        REQUIRE_FALSE(find(options, kind).legal);
    // 7 = 2 · 4 - 1 micro-batches are just enough for ZB-H2; with 5 it says what it becomes.
    REQUIRE(find(options, ScheduleKind::zb_h2).notes.empty());
    plan.training.global_batch_size = 10;
    const auto fewer = choices(plan);
    const ScheduleOption& h2 = find(fewer, ScheduleKind::zb_h2);
    REQUIRE(h2.legal);
    REQUIRE(h2.notes.size() == 1);
    REQUIRE(h2.notes[0].text() ==
            "Schedule zb-h2 needs 2 · 4 − 1 micro-batches to be itself, the plan has 5: it runs as zb-h1");
    REQUIRE(h2.step_s == find(fewer, ScheduleKind::zb_h1).step_s);
    REQUIRE(h2.peak_bytes == find(fewer, ScheduleKind::zb_h1).peak_bytes);
}

TEST_CASE("A step too large to simulate is not a schedule of no time") {
    Plan plan = llama_70b();
    plan.training.global_batch_size = 40'000'000; // 20 million micro-batches, 160 million operations
    const auto options = choices(plan);
    // GPipe and breadth-first hold all of them; the others repeat.
    for (const ScheduleKind kind : {ScheduleKind::gpipe, ScheduleKind::bfs}) {
        const ScheduleOption& option = find(options, kind);
        REQUIRE_FALSE(option.legal);
        REQUIRE(option.obstacles.size() == 1);
        REQUIRE(option.obstacles[0].code == "pipeline-size");
        REQUIRE(option.fix.has_value());
        Plan mended = plan;
        REQUIRE(apply_fix(mended, option.set).what.empty());
        REQUIRE(apply_fix(mended, *option.fix).what.empty());
        REQUIRE(report_of(mended)->time.step_s > 0);
    }
    REQUIRE(find(options, ScheduleKind::one_f_one_b).step_s > 0);
}

TEST_CASE("A plan without a pipeline and one that breaks another rule are compared as well") {
    Plan plan = llama_70b();
    plan.parallel.pipeline = 1;
    for (const ScheduleOption& option : choices(plan))
        if (option.legal) REQUIRE(option.boundaries == 0);
    plan = llama_70b();
    plan.parallel.tensor = 7; // 64 heads
    for (const ScheduleOption& option : choices(plan)) {
        REQUIRE_FALSE(option.legal);
        REQUIRE_FALSE(option.obstacles.empty());
    }
    plan.model = std::string("no-such-model");
    REQUIRE_FALSE(compare_schedules(plan, catalog()).ok());
}

TEST_CASE("Comparing all schedules takes tens of milliseconds, of large plans too") {
    const auto seconds = [](const Plan& plan) {
        double best = 1e9;
        for (int i = 0; i < 3; ++i) {
            const auto start = std::chrono::steady_clock::now();
            REQUIRE(choices(plan).size() == 17);
            best = std::min(best,
                            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
        }
        return best;
    };
    const auto large = catalog().plan("llama3-405b-16384xh100");
    REQUIRE(large.ok());
    // Generous: a debug build on a busy machine; see `shardlens-cli bench` for speed.
    CHECK(seconds(llama_70b()) < 1);
    CHECK(seconds(*large) < 3);
}

TEST_CASE("Balance finds the split whose slowest stage is the fastest of all splits") {
    struct Case {
        std::int64_t layers, p, v;
    };
    for (const auto& [layers, p, v] :
         {Case{12, 4, 1}, Case{9, 2, 1}, Case{13, 3, 1}, Case{11, 5, 1}, Case{10, 2, 2}, Case{9, 3, 2}}) {
        INFO("layers " << layers << " p=" << p << " v=" << v);
        const Plan plan = small(layers, p, v);
        const auto found = balance(plan, catalog());
        REQUIRE(found.ok());
        const Best best = brute_force(plan, false);
        REQUIRE(found->after.slowest_stage_s == Approx(best.slowest).epsilon(1e-9));
        REQUIRE(slowest_stage(setup_of(found->plan)) == Approx(found->after.slowest_stage_s).epsilon(1e-9));
        REQUIRE(std::accumulate(found->after.layers.begin(), found->after.layers.end(), std::int64_t{0}) ==
                layers);
        REQUIRE(found->after.step_s <= found->before.step_s);
        REQUIRE(report_of(found->plan)->time.step_s == found->after.step_s);
    }
}

TEST_CASE("Balance counts layers of different kinds, and the layers that are recomputed") {
    Plan windowed = small(10, 3, 1);
    std::get<ModelShape>(windowed.model).attention_window = 128;
    std::get<ModelShape>(windowed.model).global_attention_every = 3;
    windowed.training.sequence_length = 8192;
    Plan recomputed = small(10, 3, 1);
    recomputed.memory.recompute = Recompute::full;
    recomputed.memory.recompute_layers = 2;
    for (const Plan& plan : {windowed, recomputed}) {
        const auto found = balance(plan, catalog());
        REQUIRE(found.ok());
        REQUIRE(found->after.slowest_stage_s == Approx(brute_force(plan, false).slowest).epsilon(1e-9));
    }
}

TEST_CASE("Balance stays within the memory") {
    // The fastest split puts layers of the last stage (head) on the others; so little memory that it does not
    // fit.
    Plan plan = small(12, 4, 1);
    const auto free = balance(plan, catalog());
    REQUIRE(free.ok());
    REQUIRE(free->changed);
    int limited = 0;
    for (double share = 0.8; share < 1; share += 0.02) {
        plan.cluster.memory_bytes = std::floor(share * free->after.peak_bytes / plan.memory.usable_fraction);
        const Best best = brute_force(plan, true);
        const auto found = balance(plan, catalog());
        REQUIRE(found.ok());
        INFO("memory " << *plan.cluster.memory_bytes << ", " << best.fitting << " of " << best.splits
                       << " fit");
        if (best.fitting == 0) {
            REQUIRE_FALSE(found->after.fits);
            continue;
        }
        REQUIRE(found->after.fits);
        if (best.fitting == best.splits) continue;
        ++limited;
        // Where the split given fits and is no slower, it stays.
        if (found->changed) REQUIRE(found->after.slowest_stage_s == Approx(best.slowest).epsilon(1e-9));
    }
    REQUIRE(limited > 0);
}

TEST_CASE("Balance leaves chunks empty where the plan has more chunks than layers") {
    // Llama 3 405B as published: 16 stages of 8 chunks for 126 layers
    const auto plan = catalog().plan("llama3-405b-16384xh100");
    REQUIRE(plan.ok());
    const auto found = balance(*plan, catalog());
    REQUIRE(found.ok());
    REQUIRE(found->after.layers.size() == 128);
    REQUIRE(std::accumulate(found->after.layers.begin(), found->after.layers.end(), std::int64_t{0}) == 126);
    REQUIRE(found->after.slowest_stage_s <= found->before.slowest_stage_s);
    REQUIRE(found->after.step_s <= found->before.step_s);
}

TEST_CASE("Balance says why it cannot") {
    Plan plan = llama_70b();
    plan.parallel.pipeline = 1;
    REQUIRE(balance(plan, catalog()).error().where == "parallel.pipeline");
    plan = llama_70b();
    plan.fidelity = Fidelity::textbook;
    REQUIRE(balance(plan, catalog()).error().where == "fidelity");
    plan = small(8, 4, 1);
    plan.stack = "no-such-stack";
    REQUIRE_FALSE(balance(plan, catalog()).ok());
}
