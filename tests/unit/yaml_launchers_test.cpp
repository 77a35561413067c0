// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan, accelerate, nanotron, llm-foundry: values under the launchers' own keys. Keys, units and rules
// are those of torchtitan 0.2.2 (config/job_config.py) and main of August 2026 (config/configs.py),
// accelerate 1.15 (parallelism_config.py, utils/dataclasses.py), nanotron 0.4 (config/config.py) and
// llm-foundry 0.22 (utils/config_utils.py); the numbers beside them are counted by hand.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "catch.h"
#include "launchers/document_text.h"
#include "launchers/import.h"
#include "launchers/import_documents.h"
#include "launchers/launcher.h"
#include "launchers/python_calls.h"
#include "launchers/torchtitan.h"
#include "plan/plan_json.h"
#include "plans.h"

using namespace shardlens;
using Json = nlohmann::ordered_json;

namespace {

/// Llama 3 70B on 64 H100: tensor 8, pipeline 4, data 2, ZeRO 1, batch 128; then the edits.
launchers::Export make(const std::string& launcher, const std::vector<std::string>& sets = {}) {
    const auto plan = load_plan(presets_directory() + "/plans/llama3-70b-64xh100.json", sets);
    INFO((plan ? std::string() : plan.error().line()));
    REQUIRE(plan.ok());
    const auto report = test::report_of(*plan);
    const auto found = launchers::find(launcher);
    REQUIRE(found.ok());
    return found->first->make(*report->setup, *report, found->second);
}

std::string text_of(const launchers::Export& result, const std::string& name) {
    for (const launchers::File& file : result.files)
        if (file.name == name) return file.text;
    return {};
}

Json yaml_of(const launchers::Export& result, const std::string& name) {
    for (const Message& refusal : result.refusals) UNSCOPED_INFO(refusal.text());
    launchers::Imported ignored;
    const auto documents = launchers::yaml_documents(text_of(result, name), name, ignored);
    REQUIRE(documents.ok());
    REQUIRE(documents->size() == 1);
    return documents->front();
}

bool lists(const launchers::Export& result, const std::string& path) {
    return std::any_of(result.not_expressed.begin(), result.not_expressed.end(),
                       [&](const launchers::NotExpressed& item) { return item.path == path; });
}

/// Codes of all refusals, after trying that the first fix of each, in turn, leads to files.
std::vector<std::string> refusals(const std::string& launcher, std::vector<std::string> sets) {
    constexpr int kMostRepairs = 6;
    std::vector<std::string> codes;
    launchers::Export result = make(launcher, sets);
    for (const Message& refusal : result.refusals) codes.push_back(refusal.code);
    for (int i = 0; i < kMostRepairs && !result.refusals.empty(); ++i) {
        CHECK(result.files.empty());
        REQUIRE_FALSE(result.refusals.front().fixes.empty());
        for (const auto& [path, value] : result.refusals.front().fixes.front().set)
            sets.push_back(path + "=" + to_json(value).dump());
        result = make(launcher, sets);
    }
    CHECK(result.refusals.empty());
    CHECK_FALSE(result.files.empty());
    return codes;
}

using Codes = std::vector<std::string>;

} // namespace

TEST_CASE(
    "YAML keeps texts that look like something else as texts, and numbers with an exponent as numbers") {
    const Json document = {{"precision", "no"}, {"duration", "100"}, {"eps", 1e-8},    {"rate", 3e-4},
                           {"count", 1000000},  {"name", "bf16"},    {"none", nullptr}};
    const std::string text = launchers::yaml_text(document);
    // YAML 1.1: `no` is false and 1e-8 without a point is a text.
    CHECK(text.find("precision: \"no\"") != std::string::npos);
    CHECK(text.find("duration: \"100\"") != std::string::npos);
    CHECK(text.find("eps: 1.0e-08") != std::string::npos);
    CHECK(text.find("count: 1000000") != std::string::npos);
    launchers::Imported ignored;
    const auto back = launchers::yaml_documents(text, "test", ignored);
    REQUIRE(back.ok());
    CHECK(back->front() == document);
}

