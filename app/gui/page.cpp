// SPDX-License-Identifier: GPL-3.0-or-later
#include "page.h"

#include <QSplitter>
#include <QVBoxLayout>

#include "charts/memory_chart.h"
#include "charts/step_bar.h"
#include "pipeline/gantt_view.h"
#include "report_table.h"
#include "topology/topology_view.h"

namespace shardlens {

namespace {

QSplitter* splitter(Qt::Orientation orientation) {
    auto* result = new QSplitter(orientation);
    result->setChildrenCollapsible(false);
    result->setHandleWidth(6);
    return result;
}

QVBoxLayout* pageLayout(QWidget* page) {
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    return layout;
}

} // namespace

void ViewPage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    for (ReportView* view : m_views) {
        if (view->pinned() != pinned) view->setPinned(pinned);
        if (view->report() != report) view->setReport(report);
    }
}

void ViewPage::setTheme(const Theme& theme) {
    for (ReportView* view : m_views) view->setTheme(theme);
}

ViewPage* makeOverviewPage(const Theme& theme, Interaction& interaction) {
    auto* page = new ViewPage;
    auto* memory = new MemoryChart(theme, interaction);
    auto* topology = new TopologyView(theme, interaction);
    auto* step = new StepBar(theme, interaction);
    auto* gantt = new GanttView(theme, interaction);
    for (ReportView* view : {static_cast<ReportView*>(memory), static_cast<ReportView*>(topology),
                             static_cast<ReportView*>(step), static_cast<ReportView*>(gantt)})
        page->add(view);
    auto* upper = splitter(Qt::Horizontal);
    upper->addWidget(memory);
    upper->addWidget(topology);
    upper->setStretchFactor(0, 1);
    upper->setStretchFactor(1, 1);
    auto* rows = splitter(Qt::Vertical);
    rows->addWidget(upper);
    rows->addWidget(step);
    rows->addWidget(gantt);
    rows->setStretchFactor(0, 4);
    rows->setStretchFactor(1, 0);
    rows->setStretchFactor(2, 4);
    pageLayout(page)->addWidget(rows);
    return page;
}

namespace {

/// A chart with the table of its numbers below, which the hand can resize.
ViewPage* chartOverTable(ReportView* chart, ReportView* table, int chartShare, int tableShare) {
    auto* page = new ViewPage;
    page->add(chart);
    page->add(table);
    auto* rows = splitter(Qt::Vertical);
    rows->addWidget(chart);
    rows->addWidget(table);
    rows->setStretchFactor(0, chartShare);
    rows->setStretchFactor(1, tableShare);
    pageLayout(page)->addWidget(rows);
    if (tableShare == 0) rows->setSizes({400, 300});
    return page;
}

} // namespace

ViewPage* makeMemoryPage(const Theme& theme, Interaction& interaction) {
    return chartOverTable(new MemoryChart(theme, interaction), makeMemoryTable(theme, interaction), 1, 0);
}

ViewPage* makeTimePage(const Theme& theme, Interaction& interaction) {
    return chartOverTable(new StepBar(theme, interaction), makeTimeTable(theme, interaction), 1, 3);
}

} // namespace shardlens
