// SPDX-License-Identifier: GPL-3.0-or-later
// Files: open, import, save, drop, paste, recent, export, picture, and what happens at close.
#include <QApplication>
#include <QBuffer>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QDockWidget>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QMimeData>
#include <QSettings>
#include <QTabWidget>
#include <QUrl>
#include <algorithm>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "export_page.h"
#include "import_dialog.h"
#include "launchers/import.h"
#include "main_window_actions.h"
#include "pipeline/gantt_view.h"
#include "pipeline_page.h"
#include "report/trace_json.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {
constexpr int kRecentFiles = 10;

/// What the look of a text says: the importer's id, "contract" for a plan of ours, "" for nothing known.
std::string_view lookOf(const std::string& text, const std::string& origin) {
    const auto found = launchers::detect(text, origin);
    return found.ok() ? (*found)->id : "";
}
} // namespace

bool MainWindow::openFile(const QString& path) {
    if (const Error error = m_document.open(path); !error.what.empty()) {
        report(error);
        return false;
    }
    m_banner->hide();
    remember(path);
    return true;
}

bool MainWindow::openOrImport(const QString& path) {
    const auto text = read_text(path.toStdString());
    if (!text.ok()) {
        report(text.error());
        return false;
    }
    const std::string_view look = lookOf(*text, path.toStdString());
    if (!look.empty() && look != "contract") {
        showImport()->takeText(*text, QFileInfo(path).absoluteFilePath());
        return true;
    }
    if (look.empty() && QFileInfo(path).suffix() != "json"_L1) {
        say(tr("%1 is neither a plan nor a launcher's file that is known by its look; in File › Import… its "
               "kind can be chosen")
                .arg(path));
        return false;
    }
    return confirmDiscard() && openFile(path);
}

ImportDialog* MainWindow::showImport() {
    auto* dialog = new ImportDialog(m_document, m_theme, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::imported, this, &MainWindow::keepAccount);
    dialog->open(); // the plan stands still meanwhile
    return dialog;
}

void MainWindow::keepAccount(const ImportAccount& account) {
    m_account = std::make_unique<ImportAccount>(account);
    m_actions->importNotes->setEnabled(true);
    if (m_importNotes) m_importNotes->setAccount(account);
    const auto count = [&account](launchers::ImportNote::Kind kind) {
        return std::count_if(account.notes.begin(), account.notes.end(),
                             [kind](const launchers::ImportNote& note) { return note.kind == kind; });
    };
    using Kind = launchers::ImportNote::Kind;
    say(tr("Imported %1: %2 fields read, %3 assumed, %4 keys not understood. File › Notes of the last import "
           "lists them.")
            .arg(account.source)
            .arg(count(Kind::read))
            .arg(count(Kind::assumed))
            .arg(count(Kind::not_understood)),
        false);
}

void MainWindow::showImportNotes() {
    if (!m_account) return;
    if (!m_importNotes) {
        m_importNotes = new ImportNotesDialog(*m_account, m_theme, this);
        connect(m_importNotes, &ImportNotesDialog::fieldRequested, this, &MainWindow::revealField);
    }
    m_importNotes->show(); // beside the window, which stays alive
    m_importNotes->raise();
    m_importNotes->activateWindow();
}

void MainWindow::pastePlan() {
    const QString text = QApplication::clipboard()->text();
    if (const auto look = lookOf(text.toStdString(), {}); !look.empty() && look != "contract")
        showImport()->paste();
    else
        report(m_document.paste(text));
}

bool MainWindow::saveFile(const QString& path) {
    if (const Error error = m_document.save(path); !error.what.empty()) {
        report(error);
        return false;
    }
    remember(path);
    say(tr("Saved %1").arg(path), false);
    return true;
}

void MainWindow::chooseOpen() {
    const QString path =
        QFileDialog::getOpenFileName(this, tr("Open a plan"), QFileInfo(m_document.filePath()).path(),
                                     tr("Plans (*.json);;All files (*)"));
    if (!path.isEmpty()) openOrImport(path);
}

bool MainWindow::save() {
    return m_document.filePath().isEmpty() ? saveAs() : saveFile(m_document.filePath());
}

bool MainWindow::saveAs() {
    QString proposal = m_document.filePath();
    if (proposal.isEmpty()) {
        QString name = m_document.title().toLower();
        for (QChar& c : name)
            if (!c.isLetterOrNumber()) c = u'-';
        proposal = name + u".json"_s;
    }
    QString path = QFileDialog::getSaveFileName(this, tr("Save the plan"), proposal, tr("Plans (*.json)"));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += u".json"_s;
    return saveFile(path);
}

