// SPDX-License-Identifier: GPL-3.0-or-later
// Problems are values with a repair, never asserts or dialogs.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace shardlens {

/// A value of a plan field, as JSON would hold it. monostate = the field is left out.
using FieldValue = std::variant<std::monostate, bool, std::int64_t, double, std::string, std::vector<std::int64_t>,
                                std::vector<std::string>>;

/// Edits of plan fields that together remove a problem.
struct Fix {
    std::vector<std::pair<std::string, FieldValue>> set; ///< plan path → new value

    bool operator==(const Fix&) const = default;
};

enum class Severity : std::uint8_t { info, warning, error };

[[nodiscard]] const char* to_string(Severity severity);

/// A finding about a plan. The sentence is kept as template and arguments ("{0} heads …"), so that the window
/// can translate it; core speaks English.
struct Message {
    Severity severity = Severity::error;
    std::string code;          ///< stable, e.g. "tensor-heads"
    std::string path;          ///< the plan field it is about, e.g. "parallel.tensor"
    std::string text_template; ///< English, with {0}, {1} … ; also the key for translation
    std::vector<std::string> arguments;
    std::vector<Fix> fixes;

    [[nodiscard]] std::string text() const;
    bool operator==(const Message&) const = default;
};

} // namespace shardlens
