// SPDX-License-Identifier: GPL-3.0-or-later
// Step costs: kernels within what libraries reach, published step times, and relations that hold for any
// plan.
#include "cost/roofline.h"
#include "cost/step_costs.h"
#include "detailed_plans.h"
#include "model/counts.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

cost::StepCosts<double> costs_of(const Plan& plan) {
    const Setup setup = setup_of(plan);
    const auto placed = placement::Placement::make(setup);
    REQUIRE(placed.ok());
    return cost::step_costs<double>(setup, &*placed);
}

double step_of(const Plan& plan) { return report_of(plan)->time.step_s; }

/// arXiv 2205.05198, tables 3 and 5: fp16, materialised attention, A100, data parallel 1.
Plan korthikanti(std::int64_t layers, std::int64_t hidden, std::int64_t heads, std::int64_t pipeline,
                 std::int64_t chunks, std::int64_t micro_batch, std::int64_t batch) {
    Plan plan = detailed_plan(gpt(layers, hidden, heads), "selene", 8 * pipeline);
    plan.training.precision = Precision::fp16;
    plan.training.attention = Attention::standard;
    plan.training.micro_batch_size = micro_batch;
    plan.training.global_batch_size = batch;
    plan.parallel.tensor = 8;
    plan.parallel.pipeline = pipeline;
    plan.parallel.virtual_pipeline = chunks;
    return plan;
}

Plan selective(Plan plan) {
    plan.parallel.sequence = true;
    plan.memory.recompute = Recompute::selective;
    plan.memory.recompute_modules = kRecomputeCoreAttention;
    return plan;
}
Plan full(Plan plan) {
    plan.memory.recompute = Recompute::full;
    return plan;
}

} // namespace

TEST_CASE("step times of Korthikanti et al. within 10 %") {
    const Plan small = korthikanti(48, 6144, 64, 1, 1, 4, 4), large = korthikanti(96, 12288, 96, 8, 3, 1, 64);
    CHECK(step_of(full(small)) == Approx(1.42).epsilon(0.10));
    CHECK(step_of(selective(small)) == Approx(1.10).epsilon(0.10));
    CHECK(step_of(full(large)) == Approx(18.13).epsilon(0.10));
    CHECK(step_of(selective(large)) == Approx(13.75).epsilon(0.10));
}

TEST_CASE("large GEMMs reach what libraries do; thin ones are bound by memory") {
    Setup setup = setup_of(llama_70b());
    setup.stack.gemm_efficiency = 1;
    const double n = 8192;
    const double rate = 2 * n * n * n / cost::gemm_time<double>(setup, n, n, n, 1, false, false);
    CHECK(rate > 0.65 * 989.4e12); // best shapes on H100: 80 % of dense peak (MLPerf-style matmul benchmarks)
    CHECK(rate < 0.88 * 989.4e12);
    const double thin = cost::gemm_time<double>(setup, 8, n, n, 1, false, false);
    CHECK(thin > 2 * n * n / 3.35e12); // the weights alone have to be read
    // A row more than a whole number of tiles costs another tile.
    CHECK(cost::gemm_time<double>(setup, 4097, n, n, 1, false, false) >
          cost::gemm_time<double>(setup, 4096, n, n, 1, false, false));
}

TEST_CASE("model FLOPs are those of the model; recomputing a layer adds its forward") {
    Plan plan = llama_70b();
    const Setup setup = setup_of(plan);
    const double tokens = 128.0 * 8192 / 64;
    const double model_flops = model::model_flops_per_token<double>(setup.shape, 8192) * tokens;
    CHECK(costs_of(plan).hardware_flops_per_gpu == Approx(model_flops));
    plan.memory.recompute = Recompute::full;
    const double m = 64, layers = 80 / 4.0; // data 2, so 64 micro-batches; mean over four stages
    const double layer = model::forward_flops(model::layer<double>(setup, model::LayerKind::dense));
    CHECK(costs_of(plan).hardware_flops_per_gpu - model_flops == Approx(m * layers * layer).epsilon(1e-9));
}

