// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's timeline as rectangles: rows, level of detail and hit test, without a window.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "charts/scale.h"
#include "pipeline/simulate.h"

namespace shardlens {

/// One thing to draw in a row: an operation, an overlapped pair of them, or many that are thinner than a
/// pixel.
struct GanttSpan {
    double start = 0, end = 0; ///< in the timeline's unit
    double busy = 0; ///< operations' time between start and end; less than end − start when gaps were merged
    std::size_t first = 0;                             ///< index into schedule.ops
    std::size_t count = 1;                             ///< operations merged into it
    pipeline::OpKind kind = pipeline::OpKind::forward; ///< of the operation; of most of the time when merged
    bool overlapped = false;                           ///< `first` and `first` + 1 run together
    bool merged = false;

    bool operator==(const GanttSpan&) const = default;
};

/// Rows of equal height between top and bottom; a gap between them when they are high enough.
struct GanttRows {
    double top = 0, bottom = 1;
    int count = 1;

    [[nodiscard]] double pitch() const { return (bottom - top) / (count > 0 ? count : 1); }
    [[nodiscard]] double gap() const {
        return pitch() >= 12 ? std::clamp(pitch() * 0.09, 2.0, 8.0) : pitch() >= 5 ? 1 : 0;
    }
    [[nodiscard]] double rowTop(int row) const { return top + row * pitch() + gap() / 2; }
    [[nodiscard]] double rowHeight() const { return pitch() - gap(); }
    /// The row at a height, gaps belonging to the nearer row; empty outside.
    [[nodiscard]] std::optional<int> rowAt(double y) const;
};

/// Does the timeline hold start and end of every operation?
[[nodiscard]] bool hasOps(const pipeline::Timeline& timeline);

/// Spans of one rank that touch the scale's window [from, to], in order of time. Operations narrower than
/// `thinnest` pixels are merged with their neighbours until the run is that wide or a gap of a pixel follows;
/// the busy times of all spans sum to those of the operations. Appends to `spans`.
void layOutRank(const pipeline::Timeline& timeline, int rank, const LinearScale& time, double thinnest,
                std::vector<GanttSpan>& spans);

/// The operation of a rank at a time (of an overlapped pair the first); empty when it idles.
[[nodiscard]] std::optional<std::size_t> opAt(const pipeline::Timeline& timeline, int rank, double time);

/// The rank that operation `op` runs on.
[[nodiscard]] int rankOf(const pipeline::Timeline& timeline, std::size_t op);

} // namespace shardlens
