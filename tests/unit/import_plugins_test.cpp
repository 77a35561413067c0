// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Bridge, ColossalAI, SageMaker and BMTrain: what their files say comes back as the plan that was exported,
// and old forms are read.
#include "catch.h"

#include <algorithm>

#include "launchers/import.h"
#include "launchers/launcher.h"
#include "model/counts.h"
#include "plan/plan_json.h"
#include "plans.h"

using namespace shardlens;
using namespace shardlens::launchers;
using Sets = std::vector<std::string>;

namespace {

Plan plan_of(const Sets& sets) {
    const Result<Plan> plan = load_plan(data_file("cases/val-mcore-8-errors.json"), sets);
    INFO((plan ? std::string() : plan.error().line()));
    REQUIRE(plan.ok());
    return *plan;
}

/// First file of the export.
std::string exported(const std::string& target, Sets sets) {
    sets.push_back("target=" + target);
    const auto report = evaluate(plan_of(sets), test::catalog(), {.timeline = false, .traffic = false});
    REQUIRE(report.ok());
    const auto found = find(target);
    REQUIRE(found.ok());
    const Export made = found->first->make(*(*report)->setup, **report, found->second);
    INFO((made.refusals.empty() ? std::string() : made.refusals.front().text()));
    REQUIRE(made.refusals.empty());
    return made.files.front().text;
}

ImportResult imported(const std::string& text, const std::string& name, Sets sets = {},
                      const std::string& kind = {}) {
    ImportOptions options;
    options.kind = kind;
    options.sets = std::move(sets);
    const auto result = import_plan(text, name, options);
    INFO((result ? std::string() : result.error().line()));
    REQUIRE(result.ok());
    return *result;
}

bool notes(const ImportResult& result, ImportNote::Kind kind, const std::string& key) {
    for (const ImportNote& note : result.notes)
        if (note.kind == kind && note.key == key) return true;
    return false;
}

/// What the files leave to the program.
const Sets kRest = {"model=llama3-8b",
                    "cluster.node=dgx-h100",
                    "cluster.gpus=64",
                    "training.sequence_length=8192",
                    "training.global_batch_size=128",
                    "training.micro_batch_size=1"};

/// What Megatron-Bridge's recipes of Llama say and its overrides do not.
const Sets kLlamaRecipe = {"cluster.node=dgx-h100",     "cluster.gpus=64",          "model.gated_mlp=true",
                           "model.norm=rmsnorm",        "model.biases=false",       "model.qk_norm=none",
                           "model.learned_positions=0", "model.attention_window=0", "model.mtp_layers=0"};

} // namespace

TEST_CASE("Megatron-Bridge's overrides come back as the plan") {
    const Sets sets = {"parallel.virtual_pipeline=2", "parallel.sequence=true", "parallel.context=2",
                       "memory.recompute=selective", "memory.recompute_modules=[\"core_attention\"]"};
    const ImportResult back = imported(exported("megatron-bridge", sets), "overrides.yaml", kLlamaRecipe);
    CHECK(std::string(back.importer->id) == "megatron-bridge");
    REQUIRE(back.plan);
    CHECK(back.plan->parallel.tensor == 2);
    CHECK(back.plan->parallel.pipeline == 4);
    CHECK(back.plan->parallel.virtual_pipeline == 2);
    CHECK(back.plan->parallel.context == 2);
    CHECK(back.plan->parallel.sequence);
    CHECK(back.plan->parallel.zero == 1);
    CHECK(back.plan->training.sequence_length == 8192);
    CHECK(back.plan->training.global_batch_size == 128);
    CHECK(back.plan->training.precision == Precision::bf16);
    CHECK(back.plan->memory.recompute == Recompute::selective);
    CHECK(back.plan->memory.recompute_modules == kRecomputeCoreAttention);
    const auto* shape = std::get_if<ModelShape>(&back.plan->model);
    REQUIRE(shape);
    CHECK(shape->layers == 32);
    CHECK(shape->kv() == 8);
}

