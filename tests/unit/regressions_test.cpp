// SPDX-License-Identifier: GPL-3.0-or-later
// Twelve mistakes that planners in the field have made (project and issue named at each), as tests.
#include <algorithm>
#include <cmath>

#include "model/operators.h"
#include "plan/edit.h"
#include "plans.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

Plan mixtral() {
    Plan plan = llama_70b();
    plan.model = std::string("mixtral-8x7b");
    plan.parallel = {};
    plan.parallel.zero = 1;
    return plan;
}

double activations(const Plan& plan) { return report_of(plan)->memory.stages[0].activations_bytes; }

bool has(const Report& report, const std::string& code) {
    for (const Message& m : report.messages)
        if (m.code == code) return true;
    return false;
}

} // namespace

TEST_CASE("1. interleaving never holds less than 1F1B (okoge-kaz estimator)") {
    Plan plan = llama_70b();
    const double plain = report_of(plan)->memory.stages[0].activations_bytes;
    for (std::int64_t v : {2, 4, 5, 10}) {
        plan.parallel.virtual_pipeline = v;
        // arXiv 2205.05198, section 4.2.3: rank 0 holds 1 + (p - 1) / (p·v) times as many layers'
        // activations.
        const double ratio = report_of(plan)->memory.stages[0].activations_bytes / plain;
        CHECK(ratio >= 1);
        CHECK(ratio == Approx(1 + 3.0 / (4 * static_cast<double>(v))).epsilon(0.03));
    }
}

TEST_CASE("2. group sizes multiply to the world and experts do not multiply it (okoge-kaz estimator)") {
    Plan plan = mixtral();
    plan.parallel.expert = 8;
    const auto report = report_of(plan);
    REQUIRE(report->placement);
    using placement::GroupKind;
    const auto size = [&](GroupKind kind) { return report->placement->reach(kind).members; };
    CHECK(size(GroupKind::tp) * size(GroupKind::cp) * size(GroupKind::dp) * size(GroupKind::pp) == 64);
    CHECK(size(GroupKind::etp) * size(GroupKind::ep) * size(GroupKind::edp) * size(GroupKind::pp) == 64);
}

TEST_CASE("3. ZeRO 3 weights are total / (t·p·D), divided once; gradients are divided by t and p at every "
          "stage (EleutherAI cookbook)") {
    Plan plan = textbook_plan(textbook_70b(), 64);
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 2;
    plan.parallel.zero = 3;
    CHECK(report_of(plan)->memory.stages[0].parameters_bytes == std::ceil(2 * 70.6e9 / (4 * 2 * 8)));
    plan.parallel.zero = 0;
    CHECK(report_of(plan)->memory.stages[0].gradients_bytes == std::ceil(2 * 70.6e9 / (4 * 2)));
    // The detailed ledger: within 2 % of it, the norms are whole on every tensor rank.
    Plan detailed = llama_70b();
    detailed.parallel = {};
    detailed.parallel.zero = 3;
    const double exact = 2 * 70553706496.0 / 64;
    CHECK(report_of(detailed)->memory.stages[0].parameters_bytes == Approx(exact).epsilon(0.02));
}

TEST_CASE("4. recompute from none to full changes activations (Megatron-LM theoretical memory)") {
    for (const Plan& base : {llama_70b(), textbook_plan(textbook_70b(), 64)}) {
        Plan plan = base;
        const double none = activations(plan);
        plan.memory.recompute = Recompute::full;
        CHECK(activations(plan) < none / 2);
    }
}

TEST_CASE("5. with ZeRO off, data parallelism adds no parameter all-gather (llm-analysis)") {
    Plan plan = llama_70b();
    plan.parallel = {};
    plan.parallel.tensor = 8;
    plan.parallel.sequence = true;
    plan.overlap.grad_reduce = false;
    plan.overlap.param_gather = false; // nothing hidden: what moves is what shows
    // Ring all-reduce over d = 8 of the fp32 or 16-bit gradients of P / 8 parameters, plus nothing else: the
    // reduction at ZeRO 0 is 2 (d - 1) / d · gradient bytes; ZeRO 3 adds gathers of the 16-bit parameters in
    // forward and backward.
    const double none = report_of(plan)->time.data_comm_s;
    plan.parallel.zero = 3;
    const double gathers = report_of(plan)->time.data_comm_s;
    plan.parallel.zero = 0;
    plan.parallel.data = 1;
    plan.cluster.gpus = 8;
    const double alone = report_of(plan)->time.data_comm_s;
    CHECK(none > 0);
    CHECK(gathers > none);
    CHECK(alone == 0);
}

