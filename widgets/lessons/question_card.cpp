// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/question_card.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QRadioButton>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "lessons/lesson_text.h"
#include "lessons/markdown_view.h"
#include "view_frame.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using lessons::QuestionKind;

namespace {

/// The text beside a radio button, which cannot wrap its own.
class OptionText : public MarkdownView {
public:
    OptionText(QRadioButton* button, QWidget* parent) : MarkdownView(parent), m_button(button) {
        setTextInteractionFlags(Qt::NoTextInteraction);
        setFocusPolicy(Qt::NoFocus);
        viewport()->setCursor(Qt::PointingHandCursor);
    }

protected:
    void mousePressEvent(QMouseEvent*) override {
        m_button->setChecked(true);
        m_button->setFocus(Qt::MouseFocusReason);
    }
    void resizeEvent(QResizeEvent* event) override {
        MarkdownView::resizeEvent(event);
        // Its sign stands in the middle of the button: as high as twice the middle of the first line.
        m_button->setFixedHeight(int(2 * firstLineMiddle() + 0.5));
    }

private:
    QRadioButton* m_button;
};

QString unitText(const std::string& unit) {
    return unit == "1" || unit == "int" || unit == "auto" ? QString()
           : unit == "us"                                 ? u"µs"_s
                                                          : toQString(unit);
}

} // namespace

QuestionCard::QuestionCard(const lessons::Question& question, const lessons::Session& session, bool answered,
                           const Theme& theme, QWidget* parent)
    : QFrame(parent), m_question(question), m_session(session), m_theme(theme), m_answered(answered),
      m_recalled(answered) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    m_earlier = new QLabel;
    layout->addWidget(m_earlier);
    layout->addWidget(text(question.ask));
    switch (question.kind) {
    case QuestionKind::choice: buildChoice(); break;
    case QuestionKind::number: buildNumber(); break;
    case QuestionKind::goal: buildGoal(); break;
    }
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(6);
    for (QPushButton** button : {&m_start, &m_check, &m_hintButton, &m_show, &m_showAnswer}) {
        *button = new QPushButton;
        buttons->addWidget(*button);
    }
    buttons->addStretch(1);
    layout->addLayout(buttons);
    m_start->setObjectName(u"start"_s);
    m_check->setObjectName(u"check"_s);
    m_hintButton->setObjectName(u"hint"_s);
    m_show->setObjectName(u"showMe"_s);
    m_showAnswer->setObjectName(u"showAnswer"_s);
    const bool goal = question.kind == QuestionKind::goal;
    m_start->setVisible(goal);
    m_show->setVisible(goal);
    m_check->setVisible(!goal);
    m_showAnswer->hide();
    m_hintButton->setVisible(!question.hint.empty());
    connect(m_start, &QPushButton::clicked, this, &QuestionCard::startGoal);
    connect(m_show, &QPushButton::clicked, this, &QuestionCard::showSolution);
    connect(m_check, &QPushButton::clicked, this, &QuestionCard::check);
    connect(m_showAnswer, &QPushButton::clicked, this, &QuestionCard::showAnswer);
    connect(m_hintButton, &QPushButton::clicked, this, &QuestionCard::showHint);

    m_feedback = new QLabel;
    m_feedback->setObjectName(u"feedback"_s);
    m_feedback->setWordWrap(true);
    m_feedback->setTextFormat(Qt::PlainText);
    m_feedback->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_feedback->hide();
    layout->addWidget(m_feedback);
    m_hint = text(question.hint);
    m_hint->hide();
    layout->addWidget(m_hint);
    m_explain = text(question.explain);
    m_explain->hide();
    layout->addWidget(m_explain);
    retranslate();
    refresh();
}

MarkdownView* QuestionCard::text(const std::string& markdown) {
    auto* view = new MarkdownView(this);
    view->setPiece(markdown);
    m_texts.push_back(view);
    return view;
}

void QuestionCard::buildChoice() {
    m_options = new QButtonGroup(this);
    int id = 0;
    for (const lessons::Option& option : m_question.options) {
        auto* row = new QHBoxLayout;
        row->setSpacing(4);
        auto* button = new QRadioButton;
        m_options->addButton(button, id++);
        auto* label = new OptionText(button, this);
        label->setPiece(option.text);
        m_texts.push_back(label);
        row->addWidget(button, 0, Qt::AlignTop);
        row->addWidget(label, 1);
        static_cast<QVBoxLayout*>(layout())->addLayout(row);
        connect(button, &QRadioButton::toggled, this, [this](bool on) {
            if (on) otherAnswer();
            m_check->setEnabled(true);
        });
    }
}

void QuestionCard::buildNumber() {
    auto* row = new QHBoxLayout;
    m_number = new QLineEdit;
    m_number->setObjectName(u"answer"_s);
    m_number->setMaximumWidth(220);
    m_unit = new QLabel(unitText(m_question.unit));
    row->addWidget(m_number, 1);
    row->addWidget(m_unit);
    row->addStretch(1);
    static_cast<QVBoxLayout*>(layout())->addLayout(row);
    connect(m_number, &QLineEdit::returnPressed, this, &QuestionCard::check);
    connect(m_number, &QLineEdit::textEdited, this, [this](const QString& typed) {
        otherAnswer();
        m_check->setEnabled(!typed.trimmed().isEmpty());
    });
}

