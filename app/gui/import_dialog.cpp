// SPDX-License-Identifier: GPL-3.0-or-later
#include "import_dialog.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalBlocker>
#include <QUrl>
#include <QVBoxLayout>
#include <nlohmann/json.hpp>

#include "controls/choice_box.h"
#include "controls/core_text.h"
#include "controls/field_control.h"
#include "controls/quantity.h"
#include "document.h"
#include "launchers/model_parts.h"
#include "plan/plan_json.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using launchers::ImportNote;

namespace {

constexpr int kGapsHeight = 176; ///< six rows; more scroll
constexpr int kGapWidth = 560;

/// Fields that name a preset are picked, not typed.
std::optional<PresetKind> presetsOf(std::string_view path) {
    if (path == "model") return PresetKind::model;
    if (path == "cluster.node") return PresetKind::node;
    return std::nullopt;
}

QString localFile(const QMimeData& mime) {
    const auto urls = mime.urls();
    return urls.size() == 1 && urls.first().isLocalFile() ? urls.first().toLocalFile() : QString();
}

} // namespace

/// What comes back from the work beside.
struct ImportDialog::Outcome {
    const launchers::Importer* importer = nullptr; ///< null: not known by its look
    std::vector<std::string> parts;
    std::optional<launchers::ImportResult> result;
    Error error;
};

ImportDialog::ImportDialog(Document& document, const Theme& theme, QWidget* parent)
    : QDialog(parent), m_document(document), m_theme(theme), m_intro(new QLabel), m_fileLabel(new QLabel),
      m_kindLabel(new QLabel), m_versionLabel(new QLabel), m_partLabel(new QLabel), m_found(new QLabel),
      m_gapsLabel(new QLabel), m_problem(new QLabel), m_file(new QLineEdit), m_kind(new ChoiceBox),
      m_version(new QComboBox), m_part(new QComboBox), m_notes(new ImportNotesView(theme)),
      m_gapArea(new QScrollArea), m_gapLayout(nullptr), m_choose(new QPushButton), m_paste(new QPushButton),
      m_fill(new QPushButton), m_import(new QPushButton), m_buttons(new QDialogButtonBox) {
    setObjectName(u"importDialog"_s);
    setAcceptDrops(true);
    for (QLabel* label : {m_intro, m_gapsLabel, m_problem}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
    }
    m_problem->setTextInteractionFlags(Qt::TextSelectableByMouse);
    for (const launchers::Importer& importer : launchers::importers())
        m_kind->addItem(QString(), QString::fromUtf8(importer.id));
    m_kind->setCurrentIndex(-1);
    m_kind->setMaxVisibleItems(30);

    auto* file = new QHBoxLayout;
    file->addWidget(m_file, 1);
    file->addWidget(m_choose);
    file->addWidget(m_paste);
    auto* kind = new QHBoxLayout;
    kind->addWidget(m_kind);
    kind->addWidget(m_found);
    kind->addSpacing(12);
    kind->addWidget(m_versionLabel);
    kind->addWidget(m_version);
    kind->addSpacing(12);
    kind->addWidget(m_partLabel);
    kind->addWidget(m_part);
    kind->addStretch(1);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(m_fileLabel, file);
    form->addRow(m_kindLabel, kind);
    m_fileLabel->setBuddy(m_file);
    m_kindLabel->setBuddy(m_kind);
    m_versionLabel->setBuddy(m_version);
    m_partLabel->setBuddy(m_part);

    auto* gaps = new QWidget;
    m_gapLayout = new QVBoxLayout(gaps);
    m_gapLayout->setContentsMargins(2, 2, 8, 2);
    m_gapLayout->setSpacing(3);
    m_gapLayout->addStretch(1);
    m_gapArea->setWidget(gaps);
    m_gapArea->setWidgetResizable(true);
    m_gapArea->setFrameShape(QFrame::NoFrame);
    m_gapArea->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* gapsHead = new QHBoxLayout;
    gapsHead->addWidget(m_gapsLabel, 1);
    gapsHead->addWidget(m_fill);
    m_buttons->addButton(m_import, QDialogButtonBox::AcceptRole);
    m_buttons->addButton(QDialogButtonBox::Cancel);

    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_intro);
    layout->addLayout(form);
    layout->addWidget(m_notes, 1);
    layout->addLayout(gapsHead);
    layout->addWidget(m_gapArea);
    layout->addWidget(m_problem);
    layout->addWidget(m_buttons);
    resize(920, 690);
    QWidget* last = m_file;
    for (QWidget* next :
         {static_cast<QWidget*>(m_choose), static_cast<QWidget*>(m_paste), static_cast<QWidget*>(m_kind),
          static_cast<QWidget*>(m_version), static_cast<QWidget*>(m_part)}) {
        QWidget::setTabOrder(last, next);
        last = next;
    }
    // Enter takes what was typed into a field; only the button itself imports.
    for (auto* button : findChildren<QPushButton*>()) button->setAutoDefault(false);
    m_file->setFocus();

    connect(m_choose, &QPushButton::clicked, this, &ImportDialog::choose);
    connect(m_paste, &QPushButton::clicked, this, &ImportDialog::paste);
    connect(m_file, &QLineEdit::editingFinished, this, [this] {
        if (m_file->isModified() && !m_file->text().trimmed().isEmpty()) openFile(m_file->text().trimmed());
    });
    connect(m_kind, &QComboBox::activated, this, [this] {
        m_kindChosen = true;
        forget();
        const auto found = launchers::find_importer(m_kind->currentData().toString().toStdString());
        if (found.ok()) showKind(*found->first, found->second);
        start();
    });
    connect(m_version, &QComboBox::activated, this, [this] {
        m_kindChosen = true;
        start();
    });
    connect(m_part, &QComboBox::activated, this, &ImportDialog::start);
    connect(m_fill, &QPushButton::clicked, this, &ImportDialog::fillFromPlan);
    connect(m_import, &QPushButton::clicked, this, &ImportDialog::accept);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    m_version->hide();
    m_part->hide();
    retranslate();
}

