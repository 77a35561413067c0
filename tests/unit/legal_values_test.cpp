// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <algorithm>
#include <chrono>

#include "plan/fields.h"
#include "plan/plan_json.h"
#include "rules/rules.h"

using namespace shardlens;
using Values = std::vector<std::int64_t>;

namespace {

const Catalog& catalog() {
    static const Catalog kCatalog({presets_directory()});
    return kCatalog;
}

Plan plan_with(const std::vector<std::string>& sets) {
    Result<Plan> plan = parse_plan(R"({"schema": "shardlens/plan/1", "model": "llama3-70b",
      "cluster": {"node": "dgx-h100", "gpus": 64},
      "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 128},
      "parallel": {"tensor": 8, "sequence": true, "pipeline": 4, "data": 2, "zero": 1}})",
                                   "test", sets);
    if (!plan) FAIL(plan.error().line());
    return std::move(plan).value();
}

Values values(const Plan& plan, std::string_view path) { return rules::legal_values(plan, catalog(), path); }

} // namespace

TEST_CASE("legal values of degrees follow heads, world and batch") {
    const Plan plan = plan_with({});
    CHECK(values(plan, "parallel.tensor") == Values{1, 2, 4, 8, 16}); // of 64 heads; 16 replicas of 4 stages
    CHECK(values(plan, "parallel.pipeline") == Values{1, 2, 4, 8});
    CHECK(values(plan, "parallel.zero") == Values{0, 1, 2, 3});
    CHECK(values(plan, "parallel.data") ==
          Values{1, 2, 4, 8, 16, 32, 64, 128}); // divisors of 128 micro-batches
    CHECK(values(plan, "cluster.gpus") == Values{32, 64, 128, 256, 512, 1024, 2048, 4096});
    CHECK(values(plan, "training.micro_batch_size") == Values{1, 2, 4, 8, 16, 32, 64});
    CHECK(values(plan, "parallel.expert") == Values{1});
    CHECK(values(plan, "parallel.shard_group") == Values{0, 1, 2});
    const Values lengths = values(plan, "training.sequence_length");
    CHECK(lengths.front() == 512);
    CHECK(lengths.back() == 1'048'576);
    const Values batches = values(plan, "training.global_batch_size");
    CHECK(batches.front() == 2);
    CHECK(std::binary_search(batches.begin(), batches.end(), 128));
    for (const std::int64_t batch : batches) CHECK(batch % 2 == 0);
}

TEST_CASE("tensor 1 is on the slider of a Megatron plan with sequence parallelism") {
    CHECK(values(plan_with({"target=megatron-lm@0.19"}), "parallel.tensor") == Values{1, 2, 4, 8, 16});
    // At 1 its experts ask for sequence parallelism before they are cut again: no reason for a slider that is
    // stuck.
    const Values legal = values(plan_with({"model=mixtral-8x7b", "target=megatron-lm@0.19",
                                           "parallel.tensor=1", "parallel.sequence=false",
                                           "parallel.pipeline=4", "parallel.data=16"}),
                                "parallel.tensor");
    CHECK(legal.front() == 1);
    CHECK(std::binary_search(legal.begin(), legal.end(), 8));
}

// verl issue 1226: 40 heads, 8 KV heads; Ulysses degrees 1, 2, 4, 8 and 40.
TEST_CASE("Ulysses degrees of 40 heads with 8 KV heads") {
    const Plan plan =
        plan_with({"model=qwen2.5-14b", "parallel.tensor=1", "parallel.pipeline=1", "parallel.data=1",
                   "parallel.context=40", "parallel.context_kind=ulysses", "cluster.gpus=640",
                   "parallel.data=16", "training.global_batch_size=640", "training.sequence_length=65600"});
    const Values legal = values(plan, "parallel.context");
    for (const std::int64_t degree : {1, 2, 4, 8, 40}) {
        INFO(degree);
        CHECK(std::binary_search(legal.begin(), legal.end(), degree));
    }
    for (const std::int64_t degree : {5, 10, 16, 20})
        CHECK_FALSE(std::binary_search(legal.begin(), legal.end(), degree));
}

