// SPDX-License-Identifier: GPL-3.0-or-later
// Closed forms of the literature against the simulator, over p = 2 … 16 and unequal costs. F, I, W are the
// costs of one chunk operation, B = I + W, K = m / p. All costs are whole numbers, so the sums are exact.
#include "catch.h"

#include <algorithm>
#include <cmath>

#include "pipeline/simulate.h"

using namespace shardlens::pipeline;
using shardlens::ScheduleKind;
using enum shardlens::ScheduleKind;

namespace {

struct Mix {
    double f, i, w;
    [[nodiscard]] double b() const { return i + w; }
};
const Mix kMixes[] = {{1, 1, 1}, {2, 3, 1}, {3, 1, 2}, {5, 7, 4}, {5, 4, 9}, {4, 9, 13}};
const Mix kEqual{1, 1, 1};

Timeline run(const ScheduleSpec& spec, const Mix& mix, double hop = 0, double overlapped = -1) {
    INFO("kind " << static_cast<int>(spec.kind) << " p=" << spec.ranks << " m=" << spec.micro_batches
                 << " v=" << spec.chunks << " g=" << spec.group);
    auto schedule = make_schedule(spec);
    REQUIRE(schedule.ok());
    auto timeline =
        simulate(std::move(schedule).value(), {{StageCost{mix.f, mix.i, mix.w, overlapped}}, hop}, false);
    REQUIRE(timeline.ok());
    return std::move(timeline).value();
}

double makespan(const ScheduleSpec& spec, const Mix& mix, double hop = 0, double overlapped = -1) {
    return run(spec, mix, hop, overlapped).makespan;
}

template <class Each> void for_p_and_mix(Each each) {
    for (std::int64_t p = 2; p <= 16; ++p) {
        for (const Mix& mix : kMixes) each(p, static_cast<double>(p), mix);
    }
}

} // namespace

TEST_CASE("GPipe and 1F1B take (m + p − 1)(F + B), whatever the costs") {
    // arXiv 1811.06965; 1F1B is leaner, not faster
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        for (const std::int64_t m : {std::int64_t{1}, p - 1, p, 3 * p + 1}) {
            const double wanted = (static_cast<double>(m) + pd - 1) * (c.f + c.b());
            REQUIRE(makespan({gpipe, p, m}, c) == wanted);
            REQUIRE(makespan({one_f_one_b, p, m}, c) == wanted);
            REQUIRE(makespan({one_f_one_b_eager, p, m}, c) == wanted);
            REQUIRE(makespan({pipedream, p, m}, c) == wanted);
        }
    });
}

TEST_CASE("The bubble of 8 stages is 46.7 % with 8 micro-batches and 9.9 % with 64") {
    // (p − 1)/(m + p − 1): 7/15 and 7/71
    for (const ScheduleKind kind : {gpipe, one_f_one_b}) {
        REQUIRE(run({kind, 8, 8}, {2, 1, 3}).bubble_fraction == Approx(7.0 / 15));
        REQUIRE(run({kind, 8, 64}, {2, 1, 3}).bubble_fraction == Approx(7.0 / 71));
    }
    REQUIRE(std::round(run({one_f_one_b, 8, 8}, kEqual).bubble_fraction * 1000) == 467);
    REQUIRE(std::round(run({one_f_one_b, 8, 64}, kEqual).bubble_fraction * 1000) == 99);
}

TEST_CASE("Interleaving and breadth-first divide the bubble by v") {
    // arXiv 2104.04473 and 2211.05953: (m·v + p − 1)(F + B) in chunk units
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        for (const std::int64_t v : {1, 2, 3}) {
            for (const std::int64_t m : {p, 2 * p, 3 * p}) {
                const double wanted = (static_cast<double>(m * v) + pd - 1) * (c.f + c.b());
                REQUIRE(makespan({interleaved, p, m, v}, c) == wanted);
                REQUIRE(makespan({bfs, p, m, v}, c) == wanted);
                REQUIRE(makespan({bfs, p, m + 1, v}, c) == wanted + static_cast<double>(v) * (c.f + c.b()));
            }
            // any legal group: 2p + 1 micro-batches in groups of p + 1 leave p over
            REQUIRE(makespan({interleaved, p, 2 * p + 1, v, p + 1}, c) ==
                    (static_cast<double>((2 * p + 1) * v) + pd - 1) * (c.f + c.b()));
        }
    });
}

TEST_CASE("Fewer micro-batches than stages interleave as one group that never waits") {
    // the first micro-batch passes p·v stages both ways, the others follow one by one: (p·v + m − 1)(F + B)
    for (std::int64_t p = 2; p <= 8; ++p) {
        for (std::int64_t m = 1; m < p; ++m) {
            for (const std::int64_t v : {1, 2, 4}) {
                REQUIRE(makespan({interleaved, p, m, v}, kEqual) == 3.0 * static_cast<double>(p * v + m - 1));
            }
        }
    }
}

