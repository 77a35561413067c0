// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_arithmetic.h"

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

} // namespace

std::optional<std::int64_t> evaluate_arithmetic(std::string_view text, const Lookup& lookup) {
    return Arithmetic(text, lookup).run();
}

} // namespace shardlens::launchers
