// SPDX-License-Identifier: GPL-3.0-or-later
// MLP, experts and the two ends of the model. Traffic in 16-bit work: activation 6 bytes forward and 10
// (gated) or 9 (plain) backward per FFN value; experts 8 and 12; permutation of dispatched tokens half of 4
// and 5 passes.
#include "model/layer_builder.h"

namespace shardlens::model {

template <class N>
void LayerBuilder<N>::plain_mlp(const N& ffn_on_rank, std::uint32_t module, bool shared_expert) {
    const bool bias = shape.biases.mlp;
    const double gates = shape.gated_mlp ? 2.0 : 1.0;
    Operator<N>& up = linear(shared_expert ? "shared_expert_up" : "mlp_up", d.tokens, gates * ffn_on_rank,
                             d.hidden, module);
    if (bias) up.weights += gates * ffn_on_rank;
    traffic(shared_expert ? "shared_expert_activation" : "mlp_activation",
            bytes16(6) * d.tokens * ffn_on_rank, bytes16(shape.gated_mlp ? 10 : 9) * d.tokens * ffn_on_rank,
            module | (shared_expert ? 0u : kRecomputeMlpAct));
    Operator<N>& down =
        linear(shared_expert ? "shared_expert_down" : "mlp_down", d.tokens, d.hidden, ffn_on_rank, module);
    if (bias) down.weights += d.hidden;
    down.last_of_layer = !shared_expert;
}

template <class N> void LayerBuilder<N>::mlp_block(bool first_norm) {
    if (first_norm) norm("mlp_norm", kRecomputeLayernorm);
    if (!shape.parallel_block) enter_tensor_region("mlp_gather", kRecomputeMlp);
    plain_mlp(d.ffn, kRecomputeMlp, false);
    leave_tensor_region("mlp_scatter", kRecomputeMlp);
    residual("mlp_residual", true);

    const N u = d.unit * d.element;
    // A parallel block normalises the same input again (or reuses the first norm's output).
    if (!shape.parallel_block) keep("mlp_norm_input", u);
    if (first_norm) keep_input("mlp_input", d.unit, kRecomputeLayernorm);
    if ((setup.stack.saved == SavedStyle::huggingface || setup.stack.saved == SavedStyle::torchtitan) &&
        shape.norm == NormKind::rmsnorm)
        keep("mlp_norm_in_fp32", u, kRecomputeLayernorm);
    if (setup.stack.saved == SavedStyle::nanotron && setup.stack.saves_gathered_inputs && setup.sequence)
        keep("gathered_mlp_input", d.tokens * d.hidden * d.element * (1.0 - 1.0 / d.tensor));
    saved_mlp(d.ffn, kRecomputeMlp, kRecomputeMlpAct);
    if (setup.stack.saved == SavedStyle::megatron_2023) keep("mlp_dropout_mask", d.unit);
    const N values = d.tokens * d.ffn * d.element;
    N working = named((shape.gated_mlp ? 3.0 : 2.0) * values, {"mlp_gradients", "B",
                                                               "gradients of the product and of gate and "
                                                               "up alive in the MLP's backward",
                                                               Tag::modelled});
    if (setup.plan.training.attention == Attention::standard) {
        const N scores = d.micro_batch * d.heads * d.sequence * d.sequence / d.context;
        working += named(3.0 * d.element * scores,
                         {"score_gradients", "B", "gradients of scores and softmax", Tag::modelled});
    }
    out.working_bytes = working;
}

template <class N>
void LayerBuilder<N>::saved_mlp(const N& ffn_on_rank, std::uint32_t module, std::uint32_t act_module) {
    const N values = d.tokens * ffn_on_rank * d.element;
    keep("mlp_up_output", (shape.gated_mlp ? 2.0 : 1.0) * values, module);
    keep_input("mlp_down_input", d.tokens * ffn_on_rank, module | act_module);
    // Unfused gated activations keep silu(gate) beside the product.
    if (shape.gated_mlp && setup.stack.saved != SavedStyle::megatron &&
        setup.stack.saved != SavedStyle::megatron_2023)
        keep("silu_of_gate", values, module | act_module);
}

template <class N> void LayerBuilder<N>::moe_block(bool first_norm) {
    const MoeShape& moe = *shape.moe;
    const N experts = count(moe.experts, "experts"), top_k = count(moe.top_k, "top_k");
    const N expert_degree = input<N>(static_cast<double>(setup.expert), {"expert", "1", "plan", Tag::exact});
    const N expert_tensor =
        input<N>(static_cast<double>(setup.expert_tensor), {"expert_tensor", "1", "plan", Tag::exact});
    const N ffn = count(moe.expert_ffn, "expert_ffn") / expert_tensor;
    const N load =
        moe.capacity_factor > 0
            ? input<N>(moe.capacity_factor,
                       {"capacity_factor", "1", "tokens padded or dropped to this share", Tag::exact})
            : input<N>(setup.plan.training.moe_imbalance, {"moe_imbalance", "1", "plan", Tag::assumed});
    const N own_tokens = d.tokens / d.tensor;
    const N dispatched =
        named(own_tokens * top_k * load,
              {"dispatched_tokens", "1", "T / t · top_k · load: token copies a rank sends", Tag::modelled});
    const N processed = dispatched * expert_tensor; // gathered over the experts' tensor group
    const double gates = shape.gated_mlp ? 2.0 : 1.0;

    if (first_norm) norm("moe_norm", kRecomputeLayernorm);
    Operator<N>& router = linear("router", d.tokens / d.sharding, experts, d.hidden, kRecomputeMoe);
    router.low_precision = false;
    if (shape.biases.router) router.weights += experts;
    traffic("routing", 12.0 * own_tokens * experts, 12.0 * own_tokens * experts, kRecomputeMoe);
    traffic("permute", bytes16(4) * processed * d.hidden, bytes16(5) * processed * d.hidden, kRecomputeMoe)
        .expert = true;
    const auto exchange = [&](const char* name) {
        if (setup.expert > 1) {
            Operator<N>& op = add(name, OperatorKind::all_to_all, kRecomputeMoe);
            op.group = CommGroup::expert;
            op.payload_bytes = dispatched * d.hidden * d.element;
        }
    };
    const auto expert_tensor_exchange = [&](const char* name, OperatorKind kind) {
        if (setup.expert_tensor > 1) {
            Operator<N>& op = add(name, kind, kRecomputeMoe);
            op.group = CommGroup::expert_tensor;
            op.payload_bytes = processed * d.hidden * d.element;
        }
    };
    exchange("dispatch");
    expert_tensor_exchange("expert_gather", OperatorKind::all_gather);
    // Rows per local expert: the whole expert group's copies spread over all experts.
    const N local_experts = experts / expert_degree;
    const N rows = processed * expert_degree / experts;
    const auto expert_linear = [&](const char* name, const N& columns, const N& depth) {
        Operator<N>& op = linear(name, rows, columns, depth, kRecomputeMoe);
        op.groups = local_experts;
        op.expert = true;
        op.weights = local_experts * columns * depth;
        if (shape.biases.experts) op.weights += local_experts * columns;
    };
    expert_linear("expert_up", gates * ffn, d.hidden);
    // A clamp is no part of the fused activation: both halves are clamped and joined again (2 + 2 bytes for
    // each of twice the width, two times), and backward masks and joins their gradients (6 + 4 bytes).
    const double clamp = shape.activation == "swiglu_clamped" ? 1 : 0;
    traffic("expert_activation", bytes16(8 + 16 * clamp) * processed * ffn,
            bytes16(12 + 20 * clamp) * processed * ffn, kRecomputeMoe | kRecomputeMoeAct)
        .expert = true;
    expert_linear("expert_down", d.hidden, ffn);
    // The down projection's bias is weighted by the router's fp32 probability, added in fp32 expert by expert,
    // the parts joined and rounded: 28 bytes a value forward, 36 backward (Megatron-LM,
    // core/transformer/moe/experts.py, TEGroupedMLP._apply_bias).
    if (shape.biases.experts)
        traffic("expert_bias", bytes16(28) * processed * d.hidden, bytes16(36) * processed * d.hidden,
                kRecomputeMoe)
            .expert = true;
    expert_tensor_exchange("expert_scatter", OperatorKind::reduce_scatter);
    exchange("combine");
    if (moe.shared_ffn > 0) {
        const N shared = count(moe.shared_ffn, "shared_ffn") / d.tensor;
        enter_tensor_region("shared_gather", kRecomputeMoe | kRecomputeSharedExperts);
        plain_mlp(shared, kRecomputeMoe | kRecomputeSharedExperts, true);
        leave_tensor_region("shared_scatter", kRecomputeMoe | kRecomputeSharedExperts);
    }
    residual("moe_residual", true);

    const N u = d.unit * d.element;
    if (!shape.parallel_block) keep("moe_norm_input", u);
    if (first_norm) keep("moe_input", u, kRecomputeLayernorm);
    keep("router_scores", 4.0 * own_tokens * experts, kRecomputeMoe);
    keep_input("expert_input", processed * d.hidden, kRecomputeMoe);
    keep("expert_up_output", gates * processed * ffn * d.element, kRecomputeMoe);
    keep_input("expert_down_input", processed * ffn, kRecomputeMoe | kRecomputeMoeAct);
    if (moe.shared_ffn > 0)
        saved_mlp(count(moe.shared_ffn, "shared_ffn") / d.tensor, kRecomputeMoe | kRecomputeSharedExperts,
                  0u);
    out.working_bytes =
        named((gates + 1.0) * processed * ffn * d.element,
              {"expert_gradients", "B", "gradients alive in the experts' backward", Tag::modelled});
}

template <class N> void LayerBuilder<N>::embedding() {
    const N width = count(shape.embedding_width(), "embedding_width");
    Operator<N>& lookup =
        traffic("embedding_lookup", bytes16(12) * d.tokens * d.hidden, bytes16(12) * d.tokens * d.hidden);
    lookup.weights = named(d.vocabulary * width, {"embedding_matrix", "1", "V / t · h", Tag::exact});
    if (shape.learned_positions > 0) lookup.weights += count(shape.learned_positions, "positions") * d.hidden;
    if (shape.embedding_norm) lookup.weights += shape.norm_bias ? 2.0 * d.hidden : d.hidden;
    if (shape.embedding_width() != shape.hidden)
        linear("embedding_projection", d.tokens, d.hidden, width).low_precision = false;
    if (setup.tensor > 1) leave_tensor_region("embedding_scatter");
}

template <class N> void LayerBuilder<N>::head(bool owns_matrix) {
    const N width = count(shape.embedding_width(), "embedding_width");
    if (shape.final_norm || !owns_matrix) norm("final_norm");
    enter_tensor_region("head_gather");
    if (shape.embedding_width() != shape.hidden && owns_matrix)
        linear("head_projection", d.tokens, width, d.hidden).low_precision = false;
    Operator<N>& logits = linear("head", d.tokens, d.vocabulary, width);
    logits.low_precision = false;
    const bool shared = !owns_matrix || (shape.tied_embeddings && ends_share_rank(setup));
    logits.weights =
        shared ? N(0.0) : named(d.vocabulary * width, {"head_matrix", "1", "V / t · h", Tag::exact});
    if (shape.biases.lm_head && owns_matrix) logits.weights += d.vocabulary;
    Operator<N>& loss = add("loss", OperatorKind::loss);
    loss.m = d.tokens;
    loss.n = d.vocabulary;
    loss.forward_bytes = loss.m * loss.n; // elements; the stack says how many bytes move for each
    keep("final_norm_input", d.unit * d.element);
    keep("head_input", d.unit * d.element);
}

template <class N> void LayerBuilder<N>::mtp_projection() {
    norm("mtp_hidden_norm");
    norm("mtp_embedding_norm");
    linear("mtp_projection", d.tokens, d.hidden / d.tensor, 2.0 * d.hidden);
    keep("mtp_projection_input", 4.0 * d.unit * d.element);
}

template struct LayerBuilder<double>;
template struct LayerBuilder<Traced>;

} // namespace shardlens::model
