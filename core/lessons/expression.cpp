// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/expression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <list>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <muParser.h>

#include "cost/collectives.h"
#include "lessons/functions.h"
#include "sync/closed_form.h"
#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::lessons {
namespace {

constexpr std::size_t kLongestExpression = 2000;

/// VARIANT, P, K, DELAY, MEAN and, if `extra` is not 0, the shape of pareto or the shift of
/// shifted_exponential; `function` for the error's text.
sync::Spec spec_of(const char* function, const double* values, double extra) {
    const auto index = [&](double value, std::size_t size, const char* what) {
        if (!(value >= 0 && value < static_cast<double>(size)) || value != std::floor(value))
            throw mu::ParserError(
                fmt::format("{}: the {} is none; k_sync and exponential are right", function, what));
        return static_cast<std::size_t>(value);
    };
    sync::Spec spec;
    spec.variant = static_cast<sync::Variant>(index(values[0], sync::variant_names().size(), "variant"));
    const auto whole = [](double value) {
        return std::fabs(value) < 1e9 ? static_cast<std::int64_t>(value) : 0;
    };
    spec.workers = whole(values[1]);
    spec.wait_for = whole(values[2]);
    sync::DelayWords words;
    words.kind = sync::delay_names()[index(values[3], sync::delay_names().size(), "delay")];
    words.mean_s = values[4];
    if (extra != 0) (words.kind == "pareto" ? words.shape : words.shift_s) = extra;
    std::string problem;
    const auto delay = sync::make_delay(words, problem);
    if (delay) spec.delay = *delay;
    if (problem.empty()) problem = sync::check(spec);
    if (!problem.empty()) throw mu::ParserError(fmt::format("{}: {}", function, problem));
    return spec;
}

/// sgd_time(VARIANT, P, K, DELAY, MEAN[, SHAPE or SHIFT]).
double sgd_time_of(const double* values, int count) {
    if (count < 5 || count > 6)
        throw mu::ParserError(
            "sgd_time takes a variant, P, K, a delay, its mean and, if wanted, the shape (pareto) or the "
            "shift (shifted_exponential)");
    return sgd_time(spec_of("sgd_time", values, count == 6 ? values[5] : 0));
}

/// sgd_error(VARIANT, P, K, DELAY, MEAN, TIME).
double sgd_error_of(const double* values, int count) {
    if (count != 6) throw mu::ParserError("sgd_error takes a variant, P, K, a delay, its mean and a time");
    const sync::Spec spec = spec_of("sgd_error", values, 0);
    constexpr double kMostUpdates = 1e4; // 60 runs of so many take a tenth of a second
    const double time_s = values[5];
    if (!(time_s >= 0 && time_s * static_cast<double>(spec.workers) <= kMostUpdates * values[4]))
        throw mu::ParserError(fmt::format("sgd_error: the time is from 0 to {:g}",
                                          kMostUpdates * values[4] / static_cast<double>(spec.workers)));
    return sgd_error(spec, time_s);
}

double harmonic_of(double n) {
    constexpr double kMost = 1e15;
    if (!(n >= 0 && n <= kMost)) throw mu::ParserError("harmonic takes a whole number from 0 to 1e15");
    return sync::harmonic(static_cast<std::int64_t>(n));
}

double ceil_of(double value) { return std::ceil(value); }
double floor_of(double value) { return std::floor(value); }
double round_of(double value) { return std::round(value); }

constexpr std::array<std::string_view, 19> kFunctions = {"min",
                                                         "max",
                                                         "ceil",
                                                         "floor",
                                                         "round",
                                                         "abs",
                                                         "sqrt",
                                                         "ln",
                                                         "log2",
                                                         "bubble",
                                                         "young",
                                                         "daly",
                                                         "harmonic",
                                                         "sgd_time",
                                                         "sgd_error",
                                                         "states_bytes",
                                                         "train_flops",
                                                         "ring_all_reduce_bytes",
                                                         "parameter_server_bytes"};

mu::Parser make_parser() {
    mu::Parser parser;
    parser.ClearConst();
    parser.DefineFun("ceil", ceil_of);
    parser.DefineFun("floor", floor_of);
    parser.DefineFun("round", round_of);
    parser.DefineFun("bubble", bubble);
    parser.DefineFun("young", young);
    parser.DefineFun("daly", daly);
    parser.DefineFun("harmonic", harmonic_of);
    parser.DefineFun("sgd_time", sgd_time_of);
    parser.DefineFun("sgd_error", sgd_error_of);
    parser.DefineFun("states_bytes", states_bytes);
    parser.DefineFun("train_flops", train_flops);
    parser.DefineFun("ring_all_reduce_bytes",
                     static_cast<double (*)(double, double)>(cost::ring_all_reduce_bytes<double>));
    parser.DefineFun("parameter_server_bytes",
                     static_cast<double (*)(double, double)>(cost::parameter_server_bytes<double>));
    return parser;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// The constants of sgd_time and sgd_error.
const double* constant(std::string_view name) {
    static const std::map<std::string_view, double> all = [] {
        std::map<std::string_view, double> map;
        for (std::size_t i = 0; i < sync::variant_names().size(); ++i)
            map[sync::variant_names()[i]] = static_cast<double>(i);
        for (std::size_t i = 0; i < sync::delay_names().size(); ++i)
            map[sync::delay_names()[i]] = static_cast<double>(i);
        return map;
    }();
    const auto found = all.find(name);
    return found == all.end() ? nullptr : &found->second;
}

/// The expression with every name replaced by one that the parser takes, and their values.
struct Translated {
    std::string text;
    std::list<double> values; ///< v0, v1 …; a list, because the parser keeps addresses
    std::size_t tokens = 0;   ///< names and other pieces
    std::optional<std::string> lone_text;
    std::optional<Error> problem;
};

std::size_t number_length(std::string_view text) {
    std::size_t i = 0;
    while (i < text.size() && (is_digit(text[i]) || text[i] == '.')) ++i;
    if (i + 1 < text.size() && (text[i] == 'e' || text[i] == 'E')) {
        const std::size_t sign = text[i + 1] == '+' || text[i + 1] == '-' ? 1 : 0;
        if (i + 1 + sign < text.size() && is_digit(text[i + 1 + sign])) {
            i += 1 + sign;
            while (i < text.size() && is_digit(text[i])) ++i;
        }
    }
    return i;
}

/// Signs as people write them, with the parser's.
constexpr std::array<std::pair<std::string_view, char>, 4> kSigns = {
    {{"−", '-'}, {"×", '*'}, {"·", '*'}, {"÷", '/'}}};

Translated translate(std::string_view expression, const Names& names) {
    Translated result;
    const auto fail = [&](std::string what) { result.problem = Error{"", std::move(what)}; };
    for (std::size_t i = 0; i < expression.size() && !result.problem;) {
        const std::string_view rest = expression.substr(i);
        const char c = rest[0];
        if (is_digit(c) || c == '.') {
            const std::size_t length = number_length(rest);
            result.text += rest.substr(0, length);
            i += length;
            ++result.tokens;
            continue;
        }
        if (is_letter(c)) {
            std::size_t length = names.prefix(rest);
            while (length < rest.size() &&
                   (is_letter(rest[length]) || is_digit(rest[length]) || rest[length] == '.'))
                ++length;
            while (length > 1 && rest[length - 1] == '.') --length;
            const std::string_view name = rest.substr(0, length);
            i += length;
            ++result.tokens;
            const std::size_t next = expression.find_first_not_of(' ', i);
            if (next != std::string_view::npos && expression[next] == '(') {
                if (std::find(kFunctions.begin(), kFunctions.end(), name) == kFunctions.end()) {
                    const std::string near = nearest(name, kFunctions);
                    fail(fmt::format("there is no function {}; {} is right", one_line(name),
                                     near.empty() ? "min, max, ceil, floor, sqrt …" : near));
                }
                result.text += name;
                continue;
            }
            double number = 0;
            if (const double* known = constant(name)) {
                number = *known;
            } else {
                const Result<Value> value = names.value(name);
                if (!value) {
                    fail(value.error().line());
                } else if (const auto* text = std::get_if<std::string>(&*value)) {
                    result.lone_text = *text;
                } else {
                    number = std::get<double>(*value);
                }
            }
            result.text += fmt::format("v{}", result.values.size());
            result.values.push_back(number);
            continue;
        }
        bool sign = false;
        for (const auto& [written, meant] : kSigns)
            if (rest.starts_with(written)) {
                result.text += meant;
                i += written.size();
                ++result.tokens;
                sign = true;
            }
        if (sign) continue;
        const bool alone =
            c == '=' &&
            (i == 0 || std::string_view("<>=!").find(expression[i - 1]) == std::string_view::npos) &&
            !rest.starts_with("==");
        if (alone) fail("= stands alone; == compares");
        if (std::string_view(" +-*/^()<>=!&|?:,").find(c) == std::string_view::npos)
            fail(fmt::format("'{}' is no part of an expression",
                             one_line(rest.substr(0, std::max<std::size_t>(1, utf8_length(rest, 0))))));
        result.text += c;
        ++i;
        if (c != ' ') ++result.tokens;
    }
    return result;
}

std::string_view trimmed(std::string_view text) {
    const std::size_t from = text.find_first_not_of(' ');
    return from == std::string_view::npos ? std::string_view()
                                          : text.substr(from, text.find_last_not_of(' ') - from + 1);
}

/// The sides of `sign` (&&, ||) outside brackets; one side, the whole, where there is no such sign or what
/// stands there is for the parser to judge.
std::vector<std::string_view> sides(std::string_view text, std::string_view sign) {
    std::vector<std::string_view> all;
    std::size_t from = 0;
    int depth = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth < 0 || (depth == 0 && (text[i] == '?' || text[i] == ','))) return {text};
        if (depth != 0 || text.substr(i, sign.size()) != sign) continue;
        all.push_back(trimmed(text.substr(from, i - from)));
        from = i + sign.size();
        i = from - 1;
    }
    all.push_back(trimmed(text.substr(from)));
    const bool broken = depth != 0 || std::ranges::any_of(all, &std::string_view::empty);
    return broken ? std::vector{text} : all;
}

