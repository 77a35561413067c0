// SPDX-License-Identifier: GPL-3.0-or-later
// Pipelines that the grid leaves out: every schedule without a number of chunks (a V has two by its nature),
// and stages of unequal length.
#pragma once

#include <string>
#include <vector>

#include "plan/fields.h"
#include "plans.h"

namespace shardlens::test {

/// Llama 3 8B, two stages of eight ranks.
inline Plan staged_plan() {
    Plan plan;
    plan.name = "staged";
    plan.model = std::string("llama3-8b");
    plan.stack = "generic";
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = 16;
    plan.parallel.pipeline = 2;
    plan.parallel.zero = 1;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 64;
    return plan;
}

inline std::vector<Plan> staged_plans() {
    std::vector<Plan> plans;
    for (const std::string_view schedule : find_field("parallel.schedule")->choices) {
        Plan plan = staged_plan();
        REQUIRE(set_field(plan, "parallel.schedule", std::string(schedule)).what.empty());
        plan.name = "schedule " + std::string(schedule);
        plans.push_back(std::move(plan));
    }
    Plan uneven = staged_plan();
    uneven.name = "uneven stages";
    uneven.parallel.layers_per_stage = {17, 15};
    plans.push_back(uneven);
    uneven.name = "four uneven stages";
    uneven.parallel.pipeline = 4;
    uneven.parallel.layers_per_stage = {5, 10, 9, 8};
    plans.push_back(std::move(uneven));
    return plans;
}

} // namespace shardlens::test
