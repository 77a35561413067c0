// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned plans against the current one: which fields differ and what that does to every number.
#pragma once

#include "page.h"
#include "report_table.h"

class QComboBox;
class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace shardlens {

class Document;

class ComparePage : public Page {
    Q_OBJECT
public:
    ComparePage(Document& document, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;

    [[nodiscard]] const TableContent& fields() const { return m_fields->content(); }
    [[nodiscard]] const TableContent& numbers() const { return m_numbers->content(); }
    /// The baseline, one entry for each pinned plan.
    [[nodiscard]] QComboBox& baselines() { return *m_baseline; }

private:
    void showBaselines();
    void showFields();
    void showNumbers();
    Document& m_document;
    ReportPtr m_report, m_pinned;
    QStackedLayout* m_stack;
    QLabel *m_emptyText, *m_title, *m_baselineLabel, *m_fieldsHeading, *m_numbersHeading;
    QComboBox* m_baseline;
    QPushButton* m_pinButton;
    TableModel *m_fields, *m_numbers;
    QTableView *m_fieldTable, *m_numberTable;
};

} // namespace shardlens
