// SPDX-License-Identifier: GPL-3.0-or-later
// Marks on single GPUs of the cluster map: frames and letters of lit groups, and what an outage takes.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "topology/topology_view.h"

namespace shardlens {

void TopologyView::frameCell(QPainter& painter, qint64 rank, const QColor& color) {
    const QRectF cell = cellRect(rank);
    if (!inSight(cell)) return;
    if (m_layout.detail == TopologyDetail::Image) {
        const double least = 3 * m_stroke;
        return painter.fillRect(QRectF(std::floor(cell.x()), std::floor(cell.y()),
                                       std::max(least, cell.width()), std::max(least, cell.height())),
                                color);
    }
    if (m_layout.detail == TopologyDetail::Cells) {
        if (!colorsAreScale()) return painter.fillRect(cell.adjusted(-1, -1, 1, 1), color);
        return paintFrame(painter, cell.adjusted(-1, -1, 1, 1), color, 1);
    }
    // Two strokes outside the cell and one of card colour inside, so that blue on blue is seen.
    const double out = 2 * m_stroke;
    paintFrame(painter, cell, theme().card(), m_stroke);
    paintFrame(painter, cell.adjusted(-out, -out, out, out), color, 2 * m_stroke);
}

// Letters on plates inside the cell, so that lit groups are not told by their colours alone. The number makes
// room for them, below or to the right; where there is no room the plates are left out.
void TopologyView::tagCell(QPainter& painter, qint64 rank, const std::vector<placement::GroupKind>& kinds) {
    const QRectF cell = cellRect(rank);
    if (m_layout.detail != TopologyDetail::Labels || !inSight(cell) || kinds.empty()) return;
    const QRectF inside = cell.adjusted(1, 1, -1, -1);
    const QString number = QString::number(rank);
    const QSizeF size = m_small.size(number);
    double across = 0;
    for (const auto kind : kinds) across += m_small.size(groupLetter(kind)).width() + 4;
    // What is lost or stands still has its mark over the number already.
    const auto among = [rank](const auto& ranks) {
        return std::binary_search(ranks.begin(), ranks.end(), rank);
    };
    const bool rerouted = m_outage.rerouted && among(m_outage.ranks);
    const bool marked = !rerouted && (among(m_outage.ranks) || among(m_outage.stopped));
    const bool numbered = !marked && m_numberWidth <= cell.width() && size.height() <= cell.height() + 1;
    const bool above = across <= inside.width() && 2 * size.height() <= inside.height() + 1;
    if (numbered && !above && across + size.width() + 2 > inside.width()) return;
    if (numbered) {
        fillCell(painter, rank, inside);
        drawNumber(painter, rank, number,
                   above ? QPointF(cell.center().x(), inside.bottom() - size.height() / 2)
                         : QPointF(inside.right() - size.width() / 2 - 1, cell.center().y()));
        if (rerouted) drawRerouted(painter, inside, 2 * m_stroke);
    }
    QRectF plate(inside.left(), above ? inside.top() : cell.center().y() - size.height() / 2, 0,
                 std::min(size.height(), inside.height()));
    plate.moveTop(std::max(plate.top(), inside.top()));
    for (const auto kind : kinds) {
        const QColor color = theme().color(roleOf(kind));
        plate.setWidth(m_small.size(groupLetter(kind)).width() + 4);
        if (plate.right() > inside.right()) return;
        painter.fillRect(plate, color);
        painter.setPen(readableOn(color));
        m_small.drawCentred(painter, plate.center(), groupLetter(kind));
        plate.moveLeft(plate.right());
    }
}

// What has failed is crossed out, what lost its port framed, what stops with it hatched.
void TopologyView::drawOutage(QPainter& painter) {
    const QColor bad = theme().color(Role::Bad), caution = theme().color(Role::Caution);
    const bool small = m_layout.detail == TopologyDetail::Image;
    for (const qint64 rank : m_outage.stopped) {
        const QRectF cell = cellRect(rank);
        if (!inSight(cell)) continue;
        if (small) {
            frameCell(painter, rank, caution);
            continue;
        }
        drawStopped(painter, cell);
    }
    const double width = (m_layout.detail == TopologyDetail::Labels ? 2 : 1) * m_stroke;
    for (const qint64 rank : m_outage.ranks) {
        const QRectF cell = cellRect(rank);
        if (!inSight(cell)) continue;
        if (small) {
            frameCell(painter, rank, m_outage.rerouted ? caution : bad);
            continue;
        }
        if (m_outage.rerouted)
            drawRerouted(painter, cell, width);
        else
            drawLost(painter, cell, width);
    }
}

void TopologyView::drawStopped(QPainter& painter, const QRectF& cell) const {
    const QColor caution = theme().color(Role::Caution);
    painter.fillRect(cell, theme().brush(mixed(theme().card(), caution, 0.25), Pattern::Hatch));
    paintFrame(painter, cell, caution, m_layout.detail == TopologyDetail::Labels ? m_stroke : 1);
}

void TopologyView::drawLost(QPainter& painter, const QRectF& cell, double width) const {
    painter.fillRect(cell, theme().card());
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().color(Role::Bad), width));
    painter.drawRect(cell.adjusted(0, 0, -1, -1));
    painter.drawLine(cell.topLeft(), cell.bottomRight());
    painter.drawLine(cell.bottomLeft(), cell.topRight());
}

// The GPU works on, so that its colour and number stay: a frame with one filled corner.
void TopologyView::drawRerouted(QPainter& painter, const QRectF& cell, double width) const {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme().card(), width + 2));
    painter.drawRect(cell.adjusted(0, 0, -1, -1));
    painter.setPen(QPen(theme().color(Role::Caution), width));
    painter.drawRect(cell.adjusted(0, 0, -1, -1));
    const double side = std::min({cell.width(), cell.height(), 14.0 * m_stroke}) / 2;
    const QPointF corner = cell.bottomRight() - QPointF(1, 1);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme().color(Role::Caution));
    painter.drawPolygon(QPolygonF{corner, corner - QPointF(side, 0), corner - QPointF(0, side)});
}

} // namespace shardlens
