// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/memory_curve.h"

#include <algorithm>

#include "memory/ledger.h"

namespace shardlens {

namespace {

using pipeline::Op;
using pipeline::OpKind;

/// The report's timeline where it has operations and the rank; else null.
const pipeline::Timeline* drawn(const Report& report, std::int64_t rank) {
    const pipeline::Timeline* timeline = report.timeline.get();
    if (!timeline || timeline->start.empty() || report.chunk_activation_bytes.empty() || rank < 0 ||
        rank >= timeline->schedule.spec.ranks ||
        rank >= static_cast<std::int64_t>(report.memory.stages.size()))
        return nullptr;
    return timeline;
}

} // namespace

double MemoryCurve::at(double seconds) const {
    if (bytes.empty()) return 0;
    const auto next = std::upper_bound(time_s.begin(), time_s.end(), seconds);
    return next == time_s.begin() ? bytes.front()
                                  : bytes[static_cast<std::size_t>(next - time_s.begin()) - 1];
}

MemoryCurve memory_curve(const Report& report, std::int64_t rank) {
    MemoryCurve curve;
    const pipeline::Timeline* timeline = drawn(report, rank);
    if (!timeline) return curve;
    const auto& stage = report.memory.stages[static_cast<std::size_t>(rank)];
    curve.states_bytes = stage.parameters_bytes + stage.gradients_bytes + stage.optimizer_bytes;
    curve.base_bytes = stage.total_bytes - stage.activations_bytes;
    curve.peak_event = stage.peak_event;
    curve.chunk_bytes =
        memory::resident_chunk_bytes(*report.setup, report.chunk_activation_bytes, timeline->schedule, rank);
    const auto ops = timeline->schedule.rank(rank);
    const std::size_t first = timeline->schedule.first[static_cast<std::size_t>(rank)];
    const auto live = pipeline::live_curve(ops, curve.chunk_bytes, true);
    curve.time_s.reserve(ops.size() + 1);
    curve.bytes.reserve(ops.size() + 1);
    curve.time_s.push_back(0);
    curve.bytes.push_back(curve.base_bytes);
    double before = 0, threshold = 0;
    for (std::size_t i = 0; i < ops.size(); ++i) {
        const double change = live[i] - before;
        before = live[i];
        if (change == 0) continue;
        curve.time_s.push_back(change > 0 ? timeline->start[first + i] : timeline->end[first + i]);
        curve.bytes.push_back(curve.base_bytes + live[i]);
        if (live[i] <= threshold) continue;
        threshold = live[i] * (1 + 1e-12); // sums that differ by rounding are the same
        curve.peak_point = curve.bytes.size() - 1;
        curve.peak_op = first + i + (ops[i].kind == OpKind::forward ? 0 : 1); // a cell may list it second
    }
    if (!ops.empty())
        curve.peak_name =
            pipeline::token(timeline->schedule.ops[curve.peak_op], timeline->schedule.spec.chunks > 1);
    return curve;
}

std::vector<LiveActivation> live_at(const Report& report, std::int64_t rank, double seconds) {
    std::vector<LiveActivation> live;
    const pipeline::Timeline* timeline = drawn(report, rank);
    if (!timeline) return live;
    const auto bytes =
        memory::resident_chunk_bytes(*report.setup, report.chunk_activation_bytes, timeline->schedule, rank);
    const auto ops = timeline->schedule.rank(rank);
    const std::size_t first = timeline->schedule.first[static_cast<std::size_t>(rank)];
    for (std::size_t i = 0; i < ops.size() && timeline->start[first + i] <= seconds; ++i) {
        const Op& op = ops[i];
        if (op.kind == OpKind::forward) {
            live.push_back({op.chunk, op.micro_batch, bytes[op.chunk]});
        } else if (op.kind != OpKind::input_grad && timeline->end[first + i] <= seconds) {
            std::erase_if(live, [&](const LiveActivation& one) {
                return one.chunk == op.chunk && one.micro_batch == op.micro_batch;
            });
        }
    }
    std::ranges::sort(live, {},
                      [](const LiveActivation& one) { return std::pair(one.chunk, one.micro_batch); });
    return live;
}

std::string live_text(const std::vector<LiveActivation>& live, bool with_chunk) {
    const auto name = [&](const LiveActivation& one) {
        return pipeline::token(
            {OpKind::forward, false, static_cast<std::uint16_t>(one.chunk), one.micro_batch}, with_chunk);
    };
    std::string text;
    for (std::size_t i = 0; i < live.size();) {
        std::size_t last = i;
        while (last + 1 < live.size() && live[last + 1].chunk == live[i].chunk &&
               live[last + 1].micro_batch == live[last].micro_batch + 1)
            ++last;
        if (!text.empty()) text += ", ";
        text += name(live[i]);
        if (last > i) text += (last == i + 1 ? ", " : "…") + name(live[last]);
        i = last + 1;
    }
    return text;
}

} // namespace shardlens
