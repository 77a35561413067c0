// SPDX-License-Identifier: GPL-3.0-or-later
// Orders equal, operation by operation, to those recorded from PyTorch, Megatron-LM, DualPipe, Chimera,
// sail-sg.
#include "recorded_orders.h"

#include <algorithm>

using namespace shardlens::pipeline;
using shardlens::Message;
using shardlens::ScheduleKind;

namespace {

void compare_orders(const std::string& file, std::size_t at_least) {
    const auto data = recorded::read(file);
    REQUIRE(data["cases"].size() >= at_least);
    for (const auto& entry : data["cases"]) {
        const ScheduleSpec spec = recorded::spec_of(entry);
        INFO(file << " " << entry["schedule"] << " p=" << spec.ranks << " m=" << spec.micro_batches
                  << " v=" << spec.chunks << " g=" << spec.group);
        const auto schedule = make_schedule(spec);
        REQUIRE(schedule.ok());
        for (std::int64_t r = 0; r < spec.ranks; ++r) {
            const auto rank = static_cast<std::size_t>(r);
            const std::vector<Op> wanted = recorded::ops_of(entry["ranks"][rank]);
            const auto made = schedule->rank(r);
            INFO("rank " << r);
            REQUIRE(wanted.size() == made.size());
            REQUIRE(std::ranges::equal(made, wanted));
            for (std::int64_t c = 0; c < spec.chunks; ++c) {
                REQUIRE(schedule->stage(r, c) == entry["placement"][rank][static_cast<std::size_t>(c)]);
            }
        }
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

TEST_CASE("GPipe and 1F1B run in PyTorch's order") { compare_orders("pytorch_gpipe_1f1b.json", 40); }

TEST_CASE("Interleaved 1F1B runs in PyTorch's order") { compare_orders("pytorch_interleaved_1f1b.json", 50); }

TEST_CASE("Interleaved zero bubble runs in PyTorch's order") {
    compare_orders("pytorch_interleaved_zb.json", 50);
}

TEST_CASE("Looped breadth-first runs in PyTorch's order") { compare_orders("pytorch_looped_bfs.json", 50); }

TEST_CASE("ZB-V runs in PyTorch's order") { compare_orders("pytorch_zbv.json", 20); }

TEST_CASE("DualPipeV runs in PyTorch's and DeepSeek's order") {
    compare_orders("pytorch_dualpipev.json", 20);
}

TEST_CASE("Interleaving by groups and its expert-overlap form run in Megatron-LM's order") {
    compare_orders("megatron_interleaved.json", 100);
}

TEST_CASE("ZB-H1 runs in the order of its authors when there are more micro-batches than stages") {
    compare_orders("zero_bubble.json", 20);
}

TEST_CASE("DualPipe runs in DeepSeek's order") { compare_orders("dualpipe.json", 24); }

TEST_CASE("Chimera runs in its authors' order") { compare_orders("chimera.json", 30); }

TEST_CASE("Hanayo, long Chimera and ZB-H2 run in the order of the separate reference program") {
    compare_orders("reference.json", 90);
}

TEST_CASE("V-half, V-min and 1F1B-V take no longer and hold no more than in their authors' orders") {
    const auto data = recorded::read("v_shaped.json");
    REQUIRE(data["cases"].size() == 90);
    for (const auto& entry : data["cases"]) {
        const ScheduleSpec spec = recorded::spec_of(entry);
        INFO(entry["schedule"] << " p=" << spec.ranks << " m=" << spec.micro_batches);
        auto schedule = make_schedule(spec);
        REQUIRE(schedule.ok());
        const auto timeline = simulate(std::move(schedule).value(), {{StageCost{1, 1, 1}}, 0}, false);
        REQUIRE(timeline.ok());
        REQUIRE(timeline->makespan <= entry["makespan"].get<double>());
        for (const RankSummary& rank : timeline->ranks)
            REQUIRE(rank.peak_live_until_weight <= entry["peak_until_W"].get<std::int64_t>());
    }
}

TEST_CASE("V-half, V-min and 1F1B-V bear hops and uneven halves as their authors' orders do") {
    const auto data = recorded::read("v_shaped.json");
    int compared = 0;
    for (const auto& entry : data["cases"]) {
        if (!entry.contains("ranks")) continue;
        Schedule theirs = *make_schedule(recorded::spec_of(entry)); // the placement is the same
        Schedule ours = theirs;
        theirs.ops.clear();
        theirs.first.clear();
        for (std::size_t r = 0; r < entry["ranks"].size(); ++r) {
            theirs.first.push_back(theirs.ops.size());
            for (const Op& op : recorded::ops_of(entry["ranks"][r])) theirs.ops.push_back(op);
            for (const std::size_t c : {0, 1})
                REQUIRE(ours.stage_of[2 * r + c] == entry["placement"][r][c].get<int>());
        }
        theirs.first.push_back(theirs.ops.size());
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
    REQUIRE(compared == 27);
}

TEST_CASE("What PyTorch and Megatron-LM refuse is refused, with legal values near by") {
    compare_refusals("pytorch_interleaved_1f1b.json", ScheduleKind::interleaved, 100);
    compare_refusals("megatron_interleaved.json", ScheduleKind::interleaved, 60);
    compare_refusals("pytorch_dualpipev.json", ScheduleKind::dualpipe_v, 30);
}
