// SPDX-License-Identifier: GPL-3.0-or-later
// Valid plans of data ranks alone, sharded over all of them or inside a node: what FSDP1 can run. The grid's
// pairs of degrees hardly leave one.
#pragma once

#include <vector>

#include "plans.h"

namespace shardlens::test {

inline std::vector<Plan> fsdp_plans() {
    std::vector<Plan> plans;
    for (const char* model : {"llama3-8b", "gpt3-13b", "mixtral-8x7b"})
        for (const std::int64_t gpus : {8, 64})
            for (const std::int64_t shard_group : {0, 8})
                for (const std::int64_t zero : {2, 3})
                    for (const Recompute recompute : {Recompute::none, Recompute::full})
                        for (const Precision precision : {Precision::bf16, Precision::fp16, Precision::fp8})
                            for (const Offload offload : {Offload::none, Offload::cpu}) {
                                if (gpus == 8 && shard_group == 8) continue; // all ranks again
                                Plan plan;
                                plan.name = "FSDP " + std::to_string(plans.size());
                                plan.model = std::string(model);
                                plan.stack = "fsdp";
                                plan.cluster.node = "dgx-h100"; // 8 GPUs
                                plan.cluster.gpus = gpus;
                                plan.parallel.zero = zero;
                                plan.parallel.shard_group = shard_group;
                                plan.training.sequence_length = 4096;
                                plan.training.micro_batch_size = 1;
                                plan.training.global_batch_size = 2 * gpus;
                                plan.training.precision = precision;
                                plan.memory.recompute = recompute;
                                plan.memory.offload_optimizer = offload;
                                if (zero == 3) plan.memory.offload_parameters = offload;
                                plans.push_back(std::move(plan));
                            }
    return plans;
}

} // namespace shardlens::test
