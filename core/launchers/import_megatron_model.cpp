// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>

#include "launchers/megatron_import.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

constexpr const char* kDefault = "default of {0}";

void read_widths(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    flags.take_integer("--num-layers", "model.layers");
    flags.take_integer("--hidden-size", "model.hidden");
    flags.take_integer("--num-attention-heads", "model.heads");
    const bool gated = flags.take_on("--swiglu", "model.gated_mlp");
    if (gated)
        plan.read("model.activation", std::string("silu"), "--swiglu", "");
    else if (flags.on("--squared-relu"))
        flags.take("--squared-relu", "model.activation", std::string("squared_relu"));
    else if (plan.has("model.hidden"))
        plan.assume("model.activation", std::string("gelu"), kDefault, {"the activation"});
    const std::int64_t hidden = plan.integer("model.hidden").value_or(0);
    if (!flags.take_integer("--ffn-hidden-size", "model.ffn_hidden") && !flags.has("--ffn-hidden-size") &&
        hidden > 0) {
        if (gated)
            plan.assume(
                "model.ffn_hidden", hidden * 8 / 3 / 64 * 64,
                "default of --ffn-hidden-size with --swiglu: 8/3 of hidden, down to a multiple of 64");
        else
            plan.assume("model.ffn_hidden", 4 * hidden, "default of --ffn-hidden-size: 4 · hidden");
    }
}

void read_attention(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const std::int64_t hidden = plan.integer("model.hidden").value_or(0);
    const std::int64_t heads = plan.integer("model.heads").value_or(0);
    if (flags.on("--multi-latent-attention")) {
        flags.take_integer("--q-lora-rank", "model.mla.q_rank");
        if (!flags.take_integer("--kv-lora-rank", "model.mla.kv_rank"))
            plan.assume("model.mla.kv_rank", std::int64_t{32}, kDefault, {"--kv-lora-rank"});
        for (const auto& [flag, path, usual] : {std::tuple{"--qk-head-dim", "model.mla.qk_nope", 128},
                                                std::tuple{"--qk-pos-emb-head-dim", "model.mla.qk_rope", 64},
                                                std::tuple{"--v-head-dim", "model.mla.v_dim", 128}})
            if (!flags.take_integer(flag, path)) plan.assume(path, std::int64_t{usual}, kDefault, {flag});
        const std::int64_t size =
            plan.integer("model.mla.qk_nope").value_or(0) + plan.integer("model.mla.qk_rope").value_or(0);
        if (size > 0)
            plan.read("model.head_dim", size, "--qk-head-dim + --qk-pos-emb-head-dim", std::to_string(size));
        static_cast<void>(flags.on("--kv-channels"));
        return;
    }
    const bool grouped = flags.on("--group-query-attention");
    if (grouped && !flags.take_integer("--num-query-groups", "model.kv_heads") &&
        !flags.has("--num-query-groups"))
        plan.assume("model.kv_heads", std::int64_t{1}, kDefault, {"--num-query-groups"});
    if (!grouped && flags.has("--num-query-groups"))
        flags.outside("--num-query-groups", "without --group-query-attention it has no effect");
    if (flags.take_integer("--kv-channels", "model.head_dim")) return;
    if (heads > 0 && hidden > 0 && hidden % heads != 0 && !plan.has("model.head_dim"))
        plan.warn("--hidden-size", std::to_string(hidden),
                  "is no multiple of {0} heads: Megatron-LM wants --kv-channels then",
                  {std::to_string(heads)});
}

void read_window(MegatronFlags& flags) {
    if (const auto window = flags.text("--window-size")) {
        const std::string_view first = std::string_view(*window).substr(0, window->find_first_of(", "));
        std::int64_t size = 0;
        for (const char c : first)
            size = c >= '0' && c <= '9' && size < 100'000'000 ? size * 10 + (c - '0') : size;
        flags.take("--window-size", "model.attention_window", size + 1,
                   "the token itself and those before it");
        const auto skip = flags.text("--window-attn-skip-freq");
        if (!skip) return;
        std::int64_t every = 0;
        if (const auto pattern = pattern_from_text(*skip)) {
            const auto first_global = std::find(pattern->begin(), pattern->end(), false);
            every = first_global == pattern->end() ? 0 : first_global - pattern->begin() + 1;
            for (std::size_t i = 0; every > 0 && i < pattern->size(); ++i)
                if ((*pattern)[i] == ((i + 1) % static_cast<std::size_t>(every) == 0)) every = -1;
        } else {
            every = flags.integer("--window-attn-skip-freq").value_or(-1);
        }
        if (every >= 0)
            flags.take("--window-attn-skip-freq", "model.global_attention_every", every);
        else
            flags.outside("--window-attn-skip-freq",
                          "a plan has every n-th layer attend over the whole sequence");
    }
    if (flags.text("--softmax-type") == "learnable")
        flags.take("--softmax-type", "model.attention_sinks", true);
}

