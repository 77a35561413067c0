// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/yaml_blocks.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "lessons/number_format.h"
#include "lessons/yaml_reader.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

constexpr std::array<std::string_view, 9> kViews = {"overview", "memory", "time", "pipeline",  "topology",
                                                    "compare",  "matrix", "sgd",  "collective"};
constexpr std::array<std::string_view, 4> kPlays = {"ring", "tree", "two-level", "parameter-server"};
constexpr std::array<std::string_view, 4> kPins = {"A", "B", "C", "D"};
constexpr std::array<std::string_view, 3> kQuestions = {"number", "choice", "goal"};

bool kebab_case(std::string_view text) {
    return !text.empty() && text.front() != '-' && text.back() != '-' &&
           std::ranges::all_of(
               text, [](char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; });
}

std::string read_id(YamlMap& map) {
    std::string id = map.text("id", true);
    if (!id.empty() && !kebab_case(id))
        map.problem(map.at("id"),
                    fmt::format("id '{}'; small letters, digits and - are right", one_line(id)));
    return id;
}

Edits read_edits(YamlMap& map, std::string_view key) {
    Edits edits;
    if (std::optional<YamlMap> set = map.map(key))
        set->pairs([&](const std::string& path, const YAML::Node& node) {
            if (const auto value = field_value(node))
                edits.emplace_back(path, *value);
            else
                set->problem(node, fmt::format("{} takes a value or a list of values", one_line(path)));
        });
    return edits;
}

std::optional<PlanSource> read_source(YamlMap& map, std::string_view key) {
    std::optional<YamlMap> part = map.map(key);
    if (!part) return std::nullopt;
    PlanSource source;
    source.line = map.line(map.at(key));
    source.base = part->text("plan");
    source.set = read_edits(*part, "set");
    part->finish();
    return source;
}

std::optional<View> read_view(const YamlMap& map, const YAML::Node& node) {
    const std::string name = node.IsScalar() ? node.Scalar() : "";
    const auto found = std::ranges::find(kViews, name);
    if (found != kViews.end()) return static_cast<View>(found - kViews.begin());
    map.problem(node,
                fmt::format("view '{}'; overview, memory, time, pipeline, topology, compare, matrix, sgd or "
                            "collective is right",
                            one_line(name)));
    return std::nullopt;
}

Play read_play(YamlMap& part) {
    Play play;
    constexpr std::int64_t kMostRanks = 4096;
    if (const auto kind = part.choice("kind", kPlays))
        play.kind = static_cast<placement::AllReduceKind>(*kind);
    play.ranks = part.integer("ranks", 2, kMostRanks).value_or(play.ranks);
    play.per_node = part.integer("per_node", 1, kMostRanks).value_or(play.ranks);
    play.bytes = part.text("bytes");
    if (play.bytes.empty()) play.bytes = "1e9";
    part.finish();
    return play;
}

sync::Spec read_sgd(YamlMap& part) {
    sync::Spec spec;
    if (const auto variant = part.choice("variant", sync::variant_names()))
        spec.variant = static_cast<sync::Variant>(*variant);
    spec.workers = part.integer("workers", 1, sync::kMaxWorkers).value_or(spec.workers);
    const std::int64_t usual = std::max<std::int64_t>(1, spec.workers / 2);
    spec.wait_for = part.integer("wait_for", 1, sync::kMaxWorkers).value_or(usual);
    sync::DelayWords words;
    if (const std::string kind = part.text("delay"); !kind.empty()) words.kind = kind;
    words.mean_s = part.number("mean");
    words.shift_s = part.number("shift");
    words.shape = part.number("shape");
    words.scale_s = part.number("scale");
    part.finish();
    std::string problem;
    if (const auto delay = sync::make_delay(words, problem)) spec.delay = *delay;
    if (problem.empty()) problem = sync::check(spec);
    if (!problem.empty()) part.problem("sgd: " + problem);
    return spec;
}

void read_number_question(YamlMap& map, Question& question) {
    question.answer = map.text("answer", true);
    if (const std::string unit = map.text("unit"); !unit.empty()) question.unit = unit;
    if (!is_unit(question.unit) || question.unit == "text" || question.unit == "auto") {
        std::string all;
        for (const std::string_view name : unit_names())
            if (name != "text" && name != "auto") all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
        map.problem(map.at("unit"),
                    fmt::format("unit '{}'; one of {} is right", one_line(question.unit), all));
        question.unit = "1";
    }
    if (const auto tolerance = map.number("tolerance")) {
        if (*tolerance >= 0 && *tolerance < 1)
            question.tolerance = *tolerance;
        else
            map.problem(map.at("tolerance"), "tolerance takes a number from 0 (exact) to less than 1");
    }
}

