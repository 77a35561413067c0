// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_notes.h"

#include <QDialogButtonBox>
#include <QEvent>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <array>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "controls/sentence_pattern.h"
#include "report_table.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using launchers::ImportNote;
using NoteKind = ImportNote::Kind;

namespace {

/// Most urgent first.
constexpr std::array kOrder = {NoteKind::missing, NoteKind::not_understood, NoteKind::warning,
                               NoteKind::assumed, NoteKind::read};

std::size_t urgency(NoteKind kind) {
    return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), kind) - kOrder.begin());
}

QString sign(NoteKind kind) {
    switch (kind) {
    case NoteKind::read: return u"✓"_s;
    case NoteKind::assumed: return u"≈"_s;
    case NoteKind::missing: return u"✗"_s;
    case NoteKind::not_understood: return u"?"_s;
    case NoteKind::warning: break;
    }
    return u"⚠"_s;
}

Role roleOf(NoteKind kind) {
    switch (kind) {
    case NoteKind::read: return Role::Good;
    case NoteKind::assumed: return Role::Parameters;
    case NoteKind::missing: return Role::Bad;
    case NoteKind::not_understood: return Role::Buffers;
    case NoteKind::warning: break;
    }
    return Role::Caution;
}

QString kindName(NoteKind kind) {
    switch (kind) {
    case NoteKind::read: return ImportNotesView::tr("read");
    case NoteKind::assumed: return ImportNotesView::tr("assumed");
    case NoteKind::missing: return ImportNotesView::tr("missing");
    case NoteKind::not_understood: return ImportNotesView::tr("not understood");
    case NoteKind::warning: break;
    }
    return ImportNotesView::tr("warning");
}

} // namespace

QString noteKindText(NoteKind kind) { return sign(kind) + u' ' + kindName(kind); }

QString noteText(const ImportNote& note) {
    Message message{Severity::info, {}, {}, note.text_template, note.arguments, {}};
    // What would be right for a field, or what is odd about a line, comes as a sentence of its own.
    for (std::string& argument : message.arguments) {
        if (argument.find(' ') == std::string::npos) continue; // a name or a number
        argument =
            (note.kind == NoteKind::missing ? translatedInstead(argument) : translated(argument.c_str()))
                .toStdString();
    }
    return translated(message);
}

QString noteKey(const ImportNote& note) {
    const QString key = toQString(note.key);
    for (const char* place :
         {QT_TRANSLATE_NOOP("core", "line {0}: {1}"), QT_TRANSLATE_NOOP("core", "line {0}"),
          QT_TRANSLATE_NOOP("core", "{0} (line {1})")})
        if (const auto message = madeFrom(place, key)) return translated(*message);
    return key;
}

ImportNotesModel::ImportNotesModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent), m_theme(theme) {}

void ImportNotesModel::setNotes(std::vector<ImportNote> notes) {
    beginResetModel();
    m_notes = std::move(notes);
    std::stable_sort(m_notes.begin(), m_notes.end(), [](const ImportNote& a, const ImportNote& b) {
        return urgency(a.kind) < urgency(b.kind);
    });
    retranslate();
    endResetModel();
}

void ImportNotesModel::retranslate() {
    m_remarks.clear();
    for (const ImportNote& note : m_notes) m_remarks << noteText(note);
}

void ImportNotesModel::setTheme(const Theme& theme) {
    m_theme = theme;
    if (!m_notes.empty()) emit dataChanged(index(0, 0), index(rowCount() - 1, Columns - 1));
}

int ImportNotesModel::count(NoteKind kind) const {
    return static_cast<int>(std::count_if(m_notes.begin(), m_notes.end(),
                                          [kind](const ImportNote& note) { return note.kind == kind; }));
}

int ImportNotesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_notes.size());
}
int ImportNotesModel::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : Columns; }

QVariant ImportNotesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const ImportNote& note = m_notes[std::size_t(index.row())];
    const auto text = [&]() -> QString {
        switch (index.column()) {
        case Kind: return noteKindText(note.kind);
        case FieldName: return note.path.empty() ? QString() : labelOfPath(note.path);
        case Value: return toQString(note.value);
        case Key: return noteKey(note);
        default: return m_remarks.value(index.row());
        }
    };
    switch (role) {
    case Qt::DisplayRole: return text();
    case Qt::ToolTipRole:
        return index.column() == FieldName && !note.path.empty() ? toQString(note.path) : text();
    case Qt::ForegroundRole:
        return index.column() == Kind ? QVariant(m_theme.outline(roleOf(note.kind))) : QVariant();
    case Qt::TextAlignmentRole: return int(Qt::AlignLeft | Qt::AlignTop);
    case kKindRole: return int(note.kind);
    case kPathRole: return toQString(note.path);
    default: return {};
    }
}