void ImportDialog::choose() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("File to import"), QFileInfo(m_file->text()).path());
    if (!path.isEmpty()) openFile(path);
}

void ImportDialog::openFile(const QString& path) {
    m_file->setText(path);
    m_file->setModified(false);
    const auto text = read_text(path.toStdString());
    if (text.ok()) return takeText(*text, path);
    m_text.reset();
    m_kindChosen = false;
    forget();
    say(translatedLine(text.error()));
}

void ImportDialog::paste() {
    const QString text = QApplication::clipboard()->text();
    if (text.trimmed().isEmpty()) return say(tr("The clipboard holds no text."));
    m_file->clear();
    takeText(text.toStdString(), tr("clipboard"));
}

void ImportDialog::takeText(const std::string& text, const QString& origin) {
    if (QFileInfo(origin).isAbsolute()) m_file->setText(origin);
    m_text = std::make_shared<const std::string>(text);
    m_origin = origin;
    m_kindChosen = false;
    forget();
    start();
}

void ImportDialog::forget() {
    m_given.clear();
    m_gaps.clear();
    qDeleteAll(m_gapRows);
    m_gapRows.clear();
    m_gapWidgets.clear();
    m_gapLabels.clear();
    m_gapSigns.clear();
    m_part->clear();
    m_notes->setNotes({});
    m_result.reset();
    m_unknown = m_partNeeded = false;
    refresh();
}

void ImportDialog::start() {
    if (!m_text) return;
    launchers::ImportOptions options;
    if (m_kindChosen) {
        options.kind = m_kind->currentData().toString().toStdString();
        if (m_version->count() > 0) options.kind += '@' + m_version->currentText().toStdString();
    }
    options.part = m_part->currentData().toString().toStdString();
    for (const auto& [path, value] : m_given)
        options.sets.push_back(path.toStdString() + '=' + to_json(value).dump());
    m_background.run(
        [this, text = m_text, origin = m_origin.toStdString(), options]() -> Background::Deliver {
            Outcome outcome;
            if (options.kind.empty()) {
                if (const auto found = launchers::detect(*text, origin); found.ok())
                    outcome.importer = *found;
            } else if (const auto found = launchers::find_importer(options.kind); found.ok()) {
                outcome.importer = found->first;
            }
            if (outcome.importer) {
                if (outcome.importer->id == std::string_view("hf-config"))
                    outcome.parts = launchers::model_parts(*text);
                if (outcome.parts.empty()) outcome.parts = launchers::python_configurations(*text);
                auto result = launchers::import_plan(*text, origin, options);
                if (result.ok())
                    outcome.result = std::move(result).value();
                else
                    outcome.error = result.error();
            }
            return [this, outcome] { take(outcome); };
        });
}

void ImportDialog::take(const Outcome& outcome) {
    m_unknown = !outcome.importer;
    if (m_unknown && !m_kindChosen) {
        m_kind->setCurrentIndex(-1);
        m_version->clear();
    }
    m_result = outcome.result;
    if (outcome.importer && !m_kindChosen) showKind(*outcome.importer, m_result ? m_result->version : "");
    if (m_part->count() == 0 && outcome.parts.size() > 1) showParts(outcome.parts, !m_result);
    m_partNeeded = !m_result && m_part->count() > 0 && m_part->currentIndex() < 0;
    if (m_result) addGaps();
    m_notes->setNotes(m_result ? m_result->notes : std::vector<ImportNote>());
    refresh();
    if (m_unknown)
        say(tr("%1 is no kind of file that is known by its look; choose its kind above.")
                .arg(QFileInfo(m_origin).fileName()));
    else if (m_partNeeded)
        say(tr("The file holds several models; choose the one that is trained."));
    else if (!m_result)
        say(translatedLine(outcome.error));
    else
        say(stillNeeded());
}

