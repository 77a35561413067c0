// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <limits>
#include <numeric>

#include "catalog/acting_plan.h"

using namespace shardlens;

namespace {

const Catalog& shipped() {
    static const Catalog catalog({presets_directory()});
    return catalog;
}

Plan plan_of(const std::string& model = "llama3-70b", std::int64_t gpus = 64) {
    Plan plan;
    plan.model = model;
    plan.cluster.node = "dgx-h100";
    plan.cluster.gpus = gpus;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 128;
    return plan;
}

Setup resolved(const Plan& plan) {
    auto setup = resolve(plan, shipped());
    INFO((setup.ok() ? std::string() : setup.error().line()));
    REQUIRE(setup.ok());
    return std::move(setup).value();
}

using Split = std::vector<std::int64_t>;

} // namespace

TEST_CASE("what a plan leaves out") {
    const auto setup = resolved(plan_of());
    CHECK(setup.data == 64);
    CHECK(setup.micro_batches == 2);
    CHECK(setup.schedule == ScheduleKind::one_f_one_b);
    CHECK(setup.zero == 0);
    CHECK(setup.shard == 1);
    CHECK(setup.expert_shard == 1);
    CHECK(setup.expert_data == 64);
    CHECK(setup.stack.id == "generic");
    CHECK(setup.architecture.id == "hopper");
    CHECK(setup.model_id == "llama3-70b");
    CHECK_FALSE(setup.model_source.empty());
    CHECK(setup.layers_per_chunk == Split{80});
    CHECK(setup.recompute_modules == 0);
    CHECK(setup.overlap.tensor.has_value());
    CHECK(setup.overlap.grad_reduce.has_value());
    CHECK(setup.overlap.param_gather.has_value());
    CHECK(setup.overlap.pipeline.has_value());
    CHECK(setup.overlap.expert.has_value());
    CHECK(setup.cluster.nodes() == 8);
}

TEST_CASE("the acting plan says what was left out, and resolves to the same") {
    auto plan = plan_of();
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 4;
    plan.parallel.virtual_pipeline = 2;
    plan.memory.recompute = Recompute::selective;
    const auto setup = resolved(plan);
    const Plan acting = acting_plan(setup);
    const auto& shape = std::get<ModelShape>(acting.model);
    CHECK(shape.layers == 80); // arXiv 2407.21783, table 3, as the next three
    CHECK(shape.heads == 64);
    CHECK(shape.kv_heads == 8);
    CHECK(shape.head_dim == 128);        // 8192 / 64
    CHECK(acting.parallel.data == 2);    // 64 / (8 · 4)
    CHECK(acting.parallel.schedule == ScheduleKind::interleaved);
    CHECK(acting.parallel.layers_per_stage == Split{10, 10, 10, 10, 10, 10, 10, 10});
    CHECK(acting.parallel.context_kind.has_value());
    CHECK(acting.training.gradient_dtype == setup.stack.gradient_dtype);
    CHECK(acting.memory.recompute_modules == setup.stack.usual_recompute_modules);
    CHECK(acting.overlap.grad_reduce == setup.stack.overlap_grad_reduce);
    CHECK(acting.cluster.gpus_per_node == 8); // of a DGX H100
    CHECK(acting.cluster.accelerator == setup.cluster.accelerator.id);
    CHECK(acting.cluster.memory_bytes == setup.cluster.capacity_bytes);
    CHECK(acting_plan(resolved(acting)) == acting);
}

TEST_CASE("the acting plan has no price that nobody knows, and no sequence parallelism of one rank") {
    auto plan = plan_of();
    plan.parallel.sequence = true;
    plan.cluster.accelerator = "a100-80gb-sxm"; // another accelerator in the node: its price holds no more
    const Plan acting = acting_plan(resolved(plan));
    CHECK_FALSE(acting.cluster.dollars_per_gpu_hour.has_value());
    CHECK_FALSE(acting.parallel.sequence);
    plan.cluster.dollars_per_gpu_hour = 2.5;
    CHECK(acting_plan(resolved(plan)).cluster.dollars_per_gpu_hour == 2.5);
}

