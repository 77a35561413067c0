// SPDX-License-Identifier: GPL-3.0-or-later
// How many bytes of a layer's activations stay for backward, by recompute mode. Used by the ledger and by
// offload.
#pragma once

#include "model/operators.h"

namespace shardlens::model {

/// Everything that a layer saves when nothing is recomputed.
template <class N> [[nodiscard]] N saved_bytes(const Layer<N>& layer);

/// What stays with the plan's recompute mode when the layer is `recomputed`.
template <class N> [[nodiscard]] N kept_bytes(const Setup& setup, const Layer<N>& layer, bool recomputed);

extern template double saved_bytes<double>(const Layer<double>&);
extern template Traced saved_bytes<Traced>(const Layer<Traced>&);
extern template double kept_bytes<double>(const Setup&, const Layer<double>&, bool);
extern template Traced kept_bytes<Traced>(const Setup&, const Layer<Traced>&, bool);

} // namespace shardlens::model
