// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for every plan, whatever its numbers.
#include <rapidcheck.h>

#include <cmath>

#include "plan/edit.h"
#include "plan/plan_json.h"
#include "plans.h"
#include "random_plan.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

void check(const char* what, const std::function<void()>& property) {
    INFO(what);
    CHECK(rc::check(what, property));
}

std::shared_ptr<const Report> evaluated(const Plan& plan) {
    const auto report = evaluate(plan, catalog(), {.timeline = false});
    RC_ASSERT(report.ok());
    return *report;
}

double states(const Report& report, std::size_t stage) {
    const auto& s = report.memory.stages[stage];
    return s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes;
}

} // namespace

TEST_CASE("parts sum to the whole") {
    check("memory: total = sum of the terms, whole bytes; peak and need are the largest", [] {
        const auto report = evaluated(random_plan(*rc::gen::element(Fidelity::textbook, Fidelity::detailed)));
        double peak = 0, need = 0;
        for (const auto& s : report->memory.stages) {
            const double sum = s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes +
                               s.activations_bytes + s.logits_bytes + s.buffers_bytes +
                               s.fragmentation_bytes + s.context_bytes;
            RC_ASSERT(s.total_bytes == sum);
            RC_ASSERT(sum == std::floor(sum));
            RC_ASSERT(s.parameters_bytes >= 0 && s.activations_bytes >= 0 && s.logits_bytes >= 0 &&
                      s.buffers_bytes >= 0 && s.fragmentation_bytes >= 0);
            peak = std::max(peak, s.total_bytes);
            need = std::max(need, s.total_bytes - s.fragmentation_bytes);
        }
        RC_ASSERT(report->memory.peak_bytes == peak);
        RC_ASSERT(report->memory.need_bytes == need);
        RC_ASSERT(static_cast<std::int64_t>(report->memory.stages.size()) == report->setup->pipeline);
    });
    check("time: the exposed parts sum to the step, all finite and not negative", [] {
        const auto report = evaluated(random_plan(*rc::gen::element(Fidelity::textbook, Fidelity::detailed)));
        const auto& t = report->time;
        const std::vector<double> parts = {t.forward_s,       t.backward_s,     t.recompute_s,
                                           t.tensor_comm_s,   t.context_comm_s, t.expert_comm_s,
                                           t.pipeline_comm_s, t.bubble_s,       t.data_comm_s,
                                           t.optimizer_s,     t.offload_s,      t.other_s};
        double sum = 0;
        for (double part : parts) {
            RC_ASSERT(std::isfinite(part));
            RC_ASSERT(part >= 0);
            sum += part;
        }
        RC_ASSERT(t.step_s > 0);
        RC_ASSERT(std::fabs(sum - t.step_s) <= 1e-9 * t.step_s);
        RC_ASSERT(t.bubble_fraction >= 0 && t.bubble_fraction < 1);
        RC_ASSERT(t.mfu > 0 && t.mfu < 1);
        RC_ASSERT(t.hfu >= t.mfu * (1 - 1e-9));
    });
    check("layers of the stages sum to the model's", [] {
        const auto report = evaluated(random_plan());
        std::int64_t layers = 0;
        for (const auto& s : report->memory.stages) layers += s.layers;
        RC_ASSERT(layers == report->setup->shape.layers);
    });
}