void QuestionCard::buildGoal() {
    // Without a start of its own the goal is asked of the plan at hand from the beginning.
    m_started = !m_question.start;
}

void QuestionCard::setState(State state, const QString& feedback) {
    const bool first = state == State::right && m_state != State::right;
    m_state = state;
    const QString sign = state == State::right ? u"✓ "_s : state == State::wrong ? u"✗ "_s : QString();
    m_feedback->setMinimumHeight(0);
    m_feedback->setText(feedback.isEmpty() ? QString() : sign + feedback);
    m_feedback->setVisible(!feedback.isEmpty());
    m_feedback->setAccessibleName(feedback);
    const bool done = state == State::right || state == State::shown;
    m_explain->setVisible((done || m_answered) && !m_question.explain.empty());
    m_showAnswer->setVisible(m_missed && !done && !m_answered);
    tint();
    if (!first) return;
    m_answered = true;
    emit answeredRight();
    emit answerShown();
}

// The line keeps its height: nothing moves under the mouse that chooses.
void QuestionCard::otherAnswer() {
    m_recalled = false;
    if (m_feedback->isHidden()) return;
    m_feedback->setMinimumHeight(m_feedback->height());
    m_feedback->setText(tr("Not checked yet."));
    m_feedback->setAccessibleName(m_feedback->text());
    m_state = State::open;
    tint();
}

void QuestionCard::recall() {
    if (m_question.kind == QuestionKind::choice) {
        chooseRight();
        m_recalled = true; // not chosen by hand
        setState(State::shown, tr("The right answer is marked."));
    } else if (m_question.kind == QuestionKind::number) {
        if (const auto answer = m_session.answer_text(m_question, localeNumberFormat()))
            setState(State::shown, tr("The answer is %1.").arg(toQString(*answer)));
    }
}

QRect QuestionCard::answerRect() const {
    QRect all;
    for (const QWidget* part : {static_cast<const QWidget*>(m_feedback), static_cast<const QWidget*>(m_hint),
                                static_cast<const QWidget*>(m_explain)})
        if (!part->isHidden()) all |= part->geometry();
    return all;
}

void QuestionCard::tint() {
    const Role role = m_state == State::right   ? Role::Good
                      : m_state == State::wrong ? Role::Bad
                                                : Role::Highlight;
    QPalette ink = m_feedback->palette();
    ink.setColor(QPalette::WindowText, m_state == State::open ? m_theme.mutedText() : m_theme.color(role));
    m_feedback->setPalette(ink);
    QPalette muted = m_earlier->palette();
    muted.setColor(QPalette::WindowText, m_theme.color(Role::Good));
    m_earlier->setPalette(muted);
}

void QuestionCard::refresh() {
    for (MarkdownView* view : m_texts) view->fill(m_session);
    if (m_options)
        for (QAbstractButton* button : m_options->buttons()) {
            const auto& option = m_question.options[static_cast<std::size_t>(m_options->id(button))];
            button->setAccessibleName(toQString(m_session.fill(option.text, localeNumberFormat()).text));
        }
    if (m_recalled) recall();
    // What was reached stays so while the learner plays on.
    if (m_question.kind == QuestionKind::goal && m_state != State::right) checkGoal();
}

void QuestionCard::startOver() {
    m_answered = m_recalled = false;
    m_solved = m_missed = false;
    m_started = m_question.kind != QuestionKind::goal || !m_question.start;
    m_hint->hide();
    if (m_number) m_number->clear();
    if (m_options) {
        m_options->setExclusive(false);
        for (QAbstractButton* button : m_options->buttons()) button->setChecked(false);
        m_options->setExclusive(true);
    }
    setState(State::open, {});
    retranslate();
}

void QuestionCard::setTheme(const Theme& theme) {
    m_theme = theme;
    tint();
    update();
}

void QuestionCard::keyPressEvent(QKeyEvent* event) {
    const bool enter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
    if (enter && qobject_cast<QRadioButton*>(focusWidget())) return check();
    QFrame::keyPressEvent(event);
}

void QuestionCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    paintCard(painter, rect(), m_theme.card(), m_theme.border());
}

void QuestionCard::retranslate() {
    m_earlier->setText(tr("✓ answered before"));
    m_earlier->setVisible(m_answered && m_state != State::right);
    m_check->setText(tr("Check"));
    m_hintButton->setText(m_hint->isHidden() ? tr("Hint") : tr("Hide hint"));
    m_start->setText(m_started && m_question.start ? tr("Start again") : tr("Start"));
    m_show->setText(tr("Show me"));
    m_showAnswer->setText(tr("Show the answer"));
    m_showAnswer->setToolTip(tr("The answer and the way to it; what is shown does not count as answered"));
    m_start->setToolTip(tr("Sets the plan that this task begins with; undo brings yours back"));
    m_show->setToolTip(tr("Sets a plan that meets the goal; undo brings yours back"));
    if (m_number) {
        m_number->setAccessibleName(tr("Your answer"));
        m_number->setPlaceholderText(tr("Your answer"));
    }
    setAccessibleName(tr("Question"));
}

QString QuestionCard::feedbackText() const { return m_feedback->text(); }
bool QuestionCard::explained() const { return !m_explain->isHidden(); }

} // namespace shardlens
