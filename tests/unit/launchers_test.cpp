// SPDX-License-Identifier: GPL-3.0-or-later
// Exports hold the plan's values under the launchers' own names. Flag names, their rules and the batch
// formula are those of Megatron-LM core 0.12, 0.16, 0.19 (megatron/training/arguments.py) and DeepSpeed 0.19
// (deepspeed/runtime/config.py).
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>
#include <unistd.h>

#include "catch.h"
#include "launchers/launcher.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

const Catalog& catalog() {
    static const Catalog shared({presets_directory()});
    return shared;
}

/// Llama 3 70B on 64 H100: tensor 8, pipeline 4, data 2, ZeRO 1; then the edits.
launchers::Export make(const std::string& launcher, const std::vector<std::string>& sets = {}) {
    const auto plan = load_plan(presets_directory() + "/plans/llama3-70b-64xh100.json", sets);
    INFO((plan ? std::string() : plan.error().line()));
    REQUIRE(plan.ok());
    const auto report = evaluate(*plan, catalog(), {.timeline = false});
    INFO((report ? std::string() : report.error().line()));
    REQUIRE(report.ok());
    const auto found = launchers::find(launcher);
    REQUIRE(found.ok());
    return found->first->make(*(*report)->setup, **report, found->second);
}

std::string text_of(const launchers::Export& result, const std::string& name) {
    for (const launchers::File& file : result.files) {
        if (file.name == name) return file.text;
    }
    return {};
}

/// The words behind the program in train.sh, without quotes and continuation marks.
std::vector<std::string> words(const launchers::Export& result) {
    std::istringstream stream(text_of(result, "train.sh"));
    std::vector<std::string> all;
    bool behind_program = false;
    for (std::string word; stream >> word;) {
        if (behind_program && word != "\\") {
            std::erase(word, '\'');
            all.push_back(word);
        }
        if (word.find("pretrain_gpt.py") != std::string::npos) behind_program = true;
    }
    return all;
}

/// Value behind a flag; "bare" when the next word is a flag; "absent".
std::string flag(const launchers::Export& result, const std::string& name) {
    const std::vector<std::string> all = words(result);
    const auto at = std::find(all.begin(), all.end(), name);
    if (at == all.end()) return "absent";
    if (at + 1 == all.end() || (at + 1)->starts_with("--")) return "bare";
    return *(at + 1);
}

bool lists(const launchers::Export& result, const std::string& path) {
    return std::any_of(result.not_expressed.begin(), result.not_expressed.end(),
                       [&](const launchers::NotExpressed& item) { return item.path == path; });
}

/// Code of the only refusal, after trying that its first fix removes it.
std::string refusal(const std::string& launcher, std::vector<std::string> sets) {
    const launchers::Export result = make(launcher, sets);
    if (result.refusals.size() != 1 || !result.files.empty() || result.refusals[0].fixes.empty()) return "";
    for (const auto& [path, value] : result.refusals[0].fixes[0].set)
        sets.push_back(path + "=" + to_json(value).dump());
    const launchers::Export repaired = make(launcher, sets);
    return repaired.refusals.empty() && !repaired.files.empty() ? result.refusals[0].code : "";
}

nlohmann::json ds_config(const launchers::Export& result) {
    const nlohmann::json config = nlohmann::json::parse(text_of(result, "ds_config.json"), nullptr, false);
    REQUIRE_FALSE(config.is_discarded());
    return config;
}

} // namespace

TEST_CASE("launchers are found by id and version") {
    CHECK(launchers::find("megatron-lm")->second == "0.19");
    CHECK(launchers::find("megatron-lm@0.12")->second == "0.12");
    CHECK(launchers::find("megatron-ml").error().line().find("did you mean 'megatron-lm'?") !=
          std::string::npos);
    CHECK(launchers::find("megatron-lm@0.3").error().line().find("known: 0.19, 0.16, 0.12, main") !=
          std::string::npos);
    CHECK_FALSE(launchers::find("megatron-lm@").ok());
    CHECK_FALSE(launchers::find("").ok());
}

