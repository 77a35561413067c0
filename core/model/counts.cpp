// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/counts.h"

#include <algorithm>

namespace shardlens::model {
namespace {

constexpr const char* kShape = "model shape";
constexpr const char* kRules = "counted from the architecture";

template <class N> N shape_value(std::int64_t value, const char* name) {
    return input<N>(static_cast<double>(value), {name, "1", kShape, Tag::exact});
}
template <class N> N part(const N& value, const char* name) {
    return named(value, {name, "1", kRules, Tag::exact});
}

/// The sizes that several parts share, labelled once.
template <class N> struct Sizes {
    explicit Sizes(const ModelShape& shape)
        : hidden(shape_value<N>(shape.hidden, "hidden")), heads(shape_value<N>(shape.heads, "heads")),
          kv_heads(shape_value<N>(shape.kv(), "kv_heads")),
          head_dim(shape_value<N>(shape.head_size(), "head_dim")) {}
    N hidden, heads, kv_heads, head_dim;
};

template <class N> N mla_attention(const ModelShape& shape, const Sizes<N>& size) {
    const auto& mla = *shape.mla;
    const N kv_rank = shape_value<N>(mla.kv_rank, "kv_rank");
    const N nope = shape_value<N>(mla.qk_nope, "qk_nope");
    const N rope = shape_value<N>(mla.qk_rope, "qk_rope");
    const N v_dim = shape_value<N>(mla.v_dim, "v_dim");
    N query = size.hidden * size.heads * (nope + rope);
    if (mla.q_rank > 0) {
        const N q_rank = shape_value<N>(mla.q_rank, "q_rank");
        query = size.hidden * q_rank + q_rank + q_rank * size.heads * (nope + rope);
    }
    const N latent = size.hidden * (kv_rank + rope) + kv_rank;
    const N key_value = kv_rank * size.heads * (nope + v_dim);
    const N output = size.heads * v_dim * size.hidden;
    return part(part(query, "query_parameters") + part(latent, "kv_down_parameters") +
                    part(key_value, "kv_up_parameters") + part(output, "attention_output_parameters"),
                "attention_parameters_per_layer");
}

template <class N> N attention(const ModelShape& shape, const Sizes<N>& size) {
    if (shape.mla) return mla_attention(shape, size);
    const N query_width = size.heads * size.head_dim;
    const N kv_width = size.kv_heads * size.head_dim;
    N count = size.hidden * query_width + 2 * size.hidden * kv_width + query_width * size.hidden;
    if (shape.biases.qkv) count += query_width + 2 * kv_width;
    if (shape.biases.attn_out) count += size.hidden;
    if (shape.qk_norm == QkNorm::per_head) count += 2 * size.head_dim;
    if (shape.qk_norm == QkNorm::full) count += query_width + kv_width;
    if (shape.attention_sinks) count += size.heads;
    return part(count, "attention_parameters_per_layer");
}

template <class N>
N mlp(const ModelShape& shape, const N& hidden, const N& ffn, bool bias, const char* name) {
    const double matrices = shape.gated_mlp ? 3 : 2;
    N count = matrices * hidden * ffn;
    if (bias) count += (matrices - 1) * ffn + hidden;
    return part(count, name);
}

template <class N> N norm_width(const ModelShape& shape, const N& hidden) {
    return shape.norm_bias ? 2 * hidden : hidden;
}

struct LayerKinds {
    std::int64_t dense = 0, moe = 0;
};
LayerKinds layer_kinds(const ModelShape& shape) {
    if (!shape.moe || shape.moe->experts <= 0) return {shape.layers, 0};
    const auto behind = std::max<std::int64_t>(shape.layers - shape.moe->dense_layers, 0);
    const auto moe = behind / std::max<std::int64_t>(shape.moe->layer_step, 1);
    return {shape.layers - moe, moe};
}

} // namespace

template <class N> ParameterCounts<N> count_parameters(const ModelShape& shape) {
    if (shape.parameters) {
        const N given = input<N>(*shape.parameters, {"parameters", "1", "given in the plan", Tag::exact});
        return {given, given, given, given};
    }
    const Sizes<N> size(shape);
    const auto kinds = layer_kinds(shape);
    const N layers = shape_value<N>(shape.layers, "layers");
    const N vocab = shape_value<N>(shape.vocab, "vocab");

    // Blocks: attention and norms in every layer, then the dense or the mixture-of-experts MLP.
    const N norm = norm_width(shape, size.hidden);
    const N norms = part(N(static_cast<double>(shape.norms_per_layer)) * norm, "norm_parameters_per_layer");
    N total = layers * (attention(shape, size) + norms);
    if (kinds.dense > 0) {
        const N ffn = shape_value<N>(shape.ffn_hidden, "ffn_hidden");
        const N dense_mlp = mlp(shape, size.hidden, ffn, shape.biases.mlp, "mlp_parameters_per_layer");
        total += shape_value<N>(kinds.dense, "dense_mlp_layers") * dense_mlp;
    }
    N idle = 0;
    if (kinds.moe > 0) {
        const auto& moe = *shape.moe;
        const N experts = shape_value<N>(moe.experts, "experts");
        const N expert_ffn = shape_value<N>(moe.expert_ffn, "expert_ffn");
        const N expert = mlp(shape, size.hidden, expert_ffn, shape.biases.experts, "parameters_per_expert");
        N router = size.hidden * experts;
        if (shape.biases.router) router += experts;
        if (moe.score_bias) router += experts;
        N moe_mlp = experts * expert + part(router, "router_parameters_per_layer");
        if (moe.shared_ffn > 0) {
            const N shared_ffn = shape_value<N>(moe.shared_ffn, "shared_ffn");
            moe_mlp +=
                mlp(shape, size.hidden, shared_ffn, shape.biases.mlp, "shared_expert_parameters_per_layer");
        }
        const N moe_layers = shape_value<N>(kinds.moe, "moe_layers");
        total += moe_layers * part(moe_mlp, "moe_parameters_per_layer");
        if (moe.top_k < moe.experts)
            idle = part(moe_layers * (experts - shape_value<N>(moe.top_k, "top_k")) * expert,
                        "parameters_of_experts_not_visited");
    }
    total = part(total, "block_parameters");

    // Ends: vocabulary matrices, positions and the norms outside the blocks.
    const N width =
        shape.embedding_dim > 0 ? shape_value<N>(shape.embedding_dim, "embedding_dim") : size.hidden;
    const N embedding = part(vocab * width, "embedding_parameters");
    N vocabulary = embedding;
    if (!shape.tied_embeddings) {
        N head = vocab * width;
        if (shape.biases.lm_head) head += vocab;
        vocabulary += part(head, "head_parameters");
    }
    // A narrower embedding is the vocabulary matrix in two factors: its projections count with it.
    if (shape.embedding_dim > 0 && shape.embedding_dim != shape.hidden)
        vocabulary += part(2 * width * size.hidden, "embedding_projection_parameters");
    if (shape.learned_positions > 0)
        vocabulary += part(shape_value<N>(shape.learned_positions, "learned_positions") * size.hidden,
                           "position_parameters");
    vocabulary = part(vocabulary, "vocabulary_parameters");
    if (shape.final_norm) total += part(norm, "final_norm_parameters");
    if (shape.embedding_norm) total += part(norm, "embedding_norm_parameters");

    ParameterCounts<N> counts{total, total, total, total};
    counts.without_embeddings = part(total, "parameters_without_embeddings");
    counts.total = part(total + vocabulary, "parameters");
    counts.active = part(value_of(idle) > 0 ? counts.total - idle : counts.total, "active_parameters");
    counts.active_without_input_embedding =
        part(shape.tied_embeddings ? counts.active : counts.active - embedding,
             "active_parameters_without_input_embedding");
    return counts;
}

template <class N> N model_flops_per_token(const ModelShape& shape, double sequence_length) {
    const auto counts = count_parameters<N>(shape);
    const Label label{"model_flops_per_token", "FLOP", "6 per parameter and token, plus causal attention",
                      Tag::exact};
    // Textbook: 6 N, the attention is left out.
    if (shape.parameters) return named(6 * counts.total, label);
    const Sizes<N> size(shape);
    const N layers = shape_value<N>(shape.layers, "layers");
    const N sequence = input<N>(sequence_length, {"sequence_length", "1", "plan", Tag::exact});
    N width = size.heads * size.head_dim;
    if (shape.mla) {
        const N nope = shape_value<N>(shape.mla->qk_nope, "qk_nope");
        const N rope = shape_value<N>(shape.mla->qk_rope, "qk_rope");
        const N v_dim = shape_value<N>(shape.mla->v_dim, "v_dim");
        width = size.heads * (nope + rope + v_dim) / 2;
    }
    const N attention_flops =
        named(6 * layers * width * sequence,
              {"attention_flops_per_token", "FLOP", "causal: half of the square", Tag::exact});
    return named(6 * counts.active_without_input_embedding + attention_flops, label);
}

template ParameterCounts<double> count_parameters<double>(const ModelShape&);
template ParameterCounts<Traced> count_parameters<Traced>(const ModelShape&);
template double model_flops_per_token<double>(const ModelShape&, double);
template Traced model_flops_per_token<Traced>(const ModelShape&, double);

} // namespace shardlens::model
