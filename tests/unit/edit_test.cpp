// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/edit.h"

#include "catch.h"

using namespace shardlens;

namespace {

/// 64 GPUs = tensor 8 · pipeline 4 · data 2.
Plan plan_64() {
    Plan plan;
    plan.model = std::string("llama3-70b");
    plan.cluster.gpus = 64;
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 4;
    plan.parallel.data = 2;
    plan.parallel.schedule = ScheduleKind::one_f_one_b;
    return plan;
}

void edit(Plan& plan, const char* path, const FieldValue& value) {
    INFO(path);
    const Error error = edit_field(plan, path, value);
    INFO(error.line());
    REQUIRE(error.what.empty());
}

FieldValue whole(std::int64_t number) { return number; }

} // namespace

TEST_CASE("a model-parallel degree moves the data degree, never the cluster") {
    Plan plan = plan_64();
    edit(plan, "parallel.tensor", whole(4));
    CHECK(plan.parallel.data == 4); // 64 / (4 · 4 · 1)
    edit(plan, "parallel.pipeline", whole(2));
    CHECK(plan.parallel.data == 8); // 64 / (4 · 2 · 1)
    edit(plan, "parallel.context", whole(8));
    CHECK(plan.parallel.data == 1); // 64 / (4 · 2 · 8)
    edit(plan, "parallel.context", whole(3));
    CHECK(plan.parallel.data == 2); // ⌊64 / 24⌋: no whole world, for the rules to say
    edit(plan, "parallel.tensor", whole(2147483647));
    CHECK(plan.parallel.data == 1);
    CHECK(plan.cluster.gpus == 64);
}

TEST_CASE("degrees whose product overflows 64 bits are edited like others") {
    Plan plan = plan_64();
    for (const char* path : {"parallel.tensor", "parallel.pipeline", "parallel.context"})
        edit(plan, path, whole(2147483647));
    CHECK(plan.parallel.data == 1);
    const Plan before = plan;
    CHECK_FALSE(edit_field(plan, "parallel.data", whole(2)).what.empty());
    CHECK(plan == before);
}

TEST_CASE("the data degree moves the cluster, and the cluster the data degree") {
    Plan plan = plan_64();
    edit(plan, "parallel.data", whole(16));
    CHECK(plan.cluster.gpus == 512); // 8 · 4 · 16
    edit(plan, "cluster.gpus", whole(128));
    CHECK(plan.parallel.data == 4);
    edit(plan, "cluster.gpus", whole(8));
    CHECK(plan.parallel.data == 1);
    edit(plan, "parallel.data", FieldValue{});
    CHECK_FALSE(plan.parallel.data.has_value());
    CHECK(plan.cluster.gpus == 8);

    Plan large = plan_64();
    const Error error = edit_field(large, "parallel.data", whole(1'000'000)); // 32 million GPUs
    CHECK(error.line() ==
          "cluster.gpus: 32000000 is out of bounds; a whole number from 1 to 10000000 is right");
    CHECK(large == plan_64());
}

TEST_CASE("a list of layers goes when it fits the stages no more") {
    Plan plan = plan_64();
    plan.parallel.layers_per_stage = {19, 21, 21, 19};
    edit(plan, "parallel.virtual_pipeline", whole(2));
    CHECK(plan.parallel.layers_per_stage.size() == 4); // still one number per rank
    plan.parallel.layers_per_stage = {10, 10, 10, 10, 10, 10, 10, 10};
    edit(plan, "parallel.tensor", whole(4));
    CHECK(plan.parallel.layers_per_stage.size() == 8);
    edit(plan, "parallel.virtual_pipeline", whole(4));
    CHECK(plan.parallel.layers_per_stage.empty());
    plan.parallel.layers_per_stage = {20, 20, 20, 20};
    edit(plan, "parallel.pipeline", whole(2));
    CHECK(plan.parallel.layers_per_stage.empty());
}

TEST_CASE("virtual stages turn 1f1b into interleaved and back") {
    Plan plan = plan_64();
    edit(plan, "parallel.virtual_pipeline", whole(2));
    CHECK(plan.parallel.schedule == ScheduleKind::interleaved);
    edit(plan, "parallel.virtual_pipeline", whole(1));
    CHECK(plan.parallel.schedule == ScheduleKind::one_f_one_b);
    plan.parallel.schedule = ScheduleKind::gpipe;
    edit(plan, "parallel.virtual_pipeline", whole(2));
    CHECK(plan.parallel.schedule == ScheduleKind::gpipe);
    plan.parallel.schedule.reset();
    edit(plan, "parallel.virtual_pipeline", whole(1));
    CHECK_FALSE(plan.parallel.schedule.has_value());
}

// validate_args of Megatron-LM drops sequence parallelism with one tensor rank (rule megatron-sequence).
TEST_CASE("tensor 1 switches sequence parallelism off where Megatron refuses it, and nowhere else") {
    for (const char* target : {"megatron-lm@0.19", "megatron-lm", "megatron-bridge@0.6", "mindspeed@0.12"}) {
        INFO(target);
        Plan plan = plan_64();
        plan.target = target;
        plan.parallel.sequence = true;
        edit(plan, "parallel.tensor", whole(2));
        CHECK(plan.parallel.sequence);
        edit(plan, "parallel.tensor", whole(1));
        CHECK_FALSE(plan.parallel.sequence);
    }
    for (const char* target : {"", "torchtitan@main", "deepspeed@0.19"}) {
        INFO(target);
        Plan plan = plan_64();
        plan.target = target;
        plan.parallel.sequence = true;
        edit(plan, "parallel.tensor", whole(1));
        CHECK(plan.parallel.sequence);
    }
}

TEST_CASE("a refused edit changes nothing") {
    Plan plan = plan_64();
    CHECK_FALSE(edit_field(plan, "parallel.tensor", whole(0)).what.empty());
    CHECK_FALSE(edit_field(plan, "parallel.tensor", std::string("8")).what.empty());
    CHECK_FALSE(edit_field(plan, "parallel.tensr", whole(8)).what.empty());
    CHECK_FALSE(edit_field(plan, "model.layers", whole(8)).what.empty());
    CHECK(plan == plan_64());
}

TEST_CASE("a fix is applied literally and as a whole") {
    Plan plan = plan_64();
    REQUIRE(apply_fix(plan, {{{"parallel.tensor", whole(4)}, {"memory.recompute", std::string("full")}}})
                .what.empty());
    CHECK(plan.parallel.tensor == 4);
    CHECK(plan.parallel.data == 2);
    CHECK(plan.memory.recompute == Recompute::full);
    const Plan before = plan;
    CHECK_FALSE(apply_fix(plan, {{{"parallel.tensor", whole(2)}, {"parallel.zero", whole(9)}}}).what.empty());
    CHECK(plan == before);
}
