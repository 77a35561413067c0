// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM (core 0.12, 0.16, 0.19, main) and what stands on it: Megatron-Bridge, MindSpeed (core 0.12).
// Rules of megatron/training/arguments.py (validate_args), core/transformer/transformer_config.py and
// core/parallel_state.py, and what these let through although the run then fails or differs.
#include <algorithm>
#include <array>
#include <numeric>

#include "plan/known_launchers.h"
#include "rules/accelerate_backend.h"
#include "rules/megatron_split.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

constexpr const char* kFamily = kMegatronFamily;
constexpr const char* kRunners = kMegatronRunners;
constexpr const char* kWithoutLayout = "megatron-lm@0.12 mindspeed";

/// Does Megatron run the plan? accelerate has other engines too.
bool on_megatron(const Setup& s) {
    return !targets(s, "accelerate") || accelerate_backend(s) == AccelerateBackend::megatron;
}

std::int64_t chunks(const Setup& s) { return product({s.pipeline, s.virtual_pipeline}); }

/// validate_args: layers, and one for embedding and head each where the stack counts them (the flags
/// --account-for-…), must divide. A list in the plan says the split outright.
bool layers_broken(const Setup& s) {
    if (s.pipeline == 1 || !s.plan.parallel.layers_per_stage.empty()) return false;
    // accelerate's plugin counts no ends, and says how many layers the last stage has.
    if (targets(s, "accelerate")) return s.shape.layers % chunks(s) != 0 && !only_last_differs(s);
    const std::int64_t ends = s.stack.ends_count_as_layers ? 2 + s.shape.mtp_layers : 0;
    return s.shape.layers % chunks(s) != 0 && (ends == 0 || (s.shape.layers + ends) % chunks(s) != 0);
}

void layers_describe(const Setup& s, Message& message) {
    const std::int64_t layers = s.shape.layers, kept = layers / chunks(s) * chunks(s);
    if (s.virtual_pipeline > 1)
        say(message,
            "{0} layers do not divide into {1} stages of {2} chunks each; Megatron refuses that or, in "
            "releases "
            "without the check, builds {3} layers",
            layers, s.pipeline, s.virtual_pipeline, kept);
    else
        say(message,
            "{0} layers do not divide into {1} stages; Megatron refuses that or, in releases without the "
            "check, "
            "builds {2} layers",
            layers, s.pipeline, kept);
    if (s.virtual_pipeline > 1 && layers % s.pipeline == 0)
        for (const std::int64_t v :
             near_divisors(layers / s.pipeline, s.virtual_pipeline, 2, [](std::int64_t) { return true; })) {
            Edits edits{{"parallel.virtual_pipeline", v}};
            if (v == 1) edits.emplace_back("parallel.schedule", std::string("1f1b"));
            propose(message, std::move(edits));
        }
    propose_each(message, "parallel.pipeline", near_divisors(layers, s.pipeline, 4, [&](std::int64_t p) {
                     return p != s.pipeline && layers % product({p, s.virtual_pipeline}) == 0;
                 }));
    if (targets(s, "accelerate")) {
        if (auto split = last_stage_shorter(s); !split.empty())
            propose(message, {{"parallel.layers_per_stage", std::move(split)}});
        return;
    }
    if (static_cast<std::int64_t>(s.layers_per_chunk.size()) == chunks(s) && chunks(s) <= 128)
        propose(message, {{"parallel.layers_per_stage", s.layers_per_chunk}});
}

// --- MindSpeed's DualPipeV (mindspeed/features_manager/pipeline_parallel/dualpipev_feature.py)

bool dualpipe(const Setup& s) { return s.schedule == ScheduleKind::dualpipe_v && s.pipeline > 1; }

bool split_broken(const Setup& s) {
    const auto& layers = s.layers_per_chunk;
    return static_cast<std::int64_t>(layers.size()) == chunks(s) && !layers_broken(s) &&
           std::accumulate(layers.begin(), layers.end(), std::int64_t{0}) == s.shape.layers &&
           (split_words(s, false) == SplitWords::none ||
            (targets(s, "mindspeed") && dualpipe(s) && split_words(s, false) != SplitWords::even));
}

