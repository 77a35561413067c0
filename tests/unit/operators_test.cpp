// SPDX-License-Identifier: GPL-3.0-or-later
// The operator list against closed forms: Korthikanti et al. (arXiv 2205.05198) for activations, Narayanan et
// al. (arXiv 2104.04473) for FLOPs, the catalogue's counts for parameters.
#include "detailed_plans.h"
#include "model/counts.h"
#include "model/saved.h"

using namespace shardlens;
using namespace shardlens::test;
using model::LayerKind;

namespace {

double layer_bytes(const Plan& plan) {
    const Setup setup = setup_of(plan);
    return model::saved_bytes(model::layer<double>(setup, LayerKind::dense));
}

Plan korthikanti() {
    Plan plan = detailed_plan(gpt(96, 12288, 96), "selene", 8);
    plan.training.attention = Attention::standard;
    plan.training.precision = Precision::fp16;
    return plan;
}

constexpr double kSbh = 2048.0 * 12288.0;
constexpr double kScores = 5.0 * 96 * 2048 * 2048; // 5 · a · s² · b

} // namespace

TEST_CASE("saved bytes of a GPT layer are sbh(34 + 5as/h) and its parallel forms") {
    Plan plan = korthikanti();
    CHECK(layer_bytes(plan) == Approx(34 * kSbh + kScores).epsilon(1e-12));
    plan.parallel.tensor = 8;
    CHECK(layer_bytes(plan) == Approx(kSbh * (10 + 24.0 / 8) + kScores / 8).epsilon(1e-12)); // eq. 2
    plan.parallel.sequence = true;
    CHECK(layer_bytes(plan) == Approx((34 * kSbh + kScores) / 8).epsilon(1e-12)); // eq. 4
}

TEST_CASE("recomputation keeps the layer's input, or all but the scores") {
    Plan plan = korthikanti();
    plan.memory.recompute = Recompute::full;
    Setup setup = setup_of(plan);
    CHECK(model::kept_bytes(setup, model::layer<double>(setup, LayerKind::dense), true) == Approx(2 * kSbh));
    CHECK(model::kept_bytes(setup, model::layer<double>(setup, LayerKind::dense), false) ==
          Approx(34 * kSbh + kScores));
    plan.memory.recompute = Recompute::selective;
    plan.memory.recompute_modules = kRecomputeCoreAttention;
    setup = setup_of(plan);
    CHECK(model::kept_bytes(setup, model::layer<double>(setup, LayerKind::dense), true) == Approx(34 * kSbh));
}

TEST_CASE("a modern layer with flash attention and fused SwiGLU keeps 16u + 6Tf/t and the log-sum-exp") {
    ModelShape shape = gpt(32, 4096, 32);
    shape.norm = NormKind::rmsnorm;
    shape.gated_mlp = true;
    shape.ffn_hidden = 11008;
    Plan plan = detailed_plan(shape, "dgx-h100", 8);
    plan.stack = "megatron-core";
    const double u = 2048.0 * 4096, values = 2048.0 * 11008, statistics = 4.0 * 2048 * 32;
    CHECK(layer_bytes(plan) == Approx(16 * u + 6 * values + statistics).epsilon(1e-12));
    std::get<ModelShape>(plan.model).gated_mlp = false;
    CHECK(layer_bytes(plan) == Approx(16 * u + 4 * values + statistics).epsilon(1e-12));
    // Grouped queries: k and v shrink, everything else stays.
    std::get<ModelShape>(plan.model).kv_heads = 8;
    CHECK(layer_bytes(plan) == Approx(16 * u - 2 * 2 * u * 0.75 + 4 * values + statistics).epsilon(1e-12));
}

