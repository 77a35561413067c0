// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_page.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "controls/wrapped_column.h"
#include "document.h"
#include "launchers/batch_arithmetic.h"
#include "panels/batch_panel.h"
#include "panels/messages_panel.h"
#include "text_preview.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRefusalsHeight = 150;

QSplitter* splitter(Qt::Orientation orientation) {
    auto* result = new QSplitter(orientation);
    result->setChildrenCollapsible(false);
    return result;
}

/// A heading over a widget.
QWidget* titled(QLabel* heading, QWidget* body) {
    auto* whole = new QWidget;
    auto* layout = new QVBoxLayout(whole);
    layout->setContentsMargins(0, 4, 0, 0);
    heading->setWordWrap(true);
    layout->addWidget(heading, 0, Qt::AlignTop);
    layout->addWidget(body, 1);
    layout->addStretch(0); // the heading stays above where there is no body
    return whole;
}

const launchers::File* fileNamed(const launchers::Export& made, const std::string& name) {
    const auto found = std::find_if(made.files.begin(), made.files.end(),
                                    [&](const launchers::File& file) { return file.name == name; });
    return found == made.files.end() ? nullptr : &*found;
}

} // namespace

ExportPage::ExportPage(Document& document, const Theme& theme, QWidget* parent)
    : Page(parent), m_document(document), m_theme(theme), m_pause(new QTimer(this)),
      m_launcherLabel(new QLabel), m_notExpressedLabel(new QLabel), m_batchLabel(new QLabel),
      m_state(new QLabel), m_changesLabel(new QLabel), m_launchers(new QComboBox), m_ownRules(new QCheckBox),
      m_files(new QListWidget), m_text(new TextPreview(theme)), m_notExpressed(new QTreeWidget),
      m_refusals(new MessagesPanel(theme)), m_batch(new BatchPanel(BatchPanel::Form::Open)),
      m_copy(new QPushButton), m_saveFile(new QPushButton), m_save(new QPushButton) {
    for (const auto& launcher : launchers::table())
        for (const char* version : launcher.versions)
            m_launchers->addItem(QString(),
                                 u"%1@%2"_s.arg(QString::fromUtf8(launcher.id), QString::fromUtf8(version)));
    nameLaunchers();
    m_launchers->setMaxVisibleItems(30);
    auto* top = new QHBoxLayout;
    m_launcherLabel->setBuddy(m_launchers);
    top->addWidget(m_launcherLabel);
    top->addWidget(m_launchers);
    top->addSpacing(12);
    top->addWidget(m_ownRules);
    top->addStretch(1);

    m_files->setMaximumWidth(220);
    m_notExpressed->setColumnCount(2);
    m_notExpressed->setRootIsDecorated(false);
    wrapLastColumn(*m_notExpressed);
    m_refusals->setMaximumHeight(kRefusalsHeight);
    m_refusals->setMinimumHeight(kRefusalsHeight);

    auto* files = splitter(Qt::Horizontal);
    files->addWidget(m_files);
    files->addWidget(m_text);
    files->setStretchFactor(1, 1);
    files->setSizes({150, 600});
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(m_changesLabel, 1);
    for (QPushButton* button : {m_copy, m_saveFile, m_save}) buttons->addWidget(button);
    m_changesLabel->setWordWrap(true);
    m_changesLabel->setTextFormat(Qt::PlainText);
    auto* above = new QWidget;
    auto* aboveLayout = new QVBoxLayout(above);
    aboveLayout->setContentsMargins(0, 0, 0, 0);
    aboveLayout->addWidget(files, 1);
    aboveLayout->addLayout(buttons);
    auto* below = splitter(Qt::Horizontal);
    below->addWidget(titled(m_notExpressedLabel, m_notExpressed));
    below->addWidget(titled(m_batchLabel, m_batch));
    below->setSizes({300, 340});
    auto* rows = splitter(Qt::Vertical);
    rows->addWidget(above);
    rows->addWidget(below);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setSizes({380, 230});

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->addLayout(top);
    m_state->setWordWrap(true);
    layout->addWidget(m_state);
    layout->addWidget(m_refusals);
    layout->addWidget(rows, 1);

    m_pause->setSingleShot(true);
    m_pause->setInterval(150);
    connect(m_pause, &QTimer::timeout, this, &ExportPage::fill);
    connect(m_launchers, &QComboBox::currentIndexChanged, this, &ExportPage::fill);
    connect(m_files, &QListWidget::currentRowChanged, this, &ExportPage::showFile);
    connect(m_save, &QPushButton::clicked, this, &ExportPage::saveRequested);
    connect(m_copy, &QPushButton::clicked, this, &ExportPage::copyFile);
    connect(m_saveFile, &QPushButton::clicked, this, [this] {
        if (const auto* file = currentFile()) emit saveFileRequested(toQString(file->name));
    });
    connect(m_ownRules, &QCheckBox::clicked, this, &ExportPage::takeTarget);
    connect(m_refusals, &MessagesPanel::fieldRequested, this, &ExportPage::fieldRequested);
    connect(m_refusals, &MessagesPanel::fixRequested, this, [this](const Fix& fix) {
        if (const Error error = m_document.applyFix(fix); !error.what.empty()) emit problem(error);
    });
    const auto reveal = [this](QTreeWidgetItem* item) { emit fieldRequested(item->toolTip(0)); };
    connect(m_notExpressed, &QTreeWidget::itemClicked, this, reveal);
    connect(m_notExpressed, &QTreeWidget::itemActivated, this, reveal);
    setLauncher(toQString(m_document.plan().target));
    retranslate();
}

