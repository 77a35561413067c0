// SPDX-License-Identifier: GPL-3.0-or-later
// Published runs near this plan: what was measured beside what the program says of it, and where it stands.
#pragma once

#include <QAbstractTableModel>

#include "background.h"
#include "calibrate/nearby.h"
#include "page.h"

class QLabel;
class QPushButton;
class QTableView;
class QTimer;

namespace shardlens {

class Document;

/// Runs by row; figures by column, those of step time before those of memory.
class PublishedModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        Run,
        Stack,
        StepMeasured,
        StepPredicted,
        StepError,
        MemoryMeasured,
        MemoryPredicted,
        MemoryError,
        Source,
        Columns
    };

    using QAbstractTableModel::QAbstractTableModel;
    void setRuns(std::vector<calibrate::NearbyRun> runs);
    void setTheme(const Theme& theme);
    void retranslate();
    [[nodiscard]] const std::vector<calibrate::NearbyRun>& runs() const { return m_runs; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const calibrate::NearbyRun& near, int column) const;
    [[nodiscard]] QVariant ink(const calibrate::NearbyRun& near, int column) const;

    std::vector<calibrate::NearbyRun> m_runs;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

class PublishedPage : public Page {
    Q_OBJECT
public:
    PublishedPage(Document& document, const Theme& theme, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;

    [[nodiscard]] const PublishedModel& model() const { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QPushButton& openButton() { return *m_open; }
    /// Look-ups started so far.
    [[nodiscard]] int lookups() const { return m_lookups; }

signals:
    /// The run's plan is wanted as the document's.
    void planWanted(const shardlens::Plan& plan, const QString& name);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void lookUp();
    void take(const Result<std::vector<calibrate::NearbyRun>>& found);
    void describe();
    void open(int row);
    void fitColumns();
    /// Pixels that the widest text of a column needs.
    [[nodiscard]] int widest(int column) const;

    Document& m_document;
    ReportPtr m_report, m_shown; ///< the latest, and the one that the rows belong to
    std::shared_ptr<const calibrate::PublishedIndex> m_index; ///< read when the page is first looked at
    QTimer* m_pause;
    int m_lookups = 0;
    QString m_problem;
    PublishedModel* m_model;
    QTableView* m_table;
    QLabel *m_state, *m_details;
    QPushButton* m_open;
    Background m_background; ///< last: it waits for its work before the rest goes
};

} // namespace shardlens
