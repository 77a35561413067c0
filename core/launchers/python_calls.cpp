// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/python_calls.h"

#include <charconv>
#include <nlohmann/json.hpp>
#include <optional>

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostDepth = 64;

/// A file's texts need not be UTF-8.
std::string text_of(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

struct Token {
    enum class Kind : std::uint8_t { name, number, text, sign, end } kind = Kind::end;
    std::string text;
    int line = 0;
};

bool starts_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<Token> tokens_of(std::string_view text) {
    std::vector<Token> tokens;
    int line = 1;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '\n') ++line;
        if (c == '#') {
            while (at < text.size() && text[at] != '\n') ++at;
        } else if (c == '"' || c == '\'') {
            const bool longer = text.substr(at, 3) == std::string(3, c);
            const std::string_view quote = text.substr(at, longer ? 3 : 1);
            Token token{Token::Kind::text, {}, line};
            at += quote.size();
            while (at < text.size() && text.substr(at, quote.size()) != quote &&
                   (longer || text[at] != '\n')) {
                if (text[at] == '\n') ++line;
                if (text[at] == '\\' && at + 1 < text.size()) ++at;
                token.text += text[at++];
            }
            at = std::min(text.size(), at + quote.size());
            tokens.push_back(std::move(token));
        } else if (starts_name(c)) {
            const std::size_t from = at;
            while (at < text.size() && (starts_name(text[at]) || is_digit(text[at]) || text[at] == '.')) ++at;
            tokens.push_back({Token::Kind::name, std::string(text.substr(from, at - from)), line});
        } else if (is_digit(c)) {
            const std::size_t from = at;
            while (at < text.size() && (is_digit(text[at]) || starts_name(text[at]) || text[at] == '.' ||
                                        ((text[at] == '-' || text[at] == '+') && at > from &&
                                         (text[at - 1] == 'e' || text[at - 1] == 'E'))))
                ++at;
            tokens.push_back({Token::Kind::number, std::string(text.substr(from, at - from)), line});
        } else {
            if (static_cast<unsigned char>(c) > ' ')
                tokens.push_back({Token::Kind::sign, std::string(1, c), line});
            ++at;
        }
    }
    tokens.push_back({Token::Kind::end, {}, line});
    return tokens;
}

std::optional<Json> number_of(std::string text) {
    std::erase(text, '_');
    const char *begin = text.data(), *end = begin + text.size();
    std::int64_t count = 0;
    if (const auto [stop, code] = std::from_chars(begin, end, count); code == std::errc{} && stop == end)
        return count;
    double value = 0;
    if (const auto [stop, code] = std::from_chars(begin, end, value); code == std::errc{} && stop == end)
        return value;
    return std::nullopt;
}

class Reader {
public:
    explicit Reader(std::vector<Token> tokens) : m_tokens(std::move(tokens)) {}

    std::vector<PythonCall> read() {
        while (!at_end()) {
            (void)expression(0);
            if (!at_end()) ++m_at; // whatever ended the expression at top level
        }
        for (std::size_t i = 0; i < m_calls.size(); ++i) m_calls[i].keywords = text_of(m_keywords[i]);
        return std::move(m_calls);
    }

private:
    [[nodiscard]] const Token& token() const { return m_tokens[m_at]; }
    [[nodiscard]] bool at_end() const { return token().kind == Token::Kind::end; }
    [[nodiscard]] bool is_sign(char c, std::size_t ahead = 0) const {
        const std::size_t at = std::min(m_at + ahead, m_tokens.size() - 1);
        return m_tokens[at].kind == Token::Kind::sign && m_tokens[at].text[0] == c;
    }

    /// Up to a comma, a closing bracket or the end of the file; a value when all of it was one literal.
    std::optional<Json> expression(int depth) {
        std::optional<Json> value;
        bool literal = true, first = true, times = false;
        while (!at_end() && !is_sign(',') && !is_sign(')') && !is_sign(']') && !is_sign('}')) {
            if (!first && is_sign('*') && value && value->is_number_integer() && !times) {
                times = true;
                ++m_at;
                continue;
            }
            const auto part = operand(depth);
            if (!part) literal = false;
            if (first) {
                value = part;
            } else if (times && part && value && part->is_number_integer() && value->is_number_integer()) {
                std::int64_t product = 0;
                if (__builtin_mul_overflow(value->get<std::int64_t>(), part->get<std::int64_t>(), &product))
                    literal = false;
                else
                    value = product;
            } else {
                literal = false;
            }
            times = false;
            first = false;
        }
        return literal && !times ? value : std::nullopt;
    }

