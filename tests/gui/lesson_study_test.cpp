// SPDX-License-Identifier: GPL-3.0-or-later
// A learner's way through lessons: what comes up is in sight, keys turn pages, answers are kept, pins are
// not.
#include "catch.h"

#include <QFile>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSettings>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "controls/core_text.h"
#include "gui_support.h"
#include "lessons/lesson_list.h"
#include "lessons/lesson_panel.h"
#include "lessons/library.h"
#include "lessons/markdown_view.h"
#include "lessons/question_card.h"
#include "lessons_page.h"
#include "main_window.h"
#include "pipeline_page.h"
#include "schedule_picker.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<MainWindow> windowWith(const QString& lesson, const QSize& size = {1280, 780}) {
    auto window = shownWindow(size);
    const Error error = window->openLesson(lesson);
    if (!error.what.empty()) FAIL(error.line());
    settle(*window);
    return window;
}

LessonPanel& panelOf(MainWindow& window) { return window.lessonsPage().panel(); }

QPushButton* buttonOf(QWidget& parent, const char* name) {
    auto* button = parent.findChild<QPushButton*>(QString::fromLatin1(name));
    REQUIRE(button);
    return button;
}

/// Goes to the step with this question.
QuestionCard& cardOf(MainWindow& window, const char* id) {
    LessonPanel& panel = panelOf(window);
    for (int step = 0; step < panel.stepCount(); ++step) {
        panel.setStep(step);
        for (QuestionCard* card : panel.questions())
            if (card->question().id == id) {
                settle(window);
                return *card;
            }
    }
    FAIL("no question " << id);
    return *panel.questions().front();
}

QScrollArea* scrollOf(LessonPanel& panel) {
    auto* scroll = panel.findChild<QScrollArea*>();
    REQUIRE(scroll);
    return scroll;
}

/// The part of the card in the scroll area's sight.
bool inSight(LessonPanel& panel, const QuestionCard& card, const QRect& part) {
    const QWidget* view = scrollOf(panel)->viewport();
    const QRect there(card.mapTo(view, part.topLeft()), part.size());
    return view->rect().contains(there);
}

/// Goes to the step with buttons that pin and presses them in order.
void pressPins(MainWindow& window) {
    LessonPanel& panel = panelOf(window);
    std::vector<QPushButton*> pins;
    for (int step = 0; step < panel.stepCount() && pins.empty(); ++step) {
        panel.setStep(step);
        for (QPushButton* button : panel.actionButtons())
            if (button->text().startsWith(u"Pin "_s)) pins.push_back(button);
    }
    REQUIRE(pins.size() == 2);
    for (QPushButton* button : pins) {
        button->click();
        settle(window);
    }
}

} // namespace

