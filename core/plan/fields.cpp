// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/fields.h"

#include <cmath>
#include <fmt/format.h>
#include <unordered_map>

#include "plan/rows.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens {
namespace {

std::vector<Field> make_table() {
    std::vector<Field> table;
    table.reserve(120);
    detail::add_model_fields(table);
    detail::add_cluster_fields(table);
    detail::add_training_fields(table);
    detail::add_parallel_fields(table);
    detail::add_memory_fields(table);
    return table;
}

/// A plan in which every part exists and everything is left out.
const Plan& empty_plan() {
    static const Plan plan = [] {
        Plan p;
        ModelShape shape;
        shape.moe.emplace();
        shape.mla.emplace();
        p.model = std::move(shape);
        return p;
    }();
    return plan;
}

/// 8192 → "8192", 0.9 → "0.9", 1e16 → "1e16"; never "8192.0" or "1e+16".
std::string number_text(double number) {
    if (std::nearbyint(number) == number && std::abs(number) < 1e15)
        return std::to_string(static_cast<std::int64_t>(number));
    std::string text = fmt::format("{}", number);
    if (const std::size_t plus = text.find("e+"); plus != std::string::npos) text.erase(plus + 1, 1);
    return text;
}

Error wrong(const Field& field, std::string_view came) {
    return {field.path, fmt::format("{}; {} is right", came, expectation(field))};
}

/// "8" for text that came where something else is right.
std::string came(const FieldValue& value) {
    struct Namer {
        std::string operator()(std::monostate) const { return "nothing"; }
        std::string operator()(bool b) const {
            return b ? "true is not such a value" : "false is not such a value";
        }
        std::string operator()(std::int64_t n) const { return fmt::format("{} is a number", n); }
        std::string operator()(double d) const { return fmt::format("{} is a number", number_text(d)); }
        std::string operator()(const std::string& s) const {
            return fmt::format("\"{}\" is text", one_line(s));
        }
        std::string operator()(const std::vector<std::int64_t>&) const { return "a list of numbers"; }
        std::string operator()(const std::vector<std::string>&) const { return "a list of texts"; }
    };
    return std::visit(Namer{}, value);
}

/// Number of the value, where it is one.
std::optional<double> as_number(const FieldValue& value) {
    if (const auto* n = std::get_if<std::int64_t>(&value)) return static_cast<double>(*n);
    if (const auto* d = std::get_if<double>(&value)) return *d;
    return std::nullopt;
}

Result<FieldValue> check_number(const Field& field, const FieldValue& value) {
    const std::optional<double> number = as_number(value);
    if (!number) return wrong(field, came(value));
    const bool whole = std::nearbyint(*number) == *number; // false for NaN
    if (std::isnan(*number)) return wrong(field, "NaN is no number");
    if (field.type == FieldType::integer && !whole && std::isfinite(*number))
        return wrong(field, fmt::format("{} is not whole", number_text(*number)));
    if (!(*number >= field.minimum && *number <= field.maximum))
        return wrong(field, fmt::format("{} is out of bounds", number_text(*number)));
    if (field.type == FieldType::integer) return FieldValue{static_cast<std::int64_t>(*number)};
    return FieldValue{*number};
}

/// Text that fits on one line of UTF-8: it goes into messages, file names and job scripts.
std::string bad_text(std::string_view text) {
    if (!valid_utf8(text)) return fmt::format("\"{}\" is not UTF-8 text", one_line(text));
    for (const char c : text)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F)
            return fmt::format("\"{}\" has a control character", one_line(text));
    return {};
}

Result<FieldValue> check_one_choice(const Field& field, const std::string& text) {
    if (std::find(field.choices.begin(), field.choices.end(), text) != field.choices.end())
        return FieldValue{text};
    if (field.path == std::string_view("parallel.schedule") && schedule_kind(text))
        return wrong(field, fmt::format("\"{}\" is asynchronous and cannot be planned with", text));
    Error error = wrong(field, fmt::format("\"{}\" is unknown", one_line(text)));
    if (const std::string near = nearest(text, field.choices); !near.empty())
        error.what += fmt::format("; did you mean \"{}\"?", near);
    return error;
}

