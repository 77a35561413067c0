// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/failure.h"

namespace shardlens::cli {

namespace {

std::string effect_text(const FailureEffect& effect, const Outage& outage, const Plan& plan) {
    std::string text = outage.nic ? fmt::format("node {}, port {}: ", outage.node, *outage.nic)
                                  : fmt::format("node {}: ", outage.node);
    text += fmt::format("ranks {}\n\n", fmt::join(effect.ranks, " "));
    std::vector<std::vector<std::string>> rows = {{"kind", "groups hit", "of"}};
    for (const LostGroups& lost : effect.groups)
        rows.push_back({to_string(lost.kind), std::to_string(lost.groups), std::to_string(lost.of)});
    text += table(rows, {false, true, true}) + "\n";
    if (effect.ranks_lost)
        text += fmt::format("{} of {} replicas lost: {}\n", effect.replicas_lost.size(), effect.replicas,
                            fmt::join(effect.replicas_lost, " "));
    if (effect.ranks_lost && effect.data_after == 0)
        return text + "no whole replica is left: the run stands still until the node is replaced\n";
    const std::string how = effect.ranks_lost
                                ? fmt::format("restarted with data {}", effect.data_after)
                                : std::string("the neighbouring port carries the traffic of both");
    if (effect.ranks_lost && effect.after.training.global_batch_size < plan.training.global_batch_size)
        text += fmt::format("global batch {} instead of {}\n", effect.after.training.global_batch_size,
                            plan.training.global_batch_size);
    return text + fmt::format("{}: {:.0f} tokens/s instead of {:.0f} ({:.1f} %)\n", how,
                              effect.tokens_per_s_after, effect.tokens_per_s_before,
                              effect.throughput_share() * 100);
}

} // namespace

Outcome failure_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const Outage outage{options.node, options.nic};
    const Result<FailureEffect> found = failure_effect(*plan, catalog, outage);
    if (!found) return refused(found.error(), "failure", options);
    if (options.text) return {kDone, effect_text(*found, outage, *plan), ""};
    nlohmann::ordered_json output;
    output["node"] = outage.node;
    if (outage.nic) output["nic"] = *outage.nic;
    output["ranks"] = found->ranks;
    output["ranks_lost"] = found->ranks_lost;
    output["groups"] = nlohmann::ordered_json::object();
    for (const LostGroups& lost : found->groups)
        output["groups"][to_string(lost.kind)] = {{"hit", lost.groups}, {"of", lost.of}};
    output["replicas"] = found->replicas;
    output["replicas_lost"] = found->replicas_lost;
    output["data_after"] = found->data_after;
    output["global_batch_after"] = found->data_after > 0 ? found->after.training.global_batch_size : 0;
    output["tokens_per_s_before"] = json_number(found->tokens_per_s_before);
    output["tokens_per_s_after"] = json_number(found->tokens_per_s_after);
    output["step_s_before"] = json_number(found->step_s_before);
    output["step_s_after"] = json_number(found->step_s_after);
    output["throughput_share"] = json_number(found->throughput_share());
    return {kDone, document(output), ""};
}

} // namespace shardlens::cli
