// SPDX-License-Identifier: GPL-3.0-or-later
// Files of other programs as plans. The files and where they were reported: tests/data/imports/README.md.
// Parameter counts are those stated there (model cards and recounts named beside each case).
#include "catch.h"

#include <algorithm>

#include "degrees.h"
#include "launchers/import.h"
#include "launchers/model_parts.h"
#include "model/counts.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "rules/rules.h"
#include "json/strict_json.h"

using namespace shardlens;
using launchers::ImportNote;
using Kind = ImportNote::Kind;

namespace {

const std::vector<std::string> kRest = {"cluster.node=dgx-h100", "cluster.gpus=8",
                                        "training.sequence_length=1024", "training.micro_batch_size=1",
                                        "training.global_batch_size=8"};

Result<launchers::ImportResult> read_file(const std::string& name, std::vector<std::string> sets = {},
                                          const std::string& part = {}) {
    const Result<std::string> text = read_text(data_file("imports/" + name));
    if (!text) FAIL(text.error().line());
    return launchers::import_plan(*text, name, {.kind = "", .sets = std::move(sets), .part = part});
}

launchers::ImportResult imported(const std::string& name, std::vector<std::string> sets = {},
                                 const std::string& part = {}) {
    auto result = read_file(name, std::move(sets), part);
    if (!result) FAIL(result.error().line());
    return *std::move(result);
}

Plan plan_of(const launchers::ImportResult& result) {
    for (const ImportNote& note : result.notes) UNSCOPED_INFO(note.line());
    REQUIRE(result.plan);
    return *result.plan;
}

ModelShape shape_of(const std::string& name) {
    return std::get<ModelShape>(plan_of(imported(name, kRest)).model);
}
double parameters(const std::string& name) { return model::count_parameters<double>(shape_of(name)).total; }

const ImportNote* find_note(const launchers::ImportResult& result, Kind kind,
                            const std::string& part_of_line) {
    for (const ImportNote& note : result.notes)
        if (note.kind == kind && note.line().find(part_of_line) != std::string::npos) return &note;
    return nullptr;
}

launchers::ImportResult from_text(const std::string& kind, const std::string& text,
                                  std::vector<std::string> sets = {}) {
    auto result = launchers::import_plan(text, "text", {.kind = kind, .sets = std::move(sets), .part = {}});
    if (!result) FAIL(result.error().line());
    return *std::move(result);
}

} // namespace

TEST_CASE("Hugging Face configurations count to the published parameters") {
    const std::tuple<const char*, double, double> cases[] = {
        {"imp-dsv3.json", 671.03e9, 0.005},
        {"imp-chatglm.json", 6.243e9, 0.01},
        {"imp-dbrx.json", 131.6e9, 0.01},
        {"imp-falcon7.json", 6.92e9, 0.002},
        {"imp-gemma3.json", 11.77e9, 0.01},
        {"imp-llama4.json", 400.7e9, 0.02},
        {"imp-mixtral.json", 46.7e9, 0.005},
        {"imp-openelm.json", 3.04e9, 0.02},
        {"imp-bloom.json", 176247271424.0, 0},
        {"imp-bloom-old.json", 176247271424.0, 0},
        {"imp-bigcode.json", 15514730496.0, 0.01},
        {"imp-dsv2lite.json", 15.706e9, 0.01},
        {"imp-falcon40.json", 41.3e9, 0.001},
        {"imp-falcon40-old.json", 41.3e9, 0.001},
        {"imp-opt350.json", 331.2e6, 0.01},
        {"imp-gpt2-names.json", 1557611200.0, 0},
        {"imp-jamba.json", 51.6e9, 0.005},
        {"imp-gated.json", 70553706496.0, 0}, // Llama 3.3 70B, model card
    };
    for (const auto& [name, expected, tolerance] : cases) {
        CAPTURE(name);
        CHECK(std::abs(parameters(name) - expected) <= tolerance * expected);
    }
    // Active ones: 37.5e9 (embeddings counted), 12.9e9, about 2.7e9, about 36.5e9.
    const auto active = [](const char* name) {
        return model::count_parameters<double>(shape_of(name)).active;
    };
    CHECK(active("imp-dsv3.json") == Approx(37.5e9).epsilon(0.005));
    CHECK(active("imp-mixtral.json") == Approx(12.9e9).epsilon(0.005));
    CHECK(active("imp-dsv2lite.json") == Approx(2.7e9).epsilon(0.02));
    CHECK(active("imp-dbrx.json") == Approx(36.5e9).epsilon(0.005));
    CHECK(active("imp-llama4.json") == Approx(17e9).epsilon(0.03));
}

TEST_CASE("shapes behind unusual keys") {
    const ModelShape gpt2 = shape_of("imp-gpt2-names.json");
    CHECK(gpt2.layers == 48);
    CHECK(gpt2.hidden == 1600);
    CHECK(gpt2.heads == 25);
    CHECK(gpt2.ffn_hidden == 6400);
    CHECK(gpt2.tied_embeddings);
    CHECK(gpt2.learned_positions == 1024);
    CHECK(shape_of("imp-falcon7.json").kv() == 1);
    CHECK(shape_of("imp-falcon40.json").kv() == 8);
    CHECK(shape_of("imp-falcon40.json").ffn_hidden == 32768);
    CHECK(shape_of("imp-bigcode.json").kv() == 1);
    CHECK(shape_of("imp-chatglm.json").kv() == 2);
    CHECK(shape_of("imp-bloom.json").ffn_hidden == 57344);
    CHECK(shape_of("imp-bloom.json").learned_positions == 0);
    const ModelShape mpt = shape_of("imp-mpt.json");
    CHECK(mpt.ffn_hidden == 28672);
    CHECK(mpt.learned_positions == 0); // ALiBi
    CHECK(mpt.kv() == 64);
    const ModelShape opt = shape_of("imp-opt350.json");
    CHECK(opt.embedding_dim == 512);
    CHECK(opt.learned_positions == 2050);
    CHECK(opt.ffn_hidden == 4096);
    CHECK(shape_of("imp-dsv2lite.json").mla->q_rank == 0); // null: queries are not compressed
    CHECK(shape_of("imp-dsv3.json").mtp_layers == 1);
    CHECK(shape_of("imp-gemma3.json").head_size() == 256);
    CHECK(shape_of("imp-mixtral.json").attention_window == 0); // null
    // Which head is counted is said: a separate one makes 7.22e9 of Falcon 7B.
    CHECK(find_note(imported("imp-falcon7.json"), Kind::assumed, "a separate head is vocab · hidden more"));
    const auto untied = imported("imp-falcon7.json", [] {
        auto sets = kRest;
        sets.push_back("model.tied_embeddings=false");
        return sets;
    }());
    CHECK(model::count_parameters<double>(std::get<ModelShape>(plan_of(untied).model)).total ==
          Approx(7.22e9).epsilon(0.001));
}

