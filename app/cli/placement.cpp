// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/crossings.h"
#include "report/evaluate.h"

namespace shardlens::cli {

namespace {

using placement::Axis;
using placement::GroupKind;
using placement::Placement;

bool is_present(const Placement& placement, GroupKind kind) {
    const bool of_experts = kind == GroupKind::ep || kind == GroupKind::etp || kind == GroupKind::edp;
    return !of_experts || placement.has_experts();
}

/// Appends decimal digits; formatting is most of the time at 16,384 ranks.
void append(std::string& text, std::int64_t value) {
    char digits[20];
    const auto [end, status] = std::to_chars(digits, digits + sizeof digits, value);
    static_cast<void>(status); // 20 characters hold every int64
    text.append(digits, end);
}

nlohmann::ordered_json link_json(const placement::LinkTraffic& link) {
    return {{"bytes_per_step", json_number(link.bytes_per_step)},
            {"busiest_link_bytes", json_number(link.busiest_link_bytes)}};
}

nlohmann::ordered_json traffic_json(const Report& report) {
    const placement::Traffic& traffic = report.traffic;
    nlohmann::ordered_json object;
    for (const placement::LinkClass link : placement::kLinkClasses) {
        const placement::LinkLoad& load = traffic.of(link);
        nlohmann::ordered_json& entry = object[to_string(link)] = link_json(load);
        entry["capacity_bytes_per_s"] = json_number(load.capacity_bytes_per_s);
        entry["peak_bytes_per_s"] = json_number(load.peak_bytes_per_s);
    }
    object["collectives"] = nlohmann::ordered_json::array();
    for (const placement::CollectiveTraffic& one : traffic.collectives) {
        nlohmann::ordered_json entry;
        entry["kind"] = to_string(one.kind);
        entry["payload_bytes"] = json_number(one.payload_bytes);
        entry["sent_bytes"] = json_number(one.sent_bytes);
        entry["busy_s"] = json_number(one.busy_s);
        entry["groups_per_nic"] = one.groups_per_nic;
        if (one.flat_messages > 0) {
            entry["two_level"] = {{"nic_bytes", json_number(one.two_level_nic_bytes)},
                                  {"messages", json_number(one.two_level_messages)}};
            entry["flat"] = {{"nic_bytes", json_number(one.flat_nic_bytes)},
                             {"messages", json_number(one.flat_messages)}};
        }
        for (const placement::LinkClass link : placement::kLinkClasses)
            if (one.of(link).bytes_per_step > 0) entry["links"][to_string(link)] = link_json(one.of(link));
        object["collectives"].push_back(std::move(entry));
    }
    return object;
}

nlohmann::ordered_json crossings_json(const Report& report) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const TierCrossing& crossing : tier_crossings(report))
        list.push_back({{"kind", to_string(crossing.kind)},
                        {"tier", to_string(crossing.tier)},
                        {"groups", crossing.groups},
                        {"crossing", crossing.crossing},
                        {"places", crossing.places},
                        {"link", to_string(crossing.link)},
                        {"busiest_link_bytes", json_number(crossing.busiest_link_bytes)},
                        {"transfer_s", json_number(crossing.transfer_s)},
                        {"exposed_s", json_number(crossing.exposed_s)}});
    return list;
}

