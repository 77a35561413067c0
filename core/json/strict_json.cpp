// SPDX-License-Identifier: GPL-3.0-or-later
// A parser of our own on top of nlohmann's value type: the library's SAX events carry no position, so a
// duplicate key could not be given its line, its messages quote the whole offending token (64 MiB of it), and
// its objects search all keys on each insertion. Memory and time here are linear in the input.
#include "json/strict_json.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>
#include <unordered_map>
#include <vector>

#include "json/text.h"

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

/// More values than any plan or preset has; keeps the tree of a hostile 64 MiB file below 1 GiB.
constexpr std::size_t kMaxValues = 8'000'000;
/// Objects with more keys than this get a hash table for the search of duplicates.
constexpr std::size_t kLinearKeys = 16;
constexpr std::size_t kMostOddities = 1000;

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

class Parser {
public:
    /// `oddities` given: read what other programs allow beyond JSON and list it there.
    Parser(std::string_view text, const std::string& origin, std::vector<Oddity>* oddities = nullptr)
        : m_text(text), m_origin(origin), m_oddities(oddities) {}

    Result<Json> run() {
        if (m_text.starts_with("\xEF\xBB\xBF") && odd("a byte order mark in front"))
            m_at += 3;
        else if (m_text.starts_with("\xEF\xBB\xBF"))
            return located("starts with a byte order mark; UTF-8 without one is right");
        if (m_text.starts_with("\xFF\xFE") || m_text.starts_with("\xFE\xFF"))
            return located("is UTF-16 text; UTF-8 is right");
        if (m_text.substr(0, 4).find('\0') != std::string_view::npos)
            return located(
                "starts with zero bytes as UTF-16 text or a binary file does; UTF-8 text is right");
        skip_space();
        if (at_end()) return located("is empty; one JSON document is right");
        Json document;
        if (!parse_value(document, 0)) return *m_error;
        skip_space();
        if (!at_end()) {
            fail(fmt::format("{} after the end of the document; nothing may follow it", found()));
            return *m_error;
        }
        return document;
    }

private:
    struct Frame {
        std::string key;
        std::size_t index = 0;
        bool list = false;
        bool named = false;
    };

    [[nodiscard]] bool at_end() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek() const { return at_end() ? '\0' : m_text[m_at]; }

    void skip_space() {
        for (;;) {
            while (!at_end() && is_space(m_text[m_at])) ++m_at;
            const std::string_view rest = m_text.substr(std::min(m_at, m_text.size()), 2);
            const bool block = rest == "/*";
            if (!block && rest != "//" && !rest.starts_with("#")) return;
            if (!odd("a comment")) return;
            const std::size_t end = block ? m_text.find("*/", m_at + 2) : m_text.find('\n', m_at);
            m_at = end == std::string_view::npos ? m_text.size() : end + (block ? 2 : 1);
        }
    }

    /// Line of the current position; counts on from the last time it was asked.
    [[nodiscard]] std::size_t line() const {
        const std::size_t at = std::min(m_at, m_text.size());
        if (at < m_counted) m_counted = 0, m_line = 1;
        const auto from = m_text.begin() + static_cast<std::ptrdiff_t>(m_counted);
        const auto to = m_text.begin() + static_cast<std::ptrdiff_t>(at);
        m_line += static_cast<std::size_t>(std::count(from, to, '\n'));
        m_counted = at;
        return m_line;
    }

    [[nodiscard]] Error located(std::string what) const {
        return {fmt::format("{}:{}", one_line(m_origin, 200), line()), std::move(what)};
    }

    /// Lists what JSON does not allow; false where only JSON is. Kinds of oddities that need no name each (a
    /// comment) are listed once.
    bool odd(std::string what, std::string value = {}) {
        if (!m_oddities) return false;
        if (value.empty()) {
            if (std::find(m_odd_kinds.begin(), m_odd_kinds.end(), what) != m_odd_kinds.end()) return true;
            m_odd_kinds.push_back(what);
        }
        if (m_oddities->size() < kMostOddities)
            m_oddities->push_back({line(), path(), std::move(value), std::move(what)});
        return true;
    }