TEST_CASE("data is what the other degrees leave") {
    auto plan = plan_of();
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = 4;
    CHECK(resolved(plan).data == 2);
    plan.parallel.context = 2;
    CHECK(resolved(plan).data == 1);
    plan.parallel.data = 7; // a rule complains; nothing is bent
    CHECK(resolved(plan).data == 7);
    plan.parallel.data.reset();
    plan.parallel.pipeline = 64; // more than there is: at least 1
    CHECK(resolved(plan).data == 1);
}

TEST_CASE("sequence parallelism acts only with tensor parallelism") {
    auto plan = plan_of();
    plan.parallel.sequence = true;
    CHECK_FALSE(resolved(plan).sequence);
    plan.parallel.tensor = 2;
    CHECK(resolved(plan).sequence);
}

TEST_CASE("state is sharded over data and context, or over the group asked for") {
    auto plan = plan_of();
    plan.parallel.context = 2;
    plan.parallel.zero = 1;
    CHECK(resolved(plan).shard == 64); // 32 · 2
    plan.parallel.shard_group = 8;
    CHECK(resolved(plan).shard == 8);
    plan.parallel.shard_group = 1000;
    CHECK(resolved(plan).shard == 64);
    plan.parallel.zero = 0;
    CHECK(resolved(plan).shard == 1);
}

// 64 GPUs, tensor 2, expert 8: the expert grid is 1 · 8 · 8 · 1.
TEST_CASE("the expert grid") {
    auto plan = plan_of("mixtral-8x7b");
    plan.parallel.tensor = 2;
    plan.parallel.expert = 8;
    plan.parallel.zero = 1;
    auto setup = resolved(plan);
    CHECK(setup.moe());
    CHECK(setup.data == 32);
    CHECK(setup.expert_data == 8);
    CHECK(setup.expert_shard == 8);
    // Groups of 8 of the 32 data ranks: 4 replicas, so 8 / 4 ranks share the experts' state.
    plan.parallel.shard_group = 8;
    setup = resolved(plan);
    CHECK(setup.shard == 8);
    CHECK(setup.expert_shard == 2);
    // Expert parallelism larger than data parallelism is legal.
    plan.parallel.shard_group = 0;
    plan.parallel.tensor = 8;
    plan.parallel.expert = 32;
    setup = resolved(plan);
    CHECK(setup.data == 8);
    CHECK(setup.expert_data == 2);
}

TEST_CASE("micro-batches are rounded up") {
    auto plan = plan_of();
    plan.parallel.data = 10;
    plan.training.micro_batch_size = 3;
    plan.training.global_batch_size = 100; // 100 / 30
    CHECK(resolved(plan).micro_batches == 4);
    plan.training.global_batch_size = 1;
    CHECK(resolved(plan).micro_batches == 1);
}

TEST_CASE("the schedule left out") {
    auto plan = plan_of();
    plan.parallel.virtual_pipeline = 2;
    CHECK(resolved(plan).schedule == ScheduleKind::interleaved);
    plan.parallel.schedule = ScheduleKind::gpipe;
    CHECK(resolved(plan).schedule == ScheduleKind::gpipe);
}

TEST_CASE("context transport: the plan, else the target, else the stack") {
    auto plan = plan_of();
    CHECK(resolved(plan).context_kind == ContextKind::ring);
    plan.stack = "llama3";
    CHECK(resolved(plan).context_kind == ContextKind::allgather);
    plan.stack = "megatron-deepspeed";
    CHECK(resolved(plan).context_kind == ContextKind::ulysses);
    plan.target = "megatron-lm@0.19";
    CHECK(resolved(plan).context_kind == ContextKind::ring);
    plan.stack = "generic";
    plan.target = "deepspeed@0.19";
    CHECK(resolved(plan).context_kind == ContextKind::ulysses);
    plan.target = "deepspeed";
    CHECK(resolved(plan).context_kind == ContextKind::ulysses);
    plan.parallel.context_kind = ContextKind::ring;
    CHECK(resolved(plan).context_kind == ContextKind::ring);
}

