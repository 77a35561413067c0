// SPDX-License-Identifier: GPL-3.0-or-later
// The window under the hand: sliders, bars, fixes, files.
#include "catch.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>
#include <set>

#include "charts/memory_chart.h"
#include "compare_page.h"
#include "controls/core_text.h"
#include "controls/field_control.h"
#include "controls/size_control.h"
#include "explain/explain_panel.h"
#include "export_page.h"
#include "gui_support.h"
#include "main_window.h"
#include "page.h"
#include "panels/messages_panel.h"
#include "panels/plan_panel.h"
#include "panels/verdict_panel.h"
#include "plan/plan_json.h"
#include "preset_bar.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

MemoryChart* memoryChart(MainWindow& window) {
    auto* chart = window.page(u"overview"_s)->findChild<MemoryChart*>();
    REQUIRE(chart);
    return chart;
}

/// Height of every stage's stack in GiB, as drawn.
std::vector<double> stackHeights(const MemoryChart& chart, std::size_t stages) {
    std::vector<double> heights(stages, 0.0);
    for (const auto& block : chart.blocks()) {
        REQUIRE(std::size_t(block.stack) < stages);
        heights[std::size_t(block.stack)] = std::max(heights[std::size_t(block.stack)], block.high);
    }
    return heights;
}

void checkBars(MainWindow& window) {
    const Report& report = *window.document().report();
    const auto heights = stackHeights(*memoryChart(window), report.memory.stages.size());
    for (std::size_t i = 0; i < heights.size(); ++i)
        CHECK(heights[i] == Approx(report.memory.stages[i].total_bytes / 1073741824.0).epsilon(1e-9));
}

QList<QPushButton*> fixButtons(MainWindow& window) {
    QList<QPushButton*> buttons;
    for (auto* button : window.messagesPanel()->findChildren<QPushButton*>())
        if (button->property("fix").toBool() && button->isVisibleTo(&window)) buttons << button;
    return buttons;
}