TEST_CASE("verdict, hint and explanation are scrolled into sight; the choices stay where they are") {
    auto window = windowWith(u"zero-and-fsdp"_s, {1280, 620});
    LessonPanel& panel = panelOf(*window);
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        settle(*window);
        QuestionCard& card = cardOf(*window, "ddp-memory");
        card.startOver();
        settle(*window);
        const auto options = card.findChildren<QRadioButton*>();
        REQUIRE(options.size() > 2);
        std::size_t right = 0;
        while (!card.question().options[right].right) ++right;
        QRadioButton* wrong = options[right == 0 ? 1 : 0];
        scrollOf(panel)->ensureWidgetVisible(wrong, 0, 0);
        wrong->setChecked(true);
        QTest::mouseClick(buttonOf(card, "check"), Qt::LeftButton);
        settle(*window);
        INFO(language.toStdString());
        CHECK_FALSE(card.answerRect().isEmpty());
        CHECK(inSight(panel, card, card.answerRect()));
        // Another choice at the end of the page moves nothing.
        QScrollBar* bar = scrollOf(panel)->verticalScrollBar();
        bar->setValue(bar->maximum());
        QRadioButton* chosen = options[qsizetype(right)];
        const QPoint before = chosen->mapTo(window.get(), QPoint());
        chosen->setChecked(true);
        settle(*window);
        CHECK(chosen->mapTo(window.get(), QPoint()) == before);
        QTest::mouseClick(buttonOf(card, "check"), Qt::LeftButton);
        settle(*window);
        CHECK(card.right());
        CHECK(card.explained());
        CHECK(inSight(panel, card, card.answerRect()));
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("the sign of a choice stands beside the first line of its text") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        settle(*window);
        const auto options = cardOf(*window, "ddp-memory").findChildren<QRadioButton*>();
        REQUIRE(options.size() > 1);
        const QuestionCard& card = *panelOf(*window).questions().front();
        for (const QRadioButton* option : options) {
            const double sign = option->mapTo(&card, QPoint()).y() + option->height() / 2.0;
            const auto texts = card.findChildren<MarkdownView*>();
            INFO(language.toStdString() << ", " << sign);
            CHECK(std::ranges::any_of(texts, [&](const MarkdownView* text) {
                return std::abs(text->mapTo(&card, QPoint()).y() + text->firstLineMiddle() - sign) <= 1;
            }));
        }
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("Page Down reads on and turns the step at its end, straight after a lesson is opened") {
    auto window = windowWith(u"zero-and-fsdp"_s, {1280, 620});
    LessonPanel& panel = panelOf(*window);
    const QScrollBar* bar = scrollOf(panel)->verticalScrollBar();
    const auto key = [&](Qt::Key which) {
        REQUIRE(window->focusWidget());
        QTest::keyClick(window->focusWidget(), which);
        settle(*window);
    };
    int presses = 0;
    while (panel.step() == 0 && presses < 20) {
        const int before = bar->value();
        const bool more = before < bar->maximum();
        key(Qt::Key_PageDown);
        ++presses;
        CHECK(panel.step() == (more ? 0 : 1));
        if (more) CHECK(bar->value() > before);
    }
    REQUIRE(panel.step() == 1);
    CHECK(bar->value() == 0);
    key(Qt::Key_PageUp);
    CHECK(panel.step() == 0);
    // A text that was clicked on passes the keys on, and so does what follows a step.
    panel.setStep(1);
    settle(*window);
    panel.findChildren<QTextBrowser*>().first()->setFocus();
    const int before = bar->value();
    key(Qt::Key_PageDown);
    CHECK((bar->value() > before || panel.step() == 2));
}

TEST_CASE("in a presentation Page Down reads on before it turns, and leaving gives the size back") {
    const QSize size(1280, 780);
    auto window = windowWith(u"zero-and-fsdp"_s, size);
    window->startPresentation(false);
    settle(*window);
    LessonPanel& panel = panelOf(*window);
    const QScrollBar* bar = scrollOf(panel)->verticalScrollBar();
    int longer = 0;
    for (int press = 0; press < 60 && panel.step() < 4; ++press) {
        const int step = panel.step(), before = bar->value();
        const bool more = before < bar->maximum();
        longer += more;
        QTest::keyClick(window.get(), Qt::Key_PageDown);
        settle(*window);
        INFO("step " << step << ", " << before << " of " << bar->maximum());
        CHECK(panel.step() == (more ? step : step + 1));
        if (!more || panel.step() != step) continue;
        const int after = bar->value();
        CHECK(after > before);
        QTest::keyClick(window.get(), Qt::Key_PageUp);
        CHECK(panel.step() == step);
        CHECK(bar->value() < after);
        QTest::keyClick(window.get(), Qt::Key_PageDown);
    }
    CHECK(longer > 0);
    for (const Qt::Key key : {Qt::Key_N, Qt::Key_P}) {
        QTest::keyClick(window.get(), key);
        settle(*window);
    }
    QTest::keyClick(window.get(), Qt::Key_Escape);
    settle(*window);
    CHECK_FALSE(window->presenting());
    CHECK(window->size() == size);
}

TEST_CASE("Enter checks the choice that has the keys") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    QuestionCard& card = cardOf(*window, "ddp-memory");
    for (QRadioButton* option : card.findChildren<QRadioButton*>()) {
        option->setChecked(true);
        option->setFocus();
        QTest::keyClick(option, Qt::Key_Return);
        if (card.right()) break;
        CHECK_FALSE(card.feedbackText().isEmpty());
    }
    CHECK(card.right());
}

