// SPDX-License-Identifier: GPL-3.0-or-later
// The card that every view draws itself on: rounded border, heading, note. Views need no frame around them.
#pragma once

#include <QRectF>
#include <QString>
#include <QStringList>
#include <functional>

#include "charts/label_cache.h"
#include "theme/theme.h"

class QPainter;
class QWidget;

namespace shardlens {

/// A rectangle with round corners and a line of `width` pixels around it.
void paintCard(QPainter& painter, const QRect& card, const QColor& fill, const QColor& line, double width = 1);

class ViewFrame {
public:
    /// Takes sizes from the widget's font and rectangle; cheap, call it in resize and paint events.
    void update(const QWidget& widget);

    [[nodiscard]] const QRect& headingRow() const { return m_heading; }
    /// Inside the border, below the heading.
    [[nodiscard]] const QRect& body() const { return m_body; }
    [[nodiscard]] LabelCache& labels() { return m_labels; }
    [[nodiscard]] LabelCache& boldLabels() { return m_boldLabels; }

    /// Card, bold heading, muted note right of it: the first of `notes` that is whole there, or none.
    /// `reserved`: pixels kept free at the right end.
    void paint(QPainter& painter, const Theme& theme, const QString& heading, const QStringList& notes,
               int reserved = 0);
    /// One sentence in the middle of the body instead of a chart.
    void paintEmpty(QPainter& painter, const Theme& theme, const QString& sentence) const;

private:
    QRect m_card, m_heading, m_body;
    QFont m_font;
    LabelCache m_labels, m_boldLabels;
    bool m_focused = false;
};

/// `width` pixels of colour along the inner edge of a rectangle.
void paintFrame(QPainter& painter, const QRectF& rect, const QColor& color, int width);

/// Frame of something hovered or selected: `width` pixels of colour, one of paper inside so that any fill
/// sets it off.
void paintMark(QPainter& painter, const QRectF& rect, const QColor& color, const QColor& paper, int width);

/// A swatch and its name, drawn left to right in rows; `draw` false only measures. Returns the height used.
class LegendPainter {
public:
    LegendPainter(QPainter* painter, LabelCache& labels, const Theme& theme, const QRect& area);
    void add(const QBrush& brush, const QColor& outline, const QString& text, const QColor& edge = {});
    /// With a swatch that `fill` draws.
    using Fill = std::function<void(QPainter& painter, const QRect& swatch)>;
    void add(const Fill& fill, const QColor& outline, const QString& text);
    [[nodiscard]] int height() const;

private:
    QPainter* m_painter;
    LabelCache& m_labels;
    const Theme& m_theme;
    QRect m_area;
    int m_x, m_y, m_line;
    bool m_any = false;
};

} // namespace shardlens