TEST_CASE("Megatron-LM: shape, degrees and batch of a dense model") {
    const launchers::Export result = make("megatron-lm");
    CHECK(result.refusals.empty());
    CHECK(result.not_expressed.empty());
    // Llama 3 70B: 80 layers, hidden 8192, 64 heads, 8 KV heads, FFN 28672, vocabulary 128256.
    CHECK(flag(result, "--num-layers") == "80");
    CHECK(flag(result, "--hidden-size") == "8192");
    CHECK(flag(result, "--ffn-hidden-size") == "28672");
    CHECK(flag(result, "--num-attention-heads") == "64");
    CHECK(flag(result, "--group-query-attention") == "bare");
    CHECK(flag(result, "--num-query-groups") == "8");
    CHECK(flag(result, "--vocab-size") == "128256");
    // 128256 / 8 = 16032 = 2^5 · 501: no row is padded with a divisor of 32.
    CHECK(flag(result, "--make-vocab-size-divisible-by") == "32");
    CHECK(flag(result, "--normalization") == "RMSNorm");
    CHECK(flag(result, "--swiglu") == "bare");
    CHECK(flag(result, "--disable-bias-linear") == "bare");
    CHECK(flag(result, "--untie-embeddings-and-output-weights") == "bare");
    CHECK(flag(result, "--tensor-model-parallel-size") == "8");
    CHECK(flag(result, "--pipeline-model-parallel-size") == "4");
    CHECK(flag(result, "--sequence-parallel") == "bare");
    CHECK(flag(result, "--use-distributed-optimizer") == "bare");
    CHECK(flag(result, "--micro-batch-size") == "1");
    CHECK(flag(result, "--global-batch-size") == "128");
    CHECK(flag(result, "--seq-length") == "8192");
    CHECK(flag(result, "--bf16") == "bare");
    CHECK(flag(result, "--recompute-granularity") == "absent");
    // 1e12 tokens in steps of 128 · 8192.
    CHECK(flag(result, "--train-iters") == "953675");
    const std::string script = text_of(result, "train.sh");
    CHECK(script.find("export CUDA_DEVICE_MAX_CONNECTIONS=1\n") != std::string::npos);
    CHECK(script.find("megatron-lm@0.19") != std::string::npos);
    CHECK(script.find("--nnodes 8 --nproc-per-node 8") != std::string::npos);
}

TEST_CASE("Megatron-LM: model_args.yaml holds the flags of train.sh") {
    const launchers::Export result = make("megatron-lm", {"memory.recompute=full"});
    std::istringstream stream(text_of(result, "model_args.yaml"));
    std::vector<std::string> from_yaml;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("  --")) from_yaml.push_back(line.substr(2, line.find(':') - 2));
    }
    std::vector<std::string> from_script = words(result);
    std::erase_if(from_script, [](const std::string& word) { return !word.starts_with("--"); });
    CHECK(from_yaml == from_script);
}

TEST_CASE("Megatron-LM: interleaving, uneven splits, recomputation") {
    CHECK(flag(make("megatron-lm", {"parallel.virtual_pipeline=5"}),
               "--num-virtual-stages-per-pipeline-rank") == "5");
    const launchers::Export ends = make("megatron-lm", {"parallel.layers_per_stage=[19,21,21,19]"});
    CHECK(flag(ends, "--pipeline-model-parallel-layout") == "Et*19|t*21|t*21|t*19L");
    const launchers::Export less =
        make("megatron-lm", {"model=llama3.1-405b", "parallel.pipeline=8", "parallel.data=1"});
    // 126 layers + embedding + head = 128 over 8 stages.
    CHECK(flag(less, "--account-for-embedding-in-pipeline-split") == "bare");
    CHECK(flag(less, "--account-for-loss-in-pipeline-split") == "bare");
    CHECK(flag(less, "--pipeline-model-parallel-layout") == "absent");
    const launchers::Export old = make("megatron-lm@0.12", {"parallel.layers_per_stage=[17,21,21,21]"});
    CHECK(flag(old, "--decoder-first-pipeline-num-layers") == "17");
    CHECK(refusal("megatron-lm@0.12", {"parallel.layers_per_stage=[17,20,22,21]"}) == "megatron-split");

    const launchers::Export every = make("megatron-lm", {"memory.recompute=full"});
    CHECK(flag(every, "--recompute-granularity") == "full");
    CHECK(flag(every, "--recompute-method") == "uniform");
    CHECK(flag(every, "--recompute-num-layers") == "1");
    const launchers::Export some =
        make("megatron-lm", {"memory.recompute=full", "memory.recompute_layers=6"});
    CHECK(flag(some, "--recompute-method") == "block");
    CHECK(flag(some, "--recompute-num-layers") == "6");
    const launchers::Export selective =
        make("megatron-lm", {"memory.recompute=selective", "memory.recompute_modules=[\"mlp\",\"mlp_act\"]"});
    CHECK(flag(selective, "--recompute-modules") == "mlp");
    CHECK(flag(selective, "--recompute-method") == "absent");
    CHECK(lists(selective, "memory.recompute_modules"));
}

