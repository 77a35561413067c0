// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson at work: its plans evaluated, its fields filled in, its questions asked.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "lessons/expression.h"
#include "lessons/lesson.h"
#include "lessons/number_format.h"
#include "report/report.h"

namespace shardlens {
class Catalog;
}

namespace shardlens::lessons {

/// What an answer was worth.
struct Feedback {
    bool right = false;
    double expected = 0;                ///< number: the answer in base units
    std::string why;                    ///< choice: why the option is wrong
    std::vector<std::string> moved;     ///< goal: fields moved that `allow` does not name
    std::optional<Message> broken_rule; ///< goal: the first rule that the plan at hand breaks
};

/// A text with its fields filled in. A field that has no value for the plan at hand (a stage that it does not
/// have) shows "–" and is named among the problems.
struct Filled {
    std::string text;
    std::vector<Error> problems;
};

class Session {
public:
    /// `catalog` must outlive the session. Nothing is evaluated before it is asked for.
    Session(std::shared_ptr<const Lesson> lesson, const Catalog& catalog);
    ~Session();
    Session(Session&&) noexcept;
    Session& operator=(Session&&) noexcept;

    [[nodiscard]] const Lesson& lesson() const;

    /// The lesson's plan with its `set`: what is loaded when the lesson opens.
    [[nodiscard]] Result<Plan> opening_plan() const;
    /// A plan of the front matter; "lesson" is the opening plan.
    [[nodiscard]] Result<Plan> named_plan(const std::string& name) const;
    /// Its report, evaluated once.
    [[nodiscard]] Result<std::shared_ptr<const Report>> named_report(const std::string& name) const;

    /// The plan at hand: what `report.` and `plan.` mean from now on. Without one they mean the opening plan.
    void set_report(std::shared_ptr<const Report> at_hand);

    /// Value of an expression: a number, or the text of a single name that is one (report.verdict).
    [[nodiscard]] Result<Value> value(const std::string& expression) const;
    [[nodiscard]] Result<double> number(const std::string& expression) const;
    [[nodiscard]] Filled fill(std::string_view markdown, const NumberFormat& format = {}) const;

    /// The plan behind a button: its named plan, or `at_hand`, with its edits.
    [[nodiscard]] Result<Plan> after(const Action& action, const Plan& at_hand) const;

    /// Where a goal starts, its solution and its wrong attempt.
    [[nodiscard]] Result<Plan> start_of(const Question& question) const;
    [[nodiscard]] Result<Plan> solution_of(const Question& question) const;
    [[nodiscard]] Result<Plan> wrong_attempt_of(const Question& question) const;

    /// `typed` in base units (number_format.h reads it).
    [[nodiscard]] Result<Feedback> check_number(const Question& question, double typed) const;
    /// The answer of a number question with its unit, in no more digits than it takes to be right.
    [[nodiscard]] Result<std::string> answer_text(const Question& question,
                                                  const NumberFormat& format = {}) const;
    [[nodiscard]] Feedback check_choice(const Question& question, std::size_t option) const;
    /// Against the plan at hand.
    [[nodiscard]] Result<Feedback> check_goal(const Question& question) const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Edits made as a hand makes them (edit_field: what must follow does), then every field named has the value
/// named, whatever the order in which they are written.
[[nodiscard]] Result<Plan> with_edits(Plan plan, const Edits& edits);

} // namespace shardlens::lessons