TEST_CASE("models that a plan's shape cannot hold are said to be so") {
    const auto elm = imported("imp-openelm.json", kRest);
    CHECK(plan_of(elm).fidelity == Fidelity::textbook);
    CHECK(std::get<ModelShape>(elm.plan->model).kv() == 1);  // 3, 4, 5, 6
    CHECK(std::get<ModelShape>(elm.plan->model).heads == 4); // 12, 16, 20, 24
    const auto jamba = imported("imp-jamba.json", kRest);
    CHECK(find_note(jamba, Kind::not_understood, "only 4 of 32 layers attend"));
    CHECK(find_note(jamba, Kind::read, "4 of attention, 28 of Mamba"));
    const auto nano = imported("imp-gemma3n.json", kRest);
    CHECK(find_note(nano, Kind::read, "2348810240 in embeddings of every layer")); // 262144 · 256 · 35
    for (const auto& [name, word] : {std::pair{"imp-encdec.json", "encoder-decoder"},
                                     {"imp-mamba.json", "no attention fields"},
                                     {"imp-headdim-fraction.json", "head_dim"}}) {
        CAPTURE(name);
        const auto refused = read_file(name, kRest);
        REQUIRE_FALSE(refused.ok());
        CHECK(refused.error().what.find(word) != std::string::npos);
    }
    auto with_head = kRest;
    with_head.push_back("model.head_dim=128");
    CHECK(std::get<ModelShape>(plan_of(imported("imp-headdim-fraction.json", with_head)).model).head_size() ==
          128);
}

TEST_CASE("a file with several models asks which one is trained") {
    const auto asked = read_file("imp-qwen-omni.json", kRest);
    REQUIRE_FALSE(asked.ok());
    for (const char* tower : {"thinker_config.text_config", "thinker_config.vision_config",
                              "thinker_config.audio_config", "talker_config"})
        CHECK(asked.error().what.find(tower) != std::string::npos);
    const auto thinker = imported("imp-qwen-omni.json", kRest, "thinker_config.text_config");
    // The text part of Qwen2.5 7B.
    CHECK(model::count_parameters<double>(std::get<ModelShape>(plan_of(thinker).model)).total ==
          7615616512.0);
    CHECK(find_note(imported("imp-gemma3.json"), Kind::warning, "vision_config"));
}

TEST_CASE("DeepSpeed: what is left open is named, never a number") {
    const auto open = imported("imp-ds-auto-nohf.json");
    CHECK_FALSE(open.plan);
    CHECK(find_note(open, Kind::warning, "gradient_clipping = auto"));
    CHECK(find_note(open, Kind::warning, "train_batch_size = auto"));
    CHECK(find_note(open, Kind::missing, "training.global_batch_size"));
    CHECK(open.text.find("batch_size") == std::string::npos);

    const auto list = imported("imp-ds-auto-list.json");
    CHECK(find_note(list, Kind::not_understood, "zero_optimization.sub_group_size = auto"));
    CHECK_FALSE(find_note(list, Kind::not_understood, "reduce_bucket_size"));
    CHECK(find_note(list, Kind::warning, "only one may end up on"));
    CHECK(find_note(list, Kind::missing, "training.precision"));
    // Micro batch 4 · accumulation 2 · 16 replicas.
    const auto known = imported("imp-ds-auto-list.json", {"cluster.gpus=16"});
    CHECK(known.text.find("\"global_batch_size\": 128") != std::string::npos);

    const auto both = from_text("deepspeed", R"({"fp16": {"enabled": true}, "bf16": {"enabled": true}})");
    CHECK(find_note(both, Kind::warning, "exclude each other"));

    const auto blanks = imported("imp-ds-nvme-template.json");
    CHECK(find_note(blanks, Kind::not_understood, "train_batch_size (line 2) = YOUR_BATCH_SIZE"));
    CHECK(find_note(blanks, Kind::not_understood, "YOUR_MICRO_BATCH"));
    CHECK(find_note(blanks, Kind::not_understood, "ratio = 0.3"));
    CHECK(find_note(blanks, Kind::read, "memory.offload_optimizer = nvme"));
}

TEST_CASE("DeepSpeed: a batch that contradicts itself is told with its arithmetic") {
    const std::string text = R"({"train_batch_size": 512, "train_micro_batch_size_per_gpu": 4,
                                 "gradient_accumulation_steps": 8})";
    const std::vector<std::string> sets = {"cluster.gpus=64", "parallel.tensor=1", "parallel.pipeline=1"};
    // 4 · 8 · 64 = 2048
    CHECK(find_note(from_text("deepspeed", text, sets), Kind::warning,
                    "micro batch 4 · accumulation 8 · 64 data ranks = 2048, not 512"));
    // 4 · 8 · 16 = 512
    CHECK_FALSE(find_note(
        from_text("deepspeed", text, {"cluster.gpus=16", "parallel.tensor=1", "parallel.pipeline=1"}),
        Kind::warning, "data ranks"));
}

