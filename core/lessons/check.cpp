// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/check.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "catalog/catalog.h"
#include "lessons/session.h"
#include "plan/fields.h"
#include "report/evaluate.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

class Checker {
public:
    Checker(const std::shared_ptr<const Lesson>& lesson, const Catalog& catalog)
        : m_lesson(*lesson), m_catalog(catalog), m_session(lesson, catalog) {}

    std::vector<Error> run() {
        if (check_plans()) {
            walk_actions();
            check_questions();
            check_texts();
            check_path(1, "focus", m_lesson.focus);
        }
        std::ranges::stable_sort(m_found, {}, &std::pair<int, std::string>::first);
        std::vector<Error> problems;
        for (auto& [line, what] : m_found)
            problems.push_back({fmt::format("{}:{}", m_lesson.file.string(), line), std::move(what)});
        return problems;
    }

private:
    void problem(int line, std::string what) { m_found.emplace_back(line, std::move(what)); }

    /// Every plan of the front matter can be made and evaluated; without the first nothing else can be
    /// checked.
    bool check_plans() {
        const auto failed = [&](int line, const Error& error) { problem(line, error.line()); };
        const auto opening = m_session.named_report("lesson");
        if (!opening) {
            failed(m_lesson.plan.line, opening.error());
            return false;
        }
        m_states.push_back(*opening);
        std::set<std::string> seen;
        for (const auto& [name, source] : m_lesson.plans) {
            if (!seen.insert(name).second) continue;
            if (const auto report = m_session.named_report(name); !report)
                failed(source.line, report.error());
        }
        return true;
    }

    /// The learner presses every button, one after the other.
    void walk_actions() {
        Plan plan = m_states.front()->setup->plan;
        for (const Action* action : m_lesson.actions()) {
            const Result<Plan> next = m_session.after(*action, plan);
            if (!next) {
                problem(action->line, next.error().line());
                continue;
            }
            plan = *next;
            add_state(action->line, plan);
            check_path(action->line, "highlight", action->highlight);
            if (action->play) check_play(*action);
        }
    }

    std::shared_ptr<const Report> add_state(int line, const Plan& plan) {
        const auto report = evaluate(plan, m_catalog, {.timeline = false, .traffic = false});
        if (!report) {
            problem(line, report.error().line());
            return nullptr;
        }
        m_states.push_back(*report);
        return *report;
    }

    void check_play(const Action& action) {
        const Play& play = *action.play;
        const Result<double> bytes = m_session.number(play.bytes);
        if (!bytes)
            problem(action.line, "play.bytes: " + bytes.error().line());
        else if (!(*bytes > 0))
            problem(action.line, fmt::format("play.bytes is {}; a number above 0 is right", *bytes));
        std::vector<std::int64_t> ranks, nodes;
        for (std::int64_t rank = 0; rank < play.ranks; ++rank) {
            ranks.push_back(rank);
            nodes.push_back(rank / play.per_node);
        }
        const auto steps = placement::AllReduceSteps::make(play.kind, ranks, nodes, 1);
        if (!steps) problem(action.line, steps.error().what);
    }

    void check_path(int line, const char* key, const std::string& path) {
        if (path.empty()) return;
        if (const auto error = nowhere([&] { return error_of(m_session.number("report." + path)); }))
            problem(line, fmt::format("{}: {}", key, *error));
    }

    static std::optional<std::string> error_of(const Result<double>& value) {
        return value ? std::nullopt : std::optional(value.error().line());
    }

    /// What is wrong at the opening, when it is wrong in every plan that the lesson leads to.
    template <class Look> std::optional<std::string> nowhere(Look&& look) {
        std::optional<std::string> first;
        for (const auto& state : m_states) {
            m_session.set_report(state);
            const std::optional<std::string> error = look();
            if (!error) {
                first.reset();
                break;
            }
            if (!first) first = error;
        }
        m_session.set_report(m_states.front());
        return first;
    }

