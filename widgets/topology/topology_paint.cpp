// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of the cluster map: the cached base in three levels of detail and what follows the mouse.
#include <QImage>
#include <QPainter>
#include <cmath>

#include "topology/topology_view.h"

namespace shardlens {

using placement::Axis;

namespace {

constexpr qint64 kMostFramed = 200000; // GPUs of a stage that are framed one by one

QRectF toRect(const CellRect& cell) { return {cell.x, cell.y, cell.width, cell.height}; }

// First and one past the last box of `count` that touches [from, to].
std::pair<std::int64_t, std::int64_t> touched(double from, double to, double pitch, std::int64_t count) {
    if (!(pitch > 0)) return {0, count};
    const auto clampTo = [count](double value) {
        return static_cast<std::int64_t>(std::clamp(value, 0.0, static_cast<double>(count)));
    };
    return {clampTo(std::floor(from / pitch)), clampTo(std::floor(to / pitch) + 1)};
}

} // namespace

QRectF TopologyView::cellRect(qint64 rank) const { return toRect(m_layout.cell(rank)).translated(-m_offset); }

// Nodes in sight by arithmetic, so that panning over 100,000 GPUs touches only what is drawn.
template <class Visit> void TopologyView::visitVisibleNodes(Visit&& visit) const {
    const TopologyLayout& map = m_layout;
    const double x0 = m_offset.x() - map.left, y0 = m_offset.y() - map.top;
    const double x1 = x0 + m_map.width(), y1 = y0 + m_map.height();
    const auto [px0, px1] = touched(x0, x1, map.podWidth() + map.podGap, map.podColumns);
    const auto [py0, py1] = touched(y0, y1, map.podHeight() + map.podGap, map.podRows);
    for (std::int64_t py = py0; py < py1; ++py)
        for (std::int64_t px = px0; px < px1; ++px) {
            const std::int64_t pod = py * map.podColumns + px;
            if (pod >= map.shape.pods()) continue;
            const double nx = x0 - static_cast<double>(px) * (map.podWidth() + map.podGap) - map.podPadding;
            const double ny =
                y0 - static_cast<double>(py) * (map.podHeight() + map.podGap) - map.podPadding - map.podTitle;
            const auto [cx0, cx1] =
                touched(nx, nx + m_map.width(), map.nodeWidth() + map.nodeGap, map.nodeColumns);
            const auto [cy0, cy1] =
                touched(ny, ny + m_map.height(), map.nodeHeight() + map.nodeGap, map.nodeRows);
            for (std::int64_t cy = cy0; cy < cy1; ++cy)
                for (std::int64_t cx = cx0; cx < cx1; ++cx) {
                    const std::int64_t within = cy * map.nodeColumns + cx;
                    const std::int64_t node = pod * map.shape.podSize() + within;
                    if (within < map.shape.podSize() && node < map.shape.nodes()) visit(node);
                }
        }
}

void TopologyView::renderBase() {
    const double ratio = devicePixelRatioF();
    m_base = QPixmap((QSizeF(m_map.size()) * ratio).toSize());
    m_base.setDevicePixelRatio(ratio);
    m_base.fill(theme().card());
    if (m_map.isEmpty() || m_colors.empty()) return;
    QPainter painter(&m_base);
    if (m_layout.detail == TopologyDetail::Image)
        drawImage(painter);
    else
        drawNodes(painter);
}

void TopologyView::drawImage(QPainter& painter) {
    QImage image(static_cast<int>(m_layout.gridColumns()), static_cast<int>(m_layout.gridRows()),
                 QImage::Format_RGB32);
    image.fill(theme().card());
    std::vector<QRgb> colors;
    for (const QColor& color : m_colors) colors.push_back(color.rgb());
    const qint64 gpus = m_layout.shape.gpus;
    for (qint64 rank = 0; rank < gpus; ++rank) {
        const std::size_t number = m_groupOf.empty()
                                       ? static_cast<std::size_t>(stageOf(rank))
                                       : static_cast<std::size_t>(m_groupOf[static_cast<std::size_t>(rank)]);
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(static_cast<int>(m_layout.gridRow(rank))));
        line[m_layout.gridColumn(rank)] = colors[number % colors.size()];
    }
    painter.drawImage(QRectF(m_layout.left - m_offset.x(), m_layout.top - m_offset.y(), m_layout.width(),
                             m_layout.height()),
                      image);
    const CellRect first = m_layout.pod(0);
    if (m_layout.shape.pods() < 2 || first.width < 12 || first.height < 12) return;
    painter.setPen(theme().card());
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t pod = 0; pod < m_layout.shape.pods(); ++pod)
        painter.drawRect(toRect(m_layout.pod(pod)).translated(-m_offset));
}

