// SPDX-License-Identifier: GPL-3.0-or-later
// The detailed ledger: bytes per parameter of published frameworks, published peaks, and relations between
// plans.
#include "detailed_plans.h"
#include "memory/ledger.h"

using namespace shardlens;
using namespace shardlens::test;

namespace {

std::vector<memory::StageLedger<double>> ledger_of(const Plan& plan) {
    return report_of(plan)->memory.stages;
}

double states(const memory::StageLedger<double>& s) {
    return s.parameters_bytes + s.gradients_bytes + s.optimizer_bytes;
}

/// What the framework's allocator holds at its peak, largest rank.
double allocated(const Plan& plan) {
    double most = 0;
    for (const auto& s : ledger_of(plan))
        most = std::max(most, s.total_bytes - s.context_bytes - s.fragmentation_bytes);
    return most;
}

Plan eight_b(const std::string& stack, std::int64_t gpus, std::int64_t zero) {
    Plan plan = detailed_plan({}, "dgx-h100", gpus);
    plan.model = std::string("llama3-8b");
    plan.stack = stack;
    plan.parallel.zero = zero;
    return plan;
}

constexpr double kEightB = 8030261248.0; // Meta's published count

/// The first 12 layers of Llama 3 70B on eight B200 (SimuMax, docs/b200/b200_release_v1.2_summary.json).
Plan simumax(std::int64_t tensor, std::int64_t pipeline, std::int64_t context, std::int64_t sequence) {
    ModelShape shape;
    shape.layers = 12;
    shape.hidden = 8192;
    shape.heads = 64;
    shape.kv_heads = 8;
    shape.ffn_hidden = 28672;
    shape.gated_mlp = true;
    shape.vocab = 128256;
    Plan plan = detailed_plan(shape, "dgx-b200", 8);
    plan.stack = "megatron-core";
    plan.training.sequence_length = sequence;
    plan.training.global_batch_size = 16;
    plan.parallel.tensor = tensor;
    plan.parallel.sequence = tensor > 1;
    plan.parallel.pipeline = pipeline;
    plan.parallel.context = context;
    plan.parallel.zero = 1;
    return plan;
}

} // namespace

TEST_CASE("peaks that SimuMax measured, within 5 %") {
    CHECK(allocated(simumax(1, 2, 1, 4096)) == Approx(71457518387.0).epsilon(0.05));
    CHECK(allocated(simumax(4, 1, 1, 4096)) == Approx(41951093063.0).epsilon(0.05));
    Plan plan = simumax(2, 1, 4, 131072);
    plan.training.global_batch_size = 4;
    CHECK(allocated(plan) == Approx(120978491310.0).epsilon(0.05));
}

TEST_CASE("bytes per parameter by framework and ZeRO stage") {
    const auto per_parameter = [](const Plan& plan) { return states(ledger_of(plan).front()) / kEightB; };
    // Megatron Core documentation, distributed optimizer with fp32 gradients: 6 + 12/d.
    CHECK(per_parameter(eight_b("megatron-core", 8, 1)) == Approx(6 + 12.0 / 8).epsilon(0.002));
    // bf16 gradients (NVIDIA recipes): 4 + 12/d.
    CHECK(per_parameter(eight_b("megatron-bridge", 8, 1)) == Approx(4 + 12.0 / 8).epsilon(0.002));
    // nanotron's DDP keeps bf16 gradients beside the fp32 accumulator: 20, with ZeRO 1 8 + 12/d; alone 18.
    CHECK(per_parameter(eight_b("nanotron", 8, 0)) == Approx(20));
    CHECK(per_parameter(eight_b("nanotron", 8, 1)) == Approx(8 + 12.0 / 8));
    CHECK(per_parameter(eight_b("nanotron", 1, 0)) == Approx(18));
    // FSDP2: everything fp32, 16 / shard.
    CHECK(per_parameter(eight_b("torchtitan", 8, 3)) == Approx(16.0 / 8));
    // DeepSpeed: 2 + 14/d in stage 2; with the optimizer on the CPU 4/d in stage 3.
    CHECK(per_parameter(eight_b("deepspeed", 8, 2)) == Approx(2 + 14.0 / 8));
    Plan offloaded = eight_b("deepspeed", 8, 3);
    offloaded.memory.offload_optimizer = Offload::cpu;
    CHECK(per_parameter(offloaded) == Approx(4.0 / 8));
    CHECK(ledger_of(offloaded).front().host_bytes >= 12.0 * kEightB / 8);
}

TEST_CASE("optimizers by definition") {
    const auto optimizer = [](Optimizer kind) {
        Plan plan = eight_b("megatron-bridge", 8, 0);
        plan.training.optimizer = kind;
        return ledger_of(plan).front().optimizer_bytes / kEightB;
    };
    CHECK(optimizer(Optimizer::adamw) == Approx(12).epsilon(0.002));
    CHECK(optimizer(Optimizer::sgd) == Approx(8).epsilon(0.002)); // master copy and momentum
    CHECK(optimizer(Optimizer::adamw_8bit) == Approx(4 + 2 + 8.0 / 256).epsilon(0.002));
    CHECK(optimizer(Optimizer::muon) > 8); // momentum only for matrices, AdamW for both vocabulary matrices
    CHECK(optimizer(Optimizer::muon) < 12);
    CHECK(optimizer(Optimizer::adafactor) == Approx(4).epsilon(0.01));
}

