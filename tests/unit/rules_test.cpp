// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <algorithm>
#include <map>
#include <set>

#include "plan/edit.h"
#include "plan/plan_json.h"
#include "report/report.h"
#include "rules/rules.h"

using namespace shardlens;
using Sets = std::vector<std::string>;

namespace {

const char* const kBase = R"({"schema": "shardlens/plan/1", "model": "llama3-70b", "stack": "generic",
  "cluster": {"node": "dgx-h100", "gpus": 64},
  "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 128},
  "parallel": {"tensor": 8, "sequence": true, "pipeline": 4}})";

const char* const kDense =
    R"(model={"layers": 28, "hidden": 3584, "heads": 28, "kv_heads": 4, "ffn_hidden": 18944, "vocab": 152064})";
const char* const kMoe =
    R"(model={"layers": 32, "hidden": 4096, "heads": 32, "ffn_hidden": 14336, "vocab": 32000,
  "moe": {"experts": 8, "top_k": 2, "expert_ffn": 14336}})";

Plan plan_with(const Sets& sets) {
    Result<Plan> plan = parse_plan(kBase, "test", sets);
    if (!plan) FAIL(plan.error().line());
    return std::move(plan).value();
}

std::vector<Message> check(const Plan& plan) {
    static const Catalog kCatalog({presets_directory()});
    const Result<Setup> setup = resolve(plan, kCatalog);
    if (!setup) FAIL(setup.error().line());
    return rules::check(*setup);
}

const Message* find(const std::vector<Message>& messages, std::string_view code) {
    const auto found =
        std::find_if(messages.begin(), messages.end(), [&](const Message& m) { return m.code == code; });
    return found == messages.end() ? nullptr : &*found;
}

} // namespace

TEST_CASE("a sound plan has no message") { CHECK(check(plan_with({})).empty()); }

