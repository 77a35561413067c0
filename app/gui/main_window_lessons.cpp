// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons in the window: opening, handouts, lessons of one's own, presentation.
#include <QAbstractItemView>
#include <QAbstractSlider>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QInputDialog>
#include <QKeyEvent>
#include <QLayout>
#include <QLineEdit>
#include <QMenuBar>
#include <QRadioButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QTimer>
#include <algorithm>

#include "charts/plot.h"
#include "controls/quantity.h"
#include "handout.h"
#include "lesson_kit.h"
#include "lessons/lesson_panel.h"
#include "lessons/library.h"
#include "lessons_page.h"
#include "main_window_actions.h"
#include "presentation_bar.h"
#include "preset_bar.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPresentationScale = 1.6;
constexpr int kRoomyWidth = 1560; ///< from here on lessons leave the panels on the right in place

/// Does this widget mean something else by the arrow keys?
bool ownsArrows(const QWidget* focus) {
    return qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QAbstractSpinBox*>(focus) ||
           qobject_cast<const QAbstractSlider*>(focus) || qobject_cast<const QComboBox*>(focus) ||
           qobject_cast<const QAbstractItemView*>(focus) || qobject_cast<const QRadioButton*>(focus) ||
           qobject_cast<const QTabBar*>(focus) || qobject_cast<const ReportView*>(focus) ||
           qobject_cast<const Plot*>(focus);
}

} // namespace

LessonsPage& MainWindow::lessonsPage() { return *static_cast<LessonsPage*>(page(u"lessons"_s)); }

Error MainWindow::loadShippedLessons(LessonsPage& lessons) {
    const auto folder = lessons::default_lessons("/proc/self/exe");
    auto library =
        folder.empty() ? Result<lessons::Library>(lessons::Library{}) : lessons::load_lessons(folder);
    lessons.setLibrary(std::make_shared<const lessons::Library>(library ? *library : lessons::Library{}));
    return library ? Error{} : library.error();
}

Error MainWindow::openLesson(const QString& idOrPath) {
    showView(u"lessons"_s);
    LessonsPage& lessons = lessonsPage();
    if (idOrPath.isEmpty()) return loadShippedLessons(lessons);
    if (QFileInfo::exists(idOrPath) || idOrPath.contains(u'/') || idOrPath.endsWith(u".md"_s)) {
        auto library = lessons::load_lessons(idOrPath.toStdString());
        if (!library) return library.error();
        const auto problems = library->problems;
        const bool one = library->entries.size() == 1;
        const std::string first = library->entries.front().languages.front().second->id;
        lessons.setLibrary(std::make_shared<const lessons::Library>(std::move(library).value()));
        if (one) lessons.open(toQString(first));
        return problems.empty() ? Error{} : problems.front();
    }
    if (lessons.open(idOrPath)) return {};
    std::vector<std::string> ids;
    for (const auto& entry : lessons.panel().library()->entries)
        ids.push_back(entry.languages.front().second->id);
    const std::vector<std::string_view> known(ids.begin(), ids.end());
    const std::string near = nearest(idOrPath.toStdString(), known);
    const QString what = near.empty() ? tr("there is no such lesson")
                                      : tr("there is no such lesson; did you mean %1?").arg(toQString(near));
    return {idOrPath.toStdString(), what.toStdString()};
}

void MainWindow::chooseLessonFolder() {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Folder of lessons"));
    if (!folder.isEmpty()) report(openLesson(folder));
}

bool MainWindow::exportLessonAs(const QString& path) {
    LessonsPage& lessons = lessonsPage();
    if (!lessons.panel().session()) {
        say(tr("Open a lesson first; it is the one that is exported"));
        return false;
    }
    const auto* entry = lessons.panel().library()->find(lessons.panel().lessonId().toStdString());
    const QString language = m_language.code();
    return savedAs(path, writeHandout(entry->in(language.toStdString()), m_document.catalog(), path),
                   tr("Saved %1"));
}

void MainWindow::exportLesson() {
    if (!lessonsPage().panel().session()) {
        showView(u"lessons"_s);
        return say(tr("Open a lesson first; it is the one that is exported"));
    }
    QString path = QFileDialog::getSaveFileName(
        this, tr("Lesson as a handout"), lessonsPage().panel().lessonId() + u".pdf"_s, tr("PDF (*.pdf)"));
    if (path.isEmpty()) return;
    if (QFileInfo(path).suffix().isEmpty()) path += u".pdf"_s;
    exportLessonAs(path);
}

bool MainWindow::writeLesson(const QString& folder, const QString& title) {
    m_document.settle();
    std::vector<Plan> plans;
    for (const auto& pin : m_document.pins())
        if (pin) plans.push_back(pin->plan);
    if (!std::ranges::count(plans, m_document.plan())) plans.push_back(m_document.plan());
    const Error error = writeLessonFolder(plans, title, m_document.catalog(), folder);
    if (!savedAs(folder, error, tr("Saved %1; the lesson is open now"))) return false;
    report(openLesson(folder));
    return true;
}

void MainWindow::newLesson() {
    bool taken = false;
    const QString title = QInputDialog::getText(this, tr("New lesson"), tr("Title of the lesson"),
                                                QLineEdit::Normal, m_document.title(), &taken);
    if (!taken) return;
    const QString folder = QFileDialog::getExistingDirectory(this, tr("Empty folder for the lesson"));
    if (!folder.isEmpty()) writeLesson(folder, title);
}

