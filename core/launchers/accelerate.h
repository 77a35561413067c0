// SPDX-License-Identifier: GPL-3.0-or-later
// accelerate 1.15: what its config.yaml and a plan say alike, one table per engine.
#pragma once

#include <span>

#include "launchers/key_rows.h"

namespace shardlens::launchers {

[[nodiscard]] std::span<const KeyRow> accelerate_fsdp_rows();
[[nodiscard]] std::span<const KeyRow> accelerate_deepspeed_rows();
[[nodiscard]] std::span<const KeyRow> accelerate_megatron_rows();

} // namespace shardlens::launchers
