// SPDX-License-Identifier: GPL-3.0-or-later
#include "matrix/matrix_geometry.h"

#include <algorithm>
#include <cmath>

namespace shardlens {

namespace {

/// Shares of the width: edges carry text, matrices their shape, exchanges are bars.
constexpr double kEdge = 1.35, kMatrix = 1.0, kHeads = 1.4, kExchange = 0.28;

double weightOf(const MatrixPart& part) {
    if (std::holds_alternative<MatrixExchange>(part)) return kExchange;
    return std::holds_alternative<MatrixHeads>(part) ? kHeads : kMatrix;
}

} // namespace

PlacedHalf placeHalf(const MatrixHalf& half, const QRectF& area, double text_height) {
    double total = kEdge;
    for (const MatrixPart& part : half.parts) total += kEdge + weightOf(part);
    const double unit = area.width() / total;
    // Above a matrix its name, below it its shape and its cut: two lines each where there is room.
    const double lines = area.height() > 10 * text_height ? 2.5 : 1.4;
    const QRectF room = area.adjusted(0, lines * text_height, 0, -lines * text_height);
    double most = 1;
    for (const MatrixPart& part : half.parts)
        if (const auto* box = std::get_if<MatrixBox>(&part)) most = std::max({most, box->rows, box->columns});

    PlacedHalf placed;
    double x = area.left();
    for (std::size_t i = 0; i < half.parts.size(); ++i) {
        PlacedPart part;
        part.index = i;
        part.edge = QRectF(x, room.top(), kEdge * unit, room.height());
        x += kEdge * unit;
        const double width = weightOf(half.parts[i]) * unit;
        QRectF slot(x, room.top(), width, room.height());
        if (const auto* box = std::get_if<MatrixBox>(&half.parts[i])) {
            // True proportions, but never so slim that a cut would be lost.
            const double scale = std::min(slot.width(), slot.height()) / most;
            const double w = std::max(box->columns * scale, 0.45 * slot.width());
            const double h = std::max(box->rows * scale, 0.45 * slot.height());
            slot = QRectF(slot.center().x() - w / 2, slot.center().y() - h / 2, w, h);
        } else if (std::holds_alternative<MatrixExchange>(half.parts[i])) {
            slot.adjust(0.2 * width, (1.4 - lines) * text_height, -0.2 * width, (lines - 1.4) * text_height);
        }
        part.rect = slot;
        placed.parts.push_back(part);
        x += width;
    }
    placed.out = QRectF(x, room.top(), area.right() - x, room.height());
    return placed;
}

QRectF rankPart(const QRectF& matrix, MatrixCut cut, std::int64_t rank, std::int64_t tensor) {
    const double from = double(rank) / double(tensor), share = 1.0 / double(tensor);
    switch (cut) {
    case MatrixCut::columns:
        return {matrix.left() + from * matrix.width(), matrix.top(), share * matrix.width(), matrix.height()};
    case MatrixCut::rows:
        return {matrix.left(), matrix.top() + from * matrix.height(), matrix.width(),
                share * matrix.height()};
    case MatrixCut::whole: break;
    }
    return matrix;
}

QRectF headRect(const QRectF& row, std::int64_t index, std::int64_t count) {
    const double width = row.width() / double(count);
    return {row.left() + double(index) * width, row.top(), width, row.height()};
}

} // namespace shardlens