void read_norms(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    const auto norm = flags.text("--normalization");
    if (norm && *norm == "RMSNorm") {
        flags.take("--normalization", "model.norm", std::string("rmsnorm"));
    } else {
        if (norm)
            flags.take("--normalization", "model.norm", std::string("layernorm"));
        else
            plan.assume("model.norm", std::string("layernorm"), kDefault, {"--normalization"});
        plan.assume("model.norm_bias", true, "LayerNorm has a bias");
    }
    const bool latent = flags.on("--multi-latent-attention"), normed = flags.on("--qk-layernorm");
    if (latent && !normed)
        plan.warn("--multi-latent-attention", "",
                  "without --qk-layernorm Megatron-LM builds no norms of the latents; a plan counts them");
    if (normed && !latent) flags.take("--qk-layernorm", "model.qk_norm", std::string("per_head"));
    if (!flags.on("--disable-bias-linear"))
        plan.assume("model.biases", true, "without --disable-bias-linear every linear layer has one");
    else if (flags.on("--add-qkv-bias"))
        flags.take("--add-qkv-bias", "model.biases", std::vector<std::string>{"qkv"});
    static_cast<void>(flags.on("--add-qkv-bias"));
}

void read_positions(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    auto kind = flags.text("--position-embedding-type");
    if (flags.on("--use-rotary-position-embeddings")) kind = "rope";
    if (flags.on("--no-position-embedding")) kind = kind.value_or("none");
    const bool rows = !kind || *kind == "learned_absolute";
    if (!rows) {
        static_cast<void>(flags.on("--max-position-embeddings"));
        return;
    }
    if (flags.take_integer("--max-position-embeddings", "model.learned_positions") && !kind)
        plan.warn("--max-position-embeddings", flags.shown("--max-position-embeddings"),
                  "learned positions are the default of --position-embedding-type");
}

/// Rows of the embedding: padded to a multiple of --make-vocab-size-divisible-by · tensor
/// (_vocab_size_with_padding).
void read_vocabulary(MegatronFlags& flags, int release) {
    Imported& plan = flags.plan();
    const auto size = flags.integer("--vocab-size");
    const std::int64_t divisor = flags.integer("--make-vocab-size-divisible-by").value_or(128);
    const auto extra = flags.integer("--extra-vocab-size").value_or(0);
    const std::int64_t tensor = plan.integer("parallel.tensor").value_or(1);
    if (flags.on("--untie-embeddings-and-output-weights"))
        flags.take("--untie-embeddings-and-output-weights", "model.tied_embeddings", false);
    else
        plan.assume("model.tied_embeddings", true, "without --untie-embeddings-and-output-weights");
    const bool open_tensor = flags.has_unread() || flags.is_open("--tensor-model-parallel-size");
    if (open_tensor && !plan.has("parallel.tensor") && size && extra >= 0 && extra < 2147483647 &&
        *size > 0 && *size < 2147483647) {
        flags.take("--vocab-size", "model.vocab", *size + extra,
                   "{0} words; how far they are padded is open with tensor", {std::to_string(*size + extra)});
        return;
    }
    if (!size) {
        if (!plan.has("model.vocab"))
            plan.missing("model.vocab", "comes from the tokenizer, which is not read", {},
                         flags.has("--padded-vocab-size") ? "--padded-vocab-size" : "--vocab-size");
        return;
    }
    // The null tokenizer of 0.16 and before counts an end-of-document token on top.
    const bool null_token = release <= 16 && flags.text("--tokenizer-type") == "NullTokenizer";
    const auto sane = [](std::int64_t n) { return n > 0 && n <= 2147483647; };
    if (!sane(*size) || !sane(divisor) || !sane(tensor) || extra < 0 || extra > 2147483647 ||
        divisor > 2147483647 / tensor) {
        flags.outside("--vocab-size", "no number of words that can be padded");
        return;
    }
    const std::int64_t words = *size + extra + (null_token ? 1 : 0), multiple = divisor * tensor;
    const std::int64_t rows = (words + multiple - 1) / multiple * multiple;
    if (rows == *size)
        flags.take("--vocab-size", "model.vocab", rows);
    else
        flags.take(
            "--vocab-size", "model.vocab", rows,
            "{0} words padded to a multiple of {1} · tensor = {2}; a checkpoint with other rows does not fit",
            {std::to_string(words), std::to_string(divisor), std::to_string(multiple)});
}

