// SPDX-License-Identifier: GPL-3.0-or-later
// Setups that the tests of operators, costs and ledger start from.
#pragma once

#include "plans.h"

namespace shardlens::test {

inline Setup setup_of(const Plan& plan) {
    auto setup = resolve(plan, catalog());
    INFO((setup ? std::string() : setup.error().line()));
    REQUIRE(setup.ok());
    return std::move(setup).value();
}

/// A GPT of the SC21 kind: plain MLP of 4h, all heads, layer norms.
inline ModelShape gpt(std::int64_t layers, std::int64_t hidden, std::int64_t heads) {
    ModelShape shape;
    shape.layers = layers;
    shape.hidden = hidden;
    shape.heads = heads;
    shape.ffn_hidden = 4 * hidden;
    shape.vocab = 51200;
    shape.tied_embeddings = true;
    shape.norm = NormKind::layernorm;
    shape.norm_bias = true;
    shape.biases = Biases::all();
    shape.learned_positions = 2048;
    return shape;
}

inline Plan detailed_plan(ModelShape shape, const std::string& node, std::int64_t gpus) {
    Plan plan;
    plan.model = std::move(shape);
    plan.stack = "megatron-lm-2022";
    plan.cluster.node = node;
    plan.cluster.gpus = gpus;
    plan.training.sequence_length = 2048;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = gpus;
    return plan;
}

} // namespace shardlens::test
