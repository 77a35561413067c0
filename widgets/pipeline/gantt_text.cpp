// SPDX-License-Identifier: GPL-3.0-or-later
// What the timeline says in words: heading, notes, tooltips, the line below the plot.
#include "controls/core_text.h"
#include "controls/quantity.h"
#include "format.h"
#include "pipeline/gantt_view.h"
#include "plan/fields.h"

namespace shardlens {

QString GanttView::kindName(pipeline::OpKind kind) const {
    switch (kind) {
    case pipeline::OpKind::forward: return tr("forward");
    case pipeline::OpKind::backward: return tr("backward");
    case pipeline::OpKind::input_grad: return tr("input gradient");
    case pipeline::OpKind::weight_grad: return tr("weight gradient");
    }
    return {};
}

QString GanttView::partName(StepPart part) const {
    switch (part) {
    case StepPart::grad_reduce: return tr("reduce gradients");
    case StepPart::param_gather: return tr("gather parameters");
    case StepPart::optimizer: return tr("optimizer");
    case StepPart::offload: return tr("offload");
    case StepPart::other: return tr("other");
    }
    return {};
}

QString GanttView::microBatchName(const Track& track, qint64 id) const {
    const auto& schedule = track.timeline().schedule;
    if (!schedule.bidirectional) return tr("micro-batch %1").arg(id);
    const qint64 both = std::max<qint64>(schedule.spec.micro_batches, 1);
    return tr("micro-batch %1 of direction %2").arg(id % both).arg(id / both);
}

QString GanttView::heading() const {
    if (!shown()) return m_title;
    const auto& spec = shown()->timeline().schedule.spec;
    if (spec.ranks == 1)
        return spec.micro_batches == 1 ? tr("%1: one stage, one micro-batch, no bubble").arg(m_title)
                                       : tr("%1: one stage, %2 micro-batches one after another, no bubble")
                                             .arg(m_title)
                                             .arg(spec.micro_batches);
    return tr("%1 %2: %3 × %4, bubble %5")
        .arg(m_title, translatedChoice(toQString(to_string(spec.kind))),
             tr("%n stage(s)", nullptr, static_cast<int>(spec.ranks)),
             tr("%n micro-batch(es)", nullptr, static_cast<int>(spec.micro_batches)),
             formatPercent(report()->time.bubble_fraction));
}

QString GanttView::note() const {
    if (!shown()) return {};
    const qint64 selected = interaction().selected().microBatch;
    if (selected >= 0) return tr("%1 lit").arg(microBatchName(*shown(), selected));
    if (!m_whole)
        return (m_vector ? tr("%1 of %2 shown") : tr("%1 of %2 shown, F shows all"))
            .arg(formatSeconds(m_visible.span()), formatSeconds(endOfTime()));
    // A timeline of more than a million operations is drawn in part.
    const auto& setup = report()->setup;
    const qint64 drawn = shown()->timeline().schedule.spec.micro_batches;
    if (setup && setup->micro_batches > drawn)
        return tr("the first %1 of %2 micro-batches are drawn").arg(drawn).arg(setup->micro_batches);
    return m_vector ? QString() : tr("wheel zooms, drag moves"); // a picture does not move
}

QString GanttView::description() const {
    if (!shown()) return emptyReason();
    const auto& spec = shown()->timeline().schedule.spec;
    QString text =
        tr("Pipeline of %1 with %2: %3, of which %4 idle.")
            .arg(tr("%n stage(s)", nullptr, static_cast<int>(spec.ranks)),
                 tr("%n micro-batch(es)", nullptr, static_cast<int>(spec.micro_batches)),
                 formatSeconds(shown()->timeline().makespan), formatPercent(report()->time.bubble_fraction));
    if (trackCount() > 1) text += QLatin1Char(' ') + tr("Below it: %1").arg(trackText(1));
    return text;
}

QString GanttView::trackText(int index) const {
    const Track& shown = track(index);
    const Report& report = *shown.report;
    const QString name = index == 0 ? tr("this plan") : shown.name.isEmpty() ? tr("pinned plan") : shown.name;
    return tr("%1: %2, step %3, bubble %4, peak %5")
        .arg(name, translatedChoice(toQString(to_string(shown.timeline().schedule.spec.kind))),
             formatSeconds(report.time.step_s), formatPercent(report.time.bubble_fraction),
             formatBytes(report.memory.peak_bytes));
}

QString GanttView::tooltipFor(const OpRef& ref) const {
    const pipeline::Timeline& timeline = track(ref.track).timeline();
    const auto& ops = timeline.schedule.ops;
    const bool chunks = timeline.schedule.spec.chunks > 1;
    const auto line = [&](const pipeline::Op& one) {
        QString text = tr("%1 of micro-batch %2").arg(kindName(one.kind)).arg(one.micro_batch);
        if (chunks)
            text += timeline.schedule.bidirectional ? tr(", direction %1").arg(one.chunk)
                                                    : tr(", chunk %1").arg(one.chunk);
        return text;
    };
    const std::size_t op = ref.op;
    QString text = tr("Stage %1: %2").arg(rankOf(timeline, op)).arg(line(ops[op]));
    if (ops[op].with_next && op + 1 < ops.size()) text += tr(", together with %1").arg(line(ops[op + 1]));
    text += QLatin1Char('\n') +
            tr("starts at %1, takes %2")
                .arg(formatSeconds(timeline.start[op]), formatSeconds(timeline.end[op] - timeline.start[op]));
    return text;
}

QString GanttView::holdsText(const Moment& moment) const {
    const Track& shown = track(moment.track);
    const MemoryCurve& held = curve(moment.track, moment.rank);
    const auto live = live_at(*shown.report, moment.rank, moment.seconds);
    const QString at = formatSeconds(moment.seconds);
    const QString bytes = held.bytes.empty() ? QString() : formatBytes(held.at(moment.seconds));
    const QString names = QString::fromStdString(live_text(live, shown.timeline().schedule.spec.chunks > 1));
    if (names.isEmpty())
        return bytes.isEmpty()
                   ? tr("at %1 stage %2 holds no activations").arg(at).arg(moment.rank)
                   : tr("at %1 stage %2 holds no activations: %3").arg(at).arg(moment.rank).arg(bytes);
    return bytes.isEmpty() ? tr("at %1 stage %2 holds %3").arg(at).arg(moment.rank).arg(names)
                           : tr("at %1 stage %2 holds %3: %4").arg(at).arg(moment.rank).arg(names, bytes);
}

QString GanttView::areaText(const GanttArea& area, bool brief) const {
    constexpr std::array kLetters{u'F', u'B', u'I', u'W'}; // as in the names of operations
    const GanttShares shares = sharesOf(track(area.track).timeline(), area);
    QStringList parts;
    const auto add = [&](const QString& name, double share) {
        if (share > 0) parts << tr("%1 %2").arg(name, formatPercent(share));
    };
    for (std::size_t kind = 0; kind < shares.kinds.size(); ++kind)
        add(brief ? QString(kLetters[kind]) : kindName(static_cast<pipeline::OpKind>(kind)),
            shares.kinds[kind]);
    add(brief ? QStringLiteral("F+B") : tr("forward and backward together"), shares.together);
    add(tr("idle"), shares.idle);
    const QString rows = area.firstRank == area.lastRank
                             ? tr("stage %1").arg(area.firstRank)
                             : tr("stages %1 to %2").arg(area.firstRank).arg(area.lastRank);
    return tr("%1, %2 to %3: %4")
        .arg(rows, formatSeconds(area.from), formatSeconds(area.to), parts.join(tr(", ")));
}

QString GanttView::readout() const {
    if (!shown()) return {};
    if (m_area) return areaText(*m_area, false);
    if (const auto at = moment()) return holdsText(*at);
    if (m_vector) return trackText(0);
    return tr("Point at a row: what the stage holds. Shift and drag: shares of an area.");
}

QString GanttView::tooltipAt(const QPointF& position) const {
    const GanttBand* band = bandAtPosition(position);
    if (!band || band->kind == GanttBand::Kind::Caption) return {};
    const Moment at{band->track, band->rank, timeAt(position)};
    const QString holds = holdsText(at);
    if (band->kind == GanttBand::Kind::Memory) {
        const MemoryCurve& held = curve(at.track, at.rank);
        return holds + QLatin1Char('\n') +
               tr("%1 stay for the whole step; peak %2 at %3 (%4)")
                   .arg(formatBytes(held.base_bytes), formatBytes(held.peak_bytes()),
                        formatSeconds(held.peak_time_s()), QString::fromStdString(held.peak_name));
    }
    QStringList lines;
    if (const auto op = opAtPosition(position)) lines << tooltipFor(*op);
    for (const StepInterval* interval : intervalsAt(at))
        lines << (interval->exposed ? tr("Stage %1: %2, %3 to %4") : tr("Stage %1: %2, %3 to %4, hidden"))
                     .arg(at.rank)
                     .arg(partName(interval->part), formatSeconds(interval->start_s),
                          formatSeconds(interval->end_s));
    if (lines.isEmpty()) lines << tr("Stage %1 waits").arg(at.rank);
    lines << holds;
    return lines.join(QLatin1Char('\n'));
}

} // namespace shardlens
