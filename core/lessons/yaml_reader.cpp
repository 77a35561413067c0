// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/yaml_reader.h"

#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

/// Quoted scalars are texts whatever stands in them.
bool quoted(const YAML::Node& node) { return node.Tag() == "!"; }

template <class T> std::optional<T> read_as(const std::string& text) {
    T value{};
    const char* from = text.data();
    const char* end = from + text.size();
    if (from != end && *from == '+') ++from;
    const auto [stop, code] = std::from_chars(from, end, value);
    if (code != std::errc() || stop != end || from == end) return std::nullopt;
    return value;
}

std::optional<double> finite(const std::string& text) {
    const auto value = read_as<double>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

FieldValue scalar_value(const YAML::Node& node) {
    const std::string& text = node.Scalar();
    if (quoted(node)) return text;
    if (text == "true") return true;
    if (text == "false") return false;
    if (const auto whole = read_as<std::int64_t>(text)) return *whole;
    if (const auto number = finite(text)) return *number;
    return text;
}

} // namespace

std::optional<FieldValue> field_value(const YAML::Node& node) {
    if (node.IsNull()) return FieldValue();
    if (node.IsScalar()) return scalar_value(node);
    if (!node.IsSequence()) return std::nullopt;
    std::vector<std::int64_t> numbers;
    std::vector<std::string> texts;
    for (const YAML::Node& element : node) {
        if (!element.IsScalar()) return std::nullopt;
        const FieldValue value = scalar_value(element);
        if (const auto* number = std::get_if<std::int64_t>(&value)) numbers.push_back(*number);
        texts.push_back(element.Scalar());
    }
    if (numbers.size() == texts.size()) return FieldValue(numbers);
    return FieldValue(texts);
}

YamlMap::YamlMap(const std::string& text, const YamlSource& source) : m_source(source) {
    try {
        m_node = YAML::Load(text);
    } catch (const YAML::Exception& error) {
        const int below = error.mark.is_null() ? 0 : error.mark.line;
        m_source.problems->push_back(
            {fmt::format("{}:{}", m_source.file, m_source.line + below + 1),
             fmt::format("not YAML: {}; a text with \": \" or that begins with {{ or [ is quoted",
                         one_line(error.msg, 100))});
        m_free = true;
    }
    if (m_node.IsMap()) return;
    if (!m_free) problem("lines of the form \"key: value\" are right");
    m_free = true;
    m_node = YAML::Node(YAML::NodeType::Map);
}

YamlMap::YamlMap(const YAML::Node& node, const YamlSource& source, std::string name)
    : m_node(node), m_source(source), m_name(std::move(name)) {
    if (m_node.IsMap()) return;
    problem(m_node, fmt::format("{} is no mapping; {{key: value}} is right", m_name));
    m_free = true;
    m_node = YAML::Node(YAML::NodeType::Map);
}

int YamlMap::line(const YAML::Node& node) const {
    const YAML::Mark mark = node.IsDefined() ? node.Mark() : YAML::Mark::null_mark();
    return m_source.line + 1 + (mark.is_null() ? 0 : mark.line);
}

void YamlMap::problem(const YAML::Node& node, std::string what) const {
    m_source.problems->push_back({fmt::format("{}:{}", m_source.file, line(node)), std::move(what)});
}
void YamlMap::problem(std::string what) const { problem(m_node, std::move(what)); }

std::string YamlMap::named(std::string_view key) const {
    return m_name.empty() ? std::string(key) : fmt::format("{}.{}", m_name, key);
}

YAML::Node YamlMap::at(std::string_view key) {
    m_asked.emplace(key);
    // Not m_node[key]: that would add the key.
    for (const auto& pair : m_node)
        if (pair.first.IsScalar() && pair.first.Scalar() == key) return pair.second;
    return YAML::Node(YAML::NodeType::Undefined);
}

std::string YamlMap::text(std::string_view key, bool wanted) {
    const YAML::Node node = at(key);
    if (node.IsDefined() && node.IsScalar()) {
        if (wanted && node.Scalar().empty())
            problem(node, fmt::format("{} is empty; a text is right", named(key)));
        return node.Scalar();
    }
    if (node.IsDefined() && !node.IsNull())
        problem(node, fmt::format("{} is no text; one that begins with {{ or [ is quoted", named(key)));
    else if (wanted)
        problem(fmt::format("{} is missing", named(key)));
    return {};
}

std::optional<std::int64_t> YamlMap::integer(std::string_view key, std::int64_t least, std::int64_t most) {
    const YAML::Node node = at(key);
    if (!node.IsDefined()) return std::nullopt;
    const auto value = node.IsScalar() ? read_as<std::int64_t>(node.Scalar()) : std::nullopt;
    if (value && *value >= least && *value <= most) return value;
    problem(node, fmt::format("{} takes a whole number from {} to {}", named(key), least, most));
    return std::nullopt;
}

std::optional<double> YamlMap::number(std::string_view key) {
    const YAML::Node node = at(key);
    if (!node.IsDefined()) return std::nullopt;
    const auto value = node.IsScalar() ? finite(node.Scalar()) : std::nullopt;
    if (!value) problem(node, fmt::format("{} takes a number", named(key)));
    return value;
}

void YamlMap::each(std::string_view key, const std::function<void(const YAML::Node&)>& visit) {
    const YAML::Node node = at(key);
    if (!node.IsDefined() || node.IsNull()) return;
    if (!node.IsSequence()) {
        visit(node);
        return;
    }
    for (const YAML::Node& element : node) visit(element);
}

std::optional<YamlMap> YamlMap::map(std::string_view key) {
    const YAML::Node node = at(key);
    if (!node.IsDefined()) return std::nullopt;
    return YamlMap(node, m_source, named(key));
}

std::optional<std::size_t> YamlMap::choice(std::string_view key, std::span<const std::string_view> names) {
    const YAML::Node node = at(key);
    if (!node.IsDefined()) return std::nullopt;
    const std::string given = node.IsScalar() ? node.Scalar() : "";
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == given) return i;
    std::string all;
    for (const std::string_view name : names) all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
    problem(node, fmt::format("{} is '{}'; one of {} is right", named(key), one_line(given), all));
    return std::nullopt;
}

void YamlMap::pairs(const std::function<void(const std::string&, const YAML::Node&)>& visit) {
    m_free = true;
    std::set<std::string> seen;
    for (const auto& pair : m_node) {
        if (!pair.first.IsScalar()) {
            problem(pair.first, fmt::format("{} has a key that is no text", m_name));
            continue;
        }
        if (!seen.insert(pair.first.Scalar()).second)
            problem(pair.first, fmt::format("{} stands twice", named(pair.first.Scalar())));
        visit(pair.first.Scalar(), pair.second);
    }
}

void YamlMap::finish() const {
    if (m_free) return;
    std::set<std::string> seen;
    const std::vector<std::string_view> known(m_asked.begin(), m_asked.end());
    for (const auto& pair : m_node) {
        const std::string key = pair.first.IsScalar() ? pair.first.Scalar() : "";
        if (!m_asked.contains(key)) {
            const std::string near = nearest(key, known);
            std::string all;
            for (const std::string_view name : known)
                all += fmt::format("{}{}", all.empty() ? "" : ", ", name);
            problem(pair.first, fmt::format("unknown key {}; {} is right", one_line(named(key)),
                                            near.empty() ? "one of " + all : near));
        } else if (!seen.insert(key).second) {
            problem(pair.first, fmt::format("{} stands twice; once is right", named(key)));
        }
    }
}

} // namespace shardlens::lessons