TEST_CASE("DeepSpeed: a host that cannot hold the states is told") {
    // 6.7e9 parameters: 12 bytes each of states are 80 GB; the report was killed at 31 GB of host memory.
    auto sets = std::vector<std::string>{"model=llama2-7b",
                                         "cluster.node=dgx-a100-640",
                                         "cluster.gpus=8",
                                         "cluster.host_memory_bytes=31e9",
                                         "training.sequence_length=2048",
                                         "training.micro_batch_size=1",
                                         "training.global_batch_size=8",
                                         "memory.offload_optimizer=cpu"};
    const auto result = imported("imp-ds-nvme-template.json", sets);
    REQUIRE(result.plan);
    CHECK(result.plan->parallel.zero == 3);
    CHECK(result.plan->memory.offload_parameters == Offload::nvme);
}

TEST_CASE("DeepSpeed: one size of the batch gives the others") {
    // bat-ds17, the truth table of https://github.com/deepspeedai/DeepSpeed/issues/17, with 32 replicas:
    // train alone is micro = train / world and accumulation 1; micro alone is train = micro · world; train
    // and accumulation give micro = train / (accumulation · world), which must be whole.
    const std::vector<std::string> world = {"cluster.gpus=32", "parallel.tensor=1", "parallel.pipeline=1"};
    const auto train = from_text("deepspeed", R"({"train_batch_size": 256})", world);
    CHECK(find_note(train, Kind::read, "training.micro_batch_size = 8 from train_batch_size"));
    const auto micro = from_text("deepspeed", R"({"train_micro_batch_size_per_gpu": 2})", world);
    CHECK(
        find_note(micro, Kind::read, "training.global_batch_size = 64 from train_micro_batch_size_per_gpu"));
    const auto both =
        from_text("deepspeed", R"({"train_batch_size": 256, "gradient_accumulation_steps": 4})", world);
    CHECK(find_note(both, Kind::read, "training.micro_batch_size = 2 from train_batch_size"));
    const auto uneven =
        from_text("deepspeed", R"({"train_batch_size": 200, "gradient_accumulation_steps": 4})", world);
    CHECK(find_note(uneven, Kind::warning, "is no multiple of accumulation 4 · 32 data ranks"));
    CHECK(find_note(uneven, Kind::missing, "training.micro_batch_size"));
    // What the Hugging Face trainer fills in is not DeepSpeed's 1.
    const auto filled =
        from_text("deepspeed", R"({"train_batch_size": 256, "gradient_accumulation_steps": "auto"})", world);
    CHECK(find_note(filled, Kind::missing, "training.micro_batch_size"));
    // Without a world the sizes that follow from it are asked for.
    const auto open = from_text("deepspeed", R"({"train_batch_size": 256})");
    CHECK(find_note(open, Kind::missing, "training.micro_batch_size: train_batch_size over accumulation 1"));
    // A size that is given from outside leaves the accumulation to follow: 256 / (4 · 32) = 2.
    auto given = world;
    given.emplace_back("training.micro_batch_size=4");
    CHECK_FALSE(
        find_note(from_text("deepspeed", R"({"train_batch_size": 256})", given), Kind::warning, "refuses"));
}

TEST_CASE("torchtitan: a degree that is no literal is asked for, and no product is read without it") {
    const std::string head = "from torchtitan.models.llama3 import model_registry\n\n\n"
                             "def plan():\n    c = base()\n    n = 8\n    c.parallelism = ParallelismConfig(";
    const std::string tail = ")\n    c.training = TrainingConfig(num_tokens_per_microbatch_per_dp_rank=8192, "
                             "max_context_length=8192)\n    return c\n";
    const auto text = [&](const std::string& degrees) { return head + degrees + tail; };
    const std::string tensor =
        text("data_parallel_shard_degree=4, tensor_parallel_degree=n, pipeline_parallel_degree=2");
    const auto open = from_text("torchtitan-python", tensor);
    CHECK(find_note(open, Kind::missing, "parallel.tensor"));
    CHECK(find_note(open, Kind::missing, "cluster.gpus"));
    CHECK_FALSE(find_note(open, Kind::read, "cluster.gpus"));
    CHECK_FALSE(open.plan);
    // With the degree given the world is 4 · 8 · 2.
    CHECK(find_note(from_text("torchtitan-python", tensor, {"parallel.tensor=8"}), Kind::read,
                    "cluster.gpus = 64"));
    const auto expert =
        from_text("torchtitan-python", text("data_parallel_shard_degree=4, tensor_parallel_degree=2, "
                                            "expert_parallel_degree=get()"));
    CHECK(find_note(expert, Kind::missing, "parallel.expert"));
    CHECK_FALSE(find_note(expert, Kind::read, "parallel.expert_tensor"));
    CHECK_FALSE(find_note(expert, Kind::assumed, "parallel.expert_tensor"));
    const auto unpacked = from_text("torchtitan-python", text("data_parallel_shard_degree=4, **degrees"));
    CHECK(find_note(unpacked, Kind::missing, "parallel.tensor"));
    CHECK(find_note(unpacked, Kind::missing, "parallel.pipeline"));
    CHECK_FALSE(find_note(unpacked, Kind::read, "cluster.gpus"));
    CHECK_FALSE(find_note(unpacked, Kind::read, "parallel.data"));
    const auto replicas = from_text("torchtitan-python",
                                    text("data_parallel_shard_degree=4, data_parallel_replicate_degree=n"));
    CHECK_FALSE(find_note(replicas, Kind::read, "parallel.data"));
    CHECK(find_note(replicas, Kind::missing, "cluster.gpus"));
    const auto toml = from_text("torchtitan-toml", "[training]\nseq_len = 8192\n[parallelism]\n"
                                                   "data_parallel_shard_degree = 4\n"
                                                   "tensor_parallel_degree = 'eight'\n");
    CHECK(find_note(toml, Kind::missing, "parallel.tensor"));
    CHECK_FALSE(find_note(toml, Kind::read, "cluster.gpus"));
}

