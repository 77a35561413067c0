// SPDX-License-Identifier: GPL-3.0-or-later
// A formula is written once, generic over its number type N:
//
//     template <class N> N ring_all_reduce_bytes(N ranks, N bytes) { return 2 * (ranks - 1) / ranks * bytes;
//     }
//
// With N = double it computes at full speed. With N = Traced the same code records the expression, from
// which `formula/explain.h` prints the formula with names, the formula with numbers, unit, source and tag.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace shardlens {

/// How far a number can be trusted. A label states it; an expression without a label is as weak as its
/// weakest part.
enum class Tag : std::uint8_t {
    exact,    ///< follows from the definition (a count, a size, a published architecture)
    measured, ///< a published or recorded measurement
    modelled, ///< computed by a formula of the planner
    assumed,  ///< a default or judgement without a measurement behind it
};

[[nodiscard]] const char* to_string(Tag tag);

/// Name, unit, source and tag of a quantity. All strings are literals, so that labelling costs nothing
/// when N = double. Units: B, s, 1, FLOP, FLOP/s, B/s, tokens/s, USD, kWh, GPUh.
struct Label {
    const char* name;
    const char* unit = "1";
    const char* source =
        ""; ///< paper and equation, framework source, catalogue entry; "" = that of its parts
    Tag tag = Tag::modelled;
};

enum class ExprKind : std::uint8_t {
    constant,
    alias,
    add,
    subtract,
    multiply,
    divide,
    power,
    minimum,
    maximum,
    ceil,
    floor
};

/// One node of a recorded expression; immutable and shared.
struct Expr {
    ExprKind kind = ExprKind::constant;
    double value = 0;
    bool named = false; ///< a named node is where printing of its parent stops
    Label label{"", "1", "", Tag::exact};
    int index = -1; ///< appended to the name as [index] when not negative (stage, rank)
    std::vector<std::shared_ptr<const Expr>> operands;

    [[nodiscard]] std::string name() const;
};

/// A number that remembers how it came about.
class Traced {
public:
    Traced(double value = 0); // NOLINT: implicit on purpose, literals mix with traced numbers
    explicit Traced(std::shared_ptr<const Expr> expr) : m_expr(std::move(expr)) {}

    [[nodiscard]] double value() const { return m_expr->value; }
    [[nodiscard]] const std::shared_ptr<const Expr>& expr() const { return m_expr; }

    Traced& operator+=(const Traced& other);
    Traced& operator-=(const Traced& other);
    Traced& operator*=(const Traced& other);
    Traced& operator/=(const Traced& other);

private:
    std::shared_ptr<const Expr> m_expr;
};

Traced operator+(const Traced& a, const Traced& b);
Traced operator-(const Traced& a, const Traced& b);
Traced operator*(const Traced& a, const Traced& b);
Traced operator/(const Traced& a, const Traced& b);
Traced operator-(const Traced& a);

inline bool operator<(const Traced& a, const Traced& b) { return a.value() < b.value(); }
inline bool operator>(const Traced& a, const Traced& b) { return a.value() > b.value(); }
inline bool operator<=(const Traced& a, const Traced& b) { return a.value() <= b.value(); }
inline bool operator>=(const Traced& a, const Traced& b) { return a.value() >= b.value(); }
inline bool operator==(const Traced& a, const Traced& b) { return a.value() == b.value(); }

// The functions a formula may use. Write them unqualified (min_of, not std::min) in generic code.
[[nodiscard]] inline double value_of(double x) { return x; }
[[nodiscard]] inline double value_of(const Traced& x) { return x.value(); }

[[nodiscard]] inline double min_of(double a, double b) { return a < b ? a : b; }
[[nodiscard]] inline double max_of(double a, double b) { return a > b ? a : b; }
[[nodiscard]] inline double ceil_of(double a) { return std::ceil(a); }
[[nodiscard]] inline double floor_of(double a) { return std::floor(a); }
[[nodiscard]] inline double pow_of(double a, double b) { return std::pow(a, b); }
[[nodiscard]] Traced min_of(const Traced& a, const Traced& b);
[[nodiscard]] Traced max_of(const Traced& a, const Traced& b);
[[nodiscard]] Traced ceil_of(const Traced& a);
[[nodiscard]] Traced floor_of(const Traced& a);
[[nodiscard]] Traced pow_of(const Traced& a, const Traced& b);

/// Gives a quantity its name, unit, source and tag. A formula that uses it afterwards shows the name.
/// Re-labelling an already named quantity keeps the inner name as the formula of the outer one.
[[nodiscard]] inline double named(double x, const Label&, int = -1) { return x; }
[[nodiscard]] Traced named(const Traced& x, const Label& label, int index = -1);

/// Sum of many terms; as Traced one flat node, so that long sums stay shallow.
[[nodiscard]] double sum_of(const std::vector<double>& terms);
[[nodiscard]] Traced sum_of(const std::vector<Traced>& terms);

/// A leaf that comes from the plan or the catalogue: `input<N>(8192, {"hidden", "1", "model preset",
/// Tag::exact})`.
template <class N> [[nodiscard]] N input(double value, const Label& label, int index = -1) {
    return named(N(value), label, index);
}

} // namespace shardlens