/// The text without the bracket that stands round all of it.
std::string_view unwrapped(std::string_view text) {
    text = trimmed(text);
    if (text.size() < 2 || text.front() != '(' || text.back() != ')') return text;
    int depth = 0;
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        depth += (text[i] == '(') - (text[i] == ')');
        if (depth == 0) return text;
    }
    return trimmed(text.substr(1, text.size() - 2));
}

Result<Value> evaluate_arithmetic(std::string_view expression, const Names& names);

/// || binds the least, && more, everything else is the parser's.
Result<Value> evaluate_logic(std::string_view expression, const Names& names) {
    const std::string_view inside = unwrapped(expression);
    for (const auto& [sign, decided] : {std::pair("||", true), std::pair("&&", false)}) {
        const std::vector<std::string_view> all = sides(inside, sign);
        if (all.size() == 1) continue;
        for (const std::string_view side : all) {
            const Result<Value> value = evaluate_logic(side, names);
            if (!value) return value;
            const auto* number = std::get_if<double>(&*value);
            if (!number)
                return Error{"", fmt::format("{}: a text has no place in arithmetic; a number is right",
                                             one_line(side, 100))};
            if ((*number != 0) == decided) return Value(decided ? 1.0 : 0.0);
        }
        return Value(decided ? 0.0 : 1.0);
    }
    return evaluate_arithmetic(expression, names);
}

