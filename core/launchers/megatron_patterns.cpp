// SPDX-License-Identifier: GPL-3.0-or-later
// The two small languages inside Megatron's values.
#include <charconv>

#include "launchers/megatron_import.h"

namespace shardlens::launchers {

namespace {

constexpr std::size_t kMost = 100'000;
constexpr int kDeepest = 20;

/// Sums and products of lists of 0 and 1, as Python would evaluate them.
class Pattern {
public:
    explicit Pattern(std::string_view text) : m_text(text) {}
    std::optional<std::vector<bool>> run() {
        auto value = sum(0);
        skip();
        return m_at == m_text.size() ? value : std::nullopt;
    }

private:
    using List = std::optional<std::vector<bool>>;
    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }
    bool take(char c) {
        skip();
        if (m_at >= m_text.size() || m_text[m_at] != c) return false;
        ++m_at;
        return true;
    }
    List sum(int depth) {
        List left = product(depth);
        while (left && take('+')) {
            const List right = product(depth);
            if (!right || left->size() + right->size() > kMost) return std::nullopt;
            left->insert(left->end(), right->begin(), right->end());
        }
        return left;
    }
    List product(int depth) {
        List value = atom(depth);
        while (value && take('*')) {
            skip();
            std::size_t times = 0;
            const char* begin = m_text.data() + m_at;
            const auto [end, code] = std::from_chars(begin, m_text.data() + m_text.size(), times);
            if (code != std::errc{} || times > kMost || times * value->size() > kMost) return std::nullopt;
            m_at += static_cast<std::size_t>(end - begin);
            std::vector<bool> once = *value;
            value->clear();
            for (std::size_t i = 0; i < times; ++i) value->insert(value->end(), once.begin(), once.end());
        }
        return value;
    }
    List atom(int depth) {
        if (depth > kDeepest) return std::nullopt;
        if (take('(')) {
            List value = sum(depth + 1);
            return value && take(')') ? value : std::nullopt;
        }
        if (!take('[')) return std::nullopt;
        std::vector<bool> list;
        while (!take(']')) {
            if (!list.empty() && !take(',')) return std::nullopt;
            if (take('1'))
                list.push_back(true);
            else if (take('0'))
                list.push_back(false);
            else
                return std::nullopt;
        }
        return list;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

/// Writes out "x*3" and "(…)*3"; false when it is no layout or too long.
bool write_out(std::string_view text, std::size_t& at, std::string& out, int depth) {
    if (depth > kDeepest) return false;
    while (at < text.size() && text[at] != ')') {
        const char c = text[at++];
        std::string part;
        if (c == ',' || c == ' ') continue;
        if (c == '(') {
            if (!write_out(text, at, part, depth + 1) || at >= text.size() || text[at] != ')') return false;
            ++at;
        } else if (std::string_view("EtmL|").find(c) != std::string_view::npos) {
            part = std::string(1, c);
        } else {
            return false;
        }
        std::size_t times = 1;
        if (at < text.size() && text[at] == '*') {
            ++at;
            const auto [end, code] = std::from_chars(text.data() + at, text.data() + text.size(), times);
            if (code != std::errc{}) return false;
            at = static_cast<std::size_t>(end - text.data());
        }
        if (times > 2 * kMost || out.size() + times * part.size() > 2 * kMost) return false;
        for (std::size_t i = 0; i < times; ++i) out += part;
    }
    return true;
}

} // namespace

std::optional<std::vector<bool>> pattern_from_text(std::string_view text) {
    if (text.size() > kMost) return std::nullopt;
    return Pattern(text).run();
}

std::optional<std::vector<std::int64_t>> layout_from_text(std::string_view text) {
    std::string letters;
    std::size_t at = 0;
    if (text.size() > kMost || !write_out(text, at, letters, 0) || at != text.size()) return std::nullopt;
    std::vector<std::int64_t> layers = {0};
    for (const char c : letters) {
        if (c == '|') layers.push_back(0);
        if (c == 't') ++layers.back();
    }
    return layers;
}

} // namespace shardlens::launchers
