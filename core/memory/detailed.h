// SPDX-License-Identifier: GPL-3.0-or-later
// Parts of the detailed ledger: model states, activations per layer and chunk, buffers (implementation of
// ledger.h).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "memory/ledger.h"
#include "model/layer_kinds.h"

namespace shardlens::memory {

/// Weights and activation bytes of one kind of layer.
template <class N> struct LayerBytes {
    N dense_weights = 0, expert_weights = 0;
    N kept = 0;    ///< per micro-batch, from forward to backward
    N remade = 0;  ///< activations made again while this layer's backward runs
    N working = 0; ///< gradients alive inside the backward
};

template <class N> struct LayerLibrary {
    std::array<std::optional<LayerBytes<N>>, model::kBodyKinds> body;
    LayerBytes<N> embedding, head;
    std::optional<LayerBytes<N>> mtp;
    std::vector<model::KindCounts> chunks; ///< model order

    [[nodiscard]] static LayerLibrary of(const Setup& setup);
    /// Kept bytes of a chunk per micro-batch, embedding and head included.
    [[nodiscard]] N chunk_bytes(const Setup& setup, std::size_t chunk) const;
};

/// Weights of one pipeline rank.
template <class N> struct RankWeights {
    N dense = 0, expert = 0;
    N vocabulary = 0;    ///< part of dense: embedding and head
    N largest_layer = 0; ///< most weights of one layer, experts included
    N ends = 0;          ///< embedding and head on this rank
    N largest_end = 0;   ///< the larger of the two
};

/// Model states of a rank by dtypes, optimizer and ZeRO stage.
template <class N> struct StateBytes {
    N parameters = 0, gradients = 0, optimizer = 0;
    N host = 0;         ///< offloaded
    N saved = 0;        ///< weights, master copy and moments: what a checkpoint holds of the rank
    N saved_here = 0;   ///< of that, what lives on the device
    N largest_unit = 0; ///< sharded weights: the largest piece that is gathered to save them whole
};
template <class N> [[nodiscard]] StateBytes<N> state_bytes(const Setup& setup, const RankWeights<N>& weights);

/// Buffers that stay for the whole step: gathers of sharded parameters, reduction buckets, scratch of
/// kernels.
template <class N> [[nodiscard]] N persistent_buffers(const Setup& setup, const RankWeights<N>& weights);
/// Extra bytes alive at the optimizer step, when activations are gone.
template <class N> [[nodiscard]] N step_buffers(const Setup& setup, const RankWeights<N>& weights);
/// Device context, communicators and libraries, outside the framework's allocator.
template <class N> [[nodiscard]] N context_bytes(const Setup& setup);

/// The reference that ZeRO and expert sharding divide by; 1 when nothing is sharded.
[[nodiscard]] double state_shards(const Setup& setup);
[[nodiscard]] double expert_state_shards(const Setup& setup);

extern template struct LayerLibrary<double>;
extern template struct LayerLibrary<Traced>;
extern template StateBytes<double> state_bytes<double>(const Setup&, const RankWeights<double>&);
extern template StateBytes<Traced> state_bytes<Traced>(const Setup&, const RankWeights<Traced>&);
extern template double persistent_buffers<double>(const Setup&, const RankWeights<double>&);
extern template Traced persistent_buffers<Traced>(const Setup&, const RankWeights<Traced>&);
extern template double step_buffers<double>(const Setup&, const RankWeights<double>&);
extern template Traced step_buffers<Traced>(const Setup&, const RankWeights<Traced>&);
extern template double context_bytes<double>(const Setup&);
extern template Traced context_bytes<Traced>(const Setup&);

} // namespace shardlens::memory
