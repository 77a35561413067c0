// SPDX-License-Identifier: GPL-3.0-or-later
// Attention half of a transformer layer. Traffic per element: norm 4 bytes forward (read, write) and 7
// backward, residual add 6 and 6, rotary embedding and layout changes 4 per q, k, v value, in 16-bit work.
#include "model/layer_builder.h"

namespace shardlens::model {
namespace {

constexpr const char* kGqa = "grouped-query attention, arXiv 2305.13245";

/// Shares of the causal half square that a window leaves: 2w/s · (1 − w/2s).
double window_fraction(double window, double sequence) {
    if (window <= 0 || window >= sequence) return 1;
    return 2 * window / sequence * (1 - window / (2 * sequence));
}

} // namespace

template <class N> void LayerBuilder<N>::norm(const char* name, std::uint32_t module) {
    Operator<N>& op = traffic(name, bytes16(4) * d.unit, bytes16(7) * d.unit, module);
    op.weights = shape.norm_bias ? 2.0 * d.hidden : d.hidden;
}

template <class N> void LayerBuilder<N>::residual(const char* name, bool last) {
    traffic(name, bytes16(6) * d.unit, bytes16(6) * d.unit).last_of_layer = last;
}

template <class N> void LayerBuilder<N>::enter_tensor_region(const char* name, std::uint32_t module) {
    if (setup.tensor <= 1 || !setup.sequence) return;
    Operator<N>& op = add(name, OperatorKind::all_gather, module);
    op.group = CommGroup::tensor;
    op.payload_bytes = d.tokens * d.hidden * d.element;
}

template <class N> void LayerBuilder<N>::leave_tensor_region(const char* name, std::uint32_t module) {
    if (setup.tensor <= 1) return;
    Operator<N>& op =
        add(name, setup.sequence ? OperatorKind::reduce_scatter : OperatorKind::all_reduce, module);
    op.group = CommGroup::tensor;
    op.payload_bytes = d.tokens * d.hidden * d.element;
}

template <class N> void LayerBuilder<N>::grouped_query_projections() {
    const N columns =
        named(d.heads * d.qk_size + 2.0 * d.kv_heads * d.qk_size, {"qkv_columns", "1", kGqa, Tag::exact});
    Operator<N>& qkv = linear("qkv_projection", d.tokens, columns, d.hidden);
    if (shape.biases.qkv) qkv.weights += columns;
    traffic("rotary_and_layout", bytes16(4) * d.tokens * columns, bytes16(4) * d.tokens * columns);
    if (shape.qk_norm != QkNorm::none) {
        const N values = d.tokens * (d.heads + d.kv_heads) * d.qk_size;
        Operator<N>& op = traffic("qk_norm", bytes16(4) * values, bytes16(7) * values);
        op.weights = shape.qk_norm == QkNorm::per_head ? 2.0 * d.qk_size : (d.heads + d.kv_heads) * d.qk_size;
    }
}

template <class N> void LayerBuilder<N>::mla_projections() {
    const MlaShape& mla = *shape.mla;
    const N kv_rank = count(mla.kv_rank, "kv_rank"), rope = count(mla.qk_rope, "qk_rope");
    const N nope = count(mla.qk_nope, "qk_nope");
    // Down projections are held whole by every tensor rank and work on its own share of the tokens.
    const N own_tokens = d.tokens / d.sharding;
    N query_depth = d.hidden;
    if (mla.q_rank > 0) {
        const N q_rank = count(mla.q_rank, "q_rank");
        Operator<N>& down = linear("q_down_projection", own_tokens, q_rank, d.hidden);
        down.weights += q_rank; // its norm
        query_depth = q_rank;
    }
    linear("q_up_projection", d.tokens, d.heads * d.qk_size, query_depth,
           mla.q_rank > 0 ? kRecomputeMlaUpProj : 0u);
    Operator<N>& kv_down = linear("kv_down_projection", own_tokens, kv_rank + rope, d.hidden);
    kv_down.weights += kv_rank; // its norm
    linear("kv_up_projection", d.tokens, d.heads * (nope + d.v_size), kv_rank, kRecomputeMlaUpProj);
    const N values = d.tokens * d.heads * (2.0 * d.qk_size + d.v_size);
    traffic("rotary_and_layout", bytes16(4) * values, bytes16(4) * values, kRecomputeMlaUpProj);
}

template <class N> void LayerBuilder<N>::context_traffic() {
    if (setup.context <= 1) return;
    Operator<N>& op = add("context_exchange", OperatorKind::context_exchange);
    op.group = CommGroup::context;
    const N kv_values = d.kv_heads * (d.qk_size + d.v_size);
    if (setup.context_kind == ContextKind::ulysses)
        // Four all-to-alls: q, k, v before, the output behind; every rank sends its own tokens.
        op.payload_bytes = named(d.tokens * (d.heads * (d.qk_size + d.v_size) + kv_values) * d.element,
                                 {"context_payload", "B", "DeepSpeed-Ulysses, arXiv 2309.14509", Tag::exact});
    else
        // Keys and values of the whole sequence reach every rank.
        op.payload_bytes = named(d.sequence * d.micro_batch * kv_values * d.element,
                                 {"context_payload", "B", "ring attention, arXiv 2310.01889", Tag::exact});
}

template <class N> void LayerBuilder<N>::core_attention() {
    Operator<N>& op = add("core_attention", OperatorKind::attention, kRecomputeCoreAttention);
    op.m = d.sequence / d.context;
    op.n = d.sequence;
    op.k = (d.qk_size + d.v_size) / 2.0;
    op.groups = d.micro_batch * d.heads;
    const double fraction =
        out.global_attention
            ? 1.0
            : window_fraction(static_cast<double>(shape.attention_window), value_of(d.sequence));
    const N mask =
        input<N>(0.5 * fraction,
                 {"mask_fraction", "1", "causal mask: half of the square; less in a window", Tag::exact});
    op.attention_flops =
        named(2.0 * op.groups * op.m * op.n * (d.qk_size + d.v_size) * mask,
              {"attention_flops", "FLOP", "2 · b · a/t · s · s/c · (d_qk + d_v) · mask", Tag::exact});
    if (shape.attention_sinks) op.weights = d.heads;
}

template <class N> void LayerBuilder<N>::attention_block() {
    norm("attention_norm", kRecomputeLayernorm);
    enter_tensor_region("attention_gather");
    if (shape.mla)
        mla_projections();
    else
        grouped_query_projections();
    context_traffic();
    core_attention();
    Operator<N>& projection = linear("attention_output", d.tokens, d.hidden, d.heads * d.v_size);
    if (shape.biases.attn_out) projection.weights += d.hidden;
    if (!shape.parallel_block) leave_tensor_region("attention_scatter");
    residual("attention_residual", false);
    saved_attention();
}

/// What the attention half keeps for backward, by the stack's style.
template <class N> void LayerBuilder<N>::saved_attention() {
    const SavedStyle style = setup.stack.saved;
    const N u = d.unit * d.element;
    const N q = d.tokens * d.heads * d.qk_size * d.element;
    const N k = d.tokens * d.kv_heads * d.qk_size * d.element;
    const N v = d.tokens * d.kv_heads * d.v_size * d.element;
    const N output = d.tokens * d.heads * d.v_size * d.element;
    keep("attention_norm_input", u);
    keep_input("qkv_input", d.unit, kRecomputeLayernorm);
    if (style == SavedStyle::huggingface || style == SavedStyle::torchtitan) {
        // The eager RMSNorm's intermediate; LayerNorm is one kernel. Learned positions need no rotation.
        if (shape.norm == NormKind::rmsnorm) keep("norm_in_fp32", u, kRecomputeLayernorm);
        if (shape.learned_positions == 0) keep("q_k_before_rotary", q + k);
    }
    if (style == SavedStyle::nanotron && setup.stack.saves_gathered_inputs && setup.sequence)
        keep("gathered_qkv_input", d.tokens * d.hidden * d.element * (1.0 - 1.0 / d.tensor));
    if (style == SavedStyle::nanotron) keep("stacked_q_k_v", q + k + v);
    if (shape.mla) {
        const N ranks = 2.0 * count(shape.mla->q_rank, "q_rank") +
                        2.0 * count(shape.mla->kv_rank, "kv_rank") + count(shape.mla->qk_rope, "qk_rope");
        keep("latent_q_and_kv", d.tokens / d.sharding * ranks * d.element);
    }
    keep("q_k_v", q + k + v, shape.mla ? kRecomputeMlaUpProj : 0u);
    keep("attention_output_input", output);
    // The core's backward reads its result in 16 bit, the projection behind it keeps a copy of its own.
    if (quantised()) keep_input("attention_output_quantised", d.tokens * d.heads * d.v_size);
    if (setup.plan.training.attention == Attention::standard) {
        // Softmax output and dropped scores in 16 bit and the mask in one byte: 5 · a · s² · b.
        const N scores = d.micro_batch * d.heads * d.sequence * d.sequence / d.context;
        out.saved.push_back(
            {"attention_scores",
             named(5.0 / 2.0 * d.element * scores,
                   {"attention_scores", "B", "5 · a · s² · b / t, arXiv 2205.05198 eq. 2", Tag::exact}),
             kRecomputeCoreAttention});
        if (setup.stack.standard_attention_copies > 0)
            keep("attention_layout_copies", setup.stack.standard_attention_copies * output);
    } else {
        keep("log_sum_exp", 4.0 * d.tokens * d.heads, kRecomputeCoreAttention);
    }
    if (style == SavedStyle::megatron_2023) keep("attention_dropout_mask", d.unit);
}

template <class N> void LayerBuilder<N>::transformer(bool moe) {
    attention_block();
    const bool own_norm = shape.norms_per_layer >= 2;
    if (moe) {
        out.has_experts = true;
        moe_block(own_norm);
    } else {
        mlp_block(own_norm);
    }
    for (std::int64_t extra = 2; extra < shape.norms_per_layer; ++extra) {
        norm("post_norm", kRecomputeLayernorm);
        keep("post_norm_input", d.unit * d.element);
    }
}

template struct LayerBuilder<double>;
template struct LayerBuilder<Traced>;

} // namespace shardlens::model
