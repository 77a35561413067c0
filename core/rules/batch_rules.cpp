// SPDX-License-Identifier: GPL-3.0-or-later
// Batches, sequence and precision.
#include <algorithm>
#include <array>
#include <numeric>

#include "plan/fields.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

/// llm-foundry cuts the batch of a device into micro-batches itself; the last one may be smaller.
bool last_may_be_smaller(const Setup& s) { return s.stack.id == "llm-foundry" || targets(s, "llm-foundry"); }

/// At least 1, also for a plan whose micro-batch has not been given yet.
std::int64_t batch_unit(const Setup& s) {
    return std::max<std::int64_t>(1, last_may_be_smaller(s) ? s.data : samples_per_micro_batch(s));
}

bool batch_broken(const Setup& s) { return s.plan.training.global_batch_size % batch_unit(s) != 0; }

void batch_describe(const Setup& s, Message& message) {
    const std::int64_t batch = s.plan.training.global_batch_size, micro = s.plan.training.micro_batch_size;
    if (last_may_be_smaller(s))
        say(message, "A global batch of {0} cannot be divided over {1} data ranks", batch, s.data);
    else
        say(message,
            "A global batch of {0} cannot be divided into micro-batches of {1} on {2} data ranks ({1} · {2} "
            "= {3})",
            batch, micro, s.data, batch_unit(s));
    propose_each(message, "training.global_batch_size", near_multiples(batch_unit(s), batch));
    if (batch % s.data == 0 && !last_may_be_smaller(s))
        propose_each(message, "training.micro_batch_size",
                     near_divisors(batch / s.data, micro, 2, [](std::int64_t) { return true; }));
    if (s.pipeline > 1)
        propose_each(message, "training.global_batch_size",
                     near_multiples(product({batch_unit(s), s.pipeline}), batch));
    if (micro > 0 && batch % micro == 0)
        for (const std::int64_t data :
             near_divisors(batch / micro, s.data, 2, [](std::int64_t) { return true; })) {
            Edits edits{{"cluster.gpus", product({model_ranks(s), data})}};
            if (s.plan.parallel.data) edits.emplace_back("parallel.data", data);
            propose(message, std::move(edits));
        }
}

bool remainder_broken(const Setup& s) {
    return last_may_be_smaller(s) && !batch_broken(s) &&
           s.plan.training.global_batch_size % samples_per_micro_batch(s) != 0;
}

void remainder_describe(const Setup& s, Message& message) {
    const std::int64_t per_rank = s.plan.training.global_batch_size / s.data;
    say(message,
        "{0} samples per data rank are not a multiple of the micro-batch {1}: the last micro-batch has {2}",
        per_rank, s.plan.training.micro_batch_size, per_rank % s.plan.training.micro_batch_size);
}

// --- sequence

/// Ring attention gives every rank two chunks, one early and one late, so that the causal mask loads all
/// alike.
std::int64_t context_unit(const Setup& s) {
    if (s.context == 1) return 1;
    return s.context_kind == ContextKind::ring ? product({2, s.context}) : s.context;
}

std::int64_t sequence_unit(const Setup& s) {
    const std::int64_t ranks = s.sequence ? product({s.tensor, s.context}) : 1;
    return product({context_unit(s), ranks / std::gcd(context_unit(s), ranks)});
}

bool sequence_context_broken(const Setup& s) {
    return s.plan.training.sequence_length % context_unit(s) != 0;
}

void sequence_context_describe(const Setup& s, Message& message) {
    const std::int64_t length = s.plan.training.sequence_length;
    say(message,
        s.context_kind == ContextKind::ring
            ? "A sequence of {0} tokens cannot be cut into 2 · {1} equal parts for {1} context ranks"
            : "A sequence of {0} tokens cannot be cut into equal parts for {1} context ranks",
        length, s.context);
    propose_each(message, "training.sequence_length", near_multiples(sequence_unit(s), length));
    const std::int64_t factor = context_unit(s) / s.context;
    if (length % factor == 0)
        for (const std::int64_t context :
             near_divisors(length / factor, s.context, 2, [&](std::int64_t value) {
                 return s.world() % product({s.tensor, s.pipeline, value}) == 0;
             }))
            propose(message, {{"parallel.context", context}});
    propose(message, {{"parallel.context", std::int64_t{1}}});
}

bool sequence_tensor_broken(const Setup& s) {
    return s.sequence && s.plan.training.sequence_length % product({s.tensor, s.context}) != 0;
}