Result<FieldValue> check_texts(const Field& field, const FieldValue& value) {
    // An empty list of numbers is an empty list.
    if (const auto* numbers = std::get_if<std::vector<std::int64_t>>(&value); numbers && numbers->empty())
        return FieldValue{std::vector<std::string>{}};
    const auto* list = std::get_if<std::vector<std::string>>(&value);
    if (!list) return wrong(field, came(value));
    for (std::size_t i = 0; i < list->size(); ++i) {
        const std::string& text = (*list)[i];
        if (field.type == FieldType::choice_list) {
            if (auto one = check_one_choice(field, text); !one) return one;
            if (std::find(list->begin(), list->begin() + static_cast<std::ptrdiff_t>(i), text) !=
                list->begin() + static_cast<std::ptrdiff_t>(i))
                return wrong(field, fmt::format("\"{}\" stands twice in the list", text));
        } else if (const std::string bad = bad_text(text); !bad.empty()) {
            return wrong(field, fmt::format("{} (position {})", bad, i));
        } else if (text.empty()) {
            return wrong(field, fmt::format("an empty text (position {})", i));
        }
    }
    return value;
}

Result<FieldValue> check_integers(const Field& field, const FieldValue& value) {
    if (const auto* texts = std::get_if<std::vector<std::string>>(&value); texts && texts->empty())
        return FieldValue{std::vector<std::int64_t>{}};
    const auto* list = std::get_if<std::vector<std::int64_t>>(&value);
    if (!list) return wrong(field, came(value));
    for (std::size_t i = 0; i < list->size(); ++i) {
        const auto number = static_cast<double>((*list)[i]);
        if (number < field.minimum || number > field.maximum)
            return wrong(field, fmt::format("{} is out of bounds (position {})", (*list)[i], i));
    }
    return value;
}

bool is_shape_field(const Field& field) { return std::string_view(field.path).starts_with("model."); }

} // namespace

std::string_view Field::key() const {
    const std::string_view whole(path);
    const std::size_t dot = whole.rfind('.');
    return dot == std::string_view::npos ? whole : whole.substr(dot + 1);
}

std::string_view Field::group() const {
    const std::string_view whole(path);
    const std::size_t dot = whole.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : whole.substr(0, dot);
}

std::span<const Field> fields() {
    static const std::vector<Field> table = make_table();
    return table;
}

const Field* find_field(std::string_view path) {
    static const auto index = [] {
        std::unordered_map<std::string_view, const Field*> map;
        for (const Field& field : fields()) map.emplace(field.path, &field);
        return map;
    }();
    const auto found = index.find(path);
    return found == index.end() ? nullptr : found->second;
}

FieldValue get_field(const Plan& plan, std::string_view path) {
    const Field* field = find_field(path);
    return field ? field->get(plan) : FieldValue{};
}

FieldValue default_value(const Field& field) {
    return field.required ? FieldValue{} : field.get(empty_plan());
}

std::string expectation(const Field& field) {
    const std::string bounds =
        fmt::format("from {} to {}", number_text(field.minimum), number_text(field.maximum));
    switch (field.type) {
    case FieldType::boolean: return "true or false";
    case FieldType::integer: return "a whole number " + bounds;
    case FieldType::number: return "a number " + bounds;
    case FieldType::text:
        if (field.path == std::string_view("model")) return "the id of a model preset, or a model object,";
        return field.check_text ? field.check_text("?") : "text in one line";
    case FieldType::choice: return fmt::format("one of {}", fmt::join(field.choices, ", "));
    case FieldType::integer_list: return "a list of whole numbers " + bounds;
    case FieldType::choice_list:
        return fmt::format("{}a list out of {}", field.takes_bool ? "true, false or " : "",
                           fmt::join(field.choices, ", "));
    case FieldType::text_list: return "a list of texts in one line each";
    }
    return {};
}

