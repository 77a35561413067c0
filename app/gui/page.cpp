// SPDX-License-Identifier: GPL-3.0-or-later
#include "page.h"

#include <QEvent>
#include <QHeaderView>
#include <QSplitter>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "charts/memory_chart.h"
#include "charts/step_bar.h"
#include "pipeline/gantt_view.h"
#include "report_table.h"
#include "topology/topology_view.h"

namespace shardlens {

namespace {

// Parents come first: each move of a widget to another parent styles all that is in it again.
QSplitter* splitter(Qt::Orientation orientation, QWidget* parent) {
    auto* result = new QSplitter(orientation, parent);
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
    auto* rows = splitter(Qt::Vertical, page);
    auto* upper = splitter(Qt::Horizontal, rows);
    auto* memory = new MemoryChart(theme, interaction, upper);
    auto* topology = new TopologyView(theme, interaction, upper);
    auto* step = new StepBar(theme, interaction, rows);
    auto* gantt = new GanttView(theme, interaction, rows);
    for (ReportView* view : {static_cast<ReportView*>(memory), static_cast<ReportView*>(topology),
                             static_cast<ReportView*>(step), static_cast<ReportView*>(gantt)})
        page->add(view);
    upper->setStretchFactor(0, 1);
    upper->setStretchFactor(1, 1);
    rows->setStretchFactor(0, 4);
    rows->setStretchFactor(1, 0);
    rows->setStretchFactor(2, 4);
    pageLayout(page)->addWidget(rows);
    return page;
}

namespace {

/// Gives the table below the chart the height of its rows, up to half of the room, until a hand moves the
/// border.
class RowsFit : public QObject {
public:
    RowsFit(QSplitter* rows, QTableView* table) : QObject(rows), m_rows(rows), m_table(table) {
        rows->installEventFilter(this);
        connect(rows, &QSplitter::splitterMoved, this, [this] { m_moved = true; });
        connect(table->verticalHeader(), &QHeaderView::sectionCountChanged, this, &RowsFit::fit);
        connect(table->verticalHeader(), &QHeaderView::sectionResized, this, &RowsFit::fit);
    }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override {
        const bool done = QObject::eventFilter(watched, event);
        if (event->type() == QEvent::Resize || event->type() == QEvent::LayoutRequest) fit();
        return done;
    }

private:
    void fit() {
        const int all = m_rows->height() - m_rows->handleWidth();
        if (m_moved || all <= 0) return;
        const int around = m_rows->widget(1)->height() - m_table->viewport()->height();
        const int header = m_table->horizontalHeader()->sizeHint().height();
        const int wanted = m_table->verticalHeader()->length() + std::max(around, header);
        const int height = std::min(std::max(wanted, 120), all / 2);
        if (m_rows->sizes().value(1) != height) m_rows->setSizes({all - height, height});
    }

    QSplitter* m_rows;
    QTableView* m_table;
    bool m_moved = false;
};

/// A chart with the table of its numbers below, which the hand can resize.
ViewPage* chartOverTable(ReportView* chart, ReportView* table, int chartShare, int tableShare) {
    auto* page = new ViewPage;
    page->add(chart);
    page->add(table);
    auto* rows = splitter(Qt::Vertical, page);
    rows->addWidget(chart);
    rows->addWidget(table);
    rows->setStretchFactor(0, chartShare);
    rows->setStretchFactor(1, tableShare);
    pageLayout(page)->addWidget(rows);
    if (tableShare == 0) {
        rows->setSizes({400, 300});
        if (auto* lines = table->findChild<QTableView*>()) new RowsFit(rows, lines);
    }
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
