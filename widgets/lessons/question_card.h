// SPDX-License-Identifier: GPL-3.0-or-later
// A question of a lesson: a choice, a number with its unit, or a goal that the plan at hand has to meet.
#pragma once

#include <QFrame>
#include <vector>

#include "lessons/session.h"
#include "theme/theme.h"

class QAbstractButton;
class QButtonGroup;
class QLabel;
class QLineEdit;
class QPushButton;

namespace shardlens {

class MarkdownView;

class QuestionCard : public QFrame {
    Q_OBJECT
public:
    /// Session and question must outlive the card. `answered`: in an earlier run.
    QuestionCard(const lessons::Question& question, const lessons::Session& session, bool answered,
                 const Theme& theme, QWidget* parent = nullptr);

    /// The session's plan at hand has changed: texts are filled in anew, a goal is looked at.
    void refresh();
    void setTheme(const Theme& theme);
    void retranslate();
    /// Forgets answer, hint and explanation.
    void startOver();

    [[nodiscard]] const lessons::Question& question() const { return m_question; }
    [[nodiscard]] bool right() const { return m_state == State::right; }
    [[nodiscard]] QString feedbackText() const;
    [[nodiscard]] bool explained() const;

    // What the buttons do.
    void check();
    void showHint();
    void startGoal();
    void showSolution();
    /// number, choice: the answer with its explanation; from then on it does not count.
    void showAnswer();
    /// Where verdict, hint and explanation stand in the card, as far as they are shown.
    [[nodiscard]] QRect answerRect() const;

signals:
    void answeredRight();
    /// The learner should see what came up in answerRect().
    void answerShown();
    /// The view that a task is about.
    void viewWanted(shardlens::lessons::View view);
    /// The document should take this plan as one step.
    void planWanted(const shardlens::Plan& plan, const QString& what);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    enum class State { open, wrong, right, shown };

    void buildChoice();
    void buildNumber();
    void buildGoal();
    void setState(State state, const QString& feedback);
    void checkChoice();
    void checkNumber();
    void checkGoal();
    /// A wrong answer: its hint opens and the answer is offered.
    void missed(const QString& feedback);
    /// What stands in the card now has not been judged.
    void otherAnswer();
    /// What was right in an earlier run is shown again, with its explanation.
    void recall();
    void chooseRight();
    void tint();
    MarkdownView* text(const std::string& markdown);

    const lessons::Question& m_question;
    const lessons::Session& m_session;
    Theme m_theme;
    std::vector<MarkdownView*> m_texts;
    MarkdownView *m_hint = nullptr, *m_explain = nullptr;
    QButtonGroup* m_options = nullptr;
    QLineEdit* m_number = nullptr;
    QLabel *m_unit = nullptr, *m_feedback = nullptr, *m_earlier = nullptr;
    QPushButton *m_check = nullptr, *m_hintButton = nullptr, *m_start = nullptr, *m_show = nullptr,
                *m_showAnswer = nullptr;
    State m_state = State::open;
    bool m_answered = false;
    bool m_started = false;  ///< goal: the learner works on it
    bool m_missed = false;   ///< number, choice: answered wrongly at least once
    bool m_solved = false;   ///< by the button, not by the learner
    bool m_recalled = false; ///< what is shown was answered in an earlier run
};

} // namespace shardlens
