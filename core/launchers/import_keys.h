// SPDX-License-Identifier: GPL-3.0-or-later
// Nested keys and values (from JSON, YAML or TOML) with an account of which have been read.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "launchers/import.h"

namespace shardlens::launchers {

/// Spellings of one key, the preferred first; each a dotted path ("zero_optimization.stage").
struct Names {
    std::vector<std::string> names;
    Names(const char* name) : names{name} {}            // NOLINT: implicit on purpose
    Names(std::string name) : names{std::move(name)} {} // NOLINT: implicit on purpose
    Names(std::initializer_list<const char*> list) : names(list.begin(), list.end()) {}
};

/// Reads keys of one document. A key counts as understood when it was read, taken or ignored by name;
/// finish() notes all others. null and a missing key are the same: unset. The text "auto" is unset as well,
/// with a note that the value is filled in elsewhere. Numbers and booleans written as text ("5e8", "1_000",
/// "true") are converted with a note. A value of another type is a note and unset.
class KeyReader {
public:
    /// `document` and `out` must outlive the reader. `prefix` stands before keys in notes ("text_config").
    KeyReader(const nlohmann::ordered_json& document, Imported& out, std::string prefix = {});

    /// The first spelling that is there and not null; counts as understood.
    [[nodiscard]] const nlohmann::ordered_json* find(const Names& names);
    /// The same without counting it as understood.
    [[nodiscard]] const nlohmann::ordered_json* peek(const Names& names) const;
    [[nodiscard]] bool has(const Names& names) const;
    /// Is the key there with the value null?
    [[nodiscard]] bool is_null(const Names& names) const;
    /// The spelling that find() took: for notes of the caller.
    [[nodiscard]] std::string key(const Names& names) const;
    /// The value as written, one line.
    [[nodiscard]] std::string shown(const Names& names) const;

    // Values without a note of their own.
    [[nodiscard]] std::optional<std::int64_t> integer(const Names& names);
    [[nodiscard]] std::optional<double> number(const Names& names);
    [[nodiscard]] std::optional<bool> flag(const Names& names);
    [[nodiscard]] std::optional<std::string> text(const Names& names);
    [[nodiscard]] std::optional<std::vector<std::int64_t>> integers(const Names& names);
    [[nodiscard]] std::optional<std::vector<std::string>> texts(const Names& names);

    // Straight into a plan field, with the note "read". False when unset or not possible.
    bool take_integer(const Names& names, std::string_view path);
    bool take_number(const Names& names, std::string_view path);
    bool take_flag(const Names& names, std::string_view path);
    bool take_text(const Names& names, std::string_view path);
    bool take_integers(const Names& names, std::string_view path);
    bool take_texts(const Names& names, std::string_view path);
    /// Into `path` a value computed by the caller from these keys.
    bool take_as(const Names& names, std::string_view path, const FieldValue& value,
                 std::string_view text = {}, Imported::Arguments arguments = {});

    /// Known, and no matter of a plan: no note. A name ending in ".*" means everything below it.
    void ignore(std::initializer_list<const char*> names);
    /// Known and without a place in a plan, yet it changes memory or time: not_understood with a reason.
    void outside(const Names& names, std::string_view reason);

    /// Every key that nobody asked for becomes a not_understood note.
    void finish();

private:
    [[nodiscard]] const nlohmann::ordered_json* look(std::string_view dotted) const;
    [[nodiscard]] std::string full(std::string_view dotted) const;
    void wrong(const Names& names, std::string_view right);
    void walk(const nlohmann::ordered_json& value, const std::string& path, int depth);

    const nlohmann::ordered_json& m_document;
    Imported& m_out;
    std::string m_prefix;
    std::unordered_set<const nlohmann::ordered_json*> m_taken;
    std::unordered_set<const nlohmann::ordered_json*> m_noted;
};

/// The value as it would be written, one line, cut.
[[nodiscard]] std::string shown_value(const nlohmann::ordered_json& value);

/// A number as people write it in configurations: "5e8", "1_000", " 12 "; empty for anything else.
[[nodiscard]] std::optional<double> number_from_text(std::string_view text);

} // namespace shardlens::launchers
