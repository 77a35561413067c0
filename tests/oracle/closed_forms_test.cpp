// SPDX-License-Identifier: GPL-3.0-or-later
// Makespans, peaks and the price of hops of every schedule that has a formula, for 2 to 16 pipeline ranks.
// The formulas are the papers' (named at each generator), with the terms that they leave out for unusual
// costs.
#include <algorithm>

#include "catch.h"
#include "pipeline/simulate.h"
#include "plan/fields.h"

using namespace shardlens::pipeline;
using shardlens::ScheduleKind;
using enum shardlens::ScheduleKind;

namespace {

/// Costs that double holds exactly, so that makespans are equal and not merely close.
struct Mix {
    double f, i, w;
    [[nodiscard]] double b() const { return i + w; }
    [[nodiscard]] double both() const { return f + b(); }
    [[nodiscard]] Costs costs(double overlapped = -1, double hop = 0) const {
        return {{StageCost{f, i, w, overlapped}}, hop};
    }
};
constexpr Mix kMixes[] = {{1, 1, 1},   {1, 1.5, 0.5}, {2, 1, 1}, {1, 0.5, 1.5},
                          {1, 2.5, 1}, {3, 1, 2},     {1, 3, 3}, {2, 2.25, 0.25}};

Timeline timed(ScheduleKind kind, std::int64_t p, std::int64_t m, std::int64_t v, const Costs& costs,
               std::int64_t g = 0) {
    INFO(shardlens::to_string(kind) << " p=" << p << " m=" << m << " v=" << v << " g=" << g);
    auto schedule = make_schedule({kind, p, m, v, g});
    REQUIRE(schedule.ok());
    auto timeline = simulate(std::move(schedule).value(), costs, false);
    REQUIRE(timeline.ok());
    return std::move(timeline).value();
}

double makespan(ScheduleKind kind, std::int64_t p, std::int64_t m, std::int64_t v, const Costs& costs,
                std::int64_t g = 0) {
    return timed(kind, p, m, v, costs, g).makespan;
}

double n(std::int64_t count) { return static_cast<double>(count); }

/// Calls test(p, mix) for every number of ranks and every mix of costs.
template <class Test> void for_all(Test test) {
    for (std::int64_t p = 2; p <= 16; ++p)
        for (const Mix& mix : kMixes) {
            INFO("p=" << p << " F=" << mix.f << " I=" << mix.i << " W=" << mix.w);
            test(p, mix);
        }
}

std::int64_t largest_peak(const Timeline& timeline, bool until_weight) {
    std::int64_t most = 0;
    for (const RankSummary& rank : timeline.ranks)
        most = std::max(most, until_weight ? rank.peak_live_until_weight : rank.peak_live_until_input);
    return most;
}

} // namespace

TEST_CASE("GPipe, 1F1B and PipeDream take (m + p - 1)(F + B)") {
    for_all([](std::int64_t p, const Mix& mix) {
        for (const std::int64_t m : {std::int64_t{1}, p - 1, p, 2 * p + 1, 4 * p})
            for (const ScheduleKind kind : {gpipe, one_f_one_b, one_f_one_b_eager, pipedream})
                REQUIRE(makespan(kind, p, m, 1, mix.costs()) == n(m + p - 1) * mix.both());
    });
}

TEST_CASE("Interleaved and breadth-first take (m v + p - 1)(F + B)") {
    for_all([](std::int64_t p, const Mix& mix) {
        for (std::int64_t v = 2; v <= 4; ++v) {
            for (const std::int64_t m : {p, 2 * p, 4 * p}) {
                REQUIRE(makespan(interleaved, p, m, v, mix.costs()) == n(m * v + p - 1) * mix.both());
                REQUIRE(makespan(bfs, p, m + 1, v, mix.costs()) == n((m + 1) * v + p - 1) * mix.both());
            }
            // longer groups: a rest of 0, and one of p
            REQUIRE(makespan(interleaved, p, 2 * (p + 1), v, mix.costs(), p + 1) ==
                    n(2 * (p + 1) * v + p - 1) * mix.both());
            REQUIRE(makespan(interleaved, p, 2 * p + 2, v, mix.costs(), p + 2) ==
                    n((2 * p + 2) * v + p - 1) * mix.both());
        }
    });
}

