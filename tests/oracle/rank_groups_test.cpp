// SPDX-License-Identifier: GPL-3.0-or-later
// Our groups against those that launchers' own rank code gave (sources in the data files).
#include "catch.h"
#include "degrees.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "placement/placement.h"
#include "rules/rules.h"

using namespace shardlens;
using namespace shardlens::placement;
using Groups = std::vector<std::vector<std::int64_t>>;

namespace {

nlohmann::json read(const std::string& name) {
    std::ifstream file(data_file(name));
    REQUIRE(file.good());
    return nlohmann::json::parse(file);
}

GroupKind kind_of(const std::string& name) {
    for (const GroupKind kind : kGroupKinds)
        if (name == to_string(kind)) return kind;
    FAIL("no group kind " << name);
    return GroupKind::tp;
}

Degrees degrees_of(const nlohmann::json& sizes) {
    Degrees degrees;
    degrees.tp = sizes.value("tp", 1);
    degrees.cp = sizes.value("cp", 1);
    degrees.dp = sizes.value("dp", 1);
    degrees.pp = sizes.value("pp", 1);
    degrees.ep = sizes.value("ep", 1);
    degrees.etp = sizes.value("etp", 1);
    return degrees;
}

} // namespace

TEST_CASE("groups equal those of Megatron, DeepSpeed, torchtitan and nanotron") {
    const nlohmann::json oracle = read("oracles/rank_groups.json");
    std::map<std::string, int> compared;
    for (const auto& recorded : oracle.at("cases")) {
        INFO(recorded.at("id").get<std::string>());
        Degrees degrees = degrees_of(recorded);
        degrees.order = recorded.at("order");
        degrees.shard_group = recorded.value("shard_group", 0);
        const Result<Placement> placement = Placement::make(setup_of(degrees));
        REQUIRE(placement.ok());
        REQUIRE(placement->has_experts());
        for (const auto& [name, value] : recorded.at("groups").items()) {
            INFO(name);
            Groups expected = value.get<Groups>(), ours = placement->groups(kind_of(name));
            if (recorded.at("recorded") == "as sets") {
                std::sort(expected.begin(), expected.end());
                std::sort(ours.begin(), ours.end());
            }
            CHECK(ours == expected);
            ++compared[name];
        }
        if (recorded.contains("next_stage")) {
            const auto next = recorded.at("next_stage").get<std::vector<std::int64_t>>();
            for (std::int64_t rank = 0; rank < placement->world(); ++rank) {
                const std::vector<std::int64_t> stages = placement->group_of(GroupKind::pp, rank);
                const auto place = std::find(stages.begin(), stages.end(), rank) - stages.begin() + 1;
                CHECK(stages[static_cast<std::size_t>(place) % stages.size()] ==
                      next[static_cast<std::size_t>(rank)]);
            }
        }
    }
    CHECK(compared.size() == kGroupKinds.size());
    CHECK(oracle.at("cases").size() >= 130);
}

TEST_CASE("what Megatron's groups refuse is refused here") {
    const auto oracle = read("oracles/rank_groups.json"); // outlives the loop over a part of it
    for (const auto& refused : oracle.at("refused")) {
        INFO(refused.dump());
        Degrees degrees = degrees_of(refused);
        degrees.order = refused.at("order");
        const std::int64_t world = refused.at("world");
        degrees.dp = world / (degrees.tp * degrees.cp * degrees.pp);
        Setup setup = setup_of(degrees);
        setup.cluster.gpus = setup.plan.cluster.gpus = world;
        setup.expert_data = std::max<std::int64_t>(1, world / (degrees.etp * degrees.ep * degrees.pp));
        setup.plan.parallel.data.reset();
        std::set<std::string> codes;
        for (const rules::Rule& rule : rules::table())
            if (*rule.launcher == '\0' && rule.severity == Severity::error && rule.broken(setup))
                codes.insert(rule.code);
        const std::string reason = refused.at("reason");
        if (reason.find("tp*cp*pp") != std::string::npos && reason.find("world") == 0)
            CHECK(codes.count("world-size") == 1);
        else if (reason.find("etp*ep*pp") != std::string::npos)
            CHECK(codes.count("expert-grid") == 1);
        else
            CHECK(codes.count("rank-order-pipeline") == 1);
    }
}

TEST_CASE("worked layouts: nodes, members per node, rails") {
    const auto worked = read("oracles/placement_examples.json");
    for (const auto& example : worked.at("cases")) {
        INFO(example.at("name").get<std::string>());
        const auto& sizes = example.at("sizes");
        const bool expert_grid = sizes.contains("ep");
        Degrees degrees;
        degrees.pp = sizes.at("pp");
        if (expert_grid) { // any dense grid with the same pipeline will do
            degrees.etp = sizes.at("tp");
            degrees.ep = sizes.at("ep");
            degrees.dp = example.at("world").get<std::int64_t>() / degrees.pp;
        } else {
            degrees.tp = sizes.at("tp");
            degrees.cp = sizes.at("cp");
            degrees.dp = sizes.at("dp");
        }
        degrees.order = example.at("order");
        if (expert_grid) degrees.order = "tp-cp-ep-dp-pp";
        degrees.gpus_per_node = example.at("gpus_per_domain");
        const Result<Placement> placement = Placement::make(setup_of(degrees));
        REQUIRE(placement.ok());
        for (const auto& [name, expected] : example.at("dims").items()) {
            INFO(name);
            const GroupKind kind = kind_of(expert_grid && name == "dp" ? "edp" : name);
            const Reach reach = placement->reach(kind);
            const auto all = [&](const char* key) {
                return expected.at(key).get<std::vector<std::int64_t>>();
            };
            const auto nodes = all("nodes_per_group"), members = all("members_per_node"),
                       groups = all("groups_per_node");
            CHECK(reach.members == expected.at("size").get<std::int64_t>());
            CHECK(reach.nodes == *std::max_element(nodes.begin(), nodes.end()));
            CHECK(reach.members_per_node == *std::min_element(members.begin(), members.end()));
            CHECK(reach.groups_per_node == *std::max_element(groups.begin(), groups.end()));
            CHECK(reach.rail_aligned == expected.at("rail_aligned").get<bool>());
            const Grid& grid = expert_grid && name != "pp" ? placement->expert() : placement->dense();
            const Axis axis = name == "tp"   ? Axis::tp
                              : name == "cp" ? Axis::cp
                              : name == "ep" ? Axis::ep
                              : name == "pp" ? Axis::pp
                              : expert_grid  ? Axis::edp
                                             : Axis::dp;
            CHECK(grid.stride(axis) == expected.at("stride").get<std::int64_t>());
        }
    }
}
