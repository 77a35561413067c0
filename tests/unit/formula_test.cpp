// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"
#include "formula/explain.h"

using namespace shardlens;

namespace {

template <class N> N ring(N ranks, N bytes) { return 2.0 * (ranks - 1.0) / ranks * bytes; }

} // namespace

TEST_CASE("one formula computes and explains") {
    CHECK(ring(8.0, 14e9) == 24.5e9); // 2 · 7/8 · 14 GB
    const auto ranks = input<Traced>(8, {"ranks", "1", "plan", Tag::exact});
    const auto bytes = input<Traced>(14e9, {"gradient_bytes", "B", "counted", Tag::exact});
    const Traced sent = named(ring(ranks, bytes), {"ring_bytes", "B", "Patarasuk and Yuan 2009", Tag::modelled});
    const Explanation e = explain(sent);
    CHECK(e.name == "ring_bytes");
    CHECK(e.formula == "2 * (ranks - 1) / ranks * gradient_bytes");
    CHECK(e.substituted == "2 * (8 - 1) / 8 * 14000000000");
    CHECK(evaluate_expression(e.substituted) == 24.5e9);
    CHECK(e.unit == "B");
    CHECK(e.source == "Patarasuk and Yuan 2009");
    CHECK(e.tag == Tag::modelled);
    REQUIRE(e.parts.size() == 2);
    CHECK(e.parts[0].formula == "ranks");
    CHECK(e.parts[1].substituted == "14000000000");
}

TEST_CASE("a name stops the formula, and its own formula is one level down") {
    const auto a = input<Traced>(3, {"a"});
    const Traced inner = named(a * a + 1.0, {"inner"});
    const Explanation e = explain(named(inner * 2.0, {"outer"}), 2);
    CHECK(e.formula == "inner * 2");
    CHECK(e.substituted == "10 * 2");
    REQUIRE(e.parts.size() == 1);
    CHECK(e.parts[0].formula == "a * a + 1");
    const Explanation renamed = explain(named(inner, {"alias"}));
    CHECK(renamed.formula == "a * a + 1");
    CHECK(renamed.substituted == "3 * 3 + 1");
    CHECK(explain(named(a, {"other"})).formula == "a");
}

TEST_CASE("parentheses keep the order of the computation") {
    const auto a = input<Traced>(10, {"a"}), b = input<Traced>(4, {"b"}), c = input<Traced>(3, {"c"});
    CHECK(explain(a - (b - c)).formula == "a - (b - c)");
    CHECK(explain(a - b - c).formula == "a - b - c");
    CHECK(explain(a / (b * c)).formula == "a / (b * c)");
    CHECK(explain((a + b) * c).formula == "(a + b) * c");
    CHECK(explain(pow_of(a + b, c)).formula == "(a + b)^c");
    CHECK(explain(-a + b).substituted == "0 - 10 + 4");
    CHECK(explain(ceil_of(a / c) + min_of(a, max_of(b, c))).substituted == "ceil(10 / 3) + min(10, max(4, 3))");
    for (const Traced& x : {a - (b - c), a / (b * c), pow_of(a + b, c), ceil_of(a / c) + min_of(a, max_of(b, c)), a * -b})
        CHECK(evaluate_expression(explain(x).substituted) == x.value());
}

TEST_CASE("numbers are written without exponents and read back exactly") {
    for (double value : {1e-7, 0.1, 989.4e12, 1.0 / 3, 6.02214076e23, -2.5}) {
        const Traced x = named(Traced(value), {"x"}) * 1.5;
        const std::string text = explain(x).substituted;
        CHECK(text.find('e') == std::string::npos);
        CHECK(evaluate_expression(text) == value * 1.5);
    }
}

TEST_CASE("neutral literals and folded constants do not show") {
    Traced sum = 0;
    const auto a = input<Traced>(5, {"a"});
    sum += a;
    CHECK(explain(sum * 1.0 + 0.0).substituted == "5");
    CHECK(explain(Traced(2) * Traced(3) * a).formula == "6 * a");
    std::vector<Traced> terms(100000, a);
    const Traced total = sum_of(terms);
    CHECK(total.value() == 500000);
    CHECK(evaluate_expression(explain(total).substituted) == 500000);
}

TEST_CASE("an unlabelled expression is as weak as its weakest part and cites its parts") {
    const auto a = input<Traced>(5, {"a", "1", "a paper", Tag::exact}), b = input<Traced>(5, {"b", "1", "a guess", Tag::assumed});
    CHECK(explain(a * b).tag == Tag::assumed);
    CHECK(explain(a * b).source == "a paper; a guess");
}

TEST_CASE("text outside the grammar is refused") {
    for (const char* text : {"", "1 +", "(1", "1)", "foo(1)", "1e5", "min(1", "2 $ 3", "1 2"}) CHECK(std::isnan(evaluate_expression(text)));
    CHECK(evaluate_expression("2^3^2") == 512);
    CHECK(evaluate_expression("floor(2.7) - (-3)") == 5);
}
