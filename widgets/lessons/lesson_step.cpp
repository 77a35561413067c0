// SPDX-License-Identifier: GPL-3.0-or-later
// The step at hand of a lesson: what it is made of, and how it is read.
#include <QKeyEvent>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <algorithm>

#include "controls/quantity.h"
#include "lessons/lesson_end.h"
#include "lessons/lesson_list.h"
#include "lessons/lesson_panel.h"
#include "lessons/lesson_progress.h"
#include "lessons/markdown_view.h"
#include "lessons/question_card.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {
constexpr int kPageMargin = 6; ///< round what is brought into sight
}

// Its cards look into the session: they go first.
void LessonPanel::clearPage() {
    m_texts.clear();
    m_questions.clear();
    m_actionButtons.clear();
    m_actions.clear();
    m_end = nullptr;
    delete std::exchange(m_page, nullptr);
}

void LessonPanel::buildStep() {
    const lessons::Step* step = current();
    if (!step) return;
    clearPage();
    m_page = new QWidget;
    auto* layout = new QVBoxLayout(m_page);
    layout->setContentsMargins(0, 0, 6, 0);
    layout->setSpacing(8);
    const auto prose = [&](const std::string& markdown) {
        auto* view = new MarkdownView(m_page);
        view->setPiece(markdown);
        m_texts.push_back(view);
        layout->addWidget(view);
    };
    for (const lessons::Block& block : step->blocks) {
        if (const auto* text = std::get_if<lessons::Prose>(&block)) {
            prose(text->markdown);
        } else if (const auto* action = std::get_if<lessons::Action>(&block)) {
            auto* button = new QPushButton(m_page);
            button->setObjectName(u"action"_s);
            connect(button, &QPushButton::clicked, this,
                    [this, action, button] { emit actionWanted(*action, button->text()); });
            m_actionButtons.push_back(button);
            m_actions.push_back(action);
            layout->addWidget(button, 0, Qt::AlignLeft);
        } else if (const auto* question = std::get_if<lessons::Question>(&block)) {
            addQuestion(*question, layout);
        }
    }
    if (m_step + 1 == stepCount()) addEnd(layout);
    for (auto* text : m_page->findChildren<MarkdownView*>()) text->installEventFilter(this);
    layout->addStretch(1);
    m_scroll->setWidget(m_page);
    m_scroll->verticalScrollBar()->setValue(0);
    refresh();
    setTheme(m_theme);
    showNavigation();
    scaleHeadings();
}

void LessonPanel::addQuestion(const lessons::Question& question, QVBoxLayout* layout) {
    const QString id = toQString(question.id);
    const bool answered = m_progress.answered(lessonId()).contains(id);
    auto* card = new QuestionCard(question, *m_session, answered, m_theme, m_page);
    connect(card, &QuestionCard::planWanted, this, &LessonPanel::planWanted);
    connect(card, &QuestionCard::viewWanted, this, &LessonPanel::viewWanted);
    connect(card, &QuestionCard::answerShown, this, [this, card] { bringIntoView(card); });
    connect(card, &QuestionCard::answeredRight, this, [this, id] {
        m_progress.setAnswered(lessonId(), id);
        m_list->show(m_library);
        showEnd();
    });
    m_questions.push_back(card);
    layout->addWidget(card);
}

void LessonPanel::addEnd(QVBoxLayout* layout) {
    m_end = new LessonEnd(m_page);
    connect(m_end, &LessonEnd::stepWanted, this, &LessonPanel::setStep, Qt::QueuedConnection);
    const auto openNext = [this] {
        if (const auto lesson = following()) open(toQString(lesson->id));
    };
    connect(m_end, &LessonEnd::nextWanted, this, openNext, Qt::QueuedConnection); // the button goes
    layout->addWidget(m_end);
}

std::shared_ptr<const lessons::Lesson> LessonPanel::following() const {
    if (!m_library || !m_session) return nullptr;
    const auto& entries = m_library->entries;
    const auto at = std::ranges::find_if(entries, [this](const lessons::Entry& entry) {
        return entry.in(m_language.toStdString())->id == m_session->lesson().id;
    });
    if (at == entries.end() || at + 1 == entries.end()) return nullptr;
    return (at + 1)->in(m_language.toStdString());
}

void LessonPanel::showEnd() {
    if (!m_end) return;
    const lessons::Lesson& lesson = m_session->lesson();
    const QList<int> steps = m_progress.openSteps(lesson);
    QStringList names;
    for (const int step : steps) {
        const QString heading = filled(lesson.steps[static_cast<std::size_t>(step)].heading);
        names << (heading.isEmpty() ? tr("Introduction") : tr("step %1, %2").arg(step).arg(heading));
    }
    m_end->setOpen(steps, names, !lesson.questions().empty());
    const auto next = following();
    m_end->setNext(next ? toQString(next->title) : QString());
    m_end->setTheme(m_theme);
}

void LessonPanel::turn(int direction) {
    constexpr double kPage = 0.9; // the last lines stay in sight
    if (!scrollBy(direction * kPage)) setStep(m_step + direction);
}

bool LessonPanel::pageKey(QKeyEvent* event) {
    const bool down = event->key() == Qt::Key_PageDown, up = event->key() == Qt::Key_PageUp;
    const bool plain = (event->modifiers() & ~Qt::KeypadModifier) == Qt::NoModifier;
    if (!m_session || !plain || (!down && !up)) return false;
    turn(down ? 1 : -1);
    return true;
}

// Texts and the scroll area would keep the keys for themselves.
bool LessonPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && pageKey(static_cast<QKeyEvent*>(event))) return true;
    return QWidget::eventFilter(watched, event);
}

void LessonPanel::keyPressEvent(QKeyEvent* event) {
    if (!pageKey(event)) QWidget::keyPressEvent(event);
}

void LessonPanel::bringIntoView(QuestionCard* card) {
    // Behind the layout's turn, when what came up has its height.
    QTimer::singleShot(0, card, [this, card] {
        const QRect answer = card->answerRect().translated(card->mapTo(m_page, QPoint()));
        if (answer.isEmpty()) return;
        QScrollBar* bar = m_scroll->verticalScrollBar();
        const int lowest = answer.bottom() + kPageMargin - m_scroll->viewport()->height();
        bar->setValue(std::min(std::max(bar->value(), lowest), answer.top() - kPageMargin));
    });
}

} // namespace shardlens