TEST_CASE("recomputation repeats the forward pass and nothing else changes") {
    const Plan plan = llama_70b();
    Plan again = plan;
    again.memory.recompute = Recompute::full;
    const auto without = costs_of(plan).chunks[1], with = costs_of(again).chunks[1];
    CHECK(without.recompute.total() == 0);
    CHECK(with.forward.total() == Approx(without.forward.total()));
    CHECK(with.backward.total() == Approx(without.backward.total()));
    CHECK(with.recompute.compute_s == Approx(with.forward.compute_s).epsilon(1e-9));
}

TEST_CASE("weight gradients are a part of backward, about half of its GEMMs") {
    const auto chunk = costs_of(llama_70b()).chunks[1];
    CHECK(chunk.weight_s > 0.25 * chunk.backward.total());
    CHECK(chunk.weight_s < 0.6 * chunk.backward.total());
}

TEST_CASE("one rank alone communicates nothing") {
    Plan plan = detailed_plan(gpt(4, 1024, 16), "dgx-h100", 1);
    const auto costs = costs_of(plan);
    CHECK(costs.tail.data_comm_s == 0);
    CHECK(costs.tail.hidden_data_comm_s == 0);
    CHECK(costs.hop_s == 0);
    for (const auto& chunk : costs.chunks)
        CHECK(chunk.forward.tensor_comm_s + chunk.forward.context_comm_s + chunk.forward.expert_comm_s +
                  chunk.forward.data_comm_s + chunk.forward.pipeline_comm_s ==
              0);
    CHECK(costs.volumes.tensor_bytes == 0);
    CHECK(costs.volumes.data_bytes == 0);
}

namespace {

Plan qwen_on_nvl72(const char* release) {
    Plan plan = llama_70b();
    plan.stack = "megatron-bridge";
    plan.stack_version = release;
    plan.model = "qwen3-30b-a3b";
    plan.cluster.node = "gb300-nvl72";
    plan.cluster.gpus = 8;
    plan.training.precision = Precision::mxfp8;
    plan.training.global_batch_size = 64;
    plan.parallel = {};
    plan.parallel.expert = 8;
    return plan;
}

} // namespace

TEST_CASE("a release that runs expert models as one CUDA graph waits for no host") {
    const auto now = costs_of(qwen_on_nvl72("")), before = costs_of(qwen_on_nvl72("26.04"));
    CHECK(now.chunks[0].forward.host_s == 0);
    CHECK(before.chunks[0].forward.host_s > 0);
    CHECK(now.chunks[0].forward.total() < before.chunks[0].forward.total());
    Plan bf16 = qwen_on_nvl72("");
    bf16.training.precision = Precision::bf16;
    CHECK(costs_of(bf16).chunks[0].forward.host_s > 0);
}

TEST_CASE("the exchange of experts hides under another micro-batch as far as there is compute") {
    Plan plan = qwen_on_nvl72("26.04");
    plan.overlap.expert = false;
    const auto open = costs_of(plan);
    plan.overlap.expert = true;
    const auto hidden = costs_of(plan);
    CHECK(hidden.chunks[0].forward.expert_comm_s < open.chunks[0].forward.expert_comm_s);
    CHECK(hidden.chunks[0].forward.compute_s == Approx(open.chunks[0].forward.compute_s));
    plan.cluster.scale_up_bytes_per_s_per_gpu = 1e9; // nothing to hide a thousand times the traffic under
    const auto slow = costs_of(plan);
    CHECK(slow.chunks[0].forward.expert_comm_s > 0.9 * 2 * slow.chunks[0].forward.compute_s);
}

TEST_CASE("transfers between stages are finite and shrink with overlap") {
    Plan plan = llama_70b();
    plan.overlap.pipeline = false;
    const auto open = costs_of(plan);
    plan.overlap.pipeline = true;
    const auto hidden = costs_of(plan);
    CHECK(open.chunks[1].forward.pipeline_comm_s > 0);
    CHECK(std::isfinite(open.chunks[1].forward.pipeline_comm_s));
    CHECK(hidden.chunks[1].forward.pipeline_comm_s < open.chunks[1].forward.pipeline_comm_s);
}

