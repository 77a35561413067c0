// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_json.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "json/strict_json.h"

using namespace shardlens;
using Json = nlohmann::ordered_json;

namespace {

/// The example of contract, section 1, word for word.
constexpr const char* kExample = R"({
  "schema": "shardlens/plan/1",
  "name": "Llama 3 70B on 64 H100",
  "stack": "megatron-bridge",
  "target": "megatron-lm@0.19",
  "model": "llama3-70b",
  "cluster": {"node": "dgx-h100", "gpus": 64},
  "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 128,
               "precision": "bf16", "optimizer": "adamw", "attention": "flash", "tokens": 1e12},
  "parallel": {"tensor": 8, "sequence": true, "pipeline": 4, "virtual_pipeline": 1, "context": 1,
               "expert": 1, "expert_tensor": 1, "data": 2, "zero": 1, "shard_group": 0,
               "schedule": "1f1b", "layers_per_stage": [], "rank_order": "tp-cp-ep-dp-pp"},
  "memory": {"recompute": "none", "recompute_modules": [], "recompute_layers": 0,
             "offload_optimizer": "none", "offload_parameters": "none", "usable_fraction": 0.9},
  "overlap": {},
  "fidelity": "detailed"
})";

/// Nothing but what must be given.
constexpr const char* kSmallest = R"({"schema": "shardlens/plan/1", "model": "llama3-8b",
  "cluster": {"node": "dgx-h100", "gpus": 8},
  "training": {"sequence_length": 4096, "micro_batch_size": 2, "global_batch_size": 32}})";

Plan read(std::string_view text, std::vector<std::string> sets = {}) {
    auto plan = parse_plan(text, "plan.json", sets);
    INFO((plan ? std::string() : plan.error().line()));
    REQUIRE(plan.ok());
    return *plan;
}

std::string error_of(std::string_view text, std::vector<std::string> sets = {}) {
    const auto plan = parse_plan(text, "plan.json", sets);
    REQUIRE_FALSE(plan.ok());
    return plan.error().line();
}

} // namespace

TEST_CASE("the contract's example is read into the members it names") {
    const Plan plan = read(kExample);
    CHECK(plan.name == "Llama 3 70B on 64 H100");
    CHECK(plan.stack == "megatron-bridge");
    CHECK(plan.stack_version.empty());
    CHECK(plan.target == "megatron-lm@0.19");
    CHECK(std::get<std::string>(plan.model) == "llama3-70b");
    CHECK(plan.cluster.node == "dgx-h100");
    CHECK(plan.cluster.gpus == 64);
    CHECK(plan.training.sequence_length == 8192);
    CHECK(plan.training.micro_batch_size == 1);
    CHECK(plan.training.global_batch_size == 128);
    CHECK(plan.training.tokens == 1e12);
    CHECK(plan.parallel.tensor == 8);
    CHECK(plan.parallel.sequence);
    CHECK(plan.parallel.pipeline == 4);
    CHECK(plan.parallel.data == 2);
    CHECK(plan.parallel.zero == 1);
    CHECK(plan.parallel.schedule == ScheduleKind::one_f_one_b);
    CHECK(plan.fidelity == Fidelity::detailed);
}

TEST_CASE("the contract's example comes out as it went in") {
    const Json written = plan_to_json(read(kExample));
    CHECK(written == *parse_strict(kExample, "x"));
    std::vector<std::string> keys;
    for (const auto& [key, value] : written.items()) keys.push_back(key);
    CHECK(keys == std::vector<std::string>{"schema", "name", "stack", "target", "model", "cluster",
                                           "training", "parallel", "memory", "overlap", "fidelity"});
    CHECK(written["overlap"].is_object());
    // Bytes and tokens are integers, also where they came as 1e12.
    CHECK(written["training"]["tokens"].is_number_integer());
    CHECK(plan_to_text(read(kExample)).back() == '\n');
}

