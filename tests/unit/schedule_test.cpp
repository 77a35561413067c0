// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults, refusals with repairs, orders that cannot run, live sets and the critical path, by hand.
#include "catch.h"

#include <chrono>
#include <limits>
#include <numeric>

#include "pipeline/simulate.h"
#include "plan/fields.h"

using namespace shardlens::pipeline;
using shardlens::Message;
using shardlens::ScheduleKind;
using enum shardlens::ScheduleKind;

namespace {

constexpr OpKind F = OpKind::forward, B = OpKind::backward, I = OpKind::input_grad, W = OpKind::weight_grad;

/// A loop of one chunk per rank with the given lists.
Schedule lists(std::int64_t micro_batches, const std::vector<std::vector<Op>>& ranks) {
    Schedule schedule;
    schedule.spec = {one_f_one_b, static_cast<std::int64_t>(ranks.size()), micro_batches, 1, 0};
    schedule.stages = schedule.spec.ranks;
    schedule.stage_of.resize(ranks.size());
    std::iota(schedule.stage_of.begin(), schedule.stage_of.end(), 0);
    for (const auto& rank : ranks) {
        schedule.first.push_back(schedule.ops.size());
        schedule.ops.insert(schedule.ops.end(), rank.begin(), rank.end());
    }
    schedule.first.push_back(schedule.ops.size());
    return schedule;
}

Op op(OpKind kind, int micro_batch) { return {kind, false, 0, micro_batch}; }

std::string failure(const Schedule& schedule) {
    const auto timeline = simulate(schedule, {{StageCost{}}, 0}, false);
    REQUIRE_FALSE(timeline.ok());
    return timeline.error().what;
}

/// The values that the first message about `spec` offers for one size.
std::vector<std::int64_t> offered(const ScheduleSpec& spec, const std::string& path) {
    std::vector<std::int64_t> values;
    const auto messages = check(spec);
    REQUIRE_FALSE(messages.empty());
    for (const auto& fix : messages.front().fixes) {
        if (fix.set.front().first == path) values.push_back(std::get<std::int64_t>(fix.set.front().second));
    }
    return values;
}

using Values = std::vector<std::int64_t>;

} // namespace

TEST_CASE("Chunks and groups have defaults") {
    REQUIRE(with_defaults({one_f_one_b, 4, 8}).chunks == 1);
    REQUIRE(with_defaults({interleaved, 4, 8}).chunks == 1);
    for (const ScheduleKind kind :
         {zb_v, v_half, v_min, one_f_one_b_v, dualpipe, dualpipe_v, chimera, hanayo}) {
        REQUIRE(with_defaults({kind, 4, 8}).chunks == 2);
    }
    // g = m / max(1, ⌊m / p⌋) where whole, else p
    REQUIRE(with_defaults({interleaved, 4, 8, 2}).group == 4);
    REQUIRE(with_defaults({interleaved, 4, 10, 2}).group == 5);
    REQUIRE(with_defaults({interleaved, 4, 7, 2}).group == 7);
    REQUIRE(with_defaults({interleaved, 4, 9, 2}).group == 4);
    REQUIRE(with_defaults({interleaved, 4, 3, 2}).group == 3);
    REQUIRE(with_defaults({interleaved, 4, 12, 2, 6}).group == 6);
}

TEST_CASE("Tokens name kind, micro-batch and chunk") {
    REQUIRE(token({F, false, 0, 3}, false) == "F3");
    REQUIRE(token({I, false, 1, 12}, true) == "I12.1");
    REQUIRE(token({W, true, 0, 0}, true) == "W0.0");
    REQUIRE(token({B, false, 0, 7}, false) == "B7");
}

