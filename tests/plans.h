// SPDX-License-Identifier: GPL-3.0-or-later
// Plans that several tests start from.
#pragma once

#include "catalog/catalog.h"
#include "catch.h"
#include "report/evaluate.h"

namespace shardlens::test {

inline constexpr double kGiB = 1073741824.0;

inline const Catalog& catalog() {
    static const Catalog shipped({presets_directory()});
    return shipped;
}

/// Evaluates a plan that names shipped presets only.
inline std::shared_ptr<const Report> report_of(const Plan& plan, bool timeline = false) {
    const auto report = evaluate(plan, catalog(), {.timeline = timeline});
    INFO((report ? std::string() : report.error().line()));
    REQUIRE(report.ok());
    return *report;
}

/// The class of model that the textbook's worked figures use: 70.6e9 parameters given, 80 layers, h = 8192.
inline ModelShape textbook_70b() {
    ModelShape shape;
    shape.name = "70B class";
    shape.layers = 80;
    shape.hidden = 8192;
    shape.heads = 64;
    shape.ffn_hidden = 28672;
    shape.vocab = 128256;
    shape.parameters = 70.6e9;
    return shape;
}

/// 64 H100, s = 8192, b = 1, textbook fidelity.
inline Plan textbook_plan(ModelShape shape, std::int64_t gpus) {
    Plan plan;
    plan.model = std::move(shape);
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = gpus;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    plan.fidelity = Fidelity::textbook;
    return plan;
}

/// Llama 3 70B on 64 H100, TP 8 with SP, PP 4, ZeRO 1.
inline Plan llama_70b() {
    Plan plan = textbook_plan({}, 64);
    plan.model = std::string("llama3-70b");
    plan.stack = "megatron-bridge";
    plan.fidelity = Fidelity::detailed;
    plan.parallel.tensor = 8;
    plan.parallel.sequence = true;
    plan.parallel.pipeline = 4;
    plan.parallel.zero = 1;
    plan.training.tokens = 1e12;
    return plan;
}

} // namespace shardlens::test
