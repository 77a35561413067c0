// SPDX-License-Identifier: GPL-3.0-or-later
// nanotron's YAML: shape, batch and grid; what it leaves out has a default in src/nanotron/config.
#include <array>
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/nanotron.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kModelDefault = "nanotron's default in models_config.py";

void read_shape(KeyReader& keys, Imported& plan) {
    read_rows(nanotron_model_rows(), keys, plan);
    keys.ignore({"is_llama_config",
                 "is_qwen2_config",
                 "bos_token_id",
                 "eos_token_id",
                 "pad_token_id",
                 "initializer_range",
                 "max_position_embeddings",
                 "pretraining_tp",
                 "rms_norm_eps",
                 "rope_scaling",
                 "rope_theta",
                 "rope_interleaved",
                 "rope_seq_len_interpolation_factor",
                 "use_cache",
                 "z_loss_enabled",
                 "z_loss_coefficient",
                 "log_attn_probs",
                 "_fused_rotary_emb",
                 "_fused_rms_norm",
                 "_use_qkv_packed",
                 "_use_doc_masking",
                 "flex_attention_mask",
                 "ring_attn_heads_k_stride",
                 "no_rope_layer"});
    struct Default {
        const char* path;
        std::int64_t value;
    };
    for (const Default& row : {Default{"model.layers", 32},
                               {"model.hidden", 4096},
                               {"model.heads", 32},
                               {"model.ffn_hidden", 11008},
                               {"model.vocab", 32000}})
        if (!plan.has(row.path)) plan.assume(row.path, row.value, kModelDefault);
    plan.assume("model.gated_mlp", true, "nanotron's Llama and Qwen2 models have it");
    plan.assume("model.norm", std::string("rmsnorm"), "nanotron's Llama and Qwen2 models have it");
    if (const auto activation = keys.text("hidden_act"); activation && *activation != "silu")
        keys.take_text("hidden_act", "model.activation");
    if (const auto biased = keys.flag("attention_bias"); biased && *biased)
        keys.take_as("attention_bias", "model.biases", std::vector<std::string>{"qkv"});
    keys.take_integer("sliding_window_size", "model.attention_window");
    if (const auto kind = keys.text("_attn_implementation")) {
        if (*kind == "sdpa")
            keys.take_as("_attn_implementation", "training.attention", std::string("standard"));
        else if (*kind == "ring" || *kind == "ring_flash_triton")
            keys.take_as("_attn_implementation", "parallel.context_kind", std::string("ring"));
        else if (*kind == "llama3_ring_attention")
            keys.take_as("_attn_implementation", "parallel.context_kind", std::string("allgather"));
    }
    if (!keys.find("moe_config")) return;
    const auto shared = keys.flag("moe_config.enable_shared_expert");
    if (shared && *shared)
        keys.take_integer("moe_config.shared_expert_intermediate_size", "model.moe.shared_ffn");
    else
        keys.ignore({"moe_config.shared_expert_intermediate_size"});
    keys.ignore({"moe_config.router_aux_loss_coef", "moe_config.token_dispatcher_type"});
    const auto layers = keys.integers("moe_config.layers");
    const std::int64_t all = integer_or(plan, "model.layers", 0);
    if (layers && !layers->empty() && layers->front() > 0 &&
        static_cast<std::int64_t>(layers->size()) == all - layers->front())
        keys.take_as("moe_config.layers", "model.moe.dense_layers", layers->front());
    else if (layers && layers->size() > 1 && static_cast<std::int64_t>(layers->size()) != all)
        plan.not_understood("moe_config.layers", keys.shown("moe_config.layers"),
                            "only a block of dense layers in front has a place in a plan");
}

/// Gradients that are not accumulated in fp32 are in the dtype of the model.
void read_gradient_dtype(KeyReader& keys) {
    const Names key = "optimizer.accumulate_grad_in_fp32";
    const auto in_fp32 = keys.flag(key);
    if (!in_fp32) return;
    const std::string model = keys.text("model.dtype").value_or("bfloat16");
    const char* dtype = *in_fp32 || model == "float32" ? "fp32" : model == "float16" ? "fp16" : "bf16";
    keys.take_as(key, "training.gradient_dtype", std::string(dtype));
}

} // namespace

