// SPDX-License-Identifier: GPL-3.0-or-later
// Drawing of the cluster map: the cached base in three levels of detail and what lies over it.
#include <QImage>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "topology/topology_view.h"

namespace shardlens {

using placement::Axis;

namespace {

constexpr qint64 kMostFramed = 200000;   // GPUs of a stage that are framed one by one
constexpr std::size_t kMostArrows = 512; // of one step of a collective; more would be a blot

QRectF toRect(const CellRect& cell) { return {cell.x, cell.y, cell.width, cell.height}; }

/// A pattern as colours, for painting cells without a painter. Its tile repeats every kTile pixels.
struct PatternTile {
    static constexpr int kTile = 8;
    std::array<QRgb, kTile * kTile> pixels{};
    [[nodiscard]] QRgb at(int x, int y) const { // of pixels right of and below the map's corner
        return pixels[static_cast<std::size_t>((y % kTile) * kTile + x % kTile)];
    }
};

PatternTile tileOf(const TopologyColors::Fill& fill, const QBrush& brush) {
    PatternTile tile;
    tile.pixels.fill(fill.color.rgb());
    if (fill.pattern == Pattern::Solid) return tile;
    const QImage image = brush.textureImage();
    for (int y = 0; y < PatternTile::kTile; ++y)
        for (int x = 0; x < PatternTile::kTile; ++x)
            tile.pixels[static_cast<std::size_t>(y * PatternTile::kTile + x)] =
                image.pixel(x % image.width(), y % image.height());
    return tile;
}

} // namespace

QRectF TopologyView::cellRect(qint64 rank) const {
    return toRect(m_layout.cell(slotOf(rank))).translated(-m_offset);
}

template <class Visit> void TopologyView::visitNode(std::int64_t node, Visit&& visit) const {
    const qint64 first = node * m_layout.shape.gpusPerNode;
    const qint64 last = std::min<qint64>(first + m_layout.shape.gpusPerNode, m_layout.shape.gpus);
    for (qint64 slot = first; slot < last; ++slot)
        if (const qint64 rank = rankOf(slot); rank < place()->world()) visit(rank, slot);
}

bool TopologyView::inSight(const QRectF& cell) const {
    return cell.intersects(QRectF(QPointF(), QSizeF(m_map.size())));
}

// Draws what is stale of the base: all of it, or the stripes that a drag has brought into sight.
void TopologyView::renderBase() {
    const double ratio = devicePixelRatioF();
    const QSize size = (QSizeF(m_map.size()) * ratio).toSize();
    if (m_base.size() != size || m_base.devicePixelRatio() != ratio) {
        m_base = QPixmap(size);
        m_base.setDevicePixelRatio(ratio);
        m_stale = QRect(QPoint(), m_map.size());
    }
    if (m_stale.isEmpty() || m_map.isEmpty()) return;
    QPainter painter(&m_base);
    for (const QRect& part : m_stale) {
        painter.setClipRect(part);
        renderPart(painter, part);
    }
    m_stale = {};
}

void TopologyView::renderPart(QPainter& painter, const QRect& part) {
    painter.fillRect(part, theme().card());
    if (m_colors.empty()) return;
    switch (m_layout.detail) {
    case TopologyDetail::Image: drawGrid(painter, part); break;
    case TopologyDetail::Cells: drawCells(painter, part); break;
    case TopologyDetail::Labels: drawNodes(painter, part); break;
    }
}

// A part of the map that is written pixel by pixel: a painter would take longer than a frame for tens of
// thousands of small rectangles.
struct TopologyView::PixelPart {
    double ratio;
    QPoint origin; ///< of the image, in device pixels of the map area
    QPoint phase;  ///< of patterns, which move with the map: a dragged part and one drawn anew fit together
    QImage image;
    std::vector<PatternTile> tiles; ///< of the fills

