// SPDX-License-Identifier: GPL-3.0-or-later
// Times, idle measures and peaks equal to those of a separate replay program.
#include "recorded_orders.h"

using namespace shardlens::pipeline;

namespace {

Schedule schedule_of_timeline(const nlohmann::json& entry) {
    Schedule schedule;
    schedule.spec = recorded::spec_of(entry);
    schedule.bidirectional = entry.value("bidirectional", false);
    schedule.stages = schedule.spec.ranks * (schedule.bidirectional ? 1 : schedule.spec.chunks);
    for (const auto& rank : entry["placement"]) {
        for (const auto& stage : rank) schedule.stage_of.push_back(stage);
    }
    for (const auto& rank : entry["timeline"]) {
        schedule.first.push_back(schedule.ops.size());
        for (const auto& op : rank) recorded::append(schedule.ops, op[0]);
    }
    schedule.first.push_back(schedule.ops.size());
    return schedule;
}

void compare_summary(const std::string& file) {
    const auto data = recorded::read(file);
    for (const auto& entry : data["cases"]) {
        const ScheduleSpec spec = recorded::spec_of(entry);
        INFO(file << " " << entry["schedule"] << " p=" << spec.ranks << " m=" << spec.micro_batches
                  << " v=" << spec.chunks << " g=" << spec.group);
        auto schedule = make_schedule(spec);
        REQUIRE(schedule.ok());
        const auto timeline = simulate(std::move(schedule).value(), {{StageCost{1, 1, 1, 3}}, 0}, false);
        REQUIRE(timeline.ok());
        const auto& wanted = entry["timed"];
        REQUIRE(timeline->makespan == wanted["makespan"].get<double>());
        REQUIRE(timeline->bubble_fraction == Approx(wanted["bubble_fraction"].get<double>()).margin(1e-8));
        for (std::size_t r = 0; r < timeline->ranks.size(); ++r) {
            const RankSummary& rank = timeline->ranks[r];
            REQUIRE(rank.idle_total == wanted["idle_total"][r].get<double>());
            REQUIRE(rank.idle_inside == wanted["idle_inside"][r].get<double>());
            REQUIRE(rank.peak_live_until_input == wanted["peak_until_I"][r].get<int>());
            REQUIRE(rank.peak_live_until_weight == wanted["peak_until_W"][r].get<int>());
        }
        REQUIRE(timeline->start.empty());
    }
}

} // namespace

TEST_CASE("Every operation starts and ends when the separate replay says") {
    const auto data = recorded::read("golden_timelines.json");
    REQUIRE(data["cases"].size() == 22);
    for (const auto& entry : data["cases"]) {
        const Schedule schedule = schedule_of_timeline(entry);
        INFO(entry["schedule"] << " p=" << entry["p"] << " m=" << entry["m"] << " v=" << entry["v"]
                               << " comm=" << entry["comm"] << " overlap=" << entry["overlap_cost"]);
        // The recorded order is also what the generator makes, where its sizes are legal.
        if (check(schedule.spec).empty()) REQUIRE(make_schedule(schedule.spec)->ops == schedule.ops);
        const double unit = entry["comm"].get<double>() != 0 ? 10 : 1;
        StageCost cost{unit, unit, unit, -1};
        if (!entry["overlap_cost"].is_null()) cost.overlapped = entry["overlap_cost"];
        const auto timeline = simulate(schedule, {{cost}, entry["comm"].get<double>()}, true);
        REQUIRE(timeline.ok());
        REQUIRE(timeline->makespan == Approx(entry["makespan"].get<double>()));
        REQUIRE(timeline->bubble_fraction == Approx(entry["bubble_fraction"].get<double>()).margin(1e-8));
        for (std::size_t r = 0; r < entry["timeline"].size(); ++r) {
            std::size_t i = schedule.first[r];
            for (const auto& op : entry["timeline"][r]) {
                for (bool more = true; more; ++i) { // both halves of a cell
                    INFO("rank " << r << " " << op.dump());
                    REQUIRE(timeline->start[i] == Approx(op[1].get<double>()).margin(1e-9));
                    REQUIRE(timeline->end[i] == Approx(op[2].get<double>()));
                    more = schedule.ops[i].with_next;
                }
            }
            REQUIRE(i == schedule.first[r + 1]);
            REQUIRE(timeline->ranks[r].peak_live_until_input == entry["peak_until_I"][r].get<int>());
            REQUIRE(timeline->ranks[r].peak_live_until_weight == entry["peak_until_W"][r].get<int>());
        }
    }
}

TEST_CASE("Makespan, idle times and peaks equal the separate replay's") {
    for (const char* file : {"pytorch_gpipe_1f1b.json", "pytorch_interleaved_1f1b.json",
                             "pytorch_interleaved_zb.json", "pytorch_looped_bfs.json", "pytorch_zbv.json",
                             "pytorch_dualpipev.json", "megatron_interleaved.json", "zero_bubble.json",
                             "dualpipe.json", "chimera.json", "reference.json"}) {
        compare_summary(file);
    }
}
