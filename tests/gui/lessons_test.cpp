// SPDX-License-Identifier: GPL-3.0-or-later
// Lessons under the hand: fields follow the plan, answers are judged, goals are watched; presentation keys;
// handouts; lessons made of plans.
#include "catch.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QDockWidget>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QPageSize>
#include <QPdfWriter>
#include <QPushButton>
#include <QRadioButton>
#include <QTabBar>
#include <QTabWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextLayout>
#include <map>
#include <set>

#include "collective/collective_view.h"
#include "controls/step_controls.h"
#include "format.h"
#include "gui_support.h"
#include "handout.h"
#include "language.h"
#include "learn_pages.h"
#include "lesson_faults.h"
#include "lesson_kit.h"
#include "lessons/check.h"
#include "lessons/lesson_panel.h"
#include "lessons/lesson_progress.h"
#include "lessons/lesson_text.h"
#include "lessons/library.h"
#include "lessons/question_card.h"
#include "lessons_page.h"
#include "main_window.h"
#include "matrix/matrix_view.h"
#include "plan/edit.h"
#include "presentation_bar.h"
#include "json/strict_json.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

constexpr const char* kLesson = R"(---
id: sample
order: 1
title: A sample
summary: All that a lesson can hold.
plan: llama3-70b-64xh100
set: {training.micro_batch_size: 1}
plans:
  two: {set: {training.micro_batch_size: 2}}
views: [memory, time]
focus: memory.stages.0.optimizer_bytes
minutes: 5
---
The plan has micro-batches of {{ plan.training.micro_batch_size | int }}.

## Counting

Stage nine holds {{ report.memory.stages.9.total_bytes | GiB }}.

```action
label: Take two
plan: two
view: time
highlight: time.bubble_s
```
```question
id: choice
kind: choice
ask: Which is right?
options:
  - {text: This one, right: true}
  - {text: That one, why: Because it is wrong.}
hint: The first.
explain: It was the first.
```
```question
id: number
kind: number
ask: How many gigabytes are two thousand megabytes?
answer: "2e9"
unit: GB
tolerance: 0.01
hint: A mega is a thousandth of a giga.
explain: "{{ 2e9 | GB }}"
```
```notes
Say **this**.
```

## A goal

```question
id: goal
kind: goal
ask: Take micro-batches of four.
goal: "plan.training.micro_batch_size >= 4"
start: {set: {training.micro_batch_size: 1}}
solution: {set: {training.micro_batch_size: 4}}
wrong: {set: {training.micro_batch_size: 2}}
allow: [training.micro_batch_size]
explain: Done.
```

```action
label: Play
play: {kind: ring, ranks: 4, bytes: "8e9", per_node: 4}
```
```action
label: Eight ranks
matrix: {tensor: 8}
```
)";

struct Lessons {
    Lessons() : window(shownWindow({1280, 800})) {
        file = directory.filePath(u"sample.md"_s);
        QFile out(file);
        REQUIRE(out.open(QIODevice::WriteOnly));
        out.write(kLesson);
        out.close();
        const Error error = window->openLesson(file);
        if (!error.what.empty()) FAIL(error.line());
        settle(*window);
    }
    LessonsPage& page() { return window->lessonsPage(); }
    LessonPanel& panel() { return page().panel(); }
    void edit(const char* path, std::int64_t value) {
        REQUIRE(window->document().edit(QString::fromLatin1(path), value, ++gesture).what.empty());
        settle(*window);
    }
    QTemporaryDir directory;
    QString file;
    std::unique_ptr<MainWindow> window;
    int gesture = 100;
};

QPushButton* buttonOf(QWidget& card, const char* name) {
    auto* button = card.findChild<QPushButton*>(QString::fromLatin1(name));
    REQUIRE(button);
    return button;
}

} // namespace

TEST_CASE("a lesson loads its plan as one step, and the way back is a button") {
    Lessons open;
    Document& document = open.window->document();
    CHECK(open.panel().lessonId() == u"sample");
    CHECK(document.plan().training.micro_batch_size == 1);
    CHECK(open.page().currentView() == u"memory");
    CHECK(open.window->interaction().selected().path == u"memory.stages.0.optimizer_bytes");
    CHECK(open.window->interaction().selected().stage == 0);
    open.edit("training.micro_batch_size", 2);
    const int steps = document.undoStack()->count();
    open.panel().setStep(1);
    settle(*open.window);
    open.panel().closeLesson(); // leaving restores nothing
    CHECK(document.plan().training.micro_batch_size == 2);
    CHECK(document.undoStack()->count() == steps);
}

