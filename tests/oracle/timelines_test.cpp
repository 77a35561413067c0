// SPDX-License-Identifier: GPL-3.0-or-later
// Times, idle measures and peaks equal to those of a separate replay program.
#include "recorded_orders.h"

using namespace shardlens::pipeline;

namespace {

Schedule schedule_of_timeline(const nlohmann::json& entry) {
    Schedule schedule = recorded::placed(entry);
    for (const auto& rank : entry["timeline"]) {
        schedule.first.push_back(schedule.ops.size());
        for (const auto& op : rank) recorded::append(schedule.ops, op[0]);
    }
    schedule.first.push_back(schedule.ops.size());
    return schedule;
}

} // namespace

TEST_CASE("Every operation starts and ends when the separate replay says") {
    const auto data = recorded::read("golden_timelines.json");
    REQUIRE(data["cases"].size() == 22);
    int made = 0;
    for (const auto& entry : data["cases"]) {
        const Schedule schedule = schedule_of_timeline(entry);
        INFO(entry["schedule"] << " p=" << entry["p"] << " m=" << entry["m"] << " v=" << entry["v"]
                               << " comm=" << entry["comm"] << " overlap=" << entry["overlap_cost"]);
        // The recorded order is also what the generator makes, where its sizes are legal.
        if (check(schedule.spec).empty()) {
            REQUIRE(make_schedule(schedule.spec)->ops == schedule.ops);
            ++made;
        }
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
    REQUIRE(made == 20); // all but the two that stall
}

TEST_CASE("Every recorded order has the makespan, idle times and peaks of the separate replay") {
    std::size_t replayed = 0, with_closed_form = 0;
    for (const auto& [file, cases] : recorded::kFiles) {
        const auto data = recorded::read(file);
        REQUIRE(data["cases"].size() == cases);
        for (const auto& entry : data["cases"]) {
            Schedule schedule = recorded::schedule_of(entry);
            INFO(file << " " << entry["schedule"] << " p=" << entry["p"] << " m=" << entry["m"]
                      << " v=" << entry["v"] << " g=" << schedule.spec.group);
            const auto timeline = simulate(std::move(schedule), {{StageCost{1, 1, 1, 3}}, 0}, false);
            REQUIRE(timeline.ok());
            const auto& wanted = entry["timed"];
            REQUIRE(timeline->makespan == wanted["makespan"].get<double>());
            if (!wanted["closed_form"].is_null()) {
                REQUIRE(timeline->makespan == wanted["closed_form"].get<double>());
                ++with_closed_form;
            }
            REQUIRE(timeline->bubble_fraction ==
                    Approx(wanted["bubble_fraction"].get<double>()).margin(1e-8));
            for (std::size_t r = 0; r < timeline->ranks.size(); ++r) {
                const RankSummary& rank = timeline->ranks[r];
                REQUIRE(rank.idle_total == wanted["idle_total"][r].get<double>());
                REQUIRE(rank.idle_inside == wanted["idle_inside"][r].get<double>());
                REQUIRE(rank.peak_live_until_input == wanted["peak_until_I"][r].get<int>());
                REQUIRE(rank.peak_live_until_weight == wanted["peak_until_W"][r].get<int>());
            }
            ++replayed;
        }
    }
    REQUIRE(replayed == 1736);
    REQUIRE(with_closed_form == 1603);
}

TEST_CASE("Orders that stall are timed when recorded and refused when asked for") {
    std::size_t found = 0;
    const auto data = recorded::read("golden_timelines.json");
    for (const auto& entry : data["cases"]) {
        const ScheduleSpec spec = recorded::spec_of(entry);
        const bool stalls = spec.micro_batches == 9 || spec.micro_batches == 11;
        if (!stalls || spec.kind != shardlens::ScheduleKind::interleaved) continue;
        REQUIRE(spec.group == (spec.micro_batches == 9 ? 4 : 5));
        const auto messages = check(spec);
        REQUIRE(messages.size() == 1);
        REQUIRE(messages[0].code == "schedule-group-remainder");
        REQUIRE_FALSE(messages[0].fixes.empty());
        REQUIRE_FALSE(make_schedule(spec).ok());
        REQUIRE(simulate(schedule_of_timeline(entry), {{StageCost{}}, 0}, false)->makespan ==
                entry["makespan"].get<double>());
        ++found;
    }
    REQUIRE(found == 2);
}