void split_describe(const Setup& s, Message& message) {
    say(message,
        s.virtual_pipeline > 1
            ? "Megatron 0.12 can only give the first and the last chunk one layer less than the others"
            : "Megatron 0.12 can only make the first and the last stage differ from the others");
    propose(message, {{"parallel.layers_per_stage", std::vector<std::int64_t>{}}});
    if (s.plan.parallel.virtual_pipeline > 1)
        propose(message,
                {{"parallel.virtual_pipeline", std::int64_t{1}}, {"parallel.schedule", std::string("1f1b")}});
    if (targets(s, "megatron-lm")) propose(message, {{"target", std::string("megatron-lm@0.19")}});
}

/// forward_backward_pipelining_with_interleaving: p ≤ g ≤ m, and the rest of m / g is 0 or at least p; g is p
/// unless given. Found at the first step only. Megatron interleaves whatever schedule a plan with chunks
/// names.
bool interleaved_broken(const Setup& s) {
    if (s.pipeline == 1 || s.plan.parallel.virtual_pipeline < 2) return false;
    if (targets(s, "mindspeed") && s.schedule == ScheduleKind::dualpipe_v) return false;
    const std::int64_t given = s.plan.parallel.virtual_pipeline_group, m = s.micro_batches, p = s.pipeline;
    const auto runs = [&](std::int64_t g) { return p <= g && g <= m && (m % g == 0 || m % g >= p); };
    // Said by the rules of the interleaved schedules already.
    if (is_interleaved(s.schedule) && !runs(group_size(s))) return false;
    return !runs(given > 0 ? given : p);
}

void interleaved_describe(const Setup& s, Message& message) {
    const std::int64_t given = s.plan.parallel.virtual_pipeline_group, m = s.micro_batches, p = s.pipeline;
    say(message,
        "Megatron takes {0} micro-batches in groups of {1}, which do not make an interleaved step over {2} "
        "stages: whole groups are needed, or a rest of at least {2}",
        m, given > 0 ? given : p, p);
    if (m >= p) {
        const std::int64_t rounds = m / p;
        propose(message, {{"parallel.virtual_pipeline_group", m % rounds == 0 ? m / rounds : m}});
    }
    const std::int64_t samples = samples_per_micro_batch(s);
    for (const std::int64_t count : near_multiples(p, m))
        propose(message, {{"training.global_batch_size", product({count, samples})}});
    propose(message,
            {{"parallel.virtual_pipeline", std::int64_t{1}}, {"parallel.schedule", std::string("1f1b")}});
}

bool sequence_broken(const Setup& s) {
    // Ring attention has the same rule for every launcher.
    return on_megatron(s) && s.context > 1 && s.context_kind != ContextKind::ring &&
           s.plan.training.sequence_length % product({2, s.context}) != 0;
}

void sequence_describe(const Setup& s, Message& message) {
    const std::int64_t unit = product({2, s.context}), length = s.plan.training.sequence_length;
    say(message,
        "A sequence of {0} tokens is not a multiple of 2 · context = {1}, which Megatron asks of every kind",
        length, unit);
    propose_each(
        message, "training.sequence_length",
        near_multiples(product({unit, s.sequence ? s.tensor / std::gcd(unit, s.tensor) : 1}), length));
    propose(message, {{"parallel.context", std::int64_t{1}}});
}

/// What the first condition that MindSpeed's dualpipev finds broken says; nullptr where all hold.
const char* dualpipe_complaint(const Setup& s) {
    if (!dualpipe(s)) return nullptr;
    const std::int64_t chunks_of_all = product({2, s.pipeline});
    if (s.context > 1) return "MindSpeed's dualpipev needs context 1, not {0}";
    if (s.zero >= 2) return "MindSpeed's dualpipev needs zero 0 or 1, not {1}";
    if (s.shape.tied_embeddings) return "MindSpeed's dualpipev needs embeddings that are not tied";
    if (s.shape.layers < chunks_of_all) return "MindSpeed's dualpipev needs at least {2} layers, not {3}";
    if (s.micro_batches < chunks_of_all - 1)
        return "MindSpeed's dualpipev needs at least {4} micro-batches, not {5}";
    return nullptr;
}

