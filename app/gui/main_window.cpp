// SPDX-License-Identifier: GPL-3.0-or-later
#include "main_window.h"

#include <QApplication>
#include <QComboBox>
#include <QDockWidget>
#include <QEvent>
#include <QLabel>
#include <QSettings>
#include <QStatusBar>
#include <QTabBar>
#include <QTabWidget>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "compare_page.h"
#include "controls/core_text.h"
#include "controls/icons.h"
#include "controls/quantity.h"
#include "explain/explain_panel.h"
#include "export_page.h"
#include "import_notes.h"
#include "launchers/batch_arithmetic.h"
#include "learn_pages.h"
#include "lessons/lesson_progress.h"
#include "lessons/lesson_text.h"
#include "lessons_page.h"
#include "main_window_actions.h"
#include "options.h"
#include "page.h"
#include "panels/messages_panel.h"
#include "panels/plan_panel.h"
#include "panels/verdict_panel.h"
#include "pipeline_page.h"
#include "presentation_bar.h"
#include "preset_bar.h"
#include "published_page.h"
#include "report/evaluate.h"
#include "rules/rules.h"
#include "topology_page.h"
#include "view_tabs.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRestMilliseconds = 180;
constexpr int kSizeMergeKey = 10'000; ///< merge identity of the model-size slider, above every field's row

QString viewTitle(const QString& view) {
    if (view == "overview"_L1) return MainWindow::tr("Overview");
    if (view == "memory"_L1) return MainWindow::tr("Memory");
    if (view == "time"_L1) return MainWindow::tr("Time");
    if (view == "pipeline"_L1) return MainWindow::tr("Pipeline");
    if (view == "topology"_L1) return MainWindow::tr("Topology");
    if (view == "compare"_L1) return MainWindow::tr("Compare");
    if (view == "published"_L1) return MainWindow::tr("Published");
    if (view == "lessons"_L1) return MainWindow::tr("Lessons");
    return MainWindow::tr("Export");
}

ThemeKind themeOf(const QString& name) {
    return name == "dark"_L1            ? ThemeKind::Dark
           : name == "high-contrast"_L1 ? ThemeKind::HighContrast
                                        : ThemeKind::Light;
}

} // namespace

MainWindow::MainWindow(std::shared_ptr<const Catalog> catalog, std::unique_ptr<QSettings> settings,
                       QWidget* parent)
    : QMainWindow(parent), m_document(std::move(catalog)), m_theme(Theme::make(ThemeKind::Light)),
      m_settings(std::move(settings)), m_actions(std::make_unique<Actions>()),
      m_progress(std::make_unique<LessonProgress>(m_settings.get())) {
    setObjectName(u"mainWindow"_s);
    setAcceptDrops(true);
    setDockOptions(QMainWindow::AllowTabbedDocks |
                   QMainWindow::AllowNestedDocks); // no animation: panels just stand
    resize(1280, 800);
    setLanguage(m_settings ? m_settings->value(u"language"_s, Language::ofSystem()).toString() : u"en"_s);
    // Before the widgets: a style that comes behind them polishes every one of them again.
    if (m_settings) m_theme = Theme::make(themeOf(m_settings->value(u"theme"_s).toString()));
    m_theme.apply(*qApp);
    buildActions();
    buildPanels();
    buildMenus();
    connectAll();
    markTheme();
    retranslate();
    m_defaultState = saveState();
    if (m_settings) {
        restoreGeometry(m_settings->value(u"geometry"_s).toByteArray());
        restoreState(m_settings->value(u"state"_s).toByteArray());
    }
}

MainWindow::~MainWindow() = default;

