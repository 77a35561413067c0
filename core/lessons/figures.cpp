// SPDX-License-Identifier: GPL-3.0-or-later
// Figures typed into prose: what a reader would take for measured or computed and what nothing computes.
#include <algorithm>
#include <array>
#include <optional>

#include "lessons/check.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Units that make any number before them a figure, with or without a space between.
constexpr std::array<std::string_view, 28> kUnits = {
    "GB/s", "GiB",   "GB",    "MiB",      "MB",   "TiB", "TB",   "PB",  "KiB", "kB",
    "Gb/s", "TFLOP", "PFLOP", "GFLOP",    "FLOP", "ms",  "us",   "µs",  "ns",  "kWh",
    "MWh",  "kW",    "MW",    "tokens/s", "%",    "％",  "毫秒", "微秒"};
/// These begin names and formulas as well: only behind a space and at the end of a phrase.
constexpr std::array<std::string_view, 6> kShortUnits = {"B", "s", "h", "d", "y", "W"};
/// Words, behind a space.
constexpr std::array<std::string_view, 9> kWords = {"hours", "hour",  "seconds", "second", "minutes",
                                                    "days",  "years", "percent", "dollars"};
constexpr std::array<std::string_view, 6> kChineseWords = {"秒", "小时", "分钟", "天", "倍", "美元"};
/// Sizes of number formats are facts by definition: up to this many bytes may be written out.
constexpr double kFormatBytes = 16;

/// Blanks out code, live fields and addresses, byte by byte, so that positions stay.
std::string bare(std::string_view markdown) {
    std::string text(markdown);
    const auto blank = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < std::min(to, text.size()); ++i)
            if (text[i] != '\n') text[i] = ' ';
    };
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '`') {
            const std::size_t length = std::min(text.find_first_not_of('`', at), text.size()) - at;
            const std::size_t end = text.find(std::string(length, '`'), at + length);
            const std::size_t stop = end == std::string::npos ? at + length : end + length;
            blank(at, stop);
            at = stop - 1;
        } else if (text.compare(at, 2, "{{") == 0) {
            const std::size_t end = text.find("}}", at);
            const std::size_t stop = end == std::string::npos ? text.size() : end + 2;
            blank(at, stop);
            // A letter in its place: what stands behind a field is no unit of a number before it.
            text[at] = '#';
            at = stop - 1;
        } else if (text.compare(at, 8, "https://") == 0 || text.compare(at, 7, "http://") == 0) {
            const std::size_t end = std::min(text.find_first_of(" )>\n", at), text.size());
            blank(at, end);
            at = end - 1;
        }
    }
    return text;
}

struct Number {
    std::size_t begin = 0, end = 0;
    double value = 0;
    int digits = 0;
    bool decimal = false, grouped = false, version = false;
};

Number number_at(std::string_view text, std::size_t at) {
    Number number;
    number.begin = at;
    std::string plain;
    int points = 0;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        const bool next_digit = at + 1 < text.size() && is_digit(text[at + 1]);
        if (is_digit(c)) {
            plain += c;
            ++number.digits;
        } else if (c == '.' && next_digit) {
            plain += c;
            ++points;
        } else if (c == ',' && next_digit && at + 3 < text.size() && is_digit(text[at + 2]) &&
                   is_digit(text[at + 3])) {
            number.grouped = true;
        } else {
            break;
        }
    }
    number.end = at;
    number.decimal = points == 1;
    number.version = points > 1;
    number.value = number.version ? 0 : std::stod(plain.substr(0, 300));
    return number;
}

/// Part of a name: H100, bf16, GPT-3, Llama-3-70B, arXiv 1803.01113.
bool in_name(std::string_view text, const Number& number) {
    if (number.version) return true;
    std::size_t before = number.begin;
    if (before > 0 && (is_letter(text[before - 1]) || text[before - 1] == '_' || text[before - 1] == '#'))
        return true;
    if (before > 1 && text[before - 1] == '-' && (is_letter(text[before - 2]) || is_digit(text[before - 2])))
        return true;
    return number.decimal && number.digits >= 8 && number.end - number.begin >= 9; // arXiv
}

