// SPDX-License-Identifier: GPL-3.0-or-later
// What leaves every node of a cluster through each of its ports, for a picture of the whole.
#pragma once

#include <vector>

#include "placement/traffic.h"

namespace shardlens::placement {

/// Bytes per step by node and port: entry node · ports + port, as nic_loads() counts them one node at a time.
/// Walks every group once, so 100,000 GPUs take milliseconds.
struct PortLoads {
    std::int64_t ports = 1; ///< of a node
    std::vector<double> bytes_per_step;

    [[nodiscard]] double of(std::int64_t node, std::int64_t port) const {
        return bytes_per_step[static_cast<std::size_t>(node * ports + port)];
    }
};
[[nodiscard]] PortLoads port_loads(const Placement& placement, const Setup& setup,
                                   const GroupVolumes& volumes);

} // namespace shardlens::placement
