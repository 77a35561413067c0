// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of one GPU per pipeline stage: stacked terms against capacity and what of it is usable.
#pragma once

#include "charts/plot.h"
#include "charts/stack_geometry.h"
#include "report_view.h"
#include "view_frame.h"

namespace shardlens {

class MemoryChart : public ReportView, private PlotContent {
    Q_OBJECT
public:
    MemoryChart(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);

    void retranslate() override;
    [[nodiscard]] QSize sizeHint() const override { return {480, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 150}; }

    /// What is drawn: stack = stage, part = index into memoryTerms(), low and high in GiB.
    [[nodiscard]] const std::vector<StackBlock>& blocks() const { return m_blocks; }
    /// The block under a point of this widget.
    [[nodiscard]] std::optional<StackBlock> blockAtPosition(const QPointF& position) const;
    /// Middle of a block in this widget, for tests and for keyboard tooltips.
    [[nodiscard]] QPointF positionOf(const StackBlock& block) const;
    [[nodiscard]] QString tooltipFor(const StackBlock& block) const;
    /// Where the lines of capacity and of usable memory are named, in pixels of plot(), as last drawn.
    [[nodiscard]] std::vector<QRectF> lineLabels() const;
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
    struct Line {
        Role role;
        double y;
        QString text;
        QRectF label;
    };

    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawPlotOverlay(QPainter& painter, const PlotFrame& frame) override;
    void plotPainted() override { countPaint(); }

    void arrange();
    void rebuildBlocks();
    int drawLegend(QPainter* painter, const QRect& area);
    [[nodiscard]] QRectF rectOf(const StackBlock& block, const PlotFrame& frame) const;
    void drawGhost(QPainter& painter, const PlotFrame& frame) const;
    void placeLines(const PlotFrame& frame);
    void drawLines(QPainter& painter, const PlotFrame& frame) const;
    void drawLineLabels(QPainter& painter);
    void drawTotals(QPainter& painter, const PlotFrame& frame);
    [[nodiscard]] Target targetOf(const StackBlock& block) const;
    [[nodiscard]] QString description() const;

    ViewFrame m_frame;
    Plot* m_plot = nullptr;
    std::vector<StackBlock> m_blocks;
    std::vector<Line> m_lines;
    std::vector<QBrush> m_brushes;
    std::vector<QColor> m_outlines;
    unsigned m_termsShown = 0; // bits: term has a block in some stage
    int m_legendHeight = 0;
    QString m_title, m_emptyText, m_unitTitle, m_capacityText, m_usableText, m_pinnedText;
};

} // namespace shardlens
