// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "report/schedule_choice.h"

namespace shardlens::cli {

namespace {

nlohmann::ordered_json changes_json(const Fix& fix) {
    nlohmann::ordered_json set = nlohmann::ordered_json::object();
    for (const auto& [path, value] : fix.set) set[path] = to_json(value);
    return set;
}

nlohmann::ordered_json option_json(const ScheduleOption& option) {
    nlohmann::ordered_json object;
    object["schedule"] = std::string(to_string(option.kind));
    object["current"] = option.current;
    object["legal"] = option.legal;
    object["set"] = changes_json(option.set);
    object["messages"] = messages_to_json(option.legal ? option.notes : option.obstacles);
    if (!option.legal) {
        if (option.fix) object["fix"] = {{"set", changes_json(*option.fix)}};
        return object;
    }
    object["chunks_per_rank"] = option.chunks_per_rank;
    object["step_s"] = json_number(option.step_s);
    object["bubble_s"] = json_number(option.bubble_s);
    object["bubble_fraction"] = json_number(option.bubble_fraction);
    object["peak_bytes"] = json_number(option.peak_bytes);
    object["fits"] = option.fits;
    object["in_flight_micro_batches"] = json_number(option.in_flight_micro_batches);
    object["model_copies"] = option.model_copies;
    if (option.parameters_per_rank == 0) return object; // textbook
    object["parameters_per_gpu"] = json_number(option.parameters_per_rank);
    object["boundaries"] = option.boundaries;
    object["p2p_bytes_per_step"] = json_number(option.p2p_bytes_per_step);
    return object;
}

std::string changes_text(const Fix& fix) {
    std::string text;
    for (const auto& [path, value] : fix.set)
        text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", path, shardlens::to_text(value));
    return text;
}

std::vector<std::string> option_row(const ScheduleOption& option) {
    std::string name = std::string(to_string(option.kind)) + (option.current ? " *" : "");
    if (!option.legal) {
        std::string reason = option.obstacles.front().text();
        if (option.fix) reason += "; fix: " + changes_text(*option.fix);
        return {std::move(name), "-", "-", "-", "-", "-", "-", "-", one_line(std::move(reason))};
    }
    const std::string note = option.notes.empty() ? "" : option.notes.front().text();
    const bool counted = option.parameters_per_rank > 0; // not of a textbook plan
    return {
        std::move(name),
        std::to_string(option.chunks_per_rank),
        fmt::format("{:.3f} s", option.step_s),
        fmt::format("{:.1f} %", option.bubble_fraction * 100),
        fmt::format("{:.1f} GiB{}", option.peak_bytes / 1073741824.0, option.fits ? "" : " (does not fit)"),
        fmt::format("{:.4g}", option.in_flight_micro_batches),
        counted ? fmt::format("{:.3f} G{}", option.parameters_per_rank / 1e9,
                              option.model_copies > 1 ? " (2x)" : "")
                : "-",
        counted ? fmt::format("{:.3f} GB", option.p2p_bytes_per_step / 1e9) : "-",
        one_line(note)};
}

} // namespace

Outcome schedules_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto choices = compare_schedules(*plan, catalog);
    if (!choices) return unreadable(choices.error());
    bool legal = true;
    for (const ScheduleOption& option : *choices) legal = legal && (!option.current || option.legal);
    const int code = legal ? kDone : kBroken;
    if (options.text) {
        std::vector<std::vector<std::string>> rows = {{"schedule", "chunks", "step", "bubble", "peak memory",
                                                       "in flight", "parameters/GPU", "p2p/step", "note"}};
        for (const ScheduleOption& option : *choices) rows.push_back(option_row(option));
        return {code, table(rows, {false, true, true, true, true, true, true, true}) + "\n* the plan's own\n",
                ""};
    }
    nlohmann::ordered_json output;
    output["schedules"] = nlohmann::ordered_json::array();
    for (const ScheduleOption& option : *choices) output["schedules"].push_back(option_json(option));
    return {code, document(output), ""};
}

} // namespace shardlens::cli
