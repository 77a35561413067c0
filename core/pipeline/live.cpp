// SPDX-License-Identifier: GPL-3.0-or-later
// Activations alive on a rank, by its order alone.
#include <algorithm>

#include "pipeline/simulate.h"

namespace shardlens::pipeline {

namespace {

bool frees(OpKind kind, bool until_weight) {
    return kind == OpKind::backward || kind == (until_weight ? OpKind::weight_grad : OpKind::input_grad);
}

double weight_of(std::span<const double> weights, std::size_t chunk) {
    if (weights.empty()) return 1;
    return chunk < weights.size() ? weights[chunk] : weights.back();
}

/// Calls `event(op index, chunk, +1 or −1)` in the order in which activations come and go. In an overlapped
/// cell the forward's activation comes before the backward's goes, whichever is listed first.
template <class Event> void replay(std::span<const Op> ops, bool until_weight, Event event) {
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const bool pair = ops[i].with_next && i + 1 < ops.size();
        const std::size_t last = pair ? i + 1 : i;
        for (std::size_t j = i; j <= last; ++j) {
            if (ops[j].kind == OpKind::forward) event(j, ops[j].chunk, +1);
        }
        for (std::size_t j = i; j <= last; ++j) {
            if (frees(ops[j].kind, until_weight)) event(j, ops[j].chunk, -1);
        }
        i = last;
    }
}

} // namespace

LivePeak live_peak(std::span<const Op> rank_ops, std::span<const double> chunk_weights, bool until_weight) {
    std::size_t chunks = std::max<std::size_t>(1, chunk_weights.size());
    for (const Op& op : rank_ops) chunks = std::max<std::size_t>(chunks, op.chunk + 1u);
    LivePeak peak;
    std::vector<std::int64_t> alive(chunks, 0);
    double weighted = 0, best = -1;
    replay(rank_ops, until_weight, [&](std::size_t i, std::size_t chunk, int change) {
        alive[chunk] += change;
        weighted += change * weight_of(chunk_weights, chunk);
        if (change < 0 || weighted <= best * (1 + 1e-12)) return; // sums that differ by rounding are the same
        best = weighted;
        peak.chunks = alive;
        peak.op = i;
    });
    if (peak.chunks.empty()) peak.chunks = alive;
    for (std::size_t c = 0; c < chunks; ++c) {
        peak.weighted += static_cast<double>(peak.chunks[c]) * weight_of(chunk_weights, c);
    }
    return peak;
}

std::vector<double> live_curve(std::span<const Op> rank_ops, std::span<const double> chunk_weights,
                               bool until_weight) {
    std::vector<double> curve(rank_ops.size(), 0);
    for (std::size_t i = 0; i < rank_ops.size(); ++i) {
        const Op& op = rank_ops[i];
        if (op.kind == OpKind::forward) curve[i] += weight_of(chunk_weights, op.chunk);
        if (frees(op.kind, until_weight)) curve[i] -= weight_of(chunk_weights, op.chunk);
        // A backward listed first in a cell keeps its activation until the cell ends.
        if (i > 0 && rank_ops[i - 1].with_next && rank_ops[i - 1].kind != OpKind::forward) {
            std::swap(curve[i - 1], curve[i]);
        }
    }
    for (std::size_t i = 1; i < curve.size(); ++i) curve[i] += curve[i - 1];
    return curve;
}

} // namespace shardlens::pipeline
