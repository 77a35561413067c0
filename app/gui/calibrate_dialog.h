// SPDX-License-Identifier: GPL-3.0-or-later
// Sharpens the plan's stack with one measured run: a log, or figures typed in; saved as a profile of one's
// own.
#pragma once

#include <QDialog>
#include <optional>

#include "background.h"
#include "calibrate/calibrate.h"
#include "report_table.h"
#include "theme/theme.h"

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableView;
class QTimer;

namespace shardlens {

class Document;

class CalibrateDialog : public QDialog {
    Q_OBJECT
public:
    CalibrateDialog(Document& document, const Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QLineEdit& logFile() { return *m_file; }
    [[nodiscard]] QLineEdit& step() { return *m_step; }
    [[nodiscard]] QLineEdit& allocated() { return *m_allocated; }
    [[nodiscard]] QLineEdit& reserved() { return *m_reserved; }
    [[nodiscard]] QLineEdit& name() { return *m_name; }
    [[nodiscard]] QPushButton& saveButton() { return *m_save; }
    [[nodiscard]] const TableModel& errors() const { return *m_errors; }
    [[nodiscard]] const TableModel& constants() const { return *m_constants; }
    /// What the log's lines gave; "" without one.
    [[nodiscard]] QString account() const;
    /// The one line that says what is wrong; "" when nothing is.
    [[nodiscard]] QString problem() const;
    /// Reads and fits what was entered, now.
    void settle();

signals:
    /// The profile is stored and the plan uses it.
    void saved(const QString& id, const QString& file);

protected:
    void changeEvent(QEvent* event) override;

private:
    struct Fitted;

    void choose();
    void readLog();
    void fit();
    void take(const Fitted& fitted);
    void save();
    void say(const QString& problem);
    void showResult();
    void retranslate();
    /// What the fields hold; an error names the field that cannot be read.
    [[nodiscard]] Result<calibrate::Observation> observation() const;

    Document& m_document;
    Theme m_theme;
    std::optional<calibrate::TrainingLog> m_log;
    std::optional<calibrate::Calibration> m_calibration;
    QTimer *m_readPause, *m_fitPause;
    QLabel *m_intro, *m_fileLabel, *m_account, *m_stepLabel, *m_allocatedLabel, *m_reservedLabel,
        *m_nameLabel, *m_errorsLabel, *m_constantsLabel, *m_problem;
    QLineEdit *m_file, *m_step, *m_allocated, *m_reserved, *m_name;
    QPushButton *m_choose, *m_save;
    QDialogButtonBox* m_buttons;
    TableModel *m_errors, *m_constants;
    QTableView *m_errorTable, *m_constantTable;
    Background m_background; ///< last: it waits for its work before the rest goes
};

/// Seconds as typed: "1.84", "1.84 s", "1840 ms", "2 min". Nothing when it is no such text.
[[nodiscard]] std::optional<double> parseSeconds(const QString& text);
/// Bytes as typed; a bare number means GiB.
[[nodiscard]] std::optional<double> parseMemory(const QString& text);

} // namespace shardlens