TEST_CASE("Megatron-LM: sharding by release") {
    const launchers::Export fsdp = make("megatron-lm", {"parallel.zero=3"});
    CHECK(flag(fsdp, "--use-megatron-fsdp") == "bare");
    CHECK(flag(fsdp, "--data-parallel-sharding-strategy") == "optim_grads_params");
    CHECK(flag(fsdp, "--ckpt-format") == "fsdp_dtensor");
    CHECK(text_of(fsdp, "train.sh").find("CUDA_DEVICE_MAX_CONNECTIONS=1\n") == std::string::npos);
    const launchers::Export old = make("megatron-lm@0.12", {"parallel.zero=2"});
    CHECK(flag(old, "--use-custom-fsdp") == "bare");
    CHECK(flag(old, "--data-parallel-sharding-strategy") == "optim_grads");
    CHECK(flag(old, "--ckpt-format") == "absent");
    // Two copies of the optimizer: 16 replicas in shards of 8.
    const launchers::Export hybrid = make("megatron-lm", {"parallel.pipeline=1", "parallel.tensor=4",
                                                          "parallel.data=16", "parallel.shard_group=8"});
    CHECK(flag(hybrid, "--num-distributed-optimizer-instances") == "2");
    CHECK(refusal("megatron-lm", {"parallel.zero=3", "training.optimizer=muon"}) ==
          "megatron-fsdp-optimizer");
}

TEST_CASE("Megatron-LM: muon by release") {
    const launchers::Export first =
        make("megatron-lm@0.16", {"training.optimizer=muon", "overlap.grad_reduce=true"});
    CHECK(flag(first, "--optimizer") == "dist_muon");
    CHECK(flag(first, "--use-distributed-optimizer") == "absent");
    CHECK(flag(first, "--overlap-grad-reduce") == "absent");
    CHECK(lists(first, "overlap.grad_reduce"));
    const launchers::Export later =
        make("megatron-lm@0.19", {"training.optimizer=muon", "overlap.grad_reduce=true"});
    CHECK(flag(later, "--optimizer") == "muon");
    CHECK(flag(later, "--use-distributed-optimizer") == "bare");
    CHECK(flag(later, "--overlap-grad-reduce") == "bare");
    CHECK(lists(make("megatron-lm@0.12", {"training.optimizer=muon"}), "training.optimizer"));
}

TEST_CASE("Megatron-LM: what the parser lets through and the run does not") {
    // pipeline_parallel/schedules.py: 6 micro-batches in groups of 4 leave 2.
    CHECK(refusal("megatron-lm", {"parallel.virtual_pipeline=5", "training.global_batch_size=12"}) ==
          "megatron-interleaved-group");
    // validate_args: a multiple of 2 · context.
    CHECK(refusal("megatron-lm", {"parallel.context=2", "parallel.data=1", "parallel.context_kind=allgather",
                                  "parallel.sequence=false", "training.sequence_length=8190"}) ==
          "megatron-sequence-context");
}

TEST_CASE("Megatron-LM: differences are listed, not hidden") {
    CHECK(lists(make("megatron-lm", {"parallel.schedule=gpipe"}), "parallel.schedule"));
    CHECK(lists(make("megatron-lm", {"memory.offload_parameters=cpu"}), "memory.offload_parameters"));
    CHECK(lists(make("megatron-lm", {"training.optimizer=adafactor"}), "training.optimizer"));
    CHECK(lists(make("megatron-lm", {"parallel.rank_order=pp-dp-cp-tp"}), "parallel.rank_order"));
    CHECK(flag(make("megatron-lm", {"parallel.rank_order=megatron-tp-pp-dp"}), "--use-tp-pp-dp-mapping") ==
          "bare");
    // The same placement in other words is no difference: there is no context parallelism to move.
    CHECK_FALSE(lists(make("megatron-lm", {"parallel.rank_order=cp-tp-dp-pp"}), "parallel.rank_order"));
}