TEST_CASE("a wrong choice opens its hint and offers the answer, which does not count") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    QuestionCard& card = cardOf(*window, "ddp-memory");
    std::size_t right = 0;
    while (!card.question().options[right].right) ++right;
    const auto options = card.findChildren<QRadioButton*>();
    QPushButton* show = buttonOf(card, "showAnswer");
    CHECK(show->isHidden());
    options[right == 0 ? 1 : 0]->setChecked(true);
    card.check();
    CHECK(buttonOf(card, "hint")->text() == u"Hide hint"_s);
    REQUIRE_FALSE(show->isHidden());
    QTest::mouseClick(show, Qt::LeftButton);
    CHECK(options[qsizetype(right)]->isChecked());
    CHECK(card.explained());
    CHECK_FALSE(card.right());
    card.check(); // chosen by the button
    CHECK_FALSE(card.right());
}

TEST_CASE("an answered question shows its answer and explanation again") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    LessonPanel& panel = panelOf(*window);
    {
        QuestionCard& choice = cardOf(*window, "ddp-memory");
        for (QRadioButton* option : choice.findChildren<QRadioButton*>()) {
            option->setChecked(true);
            choice.check();
            if (choice.right()) break;
        }
        QuestionCard& number = cardOf(*window, "zero1-limit");
        const auto answer = panel.session()->number(number.question().answer);
        REQUIRE(answer.ok());
        number.findChild<QLineEdit*>(u"answer"_s)->setText(
            QString::number(*answer / lessons::unit_scale(number.question().unit), 'g', 12));
        number.check();
        REQUIRE(number.right());
    }
    panel.setStep(0);
    QuestionCard& choice = cardOf(*window, "ddp-memory");
    CHECK(choice.explained());
    bool right = false;
    for (const auto& [at, option] : {std::pair(0, choice.findChildren<QRadioButton*>().value(0)),
                                     std::pair(1, choice.findChildren<QRadioButton*>().value(1)),
                                     std::pair(2, choice.findChildren<QRadioButton*>().value(2))})
        if (option && option->isChecked()) right = choice.question().options[std::size_t(at)].right;
    CHECK(right);
    QuestionCard& number = cardOf(*window, "zero1-limit");
    CHECK(number.explained());
    const auto shown = panel.session()->answer_text(number.question());
    REQUIRE(shown.ok());
    CHECK(number.feedbackText().contains(QString::fromStdString(*shown)));
    number.startOver();
    CHECK_FALSE(number.explained());
}

TEST_CASE("the last step says which questions are open and leads to them and to the next lesson") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    LessonPanel& panel = panelOf(*window);
    QuestionCard& card = cardOf(*window, "ddp-memory");
    const int step = panel.step();
    panel.setStep(panel.stepCount() - 1);
    settle(*window);
    auto* open = panel.findChild<QLabel*>(u"openQuestions"_s);
    REQUIRE(open);
    const QString link = u"href=\"%1\""_s.arg(step);
    CHECK(open->text().contains(link));
    emit open->linkActivated(QString::number(step));
    settle(*window);
    CHECK(panel.step() == step);
    QuestionCard& again = cardOf(*window, "ddp-memory");
    for (QRadioButton* option : again.findChildren<QRadioButton*>()) {
        option->setChecked(true);
        again.check();
        if (again.right()) break;
    }
    panel.setStep(panel.stepCount() - 1);
    settle(*window);
    CHECK_FALSE(panel.findChild<QLabel*>(u"openQuestions"_s)->text().contains(link));
    const QString listed = panel.list().model()->index(1, 0).data(Qt::AccessibleTextRole).toString();
    CHECK(listed.contains(u"open: step"_s));
    buttonOf(panel, "nextLesson")->click();
    settle(*window);
    CHECK(panel.lessonId() == u"activations");
    CHECK(panel.step() == 0);
    REQUIRE(window->openLesson(u"exercises"_s).what.empty()); // the last one
    panel.setStep(panel.stepCount() - 1);
    settle(*window);
    CHECK(buttonOf(panel, "nextLesson")->isHidden());
    (void)card;
}