TEST_CASE("fields follow the plan, and what has no value is a dash that says so") {
    Lessons open;
    CHECK(open.panel().shownText().contains(u"micro-batches of 1."_s));
    open.edit("training.micro_batch_size", 2);
    CHECK(open.panel().shownText().contains(u"micro-batches of 2."_s));
    open.window->document().undoStack()->undo();
    settle(*open.window);
    CHECK(open.panel().shownText().contains(u"micro-batches of 1."_s));
    open.panel().setStep(1);
    CHECK(open.panel().shownText().contains(u"Stage nine holds –."_s));
    bool told = false;
    for (const auto* view : open.panel().findChildren<QTextBrowser*>())
        told = told || view->toolTip().startsWith(u"A dash stands for a figure"_s);
    CHECK(told);
}

TEST_CASE("a button of a lesson edits through the undo stack, shows its view and lights its number") {
    Lessons open;
    open.panel().setStep(1);
    REQUIRE(open.panel().actionButtons().size() == 1);
    const int before = open.window->document().undoStack()->index();
    open.panel().actionButtons()[0]->click();
    settle(*open.window);
    CHECK(open.window->document().plan().training.micro_batch_size == 2);
    CHECK(open.window->document().undoStack()->index() == before + 1);
    CHECK(open.page().currentView() == u"time");
    CHECK(open.window->interaction().selected().path == u"time.bubble_s");
}

TEST_CASE("a choice is judged, explained and counted") {
    Lessons open;
    open.panel().setStep(1);
    QuestionCard& card = *open.panel().questions().at(0);
    const auto options = card.findChildren<QRadioButton*>();
    REQUIRE(options.size() == 2);
    options[1]->setChecked(true);
    buttonOf(card, "check")->click();
    CHECK_FALSE(card.right());
    CHECK(card.feedbackText().contains(u"Because it is wrong."_s));
    CHECK_FALSE(card.explained());
    options[0]->setChecked(true);
    buttonOf(card, "check")->click();
    CHECK(card.right());
    CHECK(card.explained());
    // It is remembered, until the lesson is started over.
    open.panel().setStep(0);
    open.panel().setStep(1);
    bool told = false;
    for (const auto* label : open.panel().questions().at(0)->findChildren<QLabel*>())
        told = told || (label->text().contains(u"answered before"_s) && !label->isHidden());
    CHECK(told);
}

TEST_CASE("a number is read with its unit in both ways of writing, within its tolerance") {
    Lessons open;
    open.panel().setStep(1);
    QuestionCard& card = *open.panel().questions().at(1);
    auto* answer = card.findChild<QLineEdit*>(u"answer"_s);
    REQUIRE(answer);
    const auto give = [&](const QString& text) {
        answer->setText(text);
        card.check();
        return card.right();
    };
    CHECK_FALSE(give(u"3"_s));
    CHECK(card.feedbackText().contains(u"less"_s));
    CHECK_FALSE(give(u"1.9"_s));
    CHECK(card.feedbackText().contains(u"more"_s));
    CHECK_FALSE(give(u"two"_s));
    CHECK(give(u"2.01"_s));
    card.startOver();
    CHECK_FALSE(card.explained());
    CHECK(give(u"2 GB"_s));
}