void TopologyView::drawNodes(QPainter& painter) {
    const bool titled = m_layout.detail == TopologyDetail::Labels;
    if (m_layout.shape.pods() > 1) {
        painter.setBrush(Qt::NoBrush);
        for (std::int64_t pod = 0; pod < m_layout.shape.pods(); ++pod) {
            const QRectF box = toRect(m_layout.pod(pod)).translated(-m_offset);
            if (!box.intersects(QRectF(QPointF(), QSizeF(m_map.size())))) continue;
            painter.setPen(theme().border());
            painter.drawRect(box.adjusted(0, 0, -1, -1));
            if (!titled) continue;
            painter.setPen(theme().mutedText());
            m_small.draw(painter, box.topLeft() + QPointF(6, 2), tr("pod %1").arg(pod));
        }
    }
    m_numberWidth = rankLabel().width;
    visitVisibleNodes([&](std::int64_t node) { drawNode(painter, node); });
}

void TopologyView::drawNode(QPainter& painter, std::int64_t node) {
    const bool titled = m_layout.detail == TopologyDetail::Labels;
    const QRectF box = toRect(m_layout.node(node)).translated(-m_offset);
    if (titled) {
        painter.setRenderHint(QPainter::Antialiasing, true);
        painter.setPen(theme().border());
        painter.setBrush(mixed(theme().card(), theme().window(), 0.6));
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
        painter.setRenderHint(QPainter::Antialiasing, false);
        const QString title = tr("node %1").arg(node);
        painter.setPen(theme().mutedText());
        if (m_small.size(title).width() < box.width() - 8)
            m_small.draw(painter, box.topLeft() + QPointF(6, 2), title);
    }
    const qint64 first = node * m_layout.shape.gpusPerNode;
    const qint64 last = std::min<qint64>(first + m_layout.shape.gpusPerNode, m_layout.shape.gpus);
    for (qint64 rank = first; rank < last; ++rank) {
        const QRectF cell = cellRect(rank);
        const QColor color = colorOf(rank);
        painter.fillRect(cell, color);
        if (!titled) continue;
        painter.setBrush(Qt::NoBrush);
        painter.setPen(theme().outline(color));
        painter.drawRect(cell.adjusted(0, 0, -1, -1));
        const QString number = QString::number(rank);
        const QSizeF size = m_small.size(number);
        if (m_numberWidth > cell.width() || size.height() > cell.height() + 1)
            continue; // all numbers or none
        painter.setPen(readableOn(color));
        m_small.drawCentred(painter, cell.center(), number);
    }
}

void TopologyView::frameCell(QPainter& painter, qint64 rank, const QColor& color, int inset) {
    const QRectF cell = cellRect(rank);
    if (!cell.intersects(QRectF(QPointF(), QSizeF(m_map.size())))) return;
    if (m_layout.detail == TopologyDetail::Image) {
        const double side = std::max(3.0, cell.width());
        return painter.fillRect(
            QRectF(std::floor(cell.x()), std::floor(cell.y()), side, std::max(3.0, cell.height())), color);
    }
    if (m_layout.detail == TopologyDetail::Cells) return painter.fillRect(cell.adjusted(-1, -1, 1, 1), color);
    // Two pixels outside the cell and one of card colour inside, so that blue on blue is seen.
    painter.setBrush(Qt::NoBrush);
    const QRectF frame = cell.adjusted(inset, inset, -inset, -inset);
    painter.setPen(theme().card());
    painter.drawRect(frame.adjusted(0, 0, -1, -1));
    painter.setPen(color);
    painter.drawRect(frame.adjusted(-1, -1, 0, 0));
    painter.drawRect(frame.adjusted(-2, -2, 1, 1));
}

void TopologyView::frameStage(QPainter& painter, int stage, const QColor& color) {
    const auto* placed = place();
    if (stage < 0 || stage >= placed->dense().size(Axis::pp) || placed->world() > kMostFramed) return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(color);
    const bool frames = m_layout.detail != TopologyDetail::Image;
    visitVisibleNodes([&](std::int64_t node) {
        const qint64 first = node * m_layout.shape.gpusPerNode;
        const qint64 last = std::min<qint64>(first + m_layout.shape.gpusPerNode, m_layout.shape.gpus);
        for (qint64 rank = first; rank < last; ++rank)
            if (stageOf(rank) == stage && frames) painter.drawRect(cellRect(rank).adjusted(-1, -1, 0, 0));
    });
}

// Every group of the rank in its colour, the rank itself on top.
void TopologyView::drawGroupsOf(QPainter& painter, qint64 rank) {
    for (auto line = m_groups.rbegin(); line != m_groups.rend(); ++line)
        for (const std::int64_t member : place()->group_of(line->kind, rank))
            frameCell(painter, member, theme().color(line->role), 0);
    frameCell(painter, rank, theme().text(), 0);
}

void TopologyView::drawOverlay(QPainter& painter) {
    const Target& hovered = interaction().hovered();
    const Target& selected = interaction().selected();
    const qint64 world = place()->world();
    const auto known = [world](qint64 rank) { return rank >= 0 && rank < world; };
    if (known(hovered.rank)) return drawGroupsOf(painter, hovered.rank);
    if (known(selected.rank))
        drawGroupsOf(painter, selected.rank);
    else
        frameStage(painter, selected.stage, theme().color(Role::Highlight));
    if (hovered.stage != selected.stage) frameStage(painter, hovered.stage, theme().text());
}

} // namespace shardlens