bool dualpipe_broken(const Setup& s) { return dualpipe_complaint(s) != nullptr; }

void dualpipe_describe(const Setup& s, Message& message) {
    say(message, dualpipe_complaint(s), s.context, s.zero, product({2, s.pipeline}), s.shape.layers,
        product({2, s.pipeline}) - 1, s.micro_batches);
    Edits edits;
    if (s.context > 1) edits.emplace_back("parallel.context", std::int64_t{1});
    if (s.zero >= 2) edits.emplace_back("parallel.zero", std::int64_t{1});
    if (!edits.empty()) propose(message, std::move(edits));
    propose(message,
            {{"parallel.schedule", std::string("1f1b")}, {"parallel.virtual_pipeline", std::int64_t{1}}});
}

bool offloads_activations(const Setup& s) { return s.plan.memory.offload_activations != Offload::none; }

constexpr std::array kRules = {
    Rule{"megatron-layers", "parallel.pipeline", kRunners, Severity::error, layers_broken, layers_describe},
    Rule{"megatron-split", "parallel.layers_per_stage", kWithoutLayout, Severity::error, split_broken,
         split_describe},
    Rule{"megatron-interleaved-group", "training.global_batch_size", kFamily, Severity::error,
         interleaved_broken, interleaved_describe},
    Rule{"megatron-sequence-context", "training.sequence_length", kRunners, Severity::error, sequence_broken,
         sequence_describe},
    // validate_args drops the flag without a word.
    Rule{"megatron-sequence", "parallel.sequence", kRunners, Severity::error,
         [](const Setup& s) { return s.plan.parallel.sequence && s.tensor == 1 && on_megatron(s); },
         [](const Setup&, Message& message) {
             say(message, "Megatron drops sequence parallelism with tensor 1 without a word");
             propose(message, {{"parallel.sequence", false}});
         }},
    // MoELayer.forward raises in training (all releases); release 0.12 refuses it with expert parallelism
    // in ModelParallelConfig already.
    Rule{
        "megatron-moe-sequence", "parallel.sequence", kRunners, Severity::error,
        [](const Setup& s) { return s.moe() && s.tensor > 1 && !s.plan.parallel.sequence && on_megatron(s); },
        [](const Setup& s, Message& message) {
            say(message,
                "Megatron's expert layers train with tensor {0} only with sequence parallelism; without it "
                "the first step fails",
                s.tensor);
            propose(message, {{"parallel.sequence", true}});
            propose(message, {{"parallel.tensor", std::int64_t{1}}});
        }},
    // TransformerConfig: bias in experts needs expert tensor parallelism 1.
    Rule{"megatron-expert-bias", "parallel.expert_tensor", kRunners, Severity::error,
         [](const Setup& s) {
             const Biases& biases = s.shape.biases;
             return s.moe() && s.expert_tensor > 1 && biases.qkv && biases.attn_out && biases.mlp &&
                    on_megatron(s);
         },
         [](const Setup& s, Message& message) {
             say(message, "Experts with biases cannot be split over {0} tensor ranks", s.expert_tensor);
             propose(message, {{"parallel.expert_tensor", std::int64_t{1}}});
         }},
    Rule{"megatron-fsdp-optimizer", "parallel.zero", kFamily, Severity::error,
         [](const Setup& s) {
             const Optimizer optimizer = s.plan.training.optimizer;
             return s.zero >= 2 && optimizer != Optimizer::adamw && optimizer != Optimizer::sgd;
         },
         [](const Setup& s, Message& message) {
             say(message, "zero {0} runs on Megatron's FSDP, which trains with adamw or sgd only", s.zero);
             propose(message, {{"parallel.zero", std::int64_t{1}}});
             propose(message, {{"training.optimizer", std::string("adamw")}});
         }},
    Rule{"megatron-hybrid", "parallel.shard_group", kWithoutLayout, Severity::error,
         [](const Setup& s) {
             return s.zero >= 2 && s.shard < product({s.data, s.context});
         },
         [](const Setup&, Message& message) {
             say(message, "Megatron 0.12 cannot shard gradients or parameters over a part of the ranks");
             propose(message, {{"parallel.shard_group", std::int64_t{0}}});
             propose(message, {{"parallel.zero", std::int64_t{1}}});
         }},
    Rule{"megatron-positions", "training.sequence_length", kRunners, Severity::error,
         [](const Setup& s) {
             return s.shape.learned_positions > 0 &&
                    s.plan.training.sequence_length > s.shape.learned_positions && on_megatron(s);
         },
         [](const Setup& s, Message& message) {
             say(message, "A sequence of {0} tokens is longer than the {1} learned positions",
                 s.plan.training.sequence_length, s.shape.learned_positions);
             propose(message, {{"training.sequence_length", s.shape.learned_positions}});
         }},
    // validate_args: multi-token prediction with rotary or no positions only.
    Rule{"megatron-mtp-positions", "model.mtp_layers", kFamily, Severity::error,
         [](const Setup& s) { return s.shape.mtp_layers > 0 && s.shape.learned_positions > 0; },
         [](const Setup& s, Message& message) {
             say(message, "Megatron's {0} MTP layers do not go with learned positions", s.shape.mtp_layers);
             if (owns_model(s)) propose(message, {{"model.mtp_layers", std::int64_t{0}}});
         }},
    // validate_args of core 0.12: KV heads are not copied there.
    Rule{"megatron-kv-heads", "parallel.tensor", kWithoutLayout, Severity::error,
         [](const Setup& s) {
             return !s.shape.mla && s.shape.kv() != s.shape.heads && s.shape.kv() % s.tensor != 0;
         },
         [](const Setup& s, Message& message) {
             say(message, "Megatron 0.12 splits KV heads and does not copy them: {0} over {1} tensor ranks",
                 s.shape.kv(), s.tensor);
             propose_each(message, "parallel.tensor",
                          near_divisors(s.shape.kv(), s.tensor, 3,
                                        [&](std::int64_t value) { return s.shape.heads % value == 0; }));
         }},
    Rule{"megatron-mtp-context", "parallel.context", kWithoutLayout, Severity::error,
         [](const Setup& s) { return s.shape.mtp_layers > 0 && s.context > 1; },
         [](const Setup& s, Message& message) {
             say(message, "Megatron 0.12 cannot train MTP layers with context {0}", s.context);
             propose(message, {{"parallel.context", std::int64_t{1}}});
         }},
    Rule{"mindspeed-dualpipev", "parallel.schedule", "mindspeed", Severity::error, dualpipe_broken,
         dualpipe_describe},
    // What the files leave out, so that the run needs more memory than was planned.
    Rule{"megatron-offload-activations", "memory.offload_activations", kFamily, Severity::warning,
         [](const Setup& s) {
             return offloads_activations(s) && (s.pipeline > 1 || s.plan.memory.recompute != Recompute::none);
         },
         [](const Setup&, Message& message) {
             say(message,
                 "Megatron offloads activations only without a pipeline and without recomputation: they stay "
                 "on the GPU");
             propose(message, {{"memory.offload_activations", std::string("none")}});
         }},
    Rule{"megatron-optimizer-states", "memory.offload_optimizer", kFamily, Severity::warning,
         [](const Setup& s) {
             const bool special =
                 s.plan.memory.offload_optimizer != Offload::none || s.optimizer_dtype != Dtype::fp32;
             return special && (s.zero == 0 || s.plan.training.optimizer != Optimizer::adamw);
         },
         [](const Setup&, Message& message) {
             say(message,
                 "Megatron keeps optimizer states in 16 bits or on the host only with adamw and zero 1 or "
                 "more: they stay as they are");
             propose(message, {{"parallel.zero", std::int64_t{1}}});
         }},
};

} // namespace

std::span<const Rule> megatron_rules() { return kRules; }

} // namespace shardlens::rules
