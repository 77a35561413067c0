// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/failure.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "placement/ports.h"
#include "report/evaluate.h"

namespace shardlens {

namespace {

using placement::Axis;
using placement::GroupKind;
using placement::Placement;

constexpr std::int64_t kMostTries = 256; ///< data degrees looked at for the run that goes on

std::set<std::string> error_codes(const Report& report) {
    std::set<std::string> codes;
    for (const Message& message : report.messages)
        if (message.severity == Severity::error) codes.insert(message.code);
    return codes;
}

/// Kinds with groups of more than one rank that have a member among `ranks`.
std::vector<LostGroups> touched(const Placement& placed, const std::vector<std::int64_t>& ranks,
                                bool leaving_only) {
    std::vector<LostGroups> lost;
    for (const GroupKind kind : placement::kGroupKinds) {
        if (placed.group_count(kind) == 0 || placed.reach(kind).members < 2) continue;
        std::set<std::int64_t> first; // names the group
        for (const std::int64_t rank : ranks) {
            const std::vector<std::int64_t> group = placed.group_of(kind, rank);
            const bool leaves = std::any_of(group.begin(), group.end(), [&](std::int64_t member) {
                return placed.node_of(member) != placed.node_of(rank);
            });
            if (!group.empty() && (leaves || !leaving_only)) first.insert(group.front());
        }
        if (!first.empty())
            lost.push_back({kind, static_cast<std::int64_t>(first.size()), placed.group_count(kind)});
    }
    return lost;
}

/// Of a GPU's network rate when one port fails: its other ports carry on, else it shares its neighbour's.
double rate_left(const Node& node) {
    const auto ports_each = static_cast<double>(placement::nics_per_node(node)) /
                            static_cast<double>(std::max<std::int64_t>(1, node.gpus_per_node));
    return ports_each > 1 ? (ports_each - 1) / ports_each : 0.5;
}

void take_after(FailureEffect& effect, const Report& report) {
    effect.tokens_per_s_after = report.time.tokens_per_s;
    effect.step_s_after = report.time.step_s;
}

/// The largest run of whole replicas that breaks no rule which the plan does not break. Each replica keeps
/// its work, so the global batch shrinks with them.
void restart_without(FailureEffect& effect, const Plan& plan, const Catalog& catalog, const Report& before,
                     std::int64_t left) {
    const Setup& setup = *before.setup;
    const std::int64_t model_ranks = setup.world() / setup.data;
    const std::set<std::string> known = error_codes(before);
    const std::int64_t per_replica = plan.training.global_batch_size / setup.data;
    for (std::int64_t data = left, tries = 0; data > 0 && tries < kMostTries; --data, ++tries) {
        Plan changed = plan;
        changed.cluster.gpus = data * model_ranks;
        changed.cluster.hosts.clear();
        if (changed.parallel.data) changed.parallel.data = data;
        if (plan.training.global_batch_size % setup.data == 0)
            changed.training.global_batch_size = per_replica * data;
        const auto report = evaluate(changed, catalog, {.timeline = false, .traffic = false});
        if (!report) return;
        const std::set<std::string> codes = error_codes(**report);
        if (!std::includes(known.begin(), known.end(), codes.begin(), codes.end())) continue;
        effect.after = std::move(changed);
        effect.data_after = data;
        take_after(effect, **report);
        return;
    }
}

} // namespace

Result<FailureEffect> failure_effect(const Plan& plan, const Catalog& catalog, const Outage& outage) {
    const auto evaluated = evaluate(plan, catalog, {.timeline = false, .traffic = false});
    if (!evaluated) return evaluated.error();
    const Report& before = **evaluated;
    if (!before.placement)
        return Error{"parallel", "the degrees of this plan make no world; `validate` says why"};
    const Placement& placed = *before.placement;
    const Setup& setup = *before.setup;
    const std::int64_t nodes = placed.node_count(), per_node = placed.gpus_per_node();
    if (outage.node < 0 || outage.node >= nodes)
        return Error{"node", fmt::format("node {} does not exist; the cluster has nodes 0 to {}", outage.node,
                                         nodes - 1)};
    const std::int64_t nics = placement::nics_per_node(setup.cluster.node);
    if (outage.nic && (*outage.nic < 0 || *outage.nic >= nics))
        return Error{"nic",
                     fmt::format("port {} does not exist; a node has ports 0 to {}", *outage.nic, nics - 1)};

    FailureEffect effect;
    effect.after = plan;
    effect.replicas = effect.data_after = setup.data;
    effect.tokens_per_s_before = effect.tokens_per_s_after = before.time.tokens_per_s;
    effect.step_s_before = effect.step_s_after = before.time.step_s;
    const std::int64_t begin = placed.first_rank_on(outage.node);
    for (std::int64_t rank = begin; rank < std::min(begin + per_node, placed.world()); ++rank)
        if (!outage.nic || placement::uses_nic(setup.cluster.node, placed.local_of(rank), *outage.nic))
            effect.ranks.push_back(rank);

    if (outage.nic && (nics > 1 || nodes == 1)) {
        effect.ranks_lost = false;
        effect.groups = touched(placed, effect.ranks, true);
        if (effect.groups.empty()) return effect;
        effect.after.cluster.scale_out_bytes_per_s_per_gpu =
            setup.cluster.node.scale_out_bytes_per_s_per_gpu * rate_left(setup.cluster.node);
        const auto slowed = evaluate(effect.after, catalog, {.timeline = false, .traffic = false});
        if (!slowed) return slowed.error();
        take_after(effect, **slowed);
        return effect;
    }

    // The only port of a node: the node is cut off.
    for (std::int64_t rank = begin; rank < std::min(begin + per_node, placed.world()); ++rank)
        effect.replicas_lost.push_back(placed.dense().coordinate(rank, Axis::dp));
    std::sort(effect.replicas_lost.begin(), effect.replicas_lost.end());
    effect.replicas_lost.erase(std::unique(effect.replicas_lost.begin(), effect.replicas_lost.end()),
                               effect.replicas_lost.end());
    effect.groups = touched(placed, effect.ranks, false);
    effect.data_after = 0;
    effect.tokens_per_s_after = effect.step_s_after = 0;
    restart_without(effect, plan, catalog, before,
                    setup.data - static_cast<std::int64_t>(effect.replicas_lost.size()));
    return effect;
}

} // namespace shardlens
