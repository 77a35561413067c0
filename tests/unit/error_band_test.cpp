// SPDX-License-Identifier: GPL-3.0-or-later
// The error band beside step time and memory: from the narrowest set of runs there is, and honest without
// any.
#include "catch.h"

#include "catalog/setup.h"
#include "report/evaluate.h"

using namespace shardlens;

namespace {

const Catalog& shipped() {
    static const Catalog catalog({presets_directory()});
    return catalog;
}

Setup dense() {
    Plan plan;
    plan.stack = "nemo";
    plan.model = "llama3-8b";
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = 64;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    auto setup = resolve(plan, shipped());
    REQUIRE(setup.ok());
    Setup out = std::move(setup).value();
    out.stack.accuracy = {0.03, 0.1, 0, 0, 40};
    out.stack.accuracy_classes = {{"hopper", false, {0.02, 0.07, 0, 0, 25}},
                                  {"hopper", true, {0.2, 0.4, 0, 0, 9}}};
    out.stack.relative.clear();
    out.stack.calibrated = false;
    return out;
}

std::shared_ptr<const Report> report_of(Setup setup) {
    return evaluate(std::move(setup), shipped(), {.timeline = false});
}

} // namespace

TEST_CASE("the runs of the same GPU generation and kind of model come first") {
    const auto report = report_of(dense());
    CHECK(report->error_band.step_median == 0.02);
    CHECK(report->error_band.step_p90 == 0.07);
    CHECK(report->error_band.runs == 25);
    CHECK(report->error_band.step_scope == ErrorScope::generation);
    CHECK(step_error_note(*report).text() ==
          "Step time: 25 published runs of dense models with nemo on hopper");
    CHECK(report->error_band.memory_scope == ErrorScope::none);
    CHECK(memory_error_note(*report).text() == "Memory: nemo was never compared with published runs");
}

TEST_CASE("the runs of the same kind of model on any GPU come before all runs of the stack") {
    Setup setup = dense();
    setup.stack.accuracy_classes = {{"blackwell", false, {0.01, 0.02, 0, 0, 15}},
                                    {"", true, {0.2, 0.4, 0, 0, 22}},
                                    {"", false, {0.025, 0.08, 0, 0, 18}}};
    auto report = report_of(setup);
    CHECK(report->error_band.step_scope == ErrorScope::stack); // it never ran on this generation
    setup.stack.accuracy_classes.push_back({"hopper", false, {0.001, 0.001, 0, 0, 3}}); // too few alone
    report = report_of(setup);
    CHECK(report->error_band.step_median == 0.025);
    CHECK(report->error_band.step_p90 == 0.08);
    CHECK(report->error_band.runs == 18);
    CHECK(report->error_band.step_scope == ErrorScope::kind);
    CHECK(step_error_note(*report).text() ==
          "Step time: 18 published runs of dense models with nemo, all GPUs");
    setup.architecture.id = "blackwell";
    report = report_of(setup);
    CHECK(report->error_band.runs == 15);
    CHECK(report->error_band.step_scope == ErrorScope::generation);
}

TEST_CASE("without a class of its own a plan takes all runs of the stack") {
    Setup setup = dense();
    setup.stack.accuracy_classes = {{"ampere", false, {0.01, 0.02, 0.5, 0.6, 5}}};
    setup.stack.accuracy.memory_median = 0.015;
    const auto report = report_of(std::move(setup));
    CHECK(report->error_band.runs == 40);
    CHECK(report->error_band.step_scope == ErrorScope::stack);
    CHECK(report->error_band.memory_median == 0.015);
    CHECK(report->error_band.memory_scope == ErrorScope::stack);
    CHECK(step_error_note(*report).text() == "Step time: 40 published runs with nemo, all GPUs and models");
}

