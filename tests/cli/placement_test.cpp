// SPDX-License-Identifier: GPL-3.0-or-later
// What `shardlens-cli placement` prints against every recorded layout; kinds that it does not print are
// compared in tests/oracle/rank_groups_test.cpp.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.h"
#include "process.h"
#include "recorded_groups.h"

using nlohmann::json;

namespace {

/// A plan of these degrees: 192 heads and experts, so that every recorded degree divides them.
json plan_of(const Degrees& degrees, bool experts) {
    json plan;
    plan["schema"] = "shardlens/plan/1";
    plan["model"] = {
        {"layers", degrees.pp}, {"hidden", 1536}, {"heads", 192}, {"ffn_hidden", 6144}, {"vocab", 49152}};
    if (experts) plan["model"]["moe"] = {{"experts", 192}, {"top_k", 2}, {"expert_ffn", 1536}};
    plan["cluster"] = {{"node", "dgx-h100"},
                       {"gpus", degrees.tp * degrees.cp * degrees.dp * degrees.pp},
                       {"gpus_per_node", degrees.gpus_per_node},
                       {"scale_up_domain", degrees.gpus_per_node}};
    plan["training"] = {
        {"sequence_length", 4096}, {"micro_batch_size", 1}, {"global_batch_size", degrees.dp * degrees.pp}};
    plan["parallel"] = {{"tensor", degrees.tp},
                        {"context", degrees.cp},
                        {"data", degrees.dp},
                        {"pipeline", degrees.pp},
                        {"expert", degrees.ep},
                        {"expert_tensor", degrees.etp},
                        {"zero", 1},
                        {"shard_group", degrees.shard_group},
                        {"rank_order", degrees.order}};
    if (!experts) plan["parallel"]["expert"] = plan["parallel"]["expert_tensor"] = 1;
    return plan;
}

json placement_of(const json& plan) {
    const Ran ran = run_cli({"placement", "-"}, {.text = plan.dump()});
    INFO(ran.err << ran.out.substr(0, 1000));
    json result = json::parse(ran.out, nullptr, false);
    REQUIRE_FALSE(result.is_discarded());
    return result;
}

} // namespace

TEST_CASE("placement prints the groups that four launchers' own code gave") {
    std::size_t cases = 0, lists = 0;
    for (const recorded_groups::Case& recorded : recorded_groups::all()) {
        INFO(recorded.id);
        const bool experts = std::any_of(recorded.kinds.begin(), recorded.kinds.end(), [](const auto& list) {
            return list.kind == "ep" || list.kind == "etp";
        });
        const json result = placement_of(plan_of(recorded.degrees, experts));
        for (const recorded_groups::Recorded& list : recorded.kinds) {
            if (!recorded_groups::is_printed(list)) continue;
            INFO(list.kind);
            const auto groups = result.at("groups").at(list.kind).get<recorded_groups::Groups>();
            CHECK((recorded.in_order ? groups : recorded_groups::sorted(groups)) ==
                  (recorded.in_order ? list.groups : recorded_groups::sorted(list.groups)));
            ++lists;
        }
        for (std::size_t rank = 0; rank < recorded.coordinates.size(); ++rank) {
            const json& at = result.at("ranks").at(rank);
            CHECK(recorded.coordinates[rank] ==
                  std::vector<std::int64_t>{at.at("pp"), at.at("dp"), at.at("tp")});
        }
        ++cases;
    }
    CHECK(cases == recorded_groups::kCases); // 147
    CHECK(lists > 700);
}

TEST_CASE("placement says why Megatron refuses a layout") {
    std::size_t count = 0;
    const json oracle = recorded_groups::read("rank_mapping.json");
    for (const json& refused : oracle.at("megatron").at("rejected")) {
        INFO(refused.dump());
        json plan = plan_of({.tp = refused.at("tp"),
                             .cp = refused.at("cp"),
                             .pp = refused.at("pp"),
                             .ep = refused.at("ep"),
                             .etp = refused.at("etp"),
                             .order = refused.at("order")},
                            true);
        plan["cluster"]["gpus"] = refused.at("world");
        plan["parallel"].erase("data");
        const Ran ran = run_cli({"placement", "-"}, {.text = plan.dump()});
        CHECK(ran.code == 1);
        std::set<std::string> codes;
        const json result = json::parse(ran.out);
        for (const json& message : result.at("messages")) codes.insert(message.at("code"));
        const std::string reason = refused.at("reason");
        if (reason.rfind("world not a multiple of tp", 0) == 0)
            CHECK(codes.count("world-size") == 1);
        else if (reason.rfind("world not a multiple of etp", 0) == 0)
            CHECK(codes.count("expert-grid") == 1);
        else
            CHECK(codes.count("rank-order-pipeline") == 1);
        ++count;
    }
    CHECK(count == 6);
}

