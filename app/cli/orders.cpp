// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/best_order.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

using placement::GroupKind;

nlohmann::ordered_json figures_json(const OrderFigures& figures) {
    nlohmann::ordered_json object;
    object["rank_order"] = figures.rank_order;
    object["step_s"] = json_number(figures.step_s);
    object["exposed_comm_s"] = json_number(figures.exposed_comm_s);
    object["nic_bytes"] = json_number(figures.nic_bytes);
    object["uplink_bytes"] = json_number(figures.uplink_bytes);
    for (const GroupKind kind : placement::kGroupKinds)
        object["crossing"][to_string(kind)] = figures.crossing[static_cast<std::size_t>(kind)];
    return object;
}

std::vector<std::string> figures_row(const OrderFigures& figures, const BestOrder& found) {
    std::string crossing;
    for (const GroupKind kind : {GroupKind::tp, GroupKind::cp, GroupKind::ep, GroupKind::dp, GroupKind::pp})
        if (figures.crossing[static_cast<std::size_t>(kind)] > 0)
            crossing += std::string(crossing.empty() ? "" : " ") + to_string(kind);
    return {figures.rank_order + (figures.rank_order == found.before.rank_order ? " *" : ""),
            fmt::format("{:.4f} s", figures.step_s),
            fmt::format("{:+.1f} %", (figures.step_s / found.before.step_s - 1) * 100),
            fmt::format("{:.4f} s", figures.exposed_comm_s),
            fmt::format("{:.2f} GB", figures.nic_bytes / 1e9),
            fmt::format("{:.2f} GB", figures.uplink_bytes / 1e9),
            crossing.empty() ? "none" : crossing};
}

} // namespace

Outcome orders_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const Result<BestOrder> found = best_order(*plan, catalog);
    if (!found) return refused(found.error(), "rank-order-search", options);
    if (!options.out.empty())
        if (const Error error = write_text(options.out, plan_to_text(found->plan)); !error.what.empty())
            return unreadable(error);
    if (options.text) {
        std::vector<std::vector<std::string>> rows = {{"rank order", "step", "against the plan", "exposed",
                                                       "busiest NIC", "busiest uplink", "cross nodes"}};
        for (const OrderFigures& figures : found->orders) rows.push_back(figures_row(figures, *found));
        std::string text = table(rows, {false, true, true, true, true, true}) + "\n* the plan's own\n";
        if (found->refused > 0)
            text += fmt::format("{} more orders break a rule of this plan\n", found->refused);
        text += found->changed
                    ? fmt::format("{} makes the step {:.1f} ms ({:.1f} %) shorter\n", found->best.rank_order,
                                  found->lost_s() * 1e3, found->lost_s() / found->before.step_s * 100)
                    : "no order is faster\n";
        return {kDone, text, ""};
    }
    nlohmann::ordered_json output;
    output["changed"] = found->changed;
    output["rank_order"] = found->best.rank_order;
    output["before"] = figures_json(found->before);
    output["best"] = figures_json(found->best);
    output["step_s_lost"] = json_number(found->lost_s());
    output["step_share_lost"] = json_number(found->lost_s() / found->before.step_s);
    output["refused"] = found->refused;
    output["orders"] = nlohmann::ordered_json::array();
    for (const OrderFigures& figures : found->orders) output["orders"].push_back(figures_json(figures));
    return {kDone, document(output), ""};
}

} // namespace shardlens::cli
