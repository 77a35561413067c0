// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/plot.h"

#include <QEvent>
#include <QResizeEvent>
#include <qcustomplot.h>

#include "charts/stroke.h"

namespace shardlens {

namespace {

// Numbers through the views' own formatting instead of printf codes.
class NumberTicker : public QCPAxisTicker {
public:
    std::function<QString(double)> format;

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override {
        return format ? format(tick) : QCPAxisTicker::getTickLabel(tick, locale, formatChar, precision);
    }
};

} // namespace

// Hands drawing on to the content; there is one on the main layer and one on the buffered overlay.
class Plot::Painted : public QCPAbstractPlottable {
public:
    Painted(QCPAxis* x, QCPAxis* y, Plot& plot, bool overlay)
        : QCPAbstractPlottable(x, y), m_plot(plot), m_isOverlay(overlay) {}

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

protected:
    void draw(QCPPainter* painter) override {
        if (!m_plot.m_prepared) return; // QCustomPlot's constructor has queued a replot of its own
        painter->setAntialiasing(false);
        painter->setPen(Qt::NoPen);
        if (m_isOverlay)
            m_plot.m_content.drawPlotOverlay(*painter, m_plot.m_frame);
        else
            m_plot.m_content.drawPlot(*painter, m_plot.m_frame);
    }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

private:
    Plot& m_plot;
    bool m_isOverlay;
};

// Replots at the moment of painting when something was marked. That is the queue: the window system's paint
// requests are merged already, so a turn of the event loop costs at most one replot, and hidden plots cost
// none.
class Plot::Canvas : public QCustomPlot {
public:
    explicit Canvas(Plot& plot)
        : QCustomPlot(&plot), m_plot(plot), m_main(new Painted(xAxis, yAxis, plot, false)),
          m_overlay(new Painted(xAxis, yAxis, plot, true)) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setFocusPolicy(Qt::NoFocus);
        setNotAntialiasedElements(QCP::aeAll);
        setInteractions({});
        // The replot that QCustomPlot's constructor has queued must not paint from inside itself: the paint
        // would find it busy and take an empty plot for a drawn one.
        setPlottingHint(QCP::phImmediateRefresh, false);
        m_overlay->setLayer(QStringLiteral("overlay"));
        layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmBuffered);
        for (QCPAxis* axis : {xAxis, yAxis}) {
            axis->setSubTicks(false);
            axis->setTickLength(0, 0);
            axis->grid()->setZeroLinePen(Qt::NoPen);
        }
        xAxis->setTicker(m_xNumbers);
        yAxis->setTicker(m_yNumbers);
        axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom);
        axisRect()->setMargins(QMargins(0, 9, 10, 0));
    }

    void set(QCPAxis* axis, const QSharedPointer<NumberTicker>& numbers, const PlotAxis& wanted) {
        axis->setVisible(wanted.visible);
        axis->grid()->setVisible(wanted.grid);
        axis->setRange(wanted.from, wanted.to);
        axis->setRangeReversed(wanted.reversed);
        axis->setLabel(wanted.title);
        if (wanted.labels.empty()) {
            numbers->format = wanted.format;
            numbers->setTickCount(wanted.tickCount);
            axis->setTicker(numbers);
            return;
        }
        QSharedPointer<QCPAxisTickerText> texts(new QCPAxisTickerText);
        for (const auto& [at, text] : wanted.labels) texts->addTick(at, text);
        axis->setTicker(texts);
    }
    void setX(const PlotAxis& axis) { set(xAxis, m_xNumbers, axis); }
    void setY(const PlotAxis& axis) { set(yAxis, m_yNumbers, axis); }

    void colour(const Theme& theme) {
        setBackground(QBrush(theme.card()));
        for (QCPAxis* axis : {xAxis, yAxis}) {
            axis->setBasePen(QPen(theme.grid(), axis->basePen().widthF()));
            axis->setTickPen(Qt::NoPen);
            axis->setTickLabelColor(theme.mutedText());
            axis->setLabelColor(theme.mutedText());
            axis->grid()->setPen(QPen(theme.grid(), axis->grid()->pen().widthF()));
        }
    }
    void useFont(const QFont& font) {
        for (QCPAxis* axis : {xAxis, yAxis}) {
            axis->setTickLabelFont(font);
            axis->setLabelFont(font);
            axis->setTickLabelPadding(4);
            QPen base = axis->basePen();
            base.setWidthF(strokeWidth(font));
            axis->setBasePen(base);
            QPen grid = axis->grid()->pen();
            grid.setWidthF(strokeWidth(font));
            axis->grid()->setPen(grid);
            axis->setLabelPadding(3);
        }
    }

    bool dirty = true, overlayDirty = false;