TEST_CASE("a number answered wrongly gets its hint and an offer of the answer, which does not count") {
    Lessons open;
    open.panel().setStep(1);
    QuestionCard& card = *open.panel().questions().at(1);
    auto* answer = card.findChild<QLineEdit*>(u"answer"_s);
    QPushButton* show = buttonOf(card, "showAnswer");
    const auto hinted = [&card] {
        bool seen = false;
        for (const auto* view : card.findChildren<QTextBrowser*>())
            seen = seen || (view->toPlainText().contains(u"A mega is a thousandth"_s) && !view->isHidden());
        return seen;
    };
    CHECK(show->isHidden()); // think first
    CHECK_FALSE(hinted());
    const auto give = [&](const QString& text) {
        answer->clear();
        QTest::keyClicks(answer, text);
        QTest::mouseClick(buttonOf(card, "check"), Qt::LeftButton);
    };
    give(u"3"_s);
    CHECK(hinted());
    REQUIRE_FALSE(show->isHidden());
    CHECK_FALSE(card.explained());
    QTest::mouseClick(show, Qt::LeftButton);
    CHECK(card.feedbackText() == u"The answer is 2 GB."_s);
    CHECK(card.explained());
    CHECK(show->isHidden());
    CHECK_FALSE(card.right());
    give(u"2"_s); // typed from the screen
    CHECK_FALSE(card.right());
    CHECK(card.explained());
    open.window->setLanguage(u"zh_CN"_s);
    settle(*open.window);
    QuestionCard& chinese = *open.panel().questions().at(1);
    chinese.startOver();
    CHECK(buttonOf(chinese, "showAnswer")->text() == u"显示答案"_s);
    chinese.findChild<QLineEdit*>(u"answer"_s)->setText(u"3"_s);
    chinese.check();
    QTest::mouseClick(buttonOf(chinese, "showAnswer"), Qt::LeftButton);
    CHECK(chinese.feedbackText() == u"答案是 2 GB。"_s);
    chinese.startOver();
    CHECK(buttonOf(chinese, "showAnswer")->isHidden());
    chinese.findChild<QLineEdit*>(u"answer"_s)->setText(u"2"_s);
    chinese.check();
    CHECK(chinese.right());
    open.window->setLanguage(u"en"_s);
}

TEST_CASE("a goal is watched while the plan moves; showing the solution does not count") {
    Lessons open;
    open.panel().setStep(2);
    QuestionCard& card = *open.panel().questions().at(0);
    open.edit("training.micro_batch_size", 4);
    CHECK_FALSE(card.right()); // not started
    buttonOf(card, "start")->click();
    settle(*open.window);
    CHECK(open.window->document().plan().training.micro_batch_size == 1);
    open.edit("training.micro_batch_size", 2);
    CHECK_FALSE(card.right());
    open.edit("training.micro_batch_size", 4);
    CHECK(card.right());
    CHECK(card.explained());
    card.startOver();
    buttonOf(card, "showMe")->click();
    settle(*open.window);
    CHECK(open.window->document().plan().training.micro_batch_size == 4);
    CHECK_FALSE(card.right());
    CHECK(card.explained());
    // Another field than allowed spoils it, and is named.
    buttonOf(card, "start")->click();
    settle(*open.window);
    open.edit("training.sequence_length", 4096);
    open.edit("training.micro_batch_size", 4);
    CHECK_FALSE(card.right());
    CHECK_FALSE(card.feedbackText().isEmpty());
}

TEST_CASE("what a button plays or cuts is set in its view") {
    Lessons open;
    open.panel().setStep(2);
    REQUIRE(open.panel().actionButtons().size() == 2);
    open.panel().actionButtons()[0]->click();
    settle(*open.window);
    CHECK(open.page().currentView() == u"collective");
    auto* collective = qobject_cast<CollectivePage*>(open.page().view(u"collective"_s));
    REQUIRE(collective);
    CHECK(collective->view().spec().ranks == 4);
    CHECK(collective->view().spec().bytes == 8e9);
    CHECK(collective->view().controls().count() == 6); // 2 (P − 1)
    open.panel().actionButtons()[1]->click();
    auto* matrix = qobject_cast<MatrixPage*>(open.page().view(u"matrix"_s));
    REQUIRE(matrix);
    CHECK(matrix->view().model().tensor == 8);
}

TEST_CASE("the lesson follows the language and keeps its step") {
    Lessons open;
    open.panel().setStep(1);
    open.window->setLanguage(u"zh_CN"_s);
    settle(*open.window);
    CHECK(open.panel().step() == 1);
    CHECK(open.panel().shownText().contains(u"Counting"_s)); // in its one language
    open.window->setLanguage(u"en"_s);
}

