// SPDX-License-Identifier: GPL-3.0-or-later
// Random plans that make a world: degrees multiply to the GPUs and the batch divides; other rules may be
// broken.
#pragma once

#include <rapidcheck.h>

#include <algorithm>

#include "plan/plan.h"

namespace shardlens::test {

inline std::int64_t power_of_two(int most) { return std::int64_t{1} << *rc::gen::inRange(0, most + 1); }

/// `detailed` also draws schedules, precisions and offloads that the textbook form does not distinguish.
inline Plan random_plan(Fidelity fidelity = Fidelity::detailed) {
    Plan plan;
    plan.name = "random";
    plan.fidelity = fidelity;
    plan.model = *rc::gen::element<std::string>("llama3.2-1b", "llama3-8b", "llama3-70b", "llama3.1-405b",
                                                "gpt3-175b", "gpt2-124m", "mixtral-8x7b", "deepseek-v3");
    plan.stack = *rc::gen::element<std::string>("generic", "megatron-bridge", "megatron-core",
                                                "megatron-deepspeed", "nanotron", "torchtitan", "deepspeed",
                                                "fsdp", "nemo", "internevo", "llama3");
    plan.cluster.node = *rc::gen::element<std::string>("dgx-h100", "dgx-a100-640", "dgx-b200", "gb200-nvl72");
    Parallel& parallel = plan.parallel;
    parallel.tensor = power_of_two(3);
    parallel.sequence = parallel.tensor > 1 && *rc::gen::arbitrary<bool>();
    parallel.pipeline = power_of_two(3);
    parallel.context = *rc::gen::weightedElement<std::int64_t>({{4, 1}, {1, 2}, {1, 4}});
    const std::int64_t data = power_of_two(5);
    if (*rc::gen::arbitrary<bool>()) parallel.data = data;
    plan.cluster.gpus = parallel.tensor * parallel.pipeline * parallel.context * data;
    const auto& model = std::get<std::string>(plan.model);
    if (model == "mixtral-8x7b" || model == "deepseek-v3") {
        parallel.expert = std::min(power_of_two(3), data * parallel.context * parallel.tensor);
        if (*rc::gen::arbitrary<bool>() && data * parallel.context % parallel.expert == 0)
            parallel.expert_tensor = parallel.tensor;
    }
    parallel.zero = *rc::gen::inRange(0, 4);
    if (parallel.zero > 0 && *rc::gen::weightedElement<bool>({{4, false}, {1, true}}))
        parallel.shard_group = std::min<std::int64_t>(data * parallel.context, 4);
    if (parallel.pipeline > 1 && *rc::gen::arbitrary<bool>()) parallel.virtual_pipeline = power_of_two(2);
    if (parallel.virtual_pipeline == 1) {
        if (*rc::gen::arbitrary<bool>())
            parallel.schedule =
                *rc::gen::element(ScheduleKind::gpipe, ScheduleKind::one_f_one_b,
                                  ScheduleKind::one_f_one_b_eager, ScheduleKind::zb_h1, ScheduleKind::zb_v);
    }
    Training& training = plan.training;
    training.sequence_length = 1024 * power_of_two(4);
    training.micro_batch_size = power_of_two(2);
    const std::int64_t accumulation = parallel.pipeline * power_of_two(2);
    training.global_batch_size = training.micro_batch_size * data * accumulation;
    training.attention =
        *rc::gen::weightedElement<Attention>({{3, Attention::flash}, {1, Attention::standard}});
    training.precision = *rc::gen::weightedElement<Precision>(
        {{4, Precision::bf16}, {1, Precision::fp16}, {1, Precision::fp32}, {1, Precision::fp8}});
    training.optimizer = *rc::gen::weightedElement<Optimizer>(
        {{5, Optimizer::adamw}, {1, Optimizer::sgd}, {1, Optimizer::muon}, {1, Optimizer::adamw_8bit}});
    if (*rc::gen::arbitrary<bool>()) training.tokens = 1e12;
    MemoryOptions& memory = plan.memory;
    memory.recompute = *rc::gen::element(Recompute::none, Recompute::selective, Recompute::full);
    if (memory.recompute == Recompute::selective && *rc::gen::arbitrary<bool>())
        memory.recompute_modules = *rc::gen::inRange(1u, 256u);
    if (parallel.zero == 3 && *rc::gen::weightedElement<bool>({{4, false}, {1, true}}))
        memory.offload_parameters = Offload::cpu;
    if (parallel.context > 1)
        parallel.context_kind =
            *rc::gen::element(ContextKind::ring, ContextKind::ulysses, ContextKind::allgather);
    if (*rc::gen::arbitrary<bool>())
        plan.overlap = {*rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>(),
                        *rc::gen::arbitrary<bool>(), *rc::gen::arbitrary<bool>()};
    if (memory.recompute == Recompute::full && *rc::gen::arbitrary<bool>()) memory.recompute_layers = 1;
    memory.offload_optimizer = *rc::gen::weightedElement<Offload>({{5, Offload::none}, {1, Offload::cpu}});
    if (*rc::gen::weightedElement<bool>({{5, false}, {1, true}})) memory.offload_activations = Offload::cpu;
    return plan;
}

} // namespace shardlens::test
