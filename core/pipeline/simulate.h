// SPDX-License-Identifier: GPL-3.0-or-later
// The discrete-event engine: any order, real costs. A rank runs its list strictly in order; an op starts when
// the rank is free and its dependencies have ended (plus the hop latency when they sit on another rank): F(s)
// after F(s−1); B or I(s) after B or I(s+1) and after F(s); W after I.
#pragma once

#include <vector>

#include "pipeline/large_vector.h"
#include "pipeline/schedule.h"

namespace shardlens::pipeline {

/// Seconds (or any unit) per op, by stage in model order.
struct StageCost {
    double forward = 1, input_grad = 1, weight_grad = 1; ///< a whole backward costs input_grad + weight_grad
    /// An F + B cell; negative = the sum of its halves. Where a cell's halves sit on different stages, the
    /// forward's stage tells: over a pair of cells the sum is right.
    double overlapped = -1;
};

struct Costs {
    std::vector<StageCost> stages; ///< one per stage, or one for all
    double hop = 0;                ///< latency between ranks, occupies nobody

    [[nodiscard]] const StageCost& of(std::int64_t stage) const {
        return stages.size() == 1 ? stages[0] : stages[static_cast<std::size_t>(stage)];
    }
};

struct RankSummary {
    double busy = 0;
    double idle_total = 0;                   ///< makespan − busy
    double idle_inside = 0;                  ///< gaps between the rank's first and last op
    std::int64_t peak_live_until_input = 0;  ///< chunk activations alive, freed at the end of B or I
    std::int64_t peak_live_until_weight = 0; ///< the same, freed at the end of B or W
};

/// What the makespan is made of: ops on the longest chain, per stage, and hops.
struct CriticalPath {
    struct Stage {
        std::int64_t forward = 0, backward = 0, input_grad = 0, weight_grad = 0, overlapped = 0;
    };
    std::vector<Stage> stages; ///< by stage in model order
    std::int64_t hops = 0;
    /// The chain itself, first to last, as indices into schedule.ops (of a cell its first op); where the rank
    /// changes lies a hop. Empty when only the summary was asked for.
    std::vector<std::size_t> ops;
};

struct Timeline {
    Schedule schedule;
    LargeVector<double> start, end; ///< per op of schedule.ops; empty when only the summary was asked for
    double makespan = 0;
    double bubble_fraction = 0; ///< Σ idle_total / (p · makespan)
    std::vector<RankSummary> ranks;
    CriticalPath critical;
};

/// Runs the schedule. `keep_ops`: fill start and end. Errors: the order deadlocks or misses an op (names rank
/// and op). 1,000,000 ops in under 50 ms.
[[nodiscard]] Result<Timeline> simulate(Schedule schedule, const Costs& costs, bool keep_ops);

/// The live set of one rank: how many activations of each chunk are alive when their weighted sum is largest
/// (`chunk_weights`: one per local chunk). Depends on the rank's order alone, not on times. In an overlapped
/// cell the forward's activation comes before the backward's goes, whichever is listed first.
struct LivePeak {
    std::vector<std::int64_t> chunks; ///< alive per local chunk
    double weighted = 0;              ///< Σ alive · weight
    std::size_t op = 0;               ///< index within the rank's list of the op that reaches it
    std::int64_t most = 0; ///< most activations alive at once, each counted until the end of B or I
};
[[nodiscard]] LivePeak live_peak(std::span<const Op> rank_ops, std::span<const double> chunk_weights,
                                 bool until_weight);

/// Alive activations over the rank's list: one value after each op (Σ alive · weight), for the memory curve.
/// Where a cell lists its backward first, the value at the backward is the one after the forward.
[[nodiscard]] std::vector<double> live_curve(std::span<const Op> rank_ops,
                                             std::span<const double> chunk_weights, bool until_weight);

} // namespace shardlens::pipeline
