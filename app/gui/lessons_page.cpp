// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons_page.h"

#include <QKeyEvent>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabBar>
#include <QVBoxLayout>

#include "collective/collective_view.h"
#include "controls/quantity.h"
#include "controls/step_controls.h"
#include "format.h"
#include "learn_pages.h"
#include "lessons/lesson_panel.h"
#include "lessons/session.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

QString nameOf(lessons::View view) { return QString::fromLatin1(lessons::to_string(view)); }

QString tabText(const QString& view) {
    if (view == "overview"_L1) return LessonsPage::tr("Overview");
    if (view == "memory"_L1) return LessonsPage::tr("Memory");
    if (view == "time"_L1) return LessonsPage::tr("Time");
    if (view == "pipeline"_L1) return LessonsPage::tr("Pipeline");
    if (view == "topology"_L1) return LessonsPage::tr("Topology");
    if (view == "compare"_L1) return LessonsPage::tr("Compare");
    if (view == "matrix"_L1) return LessonsPage::tr("Matrices");
    if (view == "sgd"_L1) return LessonsPage::tr("SGD");
    return LessonsPage::tr("All-reduce");
}

/// Beside the list: the plan at hand first, then what only lessons show.
QStringList listViews() { return QStringList{u"overview"_s} + learnViewNames(); }

} // namespace

const QStringList& learnViewNames() {
    static const QStringList kNames{u"matrix"_s, u"sgd"_s, u"collective"_s};
    return kNames;
}

LessonsPage::LessonsPage(Document& document, const Theme& theme, Interaction& interaction,
                         LessonProgress& progress, MakePage make, QWidget* parent)
    : Page(parent), m_document(document), m_theme(theme), m_interaction(interaction), m_make(std::move(make)),
      m_panel(new LessonPanel(theme, document.catalog(), progress)),
      m_splitter(new QSplitter(Qt::Horizontal)), m_tabs(new QTabBar), m_verdict(new QLabel),
      m_stack(new QStackedWidget) {
    auto* right = new QWidget;
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->setSpacing(0);
    m_tabs->setDrawBase(false);
    m_tabs->setExpanding(false);
    m_verdict->setContentsMargins(8, 4, 8, 0);
    m_verdict->setTextFormat(Qt::PlainText);
    m_verdict->setWordWrap(true);
    rightLayout->addWidget(m_tabs);
    rightLayout->addWidget(m_stack, 1);
    rightLayout->addWidget(m_verdict);
    // The widest view that was ever shown must not push the plan aside for good.
    m_stack->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Expanding);
    right->setMinimumWidth(320);
    m_splitter->setChildrenCollapsible(false);
    m_splitter->setHandleWidth(6);
    m_splitter->addWidget(m_panel);
    m_splitter->addWidget(right);
    m_splitter->setStretchFactor(0, 4);
    m_splitter->setStretchFactor(1, 5);
    m_splitter->setSizes({400, 500});
    m_panel->setMinimumWidth(280);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 6);
    layout->addWidget(m_splitter);

    connect(m_tabs, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0) showView(m_views.value(index));
    });
    connect(m_panel, &LessonPanel::opened, this, &LessonsPage::opened);
    connect(m_panel, &LessonPanel::closed, this, [this] {
        takePinsOff();
        showTabs(listViews());
        emit stepChanged();
    });
    connect(m_panel, &LessonPanel::stepChanged, this, &LessonsPage::stepChanged);
    connect(m_panel, &LessonPanel::actionWanted, this, &LessonsPage::act);
    connect(m_panel, &LessonPanel::planWanted, this, &LessonsPage::take);
    connect(m_panel, &LessonPanel::viewWanted, this, [this](lessons::View view) { showView(nameOf(view)); });
    connect(m_panel, &LessonPanel::backWanted, this, &LessonsPage::back);
    showTabs(listViews());
    retranslate();
}

void LessonsPage::setLibrary(std::shared_ptr<const lessons::Library> library) {
    m_panel->setLibrary(std::move(library));
}

