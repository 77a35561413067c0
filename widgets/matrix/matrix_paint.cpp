// SPDX-License-Identifier: GPL-3.0-or-later
// How a row of matrices is drawn: the matrices and the rank's part of them, what ranks exchange, what flows.
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "charts/stroke.h"
#include "format.h"
#include "matrix/matrix_view.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using model::CommGroup;
using model::OperatorKind;

namespace {

constexpr double kSmallestType = 0.7; ///< of the view's type
constexpr double kMostCopies = 3;     ///< that are drawn behind each other

QString matrixName(const std::string& name) {
    if (name == "qkv_projection") return MatrixView::tr("Q, K, V");
    if (name == "attention_output") return MatrixView::tr("attention output");
    if (name == "mlp_up") return MatrixView::tr("MLP up (and gate)");
    if (name == "mlp_down") return MatrixView::tr("MLP down");
    if (name == "shared_expert_up") return MatrixView::tr("shared expert up");
    if (name == "shared_expert_down") return MatrixView::tr("shared expert down");
    if (name == "expert_up") return MatrixView::tr("expert up (and gate)");
    if (name == "expert_down") return MatrixView::tr("expert down");
    if (name == "router") return MatrixView::tr("router");
    if (name == "q_down_projection") return MatrixView::tr("Q down");
    if (name == "q_up_projection") return MatrixView::tr("Q up");
    if (name == "kv_down_projection") return MatrixView::tr("KV down");
    if (name == "kv_up_projection") return MatrixView::tr("KV up");
    return QString::fromStdString(name).replace(u'_', u' ');
}

QString exchangeName(const MatrixExchange& exchange) {
    const OperatorKind kind = exchange.kind;
    if (kind == OperatorKind::all_to_all)
        return exchange.name == "dispatch" ? MatrixView::tr("dispatch, all-to-all")
                                           : MatrixView::tr("combine, all-to-all");
    if (kind == OperatorKind::all_gather) return MatrixView::tr("all-gather");
    return kind == OperatorKind::reduce_scatter ? MatrixView::tr("reduce-scatter")
                                                : MatrixView::tr("all-reduce");
}

/// Matrices of experts have the colour of their groups.
Role roleOf(const MatrixBox& box) {
    return box.name.starts_with("expert_") ? Role::ExpertGroup : Role::TensorGroup;
}

} // namespace

QString MatrixView::count(double value) {
    return QString::number(value, 'f', value == std::round(value) ? 0 : 1);
}

void MatrixView::text(QPainter& painter, const QRectF& room, const QString& what, const QColor& ink,
                      int flags) {
    painter.setPen(ink);
    painter.setFont(font());
    painter.drawText(room, flags,
                     QFontMetrics(font()).elidedText(what, Qt::ElideRight, int(room.width()) + 1));
}

void MatrixView::paintBox(QPainter& painter, const MatrixBox& box, const QRectF& rect, double edge) {
    const Theme& t = theme();
    const double line = QFontMetricsF(font()).height();
    const Role role = roleOf(box);
    const double step = 3 * strokeWidth(font());
    painter.setBrush(t.card());
    painter.setPen(QPen(t.outline(role), strokeWidth(font(), 1)));
    const double copies = std::clamp(std::ceil(box.copies), 1.0, kMostCopies) - 1;
    for (double behind = copies; behind > 0; --behind)
        painter.drawRect(rect.translated(behind * step, -behind * step));
    painter.fillRect(rect, mixed(t.card(), t.color(role), 0.16));
    painter.fillRect(rankPart(rect, box.cut, m_rank % box.ranks, box.ranks), t.brush(role));
    painter.setBrush(Qt::NoBrush);
    if (box.cut != MatrixCut::whole && box.ranks <= 64)
        for (std::int64_t rank = 1; rank < box.ranks; ++rank) {
            const QRectF part = rankPart(rect, box.cut, rank, box.ranks);
            painter.drawLine(part.topLeft(),
                             box.cut == MatrixCut::columns ? part.bottomLeft() : part.topRight());
        }
    painter.setPen(
        QPen(box.even ? t.outline(role) : t.color(Role::Bad), strokeWidth(font(), box.even ? 1.5 : 3)));
    painter.drawRect(rect);
    QString cut = box.cut == MatrixCut::columns ? tr("by columns")
                  : box.cut == MatrixCut::rows  ? tr("by rows")
                                                : tr("whole");
    if (box.copies != 1) cut += u" · "_s + tr("%1 of them").arg(count(box.copies));
    // Names may be wider than their matrix: they reach over the edges, whose texts stand elsewhere.
    const QRectF wide = rect.adjusted(-0.65 * edge, 0, 0.65 * edge, 0);
    const double above = rect.top() - copies * step - 3;
    wrapped(painter, QRectF(wide.left(), above - 2.1 * line, wide.width(), 2.1 * line), matrixName(box.name),
            t.text(), Qt::AlignHCenter | Qt::AlignBottom);
    // Shapes of neighbours stand at one height: each keeps to its half of the edge, on two lines if need be.
    const QRectF own = rect.adjusted(-0.46 * edge, 0, 0.46 * edge, 0);
    const QString rows = count(box.rank_rows), columns = u"× "_s + count(box.rank_columns);
    const QString shape = rows + u' ' + columns;
    const bool one_line = QFontMetricsF(font()).horizontalAdvance(shape) <= own.width();
    double below = rect.bottom() + 2;
    for (const QString& part : one_line ? QStringList{shape} : QStringList{rows, columns}) {
        fitted(painter, QRectF(own.left(), below, own.width(), 1.1 * line), part,
               box.even ? t.text() : t.color(Role::Bad));
        below += 1.05 * line;
    }
    fitted(painter, QRectF(own.left(), below, own.width(), 1.1 * line), cut, t.mutedText());
}

