// SPDX-License-Identifier: GPL-3.0-or-later
// How the timeline is drawn: rows, memory, the micro-batch that is lit, the marked area.
#include <QPainter>
#include <QPainterPath>

#include "charts/stroke.h"
#include "format.h"
#include "pipeline/gantt_view.h"

namespace shardlens {

namespace {

constexpr double kThinnestPixels = 1.0;
constexpr double kArrowHead = 5; ///< at a stroke of one pixel
constexpr int kVeil = 150;       ///< of 255, over what is not lit

/// A line with a head at its end, where it is long enough to carry one.
void drawArrow(QPainter& painter, const QPointF& from, const QPointF& to, double head) {
    painter.drawLine(from, to);
    const QPointF way = to - from;
    const double length = std::hypot(way.x(), way.y());
    if (length < 2 * head) return;
    const QPointF along = way / length * head, across(-along.y() * 0.6, along.x() * 0.6);
    painter.drawPolygon(QPolygonF{{to, to - along + across, to - along - across}});
}

/// A label on a patch of paper, so that it reads on any fill.
void drawTag(QPainter& painter, LabelCache& labels, const QPointF& at, const QString& text, const QColor& ink,
             const QColor& paper) {
    painter.fillRect(QRectF(at, labels.size(text)).adjusted(-2, 0, 2, 0), paper);
    painter.setPen(ink);
    labels.draw(painter, at, text);
}

} // namespace

QRectF GanttView::bandRect(const GanttBand& band, const PlotFrame& frame) const {
    const double top = std::round(frame.y.toPixel(band.top)),
                 bottom = std::round(frame.y.toPixel(band.bottom));
    return {frame.rect.left(), top, frame.rect.width(), std::max(1.0, bottom - top)};
}

QRectF GanttView::blockRect(const GanttBand& band, double start, double end, const PlotFrame& frame) const {
    const double left = std::round(std::max(frame.x.toPixel(start), frame.rect.left() - 8));
    const double right = std::round(std::min(frame.x.toPixel(end), frame.rect.right() + 8));
    const double gap = rowGap(band.height());
    const double top = std::round(frame.y.toPixel(band.top + gap / 2));
    const double height = std::max(1.0, std::round(frame.y.toPixel(band.bottom - gap / 2)) - top);
    return {left, top, std::max(1.0, right - left), height};
}

const GanttBand* GanttView::rowOf(int track, int rank) const {
    const auto found = std::find_if(m_bands.begin(), m_bands.end(), [&](const GanttBand& band) {
        return band.kind == GanttBand::Kind::Rank && band.track == track && band.rank == rank;
    });
    return found == m_bands.end() ? nullptr : &*found;
}

void GanttView::drawPlot(QPainter& painter, const PlotFrame& frame) {
    if (!shown()) return;
    std::int64_t most = 0;
    for (const Track& track : m_tracks) most = std::max(most, track.timeline().schedule.spec.micro_batches);
    m_stroke = strokePixels(font());
    m_numberSize = m_frame.labels().size(QString::number(std::max<qint64>(most - 1, 0)));
    double lastTop = -1;
    for (const GanttBand& band : m_bands) {
        switch (band.kind) {
        case GanttBand::Kind::Caption: drawCaption(painter, band, frame); break;
        case GanttBand::Kind::Memory: drawMemory(painter, band, frame); break;
        case GanttBand::Kind::Rank: {
            const double top = blockRect(band, 0, 1, frame).top();
            if (top == lastTop) break; // more ranks than pixels
            lastTop = top;
            drawRow(painter, band, frame);
        }
        }
    }
}

void GanttView::drawRow(QPainter& painter, const GanttBand& band, const PlotFrame& frame) {
    const Track& shown = track(band.track);
    const QRectF row = blockRect(band, 0, endOfTime(), frame).intersected(frame.rect);
    // Idle ends with the step of this timeline; the other one may take longer.
    paintFill(painter, blockRect(band, 0, shown.end(), frame).intersected(frame.rect), m_colors.idle(),
              m_vector);
    m_spans.clear();
    layOutRank(shown.timeline(), band.rank, frame.x, kThinnestPixels, m_spans);
    if (!m_vector && static_cast<double>(m_spans.size()) > frame.rect.width() / 4) {
        drawDenseRow(painter, row, shown, frame);
    } else {
        // All numbers of blocks as long or none: the grid of pixels makes some of them a pixel longer.
        const double least = (m_numberSize.width() + 5) / frame.x.pixelsPerUnit();
        for (const GanttSpan& span : m_spans)
            drawSpan(painter, shown, span, blockRect(band, span.start, span.end, frame),
                     span.end - span.start >= least);
    }
    drawStepParts(painter, band, frame);
}

// Where blocks are a few pixels wide a row is one line of pixels, stretched: a tenth of the time of as many
// rectangles.
void GanttView::drawDenseRow(QPainter& painter, const QRectF& row, const Track& track,
                             const PlotFrame& frame) {
    const int width = static_cast<int>(row.width());
    if (m_line.width() != width) m_line = QImage(width, 1, QImage::Format_ARGB32_Premultiplied);
    m_line.fill(Qt::transparent);
    auto* pixels = reinterpret_cast<QRgb*>(m_line.scanLine(0));
    const double perUnit = frame.x.pixelsPerUnit(), origin = frame.x.toPixel(0) - row.left();
    for (const GanttSpan& span : m_spans) {
        const int left = std::clamp(static_cast<int>(origin + span.start * perUnit + 0.5), 0, width - 1);
        const int right = std::clamp(static_cast<int>(origin + span.end * perUnit + 0.5), left + 1, width);
        const pipeline::Op& op = track.timeline().schedule.ops[span.first];
        const QRgb color = span.merged       ? m_colors.blend(span.kindBusy, span.end - span.start)
                           : span.overlapped ? m_colors.overlapped()
                                             : m_colors.fill(op).color.rgb();
        std::fill(pixels + left, pixels + right, color);
    }
    painter.drawImage(row, m_line);
}

void GanttView::drawSpan(QPainter& painter, const Track& track, const GanttSpan& span, const QRectF& rect,
                         bool numbered) {
    if (span.merged)
        return painter.fillRect(rect, QColor(m_colors.blend(span.kindBusy, span.end - span.start)));
    const auto& ops = track.timeline().schedule.ops;
    const auto block = [&](const pipeline::Op& op, const QRectF& at) {
        drawBlock(painter, m_colors.fill(op), at, numbered ? QString::number(op.micro_batch) : QString());
    };
    if (!span.overlapped) return block(ops[span.first], rect);
    const double half = std::round(rect.height() / 2);
    block(ops[span.first], QRectF(rect.left(), rect.top(), rect.width(), half));
    block(ops[span.first + 1], QRectF(rect.left(), rect.top() + half, rect.width(), rect.height() - half));
}

void GanttView::drawBlock(QPainter& painter, const GanttFill& look, const QRectF& rect, const QString& text) {
    paintFill(painter, rect, look, m_vector);
    if (rect.width() < 8 * m_stroke || rect.height() < 8 * m_stroke) {
        // A full outline would be most of the block.
        if (rect.width() >= 3 * m_stroke)
            painter.fillRect(QRectF(rect.left(), rect.top(), m_stroke, rect.height()), look.outline);
        return;
    }
    paintFrame(painter, rect, look.outline, m_stroke);
    // All numbers of this width or none: single digits alone would look like the end of the work.
    if (rect.width() < m_numberSize.width() + 4 || rect.height() + 2 < m_numberSize.height()) return;
    if (text.isEmpty()) return;
    LabelCache& labels = m_frame.labels();
    const QSizeF size = labels.size(text);
    if (size.width() + 4 > rect.width()) return;
    if (look.pattern != Pattern::Solid) // the pattern would run through the letters
        painter.fillRect(QRectF(rect.center() - QPointF(size.width() / 2 + 1, size.height() / 2 - 2),
                                QSizeF(size.width() + 2, size.height() - 4))
                             .toRect()
                             .intersected(rect.toRect().adjusted(m_stroke, m_stroke, -m_stroke, -m_stroke)),
                         look.color);
    painter.setPen(look.text);
    labels.drawCentred(painter, rect.center(), text);
}

// What nothing hides stands in the row as a block of its own, what runs beside operations as a strip on their
// lower edge.
void GanttView::drawStepParts(QPainter& painter, const GanttBand& band, const PlotFrame& frame) {
    const auto& ranks = track(band.track).step.ranks;
    if (static_cast<std::size_t>(band.rank) >= ranks.size()) return;
    for (const StepInterval& interval : ranks[static_cast<std::size_t>(band.rank)].intervals) {
        if (interval.end_s < m_visible.from || interval.start_s > m_visible.to ||
            !(interval.end_s > interval.start_s))
            continue;
        QRectF rect = blockRect(band, interval.start_s, interval.end_s, frame);
        if (!interval.exposed) {
            if (rect.height() < 6) continue;
            rect.setTop(rect.bottom() - std::clamp(std::round(rect.height() * 0.28), 3.0, 12.0 * m_stroke));
        }
        const GanttFill& look = m_colors.fill(interval.part);
        drawBlock(painter, look, rect, interval.exposed ? partName(interval.part) : QString());
    }
}

void GanttView::drawMemory(QPainter& painter, const GanttBand& band, const PlotFrame& frame) {
    const MemoryCurve& held = curve(band.track, band.rank);
    const Track& shown = track(band.track);
    QRectF area = bandRect(band, frame).adjusted(0, 1, 0, -3);
    const double capacity = shown.report->memory.capacity_bytes;
    const double most = std::max(held.peak_bytes(), capacity) * 1.06;
    if (held.bytes.empty() || !(most > 0) || area.height() < 8) return;
    const LinearScale y{0, most, area.bottom(), area.top()};
    const int columns = static_cast<int>(area.width());
    const std::vector<double> tops = columnMaxima(held.time_s, held.bytes, frame.x, columns);
    const double base = std::round(y.toPixel(held.base_bytes));
    const double end = std::min(frame.x.toPixel(shown.end()), area.right());

    const GanttFill& stays = m_colors.stays();
    const GanttFill& activations = m_colors.activations();
    if (end > area.left())
        paintFill(painter, QRectF(area.left(), base, end - area.left(), area.bottom() - base), stays,
                  m_vector);
    QPainterPath line;
    double last = base;
    for (int c = 0; c < columns && area.left() + c < end;) {
        int to = c + 1;
        while (to < columns && tops[static_cast<std::size_t>(to)] == tops[static_cast<std::size_t>(c)]) ++to;
        const double left = area.left() + c, right = std::min(area.left() + to, end);
        const double top = std::round(y.toPixel(tops[static_cast<std::size_t>(c)]));
        if (top < base)
            paintFill(painter, QRectF(left, top, right - left, base - top), activations, m_vector);
        if (c == 0)
            line.moveTo(left, top);
        else if (top != last)
            line.lineTo(left, top);
        line.lineTo(right, top);
        last = top;
        c = to;
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(activations.outline, m_stroke));
    painter.drawPath(line);
    painter.setPen(QPen(theme().grid(), m_stroke));
    painter.drawLine(QPointF(area.left(), area.bottom()), QPointF(area.right(), area.bottom()));

    LabelCache& labels = m_frame.labels();
    const double high = labels.size(QStringLiteral("0")).height();
    QColor paper = theme().card();
    paper.setAlpha(215);
    const QColor limit = theme().color(Role::Capacity);
    if (capacity > 0) {
        const double at = std::round(y.toPixel(capacity));
        painter.setPen(QPen(limit, m_stroke, Qt::DashLine));
        painter.drawLine(QPointF(area.left(), at), QPointF(area.right(), at));
    }
    if (area.height() < high + 6) return;
    const QString room = tr("capacity %1").arg(formatBytes(capacity));
    const QString peak = tr("S%1 memory: peak %2 at %3, %4")
                             .arg(band.rank)
                             .arg(formatBytes(held.peak_bytes()), formatSeconds(held.peak_time_s()),
                                  QString::fromStdString(held.peak_name));
    const double roomWidth = labels.size(room).width(), peakWidth = labels.size(peak).width();
    if (capacity > 0 && roomWidth + 12 < area.width()) {
        const double at = std::clamp(y.toPixel(capacity) + 1, area.top(), area.bottom() - high);
        drawTag(painter, labels, {area.right() - roomWidth - 4, at}, room, limit, paper);
    }
    if (peakWidth + 12 < area.width()) {
        // On what stays, which moves least; else above the curve where there is room.
        const bool onBase = area.bottom() - base >= high && end - area.left() > peakWidth + 8;
        const double above = y.toPixel(held.peak_bytes()) - high - 6;
        if (onBase)
            drawTag(painter, labels, {area.left() + 5, area.bottom() - high}, peak, stays.text, stays.color);
        else if (above > area.top() && peakWidth + roomWidth + 24 < area.width())
            drawTag(painter, labels, {area.left() + 5, above}, peak, theme().text(), paper);
    }
    const double peakX = frame.x.toPixel(held.peak_time_s()),
                 peakY = std::round(y.toPixel(held.peak_bytes()));
    if (peakX >= area.left() && peakX <= area.right()) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme().text());
        painter.drawPolygon(
            QPolygonF{{QPointF(peakX, peakY), QPointF(peakX - 3 * m_stroke, peakY - 5 * m_stroke),
                       QPointF(peakX + 3 * m_stroke, peakY - 5 * m_stroke)}});
    }
}