void MainWindow::buildPanels() {
    m_bar = new PresetBar(m_document, m_actions->undo, m_actions->redo, m_actions->pin, this);
    addToolBar(m_bar);

    const auto dock = [this](const QString& name, QWidget* body, Qt::DockWidgetArea area) {
        auto* result = new QDockWidget(this);
        result->setObjectName(name);
        result->setWidget(body);
        addDockWidget(area, result);
        return result;
    };
    m_plan = new PlanPanel(
        [this](const QString& path) {
            return rules::legal_values(m_document.plan(), m_document.catalog(), path.toStdString());
        },
        this);
    m_planDock = dock(u"planDock"_s, m_plan, Qt::LeftDockWidgetArea);

    // Tab order follows the eye: plan, views, answer.
    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_banner = new QWidget(centre);
    auto* bannerLayout = new QHBoxLayout(m_banner);
    bannerLayout->setContentsMargins(10, 4, 6, 4);
    m_bannerText = new QLabel(m_banner);
    m_bannerText->setWordWrap(true);
    m_bannerText->setTextFormat(Qt::PlainText);
    m_bannerText->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_bannerClose = new QToolButton(m_banner);
    m_bannerClose->setText(u"✕"_s);
    m_bannerClose->setAutoRaise(true);
    m_bannerClose->setFocusPolicy(Qt::StrongFocus);
    connect(m_bannerClose, &QToolButton::clicked, m_banner, &QWidget::hide);
    bannerLayout->addWidget(m_bannerText, 1);
    bannerLayout->addWidget(m_bannerClose);
    m_banner->setAutoFillBackground(true);
    m_banner->hide();
    layout->addWidget(m_banner);
    m_tabs = new ViewTabs(centre);
    for (const QString& view : viewNames()) {
        auto* holder = new QWidget(m_tabs);
        holder->setObjectName(view);
        auto* inside = new QVBoxLayout(holder);
        inside->setContentsMargins(0, 0, 0, 0);
        m_tabs->addTab(holder, QString());
    }
    layout->addWidget(m_tabs, 1);
    m_presentationBar = new PresentationBar(centre);
    m_presentationBar->hide();
    layout->addWidget(m_presentationBar);
    setCentralWidget(centre);

    m_verdict = new VerdictPanel(m_theme, m_interaction, this);
    m_messages = new MessagesPanel(m_theme, this);
    m_explain = new ExplainPanel(m_theme, m_interaction, this);
    m_verdictDock = dock(u"verdictDock"_s, m_verdict, Qt::RightDockWidgetArea);
    m_messagesDock = dock(u"messagesDock"_s, m_messages, Qt::RightDockWidgetArea);
    m_explainDock = dock(u"explainDock"_s, m_explain, Qt::RightDockWidgetArea);
    resizeDocks({m_planDock}, {330}, Qt::Horizontal);
    resizeDocks({m_verdictDock}, {304}, Qt::Horizontal);
    resizeDocks({m_messagesDock, m_explainDock}, {200, 300}, Qt::Vertical);
    setCorner(Qt::TopLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    setCorner(Qt::TopRightCorner, Qt::RightDockWidgetArea);
    setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
    statusBar()->setSizeGripEnabled(false);
    statusBar()->hide();

    m_rest = new QTimer(this);
    m_rest->setSingleShot(true);
    m_rest->setInterval(kRestMilliseconds);
}

void MainWindow::connectAll() {
    connect(m_plan, &PlanPanel::edited, this,
            [this](const QString& path, const FieldValue& value, int gesture) {
                report(m_document.edit(path, value, gesture));
            });
    connect(m_plan, &PlanPanel::sizeWanted, this, &MainWindow::scaleModel);
    connect(m_bar, &PresetBar::chosen, this, [this](const QString& path, const FieldValue& value) {
        Plan after = m_document.plan();
        if (Error error = edit_field(after, path.toStdString(), value); !error.what.empty())
            return report(error);
        report(m_document.change(
            std::move(after), tr("%1 %2").arg(labelOfPath(path.toStdString()), toQString(to_text(value)))));
    });
    connect(&m_document, &Document::planChanged, this, &MainWindow::showPlan);
    connect(&m_document, &Document::reportChanged, this, &MainWindow::showReports);
    connect(&m_document, &Document::pinnedChanged, this, [this] {
        m_actions->unpin->setEnabled(m_document.pinned().has_value());
        m_actions->baselines->setEnabled(m_document.pinned().has_value());
        showReports();
    });
    connect(&m_document, &Document::messagesChanged, this, [this] {
        m_plan->setMessages(m_document.report()->messages);
        m_messages->setMessages(m_document.report()->messages);
    });
    connect(&m_document, &Document::fileChanged, this, &MainWindow::updateTitle);
    connect(&m_document, &Document::problem, this, [this](const QString& line) { say(line); });
    connect(m_messages, &MessagesPanel::fixRequested, this,
            [this](const Fix& fix) { report(m_document.applyFix(fix)); });
    connect(m_messages, &MessagesPanel::fieldRequested, this, &MainWindow::revealField);
    connect(m_explain, &ExplainPanel::explanationWanted, this, &MainWindow::explain);
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        page(currentView());
        arrangePanels();
        showReports();
        if (m_actions->views)
            for (QAction* action : m_actions->views->actions())
                action->setChecked(action->data() == currentView());
    });
    connect(m_rest, &QTimer::timeout, this, [this] {
        updateFamily();
        m_plan->refreshLegalValues();
    });
}

