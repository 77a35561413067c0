// SPDX-License-Identifier: GPL-3.0-or-later
// Both directions walk the field table; the only names here are "schema" and "model", which may be text or an
// object.
#include "plan/plan_json.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plan/fields.h"
#include "plan/set_path.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kModel = "model";

std::string joined(std::string_view group, std::string_view key) {
    return group.empty() ? std::string(key) : fmt::format("{}.{}", group, key);
}

/// Is there a field below `path`?
bool is_group(std::string_view path) {
    const std::span<const Field> table = fields();
    return std::any_of(table.begin(), table.end(), [&](const Field& field) {
        return std::string_view(field.path).starts_with(path) &&
               std::string_view(field.path).size() > path.size() && field.path[path.size()] == '.';
    });
}

/// Names that may stand in the object at `group`: fields and nested objects.
std::vector<std::string_view> known_keys(std::string_view group) {
    std::vector<std::string_view> keys;
    if (group.empty()) keys.emplace_back("schema");
    const std::size_t skip = group.empty() ? 0 : group.size() + 1;
    for (const Field& field : fields()) {
        std::string_view path(field.path);
        if (!group.empty() && !(path.starts_with(group) && path.size() > skip && path[group.size()] == '.'))
            continue;
        path.remove_prefix(skip);
        const std::string_view key = path.substr(0, path.find('.'));
        if (std::find(keys.begin(), keys.end(), key) == keys.end()) keys.push_back(key);
    }
    return keys;
}

/// What came, for a message.
std::string described(const Json& value) {
    switch (value.type()) {
    case Json::value_t::null: return "null";
    case Json::value_t::boolean: return value.get<bool>() ? "true" : "false";
    case Json::value_t::string:
        return fmt::format("\"{}\" is text", one_line(value.get_ref<const std::string&>()));
    case Json::value_t::array: return "a list";
    case Json::value_t::object: return "an object";
    default: return fmt::format("{} is a number", value.dump());
    }
}

/// A whole number in any of its spellings (2, 2.0, 1e5); empty for everything else.
std::optional<std::int64_t> whole_number(const Json& value) {
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > static_cast<std::uint64_t>(INT64_MAX)) return std::nullopt;
        return static_cast<std::int64_t>(number);
    }
    if (value.is_number_integer()) return value.get<std::int64_t>();
    if (!value.is_number_float()) return std::nullopt;
    const auto number = value.get<double>();
    if (std::nearbyint(number) != number || std::abs(number) > 9e18) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

class Reader {
public:
    /// `shown_model` stands for "model" in messages: "" for a preset, whose shape is the document.
    Reader(const std::string& origin, std::string_view shown_model,
           std::span<const std::string_view> allow_extra)
        : m_origin(one_line(origin, 200)), m_shown_model(shown_model), m_extra(allow_extra),
          m_seen(fields().size(), false) {}

    Result<Plan> plan(const Json& document) {
        if (!document.is_object())
            return Error{m_origin,
                         fmt::format("the document: {}; an object {{\"schema\": \"{}\", …}} is right",
                                     described(document), kPlanSchema)};
        const auto schema = document.find("schema");
        if (schema == document.end())
            return Error{m_origin,
                         fmt::format("schema is missing; \"schema\": \"{}\" is right", kPlanSchema)};
        if (!schema->is_string() || schema->get_ref<const std::string&>() != kPlanSchema)
            return Error{m_origin,
                         fmt::format("schema: {}; \"{}\" is right",
                                     schema->is_string() ? one_line(schema->dump()) + " is not known"
                                                         : described(*schema),
                                     kPlanSchema)};
        if (!group(document, "") || !nothing_missing()) return *m_error;
        return std::move(m_plan);
    }

    Result<ModelShape> shape(const Json& object) {
        if (!object.is_object())
            return Error{m_origin,
                         fmt::format("{}{}; a model object is right", shown_prefix(), described(object))};
        m_plan.model = ModelShape{};
        m_has_model = true;
        if (!group(object, kModel) || !nothing_missing()) return *m_error;
        return std::get<ModelShape>(std::move(m_plan.model));
    }

    Result<std::vector<const Field*>> missing(const Json& document) {
        if (!group(document, "")) return *m_error;
        std::vector<const Field*> out;
        for (const Missing& item : missing_fields()) out.push_back(item.field);
        return out;
    }

private:
    [[nodiscard]] std::string shown_prefix() const {
        return m_shown_model.empty() ? "" : fmt::format("{}: ", m_shown_model);
    }

    [[nodiscard]] std::string shown(std::string_view path) const {
        if (path == kModel) return std::string(m_shown_model);
        if (!path.starts_with("model.")) return std::string(path);
        return joined(m_shown_model, path.substr(kModel.size() + 1));
    }

    bool fail(std::string_view path, std::string_view what) {
        m_error = Error{m_origin, fmt::format("{}: {}", one_line(shown(path), 120), what)};
        return false;
    }

