// SPDX-License-Identifier: GPL-3.0-or-later
// Value ↔ pixel along one axis, without a window.
#pragma once

#include <algorithm>
#include <cmath>

namespace shardlens {

/// Maps [from, to] linearly to [pixelFrom, pixelTo]; either may run backwards.
struct LinearScale {
    double from = 0, to = 1;
    double pixelFrom = 0, pixelTo = 1;

    [[nodiscard]] double toPixel(double value) const { return pixelFrom + (value - from) * pixelsPerUnit(); }
    [[nodiscard]] double toValue(double pixel) const {
        const double per = pixelsPerUnit();
        return per != 0 ? from + (pixel - pixelFrom) / per : from;
    }
    [[nodiscard]] double pixelsPerUnit() const {
        return to != from ? (pixelTo - pixelFrom) / (to - from) : 0;
    }
    bool operator==(const LinearScale&) const = default;
};

/// A window on [0, end] that can be moved and zoomed but never leaves it.
struct VisibleRange {
    double from = 0, to = 1;

    [[nodiscard]] double span() const { return to - from; }

    /// Shrinks (factor < 1) or grows the window around `anchor`, which keeps its place on screen.
    [[nodiscard]] VisibleRange zoomed(double factor, double anchor, double end) const {
        const double wanted = std::clamp(span() * factor, end * 1e-7, end);
        const double share = span() > 0 ? (anchor - from) / span() : 0.5;
        return VisibleRange{anchor - share * wanted, anchor + (1 - share) * wanted}.inside(end);
    }
    [[nodiscard]] VisibleRange moved(double by, double end) const {
        return VisibleRange{from + by, to + by}.inside(end);
    }
    /// The nearest window of the same width inside [0, end]; all of it when the window is wider.
    [[nodiscard]] VisibleRange inside(double end) const {
        const double width = span();
        if (!(width < end * (1 - 1e-12))) return {0, end};
        const double start = std::clamp(from, 0.0, end - width);
        return {start, start + width};
    }
    bool operator==(const VisibleRange&) const = default;
};

/// Every how many of `count` labels of `labelPixels` width one is drawn so that they do not touch: 1, 2, 5,
/// 10, 20 …
[[nodiscard]] inline int labelStep(int count, double availablePixels, double labelPixels) {
    int step = 1;
    const auto fits = [&](int s) {
        return labelPixels * std::ceil(static_cast<double>(count) / s) <= availablePixels;
    };
    for (int factor = 0; step < count && !fits(step); ++factor)
        step = factor % 3 == 1 ? step / 2 * 5 : step * 2;
    return step;
}

} // namespace shardlens