bool ends_phrase(std::string_view rest) {
    if (rest.empty() || rest[0] == '\n') return true;
    if (is_letter(rest[0]) || is_digit(rest[0])) return false;
    const std::size_t next = rest.find_first_not_of(' ');
    if (next == std::string_view::npos) return true;
    // What goes on with an operator is a formula.
    for (const std::string_view sign : {"·", "×", "*", "/", "+", "−", "=", "^", "²", "_", "("})
        if (rest.substr(next).starts_with(sign)) return false;
    return true;
}

/// The unit behind a number that makes it a figure.
std::optional<std::string_view> unit_behind(std::string_view text, const Number& number) {
    const std::string_view rest = text.substr(number.end);
    const std::size_t spaces = rest.starts_with(" ") ? 1 : rest.starts_with("\u00A0") ? 2 : 0;
    const std::string_view after = rest.substr(spaces);
    for (const std::string_view unit : kUnits)
        if (after.starts_with(unit) &&
            !(is_letter(unit.back()) && after.size() > unit.size() && is_letter(after[unit.size()]) &&
              unit != "TFLOP" && unit != "PFLOP" && unit != "GFLOP" && unit != "FLOP"))
            return unit;
    const auto word = [&](std::string_view unit) {
        return after.starts_with(unit) && (after.size() == unit.size() || !is_letter(after[unit.size()]));
    };
    if (spaces > 0) {
        for (const std::string_view unit : kShortUnits)
            if (after.starts_with(unit) && ends_phrase(after.substr(unit.size()))) return unit;
        for (const std::string_view unit : kWords)
            if (word(unit)) return unit;
    }
    for (const std::string_view unit : kChineseWords)
        if (after.starts_with(unit)) return unit;
    const bool small = !number.decimal && number.value <= kFormatBytes;
    for (const std::string_view unit :
         {std::string_view("bytes"), std::string_view("byte"), std::string_view("字节")})
        if (!small && after.starts_with(unit)) return unit;
    if (number.decimal && (rest.starts_with("×") || rest.starts_with(" ×"))) {
        const std::size_t behind = rest.find("×") + std::string_view("×").size();
        if (ends_phrase(rest.substr(behind)) && rest.substr(behind).find_first_not_of(' ') != 0) return "×";
    }
    return std::nullopt;
}

/// 70B, 15T, 8x7B: sizes that are names.
bool is_size_name(std::string_view text, const Number& number) {
    const std::string_view rest = text.substr(number.end);
    if (rest.empty()) return false;
    const bool letter = rest[0] == 'B' || rest[0] == 'T' || rest[0] == 'M';
    return letter && (rest.size() == 1 || (!is_letter(rest[1]) && !is_digit(rest[1]) && rest[1] != '/'));
}

bool is_year(const Number& number) {
    return number.digits == 4 && !number.decimal && !number.grouped && number.value >= 1900 &&
           number.value < 2100;
}

} // namespace

std::vector<std::pair<int, std::string>> typed_figures(std::string_view markdown) {
    const std::string text = bare(markdown);
    std::vector<std::pair<int, std::string>> found;
    int line = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '\n') ++line;
        if (!is_digit(text[at])) continue;
        const Number number = number_at(text, at);
        at = number.end - 1;
        if (in_name(text, number)) continue;
        const std::string shown = text.substr(number.begin, number.end - number.begin);
        if (const auto unit = unit_behind(text, number))
            found.emplace_back(line, shown + " " + std::string(*unit));
        else if (number.digits >= 3 && !is_year(number) && !is_size_name(text, number))
            found.emplace_back(line, shown);
    }
    return found;
}

} // namespace shardlens::lessons
