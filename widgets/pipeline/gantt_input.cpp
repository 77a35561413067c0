// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and tooltips of the pipeline timeline.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <utility>

#include "pipeline/gantt_view.h"

namespace shardlens {

namespace {

constexpr double kDragPixels = 4;
constexpr double kKeyZoom = 1.4, kKeyPan = 0.15;

} // namespace

void GanttView::setVisibleRange(const VisibleRange& range) {
    const double end = endOfTime();
    m_visible = range.inside(end);
    m_whole = m_visible.span() >= end * (1 - 1e-9);
    m_plot->markDirty();
    update(m_frame.headingRow());
}

void GanttView::fit() { setVisibleRange({0, endOfTime()}); }

void GanttView::zoom(double factor) {
    setVisibleRange(m_visible.zoomed(factor, (m_visible.from + m_visible.to) / 2, endOfTime()));
}

const GanttBand* GanttView::bandAtPosition(const QPointF& position) const {
    const PlotFrame& frame = m_plot->frame();
    const QPointF inside = position - QPointF(m_plot->pos());
    if (!shown() || !frame.rect.contains(inside)) return nullptr;
    return bandAt(m_bands, frame.y.toValue(inside.y()));
}

double GanttView::timeAt(const QPointF& position) const {
    return std::clamp(m_plot->frame().x.toValue(position.x() - m_plot->x()), 0.0, endOfTime());
}

std::optional<GanttView::OpRef> GanttView::opAtPosition(const QPointF& position) const {
    const GanttBand* band = bandAtPosition(position);
    if (!band || band->kind != GanttBand::Kind::Rank) return {};
    const auto op = opAt(track(band->track).timeline(), band->rank, timeAt(position));
    if (!op) return {};
    return OpRef{band->track, *op};
}

QPointF GanttView::positionOf(const OpRef& ref) const {
    const pipeline::Timeline& timeline = track(ref.track).timeline();
    const GanttBand* row = rowOf(ref.track, rankOf(timeline, ref.op));
    return blockRect(*row, timeline.start[ref.op], timeline.end[ref.op], m_plot->frame()).center() +
           QPointF(m_plot->pos());
}

std::optional<QPointF> GanttView::positionOf(GanttBand::Kind kind, int track, int rank,
                                             double seconds) const {
    for (const GanttBand& band : m_bands)
        if (band.kind == kind && band.track == track && band.rank == rank)
            return QPointF(m_plot->frame().x.toPixel(seconds), bandRect(band, m_plot->frame()).center().y()) +
                   QPointF(m_plot->pos());
    return {};
}

std::vector<const StepInterval*> GanttView::intervalsAt(const Moment& moment) const {
    std::vector<const StepInterval*> found;
    const auto& ranks = track(moment.track).step.ranks;
    if (static_cast<std::size_t>(moment.rank) >= ranks.size()) return found;
    for (const StepInterval& interval : ranks[static_cast<std::size_t>(moment.rank)].intervals)
        if (interval.start_s <= moment.seconds && moment.seconds < interval.end_s) found.push_back(&interval);
    return found;
}

std::optional<GanttView::Moment> GanttView::moment() const {
    if (m_cursor) return m_cursor;
    if (interaction().selected().microBatch < 0 || m_selectedOp.track >= trackCount()) return {};
    const pipeline::Timeline& timeline = track(m_selectedOp.track).timeline();
    if (m_selectedOp.op >= timeline.start.size()) return {};
    return Moment{m_selectedOp.track, rankOf(timeline, m_selectedOp.op), timeline.start[m_selectedOp.op]};
}

void GanttView::setArea(const std::optional<GanttArea>& area) {
    if (area == m_area) return;
    m_area = area;
    m_plot->markOverlayDirty();
    readoutChanged();
}

// From where the button went down to here; the rows stay in the timeline it began in.
void GanttView::markTo(const QPointF& position) {
    const GanttBand* from = bandAtPosition(m_pressed);
    if (!from) return;
    const PlotFrame& frame = m_plot->frame();
    const double inside = std::clamp(position.y() - m_plot->y(), frame.rect.top(), frame.rect.bottom() - 1);
    const GanttBand* to = bandAt(m_bands, frame.y.toValue(inside));
    const int last = track(from->track).ranks() - 1;
    const int end = !to || to->track > from->track ? last : to->track < from->track ? 0 : to->rank;
    const double a = timeAt(m_pressed), b = timeAt(position);
    setArea(GanttArea{std::min(a, b), std::max(a, b), from->track, std::min(from->rank, end),
                      std::max(from->rank, end)});
}

void GanttView::mouseMoveEvent(QMouseEvent* event) {
    const PlotFrame& frame = m_plot->frame();
    const QPointF way = event->position() - m_pressed;
    if (m_drag == Drag::Marking) return markTo(event->position());
    if (m_drag == Drag::Panning || (m_drag == Drag::Pressed && std::abs(way.x()) >= kDragPixels)) {
        m_drag = Drag::Panning;
        setCursor(Qt::ClosedHandCursor);
        return setVisibleRange(m_pressedRange.moved(-way.x() / frame.x.pixelsPerUnit(), endOfTime()));
    }
    Target target;
    const GanttBand* band = bandAtPosition(event->position());
    const bool row = band && band->kind != GanttBand::Kind::Caption;
    m_cursor = row ? std::optional(Moment{band->track, band->rank, timeAt(event->position())}) : std::nullopt;
    if (row) {
        target.stage = band->rank;
        if (const auto op = opAtPosition(event->position())) {
            const auto& schedule = track(op->track).timeline().schedule;
            target.microBatch = microBatchId(schedule, schedule.ops[op->op]);
        } else if (band->track == 0) { // the explanation speaks of the plan
            target.path = band->kind == GanttBand::Kind::Memory
                              ? QStringLiteral("memory.stages.%1.activations_bytes").arg(band->rank)
                              : QStringLiteral("time.bubble_s");
        }
    }
    interaction().setHovered(target);
    m_plot->markOverlayDirty();
    readoutChanged();
}

void GanttView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !shown()) return;
    m_pressed = event->position();
    m_pressedRange = m_visible;
    const bool marks = (event->modifiers() & Qt::ShiftModifier) && bandAtPosition(m_pressed);
    m_drag = marks ? Drag::Marking : Drag::Pressed;
    setArea({});
    if (marks) setCursor(Qt::CrossCursor);
}

