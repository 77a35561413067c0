// SPDX-License-Identifier: GPL-3.0-or-later
// The one wrapper round QCustomPlot: axes, grid, layers and their buffers come from it, the content from a
// PlotContent.
#pragma once

#include <QRectF>
#include <QWidget>
#include <functional>
#include <vector>

#include "charts/scale.h"
#include "theme/theme.h"

class QPaintDevice;
class QPainter;

namespace shardlens {

/// Where the data area lies and how values map to it, in pixels of the Plot.
struct PlotFrame {
    LinearScale x, y;
    QRectF rect;
};

/// What a view draws inside the axes. Called from the plot's paint event.
class PlotContent {
public:
    virtual ~PlotContent() = default;
    /// Before a replot: set the axes from the data.
    virtual void preparePlot() {}
    /// The main layer; not antialiased, clipped to the data area.
    virtual void drawPlot(QPainter& painter, const PlotFrame& frame) = 0;
    /// A layer with its own buffer for what follows the mouse.
    virtual void drawPlotOverlay(QPainter&, const PlotFrame&) {}
    /// The plot came on screen once more.
    virtual void plotPainted() {}
};

struct PlotAxis {
    double from = 0, to = 1;
    bool reversed = false; ///< for y: `from` at the top
    bool visible = true;
    bool grid = false;
    QString title;                                  ///< with its unit
    std::function<QString(double)> format;          ///< for numbers; null with labels
    std::vector<std::pair<double, QString>> labels; ///< for categories, in place of numbers
    int tickCount = 5;                              ///< wanted number of ticks for numbers
};

class Plot : public QWidget {
    Q_OBJECT
public:
    explicit Plot(PlotContent& content, QWidget* parent = nullptr);
    ~Plot() override;

    void setTheme(const Theme& theme);
    /// Name of the chart and one sentence about what it shows now.
    void setAccessibleTexts(const QString& name, const QString& description);
    /// To be called from preparePlot().
    void setXAxis(const PlotAxis& axis);
    void setYAxis(const PlotAxis& axis);

    /// Content or axes differ: one replot with the next paint, however often it is called. A hidden plot
    /// draws nothing.
    void markDirty();
    /// Only what drawPlotOverlay() draws differs.
    void markOverlayDirty();

    /// Draws axes and content on another device, a file perhaps: first what `around` draws in the device's
    /// coordinates, then the plot at `area`. frame() speaks of that device until the next replot.
    void paintOn(QPaintDevice& device, const QRect& area, const std::function<void(QPainter&)>& around);

    /// Of the last replot.
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    [[nodiscard]] int replotCount() const { return m_replots; }
    /// Pixels of the paint buffers per logical pixel.
    [[nodiscard]] double bufferRatio() const;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    class Canvas;
    class Painted;
    void applyFont();
    void prepare();

    PlotContent& m_content;
    Canvas* m_canvas = nullptr;
    PlotFrame m_frame;
    int m_replots = 0;
    bool m_prepared = false; ///< the content has set the axes once
};

} // namespace shardlens
