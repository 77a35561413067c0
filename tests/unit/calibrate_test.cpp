// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration of a stack profile on one run, profiles on top of each other, and the reader of published runs.
#include "calibrate/calibrate.h"

#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "calibrate/fit.h"
#include "calibrate/published.h"
#include "catch.h"
#include "plan/plan_json.h"
#include "plans.h"
#include "report/evaluate.h"

using namespace shardlens;
using namespace shardlens::calibrate;
using Json = nlohmann::ordered_json;

namespace {

namespace fs = std::filesystem;

/// A folder of user presets on top of the shipped ones, removed at the end.
struct UserPresets {
    fs::path directory = fs::temp_directory_path() / ("shardlens-calibrate-" + std::to_string(::getpid()));
    UserPresets() { fs::create_directories(directory / "stacks"); }
    ~UserPresets() { fs::remove_all(directory); }
    UserPresets(const UserPresets&) = delete;
    UserPresets& operator=(const UserPresets&) = delete;

    [[nodiscard]] Catalog catalog() const {
        return Catalog({fs::path(SHARDLENS_SOURCE_DIR) / "presets", directory});
    }
    void stack(const std::string& id, const Json& json) const {
        std::ofstream(directory / "stacks" / (id + ".json")) << json.dump();
    }
};

Plan shipped_plan(const Catalog& catalog) { return *catalog.plan("llama3-70b-64xh100"); }

} // namespace

TEST_CASE("A calibrated profile meets the measurement and is no more than a few constants") {
    const UserPresets user;
    const Catalog catalog = user.catalog();
    const Plan plan = shipped_plan(catalog);
    const auto before = evaluate(plan, catalog, {.timeline = false});
    REQUIRE(before.ok());
    Observation seen;
    seen.origin = "a test";
    // 8 % slower than predicted; 2 GiB more allocated; reserved 6 % beyond that.
    seen.step_s = 1.08 * (*before)->time.step_s;
    double allocated = 0;
    for (const auto& stage : (*before)->memory.stages)
        allocated = std::max(allocated, stage.total_bytes - stage.context_bytes - stage.fragmentation_bytes);
    seen.allocated_bytes = allocated + 2147483648.0;
    seen.reserved_bytes = 1.06 * *seen.allocated_bytes;

    const auto result = calibrate::calibrate(plan, seen, catalog, "my-cluster");
    REQUIRE(result.ok());
    CHECK(result->before.step_s->error() == Approx(1 / 1.08 - 1));
    CHECK(std::abs(result->after.step_s->error()) < 0.01);
    CHECK(std::abs(result->after.allocated_bytes->error()) < 1e-6);
    CHECK(std::abs(result->after.reserved_bytes->error()) < 1e-6);
    CHECK(result->changes.size() <= 5); // three of the clock, base and fragmentation

    // Saved, it is a stack like any other, and the plan that names it gives the numbers "after".
    const auto file = save_stack(*result, catalog);
    REQUIRE(file.ok());
    Plan with = plan;
    with.stack = "my-cluster";
    const auto after = evaluate(with, catalog, {.timeline = false});
    REQUIRE(after.ok());
    CHECK((*after)->time.step_s == Approx(result->after.step_s->predicted).epsilon(1e-9));
    CHECK((*after)->error_band.runs == 1);
}

TEST_CASE("A run that shows no new thing changes nothing") {
    const UserPresets user;
    const Catalog catalog = user.catalog();
    const Plan plan = shipped_plan(catalog);
    Observation seen{(*evaluate(plan, catalog, {.timeline = false}))->time.step_s, {}, {}, "a test"};
    const auto result = calibrate::calibrate(plan, seen, catalog, "same");
    REQUIRE(result.ok());
    for (const Change& change : result->changes) CHECK(change.after == Approx(change.before).epsilon(1e-6));
}

