// SPDX-License-Identifier: GPL-3.0-or-later
// The numbers behind a chart as a table: for reading exactly, for the keyboard and for a screen reader.
#pragma once

#include <QAbstractTableModel>
#include <functional>

#include "report_view.h"

class QTableView;

namespace shardlens {

/// What a table shows: computed from the reports, row by row.
struct TableContent {
    struct Cell {
        QString text;
        QString path; ///< report number behind the cell; "" when none
        bool bold = false;

        bool operator==(const Cell&) const = default;
    };
    QStringList columns, rows;
    std::vector<std::vector<Cell>> cells; ///< [row][column]

    bool operator==(const TableContent&) const = default;
};

class TableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;
    void setContent(TableContent content);
    [[nodiscard]] const TableContent& content() const { return m_content; }
    [[nodiscard]] QString pathAt(const QModelIndex& index) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    TableContent m_content;
};

/// A view whose content is a function of the reports.
class ReportTable : public ReportView {
    Q_OBJECT
public:
    using Fill = std::function<TableContent(const Report& report, const Report* pinned)>;
    using Name = std::function<QString()>;

    ReportTable(const Theme& theme, Interaction& interaction, Fill fill, Name name,
                QWidget* parent = nullptr);
    void retranslate() override;
    [[nodiscard]] TableModel& model() { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }

protected:
    void reportChanged() override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void refill();
    void fitColumns();
    /// Pixels that the widest heading or cell needs.
    [[nodiscard]] int columnWidth(int column) const;

    Fill m_fill;
    Name m_name;
    TableModel* m_model;
    QTableView* m_table;
};

/// Terms of the ledger by stage.
[[nodiscard]] ReportTable* makeMemoryTable(const Theme& theme, Interaction& interaction);
/// Parts of the step: seconds, share, change against the pinned plan.
[[nodiscard]] ReportTable* makeTimeTable(const Theme& theme, Interaction& interaction);

/// A table view set up as all of ours are.
[[nodiscard]] QTableView* makeTableView(QWidget* parent);

} // namespace shardlens