// contract: memory_bytes where given; detailed = smallest visible (79.1 GiB), textbook = 80 GiB.
TEST_CASE("capacity by fidelity") {
    auto plan = plan_of();
    CHECK(resolved(plan).cluster.capacity_bytes / 1073741824 == Approx(79.1).epsilon(1e-9));
    CHECK_FALSE(resolved(plan).cluster.capacity_is_label);
    plan.fidelity = Fidelity::textbook;
    CHECK(resolved(plan).cluster.capacity_bytes == 80.0 * 1073741824);
    plan.cluster.memory_bytes = 5e10;
    CHECK(resolved(plan).cluster.capacity_bytes == 5e10);
    plan.fidelity = Fidelity::detailed;
    CHECK(resolved(plan).cluster.capacity_bytes == 5e10);
    // Gaudi 3: no capacity was seen by a framework, the 128 GB of the label count.
    plan.cluster.memory_bytes.reset();
    plan.cluster.accelerator = "gaudi3-128gb";
    CHECK(resolved(plan).cluster.capacity_bytes == 128e9);
    CHECK(resolved(plan).cluster.capacity_is_label);
}

TEST_CASE("overrides of the cluster") {
    auto plan = plan_of();
    plan.cluster.gpus_per_node = 4;
    plan.cluster.scale_out_bytes_per_s_per_gpu = 1e9;
    plan.cluster.memory_bandwidth_bytes_per_s = 1e12;
    plan.cluster.power_w = 700;
    plan.cluster.dollars_per_gpu_hour = 2;
    plan.cluster.nodes_per_pod = 3;
    plan.cluster.oversubscription = 2;
    plan.cluster.host_memory_bytes = 1e11;
    auto cluster = resolved(plan).cluster;
    CHECK(cluster.nodes() == 16);
    CHECK(cluster.node.scale_up_domain == 4); // the domain is the node
    CHECK(cluster.node.scale_out_bytes_per_s_per_gpu == 1e9);
    CHECK(cluster.accelerator.memory_bandwidth_bytes_per_s == 1e12);
    CHECK(cluster.node.node_power_w == 2800);
    CHECK(cluster.node.dollars_per_gpu_hour == 2);
    CHECK(cluster.node.nodes_per_pod == 3);
    CHECK(cluster.node.oversubscription == 2);
    CHECK(cluster.node.host_memory_bytes == 1e11);
    plan.cluster.scale_up_domain = 32;
    CHECK(resolved(plan).cluster.node.scale_up_domain == 32);
    // A rack's domain does not shrink with its trays.
    plan = plan_of();
    plan.cluster.node = "gb200-nvl72";
    plan.cluster.gpus_per_node = 2;
    CHECK(resolved(plan).cluster.node.scale_up_domain == 72);
}

TEST_CASE("another accelerator brings its links and leaves the price behind") {
    auto plan = plan_of();
    plan.cluster.accelerator = "h800-80gb-sxm";
    auto cluster = resolved(plan).cluster;
    CHECK(cluster.accelerator.id == "h800-80gb-sxm");
    CHECK(cluster.node.scale_up_bytes_per_s_per_gpu == 200e9);
    CHECK(cluster.node.dollars_per_gpu_hour == 0);
    CHECK(cluster.node.node_power_w == 10200); // both 700 W
    plan.cluster.scale_up_bytes_per_s_per_gpu = 5e9;
    CHECK(resolved(plan).cluster.node.scale_up_bytes_per_s_per_gpu == 5e9);
    plan.cluster.accelerator = "h100-80gb-sxm"; // its own
    CHECK(resolved(plan).cluster.node.dollars_per_gpu_hour > 0);
}

TEST_CASE("dtypes, recomputation and overlap come from the stack unless the plan says") {
    auto plan = plan_of();
    const auto stack = shipped().stack("generic");
    REQUIRE(stack.ok());
    CHECK(resolved(plan).gradient_dtype == stack->gradient_dtype);
    CHECK(resolved(plan).optimizer_dtype == stack->optimizer_dtype);
    plan.training.gradient_dtype = Dtype::fp16;
    plan.training.optimizer_dtype = Dtype::bf16;
    CHECK(resolved(plan).gradient_dtype == Dtype::fp16);
    CHECK(resolved(plan).optimizer_dtype == Dtype::bf16);
    plan.training.gradient_dtype.reset();
    plan.training.precision = Precision::fp32;
    CHECK(resolved(plan).gradient_dtype == Dtype::fp32);
    plan.memory.recompute = Recompute::selective;
    CHECK(resolved(plan).recompute_modules == stack->usual_recompute_modules);
    plan.memory.recompute_modules = kRecomputeMlp | kRecomputeLayernorm;
    CHECK(resolved(plan).recompute_modules == (kRecomputeMlp | kRecomputeLayernorm));
    plan.memory.recompute = Recompute::full;
    CHECK(resolved(plan).recompute_modules == 0);
    plan.overlap.tensor = !stack->overlap_tensor;
    CHECK(resolved(plan).overlap.tensor == !stack->overlap_tensor);
    CHECK(resolved(plan).overlap.expert == stack->overlap_expert);
}

