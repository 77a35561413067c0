// SPDX-License-Identifier: GPL-3.0-or-later
// Orders equal, operation by operation, to those recorded from PyTorch, Megatron-LM, DualPipe, Chimera,
// sail-sg.
#include "recorded_orders.h"

#include <algorithm>
#include <map>
#include <optional>

using namespace shardlens::pipeline;
using shardlens::Message;
using shardlens::ScheduleKind;

namespace {

/// Is our order held to the recorded one operation by operation? The others are held to its times and peaks.
bool token_by_token(const nlohmann::json& entry) {
    const std::string name = entry["schedule"];
    const std::int64_t p = entry["p"], m = entry["m"];
    if (name == "ZB-H1") return m > p; // up to p micro-batches the recorded search may warm up more
    if (name == "ZB-H2") return !entry.contains("mem_limit") && m >= 2 * p - 1;
    return name != "ZB-V" && name != "V-half" && name != "V-min" && name != "1F1B-V";
}

void same_order(const nlohmann::json& entry) {
    const ScheduleSpec spec = recorded::spec_of(entry);
    const auto schedule = make_schedule(spec);
    REQUIRE(schedule.ok());
    const Schedule wanted = recorded::schedule_of(entry);
    REQUIRE(schedule->bidirectional == wanted.bidirectional);
    REQUIRE(schedule->stage_of == wanted.stage_of);
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        INFO("rank " << r);
        REQUIRE(std::ranges::equal(schedule->rank(r), wanted.rank(r)));
    }
}

void no_worse(const nlohmann::json& entry) {
    auto schedule = make_schedule(recorded::spec_of(entry));
    REQUIRE(schedule.ok());
    const auto timeline = simulate(std::move(schedule).value(), {{StageCost{1, 1, 1}}, 0}, false);
    REQUIRE(timeline.ok());
    const auto& timed = entry["timed"];
    REQUIRE(timeline->makespan <= timed["makespan"].get<double>());
    const auto highest = [&](const char* which) {
        std::int64_t most = 0;
        for (const auto& peak : timed[which]) most = std::max(most, peak.get<std::int64_t>());
        return most;
    };
    for (const RankSummary& rank : timeline->ranks) {
        REQUIRE(rank.peak_live_until_input <= highest("peak_until_I"));
        REQUIRE(rank.peak_live_until_weight <= highest("peak_until_W"));
    }
}

/// The nearest legal values of a message must be legal, and there must be some.
void check_fixes(const ScheduleSpec& spec, const std::vector<Message>& messages) {
    for (const Message& message : messages) {
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
            INFO(message.path << ": " << fix.set[0].first << " = "
                              << std::get<std::int64_t>(fix.set[0].second));
            REQUIRE(check(mended).empty());
        }
    }
}

void compare_refusals(const std::string& file, ScheduleKind kind, std::size_t at_least) {
    const auto data = recorded::read(file);
    REQUIRE(data["rejected"].size() >= at_least);
    for (const auto& sizes : data["rejected"]) {
        const ScheduleSpec spec{kind, sizes[0], sizes[1], sizes[2],
                                sizes.size() > 3 ? sizes[3].get<int>() : 0};
        INFO(file << " rejected " << sizes.dump());
        const auto messages = check(spec);
        REQUIRE_FALSE(messages.empty());
        REQUIRE_FALSE(make_schedule(spec).ok());
        check_fixes(spec, messages);
    }
}

} // namespace