    void check_questions() {
        std::set<std::string> ids;
        for (const Question* question : m_lesson.questions()) {
            if (!ids.insert(question->id).second)
                problem(question->line,
                        fmt::format("the id {} stands twice; another is right", question->id));
            if (question->kind == QuestionKind::number && !question->answer.empty()) check_number(*question);
            if (question->kind == QuestionKind::goal && !question->goal.empty()) check_goal(*question);
        }
    }

    void check_number(const Question& question) {
        const Result<double> answer = m_session.number(question.answer);
        if (!answer) {
            problem(question.line, "answer: " + answer.error().line());
            return;
        }
        const double scale = unit_scale(question.unit), typed = *answer / scale;
        const double wrong = (typed * (1 + 3 * question.tolerance) + 1) * scale;
        const auto right = m_session.check_number(question, *answer),
                   refused = m_session.check_number(question, wrong);
        if (!right || !right->right) problem(question.line, "the right answer is refused");
        if (!refused || refused->right)
            problem(question.line, fmt::format("{} {} passes although the answer is {}", wrong / scale,
                                               question.unit, typed));
        const bool whole = std::fabs(typed - std::round(typed)) < 1e-9 * std::max(1.0, std::fabs(typed));
        if (question.tolerance == 0 && !whole)
            problem(question.line,
                    fmt::format("nobody types {} {} to the last digit; a tolerance such as 0.02 is right",
                                typed, question.unit));
    }

    void check_goal(const Question& question) {
        const auto attempt = [&](const char* name, const Result<Plan>& plan, bool meets) {
            if (!plan) {
                problem(question.line, fmt::format("{}: {}", name, plan.error().line()));
                return;
            }
            const auto report = add_state(question.line, *plan);
            if (!report) return;
            m_session.set_report(report);
            const Result<Feedback> feedback = m_session.check_goal(question);
            m_session.set_report(m_states.front());
            if (!feedback) {
                problem(question.line, fmt::format("goal at the {}: {}", name, feedback.error().line()));
            } else if (meets && !feedback->moved.empty()) {
                problem(question.line, fmt::format("the {} moves {}, which allow does not name", name,
                                                   feedback->moved.front()));
            } else if (feedback->right != meets) {
                problem(question.line,
                        meets ? fmt::format("the {} does not meet the goal {}", name, question.goal)
                              : fmt::format("the {} meets the goal {} already", name, question.goal));
            }
        };
        attempt("start", m_session.start_of(question), false);
        attempt("solution", m_session.solution_of(question), true);
        attempt("wrong attempt", m_session.wrong_attempt_of(question), false);
        for (const std::string& path : question.allow)
            if (!find_field(path))
                problem(question.line, fmt::format("allow: a plan has no field {}", one_line(path)));
    }

    void check_texts() {
        for (const auto& [what, text] :
             {std::pair("title", &m_lesson.title), std::pair("summary", &m_lesson.summary)}) {
            if (text->find("{{") != std::string::npos)
                problem(1, fmt::format("{} takes no live fields", what));
            for (const auto& [line, figure] : typed_figures(*text)) problem(1, typed(figure));
        }
        for (const TextPiece& piece : texts(m_lesson)) {
            std::vector<Error> errors;
            const auto error = nowhere([&]() -> std::optional<std::string> {
                Filled filled = m_session.fill(piece.text);
                if (filled.problems.empty()) return std::nullopt;
                if (errors.empty()) errors = std::move(filled.problems);
                return errors.front().what;
            });
            if (error)
                for (const Error& field : errors) problem(piece.line + std::stoi(field.where), field.what);
            for (const auto& [line, figure] : typed_figures(piece.text))
                problem(piece.line + line, typed(figure));
            check_markup(piece);
        }
    }

    static std::string typed(const std::string& figure) {
        return fmt::format("the figure {} is typed; a live field that computes it is right", figure);
    }