Page* MainWindow::page(const QString& view) {
    if (Page* built = m_pages.value(view)) return built;
    const int index = static_cast<int>(viewNames().indexOf(view));
    if (index < 0) return nullptr;
    Page* made = makePage(view);
    m_pages.insert(view, made);
    m_tabs->widget(index)->layout()->addWidget(made);
    return made;
}

Page* MainWindow::makePage(const QString& view) {
    Page* made = nullptr;
    if (view == "overview"_L1)
        made = makeOverviewPage(m_theme, m_interaction);
    else if (view == "memory"_L1)
        made = makeMemoryPage(m_theme, m_interaction);
    else if (view == "time"_L1)
        made = makeTimePage(m_theme, m_interaction);
    else if (view == "pipeline"_L1) {
        auto* pipeline = new PipelinePage(m_document, m_theme, m_interaction);
        connect(pipeline, &PipelinePage::problem, this, &MainWindow::report);
        connect(pipeline, &PipelinePage::pictureWanted, this, &MainWindow::savePicture);
        connect(pipeline, &PipelinePage::traceWanted, this, &MainWindow::saveTrace);
        made = pipeline;
    } else if (view == "topology"_L1) {
        auto* topology = new TopologyPage(m_document, m_theme, m_interaction);
        connect(topology, &TopologyPage::problem, this, &MainWindow::report);
        made = topology;
    } else if (view == "compare"_L1)
        made = new ComparePage(m_document);
    else if (view == "published"_L1) {
        auto* published = new PublishedPage(m_document, m_theme);
        connect(published, &PublishedPage::planWanted, this, [this](const Plan& plan, const QString& name) {
            report(m_document.change(plan, tr("Published run %1").arg(name)));
        });
        made = published;
    } else if (view == "lessons"_L1) {
        auto* lessons = new LessonsPage(m_document, m_theme, m_interaction, *m_progress,
                                        [this](const QString& name) { return makePage(name); });
        connect(lessons, &LessonsPage::problem, this, &MainWindow::report);
        connect(lessons, &LessonsPage::stepChanged, this, &MainWindow::showPresentationStep);
        report(loadShippedLessons(*lessons));
        made = lessons;
    } else if (view == "matrix"_L1) {
        made = new MatrixPage(m_theme, m_interaction);
    } else if (view == "sgd"_L1) {
        made = new SgdPage(m_theme);
    } else if (view == "collective"_L1) {
        made = new CollectivePage(m_theme);
    } else if (view == "export"_L1) {
        auto* exporting = new ExportPage(m_document, m_theme);
        connect(exporting, &ExportPage::saveRequested, this, &MainWindow::saveExport);
        connect(exporting, &ExportPage::saveFileRequested, this, &MainWindow::saveExportFile);
        connect(exporting, &ExportPage::fieldRequested, this, &MainWindow::revealField);
        connect(exporting, &ExportPage::problem, this, &MainWindow::report);
        connect(exporting, &ExportPage::done, this, [this](const QString& line) { say(line, false); });
        made = exporting;
    }
    return made;
}