TEST_CASE("torchtitan: a local batch of several passes through the pipeline has its line") {
    const std::string text = "[model]\nname = 'llama3'\nflavor = '8B'\n[training]\nlocal_batch_size = 8\n"
                             "global_batch_size = 64\nseq_len = 8192\n[parallelism]\n"
                             "data_parallel_shard_degree = 4\npipeline_parallel_degree = 2\n";
    const auto result = from_text("torchtitan-toml", text);
    CHECK(find_note(result, Kind::read, "training.micro_batch_size = 1 from training.local_batch_size"));
    // 64 / (4 · 8)
    CHECK(find_note(result, Kind::not_understood, "a step is 2 passes through the pipeline"));
    CHECK_FALSE(find_note(from_text("torchtitan-toml", text + "pipeline_parallel_microbatch_size = 2\n",
                                    {"training.global_batch_size=32"}),
                          Kind::missing, "training"));
}

TEST_CASE("nanotron: degrees have no defaults") {
    const auto result = from_text("nanotron", "parallelism: {dp: 4, pp: 2, tp: null}\n"
                                              "tokens: {sequence_length: 2048, micro_batch_size: 1, "
                                              "batch_accumulation_per_replica: 8}\n");
    CHECK(find_note(result, Kind::missing, "parallel.tensor: parallelism.tp has no default in nanotron"));
    CHECK_FALSE(find_note(result, Kind::read, "cluster.gpus"));
    CHECK_FALSE(result.plan);
}

TEST_CASE("Hugging Face: what the class decides has its line") {
    const auto result =
        from_text("hf-config", R"({"model_type": "llama", "num_hidden_layers": 2, "hidden_size": 64,
        "num_attention_heads": 4, "intermediate_size": 128, "vocab_size": 100, "num_key_value_heads": null})");
    CHECK(find_note(result, Kind::assumed, "model.kv_heads = 4: num_key_value_heads is null"));
    CHECK(find_note(result, Kind::assumed, "model.norm = rmsnorm"));
}

TEST_CASE("accelerate's own export: the number of micro-batches asks for the batch") {
    const auto result =
        from_text("accelerate", "compute_environment: LOCAL_MACHINE\n"
                                "distributed_type: MEGATRON_LM\nnum_processes: 16\n"
                                "megatron_lm_config: {megatron_lm_tp_degree: 2, "
                                "megatron_lm_pp_degree: 2, megatron_lm_num_micro_batches: 4}\n");
    CHECK(find_note(result, Kind::missing, "training.global_batch_size (megatron_lm_config.megatron_lm_num"));
    CHECK_FALSE(find_note(result, Kind::not_understood, "megatron_lm_num_micro_batches"));
    CHECK(std::count_if(result.notes.begin(), result.notes.end(), [](const ImportNote& note) {
              return note.path == "training.global_batch_size";
          }) == 1);
}

TEST_CASE("relaxed JSON: each oddity is named and the last of duplicates counts") {
    const auto result = imported("imp-json-comments.json");
    for (const char* oddity : {"a byte order mark", "a comment", "a comma before the end", "no finite number",
                               "gradient_accumulation_steps (line 6) = 4: given twice"}) {
        CAPTURE(oddity);
        const ImportNote* note = find_note(result, Kind::warning, oddity);
        REQUIRE(note);
        CHECK(note->line().find("other programs may refuse the file") != std::string::npos);
    }
    CHECK(find_note(result, Kind::warning,
                    "train_micro_batch_size_per_gpu = \"2\": is text; read as the number 2"));
    CHECK(find_note(result, Kind::warning, "deprecated"));
    CHECK(find_note(result, Kind::not_understood, "did you mean train_batch_size?"));
    CHECK(find_note(result, Kind::read, "parallel.data = 8")); // 64 / (2 · 4)
}

TEST_CASE("Megatron scripts") {
    const auto big = imported("imp-bash-175b.sh", {"cluster.node=dgx-a100-640"});
    const Plan plan = plan_of(big);
    const auto& shape = std::get<ModelShape>(plan.model);
    CHECK(shape.layers == 96);
    CHECK(shape.hidden == 12288);
    CHECK(shape.heads == 96);
    CHECK(plan.training.sequence_length == 2048);
    CHECK(plan.training.global_batch_size == 1536);
    CHECK(plan.training.micro_batch_size == 1);
    CHECK(plan.training.precision == Precision::fp16);
    CHECK(plan.cluster.gpus == 8); // $(($GPUS_PER_NODE*$NUM_NODES))
    CHECK(plan.parallel.tensor == 8);
    CHECK(plan.parallel.pipeline == 16);
    CHECK(find_note(big, Kind::not_understood, "--rampup-batch-size"));
    CHECK_FALSE(find_note(big, Kind::not_understood, "one of")); // the comment in the array
    const Catalog catalog({presets_directory()});
    const auto setup = resolve(plan, catalog);
    REQUIRE(setup);
    const auto messages = rules::check(*setup);
    CHECK(std::any_of(messages.begin(), messages.end(), [](const Message& message) {
        return message.severity == Severity::error && message.code.find("world") != std::string::npos;
    }));

    const auto open = imported("imp-bash-606.sh");
    CHECK(open.text.find("\"hidden\": 4096") != std::string::npos); // not the commented 5120
    CHECK(find_note(open, Kind::missing, "number of nodes is $WORLD_SIZE"));
    CHECK(open.text.find("gpus") == std::string::npos);

    const auto cut = imported("imp-bash-missing-backslash.sh");
    CHECK(find_note(cut, Kind::warning, "line 7: --tensor-model-parallel-size"));
    CHECK(cut.text.find("\"heads\": 16") != std::string::npos); // line ends inside quotes do no harm
    CHECK(find_note(cut, Kind::assumed, "parallel.tensor = 1"));
    CHECK(find_note(cut, Kind::assumed, "training.precision = fp32"));
}

TEST_CASE("Megatron: the vocabulary that is trained, and where it comes from") {
    for (const char* tensor : {"2", "4"}) { // 128 · 4 = 512 divides 32256 as well
        std::string text = *read_text(data_file("imports/val-vocab-32000-32256.sh"));
        text.insert(0, std::string("TP=") + tensor + "\n");
        const auto result = from_text("megatron-script", text);
        const ImportNote* note = find_note(result, Kind::read, "model.vocab = 32256");
        REQUIRE(note);
        CHECK(note->line().find("32002 words padded") != std::string::npos);
        CHECK(note->line().find("a checkpoint with other rows does not fit") != std::string::npos);
    }
    const auto extra = imported("val-vocab-102400-102416.sh");
    CHECK(find_note(extra, Kind::read, "model.vocab = 102416"));
    CHECK(find_note(extra, Kind::not_understood, "--tensor-model-parallel-size = $4"));
    CHECK(extra.text.find("\"tensor\"") == std::string::npos);
}