QString writeFile(const QTemporaryDir& directory, const QString& name, const QByteArray& text) {
    QFile file(directory.filePath(name));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

void drop(MainWindow& window, const QString& path) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent event({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

} // namespace

TEST_CASE("dragging the slider: one evaluation per turn, bars follow the report, undo restores") {
    auto window = shownWindow();
    Document& document = window->document();
    const Plan before = document.plan();
    checkBars(*window);
    QSlider* slider = window->planPanel()->control(u"parallel.tensor"_s)->slider();
    REQUIRE(slider->maximum() >= 3); // 1, 2, 4, 8 at least
    slider->setSliderDown(true);
    for (const int at : {0, 1, 2, 3, 0, 2}) {
        if (at == slider->value()) continue;
        const qint64 evaluations = document.evaluationCount();
        slider->setSliderPosition(at);
        QApplication::processEvents();
        while (!document.settled()) QApplication::processEvents();
        CHECK(document.evaluationCount() == evaluations + 1);
        checkBars(*window);
    }
    // Many moves within one turn: still one evaluation.
    const qint64 evaluations = document.evaluationCount();
    for (const int at : {3, 1, 0, 1, 3}) slider->setSliderPosition(at);
    while (!document.settled()) QApplication::processEvents();
    CHECK(document.evaluationCount() == evaluations + 1);
    slider->setSliderPosition(1);
    slider->setSliderDown(false);
    settle(*window);
    CHECK(document.undoStack()->count() == 1);
    CHECK(document.plan() != before);
    document.undoStack()->undo();
    settle(*window);
    CHECK(document.plan() == before);
    checkBars(*window);
}

TEST_CASE("the verdict shows the report's numbers") {
    auto window = shownWindow();
    const Report& report = *window->document().report();
    QStringList paths;
    for (const auto& row : window->verdictPanel()->rows()) {
        paths << row.path;
        CHECK_FALSE(row.value.isEmpty());
    }
    for (const QString& path : {u"memory.peak_bytes"_s, u"time.step_s"_s, u"time.mfu"_s})
        CHECK(paths.contains(path));
    CHECK(window->verdictPanel()->verdictText() == (report.verdict == Verdict::fits ? u"Fits"_s
                                                    : report.verdict == Verdict::marginal
                                                        ? u"Barely fits"_s
                                                        : u"Does not fit"_s));
    CHECK(window->verdictPanel()->accessibleDescription().contains(window->verdictPanel()->verdictText()));
}

TEST_CASE("a plan that makes no world has no rates, no days and no cost") {
    auto window = shownWindow();
    const auto valueOf = [&](const QString& path) {
        for (const auto& row : window->verdictPanel()->rows())
            if (row.path == path) return row.value;
        return QString();
    };
    CHECK(valueOf(u"time.mfu"_s).contains(u'%'));
    // 8 · 4 · 4 ranks do not make 64 GPUs of 2 replicas.
    (void)window->document().edit(u"parallel.context"_s, std::int64_t{4}, 1);
    settle(*window);
    REQUIRE_FALSE(window->document().report()->valid);
    REQUIRE_FALSE(window->document().report()->placement);
    CHECK(valueOf(u"time.mfu"_s) == u"—");
    CHECK(valueOf(u"time.tokens_per_s_per_gpu"_s) == u"—");
    for (const auto& row : window->verdictPanel()->rows()) {
        CHECK_FALSE(row.value.contains(u'$'));
        CHECK_FALSE(row.value.contains(u"days"_s));
    }
    // The sliders stay where they are.
    FieldControl* pipeline = window->planPanel()->control(u"parallel.pipeline"_s);
    (void)window->document().edit(u"parallel.tensor"_s, std::int64_t{7}, 2);
    settle(*window);
    window->planPanel()->refreshLegalValues();
    CHECK(pipeline->slider()->isVisibleTo(window.get()));
}

TEST_CASE("a fix is one click and one undo step, and its message goes") {
    auto window = shownWindow();
    Document& document = window->document();
    // 64 heads over 7 ranks cannot be.
    FieldControl* tensor = window->planPanel()->control(u"parallel.tensor"_s);
    tensor->entry()->setFocus();
    tensor->entry()->selectAll();
    QTest::keyClicks(tensor->entry(), u"7"_s);
    QTest::keyClick(tensor->entry(), Qt::Key_Return);
    settle(*window);
    CHECK_FALSE(document.report()->valid);
    CHECK(tensor->entry()->text() == u"7");
    CHECK_FALSE(tensor->markText().isEmpty());
    const Plan broken = document.plan();
    const int steps = document.undoStack()->count();

    const auto messages = document.report()->messages;
    const auto about = std::find_if(messages.begin(), messages.end(), [](const Message& m) {
        return m.path == "parallel.tensor" && m.severity == Severity::error && !m.fixes.empty();
    });
    REQUIRE(about != messages.end());
    QPushButton* button = nullptr;
    for (QPushButton* candidate : fixButtons(*window))
        if (candidate->accessibleName().endsWith(describe(about->fixes.front()))) button = candidate;
    REQUIRE(button);
    QTest::mouseClick(button, Qt::LeftButton);
    settle(*window);
    CHECK(document.undoStack()->count() == steps + 1);
    for (const Message& message : document.report()->messages) CHECK(message.code != about->code);
    CHECK(tensor->markText().isEmpty());
    document.undoStack()->undo();
    settle(*window);
    CHECK(document.plan() == broken);
}

TEST_CASE("open, bad open, drop: a bad file leaves everything as it was and one line is shown") {
    QTemporaryDir directory;
    auto window = shownWindow();
    window->askUnsaved = [] { return MainWindow::Unsaved::Discard; };
    const Plan before = window->document().plan();
    const QString bad = writeFile(directory, u"bad.json"_s, "{\"schema\": ");
    CHECK_FALSE(window->openFile(bad));
    CHECK(window->document().plan() == before);
    CHECK(window->bannerText().contains(u"bad.json"));
    CHECK_FALSE(window->bannerText().contains(u'\n'));
    CHECK(QApplication::activeModalWidget() == nullptr);
    drop(*window, bad);
    CHECK(window->document().plan() == before);

    Plan other = presetPlan("teaching-8-gpus");
    const QString good = writeFile(directory, u"good.json"_s, QByteArray::fromStdString(plan_to_text(other)));
    drop(*window, good);
    settle(*window);
    CHECK(window->document().plan() == other);
    CHECK(window->bannerText().isEmpty());
    CHECK(window->windowTitle().contains(window->document().title()));
}

TEST_CASE("save, reopen: equal; unsaved changes are asked about") {
    QTemporaryDir directory;
    auto window = shownWindow();
    (void)window->document().edit(u"parallel.zero"_s, std::int64_t{2}, 1);
    settle(*window);
    CHECK(window->isWindowModified());
    int asked = 0;
    window->askUnsaved = [&asked] {
        ++asked;
        return MainWindow::Unsaved::Cancel;
    };
    CHECK_FALSE(window->close());
    CHECK(asked == 1);
    const QString path = directory.filePath(u"saved.json"_s);
    REQUIRE(window->saveFile(path));
    CHECK_FALSE(window->isWindowModified());
    auto second = shownWindow();
    REQUIRE(second->openFile(path));
    CHECK(second->document().plan() == window->document().plan());
    CHECK(window->close());
    CHECK(asked == 1);
}

TEST_CASE("export shows files and writes them") {
    QTemporaryDir directory;
    auto window = shownWindow();
    window->showView(u"export"_s);
    settle(*window);
    auto* page = qobject_cast<ExportPage*>(window->page(u"export"_s));
    REQUIRE(page);
    page->setLauncher(u"contract"_s);
    settle(*window);
    REQUIRE_FALSE(page->preview().files.empty());
    const auto [done, line] = page->saveInto(directory.filePath(u"out"_s));
    INFO(line.toStdString());
    CHECK(done);
    for (const auto& file : page->preview().files) {
        QFile written(directory.filePath(u"out/"_s + QString::fromStdString(file.name)));
        REQUIRE(written.open(QIODevice::ReadOnly));
        CHECK(written.readAll().toStdString() == file.text);
    }
    const auto again = load_plan(directory.filePath(u"out/plan.json"_s).toStdString());
    REQUIRE(again.ok());
    CHECK(*again == window->document().plan());
}

TEST_CASE("pin and compare: the fields that differ, exactly, and what that does") {
    auto window = shownWindow();
    window->showView(u"compare"_s);
    window->document().pin();
    (void)window->document().edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1);
    settle(*window);
    auto* page = qobject_cast<ComparePage*>(window->page(u"compare"_s));
    REQUIRE(page);
    REQUIRE(page->fields().rows == QStringList{labelOfPath("training.micro_batch_size")});
    CHECK(page->fields().cells[0][0].text == u"1");
    CHECK(page->fields().cells[0][1].text == u"2");
    CHECK(page->numbers().rows.contains(numberName(u"time.step_s"_s)));
    window->document().unpin();
    settle(*window);
    CHECK(window->verdictPanel()->pinned() == nullptr);
}

TEST_CASE("four plans are pinned side by side, and one of them is what every view compares with") {
    auto window = shownWindow();
    window->showView(u"compare"_s);
    Document& document = window->document();
    auto* page = qobject_cast<ComparePage*>(window->page(u"compare"_s));
    REQUIRE(page);
    const auto batch = [&](std::int64_t value) {
        REQUIRE(document.edit(u"training.micro_batch_size"_s, value, int(value)).what.empty());
        settle(*window);
    };
    for (const std::int64_t value : {1, 2, 4, 8}) {
        batch(value);
        document.pin();
    }
    batch(16);
    for (const auto& pin : document.pins()) REQUIRE(pin);
    CHECK(document.pins()[0]->plan.training.micro_batch_size == 1);
    CHECK(document.pins()[3]->plan.training.micro_batch_size == 8);
    CHECK(document.baseline() == 3); // the last one
    const auto row = [&] {
        QStringList texts;
        const auto at = page->fields().rows.indexOf(labelOfPath("training.micro_batch_size"));
        REQUIRE(at >= 0);
        for (const auto& cell : page->fields().cells[std::size_t(at)]) texts << cell.text;
        return texts;
    };
    CHECK(page->fields().columns ==
          QStringList{u"Pinned A"_s, u"Pinned B"_s, u"Pinned C"_s, u"Pinned D"_s, u"Current"_s});
    CHECK(row() == QStringList{u"1"_s, u"2"_s, u"4"_s, u"8"_s, u"16"_s});
    CHECK(page->numbers().columns.contains(u"Change from D"_s));
    // B is chosen: the ghosts and the changes follow.
    REQUIRE(page->baselines().count() == 4);
    page->baselines().setCurrentIndex(1);
    emit page->baselines().activated(1);
    settle(*window);
    CHECK(document.baseline() == 1);
    CHECK(window->verdictPanel()->pinned() == document.pins()[1]->report);
    CHECK(page->numbers().columns.contains(u"Change from B"_s));
    // A fifth takes the place of the baseline; what is pinned already is only compared with.
    document.pin();
    settle(*window);
    CHECK(row() == QStringList{u"1"_s, u"16"_s, u"4"_s, u"8"_s, u"16"_s});
    batch(4);
    document.pin();
    settle(*window);
    CHECK(document.baseline() == 2);
    CHECK(row() == QStringList{u"1"_s, u"16"_s, u"4"_s, u"8"_s, u"4"_s});
    document.unpin();
    settle(*window);
    CHECK(document.baseline() == 0);
    CHECK(row() == QStringList{u"1"_s, u"16"_s, u"8"_s, u"4"_s});
    for (int i = 0; i < 3; ++i) document.unpin();
    settle(*window);
    CHECK(window->verdictPanel()->pinned() == nullptr);
}

TEST_CASE("a selected number is explained, and the explanation ends in its value") {
    auto window = shownWindow();
    Target target;
    target.stage = 0;
    target.path = u"memory.stages.0.parameters_bytes"_s;
    window->interaction().setSelected(target);
    settle(*window);
    const QString text = window->explainPanel()->shownText();
    const QString exact =
        QString::number(window->document().report()->memory.stages[0].parameters_bytes, 'f', 0);
    INFO(text.toStdString());
    CHECK(text.contains(exact));
    CHECK(text.contains(u"memory.stages.0.parameters_bytes"));
}

TEST_CASE("the model-size slider steps through the family and between its presets") {
    auto window = shownWindow();
    SizeControl* size = window->planPanel()->sizeControl();
    REQUIRE(size->family().size() >= 3);
    const double smallest = size->family().front().parameters;
    size->slider()->setSliderDown(true);
    size->slider()->setSliderPosition(0);
    settle(*window);
    CHECK(std::get<std::string>(window->document().plan().model) == size->family().front().id);
    CHECK(window->document().report()->model.parameters == Approx(smallest).epsilon(0.02));
    size->slider()->setSliderPosition(1);
    settle(*window);
    REQUIRE(std::holds_alternative<ModelShape>(window->document().plan().model));
    CHECK(window->document().report()->model.parameters > smallest);
    size->slider()->setSliderDown(false);
    CHECK(window->document().undoStack()->count() == 1);
}

TEST_CASE("copy and paste of the plan") {
    auto window = shownWindow();
    for (QAction* action : window->allActions())
        if (action->shortcut() == QKeySequence(u"Ctrl+Shift+C"_s)) action->trigger();
    const auto copied = parse_plan(QApplication::clipboard()->text().toStdString(), "clipboard");
    REQUIRE(copied.ok());
    CHECK(*copied == window->document().plan());
    CHECK_FALSE(window->document().paste(u"nonsense"_s).what.empty());
    CHECK(window->document()
              .paste(QString::fromStdString(plan_to_text(presetPlan("teaching-8-gpus"))))
              .what.empty());
    CHECK(window->document().plan() == presetPlan("teaching-8-gpus"));
    window->document().undoStack()->undo();
    CHECK(*copied == window->document().plan());
}

TEST_CASE("toolbar choices are undoable edits") {
    auto window = shownWindow();
    QComboBox* node = window->presetBar()->node();
    const int row = node->findData(u"dgx-a100-640"_s);
    REQUIRE(row >= 0);
    node->setCurrentIndex(row);
    emit node->activated(row);
    settle(*window);
    CHECK(window->document().plan().cluster.node == "dgx-a100-640");
    CHECK(window->document().undoStack()->count() == 1);
    window->document().undoStack()->undo();
    settle(*window);
    CHECK(node->currentData() == u"dgx-h100"_s);
}

TEST_CASE("hidden views cost nothing") {
    auto window = shownWindow();
    MemoryChart* chart = memoryChart(*window);
    window->showView(u"time"_s);
    settle(*window);
    const ReportPtr seen = chart->report();
    const int paints = chart->paintCount();
    (void)window->document().edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1);
    settle(*window);
    CHECK(chart->report() == seen);
    CHECK(chart->paintCount() == paints);
    window->showView(u"overview"_s);
    settle(*window);
    CHECK(chart->report() == window->document().report());
}

