// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "json/text.h"

namespace shardlens::lessons {
namespace {

constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365.25 * kDay;
constexpr std::string_view kRaisedMinus = "⁻";
constexpr std::array<std::string_view, 10> kRaised = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

struct Unit {
    std::string_view name;
    double scale;
};
constexpr std::array<Unit, 34> kUnits = {{
    {"B", 1},       {"kB", 1e3},       {"MB", 1e6},       {"GB", 1e9},       {"TB", 1e12},
    {"PB", 1e15},   {"KiB", 1024.0},   {"MiB", 0x1p20},   {"GiB", 0x1p30},   {"TiB", 0x1p40},
    {"s", 1},       {"ms", 1e-3},      {"us", 1e-6},      {"min", kMinute},  {"h", kHour},
    {"d", kDay},    {"y", kYear},      {"auto", 1},       {"%", 0.01},       {"GB/s", 1e9},
    {"TB/s", 1e12}, {"Gb/s", 1e9 / 8}, {"TFLOP/s", 1e12}, {"PFLOP/s", 1e15}, {"FLOP", 1},
    {"1", 1},       {"int", 1},        {"x", 1},          {"tokens/s", 1},   {"tokens", 1},
    {"$", 1},       {"kWh", 1},        {"MWh", 1e3},      {"text", 1},
}};

std::string grouped(std::string digits, const NumberFormat& format) {
    const std::size_t point = std::min(digits.find('.'), digits.size());
    std::string fraction = digits.substr(point);
    digits.resize(point);
    if (!fraction.empty()) fraction = format.decimal + fraction.substr(1);
    // Four digits alone are grouped as well, as the window's numbers are.
    std::string whole;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i > 0 && (digits.size() - i) % 3 == 0) whole += format.group;
        whole += digits[i];
    }
    return whole + fraction;
}

/// Digits behind the point that leave three significant ones.
int three_significant(double size) {
    if (!(size > 0)) return 0;
    const int before = static_cast<int>(std::floor(std::log10(size))) + 1;
    return std::clamp(3 - before, 0, 12);
}

std::string plain(double value, std::optional<int> digits, const NumberFormat& format, bool groups) {
    std::string text =
        fmt::format("{:.{}f}", std::fabs(value), digits ? *digits : three_significant(std::fabs(value)));
    if (!digits && text.find('.') != std::string::npos) {
        while (text.back() == '0') text.pop_back();
        if (text.back() == '.') text.pop_back();
    }
    const bool negative = value < 0 && text.find_first_not_of("0.") != std::string::npos;
    NumberFormat shown = format;
    if (!groups) shown.group.clear();
    return (negative ? "−" : "") + grouped(text, shown);
}

std::string scientific(double value, std::optional<int> digits, const NumberFormat& format) {
    if (value == 0) return "0";
    const std::string text = fmt::format("{:.{}e}", value, digits.value_or(2));
    const std::size_t e = text.find('e');
    const int power = std::stoi(text.substr(e + 1));
    std::string raised(power < 0 ? kRaisedMinus : "");
    for (const char digit : std::to_string(std::abs(power)))
        raised += kRaised[static_cast<std::size_t>(digit - '0')];
    return plain(std::stod(text.substr(0, e)), digits ? digits : std::optional<int>(), format, false) +
           " × 10" + raised;
}

struct Picked {
    double scale;
    std::string name;
};

Picked picked_bytes(double bytes) {
    Picked best{1, "B"};
    for (const std::string_view name : {"kB", "MB", "GB", "TB", "PB"})
        if (std::fabs(bytes) >= 0.9995 * unit_scale(name)) best = {unit_scale(name), std::string(name)};
    return best;
}

