// SPDX-License-Identifier: GPL-3.0-or-later
// What accelerate 1.15 has no way to run (src/accelerate/parallelism_config.py, commands/launch.py,
// utils/dataclasses.py).
#include <array>
#include <numeric>

#include "plan/fields.h"
#include "rules/accelerate_backend.h"
#include "rules/deepspeed_muon.h"
#include "rules/megatron_split.h"
#include "rules/support.h"

namespace shardlens {

AccelerateBackend accelerate_backend(const Setup& s) {
    const bool ulysses = s.context > 1 && s.context_kind == ContextKind::ulysses;
    if (s.pipeline > 1 || (s.moe() && (s.expert > 1 || s.expert_tensor > 1)) ||
        (s.zero < 2 && (s.tensor > 1 || (s.context > 1 && !ulysses))))
        return AccelerateBackend::megatron;
    const MemoryOptions& memory = s.plan.memory;
    const bool nvme = memory.offload_optimizer == Offload::nvme || memory.offload_parameters == Offload::nvme;
    const bool states_only = memory.offload_optimizer != Offload::none &&
                             memory.offload_parameters == Offload::none && s.tensor * s.context == 1;
    if (ulysses || s.zero == 1 || (s.zero == 3 && nvme && s.tensor * s.context == 1) ||
        (s.zero >= 2 && states_only))
        return AccelerateBackend::deepspeed;
    return s.zero >= 2 ? AccelerateBackend::fsdp2 : AccelerateBackend::ddp;
}

namespace rules {

namespace {

constexpr std::int64_t kOne = 1;

bool on_megatron(const Setup& s) { return accelerate_backend(s) == AccelerateBackend::megatron; }
bool on_fsdp(const Setup& s) { return accelerate_backend(s) == AccelerateBackend::fsdp2; }

Edits without_pipeline(const Setup& s) {
    Edits edits{{"parallel.pipeline", kOne}};
    if (s.plan.parallel.data) edits.emplace_back("parallel.data", product({s.data, s.pipeline}));
    if (s.plan.parallel.virtual_pipeline != 1) edits.emplace_back("parallel.virtual_pipeline", kOne);
    if (s.schedule != ScheduleKind::one_f_one_b) edits.emplace_back("parallel.schedule", std::string("1f1b"));
    if (!s.plan.parallel.layers_per_stage.empty())
        edits.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    return edits;
}

bool chunks_broken(const Setup& s) { return s.pipeline > 1 && s.virtual_pipeline > 1; }

void chunks_describe(const Setup& s, Message& message) {
    say(message, "accelerate's configuration has no virtual stages: {0} chunks per rank must be 1",
        s.virtual_pipeline);
    propose(message, {{"parallel.virtual_pipeline", kOne}, {"parallel.schedule", std::string("1f1b")}});
}

bool megatron_zero_broken(const Setup& s) { return on_megatron(s) && s.zero >= 2; }

void megatron_zero_describe(const Setup& s, Message& message) {
    say(message,
        "accelerate runs pipelines and expert parallelism on Megatron, which it shards by ZeRO 1 only, not "
        "{0}",
        s.zero);
    propose(message, {{"parallel.zero", kOne}});
    if (s.pipeline > 1 && !(s.moe() && s.expert > 1)) propose(message, without_pipeline(s));
}

bool megatron_shards_broken(const Setup& s) {
    return on_megatron(s) && s.zero == 1 && s.plan.parallel.shard_group > 0 &&
           s.shard < product({s.data, s.context});
}

void megatron_shards_describe(const Setup& s, Message& message) {
    say(message, "accelerate's Megatron plugin shards over all {0} ranks of the replicas, not over {1}",
        product({s.data, s.context}), s.shard);
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
}

bool ulysses_broken(const Setup& s) {
    return s.context > 1 && s.context_kind == ContextKind::ulysses &&
           (s.tensor > 1 || accelerate_backend(s) != AccelerateBackend::deepspeed);
}

void ulysses_describe(const Setup&, Message& message) {
    say(message, "accelerate runs Ulysses on DeepSpeed, beside data parallelism only");
    propose(message, {{"parallel.context_kind", std::string("ring")}});
}

bool deepspeed_shards_broken(const Setup& s) {
    return accelerate_backend(s) == AccelerateBackend::deepspeed && s.zero > 0 &&
           s.plan.parallel.shard_group > 0 && s.shard < product({s.data, s.context});
}

void deepspeed_shards_describe(const Setup& s, Message& message) {
    say(message, "accelerate's DeepSpeed section shards over all {0} ranks of the replicas, not over {1}",
        product({s.data, s.context}), s.shard);
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
}

/// The mesh splits the ranks of a shard group into shard and context ranks, and wants shards where it has
/// replicas beside tensor or context ranks.
bool mesh_broken(const Setup& s) {
    if (!on_fsdp(s)) return false;
    if (s.shard % s.context != 0) return true;
    return product({s.tensor, s.context}) > 1 && s.shard == s.context &&
           s.shard < product({s.data, s.context});
}

/// The mesh has no axis to shard over, which the FSDP plugin asks for (KeyError: dp_shard_cp).
bool one_shard_broken(const Setup& s) { return on_fsdp(s) && s.zero >= 2 && s.shard == 1 && s.tensor > 1; }

void one_shard_describe(const Setup& s, Message& message) {
    say(message, "zero {0} has one rank to shard over: tensor {1} takes all of them", s.zero, s.tensor);
    propose(message, {{"parallel.zero", std::int64_t{0}}});
    propose(message, {{"parallel.tensor", std::int64_t{1}}});
}

void mesh_describe(const Setup& s, Message& message) {
    say(message,
        "accelerate's mesh cannot shard over {0} ranks with context {1} and tensor {2}: a multiple of the "
        "context "
        "ranks is needed, and more than one of them",
        s.shard, s.context, s.tensor);
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
}

/// A list that says anything but an even split or a shorter or longer last stage.
bool split_broken(const Setup& s) {
    const auto& layers = s.layers_per_chunk;
    return s.pipeline > 1 && s.virtual_pipeline == 1 && !s.plan.parallel.layers_per_stage.empty() &&
           static_cast<std::int64_t>(layers.size()) == s.pipeline &&
           split_words(s, true) != SplitWords::even && !only_last_differs(s);
}

void split_describe(const Setup& s, Message& message) {
    say(message, "accelerate's Megatron plugin can only make the last stage differ from the others");
    if (auto layers = last_stage_shorter(s); !layers.empty())
        propose(message, {{"parallel.layers_per_stage", std::move(layers)}});
    propose(message, {{"parallel.layers_per_stage", std::vector<std::int64_t>{}}});
    propose(message, without_pipeline(s));
}

/// torch's context_parallel hands every rank a piece from the head and one from the tail, whichever way keys
/// travel; ring attention has the same rule for every launcher.
bool sequence_broken(const Setup& s) {
    return on_fsdp(s) && s.context > 1 && s.context_kind == ContextKind::allgather &&
           s.plan.training.sequence_length % product({2, s.context}) != 0;
}

void sequence_describe(const Setup& s, Message& message) {
    const std::int64_t unit = product({2, s.context});
    say(message,
        "accelerate cuts a sequence into 2 · context = {0} parts, to balance causal attention; {1} tokens do "
        "not divide",
        unit, s.plan.training.sequence_length);
    propose_each(message, "training.sequence_length",
                 near_multiples(product({unit, s.sequence ? s.tensor / std::gcd(unit, s.tensor) : 1}),
                                s.plan.training.sequence_length));
    propose(message, {{"parallel.context", kOne}});
}

bool muon_broken(const Setup& s) {
    return accelerate_backend(s) == AccelerateBackend::deepspeed && muon_needs_whole_gradients(s);
}

void muon_describe(const Setup& s, Message& message) {
    say(message,
        "DeepSpeed's muon with zero {0} needs reduce_scatter off, which accelerate's configuration cannot "
        "say",
        s.zero);
    if (s.zero < 3) propose(message, {{"memory.offload_optimizer", std::string("none")}});
    propose(message, {{"training.optimizer", std::string("adamw")}});
}

bool nodes_broken(const Setup& s) {
    return s.cluster.gpus > s.cluster.node.gpus_per_node && s.cluster.gpus % s.cluster.nodes() != 0;
}

void nodes_describe(const Setup& s, Message& message) {
    say(message, "accelerate starts as many processes on every node: {0} do not divide over {1} nodes",
        s.cluster.gpus, s.cluster.nodes());
    const std::int64_t ranks = model_ranks(s);
    const std::int64_t unit = s.cluster.node.gpus_per_node / std::gcd(ranks, s.cluster.node.gpus_per_node);
    for (const std::int64_t data : near_multiples(unit, s.data)) {
        Edits edits{{"cluster.gpus", product({ranks, data})}};
        if (s.plan.parallel.data) edits.emplace_back("parallel.data", data);
        propose(message, std::move(edits));
    }
}

} // namespace

std::span<const Rule> accelerate_rules() {
    static const std::array kRules = {
        Rule{"accelerate-virtual-pipeline", "parallel.virtual_pipeline", "accelerate", Severity::error,
             chunks_broken, chunks_describe},
        Rule{"accelerate-megatron-zero", "parallel.zero", "accelerate", Severity::error, megatron_zero_broken,
             megatron_zero_describe},
        Rule{"accelerate-megatron-shards", "parallel.shard_group", "accelerate", Severity::error,
             megatron_shards_broken, megatron_shards_describe},
        Rule{"accelerate-ulysses", "parallel.context_kind", "accelerate", Severity::error, ulysses_broken,
             ulysses_describe},
        Rule{"accelerate-deepspeed-shards", "parallel.shard_group", "accelerate", Severity::error,
             deepspeed_shards_broken, deepspeed_shards_describe},
        Rule{"accelerate-mesh", "parallel.shard_group", "accelerate", Severity::error, mesh_broken,
             mesh_describe},
        Rule{"accelerate-one-shard", "parallel.zero", "accelerate", Severity::error, one_shard_broken,
             one_shard_describe},
        Rule{"accelerate-split", "parallel.layers_per_stage", "accelerate", Severity::error, split_broken,
             split_describe},
        Rule{"accelerate-sequence", "training.sequence_length", "accelerate", Severity::error,
             sequence_broken, sequence_describe},
        Rule{"accelerate-muon", "training.optimizer", "accelerate", Severity::error, muon_broken,
             muon_describe},
        Rule{"accelerate-nodes", "cluster.gpus", "accelerate", Severity::error, nodes_broken, nodes_describe},
    };
    return kRules;
}

} // namespace rules

} // namespace shardlens