TEST_CASE("Overlapped expert communication pays the cell's cost in the steady state") {
    // (p − 1 + w)(F + B) + (m·v − w)·X with w = (v − 1)·g + 1
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        for (const std::int64_t v : {2, 3}) {
            for (const double share : {1.0, 0.9}) {
                const double x = share * (c.f + c.b()), w = static_cast<double>((v - 1) * p) + 1;
                const double wanted = (pd - 1 + w) * (c.f + c.b()) + (static_cast<double>(2 * p * v) - w) * x;
                REQUIRE(makespan({interleaved_ep, p, 2 * p, v}, c, 0, x) == Approx(wanted));
            }
        }
    });
    // without a pipeline: F0, {B + F}, B: F + B + (m − 1)·X
    REQUIRE(makespan({interleaved_ep, 1, 6, 1}, {2, 3, 1}, 0, 5) == 2 + 4 + 5 * 5);
}

TEST_CASE("ZB-H1 and interleaved zero bubble take m·v(F + B) + (p − 1)·max(F + I − W, F, I)") {
    // arXiv 2401.10241 has (p − 1)(F + B − 2W), the case W ≤ min(F, I). The other two are lower bounds: the
    // last rank starts (p − 1)F late, and rank 0 has p forwards to do until its first backward can start at
    // pF + (p − 1)I.
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        for (const std::int64_t m : {p, 2 * p, 3 * p}) {
            const double skew = (pd - 1) * std::max({c.f + c.i - c.w, c.f, c.i});
            REQUIRE(makespan({zb_h1, p, m}, c) == static_cast<double>(m) * (c.f + c.b()) + skew);
            REQUIRE(makespan({interleaved_zb, p, m, 2}, c) ==
                    static_cast<double>(2 * m) * (c.f + c.b()) + skew);
            REQUIRE(makespan({interleaved_zb, p, m, 3}, c) ==
                    static_cast<double>(3 * m) * (c.f + c.b()) + skew);
        }
    });
}

TEST_CASE("ZB-H2 has no idle time inside a rank when F = I = W") {
    // rank 0 has 2p − 1 forwards to do until its first backward can start at pF + (p − 1)I: it idles (p −
    // 1)(I − F)
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        for (const std::int64_t m : {2 * p - 1, 2 * p, 3 * p}) {
            const Timeline timeline = run({zb_h2, p, m}, c);
            REQUIRE(timeline.makespan == static_cast<double>(m) * (c.f + c.b()) +
                                             (pd - 1) * std::max({c.f, c.f + c.i - 2 * c.w, c.i - c.f}));
            double inside = 0;
            for (const RankSummary& rank : timeline.ranks) inside = std::max(inside, rank.idle_inside);
            REQUIRE(inside == (pd - 1) * std::max({0.0, c.f + c.i - 2 * c.w, c.i - c.f}));
        }
    });
}

TEST_CASE("ZB-V, DualPipe and DualPipeV match their papers' forms for F = I = W") {
    for (std::int64_t p = 2; p <= 16; ++p) {
        const auto pd = static_cast<double>(p);
        for (const std::int64_t m : {p, p + 1, 2 * p - 1, 2 * p, 3 * p}) {
            const auto md = static_cast<double>(m);
            REQUIRE(makespan({zb_v, p, m}, kEqual) == std::max(6 * md + pd - 1, 4 * md + 4 * pd - 2));
        }
        for (const double x : {3.0, 2.5}) { // idle time of the turning rank, for any overlapped cost
            REQUIRE(run({dualpipe_v, p, 2 * p + 3}, kEqual, 0, x).ranks.back().idle_total ==
                    Approx((pd - 1) * (x + 2 - 3)));
            if (p % 2 != 0) continue;
            const auto turning = static_cast<std::size_t>(p / 2);
            const Timeline timeline = run({dualpipe, p, 2 * p + 4}, kEqual, 0, x);
            REQUIRE(timeline.ranks[turning].idle_total == Approx((pd / 2 - 1) * (x + 2 - 3)));
            REQUIRE(timeline.ranks[turning - 1].idle_total == Approx((pd / 2 - 1) * (x + 2 - 3)));
        }
        REQUIRE(makespan({dualpipe_v, p, 2 * p}, kEqual, 0, 3) == 12 * pd + 2 * (pd - 1));
        if (p % 2 == 0) REQUIRE(makespan({dualpipe, p, 2 * p}, kEqual, 0, 3) == 6 * pd + 2 * (pd / 2 - 1));
    }
    // the published DualPipe picture: 8 stages, 20 micro-batches, 66 units wide
    REQUIRE(makespan({dualpipe, 8, 20}, kEqual, 0, 3) == 66);
}

