// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/operators.h"

#include "model/layer_builder.h"

namespace shardlens::model {

template <class N> Layer<N> layer(const Setup& setup, LayerKind kind, bool global_attention) {
    LayerBuilder<N> builder(setup, kind, global_attention);
    switch (kind) {
    case LayerKind::embedding: builder.embedding(); break;
    case LayerKind::head: builder.head(true); break;
    case LayerKind::dense: builder.transformer(false); break;
    case LayerKind::moe: builder.transformer(true); break;
    case LayerKind::mtp:
        // The body of a multi-token-prediction layer is one more layer of the last kind, fed with the
        // projected pair of hidden state and next embedding, and with its own pass through the shared head.
        builder.mtp_projection();
        builder.transformer(setup.shape.layers > 0 && setup.is_moe_layer(setup.shape.layers - 1));
        builder.head(false);
        break;
    }
    return std::move(builder.out);
}

template <class N> N dense_weights(const Layer<N>& layer) {
    N sum = 0.0;
    for (const Operator<N>& op : layer.operators)
        if (!op.expert && value_of(op.weights) > 0) sum += op.weights;
    return sum;
}

template <class N> N expert_weights(const Layer<N>& layer) {
    N sum = 0.0;
    for (const Operator<N>& op : layer.operators)
        if (op.expert && value_of(op.weights) > 0) sum += op.weights;
    return sum;
}

template <class N> N forward_flops(const Layer<N>& layer, std::uint32_t modules) {
    N sum = 0.0;
    for (const Operator<N>& op : layer.operators) {
        if (modules != 0 && !(op.module & modules)) continue;
        if (op.kind == OperatorKind::gemm)
            sum += named(2.0 * op.m * op.n * op.k * op.groups,
                         {op.name, "FLOP", "2 · m · n · k of the linear", Tag::exact});
        if (op.kind == OperatorKind::attention) sum += op.attention_flops;
    }
    return sum;
}

bool ends_share_rank(const Setup& setup) {
    // A bidirectional schedule puts stage p − 1 of the second copy on rank 0.
    if (setup.schedule == ScheduleKind::dualpipe || setup.schedule == ScheduleKind::chimera) return true;
    return setup.rank_of_chunk(0) == setup.rank_of_chunk(setup.pipeline * setup.virtual_pipeline - 1);
}

template Layer<double> layer<double>(const Setup&, LayerKind, bool);
template Layer<Traced> layer<Traced>(const Setup&, LayerKind, bool);
template double dense_weights<double>(const Layer<double>&);
template Traced dense_weights<Traced>(const Layer<Traced>&);
template double expert_weights<double>(const Layer<double>&);
template Traced expert_weights<Traced>(const Layer<Traced>&);
template double forward_flops<double>(const Layer<double>&, std::uint32_t);
template Traced forward_flops<Traced>(const Layer<Traced>&, std::uint32_t);

} // namespace shardlens::model