TEST_CASE("every number explains itself") {
    check("the substituted formula evaluates to the number, within 1e-9, and names its unit, source and tag",
          [] {
              const Plan plan = random_plan(
                  *rc::gen::weightedElement<Fidelity>({{1, Fidelity::textbook}, {3, Fidelity::detailed}}));
              const auto report = evaluated(plan);
              const auto all = explain_all(plan, catalog(), 2);
              RC_ASSERT(all.ok());
              std::size_t at = 0;
              const std::function<void(const Explanation&)> walk = [&](const Explanation& e) {
                  const double value = evaluate_expression(e.substituted);
                  if (!(std::fabs(value - e.value) <= 1e-9 * std::fabs(e.value)))
                      RC_FAIL(e.name + ": " + e.substituted + " is not " + std::to_string(e.value));
                  RC_ASSERT(!e.formula.empty());
                  for (const Explanation& part : e.parts) walk(part);
              };
              visit_numbers(*report, [&](const std::string& path, const char* unit, double value) {
                  RC_ASSERT(at < all->size());
                  const auto& [explained_path, explanation] = (*all)[at++];
                  RC_ASSERT(explained_path == path);
                  RC_ASSERT(explanation.unit == unit);
                  if (!(std::fabs(explanation.value - value) <= 1e-9 * std::fabs(value)))
                      RC_FAIL(path + " is " + std::to_string(value) + " but is explained as " +
                              std::to_string(explanation.value));
                  if (explanation.source.empty()) RC_FAIL(path + " has no source");
                  // What is computed shows how: a bare value explains only what was put in.
                  const bool computed = path.find("_bytes") != std::string::npos ||
                                        path.rfind("time.", 0) == 0 || path.rfind("model.", 0) == 0;
                  if (computed && value != 0 && path != "memory.capacity_bytes" &&
                      explanation.formula.find_first_of("+-*/(") == std::string::npos)
                      RC_FAIL(path + " is explained by itself: " + explanation.formula);
                  walk(explanation);
              });
              RC_ASSERT(at == all->size());
          });
}

TEST_CASE("states shrink with ZeRO and tensor parallelism") {
    check("ZeRO 3 ≤ 2 ≤ 1 ≤ 0 on every stage", [] {
        Plan plan = random_plan(*rc::gen::element(Fidelity::textbook, Fidelity::detailed));
        plan.parallel.shard_group = 0;
        std::vector<double> before;
        for (std::int64_t zero = 0; zero <= 3; ++zero) {
            plan.parallel.zero = zero;
            const auto report = evaluated(plan);
            for (std::size_t i = 0; i < report->memory.stages.size(); ++i) {
                if (zero > 0) RC_ASSERT(states(*report, i) <= before[i] + 3);
                before.resize(report->memory.stages.size());
                before[i] = states(*report, i);
            }
        }
    });
    check("at a fixed data degree more TP never raises parameters + gradients + optimizer", [] {
        Plan plan = random_plan(*rc::gen::element(Fidelity::textbook, Fidelity::detailed));
        plan.parallel.expert_tensor = 1;
        const std::int64_t data =
            plan.cluster.gpus / (plan.parallel.tensor * plan.parallel.pipeline * plan.parallel.context);
        std::vector<double> before;
        for (std::int64_t tensor = 1; tensor <= 8; tensor *= 2) {
            plan.parallel.tensor = tensor;
            plan.parallel.data = data;
            plan.cluster.gpus = tensor * plan.parallel.pipeline * plan.parallel.context * data;
            const auto report = evaluated(plan);
            before.resize(report->memory.stages.size(), 1e300);
            for (std::size_t i = 0; i < before.size(); ++i) {
                RC_ASSERT(states(*report, i) <= before[i] + 3);
                before[i] = states(*report, i);
            }
        }
    });
}

TEST_CASE("what does not fit says how to mend it") {
    check("every fix of memory-exceeds is legal, changes something and fits", [] {
        Plan plan = random_plan();
        const auto report = evaluated(plan);
        RC_PRE(report->valid && !report->fits);
        for (const Message& m : report->messages) {
            if (m.code != "memory-exceeds") continue;
            for (std::size_t i = 0; i < m.fixes.size(); ++i) {
                for (const auto& [path, value] : m.fixes[i].set) RC_ASSERT(get_field(plan, path) != value);
                for (std::size_t j = 0; j < i; ++j) RC_ASSERT(!(m.fixes[i] == m.fixes[j]));
                Plan fixed = plan;
                RC_ASSERT(apply_fix(fixed, m.fixes[i]).what.empty());
                const auto mended = evaluated(fixed);
                RC_ASSERT(mended->valid && mended->fits);
            }
        }
    });
}

TEST_CASE("a plan written and read again gives the same report") {
    check("JSON round trip", [] {
        const Plan plan = random_plan();
        const auto again = parse_plan(plan_to_text(plan), "round trip");
        RC_ASSERT(again.ok());
        RC_ASSERT(*again == plan);
        RC_ASSERT(evaluated(plan)->time.step_s == evaluated(*again)->time.step_s);
    });
}