TEST_CASE("MindSpeed: its own flags, and Megatron's 0.12") {
    const auto result = from_text(
        "", "#!/bin/bash\ntorchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --num-layers 32 "
            "--context-parallel-size 2 --context-parallel-algo ulysses_cp_algo "
            "--pipeline-model-parallel-size 4 --schedules-method dualpipev\n");
    CHECK(std::string(result.importer->id) == "mindspeed-script");
    CHECK(find_note(result, Kind::read, "parallel.context_kind = ulysses"));
    CHECK(find_note(result, Kind::read, "parallel.schedule = dualpipe-v"));
    CHECK(find_note(result, Kind::assumed, "target = mindspeed@0.12"));
}

TEST_CASE("a version in the first lines is the one that is read, unless another is asked for") {
    const std::string script =
        "#!/bin/bash\n# a plan, for Megatron-LM core 0.12 (megatron-lm@0.12)\n"
        "torchrun --nproc_per_node 8 pretrain_gpt.py --micro-batch-size 1 --num-layers 2 --use-custom-fsdp\n";
    const auto named = from_text("", script);
    CHECK(named.version == "0.12");
    CHECK(
        find_note(named, Kind::assumed, "target = megatron-lm@0.12: the version that its first lines name"));
    CHECK(find_note(from_text("megatron-script@0.16", script), Kind::assumed,
                    "target = megatron-lm@0.16: the version asked for"));
    CHECK(find_note(from_text("", script.substr(script.find("torchrun"))), Kind::assumed,
                    "target = megatron-lm@0.19: the newest release"));
}

TEST_CASE("DeepSpeed: a stage that is none is not taken for stage 0") {
    const auto result =
        from_text("deepspeed", R"({"train_batch_size": 64, "zero_optimization": {"stage": 4}})");
    CHECK(find_note(result, Kind::missing, "parallel.zero"));
    CHECK_FALSE(find_note(result, Kind::assumed, "parallel.zero = 0"));
    CHECK_FALSE(find_note(result, Kind::not_understood, "true or false"));
}

TEST_CASE("torchtitan: one configuration out of a registry") {
    const std::string text = "from torchtitan.models.llama3 import model_registry\n\n\n"
                             "def small() -> Trainer.Config:\n    return Trainer.Config(\n"
                             "        model_spec=model_registry(\"8B\"),\n"
                             "        training=TrainingConfig(local_batch_size=1, seq_len=8192),\n    )\n\n\n"
                             "def large() -> Trainer.Config:\n    return Trainer.Config(\n"
                             "        model_spec=model_registry(\"70B\"),\n"
                             "        training=TrainingConfig(local_batch_size=8, seq_len=4096),\n"
                             "        parallelism=ParallelismConfig(tensor_parallel_degree=8),\n    )\n\n\n"
                             "def changed() -> Trainer.Config:\n    config = large()\n"
                             "    config.parallelism.tensor_parallel_degree = 4\n"
                             "    config.training.steps = count()\n"
                             "    config.compile = CompileConfig(enable=True)\n    return config\n";
    CHECK(launchers::python_configurations(text) == std::vector<std::string>{"small", "large", "changed"});
    const auto first = from_text("torchtitan-python", text);
    CHECK(find_note(first, Kind::warning, "the first configuration of 3 counts: small, large, changed"));
    CHECK(find_note(first, Kind::read, "model = llama3-8b"));
    CHECK_FALSE(find_note(first, Kind::read, "parallel.tensor = 8")); // that is large's
    launchers::ImportOptions options;
    options.kind = "torchtitan-python";
    options.part = "large";
    const auto large = launchers::import_plan(text, "config_registry.py", options);
    REQUIRE(large.ok());
    CHECK(find_note(*large, Kind::read, "model = llama3-70b"));
    CHECK(find_note(*large, Kind::read, "parallel.tensor = 8"));
    options.part = "changed";
    const auto changed = launchers::import_plan(text, "config_registry.py", options);
    REQUIRE(changed.ok());
    CHECK(find_note(*changed, Kind::read, "model = llama3-70b"));
    CHECK(find_note(*changed, Kind::read, "parallel.tensor = 4"));
    CHECK(find_note(*changed, Kind::read, "stack = torchtitan-compile"));
    CHECK(find_note(*changed, Kind::not_understood, "training.steps = line"));
    options.part = "huge";
    const auto none = launchers::import_plan(text, "config_registry.py", options);
    REQUIRE_FALSE(none.ok());
    CHECK(none.error().what == "holds no configuration huge; small, large, changed is right");
}

TEST_CASE("Megatron: a file of arguments that others source") {
    const auto result =
        from_text("", "#!/bin/bash\nMODEL_ARGS=\" \\\n  --num-layers 36 \\\n  --hidden-size 4096 \\\n"
                      "  --num-attention-heads 32 \\\n\"\n");
    CHECK(find_note(result, Kind::warning, "MODEL_ARGS: no program *.py is started"));
    CHECK(find_note(result, Kind::read, "model.layers = 36 from --num-layers"));
    CHECK(find_note(result, Kind::read, "model.heads = 32 from --num-attention-heads"));
    CHECK(find_note(result, Kind::missing, "cluster.gpus"));
}

TEST_CASE("Megatron: the norms of latents are no norms of queries and keys") {
    const std::string script =
        "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --kv-lora-rank 512 "
        "--multi-latent-attention";
    const auto normed = from_text("megatron-script", script + " --qk-layernorm");
    CHECK_FALSE(find_note(normed, Kind::read, "model.qk_norm"));
    CHECK_FALSE(find_note(normed, Kind::warning, "latents"));
    CHECK(find_note(from_text("megatron-script", script), Kind::warning, "no norms of the latents"));
}