TEST_CASE("Megatron-LM: experts") {
    const launchers::Export result =
        make("megatron-lm",
             {"model=deepseek-v3", "cluster.gpus=128", "parallel.tensor=1", "parallel.sequence=false",
              "parallel.pipeline=1", "parallel.data=128", "parallel.expert=64"});
    CHECK(flag(result, "--num-experts") == "256");
    CHECK(flag(result, "--moe-router-topk") == "8");
    CHECK(flag(result, "--moe-ffn-hidden-size") == "2048");
    CHECK(flag(result, "--expert-model-parallel-size") == "64");
    CHECK(flag(result, "--moe-layer-freq") == "([0]*3+[1]*58)"); // three dense layers, then 58 of experts
    CHECK(flag(result, "--multi-latent-attention") == "bare");
    CHECK(flag(result, "--qk-layernorm") == "bare"); // the norms of the latents
    CHECK(flag(result, "--q-lora-rank") == "1536");
    CHECK(flag(result, "--kv-lora-rank") == "512");
    CHECK(flag(result, "--num-query-groups") == "absent");
}

TEST_CASE("DeepSpeed: train = micro batch * accumulation * data") {
    const std::vector<std::string> flat = {"parallel.tensor=1", "parallel.sequence=false",
                                           "parallel.pipeline=1", "parallel.data=64"};
    for (const char* micro : {"1", "2"}) {
        for (const char* zero : {"0", "1", "2", "3"}) {
            std::vector<std::string> sets = flat;
            sets.insert(sets.end(), {std::string("training.micro_batch_size=") + micro,
                                     std::string("parallel.zero=") + zero});
            const nlohmann::json config = ds_config(make("deepspeed", sets));
            CHECK(config.at("train_batch_size") == config.at("train_micro_batch_size_per_gpu").get<int>() *
                                                       config.at("gradient_accumulation_steps").get<int>() *
                                                       64);
            CHECK(config.at("train_batch_size") == 128);
            CHECK(config.at("zero_optimization").at("stage") == std::atoi(zero));
            CHECK(config.at("bf16").at("enabled") == true);
        }
    }
    // Pipeline: the replicas are world / (pipeline · tensor) = 2.
    const launchers::Export piped = make("deepspeed");
    CHECK(ds_config(piped).at("gradient_accumulation_steps") == 64);
    CHECK(lists(piped, "parallel.pipeline"));
    CHECK(lists(piped, "parallel.tensor"));
    // AutoTP compares train_batch_size with the whole world, so it must not be there.
    const nlohmann::json auto_tp = ds_config(make("deepspeed", {"parallel.pipeline=1", "parallel.data=8"}));
    CHECK(auto_tp.at("tensor_parallel").at("autotp_size") == 8);
    CHECK_FALSE(auto_tp.contains("train_batch_size"));
    CHECK(auto_tp.at("gradient_accumulation_steps") == 16);
    // Ulysses: both sizes, their product is the world.
    std::vector<std::string> ulysses = flat;
    ulysses.insert(ulysses.end(),
                   {"parallel.context=4", "parallel.data=16", "parallel.context_kind=ulysses"});
    const nlohmann::json sequence = ds_config(make("deepspeed", ulysses));
    CHECK(sequence.at("sequence_parallel_size").get<int>() * sequence.at("data_parallel_size").get<int>() ==
          64);
    CHECK(sequence.at("train_batch_size") == 16 * sequence.at("gradient_accumulation_steps").get<int>());
}

