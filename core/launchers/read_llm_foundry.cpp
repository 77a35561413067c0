// SPDX-License-Identifier: GPL-3.0-or-later
// llm-foundry's train.yaml: MPT model, batch and FSDP; ${…} stands for another key of the same file.
#include <cmath>
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/llm_foundry.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

const Json* at_path(const Json& document, std::string_view path) {
    const Json* at = &document;
    while (!path.empty()) {
        const std::string part(path.substr(0, path.find('.')));
        path.remove_prefix(std::min(path.size(), part.size() + 1));
        if (!at->is_object() || !at->contains(part)) return nullptr;
        at = &(*at)[part];
    }
    return at;
}

/// The value that "${path}" stands for, through further ones; nullptr when it is none or leads nowhere.
const Json* stands_for(const Json& document, const Json& value) {
    constexpr int kMostSteps = 16;
    const Json* at = &value;
    for (int step = 0; step < kMostSteps; ++step) {
        if (!at->is_string()) return at;
        const auto& text = at->get_ref<const std::string&>();
        if (!text.starts_with("${") || !text.ends_with("}") || text.find('}') != text.size() - 1)
            return step > 0 ? at : nullptr;
        at = at_path(document, std::string_view(text).substr(2, text.size() - 3));
        if (!at) return nullptr;
    }
    return nullptr;
}

void resolve_interpolations(const Json& document, Json& value, int depth = 0) {
    constexpr int kMostDepth = 32;
    if (depth > kMostDepth) return;
    if (value.is_string()) {
        // Only scalars are put in: a mapping would have to be resolved in turn.
        const Json* found = stands_for(document, value);
        if (found && !found->is_structured()) value = Json(*found);
    } else if (value.is_structured()) {
        for (Json& item : value) resolve_interpolations(document, item, depth + 1);
    }
}

void read_shape(KeyReader& keys, Imported& plan) {
    const std::string name = keys.text("model.name").value_or("");
    if (name != "mpt_causal_lm") {
        plan.missing("model", "only mpt_causal_lm has its shape in this file; name a preset or give a shape",
                     {}, "model.name", name);
        keys.ignore({"model.pretrained_model_name_or_path", "model.pretrained", "model.config_overrides.*"});
        return;
    }
    const auto hidden = plan.integer("model.hidden");
    const std::string ffn = keys.text("model.ffn_config.ffn_type").value_or("mptmlp");
    const bool experts = ffn == "mb_moe" || ffn == "mb_dmoe" || ffn == "torch_dmoe";
    const char* ffn_path = experts ? "model.moe.expert_ffn" : "model.ffn_hidden";
    if (!keys.take_integer("model.ffn_config.ffn_hidden_size", ffn_path)) {
        const double ratio = keys.number("model.expansion_ratio").value_or(4);
        if (hidden && ratio > 0 && ratio < 1e4)
            keys.take_as("model.expansion_ratio", ffn_path,
                         static_cast<std::int64_t>(std::llround(static_cast<double>(*hidden) * ratio)),
                         "d_model · expansion_ratio (4 when left out)");
    } else {
        keys.ignore({"model.expansion_ratio"});
    }
    if (experts) {
        keys.take_integer("model.ffn_config.moe_num_experts", "model.moe.experts");
        keys.take_integer("model.ffn_config.moe_top_k", "model.moe.top_k");
        keys.take_integer("model.ffn_config.moe_world_size", "parallel.expert");
    }
    const bool gated = ffn == "mptgeglu" || ffn == "mptglu" ||
                       (experts && keys.text("model.ffn_config.mlp_type").value_or("mlp") == "glu");
    keys.take_as("model.ffn_config.ffn_type", "model.gated_mlp", gated);
    const bool bare = keys.flag("model.no_bias").value_or(false);
    const bool qkv = keys.flag("model.attention_bias").value_or(!bare);
    if (!bare && qkv)
        plan.assume("model.biases", std::vector<std::string>{"qkv", "attn_out", "mlp"},
                    "MPT has biases unless no_bias is set");
    else if (qkv)
        keys.take_as("model.attention_bias", "model.biases", std::vector<std::string>{"qkv"});
    if (!plan.has("model.tied_embeddings"))
        plan.assume("model.tied_embeddings", true, "MPT ties them unless told otherwise");
    if (!keys.find("model.norm_type"))
        plan.assume("model.norm", std::string("layernorm"), "MPT's default low_precision_layernorm");
    const bool rotary = keys.flag("model.attn_config.rope").value_or(false) ||
                        keys.flag("model.attn_config.alibi").value_or(false);
    const bool learned = keys.flag("model.learned_pos_emb").value_or(true) && !rotary;
    if (learned) {
        if (const auto length = keys.integer("model.max_seq_len"))
            keys.take_as("model.max_seq_len", "model.learned_positions", *length, "MPT learns positions");
    }
    const std::string kind = keys.text("model.attn_config.attn_type").value_or("multihead_attention");
    if (kind == "multiquery_attention")
        keys.take_as("model.attn_config.attn_type", "model.kv_heads", std::int64_t{1});
    if (keys.flag("model.attn_config.qk_ln").value_or(false))
        keys.take_as("model.attn_config.qk_ln", "model.qk_norm", std::string("full"));
    if (keys.flag("model.attn_config.qk_gn").value_or(false))
        keys.take_as("model.attn_config.qk_gn", "model.qk_norm", std::string("per_head"));
    if (const auto window = keys.integer("model.attn_config.sliding_window_size"); window && *window > 0)
        keys.take_integer("model.attn_config.sliding_window_size", "model.attention_window");
    keys.ignore({"model.init_device",
                 "model.max_seq_len",
                 "model.ffn_config.mlp_impl",
                 "model.ffn_config.bias",
                 "model.ffn_config.ffn_act_fn.*",
                 "model.ffn_config.activation_fn.*",
                 "model.attn_config.rope_theta",
                 "model.attn_config.rope_impl",
                 "model.attn_config.rope_dail_config.*",
                 "model.attn_config.rope_hf_config.*",
                 "model.attn_config.attn_pdrop",
                 "model.attn_config.clip_qkv",
                 "model.attn_config.softmax_scale",
                 "model.attn_config.attn_uses_sequence_id",
                 "model.attn_config.alibi_bias_max",
                 "model.attn_config.fused_qkv",
                 "model.init_config.*",
                 "model.resid_pdrop",
                 "model.emb_pdrop",
                 "model.logit_scale",
                 "model.verbose",
                 "model.use_cache",
                 "model.norm_eps",
                 "model.fc_type",
                 "model.loss_fn"});
}