TEST_CASE("presentation: keys walk the steps, type is large in every view, leaving brings everything back") {
    Lessons open;
    MainWindow& window = *open.window;
    const auto layout = [&window] {
        std::vector<std::pair<bool, QRect>> all;
        for (const auto* dock : window.findChildren<QDockWidget*>())
            all.emplace_back(dock->isVisible(), dock->isVisible() ? dock->geometry() : QRect());
        return all;
    };
    const auto before = layout();
    const double points = QApplication::font().pointSizeF();
    const bool menu = window.menuBar()->isVisible();
    window.startPresentation(false);
    settle(window);
    CHECK(window.presenting());
    CHECK(window.theme().kind() == ThemeKind::HighContrast);
    CHECK_FALSE(window.menuBar()->isVisible());
    for (const QString& view : {u"overview"_s, u"memory"_s, u"time"_s, u"pipeline"_s, u"topology"_s,
                                u"compare"_s, u"matrix"_s, u"sgd"_s, u"collective"_s}) {
        open.page().showView(view);
        settle(window);
        REQUIRE(open.page().view(view));
        for (const auto* widget : open.page().view(view)->findChildren<QWidget*>()) {
            if (!widget->isVisible()) continue;
            INFO(view.toStdString() << " " << widget->metaObject()->className());
            CHECK(widget->font().pointSizeF() >= points * 1.6 - 0.01);
        }
    }
    QWidget* target = &window;
    REQUIRE(open.panel().step() == 0);
    QTest::keyClick(target, Qt::Key_PageDown);
    CHECK(open.panel().step() == 1);
    QTest::keyClick(target, Qt::Key_Right);
    CHECK(open.panel().step() == 2);
    QTest::keyClick(target, Qt::Key_PageDown); // the last one stays
    CHECK(open.panel().step() == 2);
    for (int press = 0; press < 5 && open.panel().step() == 2; ++press) // back to its top first
        QTest::keyClick(target, Qt::Key_PageUp);
    CHECK(open.panel().step() == 1);
    PresentationBar& bar = *window.presentationBar();
    CHECK_FALSE(bar.notesShown());
    QTest::keyClick(target, Qt::Key_N);
    CHECK(bar.notesShown());
    CHECK(bar.notesText().contains(u"Say this."_s));
    CHECK(bar.clockText().startsWith(u"00:"_s));
    // Typing an answer is no command.
    auto* answer = open.panel().findChild<QLineEdit*>(u"answer"_s);
    REQUIRE(answer);
    QTest::keyClick(answer, Qt::Key_N);
    CHECK(bar.notesShown());
    QTest::keyClick(target, Qt::Key_Escape);
    settle(window);
    CHECK_FALSE(window.presenting());
    CHECK(window.theme().kind() == ThemeKind::Light);
    CHECK(window.menuBar()->isVisible() == menu);
    CHECK(QApplication::font().pointSizeF() == points);
    for (std::size_t i = 0; i < before.size(); ++i) {
        CHECK(layout()[i].first == before[i].first);
        const QRect now = layout()[i].second, then = before[i].second;
        INFO(now.x() << " " << now.y() << " " << now.width() << " " << now.height() << ", before " << then.x()
                     << " " << then.y() << " " << then.width() << " " << then.height());
        CHECK(now == then);
    }
    CHECK(window.currentView() == u"lessons");
    QTest::keyClick(target, Qt::Key_PageDown); // a key like any other again
    CHECK(open.panel().step() == 1);
}

TEST_CASE("a lesson is written as a handout with its figures, questions and answers") {
    Lessons open;
    const auto entry = open.panel().library()->find("sample");
    REQUIRE(entry);
    const auto document = handoutDocument(entry->in("en"), *testCatalog());
    REQUIRE(document.ok());
    const QString text = (*document)->toPlainText();
    CHECK(text.contains(u"micro-batches of 1."_s));
    CHECK(text.contains(u"Question 2"_s));
    CHECK(text.contains(u"It was the first."_s));
    CHECK_FALSE(text.contains(u"{{"_s));
    int pictures = 0;
    for (QTextBlock block = (*document)->begin(); block.isValid(); block = block.next())
        for (auto it = block.begin(); !it.atEnd(); ++it)
            if (it.fragment().charFormat().isImageFormat()) {
                ++pictures;
                const auto name = it.fragment().charFormat().toImageFormat().name();
                const auto image =
                    (*document)->resource(QTextDocument::ImageResource, QUrl(name)).value<QImage>();
                CHECK(image.width() >= 900);
                std::set<QRgb> colours;
                for (int y = 0; y < image.height(); y += 7)
                    for (int x = 0; x < image.width(); x += 7) colours.insert(image.pixel(x, y));
                CHECK(colours.size() > 8);
            }
    CHECK(pictures == 4); // memory, time, the ring, the matrices
    const QString pdf = open.directory.filePath(u"handout.pdf"_s);
    REQUIRE(open.window->exportLessonAs(pdf));
    QFile file(pdf);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QByteArray bytes = file.readAll();
    CHECK(bytes.startsWith("%PDF"));
    CHECK(bytes.contains("/FontFile")); // embedded
    CHECK_FALSE(open.window->exportLessonAs(open.directory.filePath(u"missing/handout.pdf"_s)));
}