TEST_CASE("Overlapped expert communication takes (p - 1 + w)(F + B) + (m v - w) X, w = (v - 1) g + 1") {
    for_all([](std::int64_t p, const Mix& mix) {
        for (std::int64_t v = 2; v <= 4; ++v)
            for (const double gain : {1.0, 0.875}) {
                const std::int64_t m = 3 * p, w = (v - 1) * p + 1;
                REQUIRE(makespan(interleaved_ep, p, m, v, mix.costs(gain * mix.both()), p) ==
                        Approx(n(p - 1 + w) * mix.both() + n(m * v - w) * gain * mix.both()).epsilon(1e-12));
            }
    });
}

TEST_CASE("ZB-H1 and interleaved zero bubble take m v (F + B) + (p - 1) max(F + I - W, F, I)") {
    for_all([](std::int64_t p, const Mix& mix) {
        const double idle = n(p - 1) * std::max({mix.f + mix.i - mix.w, mix.f, mix.i});
        for (const std::int64_t m : {p, p + 1, 2 * p, 3 * p + 2})
            REQUIRE(makespan(zb_h1, p, m, 1, mix.costs()) == n(m) * mix.both() + idle);
        for (std::int64_t v = 2; v <= 4; ++v)
            for (const std::int64_t m : {p, 2 * p, 4 * p})
                REQUIRE(makespan(interleaved_zb, p, m, v, mix.costs()) == n(m * v) * mix.both() + idle);
    });
}

TEST_CASE(
    "ZB-H2 takes m (F + B) + (p - 1) max(F, F + I - 2 W, I - F); with equal halves nothing idles inside") {
    for_all([](std::int64_t p, const Mix& mix) {
        const double idle = n(p - 1) * std::max({mix.f, mix.f + mix.i - 2 * mix.w, mix.i - mix.f});
        for (const std::int64_t m : {2 * p - 1, 2 * p, 4 * p + 1})
            REQUIRE(makespan(zb_h2, p, m, 1, mix.costs()) == n(m) * mix.both() + idle);
        if (mix.f == mix.i && mix.i == mix.w)
            for (const RankSummary& rank : timed(zb_h2, p, 2 * p, 1, mix.costs()).ranks)
                REQUIRE(rank.idle_inside == 0);
    });
}

TEST_CASE("With F = I = W = 1 ZB-V takes max(6 m + p - 1, 4 m + 4 p - 2) and idles only at the ends") {
    for (std::int64_t p = 2; p <= 16; ++p)
        for (const std::int64_t m : {p, 2 * p - 2, 2 * p - 1, 4 * p}) {
            if (m < p) continue;
            const Timeline timeline = timed(zb_v, p, m, 2, kMixes[0].costs());
            REQUIRE(timeline.makespan == n(std::max(6 * m + p - 1, 4 * m + 4 * p - 2)));
            if (m < 2 * p - 1) continue;
            for (const RankSummary& rank : timeline.ranks) {
                REQUIRE(rank.idle_inside == 0);
                REQUIRE(rank.peak_live_until_weight == 2 * p);
            }
        }
}

TEST_CASE("DualPipe idles (p / 2 - 1)(X + B - 3 W) at most, DualPipeV twice that and once more") {
    for (std::int64_t p = 2; p <= 16; ++p)
        for (const std::int64_t m : {2 * p, 3 * p + p % 2, 4 * p})
            for (const double x : {3.0, 2.75, 2.5}) {
                const auto most = [](const Timeline& timeline) {
                    double idle = 0;
                    for (const RankSummary& rank : timeline.ranks) idle = std::max(idle, rank.idle_total);
                    return idle;
                };
                const Costs costs = kMixes[0].costs(x);
                REQUIRE(most(timed(dualpipe_v, p, m, 2, costs)) == n(p - 1) * (x + 2 - 3));
                if (p % 2 == 0) REQUIRE(most(timed(dualpipe, p, m, 2, costs)) == n(p / 2 - 1) * (x + 2 - 3));
                if (x != 3) continue;
                REQUIRE(makespan(dualpipe_v, p, m, 2, costs) == n(6 * m + 2 * (p - 1)));
                if (p % 2 == 0) REQUIRE(makespan(dualpipe, p, m, 2, costs) == n(3 * m + 2 * (p / 2 - 1)));
            }
}