TEST_CASE("Megatron-LM's own example of groups: p=2, v=2, g=3, m=5") {
    // the comment above get_schedule_table: micro-batches 0 1 2 0 1 2 3 4 3 4 on chunks 0 0 0 1 1 1 0 0 1 1
    const auto schedule = make_schedule({interleaved, 2, 5, 2, 3});
    REQUIRE(schedule.ok());
    for (const std::int64_t r : {0, 1}) {
        std::vector<int> micro_batches, chunks;
        for (const Op& o : schedule->rank(r)) {
            if (o.kind != F) continue;
            micro_batches.push_back(o.micro_batch);
            chunks.push_back(o.chunk);
        }
        REQUIRE(micro_batches == std::vector<int>{0, 1, 2, 0, 1, 2, 3, 4, 3, 4});
        REQUIRE(chunks == std::vector<int>{0, 0, 0, 1, 1, 1, 0, 0, 1, 1});
    }
}

TEST_CASE("Illegal sizes are refused with the nearest legal ones") {
    REQUIRE(offered({interleaved, 4, 9, 2}, "micro_batches") == Values{8, 10});
    REQUIRE(offered({interleaved, 4, 9, 2}, "group") == Values{5});
    REQUIRE(offered({interleaved, 4, 8, 2, 3}, "group") == Values{4});
    REQUIRE(offered({interleaved, 4, 8, 2, 9}, "group") == Values{8});
    REQUIRE(offered({interleaved, 4, 3, 2, 4}, "group") == Values{3});
    REQUIRE(offered({interleaved_ep, 4, 8, 1}, "chunks") == Values{2});
    REQUIRE(offered({one_f_one_b, 4, 8, 2}, "chunks") == Values{1});
    REQUIRE(offered({zb_v, 4, 8, 3}, "chunks") == Values{2});
    REQUIRE(offered({v_half, 4, 8, 1}, "chunks") == Values{2});
    REQUIRE(offered({dualpipe, 4, 7}, "micro_batches") == Values{8});
    REQUIRE(offered({dualpipe, 4, 11}, "micro_batches") == Values{10, 12});
    REQUIRE(offered({dualpipe, 5, 12}, "stages") == Values{4, 6});
    REQUIRE(offered({dualpipe_v, 4, 6}, "micro_batches") == Values{8});
    REQUIRE(offered({dualpipe_v, 4, 6}, "stages") == Values{3});
    REQUIRE(offered({chimera, 3, 6}, "stages") == Values{2, 4});
    REQUIRE(offered({hanayo, 4, 6, 2}, "micro_batches") == Values{4, 8});
    REQUIRE(offered({hanayo, 4, 8, 3}, "chunks") == Values{2, 4});
    REQUIRE(offered({gpipe, 0, 4}, "stages") == Values{1});
    REQUIRE(offered({gpipe, 2, -3}, "micro_batches") == Values{1});
    // two things wrong at once: each message mends its own and completes the other
    const auto messages = check({dualpipe, 3, 7});
    REQUIRE(messages.size() == 2);
    REQUIRE(messages[0].path == "stages");
    REQUIRE(messages[1].path == "micro_batches");
    REQUIRE_FALSE(messages[0].fixes.empty());
    REQUIRE(messages[0].fixes[0].set.size() == 2);
}

TEST_CASE("Every refusal of small sizes offers a fix, and every fix leads to legal sizes") {
    std::int64_t messages = 0;
    for (int kind = 0; kind <= static_cast<int>(pipedream); ++kind) {
        for (std::int64_t code = 0; code < 6 * 9 * 4 * 2; ++code) {
            const ScheduleSpec spec{static_cast<ScheduleKind>(kind), code % 6 - 1 + code / 6 % 2,
                                    code / 6 % 9, code / 54 % 4, code / 216 * 3};
            for (const Message& message : check(spec)) {
                INFO("kind " << kind << " p=" << spec.ranks << " m=" << spec.micro_batches
                             << " v=" << spec.chunks << " g=" << spec.group << ": " << message.code);
                ++messages;
                REQUIRE_FALSE(message.fixes.empty());
                for (const auto& fix : message.fixes) {
                    ScheduleSpec mended = spec;
                    for (const auto& [path, value] : fix.set) {
                        const auto number = std::get<std::int64_t>(value);
                        if (path == "stages") mended.ranks = number;
                        if (path == "micro_batches") mended.micro_batches = number;
                        if (path == "chunks") mended.chunks = number;
                        if (path == "group") mended.group = number;
                    }
                    REQUIRE(check(mended).empty());
                }
            }
        }
    }
    REQUIRE(messages > 1000);
}