// Llama 3 405B: 126 layers on 16 ranks, (126 + 2) / 16 = 8. DeepSeek-V3: (61 + 2 + 1 MTP) / 16 = 4.
TEST_CASE("the default split of layers") {
    CHECK(split_layers(80, 4, true, 0) == Split{20, 20, 20, 20});
    CHECK(split_layers(126, 16, true, 0) == Split{7, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7});
    CHECK(split_layers(126, 16, false, 0) == Split{8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 7, 7});
    CHECK(split_layers(61, 16, true, 1) == Split{3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2});
    CHECK(split_layers(61, 16, true, 0) == Split{4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3});
    CHECK(split_layers(2, 4, true, 0) == Split{0, 1, 1, 0});
    CHECK(split_layers(3, 5, true, 2) == Split{1, 1, 1, 0, 0}); // 7 units do not divide by 5
    CHECK(split_layers(1, 4, true, 1) == Split{1, 0, 0, 0});    // the last would hold less than no layer
    CHECK(split_layers(0, 3, true, 0) == Split{0, 0, 0});
    CHECK(split_layers(5, 1, true, 0) == Split{5});
    CHECK(split_layers(-1, -1, true, -1) == Split{0});
}

// Layers cost 4 each and the head 4: 9 units over 3 ranks, closed at 12 and 24: ranks of 3, 3 and the last 2
// + head.
TEST_CASE("the split by cost") {
    CHECK(split_layers_by_cost(8, 3, 4, 4) == Split{3, 3, 2});
    // A head as dear as four layers: 12 units, thresholds 4, 8: the last rank holds the head alone.
    CHECK(split_layers_by_cost(8, 3, 1, 4) == Split{4, 4, 0});
    // A layer that crosses a threshold stays, the next goes on: 10 units in 4, thresholds 2.5, 5, 7.5.
    CHECK(split_layers_by_cost(10, 4, 1, 0) == Split{3, 2, 3, 2});
    CHECK(split_layers_by_cost(0, 3, 1, 1) == Split{0, 0, 0});
    CHECK(split_layers_by_cost(3, 2, 0, 0) == Split{1, 2});
    auto plan = plan_of("llama3-8b", 32);
    plan.stack = "nanotron";
    plan.parallel.pipeline = 32;
    const auto split = resolved(plan).layers_per_chunk;
    CHECK(std::accumulate(split.begin(), split.end(), std::int64_t{0}) == 32);
    CHECK(split.front() == 2);
    CHECK(split.back() == 0);
}

TEST_CASE("layers_per_stage of the plan") {
    auto plan = plan_of();
    plan.parallel.pipeline = 4;
    plan.parallel.layers_per_stage = {19, 21, 21, 19};
    CHECK(resolved(plan).layers_per_chunk == Split{19, 21, 21, 19});
    // One number per rank with two chunks each: chunk i sits on rank i mod 4, the first visit takes the odd
    // layer.
    plan.parallel.virtual_pipeline = 2;
    CHECK(resolved(plan).layers_per_chunk == Split{10, 11, 11, 10, 9, 10, 10, 9});
    // There and back: chunks 4 … 7 sit on ranks 3 … 0.
    plan.parallel.layers_per_stage = {16, 20, 21, 23};
    plan.parallel.schedule = ScheduleKind::zb_v;
    auto setup = resolved(plan);
    CHECK(setup.layers_per_chunk == Split{8, 10, 11, 12, 11, 10, 10, 8});
    CHECK(setup.rank_of_chunk(4) == 3);
    CHECK(setup.rank_of_chunk(7) == 0);
    plan.parallel.layers_per_stage = {1, 2, 3, 4, 10, 20, 20, 20};
    CHECK(resolved(plan).layers_per_chunk == Split{1, 2, 3, 4, 10, 20, 20, 20});
    // Lists of another length or sum break a rule; the stack's own split stands in.
    plan.parallel.layers_per_stage = {40, 40};
    CHECK(resolved(plan).layers_per_chunk == Split{10, 10, 10, 10, 10, 10, 10, 10});
    plan.parallel.layers_per_stage = {20, 20, 20, 21};
    CHECK(resolved(plan).layers_per_chunk == Split{10, 10, 10, 10, 10, 10, 10, 10});
}

