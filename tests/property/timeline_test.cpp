// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for every schedule, whatever the sizes and however uneven the stages.
#include "catch.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <rapidcheck.h>

#include "pipeline/simulate.h"

using namespace shardlens::pipeline;
using shardlens::ScheduleKind;

namespace {

struct Case {
    Timeline timeline;
    Costs costs;
};

std::int64_t whole(std::int64_t low, std::int64_t high) { return *rc::gen::inRange(low, high + 1); }

/// Any kind with any sizes; what is illegal is mended by the offered fixes, which must lead to a legal one.
ScheduleSpec any_spec() {
    ScheduleSpec spec;
    spec.kind = static_cast<ScheduleKind>(whole(0, static_cast<int>(ScheduleKind::pipedream)));
    spec.ranks = whole(1, 9);
    spec.micro_batches = whole(1, 30);
    spec.chunks = whole(0, 4);
    spec.group = whole(0, 1) * whole(0, 12);
    const auto messages = check(spec);
    if (messages.empty()) return spec;
    const auto& fixes = messages.front().fixes;
    RC_ASSERT(!fixes.empty());
    const auto& fix = fixes[static_cast<std::size_t>(whole(0, static_cast<std::int64_t>(fixes.size()) - 1))];
    for (const auto& [path, value] : fix.set) {
        const auto number = std::get<std::int64_t>(value);
        if (path == "stages") spec.ranks = number;
        if (path == "micro_batches") spec.micro_batches = number;
        if (path == "chunks") spec.chunks = number;
        if (path == "group") spec.group = number;
    }
    RC_ASSERT(check(spec).empty());
    return spec;
}

double any_cost() { return static_cast<double>(whole(0, 1000)) / 97.0; }

Case any_case() {
    auto schedule = make_schedule(any_spec());
    RC_ASSERT(schedule.ok());
    Costs costs;
    const bool overlaps = whole(0, 1) == 1;
    const std::int64_t given = whole(0, 1) == 1 ? schedule->stages : 1;
    for (std::int64_t s = 0; s < given; ++s) {
        StageCost cost{any_cost(), any_cost(), any_cost(), -1};
        if (overlaps) {
            cost.overlapped =
                (cost.forward + cost.input_grad + cost.weight_grad) * static_cast<double>(whole(6, 10)) / 10;
        }
        costs.stages.push_back(cost);
    }
    costs.hop = static_cast<double>(whole(0, 2)) * any_cost();
    auto timeline = simulate(std::move(schedule).value(), costs, true);
    RC_ASSERT(timeline.ok());
    return {std::move(timeline).value(), costs};
}

/// Index of the op of each copy of the model, stage and micro-batch, by kind; every one at most once.
class Finder {
public:
    explicit Finder(const Schedule& schedule) : m_schedule(schedule) {
        for (auto& list : m_at) {
            list.assign(schedule.stage_of.size() * static_cast<std::size_t>(schedule.spec.micro_batches), -1);
        }
        for (std::int64_t r = 0; r < schedule.spec.ranks; ++r) {
            for (std::size_t i = schedule.first[static_cast<std::size_t>(r)];
                 i < schedule.first[static_cast<std::size_t>(r) + 1]; ++i) {
                const Op& op = schedule.ops[i];
                const std::int64_t copy = schedule.bidirectional ? op.chunk : 0;
                std::int64_t& slot = at(op.kind, copy, schedule.stage(r, op.chunk), op.micro_batch);
                RC_ASSERT(slot == -1);
                slot = static_cast<std::int64_t>(i);
            }
        }
    }
    std::int64_t& at(OpKind kind, std::int64_t copy, std::int64_t stage, std::int64_t micro_batch) {
        return m_at[static_cast<std::size_t>(kind)][static_cast<std::size_t>(
            (copy * m_schedule.stages + stage) * m_schedule.spec.micro_batches + micro_batch)];
    }
    /// The whole backward or the input half.
    std::int64_t back(std::int64_t copy, std::int64_t stage, std::int64_t micro_batch) {
        return std::max(at(OpKind::backward, copy, stage, micro_batch),
                        at(OpKind::input_grad, copy, stage, micro_batch));
    }

private:
    const Schedule& m_schedule;
    std::vector<std::int64_t> m_at[4];
};

std::int64_t rank_of(const Schedule& schedule, std::int64_t op) {
    const auto next = std::ranges::upper_bound(schedule.first, static_cast<std::size_t>(op));
    return next - schedule.first.begin() - 1;
}

} // namespace

