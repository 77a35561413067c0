// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/session.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "catalog/acting_plan.h"
#include "catalog/catalog.h"
#include "plan/edit.h"
#include "plan/plan_json.h"
#include "report/diff.h"
#include "report/evaluate.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kOwnPlan = "lesson";
constexpr std::string_view kReport = "report.", kPlan = "plan.", kPreset = "preset.";
constexpr std::string_view kParameters = "plan.model.parameters";

std::optional<Value> value_of(const FieldValue& value) {
    if (const auto* truth = std::get_if<bool>(&value)) return Value(*truth ? 1.0 : 0.0);
    if (const auto* whole = std::get_if<std::int64_t>(&value)) return Value(static_cast<double>(*whole));
    if (const auto* number = std::get_if<double>(&value)) return Value(*number);
    if (const auto* text = std::get_if<std::string>(&value)) return Value(*text);
    return std::nullopt;
}

/// `plan.PATH`; lists by position.
Result<Value> plan_value(const Plan& plan, std::string_view path) {
    std::string_view field = path, position;
    if (!find_field(field))
        if (const std::size_t dot = path.rfind('.'); dot != std::string_view::npos) {
            field = path.substr(0, dot);
            position = path.substr(dot + 1);
        }
    if (!find_field(field) ||
        (!position.empty() && position.find_first_not_of("0123456789") != std::string_view::npos)) {
        std::vector<std::string_view> paths;
        for (const Field& known : fields()) paths.emplace_back(known.path);
        const std::string near = nearest(path, paths);
        return Error{"", fmt::format("a plan has no field {}; {} is right", one_line(path),
                                     near.empty() ? "one such as parallel.tensor" : near)};
    }
    const FieldValue value = get_field(plan, field);
    if (!position.empty() && position.size() < 9) {
        const std::size_t index = std::stoul(std::string(position));
        if (const auto* list = std::get_if<std::vector<std::int64_t>>(&value); list && index < list->size())
            return Value(static_cast<double>((*list)[index]));
        if (const auto* list = std::get_if<std::vector<std::string>>(&value); list && index < list->size())
            return Value((*list)[index]);
    } else if (const auto known = value_of(value)) {
        return *known;
    }
    return Error{"", fmt::format("the plan leaves {} out; a plan that gives it is right", path)};
}

/// A text of a plan or report for a reader: a verdict in words, anything else as it is.
std::string in_words(const std::string& text, const NumberFormat& format) {
    for (const auto& [verdict, words] :
         {std::pair(Verdict::fits, &format.fits), std::pair(Verdict::marginal, &format.marginal),
          std::pair(Verdict::does_not_fit, &format.does_not_fit)})
        if (text == to_string(verdict)) return *words;
    return text;
}

/// A report with its numbers by path.
class Figures {
public:
    explicit Figures(std::shared_ptr<const Report> report)
        : m_report(std::move(report)), m_plan(acting_plan(*m_report->setup)) {
        visit_numbers(*m_report,
                      [&](const std::string& path, const char*, double value) { m_numbers[path] = value; });
        m_numbers["valid"] = m_report->valid ? 1 : 0;
        m_numbers["fits"] = m_report->fits ? 1 : 0;
    }
    [[nodiscard]] const std::shared_ptr<const Report>& report() const { return m_report; }
    [[nodiscard]] Result<Value> at(std::string_view name) const {
        if (name.starts_with(kPlan)) {
            const Result<Value> given = plan_value(m_plan, name.substr(kPlan.size()));
            // A model's parameters are given or counted: the size is known either way.
            if (!given && name == kParameters) return at("report.model.parameters");
            return given;
        }
        const std::string path(name.substr(kReport.size()));
        if (const auto found = m_numbers.find(path); found != m_numbers.end()) return Value(found->second);
        if (path == "verdict") return Value(std::string(to_string(m_report->verdict)));
        if (path == "memory.peak_event") return Value(m_report->memory.peak_event);
        return Error{"", unknown(path)};
    }

private:
    [[nodiscard]] std::string unknown(const std::string& path) const {
        constexpr std::string_view kStages = "memory.stages.";
        if (path.starts_with(kStages)) {
            const std::size_t dot = path.find('.', kStages.size());
            if (dot != std::string::npos && m_numbers.contains("memory.stages.0" + path.substr(dot)))
                return fmt::format("there is no {} with {} pipeline stages; memory.stages.0 is right", path,
                                   m_report->memory.stages.size());
        }
        if (path == "time.time_to_train_s" || path.starts_with("cost."))
            return fmt::format(
                "this plan has no {}; one with training.tokens (and a price, a power) is right", path);
        std::vector<std::string_view> paths;
        for (const auto& [known, value] : m_numbers) paths.emplace_back(known);
        std::sort(paths.begin(), paths.end());
        const std::string near = nearest(path, paths);
        return fmt::format("a report has no number {}; {} is right", one_line(path),
                           near.empty() ? "one such as time.step_s" : near);
    }

