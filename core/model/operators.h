// SPDX-License-Identifier: GPL-3.0-or-later
// A layer is a list of operators, as one rank runs it for one micro-batch. Parameters, FLOPs, time, saved
// activations and traffic all read this one list, so they cannot disagree. Dense, GQA, gated MLP, MoE, MLA,
// windows: only the list differs.
#pragma once

#include <vector>

#include "catalog/setup.h"
#include "formula/traced.h"

namespace shardlens::model {

enum class LayerKind : std::uint8_t { dense, moe, embedding, head, mtp };

enum class OperatorKind : std::uint8_t {
    gemm,        ///< m × n × k, `groups` equal ones
    attention,   ///< the core: scores, softmax, values
    elementwise, ///< `forward_bytes`, `backward_bytes` of memory traffic
    all_gather,  ///< sequence parallelism: `payload_bytes` gathered
    reduce_scatter,
    all_reduce,
    context_exchange, ///< KV ring, all-gather or all-to-all over the context group
    all_to_all,       ///< expert dispatch or combine
};

/// Which group a collective runs over.
enum class CommGroup : std::uint8_t { none, tensor, context, expert };

/// A tensor kept from forward to backward.
template <class N> struct SavedTensor {
    const char* name;
    N bytes;                   ///< on this rank, one micro-batch
    std::uint32_t module = 0;  ///< RecomputeModule bits: recomputing any of them drops this tensor
};

template <class N> struct Operator {
    const char* name;
    OperatorKind kind;
    std::uint32_t module = 0; ///< RecomputeModule bits: recomputing any of them runs this operator again
    // gemm
    N m = 0, n = 0, k = 0, groups = 1;
    bool low_precision = false; ///< runs in fp8 / fp4 when the plan says so (linears; not head, router, scores)
    N weights = 0;              ///< parameters of this operator on this rank
    // attention
    N attention_flops = 0;      ///< forward, mask already taken into account
    N score_elements = 0;       ///< materialised scores, standard attention only
    // elementwise
    N forward_bytes = 0, backward_bytes = 0;
    // collectives
    CommGroup group = CommGroup::none;
    N payload_bytes = 0;
    std::vector<SavedTensor<N>> saved;
};

template <class N> struct Layer {
    LayerKind kind;
    bool global_attention = true;
    std::vector<Operator<N>> operators;
    N replicated_weights = 0; ///< norms and other weights held whole by every tensor rank
    N expert_weights = 0;     ///< routed experts on this rank (sharded over the expert grid)
};

/// The operators of one layer of `kind` on one rank.
template <class N> [[nodiscard]] Layer<N> layer(const Setup& setup, LayerKind kind, bool global_attention = true);

/// Weights of the layer on one rank that belong to the dense grid (everything but routed experts).
template <class N> [[nodiscard]] N dense_weights(const Layer<N>& layer);

extern template Layer<double> layer<double>(const Setup&, LayerKind, bool);
extern template Layer<Traced> layer<Traced>(const Setup&, LayerKind, bool);
extern template double dense_weights<double>(const Layer<double>&);
extern template Traced dense_weights<Traced>(const Layer<Traced>&);

} // namespace shardlens::model
