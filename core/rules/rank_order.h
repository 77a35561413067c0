// SPDX-License-Identifier: GPL-3.0-or-later
// The rank order string of a plan, read once for rules and placement.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "json/result.h"

namespace shardlens::rules {

enum class OrderAxis : std::uint8_t { tp, cp, ep, dp, pp };

/// All five axes, the first varies fastest. ep counts in the expert grid only, cp in the dense grid only.
using AxisOrder = std::array<OrderAxis, 5>;

inline constexpr const char* kDefaultRankOrder = "tp-cp-ep-dp-pp";

/// "tp-cp-ep-dp-pp" or the name of a launcher. tp, cp, dp and pp must stand there once each; ep may be left
/// out and then stands directly behind tp: launchers that do not write it (torchtitan, DeepSpeed) put expert
/// groups on the innermost ranks behind expert tensor parallelism. The error names what is wrong and gives an
/// example.
[[nodiscard]] Result<AxisOrder> parse_axis_order(std::string_view text);

} // namespace shardlens::rules
