// SPDX-License-Identifier: GPL-3.0-or-later
// What the plan becomes for each launcher: every file to look at before it is written, and what cannot be
// expressed.
#pragma once

#include "launchers/launcher.h"
#include "page.h"

class QComboBox;
class QLabel;
class QListWidget;
class QPlainTextEdit;
class QPushButton;
class QTimer;
class QTreeWidget;

namespace shardlens {

class Document;

class ExportPage : public Page {
    Q_OBJECT
public:
    ExportPage(Document& document, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;

    /// "megatron-lm@0.19"
    [[nodiscard]] QString launcher() const;
    void setLauncher(const QString& launcherAtVersion);
    [[nodiscard]] const launchers::Export& preview() const { return m_export; }
    /// Writes the files shown into a folder; a line to read afterwards, and whether it went well.
    std::pair<bool, QString> saveInto(const QString& directory);

signals:
    void saveRequested();

private:
    void fill();
    void showFile(int row);

    Document& m_document;
    ReportPtr m_report;
    launchers::Export m_export;
    QTimer* m_pause;
    QLabel *m_launcherLabel, *m_notExpressedLabel, *m_state;
    QComboBox* m_launchers;
    QListWidget* m_files;
    QPlainTextEdit* m_text;
    QTreeWidget* m_notExpressed;
    QPushButton* m_save;
};

} // namespace shardlens
