// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson as written: front matter, steps, and in each step text, buttons, questions and presenter's notes.
// A value; lessons/session.h gives its fields numbers.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "placement/all_reduce_steps.h"
#include "plan/message.h"
#include "sync/sgd.h"
#include "json/result.h"

namespace shardlens::lessons {

enum class View : std::uint8_t {
    overview,
    memory,
    time,
    pipeline,
    topology,
    compare,
    matrix,
    sgd,
    collective
};
[[nodiscard]] const char* to_string(View view);

/// Edits of plan fields as a lesson writes them; session.h applies them.
using Edits = std::vector<std::pair<std::string, FieldValue>>;

/// Where a plan starts and what is changed in it.
struct PlanSource {
    std::string base; ///< preset id or a plan file's name; "" = the lesson's plan with its `set`
    Edits set;
    int line = 0;
};

/// A live field of a text: `{{ expression | unit | digits }}`.
struct LiveField {
    std::string expression;
    std::string unit;
    std::optional<int> digits;      ///< behind the point; left out: three significant ones
    std::size_t begin = 0, end = 0; ///< in the text, braces included
    int line = 0;                   ///< of the text, its first line being 0
};

struct Prose {
    std::string markdown;
    int line = 0;
};
/// Markdown for the presenter alone.
struct Notes {
    std::string markdown;
    int line = 0;
};

/// An all-reduce to play step by step.
struct Play {
    placement::AllReduceKind kind = placement::AllReduceKind::ring;
    std::int64_t ranks = 8;
    std::int64_t per_node = 8;
    std::string bytes; ///< expression: of the whole vector
};

/// A button. What is absent or empty is left alone; applied in the order of the members.
struct Action {
    std::string label; ///< may hold live fields
    std::string plan;  ///< a named plan to load; "lesson" is the lesson's own
    Edits set;
    std::optional<int> pin; ///< 0 = A … 3 = D
    std::optional<View> view;
    std::string highlight; ///< report path
    std::optional<Play> play;
    std::optional<sync::Spec> sgd;
    std::optional<std::int64_t> matrix_tensor;
    int line = 0;
};

struct Option {
    std::string text;
    bool right = false;
    std::string why;
};

enum class QuestionKind : std::uint8_t { number, choice, goal };

struct Question {
    std::string id;
    QuestionKind kind = QuestionKind::number;
    std::string ask, hint, explain; ///< Markdown with live fields
    // number
    std::string answer; ///< expression
    std::string unit = "1";
    double tolerance = 0; ///< relative; 0 = exact
    // choice
    std::vector<Option> options;
    // goal
    std::string goal; ///< expression, met when not 0
    std::optional<PlanSource> start;
    PlanSource solution, wrong;     ///< from the start, or from the lesson's plan
    std::vector<std::string> allow; ///< fields that may be moved; empty = all
    std::optional<View> view;       ///< shown when the task starts
    int line = 0;
};

using Block = std::variant<Prose, Action, Question, Notes>;

struct Step {
    std::string heading; ///< "" for the introduction
    std::vector<Block> blocks;
    int line = 0;
};

struct Lesson {
    std::string id, title, summary;
    std::int64_t order = 0;
    std::int64_t minutes = 0;
    PlanSource plan;
    std::vector<std::pair<std::string, PlanSource>> plans; ///< named, for figures that stand still
    std::vector<View> views;                               ///< the first is shown at the start
    std::string focus;                                     ///< report path, may be empty
    std::vector<Step> steps;                               ///< steps[0] is the introduction
    std::filesystem::path file;                            ///< where it was read; plan files lie beside it

    /// In order of appearance.
    [[nodiscard]] std::vector<const Question*> questions() const;
    [[nodiscard]] std::vector<const Action*> actions() const;
};

/// A lesson and everything that is wrong with its form; `where` of an error is "file:line".
struct Parsed {
    Lesson lesson;
    std::vector<Error> problems;
};

/// Reads the text of a lesson; never throws. Names, paths and expressions are not looked up yet: check.h does
/// that.
[[nodiscard]] Parsed parse_lesson(std::string_view text, const std::filesystem::path& file);

/// The live fields of a text in order. A malformed one is an error; its `where` is the line in the text ("0"
/// first).
[[nodiscard]] Result<std::vector<LiveField>> live_fields(std::string_view text);

/// Every text of a lesson that may hold live fields, with the line it starts on: prose, labels, questions,
/// options, notes.
struct TextPiece {
    std::string_view text;
    int line = 0;
};
[[nodiscard]] std::vector<TextPiece> texts(const Lesson& lesson);

} // namespace shardlens::lessons
