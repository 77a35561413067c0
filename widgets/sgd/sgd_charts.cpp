// SPDX-License-Identifier: GPL-3.0-or-later
#include "sgd/sgd_charts.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>

#include "charts/stroke.h"
#include "format.h"
#include "sync/closed_form.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr double kRowShare = 0.78;    ///< of a row that its bar fills
constexpr double kWidestLossSpan = 6; ///< powers of ten that the loss charts show at most
constexpr double kLoudLoss = 1e4;     ///< above: the variant has diverged and leaves the picture

Role roleOf(SgdWork work) {
    switch (work) {
    case SgdWork::Applied: return Role::Forward;
    case SgdWork::Stale: return Role::WeightGradient;
    case SgdWork::Cancelled: return Role::Recompute;
    case SgdWork::Unfinished: return Role::Buffers;
    case SgdWork::Waiting: break;
    }
    return Role::Idle;
}

QString nameOf(SgdWork work) {
    switch (work) {
    case SgdWork::Applied: return WorkerTimeline::tr("computing, applied fresh");
    case SgdWork::Stale: return WorkerTimeline::tr("computing, applied stale");
    case SgdWork::Cancelled: return WorkerTimeline::tr("computing, cancelled");
    case SgdWork::Unfinished: return WorkerTimeline::tr("computing still");
    case SgdWork::Waiting: break;
    }
    return WorkerTimeline::tr("waiting");
}

} // namespace

QString sgdVariantName(sync::Variant variant) {
    switch (variant) {
    case sync::Variant::sync: return u"sync"_s;
    case sync::Variant::k_sync: return u"K-sync"_s;
    case sync::Variant::k_batch_sync: return u"K-batch-sync"_s;
    case sync::Variant::async: return u"async"_s;
    case sync::Variant::k_async: return u"K-async"_s;
    case sync::Variant::k_batch_async: break;
    }
    return u"K-batch-async"_s;
}

std::vector<SgdBar> sgdBars(const sync::Run& run, std::int64_t workers, double until_s) {
    std::vector<SgdBar> bars;
    std::vector<double> free_from(static_cast<std::size_t>(workers), 0.0);
    for (const sync::Segment& segment : run.segments) { // by start
        if (segment.start_s >= until_s) continue;
        double& free = free_from[static_cast<std::size_t>(segment.worker)];
        if (segment.start_s > free) bars.push_back({segment.worker, free, segment.start_s, SgdWork::Waiting});
        const SgdWork work = segment.fate == sync::Fate::cancelled    ? SgdWork::Cancelled
                             : segment.fate == sync::Fate::unfinished ? SgdWork::Unfinished
                             : segment.staleness() > 0                ? SgdWork::Stale
                                                                      : SgdWork::Applied;
        free = std::max(free, segment.end_s);
        bars.push_back({segment.worker, segment.start_s, std::min(segment.end_s, until_s), work});
    }
    for (std::int64_t worker = 0; worker < workers; ++worker)
        if (const double free = free_from[static_cast<std::size_t>(worker)]; free < until_s)
            bars.push_back({worker, free, until_s, SgdWork::Waiting});
    return bars;
}

void WorkerTimeline::setResult(const SgdResultPtr& result) {
    m_result = result;
    m_bars = result ? sgdBars(result->run, result->spec.workers, result->window_s) : std::vector<SgdBar>();
    retranslate();
}

void WorkerTimeline::retranslate() {
    if (!m_result) return setTexts(tr("Workers and parameter server"), {}, {});
    const auto expected = sync::expected_update_time(m_result->spec);
    QString note = tr("%1 an update").arg(formatSeconds(m_result->run.update_time_s));
    if (expected.seconds && expected.exactness == sync::Exactness::exact)
        note += tr(", %1 expected").arg(formatSeconds(*expected.seconds));
    if (m_result->run.dropped_share > 0)
        note += tr(", %1 cancelled").arg(formatPercent(m_result->run.dropped_share));
    setTexts(tr("%1: workers and server").arg(sgdVariantName(m_result->spec.variant)), note, note);
}

void WorkerTimeline::preparePlot() {
    const std::int64_t workers = m_result ? m_result->spec.workers : 1;
    PlotAxis x;
    x.to = m_result ? m_result->window_s : 1;
    x.format = formatTick;
    x.title = tr("seconds");
    PlotAxis y;
    y.from = -0.5;
    y.to = double(workers) + 0.5; // the server below the workers
    y.reversed = true;
    const int rows = int(workers) + 1;
    const int step = labelStep(rows, plot().frame().rect.height() > 0 ? plot().frame().rect.height() : 200,
                               labels().size(u"0"_s).height());
    for (std::int64_t worker = 0; worker < workers; worker += step)
        if (workers - worker >= step) y.labels.emplace_back(double(worker), u"W%1"_s.arg(worker));
    y.labels.emplace_back(double(workers), tr("server"));
    plot().setXAxis(x);
    plot().setYAxis(y);
}

