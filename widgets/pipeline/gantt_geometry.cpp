// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gantt_geometry.h"

#include <array>

namespace shardlens {

namespace {

constexpr double kLeastCurveOfMany = 48; ///< pixels of a curve of memory below every row
constexpr double kLeastCurve = 46, kMostCurve = 84;
constexpr double kLeastRowBesideCurve = 3.5;

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
        if (m_span.merged) {
            for (std::size_t k = 0; k < m_time.size(); ++k)
                m_span.kindBusy[k] = static_cast<float>(m_time[k]);
            m_span.kind = static_cast<pipeline::OpKind>(std::max_element(m_time.begin(), m_time.end()) -
                                                        m_time.begin());
        }
        spans.push_back(m_span);
        m_span.count = 0;
    }

private:
    GanttSpan m_span{.count = 0};
    std::array<double, 4> m_time{};
};

} // namespace

double rowGap(double pitch) { return pitch >= 12 ? std::clamp(pitch * 0.09, 2.0, 8.0) : pitch >= 5 ? 1 : 0; }

std::vector<GanttBand> layOutBands(std::span<const GanttTrackShape> tracks, double height,
                                   double captionHeight) {
    double captions = 0;
    int ranks = 0, wantMemory = 0, memoryRanks = 0;
    for (const GanttTrackShape& track : tracks) {
        captions += track.caption ? captionHeight : 0;
        ranks += track.ranks;
        wantMemory += track.memory ? 1 : 0;
        memoryRanks += track.memory ? track.ranks : 0;
    }
    const double free = std::max(height - captions, 1.0);
    // Below every row when a row and its curve are both readable; else one curve for each timeline.
    const bool below = memoryRanks > 0 && free / (ranks + memoryRanks) >= kLeastCurveOfMany;
    double curve = 0;
    if (below)
        curve = free / (ranks + memoryRanks);
    else if (wantMemory > 0) {
        curve = std::clamp(free * 0.22 / wantMemory, kLeastCurve, kMostCurve);
        if ((free - wantMemory * curve) / ranks < kLeastRowBesideCurve) curve = 0;
    }
    const double row = (free - curve * (below ? memoryRanks : wantMemory)) / std::max(ranks, 1);

    std::vector<GanttBand> bands;
    double y = 0;
    const auto add = [&](GanttBand::Kind kind, int track, int rank, double high) {
        bands.push_back({kind, track, rank, y, y + high});
        y += high;
    };
    for (std::size_t t = 0; t < tracks.size(); ++t) {
        const GanttTrackShape& track = tracks[t];
        const int index = static_cast<int>(t);
        if (track.caption) add(GanttBand::Kind::Caption, index, 0, captionHeight);
        for (int rank = 0; rank < track.ranks; ++rank) {
            add(GanttBand::Kind::Rank, index, rank, row);
            if (track.memory && curve > 0 && (below || rank == track.memoryOf))
                add(GanttBand::Kind::Memory, index, rank, curve);
        }
    }
    return bands;
}

const GanttBand* bandAt(std::span<const GanttBand> bands, double y) {
    const auto found = std::partition_point(bands.begin(), bands.end(),
                                            [y](const GanttBand& band) { return band.bottom <= y; });
    return found != bands.end() && y >= found->top ? &*found : nullptr;
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

std::int64_t microBatchId(const pipeline::Schedule& schedule, const pipeline::Op& op) {
    return schedule.bidirectional ? op.chunk * schedule.spec.micro_batches + op.micro_batch : op.micro_batch;
}

std::vector<std::size_t> opsOfMicroBatch(const pipeline::Timeline& timeline, std::int64_t id) {
    std::vector<std::size_t> found;
    const auto& ops = timeline.schedule.ops;
    for (std::size_t i = 0; i < ops.size(); ++i)
        if (microBatchId(timeline.schedule, ops[i]) == id) found.push_back(i);
    return found;
}

std::vector<GanttLink> linksOfMicroBatch(const pipeline::Timeline& timeline, std::int64_t id) {
    constexpr auto kNone = static_cast<std::size_t>(-1);
    const pipeline::Schedule& schedule = timeline.schedule;
    struct Stage {
        std::size_t forward = kNone, backward = kNone, weight = kNone;
    };
    std::vector<Stage> stages(static_cast<std::size_t>(std::max<std::int64_t>(schedule.stages, 0)));
    for (const std::size_t i : opsOfMicroBatch(timeline, id)) {
        const pipeline::Op& op = schedule.ops[i];
        const auto at = static_cast<std::size_t>(schedule.stage(rankOf(timeline, i), op.chunk));
        if (at >= stages.size()) continue;
        Stage& stage = stages[at];
        (op.kind == pipeline::OpKind::forward       ? stage.forward
         : op.kind == pipeline::OpKind::weight_grad ? stage.weight
                                                    : stage.backward) = i;
    }
    std::vector<GanttLink> links;
    const auto link = [&](std::size_t from, std::size_t to) {
        if (from != kNone && to != kNone) links.push_back({from, to});
    };
    for (std::size_t s = 0; s < stages.size(); ++s) {
        const bool last = s + 1 == stages.size();
        if (s > 0) link(stages[s - 1].forward, stages[s].forward);
        link(last ? stages[s].forward : stages[s + 1].backward, stages[s].backward);
        link(stages[s].backward, stages[s].weight);
    }
    return links;
}

std::vector<double> columnMaxima(std::span<const double> times, std::span<const double> values,
                                 const LinearScale& time, int columns) {
    std::vector<double> maxima(static_cast<std::size_t>(std::max(columns, 0)), 0);
    std::size_t next = 0; // first point behind the column's left edge
    for (std::size_t c = 0; c < maxima.size(); ++c) {
        const double from = time.toValue(time.pixelFrom + static_cast<double>(c));
        const double to = time.toValue(time.pixelFrom + static_cast<double>(c) + 1);
        while (next < times.size() && times[next] <= from) ++next;
        double most = next > 0 ? values[next - 1] : 0;
        for (std::size_t i = next; i < times.size() && times[i] < to; ++i)
            if (i + 1 == times.size() || times[i + 1] > times[i]) most = std::max(most, values[i]);
        maxima[c] = most;
    }
    return maxima;
}

GanttShares sharesOf(const pipeline::Timeline& timeline, const GanttArea& area) {
    GanttShares shares;
    const double span = area.to - area.from;
    const int rows = area.lastRank - area.firstRank + 1;
    if (!hasOps(timeline) || !(span > 0) || rows <= 0) return shares;
    const double share = 1 / (span * rows);
    shares.idle = 1;
    for (int rank = area.firstRank; rank <= area.lastRank; ++rank) {
        const Bounds ops = opsOf(timeline, rank);
        for (std::size_t i = firstEndingAfter(timeline, ops, area.from); i < ops.last; ++i) {
            if (timeline.start[i] >= area.to) break;
            const double inside =
                (std::min(timeline.end[i], area.to) - std::max(timeline.start[i], area.from)) * share;
            const pipeline::Op& op = timeline.schedule.ops[i];
            const bool pair = op.with_next && i + 1 < ops.last;
            (pair ? shares.together : shares.kinds[static_cast<std::size_t>(op.kind)]) += inside;
            shares.idle -= inside;
            if (pair) ++i;
        }
    }
    shares.idle = std::max(shares.idle, 0.0); // sums that miss 1 by rounding
    return shares;
}

} // namespace shardlens