TEST_CASE("every message stands whole, however they follow each other") {
    auto window = shownWindow({1280, 800});
    int seen = 0;
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        for (const std::int64_t micro : {2, 3, 16, 5, 1, 64}) {
            INFO(language.toStdString() << ", micro-batch " << micro);
            (void)window->document().edit(u"training.micro_batch_size"_s, micro, 1);
            settle(*window);
            for (const auto* label : window->messagesPanel()->findChildren<QLabel*>()) {
                if (!label->isVisible() || label->textFormat() != Qt::RichText) continue;
                INFO(label->text().toStdString());
                // What Qt's own layout of the rich text needs.
                for (const int width : {label->width(), 120, 400})
                    CHECK(label->heightForWidth(width) == label->QLabel::heightForWidth(width));
                CHECK(label->height() >= label->QLabel::heightForWidth(label->width()));
                ++seen;
            }
        }
    }
    window->setLanguage(u"en"_s);
    CHECK(seen > 12);
}

TEST_CASE("the first frame waits for nothing that it does not show") {
    /// How many models the bar offered when the window was first painted.
    class FirstPaint : public QObject {
    public:
        explicit FirstPaint(MainWindow& window) : m_window(window) { window.installEventFilter(this); }
        bool eventFilter(QObject* watched, QEvent* event) override {
            if (event->type() == QEvent::Paint && models < 0) models = m_window.presetBar()->model()->count();
            return QObject::eventFilter(watched, event);
        }
        int models = -1;

    private:
        MainWindow& m_window;
    };
    MainWindow window(testCatalog(), nullptr);
    REQUIRE(window.document().start(presetPlan("llama3-70b-64xh100")).what.empty());
    const FirstPaint first(window);
    window.show();
    settle(window);
    CHECK(first.models == 1); // the plan's own
    CHECK(window.presetBar()->model()->count() > 20);
}

