// SPDX-License-Identifier: GPL-3.0-or-later
// global = micro · accumulation · data, in the plan's and in the launchers' units. Figures worked by hand.
#include "catch.h"
#include "launchers/batch_arithmetic.h"
#include "plan/plan_json.h"
#include "plans.h"

using namespace shardlens;
using namespace shardlens::launchers;

namespace {

BatchArithmetic arithmetic(const std::string& file, const std::vector<std::string>& sets = {}) {
    const Result<Plan> plan = load_plan(data_file("cases/" + file + ".json"), sets);
    INFO((plan ? std::string() : plan.error().line()));
    REQUIRE(plan.ok());
    const Result<Setup> setup = resolve(*plan, test::catalog());
    REQUIRE(setup.ok());
    return batch_arithmetic(*setup);
}

const BatchNumber& row(const BatchArithmetic& batch, const std::string& name) {
    for (const BatchNumber& number : batch.launcher)
        if (number.name == name) return number;
    FAIL("no row " << name);
    return batch.global;
}

} // namespace

TEST_CASE("a batch and where its numbers come from") {
    const BatchArithmetic eight = arithmetic("bat-starcoder41"); // 256 = 4 · 8 · 8
    CHECK(eight.global.value == 256);
    CHECK(eight.micro.value == 4);
    CHECK(eight.accumulation.value == 8);
    CHECK(eight.accumulation.formula == "256 / (4 · 8)");
    CHECK(eight.data.value == 8);
    CHECK_FALSE(eight.data.given);
    CHECK(eight.data.formula == "8 / (1 · 1 · 1)");
    CHECK(eight.rest == 0);
    CHECK(eight.world.value == 8);
    CHECK(eight.expert_world.value == 0);

    const BatchArithmetic seven = arithmetic("bat-openrlhf346"); // 256 / (2 · 7) = 18.29: 18 · 14 = 252
    CHECK(seven.accumulation.value == 18);
    CHECK(seven.rest == 4);
    const BatchArithmetic mismatch = arithmetic("syn-accum-mismatch"); // 96 = 2 · 6 · 8, not 2 · 4 · 8 = 64
    CHECK(mismatch.accumulation.value == 6);
    CHECK(mismatch.data.given);

    // tensor 2 · pipeline 1 · context 2 · data 2 = 8 = etp 1 · ep 4 · edp 2 · pp 1
    const BatchArithmetic experts = arithmetic("val-titan-ep-mesh");
    CHECK(experts.world.value == 8);
    CHECK(experts.expert_world.value == 8);
    CHECK(experts.expert_world.formula == "1 · 4 · 2 · 1");
}

TEST_CASE("the same batch in every launcher's units") {
    // tensor 2, pipeline 4, data 8 on 64 GPUs; micro-batch 1, global 128: 16 micro-batches of 8192 tokens.
    const auto of = [](const std::string& target, std::vector<std::string> sets = {}) {
        sets.push_back("target=" + target);
        return arithmetic("val-mcore-8-errors", sets);
    };
    const BatchArithmetic megatron = of("megatron-lm");
    CHECK(row(megatron, "data_parallel_size").value == 8);
    CHECK(row(megatron, "num_microbatches").value == 16);
    CHECK(megatron.launcher_global == 128);
    CHECK(row(of("megatron-bridge"), "train.global_batch_size").given);
    const BatchArithmetic deepspeed = of("deepspeed");
    CHECK(row(deepspeed, "gradient_accumulation_steps").value == 16);
    CHECK(deepspeed.launcher_global == 128);
    // AutoTP: tensor 2 on 64 GPUs is data 32, accumulation 4; DeepSpeed multiplies by all 64.
    const BatchArithmetic auto_tp = of("deepspeed", {"parallel.pipeline=1"});
    CHECK(row(auto_tp, "gradient_accumulation_steps").value == 4);
    CHECK(auto_tp.launcher_global == 256);
    CHECK(row(of("torchtitan@0.2.2"), "training.local_batch_size").value == 16);
    CHECK(row(of("torchtitan@0.2.2"), "gradient_accumulation_steps").value == 1);
    CHECK(row(of("torchtitan@0.2.2", {"parallel.pipeline=1"}), "gradient_accumulation_steps").value == 4);
    CHECK(row(of("torchtitan@main"), "training.num_tokens_per_microbatch_per_dp_rank").value == 8192);
    CHECK(row(of("torchtitan@main"), "training.num_tokens_per_train_step").value == 1048576);
    CHECK(row(of("nanotron"), "global_batch_size").value == 128);
    CHECK(row(of("sagemaker@1"), "microbatches").value == 16);
    CHECK(row(of("colossalai"), "samples per rank and pass").value == 16);
    CHECK(row(of("bmtrain"), "samples per rank and pass").value == 4); // the 4 stages bring 4 samples each
    const BatchArithmetic foundry = of("llm-foundry", {"parallel.pipeline=1", "training.micro_batch_size=3",
                                                       "training.global_batch_size=128"});
    CHECK(row(foundry, "device_train_batch_size").value == 4); // 128 / 32
    CHECK(row(foundry, "device_train_grad_accum").value == 2); // ceil(4 / 3)
    CHECK(of("").launcher.empty());
}

TEST_CASE("the missing parts of a batch as DeepSpeed fills them in") {
    const auto solve = [](BatchParts parts, std::int64_t data) {
        const Result<BatchParts> all = complete_batch(parts, data);
        INFO((all ? std::string() : all.error().line()));
        REQUIRE(all.ok());
        return std::vector{*all->global, *all->micro, *all->accumulation};
    };
    using Parts = std::vector<std::int64_t>;
    CHECK(solve({256, {}, {}}, 8) == Parts{256, 32, 1});
    CHECK(solve({{}, 4, {}}, 8) == Parts{32, 4, 1});
    CHECK(solve({{}, 4, 8}, 8) == Parts{256, 4, 8});
    CHECK(solve({256, 4, {}}, 8) == Parts{256, 4, 8});
    CHECK(solve({256, {}, 8}, 8) == Parts{256, 4, 8});
    CHECK(solve({4096, 128, 4}, 8) == Parts{4096, 128, 4}); // InternImage's batch
    const auto refused = [](BatchParts parts, std::int64_t data) {
        const Result<BatchParts> all = complete_batch(parts, data);
        return all ? std::string() : all.error().line();
    };
    // Two sources: the trainer accumulates 4 steps, the file says 1.
    CHECK(solve({256, 8, 4}, 8) == Parts{256, 8, 4});
    CHECK(refused({256, 8, 1}, 8).find("256 is given, but 8 · 1 · 8 = 64") != std::string::npos);
    CHECK(refused({256, 4, 8}, 1).find("4 · 8 · 1 = 32") != std::string::npos); // one rank seen instead of 8
    CHECK(refused({256, 2, {}}, 7).find("18.29") != std::string::npos);
    CHECK(refused({16, 8, {}}, 8).find("16 / 64") != std::string::npos); // 2 samples per rank, micro-batch 8
    CHECK_FALSE(refused({4, {}, {}}, 8).empty());                        // half a sample per rank
    CHECK_FALSE(refused({{}, {}, 8}, 8).empty());
    CHECK_FALSE(refused({0, {}, {}}, 8).empty());
}