void MainWindow::saveExport() {
    auto* exporting = qobject_cast<ExportPage*>(m_pages.value(u"export"_s));
    if (!exporting) return;
    const QString directory = QFileDialog::getExistingDirectory(this, tr("Folder for the files"));
    if (directory.isEmpty()) return;
    const auto [done, line] = exporting->saveInto(directory);
    say(line, !done);
}

void MainWindow::saveExportFile(const QString& name) {
    auto* exporting = qobject_cast<ExportPage*>(m_pages.value(u"export"_s));
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the file"), name);
    if (!exporting || path.isEmpty()) return;
    const auto [done, line] = exporting->saveFileAs(path);
    say(line, !done);
}

bool MainWindow::savedAs(const QString& path, const Error& error, const QString& done) {
    if (error.what.empty())
        say(done.arg(path), false);
    else
        report(error);
    return error.what.empty();
}

bool MainWindow::savePictureAs(const QString& path) {
    Error error;
    if (auto* pipeline = qobject_cast<PipelinePage*>(m_pages.value(currentView()))) {
        error = pipeline->gantt().savePicture(path);
    } else {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        m_tabs->currentWidget()->grab().save(&buffer, "PNG");
        error = write_text(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
    return savedAs(path, error, tr("Saved %1"));
}

void MainWindow::savePicture() {
    const bool shapes = currentView() == "pipeline"_L1;
    const QString suffix = shapes ? u".svg"_s : u".png"_s;
    QString path =
        QFileDialog::getSaveFileName(this, tr("Picture of the view"), currentView() + suffix,
                                     shapes ? tr("Pictures (*.svg *.pdf *.png)") : tr("Pictures (*.png)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += suffix;
    savePictureAs(path);
}

bool MainWindow::saveTraceAs(const QString& path) {
    m_document.settle();
    if (!m_document.report()) return false;
    const auto trace = trace_json(*m_document.report());
    return savedAs(path, trace.ok() ? write_text(path.toStdString(), *trace) : trace.error(),
                   tr("Saved %1; open it at ui.perfetto.dev or chrome://tracing"));
}

void MainWindow::saveTrace() {
    QString path = QFileDialog::getSaveFileName(this, tr("Chrome trace of the step"), u"step.trace.json"_s,
                                                tr("Chrome traces (*.json)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += u".json"_s;
    saveTraceAs(path);
}

bool MainWindow::confirmDiscard() {
    if (!m_document.modified()) return true;
    Unsaved answer = Unsaved::Cancel;
    if (askUnsaved) {
        answer = askUnsaved();
    } else {
        const auto pressed = QMessageBox::question(
            this, tr("Unsaved changes"), tr("%1 has unsaved changes.").arg(m_document.title()),
            QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, QMessageBox::Save);
        answer = pressed == QMessageBox::Save      ? Unsaved::Save
                 : pressed == QMessageBox::Discard ? Unsaved::Discard
                                                   : Unsaved::Cancel;
    }
    if (answer == Unsaved::Save) return save();
    return answer == Unsaved::Discard;
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (!confirmDiscard()) return event->ignore();
    stopPresentation();
    for (QDockWidget* dock : std::exchange(m_setAside, {})) dock->show();
    if (m_settings) {
        m_settings->setValue(u"geometry"_s, saveGeometry());
        m_settings->setValue(u"state"_s, saveState());
    }
    event->accept();
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
    const auto urls = event->mimeData()->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile()) return;
    event->acceptProposedAction();
    openOrImport(urls.first().toLocalFile());
}

void MainWindow::remember(const QString& path) {
    if (!m_settings) return;
    QStringList recent = m_settings->value(u"recent"_s).toStringList();
    const QString absolute = QFileInfo(path).absoluteFilePath();
    recent.removeAll(absolute);
    recent.prepend(absolute);
    m_settings->setValue(u"recent"_s, recent.mid(0, kRecentFiles));
}

void MainWindow::fillRecent() {
    QMenu* menu = m_actions->recent;
    menu->clear();
    const QStringList recent = m_settings ? m_settings->value(u"recent"_s).toStringList() : QStringList();
    for (const QString& path : recent)
        connect(menu->addAction(QDir::toNativeSeparators(path)), &QAction::triggered, this, [this, path] {
            if (confirmDiscard()) openFile(path);
        });
    if (recent.isEmpty()) menu->addAction(tr("No plan opened yet"))->setEnabled(false);
}

} // namespace shardlens
