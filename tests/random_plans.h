// SPDX-License-Identifier: GPL-3.0-or-later
// Plans as careless hands make them, for property tests of rules.
#pragma once

#include <rapidcheck.h>

#include "plan/plan.h"

inline shardlens::Plan random_plan() {
    using namespace shardlens;
    const auto pick = [](std::initializer_list<std::int64_t> values) {
        return *rc::gen::elementOf(std::vector<std::int64_t>(values));
    };
    Plan plan;
    if (pick({0, 1}) == 0) {
        plan.model = *rc::gen::element<std::string>("llama3-70b", "qwen2.5-7b", "deepseek-v3", "mixtral-8x7b",
                                                    "gpt3-175b", "falcon-7b");
    } else {
        ModelShape shape;
        shape.layers = pick({1, 2, 12, 28, 32, 61, 80});
        shape.heads = pick({1, 6, 8, 28, 32, 52, 71, 128});
        shape.hidden = pick({512, 1000, 4096, 8192, 3584});
        if (pick({0, 1}) == 0) shape.head_dim = 128;
        if (pick({0, 1}) == 0) shape.kv_heads = pick({1, 2, 4, 5, 8, 12});
        shape.ffn_hidden = pick({1, 1001, 4096, 11008, 28672});
        shape.vocab = pick({100, 50257, 128256});
        shape.learned_positions = pick({0, 0, 2048});
        if (pick({0, 1}) == 0) {
            shape.moe.emplace();
            shape.moe->experts = pick({1, 8, 10, 60, 256});
            shape.moe->top_k = pick({1, 2, 8, 12});
            shape.moe->expert_ffn = pick({1, 999, 1024, 2048});
            shape.moe->shared_ffn = pick({0, 0, 1001, 2048});
            shape.moe->dense_layers = pick({0, 1, 3});
        }
        if (pick({0, 0, 1}) == 1)
            shape.mla = MlaShape{1536, pick({0, 512}), pick({0, 128}), pick({0, 64}), pick({0, 128})};
        if (pick({0, 0, 0, 1}) == 1) shape.parameters = 7e9;
        plan.model = shape;
    }
    plan.stack =
        *rc::gen::element<std::string>("generic", "megatron-lm", "llm-foundry", "nanotron", "deepspeed");
    plan.target =
        *rc::gen::element<std::string>("", "", "torchtitan@0.2.2", "deepspeed@0.19", "megatron-lm@0.19");
    plan.fidelity = pick({0, 1}) == 0 ? Fidelity::detailed : Fidelity::textbook;
    plan.cluster.node = *rc::gen::element<std::string>("dgx-h100", "dgx-a100-640", "gb200-nvl72", "summit");
    plan.cluster.gpus = pick({1, 3, 8, 12, 16, 24, 60, 64, 100, 512, 1024, 16384});
    if (pick({0, 0, 0, 1}) == 1) plan.cluster.hosts = {"a", "b"};
    plan.training.sequence_length = pick({1, 100, 512, 2048, 4096, 4100, 8192, 131072});
    plan.training.micro_batch_size = pick({1, 1, 2, 3, 8});
    plan.training.global_batch_size = pick({1, 7, 8, 60, 64, 100, 128, 256, 1024, 2048});
    plan.training.precision = *rc::gen::element(Precision::fp32, Precision::fp16, Precision::bf16,
                                                Precision::fp8, Precision::mxfp8, Precision::nvfp4);
    if (pick({0, 1}) == 0) plan.training.tokens = *rc::gen::element(1e3, 1e9, 1e12);
    Parallel& parallel = plan.parallel;
    parallel.tensor = pick({1, 1, 2, 3, 4, 5, 6, 8, 16});
    parallel.sequence = pick({0, 1}) == 0;
    parallel.pipeline = pick({1, 1, 2, 3, 4, 8, 16, 100});
    parallel.virtual_pipeline = pick({1, 1, 1, 2, 3, 4});
    parallel.virtual_pipeline_group = pick({0, 0, 0, 2, 5, 9});
    parallel.context = pick({1, 1, 2, 3, 4, 8});
    if (pick({0, 1}) == 0)
        parallel.context_kind =
            *rc::gen::element(ContextKind::ring, ContextKind::ulysses, ContextKind::allgather);
    parallel.expert = pick({1, 1, 2, 3, 8, 64});
    parallel.expert_tensor = pick({1, 1, 2, 3});
    const std::int64_t ranks = parallel.tensor * parallel.pipeline * parallel.context;
    switch (pick({0, 1, 2})) {
    case 0: break;
    case 1: parallel.data = pick({1, 2, 4, 7, 8}); break;
    default: parallel.data = std::max<std::int64_t>(1, plan.cluster.gpus / ranks);
    }
    parallel.zero = pick({0, 1, 2, 3});
    parallel.shard_group = pick({0, 0, 0, 2, 3, 8});
    if (pick({0, 1}) == 0) parallel.schedule = static_cast<ScheduleKind>(*rc::gen::inRange(0, 18));
    if (pick({0, 0, 0, 1}) == 1)
        parallel.layers_per_stage.assign(static_cast<std::size_t>(pick({1, 2, 4, 8})), pick({0, 7, 20}));
    parallel.rank_order =
        *rc::gen::element<std::string>("tp-cp-ep-dp-pp", "tp-cp-ep-pp-dp", "cp-tp-dp-pp", "nanotron",
                                       "colossalai", "tp-cp-dp", "tp-tp-dp-pp", "megatron");
    plan.memory.recompute = *rc::gen::element(Recompute::none, Recompute::selective, Recompute::full);
    plan.memory.recompute_layers = pick({0, 0, 1, 50});
    plan.memory.offload_parameters =
        *rc::gen::element(Offload::none, Offload::none, Offload::cpu, Offload::nvme);
    plan.memory.offload_activations = *rc::gen::element(Offload::none, Offload::cpu);
    plan.memory.offload_layers = pick({0, 0, 2, 100});
    return plan;
}
