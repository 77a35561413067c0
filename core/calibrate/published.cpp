// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/published.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plan/plan_json.h"
#include "json/strict_json.h"

namespace shardlens::calibrate {
namespace {

using Json = nlohmann::ordered_json;

Error read_positive(const Json& object, const char* key, const std::string& where,
                    std::optional<double>& out) {
    const auto at = object.find(key);
    if (at == object.end()) return {};
    if (!at->is_number() || !(at->get<double>() > 0))
        return {where, fmt::format("measured.{} must be a positive number", key)};
    out = at->get<double>();
    return {};
}

Error read_flag(const Json& object, const char* key, const std::string& where, std::optional<bool>& out) {
    const auto at = object.find(key);
    if (at == object.end()) return {};
    if (!at->is_boolean()) return {where, fmt::format("{} must be true or false", key)};
    out = at->get<bool>();
    return {};
}

Error read_measured(const Json& measured, const std::string& where, PublishedRun& run) {
    const std::pair<const char*, std::optional<double>*> numbers[] = {
        {"step_s", &run.step_s},
        {"peak_bytes", &run.peak_bytes},
        {"reserved_bytes", &run.reserved_bytes},
        {"optimizer_peak_bytes", &run.optimizer_peak_bytes},
        {"mfu", &run.mfu}};
    for (const auto& [key, out] : numbers)
        if (Error error = read_positive(measured, key, where, *out); !error.what.empty()) return error;
    if (Error error = read_flag(measured, "out_of_memory", where, run.out_of_memory); !error.what.empty())
        return error;
    std::optional<bool> fixed;
    if (Error error = read_flag(measured, "after_pipeline_fix", where, fixed); !error.what.empty())
        return error;
    run.after_pipeline_fix = fixed.value_or(true);
    if (!run.peak_bytes) return {};
    const std::string kind = measured.value("peak_kind", "");
    if (kind == "allocated")
        run.peak_kind = PeakKind::allocated;
    else if (kind == "reserved")
        run.peak_kind = PeakKind::reserved;
    else if (kind == "device")
        run.peak_kind = PeakKind::device;
    else
        return {where, "measured.peak_kind must be one of allocated, reserved, device"};
    return {};
}

Result<PublishedRun> read_run(const Json& object, const std::string& origin, std::size_t index) {
    const std::string at = fmt::format("{}: runs.{}", origin, index);
    for (const char* key : {"id", "source", "quality"})
        if (!object.is_object() || !object.contains(key) || !object[key].is_string())
            return Error{at, "a run has id, source and quality (text), plan and measured (objects)"};
    PublishedRun run;
    run.id = object["id"].get<std::string>();
    const std::string where = fmt::format("{} ({})", at, run.id);
    if (!object.contains("plan") || !object.contains("measured") || !object["measured"].is_object())
        return Error{where, "plan and measured are missing"};
    run.source = object["source"].get<std::string>();
    run.direct = object["quality"] == "A";
    if (const auto notes = object.find("notes"); notes != object.end() && notes->is_string())
        run.notes = notes->get<std::string>();
    std::optional<bool> suspect;
    if (Error error = read_flag(object, "suspect", where, suspect); !error.what.empty()) return error;
    run.suspect = suspect.value_or(false);
    auto plan = plan_from_json(object["plan"], where);
    if (!plan) return plan.error();
    run.plan = std::move(plan).value();
    if (Error error = read_measured(object["measured"], where, run); !error.what.empty()) return error;
    return run;
}

} // namespace

Result<std::vector<PublishedRun>> published_runs(const Json& document, const std::string& origin) {
    if (!document.is_object() || document.value("schema", "") != "shardlens/published/1" ||
        !document.contains("runs") || !document["runs"].is_array())
        return Error{origin, "must hold \"schema\": \"shardlens/published/1\" and a list \"runs\""};
    std::vector<PublishedRun> runs;
    const Json& list = document["runs"];
    runs.reserve(list.size());
    for (std::size_t i = 0; i < list.size(); ++i) {
        auto run = read_run(list[i], origin, i);
        if (!run) return run.error();
        runs.push_back(std::move(run).value());
    }
    return runs;
}

Result<std::vector<PublishedRun>> published_runs(const Catalog& catalog) {
    std::vector<PublishedRun> all;
    for (const std::string& id : catalog.ids(PresetKind::published)) {
        std::string origin;
        const auto text = catalog.text(PresetKind::published, id, &origin);
        if (!text) return text.error();
        const auto document = parse_strict(*text, origin);
        if (!document) return document.error();
        auto runs = published_runs(*document, origin);
        if (!runs) return runs.error();
        std::vector<PublishedRun> more = std::move(runs).value();
        std::move(more.begin(), more.end(), std::back_inserter(all));
    }
    return all;
}

} // namespace shardlens::calibrate
