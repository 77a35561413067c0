// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Bridge's overrides.yaml: a part of a configuration, laid over a recipe; what the recipe decides is
// asked for.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/megatron_bridge.h"
#include "launchers/megatron_import.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

using Json = nlohmann::ordered_json;

int looks_like_bridge(std::string_view text, std::string_view file_name) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const bool degrees = has("tensor_model_parallel_size:") || has("pipeline_model_parallel_size:") ||
                         has("context_parallel_size:");
    if (degrees && has("model:") && (has("train:") || has("ddp:") || has("mixed_precision:"))) return 90;
    return degrees && file_name.find("override") != std::string_view::npos ? 80 : 0;
}

namespace {

void read_sharding(KeyReader& keys, Imported& plan) {
    const bool fsdp = keys.flag("dist.use_megatron_fsdp").value_or(false) ||
                      keys.flag("ddp.use_megatron_fsdp").value_or(false);
    const bool torch_fsdp = keys.flag("dist.use_torch_fsdp2").value_or(false);
    const auto strategy = keys.text("ddp.data_parallel_sharding_strategy");
    (void)keys.flag("optimizer.use_distributed_optimizer");
    const auto distributed = keys.flag("ddp.use_distributed_optimizer");
    if (fsdp || torch_fsdp) {
        const std::string name = strategy.value_or("optim_grads_params");
        const std::int64_t stage = name == "no_shard"      ? 0
                                   : name == "optim"       ? 1
                                   : name == "optim_grads" ? 2
                                                           : 3;
        keys.take_as(strategy ? "ddp.data_parallel_sharding_strategy"
                     : fsdp   ? "dist.use_megatron_fsdp"
                              : "dist.use_torch_fsdp2",
                     "parallel.zero", stage);
    } else if (distributed) {
        keys.take_as("ddp.use_distributed_optimizer", "parallel.zero", std::int64_t{*distributed ? 1 : 0});
    }
    if (const auto instances = keys.integer("ddp.num_distributed_optimizer_instances");
        instances && *instances > 1) {
        const auto gpus = plan.integer("cluster.gpus");
        const std::int64_t ranks =
            plan.integer("parallel.tensor").value_or(1) * plan.integer("parallel.pipeline").value_or(1);
        if (gpus && ranks > 0 && *gpus % (ranks * *instances) == 0)
            keys.take_as("ddp.num_distributed_optimizer_instances", "parallel.shard_group",
                         *gpus / ranks / *instances);
        else
            plan.not_understood("ddp.num_distributed_optimizer_instances", std::to_string(*instances),
                                "groups that states are sharded over: needs cluster.gpus");
    }
}

void read_precision(KeyReader& keys) {
    std::string text = keys.text("mixed_precision").value_or("");
    const bool named = !text.empty();
    if (!named) {
        // The dtypes themselves, as a recipe without mixed precision would have them.
        if (keys.flag("model.bf16").value_or(false)) text = "bf16";
        if (keys.flag("model.fp16").value_or(false)) text = "fp16";
        if (keys.text("model.fp8"))
            text = keys.text("model.fp8_recipe").value_or("") == "mxfp8" ? "mxfp8" : "fp8";
        if (keys.text("model.fp4")) text = "nvfp4";
    }
    const char* precision = text.find("nvfp4") != std::string::npos   ? "nvfp4"
                            : text.find("mxfp8") != std::string::npos ? "mxfp8"
                            : text.find("fp8") != std::string::npos   ? "fp8"
                            : text.starts_with("fp16")                ? "fp16"
                            : text.starts_with("bf16")                ? "bf16"
                                                                      : nullptr;
    const char* key = named                     ? "mixed_precision"
                      : text == "nvfp4"         ? "model.fp4"
                      : text.ends_with("fp8")   ? "model.fp8"
                      : text.starts_with("fp1") ? "model.fp16"
                                                : "model.bf16";
    if (precision)
        keys.take_as(key, "training.precision", std::string(precision));
    else if (named)
        keys.outside("mixed_precision", "a mixed precision recipe of its own");
    keys.ignore({"model.bf16", "model.fp16", "model.fp8", "model.fp8_recipe", "model.fp4", "optimizer.bf16",
                 "optimizer.fp16"});
}

void read_recompute(KeyReader& keys, Imported& plan) {
    if (const auto granularity = keys.text("model.recompute_granularity")) {
        keys.take_as("model.recompute_granularity", "memory.recompute", *granularity);
        keys.take_text("model.recompute_method", "memory.recompute_method");
        // uniform counts the layers of a checkpoint, block the layers of a chunk that are recomputed.
        const std::int64_t count = keys.integer("model.recompute_num_layers").value_or(1);
        if (keys.text("model.recompute_method").value_or("") == "block")
            if (const auto layers = block_recompute_layers(plan, count))
                keys.take_as("model.recompute_num_layers", "memory.recompute_layers", *layers,
                             "the first {0} layers of each of {1} chunks",
                             {std::to_string(count), std::to_string(*layers / count)});
        if (auto modules = keys.texts("model.recompute_modules")) {
            for (std::string& module : *modules)
                if (module == "core_attn") module = "core_attention";
            keys.take_as("model.recompute_modules", "memory.recompute_modules", *modules);
        }
    } else if (keys.is_null("model.recompute_granularity")) {
        plan.read("memory.recompute", std::string("none"), "model.recompute_granularity", "null");
    }
    (void)keys.integer("model.recompute_num_layers");
    (void)keys.text("model.recompute_method");
}

/// The model as far as the overrides say it; the rest of a shape is the recipe's, and asked for.
void read_model(KeyReader& keys, Imported& plan) {
    if (const auto tied = keys.flag("model.share_embeddings_and_output_weights"))
        keys.take_as("model.share_embeddings_and_output_weights", "model.tied_embeddings", *tied);
    keys.take_integer("model.moe_shared_expert_intermediate_size", "model.moe.shared_ffn");
    keys.take_integer("model.mtp_num_layers", "model.mtp_layers");
    keys.take_flag("model.gated_linear_unit", "model.gated_mlp");
    if (const auto norm = keys.text("model.normalization"))
        keys.take_as("model.normalization", "model.norm",
                     std::string(*norm == "RMSNorm" ? "rmsnorm" : "layernorm"));
    const bool latent = keys.flag("model.multi_latent_attention").value_or(false);
    if (latent) read_rows(bridge_latent_rows(), keys, plan);
    if (const auto norm = keys.flag("model.qk_layernorm"); norm && !latent)
        keys.take_as("model.qk_layernorm", "model.qk_norm", std::string(*norm ? "per_head" : "none"));
    const auto biases = keys.flag("model.add_bias_linear");
    const bool of_attention = keys.flag("model.add_qkv_bias").value_or(false);
    if (biases && !*biases && of_attention)
        keys.take_as("model.add_qkv_bias", "model.biases", std::vector<std::string>{"qkv"});
    else if (biases)
        keys.take_as("model.add_bias_linear", "model.biases", *biases);
    if (keys.text("model.position_embedding_type").value_or("learned_absolute") != "learned_absolute")
        keys.take_as("model.position_embedding_type", "model.learned_positions", std::int64_t{0});

    const auto preset = plan.value("model");
    if (!plan.has("model.layers") || preset) return;
    std::vector<const char*> of_recipe = {"model.gated_mlp",  "model.norm",
                                          "model.biases",     "model.learned_positions",
                                          "model.qk_norm",    "model.tied_embeddings",
                                          "model.mtp_layers", "model.attention_window"};
    if (latent) std::erase(of_recipe, std::string_view("model.qk_norm"));
    if (!latent) of_recipe.push_back("model.kv_heads");
    if (plan.has("model.moe.experts"))
        of_recipe.insert(of_recipe.end(),
                         {"model.moe.shared_ffn", "model.moe.dense_layers", "model.moe.layer_step"});
    for (const char* path : of_recipe)
        plan.needs(path,
                   "the recipe decides it and this file does not say; a preset as model gives all of them");
}

} // namespace