TEST_CASE("every rule speaks when it is broken") {
    const std::vector<std::pair<std::string, Sets>> broken = {
        {"world-size", {"parallel.data=3"}},
        {"expert-without-experts", {"parallel.expert=2"}},
        {"virtual-pipeline-layers", {"parallel.virtual_pipeline=100"}},
        {"expert-count", {kMoe, "parallel.expert=16"}},
        {"expert-grid",
         {kMoe, "parallel.tensor=1", "parallel.pipeline=1", "cluster.gpus=12", "parallel.expert=8"}},
        {"rank-order-pipeline", {kMoe, "parallel.expert=2", "parallel.rank_order=megatron-tp-pp-dp"}},
        {"tensor-crosses-nodes", {"parallel.tensor=16"}},
        {"hosts-count", {"cluster.hosts=[\"a\"]"}},
        {"hosts-order", {R"(cluster.hosts=["node1", "node10", "node2"])"}},
        {"pipeline-crosses-pods", {"cluster.nodes_per_pod=4", "cluster.oversubscription=2"}},
        {"data-one-rail",
         {"cluster.node=oci-bm.gpu.h200.8", "cluster.nodes_per_pod=4", "parallel.rank_order=tp-cp-ep-pp-dp"}},
        {"port-shared", {"cluster.node=dgx-1v"}},
        {"context-crosses-nodes", {"parallel.context=2"}},
        {"expert-apart", {kMoe, "parallel.expert=2", "parallel.rank_order=tp-cp-dp-ep-pp"}},
        {"expert-crosses-nodes",
         {kMoe, "parallel.pipeline=1", "parallel.expert=8", "parallel.expert_tensor=2"}},
        {"expert-tensor-idle", {"parallel.expert_tensor=2"}},
        {"partial-node", {"parallel.tensor=1", "parallel.sequence=false", "cluster.gpus=4"}},
        {"tensor-heads", {kDense}},
        {"tensor-kv-heads", {kDense, "parallel.tensor=7", "cluster.gpus=56"}},
        {"tensor-ffn", {kDense, "parallel.tensor=4", "model.ffn_hidden=18945"}},
        {"expert-ffn", {kMoe, "parallel.expert_tensor=16", "model.moe.expert_ffn=1000"}},
        {"ulysses-heads", {"parallel.context=3", "parallel.context_kind=ulysses", "cluster.gpus=96"}},
        {"ulysses-kv-heads", {"parallel.tensor=1", "parallel.context=5", "parallel.context_kind=ulysses"}},
        {"kv-heads", {kDense, "model.kv_heads=5"}},
        {"head-dim", {kDense, "model.hidden=3585"}},
        {"expert-top-k", {kMoe, "model.moe.top_k=9"}},
        {"parameters-detailed", {kDense, "model.parameters=7e9"}},
        {"vocabulary-padded", {kDense, "model.vocab=151669", "parallel.tensor=4"}},
        {"batch-divisible", {"training.global_batch_size=101", "training.micro_batch_size=2"}},
        {"sequence-context", {"parallel.context=2", "training.sequence_length=8190"}},
        {"sequence-tensor", {"training.sequence_length=8190"}},
        {"precision-unit", {"cluster.node=dgx-a100-640", "training.precision=fp8"}},
        {"positions-too-few", {"model=gpt3-175b"}},
        {"tokens-below-step", {"training.tokens=1000"}},
        {"sequence-idle", {"parallel.tensor=1"}},
        {"micro-batch-remainder", {"stack=llm-foundry", "training.micro_batch_size=3"}},
        {"pipeline-layers", {kDense, "parallel.tensor=1", "parallel.pipeline=32"}},
        {"layers-per-stage-length", {"parallel.layers_per_stage=[40, 40]"}},
        {"layers-per-stage-sum", {"parallel.layers_per_stage=[20, 20, 20, 19]"}},
        {"virtual-pipeline-alone", {"parallel.pipeline=1", "parallel.virtual_pipeline=2"}},
        {"schedule-chunks", {"parallel.schedule=1f1b", "parallel.virtual_pipeline=2"}},
        {"schedule-even-pipeline", {"parallel.pipeline=1", "parallel.schedule=dualpipe"}},
        {"schedule-enough-micro-batches", {"parallel.schedule=dualpipe-v", "training.global_batch_size=14"}},
        {"schedule-even-micro-batches", {"parallel.schedule=dualpipe", "training.global_batch_size=18"}},
        {"schedule-whole-waves", {"parallel.schedule=hanayo", "training.global_batch_size=12"}},
        {"schedule-recompute",
         {"parallel.schedule=interleaved-ep", "parallel.virtual_pipeline=2", "memory.recompute=full"}},
        {"interleaved-few-micro-batches", {"parallel.virtual_pipeline=2", "training.global_batch_size=6"}},
        {"interleaved-group", {"parallel.virtual_pipeline=2", "parallel.virtual_pipeline_group=3"}},
        {"interleaved-remainder", {"parallel.virtual_pipeline=2", "training.global_batch_size=18"}},
        {"titan-few-micro-batches", {"target=torchtitan@0.2.2", "training.global_batch_size=6"}},
        {"pipeline-few-micro-batches", {"training.global_batch_size=6"}},
        {"schedule-short-step", {"parallel.schedule=zb-h2", "training.global_batch_size=12"}},
        {"pipeline-empty-stage", {"parallel.layers_per_stage=[0, 30, 30, 20]"}},
        {"pipeline-uneven", {"parallel.pipeline=3", "cluster.gpus=48"}},
        {"virtual-group-idle", {"parallel.virtual_pipeline_group=4"}},
        {"shard-group", {"parallel.zero=1", "parallel.shard_group=3"}},
        {"offload-parameters", {"memory.offload_parameters=cpu"}},
        {"deepspeed-zero-pipeline", {"target=deepspeed@0.19", "parallel.zero=2"}},
        {"zero-pipeline", {"parallel.zero=2"}},
        {"recompute-layers", {"memory.recompute=full", "memory.recompute_layers=21"}},
        {"offload-layers", {"memory.offload_activations=cpu", "memory.offload_layers=21"}},
        {"shard-group-idle", {"parallel.shard_group=2"}},
        {"recompute-idle", {"memory.recompute_layers=2"}},
        {"offload-layers-idle", {"memory.offload_layers=2"}},
        {"torchtitan-zero", {"target=torchtitan@0.2.2", "parallel.zero=1"}},
        {"torchtitan-replicas", {"target=torchtitan@0.2.2"}},
        {"torchtitan-shard-group", {"target=torchtitan@0.2.2", "parallel.zero=3", "parallel.shard_group=1"}},
        {"torchtitan-context-kind",
         {"target=torchtitan@0.2.2", "parallel.zero=3", "parallel.context=2",
          "parallel.context_kind=ulysses"}},
        {"torchtitan-sequence", {"target=torchtitan@0.2.2", "training.sequence_length=8200"}},
        {"torchtitan-experts",
         {"target=torchtitan@0.2.2", kMoe, "parallel.tensor=1", "parallel.sequence=false",
          "parallel.pipeline=1", "parallel.zero=3", "parallel.expert=8", "parallel.shard_group=4"}},
        {"torchtitan-expert-tensor", {"target=torchtitan@0.2.2", kMoe, "parallel.expert_tensor=2"}},
        {"torchtitan-main-expert-tensor",
         {"target=torchtitan@main", kMoe, "parallel.expert=2", "parallel.expert_tensor=2"}},
        {"torchtitan-kv-heads", {"target=torchtitan@0.2.2", "parallel.tensor=16"}},
        {"torchtitan-tied-pipeline", {"target=torchtitan@0.2.2", "model=llama3.2-1b"}},
        {"torchtitan-empty-chunk", {"target=torchtitan@0.2.2", "parallel.layers_per_stage=[40,0,20,20]"}},
        {"torchtitan-rounds",
         {"target=torchtitan@0.2.2", "parallel.virtual_pipeline=2", "training.global_batch_size=28",
          "training.micro_batch_size=1"}},
        {"accelerate-virtual-pipeline", {"target=accelerate@1.15", "parallel.virtual_pipeline=2"}},
        {"accelerate-megatron-zero", {"target=accelerate@1.15", "parallel.zero=3"}},
        {"accelerate-megatron-shards",
         {"target=accelerate@1.15", "parallel.zero=1", "parallel.shard_group=1"}},
        {"accelerate-ulysses",
         {"target=accelerate@1.15", "parallel.context=2", "parallel.context_kind=ulysses"}},
        {"accelerate-deepspeed-shards",
         {"target=accelerate@1.15", "parallel.tensor=1", "parallel.sequence=false", "parallel.pipeline=1",
          "parallel.zero=1", "parallel.shard_group=8"}},
        {"accelerate-mesh",
         {"target=accelerate@1.15", "parallel.pipeline=1", "parallel.zero=3", "parallel.context=2",
          "parallel.shard_group=2"}},
        {"accelerate-nodes",
         {"target=accelerate@1.15", "parallel.tensor=1", "parallel.sequence=false", "parallel.pipeline=1",
          "cluster.gpus=13"}},
        {"nanotron-virtual-pipeline", {"target=nanotron@0.4", "parallel.virtual_pipeline=2"}},
        {"nanotron-expert", {"target=nanotron@0.4", kMoe, "parallel.expert=2"}},
        {"nanotron-expert-tensor", {"target=nanotron@0.4", kMoe, "parallel.expert_tensor=2"}},
        {"nanotron-zero", {"target=nanotron@0.4", "parallel.zero=2"}},
        {"nanotron-shard-group",
         {"target=nanotron@0.4", "parallel.pipeline=1", "parallel.zero=1", "parallel.shard_group=2"}},
        {"nanotron-context-kind",
         {"target=nanotron@0.4", "parallel.context=2", "parallel.context_kind=ulysses"}},
        {"nanotron-kv-heads", {"target=nanotron@0.4", "parallel.tensor=16"}},
        {"nanotron-micro-batches",
         {"target=nanotron@0.4", "training.global_batch_size=4", "training.micro_batch_size=1"}},
        {"llm-foundry-pipeline", {"target=llm-foundry@0.22"}},
        {"llm-foundry-context", {"target=llm-foundry@0.22", "parallel.context=2"}},
        {"llm-foundry-expert", {"target=llm-foundry@0.22", kMoe, "parallel.expert=2"}},
        {"llm-foundry-zero", {"target=llm-foundry@0.22", "parallel.zero=1"}},
        {"llm-foundry-tensor-experts", {"target=llm-foundry@0.22", kMoe}},
        {"llm-foundry-tensor-shards", {"target=llm-foundry@0.22"}},
        // Turned on by a target.
        {"launcher-pipeline", {"target=sagemaker@2"}},
        {"launcher-virtual-pipeline", {"target=deepspeed", "parallel.virtual_pipeline=2"}},
        {"launcher-context", {"target=bmtrain", "parallel.context=2"}},
        {"launcher-context-kind", {"target=deepspeed", "parallel.context=2", "parallel.context_kind=ring"}},
        {"launcher-expert", {kMoe, "target=bmtrain", "parallel.expert=2"}},
        {"launcher-expert-tensor", {kMoe, "target=deepspeed", "parallel.expert_tensor=2"}},
        {"launcher-zero", {"target=bmtrain"}},
        {"launcher-shard-group", {"target=colossalai", "parallel.zero=1", "parallel.shard_group=1"}},
        {"megatron-layers",
         {"target=megatron-lm", "stack=generic", "parallel.pipeline=3", "cluster.gpus=48"}},
        {"megatron-split", {"target=megatron-lm@0.12", "parallel.layers_per_stage=[17, 20, 22, 21]"}},
        {"megatron-interleaved-group",
         {"target=megatron-lm", "parallel.virtual_pipeline=5", "training.global_batch_size=12"}},
        {"megatron-sequence-context",
         {"target=megatron-lm", "parallel.context=2", "parallel.context_kind=allgather",
          "training.sequence_length=8190"}},
        {"megatron-sequence", {"target=megatron-lm", "parallel.tensor=1"}},
        {"megatron-moe-sequence", {kMoe, "target=megatron-lm", "parallel.sequence=false"}},
        {"megatron-expert-bias",
         {kMoe, "target=megatron-lm", "model.biases=true", "parallel.expert_tensor=2"}},
        {"megatron-fsdp-optimizer", {"target=megatron-lm", "parallel.zero=2", "training.optimizer=muon"}},
        {"megatron-hybrid", {"target=megatron-lm@0.12", "parallel.zero=2", "parallel.shard_group=1"}},
        {"megatron-positions", {"target=megatron-lm", "model=gpt3-175b"}},
        {"megatron-mtp-positions",
         {kDense, "target=megatron-lm", "model.mtp_layers=1", "model.learned_positions=8192"}},
        {"megatron-kv-heads", {"target=megatron-lm@0.12", "parallel.tensor=16"}},
        {"megatron-mtp-context", {kDense, "target=mindspeed", "model.mtp_layers=1", "parallel.context=2"}},
        {"launcher-schedule", {"target=megatron-lm", "parallel.schedule=zb-h1"}},
        {"torchtitan-whole-experts", {"target=torchtitan@0.2.2", kMoe}},
        {"nanotron-split", {"target=nanotron", "parallel.layers_per_stage=[17, 21, 21, 21]"}},
        {"accelerate-split", {"target=accelerate", "parallel.layers_per_stage=[17, 21, 21, 21]"}},
        {"accelerate-sequence",
         {"target=accelerate", "parallel.tensor=1", "parallel.pipeline=1", "parallel.zero=3",
          "parallel.context=2", "parallel.context_kind=allgather", "training.sequence_length=8190"}},
        {"accelerate-muon",
         {"target=accelerate", "parallel.tensor=1", "parallel.pipeline=1", "parallel.zero=3",
          "memory.offload_optimizer=cpu", "training.optimizer=muon"}},
        {"deepspeed-hybrid-offload",
         {"target=deepspeed", "parallel.pipeline=1", "parallel.zero=3", "parallel.shard_group=4",
          "memory.offload_optimizer=cpu"}},
        {"deepspeed-muon-experts",
         {kMoe, "target=deepspeed", "parallel.pipeline=1", "parallel.zero=2", "parallel.expert=2",
          "training.optimizer=muon", "memory.offload_optimizer=cpu"}},
        {"deepspeed-kv-heads", {"target=deepspeed", "parallel.pipeline=1", "parallel.tensor=16"}},
        {"colossalai-kv-heads", {"target=colossalai", "parallel.tensor=16"}},
        {"mindspeed-dualpipev", {"target=mindspeed", "parallel.schedule=dualpipe-v", "parallel.zero=2"}},
        {"megatron-offload-activations", {"target=megatron-lm", "memory.offload_activations=cpu"}},
        {"megatron-optimizer-states",
         {"target=megatron-lm", "memory.offload_optimizer=cpu", "parallel.zero=0"}},
        {"deepspeed-ulysses-grid",
         {"target=deepspeed", "parallel.context=2", "parallel.context_kind=ulysses"}},
        {"deepspeed-hybrid", {"target=deepspeed", "parallel.zero=1", "parallel.shard_group=1"}},
        {"deepspeed-experts-zero3", {kMoe, "target=deepspeed", "parallel.zero=3", "parallel.expert=2"}},
        {"deepspeed-experts-offload",
         {kMoe, "target=deepspeed", "parallel.pipeline=1", "parallel.expert=2", "parallel.zero=1",
          "memory.offload_optimizer=cpu"}},
        {"deepspeed-experts-world", {kMoe, "target=deepspeed", "parallel.expert=3"}},
        {"colossalai-zero-pipeline", {"target=colossalai", "parallel.zero=2"}},
        {"colossalai-zero-precision", {"target=colossalai", "parallel.zero=1", "training.precision=fp32"}},
        {"colossalai-interleaved",
         {"target=colossalai", "parallel.virtual_pipeline=2", "training.global_batch_size=12"}},
        {"colossalai-experts-zero", {kMoe, "target=colossalai", "parallel.zero=2"}},
        {"colossalai-experts-data", {kMoe, "target=colossalai", "parallel.expert=8"}},
        {"colossalai-experts-ring",
         {kMoe, "target=colossalai", "parallel.context=2", "parallel.context_kind=ring"}},
        {"sagemaker-zero-pipeline", {"target=sagemaker@1", "parallel.zero=3"}},
        {"sagemaker-context-shard", {"target=sagemaker@2", "parallel.context=2", "parallel.zero=1"}},
        {"bmtrain-pipeline-batch", {"target=bmtrain", "training.global_batch_size=12"}},
        {"accelerate-one-shard",
         {"target=accelerate", "parallel.pipeline=1", "parallel.zero=3", "cluster.gpus=8"}},
    };
    std::set<std::string> tried{// no plan file gets so far: below
                                "schedule-asynchronous", "rank-order", "expert-width", "ffn-width",
                                "latent-attention"};
    for (const auto& [code, sets] : broken) {
        INFO(code);
        const std::vector<Message> messages = check(plan_with(sets));
        CHECK(find(messages, code) != nullptr);
        CHECK(std::is_sorted(messages.begin(), messages.end(),
                             [](const Message& a, const Message& b) { return a.severity > b.severity; }));
        tried.insert(code);
    }
    std::set<std::string> codes;
    for (const rules::Rule& rule : rules::table()) CHECK(codes.insert(rule.code).second);
    CHECK(tried == codes);
    Plan asynchronous = plan_with({});
    asynchronous.parallel.schedule = ScheduleKind::pipedream;
    CHECK(find(check(asynchronous), "schedule-asynchronous") != nullptr);
    Plan disorder = plan_with({});
    disorder.parallel.rank_order = "tp-dp-pp";
    CHECK(find(check(disorder), "rank-order") != nullptr);
    Plan thin = plan_with({kMoe});
    std::get<ModelShape>(thin.model).moe->expert_ffn = 0;
    std::get<ModelShape>(thin.model).moe->dense_layers = 1;
    std::get<ModelShape>(thin.model).ffn_hidden = 0;
    std::get<ModelShape>(thin.model).mla.emplace();
    CHECK(find(check(thin), "latent-attention") != nullptr);
    CHECK(find(check(thin), "expert-width") != nullptr);
    CHECK(find(check(thin), "ffn-width") != nullptr);
}

