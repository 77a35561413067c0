// SPDX-License-Identifier: GPL-3.0-or-later
// What torchtitan has no way to run: 0.2.2 (distributed/parallel_dims.py, models/*/infra/parallelize.py) and
// main of August 2026 (trainer.py, models/common/decoder.py); schedules are PyTorch's
// (distributed/pipelining).
#include <algorithm>
#include <array>
#include <numeric>

#include "plan/fields.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr std::int64_t kOne = 1, kNone = 0;

std::int64_t replicas(const Setup& s) { return product({s.data, s.context}); }

bool zero_broken(const Setup& s) { return s.zero == 1 && replicas(s) > 1; }

void zero_describe(const Setup&, Message& message) {
    say(message, "torchtitan cannot shard optimizer states alone, as ZeRO 1 does: FSDP shards gradients too");
    propose(message, {{"parallel.zero", std::int64_t{2}}});
    propose(message, {{"parallel.zero", std::int64_t{3}}});
}

bool replicas_broken(const Setup& s) {
    return s.zero == 0 && replicas(s) > 1 &&
           (s.tensor > 1 || s.pipeline > 1 || s.context > 1 || (s.moe() && s.expert > 1));
}

void replicas_describe(const Setup&, Message& message) {
    say(message,
        "torchtitan keeps whole replicas with plain data parallelism only; other degrees need ZeRO 2 or 3");
    propose(message, {{"parallel.zero", std::int64_t{2}}});
    propose(message, {{"parallel.zero", std::int64_t{3}}});
}

bool shard_group_broken(const Setup& s) {
    return s.zero >= 2 && replicas(s) > 1 && (s.shard % s.context != 0 || s.shard == 1);
}

void shard_group_describe(const Setup& s, Message& message) {
    say(message,
        "torchtitan shards over a multiple of the {0} context ranks and more than one rank, not over {1}",
        s.context, s.shard);
    propose(message, {{"parallel.shard_group", kNone}});
}

bool context_kind_broken(const Setup& s) { return s.context > 1 && s.context_kind == ContextKind::ulysses; }

void context_kind_describe(const Setup&, Message& message) {
    say(message, "torchtitan splits sequences by passing or gathering keys and values, not by Ulysses");
    propose(message, {{"parallel.context_kind", std::string("ring")}});
    propose(message, {{"parallel.context_kind", std::string("allgather")}});
}

bool sequence_broken(const Setup& s) {
    return s.plan.training.sequence_length % product({2, s.tensor, s.context}) != 0;
}

void sequence_describe(const Setup& s, Message& message) {
    say(message, "torchtitan cuts a sequence into 2 · tensor · context = {0} parts; {1} tokens do not divide",
        product({2, s.tensor, s.context}), s.plan.training.sequence_length);
    propose_each(message, "training.sequence_length",
                 near_multiples(product({2, s.tensor, s.context}), s.plan.training.sequence_length));
}

/// The experts' grid lies inside one replicate group: ep · etp ranks out of shard · tensor.
bool experts_broken(const Setup& s) {
    if (!s.moe() || s.expert == 1) return false;
    const std::int64_t inner = product({s.zero >= 2 ? s.shard : replicas(s), s.tensor});
    return inner % product({s.expert, s.expert_tensor}) != 0;
}

void experts_describe(const Setup& s, Message& message) {
    const std::int64_t inner = product({s.zero >= 2 ? s.shard : replicas(s), s.tensor});
    say(message, "torchtitan takes expert ranks from shard · tensor = {0} ranks; {1} do not divide them",
        inner, product({s.expert, s.expert_tensor}));
    propose_each(message, "parallel.expert",
                 near_divisors(std::gcd(inner, s.shape.moe->experts), s.expert, 2, [&](std::int64_t value) {
                     return value != s.expert && inner % product({value, s.expert_tensor}) == 0;
                 }));
    if (s.plan.parallel.shard_group > 0) propose(message, {{"parallel.shard_group", kNone}});
}

bool expert_tensor_broken(const Setup& s) {
    return s.moe() && s.expert_tensor != 1 && s.expert_tensor != s.tensor;
}

void expert_tensor_describe(const Setup& s, Message& message) {
    say(message, "torchtitan splits an expert over all {0} tensor ranks or over none, not over {1}", s.tensor,
        s.expert_tensor);
    propose(message, {{"parallel.expert_tensor", kOne}});
    propose(message, {{"parallel.expert_tensor", s.tensor}});
}

/// Without expert ranks the tensor plan takes the experts along (models/*/infra/parallelize.py,
/// apply_moe_ep_tp).
bool whole_experts_broken(const Setup& s) {
    return s.moe() && s.expert == 1 && s.tensor > 1 && s.expert_tensor == 1;
}

void whole_experts_describe(const Setup& s, Message& message) {
    say(message, "torchtitan splits every expert over the {0} tensor ranks where expert is 1", s.tensor);
    propose(message, {{"parallel.expert_tensor", s.tensor}});
    propose(message, {{"parallel.tensor", kOne}});
}

bool main_expert_tensor_broken(const Setup& s) { return s.moe() && s.expert > 1 && s.expert_tensor > 1; }

void main_expert_tensor_describe(const Setup& s, Message& message) {
    say(message, "this release of torchtitan no longer splits experts over tensor ranks: {0} must be 1",
        s.expert_tensor);
    propose(message, {{"parallel.expert_tensor", kOne}});
}

bool kv_heads_broken(const Setup& s) {
    return s.tensor > 1 && !s.shape.mla && s.shape.kv() > 0 && s.shape.kv() % s.tensor != 0;
}