void ExportPage::nameLaunchers() {
    int row = 0;
    for (const auto& launcher : launchers::table())
        for (const char* version : launcher.versions)
            m_launchers->setItemText(row++,
                                     u"%1 %2"_s.arg(translated(launcher.title), QString::fromUtf8(version)));
}

QString ExportPage::launcher() const { return m_launchers->currentData().toString(); }

void ExportPage::setLauncher(const QString& launcherAtVersion) {
    int row = m_launchers->findData(launcherAtVersion);
    // "megatron-lm" alone means its default version, the first.
    for (int i = 0; row < 0 && i < m_launchers->count() && !launcherAtVersion.isEmpty(); ++i)
        if (m_launchers->itemData(i).toString().section(u'@', 0, 0) == launcherAtVersion) row = i;
    if (row >= 0) m_launchers->setCurrentIndex(row);
}

void ExportPage::showReports(const ReportPtr& report, const ReportPtr&) {
    if (report == m_report) return;
    m_report = report;
    m_pause->start();
}

void ExportPage::setTheme(const Theme& theme) {
    m_theme = theme;
    m_text->setTheme(theme);
    m_refusals->setTheme(theme);
    if (m_report) fillFiles();
}

bool ExportPage::settled() const { return !m_pause->isActive(); }

void ExportPage::settle() {
    if (m_pause->isActive()) fill();
}

void ExportPage::fill() {
    m_pause->stop();
    launchers::Export made;
    const auto found = launchers::find(launcher().toStdString());
    if (m_report && m_report->setup && found.ok()) {
        const auto& [chosen, version] = *found;
        made = chosen->make(*m_report->setup, *m_report, version);
        Setup asked = *m_report->setup;
        asked.plan.target = launcher().toStdString();
        m_batch->setNumbers(launchers::batch_arithmetic(asked), m_launchers->currentText());
    }
    const bool sameLauncher = m_shownLauncher == launcher();
    const int step = m_document.undoStack()->index();
    // Edits of one gesture are one step: all of them are held against what was there before the first.
    if (!sameLauncher)
        m_before = made;
    else if (step != m_step)
        m_before = std::move(m_export);
    m_step = step;
    m_shownLauncher = launcher();
    m_export = std::move(made);
    findChanges(sameLauncher);
    fillFiles();
    fillNotExpressed();
    showState();
    showTarget();
}

void ExportPage::findChanges(bool sameLauncher) {
    m_changes.clear();
    if (!sameLauncher || m_before.files.empty()) return;
    for (const launchers::File& file : m_export.files) {
        const auto* old = fileNamed(m_before, file.name);
        if (old && old->text == file.text) continue;
        m_changes[file.name] = changedLines(old ? toQString(old->text) : QString(), toQString(file.text));
    }
}

QString ExportPage::changesText() const {
    QStringList parts;
    for (const launchers::File& file : m_export.files)
        if (const auto changes = m_changes.find(file.name); changes != m_changes.end())
            parts << tr("%1: %n line(s)", nullptr, changes->second.count()).arg(toQString(file.name));
    return parts.isEmpty() ? QString() : tr("Last edit changed %1").arg(parts.join(u", "_s));
}

void ExportPage::fillFiles() {
    const int row = m_files->currentRow();
    {
        const QSignalBlocker blocker(m_files);
        m_files->clear();
        for (const auto& file : m_export.files) {
            const auto changes = m_changes.find(file.name);
            auto* item = new QListWidgetItem(toQString(file.name), m_files);
            if (changes == m_changes.end()) continue;
            // A sign, not only weight: the file's own lines carry the same.
            item->setText(u"+ "_s + item->text());
            item->setData(Qt::AccessibleTextRole,
                          tr("%1: %n line(s)", nullptr, changes->second.count()).arg(toQString(file.name)));
            QFont bold = m_files->font();
            bold.setBold(true);
            item->setFont(bold);
        }
        m_files->setCurrentRow(m_export.files.empty() ? -1
                                                      : std::clamp(row, 0, int(m_export.files.size()) - 1));
    }
    m_changesLabel->setText(changesText());
    showFile(m_files->currentRow());
    if (!m_changes.empty()) m_text->showFirstChange();
}