TEST_CASE("sentences name the numbers, fixes the nearest legal values") {
    const std::vector<Message> messages = check(plan_with({kDense, "parallel.data=2"}));
    const Message* heads = find(messages, "tensor-heads");
    REQUIRE(heads);
    CHECK(heads->text() == "28 attention heads cannot be split over 8 tensor ranks");
    CHECK(heads->path == "parallel.tensor");
    REQUIRE_FALSE(heads->fixes.empty());
    CHECK(heads->fixes.front() ==
          Fix{{{"parallel.tensor", std::int64_t{4}}, {"parallel.data", std::int64_t{4}}}});

    // 3 micro-batches for 6 stages: the smallest batch that works is twice as large.
    const std::vector<Message> few = check(plan_with({"parallel.pipeline=6", "parallel.virtual_pipeline=2",
                                                      "cluster.gpus=48", "training.global_batch_size=3"}));
    const Message* message = find(few, "interleaved-few-micro-batches");
    REQUIRE(message);
    CHECK(message->text().find("3 for 6") != std::string::npos);
    CHECK(message->fixes.front() == Fix{{{"training.global_batch_size", std::int64_t{6}}}});

    const Plan odd =
        plan_with({"cluster.gpus=7", "parallel.tensor=1", "parallel.pipeline=1", "parallel.sequence=false",
                   "training.micro_batch_size=2", "training.global_batch_size=256"});
    const std::vector<Message> batch = check(odd);
    const Message* indivisible = find(batch, "batch-divisible");
    REQUIRE(indivisible);
    REQUIRE(indivisible->fixes.size() >= 2);
    CHECK(indivisible->fixes[0] == Fix{{{"training.global_batch_size", std::int64_t{252}}}});
    CHECK(indivisible->fixes[1] == Fix{{{"training.global_batch_size", std::int64_t{266}}}});
}

