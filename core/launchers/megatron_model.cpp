// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>
#include <numeric>

#include "launchers/common.h"
#include "launchers/megatron_flags.h"

namespace shardlens::launchers {

namespace {

void add_norms(const ModelShape& shape, MegatronArguments& out) {
    const bool rms = shape.norm == NormKind::rmsnorm;
    out.flag("--normalization", rms ? "RMSNorm" : "LayerNorm");
    if (shape.norm_bias == rms) {
        out.differs("model.norm_bias", rms ? "RMSNorm has no bias" : "LayerNorm always has a bias");
    }
    if (shape.norms_per_layer != 2) out.differs("model.norms_per_layer", "two norms per layer");
    if (!shape.final_norm) out.differs("model.final_norm", "a final norm is there");
    if (shape.embedding_norm) out.differs("model.embedding_norm", "no norm behind the embedding");
    // Megatron's latent attention builds the norms of its latents with this flag only, and no others.
    if (shape.qk_norm != QkNorm::none || shape.mla) out.flag("--qk-layernorm");
    if (shape.qk_norm != QkNorm::none && shape.mla)
        out.differs("model.qk_norm", "the latents are normalised, and nothing else");
    else if (shape.qk_norm == QkNorm::full)
        out.differs("model.qk_norm", "queries and keys are normalised per head");
}

void add_biases(const ModelShape& shape, MegatronArguments& out) {
    const Biases& biases = shape.biases;
    const bool all = biases.qkv && biases.attn_out && biases.mlp;
    if (!all) out.flag("--disable-bias-linear");
    if (!all && biases.qkv) out.flag("--add-qkv-bias");
    if (!all && (biases.attn_out || biases.mlp)) {
        out.differs("model.biases",
                    biases.qkv ? "only query, key and value carry a bias" : "no linear layer carries a bias");
    } else if (biases.lm_head || biases.router || (shape.moe && biases.experts != all)) {
        out.differs("model.biases", "head and router carry none, experts like the other linear layers");
    }
}

void add_activation(const ModelShape& shape, MegatronArguments& out) {
    const std::string& name = shape.activation;
    const bool silu = name.empty() || name == "silu" || name == "swiglu" || name == "swish";
    const bool gelu = name.find("gelu") != std::string::npos || name == "geglu";
    if (shape.gated_mlp) {
        out.flag("--swiglu");
        if (!silu) out.differs("model.activation", "gated SiLU (--swiglu) instead of gated " + name);
    } else if (name == "squared_relu" || name == "squared-relu" || name == "relu2") {
        out.flag("--squared-relu");
    } else if (!name.empty() && !gelu) {
        out.differs("model.activation", "GELU instead of " + name);
    }
}

void add_attention(const Setup& setup, MegatronArguments& out) {
    const ModelShape& shape = setup.shape;
    out.flag("--num-attention-heads", shape.heads);
    if (shape.mla) {
        out.flag("--multi-latent-attention");
        if (shape.mla->q_rank > 0) out.flag("--q-lora-rank", shape.mla->q_rank);
        out.flag("--kv-lora-rank", shape.mla->kv_rank);
        out.flag("--qk-head-dim", shape.mla->qk_nope);
        out.flag("--qk-pos-emb-head-dim", shape.mla->qk_rope);
        out.flag("--v-head-dim", shape.mla->v_dim);
        if (out.release < 16) out.flag("--no-rope-fusion"); // refused together there
    } else {
        if (shape.kv() != shape.heads) {
            out.flag("--group-query-attention");
            out.flag("--num-query-groups", shape.kv());
        }
        if (shape.head_size() * shape.heads != shape.hidden) out.flag("--kv-channels", shape.head_size());
    }
    const bool standard = setup.plan.training.attention == Attention::standard;
    out.flag("--attention-backend", standard ? "unfused" : shape.mla ? "auto" : "flash");

    if (shape.attention_window > 0) {
        if (out.release < 16) {
            out.differs("model.attention_window", "every layer attends over the whole sequence");
        } else {
            out.flag("--window-size", fmt::format("{},0", shape.attention_window - 1));
            std::vector<bool> windowed;
            for (std::int64_t i = 0; i < shape.layers; ++i) windowed.push_back(!setup.is_global_attention(i));
            const bool everywhere = std::find(windowed.begin(), windowed.end(), false) == windowed.end();
            if (!everywhere) out.flag("--window-attn-skip-freq", pattern_text(windowed));
        }
    }
    if (shape.attention_sinks) {
        if (out.release >= 16)
            out.flag("--softmax-type", "learnable");
        else
            out.differs("model.attention_sinks", "no attention sinks");
    }
}

void add_vocabulary(const Setup& setup, MegatronArguments& out) {
    const std::int64_t vocab = setup.shape.vocab;
    // Rows are padded to a multiple of make-vocab-size-divisible-by · tensor: the largest that adds none, up
    // to 128.
    const std::int64_t divisor =
        vocab % setup.tensor == 0 ? std::gcd(vocab / setup.tensor, std::int64_t{128}) : 128;
    out.flag("--vocab-size", vocab);
    out.flag("--make-vocab-size-divisible-by", divisor);
    // The null tokenizer of 0.16 and before counts an end-of-document token on top.
    const std::int64_t words = vocab + (out.release <= 16 ? 1 : 0);
    const std::int64_t multiple = divisor * setup.tensor;
    const std::int64_t rows = (words + multiple - 1) / multiple * multiple;
    if (rows != vocab) out.differs("model.vocab", fmt::format("the vocabulary is padded to {} rows", rows));
    if (!setup.shape.tied_embeddings) out.flag("--untie-embeddings-and-output-weights");
}

void add_positions(const Setup& setup, MegatronArguments& out) {
    const std::int64_t rows = setup.shape.learned_positions;
    const std::int64_t sequence = setup.plan.training.sequence_length;
    out.flag("--position-embedding-type", rows > 0 ? "learned_absolute" : "rope");
    out.flag("--max-position-embeddings", rows > 0 ? rows : sequence);
}

void add_experts(const Setup& setup, MegatronArguments& out) {
    const ModelShape& shape = setup.shape;
    const MoeShape& moe = *shape.moe;
    out.flag("--num-experts", moe.experts);
    out.flag("--moe-router-topk", moe.top_k);
    out.flag("--moe-ffn-hidden-size", moe.expert_ffn);
    if (moe.shared_ffn > 0) out.flag("--moe-shared-expert-intermediate-size", moe.shared_ffn);
    std::vector<bool> pattern;
    for (std::int64_t i = 0; i < shape.layers; ++i) pattern.push_back(setup.is_moe_layer(i));
    if (std::find(pattern.begin(), pattern.end(), false) != pattern.end()) {
        out.flag("--moe-layer-freq", pattern_text(pattern));
    }
    // Release 0.12 groups the experts' products in bf16 only.
    const Precision precision = setup.plan.training.precision;
    if (out.release >= 16 || (precision != Precision::fp32 && precision != Precision::fp16))
        out.flag("--moe-grouped-gemm");
    out.flag("--moe-token-dispatcher-type", "alltoall");
    if (moe.score_bias) {
        out.flag("--moe-router-score-function", "sigmoid");
        out.flag("--moe-router-enable-expert-bias");
    } else if (moe.top_k == 1) {
        out.flag("--moe-router-pre-softmax"); // softmax over one chosen expert would always be 1
    }
    if (moe.capacity_factor > 0)
        out.flag("--moe-expert-capacity-factor", fmt::format("{}", moe.capacity_factor));
}

} // namespace

std::string pattern_text(const std::vector<bool>& pattern) {
    std::string text = "(";
    for (std::size_t i = 0; i < pattern.size();) {
        std::size_t end = i;
        while (end < pattern.size() && pattern[end] == pattern[i]) ++end;
        text += fmt::format("{}[{}]*{}", i > 0 ? "+" : "", pattern[i] ? 1 : 0, end - i);
        i = end;
    }
    return text + ")";
}

void add_megatron_model(const Setup& setup, MegatronArguments& out) {
    const ModelShape& shape = setup.shape;
    out.flag("--num-layers", shape.layers);
    out.flag("--hidden-size", shape.hidden);
    if (shape.ffn_hidden > 0) out.flag("--ffn-hidden-size", shape.ffn_hidden);
    add_attention(setup, out);
    add_positions(setup, out);
    add_activation(shape, out);
    add_norms(shape, out);
    add_biases(shape, out);
    add_vocabulary(setup, out);
    if (setup.moe()) add_experts(setup, out);
    if (shape.mtp_layers > 0) out.flag("--mtp-num-layers", shape.mtp_layers);
    if (shape.embedding_dim > 0 && shape.embedding_dim != shape.hidden) {
        out.differs("model.embedding_dim", "the embedding is as wide as the model");
    }
    if (shape.parallel_block)
        out.differs("model.parallel_block", "attention and MLP run one after the other");
    if (shape.parameters) out.differs("model.parameters", "the total follows from the shape");
}

} // namespace shardlens::launchers