void GanttView::drawCaption(QPainter& painter, const GanttBand& band, const PlotFrame& frame) {
    const QRectF area = bandRect(band, frame);
    LabelCache& labels = m_frame.labels();
    const QString text = QFontMetrics(font()).elidedText(trackText(band.track), Qt::ElideRight,
                                                         static_cast<int>(area.width()));
    painter.setPen(theme().text());
    labels.draw(painter, {area.left() + 2, area.top() + 2}, text);
}

void GanttView::drawPlotOverlay(QPainter& painter, const PlotFrame& frame) {
    if (!shown()) return;
    const Target& selected = interaction().selected();
    const Target& hovered = interaction().hovered();
    if (selected.microBatch >= 0) lightUp(painter, frame, selected.microBatch);
    const auto frameRow = [&](int rank, const QColor& color) {
        for (const GanttBand& band : m_bands)
            if (band.kind == GanttBand::Kind::Rank && band.rank == rank)
                paintFrame(
                    painter,
                    blockRect(band, m_visible.from, m_visible.to, frame).adjusted(0, -m_stroke, 0, m_stroke),
                    color, m_stroke);
    };
    if (selected.stage >= 0) frameRow(selected.stage, theme().color(Role::Highlight));
    if (hovered.stage >= 0 && hovered.stage != selected.stage) frameRow(hovered.stage, theme().mutedText());
    if (hovered.microBatch >= 0 && hovered.microBatch != selected.microBatch)
        frameMicroBatch(painter, frame, hovered.microBatch, theme().text());
    if (m_cursor) {
        const double x = std::round(frame.x.toPixel(m_cursor->seconds));
        painter.setPen(QPen(theme().mutedText(), m_stroke, Qt::DotLine));
        painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, frame.rect.bottom()));
    }
    drawArea(painter, frame);
}

