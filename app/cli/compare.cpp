// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/diff.h"
#include "report/evaluate.h"

namespace shardlens::cli {

namespace {

std::string compare_text(const std::vector<PlanDifference>& plans,
                         const std::vector<NumberDifference>& numbers) {
    std::vector<std::vector<std::string>> rows = {{"plan", "a", "b"}};
    for (const PlanDifference& difference : plans) {
        rows.push_back({difference.path, to_text(difference.a), to_text(difference.b)});
    }
    std::string text = rows.size() > 1 ? table(rows) : "the plans are the same\n";
    rows = {{"report", "a", "b", "change", "unit"}};
    for (const NumberDifference& difference : numbers) {
        if (difference.a == difference.b) continue;
        const std::string change =
            difference.a != 0 ? fmt::format("{:+.2f} %", 100 * difference.relative()) : "";
        rows.push_back(
            {difference.path, number(difference.a), number(difference.b), change, difference.unit});
    }
    return text + "\n" +
           (rows.size() > 1 ? table(rows, {false, true, true, true}) : "every number is the same\n");
}

} // namespace

Outcome compare_command(const Options& options, const Catalog& catalog) {
    if (options.positional[0] == "-" && options.positional[1] == "-") {
        return unreadable(
            {"shardlens-cli", "compare: only one of the two plans can come from standard input"});
    }
    std::vector<Plan> plans;
    std::vector<std::shared_ptr<const Report>> reports;
    for (const std::string& file : options.positional) {
        Result<Plan> plan = load_plan(file, options.sets);
        if (!plan) return unreadable(plan.error());
        auto report = evaluate(*plan, catalog, {.timeline = false, .traffic = false});
        if (!report) return unreadable(report.error());
        plans.push_back(*std::move(plan));
        reports.push_back(*std::move(report));
    }
    const std::vector<PlanDifference> differs = diff(plans[0], plans[1]);
    const std::vector<NumberDifference> deltas = diff(*reports[0], *reports[1]);
    const int code = reports[0]->valid && reports[1]->valid ? kDone : kBroken;
    if (options.text) return {code, compare_text(differs, deltas), ""};

    nlohmann::ordered_json output;
    output["a"] = report_to_json(*reports[0]);
    output["b"] = report_to_json(*reports[1]);
    output["differs"] = nlohmann::ordered_json::array();
    for (const PlanDifference& difference : differs) {
        output["differs"].push_back(
            {{"path", difference.path}, {"a", to_json(difference.a)}, {"b", to_json(difference.b)}});
    }
    output["deltas"] = nlohmann::ordered_json::array();
    for (const NumberDifference& difference : deltas) {
        output["deltas"].push_back({{"path", difference.path},
                                    {"absolute", json_number(difference.absolute())},
                                    {"relative", json_number(difference.relative())}});
    }
    return {code, document(output), ""};
}

} // namespace shardlens::cli