TEST_CASE("A run of another plan is doubted, and no constant leaves what is plausible") {
    const UserPresets user;
    const Catalog catalog = user.catalog();
    const Plan plan = shipped_plan(catalog);
    const double predicted = (*evaluate(plan, catalog, {.timeline = false}))->time.step_s;
    const auto result = calibrate::calibrate(plan, {predicted / 4, {}, {}, "a test"}, catalog, "other");
    REQUIRE(result.ok());
    CHECK(result->doubt.find("is the plan the one that was measured") != std::string::npos);
    for (const Change& change : result->changes) CHECK(change.after > change.before / std::exp(3 * 0.51));
    const auto near = calibrate::calibrate(plan, {predicted * 1.02, {}, {}, "a test"}, catalog, "other");
    CHECK(near->doubt.empty());
}

TEST_CASE("What cannot be calibrated is refused with one line") {
    const UserPresets user;
    const Catalog catalog = user.catalog();
    const Plan plan = shipped_plan(catalog);
    CHECK_FALSE(calibrate::calibrate(plan, {{}, {}, {}, "x"}, catalog, "a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {-1.0, {}, {}, "x"}, catalog, "a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {INFINITY, {}, {}, "x"}, catalog, "a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {{}, 2e9, 1e9, "x"}, catalog, "a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {1.0, {}, {}, "x"}, catalog, "../a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {1.0, {}, {}, "x"}, catalog, plan.stack).ok());
    // Milliseconds, microseconds or gigabytes typed in as something else.
    const double predicted = (*evaluate(plan, catalog, {.timeline = false}))->time.step_s;
    for (const double factor : {1e-300, 1e-6, 1e-3, 1e3, 1e300}) {
        const auto absurd = calibrate::calibrate(plan, {predicted * factor, {}, {}, "x"}, catalog, "a");
        REQUIRE_FALSE(absurd.ok());
        CHECK(absurd.error().line() == "x: step time is a hundred times or more from the prediction; what a "
                                       "run of this plan printed, in the right unit, is expected");
    }
    CHECK_FALSE(calibrate::calibrate(plan, {{}, 45.0, {}, "x"}, catalog, "a").ok());
    CHECK_FALSE(calibrate::calibrate(plan, {{}, {}, 1e15, "x"}, catalog, "a").ok());
    // Any other profile can be read again, doubtful as it may be.
    for (const double factor : {0.0101, 99.0}) {
        const auto far = calibrate::calibrate(plan, {predicted * factor, {}, {}, "x"}, catalog, "far");
        REQUIRE(far.ok());
        CHECK_FALSE(far->doubt.empty());
        REQUIRE(save_stack(*far, catalog).ok());
        CHECK(catalog.stack("far").ok());
    }
    const auto other = calibrate::calibrate(plan, {1.0, {}, {}, "x"}, catalog, "deepspeed");
    REQUIRE(other.ok());
    CHECK_FALSE(save_stack(*other, catalog).ok()); // a shipped profile is not hidden by accident
}

TEST_CASE("Profiles stand on each other and name differences only") {
    const UserPresets user;
    user.stack("mine", {{"id", "mine"},
                        {"base", "nanotron"},
                        {"source", "test"},
                        {"constants", {{{"source", "test"}, {"values", {{"gemm_efficiency", 0.5}}}}}}});
    user.stack("round", {{"id", "round"}, {"base", "trip"}, {"source", "test"}});
    user.stack("trip", {{"id", "trip"}, {"base", "round"}, {"source", "test"}});
    user.stack("lost", {{"id", "lost"}, {"base", "nanotrom"}, {"source", "test"}});
    const Catalog catalog = user.catalog();
    const auto mine = catalog.stack("mine"), base = catalog.stack("nanotron");
    REQUIRE(mine.ok());
    CHECK(mine->gemm_efficiency == 0.5);
    CHECK(mine->host_s_per_layer == base->host_s_per_layer);
    CHECK(mine->saved == base->saved);
    CHECK(mine->accuracy.runs == 0); // the base's errors are not its own
    CHECK_FALSE(catalog.stack("round").ok());
    const auto lost = catalog.stack("lost");
    REQUIRE_FALSE(lost.ok());
    CHECK(lost.error().line().find("did you mean \"nanotron\"?") != std::string::npos);
}

TEST_CASE("The fit finds constants that made the measurements") {
    // Measurements made by the clock itself with other constants: a fit with weak priors must find them
    // again.
    const UserPresets user;
    const Catalog catalog = user.catalog();
    std::vector<Sample> samples;
    for (const std::int64_t length : {2048, 4096, 8192, 16384})
        for (const std::int64_t micro : {1, 2}) {
            Plan plan = shipped_plan(catalog); // on one GPU kernels alone set the time
            plan.model = std::string("llama3-8b");
            plan.cluster.gpus = plan.parallel.tensor = plan.parallel.pipeline = 1;
            plan.parallel.virtual_pipeline = 1;
            plan.parallel.data = 1;
            plan.parallel.zero = 0;
            plan.training.sequence_length = length;
            plan.training.micro_batch_size = micro;
            const auto made = make_sample(plan, catalog, 1);
            REQUIRE(made.ok());
            Sample sample = *made;
            Setup truth = sample.setup;
            truth.stack.gemm_efficiency *= 0.9;
            truth.stack.step_overhead_s *= 2;
            sample.measured_s = step_seconds(truth, sample.placement.get());
            samples.push_back(std::move(sample));
        }
    const StackProfile& stack = samples[0].setup.stack;
    std::vector<Parameter> parameters = {
        {Owner::stack, stack.id, "gemm_efficiency", stack.gemm_efficiency, 100, 0.1, 2},
        {Owner::stack, stack.id, "step_overhead_s", stack.step_overhead_s, 100, 1e-4, 5}};
    const auto values = fit(samples, parameters, {.residual_scale = 0.05, .iterations = 40});
    CHECK(values[0] == Approx(0.9 * stack.gemm_efficiency).epsilon(0.005));
    CHECK(values[1] == Approx(2 * stack.step_overhead_s).epsilon(0.02));

    // A strong prior holds against one sample.
    parameters[0].sigma = parameters[1].sigma = 1e-4;
    const auto held = fit({samples[0]}, parameters);
    CHECK(held[0] == Approx(stack.gemm_efficiency).epsilon(0.002));
}

TEST_CASE("Published runs are read with what they measured; broken ones are named") {
    const UserPresets user;
    const auto runs = published_runs(user.catalog());
    REQUIRE(runs.ok());
    std::size_t step = 0, memory = 0, failed = 0;
    for (const PublishedRun& run : *runs) {
        step += run.step_s.has_value() && !run.out_of_memory ? 1 : 0;
        memory += run.peak_bytes.has_value() ? 1 : 0;
        failed += run.out_of_memory.value_or(false) ? 1 : 0;
    }
    // Counted in the sources' tables: 702 runs with a step time and 192 with a peak, and a sweep of 1,751
    // runs of which 821 lived.
    CHECK(step == 702);
    CHECK(memory == 192);
    CHECK(failed == 1751 - 821);

    const Json plan = Json::parse(R"({"schema": "shardlens/plan/1", "model": "llama3-8b",
        "cluster": {"node": "dgx-h100", "gpus": 8},
        "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 8}})");
    const auto document = [&](const Json& measured) {
        return Json{
            {"schema", "shardlens/published/1"},
            {"runs",
             {{{"id", "a"}, {"source", "b"}, {"quality", "A"}, {"plan", plan}, {"measured", measured}}}}};
    };
    CHECK(published_runs(document({{"step_s", 1.5}}), "f").ok());
    CHECK_FALSE(published_runs(document({{"step_s", -1}}), "f").ok());
    const auto no_kind = published_runs(document({{"peak_bytes", 1e9}}), "f");
    REQUIRE_FALSE(no_kind.ok());
    CHECK(no_kind.error().line() ==
          "f: runs.0 (a): measured.peak_kind must be one of allocated, reserved, device");
    CHECK_FALSE(published_runs(Json::array(), "f").ok());
}