TEST_CASE("what is left out has the contract's defaults") {
    const Plan plan = read(kSmallest);
    CHECK(plan.name.empty());
    CHECK(plan.stack == "generic");
    CHECK(plan.target.empty());
    CHECK(plan.training.precision == Precision::bf16);
    CHECK(plan.training.optimizer == Optimizer::adamw);
    CHECK(plan.training.attention == Attention::flash);
    CHECK_FALSE(plan.training.tokens.has_value());
    CHECK_FALSE(plan.training.gradient_dtype.has_value());
    CHECK(plan.training.moe_imbalance == 1);
    CHECK(plan.training.assumed_mfu == 0.4);
    CHECK(plan.parallel == Parallel{});
    CHECK(plan.parallel.tensor == 1);
    CHECK_FALSE(plan.parallel.data.has_value());
    CHECK_FALSE(plan.parallel.schedule.has_value());
    CHECK(plan.parallel.rank_order == "tp-cp-ep-dp-pp");
    CHECK(plan.memory == MemoryOptions{});
    CHECK(plan.memory.usable_fraction == 0.9);
    CHECK(plan.overlap == OverlapOptions{});
    CHECK(plan.fidelity == Fidelity::detailed);
}

TEST_CASE("what is left out stays left out") {
    const Json written = plan_to_json(read(kSmallest));
    for (const char* key : {"name", "stack_version", "target"}) CHECK_FALSE(written.contains(key));
    for (const char* key : {"data", "schedule", "context_kind", "virtual_pipeline_group"})
        CHECK_FALSE(written["parallel"].contains(key));
    for (const char* key : {"tokens", "gradient_dtype", "optimizer_dtype", "moe_imbalance", "assumed_mfu"})
        CHECK_FALSE(written["training"].contains(key));
    CHECK(written["cluster"].size() == 2);
    CHECK(written["overlap"].empty());
    CHECK(read(written.dump()) == read(kSmallest));
}

TEST_CASE("whole numbers may be written 2.0 or 1e5") {
    const Plan plan =
        read(kSmallest, {"cluster.gpus=1e5", "parallel.tensor=2.0", "parallel.layers_per_stage=[1e1, 2.0]"});
    CHECK(plan.cluster.gpus == 100'000);
    CHECK(plan.parallel.tensor == 2);
    CHECK(plan.parallel.layers_per_stage == std::vector<std::int64_t>{10, 2});
}

TEST_CASE("a model object is read with its parts") {
    const Plan plan =
        read(kSmallest, {R"(model={"name": "m", "layers": 4, "hidden": 64, "heads": 4, "vocab": 100,
        "biases": ["qkv", "router"], "qk_norm": "per_head", "moe": {"experts": 8, "top_k": 2, "expert_ffn": 32},
        "mla": {"kv_rank": 8, "qk_nope": 16, "qk_rope": 8, "v_dim": 16}, "parameters": 70.6e9})"});
    const auto& shape = std::get<ModelShape>(plan.model);
    CHECK(shape.layers == 4);
    CHECK(shape.ffn_hidden == 0); // experts stand in for it
    CHECK_FALSE(shape.kv_heads.has_value());
    CHECK(shape.biases == Biases{true, false, false, false, true, false});
    CHECK(shape.qk_norm == QkNorm::per_head);
    REQUIRE(shape.moe.has_value());
    CHECK(shape.moe->layer_step == 1);
    CHECK(shape.moe->shared_ffn == 0);
    REQUIRE(shape.mla.has_value());
    CHECK(shape.mla->q_rank == 0);
    CHECK(shape.parameters == 70.6e9);
    CHECK(read(plan_to_text(plan)) == plan);
    CHECK(model_to_json(shape)["parameters"].dump() == "70600000000");

    const Plan biased = read(plan_to_text(plan), {"model.biases=true"});
    CHECK(std::get<ModelShape>(biased.model).biases == Biases::all());
    CHECK(plan_to_json(biased)["model"]["biases"] == true);
    const Plan plain = read(plan_to_text(plan), {"model.biases=false"});
    CHECK_FALSE(plan_to_json(plain)["model"].contains("biases"));
}

TEST_CASE("a model preset may hold keys of its own, a plan's model may not") {
    const Json preset =
        *parse_strict(R"({"id": "tiny", "source": "hand", "name": "Tiny", "layers": 2, "hidden": 64,
        "heads": 4, "ffn_hidden": 256, "vocab": 100, "published": {"parameters": 1}})",
                      "tiny.json");
    constexpr std::string_view kExtra[] = {"id", "source", "published"};
    const auto shape = model_from_json(preset, "tiny.json", "", kExtra);
    REQUIRE(shape.ok());
    CHECK(shape->layers == 2);
    CHECK(*model_from_json(model_to_json(*shape), "x", "") == *shape);

    CHECK(model_from_json(preset, "tiny.json", "", {})
              .error()
              .line()
              .find("tiny.json: id: unknown key \"id\"") == 0);
    Json bad = preset;
    bad["layers"] = "2";
    CHECK(model_from_json(bad, "tiny.json", "", kExtra).error().line() ==
          "tiny.json: layers: \"2\" is text; a whole number from 1 to 100000 is right");
    bad.erase("layers");
    CHECK(model_from_json(bad, "tiny.json", "", kExtra).error().line() ==
          "tiny.json: layers is missing; a whole number from 1 to 100000 is right");
    bad["layers"] = 2;
    bad["sorce"] = "hand";
    CHECK(model_from_json(bad, "tiny.json", "", kExtra).error().line() ==
          "tiny.json: sorce: unknown key \"sorce\"; did you mean \"source\"?");
    CHECK(model_from_json(Json::array(), "tiny.json", "", kExtra).error().line() ==
          "tiny.json: a list; a model object is right");
}