TEST_CASE("nanotron: grid, batch and shape") {
    // 128 samples in micro-batches of 1 over 2 replicas: 64 accumulation steps.
    const Json config = yaml_of(make("nanotron", {"parallel.zero=1"}), "config.yaml");
    CHECK(config["parallelism"]["dp"] == 2);
    CHECK(config["parallelism"]["pp"] == 4);
    CHECK(config["parallelism"]["tp"] == 8);
    CHECK(config["parallelism"]["context_parallel_size"] == 1);
    CHECK(config["parallelism"]["pp_engine"] == "1f1b"); // the launcher's own default would be afab
    CHECK(config["parallelism"]["tp_mode"] == "REDUCE_SCATTER");
    CHECK(config["parallelism"]["recompute_layer"] == false);
    CHECK(config["tokens"]["micro_batch_size"] == 1);
    CHECK(config["tokens"]["batch_accumulation_per_replica"] == 64);
    CHECK(config["tokens"]["sequence_length"] == 8192);
    CHECK(config["optimizer"]["zero_stage"] == 1);
    CHECK(config["data_stages"][0]["start_training_step"] == 1);
    const Json& model = config["model"]["model_config"];
    CHECK(model["is_llama_config"] == true);
    CHECK(model["num_hidden_layers"] == 80);
    CHECK(model["hidden_size"] == 8192);
    CHECK(model["num_attention_heads"] == 64);
    CHECK(model["num_key_value_heads"] == 8);
    CHECK(model["intermediate_size"] == 28672);
    CHECK(model["vocab_size"] == 128256);
    const Json gathered = yaml_of(
        make("nanotron", {"parallel.context=2", "parallel.data=1", "parallel.context_kind=allgather"}),
        "config.yaml");
    CHECK(gathered["model"]["model_config"]["is_qwen2_config"] ==
          true); // its Llama ignores the context ranks
    CHECK(gathered["model"]["model_config"]["_attn_implementation"] == "llama3_ring_attention");
    CHECK(yaml_of(make("nanotron", {"parallel.schedule=gpipe"}), "config.yaml")["parallelism"]["pp_engine"] ==
          "afab");
    CHECK(lists(make("nanotron", {"memory.recompute=selective"}), "memory.recompute"));
    CHECK(lists(make("nanotron", {"memory.offload_optimizer=cpu"}), "memory.offload_optimizer"));
    CHECK(lists(make("nanotron", {"parallel.rank_order=pp-dp-cp-tp"}), "parallel.rank_order"));
}

TEST_CASE("nanotron refuses what it would run otherwise or not at all") {
    CHECK(refusals("nanotron", {"parallel.zero=3"}) == Codes{"nanotron-zero"});
    CHECK(refusals("nanotron", {"parallel.virtual_pipeline=2"}) == Codes{"nanotron-virtual-pipeline"});
    // 8 KV heads on 16 tensor ranks.
    CHECK(refusals("nanotron", {"parallel.tensor=16", "parallel.data=1"}) == Codes{"nanotron-kv-heads"});
    CHECK(refusals("nanotron", {"parallel.context=2", "parallel.data=1", "parallel.context_kind=ulysses"}) ==
          Codes{"nanotron-context-kind"});
    // 4 samples over 2 replicas: 2 micro-batches for 4 stages, 3 are needed.
    CHECK(refusals("nanotron", {"training.global_batch_size=4"}) == Codes{"nanotron-micro-batches"});
    CHECK(refusals("nanotron", {"model=mixtral-8x7b", "parallel.expert=8", "parallel.tensor=1",
                                "parallel.sequence=false", "parallel.data=16"}) == Codes{"nanotron-expert"});
}

TEST_CASE("torchtitan 0.2.2: a model of experts without a flavor is told with its experts") {
    const launchers::Export result =
        make("torchtitan", {"model=mixtral-8x7b", "parallel.zero=3", "parallel.expert_tensor=8"});
    const std::string text = text_of(result, "config.toml");
    CHECK(text.find("FFN") == std::string::npos);
    // config.json of Mixtral 8x7B
    CHECK(text.find("8 experts of width 14336, 2 for each token, vocabulary 32000") != std::string::npos);
}

