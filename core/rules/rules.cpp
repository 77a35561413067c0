// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "plan/edit.h"
#include "rules/rank_order.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr std::size_t kMostFixes = 3;

bool touches(const Fix& fix, std::string_view path) {
    return std::any_of(fix.set.begin(), fix.set.end(), [&](const auto& edit) { return edit.first == path; });
}

/// Completes proposed repairs by what must follow, and keeps those that hold.
class Repair {
public:
    Repair(const Setup& setup, const std::vector<bool>& broken)
        : m_setup(setup), m_broken(broken), m_trial(setup) {}

    /// Follows a proposal until the message of rule `target` is gone and no error is new. `cluster`: may the
    /// follow-ups change the number of GPUs?
    bool complete(std::size_t target, Fix& fix, bool cluster) {
        constexpr int kMostFollowUps = 6;
        for (int i = 0; i <= kMostFollowUps; ++i) {
            m_trial.plan = m_setup.plan;
            if (!apply_fix(m_trial.plan, fix).what.empty()) return false;
            derive(m_trial, true);
            const std::size_t next = first_problem(target);
            if (next == table().size()) return true;
            Message message;
            table()[next].describe(m_trial, message);
            const auto follow_up =
                std::find_if(message.fixes.begin(), message.fixes.end(), [&](const Fix& other) {
                    return std::none_of(other.set.begin(), other.set.end(), [&](const auto& edit) {
                        return touches(fix, edit.first) || (!cluster && edit.first == "cluster.gpus");
                    });
                });
            if (follow_up == message.fixes.end()) return false;
            fix.set.insert(fix.set.end(), follow_up->set.begin(), follow_up->set.end());
        }
        return false;
    }

private:
    /// The target if it is still broken, else the first error that the plan did not have.
    std::size_t first_problem(std::size_t target) const {
        const std::span<const Rule> rules = table();
        if (is_broken(rules[target], m_trial)) return target;
        for (std::size_t i = 0; i < rules.size(); ++i)
            if (rules[i].severity == Severity::error && !m_broken[i] && is_broken(rules[i], m_trial))
                return i;
        return rules.size();
    }

    const Setup& m_setup;
    const std::vector<bool>& m_broken;
    Setup m_trial;
};

/// When no proposal holds: one replica per GPU, which every launcher can run.
Fix plainest(const Setup& setup) {
    const Parallel& given = setup.plan.parallel;
    Fix fix;
    const auto one = [&](const char* path, std::int64_t now) {
        if (now != 1) fix.set.emplace_back(path, std::int64_t{1});
    };
    one("parallel.tensor", given.tensor);
    one("parallel.pipeline", given.pipeline);
    one("parallel.virtual_pipeline", given.virtual_pipeline);
    one("parallel.context", given.context);
    one("parallel.expert", given.expert);
    one("parallel.expert_tensor", given.expert_tensor);
    if (given.data) fix.set.emplace_back("parallel.data", setup.cluster.gpus);
    if (given.shard_group != 0) fix.set.emplace_back("parallel.shard_group", std::int64_t{0});
    if (given.virtual_pipeline_group != 0)
        fix.set.emplace_back("parallel.virtual_pipeline_group", std::int64_t{0});
    if (given.schedule) fix.set.emplace_back("parallel.schedule", std::string("1f1b"));
    if (!given.layers_per_stage.empty())
        fix.set.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    return fix;
}

void keep_what_holds(Message& message, std::size_t rule, Repair& repair, const Setup& setup) {
    const std::vector<Fix> proposed = std::move(message.fixes);
    message.fixes.clear();
    const auto take = [&](Fix fix, bool cluster) {
        if (message.fixes.size() >= kMostFixes || fix.set.empty() || !repair.complete(rule, fix, cluster))
            return;
        if (std::find(message.fixes.begin(), message.fixes.end(), fix) == message.fixes.end())
            message.fixes.push_back(std::move(fix));
    };
    for (const Fix& fix : proposed) take(fix, false);
    if (message.fixes.empty())
        for (const Fix& fix : proposed) take(fix, true);
    if (message.fixes.empty() && message.severity == Severity::error) take(plainest(setup), false);
    if (message.fixes.empty() && message.severity == Severity::error) take(plainest(setup), true);
}

std::vector<Rule> make_table() {
    std::vector<Rule> rules;
    for (const std::span<const Rule> part :
         {world_rules(), model_rules(), batch_rules(), schedule_rules(), memory_rules(), launcher_rules(),
          megatron_rules(), deepspeed_rules(), torchtitan_rules(), accelerate_rules(), nanotron_rules(),
          colossalai_rules(), llm_foundry_rules(), sagemaker_rules(), bmtrain_rules()})
        rules.insert(rules.end(), part.begin(), part.end());
    return rules;
}

} // namespace

std::span<const Rule> table() {
    static const std::vector<Rule> kTable = make_table();
    return kTable;
}

bool is_of_launcher(std::string_view code) {
    return std::any_of(table().begin(), table().end(),
                       [&](const Rule& rule) { return code == rule.code && *rule.launcher != '\0'; });
}

std::vector<Message> check(const Setup& setup) {
    const std::span<const Rule> rules = table();
    std::vector<Message> messages;
    std::vector<bool> broken(rules.size(), false);
    bool any = false;
    for (std::size_t i = 0; i < rules.size(); ++i) any |= broken[i] = is_broken(rules[i], setup);
    if (!any) return messages;

    Repair repair(setup, broken);
    for (std::size_t i = 0; i < rules.size(); ++i) {
        if (!broken[i]) continue;
        Message message;
        message.severity = rules[i].severity;
        message.code = rules[i].code;
        message.path = rules[i].path;
        rules[i].describe(setup, message);
        if (!message.fixes.empty() || message.severity == Severity::error)
            keep_what_holds(message, i, repair, setup);
        messages.push_back(std::move(message));
    }
    std::stable_sort(messages.begin(), messages.end(),
                     [](const Message& a, const Message& b) { return a.severity > b.severity; });
    return messages;
}

} // namespace shardlens::rules