Result<Value> evaluate_arithmetic(std::string_view expression, const Names& names) {
    const std::string shown = one_line(expression, 100);
    const auto failed = [&](const std::string& what) {
        return Error{"", fmt::format("{}: {}", shown, what)};
    };
    Translated translated = translate(expression, names);
    if (translated.problem) return failed(translated.problem->what);
    if (translated.lone_text) {
        if (translated.tokens == 1) return Value(*translated.lone_text);
        return failed("a text has no place in arithmetic; a number is right");
    }
    try {
        mu::Parser parser = make_parser();
        std::size_t index = 0;
        for (double& value : translated.values) parser.DefineVar(fmt::format("v{}", index++), &value);
        parser.SetExpr(translated.text);
        int results = 0;
        const double* values = parser.Eval(results);
        if (results != 1) return failed("several values; one is right");
        if (!std::isfinite(values[0])) return failed("has no finite value");
        return Value(values[0]);
    } catch (const mu::ParserError& error) {
        return failed(one_line(error.GetMsg(), 160));
    }
}

} // namespace

Result<Value> evaluate_expression(std::string_view expression, const Names& names) {
    if (expression.find_first_not_of(' ') == std::string_view::npos)
        return Error{"", "an empty expression; one such as report.time.step_s is right"};
    if (expression.size() > kLongestExpression)
        return Error{"", fmt::format("{}: longer than 2000 characters", one_line(expression, 100))};
    return evaluate_logic(expression, names);
}

} // namespace shardlens::lessons