TEST_CASE("all views have their tab in sight at 1280 pixels, in both languages") {
    const auto window = shownWindow({1280, 800});
    auto* tabs = window->findChild<QTabWidget*>()->tabBar();
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        INFO(language.toStdString());
        window->setLanguage(language);
        settle(*window);
        CHECK(tabs->count() == 9);
        CHECK(tabs->tabRect(0).left() >= 0);
        CHECK(tabs->tabRect(tabs->count() - 1).right() <= tabs->width());
        for (const auto* arrow : tabs->findChildren<QToolButton*>()) CHECK_FALSE(arrow->isVisible());
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("shortcuts are unique and every focusable widget has a name") {
    auto window = shownWindow();
    std::set<QString> keys;
    for (const QAction* action : window->allActions()) {
        if (action->shortcut().isEmpty()) continue;
        INFO(action->text().toStdString());
        CHECK(keys.insert(action->shortcut().toString()).second);
    }
    CHECK(keys.size() > 12);
    for (const QString& view :
         {u"overview"_s, u"memory"_s, u"time"_s, u"pipeline"_s, u"topology"_s, u"compare"_s, u"export"_s}) {
        window->showView(view);
        settle(*window);
        for (QWidget* widget : window->findChildren<QWidget*>()) {
            if (!(widget->focusPolicy() & Qt::TabFocus) || !widget->isVisible() || widget->focusProxy())
                continue;
            // Qt's own inner parts speak through their owner.
            if (widget->objectName().startsWith(u"qt_"_s)) continue;
            INFO(view.toStdString() << ": " << widget->metaObject()->className());
            // A button speaks its text.
            const auto* button = qobject_cast<QAbstractButton*>(widget);
            CHECK((!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty())));
        }
    }
}

