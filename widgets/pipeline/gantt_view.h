// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's timeline: one row per rank, one block per operation, hatch where a rank waits; memory over
// time below the rows; a second timeline below the first on the same scale.
#pragma once

#include <QImage>
#include <map>
#include <set>

#include "charts/plot.h"
#include "pipeline/gantt_colors.h"
#include "pipeline/gantt_geometry.h"
#include "report/memory_curve.h"
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

    /// A report to show below the plan's in place of the pinned one; null: the pinned one again.
    void setSecond(ReportPtr report, const QString& name);
    [[nodiscard]] const ReportPtr& second() const { return m_second; }
    void setColorBy(GanttColors::By by);
    [[nodiscard]] GanttColors::By colorBy() const { return m_by; }
    void setMemoryShown(bool shown);
    [[nodiscard]] bool memoryShown() const { return m_memoryShown; }

    [[nodiscard]] const VisibleRange& visibleRange() const { return m_visible; }
    void setVisibleRange(const VisibleRange& range);
    /// Shows the whole step.
    void fit();
    /// Zooms around the middle; factor < 1 comes nearer.
    void zoom(double factor);

    /// An operation of one of the timelines; track 0 is the plan's.
    struct OpRef {
        int track = 0;
        std::size_t op = 0;
        bool operator==(const OpRef&) const = default;
    };
    [[nodiscard]] int trackCount() const { return static_cast<int>(m_tracks.size()); }
    /// Operation under a point of this widget.
    [[nodiscard]] std::optional<OpRef> opAtPosition(const QPointF& position) const;
    /// Middle of an operation's block in this widget.
    [[nodiscard]] QPointF positionOf(const OpRef& ref) const;
    /// Where a time lies in the row, or in the memory curve, of a rank; empty when that is not shown.
    [[nodiscard]] std::optional<QPointF> positionOf(GanttBand::Kind kind, int track, int rank,
                                                    double seconds) const;
    [[nodiscard]] QString tooltipFor(const OpRef& ref) const;
    /// What the tooltip says at a point; "" outside the rows.
    [[nodiscard]] QString tooltipAt(const QPointF& position) const;
    [[nodiscard]] QString heading() const;
    /// The line below the plot: the marked area, else what the rank at the cursor (or of the selected
    /// operation) holds, else how to move.
    [[nodiscard]] QString readout() const;
    /// The part marked with Shift and the mouse or the arrow keys.
    [[nodiscard]] const std::optional<GanttArea>& area() const { return m_area; }
    /// Why there is no timeline, in one sentence; empty when there is one.
    [[nodiscard]] QString emptyReason() const;
    [[nodiscard]] Plot& plot() const { return *m_plot; }
    [[nodiscard]] const std::vector<GanttBand>& bands() const { return m_bands; }

    /// The picture as a file by its suffix: svg, pdf (shapes and text) or png (two pixels for each of the
    /// view), in the light theme, as wide and high as this view unless told. The error is empty when the file
    /// is whole; otherwise nothing is left behind.
    [[nodiscard]] Error savePicture(const QString& path, QSize size = {}) const;

