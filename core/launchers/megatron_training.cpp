// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/megatron_flags.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

void add_precision(const Setup& setup, MegatronArguments& out) {
    const Precision precision = setup.plan.training.precision;
    switch (precision) {
    case Precision::fp32: break;
    case Precision::fp16: out.flag("--fp16"); break;
    case Precision::bf16: out.flag("--bf16"); break;
    case Precision::fp8:
        out.flag("--bf16");
        out.flag("--fp8-format", "hybrid");
        // TransformerConfig: delayed scaling, the default, does not go with these two modules.
        if (setup.plan.memory.recompute == Recompute::selective &&
            (setup.recompute_modules & (kRecomputeMoeAct | kRecomputeLayernorm)) != 0) {
            out.flag("--fp8-recipe", "tensorwise");
        }
        break;
    case Precision::mxfp8:
        out.flag("--bf16");
        out.flag("--fp8-format", "e4m3");
        out.flag("--fp8-recipe", "mxfp8");
        break;
    case Precision::nvfp4:
        out.flag("--bf16");
        if (out.release >= 16) {
            out.flag("--fp4-format", "e2m1");
        } else {
            out.flag("--fp8-format", "e4m3");
            out.flag("--fp8-recipe", "mxfp8");
            out.differs("training.precision", "mxfp8: release 0.12 has no 4-bit training");
        }
        break;
    }
    const bool half = precision == Precision::fp16;
    switch (setup.gradient_dtype) {
    case Dtype::fp32: // what --bf16 does by itself
        if (half) out.flag("--accumulate-allreduce-grads-in-fp32");
        break;
    case Dtype::bf16:
        if (half || precision == Precision::fp32) {
            out.differs("training.gradient_dtype", "gradients are kept in the training precision");
        } else {
            out.flag("--grad-reduce-in-bf16");
        }
        break;
    case Dtype::fp16:
        if (!half)
            out.differs("training.gradient_dtype",
                        "gradients are kept in fp32: fp16 ones need fp16 training");
        break;
    }
}

void add_optimizer(const Setup& setup, MegatronArguments& out) {
    std::string name = "adam";
    switch (setup.plan.training.optimizer) {
    case Optimizer::adamw: break;
    case Optimizer::sgd: name = "sgd"; break;
    case Optimizer::muon:
        if (out.release >= 16)
            name = setup.zero > 0 && out.release == 16 ? "dist_muon" : "muon";
        else
            out.differs("training.optimizer", "adam: release 0.12 has no muon");
        break;
    case Optimizer::adafactor: out.differs("training.optimizer", "adam: Megatron-LM has no adafactor"); break;
    case Optimizer::adamw_8bit:
        out.differs("training.optimizer", "adam: Megatron-LM has no 8-bit adamw");
        break;
    }
    out.flag("--optimizer", name);

    const bool offload = setup.plan.memory.offload_optimizer != Offload::none;
    const bool moments_16 = setup.optimizer_dtype != Dtype::fp32;
    if (!offload && !moments_16) return;
    if (name != "adam" || setup.zero == 0) {
        if (offload) {
            out.differs("memory.offload_optimizer",
                        "optimizer states stay on the GPU: offload needs adamw and parallel.zero >= 1");
        }
        if (moments_16) {
            out.differs("training.optimizer_dtype",
                        "fp32 moments: 16-bit ones need adamw and parallel.zero >= 1");
        }
        return;
    }
    out.flag("--use-precision-aware-optimizer");
    if (moments_16) {
        // 0.12 knows fp32, fp16 and fp8 moments only.
        const bool as_fp16 = out.release < 16 && setup.optimizer_dtype == Dtype::bf16;
        const std::string dtype = as_fp16 ? "fp16" : std::string(to_string(setup.optimizer_dtype));
        out.flag("--exp-avg-dtype", dtype);
        out.flag("--exp-avg-sq-dtype", dtype);
        if (as_fp16) out.differs("training.optimizer_dtype", "fp16 moments: release 0.12 has no bf16 ones");
    }
    if (offload) {
        out.flag("--optimizer-cpu-offload");
        out.flag("--optimizer-offload-fraction", "1.0");
        if (setup.plan.memory.offload_optimizer == Offload::nvme) {
            out.differs("memory.offload_optimizer", "to host memory: Megatron-LM cannot write to NVMe");
        }
    }
}