void MainWindow::showView(const QString& view) {
    if (learnViewNames().contains(view)) {
        showView(u"lessons"_s);
        lessonsPage().showView(view);
        return;
    }
    const int index = static_cast<int>(viewNames().indexOf(view));
    if (index < 0) return;
    page(view);
    m_tabs->setCurrentIndex(index);
    showReports();
}

QString MainWindow::currentView() const { return viewNames().value(m_tabs->currentIndex()); }

void MainWindow::showReports() {
    const ReportPtr& now = m_document.report();
    if (!now) return;
    const ReportPtr pinned = m_document.pinned() ? m_document.pinned()->report : nullptr;
    // Only what is in sight is told; another tab is told when it comes into sight.
    if (Page* shown = m_pages.value(currentView())) shown->showReports(now, pinned);
    if (m_verdict->pinned() != pinned) m_verdict->setPinned(pinned);
    if (m_verdict->report() != now) m_verdict->setReport(now);
    if (m_explain->report() != now) m_explain->setReport(now);
    // What follows from the plan (data degree, defaults) is known only now.
    m_plan->setPlan(m_document.plan(), m_document.actingPlan());
    m_plan->setParameters(now->model.parameters);
    if (now->setup)
        m_plan->setBatch(launchers::batch_arithmetic(*now->setup), toQString(now->setup->plan.target));
    if (m_painted) m_plan->refreshLegalValues();
}

void MainWindow::showPlan() {
    m_plan->setPlan(m_document.plan(), m_document.actingPlan());
    m_bar->showPlan();
    if (m_painted) m_rest->start();
    updateTitle();
}

void MainWindow::updateFamily() {
    const auto* id = std::get_if<std::string>(&m_document.plan().model);
    // A scaled shape keeps the family that it was scaled in.
    if (!id || *id == m_familyOf) return;
    m_familyOf = *id;
    for (const auto& member : m_plan->sizeFamily())
        if (member.id == *id) return;
    m_plan->setFamily(model::family_of(m_document.catalog(), *id));
    if (m_document.report()) m_plan->setParameters(m_document.report()->model.parameters);
}

void MainWindow::scaleModel(double parameters, const QString& id, int gesture) {
    Plan after = m_document.plan();
    if (!id.isEmpty())
        after.model = id.toStdString();
    else
        after.model = model::scaled(m_document.catalog(), m_plan->sizeFamily(), parameters);
    report(m_document.change(std::move(after), tr("Model size %1").arg(parameterText(parameters)),
                             kSizeMergeKey, gesture));
}

void MainWindow::revealField(const QString& path) {
    m_planDock->show();
    // What stands in the toolbar has no control in the panel.
    if (path == "model"_L1)
        m_bar->model()->setFocus(Qt::OtherFocusReason);
    else if (path == "cluster.node"_L1)
        m_bar->node()->setFocus(Qt::OtherFocusReason);
    else if (path == "stack"_L1)
        m_bar->stack()->setFocus(Qt::OtherFocusReason);
    else if (path == "target"_L1)
        m_bar->target()->setFocus(Qt::OtherFocusReason);
    else
        m_plan->reveal(path);
}

void MainWindow::explain(const QString& path) {
    m_document.settle();
    const auto result = explain_number(m_document.plan(), m_document.catalog(), path.toStdString(), 3);
    if (result.ok())
        m_explain->setExplanation(path, *result);
    else
        m_explain->setProblem(path, toQString(result.error().line()));
}

void MainWindow::report(const Error& error) {
    if (error.what.empty()) return;
    say(translatedLessonLine(error)); // a lesson's sentence by its form, any other as a whole
}

void MainWindow::say(const QString& line, bool bad) {
    QPalette tinted = palette();
    const QColor ink = m_theme.color(bad ? Role::Bad : Role::Good);
    tinted.setColor(QPalette::Window, mixed(m_theme.card(), ink, 0.16));
    m_banner->setPalette(tinted);
    m_bannerText->setText((bad ? u"⚠ "_s : u"✓ "_s) + line);
    m_bannerText->setAccessibleName(line);
    m_banner->show();
    if (!bad)
        QTimer::singleShot(6000, m_banner, [this, shown = m_bannerText->text()] {
            if (m_bannerText->text() == shown) m_banner->hide();
        });
}

