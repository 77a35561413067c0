// SPDX-License-Identifier: GPL-3.0-or-later
// Memory over time of one pipeline rank: what stays for the whole step, and the activations that come with a
// forward and go with the backward (or its weight half). Its peak is the ledger's.
#pragma once

#include "report/report.h"

namespace shardlens {

/// An activation alive: of a chunk (local number; the direction of a bidirectional schedule) and micro-batch.
struct LiveActivation {
    std::int32_t chunk = 0, micro_batch = 0;
    double bytes = 0;

    bool operator==(const LiveActivation&) const = default;
};

/// Piecewise constant: `bytes[i]` holds from `time_s[i]` to `time_s[i + 1]`; the first point is at time 0.
/// Times never go back; of points at the same time the last one holds. An activation counts from the start of
/// its forward to the end of its backward or weight half.
struct MemoryCurve {
    double states_bytes = 0; ///< parameters, gradients, optimizer: part of base_bytes
    double base_bytes = 0;   ///< all that the ledger counts beside activations at the rank's peak
    std::vector<double> time_s, bytes;
    std::vector<double> chunk_bytes; ///< one activation of each local chunk, what is offloaded left out

    std::size_t peak_point = 0; ///< index into time_s and bytes of the (first) largest value
    std::size_t peak_op = 0;    ///< index into the timeline's schedule.ops of the forward that reaches it
    std::string peak_name;      ///< that forward as a token, "F7" or "F7.1"
    std::string peak_event; ///< what the ledger adds there: "loss forward", "backward of the last layer" …

    [[nodiscard]] double peak_bytes() const { return bytes.empty() ? 0 : bytes[peak_point]; }
    [[nodiscard]] double peak_time_s() const { return time_s.empty() ? 0 : time_s[peak_point]; }
    /// Bytes held at a time; before the first point and after the last one what is held there.
    [[nodiscard]] double at(double seconds) const;
};

/// The curve of a pipeline rank. Empty (no points) when the report has no timeline with operations or no such
/// rank: textbook plans, evaluation without a timeline, pipelines too large to draw. Of a timeline that shows
/// fewer micro-batches than the plan has, the curve has those that are shown.
[[nodiscard]] MemoryCurve memory_curve(const Report& report, std::int64_t rank);

/// The activations alive on a rank at a time, by chunk, then micro-batch.
[[nodiscard]] std::vector<LiveActivation> live_at(const Report& report, std::int64_t rank, double seconds);

/// "F4…F7" or "F4.0…F7.0, F2.1": the live set in words, runs of micro-batches joined; "" when it is empty.
[[nodiscard]] std::string live_text(const std::vector<LiveActivation>& live, bool with_chunk);

} // namespace shardlens
