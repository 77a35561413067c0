// SPDX-License-Identifier: GPL-3.0-or-later
// llm-foundry 0.22: what its train.yaml and a plan say alike.
#pragma once

#include <span>

#include "launchers/key_rows.h"

namespace shardlens::launchers {

[[nodiscard]] std::span<const KeyRow> llm_foundry_rows();

} // namespace shardlens::launchers