    void check_markup(const TextPiece& piece) {
        int line = 0;
        bool code = false;
        for (std::size_t i = 0; i + 1 < piece.text.size(); ++i) {
            const char c = piece.text[i], next = piece.text[i + 1];
            if (c == '\n') ++line;
            if (c == '`') code = !code;
            if (code) continue;
            if (c == '!' && next == '[')
                problem(piece.line + line, "an image; the views show pictures, text alone is right");
            const bool tag = c == '<' && (next == '/' || (next >= 'a' && next <= 'z')) &&
                             piece.text.substr(i, 40).find('>') != std::string_view::npos;
            if (tag) problem(piece.line + line, "HTML; Markdown alone is right");
        }
    }

    const Lesson& m_lesson;
    const Catalog& m_catalog;
    Session m_session;
    std::vector<std::shared_ptr<const Report>> m_states; ///< the opening, then what buttons and goals lead to
    std::vector<std::pair<int, std::string>> m_found;
};

std::string written(const Edits& edits) {
    std::string text;
    for (const auto& [path, value] : edits) text += fmt::format(" {}={}", path, to_text(value));
    return text;
}
std::string written(const PlanSource& source) { return source.base + written(source.set); }

/// A block without its prose, with its line; prose itself is none.
std::optional<std::pair<int, std::string>> form_of(const Block& block) {
    if (const auto* notes = std::get_if<Notes>(&block)) return std::pair(notes->line, std::string("notes"));
    if (const auto* action = std::get_if<Action>(&block)) {
        std::string form = "action " + action->plan + written(action->set);
        if (action->pin) form += fmt::format(" pin {}", *action->pin);
        if (action->view) form += fmt::format(" view {}", to_string(*action->view));
        if (!action->highlight.empty()) form += " highlight " + action->highlight;
        if (const auto& play = action->play)
            form += fmt::format(" play {} {} {} {}", to_string(play->kind), play->ranks, play->per_node,
                                play->bytes);
        if (const auto& sgd = action->sgd)
            form += fmt::format(" sgd {} {} {} {} {} {} {}", to_string(sgd->variant), sgd->workers,
                                sgd->wait_for, to_string(sgd->delay.kind), sgd->delay.floor_s,
                                sgd->delay.tail_s, sgd->delay.shape);
        if (action->matrix_tensor) form += fmt::format(" matrix {}", *action->matrix_tensor);
        return std::pair(action->line, form);
    }
    if (const auto* question = std::get_if<Question>(&block)) {
        std::string form =
            fmt::format("question {} {} {} {} {} hint={} ", question->id, static_cast<int>(question->kind),
                        question->answer, question->unit, question->tolerance, !question->hint.empty());
        for (const Option& option : question->options) form += option.right ? "+" : "-";
        form += question->goal + written(question->start.value_or(PlanSource{})) + " / " +
                written(question->solution) + " / " + written(question->wrong) + " /";
        for (const std::string& path : question->allow) form += " " + path;
        if (question->view) form += fmt::format(" view {}", to_string(*question->view));
        return std::pair(question->line, form);
    }
    return std::nullopt;
}

/// A step without its prose.
struct Form {
    std::vector<std::pair<int, std::string>> blocks;
    std::vector<std::string> fields; ///< sorted: word order differs between languages
};

Form form_of(const Step& step) {
    Form form;
    for (const Block& block : step.blocks)
        if (auto part = form_of(block)) form.blocks.push_back(*std::move(part));
    Lesson alone;
    alone.steps.push_back(step);
    for (const TextPiece& piece : texts(alone))
        if (const auto fields = live_fields(piece.text))
            for (const LiveField& field : *fields)
                form.fields.push_back(fmt::format("{{{{ {} | {}{} }}}}", field.expression, field.unit,
                                                  field.digits ? fmt::format(" | {}", *field.digits) : ""));
    std::ranges::sort(form.fields);
    return form;
}

} // namespace

std::vector<Error> check_lesson(const std::shared_ptr<const Lesson>& lesson, const Catalog& catalog) {
    return Checker(lesson, catalog).run();
}

