// SPDX-License-Identifier: GPL-3.0-or-later
// Loads of all ports of a cluster are those that each node counts rank by rank.
#include "catch.h"

#include "placement/port_loads.h"

using namespace shardlens;
using namespace shardlens::placement;

namespace {

Setup setup_of(std::int64_t gpus, std::int64_t tensor, std::int64_t context, std::int64_t pipeline,
               std::int64_t domain, std::int64_t nics) {
    Setup setup;
    setup.cluster.gpus = gpus;
    setup.cluster.node.gpus_per_node = 8;
    setup.cluster.node.scale_up_domain = domain;
    setup.cluster.node.nics_per_node = nics;
    setup.tensor = tensor;
    setup.context = context;
    setup.pipeline = pipeline;
    setup.data = gpus / tensor / context / pipeline;
    return setup;
}

} // namespace

TEST_CASE("ports of all nodes carry what nic_loads counts for each") {
    GroupVolumes volumes;
    volumes.tensor_bytes = 3e9;
    volumes.context_bytes = 2e9;
    volumes.data_bytes = 7e9;
    volumes.pipeline_bytes = 1e9;
    for (const Setup& setup : {setup_of(64, 8, 1, 4, 8, 8), setup_of(128, 16, 1, 2, 8, 4),
                               setup_of(128, 4, 4, 2, 8, 2), setup_of(64, 16, 1, 2, 16, 8)}) {
        const auto placed = Placement::make(setup);
        REQUIRE(placed);
        const PortLoads all = port_loads(*placed, setup, volumes);
        double most = 0;
        for (std::int64_t node = 0; node < placed->node_count(); ++node) {
            const auto one = nic_loads(*placed, setup, volumes, node);
            REQUIRE(static_cast<std::int64_t>(one.size()) == all.ports);
            for (const NicLoad& port : one) {
                CHECK(all.of(node, port.nic) == Approx(port.bytes_per_step));
                most = std::max(most, port.bytes_per_step);
            }
        }
        CHECK(most > 0);
    }
}

TEST_CASE("one data group of two on two nodes: each port carries half of the passes' bytes") {
    // Two nodes with TP 8: the pair (r, r + 8) reduces N in a reduce-scatter and an all-gather pass of N bytes,
    // of which a rank sends (n − 1) / n = 1/2 each: the payload counts both, so half of it leaves each port.
    const Setup setup = setup_of(16, 8, 1, 1, 8, 8);
    GroupVolumes volumes;
    volumes.data_bytes = 10e9;
    const auto placed = Placement::make(setup);
    REQUIRE(placed);
    const PortLoads all = port_loads(*placed, setup, volumes);
    for (std::int64_t node = 0; node < 2; ++node)
        for (std::int64_t port = 0; port < 8; ++port) CHECK(all.of(node, port) == Approx(5e9));
}