TEST_CASE("Orders equal the recorded ones, or take no longer and hold no more") {
    std::map<std::string, int> equal, bounded, replayed_only;
    for (const auto& [file, cases] : recorded::kFiles) {
        const auto data = recorded::read(file);
        REQUIRE(data["cases"].size() == cases);
        for (const auto& entry : data["cases"]) {
            INFO(file << " " << entry["schedule"] << " p=" << entry["p"] << " m=" << entry["m"]
                      << " v=" << entry["v"] << " g=" << entry.value("group", 0));
            const std::string name = entry["schedule"];
            if (token_by_token(entry)) {
                same_order(entry);
                ++equal[name];
            } else if (name == "ZB-V") { // another order than PyTorch's, which is the one we make
                ++replayed_only[name];
            } else {
                no_worse(entry);
                ++bounded[name];
            }
        }
    }
    // Nothing is left out: 1736 cases.
    REQUIRE(equal == std::map<std::string, int>{{"1F1B", 90},
                                                {"Chimera", 46},
                                                {"DualPipe", 24},
                                                {"DualPipeV", 62},
                                                {"GPipe", 90},
                                                {"Hanayo", 54},
                                                {"Interleaved1F1B", 394},
                                                {"Interleaved1F1B_EPoverlap", 36},
                                                {"InterleavedZeroBubble", 240},
                                                {"LoopedBFS", 220},
                                                {"ZB-H1", 84},
                                                {"ZB-H2", 30},
                                                {"ZBVZeroBubble", 90}});
    REQUIRE(bounded == std::map<std::string, int>{
                           {"1F1B-V", 30}, {"V-half", 30}, {"V-min", 30}, {"ZB-H1", 6}, {"ZB-H2", 90}});
    REQUIRE(replayed_only == std::map<std::string, int>{{"ZB-V", 90}});
}

TEST_CASE("Below 2p - 1 micro-batches ZB-H2 is ZB-H1") {
    for (std::int64_t p = 1; p <= 16; ++p) {
        for (std::int64_t m = 1; m <= 2 * p; ++m) {
            INFO("p=" << p << " m=" << m);
            REQUIRE(shortened_to({ScheduleKind::zb_h2, p, m}) ==
                    (m < 2 * p - 1 ? std::optional(ScheduleKind::zb_h1) : std::nullopt));
            if (p == 1) continue; // one rank: nothing to warm up
            const bool same = make_schedule({ScheduleKind::zb_h2, p, m})->ops ==
                              make_schedule({ScheduleKind::zb_h1, p, m})->ops;
            REQUIRE(same == (m < 2 * p - 1));
        }
    }
}

TEST_CASE("V-half, V-min and 1F1B-V bear hops and uneven halves as their authors' orders do") {
    const auto data = recorded::read("zero_bubble.json");
    int compared = 0;
    for (const auto& entry : data["cases"]) {
        const ScheduleSpec spec = recorded::spec_of(entry);
        const bool v_shaped = spec.kind == ScheduleKind::v_half || spec.kind == ScheduleKind::v_min ||
                              spec.kind == ScheduleKind::one_f_one_b_v;
        if (!v_shaped || spec.micro_batches < 2 * spec.ranks) continue; // the steady state
        const Schedule theirs = recorded::schedule_of(entry), ours = *make_schedule(spec);
        REQUIRE(ours.stage_of == theirs.stage_of);
        const std::vector<Costs> costs = {
            {{StageCost{1, 1, 1}}, 0.1}, {{StageCost{1, 1.2, 0.8}}, 0.05}, {{StageCost{1, 0.9, 1.2}}, 0.05}};
        for (std::size_t i = 0; i < costs.size(); ++i) {
            INFO(entry["schedule"] << " p=" << entry["p"] << " m=" << entry["m"] << " costs " << i);
            const auto wanted = simulate(theirs, costs[i], false), made = simulate(ours, costs[i], false);
            REQUIRE(wanted.ok());
            REQUIRE(made.ok());
            REQUIRE(made->makespan <= 1.01 * wanted->makespan);
            ++compared;
        }
    }
    REQUIRE(compared >= 27);
}

TEST_CASE("What PyTorch and Megatron-LM refuse is refused, with legal values near by") {
    compare_refusals("pytorch_interleaved_1f1b.json", ScheduleKind::interleaved, 100);
    compare_refusals("megatron_interleaved.json", ScheduleKind::interleaved, 60);
    compare_refusals("pytorch_dualpipev.json", ScheduleKind::dualpipe_v, 30);
}
