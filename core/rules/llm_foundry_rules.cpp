// SPDX-License-Identifier: GPL-3.0-or-later
// What llm-foundry 0.22 on composer 0.33 has no way to run (llmfoundry/utils/config_utils.py,
// composer/utils/parallelism.py, composer/core/state.py).
#include <array>

#include "plan/fields.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr std::int64_t kOne = 1;

/// The degree back to 1, its ranks given to data parallelism.
void as_data(const Setup& s, Message& message, const char* path, std::int64_t degree) {
    Edits edits{{path, kOne}};
    if (s.plan.parallel.data) edits.emplace_back("parallel.data", product({s.data, degree}));
    propose(message, std::move(edits));
}

bool pipeline_broken(const Setup& s) { return s.pipeline > 1; }

void pipeline_describe(const Setup& s, Message& message) {
    say(message, "llm-foundry has no pipeline: {0} stages cannot be run", s.pipeline);
    Edits edits{{"parallel.pipeline", kOne}};
    if (s.plan.parallel.data) edits.emplace_back("parallel.data", product({s.data, s.pipeline}));
    if (s.plan.parallel.virtual_pipeline != 1) edits.emplace_back("parallel.virtual_pipeline", kOne);
    if (s.schedule != ScheduleKind::one_f_one_b) edits.emplace_back("parallel.schedule", std::string("1f1b"));
    if (!s.plan.parallel.layers_per_stage.empty())
        edits.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    propose(message, std::move(edits));
}

bool context_broken(const Setup& s) { return s.context > 1; }

void context_describe(const Setup& s, Message& message) {
    say(message, "llm-foundry cannot split a sequence over {0} context ranks", s.context);
    as_data(s, message, "parallel.context", s.context);
}

bool expert_broken(const Setup& s) { return s.moe() && (s.expert > 1 || s.expert_tensor > 1); }

void expert_describe(const Setup& s, Message& message) {
    say(message, "llm-foundry shards experts by FSDP only: expert {0} and expert_tensor {1} must be 1",
        s.expert, s.expert_tensor);
    propose(message, {{"parallel.expert", kOne}, {"parallel.expert_tensor", kOne}});
}

bool zero_broken(const Setup& s) { return s.zero == 1; }

void zero_describe(const Setup&, Message& message) {
    say(message,
        "llm-foundry cannot shard optimizer states alone, as ZeRO 1 does: FSDP shards gradients too");
    propose(message, {{"parallel.zero", std::int64_t{2}}});
    propose(message, {{"parallel.zero", std::int64_t{0}}});
}

bool tensor_experts_broken(const Setup& s) { return s.tensor > 1 && s.moe(); }

void tensor_experts_describe(const Setup& s, Message& message) {
    say(message, "llm-foundry runs its experts without tensor parallelism: tensor {0} must be 1", s.tensor);
    as_data(s, message, "parallel.tensor", s.tensor);
}

/// TP lives on FSDP's mesh and PyTorch wants at least two ranks on its axis of shards.
bool tensor_shards_broken(const Setup& s) { return s.tensor > 1 && (s.zero < 2 || s.shard < 2); }

void tensor_shards_describe(const Setup& s, Message& message) {
    say(message,
        "llm-foundry's tensor parallelism needs parameters or gradients sharded over at least 2 data ranks");
    if (s.data >= 2) {
        Edits edits{{"parallel.zero", std::int64_t{2}}};
        if (s.plan.parallel.shard_group > 0) edits.emplace_back("parallel.shard_group", std::int64_t{0});
        propose(message, std::move(edits));
    }
    as_data(s, message, "parallel.tensor", s.tensor);
}

} // namespace

std::span<const Rule> llm_foundry_rules() {
    static const std::array kRules = {
        Rule{"llm-foundry-pipeline", "parallel.pipeline", "llm-foundry", Severity::error, pipeline_broken,
             pipeline_describe},
        Rule{"llm-foundry-context", "parallel.context", "llm-foundry", Severity::error, context_broken,
             context_describe},
        Rule{"llm-foundry-expert", "parallel.expert", "llm-foundry", Severity::error, expert_broken,
             expert_describe},
        Rule{"llm-foundry-zero", "parallel.zero", "llm-foundry", Severity::error, zero_broken, zero_describe},
        Rule{"llm-foundry-tensor-experts", "parallel.tensor", "llm-foundry", Severity::error,
             tensor_experts_broken, tensor_experts_describe},
        Rule{"llm-foundry-tensor-shards", "parallel.tensor", "llm-foundry", Severity::error,
             tensor_shards_broken, tensor_shards_describe},
    };
    return kRules;
}

} // namespace shardlens::rules
