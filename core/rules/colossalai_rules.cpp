// SPDX-License-Identifier: GPL-3.0-or-later
// ColossalAI 0.5: booster/plugin/hybrid_parallel_plugin.py and moe_hybrid_parallel_plugin.py.
#include <array>

#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr const char* kColossal = "colossalai";

/// colossalai/pipeline/schedule/interleaved_pp.py
bool colossal_interleaved_broken(const Setup& s) {
    return s.pipeline > 1 && s.plan.parallel.virtual_pipeline > 1 && s.micro_batches >= s.pipeline &&
           s.micro_batches % s.pipeline != 0;
}

/// Ranks that share the heads: Ulysses deals them before tensor parallelism does.
std::int64_t head_ranks(const Setup& s) {
    return product({s.tensor, s.context > 1 && s.context_kind == ContextKind::ulysses ? s.context : 1});
}

/// shardformer/policies/llama.py and its likes: the heads are divided, never copied.
bool kv_heads_broken(const Setup& s) {
    return !s.shape.mla && s.shape.kv() > 0 && s.shape.kv() % head_ranks(s) != 0;
}

void kv_heads_describe(const Setup& s, Message& message) {
    say(message,
        "ColossalAI does not repeat key and value heads: {0} heads cannot be split over {1} ranks of tensor "
        "and Ulysses",
        s.shape.kv(), head_ranks(s));
    const auto fewer = [&](const char* path, std::int64_t now, std::int64_t others) {
        if (now > 1 && s.shape.kv() % others == 0)
            propose_each(message, path, near_divisors(s.shape.kv() / others, now, 2, [&](std::int64_t value) {
                             return value < now;
                         }));
    };
    fewer("parallel.tensor", s.tensor, head_ranks(s) / s.tensor);
    if (head_ranks(s) > s.tensor) {
        fewer("parallel.context", s.context, s.tensor);
        propose(message, {{"parallel.context_kind", std::string("ring")}});
    }
}

constexpr std::array kRules = {
    Rule{"colossalai-zero-pipeline", "parallel.zero", kColossal, Severity::error,
         [](const Setup& s) { return s.zero == 2 && s.pipeline > 1; },
         [](const Setup& s, Message& message) {
             say(message, "ColossalAI refuses zero {0} with {1} pipeline ranks", s.zero, s.pipeline);
             propose(message, {{"parallel.zero", std::int64_t{1}}});
             propose(message, {{"parallel.pipeline", std::int64_t{1}}});
         }},
    Rule{"colossalai-zero-precision", "training.precision", kColossal, Severity::error,
         [](const Setup& s) { return s.zero > 0 && s.plan.training.precision == Precision::fp32; },
         [](const Setup& s, Message& message) {
             say(message, "ColossalAI's zero {0} trains in bf16 or fp16 only", s.zero);
             propose(message, {{"training.precision", std::string("bf16")}});
             propose(message, {{"parallel.zero", std::int64_t{0}}});
         }},
    Rule{"colossalai-interleaved", "training.global_batch_size", kColossal, Severity::error,
         colossal_interleaved_broken,
         [](const Setup& s, Message& message) {
             say(message,
                 "ColossalAI's interleaved schedule needs a multiple of {0} micro-batches, as many as "
                 "stages, not {1}",
                 s.pipeline, s.micro_batches);
             for (const std::int64_t count : near_multiples(s.pipeline, s.micro_batches))
                 propose(message,
                         {{"training.global_batch_size", product({count, samples_per_micro_batch(s)})}});
         }},
    Rule{"colossalai-kv-heads", "parallel.tensor", kColossal, Severity::error, kv_heads_broken,
         kv_heads_describe},
    // moe_hybrid_parallel_plugin.py: lowered to 1 with a warning, because the run may hang
    Rule{"colossalai-experts-zero", "parallel.zero", kColossal, Severity::error,
         [](const Setup& s) { return s.moe() && s.zero == 2; },
         [](const Setup&, Message& message) {
             say(message, "ColossalAI runs a model with experts with zero 0 or 1");
             propose(message, {{"parallel.zero", std::int64_t{1}}});
         }},
    Rule{"colossalai-experts-data", "parallel.expert", kColossal, Severity::error,
         [](const Setup& s) { return s.moe() && s.data % s.expert != 0; },
         [](const Setup& s, Message& message) {
             say(message, "ColossalAI places experts on data ranks: expert {0} must divide data {1}",
                 s.expert, s.data);
             propose_each(message, "parallel.expert",
                          near_divisors(s.data, s.expert, 2, [](std::int64_t) { return true; }));
         }},
    Rule{"colossalai-experts-ring", "parallel.context_kind", kColossal, Severity::error,
         [](const Setup& s) { return s.moe() && s.context > 1 && s.context_kind == ContextKind::ring; },
         [](const Setup&, Message& message) {
             say(message, "ColossalAI's plugin for experts has no ring attention");
             propose(message, {{"parallel.context_kind", std::string("ulysses")}});
             propose(message, {{"parallel.context", std::int64_t{1}}});
         }},
};

} // namespace

std::span<const Rule> colossalai_rules() { return kRules; }

} // namespace shardlens::rules
