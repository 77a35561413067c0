// SPDX-License-Identifier: GPL-3.0-or-later
// The worked figures that every course on distributed training repeats, to the printed digit: 16 bytes per parameter,
// the ZeRO table, 34·sbh, 6·N·D and the bubble.
#include <cmath>

#include "plans.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

/// Rounded to `digits` behind the point, as a printed figure.
double printed(double value, int digits) {
    const double scale = std::pow(10, digits);
    return std::round(value * scale) / scale;
}

struct Gib {
    double states, activations, total;
};

Gib gib(const Report& report) {
    const auto& s = report.memory.stages.front();
    return {(s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes) / kGiB, s.activations_bytes / kGiB, s.total_bytes / kGiB};
}

Plan states_only(double parameters, std::int64_t t, std::int64_t p, std::int64_t gpus) {
    ModelShape shape = textbook_70b();
    shape.parameters = parameters;
    shape.layers = 96;
    Plan plan = textbook_plan(shape, gpus);
    plan.parallel.tensor = t;
    plan.parallel.pipeline = p;
    plan.training.global_batch_size = 3072;
    return plan;
}

double states_bytes(const Plan& plan) {
    const auto report = report_of(plan);
    const auto& s = report->memory.stages.front();
    return s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes;
}

} // namespace

TEST_CASE("70B class on 64 cards: the four rows") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    SECTION("DP 64, ZeRO 0 does not fit") {
        const auto report = report_of(plan);
        CHECK(printed(gib(*report).states, 1) == 1052.0);
        CHECK(printed(gib(*report).activations, 1) == 170.0);
        CHECK(printed(gib(*report).total, 1) == 1222.0);
        CHECK(report->verdict == Verdict::does_not_fit);
    }
    SECTION("DP 64, ZeRO 3 does not fit: activations are the bottleneck") {
        plan.parallel.zero = 3;
        const auto report = report_of(plan);
        CHECK(printed(gib(*report).states, 1) == 16.4);
        CHECK(printed(gib(*report).activations, 1) == 170.0);
        CHECK(printed(gib(*report).total, 1) == 186.4);
        CHECK(report->verdict == Verdict::does_not_fit);
    }
    SECTION("DP 64, ZeRO 3, full recompute fits") {
        plan.parallel.zero = 3;
        plan.memory.recompute = Recompute::full;
        const auto report = report_of(plan);
        CHECK(printed(gib(*report).states, 1) == 16.4);
        CHECK(printed(gib(*report).activations, 1) == 10.0);
        CHECK(printed(gib(*report).total, 1) == 26.4);
        CHECK(report->verdict == Verdict::fits);
        CHECK(report->fits);
    }
    SECTION("TP 8 with SP, PP 4, DP 2, ZeRO 1 fits without recompute") {
        plan.parallel.tensor = 8;
        plan.parallel.sequence = true;
        plan.parallel.pipeline = 4;
        plan.parallel.zero = 1;
        const auto report = report_of(plan);
        CHECK(report->memory.stages[0].in_flight_micro_batches == 4);
        CHECK(report->memory.stages[3].in_flight_micro_batches == 1);
        CHECK(printed(gib(*report).states, 1) == 20.5);
        CHECK(printed(gib(*report).activations, 2) == 21.25);
        CHECK(printed(gib(*report).total, 1) == 41.8);
        CHECK(report->verdict == Verdict::fits);
    }
    SECTION("an 80 GB card counts as 80 GiB, of which 72 are usable") {
        const auto report = report_of(plan);
        CHECK(report->memory.capacity_bytes == 80 * kGiB);
        CHECK(report->memory.usable_bytes == 72 * kGiB);
    }
}

TEST_CASE("8B exercise: 8 cards, s = 4096, b = 2, ZeRO 2 fits tightly") {
    ModelShape shape = textbook_70b();
    shape.parameters = 8e9;
    shape.layers = 32;
    shape.hidden = 4096;
    shape.heads = 32;
    Plan plan = textbook_plan(shape, 8);
    plan.training.sequence_length = 4096;
    plan.training.micro_batch_size = 2;
    plan.parallel.zero = 2;
    const auto report = report_of(plan);
    const Gib g = gib(*report);
    CHECK(printed(g.states * kGiB / 1e9, 0) == 30);
    CHECK(printed(g.states, 1) == 27.9);
    CHECK(printed(g.activations * kGiB / 1e9, 1) == 36.5);
    CHECK(printed(g.activations, 0) == 34);
    CHECK(printed(g.total, 0) == 62);
    CHECK(report->fits);
}

TEST_CASE("model states of 175B, 700B, 1T and 7B") {
    const auto report = report_of(states_only(175e9, 1, 1, 8));
    const auto& s = report->memory.stages.front();
    CHECK(s.parameters_bytes == 350e9);
    CHECK(s.gradients_bytes == 350e9);
    CHECK(s.optimizer_bytes == 2.1e12);
    CHECK(states_bytes(states_only(175e9, 1, 1, 8)) == 2.8e12);
    CHECK(states_bytes(states_only(175e9, 8, 8, 64)) == 43.75e9);
    CHECK(states_bytes(states_only(700e9, 1, 1, 8)) == 11.2e12);
    CHECK(states_bytes(states_only(1e12, 1, 1, 8)) == 16e12);
    CHECK(states_bytes(states_only(1e12, 8, 16, 128)) == 125e9);
    CHECK_FALSE(report_of(states_only(1e12, 8, 16, 128))->fits);
    Plan larger = states_only(1e12, 8, 32, 8 * 32 * 12);
    larger.parallel.sequence = true;
    CHECK(larger.cluster.gpus == 3072);
    CHECK(states_bytes(larger) == 62.5e9); // half of 125 GB
    Plan small = states_only(7e9, 1, 1, 8);
    CHECK(report_of(small)->memory.stages[0].parameters_bytes == 14e9);
    CHECK(states_bytes(small) == 112e9);
    // A model of 10 GB of weights on 8 cards of plain data parallelism: 80 GB, 70 of them copies.
    CHECK(8 * report_of(states_only(5e9, 1, 1, 8))->memory.stages[0].parameters_bytes == 80e9);
}

