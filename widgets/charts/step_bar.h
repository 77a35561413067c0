// SPDX-License-Identifier: GPL-3.0-or-later
// The time of one step as one stacked bar; the pinned plan's as a slim ghost below.
#pragma once

#include "charts/plot.h"
#include "charts/stack_geometry.h"
#include "report_view.h"
#include "view_frame.h"

namespace shardlens {

class StepBar : public ReportView, private PlotContent {
    Q_OBJECT
public:
    StepBar(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);

    void retranslate() override;
    [[nodiscard]] QSize sizeHint() const override { return {480, 130}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 96}; }

    /// What is drawn: stack 0 = the plan, 1 = the pinned one; part = index into timeParts(), low and high in
    /// seconds.
    [[nodiscard]] const std::vector<StackBlock>& blocks() const { return m_blocks; }
    /// The block under a point of this widget.
    [[nodiscard]] std::optional<StackBlock> blockAtPosition(const QPointF& position) const;
    [[nodiscard]] QPointF positionOf(const StackBlock& block) const;
    [[nodiscard]] QString tooltipFor(const StackBlock& block) const;
    [[nodiscard]] Plot& plot() const { return *m_plot; }

protected:
    void reportChanged() override;
    void themeChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawPlotOverlay(QPainter& painter, const PlotFrame& frame) override;
    void plotPainted() override { countPaint(); }

    void arrange();
    int drawLegend(QPainter* painter, const QRect& area);
    [[nodiscard]] QRectF rectOf(const StackBlock& block, const PlotFrame& frame) const;
    void drawBlock(QPainter& painter, const StackBlock& block, const QRectF& rect);
    void drawBlockLabel(QPainter& painter, const StackBlock& block, const QRectF& rect);
    [[nodiscard]] QString heading() const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] QString description() const;

    ViewFrame m_frame;
    Plot* m_plot = nullptr;
    std::vector<StackBlock> m_blocks;
    std::vector<QBrush> m_brushes;
    std::vector<QColor> m_outlines;
    int m_legendHeight = 0;
    bool m_legendBrief = false;
    QString m_title, m_emptyText;
};

} // namespace shardlens