void read_sharding(KeyReader& keys, Imported& plan) {
    const Names key = "fsdp_config.sharding_strategy";
    if (!keys.find("fsdp_config")) {
        plan.assume("parallel.zero", std::int64_t{0}, "without fsdp_config every GPU has a whole replica");
        return;
    }
    const std::string strategy = keys.text(key).value_or("FULL_SHARD");
    std::int64_t zero = 3;
    if (strategy == "NO_SHARD")
        zero = 0;
    else if (strategy == "SHARD_GRAD_OP" || strategy == "_HYBRID_SHARD_ZERO2" ||
             strategy == "HYBRID_SHARD_ZERO2")
        zero = 2;
    else if (strategy != "FULL_SHARD" && strategy != "HYBRID_SHARD")
        plan.not_understood("fsdp_config.sharding_strategy", strategy,
                            "no such strategy is known; read as FULL_SHARD");
    if (keys.find(key))
        keys.take_as(key, "parallel.zero", zero);
    else
        plan.assume("parallel.zero", zero, "composer's default FULL_SHARD");
    const auto replicas = keys.integer("fsdp_config.data_parallel_replicate_degree");
    const auto shards = keys.integer("fsdp_config.data_parallel_shard_degree");
    if (replicas && *replicas > 1 && shards && *shards > 0)
        keys.take_integer("fsdp_config.data_parallel_shard_degree", "parallel.shard_group");
    else if (zero > 0 && strategy.find("HYBRID") != std::string::npos)
        plan.missing("parallel.shard_group", "shards inside a node: the GPUs of a node are right", {},
                     "fsdp_config.sharding_strategy", strategy);
}

/// The dtype that gradients are reduced in (mosaic_parallelism.py).
void read_gradient_dtype(KeyReader& keys, Imported& plan) {
    const Names key = "fsdp_config.mixed_precision";
    const auto written = keys.text(key);
    if (!written) return;
    const std::string precision = keys.text("precision").value_or("amp_bf16");
    if (*written == "DEFAULT" || *written == "FULL")
        keys.take_as(key, "training.gradient_dtype", std::string("fp32"));
    else if (*written == "PURE")
        keys.take_as(key, "training.gradient_dtype",
                     std::string(precision == "fp32"       ? "fp32"
                                 : precision == "amp_fp16" ? "fp16"
                                                           : "bf16"),
                     "the training precision");
    else
        plan.not_understood("fsdp_config.mixed_precision", *written, "no such value is known for {0}",
                            {"training.gradient_dtype"});
}