TEST_CASE("tensor degrees of public models") {
    const auto tensor = [](const char* model, const std::string& gpus) {
        return values(plan_with({model, "cluster.gpus=" + gpus, "training.global_batch_size=" + gpus,
                                 "parallel.tensor=1", "parallel.pipeline=1", "parallel.data=null",
                                 "training.sequence_length=8192", "parallel.sequence=false"}),
                      "parallel.tensor");
    };
    // 28 heads and 4 KV heads: of 1, 2, 4, 7, 14, 28 the last is legal by copies of KV heads, 7 and 14 are
    // not.
    const char* const qwen =
        R"(model={"layers": 28, "hidden": 3584, "heads": 28, "kv_heads": 4, "ffn_hidden": 18944, "vocab": 152064})";
    CHECK(tensor(qwen, "28") == Values{1, 2, 4}); // 18944 / 28 is no whole number
    // Falcon-7B: 71 heads, a prime.
    CHECK(
        tensor(
            R"(model={"layers": 32, "hidden": 4544, "heads": 71, "kv_heads": 1, "head_dim": 64, "ffn_hidden": 18176, "vocab": 65024})",
            "284") == Values{1, 71});
    // 52 heads as LLaMA-30B has, on a width that all of them cut: 3 and 8 are no divisors.
    CHECK(tensor(R"(model={"layers": 60, "hidden": 6656, "heads": 52, "ffn_hidden": 17888, "vocab": 32000})",
                 "52") == Values{1, 2, 4, 13, 26, 52});
}

TEST_CASE("no list for what is no integer, unknown or not in the plan") {
    const Plan plan = plan_with({});
    for (const char* path : {"name", "training.precision", "memory.usable_fraction",
                             "parallel.layers_per_stage", "no.field", "model.layers", "model.moe.experts"})
        CHECK(values(plan, path).empty());
}

TEST_CASE("every integer field of a plan with its own model has a list with the present value") {
    const Plan plan =
        plan_with({R"(model={"layers": 32, "hidden": 4096, "heads": 32, "kv_heads": 8, "ffn_hidden": 14336,
      "vocab": 32000, "moe": {"experts": 8, "top_k": 2, "expert_ffn": 14336}})"});
    for (const Field& field : fields()) {
        if (field.type != FieldType::integer) continue;
        const FieldValue now = field.get(plan);
        const std::int64_t* number = std::get_if<std::int64_t>(&now);
        if (!number) continue;
        INFO(field.path);
        const Values legal = values(plan, field.path);
        CHECK(std::binary_search(legal.begin(), legal.end(), *number));
    }
}

TEST_CASE("all sliders together are quick") {
    using Clock = std::chrono::steady_clock;
    const Plan plan = plan_with({"model=llama3.1-405b", "cluster.gpus=16384", "parallel.pipeline=16",
                                 "parallel.data=128", "training.global_batch_size=2048"});
    const auto all = [&] {
        std::size_t count = 0;
        for (const char* path :
             {"training.sequence_length", "training.micro_batch_size", "training.global_batch_size",
              "parallel.zero", "parallel.tensor", "parallel.pipeline", "parallel.virtual_pipeline",
              "parallel.data", "parallel.context", "parallel.expert", "cluster.gpus", "parallel.shard_group",
              "memory.recompute_layers"})
            count += values(plan, path).size();
        return count;
    };
    CHECK(all() > 40);
    double best = 1;
    for (int i = 0; i < 20; ++i) {
        const auto start = Clock::now();
        (void)all();
        best = std::min(best, std::chrono::duration<double>(Clock::now() - start).count());
    }
    CAPTURE(best);
    CHECK(best < 5e-3); // under a millisecond in an optimised build
}
