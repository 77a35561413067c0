// SPDX-License-Identifier: GPL-3.0-or-later
// What a launcher has no way to run at all, whatever the rest of the plan: one row per launcher, one rule per
// column. Launchers that need more words have a file of their own.
#include <array>
#include <string>

#include "plan/fields.h"
#include "plan/known_launchers.h"
#include "rules/launcher_schedule.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

enum class ExpertTensor { any, one, tensor };

constexpr unsigned kRing = 1u << static_cast<unsigned>(ContextKind::ring);
constexpr unsigned kUlysses = 1u << static_cast<unsigned>(ContextKind::ulysses);
constexpr unsigned kGather = 1u << static_cast<unsigned>(ContextKind::allgather);

constexpr unsigned zero(std::initializer_list<unsigned> stages) {
    unsigned bits = 0;
    for (const unsigned stage : stages) bits |= 1u << stage;
    return bits;
}

struct Abilities {
    std::string_view launcher; ///< or launcher@version
    bool pipeline, chunks;     ///< more than one pipeline rank, more than one chunk on each
    unsigned context;          ///< kinds of context parallelism; 0 = none
    bool expert;
    ExpertTensor expert_tensor;
    unsigned zero; ///< stages
    bool hybrid;   ///< shards over a part of the ranks
};

constexpr unsigned kAll = zero({0, 1, 2, 3});
constexpr std::array kAbilities = {
    Abilities{"megatron-lm", true, true, kRing | kUlysses | kGather, true, ExpertTensor::any, kAll, true},
    Abilities{"megatron-bridge", true, true, kRing | kUlysses | kGather, true, ExpertTensor::any, kAll, true},
    Abilities{"mindspeed", true, true, kRing | kUlysses | kGather, true, ExpertTensor::any, kAll, true},
    // deepspeed/runtime/pipe/module.py, sequence/layer.py, module_inject/auto_ep_config.py
    Abilities{"deepspeed", true, false, kUlysses, true, ExpertTensor::one, kAll, true},
    // colossalai/booster/plugin/moe_hybrid_parallel_plugin.py; an expert is cut over the tensor ranks
    Abilities{"colossalai", true, true, kRing | kUlysses, true, ExpertTensor::tensor, zero({0, 1, 2}), false},
    // sagemaker/fw_utils.py (SDK 2) and sagemaker/train/distributed.py (SDK 3)
    Abilities{"sagemaker@1", true, false, 0, false, ExpertTensor::one, zero({0, 1, 3}), true},
    Abilities{"sagemaker@2", false, false, kRing, true, ExpertTensor::one, zero({0, 3}), true},
    // bmtrain/init.py, block_layer.py
    Abilities{"bmtrain", true, false, 0, false, ExpertTensor::one, zero({2, 3}), false},
};

const Abilities* abilities(const Setup& s) {
    for (const Abilities& row : kAbilities)
        if (targets(s, row.launcher)) return &row;
    return nullptr;
}

std::string_view title(const Setup& s) {
    const KnownLauncher* known = split_target(s.plan.target).first;
    return known ? known->title : std::string_view();
}

void propose_one(Message& message, const char* path) { propose(message, {{path, std::int64_t{1}}}); }

bool has_kind(const Abilities& row, ContextKind kind) {
    return (row.context & (1u << static_cast<unsigned>(kind))) != 0;
}

bool expert_tensor_runs(const Setup& s, ExpertTensor ability) {
    switch (ability) {
    case ExpertTensor::any: return true;
    case ExpertTensor::one: return s.expert_tensor == 1;
    case ExpertTensor::tensor: return s.expert_tensor == s.tensor;
    }
    return true;
}

void expert_tensor_describe(const Setup& s, Message& message) {
    const bool one = abilities(s)->expert_tensor == ExpertTensor::one;
    if (one)
        say(message, "{0} does not split an expert over tensor ranks: {1} must be 1", title(s),
            s.expert_tensor);
    else
        say(message, "{0} splits an expert over the {2} tensor ranks: expert_tensor {1} must be {2}",
            title(s), s.expert_tensor, s.tensor);
    const std::int64_t degree = one ? 1 : s.tensor;
    propose(message, {{"parallel.expert_tensor", degree}});
    // Experts on tensor ranks leave fewer ranks for expert parallelism.
    propose(message, {{"parallel.expert_tensor", degree}, {"parallel.expert", std::int64_t{1}}});
}

void zero_describe(const Setup& s, Message& message) {
    const unsigned stages = abilities(s)->zero;
    std::string known;
    for (std::int64_t stage = 0; stage <= 3; ++stage)
        if ((stages >> stage & 1u) != 0) known += fmt::format("{}{}", known.empty() ? "" : ", ", stage);
    say(message, "{0} has no way to run zero {1}; it runs {2}", title(s), s.zero, known);
    // The nearest first, what saves more memory before what saves less.
    for (const std::int64_t step : {1, -1, 2, -2, 3, -3})
        if (s.zero + step >= 0 && s.zero + step <= 3 && (stages >> (s.zero + step) & 1u) != 0)
            propose(message, {{"parallel.zero", s.zero + step}});
}