TEST_CASE("volumes of a step: tensor, pipeline and gradients by hand") {
    Plan plan = llama_70b();
    const auto volumes = costs_of(plan).volumes;
    const double tensor = 8192.0 * 8192 * 2, m = 64;
    // 20 layers with four half-collectives each way, and one gather or scatter each way at an end.
    CHECK(volumes.tensor_bytes == Approx(m * tensor * (20 * 4 * 2 + 2)));
    CHECK(volumes.pipeline_bytes == Approx(2 * m * tensor / 8));
    // Largest stage: 20 layers of 855,654,400 and head or embedding of 128256 · 8192, over eight tensor
    // ranks, norms whole; bf16 gradients reduced and bf16 parameters gathered.
    const double layer = (8192.0 * 8192 * 2 + 2 * 8192.0 * 1024 + 3 * 8192.0 * 28672) / 8 + 2 * 8192;
    CHECK(volumes.data_bytes == Approx((20 * layer + 129024.0 / 8 * 8192 + 8192) * 4).epsilon(1e-6));
}

TEST_CASE("ZeRO 3 shows its gathers in the passes, ZeRO 1 behind them") {
    Plan plan = detailed_plan({}, "dgx-h100", 64);
    plan.model = std::string("llama3-8b");
    plan.stack = "fsdp";
    plan.training.sequence_length = 8192;
    plan.training.global_batch_size = 64;
    plan.parallel.zero = 3;
    const auto sharded = costs_of(plan);
    CHECK(sharded.tail.data_comm_s == 0);
    CHECK(sharded.chunks[0].forward.data_comm_s > 0);
    plan.parallel.zero = 1;
    const auto replicated = costs_of(plan);
    CHECK(replicated.tail.data_comm_s > 0);
    CHECK(replicated.chunks[0].forward.data_comm_s == 0);
    // The optimizer's traffic is divided by the ranks that share it.
    plan.parallel.zero = 0;
    CHECK(costs_of(plan).tail.optimizer_s == Approx(64 * replicated.tail.optimizer_s));
}

TEST_CASE("an optimizer on the host takes CPU time instead of GPU time") {
    Plan plan = detailed_plan({}, "dgx-h100", 8);
    plan.model = std::string("llama3-8b");
    plan.stack = "deepspeed";
    plan.parallel.zero = 3;
    plan.memory.offload_optimizer = Offload::cpu;
    const auto costs = costs_of(plan);
    CHECK(costs.tail.optimizer_s == 0);
    const double rate = setup_of(plan).stack.cpu_optimizer_parameters_per_s;
    CHECK(costs.tail.offload_s == Approx(8.03e9 / 8 / rate).epsilon(0.01));
    CHECK(rate > 1e8); // published runs: about half a billion parameters per second and GPU
    CHECK(rate < 1e9);
}

TEST_CASE("traced costs are the same numbers") {
    for (const char* model : {"llama3-70b", "deepseek-v3"}) {
        Plan plan = llama_70b();
        plan.model = std::string(model);
        const Setup setup = setup_of(plan);
        const auto placed = placement::Placement::make(setup);
        REQUIRE(placed.ok());
        const auto plain = cost::step_costs<double>(setup, &*placed);
        const auto traced = cost::step_costs<Traced>(setup, &*placed);
        REQUIRE(plain.chunks.size() == traced.chunks.size());
        for (std::size_t i = 0; i < plain.chunks.size(); ++i) {
            CHECK(traced.chunks[i].forward.total().value() ==
                  Approx(plain.chunks[i].forward.total()).epsilon(1e-12));
            CHECK(traced.chunks[i].backward.total().value() ==
                  Approx(plain.chunks[i].backward.total()).epsilon(1e-12));
        }
        CHECK(traced.tail.other_s.value() == Approx(plain.tail.other_s).epsilon(1e-12));
    }
}

TEST_CASE("costs of Llama 3 405B over 128 chunks stay cheap") {
    Plan plan = llama_70b();
    plan.model = std::string("llama3.1-405b");
    plan.cluster.gpus = 1024;
    plan.parallel.pipeline = 16;
    plan.parallel.virtual_pipeline = 8;
    plan.training.global_batch_size = 512;
    CHECK(costs_of(plan).chunks.size() == 128);
}

