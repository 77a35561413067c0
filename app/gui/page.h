// SPDX-License-Identifier: GPL-3.0-or-later
// One tab of the centre. Built when first shown; told of reports only while it is in sight.
#pragma once

#include <QWidget>
#include <vector>

#include "report_view.h"

namespace shardlens {

class Page : public QWidget {
    Q_OBJECT
public:
    using QWidget::QWidget;
    /// Shows a report and the pinned one (null: none).
    virtual void showReports(const ReportPtr& report, const ReportPtr& pinned) = 0;
    virtual void setTheme(const Theme& theme) = 0;
    virtual void retranslate() {}
    /// Nothing more to come after a pause of the hand.
    [[nodiscard]] virtual bool settled() const { return true; }
    virtual void settle() {}
    /// The drawn views on this page.
    [[nodiscard]] virtual std::vector<ReportView*> views() const { return {}; }
};

/// A page made of report views (and tables that behave as such).
class ViewPage : public Page {
    Q_OBJECT
public:
    explicit ViewPage(QWidget* parent = nullptr) : Page(parent) {}
    void add(ReportView* view) { m_views.push_back(view); }
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    [[nodiscard]] std::vector<ReportView*> views() const override { return m_views; }

private:
    std::vector<ReportView*> m_views;
};

/// Memory, topology, step and pipeline together.
[[nodiscard]] ViewPage* makeOverviewPage(const Theme& theme, Interaction& interaction);
[[nodiscard]] ViewPage* makeMemoryPage(const Theme& theme, Interaction& interaction);
[[nodiscard]] ViewPage* makeTimePage(const Theme& theme, Interaction& interaction);

} // namespace shardlens
