// SPDX-License-Identifier: GPL-3.0-or-later
// A layer is a list of operators, as one rank runs it for one micro-batch. Parameters, FLOPs, time, saved
// activations and traffic all read this one list, so they cannot disagree. Dense, GQA, gated MLP, MoE, MLA,
// windows: only the list differs.
#pragma once

#include <vector>

#include "catalog/setup.h"
#include "model/dimensions.h"

namespace shardlens::model {

enum class LayerKind : std::uint8_t { dense, moe, embedding, head, mtp };

enum class OperatorKind : std::uint8_t {
    gemm,        ///< m × n × k, `groups` equal ones
    attention,   ///< the core: scores, softmax, values
    elementwise, ///< `forward_bytes`, `backward_bytes` of memory traffic
    loss,        ///< cross-entropy over m · n logits
    all_gather,  ///< sequence parallelism: `payload_bytes` gathered
    reduce_scatter,
    all_reduce,
    context_exchange, ///< KV ring, all-gather or all-to-all over the context group
    all_to_all,       ///< expert dispatch or combine
};

/// Which group a collective runs over.
enum class CommGroup : std::uint8_t { none, tensor, context, expert, expert_tensor };

/// A tensor kept from forward to backward.
template <class N> struct SavedTensor {
    const char* name;
    N bytes;                  ///< on this rank, one micro-batch
    std::uint32_t module = 0; ///< RecomputeModule bits: recomputing any of them drops this tensor
};

template <class N> struct Operator {
    const char* name;
    OperatorKind kind;
    std::uint32_t module = 0; ///< RecomputeModule bits: recomputing any of them runs this operator again
    bool low_precision =
        false;           ///< runs in fp8 / fp4 when the plan says so (linears; not head, router, scores)
    bool expert = false; ///< routed experts: their grouped linears, permutation and activation
    bool last_of_layer = false; ///< checkpointing that stops early does not run it again
    CommGroup group = CommGroup::none;
    // gemm: rows, columns, depth. attention: queries, keys, (qk + v) / 2 head size, groups = heads on the
    // rank · b.
    N m = 0, n = 0, k = 0, groups = 1;
    N weights = 0;                           ///< parameters of this operator on this rank
    N attention_flops = 0;                   ///< forward, mask taken into account
    N forward_bytes = 0, backward_bytes = 0; ///< elementwise traffic
    N payload_bytes = 0; ///< collectives: the full vector; all-to-all and context: bytes the rank sends
};

template <class N> struct Layer {
    LayerKind kind;
    bool global_attention = true;
    bool has_experts = false;
    std::vector<Operator<N>> operators;
    std::vector<SavedTensor<N>> saved;
    N working_bytes = 0; ///< largest set of gradients alive inside the layer's backward
};

/// The operators of one layer of `kind` on one rank.
template <class N>
[[nodiscard]] Layer<N> layer(const Setup& setup, LayerKind kind, bool global_attention = true);

/// Weights of the layer on one rank that belong to the dense grid (everything but routed experts).
template <class N> [[nodiscard]] N dense_weights(const Layer<N>& layer);
/// Weights of the routed experts on one rank.
template <class N> [[nodiscard]] N expert_weights(const Layer<N>& layer);
/// FLOPs of the layer's forward pass on one rank, one micro-batch; a backward takes twice that. With
/// `modules` only the operators that recomputing those modules repeats (0 = all).
template <class N> [[nodiscard]] N forward_flops(const Layer<N>& layer, std::uint32_t modules = 0);

/// Do embedding and head sit on the same pipeline rank (one rank, V-shaped or bidirectional schedules)? A
/// tied matrix then exists once.
[[nodiscard]] bool ends_share_rank(const Setup& setup);

extern template Layer<double> layer<double>(const Setup&, LayerKind, bool);
extern template Layer<Traced> layer<Traced>(const Setup&, LayerKind, bool);

} // namespace shardlens::model