Picked picked_time(double seconds, const NumberFormat& format) {
    const double size = std::fabs(seconds);
    if (size >= 2 * kYear) return {kYear, format.years};
    if (size >= 2 * kDay) return {kDay, format.days};
    if (size >= kHour) return {kHour, format.hours};
    if (size >= 2 * kMinute) return {kMinute, format.minutes};
    if (size >= 0.9995 || size == 0) return {1, "s"};
    if (size >= 0.9995e-3) return {1e-3, "ms"};
    return {1e-6, "µs"};
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
    if (from.empty()) return;
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

/// Words and signs behind a number that make it larger; the longer of two with one end comes first.
constexpr std::array<std::pair<std::string_view, double>, 18> kMultipliers = {{
    {"thousand", 1e3}, {"million", 1e6}, {"billion", 1e9}, {"trillion", 1e12}, {"k", 1e3},   {"K", 1e3},
    {"M", 1e6},        {"G", 1e9},       {"bn", 1e9},      {"B", 1e9},         {"T", 1e12},  {"万亿", 1e12},
    {"千亿", 1e11},    {"百亿", 1e10},   {"十亿", 1e9},    {"百万", 1e6},      {"亿", 1e8},  {"万", 1e4},
}};

/// Cuts off "million", "k" or "亿" behind the number: how many times larger it makes it.
double cut_multiplier(std::string_view& number, std::string_view unit) {
    const bool bytes = unit.find('B') != std::string_view::npos; // 16B is 16 bytes there
    for (const auto& [sign, times] : kMultipliers) {
        if (!number.ends_with(sign) || (sign == "B" && bytes)) continue;
        number.remove_suffix(sign.size());
        return times;
    }
    return 1;
}

/// What may stand for the unit behind a number: its name, and what format_number writes.
std::vector<std::string> signs_of(std::string_view unit, const NumberFormat& format) {
    if (unit == "1" || unit == "int") return {};
    if (unit == "$") return {"$", "USD", "dollars", "美元"};
    std::string shown = format_number(0, unit, 0, format);
    shown.erase(0, shown.find_first_not_of("0 "));
    return {shown, std::string(unit)};
}

/// Cuts off the unit behind the number, or in front of it for dollars.
void cut_unit(std::string& number, std::string_view unit, const NumberFormat& format) {
    const std::size_t front = number.starts_with('-') ? 1 : 0;
    if (unit == "$" && number.find('$') == front) number.erase(front, 1);
    for (const std::string& sign : signs_of(unit, format))
        if (!sign.empty() && number.ends_with(sign)) {
            number.erase(number.size() - sign.size());
            return;
        }
}

/// "4.24×10²³" and "4.24*10^23" as "4.24e23".
void read_powers(std::string& text) {
    for (const std::string_view times : {"×10", "*10", "·10"})
        if (const std::size_t at = text.find(times); at != std::string::npos) {
            std::string power = text.substr(at + times.size());
            if (power.starts_with('^')) power.erase(0, 1);
            for (std::size_t digit = 0; digit < kRaised.size(); ++digit)
                replace_all(power, kRaised[digit], std::to_string(digit));
            replace_all(power, "⁻", "-");
            text = text.substr(0, at) + "e" + power;
        }
}

} // namespace

NumberFormat NumberFormat::of(std::string_view language) {
    if (!language.starts_with("zh")) return {};
    NumberFormat format;
    format.minutes = "分钟";
    format.hours = "小时";
    format.days = "天";
    format.years = "年";
    format.fits = "放得下";
    format.marginal = "勉强放得下";
    format.does_not_fit = "放不下";
    return format;
}

std::span<const std::string_view> unit_names() {
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> all;
        for (const Unit& unit : kUnits) all.push_back(unit.name);
        return all;
    }();
    return names;
}

bool is_unit(std::string_view unit) { return std::ranges::count(kUnits, unit, &Unit::name) > 0; }

double unit_scale(std::string_view unit) {
    const auto found = std::ranges::find(kUnits, unit, &Unit::name);
    return found == kUnits.end() ? 1 : found->scale;
}

std::string format_number(double value, std::string_view unit, std::optional<int> digits,
                          const NumberFormat& format) {
    const auto with = [&](double scale, std::string_view name) {
        return plain(value / scale, digits, format, true) + " " + std::string(name);
    };
    if (unit == "1") return plain(value, digits, format, false);
    if (unit == "int") return plain(value, 0, format, true);
    if (unit == "x") return plain(value, digits, format, true) + "×";
    if (unit == "FLOP") return scientific(value, digits, format) + " FLOP";
    if (unit == "$") return (value < 0 ? "−$" : "$") + plain(std::fabs(value), digits, format, true);
    if (unit == "us") return with(1e-6, "µs");
    if (unit == "min") return with(kMinute, format.minutes);
    if (unit == "h") return with(kHour, format.hours);
    if (unit == "d") return with(kDay, format.days);
    if (unit == "y") return with(kYear, format.years);
    if (unit == "B" || unit == "auto") {
        const Picked best = unit == "B" ? picked_bytes(value) : picked_time(value, format);
        return with(best.scale, best.name);
    }
    return with(unit_scale(unit), unit);
}

Result<double> read_number(std::string_view typed, std::string_view unit, const NumberFormat& format) {
    std::string text(typed);
    for (const std::string_view space : {" ", "\t", "\u00A0", "\u202F", "\u2009"})
        replace_all(text, space, "");
    replace_all(text, "−", "-");
    if (format.group != ".") replace_all(text, format.group, "");
    if (format.group == "." && format.decimal != ".") replace_all(text, ".", "");
    replace_all(text, format.decimal, ".");
    read_powers(text);
    cut_unit(text, unit, format);
    std::string_view number = text;
    const double times = cut_multiplier(number, unit) * unit_scale(unit);
    if (number.starts_with('+')) number.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (code != std::errc() || end != number.data() + number.size() || number.empty() ||
        !std::isfinite(value * times))
        return Error{"", fmt::format("'{}' is no number; one such as {} or 4.2e23 is right", one_line(typed),
                                     plain(46.7, 1, format, true))};
    return value * times;
}

} // namespace shardlens::lessons