TEST_CASE("what the recipe of Megatron-Bridge decides is asked for") {
    const std::string text =
        exported("megatron-bridge", {"model=llama3-70b", "parallel.tensor=8", "parallel.virtual_pipeline=2",
                                     "memory.recompute=full", "memory.recompute_layers=2"});
    const ImportResult open = imported(text, "overrides.yaml", {"cluster.node=dgx-h100", "cluster.gpus=64"});
    CHECK_FALSE(open.plan);
    for (const char* path : {"model.gated_mlp", "model.norm", "model.biases", "model.learned_positions"}) {
        CAPTURE(path);
        CHECK(std::any_of(open.notes.begin(), open.notes.end(), [&](const ImportNote& note) {
            return note.kind == ImportNote::Kind::missing && note.path == path;
        }));
    }
    const ImportResult full = imported(text, "overrides.yaml", kLlamaRecipe);
    REQUIRE(full.plan);
    CHECK(full.plan->stack == "megatron-bridge");
    CHECK(full.plan->memory.recompute_layers == 2); // one of each of two chunks
    // Llama 3 70B, model card.
    CHECK(model::count_parameters<double>(std::get<ModelShape>(full.plan->model)).total == 70553706496.0);
    Sets preset = {"cluster.node=dgx-h100", "cluster.gpus=64", "model=llama3-70b"};
    CHECK(imported(text, "overrides.yaml", preset).plan);
}

TEST_CASE("a partial override keeps what stands in the recipe unknown") {
    const ImportResult part =
        imported("model: {tensor_model_parallel_size: 4, virtual_pipeline_model_parallel_size: null}\n"
                 "train: {micro_batch_size: 1, global_batch_size: 128}\nmodle: {x: 1}\n",
                 "overrides.yaml", {}, "megatron-bridge");
    CHECK_FALSE(part.plan);
    CHECK(notes(part, ImportNote::Kind::read, "model.tensor_model_parallel_size"));
    CHECK(notes(part, ImportNote::Kind::not_understood, "modle.x"));
    bool model = false, pipeline = false;
    for (const ImportNote& note : part.notes) {
        model |= note.kind == ImportNote::Kind::missing && note.path == "model";
        pipeline |= note.path == "parallel.pipeline";
    }
    CHECK(model);
    CHECK_FALSE(pipeline);
}

TEST_CASE("ColossalAI's plugin comes back as the plan") {
    const ImportResult back =
        imported(exported("colossalai", {"parallel.virtual_pipeline=2", "parallel.context=2",
                                         "parallel.context_kind=ulysses", "memory.offload_optimizer=cpu"}),
                 "plugin.json", kRest);
    CHECK(std::string(back.importer->id) == "colossalai");
    REQUIRE(back.plan);
    CHECK(back.plan->parallel.tensor == 2);
    CHECK(back.plan->parallel.pipeline == 4);
    CHECK(back.plan->parallel.virtual_pipeline == 2);
    CHECK(back.plan->parallel.context == 2);
    CHECK(back.plan->parallel.context_kind == ContextKind::ulysses);
    CHECK(back.plan->parallel.zero == 1);
    CHECK(back.plan->memory.offload_optimizer == Offload::cpu);
    CHECK(back.plan->training.precision == Precision::bf16);
    // The arguments alone, with the plugin's own defaults.
    const ImportResult bare = imported(R"({"tp_size": 4, "pp_size": 1, "enable_sequence_parallelism": true,
                     "sequence_parallelism_mode": "split_gather", "num_microbatches": 8})",
                                       "plugin.json", kRest);
    REQUIRE(bare.plan);
    CHECK(bare.plan->parallel.sequence);
    CHECK(bare.plan->parallel.context == 1);
    CHECK(bare.plan->training.precision == Precision::fp16);
    CHECK(notes(bare, ImportNote::Kind::not_understood, "args.num_microbatches"));
}

TEST_CASE("SageMaker's parameters of both versions, and old forms") {
    const ImportResult first = imported(exported("sagemaker@1", {}), "parameters.json", kRest);
    CHECK(std::string(first.importer->id) == "sagemaker");
    REQUIRE(first.plan);
    CHECK(first.plan->parallel.tensor == 2);
    CHECK(first.plan->parallel.pipeline == 4);
    CHECK(first.plan->parallel.zero == 1);
    const ImportResult second = imported(
        exported("sagemaker@2", {"parallel.pipeline=1", "parallel.zero=3", "parallel.shard_group=8"}),
        "parameters.json", kRest);
    REQUIRE(second.plan);
    CHECK(second.plan->parallel.zero == 3);
    CHECK(second.plan->parallel.shard_group == 8);
    CHECK(second.plan->target == "sagemaker@2");
    CHECK(second.plan->parallel.tensor == 2);
    const ImportResult old = imported(R"({"partitions": 2, "microbatches": 8, "placement_strategy": "spread",
                                          "pipeline": "simple", "ddp": true})",
                                      "parameters.json", kRest);
    REQUIRE(old.plan);
    CHECK(old.plan->parallel.pipeline == 2);
    CHECK(old.plan->parallel.rank_order == "dp-pp-tp-cp");
    CHECK(old.plan->parallel.schedule == ScheduleKind::gpipe);
    CHECK(notes(old, ImportNote::Kind::read, "microbatches")); // a count, and the rest is given
    // The estimator's nesting of version 2.
    const ImportResult nested =
        imported(R"({"smdistributed": {"modelparallel": {"enabled": true, "parameters":
                     {"hybrid_shard_degree": 16, "tensor_parallel_degree": 4}}}})",
                 "parameters.json", kRest);
    REQUIRE(nested.plan);
    CHECK(nested.plan->parallel.zero == 3);
    CHECK(nested.plan->parallel.shard_group == 16);
    const ImportResult bare = imported(R"({"pipeline_parallel_degree": 2, "microbatches": 8})",
                                       "parameters.json", {"cluster.gpus=64"});
    CHECK(notes(bare, ImportNote::Kind::missing, "microbatches")); // the micro-batch is not
    CHECK(std::count_if(bare.notes.begin(), bare.notes.end(), [](const ImportNote& note) {
              return note.path == "training.global_batch_size";
          }) == 1);
}