void read_recompute(KeyReader& keys, Imported& plan) {
    const Names key = "model.activation_checkpointing_target";
    const Json* target = keys.find(key);
    if (!target || plan.value("memory.recompute") != FieldValue(std::string("full"))) {
        keys.ignore({"model.activation_checkpointing_target.*"});
        return;
    }
    if (target->is_object() && target->size() == 1 && target->contains("mptblock")) {
        const Json& blocks = (*target)["mptblock"];
        const std::string text = blocks.is_string() ? blocks.get<std::string>() : blocks.dump();
        const auto count = number_from_text(text.starts_with("first-") ? text.substr(6) : text);
        keys.ignore({"model.activation_checkpointing_target.*"});
        if (count && *count >= 1 && *count == std::floor(*count) && *count < 1e6)
            keys.take_as(key, "memory.recompute_layers", static_cast<std::int64_t>(*count));
        else
            plan.not_understood("model.activation_checkpointing_target", text,
                                "only the first n layers have a place");
        return;
    }
    if (!target->is_array()) return;
    std::vector<std::string> modules;
    for (const Json& item : *target) {
        const std::string name = item.is_string() ? item.get<std::string>() : item.dump();
        if (name.find("attention") != std::string::npos)
            modules.emplace_back("core_attention");
        else if (name.starts_with("mpt"))
            modules.emplace_back("mlp");
        else
            plan.not_understood("model.activation_checkpointing_target", name, "no such module in a plan");
    }
    keys.ignore({"model.activation_checkpointing_target.*"});
    plan.drop("memory.recompute");
    keys.take_as(key, "memory.recompute", std::string("selective"));
    keys.take_as(key, "memory.recompute_modules", modules);
}

} // namespace

int looks_like_llm_foundry(std::string_view text, std::string_view) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (has("global_train_batch_size:") || has("device_train_microbatch_size:")) return 95;
    return has("mpt_causal_lm") ? 80 : 0;
}

Error read_llm_foundry(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {origin, "has no keys; a training configuration of llm-foundry starts with such as model:"};
    Json document = documents->front();
    if (documents->size() > 1) plan.warn("---", "", "more than one document; the first counts");
    const Json as_written = document;
    resolve_interpolations(as_written, document);
    drop_interpolations(document, plan);
    KeyReader keys(document, plan);
    plan.assume("stack", std::string("llm-foundry"), "the file is llm-foundry's");
    plan.assume("target", std::string("llm-foundry@0.22"), "the file is llm-foundry's");
    read_rows(llm_foundry_rows(), keys, plan);
    read_shape(keys, plan);
    read_sharding(keys, plan);
    read_gradient_dtype(keys, plan);
    read_recompute(keys, plan);
    if (!keys.find("precision"))
        plan.assume("training.precision", std::string("bf16"), "llm-foundry's default amp_bf16");
    const std::int64_t tensor = keys.integer("tp_config.tensor_parallel_degree").value_or(1);
    if (tensor > 1) keys.take_integer("tp_config.tensor_parallel_degree", "parallel.tensor");
    const std::int64_t copies = keys.integer("train_loader.dataset.replication").value_or(1);
    if (const auto batch = keys.integer("global_train_batch_size"); batch && copies >= 1)
        keys.take_as("global_train_batch_size", "training.global_batch_size", *batch / copies,
                     copies > 1 ? "{0} ranks read the same samples" : "",
                     copies > 1 ? Imported::Arguments{std::to_string(copies)} : Imported::Arguments{});
    if (const auto optimizer = keys.text("optimizer.name"); optimizer && *optimizer != "decoupled_adamw")
        plan.not_understood("optimizer.name", *optimizer, "read as adamw");
    keys.ignore({"variables.*",
                 "tokenizer.*",
                 "train_loader.*",
                 "eval_loader.*",
                 "optimizer.*",
                 "scheduler.*",
                 "callbacks.*",
                 "loggers.*",
                 "algorithms.*",
                 "max_duration",
                 "eval_interval",
                 "eval_first",
                 "eval_subset_num_batches",
                 "device_eval_batch_size",
                 "seed",
                 "save_folder",
                 "save_interval",
                 "save_num_checkpoints_to_keep",
                 "load_path",
                 "run_name",
                 "progress_bar",
                 "log_to_console",
                 "console_log_interval",
                 "icl_tasks.*",
                 "icl_subset_num_batches",
                 "python_log_level",
                 "autoresume",
                 "save_overwrite",
                 "dist_timeout",
                 "global_seed",
                 "data_local",
                 "data_remote",
                 "tp_config.strategy",
                 "fsdp_config.limit_all_gathers",
                 "fsdp_config.verbose",
                 "fsdp_config.state_dict_type",
                 "fsdp_config.activation_checkpointing_reentrant",
                 "fsdp_config.data_parallel_replicate_degree",
                 "fsdp_config.use_orig_params",
                 "fsdp_config.sync_module_states",
                 "fsdp_config.backward_prefetch",
                 "fsdp_config.forward_prefetch",
                 "fsdp_config.load_monolith_rank0_only",
                 "fsdp_config.data_parallel_shard_degree"});
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