TEST_CASE("legal plans that look odd raise no error") {
    const std::vector<Sets> legal = {
        {"parallel.pipeline=3", "cluster.gpus=48"}, // 80 layers over 3
        {"parallel.tensor=16", "cluster.gpus=64"},  // 8 KV heads copied to 16 ranks
        {kMoe, "parallel.tensor=4", "parallel.pipeline=1", "cluster.gpus=8",
         "parallel.expert=8"}, // ep 8 over dp 2
        {kMoe, "parallel.context=2", "parallel.tensor=2",
         "parallel.expert=4"},                                            // context and experts together
        {"parallel.virtual_pipeline=3", "training.global_batch_size=16"}, // 80 layers over 12 chunks
        {"parallel.layers_per_stage=[19, 21, 21, 19]"},
        {"parallel.zero=3"},
        {"parallel.virtual_pipeline=2", "training.global_batch_size=10"}, // m 5, one group of 5
        {kDense, "model.vocab=151669", "parallel.tensor=4"},
        {"training.global_batch_size=6"},
    };
    for (const Sets& sets : legal)
        for (const Message& message : check(plan_with(sets))) {
            INFO(message.text());
            CHECK(message.severity != Severity::error);
        }
}

TEST_CASE("all broken rules are reported at once") {
    Plan plan = plan_with({kDense, "parallel.data=5", "training.sequence_length=8190",
                           "training.global_batch_size=101", "parallel.layers_per_stage=[1]",
                           "memory.offload_parameters=nvme"});
    plan.parallel.rank_order = "x";
    const std::vector<Message> messages = check(plan);
    for (const char* code :
         {"tensor-heads", "world-size", "sequence-tensor", "batch-divisible", "layers-per-stage-length",
          "layers-per-stage-sum", "rank-order", "offload-parameters"}) {
        INFO(code);
        const Message* message = find(messages, code);
        REQUIRE(message);
        CHECK(message->severity == Severity::error);
        CHECK_FALSE(message->fixes.empty());
    }
}

