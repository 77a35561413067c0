// SPDX-License-Identifier: GPL-3.0-or-later
#include "formula/explain.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

namespace shardlens {
namespace {

using ExprPtr = std::shared_ptr<const Expr>;

/// Shortest text that reads back as the same double, never with an exponent.
std::string number(double value) {
    if (!std::isfinite(value)) return value != value ? "nan" : value > 0 ? "inf" : "(-inf)";
    std::array<char, 400> buffer;
    const auto end =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed).ptr;
    std::string text(buffer.data(), end);
    return value < 0 ? '(' + text + ')' : text;
}

int precedence(ExprKind kind) {
    switch (kind) {
    case ExprKind::add:
    case ExprKind::subtract: return 1;
    case ExprKind::multiply:
    case ExprKind::divide: return 2;
    case ExprKind::power: return 3;
    default: return 4;
    }
}

enum class Show { names, numbers };

class Printer {
public:
    Printer(Show show, std::vector<ExprPtr>& named_parts) : m_show(show), m_parts(named_parts) {}

    /// The node's own operation, whether the node has a name or not.
    void print_definition(const Expr& e) {
        switch (e.kind) {
        case ExprKind::constant:
            m_text += e.named && m_show == Show::names ? e.name() : number(e.value);
            return;
        case ExprKind::alias: print_definition(*e.operands[0]); return; // a second name shows what the first one means
        case ExprKind::add: infix(e, " + "); return;
        case ExprKind::subtract: infix(e, " - "); return;
        case ExprKind::multiply: infix(e, " * "); return;
        case ExprKind::divide: infix(e, " / "); return;
        case ExprKind::power: infix(e, "^"); return;
        case ExprKind::minimum: call("min", e); return;
        case ExprKind::maximum: call("max", e); return;
        case ExprKind::ceil: call("ceil", e); return;
        case ExprKind::floor: call("floor", e); return;
        }
    }
    [[nodiscard]] std::string take() { return std::move(m_text); }

private:
    void print(const ExprPtr& e) {
        if (!e->named) {
            print_definition(*e);
            return;
        }
        if (std::find(m_parts.begin(), m_parts.end(), e) == m_parts.end()) m_parts.push_back(e);
        m_text += m_show == Show::names ? e->name() : number(e->value);
    }

    void infix(const Expr& e, const char* sign) {
        const int own = precedence(e.kind);
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            const Expr& operand = *e.operands[i];
            const int inner = operand.named ? 4 : precedence(operand.kind);
            // Operations group from the left; anything else keeps its parentheses, so that the order of
            // rounding of the printed text is that of the computation. A power is always explicit.
            const bool parentheses = inner < own || (inner == own && (i > 0 || e.kind == ExprKind::power));
            if (i > 0) m_text += sign;
            if (parentheses) m_text += '(';
            print(e.operands[i]);
            if (parentheses) m_text += ')';
        }
    }

    void call(const char* function, const Expr& e) {
        m_text += function;
        m_text += '(';
        for (std::size_t i = 0; i < e.operands.size(); ++i) {
            if (i > 0) m_text += ", ";
            print(e.operands[i]);
        }
        m_text += ')';
    }

    Show m_show;
    std::string m_text;
    std::vector<ExprPtr>& m_parts;
};

Explanation explain(const Expr& e, int depth) {
    std::vector<ExprPtr> parts;
    Explanation result;
    result.name = e.named ? e.name() : "";
    result.value = e.value;
    result.unit = e.label.unit;
    Printer names(Show::names, parts);
    names.print_definition(e);
    result.formula = names.take();
    Printer numbers(Show::numbers, parts);
    numbers.print_definition(e);
    result.substituted = numbers.take();

    result.source = e.label.source;
    result.tag = e.label.tag;
    if (!e.named)
        for (const ExprPtr& part : parts) result.tag = std::max(result.tag, part->label.tag);
    if (result.source.empty()) {
        std::vector<std::string> sources;
        for (const ExprPtr& part : parts) {
            const std::string source = part->label.source;
            if (!source.empty() && sources.size() < 3 &&
                std::find(sources.begin(), sources.end(), source) == sources.end())
                sources.push_back(source);
        }
        for (const std::string& source : sources)
            result.source += (result.source.empty() ? "" : "; ") + source;
    }
    if (depth > 0)
        for (const ExprPtr& part : parts) result.parts.push_back(explain(*part, depth - 1));
    return result;
}

/// Recursive descent over the grammar of Explanation::substituted.
class Evaluator {
public:
    explicit Evaluator(const std::string& text) : m_at(text.c_str()), m_end(m_at + text.size()) {}

    double run() {
        const double value = sum(0);
        skip();
        return m_at == m_end ? value : kBad;
    }

private:
    static constexpr double kBad = std::numeric_limits<double>::quiet_NaN();
    static constexpr int kMaxDepth = 500;

    void skip() {
        while (m_at != m_end && *m_at == ' ') ++m_at;
    }
    bool take(char c) {
        skip();
        if (m_at == m_end || *m_at != c) return false;
        ++m_at;
        return true;
    }
    double sum(int depth) {
        double value = product(depth);
        for (;;) {
            if (take('+'))
                value += product(depth);
            else if (take('-'))
                value -= product(depth);
            else
                return value;
        }
    }
    double product(int depth) {
        double value = power(depth);
        for (;;) {
            if (take('*'))
                value *= power(depth);
            else if (take('/'))
                value /= power(depth);
            else
                return value;
        }
    }
    double power(int depth) {
        const double base = atom(depth);
        return take('^') ? std::pow(base, power(depth)) : base;
    }
    double atom(int depth) {
        if (depth > kMaxDepth) return kBad;
        skip();
        if (take('-')) return -atom(depth + 1);
        if (take('(')) {
            const double value = sum(depth + 1);
            return take(')') ? value : kBad;
        }
        for (const char* name : {"min", "max", "ceil", "floor"}) {
            const std::size_t length = std::char_traits<char>::length(name);
            if (static_cast<std::size_t>(m_end - m_at) < length || !std::equal(name, name + length, m_at))
                continue;
            m_at += length;
            return call(name[0], name[1], depth);
        }
        double value = kBad;
        const auto [end, error] = std::from_chars(m_at, m_end, value, std::chars_format::fixed);
        if (error != std::errc()) return kBad;
        m_at = end;
        return value;
    }
    double call(char first, char second, int depth) {
        if (!take('(')) return kBad;
        double value = sum(depth + 1);
        if (first == 'c') value = std::ceil(value);
        if (first == 'f') value = std::floor(value);
        while (first == 'm' && take(',')) {
            const double other = sum(depth + 1);
            value = second == 'i' ? min_of(value, other) : max_of(value, other);
        }
        return take(')') ? value : kBad;
    }

    const char* m_at;
    const char* m_end;
};

} // namespace

Explanation explain(const Traced& number, int depth) { return explain(*number.expr(), depth); }

double evaluate_expression(const std::string& text) { return Evaluator(text).run(); }

} // namespace shardlens