protected:
    void paintEvent(QPaintEvent* event) override {
        if (!qFuzzyCompare(devicePixelRatioF(), bufferDevicePixelRatio())) {
            setBufferDevicePixelRatio(devicePixelRatioF()); // the window moved to another screen
            dirty = true;
        }
        // QCustomPlot asks for another paint after drawing into its buffers; we are in that paint already.
        setAttribute(Qt::WA_UpdatesDisabled, true);
        if (dirty) {
            dirty = overlayDirty = false;
            m_plot.prepare();
            replot(rpQueuedRefresh);
            ++m_plot.m_replots;
        } else if (overlayDirty) {
            overlayDirty = false;
            m_overlay->layer()->replot();
        }
        setAttribute(Qt::WA_UpdatesDisabled, false);
        QCustomPlot::paintEvent(event);
        m_plot.m_content.plotPainted();
    }
    void resizeEvent(QResizeEvent*) override {
        setViewport(rect());
        dirty = true;
    }
    void updateLayout() override {
        QCustomPlot::updateLayout();
        const QRectF area = axisRect()->rect();
        const auto scale = [](const QCPAxis* axis, double low, double high) {
            const QCPRange range = axis->range();
            return axis->rangeReversed() ? LinearScale{range.upper, range.lower, low, high}
                                         : LinearScale{range.lower, range.upper, low, high};
        };
        m_plot.m_frame = {scale(xAxis, area.left(), area.right()), scale(yAxis, area.bottom(), area.top()),
                          area};
    }

private:
    Plot& m_plot;
    Painted *m_main, *m_overlay; // owned by QCustomPlot
    QSharedPointer<NumberTicker> m_xNumbers{new NumberTicker}, m_yNumbers{new NumberTicker};
};

Plot::Plot(PlotContent& content, QWidget* parent)
    : QWidget(parent), m_content(content), m_canvas(new Canvas(*this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    applyFont();
}

Plot::~Plot() { delete m_canvas; } // before the members it draws from

void Plot::setTheme(const Theme& theme) {
    m_canvas->colour(theme);
    markDirty();
}

void Plot::setAccessibleTexts(const QString& name, const QString& description) {
    setAccessibleName(name);
    setAccessibleDescription(description);
    m_canvas->setAccessibleName(name);
}

void Plot::setXAxis(const PlotAxis& axis) { m_canvas->setX(axis); }
void Plot::setYAxis(const PlotAxis& axis) { m_canvas->setY(axis); }

void Plot::markDirty() {
    m_canvas->dirty = true;
    m_canvas->update();
}

void Plot::markOverlayDirty() {
    m_canvas->overlayDirty = true;
    m_canvas->update();
}

void Plot::paintOn(QPaintDevice& device, const QRect& area, const std::function<void(QPainter&)>& around) {
    QCPPainter painter(&device);
    painter.setModes(QCPPainter::pmVectorized | QCPPainter::pmNoCaching);
    around(painter);
    m_canvas->setGeometry(rect());
    prepare();
    painter.translate(area.topLeft());
    m_canvas->toPainter(&painter, area.width(), area.height());
    markDirty();
}

void Plot::prepare() {
    m_content.preparePlot();
    m_prepared = true;
}

double Plot::bufferRatio() const { return m_canvas->bufferDevicePixelRatio(); }

void Plot::resizeEvent(QResizeEvent*) { m_canvas->setGeometry(rect()); }

void Plot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) applyFont();
    QWidget::changeEvent(event);
}

// The card round the plot shows who has the keyboard.
void Plot::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (parentWidget()) parentWidget()->update();
}

void Plot::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    if (parentWidget()) parentWidget()->update();
}

void Plot::applyFont() {
    m_canvas->useFont(font());
    markDirty();
}

} // namespace shardlens
