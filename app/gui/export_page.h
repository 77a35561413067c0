// SPDX-License-Identifier: GPL-3.0-or-later
// What the plan becomes for each launcher: every file to look at before it is written, what the last edit
// changed in it, what cannot be expressed, and where the batch comes from.
#pragma once

#include <map>

#include "launchers/launcher.h"
#include "page.h"
#include "text_diff.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QListWidget;
class QPushButton;
class QTimer;
class QTreeWidget;

namespace shardlens {

class BatchPanel;
class Document;
class MessagesPanel;
class TextPreview;

class ExportPage : public Page {
    Q_OBJECT
public:
    ExportPage(Document& document, const Theme& theme, QWidget* parent = nullptr);
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
    /// The same for the file in sight, under any name.
    std::pair<bool, QString> saveFileAs(const QString& path);

    [[nodiscard]] TextPreview* text() const { return m_text; }
    [[nodiscard]] QListWidget* files() const { return m_files; }
    [[nodiscard]] QTreeWidget* notExpressed() const { return m_notExpressed; }
    [[nodiscard]] MessagesPanel* refusals() const { return m_refusals; }
    [[nodiscard]] BatchPanel* batch() const { return m_batch; }
    [[nodiscard]] QCheckBox* ownRules() const { return m_ownRules; }
    [[nodiscard]] QPushButton* copyButton() const { return m_copy; }
    /// What the last edit changed in the files, in one line; "" for nothing.
    [[nodiscard]] QString changesText() const;

signals:
    void saveRequested();
    /// The file in sight is to be saved; a name to propose.
    void saveFileRequested(const QString& name);
    /// The user wants to see a field of the plan.
    void fieldRequested(const QString& path);
    void problem(const shardlens::Error& error);
    /// Something went well.
    void done(const QString& line);

private:
    void nameLaunchers();
    void fill();
    void findChanges(bool sameLauncher);
    void fillFiles();
    void fillNotExpressed();
    void showFile(int row);
    void showState();
    void showTarget();
    void takeTarget(bool wanted);
    void copyFile();
    [[nodiscard]] const launchers::File* currentFile() const;

    Document& m_document;
    Theme m_theme;
    ReportPtr m_report;
    launchers::Export m_export;
    /// Preview before the last step of the undo history, and the step it belongs to.
    launchers::Export m_before;
    int m_step = -1;
    QString m_shownLauncher;
    std::map<std::string, LineChanges> m_changes; ///< by file, those with any
    QTimer* m_pause;
    QLabel *m_launcherLabel, *m_notExpressedLabel, *m_batchLabel, *m_state, *m_changesLabel;
    QComboBox* m_launchers;
    QCheckBox* m_ownRules;
    QListWidget* m_files;
    TextPreview* m_text;
    QTreeWidget* m_notExpressed;
    MessagesPanel* m_refusals;
    BatchPanel* m_batch;
    QPushButton *m_copy, *m_saveFile, *m_save;
};

} // namespace shardlens
