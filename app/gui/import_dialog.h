// SPDX-License-Identifier: GPL-3.0-or-later
// Somebody's configuration file becomes the plan: what was read from which key, what is assumed, and controls
// for what the file does not say. One step of the undo history; nothing changes before "Import".
#pragma once

#include <QDialog>
#include <QHash>
#include <map>
#include <memory>
#include <optional>

#include "background.h"
#include "import_notes.h"
#include "plan/fields.h"

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QTimer;
class QVBoxLayout;

namespace shardlens {

class Document;
class FieldControl;

class ImportDialog : public QDialog {
    Q_OBJECT
public:
    ImportDialog(Document& document, const Theme& theme, QWidget* parent = nullptr);

    /// Reads a file and finds out what it is. When it cannot be read the line of problem() says why.
    void openFile(const QString& path);
    /// The same for text that is there already; `origin` names it.
    void takeText(const std::string& text, const QString& origin);
    /// What the clipboard holds.
    void paste();

    [[nodiscard]] QLineEdit* file() const { return m_file; }
    [[nodiscard]] QComboBox* kind() const { return m_kind; }
    [[nodiscard]] QComboBox* version() const { return m_version; }
    /// Of a file with several models the one that is meant; hidden for all others.
    [[nodiscard]] QComboBox* part() const { return m_part; }
    [[nodiscard]] ImportNotesView* notes() const { return m_notes; }
    /// Paths of the fields that the file leaves open, in the order shown.
    [[nodiscard]] const QStringList& gaps() const { return m_gaps; }
    /// The control of a gap: a FieldControl, or a combo box of presets. Null when there is none.
    [[nodiscard]] QWidget* gap(const QString& path) const { return m_gapWidgets.value(path); }
    [[nodiscard]] QPushButton* fillButton() const { return m_fill; }
    [[nodiscard]] QPushButton* importButton() const { return m_import; }
    /// The one line that says what is wrong or still needed; "" when nothing is.
    [[nodiscard]] QString problem() const;
    /// Reads what was chosen, now.
    void settle();

signals:
    /// The plan is in the document.
    void imported(const shardlens::ImportAccount& account);

protected:
    void changeEvent(QEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    struct Outcome;

    void choose();
    void start();
    void take(const Outcome& outcome);
    void showKind(const launchers::Importer& importer, const std::string& version);
    void showParts(const std::vector<std::string>& parts, bool needed);
    void forget();
    void addGaps();
    void addGap(const Field& field);
    void showGap(const QString& path);
    void give(const QString& path, const FieldValue& value);
    void fillFromPlan();
    [[nodiscard]] QString stillNeeded() const;
    void accept() override;
    void say(const QString& problem);
    void refresh();
    void retranslate();

    Document& m_document;
    Theme m_theme;
    std::shared_ptr<const std::string> m_text; ///< null: nothing chosen yet
    QString m_origin;
    bool m_kindChosen = false; ///< by hand
    bool m_unknown = false;    ///< no kind is known by the look of the text
    bool m_partNeeded = false;
    std::map<QString, FieldValue> m_given;
    std::optional<launchers::ImportResult> m_result;
    QStringList m_gaps;
    QHash<QString, QWidget*> m_gapWidgets;
    QHash<QString, QLabel*> m_gapLabels, m_gapSigns; ///< of those that are no FieldControl
    QList<QWidget*> m_gapRows;

    QLabel *m_intro, *m_fileLabel, *m_kindLabel, *m_versionLabel, *m_partLabel, *m_found, *m_gapsLabel,
        *m_problem;
    QLineEdit* m_file;
    QComboBox *m_kind, *m_version, *m_part;
    ImportNotesView* m_notes;
    QScrollArea* m_gapArea;
    QVBoxLayout* m_gapLayout;
    QPushButton *m_choose, *m_paste, *m_fill, *m_import;
    QDialogButtonBox* m_buttons;
    Background m_background; ///< last: it waits for its work before the rest goes
};

} // namespace shardlens