TEST_CASE("Chimera and Hanayo by concatenated groups, B at least F") {
    for_p_and_mix([](std::int64_t p, double pd, const Mix& c) {
        if (c.b() < c.f) return;
        for (const std::int64_t k : {1, 2, 3}) {
            const auto kd = static_cast<double>(k), m = kd * pd;
            if (p % 2 == 0) {
                REQUIRE(makespan({chimera, p, k * p}, c) ==
                        m * (c.f + c.b()) + (pd - 2) * c.b() + (kd - 1) * (pd - 2) * (c.b() - c.f));
            }
            for (const std::int64_t v : {2, 4}) {
                REQUIRE(makespan({hanayo, p, k * p, v}, c) == m * static_cast<double>(v) * (c.f + c.b()) +
                                                                  2 * (pd - 1) * c.b() +
                                                                  2 * (kd - 1) * (pd - 1) * (c.b() - c.f));
            }
        }
    });
}

TEST_CASE("Hop latency adds what the schedules' forms say") {
    const Mix c{10, 10, 10};
    const auto added = [&](const ScheduleSpec& spec) { return makespan(spec, c, 1) - makespan(spec, c); };
    for (std::int64_t p = 2; p <= 8; ++p) {
        const auto pd = static_cast<double>(p);
        for (const std::int64_t k : {2, 3, 4}) {
            const std::int64_t m = k * p;
            REQUIRE(added({gpipe, p, m}) == 2 * (pd - 1));
            REQUIRE(added({one_f_one_b_eager, p, m}) == 2 * (pd - 1));
            REQUIRE(added({one_f_one_b, p, m}) == 2 * (pd - 1) * (static_cast<double>(k) + 1) - 2);
            REQUIRE(added({bfs, p, m, 2}) == 2 * (pd - 1));
            REQUIRE(added({interleaved, p, m, 2}) == 2 * (2 * pd - 1));
            REQUIRE(added({zb_h1, p, m}) == 4 * (pd - 1));
            REQUIRE(added({zb_h2, p, m}) == pd - 1);
        }
        REQUIRE(added({bfs, p, p, 2}) == 2 * (2 * pd - 1));
    }
    REQUIRE(added({interleaved, 4, 8, 2, 4}) == 14); // larger groups hide more
    REQUIRE(added({interleaved, 4, 10, 2, 5}) == 6);
}

TEST_CASE("Peaks of live activations follow the schedules' forms") {
    for (std::int64_t p = 2; p <= 16; p += 2) {
        const std::int64_t m = 3 * p, v = 3;
        const auto peaks = [&](const ScheduleSpec& spec, auto until_input, auto until_weight) {
            const Timeline timeline = run(spec, kEqual);
            for (std::int64_t r = 0; r < p; ++r) {
                const RankSummary& rank = timeline.ranks[static_cast<std::size_t>(r)];
                REQUIRE(rank.peak_live_until_input == until_input(r));
                REQUIRE(rank.peak_live_until_weight == until_weight(r));
            }
        };
        const auto both = [&](const ScheduleSpec& spec, auto form) { peaks(spec, form, form); };
        both({gpipe, p, m}, [&](auto) { return m; });
        both({one_f_one_b, p, m}, [&](auto r) { return std::min(m, p - r); });
        both({one_f_one_b_eager, p, m}, [&](auto r) { return std::min(m, 2 * (p - 1 - r) + 1); });
        both({interleaved, p, m, v},
             [&](auto r) { return std::min(m * v, (v - 1) * p + 2 * (p - 1 - r) + 1); });
        both({interleaved_ep, p, m, v},
             [&](auto r) { return std::min(m * v, (v - 1) * p + 2 * (p - 1 - r) + 2); });
        both({bfs, p, m, v}, [&](auto) { return m * v; });
        peaks(
            {zb_h1, p, m}, [&](auto r) { return p - r; }, [&](auto) { return p; });
        peaks(
            {interleaved_zb, p, m, v}, [&](auto r) { return (v - 1) * p + p - r; },
            [&](auto) { return (v - 1) * p + p; });
        peaks(
            {zb_h2, p, m}, [&](auto r) { return 2 * (p - r) - 1; }, [&](auto) { return 2 * p - 1; });
        both({zb_v, p, m}, [&](auto) { return 2 * p; });
        both({dualpipe, p, m}, [&](auto) { return p + 1; });
        both({dualpipe_v, p, m}, [&](auto) { return 2 * p + 1; });
        both({chimera, p, m}, [&](auto r) { return p / 2 + 1 + std::min(r, p - 1 - r); });
        both({hanayo, p, m, 4}, [&](auto r) { return 3 * p + r + 1; });
    }
}