void ImportDialog::showKind(const launchers::Importer& importer, const std::string& version) {
    m_kind->setCurrentIndex(m_kind->findData(QString::fromUtf8(importer.id)));
    m_version->clear();
    for (const char* known : importer.versions) m_version->addItem(QString::fromUtf8(known));
    m_version->setCurrentIndex(std::max(0, m_version->findText(toQString(version))));
}

void ImportDialog::showParts(const std::vector<std::string>& parts, bool needed) {
    if (!needed) m_part->addItem(tr("as the file has it"), QString());
    for (const std::string& part : parts) m_part->addItem(toQString(part), toQString(part));
    m_part->setCurrentIndex(needed ? -1 : 0);
}

void ImportDialog::addGaps() {
    for (const ImportNote& note : m_result->notes) {
        if (note.kind != ImportNote::Kind::missing) continue;
        const Field* field = find_field(note.path);
        if (field && !m_gaps.contains(toQString(note.path))) addGap(*field);
    }
    for (const QString& path : std::as_const(m_gaps)) showGap(path);
}

void ImportDialog::addGap(const Field& field) {
    const QString path = QString::fromUtf8(field.path);
    m_gaps << path;
    const int at = m_gapLayout->count() - 1; // above the stretch
    if (const auto presets = presetsOf(field.path)) {
        auto* combo = new ChoiceBox;
        combo->setFocusPolicy(Qt::StrongFocus);
        combo->setMaxVisibleItems(30);
        for (const PresetEntry& entry : m_document.catalog().list(*presets))
            combo->addItem(toQString(entry.name.empty() ? entry.id : entry.name), toQString(entry.id));
        combo->setCurrentIndex(-1);
        connect(combo, &QComboBox::activated, this, [this, combo, path](int index) {
            give(path, combo->itemData(index).toString().toStdString());
        });
        auto* sign = new QLabel(u"⚠"_s);
        auto* label = new QLabel;
        label->setBuddy(combo);
        auto* row = new QWidget;
        row->setMaximumWidth(kGapWidth);
        auto* line = new QHBoxLayout(row);
        line->setContentsMargins(0, 0, 0, 0); // columns as in a FieldControl
        line->setSpacing(4);
        sign->setFixedWidth(10);
        label->setMinimumWidth(104);
        line->addWidget(sign);
        line->addWidget(label);
        line->addWidget(combo, 1);
        m_gapLayout->insertWidget(at, row);
        m_gapLabels.insert(path, label);
        m_gapSigns.insert(path, sign);
        m_gapRows << row;
        m_gapWidgets.insert(path, combo);
        return;
    }
    auto* control = new FieldControl(field);
    control->setLockable(false);
    control->setMaximumWidth(kGapWidth);
    connect(control, &FieldControl::edited, this,
            [this](const QString& which, const FieldValue& value, int) { give(which, value); });
    m_gapLayout->insertWidget(at, control);
    m_gapWidgets.insert(path, control);
    m_gapRows << control;
}

void ImportDialog::showGap(const QString& path) {
    const auto given = m_given.find(path);
    const FieldValue value = given == m_given.end() ? FieldValue() : given->second;
    QString why;
    for (const ImportNote& note : m_result->notes)
        if (note.kind == ImportNote::Kind::missing && toQString(note.path) == path) why = noteText(note);
    if (auto* control = qobject_cast<FieldControl*>(gap(path))) {
        control->setValue(value, {});
        // Only what must be given is marked; the rest may stay open.
        control->setMark(Severity::warning, control->field().required ? why : QString());
        return;
    }
    auto* combo = qobject_cast<QComboBox*>(gap(path));
    const auto* id = std::get_if<std::string>(&value);
    combo->setCurrentIndex(id ? combo->findData(toQString(*id)) : -1);
    m_gapLabels.value(path)->setText(labelOfPath(path.toStdString()));
    m_gapSigns.value(path)->setText(id ? QString() : u"⚠"_s);
    combo->setPlaceholderText(tr("choose…"));
    combo->setAccessibleName(labelOfPath(path.toStdString()));
    combo->setToolTip(why);
    combo->setAccessibleDescription(why);
}

void ImportDialog::give(const QString& path, const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value))
        m_given.erase(path);
    else
        m_given[path] = value;
    start();
}

