// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and tooltips of the pipeline timeline.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <utility>

#include "format.h"
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

std::optional<std::size_t> GanttView::opAtPosition(const QPointF& position) const {
    const auto* shown = timeline();
    if (!shown) return {};
    const PlotFrame& frame = m_plot->frame();
    const QPointF inside = position - QPointF(m_plot->pos());
    const auto row = rows(frame).rowAt(inside.y());
    if (!row || !frame.rect.contains(inside)) return {};
    return opAt(*shown, *row, frame.x.toValue(inside.x()));
}

QPointF GanttView::positionOf(std::size_t op) const {
    const auto* shown = timeline();
    const QRectF rect = rectOf(shown->start[op], shown->end[op], rankOf(*shown, op), m_plot->frame());
    return rect.center() + QPointF(m_plot->pos());
}

QString GanttView::tooltipFor(std::size_t op) const {
    const auto* shown = timeline();
    const auto& ops = shown->schedule.ops;
    const bool chunks = shown->schedule.spec.chunks > 1;
    const auto line = [&](const pipeline::Op& one) {
        QString text = tr("%1 of micro-batch %2").arg(kindName(one.kind)).arg(one.micro_batch);
        if (chunks)
            text += shown->schedule.bidirectional ? tr(", direction %1").arg(one.chunk)
                                                  : tr(", chunk %1").arg(one.chunk);
        return text;
    };
    QString text = tr("Stage %1: %2").arg(rankOf(*shown, op)).arg(line(ops[op]));
    if (ops[op].with_next && op + 1 < ops.size()) text += tr(", together with %1").arg(line(ops[op + 1]));
    text += QLatin1Char('\n') +
            tr("starts at %1, takes %2")
                .arg(formatSeconds(shown->start[op]), formatSeconds(shown->end[op] - shown->start[op]));
    return text;
}

void GanttView::mouseMoveEvent(QMouseEvent* event) {
    const PlotFrame& frame = m_plot->frame();
    if (m_pressing && (m_dragging || std::abs(event->position().x() - m_pressed.x()) >= kDragPixels)) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
        const double by = (m_pressed.x() - event->position().x()) / frame.x.pixelsPerUnit();
        return setVisibleRange(m_pressedRange.moved(by, endOfTime()));
    }
    Target target;
    if (const auto op = opAtPosition(event->position())) {
        target.stage = rankOf(*timeline(), *op);
        target.microBatch = timeline()->schedule.ops[*op].micro_batch;
    } else if (timeline() && frame.rect.contains(event->position() - QPointF(m_plot->pos()))) {
        const auto row = rows(frame).rowAt(event->position().y() - m_plot->y());
        target.stage = row.value_or(-1);
        if (row) target.path = QStringLiteral("time.bubble_s");
    }
    interaction().setHovered(target);
}

void GanttView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !timeline()) return;
    m_pressing = true;
    m_dragging = false;
    m_pressed = event->position();
    m_pressedRange = m_visible;
}

void GanttView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !m_pressing) return;
    m_pressing = false;
    unsetCursor();
    if (std::exchange(m_dragging, false)) return;
    if (const auto op = opAtPosition(event->position())) return selectOp(*op);
    // Clicking the hatch asks about the bubble.
    Target target = interaction().hovered();
    if (!m_plot->frame().rect.contains(event->position() - QPointF(m_plot->pos()))) target = {};
    interaction().setSelected(target);
}

void GanttView::selectOp(std::size_t op) {
    m_selectedOp = op;
    Target target;
    target.stage = rankOf(*timeline(), op);
    target.microBatch = timeline()->schedule.ops[op].micro_batch;
    interaction().setSelected(target);
}

void GanttView::wheelEvent(QWheelEvent* event) {
    const PlotFrame& frame = m_plot->frame();
    const QPointF inside = event->position() - QPointF(m_plot->pos());
    if (!timeline() || !frame.rect.contains(inside)) return event->ignore();
    const QPoint turn = event->angleDelta();
    if (turn.x() != 0 && turn.y() == 0)
        setVisibleRange(m_visible.moved(-turn.x() / 120.0 * kKeyPan * m_visible.span(), endOfTime()));
    else
        setVisibleRange(
            m_visible.zoomed(std::pow(0.8, turn.y() / 120.0), frame.x.toValue(inside.x()), endOfTime()));
    event->accept();
}

// W and S zoom, A and D move, F shows all, as in trace viewers; arrows walk over blocks and rows.
void GanttView::keyPressEvent(QKeyEvent* event) {
    const auto* shown = timeline();
    if (!shown || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return ReportView::keyPressEvent(event);
    const double end = endOfTime(), middle = (m_visible.from + m_visible.to) / 2;
    switch (event->key()) {
    case Qt::Key_W: return setVisibleRange(m_visible.zoomed(1 / kKeyZoom, middle, end));
    case Qt::Key_S: return setVisibleRange(m_visible.zoomed(kKeyZoom, middle, end));
    case Qt::Key_A: return setVisibleRange(m_visible.moved(-kKeyPan * m_visible.span(), end));
    case Qt::Key_D: return setVisibleRange(m_visible.moved(kKeyPan * m_visible.span(), end));
    case Qt::Key_F: return fit();
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: break;
    default: return ReportView::keyPressEvent(event);
    }
    const int ranks = static_cast<int>(shown->schedule.spec.ranks);
    if (interaction().selected().stage < 0 || interaction().selected().stage >= ranks ||
        m_selectedOp >= shown->start.size())
        m_selectedOp = shown->schedule.first[0];
    else if (event->key() == Qt::Key_Left || event->key() == Qt::Key_Right) {
        const auto row = static_cast<std::size_t>(rankOf(*shown, m_selectedOp));
        const std::size_t first = shown->schedule.first[row], last = shown->schedule.first[row + 1] - 1;
        m_selectedOp = event->key() == Qt::Key_Right ? std::min(last, m_selectedOp + 1)
                                                     : std::max(first + 1, m_selectedOp) - 1;
    } else {
        const int row =
            std::clamp(rankOf(*shown, m_selectedOp) + (event->key() == Qt::Key_Down ? 1 : -1), 0, ranks - 1);
        const auto r = static_cast<std::size_t>(row);
        const std::size_t first = shown->schedule.first[r], last = shown->schedule.first[r + 1];
        const auto begin = shown->end.begin();
        const auto found =
            std::upper_bound(begin + static_cast<std::ptrdiff_t>(first),
                             begin + static_cast<std::ptrdiff_t>(last), shown->start[m_selectedOp]);
        m_selectedOp = std::min(static_cast<std::size_t>(found - begin), last - 1);
    }
    selectOp(m_selectedOp);
    const double from = shown->start[m_selectedOp], to = shown->end[m_selectedOp];
    if (from < m_visible.from || to > m_visible.to)
        setVisibleRange(m_visible.moved((from + to) / 2 - middle, end));
}

void GanttView::leaveEvent(QEvent*) { interaction().setHovered({}); }

bool GanttView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ReportView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto op = opAtPosition(help->pos());
    if (op)
        QToolTip::showText(help->globalPos(), tooltipFor(*op), this);
    else
        QToolTip::hideText();
    return true;
}

} // namespace shardlens