TEST_CASE("No rank does two operations at once, except the two of a cell") {
    REQUIRE(rc::check("one at a time", [] {
        const Case c = any_case();
        const Schedule& schedule = c.timeline.schedule;
        for (std::size_t r = 0; r + 1 < schedule.first.size(); ++r) {
            for (std::size_t i = schedule.first[r]; i < schedule.first[r + 1]; ++i) {
                RC_ASSERT(c.timeline.end[i] >= c.timeline.start[i]);
                if (i == schedule.first[r]) continue;
                if (schedule.ops[i - 1].with_next) {
                    RC_ASSERT(c.timeline.start[i] == c.timeline.start[i - 1]);
                    RC_ASSERT(c.timeline.end[i] == c.timeline.end[i - 1]);
                } else {
                    RC_ASSERT(c.timeline.start[i] >= c.timeline.end[i - 1]);
                }
            }
        }
    }));
}

TEST_CASE("Every micro-batch passes every stage once each way, and every dependency holds") {
    REQUIRE(rc::check("complete and causal", [] {
        const Case c = any_case();
        const Schedule& schedule = c.timeline.schedule;
        Finder finder(schedule);
        const std::int64_t copies = schedule.bidirectional ? schedule.spec.chunks : 1;
        std::int64_t passes = 0;
        const auto after = [&](std::int64_t later, std::int64_t earlier) {
            RC_ASSERT(earlier >= 0);
            const double hop = rank_of(schedule, later) == rank_of(schedule, earlier) ? 0 : c.costs.hop;
            RC_ASSERT(c.timeline.start[static_cast<std::size_t>(later)] >=
                      c.timeline.end[static_cast<std::size_t>(earlier)] + hop);
        };
        for (std::int64_t copy = 0; copy < copies; ++copy) {
            for (std::int64_t k = 0; k < schedule.spec.micro_batches; ++k) {
                const bool enters = finder.at(OpKind::forward, copy, 0, k) >= 0;
                for (std::int64_t s = 0; s < schedule.stages; ++s) {
                    const std::int64_t forward = finder.at(OpKind::forward, copy, s, k),
                                       back = finder.back(copy, s, k);
                    const std::int64_t weight = finder.at(OpKind::weight_grad, copy, s, k);
                    RC_ASSERT((forward >= 0) == enters);
                    RC_ASSERT((back >= 0) == enters);
                    if (!enters) continue;
                    ++passes;
                    RC_ASSERT((weight >= 0) == (finder.at(OpKind::input_grad, copy, s, k) >= 0));
                    RC_ASSERT((weight >= 0) != (finder.at(OpKind::backward, copy, s, k) >= 0));
                    after(back, forward);
                    if (s > 0) after(forward, finder.at(OpKind::forward, copy, s - 1, k));
                    if (s + 1 < schedule.stages) after(back, finder.back(copy, s + 1, k));
                    if (weight >= 0) after(weight, back);
                }
            }
        }
        RC_ASSERT(passes == schedule.stages * schedule.spec.micro_batches);
    }));
}

TEST_CASE("Live activations return to zero, and their peak is the summary's") {
    REQUIRE(rc::check("live", [] {
        const Case c = any_case();
        const Schedule& schedule = c.timeline.schedule;
        const std::vector<double> ones(static_cast<std::size_t>(schedule.spec.chunks), 1.0);
        for (std::int64_t r = 0; r < schedule.spec.ranks; ++r) {
            const RankSummary& rank = c.timeline.ranks[static_cast<std::size_t>(r)];
            for (const bool until_weight : {false, true}) {
                const auto curve = live_curve(schedule.rank(r), ones, until_weight);
                const LivePeak peak = live_peak(schedule.rank(r), ones, until_weight);
                RC_ASSERT(!curve.empty());
                RC_ASSERT(curve.back() == 0.0);
                RC_ASSERT(*std::ranges::min_element(curve) >= 0.0);
                RC_ASSERT(*std::ranges::max_element(curve) == peak.weighted);
                RC_ASSERT(peak.weighted == static_cast<double>(until_weight ? rank.peak_live_until_weight
                                                                            : rank.peak_live_until_input));
            }
            RC_ASSERT(rank.peak_live_until_input <= rank.peak_live_until_weight);
        }
    }));
}