void ImportDialog::fillFromPlan() {
    m_document.settle();
    for (const QString& path : std::as_const(m_gaps)) {
        if (m_given.contains(path)) continue;
        const FieldValue value = get_field(m_document.plan(), path.toStdString());
        const FieldValue acting = get_field(m_document.actingPlan(), path.toStdString());
        const FieldValue& known = std::holds_alternative<std::monostate>(value) ? acting : value;
        if (!std::holds_alternative<std::monostate>(known)) m_given[path] = known;
    }
    start();
}

QString ImportDialog::stillNeeded() const {
    if (!m_result || m_result->plan) return {};
    QStringList names;
    for (const ImportNote& note : m_result->notes) {
        const Field* field = note.kind == ImportNote::Kind::missing ? find_field(note.path) : nullptr;
        if (field && field->required && !names.contains(labelOfPath(note.path)))
            names << labelOfPath(note.path);
    }
    return tr("Still needed: %1.").arg(names.join(tr(", ")));
}

QString ImportDialog::problem() const { return m_problem->text(); }

void ImportDialog::say(const QString& problem) {
    QPalette ink = m_problem->palette();
    ink.setColor(QPalette::WindowText, m_theme.outline(Role::Bad));
    m_problem->setPalette(ink);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void ImportDialog::refresh() {
    m_found->setText(m_kind->currentIndex() < 0 ? QString()
                     : m_kindChosen             ? tr("(chosen)")
                                                : tr("(detected)"));
    m_found->setVisible(m_text && !m_unknown);
    m_version->setVisible(m_version->count() > 0);
    m_version->setEnabled(m_version->count() > 1);
    m_versionLabel->setVisible(m_version->count() > 0);
    m_part->setVisible(m_part->count() > 0);
    m_partLabel->setVisible(m_part->count() > 0);
    m_gapsLabel->setVisible(!m_gaps.isEmpty());
    m_fill->setVisible(!m_gaps.isEmpty());
    m_gapArea->setVisible(!m_gaps.isEmpty());
    const int rows = static_cast<int>(m_gaps.size());
    const int row = m_fill->sizeHint().height() + m_gapLayout->spacing();
    m_gapArea->setFixedHeight(std::min(kGapsHeight, rows * row + 10));
    m_import->setEnabled(m_result && m_result->plan);
}

void ImportDialog::settle() { m_background.flush(); }

void ImportDialog::accept() {
    settle();
    if (!m_result || !m_result->plan) return;
    const QString name = QFileInfo(m_origin).fileName();
    if (const Error error = m_document.change(*m_result->plan, tr("Import %1").arg(name));
        !error.what.empty())
        return say(translatedLine(error));
    emit imported({name, m_result->importer, toQString(m_result->version), m_result->notes});
    QDialog::accept();
}

void ImportDialog::dragEnterEvent(QDragEnterEvent* event) {
    if (!localFile(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void ImportDialog::dropEvent(QDropEvent* event) {
    const QString path = localFile(*event->mimeData());
    if (path.isEmpty()) return;
    event->acceptProposedAction();
    openFile(path);
}

void ImportDialog::retranslate() {
    setWindowTitle(tr("Import"));
    m_intro->setText(
        tr("A launcher's configuration, a launch script, a model's config.json or a plan becomes the "
           "plan. Choose a file, drop it here, or take its text from the clipboard. Nothing in it is "
           "executed."));
    m_fileLabel->setText(tr("&File"));
    m_choose->setText(tr("C&hoose…"));
    m_paste->setText(tr("From the clip&board"));
    m_kindLabel->setText(tr("&Kind"));
    m_versionLabel->setText(tr("&Version"));
    m_partLabel->setText(tr("&Model in it"));
    int row = 0;
    for (const launchers::Importer& importer : launchers::importers())
        m_kind->setItemText(row++, translated(importer.title));
    m_kind->setPlaceholderText(tr("detected from the text"));
    m_part->setPlaceholderText(tr("choose…"));
    m_kind->setAccessibleName(tr("Kind of file"));
    m_version->setAccessibleName(tr("Version"));
    m_part->setAccessibleName(tr("Model in the file"));
    m_file->setAccessibleName(tr("File"));
    m_gapsLabel->setText(tr("What the file does not say (⚠ must be given):"));
    m_fill->setText(tr("&Take these from the present plan"));
    m_import->setText(tr("&Import"));
    m_notes->retranslate();
    if (m_result)
        for (const QString& path : std::as_const(m_gaps)) showGap(path);
    refresh();
    if (m_result) say(stillNeeded());
}

void ImportDialog::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QDialog::changeEvent(event);
}

} // namespace shardlens
