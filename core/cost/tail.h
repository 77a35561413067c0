// SPDX-License-Identifier: GPL-3.0-or-later
// What a step costs behind the pipeline: gradient reduction, optimizer, offload, fixed overhead, jitter.
#pragma once

#include "cost/layer_time.h"
#include "model/layer_kinds.h"

namespace shardlens::cost {

/// Parameters of one pipeline rank.
template <class N> struct StageWeights {
    N dense = 0, expert = 0;
    double tensors = 0; ///< how many weight matrices and norms that is
};

/// Tail of the rank with most parameters; `chunks` in model order give the room to hide under and the busy
/// time.
template <class N>
[[nodiscard]] TailTime<N> tail_time(const Setup& setup, const Groups& groups,
                                    const std::vector<StageWeights<N>>& weights,
                                    const std::vector<ChunkTime<N>>& chunks);

/// Bytes of gradients and parameters that the tail's collectives carry (full vectors; an all-reduce counts
/// twice).
/// Is the gradient reduced after every micro-batch's backward, instead of once per step?
[[nodiscard]] bool reduces_every_pass(const Setup& setup);

/// What a reduction of the weights' gradients adds to a backward pass of `room` seconds that runs beside it.
template <class N>
[[nodiscard]] N exposed_reduction(const Setup& setup, const Groups& groups, const StageWeights<N>& weights,
                                  const N& room);

/// Payloads of what tail_time() times, on a rank with these weights.
template <class N>
[[nodiscard]] placement::GroupVolumes tail_volumes(const Setup& setup, const Groups& groups,
                                                   const StageWeights<N>& weights);

/// Activation bytes of a chunk that a plan offloads, per micro-batch.
template <class N> [[nodiscard]] N offloaded_bytes(const Setup& setup, const model::KindCounts& kinds);

extern template TailTime<double> tail_time<double>(const Setup&, const Groups&,
                                                   const std::vector<StageWeights<double>>&,
                                                   const std::vector<ChunkTime<double>>&);
extern template TailTime<Traced> tail_time<Traced>(const Setup&, const Groups&,
                                                   const std::vector<StageWeights<Traced>>&,
                                                   const std::vector<ChunkTime<Traced>>&);
extern template double exposed_reduction<double>(const Setup&, const Groups&, const StageWeights<double>&,
                                                 const double&);
extern template Traced exposed_reduction<Traced>(const Setup&, const Groups&, const StageWeights<Traced>&,
                                                 const Traced&);
extern template placement::GroupVolumes tail_volumes<double>(const Setup&, const Groups&,
                                                             const StageWeights<double>&);
extern template placement::GroupVolumes tail_volumes<Traced>(const Setup&, const Groups&,
                                                             const StageWeights<Traced>&);
extern template double offloaded_bytes<double>(const Setup&, const model::KindCounts&);
extern template Traced offloaded_bytes<Traced>(const Setup&, const model::KindCounts&);

} // namespace shardlens::cost