int looks_like_nanotron(std::string_view text, std::string_view) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (has("batch_accumulation_per_replica")) return 95;
    return has("parallelism:") && has("model_config:") ? 80 : 0;
}

Error read_nanotron(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {origin, "has no keys; a nanotron configuration starts with sections such as parallelism:"};
    const Json& document = documents->front();
    if (documents->size() > 1) plan.warn("---", "", "more than one document; the first counts");
    KeyReader keys(document, plan);
    plan.assume("stack", std::string("nanotron"), "the file is nanotron's");
    plan.assume("target", std::string("nanotron@0.4"), "the file is nanotron's");
    read_rows(nanotron_rows(), keys, plan);
    for (const auto& [key, path] : {std::pair{"parallelism.tp", "parallel.tensor"},
                                    {"parallelism.pp", "parallel.pipeline"},
                                    {"parallelism.dp", "parallel.data"}})
        plan.needs(path, "{0} has no default in nanotron", {key});
    const std::int64_t stages = integer_or(plan, "parallel.pipeline", 1);
    if (!keys.find("parallelism.pp_engine") && stages > 1)
        plan.assume("parallel.schedule", std::string("gpipe"), "nanotron's default engine is afab");
    if (!plan.has("parallel.zero")) keys.ignore({"optimizer.zero_stage"});
    if (integer_or(plan, "parallel.zero", 0) > 1) {
        plan.warn("optimizer.zero_stage", keys.shown("optimizer.zero_stage"),
                  "every stage above 0 runs as stage 1 in nanotron");
        plan.drop("parallel.zero");
        keys.take_as("optimizer.zero_stage", "parallel.zero", std::int64_t{1});
    }
    if (!keys.find("model.dtype"))
        plan.assume("training.precision", std::string("bf16"), "nanotron's default dtype");
    read_gradient_dtype(keys);
    if (integer_or(plan, "parallel.zero", 0) == 1 && integer_or(plan, "parallel.context", 1) > 1)
        if (const auto data = plan.integer("parallel.data"))
            keys.take_as("parallelism.dp", "parallel.shard_group", *data,
                         "optimizer states are sharded over the data ranks alone");
    if (integer_or(plan, "parallel.expert", 1) > 1)
        plan.warn("parallelism.expert_parallel_size", keys.shown("parallelism.expert_parallel_size"),
                  "nanotron 0.4 cannot start with expert parallelism");
    read_global_batch(keys, plan, "tokens.batch_accumulation_per_replica");
    read_world(keys, plan, "parallelism.dp", {"parallel.data", "parallel.pipeline", "parallel.tensor"});
    if (const auto context = plan.integer("parallel.context"), gpus = plan.integer("cluster.gpus");
        context && gpus && *context > 1 && *context < 1'000'000) {
        plan.drop("cluster.gpus");
        keys.take_as("parallelism.dp", "cluster.gpus", *gpus * *context, "the product of the degrees");
    }
    if (const Json* shape = keys.find("model.model_config"); shape && shape->is_object()) {
        if (shape->value("is_starcoder2_config", false))
            plan.not_understood("model.model_config", "is_starcoder2_config",
                                "only Llama and Qwen2 models are read");
        KeyReader shape_keys(*shape, plan, "model.model_config");
        read_shape(shape_keys, plan);
        shape_keys.finish();
        keys.ignore({"model.model_config.*"});
    }
    keys.ignore({"general.*",
                 "checkpoints.*",
                 "logging.*",
                 "metrics_logging.*",
                 "tokenizer.*",
                 "profiler.*",
                 "lighteval.*",
                 "s3_upload.*",
                 "data_stages.*",
                 "model.init_method.*",
                 "model.make_vocab_size_divisible_by",
                 "model.ddp_bucket_cap_mb",
                 "tokens.train_steps",
                 "tokens.val_check_interval",
                 "tokens.limit_val_batches",
                 "tokens.limit_test_batches",
                 "optimizer.weight_decay",
                 "optimizer.weight_decay_exclude_named_params",
                 "optimizer.clip_grad",
                 "optimizer.learning_rate_scheduler.*",
                 "optimizer.optimizer_factory.*",
                 "parallelism.tp_recompute_allgather"});
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