TEST_CASE("context parallelism divides saved bytes, expert parallelism leaves them alone") {
    Plan plan = detailed_plan(gpt(32, 4096, 32), "dgx-h100", 64);
    plan.stack = "megatron-core";
    const double whole = layer_bytes(plan);
    plan.parallel.context = 4;
    CHECK(layer_bytes(plan) == Approx(whole / 4));

    plan = detailed_plan({}, "dgx-h100", 64);
    plan.model = std::string("mixtral-8x7b");
    plan.stack = "megatron-core";
    const auto moe_bytes = [&](std::int64_t experts) {
        plan.parallel.expert = experts;
        const Setup setup = setup_of(plan);
        return model::saved_bytes(model::layer<double>(setup, LayerKind::moe));
    };
    CHECK(moe_bytes(8) == Approx(moe_bytes(1)).epsilon(1e-12));
}

TEST_CASE("expert weights are divided by expert and expert-tensor degrees, dense ones by tensor") {
    Plan plan = detailed_plan({}, "dgx-h100", 64);
    plan.model = std::string("mixtral-8x7b");
    plan.stack = "megatron-core";
    Setup setup = setup_of(plan);
    const auto whole = model::layer<double>(setup, LayerKind::moe);
    CHECK(model::expert_weights(whole) == Approx(8 * 3.0 * 4096 * 14336)); // arXiv 2401.04088, table 1
    plan.parallel.expert = 4;
    plan.parallel.expert_tensor = 2;
    setup = setup_of(plan);
    CHECK(model::expert_weights(model::layer<double>(setup, LayerKind::moe)) ==
          Approx(8 * 3.0 * 4096 * 14336 / 8));
}

TEST_CASE("forward FLOPs of a layer: 24·b·s·h² and 2·b·s²·h with the causal mask") {
    const Setup setup = setup_of(korthikanti());
    const double expected =
        24.0 * 2048 * 12288 * 12288 + 2.0 * 2048 * 2048 * 12288; // arXiv 2104.04473 appendix, halved mask
    CHECK(model::forward_flops(model::layer<double>(setup, LayerKind::dense)) ==
          Approx(expected).epsilon(1e-12));
}

TEST_CASE("a window of w keeps 2w/s · (1 − w/2s) of the causal scores") {
    ModelShape shape = gpt(4, 4096, 32);
    shape.attention_window = 512;
    const Setup setup = setup_of(detailed_plan(shape, "dgx-h100", 8));
    const auto flops = [&](bool global) {
        double sum = 0;
        for (const auto& op : model::layer<double>(setup, LayerKind::dense, global).operators)
            sum += op.attention_flops;
        return sum;
    };
    // By hand: 512 · 2048 − 512²/2 of 2048²/2 pairs.
    CHECK(flops(false) / flops(true) == Approx((512.0 * 2048 - 512.0 * 512 / 2) / (2048.0 * 2048 / 2)));
}

TEST_CASE("operators of all layers hold exactly the parameters that the catalogue counts") {
    for (const PresetEntry& entry : catalog().list(PresetKind::model)) {
        CAPTURE(entry.id);
        Plan plan = detailed_plan({}, "dgx-h100", 8);
        plan.model = entry.id;
        plan.stack = "torchtitan"; // does not pad the vocabulary
        const Setup setup = setup_of(plan);
        const auto weights = [&](LayerKind kind) {
            const auto layer = model::layer<double>(setup, kind);
            return model::dense_weights(layer) + model::expert_weights(layer);
        };
        double sum = weights(LayerKind::embedding) + weights(LayerKind::head);
        for (std::int64_t i = 0; i < setup.shape.layers; ++i)
            sum += weights(setup.is_moe_layer(i) ? LayerKind::moe : LayerKind::dense);
        // The router's score bias has neither gradient nor optimizer state (DeepSeek-V3, arXiv
        // 2412.19437, 2.1.2): the catalogue counts it, the states do not.
        if (setup.shape.moe && setup.shape.moe->score_bias)
            for (std::int64_t i = 0; i < setup.shape.layers; ++i)
                if (setup.is_moe_layer(i)) sum += static_cast<double>(setup.shape.moe->experts);
        CHECK(sum == model::count_parameters<double>(setup.shape).total);
    }
}

