// SPDX-License-Identifier: GPL-3.0-or-later
// What a launcher's exporter writes, its importer reads back as the same plan, as far as the launcher has the
// fields: what an export lists as not expressed is given from the plan, everything else must come out of the
// file.
#include "catch.h"

#include <random>

#include "round_trip.h"

using namespace shardlens;

namespace {

/// A plan whose degrees make a world; the rules may refuse it.
Plan drawn(std::mt19937& random) {
    const auto pick = [&](auto... values) {
        const std::int64_t all[] = {static_cast<std::int64_t>(values)...};
        return all[random() % std::size(all)];
    };
    Plan plan;
    const char* models[] = {"llama3-8b",         "llama3-70b",          "gpt3-175b",   "mixtral-8x7b",
                            "deepseek-v3",       "qwen2.5-7b",          "gpt-oss-20b", "llama3.2-1b",
                            "glm-4.5-355b-a32b", "llama4-maverick-text"};
    plan.model = std::string(models[random() % std::size(models)]);
    plan.stack = pick(0, 1) == 0 ? "megatron-lm" : "deepspeed";
    plan.cluster.node = "dgx-h100";
    Parallel& parallel = plan.parallel;
    parallel.tensor = pick(1, 2, 4, 8);
    parallel.sequence = parallel.tensor > 1 && pick(0, 1) == 1;
    parallel.pipeline = pick(1, 1, 2, 4, 8);
    parallel.context = pick(1, 1, 2, 4);
    if (parallel.context > 1) parallel.context_kind = static_cast<ContextKind>(pick(0, 1, 2));
    const std::int64_t data = pick(1, 2, 4, 8, 16);
    plan.cluster.gpus = parallel.tensor * parallel.pipeline * parallel.context * data;
    if (pick(0, 1) == 0) {
        parallel.expert = pick(1, 2, 4, 8);
        parallel.expert_tensor = pick(1, parallel.tensor);
    }
    if (parallel.pipeline > 1) parallel.virtual_pipeline = pick(1, 1, 2, 4);
    parallel.zero = pick(0, 1, 1, 2, 3);
    if (parallel.zero > 0 && pick(0, 3) == 0) parallel.shard_group = data;
    Training& training = plan.training;
    training.sequence_length = pick(2048, 8192);
    training.micro_batch_size = pick(1, 2);
    training.global_batch_size = training.micro_batch_size * data * parallel.pipeline * pick(1, 2, 4);
    training.precision = static_cast<Precision>(pick(0, 1, 2, 2, 2, 3, 4));
    training.optimizer = static_cast<Optimizer>(pick(0, 0, 0, 1, 3));
    training.attention = static_cast<Attention>(pick(0, 0, 1));
    if (pick(0, 1) == 0) training.tokens = 1e12;
    MemoryOptions& memory = plan.memory;
    memory.recompute = static_cast<Recompute>(pick(0, 1, 2));
    if (memory.recompute == Recompute::selective && pick(0, 1) == 0)
        memory.recompute_modules = static_cast<std::uint32_t>(1 + random() % 255);
    if (memory.recompute == Recompute::full && pick(0, 1) == 0) memory.recompute_layers = pick(1, 2, 3);
    memory.offload_optimizer = static_cast<Offload>(pick(0, 0, 1));
    if (parallel.zero == 3) memory.offload_parameters = static_cast<Offload>(pick(0, 0, 1));
    if (pick(0, 1) == 0)
        plan.overlap = {pick(0, 1) == 0, pick(0, 1) == 0, pick(0, 1) == 0, pick(0, 1) == 0, pick(0, 1) == 0};
    return plan;
}

} // namespace

TEST_CASE("every exported configuration is read back as the same plan") {
    for (const launchers::Launcher& launcher : launchers::table()) {
        for (const char* version : launcher.versions) {
            std::mt19937 random(7);
            int plans = 0;
            for (int draw = 0; draw < 20000 && plans < 200; ++draw) {
                const Plan plan = drawn(random);
                const auto report = evaluate(plan, test::catalog(), {.timeline = false, .traffic = false});
                REQUIRE(report.ok());
                if (!(*report)->valid) continue;
                const launchers::Export exported = launcher.make(*(*report)->setup, **report, version);
                if (!exported.refusals.empty()) continue;
                plans += test::comes_back(launcher, version, *(*report)->setup, exported);
            }
            INFO(launcher.id << "@" << version);
            CHECK(plans >= 200);
        }
    }
}