TEST_CASE("torchtitan 0.2.2: degrees, batch and stages") {
    const launchers::Export result = make("torchtitan", {"parallel.zero=3", "memory.recompute=full"});
    const std::string text = text_of(result, "config.toml");
    CHECK(text.find("torchtitan@0.2.2") != std::string::npos);
    launchers::ImportOptions options;
    options.sets = {"cluster.node=dgx-h100"};
    const auto read = launchers::import_plan(text, "config.toml", options);
    REQUIRE(read.ok());
    const auto has = [&](const char* line) {
        INFO(text);
        CHECK(text.find(std::string("\n") + line + "\n") != std::string::npos);
    };
    has("flavor = '70B'");
    has("tensor_parallel_degree = 8");
    has("pipeline_parallel_degree = 4");
    has("data_parallel_replicate_degree = 1");
    has("data_parallel_shard_degree = 2");
    has("fsdp_reshard_after_forward = 'always'"); // "default" would keep parameters with a pipeline
    has("pipeline_parallel_schedule = '1F1B'");
    // One step = 64 micro-batches of 1 on each of 2 data ranks.
    has("local_batch_size = 64");
    has("pipeline_parallel_microbatch_size = 1");
    has("global_batch_size = 128");
    has("seq_len = 8192");
    has("mode = 'full'");
    // 80 layers over 4 stages of 20: embedding and head must not count, or it would be 20, 21, 21, 18.
    has("pipeline_parallel_first_stage_less_layers = 0");
    has("pipeline_parallel_last_stage_less_layers = 0");
    CHECK(text_of(make("torchtitan", {"parallel.zero=2"}), "config.toml").find("'never'") !=
          std::string::npos);
    // 2 replicas in shards of 4 of 8 data ranks, cp 1.
    const std::string hybrid = text_of(make("torchtitan", {"parallel.zero=3", "parallel.pipeline=1",
                                                           "parallel.data=8", "parallel.shard_group=4"}),
                                       "config.toml");
    CHECK(hybrid.find("data_parallel_replicate_degree = 2") != std::string::npos);
    CHECK(hybrid.find("data_parallel_shard_degree = 4") != std::string::npos);
}

TEST_CASE("torchtitan: layers go out as its generate_llm_fqn_per_model_part says") {
    // Its example: 3 layers, weights 2 and 2, 2 stages: 7 effective layers, 4 and 3: two layers and one.
    CHECK(launchers::torchtitan_deal(3, 2, 2, 2) == std::vector<std::int64_t>{2, 1});
    // 32 layers and two weights of 1 on 4 stages: 34 = 9 + 9 + 8 + 8.
    CHECK(launchers::torchtitan_deal(32, 4, 1, 1) == std::vector<std::int64_t>{8, 9, 8, 7});
    CHECK(launchers::torchtitan_deal(126, 8, 1, 1) ==
          std::vector<std::int64_t>{15, 16, 16, 16, 16, 16, 16, 15});
    CHECK(launchers::torchtitan_deal(2, 8, 1, 1).empty());
    // An uneven list that no counting gives: module by module.
    const std::string text = text_of(
        make("torchtitan", {"parallel.zero=3", "parallel.layers_per_stage=[17,20,22,21]"}), "config.toml");
    CHECK(text.find("module_fqns_per_model_part") != std::string::npos);
    CHECK(text.find("'layers.16'") != std::string::npos);
}