    bool group(const Json& object, std::string_view path) {
        for (const auto& [key, value] : object.items()) {
            if (path.empty() && key == "schema") continue;
            const bool extra =
                path == kModel && std::find(m_extra.begin(), m_extra.end(), key) != m_extra.end();
            if (!extra && !member(joined(path, key), path, key, value)) return false;
        }
        return true;
    }

    bool member(const std::string& path, std::string_view parent, const std::string& key, const Json& value) {
        // A dot inside a key would look like a path into another group.
        const bool plain = key.find('.') == std::string::npos;
        const Field* field = plain ? find_field(path) : nullptr;
        if (field && !(path == kModel && value.is_object())) return read(*field, value);
        if (plain && is_group(path)) {
            if (!value.is_object()) return fail(path, described(value) + "; an object is right");
            if (path == kModel) {
                m_plan.model = ModelShape{};
                m_has_model = true;
                m_seen[index_of(*field)] = true;
            } else if (path == "model.moe") {
                m_has_moe = true;
            } else if (path == "model.mla") {
                m_has_mla = true;
            }
            return group(value, path);
        }
        return unknown(path, parent, key);
    }

    bool unknown(std::string_view path, std::string_view parent, const std::string& key) {
        std::vector<std::string_view> keys = known_keys(parent);
        if (parent == kModel) keys.insert(keys.end(), m_extra.begin(), m_extra.end());
        std::string right;
        if (const std::string near = nearest(key, keys); !near.empty()) {
            right = fmt::format("did you mean \"{}\"?", near);
        } else {
            const auto table = fields();
            const auto other =
                std::find_if(table.begin(), table.end(), [&](const Field& f) { return f.key() == key; });
            right = other != table.end() ? fmt::format("{} is right", shown(other->path))
                                         : fmt::format("known here: {}", fmt::join(keys, ", "));
        }
        return fail(path, fmt::format("unknown key \"{}\"; {}", one_line(key), right));
    }

    bool read(const Field& field, const Json& value) {
        FieldValue converted;
        if (!convert(field, value, converted)) return false;
        const Result<FieldValue> checked = check_value(field, converted);
        if (!checked) return fail(field.path, checked.error().what);
        field.set(m_plan, *checked);
        m_seen[index_of(field)] = true;
        return true;
    }

    bool convert(const Field& field, const Json& value, FieldValue& out) {
        switch (value.type()) {
        case Json::value_t::boolean: out = value.get<bool>(); return true;
        case Json::value_t::string: out = value.get_ref<const std::string&>(); return true;
        case Json::value_t::number_integer:
        case Json::value_t::number_unsigned:
            if (const auto whole = whole_number(value))
                out = *whole;
            else
                out = value.get<double>();
            return true;
        case Json::value_t::number_float: out = value.get<double>(); return true;
        case Json::value_t::array: return convert_list(field, value, out);
        case Json::value_t::null:
            return fail(field.path,
                        fmt::format("null; {} is right, or the key left out", expectation(field)));
        default:
            return fail(field.path, fmt::format("{}; {} is right", described(value), expectation(field)));
        }
    }

    bool convert_list(const Field& field, const Json& value, FieldValue& out) {
        const auto bad = [&](std::size_t i) {
            const bool number = value[i].is_number() && field.type == FieldType::integer_list;
            return fail(fmt::format("{}.{}", field.path, i),
                        fmt::format("{}; {} is right",
                                    number ? value[i].dump() + " is no such number" : described(value[i]),
                                    expectation(field)));
        };
        if (field.type == FieldType::integer_list) {
            std::vector<std::int64_t> list;
            list.reserve(value.size());
            for (std::size_t i = 0; i < value.size(); ++i) {
                const auto whole = whole_number(value[i]);
                if (!whole) return bad(i);
                list.push_back(*whole);
            }
            out = std::move(list);
            return true;
        }
        if (field.type == FieldType::choice_list || field.type == FieldType::text_list) {
            std::vector<std::string> list;
            list.reserve(value.size());
            for (std::size_t i = 0; i < value.size(); ++i) {
                if (!value[i].is_string()) return bad(i);
                list.push_back(value[i].get_ref<const std::string&>());
            }
            out = std::move(list);
            return true;
        }
        return fail(field.path, fmt::format("a list; {} is right", expectation(field)));
    }

    struct Missing {
        const Field* field;
        bool dense_width; ///< an expert width would do as well
    };

    /// Every required field that is not there.
    [[nodiscard]] std::vector<Missing> missing_fields() const {
        std::vector<Missing> missing;
        const bool whole_plan = !m_has_model || m_shown_model == kModel;
        for (const Field& field : fields()) {
            if (m_seen[index_of(field)]) continue;
            const std::string_view group = field.group();
            bool needed = field.required && whole_plan;
            if (group == kModel) needed = field.required && m_has_model;
            if (group == "model.moe") needed = field.required && m_has_moe;
            if (group == "model.mla") needed = field.required && m_has_mla;
            const bool dense_width =
                std::string_view(field.path) == "model.ffn_hidden" && m_has_model && !m_has_moe;
            if (needed || dense_width) missing.push_back({&field, dense_width});
        }
        return missing;
    }

