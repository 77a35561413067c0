// SPDX-License-Identifier: GPL-3.0-or-later
// The contract's spelling of every enumerated value, in the order of the enumerators.
#pragma once

#include <array>
#include <string_view>

#include "plan/plan.h"

namespace shardlens::detail {

using namespace std::string_view_literals;

inline constexpr std::array kPrecisionNames = {"fp32"sv, "fp16"sv, "bf16"sv, "fp8"sv, "mxfp8"sv, "nvfp4"sv};
inline constexpr std::array kOptimizerNames = {"adamw"sv, "sgd"sv, "adafactor"sv, "muon"sv, "adamw-8bit"sv};
inline constexpr std::array kAttentionNames = {"flash"sv, "standard"sv};
inline constexpr std::array kDtypeNames = {"fp32"sv, "bf16"sv, "fp16"sv};
inline constexpr std::array kScheduleNames = {
    "gpipe"sv,  "1f1b"sv,           "1f1b-eager"sv, "interleaved"sv, "interleaved-ep"sv, "bfs"sv,
    "zb-h1"sv,  "interleaved-zb"sv, "zb-h2"sv,      "zb-v"sv,        "v-half"sv,         "v-min"sv,
    "1f1b-v"sv, "dualpipe"sv,       "dualpipe-v"sv, "chimera"sv,     "hanayo"sv,         "pipedream"sv};
inline constexpr std::array kContextKindNames = {"ring"sv, "ulysses"sv, "allgather"sv};
inline constexpr std::array kRecomputeNames = {"none"sv, "selective"sv, "full"sv};
inline constexpr std::array kRecomputeMethodNames = {"uniform"sv, "block"sv};
inline constexpr std::array kOffloadNames = {"none"sv, "cpu"sv, "nvme"sv};
inline constexpr std::array kNormNames = {"rmsnorm"sv, "layernorm"sv};
inline constexpr std::array kQkNormNames = {"none"sv, "per_head"sv, "full"sv};
inline constexpr std::array kFidelityNames = {"textbook"sv, "detailed"sv};
/// In the order of the RecomputeModule bits.
inline constexpr std::array kRecomputeModuleNames = {"core_attention"sv, "layernorm"sv,     "mlp"sv,
                                                     "mlp_act"sv,        "moe"sv,           "moe_act"sv,
                                                     "mla_up_proj"sv,    "shared_experts"sv};
/// In the order of the members of Biases.
inline constexpr std::array kBiasNames = {"qkv"sv,     "attn_out"sv, "mlp"sv,
                                          "lm_head"sv, "router"sv,   "experts"sv};

constexpr const auto& names(Precision) { return kPrecisionNames; }
constexpr const auto& names(Optimizer) { return kOptimizerNames; }
constexpr const auto& names(Attention) { return kAttentionNames; }
constexpr const auto& names(Dtype) { return kDtypeNames; }
constexpr const auto& names(ScheduleKind) { return kScheduleNames; }
constexpr const auto& names(ContextKind) { return kContextKindNames; }
constexpr const auto& names(Recompute) { return kRecomputeNames; }
constexpr const auto& names(RecomputeMethod) { return kRecomputeMethodNames; }
constexpr const auto& names(Offload) { return kOffloadNames; }
constexpr const auto& names(NormKind) { return kNormNames; }
constexpr const auto& names(QkNorm) { return kQkNormNames; }
constexpr const auto& names(Fidelity) { return kFidelityNames; }

} // namespace shardlens::detail
