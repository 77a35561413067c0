// SPDX-License-Identifier: GPL-3.0-or-later
// Mouse, wheel, keys and tooltips of the cluster map.
#include <QHelpEvent>
#include <QKeyEvent>
#include <QToolTip>
#include <cmath>
#include <utility>

#include "format.h"
#include "topology/topology_view.h"

namespace shardlens {

using placement::Axis;

namespace {

constexpr double kDragPixels = 4;
constexpr double kStep = 1.25;
constexpr double kLargestCell = 80;

} // namespace

std::optional<qint64> TopologyView::rankAtPosition(const QPointF& position) const {
    if (!place() || !QRectF(m_map).contains(position)) return {};
    const QPointF inside = position - QPointF(m_map.topLeft()) + m_offset;
    const auto slot = m_layout.rankAt(inside.x(), inside.y());
    const qint64 rank = slot ? rankOf(*slot) : place()->world();
    return rank < place()->world() ? std::optional(rank) : std::nullopt;
}

QPointF TopologyView::positionOf(qint64 rank) const {
    return cellRect(rank).center() + QPointF(m_map.topLeft());
}

void TopologyView::zoomAt(const QPointF& position, double factor) {
    if (!place()) return;
    const double largest =
        std::max(1.0, kLargestCell / std::max(0.01, std::min(m_whole.cellWidth, m_whole.cellHeight)));
    const double zoom = std::clamp(m_zoom * factor, 1.0, largest);
    if (zoom == m_zoom) return;
    // The GPU under the cursor stays there; paddings change with the level of detail, so a plain ratio would
    // drift.
    const auto anchor = rankAtPosition(position);
    const QPointF local = position - QPointF(m_map.topLeft());
    const QPointF share((local.x() + m_offset.x() - m_layout.left) / std::max(1.0, m_layout.width()),
                        (local.y() + m_offset.y() - m_layout.top) / std::max(1.0, m_layout.height()));
    m_zoom = zoom;
    relayout();
    if (anchor) {
        const CellRect cell = m_layout.cell(slotOf(*anchor));
        m_offset = QPointF(cell.x + cell.width / 2, cell.y + cell.height / 2) - local;
    } else {
        m_offset = QPointF(m_layout.left + share.x() * m_layout.width(),
                           m_layout.top + share.y() * m_layout.height()) -
                   local;
    }
    clampOffset();
    update();
}

// What was drawn moves with the hand; only the stripes that come into sight are drawn.
void TopologyView::pan(const QPointF& by) {
    const QPointF before = std::exchange(m_offset, m_offset + by);
    clampOffset();
    if (m_offset == before) return;
    const double ratio = devicePixelRatioF();
    const QPointF moved = (before - m_offset) * ratio;
    const QPoint whole = moved.toPoint();
    if (!m_stale.isEmpty() || m_base.isNull() || ratio != std::floor(ratio) || moved != QPointF(whole)) {
        m_stale = QRect(QPoint(), m_map.size());
    } else {
        m_base.scroll(whole.x(), whole.y(), m_base.rect());
        const QRect all(QPoint(), m_map.size());
        m_stale = QRegion(all) - all.translated((before - m_offset).toPoint());
    }
    repaintMap();
}

void TopologyView::fit() {
    m_zoom = 1;
    m_offset = {};
    relayout();
    update();
}

void TopologyView::reveal(qint64 rank) {
    if (!place() || rank < 0 || rank >= place()->world()) return;
    interaction().setSelected(targetOf(rank));
    // Near enough for its number, or as near as the map goes.
    for (int step = 0; step < 60 && m_layout.detail != TopologyDetail::Labels; ++step) {
        const double zoom = m_zoom;
        zoomAt(positionOf(rank), kStep);
        if (m_zoom == zoom) break;
    }
    bringIntoView(rank);
    update();
}

bool TopologyView::inView(qint64 rank) const {
    return place() && rank >= 0 && rank < place()->world() &&
           QRectF(QPointF(), QSizeF(m_map.size())).contains(cellRect(rank));
}

void TopologyView::bringIntoView(qint64 rank) {
    if (!inView(rank)) pan(cellRect(rank).center() - QPointF(m_map.width() / 2.0, m_map.height() / 2.0));
}

// What a group is told to do per step: from the report, which counts them by kind.
QString TopologyView::groupText(placement::GroupKind kind, qint64 rank) const {
    const auto members = place()->group_of(kind, rank);
    QString text = tr("%1 group: %2").arg(groupName(kind), QString::fromStdString(shortenedRanks(members)));
    if (const auto* collective = collectiveOf(*report(), kind))
        text = tr("%1; sends %2 a step, links busy %3")
                   .arg(text, formatBytes(collective->sent_bytes), formatSeconds(collective->busy_s));
    return text;
}

QString TopologyView::tooltipFor(qint64 rank) const {
    const auto* placed = place();
    QString text =
        tr("GPU %1: node %2, slot %3").arg(rank).arg(placed->node_of(rank)).arg(placed->local_of(rank));
    if (placed->nodes_per_pod() > 0 && !podIsDomain())
        text += tr(", pod %1").arg(placed->node_of(rank) / placed->nodes_per_pod());
    if (m_whole.shape.nodesPerRack > 0)
        text += QStringLiteral(", ") + rackTitle(m_whole.shape.rackOf(placed->node_of(rank)));
    const auto& grid = placed->dense();
    text += QLatin1Char('\n') + tr("coordinates: tensor %1, context %2, data %3, pipeline %4")
                                    .arg(grid.coordinate(rank, Axis::tp))
                                    .arg(grid.coordinate(rank, Axis::cp))
                                    .arg(grid.coordinate(rank, Axis::dp))
                                    .arg(grid.coordinate(rank, Axis::pp));
    for (const placement::GroupKind kind : listedKinds(*placed))
        text += QLatin1Char('\n') + groupText(kind, rank);
    if (const QString coloured = m_colors.textOf(rank); m_colorBy == ColorBy::LinkLoad && !coloured.isEmpty())
        text += QLatin1Char('\n') + coloured;
    const auto stage = static_cast<std::size_t>(stageOf(rank));
    if (stage < report()->memory.stages.size())
        text += QLatin1Char('\n') + tr("memory: %1 of %2")
                                        .arg(formatBytes(report()->memory.stages[stage].total_bytes),
                                             formatBytes(report()->memory.capacity_bytes));
    return text;
}

void TopologyView::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressing && (m_dragging || (event->position() - m_pressed).manhattanLength() >= kDragPixels)) {
        m_dragging = true;
        setCursor(Qt::ClosedHandCursor);
        return pan(m_pressedOffset + m_pressed - event->position() - m_offset);
    }
    interaction().setHovered(place() ? targetOf(rankAtPosition(event->position())) : Target{});
}