Result<FieldValue> check_value(const Field& field, const FieldValue& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        if (field.required) return wrong(field, "is missing");
        return default_value(field);
    }
    switch (field.type) {
    case FieldType::boolean:
        if (!std::holds_alternative<bool>(value)) return wrong(field, came(value));
        return value;
    case FieldType::integer:
    case FieldType::number: return check_number(field, value);
    case FieldType::text: {
        const auto* text = std::get_if<std::string>(&value);
        if (!text) return wrong(field, came(value));
        if (const std::string bad = bad_text(*text); !bad.empty()) return wrong(field, bad);
        if (text->empty() && default_value(field) != value) return wrong(field, "empty text");
        if (field.check_text && !text->empty() && field.check_text(*text))
            return wrong(field, fmt::format("\"{}\" is unknown", one_line(*text)));
        return value;
    }
    case FieldType::choice: {
        const auto* text = std::get_if<std::string>(&value);
        return text ? check_one_choice(field, *text) : Result<FieldValue>(wrong(field, came(value)));
    }
    case FieldType::integer_list: return check_integers(field, value);
    case FieldType::choice_list:
        if (field.takes_bool && std::holds_alternative<bool>(value)) {
            Plan scratch;
            field.set(scratch, value);
            return field.get(scratch);
        }
        return check_texts(field, value);
    case FieldType::text_list: return check_texts(field, value);
    }
    return value;
}

Error set_field(Plan& plan, std::string_view path, const FieldValue& value) {
    const Field* field = find_field(path);
    if (!field) {
        std::vector<std::string_view> paths;
        for (const Field& known : fields()) paths.emplace_back(known.path);
        const std::string near = nearest(path, paths);
        return {one_line(path),
                near.empty() ? "is no field of a plan" : fmt::format("is no field; {} is", near)};
    }
    const auto* preset = std::get_if<std::string>(&plan.model);
    if (is_shape_field(*field) && preset)
        return {field->path,
                fmt::format("the model is the preset \"{}\"; a model object can be changed in its parts",
                            one_line(*preset))};
    auto checked = check_value(*field, value);
    if (!checked) return checked.error();
    // Leaving out a field of a part that is not there must not make the part.
    const bool part_exists = !is_shape_field(*field) || field->group() == "model" ||
                             !std::holds_alternative<std::monostate>(get_field(plan, path));
    if (std::holds_alternative<std::monostate>(value) && !part_exists) return {};
    field->set(plan, *checked);
    return {};
}

std::string to_text(const FieldValue& value) {
    struct Writer {
        std::string operator()(std::monostate) const { return {}; }
        std::string operator()(bool b) const { return b ? "true" : "false"; }
        std::string operator()(std::int64_t n) const { return std::to_string(n); }
        std::string operator()(double d) const { return number_text(d); }
        std::string operator()(const std::string& s) const { return s; }
        std::string operator()(const std::vector<std::int64_t>& list) const {
            return fmt::format("[{}]", fmt::join(list, ", "));
        }
        std::string operator()(const std::vector<std::string>& list) const {
            return fmt::format("[{}]", fmt::join(list, ", "));
        }
    };
    return std::visit(Writer{}, value);
}

namespace {
template <class E> std::string_view name_of(E value) {
    const auto& known = detail::names(value);
    const auto index = static_cast<std::size_t>(value);
    return index < known.size() ? known[index] : std::string_view{};
}
} // namespace

std::string_view to_string(Precision value) { return name_of(value); }
std::string_view to_string(Optimizer value) { return name_of(value); }
std::string_view to_string(Attention value) { return name_of(value); }
std::string_view to_string(Dtype value) { return name_of(value); }
std::string_view to_string(ScheduleKind value) { return name_of(value); }
std::string_view to_string(ContextKind value) { return name_of(value); }
std::string_view to_string(Recompute value) { return name_of(value); }
std::string_view to_string(RecomputeMethod value) { return name_of(value); }
std::string_view to_string(Offload value) { return name_of(value); }
std::string_view to_string(NormKind value) { return name_of(value); }
std::string_view to_string(QkNorm value) { return name_of(value); }
std::string_view to_string(Fidelity value) { return name_of(value); }

std::optional<ScheduleKind> schedule_kind(std::string_view name) {
    const auto found = std::find(detail::kScheduleNames.begin(), detail::kScheduleNames.end(), name);
    if (found == detail::kScheduleNames.end()) return std::nullopt;
    return static_cast<ScheduleKind>(found - detail::kScheduleNames.begin());
}

std::span<const std::string_view> recompute_module_names() { return detail::kRecomputeModuleNames; }

} // namespace shardlens
