// SPDX-License-Identifier: GPL-3.0-or-later
// All pipeline schedules for the plan side by side: what each costs, or why it cannot be; one click shows it
// below the plan's timeline, another makes it the plan's.
#pragma once

#include <QAbstractTableModel>
#include <QWidget>

#include "background.h"
#include "report/schedule_choice.h"
#include "report_view.h"

class QCheckBox;
class QLabel;
class QPushButton;
class QTableView;
class QTimer;

namespace shardlens {

class Document;

/// Schedules by row. An illegal one says why in place of its figures.
class ScheduleModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Schedule, Bubble, Step, Memory, InFlight, Parameters, Traffic, Columns };

    using QAbstractTableModel::QAbstractTableModel;
    void setOptions(std::vector<ScheduleOption> options);
    void setTheme(const Theme& theme);
    void retranslate();
    [[nodiscard]] const std::vector<ScheduleOption>& options() const { return m_options; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(const ScheduleOption& option, int column) const;

    std::vector<ScheduleOption> m_options;
    Theme m_theme = Theme::make(ThemeKind::Light);
};

class SchedulePicker : public QWidget {
    Q_OBJECT
public:
    SchedulePicker(Document& document, const Theme& theme, QWidget* parent = nullptr);

    /// The rows follow when the hand rests.
    void setReport(const ReportPtr& report);
    void setTheme(const Theme& theme) { m_model->setTheme(theme); }
    void retranslate();
    [[nodiscard]] bool settled() const;
    void settle();

    [[nodiscard]] const ScheduleModel& model() const { return *m_model; }
    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] QPushButton& useButton() { return *m_use; }
    [[nodiscard]] QCheckBox& belowBox() { return *m_below; }

    /// Makes the schedule of a row the plan's, as one step that can be undone; of an illegal one with the
    /// nearest change that makes it legal.
    void use(int row);

signals:
    /// The plan with another schedule, evaluated; null: none is wanted.
    void secondChanged(const shardlens::ReportPtr& report, const QString& name);
    void problem(const shardlens::Error& error);

private:
    void compare();
    void take(const Result<std::vector<ScheduleOption>>& options);
    void showBelow();
    void describe();
    [[nodiscard]] const ScheduleOption* chosen() const;

    Document& m_document;
    ReportPtr m_report, m_shown; ///< the latest, and the one that the rows belong to
    QTimer* m_pause;
    QString m_failed;
    ScheduleModel* m_model;
    QTableView* m_table;
    QLabel* m_details;
    QCheckBox* m_below;
    QPushButton* m_use;
    Background m_background, m_second; ///< last: they wait for their work before the rest goes
};

} // namespace shardlens