std::vector<Error> check_pair(const Lesson& first, const Lesson& second) {
    std::vector<Error> problems;
    const std::string other = first.file.string();
    const auto problem = [&](int line, std::string what) {
        problems.push_back({fmt::format("{}:{}", second.file.string(), line), std::move(what)});
    };
    const auto same = [&](const char* key, bool equal) {
        if (!equal) problem(1, fmt::format("{} differs from {}; the same is right", key, other));
    };
    same("id", first.id == second.id);
    same("order", first.order == second.order);
    same("minutes", first.minutes == second.minutes);
    same("plan or set", written(first.plan) == written(second.plan));
    same("focus", first.focus == second.focus);
    same("views", first.views == second.views);
    same("plans", std::ranges::equal(first.plans, second.plans, [](const auto& a, const auto& b) {
             return a.first == b.first && written(a.second) == written(b.second);
         }));
    if (first.steps.size() != second.steps.size()) {
        problem(1, fmt::format("{} steps, {} in {}; the same is right", second.steps.size() - 1,
                               first.steps.size() - 1, other));
        return problems;
    }
    for (std::size_t i = 0; i < first.steps.size(); ++i) {
        const Form a = form_of(first.steps[i]), b = form_of(second.steps[i]);
        const int line = second.steps[i].line;
        if (a.blocks.size() != b.blocks.size())
            problem(line,
                    fmt::format("{} buttons, questions and notes in this step, {} in {}; the same is right",
                                b.blocks.size(), a.blocks.size(), other));
        for (std::size_t j = 0; j < std::min(a.blocks.size(), b.blocks.size()); ++j)
            if (a.blocks[j].second != b.blocks[j].second)
                problem(b.blocks[j].first,
                        fmt::format("this block differs from the one at {}:{} in more than its words", other,
                                    a.blocks[j].first));
        std::vector<std::string> missing, extra;
        std::ranges::set_difference(a.fields, b.fields, std::back_inserter(missing));
        std::ranges::set_difference(b.fields, a.fields, std::back_inserter(extra));
        for (const std::string& field : missing)
            problem(line, fmt::format("the field {} of {} is missing in this step", field, other));
        for (const std::string& field : extra)
            problem(line, fmt::format("the field {} does not stand in this step of {}", field, other));
    }
    return problems;
}

std::vector<Error> check_library(const Library& library, const Catalog& catalog) {
    std::vector<Error> problems = library.problems;
    const auto add = [&](std::vector<Error> more) {
        problems.insert(problems.end(), std::make_move_iterator(more.begin()),
                        std::make_move_iterator(more.end()));
    };
    const bool languages =
        std::ranges::any_of(library.entries, [](const Entry& entry) { return entry.languages.size() > 1; });
    std::map<std::string, std::string> ids;
    std::map<std::int64_t, std::string> orders;
    for (const Entry& entry : library.entries) {
        const Lesson& lesson = *entry.languages.front().second;
        const std::string file = lesson.file.string();
        const auto [id, new_id] = ids.emplace(lesson.id, file);
        if (!new_id)
            problems.push_back({file + ":1", fmt::format("the id {} is that of {}; another is right",
                                                         lesson.id, id->second)});
        const auto [order, new_order] = orders.emplace(lesson.order, file);
        if (!new_order && lesson.order > 0)
            problems.push_back({file + ":1", fmt::format("order {} is that of {}; another is right",
                                                         lesson.order, order->second)});
        for (const auto& [language, each] : entry.languages) add(check_lesson(each, catalog));
        if (languages && entry.languages.size() == 1)
            problems.push_back(
                {file + ":1",
                 fmt::format("the lesson stands in {} alone; its translation of the same name is missing",
                             entry.languages.front().first)});
        if (entry.languages.size() > 1) add(check_pair(lesson, *entry.languages[1].second));
    }
    return problems;
}

} // namespace shardlens::lessons
