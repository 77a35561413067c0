// SPDX-License-Identifier: GPL-3.0-or-later
// Stacked blocks and what lies under the cursor, without a window.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace shardlens {

/// Part `part` of stack `stack`, from `low` to `high` along the stack.
struct StackBlock {
    int stack = 0, part = 0;
    double low = 0, high = 0;

    [[nodiscard]] double value() const { return high - low; }
    bool operator==(const StackBlock&) const = default;
};

/// Blocks of one stack in the order of `parts`, bottom first; parts of zero (or less) get no block.
inline void appendStack(std::vector<StackBlock>& blocks, int stack, std::span<const double> parts) {
    double low = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (!(parts[i] > 0)) continue;
        blocks.push_back({stack, static_cast<int>(i), low, low + parts[i]});
        low += parts[i];
    }
}

/// The block of `stack` that holds `value`; `slack` widens blocks thinner than it, so that slivers can be
/// hit.
[[nodiscard]] inline std::optional<StackBlock> blockAt(std::span<const StackBlock> blocks, int stack,
                                                       double value, double slack = 0) {
    std::optional<StackBlock> near;
    for (const StackBlock& block : blocks) {
        if (block.stack != stack) continue;
        if (block.value() < slack && value >= block.low - slack / 2 && value < block.high + slack / 2)
            return block;
        if (value >= block.low && value < block.high && !near) near = block;
    }
    return near;
}

/// Half the width of a bar in slots of width 1: slim when there is room, without gaps when there is none.
[[nodiscard]] inline double barHalfWidth(double pixelsPerSlot, double widestPixels) {
    if (pixelsPerSlot <= 4) return 0.5;
    const double share = pixelsPerSlot < 14 ? 0.42 : 0.34;
    return std::min(share, widestPixels / 2 / pixelsPerSlot);
}

} // namespace shardlens