TEST_CASE("torchtitan of 2024 cuts the batch into as many micro-batches as pipeline ranks") {
    // torchtitan of November 2024, config_manager.py: "The default value will be the number of pipeline
    // stages".
    const auto result = from_text("torchtitan-toml", "[model]\nname = 'llama3'\nflavor = '8B'\n"
                                                     "[training]\nbatch_size = 8\nseq_len = 8192\n"
                                                     "data_parallel_degree = 4\ntensor_parallel_degree = 1\n"
                                                     "[experimental]\npipeline_parallel_degree = 4\n"
                                                     "[activation_checkpoint]\nmode = 'selective'\n"
                                                     "selective_ac_option = '2'\n");
    CHECK(find_note(result, Kind::read, "training.micro_batch_size = 2 from training.batch_size"));
    CHECK(find_note(result, Kind::read, "training.global_batch_size = 32 from training.batch_size"));
    CHECK(find_note(result, Kind::not_understood, "selective_ac_option = 2"));
}

TEST_CASE("what stands in another file, or is left to the program, is told") {
    const auto result =
        from_text("accelerate",
                  "compute_environment: LOCAL_MACHINE\ndistributed_type: DEEPSPEED\n"
                  "deepspeed_config: {deepspeed_config_file: ds.json}\n"
                  "num_processes: 8\n",
                  {"model=llama3-8b", "cluster.node=dgx-h100", "training.sequence_length=8192",
                   "training.micro_batch_size=1", "training.global_batch_size=8"});
    CHECK_FALSE(result.plan);
    CHECK(find_note(result, Kind::not_understood, "deepspeed_config_file = ds.json"));
    CHECK(find_note(result, Kind::missing, "parallel.zero"));
    CHECK(find_note(result, Kind::missing, "training.precision"));
    const auto script =
        from_text("megatron-script", "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 "
                                     "--attention-backend auto");
    CHECK(find_note(script, Kind::assumed, "training.attention = flash"));
}

TEST_CASE("a degree that is not understood is asked for") {
    const auto script =
        from_text("megatron-script", "torchrun --nproc_per_node 8 pretrain_gpt.py --num-experts 8 "
                                     "--expert-model-parallel-size $EP "
                                     "--tensor-model-parallel-size two");
    const ImportNote* expert = find_note(script, Kind::missing, "parallel.expert");
    REQUIRE(expert);
    CHECK(expert->path == "parallel.expert");
    CHECK(expert->value == "$EP");
    CHECK(find_note(script, Kind::missing, "parallel.tensor"));
    CHECK(find_note(from_text("colossalai", R"({"tp_size": "many"})"), Kind::missing, "parallel.tensor"));
}

TEST_CASE("a misspelt flag is told which one is near, and a number may be too large") {
    const auto script =
        from_text("megatron-script", "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 "
                                     "--tensor-model-paralel-size 4");
    CHECK(find_note(script, Kind::not_understood, "did you mean --tensor-model-parallel-size?"));
    const auto large = from_text("deepspeed", R"({"train_batch_size": 1e400})");
    CHECK(find_note(large, Kind::warning, "a number too large"));
}