TEST_CASE("never compared is said, with the nearest relative where there is one") {
    Setup setup = dense();
    setup.stack.accuracy = {};
    setup.stack.accuracy_classes.clear();
    auto report = report_of(setup);
    CHECK(report->error_band.runs == 0);
    CHECK(report->error_band.step_scope == ErrorScope::none);
    CHECK(step_error_note(*report).text() == "Step time: nemo was never compared with published runs");
    setup.stack.relative = "megatron-core";
    report = report_of(setup);
    CHECK(step_error_note(*report).text() ==
          "Step time: nemo was never compared with published runs; its nearest relative is megatron-core");
    CHECK(report_to_text(*report).find("never compared") != std::string::npos);
}

TEST_CASE("a calibrated profile's error is that of its own run") {
    Setup setup = dense();
    setup.stack.accuracy = {0.001, 0.001, 0, 0, 1};
    setup.stack.accuracy_classes.clear();
    setup.stack.calibrated = true;
    const auto report = report_of(std::move(setup));
    CHECK(report->error_band.step_scope == ErrorScope::own_run);
    CHECK(step_error_note(*report).text() ==
          "Step time: the one run that nemo was calibrated on, not a prediction");
}

TEST_CASE("the textbook has no error band") {
    Setup setup = dense();
    setup.plan.fidelity = Fidelity::textbook;
    const auto report = report_of(std::move(setup));
    CHECK(report->error_band.runs == 0);
    CHECK(step_error_note(*report).text() ==
          "The textbook's formulas were never compared with published runs");
}

TEST_CASE("every shipped stack that was never compared names a relative that was, or none") {
    for (const auto& id : shipped().ids(PresetKind::stack)) {
        const auto stack = shipped().stack(id);
        REQUIRE(stack.ok());
        INFO(id);
        if (stack->relative.empty()) continue;
        const auto relative = shipped().stack(stack->relative);
        REQUIRE(relative.ok());
        CHECK(relative->accuracy.runs > 0);
    }
}

TEST_CASE("a plan without a release is told which one was taken, where another would change its figures") {
    Plan plan;
    plan.stack = "nanotron"; // its releases of 2024 kept other tensors
    plan.model = "llama3-8b";
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = 64;
    plan.training.sequence_length = 4096;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    const auto note_of = [](const Plan& of) {
        const auto report = evaluate(of, shipped(), {.timeline = false});
        REQUIRE(report.ok());
        const auto note = release_note(**report);
        // Only the text says it: the plan is as valid as before.
        for (const Message& message : (*report)->messages) CHECK(message.code != "stack-release");
        return note ? note->text() : std::string();
    };
    const std::string newest = shipped().stack("nanotron")->version;
    CHECK(note_of(plan) == "The plan names no release of nanotron: taken as " + newest +
                               "; for an older one, down to 2024, set stack_version");
    plan.stack_version = "2024";
    CHECK(note_of(plan).empty());
    plan.stack_version = newest;
    CHECK(note_of(plan).empty());
    plan.stack_version = "0.1";
    CHECK(note_of(plan) ==
          "No release 0.1 of nanotron is known: taken as " + newest + "; those known begin with 2024");
    plan.fidelity = Fidelity::textbook;
    CHECK(note_of(plan).empty());
}

TEST_CASE("no release is asked for where it makes no difference") {
    Plan plan;
    plan.stack = "megatron-bridge";
    plan.model = "llama3-8b";
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = 64;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    auto report = evaluate(plan, shipped(), {.timeline = false});
    REQUIRE(report.ok());
    REQUIRE((*report)->setup->oldest_release);
    CHECK(release_note(**report)); // kernels became faster
    // An oldest release that predicts the same.
    Setup same = *(*report)->setup;
    same.oldest_release = std::make_shared<StackProfile>(same.stack);
    CHECK_FALSE(release_note(*evaluate(std::move(same), shipped(), {.timeline = false})));
    plan.model = "qwen3-30b-a3b";
    report = evaluate(plan, shipped(), {.timeline = false});
    REQUIRE(report.ok());
    const auto note = release_note(**report);
    REQUIRE(note);
    CHECK(report_to_text(**report).find(note->text()) != std::string::npos);
    plan.stack = "megatron-core"; // holds one release alone
    report = evaluate(plan, shipped(), {.timeline = false});
    REQUIRE(report.ok());
    CHECK_FALSE((*report)->setup->oldest_release);
}
