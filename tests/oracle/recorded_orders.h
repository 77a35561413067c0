// SPDX-License-Identifier: GPL-3.0-or-later
// Reads orders and timelines recorded from other programs (tests/data/oracles).
#pragma once

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "catch.h"
#include "pipeline/simulate.h"

namespace recorded {

using shardlens::ScheduleKind;
using shardlens::pipeline::Op;
using shardlens::pipeline::OpKind;
using shardlens::pipeline::Schedule;
using shardlens::pipeline::ScheduleSpec;

inline nlohmann::json read(const std::string& name) {
    std::ifstream file(data_file("oracles/" + name));
    if (!file) throw std::runtime_error("cannot read " + name);
    return nlohmann::json::parse(file);
}

inline ScheduleKind kind_of(const std::string& recorded_name) {
    static const std::map<std::string, ScheduleKind> kKinds = {
        {"GPipe", ScheduleKind::gpipe},
        {"1F1B", ScheduleKind::one_f_one_b},
        {"Interleaved1F1B", ScheduleKind::interleaved},
        {"Interleaved1F1B_EPoverlap", ScheduleKind::interleaved_ep},
        {"LoopedBFS", ScheduleKind::bfs},
        {"InterleavedZeroBubble", ScheduleKind::interleaved_zb},
        {"ZB-H1", ScheduleKind::zb_h1},
        {"ZB-H2", ScheduleKind::zb_h2},
        {"ZBVZeroBubble", ScheduleKind::zb_v},
        {"ZB-V", ScheduleKind::zb_v},
        {"V-half", ScheduleKind::v_half},
        {"V-min", ScheduleKind::v_min},
        {"1F1B-V", ScheduleKind::one_f_one_b_v},
        {"DualPipe", ScheduleKind::dualpipe},
        {"DualPipeV", ScheduleKind::dualpipe_v},
        {"Chimera", ScheduleKind::chimera},
        {"Hanayo", ScheduleKind::hanayo},
    };
    return kKinds.at(recorded_name);
}

inline ScheduleSpec spec_of(const nlohmann::json& entry) {
    return {kind_of(entry["schedule"]), entry["p"], entry["m"], entry["v"], entry.value("group", 0)};
}

/// "F3c1" or "F3": the recorded spelling of one operation.
inline Op op_of(const std::string& text) {
    static const std::map<char, OpKind> kKinds = {{'F', OpKind::forward},
                                                  {'B', OpKind::backward},
                                                  {'I', OpKind::input_grad},
                                                  {'W', OpKind::weight_grad}};
    Op op;
    op.kind = kKinds.at(text.at(0));
    std::size_t length = 0;
    op.micro_batch = std::stoi(text.substr(1), &length);
    if (length + 1 < text.size()) op.chunk = static_cast<std::uint16_t>(std::stoi(text.substr(length + 2)));
    return op;
}

/// Appends "F3c1+B1c0" as two operations, of which the first has with_next.
inline void append(std::vector<Op>& ops, const std::string& recorded_token) {
    std::istringstream parts(recorded_token);
    bool first = true;
    for (std::string part; std::getline(parts, part, '+'); first = false) {
        if (!first) ops.back().with_next = true;
        ops.push_back(op_of(part));
    }
}

inline std::vector<Op> ops_of(const std::string& recorded_rank) {
    std::vector<Op> ops;
    std::istringstream tokens(recorded_rank);
    for (std::string text; tokens >> text;) append(ops, text);
    return ops;
}

/// The files of recorded orders and how many cases each has: 1736 in all.
struct File {
    const char* name;
    std::size_t cases;
};
inline constexpr File kFiles[] = {{"pytorch_gpipe_1f1b.json", 180},
                                  {"pytorch_interleaved_1f1b.json", 240},
                                  {"pytorch_interleaved_zb.json", 240},
                                  {"pytorch_looped_bfs.json", 220},
                                  {"pytorch_zbv.json", 90},
                                  {"pytorch_dualpipev.json", 62},
                                  {"megatron_interleaved.json", 190},
                                  {"zero_bubble.json", 360},
                                  {"dualpipe.json", 24},
                                  {"chimera.json", 30},
                                  {"reference.json", 100}};

/// A schedule with the recorded placement and no operations yet.
inline Schedule placed(const nlohmann::json& entry) {
    Schedule schedule;
    schedule.spec = spec_of(entry);
    schedule.bidirectional = entry.value("bidirectional", false);
    schedule.stages = schedule.spec.ranks * (schedule.bidirectional ? 1 : schedule.spec.chunks);
    for (const auto& rank : entry["placement"])
        for (const auto& stage : rank) schedule.stage_of.push_back(stage);
    return schedule;
}

/// The recorded order itself, whatever our generators make of its sizes.
inline Schedule schedule_of(const nlohmann::json& entry) {
    Schedule schedule = placed(entry);
    for (const auto& rank : entry["ranks"]) {
        schedule.first.push_back(schedule.ops.size());
        for (const Op& op : ops_of(rank)) schedule.ops.push_back(op);
    }
    schedule.first.push_back(schedule.ops.size());
    return schedule;
}

} // namespace recorded
