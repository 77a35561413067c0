// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline with its tools: the timeline, the schedules to choose from, the balance of layers, export.
#pragma once

#include "background.h"
#include "page.h"
#include "report/balance.h"

class QCheckBox;
class QMenu;
class QPushButton;
class QTimer;
class QToolButton;

namespace shardlens {

class Document;
class GanttView;
class SchedulePicker;

class PipelinePage : public Page {
    Q_OBJECT
public:
    PipelinePage(Document& document, const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;
    [[nodiscard]] std::vector<ReportView*> views() const override;

    [[nodiscard]] GanttView& gantt() const { return *m_gantt; }
    [[nodiscard]] SchedulePicker& picker() { return *m_picker; }
    [[nodiscard]] QPushButton& balanceButton() { return *m_balanceButton; }

signals:
    void problem(const shardlens::Error& error);
    void pictureWanted();
    void traceWanted();

private:
    void findBalance();
    void showBalance();
    void useBalance();
    void showTools();

    Document& m_document;
    GanttView* m_gantt;
    SchedulePicker* m_picker;
    QToolButton *m_nearer, *m_farther, *m_fit;
    QCheckBox *m_byMicroBatch, *m_memory;
    QMenu* m_saveMenu;
    QPushButton *m_save, *m_balanceButton;
    QTimer* m_pause;
    ReportPtr m_report, m_balanceOf; ///< the latest, and the one that the balance belongs to
    std::optional<Result<Balance>> m_balance;
    Background m_background; ///< last: it waits for its work before the rest goes
};

} // namespace shardlens
