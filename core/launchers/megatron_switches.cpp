// SPDX-License-Identifier: GPL-3.0-or-later
// Flags that take no value, as the parsers of core 0.12, 0.16, 0.19, main and of MindSpeed have them.
#include <algorithm>
#include <array>

#include "launchers/megatron_import.h"

namespace shardlens::launchers {

namespace {

/// All that begin so are switches, but for the exceptions.
constexpr std::array<std::string_view, 5> kBeginnings = {"--no-", "--use-", "--disable-", "--enable-",
                                                         "--overlap-"};
constexpr std::array<std::string_view, 2> kWithValue = {"--no-weight-decay-cond-type", "--no-rope-freq"};

constexpr std::array<std::string_view, 50> kSwitches = {"--account-for-embedding-in-pipeline-split",
                                                        "--account-for-loss-in-pipeline-split",
                                                        "--accumulate-allreduce-grads-in-fp32",
                                                        "--add-qkv-bias",
                                                        "--apply-layernorm-1p",
                                                        "--apply-query-key-layer-scaling",
                                                        "--apply-residual-connection-post-layernorm",
                                                        "--async-save",
                                                        "--attention-softmax-in-fp32",
                                                        "--auto-detect-ckpt-format",
                                                        "--bf16",
                                                        "--calculate-per-token-loss",
                                                        "--checkpoint-activations",
                                                        "--ckpt-fully-parallel-load",
                                                        "--ckpt-fully-parallel-save",
                                                        "--cross-entropy-loss-fusion",
                                                        "--defer-embedding-wgrad-compute",
                                                        "--delay-wgrad-compute",
                                                        "--deterministic-mode",
                                                        "--distribute-saved-activations",
                                                        "--eod-mask-loss",
                                                        "--exit-on-missing-checkpoint",
                                                        "--finetune",
                                                        "--fine-grained-activation-offloading",
                                                        "--fp16",
                                                        "--fp8-param-gather",
                                                        "--grad-reduce-in-bf16",
                                                        "--group-query-attention",
                                                        "--init-model-with-meta-device",
                                                        "--log-throughput",
                                                        "--manual-gc",
                                                        "--mock-data",
                                                        "--moe-grouped-gemm",
                                                        "--moe-permute-fusion",
                                                        "--moe-router-enable-expert-bias",
                                                        "--moe-shared-expert-overlap",
                                                        "--multi-latent-attention",
                                                        "--optimizer-cpu-offload",
                                                        "--override-opt_param-scheduler",
                                                        "--qk-layernorm",
                                                        "--recompute-activation-function",
                                                        "--recompute-activations",
                                                        "--reset-attention-mask",
                                                        "--reset-position-ids",
                                                        "--sequence-parallel",
                                                        "--squared-relu",
                                                        "--swiglu",
                                                        "--torch-fsdp2-no-reshard-after-forward",
                                                        "--tp-comm-overlap",
                                                        "--untie-embeddings-and-output-weights"};

} // namespace

bool is_megatron_switch(std::string_view name) {
    if (std::find(kWithValue.begin(), kWithValue.end(), name) != kWithValue.end()) return false;
    return std::find(kSwitches.begin(), kSwitches.end(), name) != kSwitches.end() ||
           std::any_of(kBeginnings.begin(), kBeginnings.end(),
                       [&](std::string_view beginning) { return name.starts_with(beginning); });
}

std::span<const std::string_view> megatron_switches() { return kSwitches; }

} // namespace shardlens::launchers