TEST_CASE("V-shaped orders are complete, run, and stay within their limit for all small sizes") {
    for (const ScheduleKind kind : {v_half, v_min, one_f_one_b_v}) {
        for (std::int64_t p = 1; p <= 16; ++p) {
            const std::int64_t limit = v_shaped_live_limit(kind, p);
            for (std::int64_t m = 1; m <= 3 * p; ++m) {
                INFO(to_string(kind) << " p=" << p << " m=" << m);
                const auto schedule = make_schedule({kind, p, m});
                REQUIRE(schedule.ok());
                const bool split = kind != one_f_one_b_v;
                REQUIRE(schedule->ops.size() == static_cast<std::size_t>(p * m * (split ? 6 : 4)));
                const auto timeline = simulate(*schedule, {{StageCost{1, 1, 1}}, 0}, false);
                REQUIRE(timeline.ok()); // each operation once, no deadlock, all activations freed
                for (const RankSummary& rank : timeline->ranks)
                    REQUIRE(rank.peak_live_until_weight <= std::min(limit, 2 * m));
            }
        }
    }
}

TEST_CASE("V-half and V-min idle as long as their blocks say, from p micro-batches on") {
    // chunk units with F = I = W = 1, as the authors' scheduler idles wherever it was recorded
    for (std::int64_t p = 3; p <= 33; ++p) {
        for (const std::int64_t m : {p, 2 * p + 1, 4 * p}) {
            INFO("p=" << p << " m=" << m);
            const auto idle = [&](ScheduleKind kind) {
                return simulate(*make_schedule({kind, p, m}), {{StageCost{1, 1, 1}}, 0}, false)->makespan -
                       static_cast<double>(6 * m);
            };
            REQUIRE(idle(v_half) <= static_cast<double>(p % 2 == 0 ? 3 * p - 7 : 3 * p - 4));
            REQUIRE(idle(v_min) <= static_cast<double>(p % 3 == 0 ? 4 * p - 7 : 4 * p - 5));
        }
    }
}

TEST_CASE("The memory of V-half and V-min nears a half and a third of 1F1B's 2p chunks") {
    REQUIRE(v_shaped_live_limit(v_half, 8) == 10);
    REQUIRE(v_shaped_live_limit(v_half, 9) == 10);
    REQUIRE(v_shaped_live_limit(v_min, 8) == 8);
    REQUIRE(v_shaped_live_limit(v_min, 32) == 24);
    REQUIRE(v_shaped_live_limit(one_f_one_b_v, 8) == 12);
}

TEST_CASE("A message says the rule in words") {
    REQUIRE(check({dualpipe, 4, 6})[0].text() ==
            "dualpipe needs at least twice as many micro-batches as pipeline stages (8), not 6");
    REQUIRE(check({hanayo, 4, 6, 2})[0].text() ==
            "hanayo needs a multiple of the 4 pipeline stages as micro-batches, not 6");
    REQUIRE(make_schedule({hanayo, 4, 6, 2}).error().where == "micro_batches");
}

TEST_CASE("Absurd sizes are refused at once") {
    const auto started = std::chrono::steady_clock::now();
    const std::int64_t huge = std::numeric_limits<std::int64_t>::max();
    for (int kind = 0; kind <= static_cast<int>(pipedream); ++kind) {
        const auto k = static_cast<ScheduleKind>(kind);
        for (const ScheduleSpec& spec :
             {ScheduleSpec{k, std::int64_t{1} << 31, 1, 0, 0}, ScheduleSpec{k, huge, huge, huge, huge},
              ScheduleSpec{k, 2, huge, 0, 0}, ScheduleSpec{k, 20'000'000, 2, 0, 0},
              ScheduleSpec{k, 2, 4, huge, 0}, ScheduleSpec{k, -huge - 1, -huge - 1, -huge - 1, -huge - 1}}) {
            REQUIRE_FALSE(check(spec).empty());
            REQUIRE_FALSE(make_schedule(spec).ok());
        }
    }
    REQUIRE(offered({gpipe, std::int64_t{1} << 31, 4}, "stages") == Values{50'000'000 / 8});
    REQUIRE(offered({v_half, 600, 4}, "stages") == Values{510}); // 6 · 510 · ⌊510² / 16⌋ operations
    REQUIRE(offered({gpipe, 4, std::int64_t{1} << 40}, "micro_batches") == Values{50'000'000 / 8});
    REQUIRE(std::chrono::steady_clock::now() - started < std::chrono::seconds(20));
}