TEST_CASE("DeepSpeed: offload or hybrid sharding") {
    const std::vector<std::string> flat = {"parallel.tensor=1",   "parallel.sequence=false",
                                           "parallel.pipeline=1", "parallel.data=64",
                                           "parallel.zero=3",     "training.micro_batch_size=1"};
    const auto zero_of = [&](std::vector<std::string> more) {
        more.insert(more.begin(), flat.begin(), flat.end());
        return ds_config(make("deepspeed", more)).at("zero_optimization");
    };
    const nlohmann::json offload =
        zero_of({"memory.offload_optimizer=cpu", "memory.offload_parameters=nvme"});
    CHECK(offload.at("offload_optimizer").at("device") == "cpu");
    CHECK(offload.at("offload_param").at("device") == "nvme");
    CHECK(offload.at("offload_param").contains("nvme_path"));
    CHECK_FALSE(offload.contains("reduce_scatter"));
    CHECK(zero_of({"parallel.shard_group=8"}).at("mics_shard_size") == 8);
    // runtime/zero/mics.py: "Local sharding has no support for CPU offloading"
    std::vector<std::string> both = flat;
    both.insert(both.end(), {"parallel.shard_group=8", "memory.offload_optimizer=cpu"});
    CHECK(refusal("deepspeed", both) == "deepspeed-hybrid-offload");
    // runtime/zero/stage3.py and stage_1_and_2.py refuse Muon beside reduce_scatter, which is on by default.
    CHECK(zero_of({"training.optimizer=muon"}).at("reduce_scatter") == false);
    CHECK(zero_of({"parallel.zero=2", "training.optimizer=muon", "memory.offload_optimizer=cpu"})
              .at("reduce_scatter") == false);
    CHECK_FALSE(zero_of({"parallel.zero=2", "training.optimizer=muon"}).contains("reduce_scatter"));
}

TEST_CASE("ColossalAI: no chunks beside 1f1b") {
    // HybridParallelPlugin: "num_model_chunks must be 1 when using 1f1b"; a V has two by nature.
    for (const char* schedule : {"zb-v", "v-half", "dualpipe-v", "1f1b"}) {
        const launchers::Export result =
            make("colossalai", {std::string("parallel.schedule=") + schedule, "parallel.virtual_pipeline=1"});
        INFO(schedule);
        const auto arguments = nlohmann::json::parse(text_of(result, "plugin.json")).at("args");
        CHECK(arguments.at("pp_style") == "1f1b");
        CHECK(arguments.at("num_model_chunks") == 1);
    }
}

TEST_CASE("SageMaker 1: stages that the program fills") {
    const launchers::Export result =
        make("sagemaker@1", {"parallel.virtual_pipeline=1", "parallel.layers_per_stage=[17,22,21,20]"});
    const auto parameters = nlohmann::json::parse(text_of(result, "parameters.json"))
                                .at("/smdistributed/modelparallel/parameters"_json_pointer);
    // validate_mp_config compares default_partition with partitions, whichever name the degree has else.
    CHECK(parameters.at("auto_partition") == false);
    CHECK(parameters.at("default_partition") < parameters.at("partitions"));
    CHECK(parameters.at("partitions") == 4);
    CHECK_FALSE(parameters.contains("pipeline_parallel_degree"));
}

TEST_CASE("DeepSpeed: refusals") {
    CHECK(refusal("deepspeed", {"parallel.virtual_pipeline=5", "parallel.zero=1"}) ==
          "launcher-virtual-pipeline");
    CHECK(refusal("deepspeed", {"parallel.zero=2"}) == "deepspeed-zero-pipeline");
    CHECK(refusal("deepspeed", {"parallel.pipeline=1", "parallel.data=8", "parallel.zero=2",
                                "parallel.shard_group=4"}) == "deepspeed-hybrid");
    const std::vector<std::string> flat = {"parallel.tensor=1",   "parallel.sequence=false",
                                           "parallel.pipeline=1", "parallel.context=2",
                                           "parallel.data=32",    "parallel.context_kind=ring"};
    CHECK(refusal("deepspeed", flat) == "launcher-context-kind");
}

