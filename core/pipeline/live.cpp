// SPDX-License-Identifier: GPL-3.0-or-later
// Activations alive on a rank, by its order alone.
#include <algorithm>
#include <array>

#include "pipeline/simulate.h"

namespace shardlens::pipeline {

namespace {

/// What an op adds to the activations alive, by OpKind: freed by the input half, or by the weight half.
constexpr std::array<int, 4> kUntilInput = {+1, -1, -1, 0}, kUntilWeight = {+1, -1, 0, -1};
static_assert(static_cast<int>(OpKind::forward) == 0 && static_cast<int>(OpKind::backward) == 1 &&
              static_cast<int>(OpKind::input_grad) == 2 && static_cast<int>(OpKind::weight_grad) == 3);

int change(const Op& op, const std::array<int, 4>& by_kind) {
    return by_kind[static_cast<std::size_t>(op.kind)];
}

/// Is it a cell that lists the backward first? Its forward's activation comes before the backward's goes.
bool swapped(std::span<const Op> ops, std::size_t i) {
    return ops[i].with_next && ops[i].kind != OpKind::forward && i + 1 < ops.size();
}

} // namespace

LivePeak live_peak(std::span<const Op> rank_ops, std::span<const double> chunk_weights, bool until_weight) {
    const std::array<int, 4>& by_kind = until_weight ? kUntilWeight : kUntilInput;
    LivePeak peak;
    std::vector<double> weights(chunk_weights.size() * 4); // by chunk and kind, with their sign
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] = by_kind[i % 4] * chunk_weights[i / 4];
    double weighted = 0, threshold = -1;
    std::int64_t count = 0;
    const auto visit = [&](std::size_t i) {
        const Op& op = rank_ops[i];
        weighted += weights[std::size_t{op.chunk} * 4 + static_cast<std::size_t>(op.kind)];
        count += change(op, kUntilInput);
        peak.most = std::max(peak.most, count);
        if (weighted > threshold) {
            threshold = weighted * (1 + 1e-12); // sums that differ by rounding are the same
            peak.op = i;
        }
    };
    if (std::ranges::none_of(rank_ops, &Op::with_next)) {
        for (std::size_t i = 0; i < rank_ops.size(); ++i) visit(i);
    } else {
        for (std::size_t i = 0; i < rank_ops.size(); ++i) {
            if (swapped(rank_ops, i)) {
                visit(i + 1);
                visit(i++);
            } else {
                visit(i);
            }
        }
    }
    peak.chunks.assign(chunk_weights.size(), 0);
    for (std::size_t i = 0; i <= peak.op && i < rank_ops.size(); ++i)
        if (!swapped(rank_ops, i) || i + 1 != peak.op)
            peak.chunks[rank_ops[i].chunk] += change(rank_ops[i], by_kind);
    for (std::size_t c = 0; c < chunk_weights.size(); ++c)
        peak.weighted += static_cast<double>(peak.chunks[c]) * chunk_weights[c];
    return peak;
}

std::vector<double> live_curve(std::span<const Op> rank_ops, std::span<const double> chunk_weights,
                               bool until_weight) {
    const std::array<int, 4>& by_kind = until_weight ? kUntilWeight : kUntilInput;
    std::vector<double> curve(rank_ops.size(), 0);
    for (std::size_t i = 0; i < rank_ops.size(); ++i) {
        curve[i] = change(rank_ops[i], by_kind) * chunk_weights[rank_ops[i].chunk];
        if (i > 0 && swapped(rank_ops, i - 1)) std::swap(curve[i - 1], curve[i]);
    }
    for (std::size_t i = 1; i < curve.size(); ++i) curve[i] += curve[i - 1];
    return curve;
}

} // namespace shardlens::pipeline