TEST_CASE("traced operators compute the same numbers") {
    Plan plan = llama_70b();
    const Setup setup = setup_of(plan);
    const auto plain = model::layer<double>(setup, LayerKind::dense);
    const auto traced = model::layer<Traced>(setup, LayerKind::dense);
    CHECK(model::saved_bytes(traced).value() == model::saved_bytes(plain));
    CHECK(model::dense_weights(traced).value() == model::dense_weights(plain));
    CHECK(model::forward_flops(traced).value() == model::forward_flops(plain));
}

TEST_CASE("Transformer Engine keeps the quantised copy of a linear's input") {
    Plan plan;
    plan.stack = "megatron-bridge";
    plan.model = std::string("llama3-8b");
    plan.cluster.node = "dgx-b200";
    plan.cluster.gpus = 8;
    plan.training.sequence_length = 8192;
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = 8;
    const auto kept = [&](Precision precision) {
        plan.training.precision = precision;
        const auto setup = resolve(plan, test::catalog());
        REQUIRE(setup.ok());
        return model::saved_bytes(model::layer<double>(*setup, model::LayerKind::dense));
    };
    // Two residual-wide inputs (qkv, gate and up) and the product before the down projection shrink from two
    // bytes to one; the output projection gets a one-byte copy beside the 16-bit one that attention keeps.
    const double tokens = 8192, hidden = 4096, ffn = 14336;
    CHECK(kept(Precision::bf16) - kept(Precision::fp8) == Approx(tokens * (2 * hidden + ffn - hidden)));
    // Blocks of 32 with one byte of scale each: 33/32 bytes a value.
    CHECK(kept(Precision::mxfp8) - kept(Precision::fp8) == Approx(tokens * (3 * hidden + ffn) / 32));
    // Half a byte and a scale for 16 values: 9/16.
    CHECK(kept(Precision::fp8) - kept(Precision::nvfp4) == Approx(tokens * (3 * hidden + ffn) * 7 / 16));
}

TEST_CASE("biases and clamps of experts are kernels of their own") {
    Plan plan = detailed_plan({}, "dgx-h100", 8);
    plan.stack = "megatron-bridge";
    plan.model = std::string("gpt-oss-20b"); // h = 2880, four of 32 experts of width 2880
    plan.parallel.expert = 8;
    Setup setup = setup_of(plan);
    const auto bytes = [&](const std::string& name) {
        std::pair<double, double> sum;
        for (const auto& op : model::layer<double>(setup, LayerKind::moe).operators)
            if (op.name == name) {
                CHECK(op.expert);
                sum.first += op.forward_bytes;
                sum.second += op.backward_bytes;
            }
        return sum;
    };
    const double values = 2048.0 * 4 * 2880; // token copies, each as wide as the model and as an expert
    // bias · probability in fp32: writes 4 bytes a value; adding it to the 16-bit output: 2 + 4 + 4; joining
    // the experts' parts: 4 + 4; rounding: 4 + 2.
    CHECK(bytes("expert_bias").first == Approx((4 + 10 + 8 + 6) * values));
    // Back: to fp32 2 + 4; of the output to 16 bits 4 + 2; of bias and of probability each a product and a
    // sum, 4 + 4 + 4.
    CHECK(bytes("expert_bias").second == Approx((6 + 6 + 12 + 12) * values));
    // Beside the fused activation: clamping and joining gate and up reads and writes both twice.
    CHECK(bytes("expert_activation").first == Approx((8 + 2 * 2 * 4) * values));
    CHECK(bytes("expert_activation").second == Approx((12 + 2 * (6 + 4)) * values));

    setup.shape.activation = "swiglu";
    CHECK(bytes("expert_activation").first == Approx(8 * values));
    CHECK(bytes("expert_activation").second == Approx(12 * values));
    setup.shape.biases.experts = false;
    CHECK(bytes("expert_bias") == std::pair(0.0, 0.0));
}