void MainWindow::arrangePanels() {
    if (m_presenting) return;
    const bool wanted = currentView() == "lessons"_L1 && width() < kRoomyWidth;
    if (!wanted) {
        for (QDockWidget* dock : std::exchange(m_setAside, {})) dock->show();
        return;
    }
    if (!m_setAside.isEmpty()) return;
    for (QDockWidget* dock : {m_verdictDock, m_messagesDock, m_explainDock})
        if (!dock->isHidden() && dockWidgetArea(dock) == Qt::RightDockWidgetArea && !dock->isFloating()) {
            dock->hide();
            m_setAside << dock;
        }
}

void MainWindow::startPresentation(bool fullScreen) {
    if (m_presenting) return;
    auto before = std::make_unique<Presenting>();
    before->state = saveState();
    before->windowState = windowState();
    before->size = size();
    before->theme = m_theme.kind();
    before->font = QApplication::font();
    before->view = currentView();
    before->planWidth = m_planDock->width();
    for (auto* table : findChildren<QTableView*>())
        before->rows.emplace_back(table, table->verticalHeader()->defaultSectionSize());
    m_presenting = std::move(before);

    const auto* lessons = static_cast<LessonsPage*>(m_pages.value(u"lessons"_s));
    if (lessons && lessons->panel().session()) showView(u"lessons"_s);
    menuBar()->hide();
    m_bar->hide();
    m_tabs->tabBar()->hide();
    for (QDockWidget* dock : {m_planDock, m_verdictDock, m_messagesDock, m_explainDock}) dock->hide();
    QFont large = QApplication::font();
    large.setPointSizeF(large.pointSizeF() * kPresentationScale);
    QApplication::setFont(large);
    applyTheme(ThemeKind::HighContrast);
    for (const auto& [table, height] : m_presenting->rows)
        if (table) table->verticalHeader()->setDefaultSectionSize(int(height * kPresentationScale));
    if (Page* shown = m_pages.value(u"lessons"_s)) static_cast<LessonsPage*>(shown)->setPresenting(true);
    m_presentationBar->start();
    showPresentationStep();
    qApp->installEventFilter(this);
    if (fullScreen) setWindowState(windowState() | Qt::WindowFullScreen);
    if (QWidget* shown = m_tabs->currentWidget()) shown->setFocus(Qt::OtherFocusReason);
}

void MainWindow::stopPresentation() {
    if (!m_presenting) return;
    qApp->removeEventFilter(this);
    const auto before = std::move(m_presenting);
    m_presentationBar->stop();
    QApplication::setFont(before->font);
    applyTheme(before->theme);
    for (const auto& [table, height] : before->rows)
        if (table) table->verticalHeader()->setDefaultSectionSize(height);
    if (Page* shown = m_pages.value(u"lessons"_s)) static_cast<LessonsPage*>(shown)->setPresenting(false);
    m_tabs->tabBar()->show();
    menuBar()->show();
    if (windowState() != before->windowState) setWindowState(before->windowState);
    showView(before->view);
    QApplication::sendPostedEvents(); // small type first: large panels would not shrink to their old width
    restoreState(before->state);
    // Large type may have pushed the window over its size.
    if (!(before->windowState & (Qt::WindowFullScreen | Qt::WindowMaximized)) && size() != before->size) {
        layout()->activate();
        resize(before->size);
    }
    resizeDocks({m_planDock}, {before->planWidth}, Qt::Horizontal);
}

void MainWindow::showPresentationStep() {
    const auto* lessons = static_cast<LessonsPage*>(m_pages.value(u"lessons"_s));
    if (!m_presenting || !lessons) return;
    const LessonPanel& panel = lessons->panel();
    m_presentationBar->setStep(panel.session() ? tr("%1 / %2").arg(panel.step()).arg(panel.stepCount() - 1)
                                               : QString(),
                               panel.session() ? panel.notes() : QString());
}

bool MainWindow::presentationKey(int key, const QWidget* focus) {
    const auto* lessons = static_cast<LessonsPage*>(m_pages.value(u"lessons"_s));
    LessonPanel* panel = lessons && lessons->panel().session() ? &lessons->panel() : nullptr;
    const bool typing = qobject_cast<const QLineEdit*>(focus) || qobject_cast<const QAbstractSpinBox*>(focus);
    switch (key) {
    case Qt::Key_Escape: stopPresentation(); return true;
    case Qt::Key_PageDown:
    case Qt::Key_PageUp:
        if (!panel) return false;
        panel->turn(key == Qt::Key_PageDown ? 1 : -1);
        return true;
    case Qt::Key_Right:
    case Qt::Key_Left:
        if (!panel || ownsArrows(focus)) return false;
        panel->setStep(panel->step() + (key == Qt::Key_Right ? 1 : -1));
        return true;
    case Qt::Key_Down:
    case Qt::Key_Up:
        if (!panel || ownsArrows(focus)) return false;
        panel->scrollBy(key == Qt::Key_Down ? 0.5 : -0.5);
        return true;
    case Qt::Key_N:
        if (typing) return false;
        m_presentationBar->setNotesShown(!m_presentationBar->notesShown());
        return true;
    case Qt::Key_P:
        if (typing) return false;
        m_planDock->setVisible(m_planDock->isHidden());
        return true;
    default: return false;
    }
}

bool MainWindow::eventFilter(QObject* watched, QEvent* event) {
    // Exposing paints; everything that the first frame can do without comes in the turn behind it.
    if (!m_painted && event->type() == QEvent::Expose && watched == windowHandle())
        QTimer::singleShot(0, this, &MainWindow::afterFirstPaint);
    if (m_presenting && event->type() == QEvent::KeyPress && !QApplication::activePopupWidget() &&
        !QApplication::activeModalWidget()) {
        const auto* target = qobject_cast<QWidget*>(watched);
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool plain = (key->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
        if (target && target->window() == this && plain && presentationKey(key->key(), target)) return true;
    }
    return QMainWindow::eventFilter(watched, event);
}

} // namespace shardlens
