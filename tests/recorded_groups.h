// SPDX-License-Identifier: GPL-3.0-or-later
// Process groups that launchers' own rank code gave (tests/data/oracles/rank_mapping.json and
// rank_groups_megatron.json), as degrees and named kinds of ours.
#pragma once

#include "catch.h"
#include "degrees.h"

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace recorded_groups {

using Groups = std::vector<std::vector<std::int64_t>>;

/// One recorded list of groups. `kind` is a kind that the command line prints, or else what it is made of:
/// "dense:tp-pp" and "expert:etp-ep" (ranks that differ along these axes), "cut:dp:4" (consecutive slices of
/// four of a printed kind), "firsts:pp" (the first member of each group), "next" (rank and its neighbour in
/// the next stage).
struct Recorded {
    std::string kind;
    Groups groups;
};

struct Case {
    std::string id;
    Degrees degrees;
    std::vector<Recorded> kinds;
    bool in_order = false; ///< the order of the groups counts too (Megatron); members always do
    /// Coordinates of every rank along pp, dp, tp; only where recorded.
    std::vector<std::vector<std::int64_t>> coordinates;
};

inline nlohmann::json read(const std::string& name) {
    std::ifstream file(data_file("oracles/" + name));
    if (!file) throw std::runtime_error("cannot read " + name);
    return nlohmann::json::parse(file);
}

inline std::string megatron_kind(const std::string& name) {
    if (name == "tp_pp" || name == "tp_cp" || name == "tp_dp") return "dense:tp-" + name.substr(3);
    if (name == "tp_dp_cp") return "dense:tp-dp-cp";
    if (name == "etp_ep") return "expert:etp-ep";
    if (name == "etp_ep_pp") return "expert:etp-ep-pp";
    if (name == "position_embedding") return "firsts:pp";
    if (name == "intra_instance_dp_cp") return "dp_shard";
    return name;
}

/// 37 layouts of Megatron-LM's initialize_model_parallel, distributed-optimizer instances among them.
inline void add_megatron(std::vector<Case>& cases, const nlohmann::json& recorded) {
    for (const auto& layout : recorded) {
        Case one;
        one.id = layout.at("id");
        one.in_order = true;
        one.degrees = {.tp = layout.at("tp"),
                       .cp = layout.at("cp"),
                       .dp = layout.at("dp"),
                       .pp = layout.at("pp"),
                       .ep = layout.at("ep"),
                       .etp = layout.at("etp"),
                       .order = layout.at("order")};
        if (layout.contains("num_distributed_optimizer_instances"))
            one.degrees.shard_group = one.degrees.dp * one.degrees.cp /
                                      layout.at("num_distributed_optimizer_instances").get<std::int64_t>();
        for (const auto& [name, groups] : layout.at("groups").items())
            one.kinds.push_back({megatron_kind(name), groups.get<Groups>()});
        cases.push_back(std::move(one));
    }
}

/// 12 layouts of Megatron-LM's RankGenerator alone, dense and expert grid.
inline void add_rank_generator(std::vector<Case>& cases, const nlohmann::json& recorded) {
    for (const auto& layout : recorded) {
        Case one;
        one.in_order = true;
        one.degrees = {.tp = layout.at("tp"),
                       .cp = layout.at("cp"),
                       .dp = layout.at("dp"),
                       .pp = layout.at("pp"),
                       .ep = layout.at("ep"),
                       .etp = layout.at("etp"),
                       .order = layout.at("order")};
        one.id = "RankGenerator " + std::to_string(layout.at("world").get<std::int64_t>()) + " ep " +
                 std::to_string(one.degrees.ep);
        for (const auto& [name, groups] : layout.at("dense").items()) {
            const bool several = name.find('-') != std::string::npos;
            one.kinds.push_back({name == "dp-cp" ? "dp_cp"
                                 : several       ? "dense:" + name
                                                 : name,
                                 groups.get<Groups>()});
        }
        for (const auto& [name, groups] : layout.at("expert").items()) {
            std::string kind = name;
            if (name == "tp") kind = "etp";
            if (name == "dp") kind = "edp";
            if (name.rfind("tp-", 0) == 0) kind = "expert:e" + name;
            one.kinds.push_back({kind, groups.get<Groups>()});
        }
        cases.push_back(std::move(one));
    }
}

inline void add_deepspeed(std::vector<Case>& cases, const nlohmann::json& recorded) {
    for (const auto& layout : recorded.at("topology")) { // pipe, data, model
        Case one;
        one.id = layout.at("id");
        one.degrees = {
            .tp = layout.at("mp"), .dp = layout.at("dp"), .pp = layout.at("pp"), .order = "deepspeed"};
        const auto& groups = layout.at("groups");
        one.kinds = {{"pp", groups.at("pipe").get<Groups>()},
                     {"dp", groups.at("data").get<Groups>()},
                     {"tp", groups.at("model").get<Groups>()},
                     {"dense:tp-pp", groups.at("grid_model_pipe").get<Groups>()},
                     {"next", groups.at("p2p").get<Groups>()}};
        one.coordinates = layout.at("coords").get<Groups>();
        cases.push_back(std::move(one));
    }
    for (const auto& layout : recorded.at("expert")) { // expert groups keep their tensor coordinate
        const std::int64_t tp = layout.at("tp"), pp = layout.at("pp"), world = layout.at("world");
        Case one;
        one.id = layout.at("id");
        one.degrees = {.tp = tp,
                       .dp = world / tp / pp,
                       .pp = pp,
                       .ep = layout.at("ep"),
                       .etp = tp,
                       .order = "deepspeed"};
        for (const auto& [name, groups] : layout.at("groups").items())
            one.kinds.push_back({name, groups.get<Groups>()});
        cases.push_back(one);
        one.id += " use_data_before_expert_parallel";
        one.degrees.order = "tp-cp-dp-ep-pp";
        one.kinds.clear();
        for (const auto& [name, groups] : layout.at("groups_data_before_expert").items())
            one.kinds.push_back({name, groups.get<Groups>()});
        cases.push_back(std::move(one));
    }
    for (const auto& layout : recorded.at("sequence_parallel")) {
        Case one;
        one.id = layout.at("id");
        one.degrees.cp = layout.at("sp");
        one.degrees.dp = layout.at("world").get<std::int64_t>() / one.degrees.cp;
        one.degrees.order = "deepspeed";
        one.kinds = {{"cp", layout.at("groups").at("sp").get<Groups>()},
                     {"dp_cp", layout.at("groups").at("sp_dp").get<Groups>()}};
        cases.push_back(std::move(one));
    }
    for (const char* part : {"autotp", "autoep_folding"})
        for (const auto& layout : recorded.at(part)) {
            Case one;
            one.id = layout.at("id");
            one.degrees.tp = layout.at("tp");
            one.degrees.dp = layout.at("world").get<std::int64_t>() / one.degrees.tp;
            one.degrees.ep = layout.value("ep", 1);
            one.degrees.order = "deepspeed";
            for (const auto& [name, groups] : layout.at("groups").items())
                one.kinds.push_back({name, groups.get<Groups>()});
            cases.push_back(std::move(one));
        }
}

/// fsdp = dp_shard · cp; efsdp = what dp_shard · cp · tp leaves for the experts, inside one replica.
inline void add_torchtitan(std::vector<Case>& cases, const nlohmann::json& recorded) {
    for (const auto& layout : recorded) {
        const std::int64_t replicas = layout.at("dp_replicate"), shards = layout.at("dp_shard");
        Case one;
        one.id = layout.at("id");
        one.degrees = {.tp = layout.at("tp"),
                       .cp = layout.at("cp"),
                       .dp = replicas * shards,
                       .pp = layout.at("pp"),
                       .ep = layout.at("ep"),
                       .etp = layout.at("etp"),
                       .order = "torchtitan",
                       .shard_group = shards * layout.at("cp").get<std::int64_t>()};
        const std::int64_t expert_shards =
            shards * one.degrees.cp * one.degrees.tp / (one.degrees.ep * one.degrees.etp);
        for (const auto& [name, groups] : layout.at("groups").items()) {
            std::string kind = name;
            if (name == "batch") kind = "dp";
            if (name == "loss") kind = "dp_cp";
            if (name == "fsdp") kind = "dp_shard";
            if (name == "dp_shard") kind = "cut:dp:" + std::to_string(shards);
            if (name == "efsdp") kind = "cut:edp:" + std::to_string(expert_shards);
            one.kinds.push_back({kind, groups.get<Groups>()});
        }
        cases.push_back(std::move(one));
    }
}

inline void add_nanotron(std::vector<Case>& cases, const nlohmann::json& recorded) {
    for (const auto& layout : recorded) {
        Case one;
        one.id = layout.at("id");
        one.degrees = {.tp = layout.at("tp"),
                       .cp = layout.at("cp"),
                       .dp = layout.at("dp"),
                       .pp = layout.at("pp"),
                       .order = "nanotron"};
        for (const auto& [name, groups] : layout.at("groups").items())
            one.kinds.push_back({name == "tp_pp" ? "dense:tp-pp" : name, groups.get<Groups>()});
        cases.push_back(std::move(one));
    }
}

/// All of them: 37 + 12 Megatron, 26 + 2 · 8 + 4 + 3 + 4 DeepSpeed, 17 + 17 torchtitan, 11 nanotron.
inline std::vector<Case> all() {
    const nlohmann::json mapping = read("rank_mapping.json");
    std::vector<Case> cases;
    add_megatron(cases, mapping.at("megatron").at("cases"));
    add_rank_generator(cases, read("rank_groups_megatron.json").at("cases"));
    add_deepspeed(cases, mapping.at("deepspeed"));
    add_torchtitan(cases, mapping.at("torchtitan").at("main"));
    add_torchtitan(cases, mapping.at("torchtitan").at("v0.2.2"));
    add_nanotron(cases, mapping.at("nanotron"));
    return cases;
}
inline constexpr std::size_t kCases = 37 + 12 + 26 + 2 * 8 + 4 + 3 + 4 + 17 + 17 + 11;

/// Does the command line print this kind?
inline bool is_printed(const Recorded& recorded) {
    return recorded.kind.find(':') == std::string::npos && recorded.kind != "next";
}

inline Groups sorted(Groups groups) {
    std::sort(groups.begin(), groups.end());
    return groups;
}

} // namespace recorded_groups