    /// Names every required field that is not there.
    bool nothing_missing() {
        const std::vector<Missing> missing = missing_fields();
        if (missing.empty()) return true;
        std::vector<std::string> names;
        for (const auto& [field, dense_width] : missing)
            names.push_back(shown(field->path) +
                            (dense_width ? fmt::format(" (or {})", shown("model.moe.expert_ffn")) : ""));
        m_error =
            Error{m_origin,
                  names.size() == 1
                      ? fmt::format("{} is missing; {} is right", names[0], expectation(*missing[0].field))
                      : fmt::format("{} are missing; they must be given", fmt::join(names, ", "))};
        return false;
    }

    [[nodiscard]] static std::size_t index_of(const Field& field) {
        return static_cast<std::size_t>(&field - fields().data());
    }

    std::string m_origin;
    std::string_view m_shown_model;
    std::span<const std::string_view> m_extra;
    std::vector<bool> m_seen;
    bool m_has_model = false, m_has_moe = false, m_has_mla = false;
    Plan m_plan;
    std::optional<Error> m_error;
};

/// Puts the fields of `group` ("" = all) into nested objects, in the order of the table.
void write_fields(Json& root, const Plan& plan, std::string_view group) {
    for (const Field& field : fields()) {
        std::string_view path(field.path);
        if (!group.empty()) {
            if (!path.starts_with(group) || path.size() <= group.size() || path[group.size()] != '.')
                continue;
            path.remove_prefix(group.size() + 1);
        }
        FieldValue value = field.get(plan);
        if (std::holds_alternative<std::monostate>(value)) continue;
        if (field.omit_default && value == default_value(field)) continue;
        if (field.takes_bool) { // the usual list in its short form
            const Result<FieldValue> usual = check_value(field, true);
            if (usual && *usual == value) value = true;
        }
        Json* at = &root;
        for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.')) {
            at = &(*at)[std::string(path.substr(0, dot))];
            path.remove_prefix(dot + 1);
        }
        (*at)[std::string(path)] = to_json(value);
    }
}

} // namespace

Result<Plan> plan_from_json(const Json& document, const std::string& origin) {
    return Reader(origin, kModel, {}).plan(document);
}

Result<std::vector<const Field*>> missing_fields(const Json& document, const std::string& origin) {
    return Reader(origin, kModel, {}).missing(document);
}

Result<Plan> parse_plan(std::string_view text, const std::string& origin, std::span<const std::string> sets) {
    auto parsed = parse_strict(text, origin);
    if (!parsed) return parsed.error();
    Json document = std::move(parsed).value();
    if (document.is_object())
        for (const std::string& set : sets)
            if (Error error = detail::apply_set(document, set); !error.what.empty()) return error;
    return plan_from_json(document, origin);
}

Result<Plan> load_plan(const std::string& path, std::span<const std::string> sets) {
    const auto text = read_text(path);
    if (!text) return text.error();
    return parse_plan(*text, path == "-" ? "standard input" : path, sets);
}

Json plan_to_json(const Plan& plan) {
    Json root = Json::object();
    root["schema"] = kPlanSchema;
    write_fields(root, plan, "");
    // An empty group stays visible as the place where its fields would stand; `overlap` has no field to show.
    if (!root.contains("overlap")) {
        Json ordered = Json::object();
        for (auto& [key, value] : root.items()) {
            if (key == "fidelity") ordered["overlap"] = Json::object();
            ordered[key] = std::move(value);
        }
        root = std::move(ordered);
    }
    return root;
}

std::string plan_to_text(const Plan& plan) {
    return plan_to_json(plan).dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ModelShape> model_from_json(const Json& object, const std::string& origin, std::string_view path,
                                   std::span<const std::string_view> allow_extra) {
    return Reader(origin, path, allow_extra).shape(object);
}

Json model_to_json(const ModelShape& shape) {
    Plan plan;
    plan.model = shape;
    Json root = Json::object();
    write_fields(root, plan, kModel);
    return root;
}

Json to_json(const FieldValue& value) {
    struct Writer {
        Json operator()(std::monostate) const { return nullptr; }
        Json operator()(bool b) const { return b; }
        Json operator()(std::int64_t n) const { return n; }
        Json operator()(double d) const {
            // Bytes and tokens are integers; 2^53 bounds what both forms hold exactly.
            if (std::nearbyint(d) == d && std::abs(d) <= 9007199254740992.0)
                return static_cast<std::int64_t>(d);
            return d;
        }
        Json operator()(const std::string& s) const { return s; }
        Json operator()(const std::vector<std::int64_t>& list) const { return list; }
        Json operator()(const std::vector<std::string>& list) const { return list; }
    };
    return std::visit(Writer{}, value);
}

} // namespace shardlens