QVariant ImportNotesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    switch (section) {
    case Kind: return ImportNotesView::tr("Note");
    case FieldName: return ImportNotesView::tr("Field");
    case Value: return ImportNotesView::tr("Value");
    case Key: return ImportNotesView::tr("From");
    default: return ImportNotesView::tr("Remark");
    }
}

class ImportNotesView::Filter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;
    void show(NoteKind kind, bool shown) {
        if (shown)
            m_hidden.erase(int(kind));
        else
            m_hidden.insert(int(kind));
        invalidateFilter();
    }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        return !m_hidden.contains(
            sourceModel()->index(row, 0, parent).data(ImportNotesModel::kKindRole).toInt());
    }

private:
    std::set<int> m_hidden;
};

ImportNotesView::ImportNotesView(const Theme& theme, QWidget* parent)
    : QWidget(parent), m_model(new ImportNotesModel(theme, this)), m_filter(new Filter(this)),
      m_table(makeTableView(this)) {
    m_filter->setSourceModel(m_model);
    m_table->setModel(m_filter);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(true);
    m_table->setFrameShape(QFrame::StyledPanel);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    auto* header = m_table->horizontalHeader();
    header->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    header->setSectionResizeMode(QHeaderView::Interactive);
    header->setStretchLastSection(true);
    header->resizeSection(ImportNotesModel::Kind, 122);
    header->resizeSection(ImportNotesModel::FieldName, 150);
    header->resizeSection(ImportNotesModel::Value, 110);
    header->resizeSection(ImportNotesModel::Key, 180);

    auto* buttons = new QHBoxLayout;
    buttons->setContentsMargins(0, 0, 0, 0);
    for (const NoteKind kind : kOrder) {
        auto* button = new QToolButton(this);
        button->setCheckable(true);
        button->setChecked(true);
        button->setFocusPolicy(Qt::StrongFocus);
        connect(button, &QToolButton::toggled, this, [this, kind](bool on) { m_filter->show(kind, on); });
        buttons->addWidget(button);
        m_buttons.emplace_back(kind, button);
    }
    buttons->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addLayout(buttons);
    layout->addWidget(m_table, 1);
    connect(m_table, &QTableView::activated, this, [this](const QModelIndex& index) {
        const QString path = index.data(ImportNotesModel::kPathRole).toString();
        if (!path.isEmpty()) emit fieldRequested(path);
    });
    retranslate();
}

void ImportNotesView::setNotes(std::vector<ImportNote> notes) {
    m_model->setNotes(std::move(notes));
    showCounts();
}

void ImportNotesView::setTheme(const Theme& theme) { m_model->setTheme(theme); }

void ImportNotesView::retranslate() {
    m_table->setAccessibleName(tr("Notes of the import"));
    m_model->retranslate();
    showCounts();
    m_table->viewport()->update();
    m_table->horizontalHeader()->viewport()->update();
}

void ImportNotesView::showCounts() {
    for (const auto& [kind, button] : m_buttons) {
        const int count = m_model->count(kind);
        button->setText(u"%1 %2"_s.arg(noteKindText(kind)).arg(count));
        button->setToolTip(tr("Show or hide these notes"));
        button->setEnabled(count > 0);
    }
}

QToolButton* ImportNotesView::filter(NoteKind kind) const { return m_buttons[urgency(kind)].second; }

int ImportNotesView::shownRows() const { return m_filter->rowCount(); }

ImportNotesDialog::ImportNotesDialog(const ImportAccount& account, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_account(account), m_source(new QLabel), m_view(new ImportNotesView(theme)) {
    setObjectName(u"importNotes"_s);
    auto* layout = new QVBoxLayout(this);
    m_source->setWordWrap(true);
    m_source->setTextFormat(Qt::PlainText);
    layout->addWidget(m_source);
    layout->addWidget(m_view, 1);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    layout->addWidget(buttons);
    connect(m_view, &ImportNotesView::fieldRequested, this, &ImportNotesDialog::fieldRequested);
    resize(880, 480);
    setAccount(account);
}

void ImportNotesDialog::setAccount(const ImportAccount& account) {
    m_account = account;
    m_view->setNotes(account.notes);
    retranslate();
}

void ImportNotesDialog::retranslate() {
    setWindowTitle(tr("Notes of the last import"));
    QString kind = m_account.importer ? translated(m_account.importer->title) : QString();
    if (!m_account.version.isEmpty()) kind += u' ' + m_account.version;
    m_source->setText(
        tr("%1, read as %2. Enter on a row shows its field in the plan.").arg(m_account.source, kind));
    m_view->retranslate();
}

void ImportNotesDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace shardlens
