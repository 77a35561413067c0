// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import_keys.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

bool is_auto(const Json& value) { return value.is_string() && value.get_ref<const std::string&>() == "auto"; }

std::optional<std::int64_t> whole(double number) {
    if (std::nearbyint(number) != number || std::abs(number) > 9e15) return std::nullopt;
    return static_cast<std::int64_t>(number);
}

} // namespace

std::optional<double> number_from_text(std::string_view text) {
    text = trimmed(text);
    std::string digits;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool between = i > 0 && i + 1 < text.size() &&
                             std::isdigit(static_cast<unsigned char>(text[i - 1])) &&
                             std::isdigit(static_cast<unsigned char>(text[i + 1]));
        if (text[i] == '_' && between) continue;
        digits += text[i];
    }
    if (digits.starts_with("+")) digits.erase(0, 1);
    if (digits.empty() || digits.size() > 60) return std::nullopt;
    double number = 0;
    const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (code != std::errc{} || end != digits.data() + digits.size() || !std::isfinite(number))
        return std::nullopt;
    return number;
}

std::string shown_value(const Json& value) {
    if (value.is_string()) return one_line(value.get_ref<const std::string&>(), 120);
    if (value.is_object()) return "{…}";
    if (value.is_array() && value.size() > 40) return fmt::format("[… {} entries]", value.size());
    return one_line(value.dump(-1, ' ', false, Json::error_handler_t::replace), 120);
}

KeyReader::KeyReader(const Json& document, Imported& out, std::string prefix)
    : m_document(document), m_out(out), m_prefix(std::move(prefix)) {}

const Json* KeyReader::look(std::string_view dotted) const {
    const Json* at = &m_document;
    while (true) {
        const std::size_t dot = dotted.find('.');
        if (!at->is_object()) return nullptr;
        const auto found = at->find(std::string(dotted.substr(0, dot)));
        if (found == at->end()) return nullptr;
        at = &*found;
        if (dot == std::string_view::npos) return at;
        dotted.remove_prefix(dot + 1);
    }
}

std::string KeyReader::full(std::string_view dotted) const {
    return m_prefix.empty() ? std::string(dotted) : fmt::format("{}.{}", m_prefix, dotted);
}

const Json* KeyReader::find(const Names& names) {
    const Json* first = nullptr;
    for (const std::string& name : names.names) {
        const Json* value = look(name);
        if (!value) continue;
        m_taken.insert(value);
        if (!value->is_null() && !first) first = value;
    }
    if (!first || !is_auto(*first)) return first;
    if (m_noted.insert(first).second)
        m_out.warn(key(names), "auto", "is filled in by the program that starts the training: unknown here");
    return nullptr;
}

const Json* KeyReader::peek(const Names& names) const {
    for (const std::string& name : names.names) {
        const Json* value = look(name);
        if (value && !value->is_null()) return value;
    }
    return nullptr;
}

bool KeyReader::has(const Names& names) const { return peek(names) != nullptr; }

bool KeyReader::is_null(const Names& names) const {
    return std::any_of(names.names.begin(), names.names.end(), [&](const std::string& name) {
        const Json* value = look(name);
        return value && value->is_null();
    });
}

std::string KeyReader::key(const Names& names) const {
    for (const std::string& name : names.names) {
        const Json* value = look(name);
        if (value && !value->is_null()) return full(name);
    }
    return full(names.names.front());
}

std::string KeyReader::shown(const Names& names) const {
    const Json* value = peek(names);
    return value ? shown_value(*value) : "";
}

void KeyReader::wrong(const Names& names, std::string_view right) {
    m_out.not_understood(key(names), shown(names), "{0} is right", {std::string(right)});
}

std::optional<double> KeyReader::number(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    if (value->is_number()) return value->get<double>();
    if (value->is_string()) {
        if (const auto number = number_from_text(value->get_ref<const std::string&>())) {
            if (m_noted.insert(value).second)
                m_out.warn(key(names), fmt::format("\"{}\"", shown_value(*value)),
                           "is text; read as the number {0}", {fmt::format("{}", *number)});
            return number;
        }
    }
    wrong(names, "a number");
    return std::nullopt;
}