TEST_CASE("torchtitan main: tokens instead of samples") {
    const launchers::Export result =
        make("torchtitan@main", {"parallel.zero=3", "training.micro_batch_size=2"});
    const std::string text = text_of(result, "config.py");
    const auto has = [&](const char* part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    has("num_tokens_per_microbatch_per_dp_rank=16384"); // 2 · 8192
    has("num_tokens_per_train_step=1048576");           // 128 · 8192
    has("max_context_length=8192");
    has("num_pp_microbatches=32"); // 128 / (2 · 2)
    has("disable_cuda_graphs=True");
    has("model_registry(\n        \"70B\",");
    has("activation_checkpoint=None");
    const std::string own =
        text_of(make("torchtitan@main", {"parallel.zero=3", "model=mistral-7b-v0.1"}), "config.py");
    CHECK(own.find("family.llama3_configs[\"plan\"] = shape") != std::string::npos);
    CHECK(lists(make("torchtitan@main", {"parallel.zero=3", "model=mistral-7b-v0.1"}), "model"));
}

TEST_CASE("torchtitan refuses") {
    CHECK(refusals("torchtitan", {}) == Codes{"torchtitan-zero"});
    CHECK(refusals("torchtitan", {"parallel.zero=0"}) == Codes{"torchtitan-replicas"});
    CHECK(refusals("torchtitan", {"parallel.zero=3", "parallel.context=2", "parallel.data=1",
                                  "parallel.context_kind=ulysses"}) == Codes{"torchtitan-context-kind"});
    // tp · 2 = 16 parts.
    CHECK(refusals("torchtitan", {"parallel.zero=3", "training.sequence_length=8200"}) ==
          Codes{"torchtitan-sequence"});
    // A tied embedding and head on the first and the last stage.
    CHECK(refusals("torchtitan@main", {"parallel.zero=3", "model=llama3.2-1b"}) ==
          Codes{"torchtitan-tied-pipeline"});
    // 6 micro-batches make ⌊6/4⌋ = 1 round; 10 make 2 rounds of 5; 14 make 3 that are not whole.
    CHECK(refusals("torchtitan", {"parallel.zero=3", "parallel.virtual_pipeline=2",
                                  "parallel.schedule=interleaved", "training.global_batch_size=20"})
              .empty());
    CHECK(refusals("torchtitan", {"parallel.zero=3", "parallel.virtual_pipeline=2",
                                  "parallel.schedule=interleaved", "training.global_batch_size=28"}) ==
          Codes{"torchtitan-rounds"});
}

TEST_CASE("accelerate: the engine that fits") {
    const std::vector<std::string> flat = {"parallel.tensor=1", "parallel.sequence=false",
                                           "parallel.pipeline=1", "parallel.data=64"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), flat.begin(), flat.end());
        return yaml_of(make("accelerate", more), "config.yaml");
    };
    const Json megatron = yaml_of(make("accelerate"), "config.yaml");
    CHECK(megatron["distributed_type"] == "MEGATRON_LM");
    CHECK(megatron["megatron_lm_config"]["megatron_lm_tp_degree"] == 8);
    CHECK(megatron["megatron_lm_config"]["megatron_lm_pp_degree"] == 4);
    CHECK(megatron["megatron_lm_config"]["megatron_lm_num_micro_batches"] == 64);
    CHECK(megatron["megatron_lm_config"]["megatron_lm_use_distributed_optimizer"] == true);
    CHECK(megatron["num_processes"] == 64);
    CHECK(megatron["num_machines"] == 8);

    const Json fsdp = with({"parallel.zero=3", "parallel.tensor=2", "parallel.context=2", "parallel.data=16",
                            "parallel.shard_group=16"});
    CHECK(fsdp["distributed_type"] == "FSDP");
    CHECK(fsdp["fsdp_config"]["fsdp_version"] == 2);
    CHECK(fsdp["fsdp_config"]["fsdp_reshard_after_forward"] == true);
    const Json& mesh = fsdp["parallelism_config"];
    // 16 data ranks, 32 with context; shards of 16 = 8 shard ranks · 2 context ranks, 2 replicas.
    CHECK(mesh["parallelism_config_dp_replicate_size"] == 2);
    CHECK(mesh["parallelism_config_dp_shard_size"] == 8);
    CHECK(mesh["parallelism_config_tp_size"] == 2);
    CHECK(mesh["parallelism_config_cp_size"] == 2);
    CHECK(with({"parallel.zero=2"})["fsdp_config"]["fsdp_reshard_after_forward"] == false);

    const Json deepspeed = with({"parallel.zero=1"});
    CHECK(deepspeed["distributed_type"] == "DEEPSPEED");
    CHECK(deepspeed["deepspeed_config"]["zero_stage"] == 1);
    CHECK(deepspeed["deepspeed_config"]["gradient_accumulation_steps"] == 2); // 128 / 64
    const Json ulysses =
        with({"parallel.zero=3", "parallel.context=4", "parallel.data=16", "parallel.context_kind=ulysses"});
    CHECK(ulysses["distributed_type"] == "DEEPSPEED");
    CHECK(ulysses["parallelism_config"]["parallelism_config_sp_size"] == 4);
    CHECK(with({"parallel.zero=0"})["distributed_type"] == "MULTI_GPU");
    CHECK(with({"parallel.zero=0", "training.precision=fp32"})["mixed_precision"] == "no");

    CHECK(refusals("accelerate", {"parallel.zero=3"}) == Codes{"accelerate-megatron-zero"});
    CHECK(refusals("accelerate", {"parallel.virtual_pipeline=2"}) == Codes{"accelerate-virtual-pipeline"});
    CHECK(lists(make("accelerate"), "model"));
    CHECK(lists(make("accelerate"), "training.micro_batch_size"));
}

