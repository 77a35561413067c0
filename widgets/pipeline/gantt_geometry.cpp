// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gantt_geometry.h"

#include <array>

namespace shardlens {

namespace {

struct Bounds {
    std::size_t first, last;
};

Bounds opsOf(const pipeline::Timeline& timeline, int rank) {
    const auto r = static_cast<std::size_t>(rank);
    if (rank < 0 || r + 1 >= timeline.schedule.first.size()) return {0, 0};
    return {timeline.schedule.first[r], timeline.schedule.first[r + 1]};
}

// First operation of the rank that ends after `time`; ends ascend within a rank.
std::size_t firstEndingAfter(const pipeline::Timeline& timeline, Bounds ops, double time) {
    const auto begin = timeline.end.begin();
    return static_cast<std::size_t>(std::upper_bound(begin + static_cast<std::ptrdiff_t>(ops.first),
                                                     begin + static_cast<std::ptrdiff_t>(ops.last), time) -
                                    begin);
}

// Collects thin operations into one span.
class Run {
public:
    [[nodiscard]] bool empty() const { return m_span.count == 0; }
    [[nodiscard]] double end() const { return m_span.end; }
    [[nodiscard]] double width() const { return m_span.end - m_span.start; }

    void add(const GanttSpan& op) {
        if (empty()) {
            m_span = op;
            m_time = {};
        } else {
            m_span.end = op.end;
            m_span.busy += op.busy;
            m_span.count += op.count;
            m_span.merged = true;
            m_span.overlapped = false;
        }
        m_time[static_cast<std::size_t>(op.kind)] += op.busy;
    }
    void flushTo(std::vector<GanttSpan>& spans) {
        if (empty()) return;
        if (m_span.merged)
            m_span.kind = static_cast<pipeline::OpKind>(std::max_element(m_time.begin(), m_time.end()) -
                                                        m_time.begin());
        spans.push_back(m_span);
        m_span.count = 0;
    }

private:
    GanttSpan m_span{.count = 0};
    std::array<double, 4> m_time{};
};

} // namespace

std::optional<int> GanttRows::rowAt(double y) const {
    if (count <= 0 || y < top || y >= bottom) return {};
    return std::min(count - 1, static_cast<int>((y - top) / pitch()));
}

bool hasOps(const pipeline::Timeline& timeline) {
    return !timeline.schedule.ops.empty() && timeline.start.size() == timeline.schedule.ops.size() &&
           timeline.end.size() == timeline.schedule.ops.size() && timeline.makespan > 0;
}

void layOutRank(const pipeline::Timeline& timeline, int rank, const LinearScale& time, double thinnest,
                std::vector<GanttSpan>& spans) {
    const Bounds ops = opsOf(timeline, rank);
    const double perPixel = 1 / time.pixelsPerUnit();
    const double thin = thinnest * perPixel;
    const auto& schedule = timeline.schedule.ops;
    Run run;
    for (std::size_t i = firstEndingAfter(timeline, ops, time.from); i < ops.last; ++i) {
        if (timeline.start[i] > time.to) break;
        GanttSpan span;
        span.start = timeline.start[i];
        span.end = timeline.end[i];
        span.busy = span.end - span.start;
        span.first = i;
        span.kind = schedule[i].kind;
        if (schedule[i].with_next && i + 1 < ops.last) {
            span.overlapped = true;
            span.count = 2;
            ++i;
        }
        if (!run.empty() && span.start - run.end() >= perPixel) run.flushTo(spans);
        if (span.busy >= thin) {
            run.flushTo(spans);
            spans.push_back(span);
            continue;
        }
        run.add(span);
        if (run.width() >= thin) run.flushTo(spans);
    }
    run.flushTo(spans);
}

std::optional<std::size_t> opAt(const pipeline::Timeline& timeline, int rank, double time) {
    if (!hasOps(timeline)) return {};
    const Bounds ops = opsOf(timeline, rank);
    const std::size_t found = firstEndingAfter(timeline, ops, time);
    if (found >= ops.last || timeline.start[found] > time) return {};
    return found;
}

int rankOf(const pipeline::Timeline& timeline, std::size_t op) {
    const auto& first = timeline.schedule.first;
    return static_cast<int>(std::upper_bound(first.begin(), first.end(), op) - first.begin()) - 1;
}

} // namespace shardlens
