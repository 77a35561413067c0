// SPDX-License-Identifier: GPL-3.0-or-later
// Seconds of everything a rank does in a step, by operator roofline and placed collectives. The pipeline's
// own time comes from the simulator, which is fed with the chunk times from here.
#pragma once

#include <array>
#include <vector>

#include "catalog/setup.h"
#include "formula/traced.h"
#include "model/layer_kinds.h"
#include "placement/traffic.h"

namespace shardlens::cost {

/// One pass (forward, backward, or recompute) of one chunk and micro-batch on one rank, by what is exposed.
template <class N> struct PassTime {
    N compute_s = 0; ///< GEMMs, attention, elementwise
    N tensor_comm_s = 0;
    N context_comm_s = 0;
    N expert_comm_s = 0;
    N data_comm_s = 0;     ///< ZeRO-3 gathers and scatters that are not hidden
    N pipeline_comm_s = 0; ///< transfers that occupy the rank
    N offload_s = 0;       ///< activation offload that is not hidden
    N host_s = 0;          ///< what waiting for kernel launches adds to all of the above

    [[nodiscard]] N total() const {
        return compute_s + tensor_comm_s + context_comm_s + expert_comm_s + data_comm_s + pipeline_comm_s +
               offload_s + host_s;
    }
};

template <class N> struct ChunkTime {
    PassTime<N> forward;
    PassTime<N> backward;  ///< input and weight gradients, without the recomputation
    PassTime<N> recompute; ///< forward work repeated during the backward
    N weight_s = 0;        ///< share of backward.total() that a split schedule may delay (weight gradients)
};

/// The tail's communication by when it runs, seconds of the rank with most parameters. The exposed parts add
/// up to TailTime::data_comm_s; where both could hide, what is hidden is shared out by length.
struct TailParts {
    double reduce_exposed_s = 0, reduce_hidden_s = 0; ///< gradients, before the optimizer
    double gather_exposed_s = 0, gather_hidden_s = 0; ///< updated parameters, behind it
};

/// What a step costs beside the pipeline, worst rank.
template <class N> struct TailTime {
    N data_comm_s = 0; ///< exposed gradient reduction and parameter gather
    N hidden_data_comm_s =
        0; ///< data-parallel communication hidden under compute, in the tail and in the passes
    N optimizer_s = 0;
    N offload_s = 0; ///< optimizer or parameter offload over the host link and CPU time
    N other_s = 0;   ///< fixed overhead per step and jitter
    TailParts parts; ///< for views
};

template <class N> struct StepCosts {
    std::vector<ChunkTime<N>> chunks; ///< p · v entries in model order
    N hop_s = 0; ///< latency of a transfer between neighbour stages, occupies nobody (worst border)
    TailTime<N> tail;
    placement::GroupVolumes volumes; ///< for traffic; bytes per rank and step, worst rank
    N hardware_flops_per_gpu = 0;    ///< model plus recomputed FLOPs per GPU and step, for HFU
    std::vector<double>
        chunk_parameters;     ///< on one GPU, by chunk in model order; embedding and head included
    double message_bytes = 0; ///< what one GPU sends to the next stage per micro-batch and border
};

/// `placement` may be null when the degrees do not make a world; groups then count as inside one domain.
template <class N>
[[nodiscard]] StepCosts<N> step_costs(const Setup& setup, const placement::Placement* placement);

/// Seconds that one more layer of each body kind (model/layer_kinds.h) adds to its chunk per micro-batch:
/// forward, backward and recomputation. 0 for kinds that the model cannot have.
[[nodiscard]] std::array<double, model::kBodyKinds> layer_seconds(const Setup& setup,
                                                                  const placement::Placement* placement);

extern template StepCosts<double> step_costs<double>(const Setup&, const placement::Placement*);
extern template StepCosts<Traced> step_costs<Traced>(const Setup&, const placement::Placement*);

} // namespace shardlens::cost