TEST_CASE("Tab reaches every field in sight") {
    auto window = shownWindow();
    std::set<QWidget*> wanted;
    for (QWidget* widget : window->planPanel()->findChildren<QWidget*>())
        if ((widget->focusPolicy() & Qt::TabFocus) && widget->isVisible() && widget->isEnabled() &&
            !widget->focusProxy())
            wanted.insert(widget);
    REQUIRE(wanted.size() > 20);
    window->planPanel()->sizeControl()->entry()->setFocus();
    for (int i = 0; i < 400 && !wanted.empty(); ++i) {
        wanted.erase(QApplication::focusWidget());
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
    }
    for (QWidget* widget : wanted)
        UNSCOPED_INFO(widget->metaObject()->className() << " " << widget->accessibleName().toStdString());
    CHECK(wanted.empty());
}

TEST_CASE("a narrow window keeps every choice of the bar in sight, a wide one shows them long") {
    const auto wide = shownWindow({1600, 900});
    const auto narrow = shownWindow({1024, 768});
    auto* bar = narrow->findChild<PresetBar*>();
    REQUIRE(bar);
    for (const QComboBox* combo : {bar->model(), bar->node(), bar->stack(), bar->target(), bar->fidelity()}) {
        INFO(combo->accessibleName().toStdString());
        CHECK(combo->isVisible());
        CHECK(combo->geometry().right() < bar->width());
    }
    CHECK(wide->findChild<PresetBar*>()->model()->width() > bar->model()->width());
}