    PixelPart(const TopologyView& view, const QRect& part) : ratio(view.devicePixelRatioF()) {
        origin = {device(part.left()), device(part.top())};
        phase = origin + QPoint(device(std::floor(view.m_offset.x())), device(std::floor(view.m_offset.y())));
        image = QImage(device(part.left() + part.width()) - origin.x(),
                       device(part.top() + part.height()) - origin.y(), QImage::Format_RGB32);
        image.fill(view.theme().card());
        for (std::size_t i = 0; i < view.m_brushes.size(); ++i)
            tiles.push_back(tileOf(view.m_colors.fills()[i], view.m_brushes[i]));
    }
    [[nodiscard]] int device(double at) const { return static_cast<int>(std::lround(at * ratio)); }
    [[nodiscard]] QRgb colorAt(const PatternTile& tile, int x, int y) const {
        return tile.at(x + phase.x(), y + phase.y());
    }
    void draw(QPainter& painter) {
        image.setDevicePixelRatio(ratio);
        painter.drawImage(QPointF(origin) / ratio, image);
    }
};

// GPUs of a pixel or less, without gaps.
void TopologyView::drawGrid(QPainter& painter, const QRect& part) {
    const auto columns = m_layout.gridColumns(), rows = m_layout.gridRows();
    if (m_grid.empty()) {
        m_grid.resize(static_cast<std::size_t>(columns * rows), 0);
        for (qint64 rank = 0; rank < place()->world(); ++rank) {
            const qint64 slot = slotOf(rank);
            m_grid[static_cast<std::size_t>(m_layout.gridRow(slot) * columns + m_layout.gridColumn(slot))] =
                static_cast<std::uint32_t>(m_colors.fillIndex(rank)) + 1;
        }
    }
    PixelPart pixels(*this, part);
    const auto along = [&](int pixel, int origin, double offset, double begin, double length, qint64 count) {
        const double at = (pixel + origin + 0.5) / pixels.ratio + offset - begin;
        return at < 0 || at >= length ? -1 : static_cast<qint64>(at / length * static_cast<double>(count));
    };
    std::vector<qint64> across(static_cast<std::size_t>(pixels.image.width()));
    for (int x = 0; x < pixels.image.width(); ++x)
        across[static_cast<std::size_t>(x)] =
            along(x, pixels.origin.x(), m_offset.x(), m_layout.left, m_layout.width(), columns);
    for (int y = 0; y < pixels.image.height(); ++y) {
        const qint64 row = along(y, pixels.origin.y(), m_offset.y(), m_layout.top, m_layout.height(), rows);
        if (row < 0) continue;
        auto* line = reinterpret_cast<QRgb*>(pixels.image.scanLine(y));
        for (int x = 0; x < pixels.image.width(); ++x) {
            const qint64 column = across[static_cast<std::size_t>(x)];
            if (column < 0) continue;
            if (const std::uint32_t fill = m_grid[static_cast<std::size_t>(row * columns + column)]; fill > 0)
                line[x] = pixels.colorAt(pixels.tiles[fill - 1], x, y);
        }
    }
    pixels.draw(painter);
    const bool racks = m_layout.shape.nodesPerRack > 0;
    const CellRect first = racks ? m_layout.rack(0) : m_layout.pod(0);
    const std::int64_t boxes = racks ? m_layout.shape.racks() : m_layout.shape.pods();
    if (boxes < 2 || first.width < 12 || first.height < 12) return;
    painter.setBrush(Qt::NoBrush);
    for (std::int64_t box = 0; box < boxes; ++box) {
        const QRectF rect = toRect(racks ? m_layout.rack(box) : m_layout.pod(box)).translated(-m_offset);
        if (!rect.intersects(QRectF(part).adjusted(-1, -1, 1, 1))) continue;
        painter.setPen(QPen(theme().card(), m_stroke));
        painter.drawRect(rect);
        const QString title = racks ? rackTitle(box) : tr("pod %1").arg(box);
        const QSizeF size = m_small.size(title);
        if (size.width() + 12 > rect.width() || 3 * size.height() > rect.height()) continue;
        painter.fillRect(QRectF(rect.topLeft(), size + QSizeF(8, 2)), theme().card());
        painter.setPen(theme().mutedText());
        m_small.draw(painter, rect.topLeft() + QPointF(4, 1), title);
    }
}

void TopologyView::drawCells(QPainter& painter, const QRect& part) {
    PixelPart pixels(*this, part);
    QImage& image = pixels.image;
    if (image.isNull()) return;
    const QPoint origin = pixels.origin;
    const auto fillCell = [&](const QRectF& cell, const PatternTile& tile) {
        const int x0 = std::max(0, pixels.device(cell.left()) - origin.x());
        const int x1 = std::min(image.width(), pixels.device(cell.right()) - origin.x());
        const int y0 = std::max(0, pixels.device(cell.top()) - origin.y());
        const int y1 = std::min(image.height(), pixels.device(cell.bottom()) - origin.y());
        for (int y = y0; y < y1; ++y) {
            auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
            for (int x = x0; x < x1; ++x) line[x] = pixels.colorAt(tile, x, y);
        }
    };
    const CellRect area{part.x() + m_offset.x(), part.y() + m_offset.y(), double(part.width()),
                        double(part.height())};
    m_layout.visitNodes(area, [&](std::int64_t node) {
        const CellRect box = m_layout.node(node);
        const double left = box.x + m_layout.nodePadding - m_offset.x();
        const double top = box.y + m_layout.nodePadding + m_layout.nodeTitle - m_offset.y();
        visitNode(node, [&](qint64 rank, qint64 slot) {
            const qint64 local = slot % m_layout.shape.gpusPerNode;
            fillCell(QRectF(left + static_cast<double>(local % m_layout.cellColumns) * m_layout.cellWidth,
                            top + static_cast<double>(local / m_layout.cellColumns) * m_layout.cellHeight,
                            m_layout.cellWidth - m_layout.cellGap, m_layout.cellHeight - m_layout.cellGap),
                     pixels.tiles[m_colors.fillIndex(rank)]);
        });
    });
    pixels.draw(painter);
    drawBoxes(painter, part);
}

// Frames and titles of pods and racks.
void TopologyView::drawBoxes(QPainter& painter, const QRect& part) {
    painter.setBrush(Qt::NoBrush);
    const auto draw = [&](const CellRect& cell, bool titled, const QString& title) {
        const QRectF box = toRect(cell).translated(-m_offset);
        if (!box.intersects(QRectF(part))) return;
        paintFrame(painter, box, theme().border(), m_stroke);
        if (!titled || m_small.size(title).width() > box.width() - 8) return;
        painter.setPen(theme().mutedText());
        m_small.draw(painter, box.topLeft() + QPointF(6, 2), title);
    };
    if (m_layout.shape.pods() > 1)
        for (std::int64_t pod = 0; pod < m_layout.shape.pods(); ++pod)
            draw(m_layout.pod(pod), m_layout.podTitle > 0, tr("pod %1").arg(pod));
    if (m_layout.shape.nodesPerRack > 0)
        for (std::int64_t rack = 0; rack < m_layout.shape.racks(); ++rack)
            draw(m_layout.rack(rack), m_layout.rackTitle > 0, rackTitle(rack));
}

void TopologyView::drawNodes(QPainter& painter, const QRect& part) {
    drawBoxes(painter, part);
    m_numberWidth = rankLabel().width;
    m_layout.visitNodes(
        {part.x() + m_offset.x(), part.y() + m_offset.y(), double(part.width()), double(part.height())},
        [&](std::int64_t node) { drawNode(painter, node); });
}

void TopologyView::drawNode(QPainter& painter, std::int64_t node) {
    const QRectF box = toRect(m_layout.node(node)).translated(-m_offset);
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(QPen(theme().border(), m_stroke));
    painter.setBrush(mixed(theme().card(), theme().window(), 0.6));
    const double half = m_stroke / 2.0;
    painter.drawRoundedRect(box.adjusted(half, half, -half, -half), 4, 4);
    painter.setRenderHint(QPainter::Antialiasing, false);
    // What all GPUs of the node have in common stands in its title: their rectangles may be too small for it.
    const QString plain = tr("node %1").arg(node);
    QString common;
    bool alike = true;
    visitNode(node, [&](qint64 rank, qint64) {
        const QString what = m_colors.shortTextOf(rank);
        if (common.isEmpty()) common = what;
        alike = alike && what == common;
    });
    const QString full = alike && !common.isEmpty() ? plain + QStringLiteral(" · ") + common : plain;
    painter.setPen(theme().mutedText());
    for (const QString& title : {full, plain})
        if (m_small.size(title).width() < box.width() - 8) {
            m_small.draw(painter, box.topLeft() + QPointF(6, 2), title);
            break;
        }
    visitNode(node, [&](qint64 rank, qint64) {
        const QRectF cell = cellRect(rank);
        const TopologyColors::Fill& fill = m_colors.fill(rank);
        fillCell(painter, rank, cell);
        paintFrame(painter, cell, theme().outline(fill.color), m_stroke);
        const QString number = QString::number(rank);
        const QSizeF size = m_small.size(number);
        if (m_numberWidth > cell.width() || size.height() > cell.height() + 1) return; // all numbers or none
        const auto plated = [&](const QString& text, double middle) {
            drawNumber(painter, rank, text, {cell.center().x(), middle});
        };
        const QString what = m_colors.shortTextOf(rank);
        const QSizeF whatSize = what.isEmpty() ? QSizeF() : m_small.size(what);
        if (!what.isEmpty() && size.height() + whatSize.height() <= cell.height() - 1 &&
            whatSize.width() <= cell.width() - 4) {
            plated(number, cell.center().y() - size.height() / 2);
            plated(what, cell.center().y() + whatSize.height() / 2);
        } else {
            plated(number, cell.center().y());
        }
    });
}

void TopologyView::fillCell(QPainter& painter, qint64 rank, const QRectF& rect) {
    painter.setBrushOrigin(QPointF(-std::floor(m_offset.x()), -std::floor(m_offset.y())));
    painter.fillRect(rect, m_brushes[m_colors.fillIndex(rank)]);
}

// The pattern stays clear of what is to be read.
void TopologyView::drawNumber(QPainter& painter, qint64 rank, const QString& text, const QPointF& middle) {
    const TopologyColors::Fill& fill = m_colors.fill(rank);
    const QSizeF size = m_small.size(text);
    if (fill.pattern != Pattern::Solid)
        painter.fillRect(QRectF(middle.x() - size.width() / 2 - 1, middle.y() - size.height() / 2,
                                size.width() + 2, size.height())
                             .intersected(cellRect(rank).adjusted(m_stroke, m_stroke, -m_stroke, -m_stroke)),
                         fill.color);
    painter.setPen(readableOn(fill.color));
    m_small.drawCentred(painter, middle, text);
}

void TopologyView::frameStage(QPainter& painter, int stage, const QColor& color) {
    const auto* placed = place();
    if (stage < 0 || stage >= placed->dense().size(Axis::pp) || placed->world() > kMostFramed) return;
    if (m_layout.detail == TopologyDetail::Image) return;
    const int out = m_layout.detail == TopologyDetail::Labels ? m_stroke : 1; // no wider than the gap
    m_layout.visitNodes(
        {m_offset.x(), m_offset.y(), double(m_map.width()), double(m_map.height())}, [&](std::int64_t node) {
            visitNode(node, [&](qint64 rank, qint64) {
                if (stageOf(rank) == stage)
                    paintFrame(painter, cellRect(rank).adjusted(-out, -out, out, out), color, out);
            });
        });
}

// Every group of the rank in its colour, the rank itself on top.
void TopologyView::drawGroupsOf(QPainter& painter, qint64 rank) {
    for (auto line = m_groups.rbegin(); line != m_groups.rend(); ++line)
        for (const std::int64_t member : place()->group_of(line->kind, rank))
            frameCell(painter, member, theme().color(line->role));
    frameCell(painter, rank, theme().text());
    if (m_layout.detail != TopologyDetail::Labels) return;
    std::map<std::int64_t, std::vector<placement::GroupKind>> tags;
    for (const GroupLine& line : m_groups)
        for (const std::int64_t member : place()->group_of(line.kind, rank))
            tags[member].push_back(line.kind);
    for (const auto& [member, kinds] : tags) tagCell(painter, member, kinds);
}

// Members framed, an arrow for each transfer of the step and a mark that runs along it.
void TopologyView::drawMotion(QPainter& painter) {
    const QColor color = theme().color(roleOf(m_motion.kind));
    for (const qint64 member : m_motion.members) frameCell(painter, member, color);
    for (const qint64 member : m_motion.members) tagCell(painter, member, {m_motion.kind});
    painter.setRenderHint(QPainter::Antialiasing, true);
    const QColor ink = theme().text();
    const std::size_t arrows = std::min(m_motion.arrows.size(), kMostArrows);
    for (std::size_t i = 0; i < arrows; ++i) {
        const auto& arrow = m_motion.arrows[i];
        const QRectF fromCell = cellRect(arrow.from), toCell = cellRect(arrow.to);
        const QPointF from = fromCell.center(), to = toCell.center();
        if (!inSight(QRectF(from, to).normalized().adjusted(-1, -1, 1, 1))) continue;
        const QPointF way = to - from;
        const double length = std::hypot(way.x(), way.y());
        if (length < 1) continue;
        // Bent to one side, so that there and back are two lines and a hop over others is seen.
        const QPointF across(-way.y() / length, way.x() / length);
        const QPointF bend = (from + to) / 2 + across * std::min(0.22 * length, 40.0 * m_stroke);
        QPainterPath path(from);
        path.quadTo(bend, to);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(theme().card(), 3.5 * m_stroke));
        painter.drawPath(path);
        painter.setPen(QPen(ink, 1.5 * m_stroke));
        painter.drawPath(path);
        const double head = std::clamp(0.25 * length, 3.0, 8.0 * m_stroke);
        const QPointF back = bend - to;
        const double backLength = std::max(1e-9, std::hypot(back.x(), back.y()));
        const QPointF along = back / backLength * head, side(-along.y() * 0.5, along.x() * 0.5);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ink);
        painter.drawPolygon(QPolygonF{to, to + along + side, to + along - side});
        const double t = m_motion.progress;
        const QPointF mark = (1 - t) * (1 - t) * from + 2 * t * (1 - t) * bend + t * t * to;
        const double radius = (m_layout.detail == TopologyDetail::Labels ? 5 : 3) * m_stroke;
        painter.setPen(QPen(theme().card(), m_stroke));
        painter.setBrush(color);
        painter.drawEllipse(mark, radius, radius);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void TopologyView::drawOverlay(QPainter& painter) {
    if (!m_outage.empty()) drawOutage(painter);
    if (!m_motion.empty()) drawMotion(painter);
    const Target& hovered = interaction().hovered();
    const Target& selected = interaction().selected();
    const qint64 world = place()->world();
    const auto known = [world](qint64 rank) { return rank >= 0 && rank < world; };
    if (known(hovered.rank)) return drawGroupsOf(painter, hovered.rank);
    if (!m_motion.empty()) return;
    if (known(selected.rank))
        drawGroupsOf(painter, selected.rank);
    else
        frameStage(painter, selected.stage, theme().color(Role::Highlight));
    if (hovered.stage != selected.stage) frameStage(painter, hovered.stage, theme().text());
}

} // namespace shardlens