TEST_CASE("YAML: anchors, empty values, tags and interpolations") {
    const auto result = imported("imp-yaml-anchors.yaml");
    CHECK(find_note(result, Kind::read, "training.micro_batch_size = 1")); // merged from an anchor
    CHECK(find_note(result, Kind::read, "training.precision = bf16"));     // and not the empty --fp16
    CHECK(find_note(result, Kind::not_understood, "--hidden-size = ${model.hidden}"));
    CHECK(find_note(result, Kind::not_understood, "--global-batch-size = ${oc.env:GLOBAL_BATCH}"));
    CHECK(result.text.find("global_batch_size") == std::string::npos);
    CHECK(find_note(result, Kind::warning, "python/object/apply:os.system"));
    CHECK_FALSE(find_note(result, Kind::read, "parallel.sequence"));

    // PyYAML 6: yaml.safe_load("a: 010") is {'a': 8}.
    CHECK(find_note(from_text("nanotron", "parallelism: {dp: 1, pp: 0x2, tp: 010}\n"), Kind::read,
                    "parallel.tensor = 8"));

    std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
    for (int i = 1; i < 12; ++i) {
        bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [";
        for (int j = 0; j < 10; ++j) bomb += (j > 0 ? ", *a" : "*a") + std::to_string(i - 1);
        bomb += "]\n";
    }
    const auto refused = launchers::import_plan(bomb + "MODEL_ARGS: {}\n", "bomb.yaml");
    REQUIRE_FALSE(refused.ok());
    CHECK(refused.error().what.find("more than 300000 values") != std::string::npos);
}

TEST_CASE("GPT-NeoX: both spellings of a key, and the base64 copy") {
    const auto check = [](const launchers::ImportResult& result) {
        CHECK(std::string(result.importer->id) == "gpt-neox");
        for (const char* line :
             {"parallel.pipeline = 4", "parallel.tensor = 2", "model.layers = 32", "model.hidden = 4096",
              "training.sequence_length = 2048", "parallel.zero = 1", "model.tied_embeddings = false",
              "training.precision = fp16", "memory.recompute = full"}) {
            CAPTURE(line);
            CHECK(find_note(result, Kind::read, line));
        }
    };
    check(imported("imp-neox-yml.yml"));
    check(imported("imp-neox.b64"));
}

TEST_CASE("a plan of our own with unknown fields is kept") {
    const auto result = from_text(
        "",
        R"({"schema": "shardlens/plan/0", "model": "llama3-70b", "cluster": {"node": "dgx-h100", "gpus": 64, "racks": 2},
        "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 64}, "parallel": {"tensor": 8}})");
    CHECK(std::string(result.importer->id) == "contract");
    CHECK(plan_of(result).parallel.tensor == 8);
    CHECK(find_note(result, Kind::not_understood, "cluster.racks = 2"));
    CHECK(find_note(result, Kind::warning, "shardlens/plan/0"));
}

TEST_CASE("kinds and versions by name") {
    CHECK(launchers::find_importer("megatron-script@0.16").ok());
    CHECK(launchers::find_importer("megatron-script@0.99").error().what.find("known: 0.19") !=
          std::string::npos);
    CHECK(launchers::find_importer("deepsped").error().what.find("did you mean 'deepspeed'") !=
          std::string::npos);
    CHECK_FALSE(launchers::import_plan("just words", "note.txt").ok());
    // Megatron's FSDP shards everything by default from 0.19 on only (megatron/training/arguments.py).
    const std::string script =
        "torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 2 --use-megatron-fsdp";
    CHECK(find_note(from_text("megatron-script@0.19", script), Kind::assumed, "parallel.zero = 3"));
    CHECK(find_note(from_text("megatron-script@0.16", script), Kind::assumed, "parallel.zero = 0"));
}

namespace {

/// The least that a script says, and nothing of the world.
const std::string kGpt = " pretrain_gpt.py --num-layers 32 --hidden-size 4096 --num-attention-heads 32 "
                         "--seq-length 4096 --vocab-size 32000 --micro-batch-size 1 --global-batch-size 128 "
                         "--bf16 ";

} // namespace

TEST_CASE("Megatron: the world of a Slurm job") {
    // srun's manual: -n is the number of tasks of the job, --ntasks-per-node beside it an upper bound; -N the
    // number of nodes, as one or as a range. Values of short options may follow without a blank.
    const auto world = [](const std::string& script) { return from_text("megatron-script", script + "\n"); };
    for (const auto& [script, line] : {
             std::pair<std::string, const char*>{"srun -n 64 --ntasks-per-node 8 python" + kGpt,
                                                 "64 from -n"},
             {"srun -n64 --ntasks-per-node 8 python" + kGpt, "64 from -n"},
             {"srun -N8 --gres=gpu:8 --ntasks-per-node=8 python" + kGpt, "64 from -N · --ntasks-per-node"},
             {"#SBATCH -N8\n#SBATCH --ntasks-per-node=8\nsrun python" + kGpt,
              "64 from #SBATCH -N · #SBATCH --ntasks-per-node"},
             {"#SBATCH -N8 --ntasks-per-node=8 # eight each\nsrun python" + kGpt,
              "64 from #SBATCH -N · #SBATCH --ntasks-per-node"},
             {"#SBATCH -n 64\n#SBATCH --ntasks-per-node=8\nsrun python" + kGpt, "64 from #SBATCH -n"},
             {"#SBATCH --nodes=8\n#SBATCH --ntasks-per-node=8\nsrun -N 2 python" + kGpt,
              "16 from -N · #SBATCH --ntasks-per-node"},
             {"mpirun -np 64 python" + kGpt, "64 from -np"},
             // torchrun --help: --nnodes has the default 1; argparse takes beginnings of names.
             {"torchrun --nproc_per_node 8" + kGpt, "8 from --nproc_per_node"},
             {"torchrun --nnode 4 --nproc-per 8" + kGpt, "32 from --nnode · --nproc-per"},
             {"srun -N 4 --ntasks-per-node 1 torchrun --nnodes 4 --nproc-per-node 8" + kGpt,
              "32 from --nnodes · --nproc-per-node"},
         }) {
        INFO(script);
        CHECK(find_note(world(script), Kind::read, std::string("cluster.gpus = ") + line));
    }
    for (const auto& [script, line] : {
             std::pair<std::string, const char*>{
                 "#SBATCH --nodes=4-8\n#SBATCH --ntasks-per-node=8\nsrun python" + kGpt,
                 "(#SBATCH --nodes = 4-8): no single number"},
             {"srun --ntasks-per-node=8 python" + kGpt, "the number of nodes is not"},
             {"#SBATCH --ntasks-per-node=8\nsrun python" + kGpt, "the number of nodes is not"},
             {"#SBATCH --nodes=4\nsrun torchrun --nproc_per_node 8" + kGpt, "torchrun without --nnodes"},
             {"torchrun $DISTRIBUTED --nproc_per_node 8" + kGpt, "may stand in $DISTRIBUTED"},
             {"torchrun --nnodes 1:4 --nproc_per_node 8" + kGpt, "(--nnodes = 1:4): no single number"},
             {"srun -n $TASKS python" + kGpt, "the number of processes is $TASKS"},
         }) {
        INFO(script);
        const auto result = world(script);
        CHECK(find_note(result, Kind::missing, line));
        CHECK(result.text.find("gpus") == std::string::npos);
    }
}

TEST_CASE("Megatron: variables that Slurm sets come from the job's own options") {
    // sbatch's manual, "OUTPUT ENVIRONMENT VARIABLES"; bash has 4 · 8 = 32 and 2 · 4 = 8 for the two batches.
    const auto result =
        from_text("megatron-script", "#!/bin/bash\n#SBATCH --nodes=4\n#SBATCH --gres=gpu:a100:8\n"
                                     "NNODES=${SLURM_JOB_NUM_NODES:-1}\n"
                                     "torchrun --nnodes $NNODES --nproc-per-node $SLURM_GPUS_ON_NODE" +
                                         kGpt + "--global-batch-size $((2 * SLURM_NNODES))\n");
    CHECK(find_note(result, Kind::read, "cluster.gpus = 32"));
    CHECK(find_note(result, Kind::read, "training.global_batch_size = 8"));
    CHECK(
        find_note(result, Kind::warning, "SLURM_NNODES = 4: as Slurm sets it in a job with #SBATCH --nodes"));
    const auto unsaid = from_text("megatron-script", "#SBATCH --job-name=a\ntorchrun --nnodes $SLURM_NNODES "
                                                     "--nproc-per-node 8" +
                                                         kGpt);
    CHECK(find_note(unsaid, Kind::missing, "the number of nodes is $SLURM_NNODES"));
}

TEST_CASE("Megatron: a word that is not known may hold any flag") {
    // bash hands over the words of $ARGS behind --bf16, a switch (action StoreTrue in Megatron-LM's parser).
    const auto open = from_text(
        "megatron-script", "torchrun --nproc_per_node 8" + kGpt + "$ARGS --tensor-model-parallel-size 2\n",
        {"cluster.node=dgx-h100"});
    CHECK_FALSE(open.plan);
    CHECK(find_note(open, Kind::read, "parallel.tensor = 2"));
    CHECK(find_note(open, Kind::read, "training.precision = bf16"));
    CHECK(find_note(open, Kind::not_understood, "$ARGS: line 1"));
    for (const char* path : {"parallel.pipeline", "parallel.context", "parallel.zero", "parallel.sequence",
                             "memory.recompute"}) {
        INFO(path);
        CHECK(find_note(open, Kind::missing, std::string(path) + ": may stand in $ARGS"));
        CHECK_FALSE(find_note(open, Kind::assumed, path));
    }
    CHECK_FALSE(find_note(open, Kind::missing, "training.global_batch_size"));
    // "$@" is what a caller may add, no part of the script: its defaults are assumed as ever.
    const auto added = from_text("megatron-script", "torchrun --nproc_per_node 8" + kGpt + "\"$@\"\n");
    CHECK(find_note(added, Kind::not_understood, "$@: line 1"));
    CHECK(find_note(added, Kind::assumed, "parallel.zero = 0"));
    const auto given = from_text("megatron-script", "torchrun --nproc_per_node 8" + kGpt + "$ARGS\n",
                                 {"cluster.node=dgx-h100", "parallel.tensor=1", "parallel.pipeline=1",
                                  "parallel.context=1", "parallel.zero=1", "memory.recompute=full"});
    CHECK(plan_of(given).parallel.zero == 1);
    const auto bare =
        from_text("megatron-script", "torchrun --nproc_per_node 8 pretrain_gpt.py --use-flash-attn $ARGS\n");
    CHECK(find_note(bare, Kind::missing, "training.precision: may stand in $ARGS"));
    CHECK(find_note(bare, Kind::missing, "training.micro_batch_size: may stand in $ARGS"));
    CHECK(find_note(bare, Kind::missing, "model.layers: may stand in $ARGS"));
    const auto degree = from_text(
        "megatron-script", "torchrun --nproc_per_node 8" + kGpt + "--pipeline-model-parallel-size $PP\n",
        {"cluster.node=dgx-h100"});
    CHECK_FALSE(degree.plan); // not 1 without a word
    // The value of a flag that takes one is no such word, nor is a path with a variable in it.
    CHECK(find_note(
        from_text("megatron-script", "torchrun --nproc_per_node 8" + kGpt + "--save $OUT out/$RUN\n"),
        Kind::assumed, "parallel.tensor = 1"));
}

TEST_CASE("Megatron: the program behind -m, in a quoted command, and one that is not known") {
    // torchrun --help: -m, --module: the script is a module, as in python -m. ssh hands its words to a shell.
    const std::string flags = kGpt.substr(kGpt.find("--"));
    for (const std::string& script :
         {"python -m torch.distributed.run --nnodes 2 --nproc_per_node 4 -m examples.mimo.pretrain_mimo " +
              flags,
          "torchrun --nnodes 2 --nproc_per_node 4 -m megatron.pretrain_gpt " + flags,
          "python -m torch.distributed.launch --nnodes 2 --nproc_per_node 4" + kGpt,
          "torchrun --nnodes 2 --nproc_per_node 4 -m coverage run" + kGpt,
          "torchrun --nnodes 2 --nproc_per_node 4 $PRETRAIN " + flags,
          "ssh node1 \"cd /data && torchrun --nnodes 2 --nproc_per_node 4" + kGpt + "\"",
          "bash -lc 'torchrun --nnodes 2 --nproc_per_node 4" + kGpt + "'"}) {
        INFO(script);
        const auto result =
            from_text("megatron-script", "#!/bin/bash\n" + script + "\n", {"cluster.node=dgx-h100"});
        const Plan plan = plan_of(result);
        CHECK(plan.cluster.gpus == 8);
        CHECK(std::get<ModelShape>(plan.model).layers == 32);
        CHECK(plan.training.global_batch_size == 128);
    }
}

TEST_CASE("Megatron: without a program all variables with flags count together") {
    const auto result =
        from_text("megatron-script", "#!/bin/bash\nMODEL=\"--num-layers 32 --hidden-size 4096 --bf16\"\n"
                                     "RUN=\"--micro-batch-size 2 --hidden-size 2048\"\nDIST=\"--nnodes 2 "
                                     "--nproc_per_node 8\"\nALL=\"$MODEL --num-attention-heads 32\"\n");
    CHECK(find_note(result, Kind::warning, "DIST, ALL, RUN: no program *.py is started"));
    CHECK(find_note(result, Kind::warning, "--hidden-size = 2048: RUN says otherwise than ALL"));
    CHECK(find_note(result, Kind::read, "cluster.gpus = 16"));
    CHECK(find_note(result, Kind::read, "model.hidden = 4096"));
    CHECK(find_note(result, Kind::read, "training.micro_batch_size = 2"));
    CHECK(find_note(result, Kind::read, "training.precision = bf16"));
    CHECK_FALSE(find_note(result, Kind::warning, "given twice"));
}

TEST_CASE("Megatron: the training is the program with the most of Megatron's own flags") {
    const auto result = from_text("megatron-script",
                                  "python prepare.py --input a --output-prefix b --workers 3 --append-eod "
                                  "--json-keys text --partitions 3 --keep-sequential --find-best --dry-run "
                                  "--log-to c --shards 8 --verify\ntorchrun --nproc_per_node 8" +
                                      kGpt + "--recompute-num-layers 1\n");
    CHECK(find_note(result, Kind::warning, "line 2 = pretrain_gpt.py: the program with the most of"));
    CHECK(find_note(result, Kind::read, "model.layers = 32"));
    CHECK(find_note(result, Kind::not_understood,
                    "--recompute-num-layers = 1: without --recompute-granularity full"));
}

TEST_CASE("Megatron: --part is for files with several parts") {
    const auto result = launchers::import_plan("torchrun --nproc_per_node 8" + kGpt, "train.sh",
                                               {.kind = "megatron-script", .sets = {}, .part = "text"});
    REQUIRE(result);
    CHECK(find_note(*result, Kind::warning, "--part = text: a script has no parts"));
}