TEST_CASE("Chimera takes m (F + B) + (p - 2) B + (K - 1)(p - 2)(B - F) for m = K p, Hanayo twice the ends") {
    for_all([](std::int64_t p, const Mix& mix) {
        if (mix.b() < mix.f) return;
        for (std::int64_t k = 1; k <= 3; ++k) {
            const double later = n(k - 1) * (mix.b() - mix.f);
            if (p % 2 == 0)
                REQUIRE(makespan(chimera, p, k * p, 2, mix.costs()) ==
                        n(k * p) * mix.both() + n(p - 2) * (mix.b() + later));
            for (const std::int64_t v : {2, 4})
                REQUIRE(makespan(hanayo, p, k * p, v, mix.costs()) ==
                        n(k * p * v) * mix.both() + 2 * n(p - 1) * (mix.b() + later));
        }
    });
}

TEST_CASE("Peaks of activations are those of the table") {
    for (std::int64_t p = 2; p <= 16; ++p) {
        const Costs costs = kMixes[0].costs();
        for (const std::int64_t m : {2 * p, 4 * p}) {
            const auto peaks = [&](ScheduleKind kind, std::int64_t v, bool until_weight, auto wanted) {
                const Timeline timeline = timed(kind, p, m, v, costs);
                for (std::int64_t r = 0; r < p; ++r) {
                    INFO(shardlens::to_string(kind) << " p=" << p << " m=" << m << " rank " << r);
                    const RankSummary& rank = timeline.ranks[static_cast<std::size_t>(r)];
                    REQUIRE((until_weight ? rank.peak_live_until_weight : rank.peak_live_until_input) ==
                            wanted(r));
                }
            };
            peaks(gpipe, 1, true, [&](std::int64_t) { return m; });
            for (const ScheduleKind kind : {one_f_one_b, pipedream})
                peaks(kind, 1, true, [&](std::int64_t r) { return std::min(m, p - r); });
            peaks(one_f_one_b_eager, 1, true, [&](std::int64_t r) { return 2 * (p - 1 - r) + 1; });
            peaks(zb_h1, 1, false, [&](std::int64_t r) { return p - r; });
            peaks(zb_h1, 1, true, [&](std::int64_t) { return p; });
            peaks(zb_h2, 1, false, [&](std::int64_t r) { return 2 * (p - r) - 1; });
            peaks(zb_h2, 1, true, [&](std::int64_t) { return 2 * p - 1; });
            peaks(dualpipe_v, 2, true, [&](std::int64_t) { return 2 * p + 1; });
            for (std::int64_t v = 2; v <= 4; ++v) {
                peaks(bfs, v, true, [&](std::int64_t) { return m * v; });
                peaks(interleaved, v, true,
                      [&](std::int64_t r) { return std::min(m * v, (v - 1) * p + 2 * (p - 1 - r) + 1); });
                peaks(interleaved_ep, v, true,
                      [&](std::int64_t r) { return std::min(m * v, (v - 1) * p + 2 * (p - 1 - r) + 2); });
                peaks(interleaved_zb, v, false, [&](std::int64_t r) { return (v - 1) * p + p - r; });
                peaks(interleaved_zb, v, true, [&](std::int64_t) { return (v - 1) * p + p; });
            }
            for (const std::int64_t v : {2, 4})
                peaks(hanayo, v, true, [&](std::int64_t r) { return (v - 1) * p + r + 1; });
            if (p % 2 != 0) continue;
            peaks(dualpipe, 2, true, [&](std::int64_t) { return p + 1; });
            peaks(chimera, 2, true, [&](std::int64_t r) { return p / 2 + 1 + std::min(r, p - 1 - r); });
        }
    }
}

