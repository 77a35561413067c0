// SPDX-License-Identifier: GPL-3.0-or-later
// Which network ports of its node a GPU sends through.
#pragma once

#include <algorithm>

#include "placement/placement.h"

namespace shardlens::placement {

/// GPUs share ports, or have several each, in runs of neighbours; nic_of() is the first.
[[nodiscard]] inline bool uses_nic(const Node& node, std::int64_t local, std::int64_t nic) {
    const std::int64_t first = nic_of(node, local);
    return nic >= first && nic < std::max(first + 1, nic_of(node, local + 1));
}

} // namespace shardlens::placement
