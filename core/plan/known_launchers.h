// SPDX-License-Identifier: GPL-3.0-or-later
// Launchers and their versions by name (contract.md, section 4): what a plan's target may say. The files are
// made by core/launchers, the rules that a target turns on stand in core/rules.
#pragma once

#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace shardlens {

struct KnownLauncher {
    std::string_view id;                    ///< "megatron-lm"
    std::string_view title;                 ///< "Megatron-LM"
    std::vector<std::string_view> versions; ///< the first is the default
};

[[nodiscard]] std::span<const KnownLauncher> known_launchers();

/// The launcher and its version of a target such as "megatron-lm@0.16"; the default version where none is
/// given. {nullptr, ""} for a launcher that is not known; a version that is not known is returned as written.
[[nodiscard]] std::pair<const KnownLauncher*, std::string_view> split_target(std::string_view target);

/// Is the target one of these launchers? Ids between spaces, each with or without a version:
/// "megatron-lm@0.12 mindspeed"; "*" for any launcher. No target is none of them.
[[nodiscard]] bool is_among(std::string_view target, std::string_view launchers);

/// Megatron-LM and what is built on it: they share most rules.
inline constexpr const char* kMegatronFamily = "megatron-lm megatron-bridge mindspeed";
/// Those, and accelerate, whose plugin hands what it cannot run itself to Megatron-LM.
inline constexpr const char* kMegatronRunners = "megatron-lm megatron-bridge mindspeed accelerate";

} // namespace shardlens