TEST_CASE("placement: where the groups of the worked layouts lie") {
    std::size_t count = 0;
    const json worked = recorded_groups::read("placement_examples.json");
    for (const json& example : worked.at("cases")) {
        INFO(example.at("name").get<std::string>());
        const json& sizes = example.at("sizes");
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
            degrees.order = example.at("order");
        }
        degrees.gpus_per_node = example.at("gpus_per_domain");
        const json result = placement_of(plan_of(degrees, expert_grid));
        for (const auto& [name, expected] : example.at("dims").items()) {
            INFO(name);
            const json& groups = result.at("groups").at(expert_grid && name == "dp" ? "edp" : name);
            std::set<std::int64_t> nodes_per_group, members_per_node, groups_per_node;
            std::map<std::int64_t, std::int64_t> present;
            bool aligned = true;
            for (const json& group : groups) {
                CHECK(group.size() == expected.at("size"));
                if (group.size() > 1)
                    CHECK(group.at(1).get<std::int64_t>() - group.at(0).get<std::int64_t>() ==
                          expected.at("stride"));
                std::map<std::int64_t, std::int64_t> members;
                for (const json& rank : group) {
                    const json& at = result.at("ranks").at(rank.get<std::size_t>());
                    ++members[at.at("node").get<std::int64_t>()];
                    aligned &=
                        at.at("local") == result.at("ranks").at(group.at(0).get<std::size_t>()).at("local");
                }
                nodes_per_group.insert(static_cast<std::int64_t>(members.size()));
                std::int64_t most = 0;
                for (const auto& [node, number] : members) {
                    most = std::max(most, number);
                    ++present[node];
                }
                members_per_node.insert(most);
            }
            for (const auto& [node, number] : present) groups_per_node.insert(number);
            using Set = std::set<std::int64_t>;
            CHECK(nodes_per_group == expected.at("nodes_per_group").get<Set>());
            CHECK(members_per_node == expected.at("members_per_node").get<Set>());
            CHECK(groups_per_node == expected.at("groups_per_node").get<Set>());
            CHECK(aligned == expected.at("rail_aligned").get<bool>());
        }
        ++count;
    }
    CHECK(count == 11);
}

TEST_CASE("orders: every order with its step, and what the plan's own loses") {
    const std::string plan = presets_directory() + "/plans/llama3-70b-64xh100.json";
    const Ran ran = run_cli({"orders", plan, "--set", "parallel.rank_order=dp-pp-tp-cp"});
    CHECK(ran.code == 0);
    const json result = json::parse(ran.out);
    CHECK(result.at("changed") == true);
    CHECK(result.at("before").at("crossing").at("tp") == 8);
    CHECK(result.at("best").at("crossing").at("tp") == 0);
    CHECK(result.at("step_s_lost").get<double>() == Approx(result.at("before").at("step_s").get<double>() -
                                                           result.at("best").at("step_s").get<double>()));
    CHECK(result.at("orders").at(0).at("rank_order") == result.at("rank_order"));
    TemporaryFolder folder;
    const std::string out = folder.path("best.json");
    CHECK(run_cli({"orders", plan, "--set", "parallel.rank_order=dp-pp-tp-cp", "--out", out}).code == 0);
    CHECK(json::parse(read_file(out)).at("parallel").at("rank_order") == result.at("rank_order"));
    const Ran text = run_cli({"orders", plan, "--format", "text"});
    CHECK(text.out.find("* the plan's own") != std::string::npos);
    const Ran textbook = run_cli({"orders", plan, "--set", "fidelity=textbook"});
    CHECK(textbook.code == 1);
    CHECK(json::parse(textbook.out).at("messages").at(0).at("path") == "fidelity");
}

TEST_CASE("failure: what goes with a node or a port") {
    const std::string plan = presets_directory() + "/plans/llama3-70b-64xh100.json";
    const Ran node = run_cli({"failure", plan, "--node", "3"});
    CHECK(node.code == 0);
    const json lost = json::parse(node.out);
    CHECK(lost.at("ranks").size() == 8);
    CHECK(lost.at("replicas_lost") == json{1});
    CHECK(lost.at("data_after") == 1);
    CHECK(lost.at("groups").at("tp") == json{{"hit", 1}, {"of", 8}});
    const json port = json::parse(run_cli({"failure", plan, "--node", "0", "--nic", "2"}).out);
    CHECK(port.at("ranks") == json{2});
    CHECK(port.at("ranks_lost") == false);
    CHECK(port.at("throughput_share").get<double>() < 1);
    CHECK(run_cli({"failure", plan, "--node", "8"}).code == 1);
    const Ran missing = run_cli({"failure", plan});
    CHECK(missing.code == 2);
    CHECK(missing.err.find("--node N is missing") != std::string::npos);
    CHECK(run_cli({"failure", plan, "--node", "-1"}).code == 2);
}

TEST_CASE("placement prints traffic by link class and collective, and the tiers that groups cross") {
    const std::string plan = presets_directory() + "/plans/llama3-70b-64xh100.json";
    const json result = json::parse(run_cli({"placement", plan}).out);
    double sum = 0;
    for (const json& collective : result.at("traffic").at("collectives"))
        if (collective.at("links").contains("nic"))
            sum += collective.at("links").at("nic").at("bytes_per_step").get<double>();
    CHECK(sum == Approx(result.at("traffic").at("nic").at("bytes_per_step").get<double>()));
    for (const json& tier : result.at("tiers")) CHECK(tier.at("kind") != "tp"); // on one node
    CHECK(result.at("tiers").size() >= 2);
    CHECK(result.at("traffic").at("nic").at("capacity_bytes_per_s").get<double>() > 0);
    json hosts = json::array();
    for (int i = 0; i < 8; ++i) hosts.push_back("node" + std::to_string(10 - i));
    const json backwards =
        json::parse(run_cli({"placement", plan, "--set", "cluster.hosts=" + hosts.dump()}).out);
    CHECK(backwards.at("ranks").at(0).at("host") == "node10");
    CHECK(backwards.at("ranks").at(0).at("node") == 7);
}
