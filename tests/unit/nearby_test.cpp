// SPDX-License-Identifier: GPL-3.0-or-later
// Published runs near a plan, with runs made by hand.
#include "catch.h"

#include "calibrate/nearby.h"
#include "calibrate/peaks.h"
#include "catalog/setup.h"
#include "report/evaluate.h"

using namespace shardlens;
using namespace shardlens::calibrate;

namespace {

const Catalog& shipped() {
    static const Catalog catalog({presets_directory()});
    return catalog;
}

Plan base_plan() {
    Plan plan;
    plan.name = "base";
    plan.stack = "nemo";
    plan.model = "llama3-70b";
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = 64;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 4;
    return plan;
}

PublishedRun run_of(const std::string& id, const Plan& plan) {
    PublishedRun run;
    run.id = id;
    run.source = "made by hand";
    run.plan = plan;
    run.step_s = 10;
    return run;
}

Setup resolved(const Plan& plan) {
    auto setup = resolve(plan, shipped());
    INFO((setup.ok() ? std::string() : setup.error().line()));
    REQUIRE(setup.ok());
    return std::move(setup).value();
}

double between(const Plan& a, const Plan& b) {
    return distance(traits_of(resolved(a)), traits_of(resolved(b)));
}

template <class Edit> Plan with(Edit edit) {
    Plan plan = base_plan();
    edit(plan);
    return plan;
}

PublishedIndex index_of(std::vector<PublishedRun> runs) {
    auto index = PublishedIndex::make(std::move(runs), shipped());
    INFO((index.ok() ? std::string() : index.error().line()));
    REQUIRE(index.ok());
    return std::move(index).value();
}

} // namespace

TEST_CASE("a run is nearest to itself, at distance 0") {
    const auto other = with([](Plan& p) { p.training.micro_batch_size = 2; });
    const auto index = index_of({run_of("other", other), run_of("itself", base_plan())});
    const auto near = index.nearest(resolved(base_plan()), 5, shipped());
    REQUIRE(near.size() == 2);
    CHECK(near[0].run->id == "itself");
    CHECK(near[0].distance == 0);
    CHECK(near[0].differences.empty());
    CHECK(near[1].run->id == "other");
    CHECK(near[1].differences == std::vector<Trait>{Trait::micro_batch});
}

TEST_CASE("what the planner's constants hang on outweighs the layout") {
    const Plan base = base_plan();
    const double micro = between(base, with([](Plan& p) { p.training.micro_batch_size = 2; }));
    const double tensor = between(base, with([](Plan& p) { p.parallel.tensor = 8; }));
    const double model = between(base, with([](Plan& p) { p.model = "llama3-8b"; }));
    const double stack = between(base, with([](Plan& p) { p.stack = "deepspeed"; }));
    const double generation = between(base, with([](Plan& p) { p.cluster.node = "dgx-a100-640"; }));
    const double card = between(base, with([](Plan& p) { p.cluster.accelerator = "h200-141gb-sxm"; }));
    CHECK(micro > 0);
    CHECK(tensor > micro);
    CHECK(stack > tensor);
    CHECK(stack > card);
    CHECK(generation > card);
    CHECK(model > tensor);
    const double experts = between(base, with([](Plan& p) { p.model = "mixtral-8x7b"; }));
    CHECK(experts > model - between(with([](Plan& p) { p.model = "llama3-8b"; }), base) + 4 - 1e-9);
}

TEST_CASE("the distance is symmetric and the same at every scale") {
    const auto doubled = [](std::int64_t from) {
        return between(with([&](Plan& p) { p.training.micro_batch_size = from; }),
                       with([&](Plan& p) { p.training.micro_batch_size = 2 * from; }));
    };
    CHECK(doubled(1) == Approx(doubled(8)));
    const Plan other = with([](Plan& p) {
        p.stack = "deepspeed";
        p.training.precision = Precision::fp8;
        p.memory.recompute = Recompute::full;
    });
    CHECK(between(base_plan(), other) == Approx(between(other, base_plan())));
    const double fp8 = between(base_plan(), with([](Plan& p) { p.training.precision = Precision::fp8; }));
    const double fp4 = between(base_plan(), with([](Plan& p) { p.training.precision = Precision::nvfp4; }));
    const double fp16 = between(base_plan(), with([](Plan& p) { p.training.precision = Precision::fp16; }));
    CHECK(fp16 < fp8);
    CHECK(fp8 < fp4);
}

