// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_test.h"

#include <charconv>
#include <cstdint>
#include <span>

namespace shardlens::launchers {

namespace {

using Words = std::span<const std::string>;

/// What stands between the brackets, or behind `test`; nothing for another command.
std::optional<Words> condition_of(const std::vector<std::string>& words) {
    if (words.empty()) return std::nullopt;
    const Words all(words);
    if (words.front() == "test") return all.subspan(1);
    const char* close = words.front() == "[" ? "]" : words.front() == "[[" ? "]]" : nullptr;
    if (!close || words.size() < 2 || words.back() != close) return std::nullopt;
    return all.subspan(1, words.size() - 2);
}

std::optional<std::int64_t> whole_number(const std::string& text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    return value;
}

std::optional<bool> compare_numbers(const std::string& left, const std::string& sign,
                                    const std::string& right) {
    const auto a = whole_number(left), b = whole_number(right);
    if (!a || !b) return std::nullopt;
    if (sign == "-eq") return *a == *b;
    if (sign == "-ne") return *a != *b;
    if (sign == "-lt") return *a < *b;
    if (sign == "-le") return *a <= *b;
    if (sign == "-gt") return *a > *b;
    if (sign == "-ge") return *a >= *b;
    return std::nullopt;
}

std::optional<bool> evaluate(Words condition, bool patterns) {
    if (condition.size() == 2 && condition[0] == "-z") return condition[1].empty();
    if (condition.size() == 2 && condition[0] == "-n") return !condition[1].empty();
    if (condition.size() == 1) return !condition[0].empty();
    if (condition.size() != 3) return std::nullopt;
    const std::string &sign = condition[1], &right = condition[2];
    if (sign != "=" && sign != "==" && sign != "!=") return compare_numbers(condition[0], sign, right);
    // Quotes are gone by now: what could be a pattern is not decided.
    if (patterns && right.find_first_of("*?[(") != std::string::npos) return std::nullopt;
    return (condition[0] == right) == (sign != "!=");
}

} // namespace

std::optional<bool> evaluate_test(const std::vector<std::string>& words) {
    if (words.size() == 1 && (words[0] == "true" || words[0] == ":")) return true;
    if (words.size() == 1 && words[0] == "false") return false;
    auto condition = condition_of(words);
    if (!condition) return std::nullopt;
    bool negated = false;
    while (condition->size() > 1 && condition->front() == "!") {
        negated = !negated;
        *condition = condition->subspan(1);
    }
    const auto said = evaluate(*condition, words.front() == "[[");
    if (!said) return std::nullopt;
    return *said != negated;
}

} // namespace shardlens::launchers
