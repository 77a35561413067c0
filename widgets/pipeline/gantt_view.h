// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's timeline: one row per rank, one block per operation, hatch where a rank waits.
#pragma once

#include <QImage>
#include <array>

#include "charts/plot.h"
#include "pipeline/gantt_geometry.h"
#include "report_view.h"
#include "view_frame.h"

namespace shardlens {

class GanttView : public ReportView, private PlotContent {
    Q_OBJECT
public:
    GanttView(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);

    void retranslate() override;
    [[nodiscard]] QSize sizeHint() const override { return {640, 300}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 130}; }

    [[nodiscard]] const VisibleRange& visibleRange() const { return m_visible; }
    void setVisibleRange(const VisibleRange& range);
    /// Shows the whole step.
    void fit();
    /// Operation under a point of this widget.
    [[nodiscard]] std::optional<std::size_t> opAtPosition(const QPointF& position) const;
    /// Middle of an operation's block in this widget.
    [[nodiscard]] QPointF positionOf(std::size_t op) const;
    [[nodiscard]] QString tooltipFor(std::size_t op) const;
    [[nodiscard]] QString heading() const;
    /// Why there is no timeline, in one sentence; empty when there is one.
    [[nodiscard]] QString emptyReason() const;
    [[nodiscard]] Plot& plot() const { return *m_plot; }

protected:
    void reportChanged() override;
    void themeChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    bool event(QEvent* event) override;

private:
    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawPlotOverlay(QPainter& painter, const PlotFrame& frame) override;
    void plotPainted() override { countPaint(); }

    void arrange();
    void mixColors();
    [[nodiscard]] const pipeline::Timeline* timeline() const;
    [[nodiscard]] GanttRows rows(const PlotFrame& frame) const;
    [[nodiscard]] QRectF rectOf(double start, double end, int row, const PlotFrame& frame) const;
    void drawSpan(QPainter& painter, const GanttSpan& span, const QRectF& rect);
    void drawDenseRow(QPainter& painter, const QRectF& row, const PlotFrame& frame);
    void drawNumber(QPainter& painter, const pipeline::Op& op, const QRectF& rect);
    int drawLegend(QPainter* painter, const QRect& area);
    void frameMicroBatch(QPainter& painter, const PlotFrame& frame, qint64 microBatch, const QColor& color);
    void selectOp(std::size_t op);
    [[nodiscard]] QString kindName(pipeline::OpKind kind) const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] QString description() const;
    [[nodiscard]] double endOfTime() const;

    struct Fill {
        QBrush brush;
        QColor color, outline, text;
    };
    [[nodiscard]] const Fill& fill(const pipeline::Op& op) const;

    ViewFrame m_frame;
    Plot* m_plot = nullptr;
    VisibleRange m_visible;
    double m_end = 0; // makespan that m_visible belongs to
    bool m_whole = true;
    QPointF m_pressed;
    VisibleRange m_pressedRange;
    bool m_pressing = false, m_dragging = false;
    std::size_t m_selectedOp = 0;             // for walking with the arrow keys
    std::vector<GanttSpan> m_spans;           // reused by every row
    std::vector<std::array<Fill, 4>> m_fills; // per chunk, by kind
    static constexpr std::size_t kShareSteps = 17;
    std::array<std::array<QRgb, kShareSteps>, 4> m_shades{}; // by kind and busy share
    std::array<QRgb, kShareSteps> m_overlappedShades{};
    QImage m_line;
    QBrush m_idle;
    QSizeF m_numberSize; // of the largest micro-batch number
    int m_legendHeight = 0;
    QString m_title, m_startText, m_textbookText, m_noOpsText, m_invalidText;
};

} // namespace shardlens
