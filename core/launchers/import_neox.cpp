// SPDX-License-Identifier: GPL-3.0-or-later
// GPT-NeoX (megatron/neox_arguments): YAML, often written like JSON, keys with - or _; its launcher hands the
// same on as base64 text.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/deepspeed_import.h"
#include "launchers/import_documents.h"
#include "launchers/readers.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

/// The text behind base64, or "" when it is none.
std::string from_base64(std::string_view text) {
    std::string out;
    unsigned bits = 0;
    int count = 0;
    for (const char c : text) {
        if (c == '\n' || c == '\r' || c == '=') continue;
        constexpr std::string_view kDigits =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const std::size_t digit = kDigits.find(c == '-' ? '+' : c == '_' ? '/' : c);
        if (digit == std::string_view::npos) return {};
        bits = bits << 6 | static_cast<unsigned>(digit);
        if ((count += 6) < 8) continue;
        count -= 8;
        out += static_cast<char>(static_cast<unsigned char>(bits >> count & 0xFF));
    }
    return out;
}

/// Keys with underscores, as the program itself reads them; the last of both spellings counts.
Json normalised(const Json& value) {
    if (!value.is_object()) return value;
    Json out = Json::object();
    for (const auto& [key, member] : value.items()) {
        std::string name = key;
        std::replace(name.begin(), name.end(), '-', '_');
        out[name] = normalised(member);
    }
    return out;
}

void read_shape(KeyReader& keys, Imported& plan) {
    keys.take_integer("num_layers", "model.layers");
    keys.take_integer("hidden_size", "model.hidden");
    keys.take_integer("num_attention_heads", "model.heads");
    keys.take_integer("num_kv_heads", "model.kv_heads");
    const auto activation = keys.text("activation");
    const bool gated = activation == "swiglu" || activation == "geglu";
    if (activation) keys.take_as("activation", "model.activation", gated ? std::string("silu") : *activation);
    if (gated) keys.take_as("activation", "model.gated_mlp", true);
    const std::int64_t hidden = plan.integer("model.hidden").value_or(0);
    if (!keys.take_integer("intermediate_size", "model.ffn_hidden") && hidden > 0 && !gated)
        plan.assume("model.ffn_hidden", 4 * hidden, "4 · hidden without intermediate_size");
    const bool rms = keys.text("norm") == "rmsnorm";
    plan.assume("model.norm", std::string(rms ? "rmsnorm" : "layernorm"), "norm, layernorm unless given");
    if (!rms) plan.assume("model.norm_bias", true, "LayerNorm has a bias");
    if (keys.flag({"use_bias_in_attn_linear"}).value_or(true) &&
        keys.flag({"use_bias_in_mlp"}).value_or(true))
        plan.assume("model.biases", true, "every linear layer has one unless switched off");
    const auto untied = keys.flag("no_weight_tying");
    if (untied)
        keys.take_as("no_weight_tying", "model.tied_embeddings", !*untied);
    else
        plan.assume("model.tied_embeddings", true, "default of no_weight_tying");
    const std::string positions = keys.text("pos_emb").value_or("learned");
    if (positions == "learned") keys.take_integer("max_position_embeddings", "model.learned_positions");
    if (keys.flag("gpt_j_residual").value_or(false)) keys.take_flag("gpt_j_residual", "model.parallel_block");
    if (!plan.has("model.vocab")) plan.missing("model.vocab", "comes from the tokenizer, which is not read");
}

} // namespace

int looks_like_neox(std::string_view text, std::string_view) {
    const bool pipe = text.find("pipe_parallel_size") != std::string_view::npos ||
                      text.find("pipe-parallel-size") != std::string_view::npos;
    if (pipe) return 95;
    const bool word = text.size() > 40 && text.find_first_of(" {:") == std::string_view::npos;
    return word && from_base64(text).find("pipe_parallel_size") != std::string::npos ? 90 : 0;
}

Error read_neox(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    std::string decoded;
    if (text.find_first_of(" {:") == std::string_view::npos) {
        decoded = from_base64(text);
        if (decoded.find('{') != std::string::npos) {
            plan.warn("", "", "base64 text, as the launcher hands it on");
            text = decoded;
        }
    }
    auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {one_line(origin, 200), "is no map of keys; \"num_layers\": 32, … is right"};
    Json document = normalised(documents->front());
    drop_interpolations(document, plan);
    KeyReader keys(document, plan);
    plan.assume("stack", std::string("gpt-neox"), "the program that reads this file");
    if (!keys.take_integer("model_parallel_size", "parallel.tensor"))
        plan.assume("parallel.tensor", std::int64_t{1}, "default of {0}", {"model_parallel_size"});
    if (!keys.take_integer("pipe_parallel_size", "parallel.pipeline"))
        plan.assume("parallel.pipeline", std::int64_t{1}, "default of {0}", {"pipe_parallel_size"});
    if (plan.integer("parallel.pipeline") == 0) {
        plan.drop("parallel.pipeline");
        keys.take_as("pipe_parallel_size", "parallel.pipeline", std::int64_t{1}, "0 is no pipeline");
    }
    keys.take_integer("seq_length", "training.sequence_length");
    read_shape(keys, plan);
    read_deepspeed_sections(keys, plan);
    if (const auto precision = keys.text("precision"); precision && !plan.has("training.precision"))
        keys.take_as("precision", "training.precision",
                     *precision == "bfloat16" ? std::string("bf16") : *precision);
    if (keys.flag({"checkpoint_activations"}).value_or(false))
        keys.take_as("checkpoint_activations", "memory.recompute", std::string("full"));
    keys.ignore({"max_position_embeddings",
                 "checkpoint_num_layers",
                 "partition_activations",
                 "synchronize_each_layer",
                 "gradient_clipping",
                 "weight_decay",
                 "hidden_dropout",
                 "attention_dropout",
                 "train_iters",
                 "lr_decay_iters",
                 "distributed_backend",
                 "lr_decay_style",
                 "warmup",
                 "checkpoint_factor",
                 "save_interval",
                 "eval_interval",
                 "eval_iters",
                 "log_interval",
                 "steps_per_print",
                 "keep_last_n_checkpoints",
                 "wall_clock_breakdown",
                 "data_path",
                 "data_impl",
                 "vocab_file",
                 "merge_file",
                 "save",
                 "load",
                 "split",
                 "tokenizer_type",
                 "rotary_pct",
                 "rotary_emb_base",
                 "init_method",
                 "output_layer_init_method",
                 "min_lr",
                 "seed",
                 "scaled_upper_triang_masked_softmax_fusion",
                 "bias_gelu_fusion",
                 "output_layer_parallelism",
                 "tensorboard_dir",
                 "log_dir",
                 "use_wandb",
                 "wandb_project",
                 "wandb_group",
                 "gpt_j_tied",
                 "optimizer",
                 "rope_fusion",
                 "layernorm_fusion"});
    keys.outside("attention_config", "kinds of attention by layer have no form in a plan");
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