TEST_CASE("no page of a handout ends within a question") {
    auto window = shownWindow();
    REQUIRE(window->openLesson(QString()).what.empty());
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        for (const char* id : {"self-test", "exercises"}) {
            const auto* entry = window->lessonsPage().panel().library()->find(id);
            REQUIRE(entry);
            const auto made = handoutDocument(entry->in(language.toStdString()), *testCatalog());
            REQUIRE(made.ok());
            QTextDocument& document = **made;
            CHECK(handoutPdf(document, u"x"_s).startsWith("%PDF"));
            // As it was written: A4 at 300 dpi, margins of 2 cm.
            QBuffer buffer;
            buffer.open(QIODevice::WriteOnly);
            QPdfWriter writer(&buffer);
            writer.setPageSize(QPageSize(QPageSize::A4));
            writer.setResolution(300);
            document.documentLayout()->setPaintDevice(&writer);
            QTextFrameFormat frame = document.rootFrame()->frameFormat();
            frame.setMargin(76);
            document.rootFrame()->setFrameFormat(frame);
            document.setPageSize(QSizeF(writer.width(), writer.height()));
            std::map<int, std::set<int>> pages;
            for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
                const int piece = block.blockFormat().intProperty(kHandoutPiece);
                const double top = document.documentLayout()->blockBoundingRect(block).top();
                for (int line = 0; piece > 0 && line < block.layout()->lineCount(); ++line)
                    pages[piece].insert(
                        int((top + block.layout()->lineAt(line).rect().center().y()) / writer.height()));
            }
            CHECK(pages.size() > 10);
            CHECK(document.pageCount() > 3);
            for (const auto& [piece, on] : pages) {
                INFO(language.toStdString() << " " << id << ", piece " << piece);
                CHECK(on.size() == 1);
            }
            document.documentLayout()->setPaintDevice(nullptr);
        }
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("what is wrong with a lesson, and why a figure is a dash, is told in Chinese") {
    Language language;
    language.use(u"zh_CN"_s);
    const auto chinese = [](const QString& text) {
        return std::any_of(text.begin(), text.end(), [](QChar c) { return c.script() == QChar::Script_Han; });
    };
    const std::string folder = SHARDLENS_SOURCE_DIR "/tests/data/lessons/en/";
    const auto text = read_text(folder + "small.md");
    REQUIRE(text.ok());
    int seen = 0;
    for (const test::LessonFault& fault : test::kLessonFaults) {
        std::string changed = *text;
        changed.replace(changed.find(fault.from), std::string(fault.from).size(), fault.to);
        lessons::Parsed parsed = lessons::parse_lesson(changed, folder + "changed.md");
        auto problems = parsed.problems;
        const auto lesson = std::make_shared<const lessons::Lesson>(std::move(parsed.lesson));
        for (const Error& error : lessons::check_lesson(lesson, *testCatalog())) problems.push_back(error);
        for (const Error& problem : problems) {
            ++seen;
            INFO(problem.what);
            CHECK(chinese(translatedLesson(problem)));
        }
    }
    CHECK(seen > 30);
    const auto told = [](const char* english) { return translatedLesson({"", english}); };
    CHECK(told("memory.stages.0 / 0: has no finite value") == u"memory.stages.0 / 0: 没有有限的值"_s);
    CHECK(told("x: a plan has no field parallel.zro; one such as parallel.tensor is right") ==
          u"x: 方案没有字段 parallel.zro；应为 parallel.tensor 等"_s);
    CHECK(told("order is missing") == u"缺少 order"_s);
    language.use(u"en"_s);
    CHECK(told("order is missing") == u"order is missing"_s);
}

