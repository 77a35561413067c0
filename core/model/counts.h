// SPDX-License-Identifier: GPL-3.0-or-later
// Parameters and FLOPs of an architecture, whole model (not per rank).
#pragma once

#include "catalog/setup.h"
#include "formula/traced.h"

namespace shardlens::model {

template <class N> struct ParameterCounts {
    N total;                          ///< all trainable weights, MTP layers not counted
    N active;                         ///< total minus the experts a token does not visit
    N active_without_input_embedding; ///< active minus the input embedding when the head is a matrix of its
                                      ///< own
    N without_embeddings;             ///< total minus vocabulary matrices and learned positions
};

/// Counts by the rules of the catalogue (attention, MLA, MLP, MoE, norms, positions, embeddings). With
/// `shape.parameters` given (textbook) all four are that number.
template <class N> [[nodiscard]] ParameterCounts<N> count_parameters(const ModelShape& shape);

/// Model FLOPs of forward and backward per token: 6 · active parameters without the input embedding
/// + 6 · layers · heads · head_dim · sequence (causal; MLA: (qk + v) / 2). Recomputation is not counted.
template <class N> [[nodiscard]] N model_flops_per_token(const ModelShape& shape, double sequence_length);

extern template ParameterCounts<double> count_parameters<double>(const ModelShape&);
extern template ParameterCounts<Traced> count_parameters<Traced>(const ModelShape&);
extern template double model_flops_per_token<double>(const ModelShape&, double);
extern template Traced model_flops_per_token<Traced>(const ModelShape&, double);

} // namespace shardlens::model
