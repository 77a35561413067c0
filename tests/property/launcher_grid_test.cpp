// SPDX-License-Identifier: GPL-3.0-or-later
// The grid covers what it says, and what the launchers' files say of its plans is what the plans say.
#include "fsdp_plans.h"
#include "launcher_exports.h"
#include "launcher_grid.h"
#include "round_trip.h"

using namespace shardlens;

namespace {

const std::vector<Plan>& grid() {
    static const std::vector<Plan> kGrid = test::launcher_grid();
    return kGrid;
}

} // namespace

TEST_CASE("the grid has 200 valid plans and every possible pair") {
    CHECK(grid().size() >= 200);
    std::set<test::GridPair> open = test::possible_pairs();
    std::set<std::string> models;
    std::set<std::int64_t> nodes;
    for (const Plan& plan : grid()) {
        for (const test::GridPair& pair : test::pairs_of(test::factors_of(plan))) open.erase(pair);
        models.insert(std::get<std::string>(plan.model));
        nodes.insert(test::setup_of_grid(plan).cluster.nodes());
    }
    for (const test::GridPair& pair : open)
        UNSCOPED_INFO("not covered: factor " << pair[0] << " = " << pair[1] << " with factor " << pair[2]
                                             << " = " << pair[3]);
    CHECK(open.empty());
    CHECK(models.size() >= 8);
    CHECK(nodes.size() >= 5);
}

TEST_CASE("every launcher's files of the grid come back as the plan") {
    for (const launchers::Launcher& launcher : launchers::table()) {
        for (const char* version : launcher.versions) {
            int plans = 0;
            for (const Plan& plan : grid()) {
                const test::MadeExport made = test::made_export(launcher, version, plan);
                INFO(launcher.id << "@" << version << ", " << plan.name);
                // A refusal's first fixes lead to a plan that the launcher takes.
                for (const Message& refusal : made.result.refusals) CHECK_FALSE(refusal.fixes.empty());
                if (made.result.files.empty()) continue;
                plans += test::comes_back(launcher, version, *made.report->setup, made.result);
            }
            INFO(launcher.id << "@" << version);
            CHECK(plans >= 200);
        }
    }
}

TEST_CASE("accelerate's files for FSDP1 and FSDP2 come back as the plan") {
    const auto found = launchers::find("accelerate");
    REQUIRE(found.ok());
    int on_fsdp1 = 0;
    for (const Plan& plan : test::fsdp_plans()) {
        const test::MadeExport made = test::made_export(*found->first, "1.15", plan);
        INFO(plan.name);
        REQUIRE_FALSE(made.result.files.empty());
        CHECK(test::comes_back(*found->first, "1.15", *made.report->setup, made.result));
        for (const launchers::File& file : made.result.files) on_fsdp1 += file.name == "config_fsdp1.yaml";
    }
    // All but those of ZeRO 2 that offload states alone: DeepSpeed does that.
    CHECK(on_fsdp1 == 3 * 3 * 2 * 3 * 3);
}
