// SPDX-License-Identifier: GPL-3.0-or-later
// Menus, actions and their texts.
#include "main_window_actions.h"

#include <QApplication>
#include <QClipboard>
#include <QDialog>
#include <QDialogButtonBox>
#include <QDockWidget>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QTextBrowser>
#include <QUndoStack>
#include <QVBoxLayout>

#include "calibrate_dialog.h"
#include "controls/quantity.h"
#include "options.h"
#include "plan/plan_json.h"
#include "preset_bar.h"

namespace shardlens {

using namespace Qt::StringLiterals;

void MainWindow::buildActions() {
    Actions& a = *m_actions;
    const auto action = [this](const QKeySequence& keys, auto&& run) {
        auto* made = new QAction(this);
        made->setShortcut(keys);
        connect(made, &QAction::triggered, this, run);
        addAction(made);
        return made;
    };
    a.open = action(QKeySequence::Open, [this] { chooseOpen(); });
    a.importFile = action(QKeySequence(u"Ctrl+I"_s), [this] { showImport(); });
    a.importNotes = action(QKeySequence(u"Ctrl+Shift+I"_s), [this] { showImportNotes(); });
    a.importNotes->setEnabled(false);
    a.save = action(QKeySequence::Save, [this] { save(); });
    a.saveAs = action(QKeySequence(u"Ctrl+Shift+S"_s), [this] { saveAs(); });
    a.exportPlan = action(QKeySequence(u"Ctrl+E"_s), [this] { showView(u"export"_s); });
    a.picture = action(QKeySequence(u"Ctrl+Shift+P"_s), [this] { savePicture(); });
    a.trace = action(QKeySequence(u"Ctrl+Shift+T"_s), [this] { saveTrace(); });
    a.quit = action(QKeySequence(u"Ctrl+Q"_s), [this] { close(); });
    a.undo = m_document.undoStack()->createUndoAction(this, QString());
    a.undo->setShortcut(QKeySequence::Undo);
    a.redo = m_document.undoStack()->createRedoAction(this, QString());
    a.redo->setShortcut(QKeySequence(u"Ctrl+Shift+Z"_s));
    addAction(a.undo);
    addAction(a.redo);
    a.copy = action(QKeySequence(u"Ctrl+Shift+C"_s), [this] {
        QApplication::clipboard()->setText(toQString(plan_to_text(m_document.plan())));
    });
    a.paste = action(QKeySequence(u"Ctrl+Shift+V"_s), [this] { pastePlan(); });
    a.resetLayout = action({}, [this] {
        restoreState(m_defaultState);
        resizeDocks({m_planDock, m_verdictDock}, {330, 304}, Qt::Horizontal);
    });
    a.fullScreen =
        action(QKeySequence(u"F11"_s), [this] { setWindowState(windowState() ^ Qt::WindowFullScreen); });
    a.pin = action(QKeySequence(u"Ctrl+D"_s), [this] { m_document.pin(); });
    a.unpin = action(QKeySequence(u"Ctrl+Shift+D"_s), [this] { m_document.unpin(); });
    a.unpin->setEnabled(false);
    a.keys = action(QKeySequence(u"F1"_s), [this] { showKeys(); });
    a.about = action({}, [this] { showAbout(); });
    a.calibrate = action(QKeySequence(u"Ctrl+K"_s), [this] { showCalibrate(); });

    a.exportLesson = action({}, [this] { exportLesson(); });
    a.openLessons = action({}, [this] { chooseLessonFolder(); });
    a.shippedLessons = action(QKeySequence(u"Ctrl+L"_s), [this] { report(openLesson(QString())); });
    a.newLesson = action({}, [this] { newLesson(); });
    a.matrix = action({}, [this] { showView(u"matrix"_s); });
    a.sgd = action({}, [this] { showView(u"sgd"_s); });
    a.collective = action({}, [this] { showView(u"collective"_s); });
    a.present =
        action(QKeySequence(u"F5"_s), [this] { presenting() ? stopPresentation() : startPresentation(); });

    a.languages = new QActionGroup(this);
    for (const auto& [code, name] :
         {std::pair{u"en"_s, u"English"_s}, std::pair{u"zh_CN"_s, u"简体中文"_s}}) {
        auto* made = new QAction(name, this);
        made->setCheckable(true);
        made->setData(code);
        a.languages->addAction(made);
    }
    connect(a.languages, &QActionGroup::triggered, this,
            [this](QAction* chosen) { setLanguage(chosen->data().toString()); });
    a.themes = new QActionGroup(this);
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        auto* made = new QAction(this);
        made->setCheckable(true);
        made->setData(int(kind));
        a.themes->addAction(made);
    }
    connect(a.themes, &QActionGroup::triggered, this,
            [this](QAction* chosen) { setTheme(static_cast<ThemeKind>(chosen->data().toInt())); });
    a.views = new QActionGroup(this);
    for (int i = 0; i < viewNames().size(); ++i) {
        auto* made = new QAction(this);
        made->setCheckable(true);
        made->setChecked(i == 0);
        made->setData(viewNames()[i]);
        made->setShortcut(QKeySequence(u"Ctrl+%1"_s.arg(i + 1)));
        a.views->addAction(made);
        addAction(made);
    }
    connect(a.views, &QActionGroup::triggered, this,
            [this](QAction* chosen) { showView(chosen->data().toString()); });
}