TEST_CASE("6. combinations that cannot be are refused in words, with a way out (SimuMax accepts ZeRO 2 and 3 "
          "and ignores them)") {
    Plan plan = llama_70b();
    plan.memory.offload_parameters =
        Offload::cpu; // only parameters that are sharded and gathered can live elsewhere
    const auto report = report_of(plan);
    CHECK_FALSE(report->valid);
    const auto refusal = std::find_if(report->messages.begin(), report->messages.end(),
                                      [](const Message& m) { return m.severity == Severity::error; });
    REQUIRE(refusal != report->messages.end());
    CHECK(refusal->text().find("zero 3") != std::string::npos);
    REQUIRE_FALSE(refusal->fixes.empty());
    REQUIRE(apply_fix(plan, refusal->fixes[0]).what.empty());
    CHECK_FALSE(has(*report_of(plan), refusal->code));
    // ZeRO 2 and 3 are not ignored: each stage shards more.
    Plan zero = llama_70b();
    zero.parallel.pipeline = 1;
    const auto states = [&](std::int64_t stage) {
        zero.parallel.zero = stage;
        const auto s = report_of(zero)->memory.stages[0];
        return s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes;
    };
    CHECK(states(1) < states(0));
    CHECK(states(2) < states(1));
    CHECK(states(3) < states(2));
}

TEST_CASE("7. stage transfers at zero overlap are finite and fall as overlap rises (SimAI)") {
    Plan plan = llama_70b();
    plan.overlap.pipeline = false;
    const double exposed = report_of(plan)->time.pipeline_comm_s;
    plan.overlap.pipeline = true;
    const double hidden = report_of(plan)->time.pipeline_comm_s;
    CHECK(std::isfinite(exposed));
    CHECK(exposed > 0);
    CHECK(hidden < exposed);
}

TEST_CASE("8. recomputed FLOPs of a layer equal that layer's forward FLOPs (Calculon)") {
    Plan plan = llama_70b();
    const auto none = report_of(plan);
    plan.memory.recompute = Recompute::full;
    const auto full = report_of(plan);
    // Hardware FLOPs rise by one forward of all layers: a third of the model FLOPs less the output head,
    // which is not recomputed.
    const auto flops = [](const Report& r) { return r.time.hfu * r.time.step_s; };
    const double tokens = 128.0 * 8192, peak = 989.4e12 * 64;
    const double layer_weights = 68452360192.0 - 8192 - 80 * 2 * 8192; // without embeddings, head and norms
    const double forward = tokens * (2 * layer_weights + 2.0 * 80 * 64 * 128 * 8192) / peak;
    CHECK(flops(*full) - flops(*none) == Approx(forward).epsilon(0.01));
}

TEST_CASE("9. gated MLPs keep more than plain ones at equal width (Megatron-LM, llm-analysis)") {
    ModelShape shape = textbook_70b();
    shape.parameters.reset();
    Plan plan = llama_70b();
    plan.model = shape;
    const double plain = activations(plan);
    shape.gated_mlp = true;
    plan.model = shape;
    CHECK(activations(plan) > plain);
}

TEST_CASE("10. V-shaped schedules put embedding and head on one rank (zero-bubble #36)") {
    pipeline::ScheduleSpec spec;
    spec.kind = ScheduleKind::zb_v;
    spec.ranks = 4;
    spec.micro_batches = 8;
    const auto schedule = pipeline::make_schedule(spec);
    REQUIRE(schedule.ok());
    CHECK(schedule->stage(0, 0) == 0);
    CHECK(schedule->stage(0, 1) == 7);
    Plan plan = llama_70b();
    plan.parallel.virtual_pipeline = 2;
    plan.parallel.schedule = ScheduleKind::zb_v;
    const auto report = report_of(plan);
    CHECK(report->memory.stages[0].logits_bytes > 0);
    CHECK(report->memory.stages[3].logits_bytes == 0);
}

TEST_CASE("10b. two copies of the model are stored and updated twice (DualPipe)") {
    Plan plan = llama_70b();
    plan.parallel.zero = 0;
    const auto one = report_of(plan);
    plan.parallel.schedule = ScheduleKind::dualpipe;
    const auto two = report_of(plan);
    // Stages 1 and 2 hold 20 layers each and neither embedding nor head.
    CHECK(two->memory.stages[1].optimizer_bytes ==
          Approx(2 * one->memory.stages[1].optimizer_bytes).epsilon(1e-6));
    CHECK(two->time.optimizer_s == Approx(2 * one->time.optimizer_s).epsilon(0.01));
}

TEST_CASE(
    "11. expert parallelism leaves activation bytes unchanged under uniform routing (Megatron-LM #1784)") {
    Plan plan = mixtral();
    plan.memory.recompute = Recompute::none;
    const double without = activations(plan);
    plan.parallel.expert = 8;
    CHECK(activations(plan) == Approx(without).epsilon(1e-6));
}

TEST_CASE("12. a margin stays below capacity (Calculon calls 79.63 of 80 GiB a fit)") {
    const auto report = report_of(llama_70b());
    CHECK(report->memory.usable_bytes <= 0.9 * report->memory.capacity_bytes);
    Plan tight = llama_70b();
    tight.cluster.memory_bytes = report->memory.need_bytes / 0.95; // needs 95 % of the card
    const auto marginal = report_of(tight);
    CHECK(marginal->verdict == Verdict::marginal);
    CHECK_FALSE(marginal->fits);
    CHECK(has(*marginal, "memory-exceeds"));
    // Every offered fix has been tried: it fits.
    for (const Message& m : marginal->messages)
        for (const Fix& fix : m.fixes)
            if (m.code == "memory-exceeds") {
                Plan fixed = tight;
                REQUIRE(apply_fix(fixed, fix).what.empty());
                CHECK(report_of(fixed)->fits);
            }
}