bool LessonsPage::open(const QString& id) { return m_panel->open(id); }

void LessonsPage::opened() {
    const lessons::Session& session = *m_panel->session();
    const lessons::Lesson& lesson = session.lesson();
    if (!m_before) m_before = m_document.plan();
    takePinsOff();
    const auto plan = session.opening_plan();
    if (!plan)
        emit problem(plan.error());
    else
        take(*plan, tr("Lesson: %1").arg(toQString(lesson.title)));
    QStringList views;
    const auto add = [&views](lessons::View view) {
        if (!views.contains(nameOf(view))) views << nameOf(view);
    };
    for (const lessons::View view : lesson.views) add(view);
    for (const lessons::Action* action : lesson.actions()) {
        if (action->view) add(*action->view);
        if (action->play) add(lessons::View::collective);
        if (action->sgd) add(lessons::View::sgd);
        if (action->matrix_tensor) add(lessons::View::matrix);
    }
    for (const lessons::Question* question : lesson.questions())
        if (question->view) add(*question->view);
    if (views.isEmpty()) views << u"overview"_s;
    showTabs(views);
    light(lesson.focus);
}

void LessonsPage::take(const Plan& plan, const QString& what) {
    const bool same = plan == m_document.plan();
    const Error error = m_document.change(plan, what);
    if (!error.what.empty()) emit problem(error);
    if (same) m_panel->refresh(); // no report will come of it
}

void LessonsPage::back() {
    if (!m_before) return;
    take(*m_before, tr("Back to my plan"));
    m_before.reset();
    m_panel->closeLesson();
}

void LessonsPage::act(const lessons::Action& action, const QString& label) {
    const lessons::Session* session = m_panel->session();
    if (!session) return;
    if (!action.plan.empty() || !action.set.empty()) {
        const auto plan = session->after(action, m_document.plan());
        if (!plan) return emit problem(plan.error());
        take(*plan, label);
    }
    if (action.pin) pinAs(*action.pin);
    if (action.play) {
        showView(u"collective"_s);
        const auto bytes = session->number(action.play->bytes);
        if (!bytes) return emit problem(bytes.error());
        if (auto* page = qobject_cast<CollectivePage*>(view(u"collective"_s))) {
            page->view().setSpec({action.play->kind, action.play->ranks, action.play->per_node, *bytes});
            page->view().controls().setPlaying(true);
        }
    }
    if (action.sgd) {
        showView(u"sgd"_s);
        if (auto* page = qobject_cast<SgdPage*>(view(u"sgd"_s))) page->setSpec(*action.sgd);
    }
    if (action.matrix_tensor) {
        showView(u"matrix"_s);
        if (auto* page = qobject_cast<MatrixPage*>(view(u"matrix"_s))) page->setTensor(*action.matrix_tensor);
    }
    if (action.view) showView(nameOf(*action.view));
    light(action.highlight);
}

void LessonsPage::pinAs(int letter) {
    if (m_lessonPins.empty()) m_baselineBefore = m_document.baseline();
    // The first pin to a letter finds the learner's own there.
    const auto [pin, first] = m_lessonPins.try_emplace(letter);
    if (first) pin->second.before = m_document.pins()[std::size_t(letter)];
    pin->second.plan = m_document.plan();
    m_document.pinAs(letter);
}

void LessonsPage::takePinsOff() {
    if (m_lessonPins.empty()) return;
    Document::Pins pins = m_document.pins();
    auto lessonPins = std::exchange(m_lessonPins, {});
    for (auto& [letter, pin] : lessonPins) {
        auto& now = pins[std::size_t(letter)];
        if (!now || now->plan == pin.plan) now = std::move(pin.before); // pinned anew by hand, it stays
    }
    m_document.setPins(pins, m_baselineBefore);
}