void schedule_describe(const Setup& s, Message& message) {
    const ScheduleKind run = *schedule_instead(s, s.plan.target);
    say(message, "{0} runs {1} instead of {2}: step time, bubble and memory shown are those of {2}", title(s),
        to_string(run), to_string(s.schedule));
    // A schedule that a launcher puts in the place of another may need other chunks.
    const bool one = run == ScheduleKind::one_f_one_b || run == ScheduleKind::gpipe;
    const std::int64_t chunks = one ? 1 : s.virtual_pipeline;
    Edits edits{{"parallel.schedule", std::string(to_string(run))}};
    if (s.plan.parallel.virtual_pipeline != chunks) edits.emplace_back("parallel.virtual_pipeline", chunks);
    propose(message, edits);
    if (s.plan.parallel.layers_per_stage.empty()) return;
    edits.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    propose(message, std::move(edits));
}

constexpr std::array kRules = {
    Rule{"launcher-pipeline", "parallel.pipeline", "*", Severity::error,
         [](const Setup& s) { return s.pipeline > 1 && abilities(s) && !abilities(s)->pipeline; },
         [](const Setup& s, Message& message) {
             say(message, "{0} has no pipeline parallelism: {1} stages cannot run", title(s), s.pipeline);
             propose(message, {{"parallel.pipeline", std::int64_t{1}},
                               {"parallel.virtual_pipeline", std::int64_t{1}}});
         }},
    Rule{"launcher-virtual-pipeline", "parallel.virtual_pipeline", "*", Severity::error,
         [](const Setup& s) {
             return s.plan.parallel.virtual_pipeline > 1 && abilities(s) && !abilities(s)->chunks;
         },
         [](const Setup& s, Message& message) {
             say(message, "{0} runs one chunk of the model per pipeline rank, not {1}", title(s),
                 s.plan.parallel.virtual_pipeline);
             propose(message, {{"parallel.virtual_pipeline", std::int64_t{1}},
                               {"parallel.schedule", std::string("1f1b")}});
         }},
    Rule{"launcher-context", "parallel.context", "*", Severity::error,
         [](const Setup& s) { return s.context > 1 && abilities(s) && abilities(s)->context == 0; },
         [](const Setup& s, Message& message) {
             say(message, "{0} has no context parallelism: a sequence cannot be split over {1} ranks",
                 title(s), s.context);
             propose_one(message, "parallel.context");
         }},
    Rule{"launcher-context-kind", "parallel.context_kind", "*", Severity::error,
         [](const Setup& s) {
             return s.context > 1 && abilities(s) && abilities(s)->context != 0 &&
                    !has_kind(*abilities(s), s.context_kind);
         },
         [](const Setup& s, Message& message) {
             say(message, "{0} does not split sequences by {1}", title(s), to_string(s.context_kind));
             for (const ContextKind kind : {ContextKind::ring, ContextKind::ulysses, ContextKind::allgather})
                 if (has_kind(*abilities(s), kind))
                     propose(message, {{"parallel.context_kind", std::string(to_string(kind))}});
             propose_one(message, "parallel.context");
         }},
    Rule{"launcher-expert", "parallel.expert", "*", Severity::error,
         [](const Setup& s) { return s.expert > 1 && abilities(s) && !abilities(s)->expert; },
         [](const Setup& s, Message& message) {
             say(message, "{0} has no expert parallelism: {1} ranks cannot share the experts", title(s),
                 s.expert);
             propose_one(message, "parallel.expert");
             propose(message,
                     {{"parallel.expert", std::int64_t{1}}, {"parallel.expert_tensor", std::int64_t{1}}});
         }},
    Rule{"launcher-expert-tensor", "parallel.expert_tensor", "*", Severity::error,
         [](const Setup& s) {
             return s.moe() && abilities(s) && !expert_tensor_runs(s, abilities(s)->expert_tensor);
         },
         expert_tensor_describe},
    Rule{"launcher-zero", "parallel.zero", "*", Severity::error,
         [](const Setup& s) {
             const Abilities* row = s.world() > 1 ? abilities(s) : nullptr;
             return row && (row->zero >> s.zero & 1u) == 0;
         },
         zero_describe},
    Rule{"launcher-shard-group", "parallel.shard_group", "*", Severity::error,
         [](const Setup& s) {
             return s.zero > 0 && s.shard < product({s.data, s.context}) && abilities(s) &&
                    !abilities(s)->hybrid;
         },
         [](const Setup& s, Message& message) {
             say(message, "{0} shards states over all {1} ranks, not over groups of {2}", title(s),
                 product({s.data, s.context}), s.shard);
             propose(message, {{"parallel.shard_group", std::int64_t{0}}});
         }},
    Rule{"launcher-schedule", "parallel.schedule", "*", Severity::warning,
         [](const Setup& s) { return schedule_instead(s, s.plan.target).has_value(); }, schedule_describe},
};

} // namespace

std::span<const Rule> launcher_rules() { return kRules; }

} // namespace shardlens::rules