void add_selective(const Setup& setup, MegatronArguments& out) {
    const std::pair<std::uint32_t, const char*> names[] = {
        {kRecomputeCoreAttention, "core_attn"},
        {kRecomputeLayernorm, "layernorm"},
        {kRecomputeMlp, "mlp"},
        {kRecomputeMoe, "moe"},
        {kRecomputeMoeAct, "moe_act"},
        {kRecomputeMlaUpProj, "mla_up_proj"},
        {kRecomputeSharedExperts, "shared_experts"},
    };
    std::vector<std::string> modules;
    std::string dropped;
    for (const auto& [bit, name] : names) {
        if ((setup.recompute_modules & bit) == 0) continue;
        const std::string_view module = name;
        const bool of_experts = module.starts_with("moe") || module == "shared_experts";
        const bool known = (module != "shared_experts" || out.release >= 16) &&
                           (!of_experts || setup.moe()) &&
                           (module != "mla_up_proj" || setup.shape.mla.has_value());
        if (known)
            modules.emplace_back(name);
        else
            dropped += fmt::format("{}{}", dropped.empty() ? "" : ", ", name);
    }
    const bool activation = (setup.recompute_modules & kRecomputeMlpAct) != 0;
    if (activation && out.mindspeed)
        out.flag("--recompute-activation-function");
    else if (activation)
        dropped += dropped.empty() ? "mlp_act" : ", mlp_act";
    if (!dropped.empty()) {
        out.differs("memory.recompute_modules",
                    fmt::format("not recomputed: {} (no such module in this release or model)", dropped));
    }
    if (modules.empty() && activation && out.mindspeed) return;
    if (modules.empty()) {
        out.differs("memory.recompute", "nothing is recomputed");
        return;
    }
    out.flag("--recompute-granularity", "selective");
    out.flags.emplace_back("--recompute-modules", std::move(modules));
    if (setup.plan.memory.recompute_layers > 0) {
        out.differs("memory.recompute_layers", "the modules are recomputed in every layer");
    }
}

void add_full(const Setup& setup, MegatronArguments& out) {
    const MemoryOptions& memory = setup.plan.memory;
    const std::int64_t v = setup.virtual_pipeline;
    const std::int64_t most = *std::max_element(setup.layers_per_chunk.begin(), setup.layers_per_chunk.end());
    out.flag("--recompute-granularity", "full");
    const bool every_layer = memory.recompute_layers == 0 || memory.recompute_layers >= most * v;
    if (every_layer && memory.recompute_method != RecomputeMethod::block) {
        out.flag("--recompute-method", "uniform");
        out.flag("--recompute-num-layers", std::int64_t{1}); // each layer is a checkpoint of its own
        return;
    }
    // block counts per model chunk, and each chunk's first layers are meant.
    const std::int64_t per_chunk =
        every_layer ? std::max<std::int64_t>(most, 1) : (memory.recompute_layers + v - 1) / v;
    out.flag("--recompute-method", "block");
    out.flag("--recompute-num-layers", per_chunk);
    if (setup.shape.mtp_layers > 0) // multi_token_prediction.py
        out.differs("memory.recompute_layers",
                    "layers for multi-token prediction are not recomputed: block leaves them out");
    if (memory.recompute_method == RecomputeMethod::uniform) {
        out.differs("memory.recompute_method", "block: uniform cannot leave layers out");
    }
    if (v > 1 && !every_layer) {
        out.differs("memory.recompute_layers",
                    fmt::format("the first {} layers of each of the {} chunks of a rank", per_chunk, v));
    }
}

void add_offload(const Setup& setup, MegatronArguments& out) {
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.offload_parameters != Offload::none) {
        out.differs("memory.offload_parameters", "parameters stay on the GPU");
    }
    if (memory.offload_activations == Offload::none) return;
    if (out.release >= 16 && setup.pipeline == 1 && memory.recompute == Recompute::none &&
        setup.shape.layers > 1) {
        const std::int64_t most = setup.shape.layers - 1;
        const std::int64_t wanted = memory.offload_layers == 0 ? setup.shape.layers : memory.offload_layers;
        out.flag("--cpu-offloading-num-layers", std::min(wanted, most));
        if (wanted > most)
            out.differs("memory.offload_layers", "the last layer's activations stay on the GPU");
        if (memory.offload_activations == Offload::nvme) {
            out.differs("memory.offload_activations", "to host memory: Megatron-LM cannot write to NVMe");
        }
        return;
    }
    out.differs("memory.offload_activations",
                "activations stay on the GPU: offload needs release 0.16, no pipeline and no recomputation");
}

} // namespace

void add_megatron_training(const Setup& setup, MegatronArguments& out) {
    const Training& training = setup.plan.training;
    out.flag("--seq-length", training.sequence_length);
    out.flag("--micro-batch-size", training.micro_batch_size);
    out.flag("--global-batch-size", training.global_batch_size);
    const double tokens_per_step =
        static_cast<double>(training.global_batch_size) * static_cast<double>(training.sequence_length);
    const double steps = training.tokens ? std::ceil(*training.tokens / tokens_per_step) : 1000;
    out.flag("--train-iters", static_cast<std::int64_t>(std::clamp(steps, 1.0, 2147483647.0)));
    add_precision(setup, out);
    add_optimizer(setup, out);
    out.flag("--lr", "3e-4");
    out.flag("--min-lr", "3e-5");
    out.flag("--lr-decay-style", "cosine");
    out.flag("--clip-grad", "1.0");
    if (setup.plan.memory.recompute == Recompute::selective) add_selective(setup, out);
    if (setup.plan.memory.recompute == Recompute::full) add_full(setup, out);
    add_offload(setup, out);
    out.flag("--tokenizer-type", "NullTokenizer");
    out.flag("--mock-data");
}

} // namespace shardlens::launchers
