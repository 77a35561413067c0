// SPDX-License-Identifier: GPL-3.0-or-later
// Arithmetic in the fields, answers and goals of lessons.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "json/result.h"

namespace shardlens::lessons {

using Value = std::variant<double, std::string>;

/// What the names in an expression stand for.
class Names {
public:
    virtual ~Names() = default;
    /// Length of a known name at the front of `text` that has signs besides letters, digits, "_" and "." in
    /// it
    /// ("nothing-cut", "preset.llama3.1-8b"); 0 when there is none.
    [[nodiscard]] virtual std::size_t prefix(std::string_view text) const = 0;
    /// The error says what is unknown and what would be right.
    [[nodiscard]] virtual Result<Value> value(std::string_view name) const = 0;
};

/// Evaluates + - * / ^ ( ), comparisons, && ||, c ? a : b; min, max, ceil, floor, round, abs, sqrt, ln, log2;
/// the functions of lessons/functions.h by their names, with the constants of sgd_time and sgd_error (k_sync,
/// exponential …). Truth is 1 or 0; behind a decided side of && or || names may be missing. The value is a text
/// only where the expression is one name of a text. Errors: unknown names, no expression, no finite value.
[[nodiscard]] Result<Value> evaluate_expression(std::string_view expression, const Names& names);

} // namespace shardlens::lessons