    bool fail(std::string what) {
        m_error = located(std::move(what));
        return false;
    }

    /// What stands at the current position, for messages.
    [[nodiscard]] std::string found() const {
        if (at_end()) return "the text ends";
        std::size_t end = m_at;
        while (end < m_text.size() && end - m_at < 40 && is_word(m_text[end])) ++end;
        if (end == m_at) end += std::max<std::size_t>(1, utf8_length(m_text, m_at));
        return fmt::format("'{}'", one_line(m_text.substr(m_at, end - m_at)));
    }

    /// Path of the value being read: "parallel.layers_per_stage.3".
    [[nodiscard]] std::string path() const {
        std::string out;
        for (const Frame& frame : m_frames) {
            if (!frame.list && !frame.named) break; // its key is being read
            if (!out.empty()) out += '.';
            out += frame.list ? std::to_string(frame.index) : one_line(frame.key);
        }
        return out;
    }

    [[nodiscard]] std::string behind_path() const {
        const std::string where = path();
        return where.empty() ? "" : fmt::format(" at {}", where);
    }

    bool parse_value(Json& out, int depth) {
        if (++m_values > kMaxValues)
            return fail(fmt::format("more than {} values; fewer are right", kMaxValues));
        switch (const char c = peek(); c) {
        case '{': return parse_object(out, depth + 1);
        case '[': return parse_list(out, depth + 1);
        case '"': {
            std::string text;
            if (!parse_string(text)) return false;
            out = std::move(text);
            return true;
        }
        default:
            if (c == '\'' && odd("single quotes")) {
                std::string text;
                if (!parse_string(text)) return false;
                out = std::move(text);
                return true;
            }
            if (m_oddities) return parse_bare(out);
            if (c == '-' || is_digit(c)) return parse_number(out);
            return parse_word(out);
        }
    }

    bool parse_word(Json& out) {
        const std::string_view rest = m_text.substr(std::min(m_at, m_text.size()));
        std::size_t length = 0;
        while (length < rest.size() && length < 20 && is_word(rest[length])) ++length;
        const std::string_view word = rest.substr(0, length);
        if (word == "true" || word == "false") {
            out = word == "true";
        } else if (word == "null") {
            out = nullptr;
        } else if (word == "NaN" || word == "nan" || word == "Infinity" || word == "inf") {
            return fail(
                fmt::format("{} is not a JSON number{}; a finite number is right", word, behind_path()));
        } else if (peek() == '\'') {
            return fail(fmt::format("a single quote{}; text stands in double quotes", behind_path()));
        } else if (peek() == '/' || peek() == '#') {
            return fail("a comment; JSON has none, a value is right");
        } else {
            return fail(
                fmt::format("{} where a value is expected{}; a number, \"text\", true, false, null, {{…}} or "
                            "[…] is right",
                            found(), behind_path()));
        }
        m_at += length;
        return true;
    }

