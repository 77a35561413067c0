// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Bridge 0.6: what its overrides and a plan say alike.
#pragma once

#include <span>

#include "launchers/key_rows.h"

namespace shardlens::launchers {

[[nodiscard]] std::span<const KeyRow> bridge_rows();        ///< of every plan
[[nodiscard]] std::span<const KeyRow> bridge_dense_rows();  ///< with layers without experts
[[nodiscard]] std::span<const KeyRow> bridge_head_rows();   ///< heads without latent attention
[[nodiscard]] std::span<const KeyRow> bridge_latent_rows(); ///< latent attention
[[nodiscard]] std::span<const KeyRow> bridge_expert_rows();
/// null in the file where there is one chunk: a recipe may have set more.
[[nodiscard]] const KeyRow& bridge_virtual_row();

} // namespace shardlens::launchers