    std::shared_ptr<const Report> m_report;
    Plan m_plan;
    std::unordered_map<std::string, double> m_numbers;
};

/// The value at a path in a preset's file.
Result<Value> json_value(const Json& preset, std::string_view path, const std::string& id) {
    const Json* at = &preset;
    for (std::size_t from = 0; from <= path.size();) {
        const std::size_t dot = std::min(path.find('.', from), path.size());
        const std::string key(path.substr(from, dot - from));
        if (at->is_object() && at->contains(key)) {
            at = &(*at)[key];
        } else if (at->is_array() && !key.empty() && key.size() < 9 &&
                   key.find_first_not_of("0123456789") == std::string::npos && std::stoul(key) < at->size()) {
            at = &(*at)[std::stoul(key)];
        } else {
            std::vector<std::string> keys;
            if (at->is_object())
                for (const auto& item : at->items()) keys.push_back(item.key());
            const std::vector<std::string_view> known(keys.begin(), keys.end());
            const std::string near = nearest(key, known);
            return Error{"",
                         fmt::format("preset {} has no {}; {} is right", id, one_line(path),
                                     near.empty() ? fmt::format("what presets show {} prints", id) : near)};
        }
        from = dot + 1;
    }
    if (at->is_number()) return Value(at->get<double>());
    if (at->is_boolean()) return Value(at->get<bool>() ? 1.0 : 0.0);
    if (at->is_string()) return Value(at->get<std::string>());
    return Error{"", fmt::format("{} of preset {} is no number", one_line(path), id)};
}

} // namespace

Result<Plan> with_edits(Plan plan, const Edits& edits) {
    // data last: the degrees before it make it follow.
    Edits ordered = edits;
    const auto late = [](const auto& edit) { return edit.first == "parallel.data"; };
    std::stable_partition(ordered.begin(), ordered.end(), [&](const auto& edit) { return !late(edit); });
    // A model must stand before its shape's fields, the cluster before what follows it.
    std::stable_partition(ordered.begin(), ordered.end(), [](const auto& edit) {
        return edit.first == "model" || edit.first == "cluster.gpus";
    });
    for (const auto& [path, value] : ordered)
        if (Error error = edit_field(plan, path, value); !error.what.empty()) {
            if (error.where.empty()) error.where = path;
            return error;
        }
    if (Error error = apply_fix(plan, Fix{ordered}); !error.what.empty()) return error;
    return plan;
}

struct Session::State : Names {
    std::shared_ptr<const Lesson> lesson;
    const Catalog* catalog = nullptr;
    std::shared_ptr<const Figures> at_hand; ///< null: the opening plan's
    mutable std::map<std::string, std::shared_ptr<const Figures>> named;
    mutable std::map<std::string, Json> presets;
    std::vector<std::string> preset_ids; ///< longest first