TEST_CASE("a lesson made of plans passes the checker in both languages") {
    Plan fits = presetPlan("llama3-70b-64xh100");
    Plan tight = fits;
    REQUIRE(edit_field(tight, "parallel.zero", std::int64_t{0}).what.empty());
    Plan slow = fits;
    slow.memory.recompute = Recompute::full;
    Plan huge = presetPlan("textbook-70b-zero0");
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        auto window = shownWindow();
        window->setLanguage(language);
        int n = 0;
        for (const std::vector<Plan>& plans :
             {std::vector{fits}, std::vector{slow}, std::vector{fits, slow}, std::vector{huge, fits},
              std::vector{fits, fits}, std::vector{tight, slow, fits}}) {
            INFO(language.toStdString() << ", case " << n);
            QTemporaryDir directory;
            const QString folder = directory.filePath(u"mine-%1"_s.arg(n++));
            const Error error =
                writeLessonFolder(plans, u"405B on 16384 GPUs: \"mine\""_s, *testCatalog(), folder);
            CHECK(error.line() == "");
            const auto library = lessons::load_lessons(folder.toStdString());
            REQUIRE(library.ok());
            CHECK(library->entries.front().languages.front().second->steps.size() == plans.size() + 2);
            // Nothing is written over.
            CHECK_FALSE(writeLessonFolder(plans, u"x"_s, *testCatalog(), folder).what.empty());
        }
        window->setLanguage(u"en"_s);
    }
}

TEST_CASE("the window makes a lesson of the pinned plans and the one at hand, and opens it") {
    auto window = shownWindow();
    window->document().pin();
    for (const std::int64_t batch : {2, 4}) {
        REQUIRE(window->document().edit(u"training.micro_batch_size"_s, batch, int(batch)).what.empty());
        settle(*window);
        if (batch == 2) window->document().pin();
    }
    QTemporaryDir directory;
    REQUIRE(window->writeLesson(directory.filePath(u"mine"_s), u"Mine"_s));
    settle(*window);
    CHECK(window->lessonsPage().panel().lessonId() == u"mine");
    CHECK(window->lessonsPage().panel().stepCount() == 5); // introduction, three plans, a task
}

TEST_CASE("a button of a lesson pins to its letter, and A is what the others are compared with") {
    auto window = shownWindow();
    REQUIRE(window->openLesson(u"zero-and-fsdp"_s).what.empty());
    settle(*window);
    LessonPanel& panel = window->lessonsPage().panel();
    std::vector<QPushButton*> pins;
    for (int step = 0; step < panel.stepCount() && pins.empty(); ++step) {
        panel.setStep(step);
        for (QPushButton* button : panel.actionButtons())
            if (button->text().startsWith(u"Pin "_s)) pins.push_back(button);
    }
    REQUIRE(pins.size() == 2);
    for (QPushButton* button : pins) {
        button->click();
        settle(*window);
    }
    const auto& [a, b, c, d] = window->document().pins();
    REQUIRE((a && b));
    CHECK_FALSE((c || d));
    CHECK(a->plan.parallel.zero == 0);
    CHECK(b->plan.parallel.zero == 3);
    CHECK(window->document().pinned()->report == a->report);
    CHECK(window->document().plan().parallel.zero == 3);
}

TEST_CASE("an unknown lesson is one line that names the nearest") {
    Lessons open;
    const std::string line = open.window->openLesson(u"sampel"_s).line();
    CHECK(line.find("sample") != std::string::npos);
    CHECK(line.find('\n') == std::string::npos);
    CHECK_FALSE(open.window->openLesson(open.directory.filePath(u"nothing.md"_s)).what.empty());
}

TEST_CASE("progress is kept by lesson and forgotten on wish") {
    QTemporaryDir directory;
    const QString file = directory.filePath(u"settings.ini"_s);
    {
        QSettings settings(file, QSettings::IniFormat);
        LessonProgress progress(&settings);
        progress.setAnswered(u"a"_s, u"one"_s);
        progress.setAnswered(u"a"_s, u"two"_s);
        progress.setAnswered(u"b"_s, u"one"_s);
    }
    QSettings settings(file, QSettings::IniFormat);
    LessonProgress progress(&settings);
    CHECK(progress.answered(u"a"_s) == QStringList{u"one"_s, u"two"_s});
    progress.clear(u"a"_s);
    CHECK(progress.answered(u"a"_s).isEmpty());
    CHECK(progress.answered(u"b"_s) == QStringList{u"one"_s});
}