std::string placement_json(const Report& report) {
    const Placement& placement = *report.placement;
    std::string text = "{\"groups\": {";
    bool first_kind = true;
    for (const GroupKind kind : placement::kGroupKinds) {
        if (!is_present(placement, kind)) continue;
        text += fmt::format("{}\n  \"{}\": [", first_kind ? "" : ",", to_string(kind));
        first_kind = false;
        const std::int64_t count = placement.group_count(kind);
        for (std::int64_t i = 0; i < count; ++i) {
            text += i > 0 ? ", [" : "[";
            bool first = true;
            for (const std::int64_t rank : placement.group(kind, i)) {
                if (!first) text += ", ";
                first = false;
                append(text, rank);
            }
            text += ']';
        }
        text += ']';
    }
    text += "},\n\"ranks\": [";
    const placement::Grid& grid = placement.dense();
    struct Column {
        std::string key;
        std::int64_t stride, size;
    };
    std::vector<Column> columns;
    for (const auto& [name, axis] : {std::pair{"tp", Axis::tp}, std::pair{"cp", Axis::cp},
                                     std::pair{"dp", Axis::dp}, std::pair{"pp", Axis::pp}}) {
        columns.push_back({fmt::format(", \"{}\": ", name), grid.stride(axis), grid.size(axis)});
    }
    std::vector<std::string> hosts; // quoted
    for (const std::string& host : report.setup->plan.cluster.hosts)
        hosts.push_back(nlohmann::json(host).dump());
    const bool named = static_cast<std::int64_t>(hosts.size()) == placement.node_count();
    for (std::int64_t rank = 0; rank < placement.world(); ++rank) {
        text += rank > 0 ? ",\n  {\"rank\": " : "\n  {\"rank\": ";
        append(text, rank);
        text += ", \"node\": ";
        append(text, placement.node_of(rank));
        text += ", \"local\": ";
        append(text, placement.local_of(rank));
        if (named) text += ", \"host\": " + hosts[static_cast<std::size_t>(rank / placement.gpus_per_node())];
        for (const Column& column : columns) {
            text += column.key;
            append(text, column.size > 1 ? rank / column.stride % column.size : 0);
        }
        text += '}';
    }
    text += "],\n\"crossing\": {";
    first_kind = true;
    for (const GroupKind kind : placement::kGroupKinds) {
        if (!is_present(placement, kind)) continue;
        text +=
            fmt::format("{}\"{}\": {}", first_kind ? "" : ", ", to_string(kind), placement.crossing(kind));
        first_kind = false;
    }
    text +=
        "},\n\"traffic\": " + traffic_json(report).dump() + ",\n\"tiers\": " + crossings_json(report).dump();
    if (!report.valid) {
        text +=
            ",\n\"messages\": " + messages_to_json(report.messages)
                                      .dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    }
    return text + "}\n";
}

std::string placement_text(const Report& report) {
    const Placement& placement = *report.placement;
    std::vector<std::vector<std::string>> rows = {{"kind", "groups", "ranks", "cross nodes", "first group"}};
    for (const GroupKind kind : placement::kGroupKinds) {
        if (!is_present(placement, kind) || placement.group_count(kind) == 0) continue;
        const std::vector<std::int64_t> group = placement.group(kind, 0);
        std::string members;
        for (std::size_t i = 0; i < group.size() && i < 8; ++i)
            members += fmt::format("{}{}", i > 0 ? " " : "", group[i]);
        if (group.size() > 8) members += fmt::format(" ... {}", group.back());
        rows.push_back({to_string(kind), std::to_string(placement.group_count(kind)),
                        std::to_string(group.size()), std::to_string(placement.crossing(kind)), members});
    }
    std::string text = fmt::format("{} ranks, {} per node\n\n", placement.world(), placement.gpus_per_node());
    text += table(rows, {false, true, true, true, false});
    rows = {{"links", "GB per step", "busiest link GB", "its time", "peak load"}};
    for (const placement::LinkClass link : placement::kLinkClasses) {
        const placement::LinkLoad& load = report.traffic.of(link);
        if (!(load.capacity_bytes_per_s > 0)) continue;
        rows.push_back({to_string(link), fmt::format("{:.3f}", load.bytes_per_step / 1e9),
                        fmt::format("{:.3f}", load.busiest_link_bytes / 1e9),
                        fmt::format("{:.1f} ms", load.busy_s() * 1e3),
                        fmt::format("{:.0f} %", load.peak_bytes_per_s / load.capacity_bytes_per_s * 100)});
    }
    text += "\n" + table(rows, {false, true, true, true, true});
    rows = {{"leaves its", "kind", "groups", "places", "slowest link", "its GB", "its time", "exposed"}};
    for (const TierCrossing& crossing : tier_crossings(report))
        rows.push_back({to_string(crossing.tier), to_string(crossing.kind),
                        fmt::format("{} of {}", crossing.crossing, crossing.groups),
                        std::to_string(crossing.places), to_string(crossing.link),
                        fmt::format("{:.3f}", crossing.busiest_link_bytes / 1e9),
                        fmt::format("{:.1f} ms", crossing.transfer_s * 1e3),
                        fmt::format("{:.1f} ms", crossing.exposed_s * 1e3)});
    if (rows.size() > 1) text += "\n" + table(rows, {false, false, true, true, false, true, true, true});
    return text + messages_to_text(report.messages);
}

} // namespace

Outcome placement_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto result = evaluate(*plan, catalog, {.timeline = false});
    if (!result) return unreadable(result.error());
    const Report& report = **result;
    if (!report.placement) {
        if (options.text) return {kBroken, messages_to_text(report.messages), ""};
        nlohmann::ordered_json output;
        output["messages"] = messages_to_json(report.messages);
        return {kBroken, document(output), ""};
    }
    return {report.valid ? kDone : kBroken, options.text ? placement_text(report) : placement_json(report),
            ""};
}

} // namespace shardlens::cli
