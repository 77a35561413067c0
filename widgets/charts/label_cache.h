// SPDX-License-Identifier: GPL-3.0-or-later
// Laid-out labels kept between paints: text layout is the dear part of drawing a chart.
#pragma once

#include <QFont>
#include <QHash>
#include <QStaticText>

class QPainter;

namespace shardlens {

class LabelCache {
public:
    /// Forgets everything when the font differs.
    void setFont(const QFont& font);
    [[nodiscard]] const QFont& font() const { return m_font; }

    [[nodiscard]] QSizeF size(const QString& text);
    /// Draws with the painter's pen; top left corner at `at`.
    void draw(QPainter& painter, const QPointF& at, const QString& text);
    void drawCentred(QPainter& painter, const QPointF& centre, const QString& text);

private:
    const QStaticText& find(const QString& text);
    QFont m_font;
    QHash<QString, QStaticText> m_texts;
};

} // namespace shardlens