namespace {

/// Forward seconds of the second chunk.
double forward_of(const Setup& setup) {
    const auto placed = placement::Placement::make(setup);
    REQUIRE(placed.ok());
    const auto costs = cost::step_costs<double>(setup, &*placed);
    return costs.chunks.at(std::min<std::size_t>(1, costs.chunks.size() - 1)).forward.total();
}

/// Launching a layer takes 1 s, a thousand times as long as its kernels: its forward is this second.
Setup bound_by_host(const Plan& plan) {
    Setup setup = setup_of(plan);
    setup.stack.host_s_per_layer = 1;
    setup.stack.host_tensor_s = setup.stack.host_pipeline_tensor_s = 0;
    setup.stack.expert_host_s = setup.stack.expert_sync_s = 0;
    setup.stack.micro_batch_overhead_s = setup.stack.pipeline_sync_s = 0;
    return setup;
}

/// Qwen3 30B-A3B (48 layers) on eight GPUs of a DGX H100.
Plan qwen_on_h100() {
    Plan plan = qwen_on_nvl72("");
    plan.cluster.node = "dgx-h100";
    plan.training.precision = Precision::bf16;
    return plan;
}

} // namespace

TEST_CASE("a faster host launches in less time") {
    Setup setup = bound_by_host(llama_70b());  // 20 layers on a stage
    CHECK(setup.cluster.node.host_speed == 1); // of a DGX H100: what the others are measured in
    CHECK(forward_of(setup) == Approx(20).epsilon(0.01));
    setup.cluster.node.host_speed = 2;
    CHECK(forward_of(setup) == Approx(10).epsilon(0.01));
    Plan plan = llama_70b();
    plan.cluster.node = "gb200-nvl72"; // Grace: 3.4 of 3.8 GHz
    CHECK(forward_of(bound_by_host(plan)) == Approx(20 * 3.8 / 3.4).epsilon(0.01));
}

TEST_CASE("a layer with latent attention takes the host longer by its factor") {
    Plan plan = llama_70b();
    plan.stack = "generic";
    plan.model = std::string("deepseek-v3");
    plan.parallel.expert = 16;
    Setup setup = bound_by_host(plan);
    const auto layers = static_cast<double>(setup.layers_per_chunk[1]);
    setup.stack.mla_host_factor = 1;
    CHECK(forward_of(setup) == Approx(layers).epsilon(0.01));
    setup.stack.mla_host_factor = 1.5;
    CHECK(forward_of(setup) == Approx(1.5 * layers).epsilon(0.01));
    setup = bound_by_host(llama_70b());
    setup.stack.mla_host_factor = 5; // no latent attention there
    CHECK(forward_of(setup) == Approx(20).epsilon(0.01));
}

TEST_CASE(
    "recipes with experts run as CUDA graphs in part, without tensor and pipeline groups and recomputation") {
    const auto share = [](const Plan& plan) {
        Setup setup = bound_by_host(plan);
        setup.stack.partial_graph_host = 0.25;
        return forward_of(setup) / static_cast<double>(setup.layers_per_chunk.back());
    };
    Plan plan = qwen_on_h100();
    CHECK(share(plan) == Approx(0.25).epsilon(0.02));
    plan.memory.recompute = Recompute::full;
    CHECK(share(plan) == Approx(1).epsilon(0.02));
    plan.memory.recompute = Recompute::selective;
    CHECK(share(plan) == Approx(1).epsilon(0.02));
    plan = qwen_on_h100();
    plan.parallel.tensor = 2;
    CHECK(share(plan) == Approx(1).epsilon(0.02));
    plan = qwen_on_h100();
    plan.parallel.pipeline = 2;
    plan.parallel.expert = 4;
    CHECK(share(plan) == Approx(1).epsilon(0.02));
    plan.cluster.node = "gb300-nvl72"; // on a large NVLink domain always; its host is a Grace
    CHECK(share(plan) == Approx(0.25 * 3.8 / 3.4).epsilon(0.02));
    plan = qwen_on_h100();
    plan.stack = "megatron-core"; // has no such recipes
    CHECK(share(plan) == Approx(1).epsilon(0.02));
    plan.stack = "megatron-bridge";
    plan.model = std::string("llama3-8b"); // and a dense model neither
    CHECK(share(plan) == Approx(1).epsilon(0.02));
}