TEST_CASE("An order that cannot run is refused by rank and operation") {
    const Schedule stuck =
        lists(2, {{op(F, 0), op(B, 0), op(F, 1), op(B, 1)}, {op(F, 0), op(F, 1), op(B, 0), op(B, 1)}});
    REQUIRE(failure(stuck) ==
            "the order deadlocks: rank 0 at position 1 waits in B0 for B0 of rank 1, which itself "
            "stands before F1");
    REQUIRE(failure(lists(1, {{op(F, 0), op(B, 0)}, {op(F, 0), op(F, 0)}})) ==
            "rank 1 at position 1, F0: the forward ran before");
    REQUIRE(failure(lists(1, {{op(F, 0), op(B, 0)}, {op(B, 0), op(F, 0)}})) ==
            "rank 1 at position 0, B0: the forward of this micro-batch has not run");
    REQUIRE(failure(lists(1, {{op(F, 0), op(W, 0)}, {op(F, 0), op(B, 0)}})) ==
            "rank 0 at position 1, W0: its input half has not run, or the weight half ran before");
    REQUIRE(failure(lists(1, {{op(F, 0), op(I, 0)}, {op(F, 0), op(B, 0)}})) ==
            "the order misses W0 on rank 0");
    REQUIRE(failure(lists(1, {{op(F, 0), op(I, 0)}, {op(F, 0), op(I, 0), op(W, 0)}})) ==
            "the order misses W0 on rank 0");
    REQUIRE(failure(lists(1, {{op(F, 4), op(B, 0)}, {op(F, 0), op(B, 0)}})) ==
            "rank 0 at position 0, F4: there is no such micro-batch or chunk");
    REQUIRE(failure(lists(1, {{op(F, 0), op(F, 1), op(B, 0)}, {op(F, 0), op(B, 0)}})) ==
            "rank 0 at position 1, F1: there is no such micro-batch or chunk");
    REQUIRE(failure(lists(
                2, {{op(F, 0), op(B, 0), op(I, 1), op(W, 1)}, {op(F, 0), op(B, 0), op(F, 1), op(B, 1)}})) ==
            "rank 0 at position 2, I1: the forward of this micro-batch has not run");
    REQUIRE_FALSE(failure(lists(2, {{op(F, 0), op(B, 0)}, {op(F, 0), op(B, 0)}})).empty());
    REQUIRE(failure(lists(1, {{op(F, 0), op(B, 0)}, {op(F, 0), op(B, 0), op(W, 0)}})) ==
            "rank 1 at position 2, W0: its input half has not run, or the weight half ran before");
}

TEST_CASE("Costs that cannot be are refused") {
    const Schedule good = *make_schedule({one_f_one_b, 2, 2});
    REQUIRE_FALSE(simulate(good, {{}, 0}, false).ok());
    REQUIRE_FALSE(simulate(good, {{StageCost{}, StageCost{}, StageCost{}}, 0}, false).ok());
    REQUIRE_FALSE(simulate(good, {{StageCost{-1, 1, 1}}, 0}, false).ok());
    REQUIRE_FALSE(
        simulate(good, {{StageCost{1, std::numeric_limits<double>::quiet_NaN(), 1}}, 0}, false).ok());
    REQUIRE_FALSE(simulate(good, {{StageCost{}}, -1}, false).ok());
    REQUIRE_FALSE(simulate(Schedule{}, {{StageCost{}}, 0}, false).ok());
    REQUIRE(simulate(good, {{StageCost{0, 0, 0}}, 0}, true).ok());
}