// A number that is cut says another number: rather smaller.
void MatrixView::fitted(QPainter& painter, const QRectF& room, const QString& what, const QColor& ink) {
    const double share = room.width() / QFontMetricsF(font()).horizontalAdvance(what);
    QFont smaller = font();
    if (share < 1) smaller.setPointSizeF(smaller.pointSizeF() * std::max(share * 0.98, kSmallestType));
    painter.setFont(smaller);
    painter.setPen(ink);
    painter.drawText(room, Qt::AlignCenter | Qt::TextDontClip, what);
    painter.setFont(font());
}

void MatrixView::wrapped(QPainter& painter, const QRectF& room, const QString& what, const QColor& ink,
                         int alignment) {
    QFont smaller = font();
    const int flags = alignment | Qt::TextWordWrap;
    // Two lines, and smaller where a word is wider than the room.
    while (smaller.pointSizeF() > font().pointSizeF() * kSmallestType) {
        const QRectF needed = QFontMetricsF(smaller).boundingRect(room, flags, what);
        if (needed.width() <= room.width() + 0.5 && needed.height() <= room.height() + 0.5) break;
        smaller.setPointSizeF(smaller.pointSizeF() * 0.95);
    }
    painter.setFont(smaller);
    painter.setPen(ink);
    painter.drawText(room, flags | Qt::TextDontClip, what);
    painter.setFont(font());
}

void MatrixView::paintExchange(QPainter& painter, const MatrixExchange& exchange, const QRectF& rect) {
    const Theme& t = theme();
    painter.fillRect(rect, t.brush(Role::Communication));
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(t.outline(Role::Communication), strokeWidth(font())));
    painter.drawRect(rect);
    const QString name = u"%1, %2"_s.arg(exchangeName(exchange), formatBytes(exchange.bytes));
    const double line = QFontMetricsF(font()).height();
    // Turned: the bar is slim and high.
    painter.save();
    painter.translate(rect.center());
    painter.rotate(-90);
    const double length = std::min(rect.height(), QFontMetricsF(font()).horizontalAdvance(name) + 10);
    const QRectF plate(-length / 2, -line / 2 - 1, length, line + 2);
    painter.fillRect(plate, t.card());
    fitted(painter, plate, name, t.text());
    painter.restore();
}

void MatrixView::paintHeads(QPainter& painter, const MatrixHeads& heads, const QRectF& rect, double edge) {
    const Theme& t = theme();
    const double line = QFontMetricsF(font()).height();
    const double height = std::min(2.2 * line, (rect.height() - 1.4 * line) / 2);
    if (height < 4) return;
    const QRectF queries(rect.left(), rect.center().y() - height - 0.3 * line, rect.width(), height);
    const QRectF keys(rect.left(), rect.center().y() + 0.3 * line + 0.2 * line, rect.width(), height);
    for (const HeadCell& cell : headCells(heads.heads, heads.kv_heads, m_model.tensor)) {
        const QRectF row = cell.kv ? keys : queries;
        const QRectF box = headRect(row, cell.index, cell.kv ? heads.kv_heads : heads.heads);
        const bool mine = m_rank >= cell.first_rank && m_rank <= cell.last_rank;
        const Role role = cell.kv ? Role::ContextGroup : Role::TensorGroup;
        painter.fillRect(box, mine ? t.brush(role) : QBrush(mixed(t.card(), t.color(role), 0.16)));
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(t.outline(role), 1));
        if (box.width() >= 3) painter.drawRect(box.adjusted(0, 0, -1, -1));
        if (cell.split) { // the border of two ranks runs through it
            painter.fillRect(box.adjusted(1, 1, -1, -1), t.brush(t.color(Role::Bad), Pattern::Cross));
        }
    }
    // Borders of the ranks over both rows.
    painter.setPen(QPen(t.text(), strokeWidth(font(), 1.5)));
    if (m_model.tensor <= 64)
        for (std::int64_t rank = 1; rank < m_model.tensor; ++rank) {
            const double x = rect.left() + rect.width() * double(rank) / double(m_model.tensor);
            painter.drawLine(QPointF(x, queries.top() - 4), QPointF(x, keys.bottom() + 4));
        }
    const QRectF wide = rect.adjusted(-edge / 2, 0, edge / 2, 0);
    const bool bad = !uneven().isEmpty();
    const QColor ink = bad ? t.color(Role::Bad) : t.text();
    wrapped(painter, QRectF(wide.left(), queries.top() - 2.2 * line - 4, wide.width(), 2.1 * line),
            tr("%1 query heads, %2 each")
                .arg(heads.heads)
                .arg(count(double(heads.heads) / double(m_model.tensor))),
            ink, Qt::AlignHCenter | Qt::AlignBottom);
    const bool copied = heads.kv_heads < m_model.tensor;
    wrapped(painter, QRectF(wide.left(), keys.bottom() + 4, wide.width(), 2.1 * line),
            copied ? tr("%1 key heads, copied").arg(heads.kv_heads)
                   : tr("%1 key heads, %2 each")
                         .arg(heads.kv_heads)
                         .arg(count(double(heads.kv_heads) / double(m_model.tensor))),
            t.text(), Qt::AlignHCenter | Qt::AlignTop);
}

