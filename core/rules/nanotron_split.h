// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "catalog/setup.h"

namespace shardlens::rules {

/// Layers of each stage as nanotron deals them by cost, the one split that it knows: attention and MLP of a
/// layer against the head (get_block_compute_costs of models/llama.py).
[[nodiscard]] std::vector<std::int64_t> nanotron_split(const Setup& setup);

} // namespace shardlens::rules