    /// A value without quotes, as other programs read it; a name that stands for a value to be filled in
    /// becomes null.
    bool parse_bare(Json& out) {
        std::size_t end = m_at;
        while (end < m_text.size() && (is_word(m_text[end]) || std::string_view("+-.$<>").find(m_text[end]) !=
                                                                   std::string_view::npos))
            ++end;
        const std::string word(m_text.substr(m_at, end - m_at));
        if (word.empty()) return parse_word(out);
        if (word == "true" || word == "false" || word == "null") return parse_word(out);
        const auto take = [&](Json value, std::string what, std::string shown = {}) {
            odd(std::move(what), std::move(shown));
            m_at = end;
            out = std::move(value);
            return true;
        };
        if (word == "True" || word == "False")
            return take(word == "True", "True or False as Python writes it");
        if (word == "None") return take(nullptr, "None as Python writes it");
        std::string number = word;
        std::erase(number, '_');
        if (number.starts_with("+")) number.erase(0, 1);
        double value = 0;
        const auto [stop, code] = std::from_chars(number.data(), number.data() + number.size(), value);
        if (is_digit(word[0]) || std::string_view("+-.").find(word[0]) != std::string_view::npos) {
            const std::size_t digits = word[0] == '-' ? 1 : 0;
            const bool zero = word.size() > digits + 1 && word[digits] == '0' && is_digit(word[digits + 1]);
            if (number == word && word[digits] != '.' && !zero && !word.ends_with(".") &&
                code == std::errc{} && std::isfinite(value))
                return parse_number(out);
            const bool read = code == std::errc{} && stop == number.data() + number.size();
            if (read && std::isfinite(value))
                return take(value, "a number not in JSON's form", one_line(word));
        }
        if (code == std::errc::result_out_of_range && stop == number.data() + number.size())
            return take(nullptr, "a number too large", one_line(word));
        if (word == "NaN" || word == "nan" || word.ends_with("nfinity") || word == "inf" || word == "-inf")
            return take(nullptr, "no finite number", one_line(word));
        return take(nullptr, "a name where a value belongs: to be filled in", one_line(word));
    }

    bool check_depth(int depth) {
        if (depth <= kMaxJsonDepth) return true;
        return fail(fmt::format("nested deeper than {} levels; fewer are right", kMaxJsonDepth));
    }

    bool parse_object(Json& out, int depth) {
        if (!check_depth(depth)) return false;
        out = Json::object();
        // The vector below the ordered map: its own emplace would search all keys each time.
        Json::object_t::Container& members = out.get_ref<Json::object_t&>();
        std::unordered_map<std::string, std::size_t> seen;
        ++m_at;
        skip_space();
        if (peek() == '}') {
            ++m_at;
            return true;
        }
        m_frames.emplace_back();
        for (;;) {
            m_frames.back().named = false;
            if (peek() == '}' && !members.empty() && odd("a comma before the end")) break;
            std::string key;
            if (is_word(peek()) && odd("a key without quotes")) {
                while (is_word(peek()) || peek() == '-') key += m_text[m_at++];
            } else if (peek() == '"' || (peek() == '\'' && odd("single quotes"))) {
                if (!parse_string(key)) return false;
            } else {
                return fail(key_expected());
            }
            m_frames.back().key = key;
            m_frames.back().named = true;
            std::size_t place = members.size(); // where the value goes
            if (members.size() < kLinearKeys) {
                const auto found = std::find_if(members.begin(), members.end(),
                                                [&](const auto& m) { return m.first == key; });
                place = static_cast<std::size_t>(found - members.begin());
            } else {
                if (seen.empty())
                    for (std::size_t i = 0; i < members.size(); ++i) seen.emplace(members[i].first, i);
                place = seen.emplace(key, members.size()).first->second;
            }
            const bool duplicate = place < members.size();
            if (duplicate && !m_oddities)
                return fail(
                    fmt::format("duplicate key \"{}\" ({}); each key once is right", one_line(key), path()));
            skip_space();
            if (peek() != ':')
                return fail(fmt::format("{} behind the key {}; ':' is right", found(), path()));
            ++m_at;
            skip_space();
            if (!duplicate) members.emplace_back(std::move(key), nullptr);
            Json value;
            if (!parse_value(value, depth)) return false;
            if (duplicate)
                odd("given twice, the last one counts", value.is_structured() ? "…" : one_line(value.dump()));
            members[place].second = std::move(value);
            skip_space();
            if (peek() == '}') break;
            if (peek() != ',')
                return fail(fmt::format("{} behind {}; ',' or '}}' is right", found(), path()));
            ++m_at;
            skip_space();
        }
        ++m_at;
        m_frames.pop_back();
        return true;
    }

