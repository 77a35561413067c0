// SPDX-License-Identifier: GPL-3.0-or-later
// The pinned plan against the current one: which fields differ and what that does to every number.
#pragma once

#include "page.h"
#include "report_table.h"

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

private:
    Document& m_document;
    ReportPtr m_report, m_pinned;
    QStackedLayout* m_stack;
    QLabel *m_emptyText, *m_title, *m_fieldsHeading, *m_numbersHeading;
    QPushButton* m_pinButton;
    TableModel *m_fields, *m_numbers;
    QTableView *m_fieldTable, *m_numberTable;
};

} // namespace shardlens
