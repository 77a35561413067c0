// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/chart_card.h"

#include <QEvent>
#include <QPainter>

namespace shardlens {

ChartCard::ChartCard(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_theme(theme), m_plot(new Plot(*this, this)) {
    setFocusProxy(m_plot);
    m_plot->setTheme(theme);
}

void ChartCard::setTheme(const Theme& theme) {
    m_theme = theme;
    m_plot->setTheme(theme);
    changed();
}

void ChartCard::setTexts(const QString& title, const QString& note, const QString& description) {
    m_title = title;
    m_note = note;
    m_plot->setAccessibleTexts(title, description);
    setAccessibleName(title);
    setAccessibleDescription(description);
    changed();
}

void ChartCard::changed() {
    arrange();
    m_plot->markDirty();
    update();
}

void ChartCard::arrange() {
    m_frame.update(*this);
    const QRect body = m_frame.body();
    LegendPainter legend(nullptr, m_frame.labels(), m_theme, body);
    drawLegend(legend);
    m_legendHeight = legend.height();
    if (body.height() - m_legendHeight < 70) m_legendHeight = 0;
    m_plot->setGeometry(body.adjusted(-4, 0, 4, -m_legendHeight));
}

void ChartCard::paintEvent(QPaintEvent*) {
    m_frame.update(*this);
    QPainter painter(this);
    m_frame.paint(painter, m_theme, m_title, {m_note});
    if (m_legendHeight == 0) return;
    painter.setFont(font());
    const QRect body = m_frame.body();
    LegendPainter legend(&painter, m_frame.labels(), m_theme,
                         body.adjusted(0, body.height() - m_legendHeight + 2, 0, 0));
    drawLegend(legend);
}

// The first layout may come before the class that draws the legend is made.
void ChartCard::resizeEvent(QResizeEvent*) { arrange(); }

void ChartCard::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) changed();
    QWidget::changeEvent(event);
}

} // namespace shardlens
