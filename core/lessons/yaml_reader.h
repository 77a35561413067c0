// SPDX-License-Identifier: GPL-3.0-or-later
// A YAML mapping read key by key, with a problem for whatever is not as it should be. Internal to
// core/lessons.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <yaml-cpp/yaml.h>

#include "lessons/yaml_blocks.h"
#include "plan/message.h"

namespace shardlens::lessons {

/// One mapping. Every key is asked for once; finish() names those that nobody asked for, and those that stand
/// twice.
class YamlMap {
public:
    /// Parses a document that is a mapping; an empty one with a problem when it is none.
    YamlMap(const std::string& text, const YamlSource& source);
    YamlMap(const YAML::Node& node, const YamlSource& source, std::string name);

    /// The value of a key, undefined when it is absent.
    [[nodiscard]] YAML::Node at(std::string_view key);
    /// "" and a problem when the key is wanted and absent or when the value is no scalar.
    [[nodiscard]] std::string text(std::string_view key, bool wanted = false);
    [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t least,
                                                      std::int64_t most);
    [[nodiscard]] std::optional<double> number(std::string_view key);
    /// Every element of a list, or the one scalar that stands for it.
    void each(std::string_view key, const std::function<void(const YAML::Node&)>& visit);
    /// A mapping below a key; absent: nothing, without a problem.
    [[nodiscard]] std::optional<YamlMap> map(std::string_view key);
    /// The position of the value among the names, with a problem for another one.
    [[nodiscard]] std::optional<std::size_t> choice(std::string_view key,
                                                    std::span<const std::string_view> names);
    /// Keys and values in order, for mappings whose keys are free.
    void pairs(const std::function<void(const std::string&, const YAML::Node&)>& visit);

    void problem(const YAML::Node& node, std::string what) const;
    void problem(std::string what) const;
    [[nodiscard]] int line(const YAML::Node& node) const;
    [[nodiscard]] const YamlSource& source() const { return m_source; }

    void finish() const;

private:
    [[nodiscard]] std::string named(std::string_view key) const;

    YAML::Node m_node;
    YamlSource m_source;
    std::string m_name; ///< "" for a document, "play" for its part
    std::set<std::string, std::less<>> m_asked;
    bool m_free = false;
};

/// A scalar or a list of scalars as a plan field takes it; monostate for null. Empty when it is neither.
[[nodiscard]] std::optional<FieldValue> field_value(const YAML::Node& node);

} // namespace shardlens::lessons
