// SPDX-License-Identifier: GPL-3.0-or-later
// A card with a heading, one plot and a legend: the frame of charts that draw something else than a report.
#pragma once

#include <QWidget>

#include "charts/plot.h"
#include "view_frame.h"

namespace shardlens {

class ChartCard : public QWidget, protected PlotContent {
    Q_OBJECT
public:
    explicit ChartCard(const Theme& theme, QWidget* parent = nullptr);

    void setTheme(const Theme& theme);
    /// Heading and note of the card, name and description of the chart.
    void setTexts(const QString& title, const QString& note, const QString& description);
    [[nodiscard]] Plot& plot() const { return *m_plot; }
    [[nodiscard]] QSize sizeHint() const override { return {360, 220}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 130}; }

protected:
    /// Data differ: one replot with the next paint.
    void changed();
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] LabelCache& labels() { return m_frame.labels(); }
    /// Entries of the legend, in order.
    virtual void drawLegend(LegendPainter& legend) = 0;

    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void arrange();

    Theme m_theme;
    ViewFrame m_frame;
    Plot* m_plot;
    QString m_title, m_note;
    int m_legendHeight = 0;
};

} // namespace shardlens