std::optional<std::int64_t> KeyReader::integer(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    if (value->is_number() || value->is_string()) {
        const auto read = number(names);
        if (!read) return std::nullopt;
        if (const auto count = whole(*read)) return count;
    }
    wrong(names, "a whole number");
    return std::nullopt;
}

std::optional<bool> KeyReader::flag(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    if (value->is_boolean()) return value->get<bool>();
    if (value->is_string()) {
        std::string word = value->get<std::string>();
        std::transform(word.begin(), word.end(), word.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        if (word == "true" || word == "false") {
            if (m_noted.insert(value).second)
                m_out.warn(key(names), fmt::format("\"{}\"", shown_value(*value)), "is text; read as {0}",
                           {word});
            return word == "true";
        }
    }
    wrong(names, "true or false");
    return std::nullopt;
}

std::optional<std::string> KeyReader::text(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    if (value->is_string()) return value->get<std::string>();
    wrong(names, "text");
    return std::nullopt;
}

std::optional<std::vector<std::int64_t>> KeyReader::integers(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    std::vector<std::int64_t> list;
    if (value->is_array()) {
        for (const Json& item : *value) {
            const auto count = item.is_number() ? whole(item.get<double>()) : std::nullopt;
            if (!count) break;
            list.push_back(*count);
        }
        if (list.size() == value->size()) return list;
    }
    wrong(names, "a list of whole numbers");
    return std::nullopt;
}

std::optional<std::vector<std::string>> KeyReader::texts(const Names& names) {
    const Json* value = find(names);
    if (!value) return std::nullopt;
    const bool all = value->is_array() && std::all_of(value->begin(), value->end(),
                                                      [](const Json& item) { return item.is_string(); });
    if (all) return value->get<std::vector<std::string>>();
    wrong(names, "a list of texts");
    return std::nullopt;
}

bool KeyReader::take_integer(const Names& names, std::string_view path) {
    const auto value = integer(names);
    // A degree that is left out would be 1 without a word.
    if (!value && has(names) && path.starts_with("parallel.") && !m_out.has(path))
        m_out.missing(path, "its value is not understood", {}, key(names), shown(names));
    return value && take_as(names, path, *value);
}
bool KeyReader::take_number(const Names& names, std::string_view path) {
    const auto value = number(names);
    return value && take_as(names, path, *value);
}
bool KeyReader::take_flag(const Names& names, std::string_view path) {
    const auto value = flag(names);
    return value && take_as(names, path, *value);
}
bool KeyReader::take_text(const Names& names, std::string_view path) {
    const auto value = text(names);
    return value && take_as(names, path, *value);
}
bool KeyReader::take_integers(const Names& names, std::string_view path) {
    const auto value = integers(names);
    return value && take_as(names, path, *value);
}

bool KeyReader::take_texts(const Names& names, std::string_view path) {
    const auto value = texts(names);
    return value && take_as(names, path, *value);
}

bool KeyReader::take_as(const Names& names, std::string_view path, const FieldValue& value,
                        std::string_view text, Imported::Arguments arguments) {
    static_cast<void>(find(names));
    return m_out.read(path, value, key(names), shown(names), text, std::move(arguments));
}

void KeyReader::ignore(std::initializer_list<const char*> names) {
    for (std::string_view name : names) {
        if (name.ends_with(".*")) name.remove_suffix(2);
        if (const Json* value = look(name)) m_taken.insert(value);
    }
}

void KeyReader::outside(const Names& names, std::string_view reason) {
    for (const std::string& name : names.names) {
        const Json* value = look(name);
        if (!value) continue;
        m_taken.insert(value);
        if (!value->is_null()) m_out.not_understood(full(name), shown_value(*value), reason);
    }
}

void KeyReader::finish() { walk(m_document, m_prefix, 0); }

void KeyReader::walk(const Json& value, const std::string& path, int depth) {
    if (m_taken.contains(&value) || value.is_null()) return;
    if (value.is_object() && (!value.empty() || depth == 0)) {
        for (const auto& [key, member] : value.items())
            walk(member, path.empty() ? key : fmt::format("{}.{}", path, key), depth + 1);
        return;
    }
    m_out.not_understood(path, shown_value(value), "no place in a plan");
}

} // namespace shardlens::launchers