TEST_CASE("a stack is near the one that it takes its values from") {
    const auto stack = [](const char* id) { return with([id](Plan& p) { p.stack = id; }); };
    REQUIRE(resolved(stack("thunder")).stack.relative == "torchtitan-compile");
    CHECK(between(stack("thunder"), stack("torchtitan-compile")) < between(stack("thunder"), stack("nemo")));
}

TEST_CASE("predictions are the program's own, errors are relative to what was measured") {
    PublishedRun run = run_of("measured", base_plan());
    run.peak_bytes = 70e9;
    run.peak_kind = PeakKind::reserved;
    const auto near = index_of({run}).nearest(resolved(base_plan()), 1, shipped());
    REQUIRE(near.size() == 1);
    const auto report = evaluate(base_plan(), shipped(), {.timeline = false});
    REQUIRE(report.ok());
    REQUIRE(near[0].step_s);
    CHECK(near[0].step_s->predicted == (*report)->time.step_s);
    CHECK(near[0].step_s->measured == 10);
    CHECK(near[0].step_s->error() == Approx((*report)->time.step_s / 10 - 1));
    REQUIRE(near[0].memory);
    CHECK(near[0].memory->measured == 70e9);
    CHECK(near[0].memory->predicted == peaks_of(**report).reserved);
    CHECK(near[0].memory_kind == PeakKind::reserved);
}

TEST_CASE("runs without a figure, or with a defect's step time, are not compared") {
    PublishedRun died = run_of("died", base_plan());
    died.step_s.reset();
    died.out_of_memory = true;
    PublishedRun defect = run_of("defect", base_plan());
    defect.after_pipeline_fix = false;
    PublishedRun defect_with_memory = defect;
    defect_with_memory.id = "memory";
    defect_with_memory.reserved_bytes = 60e9;
    const auto index = index_of({died, defect, defect_with_memory});
    REQUIRE(index.size() == 1);
    const auto near = index.nearest(resolved(base_plan()), 3, shipped());
    CHECK(near[0].run->id == "memory");
    CHECK_FALSE(near[0].step_s);
    CHECK(near[0].memory);
}

TEST_CASE("no more runs than asked for, equally near ones in the order of the files") {
    std::vector<PublishedRun> runs;
    for (int i = 0; i < 9; ++i) runs.push_back(run_of(std::to_string(i), base_plan()));
    const auto near = index_of(runs).nearest(resolved(base_plan()), 4, shipped());
    REQUIRE(near.size() == 4);
    for (int i = 0; i < 4; ++i) CHECK(near[std::size_t(i)].run->id == std::to_string(i));
}

TEST_CASE("a run of an unknown preset is one line with its id") {
    PublishedRun run = run_of("odd", base_plan());
    run.plan.stack = "no-such-stack";
    const auto index = PublishedIndex::make({run}, shipped());
    REQUIRE_FALSE(index.ok());
    CHECK(index.error().where == "odd");
    CHECK(index.error().line().find('\n') == std::string::npos);
}

TEST_CASE("the shipped runs are found, and a shipped run finds itself") {
    const auto runs = published_runs(shipped());
    REQUIRE(runs.ok());
    const auto index = PublishedIndex::load(shipped());
    INFO((index.ok() ? std::string() : index.error().line()));
    REQUIRE(index.ok());
    CHECK(index->size() > 1000);
    for (const PublishedRun& run : *runs) {
        if (!run.step_s || !run.after_pipeline_fix) continue;
        const auto near = index->nearest(resolved(run.plan), 1, shipped());
        REQUIRE(near.size() == 1);
        CHECK(near[0].distance == 0);
        break;
    }
}

TEST_CASE("sources have addresses where they name a paper or a public file") {
    CHECK(source_address("NVIDIA/dgxc-benchmarking:nemotron/README.md@v25.05.05") ==
          "https://github.com/NVIDIA/dgxc-benchmarking/blob/v25.05.05/nemotron/README.md");
    CHECK(source_address("Zero Bubble Pipeline Parallelism (arXiv:2401.10241), Table 4") ==
          "https://arxiv.org/abs/2401.10241");
    CHECK(source_address("see https://example.org/a.html, page 2") == "https://example.org/a.html");
    CHECK(source_address("The Ultra-Scale Playbook sweep").empty());
    CHECK(source_address("EleutherAI/pythia:models/<size>/pythia-<size>.yml@a19eecb + Pythia paper "
                         "(arXiv:2304.01373) Table 5") == "https://arxiv.org/abs/2304.01373");
}