    [[nodiscard]] Result<Plan> base(const std::string& name) const {
        if (!name.ends_with(".json")) return catalog->plan(name);
        const std::filesystem::path folder = lesson->file.parent_path();
        std::error_code ignored;
        std::filesystem::path file = folder / name;
        if (!std::filesystem::exists(file, ignored)) file = folder.parent_path() / name;
        if (!std::filesystem::exists(file, ignored))
            return Error{
                "",
                fmt::format("there is no plan file {} beside the lesson; a preset's id or a file there is "
                            "right",
                            one_line(name))};
        return load_plan(file.string());
    }
    [[nodiscard]] Result<Plan> plan_from(const PlanSource& source) const {
        const bool own = source.base.empty();
        const Result<Plan> start = base(own ? lesson->plan.base : source.base);
        if (!start) return start;
        Plan plan = *start;
        if (own) {
            const Result<Plan> opened = with_edits(std::move(plan), lesson->plan.set);
            if (!opened) return opened;
            plan = *opened;
        }
        return with_edits(std::move(plan), source.set);
    }
    [[nodiscard]] const PlanSource* source(const std::string& name) const {
        static const PlanSource own{};
        if (name == kOwnPlan) return &own;
        for (const auto& [known, plan] : lesson->plans)
            if (known == name) return &plan;
        return nullptr;
    }
    [[nodiscard]] Result<Plan> named_plan(const std::string& name) const {
        if (const PlanSource* from = source(name)) return plan_from(*from);
        std::vector<std::string_view> names{kOwnPlan};
        for (const auto& [known, plan] : lesson->plans) names.emplace_back(known);
        const std::string near = nearest(name, names);
        return Error{"", fmt::format("there is no plan '{}' in the front matter; {} is right", one_line(name),
                                     near.empty() ? "one of `plans`" : near)};
    }
    [[nodiscard]] Result<std::shared_ptr<const Figures>> figures(const std::string& name) const {
        if (const auto found = named.find(name); found != named.end()) return found->second;
        const Result<Plan> plan = named_plan(name);
        if (!plan) return plan.error();
        const auto report = evaluate(*plan, *catalog, {.timeline = false, .traffic = false});
        if (!report) return report.error();
        return named[name] = std::make_shared<const Figures>(*report);
    }
    [[nodiscard]] Result<std::shared_ptr<const Figures>> present() const {
        if (at_hand) return at_hand;
        return figures(std::string(kOwnPlan));
    }
    [[nodiscard]] const std::string* preset_at(std::string_view text) const {
        for (const std::string& id : preset_ids)
            if (text.starts_with(id) && text.size() > id.size() && text[id.size()] == '.') return &id;
        return nullptr;
    }

    [[nodiscard]] std::size_t prefix(std::string_view text) const override {
        if (text.starts_with(kPreset)) {
            const std::string* id = preset_at(text.substr(kPreset.size()));
            return id ? kPreset.size() + id->size() : 0;
        }
        for (const auto& [name, plan] : lesson->plans) {
            const std::string_view behind = text.substr(std::min(name.size(), text.size()));
            if (text.starts_with(name) && (behind.starts_with(".report.") || behind.starts_with(".plan.")))
                return name.size();
        }
        return 0;
    }

    [[nodiscard]] Result<Value> value(std::string_view name) const override {
        if (name.starts_with(kReport) || name.starts_with(kPlan)) {
            const auto now = present();
            if (!now) return now.error();
            return (*now)->at(name);
        }
        if (name.starts_with(kPreset)) return preset_value(name.substr(kPreset.size()));
        const std::size_t dot = name.find('.');
        const std::string plan(name.substr(0, dot));
        const std::string_view inside = dot == std::string_view::npos ? "" : name.substr(dot + 1);
        if (inside.starts_with(kReport) || inside.starts_with(kPlan)) {
            const auto known = figures(plan);
            if (!known) return known.error();
            return (*known)->at(inside);
        }
        return Error{"",
                     fmt::format("the name {} stands for nothing; report.PATH, plan.PATH, PLAN.report.PATH, "
                                 "PLAN.plan.PATH or preset.ID.PATH is right",
                                 one_line(name))};
    }

