// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_arithmetic.h"

#include <algorithm>
#include <cctype>
#include <charconv>

namespace shardlens::launchers {

namespace {

using Number = std::optional<std::int64_t>;
using Lookup = std::function<std::optional<std::string>(const std::string&)>;
constexpr int kDeepest = 50;

class Arithmetic {
public:
    Arithmetic(std::string_view text, const Lookup& lookup) : m_text(text), m_lookup(lookup) {}

    Number run() {
        const Number value = sum(0);
        skip();
        return m_at == m_text.size() ? value : std::nullopt;
    }

private:
    void skip() {
        while (m_at < m_text.size() && (m_text[m_at] == ' ' || m_text[m_at] == '\t' || m_text[m_at] == '\n'))
            ++m_at;
    }
    bool take(std::string_view sign) {
        skip();
        if (!m_text.substr(m_at).starts_with(sign)) return false;
        m_at += sign.size();
        return true;
    }

    Number sum(int depth) {
        Number left = product(depth);
        while (left) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            const Number right = product(depth);
            std::int64_t result = 0;
            if (!right || (plus ? __builtin_add_overflow(*left, *right, &result)
                                : __builtin_sub_overflow(*left, *right, &result)))
                return std::nullopt;
            left = result;
        }
        return left;
    }

    Number product(int depth) {
        Number left = power(depth);
        while (left) {
            skip();
            const char sign = m_at < m_text.size() ? m_text[m_at] : '\0';
            if (sign != '*' && sign != '/' && sign != '%') break;
            ++m_at;
            const Number right = power(depth);
            if (!right) return std::nullopt;
            if (sign == '*') {
                std::int64_t result = 0;
                if (__builtin_mul_overflow(*left, *right, &result)) return std::nullopt;
                left = result;
            } else {
                if (*right == 0 || (*right == -1 && *left == INT64_MIN)) return std::nullopt;
                left = sign == '/' ? *left / *right : *left % *right;
            }
        }
        return left;
    }

    Number power(int depth) {
        const Number base = atom(depth);
        if (!base || !take("**")) return base;
        const Number exponent = depth < kDeepest ? power(depth + 1) : std::nullopt;
        if (!exponent || *exponent < 0 || *exponent > 63) return std::nullopt;
        std::int64_t result = 1;
        for (std::int64_t i = 0; i < *exponent; ++i)
            if (__builtin_mul_overflow(result, *base, &result)) return std::nullopt;
        return result;
    }

    Number atom(int depth) {
        if (depth >= kDeepest) return std::nullopt;
        if (take("(")) {
            const Number value = sum(depth + 1);
            return value && take(")") ? value : std::nullopt;
        }
        if (take("-")) {
            const Number value = atom(depth + 1);
            return value && *value != INT64_MIN ? Number(-*value) : std::nullopt;
        }
        if (take("+")) return atom(depth + 1);
        const std::size_t start = m_at;
        while (m_at < m_text.size() &&
               (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        std::string word(m_text.substr(start, m_at - start));
        if (word.empty()) return std::nullopt;
        if (!std::isdigit(static_cast<unsigned char>(word[0]))) {
            const auto value = m_lookup(word);
            if (!value) return std::nullopt;
            word = *value;
        }
        std::int64_t number = 0;
        const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), number);
        const bool octal = word.size() > 1 && word[0] == '0';
        if (code != std::errc{} || end != word.data() + word.size() || octal) return std::nullopt;
        return number;
    }

    std::string_view m_text;
    const Lookup& m_lookup;
    std::size_t m_at = 0;
};

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; }

/// Behind a variable, from `at` on: the length of an operator that sets it, 0 for none.
std::size_t setting_operator(std::string_view text, std::size_t at) {
    const std::string_view rest = text.substr(std::min(at, text.size()));
    if (rest.starts_with("++") || rest.starts_with("--")) return 2;
    for (const std::string_view sign : {"<<=", ">>=", "+=", "-=", "*=", "/=", "%=", "&=", "^=", "|="})
        if (rest.starts_with(sign)) return sign.size();
    return rest.starts_with("=") && !rest.starts_with("==") ? 1 : 0;
}

std::size_t behind_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at]))) ++at;
    return at;
}

} // namespace

std::optional<ArithmeticAssignment> simple_assignment(std::string_view text) {
    std::size_t start = behind_blanks(text, 0);
    const std::string_view before = text.substr(start, 2);
    const bool prefix = before == "++" || before == "--";
    if (prefix) start = behind_blanks(text, start + 2);
    std::size_t end = start;
    while (end < text.size() && is_letter(text[end])) ++end;
    if (end == start || std::isdigit(static_cast<unsigned char>(text[start]))) return std::nullopt;
    const std::string name(text.substr(start, end - start));
    const std::size_t at = behind_blanks(text, end);
    const std::size_t length = setting_operator(text, at);
    const std::string_view sign = prefix ? before : text.substr(std::min(at, text.size()), length);
    if (prefix ? at != text.size() : length == 0) return std::nullopt;
    const bool step = sign == "++" || sign == "--";
    if (step && !prefix && behind_blanks(text, at + 2) != text.size()) return std::nullopt;
    if (step) return ArithmeticAssignment{name, name + sign[0] + "1"};
    std::string value(text.substr(at + length));
    if (sign == "=") return ArithmeticAssignment{name, std::move(value)};
    if (sign.size() != 2) return std::nullopt;
    return ArithmeticAssignment{name, name + sign[0] + "(" + value + ")"};
}

std::vector<std::string> assigned_names(std::string_view text) {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < text.size();) {
        if (!is_letter(text[at])) {
            ++at;
            continue;
        }
        const std::size_t start = at;
        while (at < text.size() && is_letter(text[at])) ++at;
        if (std::isdigit(static_cast<unsigned char>(text[start]))) continue;
        std::size_t next = behind_blanks(text, at);
        if (next < text.size() && text[next] == '[')
            next = behind_blanks(text, std::min(text.find(']', next), text.size() - 1) + 1);
        std::size_t before = start;
        while (before > 0 && std::isspace(static_cast<unsigned char>(text[before - 1]))) --before;
        const std::string_view sign = before >= 2 ? text.substr(before - 2, 2) : "";
        if (setting_operator(text, next) > 0 || sign == "++" || sign == "--")
            names.emplace_back(text.substr(start, at - start));
    }
    return names;
}

std::optional<std::int64_t> evaluate_arithmetic(std::string_view text, const Lookup& lookup) {
    return Arithmetic(text, lookup).run();
}

} // namespace shardlens::launchers
