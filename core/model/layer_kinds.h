// SPDX-License-Identifier: GPL-3.0-or-later
// Layers differ in few ways, so each distinct kind is computed once and counted per chunk.
#pragma once

#include <array>
#include <vector>

#include "model/operators.h"

namespace shardlens::model {

/// Dense or MoE × global or windowed attention × recomputed or not: index = MoE + 2 · windowed + 4 ·
/// recomputed.
inline constexpr std::size_t kBodyKinds = 8;
[[nodiscard]] inline LayerKind body_kind(std::size_t kind) {
    return kind & 1 ? LayerKind::moe : LayerKind::dense;
}
[[nodiscard]] inline bool is_global(std::size_t kind) { return !(kind & 2); }
[[nodiscard]] inline bool is_recomputed(std::size_t kind) { return (kind & 4) != 0; }

/// How many layers of each kind a chunk has.
using KindCounts = std::array<std::int64_t, kBodyKinds>;

/// Per chunk in model order. Without recomputation every layer counts as recomputed (the mode is then none).
[[nodiscard]] std::vector<KindCounts> count_kinds(const Setup& setup);

} // namespace shardlens::model
