// SPDX-License-Identifier: GPL-3.0-or-later
// plan, validate, explain
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"

namespace shardlens::cli {

namespace {

nlohmann::ordered_json explanation_to_json(const Explanation& explanation, const char* key,
                                           const std::string& name) {
    nlohmann::ordered_json object;
    object[key] = name;
    object["value"] = json_number(explanation.value);
    object["unit"] = explanation.unit;
    object["formula"] = explanation.formula;
    object["substituted"] = explanation.substituted;
    object["source"] = explanation.source;
    object["tag"] = to_string(explanation.tag);
    return object;
}

std::string explanation_text(const std::string& path, const Explanation& explanation) {
    std::string text = fmt::format("{} = {} {}\n\n", path, number(explanation.value), explanation.unit);
    text += table({{"formula", explanation.formula},
                   {"with numbers", explanation.substituted},
                   {"source", explanation.source},
                   {"tag", to_string(explanation.tag)}});
    if (explanation.parts.empty()) return text;
    std::vector<std::vector<std::string>> rows = {{"made of", "value", "unit", "tag", "formula or source"}};
    for (const Explanation& part : explanation.parts) {
        const bool leaf =
            part.formula.empty() || part.formula == part.name || part.formula == number(part.value);
        rows.push_back({part.name, number(part.value), part.unit, to_string(part.tag),
                        leaf ? part.source : part.formula});
    }
    return text + "\n" + table(rows, {false, true});
}

} // namespace

Outcome plan_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = false});
    if (!report) return unreadable(report.error());
    const Report& result = **report;
    const int code = result.valid && result.fits ? kDone : kBroken;
    return {code, options.text ? report_to_text(result) : document(report_to_json(result)), ""};
}

Outcome validate_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = false});
    if (!report) return unreadable(report.error());
    const Report& result = **report;
    const int code = result.valid && result.fits ? kDone : kBroken;
    if (options.text)
        return {code, result.messages.empty() ? "no messages\n" : messages_text(result.messages), ""};
    nlohmann::ordered_json output;
    output["messages"] = messages_to_json(result.messages);
    return {code, document(output), ""};
}

Outcome explain_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = false});
    if (!report) return unreadable(report.error());
    const std::string& path = options.positional[1];
    const Result<Explanation> explanation = explain_number(*plan, catalog, path);
    if (!explanation) return unreadable(explanation.error());
    const int code = (*report)->valid ? kDone : kBroken;
    if (options.text) return {code, explanation_text(path, *explanation), ""};
    nlohmann::ordered_json output = explanation_to_json(*explanation, "path", path);
    output["parts"] = nlohmann::ordered_json::array();
    for (const Explanation& part : explanation->parts) {
        output["parts"].push_back(explanation_to_json(part, "name", part.name));
    }
    return {code, document(output), ""};
}

} // namespace shardlens::cli