void read_options(YamlMap& map, Question& question) {
    std::size_t right = 0;
    map.each("options", [&](const YAML::Node& node) {
        YamlMap part(node, map.source(), "option");
        Option option;
        option.text = part.text("text", true);
        option.why = part.text("why");
        const YAML::Node is_right = part.at("right");
        if (is_right.IsDefined()) {
            option.right = is_right.IsScalar() && is_right.Scalar() == "true";
            if (!option.right && !(is_right.IsScalar() && is_right.Scalar() == "false"))
                part.problem(is_right, "right is true or false");
        }
        if (!option.right && option.why.empty()) part.problem("a wrong option says why it is wrong");
        right += option.right ? 1 : 0;
        part.finish();
        question.options.push_back(std::move(option));
    });
    if (right == 0 || right == question.options.size())
        map.problem(fmt::format("{} of {} options are right; at least one right and one wrong are right",
                                right, question.options.size()));
}

void read_goal(YamlMap& map, Question& question) {
    question.goal = map.text("goal", true);
    question.start = read_source(map, "start");
    const auto solution = read_source(map, "solution"), wrong = read_source(map, "wrong");
    if (!solution) map.problem("solution is missing; {set: {PATH: VALUE}} is right");
    if (!wrong) map.problem("wrong is missing; {set: {PATH: VALUE}} of an attempt that does not do is right");
    question.solution = solution.value_or(PlanSource{});
    question.wrong = wrong.value_or(PlanSource{});
    map.each("allow", [&](const YAML::Node& node) {
        if (node.IsScalar())
            question.allow.push_back(node.Scalar());
        else
            map.problem(node, "allow is a list of plan paths");
    });
    if (const YAML::Node view = map.at("view"); view.IsDefined()) question.view = read_view(map, view);
}

} // namespace

const char* to_string(View view) { return kViews[static_cast<std::size_t>(view)].data(); }

void read_front_matter_yaml(const std::string& text, const YamlSource& source, Lesson& lesson) {
    YamlMap map(text, source);
    lesson.id = read_id(map);
    constexpr std::int64_t kMost = 10000;
    lesson.order = map.integer("order", 0, kMost).value_or(0);
    lesson.minutes = map.integer("minutes", 1, kMost).value_or(0);
    lesson.title = map.text("title", true);
    lesson.summary = map.text("summary", true);
    lesson.plan.base = map.text("plan", true);
    lesson.plan.line = map.line(map.at("plan"));
    lesson.plan.set = read_edits(map, "set");
    if (std::optional<YamlMap> plans = map.map("plans"))
        plans->pairs([&](const std::string& name, const YAML::Node& node) {
            const bool word =
                !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                        "0123456789_-") == std::string::npos;
            const bool letter = word && (name[0] < '0' || name[0] > '9') && name[0] != '-';
            if (!letter || name == "report" || name == "plan" || name == "preset" || name == "lesson")
                plans->problem(node,
                               fmt::format("a plan cannot be called '{}'; a name such as zero3 is right",
                                           one_line(name)));
            YamlMap part(node, source, "plans." + name);
            PlanSource plan;
            plan.line = map.line(node);
            plan.base = part.text("plan");
            plan.set = read_edits(part, "set");
            part.finish();
            lesson.plans.emplace_back(name, std::move(plan));
        });
    map.each("views", [&](const YAML::Node& node) {
        if (const auto view = read_view(map, node)) lesson.views.push_back(*view);
    });
    if (lesson.views.empty()) map.problem("views is missing; a list such as [memory] is right");
    lesson.focus = map.text("focus");
    map.finish();
}

Action read_action_yaml(const std::string& text, const YamlSource& source) {
    YamlMap map(text, source);
    Action action;
    action.label = map.text("label", true);
    action.plan = map.text("plan");
    action.set = read_edits(map, "set");
    if (const auto pin = map.choice("pin", kPins)) action.pin = static_cast<int>(*pin);
    if (const YAML::Node view = map.at("view"); view.IsDefined()) action.view = read_view(map, view);
    action.highlight = map.text("highlight");
    if (auto part = map.map("play")) action.play = read_play(*part);
    if (auto part = map.map("sgd")) action.sgd = read_sgd(*part);
    if (auto part = map.map("matrix")) {
        constexpr std::int64_t kMostParts = 64;
        action.matrix_tensor = part->integer("tensor", 1, kMostParts);
        if (!action.matrix_tensor) part->problem("matrix takes {tensor: 8}");
        part->finish();
    }
    map.finish();
    if (action.plan.empty() && action.set.empty() && !action.pin && !action.view &&
        action.highlight.empty() && !action.play && !action.sgd && !action.matrix_tensor)
        map.problem("the button does nothing; set, plan, pin, view, highlight, play, sgd or matrix is right");
    return action;
}

Question read_question_yaml(const std::string& text, const YamlSource& source) {
    YamlMap map(text, source);
    Question question;
    question.id = read_id(map);
    const auto kind = map.choice("kind", kQuestions);
    if (!map.at("kind").IsDefined()) map.problem("kind is missing; number, choice or goal is right");
    question.kind = static_cast<QuestionKind>(kind.value_or(0));
    question.ask = map.text("ask", true);
    question.hint = map.text("hint");
    question.explain = map.text("explain", true);
    if (kind && question.kind == QuestionKind::number) read_number_question(map, question);
    if (kind && question.kind == QuestionKind::choice) read_options(map, question);
    if (kind && question.kind == QuestionKind::goal) read_goal(map, question);
    if (kind) map.finish();
    return question;
}

} // namespace shardlens::lessons