TEST_CASE("hybrid sharding divides by the shard group, experts by their own grid") {
    Plan plan = eight_b("fsdp", 64, 3);
    plan.parallel.shard_group = 8;
    CHECK(states(ledger_of(plan).front()) == Approx(16 * kEightB / 8).epsilon(1e-6));

    plan = detailed_plan({}, "dgx-h100", 64);
    plan.model = std::string("mixtral-8x7b");
    plan.stack = "megatron-core";
    plan.parallel.expert = 8;
    plan.parallel.zero = 1;
    // By hand: experts 32 · 8 · 3 · 4096 · 14336 over eight ranks, their optimizer over 64 / 8 copies; the
    // rest over 64.
    const double experts = 32.0 * 3 * 4096 * 14336, all = 46702792704.0, dense = all - 8 * experts;
    CHECK(states(ledger_of(plan).front()) ==
          Approx(experts * (6 + 12.0 / 8) + dense * (6 + 12.0 / 64)).epsilon(0.002));
}

TEST_CASE("tied embeddings live on both ends of a pipeline, once on a V") {
    ModelShape shape = gpt(16, 2048, 16);
    shape.layers = 16;
    const double vocabulary = 51200.0 * 2048;
    Plan plan = detailed_plan(shape, "dgx-h100", 8);
    plan.stack = "megatron-lm-2023";
    plan.training.gradient_dtype = Dtype::fp16;
    plan.training.precision = Precision::fp16;
    const auto total = [&] {
        double sum = 0;
        for (const auto& s : ledger_of(plan)) sum += s.parameters_bytes;
        return sum;
    };
    const double alone = total();
    plan.parallel.pipeline = 4;
    CHECK(total() - alone == Approx(2 * vocabulary));
    plan.parallel.schedule = ScheduleKind::zb_v;
    plan.parallel.virtual_pipeline = 2;
    plan.training.global_batch_size = 64;
    CHECK(total() == Approx(alone));
    const auto stages = ledger_of(plan);
    CHECK(stages.front().logits_bytes + stages.front().buffers_bytes > 0);
    CHECK(stages.front().parameters_bytes > stages.back().parameters_bytes);
}

TEST_CASE("in flight: 1F1B holds p − r, GPipe all, interleaving more than 1F1B") {
    Plan plan = llama_70b();
    auto stages = ledger_of(plan);
    for (std::int64_t r = 0; r < 4; ++r)
        CHECK(stages[static_cast<std::size_t>(r)].in_flight_micro_batches == 4 - r);
    const double plain = stages[0].activations_bytes;
    plan.parallel.virtual_pipeline = 5;
    stages = ledger_of(plan);
    // arXiv 2205.05198 section 4.2.3: L (1 + (p − 1) / (p v)) layers' worth.
    CHECK(stages[0].in_flight_micro_batches == Approx(4 * (1 + 3.0 / 20)).epsilon(1e-9));
    CHECK(stages[0].activations_bytes > plain);
    plan.parallel.virtual_pipeline = 1;
    plan.parallel.schedule = ScheduleKind::gpipe;
    CHECK(ledger_of(plan)[0].in_flight_micro_batches == 64);
}

TEST_CASE("steps too large to draw up are counted all the same, and at once") {
    Plan plan = llama_70b();
    for (const ScheduleKind kind : {ScheduleKind::gpipe, ScheduleKind::bfs}) {
        plan.parallel.schedule = kind;
        plan.parallel.virtual_pipeline = kind == ScheduleKind::bfs ? 5 : 1;
        plan.training.global_batch_size = 2'000'000'000; // two replicas
        CHECK(ledger_of(plan)[0].in_flight_micro_batches == 1e9);
    }
}

TEST_CASE("recomputation, offload and gated MLPs move activations the right way") {
    const Plan plan = llama_70b();
    const auto at = [](const Plan& p) { return ledger_of(p)[0]; };
    Plan other = plan;
    other.memory.recompute = Recompute::full;
    // Four in flight, 20 layers, 2 · s · b · h / t.
    CHECK(at(other).activations_bytes == Approx(4 * 20 * 2.0 * 8192 * 8192 / 8));
    CHECK(at(other).activations_bytes < at(plan).activations_bytes);
    other.memory.recompute_layers = 10;
    CHECK(at(other).activations_bytes ==
          Approx((at(plan).activations_bytes + 4 * 20 * 2.0 * 8192 * 8192 / 8) / 2));
    other = plan;
    other.memory.offload_activations = Offload::cpu;
    CHECK(at(other).activations_bytes == 0);
    CHECK(at(other).host_bytes == at(plan).activations_bytes);
    other.memory.offload_layers = 5;
    CHECK(at(other).activations_bytes == Approx(0.75 * at(plan).activations_bytes).epsilon(1e-9));
}