void TopologyView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    m_pressing = true;
    m_dragging = false;
    m_pressed = event->position();
    m_pressedOffset = m_offset;
}

void TopologyView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || !std::exchange(m_pressing, false)) return;
    unsetCursor();
    if (std::exchange(m_dragging, false)) return;
    interaction().setSelected(place() ? targetOf(rankAtPosition(event->position())) : Target{});
}

void TopologyView::wheelEvent(QWheelEvent* event) {
    if (!place() || !m_map.contains(event->position().toPoint())) return event->ignore();
    zoomAt(event->position(), std::pow(kStep, event->angleDelta().y() / 120.0));
    event->accept();
}

// W and S zoom, A and D move, F shows all; arrows walk over the GPUs, up and down from node to node.
void TopologyView::keyPressEvent(QKeyEvent* event) {
    if (!place() || (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)))
        return ReportView::keyPressEvent(event);
    const QPointF middle = QRectF(m_map).center();
    qint64 step = 0;
    switch (event->key()) {
    case Qt::Key_W: return zoomAt(middle, kStep);
    case Qt::Key_S: return zoomAt(middle, 1 / kStep);
    case Qt::Key_A: return pan({-0.15 * m_map.width(), 0});
    case Qt::Key_D: return pan({0.15 * m_map.width(), 0});
    case Qt::Key_F: return fit();
    case Qt::Key_Left: step = -1; break;
    case Qt::Key_Right: step = 1; break;
    case Qt::Key_Up: step = -m_layout.shape.gpusPerNode; break;
    case Qt::Key_Down: step = m_layout.shape.gpusPerNode; break;
    case Qt::Key_Escape: return interaction().setSelected({});
    default: return ReportView::keyPressEvent(event);
    }
    const qint64 now = interaction().selected().rank;
    const qint64 rank = now < 0 ? 0 : std::clamp<qint64>(now + step, 0, place()->world() - 1);
    interaction().setSelected(targetOf(rank));
    bringIntoView(rank);
}

void TopologyView::leaveEvent(QEvent*) { interaction().setHovered({}); }

void TopologyView::focusInEvent(QFocusEvent* event) {
    ReportView::focusInEvent(event);
    update();
}

void TopologyView::focusOutEvent(QFocusEvent* event) {
    ReportView::focusOutEvent(event);
    update();
}

bool TopologyView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ReportView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto rank = rankAtPosition(help->pos()))
        QToolTip::showText(help->globalPos(), tooltipFor(*rank), this,
                           QRectF(cellRect(*rank)).toAlignedRect().translated(m_map.topLeft()));
    else
        QToolTip::hideText();
    return true;
}

} // namespace shardlens