TEST_CASE("degrees at their bounds end in messages, not in overflow") {
    const std::string most = "2147483647";
    for (const char* field :
         {"parallel.tensor", "parallel.pipeline", "parallel.virtual_pipeline", "parallel.context",
          "parallel.expert", "parallel.expert_tensor", "parallel.data", "parallel.shard_group",
          "parallel.virtual_pipeline_group", "training.micro_batch_size"}) {
        INFO(field);
        const std::vector<Message> one =
            check(plan_with({kMoe, "parallel.zero=1", std::string(field) + "=" + most}));
        CHECK(std::any_of(one.begin(), one.end(), [](const Message& m) {
            return m.severity != Severity::error || !m.fixes.empty();
        }));
    }
    const std::vector<Message> all = check(plan_with(
        {kMoe, "parallel.tensor=" + most, "parallel.pipeline=" + most, "parallel.context=" + most,
         "parallel.data=" + most, "parallel.expert=" + most, "parallel.expert_tensor=" + most,
         "parallel.virtual_pipeline=" + most, "training.micro_batch_size=" + most, "cluster.gpus=10000000",
         "training.global_batch_size=" + most, "training.sequence_length=1000000000"}));
    CHECK(find(all, "world-size") != nullptr);
    for (const Message& message : all) CHECK((message.severity != Severity::error || !message.fixes.empty()));
}