void read_experts(MegatronFlags& flags) {
    Imported& plan = flags.plan();
    if (!flags.has("--num-experts") || !flags.take_integer("--num-experts", "model.moe.experts")) return;
    if (!flags.take_integer("--moe-router-topk", "model.moe.top_k"))
        plan.assume("model.moe.top_k", std::int64_t{2}, kDefault, {"--moe-router-topk"});
    if (!flags.take_integer("--moe-ffn-hidden-size", "model.moe.expert_ffn"))
        if (const auto ffn = plan.integer("model.ffn_hidden"))
            plan.assume("model.moe.expert_ffn", *ffn, "default of --moe-ffn-hidden-size: --ffn-hidden-size");
    flags.take_integer("--moe-shared-expert-intermediate-size", "model.moe.shared_ffn");
    if (const auto factor = flags.number("--moe-expert-capacity-factor"))
        flags.take("--moe-expert-capacity-factor", "model.moe.capacity_factor", *factor);
    if (flags.on("--moe-router-enable-expert-bias"))
        flags.take("--moe-router-enable-expert-bias", "model.moe.score_bias", true);
    const auto frequency = flags.text("--moe-layer-freq");
    bool dense_layers = false;
    if (frequency) {
        std::vector<bool> pattern;
        const auto layers = static_cast<std::size_t>(
            std::clamp<std::int64_t>(plan.integer("model.layers").value_or(0), 0, 100'000));
        if (auto read = pattern_from_text(*frequency))
            pattern = *std::move(read);
        else if (const auto every = flags.integer("--moe-layer-freq"); every && *every > 0)
            for (std::size_t i = 0; i < layers; ++i)
                pattern.push_back(i % static_cast<std::size_t>(*every) == 0);
        // dense ones first, then experts in every n-th, as a plan has it
        const auto first = std::find(pattern.begin(), pattern.end(), true);
        const auto second = first == pattern.end() ? first : std::find(first + 1, pattern.end(), true);
        const std::int64_t step = second == pattern.end() ? 1 : second - first;
        const std::int64_t dense = (first - pattern.begin()) - (step - 1);
        bool fits = first != pattern.end() && dense >= 0;
        for (std::int64_t i = dense; fits && i < static_cast<std::int64_t>(pattern.size()); ++i)
            fits = pattern[static_cast<std::size_t>(i)] == ((i - dense + 1) % step == 0);
        dense_layers = std::find(pattern.begin(), pattern.end(), false) != pattern.end();
        const bool same_count = first == pattern.begin() && step > 1 && !pattern.empty() &&
                                pattern.size() % static_cast<std::size_t>(step) == 0;
        if (fits) {
            if (dense > 0) flags.take("--moe-layer-freq", "model.moe.dense_layers", dense);
            if (step > 1) flags.take("--moe-layer-freq", "model.moe.layer_step", step);
        } else if (same_count) {
            flags.take("--moe-layer-freq", "model.moe.layer_step", step,
                       "as many expert layers; a plan has the last of each {0} one, the launcher the first",
                       {std::to_string(step)});
        } else {
            flags.outside("--moe-layer-freq", "a plan has dense layers first, then experts in every n-th");
        }
    }
    if (!dense_layers) plan.drop("model.ffn_hidden"); // no layer has a dense MLP
}

} // namespace

void read_megatron_model(MegatronFlags& flags, int release) {
    read_widths(flags);
    read_attention(flags);
    read_window(flags);
    read_norms(flags);
    read_positions(flags);
    read_vocabulary(flags, release);
    read_experts(flags);
    flags.take_integer("--mtp-num-layers", "model.mtp_layers");
}

} // namespace shardlens::launchers
