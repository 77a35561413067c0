// SPDX-License-Identifier: GPL-3.0-or-later
#include "formula/traced.h"

namespace shardlens {
namespace {

using ExprPtr = std::shared_ptr<const Expr>;

bool plain_constant(const ExprPtr& e) { return e->kind == ExprKind::constant && !e->named; }
bool plain_constant(const ExprPtr& e, double value) { return plain_constant(e) && e->value == value; }

Traced make(ExprKind kind, double value, std::vector<ExprPtr> operands) {
    bool constants = true;
    for (const ExprPtr& e : operands) constants = constants && plain_constant(e);
    auto expr = std::make_shared<Expr>();
    expr->value = value;
    if (!constants) {
        expr->kind = kind;
        expr->operands = std::move(operands);
    }
    return Traced(ExprPtr(std::move(expr)));
}

} // namespace

const char* to_string(Tag tag) {
    switch (tag) {
    case Tag::exact: return "exact";
    case Tag::measured: return "measured";
    case Tag::modelled: return "modelled";
    case Tag::assumed: return "assumed";
    }
    return "";
}

std::string Expr::name() const {
    return index < 0 ? std::string(label.name) : std::string(label.name) + '[' + std::to_string(index) + ']';
}

Traced::Traced(double value) {
    auto expr = std::make_shared<Expr>();
    expr->value = value;
    m_expr = std::move(expr);
}

Traced& Traced::operator+=(const Traced& other) { return *this = *this + other; }
Traced& Traced::operator-=(const Traced& other) { return *this = *this - other; }
Traced& Traced::operator*=(const Traced& other) { return *this = *this * other; }
Traced& Traced::operator/=(const Traced& other) { return *this = *this / other; }

// Neutral literals are dropped, so that an accumulator that starts at 0 or a factor of 1 does not show.
Traced operator+(const Traced& a, const Traced& b) {
    if (plain_constant(a.expr(), 0)) return b;
    if (plain_constant(b.expr(), 0)) return a;
    return make(ExprKind::add, a.value() + b.value(), {a.expr(), b.expr()});
}

Traced operator-(const Traced& a, const Traced& b) {
    if (plain_constant(b.expr(), 0)) return a;
    return make(ExprKind::subtract, a.value() - b.value(), {a.expr(), b.expr()});
}

Traced operator*(const Traced& a, const Traced& b) {
    if (plain_constant(a.expr(), 1)) return b;
    if (plain_constant(b.expr(), 1)) return a;
    return make(ExprKind::multiply, a.value() * b.value(), {a.expr(), b.expr()});
}

Traced operator/(const Traced& a, const Traced& b) {
    if (plain_constant(b.expr(), 1)) return a;
    return make(ExprKind::divide, a.value() / b.value(), {a.expr(), b.expr()});
}

Traced operator-(const Traced& a) {
    return make(ExprKind::subtract, -a.value(), {Traced(0).expr(), a.expr()});
}

Traced min_of(const Traced& a, const Traced& b) {
    return make(ExprKind::minimum, min_of(a.value(), b.value()), {a.expr(), b.expr()});
}

Traced max_of(const Traced& a, const Traced& b) {
    return make(ExprKind::maximum, max_of(a.value(), b.value()), {a.expr(), b.expr()});
}

Traced ceil_of(const Traced& a) { return make(ExprKind::ceil, std::ceil(a.value()), {a.expr()}); }

Traced floor_of(const Traced& a) { return make(ExprKind::floor, std::floor(a.value()), {a.expr()}); }

Traced pow_of(const Traced& a, const Traced& b) {
    return make(ExprKind::power, std::pow(a.value(), b.value()), {a.expr(), b.expr()});
}

Traced named(const Traced& x, const Label& label, int index) {
    auto expr = std::make_shared<Expr>();
    if (x.expr()->named) {
        expr->kind = ExprKind::alias;
        expr->value = x.value();
        expr->operands = {x.expr()};
    } else {
        *expr = *x.expr();
    }
    expr->named = true;
    expr->label = label;
    expr->index = index;
    return Traced(ExprPtr(std::move(expr)));
}

double sum_of(const std::vector<double>& terms) {
    double sum = 0;
    for (double term : terms) sum += term;
    return sum;
}

Traced sum_of(const std::vector<Traced>& terms) {
    std::vector<ExprPtr> operands;
    double sum = 0;
    for (const Traced& term : terms) {
        sum += term.value();
        if (!plain_constant(term.expr(), 0)) operands.push_back(term.expr());
    }
    if (operands.empty()) return Traced(0);
    if (operands.size() == 1) return Traced(operands.front());
    return make(ExprKind::add, sum, std::move(operands));
}

} // namespace shardlens