void LessonsPage::light(const std::string& path) {
    if (path.empty()) return;
    Target target;
    target.path = toQString(path);
    if (const QStringList parts = target.path.split(u'.'); parts.size() == 4 && parts[1] == "stages"_L1)
        target.stage = parts[2].toInt();
    m_interaction.setSelected(target);
}

void LessonsPage::showTabs(const QStringList& views) {
    m_views = views;
    {
        const QSignalBlocker quiet(m_tabs);
        while (m_tabs->count() > 0) m_tabs->removeTab(0);
        for (const QString& view : views) m_tabs->addTab(tabText(view));
    }
    showView(views.first());
}

void LessonsPage::showView(const QString& view) {
    Page* page = m_pages.value(view);
    if (!page) {
        page = m_make(view);
        if (!page) return;
        m_pages.insert(view, page);
        m_stack->addWidget(page);
        page->setTheme(m_theme);
        page->retranslate();
    }
    if (!m_views.contains(view)) {
        const QSignalBlocker quiet(m_tabs);
        m_views << view;
        m_tabs->addTab(tabText(view));
    }
    {
        const QSignalBlocker quiet(m_tabs);
        m_tabs->setCurrentIndex(int(m_views.indexOf(view)));
    }
    m_stack->setCurrentWidget(page);
    if (m_report) page->showReports(m_report, m_pinned);
}

QString LessonsPage::currentView() const { return m_views.value(m_tabs->currentIndex()); }

void LessonsPage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    m_report = report;
    m_pinned = pinned;
    m_panel->setReport(report);
    if (Page* page = m_pages.value(currentView())) page->showReports(report, pinned);
    showVerdict();
}

void LessonsPage::showVerdict() {
    if (!m_report) return;
    const auto& memory = m_report->memory;
    const QString size = tr("%1 needed of %2 usable, %3 a step")
                             .arg(formatBytes(memory.need_bytes), formatBytes(memory.usable_bytes),
                                  formatSeconds(m_report->time.step_s));
    Role role = Role::Good;
    QString text;
    if (!m_report->valid) {
        role = Role::Bad;
        text = tr("✗ Breaks rules: %1").arg(size);
    } else if (m_report->verdict == Verdict::fits) {
        text = tr("✓ Fits: %1").arg(size);
    } else if (m_report->verdict == Verdict::marginal) {
        role = Role::Caution;
        text = tr("⚠ Marginal: %1").arg(size);
    } else {
        role = Role::Bad;
        text = tr("✗ Does not fit: %1").arg(size);
    }
    m_verdict->setText(text);
    QPalette ink = m_verdict->palette();
    ink.setColor(QPalette::WindowText, m_theme.color(role));
    m_verdict->setPalette(ink);
}

void LessonsPage::setTheme(const Theme& theme) {
    m_theme = theme;
    m_panel->setTheme(theme);
    for (Page* page : std::as_const(m_pages)) page->setTheme(theme);
    showVerdict();
}

void LessonsPage::retranslate() {
    for (int i = 0; i < m_tabs->count(); ++i) m_tabs->setTabText(i, tabText(m_views[i]));
    m_tabs->setAccessibleName(tr("Views of the lesson"));
    m_verdict->setAccessibleName(tr("Verdict"));
    m_panel->retranslate();
    for (Page* page : std::as_const(m_pages)) page->retranslate();
    showVerdict();
}

bool LessonsPage::settled() const {
    const Page* page = m_pages.value(currentView());
    return !page || page->settled();
}

void LessonsPage::settle() {
    if (Page* page = m_pages.value(currentView())) page->settle();
}

std::vector<ReportView*> LessonsPage::views() const {
    const Page* page = m_pages.value(currentView());
    return page ? page->views() : std::vector<ReportView*>();
}

// What nothing beside the text has a use for.
void LessonsPage::keyPressEvent(QKeyEvent* event) {
    if (!m_panel->pageKey(event)) Page::keyPressEvent(event);
}

void LessonsPage::setPresenting(bool on) { m_panel->setPresenting(on); }

} // namespace shardlens
