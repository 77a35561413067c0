// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of one layer's passes, each distinct kind of layer once; chunks are sums of these.
#pragma once

#include "cost/step_costs.h"
#include "model/operators.h"

namespace shardlens::cost {

/// Where the groups of a plan sit, asked for once.
struct Groups {
    placement::Reach tensor, context, expert, expert_tensor, shard, replica, data, expert_data, pipeline;

    [[nodiscard]] static Groups of(const Setup& setup, const placement::Placement* placement);
};

/// What one layer costs and holds, per micro-batch on one rank.
template <class N> struct LayerTime {
    ChunkTime<N> passes;
    N dense_weights = 0, expert_weights = 0;
    N recompute_flops = 0;
    N hidden_data_s = 0;             ///< ZeRO-3 (2) traffic under compute, forward and backward
    placement::GroupVolumes volumes; ///< of all passes; for traffic
    double weight_tensors = 0;       ///< operators with weights of their own
};

/// `recomputed`: the layer is among those whose activations are recomputed.
template <class N>
[[nodiscard]] LayerTime<N> layer_time(const Setup& setup, const Groups& groups, model::LayerKind kind,
                                      bool global_attention, bool recomputed);

extern template LayerTime<double> layer_time<double>(const Setup&, const Groups&, model::LayerKind, bool,
                                                     bool);
extern template LayerTime<Traced> layer_time<Traced>(const Setup&, const Groups&, model::LayerKind, bool,
                                                     bool);

} // namespace shardlens::cost
