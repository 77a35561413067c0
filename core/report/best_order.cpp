// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/best_order.h"

#include <algorithm>
#include <set>

#include "report/evaluate.h"

namespace shardlens {

namespace {

using placement::Axis;
using placement::GroupKind;

/// What of an order places ranks: its axes of more than one rank, dense and expert grid.
std::vector<std::vector<Axis>> effect_of(const placement::Placement& placed) {
    const auto acting = [](const placement::Grid& grid) {
        std::vector<Axis> axes;
        for (std::size_t i = 0; i < grid.axes.size(); ++i)
            if (grid.sizes[i] > 1) axes.push_back(grid.axes[i]);
        return axes;
    };
    return {acting(placed.dense()), acting(placed.expert())};
}

OrderFigures figures_of(const Report& report) {
    OrderFigures figures;
    figures.rank_order = report.setup->plan.parallel.rank_order;
    const TimeReport<double>& time = report.time;
    figures.step_s = time.step_s;
    figures.exposed_comm_s = time.tensor_comm_s + time.context_comm_s + time.expert_comm_s +
                             time.pipeline_comm_s + time.data_comm_s;
    figures.nic_bytes = report.traffic.nic.busiest_link_bytes;
    figures.uplink_bytes = report.traffic.uplink.busiest_link_bytes;
    for (const GroupKind kind : placement::kGroupKinds)
        figures.crossing[static_cast<std::size_t>(kind)] = report.placement->crossing(kind);
    return figures;
}

std::set<std::string> error_codes(const Report& report) {
    std::set<std::string> codes;
    for (const Message& message : report.messages)
        if (message.severity == Severity::error) codes.insert(message.code);
    return codes;
}

/// Less exposed in the step; where that is equal, fewer bytes on the outer links.
bool better(const OrderFigures& a, const OrderFigures& b) {
    constexpr double kSame = 1 - 1e-9;
    if (a.step_s < b.step_s * kSame) return true;
    if (b.step_s < a.step_s * kSame) return false;
    if (a.uplink_bytes != b.uplink_bytes) return a.uplink_bytes < b.uplink_bytes;
    return a.nic_bytes < b.nic_bytes;
}

} // namespace

Result<BestOrder> best_order(const Plan& plan, const Catalog& catalog) {
    const EvaluateOptions options{.timeline = false};
    const auto given = evaluate(plan, catalog, options);
    if (!given) return given.error();
    if (plan.fidelity == Fidelity::textbook)
        return Error{"fidelity", "a textbook plan has no communication that a rank order could change; use "
                                 "\"detailed\""};
    if (!(*given)->placement)
        return Error{"parallel", "the degrees of this plan make no world; `validate` says why"};
    if (!((*given)->time.step_s > 0))
        return Error{"parallel.schedule", "the step of this plan cannot be timed; `validate` says why"};

    BestOrder result;
    result.plan = plan;
    result.before = result.best = figures_of(**given);
    result.orders.push_back(result.before);
    const std::set<std::string> known = error_codes(**given);
    std::set<std::vector<std::vector<Axis>>> seen = {effect_of(*(*given)->placement)};

    // The default order first, so that of orders which place the ranks alike the usual one is named.
    std::vector<std::string> axes = {"tp", "cp", "ep", "dp", "pp"};
    std::vector<std::size_t> sequence = {0, 1, 2, 3, 4};
    do {
        Plan changed = plan;
        std::string& order = changed.parallel.rank_order;
        order.clear();
        for (const std::size_t axis : sequence) order += (order.empty() ? "" : "-") + axes[axis];
        auto setup = resolve(changed, catalog);
        if (!setup) return setup.error();
        const auto placed = placement::Placement::make(*setup);
        if (!placed || !seen.insert(effect_of(*placed)).second) continue;
        const auto report = evaluate(std::move(setup).value(), catalog, options);
        const std::set<std::string> codes = error_codes(*report);
        if (!std::includes(known.begin(), known.end(), codes.begin(), codes.end())) {
            ++result.refused;
            continue;
        }
        result.orders.push_back(figures_of(*report));
    } while (std::next_permutation(sequence.begin(), sequence.end()));

    std::stable_sort(result.orders.begin(), result.orders.end(), better); // the plan's own first among equals
    if (result.orders.front().step_s < result.before.step_s * (1 - 1e-9)) {
        result.best = result.orders.front();
        result.changed = true;
        result.plan.parallel.rank_order = result.best.rank_order;
    }
    return result;
}

} // namespace shardlens
