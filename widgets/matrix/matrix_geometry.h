// SPDX-License-Identifier: GPL-3.0-or-later
// Where the matrices of a layer are drawn. Plain functions; nothing here needs a window.
#pragma once

#include <QRectF>
#include <vector>

#include "matrix/matrix_model.h"

namespace shardlens {

struct PlacedPart {
    QRectF rect; ///< of the matrix, the bar of the exchange, or the grid of heads
    QRectF edge; ///< room for the shape of what comes in, left of it
    std::size_t index = 0;
};

/// One half of a layer from left to right inside `area`; `text_height` is a line of labels. The last edge,
/// behind the last part, is in `out`.
struct PlacedHalf {
    std::vector<PlacedPart> parts;
    QRectF out;
};
[[nodiscard]] PlacedHalf placeHalf(const MatrixHalf& half, const QRectF& area, double text_height);

/// The part of a matrix that rank `rank` of `tensor` holds.
[[nodiscard]] QRectF rankPart(const QRectF& matrix, MatrixCut cut, std::int64_t rank, std::int64_t tensor);

/// The cell of head `index` of `count` in a row of heads.
[[nodiscard]] QRectF headRect(const QRectF& row, std::int64_t index, std::int64_t count);

} // namespace shardlens