    [[nodiscard]] std::string key_expected() const {
        if (peek() == '}') return "a comma before '}'; a further key or no comma is right";
        if (peek() == '\'') return "a key in single quotes; double quotes are right";
        if (peek() == '/' || peek() == '#') return "a comment; JSON has none, a key is right";
        return fmt::format("{} where a key is expected; a key in double quotes or '}}' is right", found());
    }

    bool parse_list(Json& out, int depth) {
        if (!check_depth(depth)) return false;
        out = Json::array();
        auto& items = out.get_ref<Json::array_t&>();
        ++m_at;
        skip_space();
        if (peek() == ']') {
            ++m_at;
            return true;
        }
        m_frames.push_back({{}, 0, true});
        for (;;) {
            if (peek() == ']' && !items.empty() && odd("a comma before the end")) break;
            if (peek() == ']') return fail("a comma before ']'; a further value or no comma is right");
            items.emplace_back();
            if (!parse_value(items.back(), depth)) return false;
            skip_space();
            if (peek() == ']') break;
            if (peek() != ',') return fail(fmt::format("{} behind {}; ',' or ']' is right", found(), path()));
            ++m_at;
            ++m_frames.back().index;
            skip_space();
        }
        ++m_at;
        m_frames.pop_back();
        return true;
    }

    bool parse_number(Json& out) {
        const std::size_t start = m_at;
        const auto digits = [&] {
            const std::size_t first = m_at;
            while (!at_end() && is_digit(m_text[m_at])) ++m_at;
            return m_at > first;
        };
        const auto bad = [&](const char* right) {
            std::size_t end = m_at;
            while (end < m_text.size() && (is_word(m_text[end]) || m_text[end] == '.')) ++end;
            return fail(fmt::format("'{}' is not a JSON number{}; {} is right",
                                    one_line(m_text.substr(start, end - start), 30), behind_path(), right));
        };
        bool whole = true;
        if (peek() == '-') ++m_at;
        if (m_text.substr(std::min(m_at, m_text.size())).starts_with("Infinity"))
            return bad("a finite number");
        const bool zero = peek() == '0';
        const std::size_t first_digit = m_at;
        if (!digits()) return bad("a digit behind '-'");
        if (zero && m_at - first_digit > 1) return bad("a number without leading zeros");
        if (peek() == '.') {
            whole = false;
            ++m_at;
            if (!digits()) return bad("a digit behind '.'");
        }
        if (peek() == 'e' || peek() == 'E') {
            whole = false;
            ++m_at;
            if (peek() == '+' || peek() == '-') ++m_at;
            if (!digits()) return bad("a digit in the exponent");
        }
        if (!at_end() && (is_word(peek()) || peek() == '.')) return bad("a plain decimal number");

        const char* begin = m_text.data() + start;
        const char* end = m_text.data() + m_at;
        if (whole) {
            std::int64_t number = 0;
            if (std::from_chars(begin, end, number).ec == std::errc{}) {
                out = number;
                return true;
            }
            std::uint64_t large = 0;
            if (*begin != '-' && std::from_chars(begin, end, large).ec == std::errc{}) {
                out = large;
                return true;
            }
        }
        double number = 0;
        if (std::from_chars(begin, end, number).ec != std::errc{})
            return fail(fmt::format(
                "{} is outside the range of a double{}; a number between 1e-307 and 1e308 is right",
                one_line(m_text.substr(start, m_at - start), 30), behind_path()));
        out = number;
        return true;
    }

    /// Four hexadecimal digits behind "\u".
    bool parse_hex(unsigned& out) {
        if (m_at + 4 > m_text.size())
            return fail("the text ends inside \\u; four hexadecimal digits are right");
        const char* begin = m_text.data() + m_at;
        const auto [end, code] = std::from_chars(begin, begin + 4, out, 16);
        if (code != std::errc{} || end != begin + 4)
            return fail("\\u without four hexadecimal digits; for example \\u00e9 is right");
        m_at += 4;
        return true;
    }