Error read_bridge(std::string_view text, const std::string& origin, std::string_view version,
                  Imported& plan) {
    const auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {origin, "is no map of model, train, ddp and the like"};
    Json document = documents->front();
    drop_interpolations(document, plan);
    KeyReader keys(document, plan);
    plan.assume("stack", std::string("megatron-bridge"), "the program that reads this file");
    plan.assume("target", fmt::format("megatron-bridge@{}", version), plan.version_reason());
    read_rows(bridge_rows(), keys, plan);
    read_rows(bridge_dense_rows(), keys, plan);
    read_rows(bridge_head_rows(), keys, plan);
    read_rows(bridge_expert_rows(), keys, plan);
    if (!plan.has("training.sequence_length"))
        keys.take_integer("model.seq_length", "training.sequence_length");
    (void)keys.integer("model.seq_length");
    if (!keys.is_null(bridge_virtual_row().key)) read_rows({&bridge_virtual_row(), 1}, keys, plan);
    if (const auto word = keys.text("model.cp_comm_type")) {
        const std::string kind = context_kind_of_transport(*word);
        if (kind.empty())
            plan.not_understood("model.cp_comm_type", *word,
                                "a plan has one transport: p2p, a2a or all_gather");
        else
            keys.take_as("model.cp_comm_type", "parallel.context_kind", kind);
    }
    read_sharding(keys, plan);
    read_precision(keys);
    keys.take_flag("ddp.overlap_grad_reduce", "overlap.grad_reduce");
    keys.take_flag("ddp.overlap_param_gather", "overlap.param_gather");
    keys.take_flag({"model.tp_comm_overlap", "comm_overlap.tp_comm_overlap"}, "overlap.tensor");
    keys.take_flag("model.overlap_moe_expert_parallel_comm", "overlap.expert");
    keys.take_flag({"comm_overlap.overlap_p2p_comm", "model.overlap_p2p_comm"}, "overlap.pipeline");
    keys.ignore({"model.batch_p2p_comm", "comm_overlap.batch_p2p_comm"});
    keys.take_integer("model.microbatch_group_size_per_vp_stage", "parallel.virtual_pipeline_group");
    if (keys.flag("dist.use_tp_pp_dp_mapping").value_or(false))
        keys.take_as("dist.use_tp_pp_dp_mapping", "parallel.rank_order", std::string("megatron-tp-pp-dp"));
    if (const auto name = keys.text("optimizer.optimizer"))
        keys.take_as("optimizer.optimizer", "training.optimizer",
                     *name == "adam"                           ? std::string("adamw")
                     : name->find("muon") != std::string::npos ? "muon"
                                                               : *name);
    if (keys.flag("optimizer.optimizer_cpu_offload").value_or(false))
        keys.take_as("optimizer.optimizer_cpu_offload", "memory.offload_optimizer", std::string("cpu"));
    if (keys.flag("model.cpu_offloading").value_or(false)) {
        keys.take_as("model.cpu_offloading", "memory.offload_activations", std::string("cpu"));
        keys.take_integer("model.cpu_offloading_num_layers", "memory.offload_layers");
    }
    constexpr const char* kLayout = "model.pipeline_model_parallel_layout";
    if (const auto layout = keys.text(kLayout)) {
        const auto split = layout_from_text(*layout);
        const std::int64_t pipeline = plan.integer("parallel.pipeline").value_or(1);
        if (!split || pipeline < 1 || static_cast<std::int64_t>(split->size()) % pipeline != 0) {
            keys.outside(kLayout, "no layout whose stages divide by the pipeline degree");
        } else {
            if (const auto chunks = static_cast<std::int64_t>(split->size()) / pipeline; chunks > 1)
                keys.take_as(kLayout, "parallel.virtual_pipeline", chunks);
            keys.take_as(kLayout, "parallel.layers_per_stage", *split);
        }
    }
    read_recompute(keys, plan);
    for (const char* key :
         {"model.num_layers_in_first_pipeline_stage", "model.num_layers_in_last_pipeline_stage"})
        if (keys.has(key)) keys.outside(key, "how the layers are split: set parallel.layers_per_stage");
    read_model(keys, plan);
    keys.ignore({"model.make_vocab_size_divisible_by",
                 "model.moe_token_dispatcher_type",
                 "model.moe_grouped_gemm",
                 "model.account_for_embedding_in_pipeline_split",
                 "model.account_for_loss_in_pipeline_split",
                 "model.gradient_accumulation_fusion",
                 "optimizer.overlap_param_gather",
                 "optimizer.lr",
                 "optimizer.min_lr",
                 "optimizer.use_precision_aware_optimizer",
                 "dist.*",
                 "checkpoint.*",
                 "logger.*",
                 "rng.*",
                 "scheduler.*",
                 "tokenizer.*",
                 "profiling.*",
                 "validation.*",
                 "train.train_iters",
                 "ddp.outer_dp_sharding_strategy",
                 "ddp.use_megatron_fsdp",
                 "env_vars.*"});
    keys.finish();
    const char* why = "the file is laid over a recipe, and this stands there";
    for (const char* path :
         {"training.sequence_length", "training.micro_batch_size", "training.global_batch_size"})
        if (!plan.has(path)) plan.missing(path, why);
    if (!plan.has("model.layers")) plan.missing("model", why);
    if (!plan.has("cluster.node")) plan.missing("cluster.node", "the file names no machines");
    if (!plan.has("cluster.gpus")) plan.missing("cluster.gpus", "the number of processes is torchrun's");
    return {};
}

} // namespace shardlens::launchers