TEST_CASE("accelerate: the same plan for programs on FSDP1") {
    const auto with = [&](std::vector<std::string> more) {
        const std::vector<std::string> flat = {"parallel.tensor=1", "parallel.sequence=false",
                                               "parallel.pipeline=1", "parallel.data=64"};
        more.insert(more.begin(), flat.begin(), flat.end());
        return make("accelerate", more);
    };
    // Names of FSDP_SHARDING_STRATEGY in accelerate's utils/constants.py; a node has 8 GPUs.
    for (const auto& [sets, strategy] : std::vector<std::pair<std::vector<std::string>, const char*>>{
             {{"parallel.zero=3"}, "FULL_SHARD"},
             {{"parallel.zero=2"}, "SHARD_GRAD_OP"},
             {{"parallel.zero=3", "parallel.shard_group=8"}, "HYBRID_SHARD"},
             {{"parallel.zero=2", "parallel.shard_group=8"}, "HYBRID_SHARD_ZERO2"}}) {
        CAPTURE(strategy);
        const launchers::Export result = with(sets);
        const Json config = yaml_of(result, "config_fsdp1.yaml");
        CHECK(config["fsdp_config"]["fsdp_version"] == 1);
        CHECK(config["fsdp_config"]["fsdp_sharding_strategy"] == strategy);
        CHECK(config["fsdp_config"]["fsdp_sync_module_states"] == true);
        CHECK_FALSE(config.contains("parallelism_config")); // a mesh with FSDP1 fails in the program
        CHECK_FALSE(config["fsdp_config"].contains("fsdp_reshard_after_forward"));
        CHECK(yaml_of(result, "config.yaml")["fsdp_config"]["fsdp_version"] == 2);
        CHECK(text_of(result, "run.sh").find("${ACCELERATE_CONFIG:-config.yaml}") != std::string::npos);
    }
    // Shards over two nodes, tensor ranks, and other engines are not FSDP1's.
    for (const std::vector<std::string>& sets :
         std::vector<std::vector<std::string>>{{"parallel.zero=3", "parallel.shard_group=16"},
                                               {"parallel.zero=3", "parallel.tensor=2", "parallel.data=32"},
                                               {"parallel.zero=1"}})
        CHECK(text_of(with(sets), "config_fsdp1.yaml").empty());
}