void MainWindow::buildMenus() {
    Actions& a = *m_actions;
    a.file = menuBar()->addMenu(QString());
    a.edit = menuBar()->addMenu(QString());
    a.view = menuBar()->addMenu(QString());
    a.plan = menuBar()->addMenu(QString());
    a.learn = menuBar()->addMenu(QString());
    a.help = menuBar()->addMenu(QString());

    a.fresh = a.file->addMenu(QString());
    a.file->addAction(a.open);
    a.recent = a.file->addMenu(QString());
    a.file->addSeparator();
    a.file->addAction(a.importFile);
    a.file->addAction(a.importNotes);
    a.file->addSeparator();
    a.file->addAction(a.save);
    a.file->addAction(a.saveAs);
    a.file->addSeparator();
    a.file->addAction(a.exportPlan);
    a.file->addAction(a.picture);
    a.file->addAction(a.trace);
    a.file->addAction(a.exportLesson);
    a.file->addSeparator();
    a.file->addAction(a.quit);
    // Filled when opened: nothing is read before somebody looks.
    connect(a.fresh, &QMenu::aboutToShow, this, [this] { fillPresets(m_actions->fresh); });
    connect(a.recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);

    a.edit->addAction(a.undo);
    a.edit->addAction(a.redo);
    a.edit->addSeparator();
    a.edit->addAction(a.copy);
    a.edit->addAction(a.paste);

    a.view->addActions(a.views->actions());
    a.view->addSeparator();
    a.panels = a.view->addMenu(QString());
    for (QDockWidget* dock : {m_planDock, m_verdictDock, m_messagesDock, m_explainDock})
        a.panels->addAction(dock->toggleViewAction());
    a.panels->addSeparator();
    a.panels->addAction(a.resetLayout);
    a.view->addAction(a.fullScreen);
    a.view->addSeparator();
    a.language = a.view->addMenu(QString());
    a.language->addActions(a.languages->actions());
    a.theme = a.view->addMenu(QString());
    a.theme->addActions(a.themes->actions());

    a.plan->addAction(a.pin);
    a.plan->addAction(a.unpin);
    a.baselines = a.plan->addMenu(QString());
    a.baselines->setEnabled(false);
    connect(a.baselines, &QMenu::aboutToShow, this, [this] { fillBaselines(m_actions->baselines); });
    a.plan->addSeparator();
    a.plan->addAction(a.calibrate);
    a.plan->addSeparator();
    a.presets = a.plan->addMenu(QString());
    connect(a.presets, &QMenu::aboutToShow, this, [this] { fillPresets(m_actions->presets); });

    a.learn->addAction(a.shippedLessons);
    a.learn->addAction(a.openLessons);
    a.learn->addAction(a.newLesson);
    a.learn->addSeparator();
    for (QAction* view : {a.matrix, a.sgd, a.collective}) a.learn->addAction(view);
    a.learn->addSeparator();
    a.learn->addAction(a.present);

    a.help->addAction(a.keys);
    a.help->addAction(a.about);
}