void GanttView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_drag == Drag::None) return;
    const Drag was = std::exchange(m_drag, Drag::None);
    unsetCursor();
    if (was != Drag::Pressed) return;
    if (const auto op = opAtPosition(event->position())) return selectOp(*op);
    // Clicking the hatch asks about the bubble, the curve about the activations.
    const GanttBand* band = bandAtPosition(event->position());
    interaction().setSelected(band ? interaction().hovered() : Target{});
}

void GanttView::selectOp(const OpRef& ref) {
    m_selectedOp = ref;
    const pipeline::Timeline& timeline = track(ref.track).timeline();
    Target target;
    target.stage = rankOf(timeline, ref.op);
    target.microBatch = microBatchId(timeline.schedule, timeline.schedule.ops[ref.op]);
    interaction().setSelected(target);
    readoutChanged(); // another operation of the same micro-batch and stage perhaps
}

void GanttView::wheelEvent(QWheelEvent* event) {
    if (!bandAtPosition(event->position())) return event->ignore();
    const QPoint turn = event->angleDelta();
    if (turn.x() != 0 && turn.y() == 0)
        setVisibleRange(m_visible.moved(-turn.x() / 120.0 * kKeyPan * m_visible.span(), endOfTime()));
    else
        setVisibleRange(
            m_visible.zoomed(std::pow(0.8, turn.y() / 120.0), timeAt(event->position()), endOfTime()));
    event->accept();
}