void MatrixView::paintEdge(QPainter& painter, const QRectF& rect, double rows, double columns) {
    const Theme& t = theme();
    const double line = QFontMetricsF(font()).height(), y = rect.center().y();
    painter.setPen(QPen(t.mutedText(), strokeWidth(font(), 1)));
    painter.drawLine(QPointF(rect.left() + 2, y), QPointF(rect.right() - 3, y));
    painter.drawLine(QPointF(rect.right() - 3, y), QPointF(rect.right() - 8, y - 3));
    painter.drawLine(QPointF(rect.right() - 3, y), QPointF(rect.right() - 8, y + 3));
    // Two lines: an edge is narrow.
    fitted(painter, QRectF(rect.left(), y - 1.25 * line, rect.width(), 1.2 * line), count(rows),
           t.mutedText());
    fitted(painter, QRectF(rect.left(), y + 2, rect.width(), 1.2 * line), u"× "_s + count(columns),
           t.mutedText());
}

void MatrixView::paintHalf(QPainter& painter, const MatrixHalf& half, const QRectF& area,
                           const QString& title) {
    const double line = QFontMetricsF(font()).height();
    text(painter, QRectF(area.left(), area.top(), area.width(), line), title, theme().mutedText(),
         Qt::AlignLeft | Qt::AlignVCenter);
    PlacedHalf placed = placeHalf(half, area.adjusted(0, line * 0.6, 0, 0), line);
    // What flows: outside the region the residual stream, inside it what the matrix before made.
    double rows = half.tokens, columns = half.width;
    // The plate of an exchange's name is wider than its bar: shapes keep off it.
    const double plate = line / 2 + 4;
    double from = area.left();
    for (const PlacedPart& part : placed.parts) {
        const bool bar = std::holds_alternative<MatrixExchange>(half.parts[part.index]);
        QRectF edge = part.edge;
        edge.setLeft(std::max(edge.left(), from));
        if (bar) edge.setRight(std::min(edge.right(), part.rect.center().x() - plate));
        from = bar ? part.rect.center().x() + plate : part.rect.right();
        paintEdge(painter, edge, rows, columns);
        if (const auto* box = std::get_if<MatrixBox>(&half.parts[part.index])) {
            paintBox(painter, *box, part.rect, part.edge.width());
            rows = box->tokens;
            columns = box->rank_columns;
        } else if (const auto* exchange = std::get_if<MatrixExchange>(&half.parts[part.index])) {
            paintExchange(painter, *exchange, part.rect);
            if (exchange->group != CommGroup::tensor)
                rows = exchange->rows_out, columns = half.width;
            else if (exchange->kind == OperatorKind::all_gather)
                rows *= double(m_model.tensor);
            else if (exchange->kind == OperatorKind::reduce_scatter)
                rows /= double(m_model.tensor);
        } else {
            paintHeads(painter, std::get<MatrixHeads>(half.parts[part.index]), part.rect, part.edge.width());
        }
        if (part.index + 1 >= half.parts.size()) continue;
        const MatrixPart& next = half.parts[part.index + 1];
        if (const auto* box = std::get_if<MatrixBox>(&next))
            rows = box->tokens, columns = box->rank_rows;
        else if (const auto* exchange = std::get_if<MatrixExchange>(&next); exchange && exchange->rows_in > 0)
            rows = exchange->rows_in, columns = half.width;
    }
    placed.out.setLeft(std::max(placed.out.left(), from));
    paintEdge(painter, placed.out, rows, columns);
}

} // namespace shardlens