signals:
    /// Colours or memory were switched, perhaps by a key.
    void lookChanged();

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
    /// One of the timelines shown.
    struct Track {
        ReportPtr report;
        QString name;
        StepTimeline step;

        [[nodiscard]] const pipeline::Timeline& timeline() const { return *report->timeline; }
        [[nodiscard]] int ranks() const { return static_cast<int>(timeline().schedule.spec.ranks); }
        [[nodiscard]] double end() const { return std::max(step.step_s, timeline().makespan); }
    };
    /// A moment on a rank that the readout speaks of.
    struct Moment {
        int track = 0, rank = 0;
        double seconds = 0;
    };

    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawPlotOverlay(QPainter& painter, const PlotFrame& frame) override;
    void plotPainted() override { countPaint(); }

    void arrange();
    void layOut();
    [[nodiscard]] bool hasMemoryBands() const;
    void collectTracks();
    void tracksChanged();
    void mixColors();
    [[nodiscard]] const Track* shown() const { return m_tracks.empty() ? nullptr : &m_tracks.front(); }
    [[nodiscard]] Track& track(int index) { return m_tracks[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const Track& track(int index) const { return m_tracks[static_cast<std::size_t>(index)]; }
    [[nodiscard]] const MemoryCurve& curve(int track, int rank) const;
    [[nodiscard]] int memoryRank(const Track& track) const;
    [[nodiscard]] double endOfTime() const;

    // Drawing, gantt_paint.cpp.
    [[nodiscard]] QRectF bandRect(const GanttBand& band, const PlotFrame& frame) const;
    [[nodiscard]] QRectF blockRect(const GanttBand& band, double start, double end,
                                   const PlotFrame& frame) const;
    [[nodiscard]] const GanttBand* rowOf(int track, int rank) const;
    void drawRow(QPainter& painter, const GanttBand& band, const PlotFrame& frame);
    void drawDenseRow(QPainter& painter, const QRectF& row, const Track& track, const PlotFrame& frame);
    void drawSpan(QPainter& painter, const Track& track, const GanttSpan& span, const QRectF& rect,
                  bool numbered);
    void drawBlock(QPainter& painter, const GanttFill& look, const QRectF& rect, const QString& text);
    void drawStepParts(QPainter& painter, const GanttBand& band, const PlotFrame& frame);
    void drawMemory(QPainter& painter, const GanttBand& band, const PlotFrame& frame);
    void drawCaption(QPainter& painter, const GanttBand& band, const PlotFrame& frame);
    void lightUp(QPainter& painter, const PlotFrame& frame, qint64 microBatch);
    void frameMicroBatch(QPainter& painter, const PlotFrame& frame, qint64 microBatch, const QColor& color);
    void drawArea(QPainter& painter, const PlotFrame& frame);
    int drawLegend(QPainter* painter, const QRect& area);
    void drawAround(QPainter& painter);
    void paintOn(QPaintDevice& device);

    // Texts, gantt_text.cpp.
    [[nodiscard]] QString kindName(pipeline::OpKind kind) const;
    [[nodiscard]] QString partName(StepPart part) const;
    [[nodiscard]] QString microBatchName(const Track& track, qint64 id) const;
    [[nodiscard]] QString holdsText(const Moment& moment) const;
    /// `brief`: kinds by their letters, for where the words do not fit.
    [[nodiscard]] QString areaText(const GanttArea& area, bool brief) const;
    [[nodiscard]] QString trackText(int track) const;
    [[nodiscard]] QString note() const;
    [[nodiscard]] QString description() const;

    // Input, gantt_input.cpp.
    [[nodiscard]] const GanttBand* bandAtPosition(const QPointF& position) const;
    [[nodiscard]] double timeAt(const QPointF& position) const;
    [[nodiscard]] std::optional<Moment> moment() const;
    [[nodiscard]] std::vector<const StepInterval*> intervalsAt(const Moment& moment) const;
    void selectOp(const OpRef& ref);
    void walk(int key, bool marking);
    void setArea(const std::optional<GanttArea>& area);
    void markTo(const QPointF& position);
    void readoutChanged();

    ViewFrame m_frame;
    Plot* m_plot = nullptr;
    std::vector<Track> m_tracks;
    mutable std::vector<std::map<int, MemoryCurve>> m_curves; // per track, by rank, made when first looked at
    // What the legend names: zb-h1 has no whole backward, the others no halves of it.
    std::array<bool, 4> m_kindsSeen{};
    std::set<StepPart> m_partsSeen;
    std::vector<GanttBand> m_bands;
    ReportPtr m_second;
    QString m_secondName;
    GanttColors m_colors;
    GanttColors::By m_by = GanttColors::By::Kind;
    bool m_memoryShown = true;
    VisibleRange m_visible;
    double m_end = 0; // end of time that m_visible belongs to
    bool m_whole = true;

    QPointF m_pressed;
    VisibleRange m_pressedRange;
    enum class Drag { None, Pressed, Panning, Marking } m_drag = Drag::None;
    std::optional<GanttArea> m_area;
    std::optional<OpRef> m_areaAnchor; // the operation that marking with the keys began at
    std::optional<Moment> m_cursor;    // under the mouse
    OpRef m_selectedOp;                // for walking with the arrow keys

    bool m_vector = false;          // drawing shapes for a file
    std::vector<GanttSpan> m_spans; // reused by every row
    QImage m_line;
    QSizeF m_numberSize; // of the largest micro-batch number
    int m_stroke = 1;    // pixels of a line beside text of this size
    QRect m_readoutRow;
    int m_legendHeight = 0;
    QString m_title, m_startText, m_textbookText, m_noOpsText, m_invalidText;
};

} // namespace shardlens