QString MainWindow::bannerText() const { return m_banner->isHidden() ? QString() : m_bannerText->text(); }

bool MainWindow::settled() const {
    const Page* shown = m_pages.value(currentView());
    return m_document.settled() && !m_explain->pending() && (!shown || shown->settled()) &&
           !m_rest->isActive();
}

void MainWindow::settle() {
    m_document.settle();
    if (m_rest->isActive() || m_familyOf.empty()) {
        m_rest->stop();
        updateFamily();
        m_plan->refreshLegalValues();
    }
    if (Page* shown = m_pages.value(currentView())) shown->settle();
    if (m_explain->pending()) m_explain->askNow();
}

void MainWindow::applyTheme(ThemeKind kind) {
    m_theme = Theme::make(kind);
    m_theme.apply(*qApp);
    for (Page* page : std::as_const(m_pages)) page->setTheme(m_theme);
    m_verdict->setTheme(m_theme);
    m_messages->setTheme(m_theme);
    m_explain->setTheme(m_theme);
    if (m_importNotes) m_importNotes->setTheme(m_theme);
    markTheme();
}

void MainWindow::setTheme(ThemeKind kind) {
    applyTheme(kind);
    if (m_settings)
        m_settings->setValue(u"theme"_s, kind == ThemeKind::Dark           ? u"dark"_s
                                         : kind == ThemeKind::HighContrast ? u"high-contrast"_s
                                                                           : u"light"_s);
}

void MainWindow::setLanguage(const QString& code) {
    m_language.use(code);
    if (m_settings) m_settings->setValue(u"language"_s, m_language.code());
}

void MainWindow::markTheme() {
    for (QAction* action : m_actions->themes->actions())
        action->setChecked(action->data().toInt() == int(m_theme.kind()));
    const QColor ink = m_theme.text();
    m_actions->undo->setIcon(tintedIcon(u"undo"_s, ink));
    m_actions->redo->setIcon(tintedIcon(u"redo"_s, ink));
    m_actions->pin->setIcon(tintedIcon(u"pin"_s, ink));
}

void MainWindow::updateTitle() {
    setWindowTitle(tr("ShardLens – %1[*]").arg(m_document.title()));
    setWindowModified(m_document.modified());
}

void MainWindow::retranslate() {
    retranslateActions();
    for (int i = 0; i < m_tabs->count(); ++i) m_tabs->setTabText(i, viewTitle(viewNames()[i]));
    m_tabs->setAccessibleName(tr("Views"));
    m_tabs->tabBar()->setAccessibleName(tr("Views"));
    m_planDock->setWindowTitle(tr("Plan"));
    m_verdictDock->setWindowTitle(tr("Verdict"));
    m_messagesDock->setWindowTitle(tr("Messages"));
    m_explainDock->setWindowTitle(tr("Explanation"));
    m_bannerClose->setAccessibleName(tr("Hide this line"));
    m_bannerClose->setToolTip(tr("Hide this line"));
    for (Page* page : std::as_const(m_pages)) page->retranslate();
    m_bar->showPlan();
    m_presentationBar->retranslate();
    showPresentationStep();
    if (m_document.report()) m_messages->setMessages(m_document.report()->messages);
    updateTitle();
}

void MainWindow::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange && m_tabs) retranslate();
    QMainWindow::changeEvent(event);
}

void MainWindow::showEvent(QShowEvent* event) {
    QMainWindow::showEvent(event);
    if (m_painted) return;
    page(currentView());
    m_document.settle();
    showReports();
    windowHandle()->installEventFilter(this); // for the first paint
}

void MainWindow::afterFirstPaint() {
    if (m_painted) return;
    m_painted = true;
    m_bar->populate();
    updateFamily();
    m_plan->refreshLegalValues();
}

} // namespace shardlens