TEST_CASE("rules of placement name where groups lie and what would bring them together") {
    // Stages 16 ranks apart on pods of 32; pipeline before data keeps a pipeline in its pod.
    const Sets pods = {"cluster.nodes_per_pod=4", "cluster.oversubscription=2"};
    const std::vector<Message> messages = check(plan_with(pods));
    const Message* stages = find(messages, "pipeline-crosses-pods");
    REQUIRE(stages);
    CHECK(stages->text().find("16 ranks apart") != std::string::npos);
    CHECK(stages->text().find("pods of 32 GPUs") != std::string::npos);
    REQUIRE_FALSE(stages->fixes.empty());
    CHECK(stages->fixes.front() == Fix{{{"parallel.rank_order", std::string("tp-cp-ep-pp-dp")}}});
    CHECK(find(check(plan_with({"cluster.nodes_per_pod=4"})), "pipeline-crosses-pods") ==
          nullptr); // no 2 : 1

    // Experts over two nodes: 16 x 1 ranks; 8 of them fit a node.
    const Sets experts = {
        R"(model={"layers": 32, "hidden": 4096, "heads": 32, "ffn_hidden": 14336, "vocab": 32000,
      "moe": {"experts": 16, "top_k": 2, "expert_ffn": 14336}})",
        "parallel.tensor=4", "parallel.pipeline=2", "parallel.expert=16"};
    const std::vector<Message> far = check(plan_with(experts));
    const Message* exchange = find(far, "expert-crosses-nodes");
    REQUIRE(exchange);
    REQUIRE_FALSE(exchange->fixes.empty());
    CHECK(exchange->fixes.front() == Fix{{{"parallel.expert", std::int64_t{8}}}});

    // Data · tensor inside out: another order is all it takes, before any smaller degree.
    const std::vector<Message> apart = check(plan_with({"parallel.rank_order=dp-tp-cp-pp"}));
    const Message* tensor = find(apart, "tensor-crosses-nodes");
    REQUIRE(tensor);
    REQUIRE(tensor->fixes.size() > 1);
    CHECK(tensor->fixes.front() == Fix{{{"parallel.rank_order", std::string("tp-cp-ep-dp-pp")}}});

    // Eight hosts as torchrun sorts them.
    const std::vector<Message> order =
        check(plan_with({R"(cluster.hosts=["n1", "n10", "n11", "n12", "n2", "n3", "n4", "n5"])"}));
    const Message* hosts = find(order, "hosts-order");
    REQUIRE(hosts);
    CHECK(hosts->text().find("n10 is launched before n2, as torchrun sorts") == 0);
    CHECK(hosts->fixes.front() ==
          Fix{{{"cluster.hosts",
                std::vector<std::string>{"n1", "n2", "n3", "n4", "n5", "n10", "n11", "n12"}}}});
    // The line of text counts them.
    CHECK(messages_to_text({*hosts}).find("; fix: cluster.hosts = 8 names sorted by number\n") !=
          std::string::npos);
}