void sequence_tensor_describe(const Setup& s, Message& message) {
    const std::int64_t length = s.plan.training.sequence_length;
    say(message,
        "A sequence of {0} tokens cannot be split over tensor {1} · context {2} ranks, as sequence "
        "parallelism does",
        length, s.tensor, s.context);
    propose_each(message, "training.sequence_length", near_multiples(sequence_unit(s), length));
    propose(message, {{"parallel.sequence", false}});
}

bool sequence_idle_broken(const Setup& s) {
    return s.plan.parallel.sequence && s.tensor == 1 && !targets(s, "megatron-lm megatron-bridge mindspeed");
}

void sequence_idle_describe(const Setup&, Message& message) {
    say(message, "Sequence parallelism has no effect with tensor 1");
    propose(message, {{"parallel.sequence", false}});
}

bool positions_broken(const Setup& s) {
    return s.shape.learned_positions > 0 && s.plan.training.sequence_length > s.shape.learned_positions &&
           !targets(s, "megatron-lm megatron-bridge mindspeed");
}

void positions_describe(const Setup& s, Message& message) {
    say(message, "The model has learned positions for {0} tokens only, the sequence has {1}",
        s.shape.learned_positions, s.plan.training.sequence_length);
    propose(message, {{"training.sequence_length", s.shape.learned_positions}});
    if (owns_model(s)) propose(message, {{"model.learned_positions", s.plan.training.sequence_length}});
}

bool tokens_broken(const Setup& s) {
    const Training& t = s.plan.training;
    return t.tokens && *t.tokens < static_cast<double>(product({t.global_batch_size, t.sequence_length}));
}

void tokens_describe(const Setup& s, Message& message) {
    const Training& t = s.plan.training;
    say(message, "{0} tokens are less than one step of {1} · {2} tokens", *t.tokens, t.global_batch_size,
        t.sequence_length);
    propose(message,
            {{"training.tokens", static_cast<double>(product({t.global_batch_size, t.sequence_length}))}});
}

// --- precision

/// Has the accelerator matrix units for it? Block-scaled formats (MXFP8, NVFP4) came together with FP4 units.
bool has_unit(const Accelerator& accelerator, Precision precision) {
    switch (precision) {
    case Precision::fp32: return true;
    case Precision::fp16: return accelerator.fp16_flops > 0;
    case Precision::bf16: return accelerator.bf16_flops > 0;
    case Precision::fp8: return accelerator.fp8_flops > 0;
    case Precision::mxfp8: return accelerator.fp8_flops > 0 && accelerator.fp4_flops > 0;
    case Precision::nvfp4: return accelerator.fp4_flops > 0;
    }
    return true;
}

bool precision_broken(const Setup& s) { return !has_unit(s.cluster.accelerator, s.plan.training.precision); }

void precision_describe(const Setup& s, Message& message) {
    const Accelerator& accelerator = s.cluster.accelerator;
    say(message, "{0} has no units for {1}", accelerator.name.empty() ? accelerator.id : accelerator.name,
        to_string(s.plan.training.precision));
    const Precision wanted = s.plan.training.precision;
    for (const Precision other :
         {Precision::mxfp8, Precision::fp8, Precision::bf16, Precision::fp16, Precision::fp32})
        if (other != wanted && (other <= Precision::bf16 || other < wanted) && has_unit(accelerator, other))
            propose(message, {{"training.precision", std::string(to_string(other))}});
}

constexpr std::array kRules = {
    Rule{"batch-divisible", "training.global_batch_size", "", Severity::error, batch_broken, batch_describe},
    Rule{"sequence-context", "training.sequence_length", "", Severity::error, sequence_context_broken,
         sequence_context_describe},
    Rule{"sequence-tensor", "training.sequence_length", "", Severity::error, sequence_tensor_broken,
         sequence_tensor_describe},
    Rule{"precision-unit", "training.precision", "", Severity::error, precision_broken, precision_describe},
    Rule{"positions-too-few", "training.sequence_length", "", Severity::warning, positions_broken,
         positions_describe},
    Rule{"tokens-below-step", "training.tokens", "", Severity::warning, tokens_broken, tokens_describe},
    Rule{"sequence-idle", "parallel.sequence", "", Severity::info, sequence_idle_broken,
         sequence_idle_describe},
    Rule{"micro-batch-remainder", "training.micro_batch_size", "", Severity::info, remainder_broken,
         remainder_describe},
};

} // namespace

std::span<const Rule> batch_rules() { return kRules; }

} // namespace shardlens::rules
