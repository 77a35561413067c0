// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/setup.h"

namespace shardlens {

/// The engines that accelerate 1.15 can put under a plan.
enum class AccelerateBackend : std::uint8_t {
    ddp,   ///< distributed_type MULTI_GPU
    fsdp2, ///< FSDP, version 2, with its mesh of replicate, shard, context and tensor ranks
    deepspeed,
    megatron, ///< the Megatron-LM plugin
};

/// The one that fits: Megatron where there are stages, experts over ranks, or tensor and context ranks
/// without sharded parameters; DeepSpeed for ZeRO 1, Ulysses and what only it offloads; else FSDP2 for ZeRO 2
/// and 3, plain replicas for ZeRO 0.
[[nodiscard]] AccelerateBackend accelerate_backend(const Setup& setup);

} // namespace shardlens