void WorkerTimeline::drawPlot(QPainter& painter, const PlotFrame& frame) {
    if (!m_result) return;
    const double row = std::abs(frame.y.pixelsPerUnit()), height = std::max(1.0, row * kRowShare);
    for (const SgdBar& bar : m_bars) {
        const double left = frame.x.toPixel(bar.start_s), right = frame.x.toPixel(bar.end_s);
        const QRectF rect(left, frame.y.toPixel(double(bar.worker)) - height / 2, right - left, height);
        painter.fillRect(rect, theme().brush(roleOf(bar.work)));
        if (rect.width() < 3 || height < 4) continue;
        painter.setPen(QPen(theme().outline(roleOf(bar.work)), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    // Each update: a tick in the server's row, and through the workers where there is room between two.
    const double server = frame.y.toPixel(double(m_result->spec.workers));
    const auto& times = m_result->run.update_times_s;
    const bool roomy = !times.empty() && m_result->run.update_time_s * frame.x.pixelsPerUnit() > 14;
    QPen strong(theme().text(), strokeWidth(font(), 2)), thin(theme().mutedText(), 1, Qt::DotLine);
    for (const double at : times) {
        if (at > m_result->window_s) break;
        const double x = frame.x.toPixel(at);
        if (roomy) {
            painter.setPen(thin);
            painter.drawLine(QPointF(x, frame.rect.top()), QPointF(x, server - row / 2));
        }
        painter.setPen(strong);
        painter.drawLine(QPointF(x, server - height / 2), QPointF(x, server + height / 2));
    }
}

void WorkerTimeline::drawLegend(LegendPainter& legend) {
    for (const SgdWork work : {SgdWork::Applied, SgdWork::Stale, SgdWork::Cancelled, SgdWork::Waiting}) {
        const bool there =
            std::any_of(m_bars.begin(), m_bars.end(), [&](const SgdBar& bar) { return bar.work == work; });
        if (there) legend.add(theme().brush(roleOf(work)), theme().outline(roleOf(work)), nameOf(work));
    }
    const QColor ink = theme().text();
    legend.add(
        [ink](QPainter& painter, const QRect& swatch) {
            painter.fillRect(QRect(swatch.center().x(), swatch.top(), 2, swatch.height()), ink);
        },
        Qt::transparent, tr("update of the weights"));
}

void LossChart::setResult(const SgdResultPtr& result) {
    m_result = result;
    double low = 1e300, high = 0;
    if (result)
        for (const sync::LossCurve& curve : result->loss)
            for (const double value : m_over == Over::Time ? curve.by_time : curve.by_update)
                if (value > 0 && value < kLoudLoss) {
                    low = std::min(low, value);
                    high = std::max(high, value);
                }
    m_highest = high > 0 ? std::ceil(std::log10(high)) : 1;
    m_lowest = high > 0 ? std::max(std::floor(std::log10(low)), m_highest - kWidestLossSpan) : -1;
    retranslate();
}

void LossChart::retranslate() {
    const bool time = m_over == Over::Time;
    setTexts(time ? tr("Loss over time") : tr("Loss over updates"), tr("F(w) = |w|²/2, mean of many runs"),
             time ? tr("Waiting for fewer workers falls faster, with a higher floor.")
                  : tr("An update with more and fresher gradients is worth more."));
}

void LossChart::preparePlot() {
    PlotAxis x;
    x.format = formatTick;
    x.title = m_over == Over::Time ? tr("seconds") : tr("updates");
    if (m_result && !m_result->loss.empty()) {
        const sync::LossCurve& curve = m_result->loss.front();
        x.to = m_over == Over::Time ? curve.at_s.back() : double(curve.at_update.back());
    }
    PlotAxis y;
    y.from = m_lowest;
    y.to = m_highest;
    y.grid = true;
    for (int power = int(m_lowest); power <= int(m_highest); ++power)
        y.labels.emplace_back(power, formatTick(std::pow(10.0, power)));
    plot().setXAxis(x);
    plot().setYAxis(y);
}

QPen LossChart::penOf(std::size_t variant) const {
    // Blue, orange, green, grey, pink, yellow: no two neighbours on the wheel of hues.
    static constexpr std::array kColors = {0, 4, 2, 7, 5, 3};
    // Dashes and gaps in widths of the line; none is a line without gaps.
    static const std::array<QList<qreal>, 6> kDashes = {
        {{}, {5, 2}, {5, 2, 1, 2}, {1, 1.5}, {5, 2, 1, 2, 1, 2}, {12, 2.5}}};
    const bool chosen = m_result && kSgdVariants[variant] == m_result->spec.variant;
    // A thin line needs contrast; where its colour has it, mixing would only make the six alike.
    const QColor color = theme().categorical(kColors[variant]);
    QPen pen(contrastRatio(color, theme().card()) >= 3 ? color : theme().outline(color),
             strokeWidth(font(), chosen ? 3 : 1.8));
    if (!kDashes[variant].isEmpty()) pen.setDashPattern(kDashes[variant]);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

void LossChart::drawPlot(QPainter& painter, const PlotFrame& frame) {
    if (!m_result) return;
    painter.setRenderHint(QPainter::Antialiasing, true);
    painter.setBrush(Qt::NoBrush);
    for (std::size_t i = 0; i < m_result->loss.size(); ++i) {
        const sync::LossCurve& curve = m_result->loss[i];
        const auto& values = m_over == Over::Time ? curve.by_time : curve.by_update;
        QPainterPath path;
        bool pen_down = false;
        for (std::size_t at = 0; at < values.size(); ++at) {
            const double x = m_over == Over::Time ? curve.at_s[at] : double(curve.at_update[at]);
            if (!(values[at] > 0) || !(values[at] < 1e300)) {
                pen_down = false;
                continue;
            }
            const QPointF point(frame.x.toPixel(x),
                                frame.y.toPixel(std::min(std::log10(values[at]), m_highest + 1)));
            if (pen_down)
                path.lineTo(point);
            else
                path.moveTo(point);
            pen_down = true;
        }
        painter.setPen(penOf(i));
        painter.drawPath(path);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void LossChart::drawLegend(LegendPainter& legend) {
    for (std::size_t i = 0; i < kSgdVariants.size(); ++i) {
        const QPen pen = penOf(i);
        // A dash pattern needs more than a square: the line reaches over blanks before the name.
        static const QString kBlanks = u"\u2003\u2003"_s;
        const int more = int(QFontMetricsF(font()).horizontalAdvance(kBlanks));
        legend.add(
            [pen, more](QPainter& painter, const QRect& swatch) {
                painter.setPen(pen);
                const int y = swatch.center().y();
                painter.drawLine(swatch.left() - 1, y, swatch.right() + more, y);
            },
            Qt::transparent, kBlanks + sgdVariantName(kSgdVariants[i]));
    }
}

void StalenessChart::setResult(const SgdResultPtr& result) {
    m_result = result;
    retranslate();
}

void StalenessChart::retranslate() {
    const QString mean =
        m_result ? tr("mean %1 updates").arg(formatNumber(m_result->run.mean_staleness, 3)) : QString();
    setTexts(tr("Staleness of the gradients"), mean,
             tr("Updates between reading the weights and using the gradient: %1").arg(mean));
}

void StalenessChart::preparePlot() {
    PlotAxis x, y;
    double most = 1;
    std::size_t last = 1;
    if (m_result && m_result->run.applied > 0)
        for (std::size_t i = 0; i < m_result->run.staleness.size(); ++i) {
            const double share = 100.0 * double(m_result->run.staleness[i]) / double(m_result->run.applied);
            most = std::max(most, share);
            if (share > 0.05) last = std::max(last, i);
        }
    x.from = -0.6;
    x.to = double(last) + 0.6;
    x.format = [](double at) { return at < 0 || at != std::round(at) ? QString() : formatTick(at); };
    x.title = tr("updates late");
    y.to = most * 1.08;
    y.grid = true;
    y.format = formatTick;
    y.title = u"%"_s;
    y.tickCount = 4;
    plot().setXAxis(x);
    plot().setYAxis(y);
}

void StalenessChart::drawPlot(QPainter& painter, const PlotFrame& frame) {
    if (!m_result || m_result->run.applied == 0) return;
    const double width = std::max(1.0, frame.x.pixelsPerUnit() * 0.8);
    for (std::size_t i = 0; i < m_result->run.staleness.size(); ++i) {
        const double share = 100.0 * double(m_result->run.staleness[i]) / double(m_result->run.applied);
        if (share <= 0) continue;
        const Role role = roleOf(i == 0 ? SgdWork::Applied : SgdWork::Stale);
        const double top = frame.y.toPixel(share), x = frame.x.toPixel(double(i));
        const QRectF rect(x - width / 2, top, width, frame.y.toPixel(0) - top);
        painter.fillRect(rect, theme().brush(role));
        painter.setPen(QPen(theme().outline(role), strokeWidth(font())));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect);
    }
}

void StalenessChart::drawLegend(LegendPainter&) {}

} // namespace shardlens
