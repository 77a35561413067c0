// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/set_path.h"

#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plan/fields.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::detail {
namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> split(const std::string& path) {
    std::vector<std::string> parts;
    for (std::size_t from = 0;;) {
        const std::size_t dot = path.find('.', from);
        parts.push_back(path.substr(from, dot == std::string::npos ? dot : dot - from));
        if (dot == std::string::npos) return parts;
        from = dot + 1;
    }
}

/// Could a plan have something there? A list's position counts as its field.
bool known_path(const std::string& path) {
    if (path == "schema" || find_field(path)) return true;
    const std::string inside = path + ".";
    for (const Field& field : fields()) {
        const std::string_view known(field.path);
        if (known.starts_with(inside)) return true;
        const bool list = field.type == FieldType::integer_list || field.type == FieldType::choice_list ||
                          field.type == FieldType::text_list;
        if (list && path.starts_with(std::string(known) + ".")) return true;
    }
    return false;
}

std::string unknown_path(const std::string& path) {
    std::vector<std::string_view> paths;
    for (const Field& field : fields()) paths.emplace_back(field.path);
    const std::string near = nearest(path, paths);
    return near.empty() ? "no such field in a plan; a path such as parallel.tensor is right"
                        : fmt::format("no such field in a plan; did you mean {}?", near);
}

bool is_list_field(const std::string& path) {
    const Field* field = find_field(path);
    return field && (field->type == FieldType::integer_list || field->type == FieldType::choice_list ||
                     field->type == FieldType::text_list);
}

/// Position in a list of `size`; empty when the text is none.
std::optional<std::size_t> position(const std::string& text, std::size_t size) {
    std::size_t index = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), index);
    if (code != std::errc{} || end != text.data() + text.size() || index > size) return std::nullopt;
    return index;
}

/// How a value that has no parts is named in a message.
std::string described(const Json& value) {
    if (value.is_string())
        return fmt::format("the text \"{}\"", one_line(value.get_ref<const std::string&>()));
    if (value.is_null()) return "null";
    return value.is_boolean() ? "true or false" : "a number";
}

} // namespace

Error apply_set(Json& document, const std::string& assignment) {
    const std::string where = "--set " + one_line(assignment);
    const std::size_t equals = assignment.find('=');
    if (equals == std::string::npos || equals == 0)
        return {where, "not PATH=VALUE; parallel.tensor=8 is right"};
    const std::string path = assignment.substr(0, equals);
    const std::string text = assignment.substr(equals + 1);
    const std::vector<std::string> parts = split(path);
    for (const std::string& part : parts)
        if (part.empty()) return {where, "an empty name in the path; names joined by single dots are right"};
    if (parts.size() > static_cast<std::size_t>(kMaxJsonDepth)) return {where, unknown_path(path)};

    Json value;
    if (auto parsed = parse_strict(text, where)) {
        value = std::move(parsed).value();
    } else {
        if (!valid_utf8(text)) return {where, "the value is not UTF-8 text; UTF-8 is right"};
        value = text;
    }
    const bool remove = value.is_null();
    if (remove && !known_path(path)) return {where, unknown_path(path)};

    Json* at = &document;
    std::string walked;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::string& part = parts[i];
        const bool last = i + 1 == parts.size();
        const std::string name = walked.empty() ? "the document" : walked;
        walked += (i == 0 ? "" : ".") + part;
        if (at->is_object()) {
            if (remove && last) {
                at->erase(part);
                return {};
            }
            if (!at->contains(part)) {
                if (remove) return {};
                (*at)[part] = is_list_field(walked) ? Json::array() : Json::object();
            }
            at = &(*at)[part];
        } else if (at->is_array()) {
            const auto index = position(part, at->size());
            const bool append = index && *index == at->size();
            if (!index || (append && (remove || !last)))
                return {where,
                        fmt::format("{} has {} entries; a position from 0 is right", name, at->size())};
            if (remove && last) {
                at->erase(*index);
                return {};
            }
            if (append) at->push_back(nullptr);
            at = &(*at)[*index];
        } else {
            return {where, fmt::format(
                               "{} is {}, which has no parts; a path that ends there, or an object, is right",
                               name, described(*at))};
        }
    }
    *at = std::move(value);
    return {};
}

} // namespace shardlens::detail
