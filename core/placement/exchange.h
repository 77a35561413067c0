// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of a token that an exchange over the experts sends; read by the times and by the traffic.
#pragma once

#include <cmath>

#include "catalog/setup.h"

namespace shardlens::placement {

/// DeepEP and HybridEP send a token once to a rank or node that holds several of its experts; they need
/// InfiniBand or NVLink, so that AWS EFA is left with NCCL's exchange, which sends every copy.
[[nodiscard]] inline bool sends_token_once(const Setup& setup) {
    return setup.stack.expert_deduplication && !setup.cluster.node.efa;
}

/// Expected share of a token's `copies` that go to different ones of `places`, drawn with replacement:
/// k (1 - (1 - 1/k)^copies) different places.
[[nodiscard]] inline double distinct_share(double places, double copies) {
    return places * (1 - std::pow(1 - 1 / places, copies)) / copies;
}

} // namespace shardlens::placement