TEST_CASE("the passes of warm-up and the one that runs ahead find no exchange to hide theirs under") {
    Plan plan = qwen_on_h100();
    const auto visible = [&](std::int64_t pipeline, std::int64_t chunks, std::int64_t micro_batches) {
        plan.parallel.pipeline = pipeline;
        plan.parallel.virtual_pipeline = chunks;
        plan.parallel.expert = 8 / pipeline;
        plan.training.global_batch_size = micro_batches * 8 / pipeline;
        plan.overlap.expert = true;
        Setup setup = setup_of(plan);
        REQUIRE(setup.micro_batches == micro_batches);
        setup.stack.expert_overlapped = 0.2;
        setup.stack.hiding_room = 100; // as much compute as there may be to hide
        const auto placed = placement::Placement::make(setup);
        REQUIRE(placed.ok());
        const double hidden = cost::step_costs<double>(setup, &*placed).chunks[0].forward.expert_comm_s;
        setup.plan.overlap.expert = false;
        return hidden / cost::step_costs<double>(setup, &*placed).chunks[0].forward.expert_comm_s;
    };
    // (v − 1) p + 2 (p − 1) + 1 of m · v forwards run alone and show all of it, the others a fifth.
    CHECK(visible(1, 1, 10) == Approx(1.0 / 10 + 0.9 * 0.2)); // 1 of 10
    CHECK(visible(2, 1, 12) == Approx(0.25 + 0.75 * 0.2));    // 3 of 12
    CHECK(visible(4, 2, 22) == Approx(0.25 + 0.75 * 0.2));    // 11 of 44
    CHECK(visible(4, 2, 4) == Approx(1));                     // 11 of 8: no steady state
}

TEST_CASE("tensor ranks wait for each other in every pass of a layer, with the cube of their number") {
    Plan plan = llama_70b();
    const auto waits = [&](std::int64_t tensor, bool sequence) {
        plan.parallel.tensor = tensor;
        plan.parallel.sequence = sequence;
        Setup setup = setup_of(plan);
        const auto placed = placement::Placement::make(setup);
        REQUIRE(placed.ok());
        const auto seconds = [&](double sync_s) {
            setup.stack.tensor_sync_s = sync_s;
            const auto chunk = cost::step_costs<double>(setup, &*placed).chunks[1];
            CHECK(chunk.recompute.tensor_comm_s == 0);
            return chunk.forward.tensor_comm_s + chunk.backward.tensor_comm_s;
        };
        return seconds(1) - seconds(0);
    };
    // Given for eight ranks; 20 layers, forward and backward.
    CHECK(waits(8, true) == Approx(2 * 20));
    CHECK(waits(8, false) == Approx(2 * 20));
    CHECK(waits(4, true) == Approx(2 * 20 / 8.0));
    CHECK(waits(2, false) == Approx(2 * 20 / 64.0));
    CHECK(waits(1, false) == 0);
}

TEST_CASE("kernels of an older release are slower year by year, those of experts by their own rate") {
    Setup setup = setup_of(qwen_on_h100());
    setup.stack.release_age_years = 0;
    setup.stack.kernel_progress = 0.1;
    setup.stack.expert_progress = 0.2;
    model::Operator<double> op{"linear", model::OperatorKind::gemm};
    op.m = op.n = op.k = 4096;
    const auto all = [&](bool expert) {
        op.expert = expert;
        const auto time = cost::kernel_time<double>(setup, op);
        return time.forward + time.backward();
    };
    const double newest = all(false), experts = all(true);
    setup.stack.release_age_years = 2;
    CHECK(all(false) == Approx(1.1 * 1.1 * newest));
    CHECK(all(true) == Approx(1.2 * 1.2 * experts));
}