    static void append_utf8(std::string& out, unsigned code) {
        const auto put = [&](unsigned byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
        if (code < 0x80) {
            put(code);
        } else if (code < 0x800) {
            put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
        } else if (code < 0x10000) {
            put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
        } else {
            put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)),
                put(0x80 | (code & 0x3F));
        }
    }

    bool parse_escape(std::string& out) {
        ++m_at; // the backslash
        if (at_end()) return fail("the text ends inside a string; '\"' is right");
        const char c = m_text[m_at++];
        switch (c) {
        case '"': out += '"'; return true;
        case '\\': out += '\\'; return true;
        case '/': out += '/'; return true;
        case 'b': out += '\b'; return true;
        case 'f': out += '\f'; return true;
        case 'n': out += '\n'; return true;
        case 'r': out += '\r'; return true;
        case 't': out += '\t'; return true;
        case 'u': break;
        default:
            return fail(fmt::format("unknown escape \\{}; \\\\ is right for a backslash", one_line({&c, 1})));
        }
        unsigned code = 0;
        if (!parse_hex(code)) return false;
        if (code >= 0xD800 && code <= 0xDBFF) {
            unsigned low = 0;
            if (!m_text.substr(m_at).starts_with("\\u"))
                return fail("half of a surrogate pair; both halves are right");
            m_at += 2;
            if (!parse_hex(low)) return false;
            if (low < 0xDC00 || low > 0xDFFF) return fail("half of a surrogate pair; both halves are right");
            code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        } else if (code >= 0xDC00 && code <= 0xDFFF) {
            return fail("half of a surrogate pair; both halves are right");
        }
        append_utf8(out, code);
        return true;
    }

    bool parse_string(std::string& out) {
        const std::size_t start = m_at++;
        const char quote = m_text[start];
        for (;;) {
            const std::size_t run = m_at;
            while (!at_end() && m_text[m_at] != quote && m_text[m_at] != '\\') {
                const auto byte = static_cast<unsigned char>(m_text[m_at]);
                if (byte < 0x20 && !odd("a control character inside a string"))
                    return fail(fmt::format("control character \\x{:02X} inside a string{}; {} is right",
                                            byte, behind_path(),
                                            byte == '\n' ? "a closing '\"' or \\n" : "an escape"));
                const std::size_t length = utf8_length(m_text, m_at);
                if (length == 0)
                    return fail(fmt::format("byte \\x{:02X} is not UTF-8{}; UTF-8 text is right", byte,
                                            behind_path()));
                m_at += length;
            }
            out += m_text.substr(run, m_at - run);
            if (at_end()) {
                m_at = start; // the line where the string starts helps more than the last line
                return fail(
                    fmt::format("a string that never ends{}; a closing '\"' is right", behind_path()));
            }
            if (m_text[m_at] == quote) break;
            if (!parse_escape(out)) return false;
        }
        ++m_at;
        return true;
    }

    std::string_view m_text;
    const std::string& m_origin;
    std::vector<Oddity>* m_oddities;
    std::vector<std::string> m_odd_kinds; ///< those listed once
    std::size_t m_at = 0;
    mutable std::size_t m_counted = 0, m_line = 1; ///< line() so far
    std::size_t m_values = 0;
    std::vector<Frame> m_frames;
    std::optional<Error> m_error;
};

} // namespace

Result<nlohmann::ordered_json> parse_strict(std::string_view text, const std::string& origin) {
    return Parser(text, origin).run();
}

Result<nlohmann::ordered_json> parse_relaxed(std::string_view text, const std::string& origin,
                                             std::vector<Oddity>& oddities) {
    return Parser(text, origin, &oddities).run();
}

} // namespace shardlens
