// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_frame.h"

#include <QPaintEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "charts/stroke.h"

namespace shardlens {

namespace {
constexpr int kPadding = 10;
constexpr double kRadius = 6;
constexpr int kCorner = 8; ///< side of the square that holds a round corner with its line

void paintCurved(QPainter& painter, const QRectF& card, const QColor& fill, const QPen& line) {
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setPen(line);
    painter.setBrush(fill);
    painter.drawRoundedRect(card.adjusted(0.5, 0.5, -0.5, -0.5), kRadius, kRadius);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// A small card whose corners are those of every card in these colours, kept between paints.
QPixmap corners(const QColor& fill, const QColor& line, double ratio) {
    const QString key = QStringLiteral("card %1 %2 %3").arg(fill.rgba()).arg(line.rgba()).arg(ratio);
    QPixmap picture;
    if (QPixmapCache::find(key, &picture)) return picture;
    picture = QPixmap(QSize(2 * kCorner, 2 * kCorner) * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    paintCurved(painter, QRectF(0, 0, 2 * kCorner, 2 * kCorner), fill, QPen(line, 1));
    painter.end();
    QPixmapCache::insert(key, picture);
    return picture;
}

} // namespace

// The curves are the dear part of a card: where its line lies on whole pixels, only its corners have some.
void paintCard(QPainter& painter, const QRect& card, const QColor& fill, const QColor& line, double width) {
    const double ratio = painter.device()->devicePixelRatioF();
    if (painter.paintEngine()->type() != QPaintEngine::Raster || width != 1 || ratio != std::floor(ratio) ||
        card.width() < 2 * kCorner || card.height() < 2 * kCorner)
        return paintCurved(painter, card, fill, QPen(line, width));
    const QPixmap picture = corners(fill, line, ratio);
    const double side = kCorner * ratio;
    const int left = card.left(), top = card.top(), right = card.right() + 1, bottom = card.bottom() + 1;
    for (const bool east : {false, true})
        for (const bool south : {false, true})
            painter.drawPixmap(
                QRectF(east ? right - kCorner : left, south ? bottom - kCorner : top, kCorner, kCorner),
                picture, QRectF(east ? side : 0, south ? side : 0, side, side));
    painter.fillRect(card.adjusted(kCorner, 1, -kCorner, -1), fill);
    painter.fillRect(QRect(left + 1, top + kCorner, kCorner - 1, card.height() - 2 * kCorner), fill);
    painter.fillRect(QRect(right - kCorner, top + kCorner, kCorner - 1, card.height() - 2 * kCorner), fill);
    painter.fillRect(QRect(left + kCorner, top, card.width() - 2 * kCorner, 1), line);
    painter.fillRect(QRect(left + kCorner, bottom - 1, card.width() - 2 * kCorner, 1), line);
    painter.fillRect(QRect(left, top + kCorner, 1, card.height() - 2 * kCorner), line);
    painter.fillRect(QRect(right - 1, top + kCorner, 1, card.height() - 2 * kCorner), line);
}

void ViewFrame::update(const QWidget& widget) {
    m_font = widget.font();
    m_focused = widget.hasFocus();
    QFont bold = m_font;
    bold.setWeight(QFont::DemiBold);
    m_labels.setFont(m_font);
    m_boldLabels.setFont(bold);
    m_card = widget.rect();
    const int line = QFontMetrics(m_font).height();
    m_heading = QRect(kPadding, 6, m_card.width() - 2 * kPadding, line + 4);
    m_body = m_card.adjusted(kPadding, m_heading.bottom() + 3, -kPadding, -6);
}

void ViewFrame::paint(QPainter& painter, const Theme& theme, const QString& heading, const QStringList& notes,
                      int reserved) {
    paintCard(painter, m_card, theme.card(), m_focused ? theme.accent() : theme.border(),
              strokeWidth(m_font));
    painter.setFont(m_boldLabels.font());
    painter.setPen(theme.text());
    const int space = m_heading.width() - reserved;
    const QFontMetrics boldMetrics(m_boldLabels.font());
    const QString title = boldMetrics.elidedText(heading, Qt::ElideRight, space);
    m_boldLabels.draw(painter, QPointF(m_heading.left(), m_heading.top() + 2), title);
    const int used = boldMetrics.horizontalAdvance(title) + 12;
    const QFontMetrics metrics(m_font);
    const auto whole = std::find_if(notes.begin(), notes.end(), [&](const QString& note) {
        return !note.isEmpty() && metrics.horizontalAdvance(note) <= space - used;
    });
    if (whole == notes.end()) return;
    painter.setPen(theme.mutedText());
    m_labels.draw(painter, QPointF(m_heading.left() + used, m_heading.top() + 2), *whole);
}

void ViewFrame::paintEmpty(QPainter& painter, const Theme& theme, const QString& sentence) const {
    painter.setFont(m_font);
    painter.setPen(theme.mutedText());
    painter.drawText(m_body.adjusted(16, 0, -16, 0), Qt::AlignCenter | Qt::TextWordWrap, sentence);
}

void paintFrame(QPainter& painter, const QRectF& rect, const QColor& color, int width) {
    painter.setBrush(Qt::NoBrush);
    painter.setPen(color);
    QRectF frame = rect.adjusted(0, 0, -1, -1);
    for (int i = 0; i < width; ++i, frame.adjust(1, 1, -1, -1)) painter.drawRect(frame);
}

void paintMark(QPainter& painter, const QRectF& rect, const QColor& color, const QColor& paper, int width) {
    // Round what is thin, which a frame inside would cover.
    const double across = std::min(rect.width(), rect.height());
    const double out = across < 4.0 * width ? width + 1 : 0;
    const QRectF frame = rect.adjusted(-out, -out, out, out);
    paintFrame(painter, frame, color, width);
    const QRectF inside = frame.adjusted(width, width, -width, -width);
    if (out > 0 || (inside.width() >= 5 && inside.height() >= 5)) paintFrame(painter, inside, paper, 1);
}

LegendPainter::LegendPainter(QPainter* painter, LabelCache& labels, const Theme& theme, const QRect& area)
    : m_painter(painter), m_labels(labels), m_theme(theme), m_area(area), m_x(area.left()), m_y(area.top()),
      m_line(QFontMetrics(labels.font()).height() + 2) {}

void LegendPainter::add(const QBrush& brush, const QColor& outline, const QString& text, const QColor& edge) {
    const auto fill = [&](QPainter& painter, const QRect& swatch) {
        painter.fillRect(swatch, brush);
        if (edge.isValid()) painter.fillRect(swatch.adjusted(0, swatch.height() - 4, 0, 0), edge);
    };
    add(fill, outline, text);
}

void LegendPainter::add(const Fill& fill, const QColor& outline, const QString& text) {
    const int side = m_line - 7;
    // An entry that is wider than the legend gives way at its end.
    const QString shown =
        QFontMetrics(m_labels.font()).elidedText(text, Qt::ElideRight, m_area.width() - side - 5);
    const int width = side + 5 + static_cast<int>(m_labels.size(shown).width()) + 12;
    if (m_any && m_x + width > m_area.right() + 12) {
        m_x = m_area.left();
        m_y += m_line;
    }
    m_any = true;
    if (m_painter) {
        const QRect swatch(m_x, m_y + 3, side, side);
        fill(*m_painter, swatch);
        m_painter->setBrush(Qt::NoBrush);
        m_painter->setPen(outline);
        m_painter->drawRect(swatch.adjusted(0, 0, -1, -1));
        m_painter->setPen(m_theme.mutedText());
        m_labels.draw(*m_painter, QPointF(m_x + side + 5, m_y), shown);
    }
    m_x += width;
}

int LegendPainter::height() const { return m_any ? m_y + m_line - m_area.top() : 0; }

} // namespace shardlens