TEST_CASE("which layers are MoE and which attend fully") {
    auto deepseek = resolved(plan_of("deepseek-v3"));
    CHECK_FALSE(deepseek.is_moe_layer(2));
    CHECK(deepseek.is_moe_layer(3));
    CHECK(deepseek.is_global_attention(0));
    // Maverick: every second layer, 24 of 48.
    auto maverick = resolved(plan_of("llama4-maverick-text"));
    int moe = 0;
    for (int i = 0; i < 48; ++i) moe += maverick.is_moe_layer(i) ? 1 : 0;
    CHECK(moe == 24);
    CHECK_FALSE(maverick.is_moe_layer(0));
    CHECK(maverick.is_moe_layer(1));
    CHECK_FALSE(resolved(plan_of("llama3-8b")).is_moe_layer(0));
    // Gemma 3: five local layers, then a global one. Mistral: all local.
    auto gemma = resolved(plan_of("gemma3-27b"));
    CHECK_FALSE(gemma.is_global_attention(0));
    CHECK_FALSE(gemma.is_global_attention(4));
    CHECK(gemma.is_global_attention(5));
    CHECK_FALSE(resolved(plan_of("mistral-7b-v0.1")).is_global_attention(5));
}

TEST_CASE("unknown presets are errors that name the plan's field") {
    const auto line = [](const Plan& plan) {
        const auto setup = resolve(plan, shipped());
        return setup.ok() ? std::string() : setup.error().line();
    };
    auto plan = plan_of("llama3-70");
    CHECK(line(plan) == "model: no model preset is called \"llama3-70\"; did you mean \"llama3-70b\"?");
    plan = plan_of();
    plan.cluster.node = "dgx-h10";
    CHECK(line(plan) == "cluster.node: no node preset is called \"dgx-h10\"; did you mean \"dgx-h100\"?");
    plan = plan_of();
    plan.cluster.accelerator = "h100";
    CHECK(line(plan).rfind("cluster.accelerator: ", 0) == 0);
    plan = plan_of();
    plan.stack = "megatron-bridg";
    CHECK(line(plan) ==
          "stack: no stack preset is called \"megatron-bridg\"; did you mean \"megatron-bridge\"?");
}

TEST_CASE("plans at the edges of the fields resolve") {
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
    for (const std::int64_t value : {std::int64_t{0}, std::int64_t{1}, most}) {
        Plan plan = plan_of("deepseek-v3", 10000000);
        plan.training.sequence_length = 1000000000;
        plan.training.micro_batch_size = plan.training.global_batch_size = value;
        plan.parallel.tensor = plan.parallel.pipeline = plan.parallel.virtual_pipeline = value;
        plan.parallel.context = plan.parallel.expert = plan.parallel.expert_tensor = value;
        plan.parallel.data = value;
        plan.parallel.shard_group = value;
        plan.parallel.zero = 3;
        plan.parallel.layers_per_stage = {most, most};
        plan.cluster.gpus_per_node = value;
        plan.cluster.scale_up_domain = value;
        const auto setup = resolved(plan);
        CHECK(setup.data >= 1);
        CHECK(setup.expert_data >= 1);
        CHECK(setup.shard >= 1);
        CHECK(setup.expert_shard >= 1);
        CHECK(setup.micro_batches >= 1);
        CHECK(setup.cluster.nodes() >= 1);
        CHECK(setup.layers_per_chunk.size() ==
              static_cast<std::size_t>(setup.pipeline * setup.virtual_pipeline));
        CHECK(setup.layers_per_chunk.size() <= static_cast<std::size_t>(kMaxChunks));
        CHECK(std::accumulate(setup.layers_per_chunk.begin(), setup.layers_per_chunk.end(),
                              std::int64_t{0}) == 61);
    }
    // The largest cluster still gives its chunks one by one.
    Plan plan = plan_of("llama3-8b", 64);
    plan.parallel.pipeline = 100000;
    CHECK(resolved(plan).layers_per_chunk.size() == 100000);
    // A shape of zeros, as a plan being typed may hold it.
    plan.model = ModelShape{};
    CHECK(resolved(plan).shape.layers == 0);
}