void ExportPage::fillNotExpressed() {
    m_notExpressed->clear();
    for (const auto& entry : m_export.not_expressed) {
        auto* item = new QTreeWidgetItem({labelOfPath(entry.path), translatedInstead(entry.instead)});
        item->setToolTip(0, toQString(entry.path));
        item->setToolTip(1, item->text(1));
        m_notExpressed->addTopLevelItem(item);
    }
    m_notExpressedLabel->setText(
        m_export.files.empty() ? tr("Nothing is written.")
        : m_export.not_expressed.empty()
            ? tr("Everything in the plan is expressed.")
            : tr("Not expressed in these files (%1):").arg(m_export.not_expressed.size()));
    m_notExpressed->setVisible(!m_export.not_expressed.empty() && !m_export.files.empty());
}

void ExportPage::showState() {
    QString state;
    if (!m_export.refusals.empty())
        state = tr("%1 cannot run this plan:").arg(m_launchers->currentText());
    else if (m_report && !m_report->valid)
        state = tr("The plan breaks rules; mend them first, or the run will not start.");
    else if (m_report && m_report->verdict == Verdict::does_not_fit)
        state = tr("The plan does not fit into memory; the files are written all the same.");
    m_state->setText(state);
    m_state->setVisible(!state.isEmpty());
    m_refusals->setMessages(m_export.refusals);
    m_refusals->setVisible(!m_export.refusals.empty());
    m_save->setEnabled(!m_export.files.empty() && m_export.refusals.empty());
}

void ExportPage::showTarget() { m_ownRules->setChecked(toQString(m_document.plan().target) == launcher()); }

void ExportPage::takeTarget(bool wanted) {
    Plan after = m_document.plan();
    Error error = edit_field(after, "target", wanted ? launcher().toStdString() : std::string());
    if (error.what.empty())
        error = m_document.change(std::move(after),
                                  wanted ? tr("Target %1").arg(m_launchers->currentText()) : tr("No target"));
    if (!error.what.empty()) emit problem(error);
    showTarget();
}

const launchers::File* ExportPage::currentFile() const {
    const int row = m_files->currentRow();
    return row >= 0 && row < static_cast<int>(m_export.files.size()) ? &m_export.files[std::size_t(row)]
                                                                     : nullptr;
}

void ExportPage::showFile(int) {
    const auto* file = currentFile();
    const auto changes = file ? m_changes.find(file->name) : m_changes.end();
    m_text->showFile(file ? toQString(file->name) : QString(),
                     file ? toQString(file->text) : tr("Nothing to write for this launcher."),
                     changes == m_changes.end() ? LineChanges{} : changes->second);
    for (QPushButton* button : {m_copy, m_saveFile}) button->setEnabled(file && m_export.refusals.empty());
}

void ExportPage::copyFile() {
    settle();
    const auto* file = currentFile();
    if (!file) return;
    QApplication::clipboard()->setText(toQString(file->text));
    emit done(tr("Copied %1").arg(toQString(file->name)));
}

std::pair<bool, QString> ExportPage::saveInto(const QString& directory) {
    settle();
    if (!m_export.refusals.empty())
        return {false, m_state->text() + u' ' + translated(m_export.refusals.front())};
    if (const Error error = launchers::write(m_export, directory.toStdString()); !error.what.empty())
        return {false, translatedLine(error)};
    return {true, tr("%n file(s) written into %1", nullptr, int(m_export.files.size())).arg(directory)};
}

std::pair<bool, QString> ExportPage::saveFileAs(const QString& path) {
    settle();
    const auto* file = currentFile();
    if (!file) return {false, m_text->toPlainText()};
    if (const Error error = write_text(path.toStdString(), file->text); !error.what.empty())
        return {false, translatedLine(error)};
    return {true, tr("Saved %1").arg(path)};
}

void ExportPage::retranslate() {
    nameLaunchers();
    m_launcherLabel->setText(tr("&Launcher"));
    m_launchers->setAccessibleName(tr("Launcher"));
    m_ownRules->setText(tr("Check this plan against its &rules"));
    m_ownRules->setToolTip(tr("Makes this launcher the plan's target: its own rules are among the messages"));
    m_files->setAccessibleName(tr("Files"));
    m_text->setAccessibleName(tr("Content of the file"));
    m_notExpressed->setAccessibleName(tr("What is not expressed"));
    m_notExpressed->setHeaderLabels({tr("Field"), tr("Instead")});
    m_batchLabel->setText(tr("Batch and ranks"));
    m_copy->setText(tr("Cop&y file"));
    m_saveFile->setText(tr("Save &file…"));
    m_save->setText(tr("Save all into a fol&der…"));
    if (!m_report) return;
    fillFiles();
    fillNotExpressed();
    showState();
}

} // namespace shardlens
