// SPDX-License-Identifier: GPL-3.0-or-later
// plan, validate, explain
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"
#include "report/trace_json.h"
#include "json/strict_json.h"

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
    // The top level always lists its parts; deeper ones only where there are any.
    if (!explanation.parts.empty() || std::string_view(key) == "path") {
        object["parts"] = nlohmann::ordered_json::array();
        for (const Explanation& part : explanation.parts)
            object["parts"].push_back(explanation_to_json(part, "name", part.name));
    }
    return object;
}

void add_parts(std::vector<std::vector<std::string>>& rows, const Explanation& explanation,
               std::size_t level) {
    for (const Explanation& part : explanation.parts) {
        const bool leaf =
            part.formula.empty() || part.formula == part.name || part.formula == number(part.value);
        rows.push_back({std::string(2 * level, ' ') + part.name, number(part.value), part.unit,
                        to_string(part.tag), leaf ? part.source : part.formula});
        add_parts(rows, part, level + 1);
    }
}

std::string explanation_text(const std::string& path, const Explanation& explanation) {
    std::string text = fmt::format("{} = {} {}\n\n", path, number(explanation.value), explanation.unit);
    text += table({{"formula", explanation.formula},
                   {"with numbers", explanation.substituted},
                   {"source", explanation.source},
                   {"tag", to_string(explanation.tag)}});
    if (explanation.parts.empty()) return text;
    std::vector<std::vector<std::string>> rows = {{"made of", "value", "unit", "tag", "formula or source"}};
    add_parts(rows, explanation, 0);
    return text + "\n" + table(rows, {false, true});
}

} // namespace

Outcome plan_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = !options.trace.empty()});
    if (!report) return unreadable(report.error());
    const Report& result = **report;
    if (!options.trace.empty()) {
        const Result<std::string> trace = trace_json(result);
        if (!trace) return unreadable(trace.error());
        if (const Error error = write_text(options.trace, *trace); !error.what.empty())
            return unreadable(error);
    }
    const int code = result.valid && result.fits ? kDone : kBroken;
    return {code, options.text ? report_to_text(result) : document(report_to_json(result)), ""};
}

Outcome validate_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = false, .traffic = false});
    if (!report) return unreadable(report.error());
    const Report& result = **report;
    const int code = result.valid && result.fits ? kDone : kBroken;
    if (options.text)
        return {code, result.messages.empty() ? "no messages\n" : messages_to_text(result.messages), ""};
    nlohmann::ordered_json output;
    output["messages"] = messages_to_json(result.messages);
    return {code, document(output), ""};
}

Outcome explain_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const auto report = evaluate(*plan, catalog, {.timeline = false, .traffic = false});
    if (!report) return unreadable(report.error());
    const std::string& path = options.positional[1];
    const Result<Explanation> explanation =
        explain_number(*plan, catalog, path, static_cast<int>(options.depth));
    if (!explanation) return unreadable(explanation.error());
    const int code = (*report)->valid ? kDone : kBroken;
    if (options.text) return {code, explanation_text(path, *explanation), ""};
    return {code, document(explanation_to_json(*explanation, "path", path)), ""};
}

} // namespace shardlens::cli
