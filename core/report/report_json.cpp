// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <nlohmann/json.hpp>

#include "plan/plan_json.h"
#include "report/report.h"

namespace shardlens {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes and counts are integers, everything else a JSON number.
Json number(const char* unit, double value) {
    if (!std::isfinite(value)) return nullptr;
    const bool counts = unit[0] == 'B' ? unit[1] == '\0' : unit[0] == '1';
    if (counts && value == std::floor(value) && std::fabs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return value;
}

} // namespace

Json messages_to_json(const std::vector<Message>& messages) {
    Json list = Json::array();
    for (const Message& message : messages) {
        Json fixes = Json::array();
        for (const Fix& fix : message.fixes) {
            Json set = Json::object();
            for (const auto& [path, value] : fix.set) set[path] = to_json(value);
            fixes.push_back({{"set", std::move(set)}});
        }
        list.push_back({{"severity", to_string(message.severity)},
                        {"code", message.code},
                        {"path", message.path},
                        {"message", message.text()},
                        {"fixes", std::move(fixes)}});
    }
    return list;
}

Json report_to_json(const Report& report) {
    Json root;
    root["schema"] = kReportSchema;
    root["valid"] = report.valid;
    root["fits"] = report.fits;
    root["verdict"] = to_string(report.verdict);
    root["messages"] = messages_to_json(report.messages);
    // Sections in the contract's order; the numbers come from the one walk over the report.
    root["model"] = Json::object();
    root["memory"] = Json::object();
    Json stages = Json::array();
    for (std::size_t i = 0; i < report.memory.stages.size(); ++i) stages.push_back(Json::object());
    visit_numbers(report, [&](const std::string& path, const char* unit, double value) {
        const auto dot = path.find('.');
        const std::string section = path.substr(0, dot);
        const std::string key = path.substr(dot + 1);
        if (key.rfind("stages.", 0) == 0) {
            const auto last = key.rfind('.');
            stages[std::stoul(key.substr(7, last - 7))][key.substr(last + 1)] = number(unit, value);
            return;
        }
        root[section][key] = number(unit, value);
        if (key == "peak_stage") root[section]["peak_event"] = report.memory.peak_event;
    });
    for (std::size_t i = 0; i < stages.size(); ++i)
        stages[i]["peak_event"] = report.memory.stages[i].peak_event;
    root["memory"]["stages"] = std::move(stages);
    return root;
}

} // namespace shardlens
