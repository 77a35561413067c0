// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's timeline as rectangles: rows, level of detail and hit test, without a window.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
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
    std::array<float, 4> kindBusy{};                   ///< when merged: `busy` by kind
    bool overlapped = false;                           ///< `first` and `first` + 1 run together
    bool merged = false;

    bool operator==(const GanttSpan&) const = default;
};

/// A horizontal strip of the view: the row of one rank, or what stands above or below rows.
struct GanttBand {
    enum class Kind { Caption, Rank, Memory };
    Kind kind = Kind::Rank;
    int track = 0; ///< which of the timelines shown one above the other
    int rank = 0;
    double top = 0, bottom = 0; ///< pixels from the top of the plot

    [[nodiscard]] double height() const { return bottom - top; }
    bool operator==(const GanttBand&) const = default;
};

/// What is to be laid out of one timeline.
struct GanttTrackShape {
    int ranks = 1;
    bool caption = false; ///< a line of text above its rows
    bool memory = false;  ///< the curve of memory, below every row or below one
    int memoryOf = 0;     ///< rank whose curve is shown where there is room for one only
};

/// All bands from top to bottom; they cover `height` and do not overlap. Rows are equally high. The memory
/// curve stands below every row where rows stay high enough, else below one, else it is left out.
[[nodiscard]] std::vector<GanttBand> layOutBands(std::span<const GanttTrackShape> tracks, double height,
                                                 double captionHeight);
/// The band at a height; empty outside all of them.
[[nodiscard]] const GanttBand* bandAt(std::span<const GanttBand> bands, double y);
/// The free strip between two rows: a tenth of a high row, nothing between rows of a few pixels.
[[nodiscard]] double rowGap(double pitch);

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

/// A micro-batch of the whole step: directions of a bidirectional schedule number theirs apart.
[[nodiscard]] std::int64_t microBatchId(const pipeline::Schedule& schedule, const pipeline::Op& op);
/// Operations of a micro-batch, rank by rank.
[[nodiscard]] std::vector<std::size_t> opsOfMicroBatch(const pipeline::Timeline& timeline, std::int64_t id);

/// `to` cannot start before `from` has ended.
struct GanttLink {
    std::size_t from = 0, to = 0; ///< indices into schedule.ops
    bool operator==(const GanttLink&) const = default;
};
/// The way of a micro-batch through the stages: forward to the last, back to the first, weight gradients
/// behind their input gradients (the rules of pipeline/simulate.h).
[[nodiscard]] std::vector<GanttLink> linksOfMicroBatch(const pipeline::Timeline& timeline, std::int64_t id);

/// The largest value within every column of pixels of a piecewise constant curve: `values[i]` holds from
/// `times[i]` on, of equal times the last one. Column 0 begins at the scale's pixelFrom.
[[nodiscard]] std::vector<double> columnMaxima(std::span<const double> times, std::span<const double> values,
                                               const LinearScale& time, int columns);

/// A part of the timeline that was marked by hand.
struct GanttArea {
    double from = 0, to = 0;
    int track = 0, firstRank = 0, lastRank = 0;
    bool operator==(const GanttArea&) const = default;
};
/// Where the time of an area went, as fractions that sum to 1 (all 0 for an empty area).
struct GanttShares {
    std::array<double, 4> kinds{}; ///< by OpKind
    double together = 0;           ///< a forward and a backward at once
    double idle = 0;
};
[[nodiscard]] GanttShares sharesOf(const pipeline::Timeline& timeline, const GanttArea& area);

} // namespace shardlens
