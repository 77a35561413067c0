// SPDX-License-Identifier: GPL-3.0-or-later
// Models whose layers are not alike. A plan has one kind of layer (and experts in every n-th): the parameters
// are summed here layer by layer and given as a total; memory and time are then those of the textbook.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

#include "launchers/hf_model.h"

namespace shardlens::launchers {

namespace {

constexpr std::int64_t kMostLayers = 100'000;

std::int64_t at_least_zero(KeyReader& keys, const Names& names, std::int64_t otherwise = 0) {
    return std::clamp<std::int64_t>(keys.integer(names).value_or(otherwise), 0, std::int64_t{1} << 31);
}

void total(Imported& plan, double parameters, const char* text, Imported::Arguments arguments = {}) {
    plan.read("model.parameters", parameters, "all layers", fmt::format("{:.0f}", parameters), text,
              std::move(arguments));
    plan.assume("fidelity", std::string("textbook"),
                "a total instead of a shape works with textbook fidelity only");
}

/// OpenELM: heads and widths grow with depth (modeling_openelm.py; make_divisible of its configuration).
void open_elm(KeyReader& keys, Imported& plan) {
    keys.ignore({"model_type", "architectures", "torch_dtype", "transformers_version", "initializer_range",
                 "activation_fn_name", "rope_freq_constant", "rope_max_length", "use_cache", "bos_token_id",
                 "eos_token_id", "normalization_layer_name", "max_context_length", "auto_map",
                 "qkv_multipliers", "num_gqa_groups", "normalize_qk_projections", "ffn_with_glu",
                 "share_input_output_layers"});
    keys.take_integer({"num_transformer_layers"}, "model.layers");
    keys.take_integer({"model_dim"}, "model.hidden");
    keys.take_integer({"head_dim"}, "model.head_dim");
    keys.take_integer({"vocab_size"}, "model.vocab");
    const std::int64_t layers = plan.integer("model.layers").value_or(0);
    const auto hidden = static_cast<double>(plan.integer("model.hidden").value_or(0));
    const auto head = static_cast<double>(plan.integer("model.head_dim").value_or(0));
    const auto vocab = static_cast<double>(plan.integer("model.vocab").value_or(0));
    const double divisor =
        std::max<double>(1, static_cast<double>(at_least_zero(keys, "ffn_dim_divisor", 256)));
    if (layers <= 0 || hidden <= 0) return;
    const auto heads = hf_per_layer(keys, {"num_query_heads"}, layers);
    const auto kv_heads = hf_per_layer(keys, {"num_kv_heads"}, layers);
    const auto factors = hf_per_layer(keys, {"ffn_multipliers"}, layers);
    if (heads.empty() || kv_heads.empty() || factors.empty()) return;
    double sum = 0, widest = 0;
    std::int64_t common_heads = 0, common_kv = 0;
    for (std::size_t i = 0; i < heads.size(); ++i) {
        // make_divisible: to the nearest multiple, never more than a tenth below.
        const double wanted = hidden * factors[i];
        double width = std::max(divisor, std::floor((wanted + divisor / 2) / divisor) * divisor);
        if (width < 0.9 * wanted) width += divisor;
        widest = std::max(widest, width);
        sum += hidden * head * (heads[i] + 2 * kv_heads[i]) + hidden * head * heads[i] + 2 * head;
        sum += 3 * hidden * width + 2 * hidden;
        common_heads = std::gcd(common_heads, static_cast<std::int64_t>(heads[i]));
        common_kv = std::gcd(common_kv, static_cast<std::int64_t>(kv_heads[i]));
    }
    const bool tied = keys.flag("share_input_output_layers").value_or(true);
    sum += hidden + vocab * hidden * (tied ? 1 : 2);
    keys.take_as("num_query_heads", "model.heads", common_heads,
                 "greatest common divisor of the layers': what tensor parallelism can split");
    keys.take_as("num_kv_heads", "model.kv_heads", common_kv, "greatest common divisor of the layers'");
    keys.take_as("ffn_multipliers", "model.ffn_hidden", static_cast<std::int64_t>(widest),
                 "the widest layer");
    plan.assume("model.tied_embeddings", tied, "share_input_output_layers");
    plan.assume("model.gated_mlp", true, "how models of type {0} are built", {"openelm"});
    total(plan, sum, "summed layer by layer: heads and widths differ, pipeline stages are unequal");
}

/// Jamba: attention in every n-th layer, Mamba in the others, experts in every m-th (modeling_jamba.py).
void jamba(KeyReader& keys, Imported& plan) {
    keys.ignore({"model_type",
                 "architectures",
                 "torch_dtype",
                 "transformers_version",
                 "initializer_range",
                 "use_cache",
                 "bos_token_id",
                 "eos_token_id",
                 "pad_token_id",
                 "rms_norm_eps",
                 "hidden_act",
                 "attention_dropout",
                 "max_position_embeddings",
                 "num_logits_to_keep",
                 "output_router_logits",
                 "router_aux_loss_coef",
                 "use_mamba_kernels",
                 "mamba_conv_bias",
                 "mamba_proj_bias",
                 "sliding_window",
                 "auto_map",
                 "calc_logits_for_entire_prompt",
                 "n_ctx",
                 "mamba_inner_layernorms"});
    keys.take_integer({"num_hidden_layers"}, "model.layers");
    keys.take_integer({"hidden_size"}, "model.hidden");
    keys.take_integer({"vocab_size"}, "model.vocab");
    keys.take_integer({"num_attention_heads"}, "model.heads");
    keys.take_integer({"num_key_value_heads"}, "model.kv_heads");
    keys.take_integer({"intermediate_size"}, "model.ffn_hidden");
    keys.take_integer({"num_experts"}, "model.moe.experts");
    keys.take_integer({"num_experts_per_tok"}, "model.moe.top_k");
    if (const auto width = plan.integer("model.ffn_hidden"))
        keys.take_as("intermediate_size", "model.moe.expert_ffn", *width);
    const std::int64_t layers = std::min(plan.integer("model.layers").value_or(0), kMostLayers);
    const std::int64_t h = plan.integer("model.hidden").value_or(0);
    const std::int64_t heads = plan.integer("model.heads").value_or(32);
    const auto hidden = static_cast<double>(h),
               ffn = static_cast<double>(plan.integer("model.ffn_hidden").value_or(0));
    const auto vocab = static_cast<double>(plan.integer("model.vocab").value_or(0));
    const double kv =
        static_cast<double>(plan.integer("model.kv_heads").value_or(8)) / static_cast<double>(heads);
    const double experts = static_cast<double>(plan.integer("model.moe.experts").value_or(16));
    const std::int64_t attention_every =
        std::max<std::int64_t>(1, at_least_zero(keys, "attn_layer_period", 8));
    const std::int64_t attention_first = at_least_zero(keys, "attn_layer_offset", 4);
    const std::int64_t experts_every =
        std::max<std::int64_t>(1, at_least_zero(keys, "expert_layer_period", 2));
    const std::int64_t experts_first = at_least_zero(keys, "expert_layer_offset", 1);
    const double inner = hidden * static_cast<double>(at_least_zero(keys, "mamba_expand", 2));
    const auto state = static_cast<double>(at_least_zero(keys, "mamba_d_state", 16));
    const auto conv = static_cast<double>(at_least_zero(keys, "mamba_d_conv", 4));
    const auto* rank_key = keys.peek("mamba_dt_rank");
    double rank = std::ceil(hidden / 16);
    if (rank_key && rank_key->is_number()) rank = static_cast<double>(at_least_zero(keys, "mamba_dt_rank"));
    keys.ignore({"mamba_dt_rank"});
    double sum = 0;
    std::int64_t attention_layers = 0;
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool attends = i % attention_every == attention_first % attention_every;
        attention_layers += attends;
        if (attends)
            sum += hidden * hidden * (2 + 2 * kv);
        else // in, convolution, x, dt with its bias, A, D, out, and the norms of dt, B and C
            sum += 2 * hidden * inner + inner * (conv + 1) + inner * (rank + 2 * state) + rank * inner +
                   inner + inner * state + inner + inner * hidden + rank + 2 * state;
        const bool routed = i % experts_every == experts_first % experts_every;
        sum += 3 * hidden * ffn * (routed ? experts : 1) + (routed ? hidden * experts : 0) + 2 * hidden;
    }
    const bool tied = keys.flag("tie_word_embeddings").value_or(false);
    sum += hidden + vocab * hidden * (tied ? 1 : 2);
    if (experts_every > 1) plan.read("model.moe.layer_step", experts_every, "expert_layer_period", "");
    plan.assume("model.tied_embeddings", tied, "tie_word_embeddings");
    plan.assume("model.gated_mlp", true, "how models of type {0} are built", {"jamba"});
    total(plan, sum, "summed by kind of layer: {0} of attention, {1} of Mamba",
          {std::to_string(attention_layers), std::to_string(layers - attention_layers)});
    plan.not_understood("attn_layer_period", std::to_string(attention_every),
                        "Mamba layers have no form in a plan: only {0} of {1} layers attend",
                        {std::to_string(attention_layers), std::to_string(layers)});
}

} // namespace

std::vector<double> hf_per_layer(KeyReader& keys, const Names& names, std::int64_t layers) {
    layers = std::clamp<std::int64_t>(layers, 0, kMostLayers);
    const auto* value = keys.find(names);
    if (!value) return {};
    if (value->is_number())
        return std::vector<double>(static_cast<std::size_t>(layers), value->get<double>());
    std::vector<double> list;
    if (value->is_array())
        for (const auto& item : *value) {
            if (!item.is_number() || !(item.get<double>() > 0) || item.get<double>() > 1e6) return {};
            list.push_back(item.get<double>());
        }
    return static_cast<std::int64_t>(list.size()) == layers ? list : std::vector<double>{};
}

bool read_hf_uneven(KeyReader& keys, const std::string& model_type, Imported& plan) {
    if (model_type == "openelm")
        open_elm(keys, plan);
    else if (model_type == "jamba")
        jamba(keys, plan);
    else
        return false;
    return true;
}

} // namespace shardlens::launchers