TEST_CASE("The makespan is not below its lower bounds, and idle times add up") {
    REQUIRE(rc::check("bounds", [] {
        const Case c = any_case();
        const Schedule& schedule = c.timeline.schedule;
        const double makespan = c.timeline.makespan, slack = 1e-9 * (1 + makespan);
        double idle = 0, busiest = 0, passage = 0, cheapest_cell = -1;
        for (const StageCost& cost : c.costs.stages) {
            if (cost.overlapped >= 0 && (cheapest_cell < 0 || cost.overlapped < cheapest_cell)) {
                cheapest_cell = cost.overlapped;
            }
        }
        const auto at_least = [&](double alone) {
            return cheapest_cell < 0 ? alone : std::min(alone, cheapest_cell);
        };
        for (const RankSummary& rank : c.timeline.ranks) {
            busiest = std::max(busiest, rank.busy);
            idle += rank.idle_total;
            RC_ASSERT(std::abs(rank.busy + rank.idle_total - makespan) <= slack);
            RC_ASSERT(rank.idle_inside >= 0.0);
            RC_ASSERT(rank.idle_inside <= rank.idle_total + slack);
        }
        // one micro-batch through all stages and back: forwards and input halves
        for (std::int64_t s = 0; s < schedule.stages; ++s) {
            passage += at_least(c.costs.of(s).forward) + at_least(c.costs.of(s).input_grad);
        }
        RC_ASSERT(makespan + slack >= busiest);
        RC_ASSERT(makespan + slack >= passage);
        RC_ASSERT(*std::ranges::max_element(c.timeline.end) == makespan);
        const double span = makespan * static_cast<double>(schedule.spec.ranks);
        RC_ASSERT(std::abs(c.timeline.bubble_fraction * span - idle) <=
                  slack * static_cast<double>(schedule.spec.ranks));
    }));
}

TEST_CASE("The critical path adds up to the makespan") {
    REQUIRE(rc::check("chain", [] {
        const Case c = any_case();
        RC_ASSERT(c.timeline.critical.stages.size() == static_cast<std::size_t>(c.timeline.schedule.stages));
        double sum = static_cast<double>(c.timeline.critical.hops) * c.costs.hop;
        for (std::int64_t s = 0; s < c.timeline.schedule.stages; ++s) {
            const CriticalPath::Stage& stage = c.timeline.critical.stages[static_cast<std::size_t>(s)];
            const StageCost& cost = c.costs.of(s);
            sum += static_cast<double>(stage.forward) * cost.forward +
                   static_cast<double>(stage.backward) * (cost.input_grad + cost.weight_grad) +
                   static_cast<double>(stage.input_grad) * cost.input_grad +
                   static_cast<double>(stage.weight_grad) * cost.weight_grad +
                   static_cast<double>(stage.overlapped) * cost.overlapped;
        }
        RC_ASSERT(std::abs(sum - c.timeline.makespan) <= 1e-9 * (1 + c.timeline.makespan));
    }));
}

TEST_CASE("The critical path is a chain of operations without gaps, from 0 to the makespan") {
    REQUIRE(rc::check("operations of the chain", [] {
        const Case c = any_case();
        const Timeline& t = c.timeline;
        const auto& chain = t.critical.ops;
        RC_ASSERT(!chain.empty());
        RC_ASSERT(t.start[chain.front()] == 0.0);
        RC_ASSERT(t.end[chain.back()] == t.makespan);
        std::int64_t hops = 0;
        for (std::size_t i = 1; i < chain.size(); ++i) {
            const bool crosses = rank_of(t.schedule, static_cast<std::int64_t>(chain[i])) !=
                                 rank_of(t.schedule, static_cast<std::int64_t>(chain[i - 1]));
            hops += crosses;
            const double gap = t.start[chain[i]] - t.end[chain[i - 1]] - (crosses ? c.costs.hop : 0.0);
            RC_ASSERT(std::abs(gap) <= 1e-9 * (1 + t.makespan));
        }
        RC_ASSERT(hops == t.critical.hops);
        const auto summary = simulate(t.schedule, c.costs, false);
        RC_ASSERT(summary->critical.ops.empty());
    }));
}

TEST_CASE("The summary is the same with and without the operations' times") {
    REQUIRE(rc::check("summary", [] {
        const Case c = any_case();
        const auto summary = simulate(c.timeline.schedule, c.costs, false);
        RC_ASSERT(summary.ok());
        RC_ASSERT(summary->makespan == c.timeline.makespan);
        RC_ASSERT(summary->bubble_fraction == c.timeline.bubble_fraction);
        RC_ASSERT(summary->start.empty());
        RC_ASSERT(summary->critical.hops == c.timeline.critical.hops);
    }));
}
