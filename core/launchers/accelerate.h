// SPDX-License-Identifier: GPL-3.0-or-later
// accelerate 1.15: what its config.yaml and a plan say alike, one table per engine.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>

#include "launchers/key_rows.h"

namespace shardlens::launchers {

[[nodiscard]] std::span<const KeyRow> accelerate_fsdp_rows();
[[nodiscard]] std::span<const KeyRow> accelerate_deepspeed_rows();
[[nodiscard]] std::span<const KeyRow> accelerate_megatron_rows();

/// FSDP1 names what FSDP2 says by a mesh and by resharding.
struct Fsdp1Strategy {
    const char* name;
    std::int64_t zero;
    bool in_node; ///< shards over the GPUs of a node, replicas over the nodes
};
/// In the order of the numbers that old files give instead, from 1.
[[nodiscard]] std::span<const Fsdp1Strategy> fsdp1_strategies();

/// The configuration of a plan on FSDP2 for programs on FSDP1; nothing where FSDP1 cannot run it: it has no
/// tensor and context ranks, and shards over all ranks or over those of a node.
[[nodiscard]] std::optional<nlohmann::ordered_json> on_fsdp1(const Setup& setup,
                                                             nlohmann::ordered_json document);

} // namespace shardlens::launchers