void MainWindow::retranslateActions() {
    Actions& a = *m_actions;
    a.file->setTitle(tr("&File"));
    a.edit->setTitle(tr("&Edit"));
    a.view->setTitle(tr("&View"));
    a.plan->setTitle(tr("&Plan"));
    a.learn->setTitle(tr("&Learn"));
    a.help->setTitle(tr("&Help"));
    a.fresh->setTitle(tr("&New from preset"));
    a.recent->setTitle(tr("Open &recent"));
    a.panels->setTitle(tr("&Panels"));
    a.language->setTitle(tr("&Language"));
    a.theme->setTitle(tr("&Colours"));
    a.presets->setTitle(tr("P&resets"));
    a.baselines->setTitle(tr("Compare &with"));
    a.open->setText(tr("&Open…"));
    a.importFile->setText(tr("&Import…"));
    a.importNotes->setText(tr("Notes of the last i&mport…"));
    a.save->setText(tr("&Save"));
    a.saveAs->setText(tr("Save &as…"));
    a.exportPlan->setText(tr("&Export…"));
    a.picture->setText(tr("&Picture of the view…"));
    a.trace->setText(tr("Pipeline &trace for Perfetto…"));
    a.quit->setText(tr("&Quit"));
    a.undo->setText(tr("&Undo"));
    a.redo->setText(tr("&Redo"));
    a.copy->setText(tr("&Copy plan as JSON"));
    a.paste->setText(tr("&Paste plan or configuration"));
    a.resetLayout->setText(tr("&Reset layout"));
    a.fullScreen->setText(tr("&Full screen"));
    a.pin->setText(tr("&Pin this plan"));
    a.unpin->setText(tr("&Unpin"));
    a.calibrate->setText(tr("&Calibrate…"));
    a.exportLesson->setText(tr("Export &lesson…"));
    a.shippedLessons->setText(tr("&Lessons"));
    a.openLessons->setText(tr("&Open lesson folder…"));
    a.newLesson->setText(tr("&New lesson from pinned plans…"));
    a.matrix->setText(tr("&Matrices of a layer"));
    a.sgd->setText(tr("&SGD with stragglers"));
    a.collective->setText(tr("&All-reduce step by step"));
    a.present->setText(tr("&Presentation"));
    a.keys->setText(tr("&Keyboard"));
    a.about->setText(tr("&About ShardLens"));
    const QStringList themes{tr("&Light"), tr("&Dark"), tr("&High contrast")};
    for (int i = 0; i < themes.size(); ++i) a.themes->actions()[i]->setText(themes[i]);
    const QStringList views{tr("&Overview"), tr("&Memory"),         tr("&Time"),
                            tr("P&ipeline"), tr("Topo&logy"),       tr("&Compare"),
                            tr("&Export"),   tr("Pu&blished runs"), tr("Lesso&ns")};
    for (int i = 0; i < views.size(); ++i) a.views->actions()[i]->setText(views[i]);
    for (QAction* action : a.languages->actions()) action->setChecked(action->data() == m_language.code());
    // Tooltips name the keys.
    for (QAction* action : {a.undo, a.redo, a.pin}) {
        QString text = action->text();
        text.remove(u'&');
        action->setToolTip(u"%1 (%2)"_s.arg(text, action->shortcut().toString(QKeySequence::NativeText)));
    }
}

QList<QAction*> MainWindow::allActions() const {
    QList<QAction*> all = actions();
    for (const QMenu* menu :
         {m_actions->file, m_actions->edit, m_actions->view, m_actions->plan, m_actions->learn,
          m_actions->help, m_actions->panels, m_actions->language, m_actions->theme})
        for (QAction* action : menu->actions())
            if (!all.contains(action) && !action->isSeparator()) all << action;
    return all;
}

void MainWindow::fillBaselines(QMenu* menu) {
    menu->clear();
    for (int letter = 0; letter < Document::kPins; ++letter) {
        const auto& pin = m_document.pins()[std::size_t(letter)];
        if (!pin) continue;
        QString name = pin->name;
        QAction* made = menu->addAction(u"&%1: %2"_s.arg(pinLetter(letter), name.replace(u'&', u"&&"_s)),
                                        this, [this, letter] { m_document.setBaseline(letter); });
        made->setCheckable(true);
        made->setChecked(letter == m_document.baseline());
    }
}