TEST_CASE("logits and a layer's backward are alternatives") {
    Plan plan = llama_70b();
    plan.parallel.pipeline = 1;
    plan.cluster.gpus = 16;
    const auto s = ledger_of(plan)[0];
    // 16-bit logits and one fp32 copy of 8192 tokens over 128,256 (padded to 1024s) columns on eight ranks.
    CHECK(s.logits_bytes == Approx(6.0 * 8192 * 129024 / 8));
    CHECK(s.peak_event == "loss forward");
    plan.parallel.tensor = 1;
    plan.parallel.sequence = false;
    CHECK(ledger_of(plan)[0].logits_bytes == Approx(6.0 * 8192 * 128256));
}

TEST_CASE("communicators are counted from the mesh") {
    const auto context = [](const Plan& plan) { return ledger_of(plan)[0].context_bytes; };
    Plan plan = eight_b("megatron-core", 1, 0);
    const double alone = context(plan);
    CHECK(alone > 0.5 * kGiB);
    plan.cluster.gpus = 64;
    const double data = context(plan);
    CHECK(data > alone);
    plan.parallel.tensor = 8;
    plan.parallel.sequence = true;
    const double tensor = context(plan);
    CHECK(tensor > data);
    plan.parallel.pipeline = 2;
    CHECK(context(plan) > tensor);
}

TEST_CASE("traced ledgers are the same numbers") {
    for (const char* model : {"llama3-70b", "deepseek-v3", "gpt-oss-20b"}) {
        CAPTURE(model);
        Plan plan = llama_70b();
        plan.model = std::string(model);
        const Setup setup = setup_of(plan);
        const auto plain = memory::detailed_ledger<double>(setup, nullptr);
        const auto traced = memory::detailed_ledger<Traced>(setup, nullptr);
        REQUIRE(plain.size() == traced.size());
        for (std::size_t i = 0; i < plain.size(); ++i) {
            CHECK(traced[i].total_bytes.value() == plain[i].total_bytes);
            CHECK(traced[i].activations_bytes.value() == plain[i].activations_bytes);
            CHECK(traced[i].peak_event == plain[i].peak_event);
        }
    }
}

TEST_CASE("chunk activation bytes sum to what one micro-batch keeps") {
    const Setup setup = setup_of(llama_70b());
    const auto bytes = memory::chunk_activation_bytes(setup);
    REQUIRE(bytes.size() == 4);
    CHECK(bytes[0] == bytes[1]);
    CHECK(bytes[3] > bytes[2]); // the head's input
    CHECK(ledger_of(llama_70b())[0].activations_bytes == Approx(4 * bytes[0]).epsilon(1e-9));
}

TEST_CASE("cached blocks never overflow the device") {
    // Growth of tens of GiB on a plan that needs most of the card: the allocator gives blocks back instead.
    Plan plan = eight_b("nanotron", 8, 1);
    plan.parallel.tensor = 4;
    plan.parallel.sequence = true;
    plan.training.sequence_length = 8192;
    const Setup setup = setup_of(plan);
    bool filled = false;
    for (const std::int64_t micro_batch : {1, 2, 3, 4, 8}) {
        plan.training.micro_batch_size = micro_batch;
        plan.training.global_batch_size = 8 * micro_batch;
        const auto s = ledger_of(plan)[0];
        const double need = s.total_bytes - s.fragmentation_bytes;
        CHECK(s.total_bytes <= std::max(need, setup.cluster.capacity_bytes) + 1);
        filled = filled || s.total_bytes == Approx(setup.cluster.capacity_bytes).epsilon(1e-6);
    }
    CHECK(filled);
}

TEST_CASE("segments lost in the steady state of 1F1B over tensor groups count with the device's own use") {
    Plan plan = eight_b("nanotron", 32, 1);
    plan.parallel.tensor = 4;
    plan.parallel.sequence = true;
    plan.parallel.pipeline = 4;
    plan.training.global_batch_size = 8; // four micro-batches: as many as are in flight
    const auto few = ledger_of(plan)[0];
    plan.training.global_batch_size = 32;
    const auto many = ledger_of(plan)[0];
    CHECK(many.activations_bytes == few.activations_bytes);
    CHECK(many.context_bytes - few.context_bytes ==
          Approx(setup_of(plan).stack.lost_pipeline * many.activations_bytes).epsilon(1e-6));
}

TEST_CASE("an older release of a framework keeps more copies of the logits") {
    Plan plan = eight_b("torchtitan-compile", 8, 3);
    const auto newest = ledger_of(plan)[0];
    plan.stack_version = "2024.12";
    const auto older = ledger_of(plan)[0];
    // One plan runs the loss behind the compiled model, the other inside it; all else is the same.
    CHECK(older.logits_bytes - newest.logits_bytes == Approx((12.5 - 4) * 2048 * 128256).epsilon(1e-6));
    CHECK(older.activations_bytes == newest.activations_bytes);
}

TEST_CASE("every stage names the event of its peak") {
    Plan plan = llama_70b();
    for (const auto& stage : ledger_of(plan)) CHECK_FALSE(stage.peak_event.empty());
}
