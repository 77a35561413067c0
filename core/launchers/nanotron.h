// SPDX-License-Identifier: GPL-3.0-or-later
// nanotron 0.4: what its YAML (src/nanotron/config/*.py) and a plan say alike.
#pragma once

#include <span>

#include "launchers/key_rows.h"

namespace shardlens::launchers {

/// Parallelism, batch, precision, optimizer.
[[nodiscard]] std::span<const KeyRow> nanotron_rows();
/// Shape, below model.model_config (Llama and Qwen2 models alike).
[[nodiscard]] std::span<const KeyRow> nanotron_model_rows();

} // namespace shardlens::launchers