void MainWindow::fillPresets(QMenu* menu) {
    menu->clear();
    for (const PresetEntry& entry : m_document.catalog().list(PresetKind::plan)) {
        QAction* action = menu->addAction(toQString(entry.name.empty() ? entry.id : entry.name));
        connect(action, &QAction::triggered, this, [this, menu, id = entry.id] {
            auto plan = m_document.catalog().plan(id);
            if (!plan.ok()) return report(plan.error());
            // As a new document, or as one step that can be undone.
            if (menu == m_actions->presets)
                return report(m_document.change(std::move(plan).value(), tr("Preset %1").arg(toQString(id))));
            if (confirmDiscard()) report(m_document.start(std::move(plan).value()));
        });
    }
    if (menu->isEmpty()) menu->addAction(tr("No presets found"))->setEnabled(false);
}

void MainWindow::showCalibrate() {
    m_document.settle();
    auto* dialog = new CalibrateDialog(m_document, m_theme, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &CalibrateDialog::saved, this, [this](const QString& id, const QString& file) {
        m_bar->populate(); // the new profile is among the choices
        say(tr("Saved %1 as %2; the plan uses it now").arg(id, file), false);
    });
    dialog->open(); // the plan stands still meanwhile
}

void MainWindow::showKeys() {
    auto* dialog = new QDialog(this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Keyboard"));
    auto* layout = new QVBoxLayout(dialog);
    auto* text = new QTextBrowser(dialog);
    text->setAccessibleName(tr("Keyboard"));
    QString html = u"<table cellpadding='3'>"_s;
    const auto row = [&html](const QString& keys, const QString& what) {
        html += u"<tr><td><b>%1</b></td><td>%2</td></tr>"_s.arg(keys.toHtmlEscaped(), what.toHtmlEscaped());
    };
    for (QAction* action : allActions()) {
        if (action->shortcut().isEmpty()) continue;
        QString what = action->text();
        row(action->shortcut().toString(QKeySequence::NativeText), what.remove(u'&').remove(u'…'));
    }
    row(tr("Tab, Shift+Tab"), tr("next and previous field"));
    row(tr("← → on a slider"), tr("previous and next legal value"));
    row(tr("↑ ↓ in a number field"), tr("next and previous legal value"));
    row(tr("Enter"), tr("take the typed value: 8192, 8k, 2^13, 1e6"));
    row(tr("Esc"), tr("drop the typed value"));
    row(tr("Arrow keys in a view"), tr("walk over its parts; the explanation follows"));
    row(tr("W S A D F in the pipeline"), tr("zoom in and out, move left and right, show all"));
    row(tr("C, M in the pipeline"), tr("colour by micro-batch, memory over time"));
    row(tr("Page Up, Page Down, ← → in a presentation"), tr("steps of the lesson"));
    row(tr("N, P, Esc in a presentation"), tr("notes, sliders of the plan, leave"));
    row(tr("Shift+arrow keys, Shift and drag in the pipeline"),
        tr("mark an area: shares of work and waiting"));
    text->setHtml(html + u"</table>"_s);
    layout->addWidget(text);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, dialog);
    connect(buttons, &QDialogButtonBox::rejected, dialog, &QDialog::close);
    layout->addWidget(buttons);
    dialog->resize(520, 560);
    dialog->show();
}

void MainWindow::showAbout() {
    auto* box = new QMessageBox(this);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->setWindowTitle(tr("About ShardLens"));
    box->setTextFormat(Qt::RichText);
    box->setText(
        tr("<h3>ShardLens %1</h3><p>Explore how a large model is trained on many GPUs: memory, step time, "
           "pipeline and placement follow the hand.</p><p>README.md beside the source is the guide: a tour "
           "of "
           "five minutes, the architecture, how to add a preset.</p><p>Free software under the GNU General "
           "Public License, version 3 or later.</p>")
            .arg(QCoreApplication::applicationVersion()));
    box->setModal(false);
    box->show();
}

} // namespace shardlens
