// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/setup.h"

namespace shardlens::model {

/// Moments of the optimizer, bytes per parameter of a matrix, without the master copy. adamw-8bit: two 1-byte
/// moments with one fp32 scale per 256 values each (arXiv 2110.02861). Muon: one momentum. Adafactor: row and
/// column sums (arXiv 1804.04235).
[[nodiscard]] double optimizer_moment_bytes(const Setup& setup);

} // namespace shardlens::model
