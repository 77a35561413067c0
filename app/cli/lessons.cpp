// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "lessons/check.h"
#include "lessons/session.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

using Json = nlohmann::ordered_json;
using namespace lessons;

std::size_t count_fields(const Lesson& lesson) {
    std::size_t count = 0;
    for (const TextPiece& piece : texts(lesson))
        if (const auto fields = live_fields(piece.text)) count += fields->size();
    return count;
}

std::string languages_of(const Entry& entry) {
    std::string all;
    for (const auto& [language, lesson] : entry.languages)
        if (!language.empty()) all += (all.empty() ? "" : " ") + language;
    return all;
}

Outcome list(const Library& library, const Options& options) {
    Json lessons = Json::array();
    std::vector<std::vector<std::string>> rows;
    for (const Entry& entry : library.entries) {
        const Lesson& lesson = *entry.in(options.language);
        lessons.push_back({{"id", lesson.id},
                           {"order", lesson.order},
                           {"title", lesson.title},
                           {"summary", lesson.summary},
                           {"minutes", lesson.minutes},
                           {"languages", languages_of(entry)},
                           {"steps", lesson.steps.empty() ? 0 : lesson.steps.size() - 1},
                           {"questions", lesson.questions().size()},
                           {"fields", count_fields(lesson)}});
        rows.push_back({lesson.id, lesson.title, languages_of(entry)});
    }
    if (options.text) return {kDone, table(rows), ""};
    Json output;
    output["lessons"] = std::move(lessons);
    return {kDone, document(output), ""};
}

Outcome check(const Library& library, const Options& options, const Catalog& catalog) {
    const std::vector<Error> problems = check_library(library, catalog);
    std::string lines;
    Json all = Json::array();
    std::size_t fields = 0, questions = 0, lessons = 0;
    for (const Error& problem : problems) {
        lines += one_line(problem.line()) + "\n";
        all.push_back({{"where", problem.where}, {"what", problem.what}});
    }
    for (const Entry& entry : library.entries)
        for (const auto& [language, lesson] : entry.languages) {
            ++lessons;
            fields += count_fields(*lesson);
            questions += lesson->questions().size();
        }
    const int code = problems.empty() ? kDone : kBroken;
    if (options.text)
        return {code,
                lines + fmt::format("{} problems in {} files with {} live fields and {} questions\n",
                                    problems.size(), lessons, fields, questions),
                ""};
    Json output;
    output["files"] = lessons;
    output["fields"] = fields;
    output["questions"] = questions;
    output["problems"] = std::move(all);
    return {code, document(output), lines};
}

/// Texts of a lesson with their fields filled in.
class Shown {
public:
    Shown(const std::shared_ptr<const Lesson>& lesson, const Options& options, const Catalog& catalog)
        : m_session(lesson, catalog), m_format(NumberFormat::of(options.language)) {}

    [[nodiscard]] std::string filled(const std::string& text) const {
        return m_session.fill(text, m_format).text;
    }

    [[nodiscard]] Json json(const Block& block) const {
        if (const auto* prose = std::get_if<Prose>(&block))
            return {{"kind", "text"}, {"markdown", filled(prose->markdown)}};
        if (const auto* notes = std::get_if<Notes>(&block))
            return {{"kind", "notes"}, {"markdown", filled(notes->markdown)}};
        if (const auto* action = std::get_if<Action>(&block))
            return {{"kind", "action"}, {"label", filled(action->label)}};
        const Question& question = std::get<Question>(block);
        Json object = {{"kind", "question"}, {"id", question.id}, {"ask", filled(question.ask)}};
        if (question.kind == QuestionKind::number) {
            const auto answer = m_session.number(question.answer);
            object["answer"] = answer ? json_number(*answer / unit_scale(question.unit)) : Json();
            object["unit"] = question.unit;
        }
        for (const Option& option : question.options)
            object["options"].push_back(
                {{"text", filled(option.text)}, {"right", option.right}, {"why", filled(option.why)}});
        if (question.kind == QuestionKind::goal) object["goal"] = question.goal;
        object["hint"] = filled(question.hint);
        object["explain"] = filled(question.explain);
        return object;
    }

