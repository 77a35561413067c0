// SPDX-License-Identifier: GPL-3.0-or-later
// Inside of the simulator: what its parts share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "pipeline/simulate.h"

namespace shardlens::pipeline {

inline constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
inline constexpr double kNotYet = -1; ///< an end that is not known yet; real ends are never negative

/// All that an operation of one (rank, chunk) needs, so that the loop neither divides nor searches.
struct ChunkInfo {
    std::size_t cells = 0;       ///< first cell of its stage: cells + micro-batch indexes the ends
    std::size_t before = kNone;  ///< first cell of the stage before, kNone at the first stage
    std::size_t after = kNone;   ///< first cell of the stage after, kNone at the last stage
    std::size_t before_slot = 0; ///< rank · chunks + chunk of the stage before
    std::size_t after_slot = 0;
    std::uint32_t before_rank = 0; ///< its rank; the own rank where there is none
    std::uint32_t after_rank = 0;
    double before_hop = 0, after_hop = 0; ///< latency from there; 0 on the same rank
    std::array<double, 4> length{};       ///< by OpKind
    double overlapped = -1;               ///< negative: the sum of the halves
    std::int32_t stage = 0;
};

/// Ends of forwards and of backwards (whole or input half) by stage and micro-batch, and where in
/// schedule.ops the operations stand.
struct Ends {
    LargeVector<double> forward, backward;
    LargeVector<std::uint32_t> forward_op, backward_op;
};

[[nodiscard]] inline double duration(const Op& op, const ChunkInfo& chunk) {
    return chunk.length[static_cast<std::size_t>(op.kind)];
}

/// Is it a cell whose duration is the overlapped cost of the forward's stage?
[[nodiscard]] inline const ChunkInfo* overlapping_forward(const Op& a, const ChunkInfo& chunk_a, const Op& b,
                                                          const ChunkInfo& chunk_b) {
    if (a.kind == OpKind::forward && b.kind == OpKind::backward && chunk_a.overlapped >= 0) return &chunk_a;
    if (a.kind == OpKind::backward && b.kind == OpKind::forward && chunk_b.overlapped >= 0) return &chunk_b;
    return nullptr;
}

[[nodiscard]] inline double cell_duration(const Op& a, const ChunkInfo& chunk_a, const Op& b,
                                          const ChunkInfo& chunk_b) {
    const ChunkInfo* overlapping = overlapping_forward(a, chunk_a, b, chunk_b);
    return overlapping ? overlapping->overlapped : duration(a, chunk_a) + duration(b, chunk_b);
}

/// One longest chain, walked back from the last end. `last_rank` is the rank that ends last; `keep_ops`: list
/// the chain's operations.
[[nodiscard]] CriticalPath critical_path(const Schedule& schedule, const std::vector<ChunkInfo>& chunks,
                                         const Ends& ends, std::size_t last_rank, bool keep_ops);

/// Says why an order cannot go on or is not complete. `at` = next operation of each rank.
[[nodiscard]] Error explain_stop(const Schedule& schedule, const std::vector<ChunkInfo>& chunks,
                                 const Ends& ends, const std::vector<std::size_t>& at);

} // namespace shardlens::pipeline
