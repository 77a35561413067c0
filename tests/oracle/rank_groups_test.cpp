// SPDX-License-Identifier: GPL-3.0-or-later
// Our groups against those that launchers' own rank code gave (sources in the data files).
#include "catch.h"
#include "recorded_groups.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "placement/placement.h"
#include "rules/rules.h"

using namespace shardlens;
using namespace shardlens::placement;
using Groups = std::vector<std::vector<std::int64_t>>;

namespace {

GroupKind kind_of(const std::string& name) {
    for (const GroupKind kind : kGroupKinds)
        if (name == to_string(kind)) return kind;
    FAIL("no group kind " << name);
    return GroupKind::tp;
}

Groups along(const Grid& grid, const std::string& axes) {
    if (axes == "tp-pp") return groups_along(grid, {Axis::tp, Axis::pp});
    if (axes == "tp-cp") return groups_along(grid, {Axis::tp, Axis::cp});
    if (axes == "tp-dp") return groups_along(grid, {Axis::tp, Axis::dp});
    if (axes == "tp-dp-cp") return groups_along(grid, {Axis::tp, Axis::cp, Axis::dp});
    if (axes == "etp-ep") return groups_along(grid, {Axis::etp, Axis::ep});
    if (axes == "etp-ep-pp") return groups_along(grid, {Axis::etp, Axis::ep, Axis::pp});
    FAIL("no axes " << axes);
    return {};
}

/// Ours of a recorded kind (recorded_groups.h says how kinds are written).
Groups ours(const Placement& placement, const std::string& kind) {
    if (kind.rfind("dense:", 0) == 0) return along(placement.dense(), kind.substr(6));
    if (kind.rfind("expert:", 0) == 0) return along(placement.expert(), kind.substr(7));
    Groups groups;
    if (kind.rfind("cut:", 0) == 0) {
        const std::size_t colon = kind.find(':', 4);
        const auto length = std::stoll(kind.substr(colon + 1));
        for (const auto& whole : placement.groups(kind_of(kind.substr(4, colon - 4))))
            for (auto from = whole.begin(); from != whole.end(); from += length)
                groups.emplace_back(from, from + length);
        return groups;
    }
    if (kind.rfind("firsts:", 0) == 0) {
        for (const auto& whole : placement.groups(kind_of(kind.substr(7)))) groups.push_back({whole.front()});
        return groups;
    }
    if (kind != "next") return placement.groups(kind_of(kind));
    for (std::int64_t rank = 0; rank < placement.world(); ++rank) {
        const std::vector<std::int64_t> stages = placement.group_of(GroupKind::pp, rank);
        const auto place = std::find(stages.begin(), stages.end(), rank) - stages.begin() + 1;
        groups.push_back({rank, stages[static_cast<std::size_t>(place) % stages.size()]});
    }
    return groups;
}

Degrees degrees_of(const nlohmann::json& sizes) {
    return {.tp = sizes.value("tp", 1),
            .cp = sizes.value("cp", 1),
            .dp = sizes.value("dp", 1),
            .pp = sizes.value("pp", 1),
            .ep = sizes.value("ep", 1),
            .etp = sizes.value("etp", 1)};
}

} // namespace

TEST_CASE("groups equal those of Megatron, DeepSpeed, torchtitan and nanotron") {
    std::size_t cases = 0, lists = 0;
    std::set<std::string> kinds;
    for (const recorded_groups::Case& recorded : recorded_groups::all()) {
        INFO(recorded.id);
        const Result<Placement> placement = Placement::make(setup_of(recorded.degrees));
        REQUIRE(placement.ok());
        REQUIRE(placement->has_experts());
        for (const recorded_groups::Recorded& list : recorded.kinds) {
            INFO(list.kind);
            const Groups groups = ours(*placement, list.kind);
            CHECK((recorded.in_order ? groups : recorded_groups::sorted(groups)) ==
                  (recorded.in_order ? list.groups : recorded_groups::sorted(list.groups)));
            kinds.insert(list.kind);
            ++lists;
        }
        const Grid& grid = placement->dense();
        for (std::size_t rank = 0; rank < recorded.coordinates.size(); ++rank) {
            const auto number = static_cast<std::int64_t>(rank);
            CHECK(recorded.coordinates[rank] == std::vector{grid.coordinate(number, Axis::pp),
                                                            grid.coordinate(number, Axis::dp),
                                                            grid.coordinate(number, Axis::tp)});
        }
        ++cases;
    }
    CHECK(cases == recorded_groups::kCases); // 147
    CHECK(lists > 1200);
    for (const GroupKind kind : kGroupKinds) CHECK(kinds.count(to_string(kind)) == 1);
}

TEST_CASE("what Megatron's groups refuse is refused here") {
    const auto oracle = recorded_groups::read("rank_mapping.json"); // outlives the loop over a part of it
    std::size_t count = 0;
    for (const auto& refused : oracle.at("megatron").at("rejected")) {
        ++count;
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
    CHECK(count == 6);
}

TEST_CASE("worked layouts: nodes, members per node, rails") {
    const auto worked = recorded_groups::read("placement_examples.json");
    std::size_t count = 0;
    for (const auto& example : worked.at("cases")) {
        INFO(example.at("name").get<std::string>());
        ++count;
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
    CHECK(count == 11);
}