    [[nodiscard]] Result<Value> preset_value(std::string_view name) const {
        const std::string* id = preset_at(name);
        if (!id) {
            const std::string first(name.substr(0, name.rfind('.')));
            const std::vector<std::string_view> known(preset_ids.begin(), preset_ids.end());
            const std::string near = nearest(first, known);
            return Error{"", fmt::format("there is no preset {}; {} is right", one_line(first),
                                         near.empty() ? "an id that presets list prints" : near)};
        }
        auto found = presets.find(*id);
        if (found == presets.end()) {
            const Result<std::string> text = catalog->text(*id);
            if (!text) return text.error();
            Result<Json> json = parse_strict(*text, "preset " + *id);
            if (!json) return json.error();
            found = presets.emplace(*id, std::move(json).value()).first;
        }
        return json_value(found->second, name.substr(id->size() + 1), *id);
    }
};

Session::Session(std::shared_ptr<const Lesson> lesson, const Catalog& catalog)
    : m_state(std::make_unique<State>()) {
    m_state->lesson = std::move(lesson);
    m_state->catalog = &catalog;
    for (const PresetKind kind :
         {PresetKind::model, PresetKind::node, PresetKind::accelerator, PresetKind::plan})
        for (std::string& id : catalog.ids(kind)) m_state->preset_ids.push_back(std::move(id));
    std::ranges::stable_sort(m_state->preset_ids, std::greater<>(), &std::string::size);
}
Session::~Session() = default;
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;

const Lesson& Session::lesson() const { return *m_state->lesson; }

Result<Plan> Session::opening_plan() const { return m_state->plan_from({}); }
Result<Plan> Session::named_plan(const std::string& name) const { return m_state->named_plan(name); }

Result<std::shared_ptr<const Report>> Session::named_report(const std::string& name) const {
    const auto figures = m_state->figures(name);
    if (!figures) return figures.error();
    return (*figures)->report();
}

void Session::set_report(std::shared_ptr<const Report> at_hand) {
    m_state->at_hand = at_hand ? std::make_shared<const Figures>(std::move(at_hand)) : nullptr;
}

Result<Value> Session::value(const std::string& expression) const {
    return evaluate_expression(expression, *m_state);
}

Result<double> Session::number(const std::string& expression) const {
    const Result<Value> found = value(expression);
    if (!found) return found.error();
    if (const auto* number = std::get_if<double>(&*found)) return *number;
    return Error{"", fmt::format("{} is a text; a number is right", one_line(expression))};
}

Filled Session::fill(std::string_view markdown, const NumberFormat& format) const {
    Filled filled;
    const Result<std::vector<LiveField>> fields = live_fields(markdown);
    if (!fields) {
        filled.text = markdown;
        filled.problems.push_back(fields.error());
        return filled;
    }
    std::size_t from = 0;
    for (const LiveField& field : *fields) {
        filled.text += markdown.substr(from, field.begin - from);
        from = field.end;
        const auto failed = [&](std::string what) {
            filled.text += "–";
            filled.problems.push_back({std::to_string(field.line), std::move(what)});
        };
        if (!is_unit(field.unit)) {
            std::string all;
            for (const std::string_view name : unit_names())
                all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
            failed(fmt::format("unit '{}'; one of {} is right", one_line(field.unit), all));
            continue;
        }
        const Result<Value> known = value(field.expression);
        if (!known) {
            failed(known.error().line());
        } else if (const auto* text = std::get_if<std::string>(&*known)) {
            if (field.unit == "text")
                filled.text += in_words(*text, format);
            else
                failed(fmt::format("{} is a text; the unit text is right", one_line(field.expression)));
        } else if (field.unit == "text") {
            failed(fmt::format("{} is a number; a unit such as 1 or s is right", one_line(field.expression)));
        } else {
            filled.text += format_number(std::get<double>(*known), field.unit, field.digits, format);
        }
    }
    filled.text += markdown.substr(from);
    return filled;
}

Result<Plan> Session::after(const Action& action, const Plan& at_hand) const {
    Plan plan = at_hand;
    if (!action.plan.empty()) {
        Result<Plan> named = named_plan(action.plan);
        if (!named) return named;
        plan = *std::move(named);
    }
    return with_edits(std::move(plan), action.set);
}