void kv_heads_describe(const Setup& s, Message& message) {
    say(message,
        "torchtitan does not repeat key and value heads: {0} heads cannot be split over {1} tensor ranks",
        s.shape.kv(), s.tensor);
    const std::int64_t per_replica = product({s.tensor, s.data});
    propose_each(message, "parallel.tensor",
                 near_divisors(std::gcd(s.shape.heads, s.shape.kv()), s.tensor, 2, [&](std::int64_t value) {
                     return value < s.tensor && per_replica % value == 0;
                 }));
}

bool tied_broken(const Setup& s) { return s.pipeline > 1 && s.shape.tied_embeddings; }

void tied_describe(const Setup& s, Message& message) {
    say(message, "torchtitan cannot share the embedding's weights with the head across pipeline stages");
    Edits edits{{"parallel.pipeline", kOne}};
    if (s.plan.parallel.data) edits.emplace_back("parallel.data", product({s.data, s.pipeline}));
    if (s.plan.parallel.virtual_pipeline != 1) edits.emplace_back("parallel.virtual_pipeline", kOne);
    if (s.schedule != ScheduleKind::one_f_one_b) edits.emplace_back("parallel.schedule", std::string("1f1b"));
    if (!s.plan.parallel.layers_per_stage.empty())
        edits.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    propose(message, std::move(edits));
}

/// Between embedding and head a chunk without layers would hold no module at all.
bool empty_chunk_broken(const Setup& s) {
    const auto& layers = s.layers_per_chunk;
    return s.pipeline > 1 && layers.size() > 2 &&
           std::find(layers.begin() + 1, layers.end() - 1, 0) != layers.end() - 1;
}

void empty_chunk_describe(const Setup&, Message& message) {
    say(message,
        "torchtitan needs a module in every stage: a chunk between the first and the last has no layer");
    propose(message, {{"parallel.layers_per_stage", std::vector<std::int64_t>{}}});
}

/// PyTorch's looped schedules walk in ⌊m/p⌋ equal rounds; DualPipeV and the zero-bubble V fill every stage
/// once.
bool rounds_broken(const Setup& s) {
    if (s.pipeline == 1 || s.virtual_pipeline == 1) return false;
    if (is_interleaved(s.schedule) || s.schedule == ScheduleKind::hanayo)
        return s.micro_batches % std::max<std::int64_t>(1, s.micro_batches / s.pipeline) != 0;
    const bool dual = s.schedule == ScheduleKind::dualpipe || s.schedule == ScheduleKind::dualpipe_v ||
                      s.schedule == ScheduleKind::chimera;
    return dual && s.micro_batches < 2 * s.pipeline;
}

void rounds_describe(const Setup& s, Message& message) {
    if (is_interleaved(s.schedule) || s.schedule == ScheduleKind::hanayo)
        say(message,
            "{0} micro-batches do not make equal rounds over {1} stages, as PyTorch's schedules walk them",
            s.micro_batches, s.pipeline);
    else
        say(message, "PyTorch's DualPipeV needs {1} micro-batches for its {1} stages, not {0}",
            s.micro_batches, 2 * s.pipeline);
    const std::int64_t unit = samples_per_micro_batch(s);
    const std::int64_t least = product({unit, 2, s.pipeline});
    for (const std::int64_t batch :
         near_multiples(product({unit, s.pipeline}), s.plan.training.global_batch_size))
        if (is_interleaved(s.schedule) || s.schedule == ScheduleKind::hanayo || batch >= least)
            propose(message, {{"training.global_batch_size", batch}});
    propose(message, {{"training.global_batch_size", least}});
}

} // namespace

std::span<const Rule> torchtitan_rules() {
    static const std::array kRules = {
        Rule{"torchtitan-zero", "parallel.zero", "torchtitan", Severity::error, zero_broken, zero_describe},
        Rule{"torchtitan-replicas", "parallel.zero", "torchtitan", Severity::error, replicas_broken,
             replicas_describe},
        Rule{"torchtitan-shard-group", "parallel.shard_group", "torchtitan", Severity::error,
             shard_group_broken, shard_group_describe},
        Rule{"torchtitan-context-kind", "parallel.context_kind", "torchtitan", Severity::error,
             context_kind_broken, context_kind_describe},
        Rule{"torchtitan-sequence", "training.sequence_length", "torchtitan", Severity::error,
             sequence_broken, sequence_describe},
        Rule{"torchtitan-experts", "parallel.expert", "torchtitan", Severity::error, experts_broken,
             experts_describe},
        Rule{"torchtitan-expert-tensor", "parallel.expert_tensor", "torchtitan", Severity::error,
             expert_tensor_broken, expert_tensor_describe},
        Rule{"torchtitan-whole-experts", "parallel.expert_tensor", "torchtitan", Severity::error,
             whole_experts_broken, whole_experts_describe},
        Rule{"torchtitan-main-expert-tensor", "parallel.expert_tensor", "torchtitan@main", Severity::error,
             main_expert_tensor_broken, main_expert_tensor_describe},
        Rule{"torchtitan-kv-heads", "parallel.tensor", "torchtitan", Severity::error, kv_heads_broken,
             kv_heads_describe},
        Rule{"torchtitan-tied-pipeline", "parallel.pipeline", "torchtitan", Severity::error, tied_broken,
             tied_describe},
        Rule{"torchtitan-empty-chunk", "parallel.layers_per_stage", "torchtitan", Severity::error,
             empty_chunk_broken, empty_chunk_describe},
        Rule{"torchtitan-rounds", "training.global_batch_size", "torchtitan", Severity::error, rounds_broken,
             rounds_describe},
    };
    return kRules;
}

} // namespace shardlens::rules
