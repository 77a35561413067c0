// SPDX-License-Identifier: GPL-3.0-or-later
// accelerate on FSDP1 (src/accelerate/utils/dataclasses.py, FullyShardedDataParallelPlugin; PyTorch's
// ShardingStrategy).
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "launchers/accelerate.h"
#include "launchers/common.h"

namespace shardlens::launchers {

std::span<const Fsdp1Strategy> fsdp1_strategies() {
    static constexpr std::array kStrategies = {
        Fsdp1Strategy{"FULL_SHARD", 3, false}, Fsdp1Strategy{"SHARD_GRAD_OP", 2, false},
        Fsdp1Strategy{"NO_SHARD", 0, false}, Fsdp1Strategy{"HYBRID_SHARD", 3, true},
        Fsdp1Strategy{"HYBRID_SHARD_ZERO2", 2, true}};
    return kStrategies;
}

std::optional<nlohmann::ordered_json> on_fsdp1(const Setup& setup, nlohmann::ordered_json document) {
    if (setup.tensor > 1 || setup.context > 1) return std::nullopt;
    const bool whole_nodes = processes_on_last_node(setup) == processes_per_node(setup);
    const bool in_node = setup.shard < setup.data;
    if (in_node && (!whole_nodes || setup.shard != processes_per_node(setup))) return std::nullopt;
    const auto strategies = fsdp1_strategies();
    const auto found = std::find_if(strategies.begin(), strategies.end(), [&](const Fsdp1Strategy& row) {
        return row.zero == setup.zero && row.in_node == in_node;
    });
    if (found == strategies.end()) return std::nullopt;
    document.erase("parallelism_config"); // a mesh is FSDP2's
    nlohmann::ordered_json& fsdp = document["fsdp_config"];
    fsdp.erase("fsdp_reshard_after_forward");
    fsdp["fsdp_version"] = 1;
    fsdp["fsdp_sharding_strategy"] = found->name;
    fsdp["fsdp_backward_prefetch"] = "BACKWARD_PRE";
    fsdp["fsdp_forward_prefetch"] = false;
    fsdp["fsdp_use_orig_params"] = true;
    fsdp["fsdp_sync_module_states"] = true; // efficient loading wants it
    return document;
}

} // namespace shardlens::launchers
