// SPDX-License-Identifier: GPL-3.0-or-later
// Lines grow with the type: what is read from the back of a room must be seen from there.
#pragma once

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace shardlens {

/// Width in pixels of a line that is `base` pixels wide beside text of the usual size.
[[nodiscard]] inline double strokeWidth(const QFont& font, double base = 1) {
    constexpr double kUsualHeight = 15; // of a line of 9 points at 96 dpi
    return base * std::max(1.0, std::round(QFontMetricsF(font).height() / kUsualHeight * 2) / 2);
}

/// The same in whole pixels: what follows the grid of pixels is not blurred.
[[nodiscard]] inline int strokePixels(const QFont& font, int base = 1) {
    return static_cast<int>(std::ceil(strokeWidth(font, base)));
}

} // namespace shardlens