    std::optional<Json> operand(int depth) {
        const Token now = token();
        ++m_at;
        if (now.kind == Token::Kind::text) return Json(now.text);
        if (now.kind == Token::Kind::number) return number_of(now.text);
        if (now.kind == Token::Kind::name) {
            if (is_sign('(')) {
                call(now, depth);
                return std::nullopt;
            }
            if (now.text == "True") return Json(true);
            if (now.text == "False") return Json(false);
            if (now.text == "None") return Json(nullptr);
            return std::nullopt;
        }
        if (now.text == "-" && token().kind == Token::Kind::number) {
            const auto value = number_of(token().text);
            ++m_at;
            if (value && value->is_number_integer()) return Json(-value->get<std::int64_t>());
            if (value) return Json(-value->get<double>());
            return std::nullopt;
        }
        if (now.text == "[") return list(depth);
        if (now.text == "(" || now.text == "{") skip(depth);
        return std::nullopt;
    }

    std::optional<Json> list(int depth) {
        Json items = Json::array();
        bool literal = depth < kMostDepth;
        if (depth >= kMostDepth) {
            skip_flat();
            return std::nullopt;
        }
        while (!at_end() && !is_sign(']')) {
            if (auto item = expression(depth + 1))
                items.push_back(std::move(*item));
            else
                literal = false;
            if (!is_sign(',')) break;
            ++m_at;
        }
        if (is_sign(']')) ++m_at;
        return literal ? std::optional<Json>(std::move(items)) : std::nullopt;
    }

    /// A bracket whose content is read for calls only.
    void skip(int depth) {
        if (depth >= kMostDepth) return skip_flat();
        while (!at_end() && !is_sign(')') && !is_sign('}') && !is_sign(']')) {
            (void)expression(depth + 1);
            if (!is_sign(',')) break;
            ++m_at;
        }
        if (is_sign(')') || is_sign('}') || is_sign(']')) ++m_at;
    }

    void skip_flat() {
        for (int open = 1; !at_end() && open > 0; ++m_at) {
            if (is_sign('(') || is_sign('[') || is_sign('{')) ++open;
            if (is_sign(')') || is_sign(']') || is_sign('}')) --open;
        }
    }

    void call(const Token& name, int depth) {
        ++m_at; // the bracket
        if (depth >= kMostDepth) return skip_flat();
        const std::size_t index = m_calls.size();
        m_calls.push_back({name.text, name.line, "{}", {}, {}});
        m_keywords.push_back(Json::object());
        while (!at_end() && !is_sign(')')) {
            const bool keyword = token().kind == Token::Kind::name && is_sign('=', 1) && !is_sign('=', 2);
            const std::string key = keyword ? token().text : "";
            if (keyword) m_at += 2;
            const std::size_t before = m_at;
            const bool unpacked = !keyword && is_sign('*');
            auto value = expression(depth + 1);
            PythonCall& call = m_calls[index]; // calls inside may have moved it
            if (keyword && value)
                m_keywords[index][key] = std::move(*value);
            else if (keyword)
                call.not_literal.push_back(key);
            else if (unpacked)
                call.not_literal.emplace_back("*");
            else if (m_at > before) // not a comma without a value before it
                call.positional.push_back(value ? text_of(*value) : "");
            if (is_sign(',')) {
                ++m_at;
            } else if (!is_sign(')')) {
                if (m_at == before || is_sign(']') || is_sign('}')) break;
            }
        }
        if (is_sign(')')) ++m_at;
    }

    std::vector<Token> m_tokens;
    std::size_t m_at = 0;
    std::vector<PythonCall> m_calls;
    std::vector<Json> m_keywords; ///< by call
};

} // namespace

std::vector<PythonCall> python_calls(std::string_view text) { return Reader(tokens_of(text)).read(); }

} // namespace shardlens::launchers
