// SPDX-License-Identifier: GPL-3.0-or-later
// Sharding of states, recomputation, offload. Whether it all fits is said by the report.
#include <algorithm>
#include <array>

#include "rules/support.h"

namespace shardlens::rules {

namespace {

std::int64_t state_ranks(const Setup& s) { return product({s.data, s.context}); }

bool shard_group_broken(const Setup& s) {
    const std::int64_t group = s.plan.parallel.shard_group;
    return s.zero > 0 && group > 0 && state_ranks(s) % group != 0;
}

void shard_group_describe(const Setup& s, Message& message) {
    say(message, "State shards over {0} ranks do not divide the {1} ranks of data {2} · context {3}",
        s.plan.parallel.shard_group, state_ranks(s), s.data, s.context);
    propose_each(
        message, "parallel.shard_group",
        near_divisors(state_ranks(s), s.plan.parallel.shard_group, 2, [](std::int64_t) { return true; }));
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
}

bool shard_idle_broken(const Setup& s) { return s.zero == 0 && s.plan.parallel.shard_group > 0; }

void shard_idle_describe(const Setup& s, Message& message) {
    say(message, "shard_group {0} has no effect with zero 0: no state is sharded",
        s.plan.parallel.shard_group);
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
    propose(message, {{"parallel.zero", std::int64_t{1}}});
}

/// Megatron's own FSDP and torchtitan run it, DeepSpeed's pipeline engine refuses it.
bool zero_pipeline_broken(const Setup& s) {
    return s.zero >= 2 && s.pipeline > 1 && !targets(s, "deepspeed colossalai sagemaker@1");
}

void zero_pipeline_describe(const Setup& s, Message& message) {
    say(message,
        "zero {0} with {1} pipeline ranks: gradients must stay whole between micro-batches or be reduced "
        "after each; several "
        "launchers refuse it",
        s.zero, s.pipeline);
    propose(message, {{"parallel.zero", std::int64_t{1}}});
    propose(message, {{"parallel.pipeline", std::int64_t{1}}});
}

std::int64_t most_layers(const Setup& s) {
    const std::vector<std::int64_t> layers = layers_per_rank(s);
    return layers.empty() ? 0 : *std::max_element(layers.begin(), layers.end());
}

bool recompute_layers_broken(const Setup& s) {
    return s.plan.memory.recompute_layers > 0 && s.plan.memory.recompute != Recompute::none &&
           !s.layers_per_chunk.empty() && s.plan.memory.recompute_layers > most_layers(s);
}

void recompute_layers_describe(const Setup& s, Message& message) {
    say(message, "{0} layers to recompute, but no pipeline rank has more than {1}",
        s.plan.memory.recompute_layers, most_layers(s));
    propose(message, {{"memory.recompute_layers", std::int64_t{0}}});
    propose(message, {{"memory.recompute_layers", most_layers(s)}});
}

bool recompute_idle_broken(const Setup& s) {
    return s.plan.memory.recompute == Recompute::none &&
           (s.plan.memory.recompute_layers > 0 || s.plan.memory.recompute_modules != 0);
}

void recompute_idle_describe(const Setup& s, Message& message) {
    const bool layers = s.plan.memory.recompute_layers > 0;
    say(message, "{0} has no effect with recompute none", layers ? "recompute_layers" : "recompute_modules");
    propose(message, {{"memory.recompute", std::string(layers ? "full" : "selective")}});
    Edits edits;
    if (layers) edits.emplace_back("memory.recompute_layers", std::int64_t{0});
    if (s.plan.memory.recompute_modules != 0)
        edits.emplace_back("memory.recompute_modules", std::vector<std::string>{});
    propose(message, std::move(edits));
}

bool offload_parameters_broken(const Setup& s) {
    return s.plan.memory.offload_parameters != Offload::none && s.zero != 3;
}

void offload_parameters_describe(const Setup& s, Message& message) {
    say(message, "Parameters can be offloaded with zero 3 only, zero is {0}", s.zero);
    propose(message, {{"memory.offload_parameters", std::string("none")}});
    propose(message, {{"parallel.zero", std::int64_t{3}}});
}

bool offload_layers_broken(const Setup& s) {
    return s.plan.memory.offload_layers > 0 && s.plan.memory.offload_activations != Offload::none &&
           !s.layers_per_chunk.empty() && s.plan.memory.offload_layers > most_layers(s);
}

void offload_layers_describe(const Setup& s, Message& message) {
    say(message, "Activations of {0} layers to offload, but no pipeline rank has more than {1}",
        s.plan.memory.offload_layers, most_layers(s));
    propose(message, {{"memory.offload_layers", std::int64_t{0}}});
}

bool offload_idle_broken(const Setup& s) {
    return s.plan.memory.offload_layers > 0 && s.plan.memory.offload_activations == Offload::none;
}

void offload_idle_describe(const Setup&, Message& message) {
    say(message, "offload_layers has no effect with offload_activations none");
    propose(message, {{"memory.offload_layers", std::int64_t{0}}});
}

constexpr std::array kRules = {
    Rule{"shard-group", "parallel.shard_group", "", Severity::error, shard_group_broken,
         shard_group_describe},
    Rule{"offload-parameters", "memory.offload_parameters", "", Severity::error, offload_parameters_broken,
         offload_parameters_describe},
    Rule{"zero-pipeline", "parallel.zero", "", Severity::warning, zero_pipeline_broken,
         zero_pipeline_describe},
    Rule{"recompute-layers", "memory.recompute_layers", "", Severity::warning, recompute_layers_broken,
         recompute_layers_describe},
    Rule{"offload-layers", "memory.offload_layers", "", Severity::warning, offload_layers_broken,
         offload_layers_describe},
    Rule{"shard-group-idle", "parallel.shard_group", "", Severity::info, shard_idle_broken,
         shard_idle_describe},
    Rule{"recompute-idle", "memory.recompute", "", Severity::info, recompute_idle_broken,
         recompute_idle_describe},
    Rule{"offload-layers-idle", "memory.offload_layers", "", Severity::info, offload_idle_broken,
         offload_idle_describe},
};

} // namespace

std::span<const Rule> memory_rules() { return kRules; }

} // namespace shardlens::rules