TEST_CASE("what a lesson pins goes with it, and what was pinned before comes back") {
    auto window = shownWindow({1280, 780});
    Document& document = window->document();
    document.pin(); // A, the learner's own
    const Plan own = document.plan();
    REQUIRE(document.edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1).what.empty());
    settle(*window);
    document.pinAs(2); // C
    REQUIRE(window->openLesson(u"zero-and-fsdp"_s).what.empty());
    settle(*window);
    const auto study = [&] {
        pressPins(*window);
        REQUIRE(document.pins()[0]);
        CHECK(document.pins()[0]->plan.parallel.zero == 0);
        CHECK(document.pins()[1]->plan.parallel.zero == 3);
    };
    const auto restored = [&] {
        const auto& [a, b, c, d] = document.pins();
        REQUIRE((a && c));
        CHECK_FALSE((b || d));
        CHECK(a->plan == own);
        CHECK(document.baseline() == 0);
    };
    study();
    panelOf(*window).closeLesson();
    restored();
    REQUIRE(window->openLesson(u"zero-and-fsdp"_s).what.empty());
    study();
    REQUIRE(window->openLesson(u"activations"_s).what.empty());
    restored();
    REQUIRE(window->openLesson(u"zero-and-fsdp"_s).what.empty());
    study();
    REQUIRE(window->openLesson(u"zero-and-fsdp"_s).what.empty()); // once more from the start
    restored();
    // Pinned by hand in a lesson: it stays.
    study();
    REQUIRE(document.edit(u"training.micro_batch_size"_s, std::int64_t{3}, 2).what.empty());
    settle(*window);
    document.pinAs(0);
    const Plan mine = document.plan();
    panelOf(*window).closeLesson();
    REQUIRE(document.pins()[0]);
    CHECK(document.pins()[0]->plan == mine);
    CHECK_FALSE(document.pins()[1]);
}

TEST_CASE("two plans that a lesson pins are compared with each other") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    pressPins(*window);
    CHECK(window->lessonsPage().currentView() == u"compare");
    bool zero = false, bytes = false;
    for (const auto* table : window->lessonsPage().view(u"compare"_s)->findChildren<QTableView*>())
        for (int row = 0; row < table->model()->rowCount(); ++row) {
            const QString name = table->model()->headerData(row, Qt::Vertical).toString();
            const auto cell = [&](int column) { return table->model()->index(row, column).data().toString(); };
            if (name == labelOfPath("parallel.zero")) zero = cell(0) == u"0"_s && cell(1) == u"3"_s;
            if (name.contains(u"optimizer"_s)) bytes = bytes || cell(0) != cell(1);
        }
    CHECK(zero);
    CHECK(bytes);
}

TEST_CASE("beside a lesson no heading of the comparison is cut") {
    auto window = windowWith(u"zero-and-fsdp"_s, {1280, 800});
    pressPins(*window);
    int tables = 0;
    for (const auto* table : window->lessonsPage().view(u"compare"_s)->findChildren<QTableView*>()) {
        if (!table->isVisible()) continue;
        ++tables;
        const QHeaderView* header = table->horizontalHeader();
        for (int column = 0; column < header->count(); ++column) {
            const QString text = table->model()->headerData(column, Qt::Horizontal).toString();
            const QRect room(0, 0, header->sectionSize(column), 1000);
            const QRect taken = header->fontMetrics().boundingRect(room, Qt::TextWordWrap, text);
            INFO(text.toStdString() << ", " << room.width() << " wide, " << header->height() << " high");
            CHECK(taken.height() <= header->height());
            CHECK(taken.width() <= room.width());
        }
    }
    CHECK(tables == 2);
}

TEST_CASE("beside a lesson no figure of the schedules is cut, and the balance says its gain") {
    auto window = windowWith(u"pipelines"_s, {1280, 800});
    auto* page = qobject_cast<PipelinePage*>(window->lessonsPage().view(u"pipeline"_s));
    REQUIRE(page);
    const QTableView& table = page->picker().table();
    const auto* model = table.model();
    REQUIRE(model->rowCount() > 0);
    QFont bold = table.font();
    bold.setBold(true);
    for (int column = 1; column < model->columnCount(); ++column)
        for (int row = -1; row < model->rowCount(); ++row) {
            if (row >= 0 && table.columnSpan(row, 1) > 1) continue; // a sentence why it is not possible
            const QModelIndex cell = model->index(row, column);
            const QVariant shown = row < 0 ? model->headerData(column, Qt::Horizontal) : cell.data();
            const QString text = shown.toString();
            const QFontMetrics metrics(cell.data(Qt::FontRole).isValid() ? bold : table.font());
            INFO(text.toStdString() << " in " << table.columnWidth(column));
            CHECK(metrics.horizontalAdvance(text) + 6 <= table.columnWidth(column));
        }
    const QPushButton& balance = page->balanceButton();
    CHECK(balance.fontMetrics().horizontalAdvance(balance.text()) <= balance.width() - 8);
}