Result<Plan> Session::start_of(const Question& question) const {
    return m_state->plan_from(question.start.value_or(PlanSource{}));
}

Result<Plan> Session::solution_of(const Question& question) const {
    if (!question.solution.base.empty()) return m_state->plan_from(question.solution);
    Result<Plan> start = start_of(question);
    return start ? with_edits(*std::move(start), question.solution.set) : start;
}

Result<Plan> Session::wrong_attempt_of(const Question& question) const {
    if (!question.wrong.base.empty()) return m_state->plan_from(question.wrong);
    Result<Plan> start = start_of(question);
    return start ? with_edits(*std::move(start), question.wrong.set) : start;
}

Result<Feedback> Session::check_number(const Question& question, double typed) const {
    const Result<double> answer = number(question.answer);
    if (!answer) return answer.error();
    Feedback feedback;
    feedback.expected = *answer;
    // Of an exact answer only the arithmetic's own rounding is forgiven.
    constexpr double kRounding = 1e-13;
    feedback.right =
        std::fabs(typed - *answer) <= std::max(question.tolerance, kRounding) * std::fabs(*answer);
    return feedback;
}

Result<std::string> Session::answer_text(const Question& question, const NumberFormat& format) const {
    const Result<double> answer = number(question.answer);
    if (!answer) return answer.error();
    std::string shown = format_number(*answer, question.unit, {}, format);
    constexpr int kMostDigits = 9;
    for (int digits = 0; digits <= kMostDigits; ++digits) {
        const Result<double> read = read_number(shown, question.unit, format);
        if (!read) break; // in a larger unit than the one that is asked for, 16 GB for one in B
        const Result<Feedback> feedback = check_number(question, *read);
        if (feedback && feedback->right) break;
        shown = format_number(*answer, question.unit, digits, format);
    }
    return shown;
}

Feedback Session::check_choice(const Question& question, std::size_t option) const {
    if (option >= question.options.size()) return {};
    return {question.options[option].right, 0, question.options[option].why, {}, {}};
}

Result<Feedback> Session::check_goal(const Question& question) const {
    const auto now = m_state->present();
    if (!now) return now.error();
    Feedback feedback;
    if (!question.allow.empty()) {
        const Result<Plan> start = start_of(question);
        if (!start) return start.error();
        const auto allowed = [&](std::string_view path) {
            return std::ranges::count(question.allow, path) > 0;
        };
        const bool degrees = allowed("parallel.tensor") || allowed("parallel.pipeline") ||
                             allowed("parallel.context") || allowed("cluster.gpus");
        const bool size = allowed("model.parameters"); // by the model size as well, which changes the shape
        const bool stages = allowed("parallel.pipeline") || allowed("parallel.virtual_pipeline");
        for (const PlanDifference& difference : diff(*start, (*now)->report()->setup->plan)) {
            const std::string& path = difference.path;
            // What edit_field moves along with an allowed field.
            const bool follows =
                (path == "parallel.data" && degrees) ||
                ((path == "model" || path.starts_with("model.")) && size) ||
                (path == "cluster.gpus" && allowed("parallel.data")) ||
                (path == "parallel.sequence" && allowed("parallel.tensor")) ||
                ((path == "parallel.layers_per_stage" || path == "parallel.schedule") && stages);
            if (!allowed(path) && !follows) feedback.moved.push_back(path);
        }
    }
    // A plan that breaks a rule cannot be run: it reaches nothing, and may lack the goal's figures.
    const Report& report = *(*now)->report();
    const auto broken = std::ranges::find_if(report.messages, [](const Message& message) {
        return message.severity == Severity::error && message.code != "memory-exceeds";
    });
    if (broken != report.messages.end()) feedback.broken_rule = *broken;
    if (!report.valid) return feedback;
    const Result<double> met = number(question.goal);
    if (!met) return met.error();
    feedback.right = *met != 0 && feedback.moved.empty();
    return feedback;
}

} // namespace shardlens::lessons