TEST_CASE("llm-foundry: model, batch and FSDP") {
    const std::vector<std::string> flat = {"parallel.tensor=1", "parallel.sequence=false",
                                           "parallel.pipeline=1", "parallel.data=64", "parallel.zero=3"};
    const auto with = [&](std::vector<std::string> more) {
        more.insert(more.begin(), flat.begin(), flat.end());
        return yaml_of(make("llm-foundry", more), "train.yaml");
    };
    const Json config = with({"memory.recompute=full", "memory.recompute_layers=5"});
    CHECK(config["model"]["n_layers"] == 80);
    CHECK(config["model"]["d_model"] == 8192);
    CHECK(config["model"]["ffn_config"]["ffn_type"] == "mptglu");
    CHECK(config["model"]["ffn_config"]["ffn_hidden_size"] == 28672);
    CHECK(config["model"]["attn_config"]["attn_type"] == "grouped_query_attention");
    CHECK(config["model"]["attn_config"]["kv_n_heads"] == 8);
    CHECK(config["model"]["no_bias"] == true);
    CHECK(config["model"]["activation_checkpointing_target"]["mptblock"] == "first-5");
    CHECK(config["global_train_batch_size"] == 128);
    CHECK(config["device_train_microbatch_size"] == 1);
    CHECK(config["fsdp_config"]["sharding_strategy"] == "FULL_SHARD");
    CHECK(config["fsdp_config"]["activation_checkpointing"] == true);
    const Json hybrid = with({"parallel.shard_group=8", "parallel.zero=2"});
    CHECK(hybrid["fsdp_config"]["sharding_strategy"] == "_HYBRID_SHARD_ZERO2");
    CHECK(hybrid["fsdp_config"]["data_parallel_replicate_degree"] == 8);
    CHECK(hybrid["fsdp_config"]["data_parallel_shard_degree"] == 8);
    CHECK(with({"parallel.zero=0"})["fsdp_config"]["sharding_strategy"] == "NO_SHARD");
    // Two tensor ranks read the same samples, and the launcher divides the batch by all 64 GPUs.
    const Json tensor = with({"parallel.tensor=2", "parallel.data=32"});
    CHECK(tensor["tp_config"]["tensor_parallel_degree"] == 2);
    CHECK(tensor["global_train_batch_size"] == 256);
    CHECK(tensor["train_loader"]["dataset"]["replication"] == 2);

    CHECK(refusals("llm-foundry", {"parallel.zero=3"}) == Codes{"llm-foundry-pipeline"});
    std::vector<std::string> first = flat;
    first.emplace_back("parallel.zero=1");
    CHECK(refusals("llm-foundry", first) == Codes{"llm-foundry-zero"});
}

TEST_CASE("Python configurations: literal keywords only") {
    const auto calls = launchers::python_calls(
        "# A(b=1)\n"
        "def plan():\n"
        "    c = base()\n"
        "    c.training = TrainingConfig(steps=8 * 2_048, flag=True, name='a)b', rate=-1e-3, no=None)\n"
        "    return replace(c, p=ParallelismConfig(degree=n, list=[['x'], [\"y\", 2]], f=len(q)), x=1 + "
        "2)\n");
    const auto named = [&](const char* name) {
        const auto at = std::find_if(calls.begin(), calls.end(),
                                     [&](const launchers::PythonCall& call) { return call.name == name; });
        REQUIRE(at != calls.end());
        return *at;
    };
    CHECK(named("TrainingConfig").keywords ==
          R"({"steps":16384,"flag":true,"name":"a)b","rate":-0.001,"no":null})");
    CHECK(named("TrainingConfig").line == 4);
    CHECK(named("ParallelismConfig").keywords == R"({"list":[["x"],["y",2]]})");
    CHECK(named("ParallelismConfig").not_literal == std::vector<std::string>{"degree", "f"});
    CHECK(named("replace").keywords == "{}");
    CHECK(std::none_of(calls.begin(), calls.end(), [](const auto& call) { return call.name == "A"; }));
    // Brackets that never close, and nesting without end.
    CHECK(launchers::python_calls("f(a=[1, (2, {")[0].name == "f");
    CHECK(launchers::python_calls(std::string(100000, '(')).empty());
    std::string deep;
    for (int i = 0; i < 50000; ++i) deep += "f(a=[";
    CHECK(launchers::python_calls(deep).size() <= 64);
}
