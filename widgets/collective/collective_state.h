// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce that is played on its own: what every rank holds and has sent so far. No window.
#pragma once

#include <cstdint>
#include <vector>

#include "placement/all_reduce_steps.h"

namespace shardlens {

struct CollectiveSpec {
    placement::AllReduceKind kind = placement::AllReduceKind::ring;
    std::int64_t ranks = 8;
    std::int64_t per_node = 4;
    double bytes = 1e9; ///< of the whole vector
    bool operator==(const CollectiveSpec&) const = default;
};

/// More would not be told apart on a screen; a rank's contributions fit into one word.
inline constexpr std::int64_t kMostPlayedRanks = 64;

/// The steps; two levels need as many ranks on every node.
[[nodiscard]] Result<placement::AllReduceSteps> collectiveSteps(const CollectiveSpec& spec);

struct CollectiveState {
    std::int64_t parts = 1;
    /// [rank][part]: bit r is set when rank r's values are summed in.
    std::vector<std::vector<std::uint64_t>> holds;
    std::vector<double> sent, received; ///< bytes by rank

    /// Has every rank the sum of all in every part?
    [[nodiscard]] bool complete() const;
    /// Bytes of the busiest rank: sent, or for the parameter server sent and received at its port.
    [[nodiscard]] double busiest(placement::AllReduceKind kind) const;
};

/// Bytes sent from one node to another in the first `done` steps, all ranks together.
[[nodiscard]] double crossedBytes(const placement::AllReduceSteps& steps, std::int64_t per_node,
                                  std::int64_t done);

/// After the first `done` steps.
[[nodiscard]] CollectiveState collectiveState(const placement::AllReduceSteps& steps, std::int64_t ranks,
                                              std::int64_t done);

} // namespace shardlens
