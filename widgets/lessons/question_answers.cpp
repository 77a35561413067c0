// SPDX-License-Identifier: GPL-3.0-or-later
// Judging: what is answered, what is shown instead, and the tasks.
#include <QAbstractButton>
#include <QButtonGroup>
#include <QLabel>
#include <QLineEdit>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "lessons/lesson_text.h"
#include "lessons/markdown_view.h"
#include "lessons/question_card.h"

namespace shardlens {

using lessons::QuestionKind;

namespace {

/// A reader has no use for the expression that failed; checking the lesson names it to its author.
QString missingFigure() {
    return QuestionCard::tr("This question is about a figure that the plan at hand does not have. Undo the "
                            "last change, or load the lesson's plan again.");
}

} // namespace

void QuestionCard::check() {
    m_recalled = false;
    switch (m_question.kind) {
    case QuestionKind::choice: checkChoice(); break;
    case QuestionKind::number: checkNumber(); break;
    case QuestionKind::goal: checkGoal(); break;
    }
    emit answerShown();
}

void QuestionCard::missed(const QString& feedback) {
    m_missed = true;
    m_hint->setVisible(!m_question.hint.empty());
    setState(State::wrong, feedback);
    retranslate();
}

void QuestionCard::checkChoice() {
    const int chosen = m_options->checkedId();
    if (chosen < 0) return setState(State::open, tr("Choose one of the answers first."));
    const auto feedback = m_session.check_choice(m_question, static_cast<std::size_t>(chosen));
    if (feedback.right) return setState(m_solved ? State::shown : State::right, tr("Right."));
    const auto why = m_session.fill(feedback.why, localeNumberFormat());
    missed(why.text.empty() ? tr("Not this one.") : tr("Not this one. %1").arg(toQString(why.text)));
}

void QuestionCard::checkNumber() {
    const auto typed =
        lessons::read_number(m_number->text().toStdString(), m_question.unit, localeNumberFormat());
    if (!typed) return setState(State::open, tr("That is not a number in this unit; 12.5 or 1e9 is read."));
    const auto feedback = m_session.check_number(m_question, *typed);
    if (!feedback) return setState(State::open, missingFigure());
    if (feedback->right) return setState(m_solved ? State::shown : State::right, tr("Right."));
    // How far off helps; which way does not give it away.
    missed(*typed < feedback->expected ? tr("Not yet: it is more.") : tr("Not yet: it is less."));
}

void QuestionCard::chooseRight() {
    for (std::size_t i = 0; i < m_question.options.size(); ++i)
        if (m_question.options[i].right) return m_options->button(int(i))->setChecked(true);
}

void QuestionCard::showAnswer() {
    if (m_question.kind == QuestionKind::choice) {
        m_solved = true;
        chooseRight();
        setState(State::shown, tr("The right answer is marked."));
    } else {
        const auto answer = m_session.answer_text(m_question, localeNumberFormat());
        if (!answer) return setState(State::open, missingFigure());
        m_solved = true;
        setState(State::shown, tr("The answer is %1.").arg(toQString(*answer)));
    }
    emit answerShown();
}

void QuestionCard::checkGoal() {
    if (!m_started) return setState(State::open, {});
    const auto feedback = m_session.check_goal(m_question);
    if (!feedback)
        return setState(State::open,
                        tr("This task is about a figure that the plan at hand does not have. Start again, or "
                           "undo the last change."));
    if (feedback->right) {
        if (m_solved) return setState(State::shown, tr("This is one way. Start again to find your own."));
        return setState(State::right, tr("Reached."));
    }
    m_solved = false;
    if (feedback->moved.empty() && feedback->broken_rule)
        return setState(State::open, tr("Not reached, the plan breaks a rule: %1")
                                         .arg(translated(*feedback->broken_rule)));
    if (feedback->moved.empty()) return setState(State::open, tr("Not reached yet: move the plan."));
    QStringList moved, allowed;
    for (const std::string& path : feedback->moved) moved << labelOfPath(path);
    for (const std::string& path : m_question.allow) allowed << labelOfPath(path);
    setState(
        State::wrong,
        tr("Only %1 may move here; %2 moved as well.").arg(allowed.join(tr(", ")), moved.join(tr(", "))));
}

void QuestionCard::showHint() {
    m_hint->setVisible(m_hint->isHidden());
    retranslate();
    if (!m_hint->isHidden()) emit answerShown();
}

void QuestionCard::startGoal() {
    const auto plan = m_session.start_of(m_question);
    if (!plan) return setState(State::open, translatedLessonLine(plan.error()));
    m_started = true;
    m_solved = false;
    m_state = State::open;
    emit planWanted(*plan, tr("Start of a task"));
    if (m_question.view) emit viewWanted(*m_question.view);
    retranslate();
}

void QuestionCard::showSolution() {
    const auto plan = m_session.solution_of(m_question);
    if (!plan) return setState(State::open, translatedLessonLine(plan.error()));
    m_started = true;
    m_solved = true;
    m_state = State::open;
    emit planWanted(*plan, tr("Solution of a task"));
    if (m_question.view) emit viewWanted(*m_question.view);
    retranslate();
}

} // namespace shardlens