TEST_CASE("a task names the first rule that is broken and knows the size of any model") {
    auto window = windowWith(u"where-the-bytes-go"_s);
    QuestionCard& card = cardOf(*window, "largest-uncut-model");
    buttonOf(card, "start")->click();
    settle(*window);
    // Another model than the one that parameters are given for: counted.
    REQUIRE(window->document().edit(u"model"_s, std::string("llama3.2-3b"), 5).what.empty());
    settle(*window);
    CHECK(card.right());
    card.startOver();
    buttonOf(card, "start")->click();
    settle(*window);
    Plan broken = window->document().plan();
    broken.parallel.tensor = 3;
    REQUIRE(window->document().change(broken, u"x"_s).what.empty());
    settle(*window);
    REQUIRE_FALSE(window->document().report()->valid);
    CHECK_FALSE(card.right());
    CHECK_FALSE(card.feedbackText().isEmpty());
}

TEST_CASE("beside the list of lessons stands the plan at hand") {
    auto window = windowWith(u"zero-and-fsdp"_s);
    CHECK(window->lessonsPage().currentView() == u"memory");
    panelOf(*window).closeLesson();
    CHECK(window->lessonsPage().currentView() == u"overview");
}

TEST_CASE("the start of a task opens the view that it is about, and a broken rule is told in its own words") {
    QTemporaryDir directory;
    const QString path = directory.filePath(u"task.md"_s);
    QFile file(path);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(R"(---
id: task
order: 1
title: A task
summary: One task.
plan: llama3-70b-64xh100
views: [memory]
focus: memory.stages.0.optimizer_bytes
minutes: 1
---
Look.

## Do

```question
id: goal
kind: goal
ask: Take micro-batches of four.
goal: "plan.training.micro_batch_size >= 4"
start: {set: {training.micro_batch_size: 1}}
solution: {set: {training.micro_batch_size: 4}}
wrong: {set: {training.micro_batch_size: 2}}
view: time
explain: Done.
```
)");
    file.close();
    auto window = windowWith(path);
    QuestionCard& card = cardOf(*window, "goal");
    CHECK(window->lessonsPage().currentView() == u"memory");
    buttonOf(card, "start")->click();
    settle(*window);
    CHECK(window->lessonsPage().currentView() == u"time");
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        settle(*window);
        QuestionCard& asked = cardOf(*window, "goal");
        buttonOf(asked, "start")->click();
        settle(*window);
        Plan broken = window->document().plan();
        broken.parallel.data = *broken.parallel.data + 1;
        REQUIRE(window->document().change(broken, u"x"_s).what.empty());
        settle(*window);
        const auto& messages = window->document().report()->messages;
        const auto rule = std::ranges::find(messages, "world-size", &Message::code);
        REQUIRE(rule != messages.end());
        INFO(asked.feedbackText().toStdString());
        CHECK(asked.feedbackText().contains(translated(*rule)));
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("beside a lesson the time table shows all its columns, pinned or not") {
    auto window = shownWindow({1280, 780});
    window->document().pin();
    REQUIRE(window->openLesson(u"data-parallelism"_s).what.empty());
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        window->setLanguage(language);
        window->lessonsPage().showView(u"time"_s);
        settle(*window);
        INFO(language.toStdString());
        int tables = 0;
        for (const auto* table : window->lessonsPage().view(u"time"_s)->findChildren<QTableView*>()) {
            if (!table->isVisible()) continue;
            ++tables;
            CHECK(table->model()->columnCount() == 4);
            CHECK(table->horizontalScrollBar()->maximum() == 0);
        }
        CHECK(tables == 1);
    }
    window->setLanguage(u"en"_s);
}