    [[nodiscard]] std::string text(const Block& block) const {
        if (const auto* prose = std::get_if<Prose>(&block)) return filled(prose->markdown) + "\n";
        if (const auto* notes = std::get_if<Notes>(&block)) return "> " + filled(notes->markdown) + "\n";
        if (const auto* action = std::get_if<Action>(&block)) return "[" + filled(action->label) + "]\n\n";
        const Question& question = std::get<Question>(block);
        std::string shown = "? " + filled(question.ask) + "\n";
        for (const Option& option : question.options)
            shown += fmt::format("  {} {}\n", option.right ? "+" : "-", filled(option.text));
        if (question.kind == QuestionKind::number)
            if (const auto answer = m_session.number(question.answer))
                shown += "  = " + format_number(*answer, question.unit, {}, m_format) + "\n";
        return shown + "  " + filled(question.explain) + "\n\n";
    }

private:
    Session m_session;
    NumberFormat m_format;
};

Outcome show(const std::shared_ptr<const Lesson>& lesson, const Options& options, const Catalog& catalog) {
    const Shown shown(lesson, options, catalog);
    const std::size_t count = lesson->steps.size();
    if (options.step && *options.step >= static_cast<std::int64_t>(count))
        return unreadable({lesson->file.string(),
                           fmt::format("there is no step {}; 0 to {} is right", *options.step, count - 1)});
    std::string text = "# " + lesson->title + "\n\n";
    Json steps = Json::array();
    for (std::size_t i = 0; i < count; ++i) {
        if (options.step && static_cast<std::size_t>(*options.step) != i) continue;
        const Step& step = lesson->steps[i];
        Json blocks = Json::array();
        if (!step.heading.empty()) text += "## " + shown.filled(step.heading) + "\n\n";
        for (const Block& block : step.blocks) {
            text += shown.text(block);
            blocks.push_back(shown.json(block));
        }
        steps.push_back(
            {{"step", i}, {"heading", shown.filled(step.heading)}, {"blocks", std::move(blocks)}});
    }
    if (options.text) return {kDone, text, ""};
    Json output;
    output["id"] = lesson->id;
    output["title"] = lesson->title;
    output["summary"] = lesson->summary;
    output["steps"] = std::move(steps);
    return {kDone, document(output), ""};
}

} // namespace

Outcome lessons_command(const Options& options, const Catalog& catalog) {
    const std::string& action = options.positional[0];
    const bool given = options.positional.size() > 1;
    if (action != "list" && action != "show" && action != "check")
        return unreadable(
            {"shardlens-cli", fmt::format("lessons takes list, show ID or check DIR, not '{}'", action)});
    if (action == "show" && !given)
        return unreadable({"shardlens-cli", "lessons show: the ID or file of a lesson is missing"});
    const std::filesystem::path shipped = default_lessons("/proc/self/exe");
    std::error_code ignored;
    const bool file = given && (action != "show" || std::filesystem::exists(options.positional[1], ignored));
    if (!file && shipped.empty())
        return unreadable(
            {"shardlens-cli", "no lessons are installed; a folder or file of lessons is right"});
    const auto library = load_lessons(file ? std::filesystem::path(options.positional[1]) : shipped);
    if (!library) return unreadable(library.error());
    if (action == "check") return check(*library, options, catalog);
    if (action == "list") return list(*library, options);
    if (file) return show(library->entries.front().in(options.language), options, catalog);
    if (const Entry* entry = library->find(options.positional[1]))
        return show(entry->in(options.language), options, catalog);
    std::vector<std::string_view> ids;
    for (const Entry& entry : library->entries) ids.emplace_back(entry.languages.front().second->id);
    const std::string near = nearest(options.positional[1], ids);
    return unreadable(
        {"shardlens-cli", fmt::format("there is no lesson {}; {} is right", options.positional[1],
                                      near.empty() ? "an id that lessons list prints" : near)});
}

} // namespace shardlens::cli