TEST_CASE("--set changes the document before it is read") {
    CHECK(read(kExample, {"parallel.tensor=4"}).parallel.tensor == 4);
    CHECK(read(kExample, {"parallel.tensor=4", "parallel.tensor=2"}).parallel.tensor == 2); // left to right
    CHECK(read(kExample, {"name=two words"}).name == "two words");                          // not JSON: text
    CHECK(read(kExample, {"name=\"8\""}).name == "8");
    CHECK(read(kExample, {"name=a=b"}).name == "a=b");
    CHECK(read(kExample, {"name="}).name.empty());
    CHECK(std::get<std::string>(read(kExample, {"model=llama3-8b"}).model) == "llama3-8b");
    CHECK(read(kExample, {"overlap.tensor=false"}).overlap.tensor == false);
    CHECK_FALSE(read(kExample, {"training.tokens=null"}).training.tokens.has_value());
    CHECK(read(kExample, {"parallel=null"}).parallel == Parallel{});
    CHECK(read(kSmallest, {"memory.recompute=full"}).memory.recompute ==
          Recompute::full); // object made on the way
    CHECK_FALSE(
        read(kSmallest, {"memory.recompute=null"}).parallel.data.has_value()); // nothing there to remove
    CHECK(read(kExample, {"cluster={\"node\": \"dgx-a100\", \"gpus\": 16}"}).cluster.gpus == 16);
}