TEST_CASE("The critical path of 1F1B runs down, along the last rank and back up") {
    // p = 4, m = 8: three forwards down, 8 F and 8 B on the last stage, three backwards up, six hops
    const auto timeline = simulate(*make_schedule({one_f_one_b, 4, 8}), {{StageCost{10, 10, 10}}, 0}, false);
    REQUIRE(timeline.ok());
    REQUIRE(timeline->critical.hops == 6);
    REQUIRE(timeline->critical.stages.size() == 4);
    for (std::size_t s = 0; s < 3; ++s) {
        REQUIRE(timeline->critical.stages[s].forward == 1);
        REQUIRE(timeline->critical.stages[s].backward == 1);
    }
    REQUIRE(timeline->critical.stages[3].forward == 8);
    REQUIRE(timeline->critical.stages[3].backward == 8);
}

TEST_CASE("The critical path goes through the slowest stage") {
    // stage 1 of 3 takes 5 + 10, the others 1 + 2: fill 1, 6·15, drain 2, and once through the last stage
    const Costs costs{{StageCost{1, 1, 1}, StageCost{5, 5, 5}, StageCost{1, 1, 1}}, 0};
    const auto timeline = simulate(*make_schedule({one_f_one_b, 3, 6}), costs, false);
    REQUIRE(timeline.ok());
    REQUIRE(timeline->critical.stages[1].forward + timeline->critical.stages[1].backward >= 11);
}

TEST_CASE("Live peaks weigh the chunks") {
    // F0.0 F0.1 F1.0 B0.1 F1.1 B0.0 … with chunk 1 three times as heavy: alive 1, 4, 5, 2, 5, 4 …
    const std::vector<Op> ops = {{F, false, 0, 0}, {F, false, 1, 0}, {F, false, 0, 1}, {B, false, 1, 0},
                                 {F, false, 1, 1}, {B, false, 0, 0}, {B, false, 1, 1}, {B, false, 0, 1}};
    const std::vector<double> weights = {1, 3};
    const LivePeak peak = live_peak(ops, weights, false);
    REQUIRE(peak.weighted == 5);
    REQUIRE(peak.op == 2);
    REQUIRE(peak.chunks == Values{2, 1});
    REQUIRE(live_curve(ops, weights, false) == std::vector<double>{1, 4, 5, 2, 5, 4, 1, 0});
    REQUIRE(live_peak({}, weights, false).weighted == 0);
}

TEST_CASE("Split backwards free at the input half or at the weight half") {
    const std::vector<Op> ops = {op(F, 0), op(I, 0), op(F, 1), op(W, 0), op(I, 1), op(W, 1)};
    const std::vector<double> one = {1};
    REQUIRE(live_curve(ops, one, false) == std::vector<double>{1, 0, 1, 1, 0, 0});
    REQUIRE(live_curve(ops, one, true) == std::vector<double>{1, 1, 2, 1, 1, 0});
    REQUIRE(live_peak(ops, one, false).weighted == 1);
    REQUIRE(live_peak(ops, one, true).weighted == 2);
    REQUIRE(live_peak(ops, one, true).op == 2);
}

TEST_CASE("In an overlapped cell both activations are alive, whichever comes first") {
    const std::vector<Op> forward_first = {op(F, 0), {F, true, 0, 1}, op(B, 0), op(B, 1)};
    const std::vector<Op> backward_first = {op(F, 0), {B, true, 0, 0}, op(F, 1), op(B, 1)};
    for (const auto& ops : {forward_first, backward_first}) {
        REQUIRE(live_peak(ops, std::vector<double>{2}, false).weighted == 4);
        REQUIRE(live_curve(ops, std::vector<double>{2}, false) == std::vector<double>{2, 4, 2, 0});
        REQUIRE(simulate(lists(2, {ops}), {{StageCost{}}, 0}, false)->ranks[0].peak_live_until_input == 2);
    }
}
