// SPDX-License-Identifier: GPL-3.0-or-later
// nanotron: config.yaml holds grid, batch, shape and optimizer (src/nanotron/config/*.py of 0.4).
#include "launchers/nanotron.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/document_text.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "plan/fields.h"
#include "rules/launcher_schedule.h"
#include "rules/nanotron_split.h"

namespace shardlens::launchers {

std::span<const KeyRow> nanotron_rows() {
    static const std::array kRows = {
        KeyRow{"parallel.data", "parallelism.dp"},
        KeyRow{"parallel.pipeline", "parallelism.pp"},
        KeyRow{"parallel.tensor", "parallelism.tp"},
        KeyRow{"parallel.context", "parallelism.context_parallel_size"},
        KeyRow{"parallel.expert", "parallelism.expert_parallel_size"},
        KeyRow{"parallel.schedule", "parallelism.pp_engine", {{"1f1b", "1f1b"}, {"gpipe", "afab"}}},
        KeyRow{"parallel.sequence",
               "parallelism.tp_mode",
               {{"true", "REDUCE_SCATTER"}, {"false", "ALL_REDUCE"}}},
        KeyRow{"overlap.tensor",
               "parallelism.tp_linear_async_communication",
               {{"true", "true"}, {"false", "false"}}},
        KeyRow{"memory.recompute", "parallelism.recompute_layer", {{"none", "false"}, {"full", "true"}}},
        KeyRow{"training.precision",
               "model.dtype",
               {{"bf16", "bfloat16"}, {"fp16", "float16"}, {"fp32", "float32"}}},
        KeyRow{"training.sequence_length", "tokens.sequence_length"},
        KeyRow{"training.micro_batch_size", "tokens.micro_batch_size"},
        KeyRow{"parallel.zero", "optimizer.zero_stage"},
        KeyRow{
            "training.optimizer", "optimizer.optimizer_factory.name", {{"adamw", "adamW"}, {"sgd", "sgd"}}},
    };
    return kRows;
}

std::span<const KeyRow> nanotron_model_rows() {
    static const std::array kRows = {
        KeyRow{"model.layers", "num_hidden_layers"},
        KeyRow{"model.hidden", "hidden_size"},
        KeyRow{"model.heads", "num_attention_heads"},
        KeyRow{"model.kv_heads", "num_key_value_heads"},
        KeyRow{"model.ffn_hidden", "intermediate_size"},
        KeyRow{"model.vocab", "vocab_size"},
        KeyRow{"model.tied_embeddings", "tie_word_embeddings"},
        KeyRow{"model.moe.experts", "moe_config.num_experts"},
        KeyRow{"model.moe.top_k", "moe_config.top_k"},
        KeyRow{"model.moe.expert_ffn", "moe_config.moe_intermediate_size"},
    };
    return kRows;
}

namespace {

using Json = nlohmann::ordered_json;

void write_model(const Findings& findings, const Plan& resolved, Json& document) {
    const Setup& setup = findings.setup;
    const ModelShape& shape = setup.shape;
    // Only the Qwen2 model splits sequences, has windows, experts and biases.
    const bool qwen = setup.context > 1 || setup.moe() || shape.attention_window > 0 || shape.biases.qkv;
    Json model = {{qwen ? "is_qwen2_config" : "is_llama_config", true}, {"hidden_act", "silu"}};
    write_rows(nanotron_model_rows(), resolved, model);
    model["max_position_embeddings"] = setup.plan.training.sequence_length;
    model["attention_bias"] = shape.biases.qkv;
    if (setup.context > 1) {
        const bool gathers = setup.context_kind == ContextKind::allgather;
        model["_attn_implementation"] = gathers ? "llama3_ring_attention" : "ring";
        if (gathers) model["ring_attn_heads_k_stride"] = 1; // KV heads gathered at a time; 1 always divides
    } else {
        const bool flash = setup.plan.training.attention == Attention::flash;
        model["_attn_implementation"] = flash ? "flash_attention_2" : "sdpa";
    }
    model.erase("moe_config");
    if (shape.ffn_hidden == 0 && setup.moe()) model["intermediate_size"] = shape.moe->expert_ffn;
    if (setup.moe())
        findings.differs(
            "model.moe",
            fmt::format("set moe_config=MoEConfig(num_experts={}, top_k={}, moe_intermediate_size={}) "
                        "in your program: 0.4 cannot load one from YAML",
                        shape.moe->experts, shape.moe->top_k, shape.moe->expert_ffn));
    const bool windowed = shape.attention_window > 0 && shape.global_attention_every == 0 &&
                          setup.plan.training.attention == Attention::flash;
    if (windowed && setup.context == 1) model["sliding_window_size"] = shape.attention_window;
    document["model"]["model_config"] = std::move(model);

    using enum ShapeFeature;
    if (windowed && setup.context == 1)
        findings.model_differs(
            {qkv_biases, tied_embeddings, ShapeFeature::windows, experts, shared_experts, dense_layers});
    else
        findings.model_differs({qkv_biases, tied_embeddings, experts, shared_experts, dense_layers});
}

void find_differences(const Findings& findings) {
    const Setup& setup = findings.setup;
    const Training& training = setup.plan.training;
    if (setup.pipeline > 1) {
        if (rules::schedule_instead(setup, "nanotron"))
            findings.differs("parallel.schedule",
                             fmt::format("nanotron runs 1f1b instead of {}", to_string(setup.schedule)));
        if (setup.layers_per_chunk != rules::nanotron_split(setup))
            findings.differs("parallel.layers_per_stage",
                             "nanotron splits layers by their cost, the head counted with the last ones");
    }
    if (setup.context > 1 && setup.zero == 1 && setup.shard != setup.data)
        findings.differs(
            "parallel.shard_group",
            "optimizer states are sharded over the data ranks, not over the context ranks as well");
    if (setup.context > 1 && training.attention == Attention::standard)
        findings.differs("training.attention", "ring attention is flash attention");
    const Precision precision = training.precision;
    if (precision != Precision::bf16 && precision != Precision::fp16 && precision != Precision::fp32)
        findings.differs("training.precision",
                         fmt::format("bf16: nanotron 0.4 has no {}", to_string(precision)));
    if (setup.gradient_dtype != Dtype::fp32 && setup.gradient_dtype != working_dtype(setup))
        findings.differs("training.gradient_dtype", "gradients have the training precision");
    if (setup.optimizer_dtype != Dtype::fp32)
        findings.differs("training.optimizer_dtype", "moments are kept in fp32");
    if (training.optimizer != Optimizer::sgd) findings.only_adamw("nanotron");
    findings.recompute_is_all_or_nothing();
    findings.no_offload();
    if (!same_placement(setup, "tp-cp-dp-pp-ep"))
        findings.differs(
            "parallel.rank_order",
            "ranks land in nanotron's order: tensor neighbours first, then context, data, pipeline");
}

} // namespace

Export make_nanotron(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    const std::string target = fmt::format("nanotron@{}", version);
    const Findings findings{setup, result};
    check_hosts(setup, result);
    add_refusals(setup, target, result);
    const Training& training = setup.plan.training;
    Json document;
    document["general"] = {{"project", "shardlens"}, {"run", "plan"}, {"seed", 42}};
    // The sections in the order of nanotron's own examples.
    for (const char* section : {"parallelism", "model", "tokens", "optimizer"})
        document[section] = Json::object();
    const Plan resolved = acting_plan(setup);
    write_rows(nanotron_rows(), resolved, document);
    if (!document["parallelism"].contains("pp_engine")) document["parallelism"]["pp_engine"] = "1f1b";
    if (!document["parallelism"].contains("recompute_layer"))
        document["parallelism"]["recompute_layer"] = false;
    if (!document["model"].contains("dtype")) document["model"]["dtype"] = "bfloat16";
    document["model"]["init_method"] = {{"std", 0.02}};
    document["model"]["make_vocab_size_divisible_by"] = 1;
    write_model(findings, resolved, document);
    document["tokens"]["batch_accumulation_per_replica"] = setup.micro_batches;
    document["tokens"]["train_steps"] = train_steps(setup);
    Json& optimizer = document["optimizer"];
    if (training.optimizer == Optimizer::sgd) {
        optimizer["optimizer_factory"] = {{"name", "sgd"}};
    } else {
        optimizer["optimizer_factory"] = {{"name", "adamW"},
                                          {"adam_beta1", 0.9},
                                          {"adam_beta2", 0.95},
                                          {"adam_eps", 1e-8},
                                          {"torch_adam_is_fused", true}};
    }
    optimizer["accumulate_grad_in_fp32"] = setup.gradient_dtype == Dtype::fp32;
    optimizer["weight_decay"] = 0.1;
    optimizer["clip_grad"] = 1.0;
    optimizer["learning_rate_scheduler"] = {{"learning_rate", 3e-4},
                                            {"lr_warmup_steps", 10},
                                            {"lr_warmup_style", "linear"},
                                            {"lr_decay_style", "cosine"},
                                            {"min_decay_lr", 3e-5}};
    document["data_stages"] =
        Json::array({{{"name", "stable"},
                      {"start_training_step", 1},
                      {"data", {{"dataset", nullptr}, {"num_loading_workers", 1}, {"seed", 42}}}}});
    find_differences(findings);
    if (!result.refusals.empty()) return result;

    result.files.push_back(
        {"config.yaml",
         file_header(setup, target, "learning rate, data stages, tokenizer, checkpoints", result) +
             yaml_text(document),
         false});
    const std::string start =
        "export CUDA_DEVICE_MAX_CONNECTIONS=1 # nanotron's tensor parallelism wants it\n" + torchrun_lines() +
        "    \"${NANOTRON_DIR:-.}/run_train.py\" --config-file \"$here/config.yaml\"\n";
    add_launch_files(setup, target, start, result);
    return result;
}

} // namespace shardlens::launchers
