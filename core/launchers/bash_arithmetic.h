// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace shardlens::launchers {

/// The whole numbers and + - * / % ** ( ) of bash's $((…)). `lookup` gives the text of a variable. Empty when
/// a variable is not known, the form is another, a division by zero or beyond 64 bits.
[[nodiscard]] std::optional<std::int64_t>
evaluate_arithmetic(std::string_view text,
                    const std::function<std::optional<std::string>(const std::string&)>& lookup);

/// `A = 2`, `A += 2`, `A++` and the like: the variable, and the expression that gives its new value.
struct ArithmeticAssignment {
    std::string name, expression;
};
[[nodiscard]] std::optional<ArithmeticAssignment> simple_assignment(std::string_view text);
/// Every variable that an arithmetic expression may set.
[[nodiscard]] std::vector<std::string> assigned_names(std::string_view text);

} // namespace shardlens::launchers