TEST_CASE("--set walks through lists by position") {
    const auto layers = [](std::vector<std::string> sets) {
        return read(kExample, std::move(sets)).parallel.layers_per_stage;
    };
    using List = std::vector<std::int64_t>;
    CHECK(layers({"parallel.layers_per_stage=[19, 21, 21, 19]", "parallel.layers_per_stage.1=20"}) ==
          List{19, 20, 21, 19});
    CHECK(layers({"parallel.layers_per_stage.0=40", "parallel.layers_per_stage.1=40"}) == List{40, 40});
    CHECK(layers({"parallel.layers_per_stage=[1, 2, 3]", "parallel.layers_per_stage.1=null"}) == List{1, 3});
    CHECK(read(kSmallest, {"parallel.layers_per_stage.0=32"}).parallel.layers_per_stage == List{32});
    CHECK(error_of(kExample, {"parallel.layers_per_stage.1=3"}) ==
          "--set parallel.layers_per_stage.1=3: parallel.layers_per_stage has 0 entries; a position from 0 "
          "is right");
    CHECK(error_of(kExample, {"parallel.layers_per_stage.x=3"}).find("a position from 0 is right") !=
          std::string::npos);
    CHECK(error_of(kExample, {"parallel.layers_per_stage.-1=3"}).find("a position from 0 is right") !=
          std::string::npos);
    CHECK(error_of(kExample, {"parallel.layers_per_stage.0=null"}).find("a position from 0 is right") !=
          std::string::npos);
}

TEST_CASE("a bad --set is an error with its text") {
    CHECK(error_of(kExample, {"parallel.tensor"}) ==
          "--set parallel.tensor: not PATH=VALUE; parallel.tensor=8 is right");
    CHECK(error_of(kExample, {"=8"}) == "--set =8: not PATH=VALUE; parallel.tensor=8 is right");
    CHECK(error_of(kExample, {"parallel..tensor=8"}).find("an empty name in the path") != std::string::npos);
    CHECK(error_of(kExample, {".=8"}).find("an empty name in the path") != std::string::npos);
    CHECK(error_of(kExample, {"model.layers=8"}) == "--set model.layers=8: model is the text \"llama3-70b\", "
                                                    "which has no parts; a path that ends there, or an "
                                                    "object, is right");
    CHECK(error_of(kExample, {"paralel.tensor=8"}) ==
          "plan.json: paralel: unknown key \"paralel\"; did you mean \"parallel\"?");
    CHECK(error_of(kExample, {"parallel.tensr=null"}) ==
          "--set parallel.tensr=null: no such field in a plan; did you mean parallel.tensor?");
    CHECK(error_of(kExample, {"parallel.tensor=eight"}) ==
          "plan.json: parallel.tensor: \"eight\" is text; a whole number from 1 to 2147483647 is right");
    CHECK(error_of(kExample, {"training.tokens=NaN"}).find("training.tokens: \"NaN\" is text") !=
          std::string::npos);
    CHECK(error_of(kExample, {"cluster.gpus=null"}) ==
          "plan.json: cluster.gpus is missing; a whole number from 1 to 10000000 is right");
    CHECK(error_of(kExample, {"name=\xFF"}).find("not UTF-8") != std::string::npos);
    std::string deep = "a";
    for (int i = 0; i < 100'000; ++i) deep += ".a";
    CHECK(error_of(kExample, {deep + "=1"}).find("no such field in a plan") != std::string::npos);
    CHECK(error_of("[]", {"parallel.tensor=8"}).find("plan.json: the document: a list") == 0);
}

TEST_CASE("errors stand behind the file's name, whatever that is") {
    const auto missing = load_plan(data_file("no-such-plan.json"));
    REQUIRE_FALSE(missing.ok());
    CHECK(missing.error().line().find("no-such-plan.json: cannot be opened") != std::string::npos);
    CHECK(parse_plan("{", "two\nlines").error().line().find("two\\x0Alines:1: ") == 0);
    CHECK(plan_from_json(Json::object(), "x").error().line() ==
          "x: schema is missing; \"schema\": \"shardlens/plan/1\" is right");
}

TEST_CASE("every shipped plan reads, and comes back equal from its written form") {
    std::size_t plans = 0;
    for (const auto& entry : std::filesystem::directory_iterator(presets_directory() + "/plans")) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path().string());
        const auto plan = load_plan(entry.path().string());
        INFO((plan ? std::string() : plan.error().line()));
        REQUIRE(plan.ok());
        CHECK(read(plan_to_text(*plan)) == *plan);
        ++plans;
    }
    CHECK(plans > 0);
}
