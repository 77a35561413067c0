// SPDX-License-Identifier: GPL-3.0-or-later
// The account of an import as a table: every field with where it came from, every key with what became of it.
#pragma once

#include <QAbstractTableModel>
#include <QDialog>
#include <QWidget>
#include <set>
#include <vector>

#include "launchers/import.h"
#include "theme/theme.h"

class QLabel;
class QTableView;
class QToolButton;

namespace shardlens {

/// What is kept of an import: the file it was and its notes.
struct ImportAccount {
    QString source;                                ///< file name, or "clipboard"
    const launchers::Importer* importer = nullptr; ///< which kind of file it was
    QString version;                               ///< "" where the kind has none
    std::vector<launchers::ImportNote> notes;
};

/// "✗ missing"
[[nodiscard]] QString noteKindText(launchers::ImportNote::Kind kind);
/// The note's sentence in the user's language.
[[nodiscard]] QString noteText(const launchers::ImportNote& note);
/// Where in the file it is: a key, a flag or a line.
[[nodiscard]] QString noteKey(const launchers::ImportNote& note);

/// Rows in the order of urgency: missing, not understood, warnings, assumed, read.
class ImportNotesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { Kind, FieldName, Value, Key, Remark, Columns };
    static constexpr int kKindRole = Qt::UserRole;     ///< int of ImportNote::Kind
    static constexpr int kPathRole = Qt::UserRole + 1; ///< plan path

    explicit ImportNotesModel(const Theme& theme, QObject* parent = nullptr);
    void setNotes(std::vector<launchers::ImportNote> notes);
    void setTheme(const Theme& theme);
    /// After a change of language.
    void retranslate();
    [[nodiscard]] const std::vector<launchers::ImportNote>& notes() const { return m_notes; }
    [[nodiscard]] int count(launchers::ImportNote::Kind kind) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    Theme m_theme;
    std::vector<launchers::ImportNote> m_notes;
    QStringList m_remarks; ///< one a note
};

/// The table with a button for each kind of note that shows or hides it.
class ImportNotesView : public QWidget {
    Q_OBJECT
public:
    explicit ImportNotesView(const Theme& theme, QWidget* parent = nullptr);
    void setNotes(std::vector<launchers::ImportNote> notes);
    void setTheme(const Theme& theme);
    void retranslate();

    [[nodiscard]] const ImportNotesModel& model() const { return *m_model; }
    [[nodiscard]] QTableView* table() const { return m_table; }
    [[nodiscard]] QToolButton* filter(launchers::ImportNote::Kind kind) const;
    [[nodiscard]] int shownRows() const;

signals:
    /// A note about a field was activated.
    void fieldRequested(const QString& path);

private:
    class Filter;
    void showCounts();

    ImportNotesModel* m_model;
    Filter* m_filter;
    QTableView* m_table;
    std::vector<std::pair<launchers::ImportNote::Kind, QToolButton*>> m_buttons;
};

/// The notes after the import, beside the window. Activating a row leads to the field in the plan.
class ImportNotesDialog : public QDialog {
    Q_OBJECT
public:
    ImportNotesDialog(const ImportAccount& account, const Theme& theme, QWidget* parent);
    void setAccount(const ImportAccount& account);
    void setTheme(const Theme& theme) { m_view->setTheme(theme); }
    [[nodiscard]] ImportNotesView* view() const { return m_view; }

signals:
    void fieldRequested(const QString& path);

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();

    ImportAccount m_account;
    QLabel* m_source;
    ImportNotesView* m_view;
};

} // namespace shardlens