// W and S zoom, A and D move, F shows all, as in trace viewers; arrows walk over blocks and rows, with Shift
// they mark.
void GanttView::keyPressEvent(QKeyEvent* event) {
    if (!shown() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return ReportView::keyPressEvent(event);
    const double end = endOfTime();
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_W: return zoom(1 / kKeyZoom);
    case Qt::Key_Minus:
    case Qt::Key_S: return zoom(kKeyZoom);
    case Qt::Key_A: return setVisibleRange(m_visible.moved(-kKeyPan * m_visible.span(), end));
    case Qt::Key_D: return setVisibleRange(m_visible.moved(kKeyPan * m_visible.span(), end));
    case Qt::Key_F: return fit();
    case Qt::Key_C:
        return setColorBy(m_by == GanttColors::By::Kind ? GanttColors::By::MicroBatch
                                                        : GanttColors::By::Kind);
    case Qt::Key_M: return setMemoryShown(!m_memoryShown);
    case Qt::Key_Escape:
        m_areaAnchor.reset();
        if (m_area) return setArea({});
        if (interaction().selected().empty()) return ReportView::keyPressEvent(event);
        return interaction().setSelected({});
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return walk(event->key(), event->modifiers() & Qt::ShiftModifier);
    default: return ReportView::keyPressEvent(event);
    }
}

void GanttView::walk(int key, bool marking) {
    if (!marking) {
        m_areaAnchor.reset();
        setArea({});
    }
    const bool valid = m_selectedOp.track < trackCount() &&
                       m_selectedOp.op < track(m_selectedOp.track).timeline().start.size();
    const int selected = interaction().selected().stage;
    if (!valid || selected < 0 || selected >= track(m_selectedOp.track).ranks())
        return selectOp({0, shown()->timeline().schedule.first[0]});
    if (marking && !m_areaAnchor) m_areaAnchor = m_selectedOp;

    OpRef at = m_selectedOp;
    int rank = rankOf(track(at.track).timeline(), at.op);
    const auto bounds = [&](int track_, int rank_) {
        const auto& first = track(track_).timeline().schedule.first;
        const auto r = static_cast<std::size_t>(rank_);
        return std::pair(first[r], first[r + 1]);
    };
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const auto [first, last] = bounds(at.track, rank);
        at.op = key == Qt::Key_Right ? std::min(last - 1, at.op + 1) : std::max(first + 1, at.op) - 1;
    } else {
        // Beyond the last row comes the other timeline, except while marking.
        const double start = track(at.track).timeline().start[at.op];
        rank += key == Qt::Key_Down ? 1 : -1;
        if (rank >= track(at.track).ranks() && at.track + 1 < trackCount() && !marking) {
            ++at.track;
            rank = 0;
        } else if (rank < 0 && at.track > 0 && !marking) {
            --at.track;
            rank = track(at.track).ranks() - 1;
        }
        rank = std::clamp(rank, 0, track(at.track).ranks() - 1);
        const auto [first, last] = bounds(at.track, rank);
        const auto begin = track(at.track).timeline().end.begin();
        const auto found = std::upper_bound(begin + static_cast<std::ptrdiff_t>(first),
                                            begin + static_cast<std::ptrdiff_t>(last), start);
        at.op = std::min(static_cast<std::size_t>(found - begin), last - 1);
    }
    selectOp(at);
    const pipeline::Timeline& timeline = track(at.track).timeline();
    const double from = timeline.start[at.op], to = timeline.end[at.op];
    if (marking) {
        const std::size_t anchor = m_areaAnchor->op;
        const int anchorRank = rankOf(timeline, anchor);
        setArea(GanttArea{std::min(from, timeline.start[anchor]), std::max(to, timeline.end[anchor]),
                          at.track, std::min(rank, anchorRank), std::max(rank, anchorRank)});
    }
    if (from < m_visible.from || to > m_visible.to)
        setVisibleRange(m_visible.moved((from + to - m_visible.from - m_visible.to) / 2, endOfTime()));
}

void GanttView::leaveEvent(QEvent*) {
    m_cursor.reset();
    interaction().setHovered({});
    m_plot->markOverlayDirty();
    readoutChanged();
}

bool GanttView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ReportView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const QString text = tooltipAt(help->pos());
    if (text.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), text, this);
    return true;
}

} // namespace shardlens
