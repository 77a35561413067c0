// SPDX-License-Identifier: GPL-3.0-or-later
#include "export_page.h"

#include <QComboBox>
#include <QFontDatabase>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTimer>
#include <QTreeWidget>
#include <QVBoxLayout>
#include <algorithm>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"

namespace shardlens {

using namespace Qt::StringLiterals;

ExportPage::ExportPage(Document& document, QWidget* parent)
    : Page(parent), m_document(document), m_pause(new QTimer(this)), m_launcherLabel(new QLabel),
      m_notExpressedLabel(new QLabel), m_state(new QLabel), m_launchers(new QComboBox),
      m_files(new QListWidget), m_text(new QPlainTextEdit), m_notExpressed(new QTreeWidget),
      m_save(new QPushButton) {
    for (const auto& launcher : launchers::table())
        for (const char* version : launcher.versions) {
            const QString id = u"%1@%2"_s.arg(QString::fromUtf8(launcher.id), QString::fromUtf8(version));
            m_launchers->addItem(
                u"%1 %2"_s.arg(QString::fromUtf8(launcher.title), QString::fromUtf8(version)), id);
        }
    auto* top = new QHBoxLayout;
    m_launcherLabel->setBuddy(m_launchers);
    top->addWidget(m_launcherLabel);
    top->addWidget(m_launchers);
    top->addStretch(1);
    top->addWidget(m_save);

    m_text->setReadOnly(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_files->setMaximumWidth(220);
    m_notExpressed->setColumnCount(2);
    m_notExpressed->setRootIsDecorated(false);
    // Long sentences scroll rather than end in dots.
    m_notExpressed->header()->setStretchLastSection(false);
    m_notExpressed->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
    m_notExpressed->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);

    auto* files = new QSplitter(Qt::Horizontal);
    files->setChildrenCollapsible(false);
    files->addWidget(m_files);
    files->addWidget(m_text);
    files->setStretchFactor(1, 1);
    files->setSizes({170, 600});
    auto* below = new QWidget;
    auto* belowLayout = new QVBoxLayout(below);
    belowLayout->setContentsMargins(0, 0, 0, 0);
    belowLayout->addWidget(m_notExpressedLabel);
    belowLayout->addWidget(m_notExpressed);
    belowLayout->addStretch(0);
    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->addWidget(files);
    rows->addWidget(below);
    rows->setStretchFactor(0, 1);
    rows->setStretchFactor(1, 0);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(12, 10, 12, 10);
    layout->addLayout(top);
    m_state->setWordWrap(true);
    layout->addWidget(m_state);
    layout->addWidget(rows, 1);

    m_pause->setSingleShot(true);
    m_pause->setInterval(150);
    connect(m_pause, &QTimer::timeout, this, &ExportPage::fill);
    connect(m_launchers, &QComboBox::currentIndexChanged, this, &ExportPage::fill);
    connect(m_files, &QListWidget::currentRowChanged, this, &ExportPage::showFile);
    connect(m_save, &QPushButton::clicked, this, &ExportPage::saveRequested);
    setLauncher(toQString(m_document.plan().target));
    retranslate();
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

void ExportPage::setTheme(const Theme&) {}
bool ExportPage::settled() const { return !m_pause->isActive(); }

void ExportPage::settle() {
    if (m_pause->isActive()) fill();
}

void ExportPage::fill() {
    m_pause->stop();
    m_export = {};
    QString state;
    const auto found = launchers::find(launcher().toStdString());
    if (m_report && m_report->setup && found.ok()) {
        const auto& [chosen, version] = *found;
        m_export = chosen->make(*m_report->setup, *m_report, version);
        QStringList refusals;
        for (const Message& refusal : m_export.refusals) {
            QString line = translated(refusal);
            for (const Fix& fix : refusal.fixes) line += tr(" (%1 would do)").arg(describe(fix));
            refusals << line;
        }
        if (!refusals.isEmpty())
            state = tr("%1 cannot run this plan: %2").arg(m_launchers->currentText(), refusals.join(u' '));
        else if (!m_report->valid)
            state = tr("The plan breaks rules; mend them first, or the run will not start.");
        else if (m_report->verdict == Verdict::does_not_fit)
            state = tr("The plan does not fit into memory; the files are written all the same.");
    }
    const int row = m_files->currentRow();
    {
        const QSignalBlocker blocker(m_files);
        m_files->clear();
        for (const auto& file : m_export.files) m_files->addItem(toQString(file.name));
        m_files->setCurrentRow(m_export.files.empty() ? -1
                                                      : std::clamp(row, 0, int(m_export.files.size()) - 1));
    }
    showFile(m_files->currentRow());
    m_notExpressed->clear();
    for (const auto& entry : m_export.not_expressed) {
        auto* item = new QTreeWidgetItem({labelOfPath(entry.path), translatedInstead(entry.instead)});
        item->setToolTip(0, toQString(entry.path));
        m_notExpressed->addTopLevelItem(item);
    }
    m_notExpressedLabel->setText(m_export.not_expressed.empty() ? tr("Everything in the plan is expressed.")
                                                                : tr("Not expressed in these files:"));
    m_notExpressed->setVisible(!m_export.not_expressed.empty());
    m_state->setText(state);
    m_state->setVisible(!state.isEmpty());
    m_save->setEnabled(!m_export.files.empty() && m_export.refusals.empty());
}

void ExportPage::showFile(int row) {
    const bool any = row >= 0 && row < static_cast<int>(m_export.files.size());
    const QString text =
        any ? toQString(m_export.files[std::size_t(row)].text) : tr("Nothing to write for this launcher.");
    if (m_text->toPlainText() != text) m_text->setPlainText(text);
}

std::pair<bool, QString> ExportPage::saveInto(const QString& directory) {
    settle();
    if (!m_export.refusals.empty()) return {false, m_state->text()};
    if (const Error error = launchers::write(m_export, directory.toStdString()); !error.what.empty())
        return {false, toQString(error.line())};
    return {true, tr("%n file(s) written into %1", nullptr, int(m_export.files.size())).arg(directory)};
}

void ExportPage::retranslate() {
    m_launcherLabel->setText(tr("&Launcher"));
    m_launchers->setAccessibleName(tr("Launcher"));
    m_files->setAccessibleName(tr("Files"));
    m_text->setAccessibleName(tr("Content of the file"));
    m_notExpressed->setAccessibleName(tr("What is not expressed"));
    m_notExpressed->setHeaderLabels({tr("Field"), tr("Instead")});
    m_save->setText(tr("Save into a folder…"));
    if (m_report) fill();
}

} // namespace shardlens
