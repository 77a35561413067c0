// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
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

std::string link_json(const placement::LinkTraffic& link) {
    return fmt::format("{{\"bytes_per_step\": {}, \"busiest_link_bytes\": {}}}", number(link.bytes_per_step),
                       number(link.busiest_link_bytes));
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
    for (std::int64_t rank = 0; rank < placement.world(); ++rank) {
        text += rank > 0 ? ",\n  {\"rank\": " : "\n  {\"rank\": ";
        append(text, rank);
        text += ", \"node\": ";
        append(text, placement.node_of(rank));
        text += ", \"local\": ";
        append(text, placement.local_of(rank));
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
    text += fmt::format("}},\n\"traffic\": {{\"scale_up\": {}, \"nic\": {}, \"uplink\": {}}}",
                        link_json(report.traffic.scale_up), link_json(report.traffic.nic),
                        link_json(report.traffic.uplink));
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
    rows = {{"links", "GB per step", "busiest link GB"}};
    for (const auto& [name, link] :
         {std::pair{"scale-up", &report.traffic.scale_up}, std::pair{"network cards", &report.traffic.nic},
          std::pair{"pod uplinks", &report.traffic.uplink}}) {
        rows.push_back({name, fmt::format("{:.3f}", link->bytes_per_step / 1e9),
                        fmt::format("{:.3f}", link->busiest_link_bytes / 1e9)});
    }
    return text + "\n" + table(rows, {false, true, true}) + messages_to_text(report.messages);
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
