// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of SGD with stragglers: what every worker does, how stale the gradients are, how the loss falls.
#pragma once

#include "charts/chart_card.h"
#include "sgd/sgd_result.h"

namespace shardlens {

/// "K-batch-sync", as people write it.
[[nodiscard]] QString sgdVariantName(sync::Variant variant);

/// What a stretch of a worker's row stands for.
enum class SgdWork { Applied, Stale, Cancelled, Unfinished, Waiting };

struct SgdBar {
    std::int64_t worker = 0;
    double start_s = 0, end_s = 0;
    SgdWork work = SgdWork::Applied;
    bool operator==(const SgdBar&) const = default;
};

/// Rows of the workers up to `until_s`: their mini-batches and the waiting between them. Plain, no window.
[[nodiscard]] std::vector<SgdBar> sgdBars(const sync::Run& run, std::int64_t workers, double until_s);

/// A row for every worker and one for the parameter server, which marks each update.
class WorkerTimeline : public ChartCard {
    Q_OBJECT
public:
    explicit WorkerTimeline(const Theme& theme, QWidget* parent = nullptr) : ChartCard(theme, parent) {}
    void setResult(const SgdResultPtr& result);
    void retranslate();
    [[nodiscard]] const std::vector<SgdBar>& bars() const { return m_bars; }

private:
    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawLegend(LegendPainter& legend) override;

    SgdResultPtr m_result;
    std::vector<SgdBar> m_bars;
};

/// The loss of the six variants over time or over updates, on a logarithmic scale.
class LossChart : public ChartCard {
    Q_OBJECT
public:
    enum class Over { Time, Updates };
    LossChart(Over over, const Theme& theme, QWidget* parent = nullptr)
        : ChartCard(theme, parent), m_over(over) {}
    void setResult(const SgdResultPtr& result);
    void retranslate();

private:
    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawLegend(LegendPainter& legend) override;
    [[nodiscard]] QPen penOf(std::size_t variant) const;

    Over m_over;
    SgdResultPtr m_result;
    double m_lowest = -1, m_highest = 1; ///< powers of ten
};

/// How many updates came between reading the weights and using the gradient.
class StalenessChart : public ChartCard {
    Q_OBJECT
public:
    explicit StalenessChart(const Theme& theme, QWidget* parent = nullptr) : ChartCard(theme, parent) {}
    void setResult(const SgdResultPtr& result);
    void retranslate();

private:
    void preparePlot() override;
    void drawPlot(QPainter& painter, const PlotFrame& frame) override;
    void drawLegend(LegendPainter& legend) override;

    SgdResultPtr m_result;
};

} // namespace shardlens