TEST_CASE("Hops cost what the table says") {
    constexpr double c = 0.125; // small against F = 8
    const Mix mix{8, 8, 8};
    for (std::int64_t p = 2; p <= 16; ++p)
        for (std::int64_t k = 2; k <= 4; ++k) {
            INFO("p=" << p << " m=" << k * p);
            const auto added = [&](ScheduleKind kind, std::int64_t m, std::int64_t v) {
                return (makespan(kind, p, m, v, mix.costs(-1, c)) - makespan(kind, p, m, v, mix.costs())) / c;
            };
            REQUIRE(added(gpipe, k * p, 1) == n(2 * (p - 1)));
            REQUIRE(added(one_f_one_b_eager, k * p, 1) == n(2 * (p - 1)));
            REQUIRE(added(one_f_one_b, k * p, 1) == n(2 * (p - 1) * (k + 1) - 2));
            REQUIRE(added(zb_h1, k * p, 1) == n(4 * (p - 1)));
            REQUIRE(added(zb_h2, k * p, 1) == n(p - 1));
            for (const std::int64_t v : {2, 3}) {
                REQUIRE(added(bfs, k * p, v) == n(2 * (p - 1)));
                REQUIRE(added(interleaved, k * p, v) == n(2 * (p * v - 1)));
            }
        }
}

TEST_CASE("The bubbles that textbooks quote: 46.7 % for 8 stages and 8 micro-batches, 9.9 % for 64") {
    // (p - 1) / (m + p - 1) = 7 / 15 and 7 / 71
    for (const ScheduleKind kind : {gpipe, one_f_one_b}) {
        REQUIRE(timed(kind, 8, 8, 1, kMixes[0].costs()).bubble_fraction == Approx(0.467).margin(5e-4));
        REQUIRE(timed(kind, 8, 64, 1, kMixes[0].costs()).bubble_fraction == Approx(0.099).margin(5e-4));
    }
    // one comparison at p = 8, m = 16 and F = I = W: bubbles in percent
    const auto percent = [](ScheduleKind kind, std::int64_t v) {
        return 100 * timed(kind, 8, 16, v, kMixes[0].costs()).bubble_fraction;
    };
    REQUIRE(percent(one_f_one_b, 1) == Approx(30.4).margin(0.05));
    REQUIRE(percent(interleaved, 2) == Approx(17.9).margin(0.05));
    REQUIRE(percent(interleaved, 4) == Approx(9.9).margin(0.05));
    REQUIRE(percent(interleaved_zb, 2) == Approx(6.8).margin(0.05));
    REQUIRE(percent(zb_h1, 1) == Approx(12.7).margin(0.05));
    REQUIRE(percent(zb_h2, 1) == Approx(12.7).margin(0.05));
    REQUIRE(percent(zb_v, 2) == Approx(6.8).margin(0.05));
    REQUIRE(percent(dualpipe, 2) == Approx(11.1).margin(0.05));
    REQUIRE(percent(dualpipe_v, 2) == Approx(12.7).margin(0.05));
    REQUIRE(percent(chimera, 2) == Approx(27.3).margin(0.05));
    REQUIRE(percent(hanayo, 2) == Approx(30.4).margin(0.05));
    REQUIRE(percent(hanayo, 4) == Approx(17.9).margin(0.05));
    REQUIRE(percent(v_half, 2) == Approx(15.0).margin(0.05));
    REQUIRE(percent(v_min, 2) == Approx(100 * 13.5 / 61.5)); // 13.5 units of 61.5
    REQUIRE(largest_peak(timed(v_half, 8, 16, 2, kMixes[0].costs()), true) == 10);
    REQUIRE(largest_peak(timed(v_min, 8, 16, 2, kMixes[0].costs()), true) == 8);
}
