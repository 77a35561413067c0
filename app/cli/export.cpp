// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "launchers/launcher.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"

namespace shardlens::cli {

namespace {

Outcome print(const launchers::Export& result, const std::vector<Message>& messages,
              const std::string& directory, bool as_text) {
    const int code = messages.empty() ? kDone : kBroken;
    if (as_text) {
        std::string text = messages_to_text(messages);
        for (const launchers::File& file : result.files)
            text += fmt::format("wrote {}/{}\n", directory, file.name);
        std::vector<std::vector<std::string>> rows;
        for (const launchers::NotExpressed& item : result.not_expressed)
            rows.push_back({item.path, item.instead});
        if (!rows.empty()) text += "\nnot expressed in these files:\n" + table(rows);
        return {code, text, ""};
    }
    nlohmann::ordered_json output;
    output["files"] = nlohmann::ordered_json::array();
    for (const launchers::File& file : result.files) output["files"].push_back(file.name);
    output["not_expressed"] = nlohmann::ordered_json::array();
    for (const launchers::NotExpressed& item : result.not_expressed) {
        output["not_expressed"].push_back({{"path", item.path}, {"instead", item.instead}});
    }
    if (!messages.empty()) output["messages"] = messages_to_json(messages);
    return {code, document(output), ""};
}

} // namespace

Outcome export_command(const Options& options, const Catalog& catalog) {
    Result<Plan> read = load_plan(options.positional[0], options.sets);
    if (!read) return unreadable(read.error());
    const auto found = launchers::find(options.launcher);
    if (!found) return unreadable(found.error());
    const auto& [launcher, version] = *found;

    // The launcher's own rules count, whatever launcher the plan names.
    Plan plan = *std::move(read);
    const bool neutral = std::string_view(launcher->id) == "contract";
    if (!neutral) plan.target = fmt::format("{}@{}", launcher->id, version);
    const auto evaluated = evaluate(plan, catalog, {.timeline = false, .traffic = false});
    if (!evaluated) return unreadable(evaluated.error());
    const Report& report = **evaluated;

    launchers::Export result = launcher->make(*report.setup, report, version);
    std::vector<Message> messages = result.refusals;
    for (const Message& message : report.messages) {
        const bool known = std::any_of(messages.begin(), messages.end(),
                                       [&](const Message& other) { return other.path == message.path; });
        const bool about_memory = message.code == "memory-exceeds"; // a plan that does not fit may be written
        if (message.severity == Severity::error && !known && !about_memory) messages.push_back(message);
    }
    if (!messages.empty()) {
        result.files.clear();
        return print(result, messages, options.directory, options.text);
    }
    if (const Error error = launchers::write(result, options.directory); !error.what.empty())
        return unreadable(error);
    return print(result, {}, options.directory, options.text);
}

} // namespace shardlens::cli
