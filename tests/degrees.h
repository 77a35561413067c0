// SPDX-License-Identifier: GPL-3.0-or-later
// A setup made of degrees alone, for tests that need no presets.
#pragma once

#include "catalog/setup.h"

struct Degrees {
    std::int64_t tp = 1, cp = 1, dp = 1, pp = 1, ep = 1, etp = 1;
    std::string order = "tp-cp-ep-dp-pp";
    std::int64_t gpus_per_node = 8, domain = 0, nodes_per_pod = 0; ///< domain 0: the node
    std::int64_t shard_group = 0;
    bool experts = true;
};

inline shardlens::Setup setup_of(const Degrees& degrees) {
    shardlens::Setup setup;
    setup.tensor = setup.plan.parallel.tensor = degrees.tp;
    setup.context = setup.plan.parallel.context = degrees.cp;
    setup.data = degrees.dp;
    setup.plan.parallel.data = degrees.dp;
    setup.pipeline = setup.plan.parallel.pipeline = degrees.pp;
    setup.expert = setup.plan.parallel.expert = degrees.ep;
    setup.expert_tensor = setup.plan.parallel.expert_tensor = degrees.etp;
    setup.plan.parallel.rank_order = degrees.order;
    setup.plan.parallel.zero = setup.zero = 1;
    setup.plan.parallel.shard_group = degrees.shard_group;
    setup.cluster.gpus = setup.plan.cluster.gpus = degrees.tp * degrees.cp * degrees.dp * degrees.pp;
    setup.cluster.node.gpus_per_node = degrees.gpus_per_node;
    setup.cluster.node.scale_up_domain = degrees.domain > 0 ? degrees.domain : degrees.gpus_per_node;
    setup.cluster.node.nodes_per_pod = degrees.nodes_per_pod;
    setup.cluster.node.nics_per_node = degrees.gpus_per_node;
    if (degrees.experts) {
        setup.shape.moe.emplace();
        setup.shape.moe->experts = degrees.ep;
        setup.shape.moe->top_k = 1;
    }
    return setup;
}