TEST_CASE("bytes per parameter by ZeRO stage and precision") {
    const double psi = 1e9;
    const auto per_parameter = [&](std::int64_t zero, std::int64_t d, Precision precision = Precision::bf16) {
        Plan plan = states_only(psi, 1, 1, d);
        plan.parallel.zero = zero;
        plan.training.precision = precision;
        return states_bytes(plan) / psi;
    };
    CHECK(per_parameter(0, 8) == 16);
    CHECK(per_parameter(0, 8, Precision::fp32) == 16); // 4 + 4 + 8
    CHECK(per_parameter(1, 8) == 4 + 12 / 8.0);
    CHECK(per_parameter(2, 8) == 2 + 14 / 8.0);
    CHECK(per_parameter(3, 8) == 16 / 8.0);
    // Large-d limits against stage 0: about 1/4, 1/8, linear in d.
    CHECK(per_parameter(1, 1024) / 16 == Approx(0.25).margin(0.001));
    CHECK(per_parameter(2, 1024) / 16 == Approx(0.125).margin(0.001));
    CHECK(per_parameter(3, 1024) == 16 / 1024.0);
}

TEST_CASE("activations per layer: no TP, TP, TP with SP, full and selective recompute, scores") {
    const double s = 8192, b = 1, h = 8192, a = 64, sbh = s * b * h, layers = 80;
    Plan plan = textbook_plan(textbook_70b(), 64);
    const auto bytes = [&](const Plan& p) { return report_of(p)->memory.stages[0].activations_bytes / layers; };
    CHECK(bytes(plan) == 34 * sbh);
    plan.training.attention = Attention::standard;
    CHECK(bytes(plan) == 34 * sbh + 5 * a * s * s * b);
    plan.memory.recompute = Recompute::selective;
    CHECK(bytes(plan) == 34 * sbh);
    plan.training.attention = Attention::flash;
    plan.memory.recompute = Recompute::none;
    plan.parallel.tensor = 8;
    CHECK(bytes(plan) == sbh * (10 + 24 / 8.0));
    plan.parallel.sequence = true;
    CHECK(bytes(plan) == 34 * sbh / 8);
    plan.memory.recompute = Recompute::full;
    CHECK(bytes(plan) == 2 * sbh / 8);
    plan.parallel.sequence = false;
    CHECK(bytes(plan) == 2 * sbh);
}

TEST_CASE("1F1B holds min(p - stage, m), GPipe holds m") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    plan.parallel.pipeline = 8;
    plan.training.global_batch_size = 8 * 3; // m = 3
    for (int stage = 0; stage < 8; ++stage)
        CHECK(report_of(plan)->memory.stages[static_cast<std::size_t>(stage)].in_flight_micro_batches == std::min(8 - stage, 3));
    plan.parallel.schedule = ScheduleKind::gpipe;
    CHECK(report_of(plan)->memory.stages[7].in_flight_micro_batches == 3);
}

TEST_CASE("6·N·D: FLOPs, hours and years") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    plan.training.tokens = 1e9;
    const auto report = report_of(plan);
    const double flops = report->time.model_flops_per_s_per_gpu * 64 * *report->time.time_to_train_s;
    CHECK(printed(flops / 1e20, 2) == 4.24);
    CHECK(printed(*report->time.time_to_train_s / 3600, 1) == 4.6);
    CHECK(report->time.mfu == Approx(0.4));
    plan.training.tokens = 15e12;
    CHECK(printed(*report_of(plan)->time.time_to_train_s / (365.25 * 86400), 0) == 8);
    // 70B over 1T tokens: about 4.2e23 FLOPs.
    ModelShape shape = textbook_70b();
    shape.parameters = 70e9;
    Plan trillion = textbook_plan(shape, 64);
    trillion.training.tokens = 1e12;
    const auto t = report_of(trillion);
    CHECK(printed(t->time.model_flops_per_s_per_gpu * 64 * *t->time.time_to_train_s / 1e23, 1) == 4.2);
}

TEST_CASE("a third forward, two thirds backward, full recompute one more forward") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    const auto none = report_of(plan);
    plan.memory.recompute = Recompute::full;
    const auto full = report_of(plan);
    CHECK(none->time.forward_s * 2 == Approx(none->time.backward_s));
    CHECK(none->time.recompute_s == 0);
    CHECK(full->time.recompute_s == Approx(full->time.forward_s));
    CHECK(full->time.step_s == Approx(none->time.step_s * 4 / 3));
    CHECK(full->time.mfu == Approx(0.3));
    CHECK(full->time.hfu == Approx(0.4));
}

TEST_CASE("bubble share: p = 8 with m = 8 and m = 64; interleaving divides the bubble's time") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    plan.parallel.pipeline = 8; // data 8
    plan.training.global_batch_size = 64;
    CHECK(printed(100 * report_of(plan)->time.bubble_fraction, 1) == 46.7);
    plan.training.global_batch_size = 512;
    CHECK(printed(100 * report_of(plan)->time.bubble_fraction, 1) == 9.9);
    plan.parallel.virtual_pipeline = 2;
    CHECK(report_of(plan)->time.bubble_fraction == Approx(3.5 / (64 + 3.5)));
}
