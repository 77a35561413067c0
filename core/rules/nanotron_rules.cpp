// SPDX-License-Identifier: GPL-3.0-or-later
// What nanotron 0.4 has no way to run (config/config.py, config/parallelism_config.py, parallel/context.py,
// parallel/pipeline_parallel/engine.py, nn/attention.py).
#include <array>
#include <numeric>

#include "plan/fields.h"
#include "rules/nanotron_split.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr std::int64_t kOne = 1;

bool chunks_broken(const Setup& s) { return s.pipeline > 1 && s.virtual_pipeline > 1; }

void chunks_describe(const Setup& s, Message& message) {
    say(message, "nanotron's pipeline has one chunk per rank, not {0}", s.virtual_pipeline);
    propose(message, {{"parallel.virtual_pipeline", kOne}, {"parallel.schedule", std::string("1f1b")}});
}

bool expert_broken(const Setup& s) { return s.moe() && s.expert > 1; }

void expert_describe(const Setup& s, Message& message) {
    say(message,
        "nanotron 0.4 cannot start with expert parallelism: its grid of ranks leaves the degree {0} out",
        s.expert);
    propose(message, {{"parallel.expert", kOne}});
}

bool expert_tensor_broken(const Setup& s) { return s.moe() && s.expert_tensor > 1; }

void expert_tensor_describe(const Setup& s, Message& message) {
    say(message, "nanotron does not split an expert over tensor ranks: {0} must be 1", s.expert_tensor);
    propose(message, {{"parallel.expert_tensor", kOne}});
}

bool zero_broken(const Setup& s) { return s.zero >= 2; }

void zero_describe(const Setup& s, Message& message) {
    say(message, "nanotron shards optimizer states only: ZeRO {0} would run as ZeRO 1", s.zero);
    propose(message, {{"parallel.zero", kOne}});
}

/// Its optimizer shards over the data ranks, whatever the context degree.
bool shard_group_broken(const Setup& s) {
    return s.zero == 1 && s.plan.parallel.shard_group > 0 && s.shard < product({s.data, s.context}) &&
           s.shard != s.data;
}

void shard_group_describe(const Setup& s, Message& message) {
    say(message, "nanotron shards optimizer states over all {0} data ranks, not over {1}", s.data, s.shard);
    propose(message, {{"parallel.shard_group", std::int64_t{0}}});
}

bool context_kind_broken(const Setup& s) { return s.context > 1 && s.context_kind == ContextKind::ulysses; }

void context_kind_describe(const Setup&, Message& message) {
    say(message,
        "nanotron splits sequences by ring attention or by gathering keys and values, not by Ulysses");
    propose(message, {{"parallel.context_kind", std::string("ring")}});
}

bool kv_heads_broken(const Setup& s) {
    return s.tensor > 1 && s.shape.kv() > 0 && (s.shape.kv() < s.tensor || s.shape.kv() % s.tensor != 0);
}

void kv_heads_describe(const Setup& s, Message& message) {
    say(message,
        "nanotron does not repeat key and value heads: {0} heads cannot be split over {1} tensor ranks",
        s.shape.kv(), s.tensor);
    const std::int64_t per_replica = product({s.tensor, s.data});
    propose_each(message, "parallel.tensor",
                 near_divisors(std::gcd(s.shape.heads, s.shape.kv()), s.tensor, 2, [&](std::int64_t value) {
                     return value < s.tensor && per_replica % value == 0;
                 }));
}

bool split_broken(const Setup& s) {
    return s.pipeline > 1 && s.virtual_pipeline == 1 && !s.plan.parallel.layers_per_stage.empty() &&
           static_cast<std::int64_t>(s.layers_per_chunk.size()) == s.pipeline &&
           s.layers_per_chunk != nanotron_split(s);
}

void split_describe(const Setup& s, Message& message) {
    say(message,
        "nanotron splits layers by their cost, the head counted with the last ones: no list is read");
    propose(message, {{"parallel.layers_per_stage", nanotron_split(s)}});
    propose(message, {{"parallel.layers_per_stage", std::vector<std::int64_t>{}}});
}

bool micro_batches_broken(const Setup& s) {
    return s.pipeline > 1 && s.schedule != ScheduleKind::gpipe && s.micro_batches < s.pipeline - 1;
}

void micro_batches_describe(const Setup& s, Message& message) {
    say(message, "nanotron's 1f1b needs at least {0} micro-batches for {1} stages, not {2}", s.pipeline - 1,
        s.pipeline, s.micro_batches);
    propose(message, {{"training.global_batch_size", product({samples_per_micro_batch(s), s.pipeline - 1})}});
    propose(message, {{"parallel.schedule", std::string("gpipe")}});
}

} // namespace

std::vector<std::int64_t> nanotron_split(const Setup& s) {
    const auto hidden = static_cast<double>(s.shape.hidden);
    const double mlp = 3 * hidden * static_cast<double>(s.shape.ffn_hidden);
    return split_layers_by_cost(s.shape.layers, s.pipeline, 4 * hidden * hidden + mlp,
                                static_cast<double>(s.shape.vocab) * hidden);
}

std::span<const Rule> nanotron_rules() {
    static const std::array kRules = {
        Rule{"nanotron-virtual-pipeline", "parallel.virtual_pipeline", "nanotron", Severity::error,
             chunks_broken, chunks_describe},
        Rule{"nanotron-expert", "parallel.expert", "nanotron", Severity::error, expert_broken,
             expert_describe},
        Rule{"nanotron-expert-tensor", "parallel.expert_tensor", "nanotron", Severity::error,
             expert_tensor_broken, expert_tensor_describe},
        Rule{"nanotron-zero", "parallel.zero", "nanotron", Severity::error, zero_broken, zero_describe},
        Rule{"nanotron-shard-group", "parallel.shard_group", "nanotron", Severity::error, shard_group_broken,
             shard_group_describe},
        Rule{"nanotron-context-kind", "parallel.context_kind", "nanotron", Severity::error,
             context_kind_broken, context_kind_describe},
        Rule{"nanotron-kv-heads", "parallel.tensor", "nanotron", Severity::error, kv_heads_broken,
             kv_heads_describe},
        Rule{"nanotron-split", "parallel.layers_per_stage", "nanotron", Severity::error, split_broken,
             split_describe},
        Rule{"nanotron-micro-batches", "training.global_batch_size", "nanotron", Severity::error,
             micro_batches_broken, micro_batches_describe},
    };
    return kRules;
}

} // namespace shardlens::rules