// The way of a micro-batch: everything else steps back behind a veil, arrows lead from stage to stage.
void GanttView::lightUp(QPainter& painter, const PlotFrame& frame, qint64 microBatch) {
    QColor veil = theme().card();
    veil.setAlpha(kVeil);
    for (std::size_t i = 0; i < m_bands.size();) {
        std::size_t last = i;
        while (last + 1 < m_bands.size() && m_bands[last + 1].kind == m_bands[i].kind) ++last;
        if (m_bands[i].kind == GanttBand::Kind::Rank) {
            const QRectF top = bandRect(m_bands[i], frame), bottom = bandRect(m_bands[last], frame);
            painter.fillRect(QRectF(top.topLeft(), bottom.bottomRight()), veil);
        }
        i = last + 1;
    }
    frameMicroBatch(painter, frame, microBatch, theme().color(Role::Highlight));
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme().color(Role::Highlight), 1.2 * m_stroke));
    painter.setBrush(theme().color(Role::Highlight));
    const double head = kArrowHead * m_stroke;
    for (int t = 0; t < trackCount(); ++t) {
        const pipeline::Timeline& timeline = track(t).timeline();
        for (const GanttLink& link : linksOfMicroBatch(timeline, microBatch)) {
            const double from = timeline.end[link.from], to = timeline.start[link.to];
            if (to < m_visible.from || from > m_visible.to) continue;
            const GanttBand *above = rowOf(t, rankOf(timeline, link.from)),
                            *below = rowOf(t, rankOf(timeline, link.to));
            if (!above || !below) continue;
            const QRectF a = blockRect(*above, from, from, frame), b = blockRect(*below, to, to, frame);
            // Unclamped: an arrow from outside the window keeps its direction.
            const QPointF start(frame.x.toPixel(from), a.center().y()),
                stop(frame.x.toPixel(to), b.center().y());
            if (above == below && stop.x() - start.x() < 2 * head) continue; // back to back
            drawArrow(painter, start, stop, head);
        }
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void GanttView::frameMicroBatch(QPainter& painter, const PlotFrame& frame, qint64 microBatch,
                                const QColor& color) {
    const double least = 3 * m_stroke; // a lit block is seen however far out the view is
    for (int t = 0; t < trackCount(); ++t) {
        const pipeline::Timeline& timeline = track(t).timeline();
        for (const std::size_t i : opsOfMicroBatch(timeline, microBatch)) {
            if (timeline.end[i] < m_visible.from || timeline.start[i] > m_visible.to) continue;
            const int rank = rankOf(timeline, i);
            const GanttBand* row = rowOf(t, rank);
            if (!row) continue;
            QRectF rect = blockRect(*row, timeline.start[i], timeline.end[i], frame);
            const double half = std::round(rect.height() / 2);
            const auto first = timeline.schedule.first[static_cast<std::size_t>(rank)];
            if (timeline.schedule.ops[i].with_next)
                rect.setHeight(half);
            else if (i > first && timeline.schedule.ops[i - 1].with_next)
                rect.setTop(rect.top() + half);
            if (rect.width() < least) {
                painter.fillRect(QRectF(rect.left() - 1, rect.top(), least, rect.height()), color);
                continue;
            }
            drawBlock(painter, m_colors.fill(timeline.schedule.ops[i]), rect,
                      QString::number(timeline.schedule.ops[i].micro_batch));
            paintMark(painter, rect.adjusted(-1, -1, 1, 1), color, theme().card(),
                      rect.width() > 6 * m_stroke ? 2 * m_stroke : 1);
        }
    }
}

void GanttView::drawArea(QPainter& painter, const PlotFrame& frame) {
    if (!m_area) return;
    const GanttBand *first = rowOf(m_area->track, m_area->firstRank),
                    *last = rowOf(m_area->track, m_area->lastRank);
    if (!first || !last) return;
    const QRectF top = blockRect(*first, m_area->from, m_area->to, frame);
    const QRectF bottom = blockRect(*last, m_area->from, m_area->to, frame);
    const QRectF rect(top.topLeft(), bottom.bottomRight());
    QColor tint = theme().accent();
    tint.setAlpha(48);
    painter.fillRect(rect, tint);
    paintMark(painter, rect.adjusted(-1, -1, 1, 1), theme().text(), theme().card(), m_stroke);
}

int GanttView::drawLegend(QPainter* painter, const QRect& area) {
    if (!shown()) return 0;
    LegendPainter legend(painter, m_frame.labels(), theme(), area);
    const auto add = [&](const GanttFill& fill, const QString& name) {
        legend.add([&](QPainter& to, const QRect& swatch) { paintFill(to, swatch, fill, true); },
                   fill.outline, name);
    };
    for (std::size_t kind = 0; kind < m_kindsSeen.size(); ++kind)
        if (m_kindsSeen[kind])
            add(m_colors.legend(static_cast<pipeline::OpKind>(kind)),
                kindName(static_cast<pipeline::OpKind>(kind)));
    add(m_colors.idle(), tr("idle"));
    for (const StepPart part : m_partsSeen) add(m_colors.fill(part), partName(part));
    if (hasMemoryBands()) {
        add(m_colors.stays(), tr("stays in memory"));
        add(m_colors.activations(), tr("activations"));
    }
    return legend.height();
}

} // namespace shardlens