TEST_CASE("the start of a BMTrain program comes back as the plan") {
    const ImportResult back =
        imported(exported("bmtrain", {"parallel.zero=2", "parallel.schedule=gpipe"}), "init.py",
                 {"model=llama3-8b", "cluster.node=dgx-h100", "cluster.gpus=64",
                  "training.sequence_length=8192", "training.micro_batch_size=1", "training.precision=bf16"});
    CHECK(std::string(back.importer->id) == "bmtrain");
    REQUIRE(back.plan);
    CHECK(back.plan->parallel.tensor == 2);
    CHECK(back.plan->parallel.pipeline == 4);
    CHECK(back.plan->parallel.zero == 2);
    CHECK(back.plan->parallel.schedule == ScheduleKind::gpipe);
    CHECK(back.plan->training.global_batch_size == 128); // 16 micro-batches of 1 on each of 8 data ranks
    CHECK(back.plan->memory.recompute == Recompute::full);
    CHECK(back.plan->target == "bmtrain@1.0");
}

TEST_CASE("arguments of BMTrain's start by place, computed, unknown and of another library") {
    // init_distributed(init_method, seed, pipe_size, num_micro_batches, tp_size), bmtrain/init.py
    Sets rest = kRest;
    rest.emplace_back("training.precision=fp16");
    const ImportResult placed = imported("import bmtrain as bm\nbm.init_distributed('env://', 0, 2, 8, 4)\n"
                                         "bm.init_distributed()\n",
                                         "train.py", rest);
    REQUIRE(placed.plan);
    CHECK(placed.plan->parallel.pipeline == 2);
    CHECK(placed.plan->parallel.tensor == 4);
    CHECK(placed.plan->training.gradient_dtype == Dtype::fp16);
    CHECK(notes(placed, ImportNote::Kind::warning, "line 3")); // the second call
    // Any positive size turns the pipeline on; 0 and less turn it off.
    const ImportResult off = imported("import bmtrain\nbmtrain.init_distributed(pipe_size=-1, tp_size=0, "
                                      "num_micro_batches=4)\n",
                                      "train.py", rest);
    REQUIRE(off.plan);
    CHECK(off.plan->parallel.pipeline == 1);
    CHECK(off.plan->parallel.tensor == 1);
    CHECK(off.plan->parallel.zero == 3);
    CHECK(notes(off, ImportNote::Kind::not_understood, "num_micro_batches"));
    for (const char* call : {"pipe_size=args.pipe", "**options", "'env://', 0, stages", "pipe_size='many'"}) {
        CAPTURE(call);
        const std::string text =
            std::string("from bmtrain import init_distributed\ninit_distributed(") + call + ")\n";
        const ImportResult open = imported(text, "train.py", rest);
        CHECK_FALSE(open.plan);
        rest.emplace_back("parallel.pipeline=2");
        rest.emplace_back("parallel.tensor=2");
        CHECK(imported(text, "train.py", rest).plan);
        rest.resize(rest.size() - 2);
    }
    CHECK(notes(imported("import bmtrain\nbmtrain.init_distributed(dp_size=4)\n", "train.py", rest),
                ImportNote::Kind::not_understood, "dp_size"));
    ImportOptions options;
    options.kind = "bmtrain";
    const auto other = import_plan("import deepspeed, bmtrain\ndeepspeed.init_distributed()\n", "x.py", options);
    REQUIRE_FALSE(other.ok());
    CHECK(other.error().line() ==
          "x.py: does not call bmtrain.init_distributed; a program that does is right");
}