TEST_CASE("run scripts: bash reads them, ranks follow the hosts of the plan") {
    const launchers::Export result =
        make("contract", {"cluster.hosts=[\"a3\",\"a1\",\"a2\",\"b1\",\"b2\",\"b3\",\"b4\",\"b10\"]"});
    CHECK(text_of(result, "hosts") == "a3\na1\na2\nb1\nb2\nb3\nb4\nb10\n");
    CHECK(text_of(result, "run.sh").find("--rdzv-backend static") != std::string::npos);
    CHECK(text_of(result, "job.slurm.sh").find("#SBATCH --nodes=8\n") != std::string::npos);

    const fs::path folder = fs::temp_directory_path() / ("shardlens-launchers-" + std::to_string(::getpid()));
    for (const char* launcher : {"contract", "megatron-lm", "deepspeed"}) {
        REQUIRE(launchers::write(make(launcher), folder).what.empty());
    }
    REQUIRE(launchers::write(result, folder).what.empty());
    for (const char* script : {"run.sh", "job.slurm.sh", "train.sh"}) {
        INFO(script);
        CHECK(std::system(("bash -n " + (folder / script).string()).c_str()) == 0);
        CHECK((fs::status(folder / script).permissions() & fs::perms::owner_exec) != fs::perms::none);
    }
    // A torchrun that prints its arguments: node rank 2 of the file is a2, the master is line 1.
    fs::create_directory(folder / "bin");
    std::ofstream(folder / "bin/torchrun") << "#!/bin/sh\necho \"$@\"\n";
    std::ofstream(folder / "bin/hostname") << "#!/bin/sh\necho a2.example.org\n";
    for (const char* program : {"torchrun", "hostname"}) {
        fs::permissions(folder / "bin" / program, fs::perms::owner_all);
    }
    const std::string command = "PATH=" + (folder / "bin").string() + ":$PATH TRAIN_SCRIPT=t.py bash " +
                                (folder / "run.sh").string() + " > " + (folder / "said").string();
    CHECK(std::system(command.c_str()) == 0);
    std::ostringstream said;
    said << std::ifstream(folder / "said").rdbuf();
    CHECK(said.str().find(
              "--nnodes 8 --nproc-per-node 8 --node-rank 2 --rdzv-backend static --master-addr a3 ") == 0);
    fs::remove_all(folder);
}

TEST_CASE("the last node takes what is left") {
    const launchers::Export result =
        make("contract", {"cluster.gpus=36", "parallel.tensor=1", "parallel.pipeline=1",
                          "parallel.sequence=false", "parallel.data=36", "training.global_batch_size=144"});
    CHECK(text_of(result, "run.sh").find("NNODES=5\nNPROC_PER_NODE=8\n") != std::string::npos);
    CHECK(text_of(result, "run.sh")
              .find("if [[ $NODE_RANK -eq $((NNODES - 1)) ]]; then NPROC_PER_NODE=4; fi") !=
          std::string::npos);
}

TEST_CASE("host names that are no host names are refused") {
    CHECK(make("contract", {"cluster.hosts=[\"a b\"]"}).refusals.size() == 1);
    CHECK(make("contract", {"cluster.hosts=[\"$(reboot)\"]"}).refusals.size() == 1);
}

TEST_CASE("a plan's name cannot leave its comment") {
    auto plan = load_plan(presets_directory() + "/plans/llama3-70b-64xh100.json");
    REQUIRE(plan.ok());
    Plan named = *plan;
    named.name = "x\ntouch /tmp/owned"; // the reader refuses it, a caller of the library may not
    const auto report = evaluate(named, catalog(), {.timeline = false});
    REQUIRE(report.ok());
    const launchers::Export result =
        launchers::find("megatron-lm")->first->make(*(*report)->setup, **report, "0.19");
    REQUIRE_FALSE(result.files.empty());
    for (const launchers::File& file : result.files) {
        INFO(file.name);
        CHECK(file.text.find("\ntouch") == std::string::npos);
    }
}

TEST_CASE("DeepSpeed: the file names its target, and each offload to NVMe once") {
    const launchers::Export result =
        make("deepspeed", {"parallel.zero=3", "parallel.pipeline=1", "memory.offload_optimizer=nvme",
                           "memory.offload_parameters=nvme"});
    CHECK(ds_config(result)["launcher"] == "deepspeed@0.19");
    for (const char* path : {"memory.offload_optimizer", "memory.offload_parameters"}) {
        CAPTURE(path);
        CHECK(std::count_if(result.not_expressed.begin(), result.not_expressed.end(),
                            [&](const launchers::NotExpressed& item) { return item.path == path; }) == 1);
    }
}

TEST_CASE("a long name of a plan is cut where a queue shows it") {
    const std::string slurm = text_of(make("megatron-lm", {"name=" + std::string(100, 'x')}), "job.slurm.sh");
    const std::string line = "#SBATCH --job-name=" + std::string(64, 'x') + "\n";
    CHECK(slurm.find(line) != std::string::npos);
}
