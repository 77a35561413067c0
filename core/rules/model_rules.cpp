// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of the model: is it whole, and can it be cut as the plan wants.
#include <algorithm>
#include <array>
#include <numeric>

#include "rules/support.h"

namespace shardlens::rules {

namespace {

bool has_mla(const Setup& s) { return s.shape.mla.has_value(); }

/// Fewer KV heads than heads: else the rules for heads have said it already.
bool groups_queries(const Setup& s) { return !has_mla(s) && s.shape.kv() != s.shape.heads; }

/// KV heads are split over the ranks, or whole copies of them are held by several.
bool shares(std::int64_t kv_heads, std::int64_t ranks) {
    return kv_heads < 1 || kv_heads % ranks == 0 || ranks % kv_heads == 0;
}

bool has_dense_layers(const Setup& s) {
    return !s.moe() || s.shape.moe->dense_layers > 0 || s.shape.moe->layer_step > 1;
}

/// Width that tensor parallelism cuts besides the heads: the MLP of dense layers and shared experts.
std::int64_t cut_width(const Setup& s) {
    const std::int64_t dense = has_dense_layers(s) ? s.shape.ffn_hidden : 0;
    return std::gcd(dense, s.moe() ? s.shape.moe->shared_ffn : 0);
}

/// Tensor degrees near the plan's that cut heads, KV heads and widths, and leave whole replicas on the
/// cluster.
void propose_tensor(const Setup& s, Message& message) {
    const std::int64_t others = product({s.pipeline, s.context});
    for (const std::int64_t tensor : near_divisors(s.shape.heads, s.tensor, 3, [&](std::int64_t value) {
             return value != s.tensor && (has_mla(s) || shares(s.shape.kv(), value)) &&
                    cut_width(s) % value == 0 && s.world() % product({others, value}) == 0;
         }))
        propose(message, {{"parallel.tensor", tensor}});
}

bool tensor_heads_broken(const Setup& s) { return s.shape.heads % s.tensor != 0; }

void tensor_heads_describe(const Setup& s, Message& message) {
    say(message, "{0} attention heads cannot be split over {1} tensor ranks", s.shape.heads, s.tensor);
    propose_tensor(s, message);
}

bool tensor_kv_broken(const Setup& s) { return groups_queries(s) && !shares(s.shape.kv(), s.tensor); }

void tensor_kv_describe(const Setup& s, Message& message) {
    say(message,
        "{0} KV heads can be neither split over nor copied to {1} tensor ranks (one must be a multiple of "
        "the other)",
        s.shape.kv(), s.tensor);
    propose_tensor(s, message);
}

bool tensor_ffn_broken(const Setup& s) { return cut_width(s) % s.tensor != 0; }

void tensor_ffn_describe(const Setup& s, Message& message) {
    const bool dense = has_dense_layers(s) && s.shape.ffn_hidden % s.tensor != 0;
    say(message,
        dense ? "The FFN width {0} cannot be split over {1} tensor ranks"
              : "The shared experts' width {0} cannot be split over {1} tensor ranks",
        dense ? s.shape.ffn_hidden : s.shape.moe->shared_ffn, s.tensor);
    propose_tensor(s, message);
}

bool expert_ffn_broken(const Setup& s) { return s.moe() && s.shape.moe->expert_ffn % s.expert_tensor != 0; }

void expert_ffn_describe(const Setup& s, Message& message) {
    say(message, "The experts' width {0} cannot be split over {1} expert tensor ranks",
        s.shape.moe->expert_ffn, s.expert_tensor);
    propose_each(message, "parallel.expert_tensor",
                 near_divisors(s.shape.moe->expert_ffn, s.expert_tensor, 3, [&](std::int64_t value) {
                     return s.world() % product({s.pipeline, s.expert, value}) == 0;
                 }));
    propose(message, {{"parallel.expert_tensor", std::int64_t{1}}});
}

// --- Ulysses cuts heads over the context ranks as well

bool is_ulysses(const Setup& s) { return s.context > 1 && s.context_kind == ContextKind::ulysses; }
std::int64_t head_ranks(const Setup& s) { return product({s.tensor, s.context}); }

void propose_context(const Setup& s, Message& message) {
    for (const std::int64_t context : near_divisors(
             std::max<std::int64_t>(1, s.shape.heads / s.tensor), s.context, 3, [&](std::int64_t value) {
                 const std::int64_t ranks = product({s.tensor, value});
                 return value != s.context && shares(s.shape.kv(), ranks) &&
                        s.world() % product({ranks, s.pipeline}) == 0;
             }))
        propose(message, {{"parallel.context", context}});
    propose(message, {{"parallel.context_kind", std::string("ring")}});
    propose(message, {{"parallel.context", std::int64_t{1}}});
}

bool ulysses_heads_broken(const Setup& s) { return is_ulysses(s) && s.shape.heads % head_ranks(s) != 0; }

void ulysses_heads_describe(const Setup& s, Message& message) {
    say(message,
        "{0} attention heads cannot be split over context {1} · tensor {2} = {3} ranks, as ulysses does",
        s.shape.heads, s.context, s.tensor, head_ranks(s));
    propose_context(s, message);
}

bool ulysses_kv_broken(const Setup& s) {
    return is_ulysses(s) && groups_queries(s) && !shares(s.shape.kv(), head_ranks(s));
}

void ulysses_kv_describe(const Setup& s, Message& message) {
    say(message,
        "{0} KV heads can be neither split over nor copied to context {1} · tensor {2} = {3} ranks, as "
        "ulysses does",
        s.shape.kv(), s.context, s.tensor, head_ranks(s));
    propose_context(s, message);
}

// --- the shape itself

bool kv_heads_broken(const Setup& s) {
    return !has_mla(s) && s.shape.kv() > 0 && s.shape.heads % s.shape.kv() != 0;
}

void kv_heads_describe(const Setup& s, Message& message) {
    say(message, "{0} attention heads cannot share {1} KV heads evenly", s.shape.heads, s.shape.kv());
    if (owns_model(s))
        propose_each(message, "model.kv_heads",
                     near_divisors(s.shape.heads, s.shape.kv(), 3, [](std::int64_t) { return true; }));
}

bool head_dim_broken(const Setup& s) {
    return !has_mla(s) && !s.shape.head_dim && s.shape.heads > 0 && s.shape.hidden % s.shape.heads != 0;
}

void head_dim_describe(const Setup& s, Message& message) {
    say(message, "Hidden size {0} cannot be divided by {1} heads, and no head_dim is given", s.shape.hidden,
        s.shape.heads);
    if (!owns_model(s)) return;
    propose(message, {{"model.head_dim", std::max<std::int64_t>(1, s.shape.hidden / s.shape.heads)}});
    propose_each(message, "model.heads",
                 near_divisors(s.shape.hidden, s.shape.heads, 2, [](std::int64_t) { return true; }));
    propose_each(message, "model.hidden", near_multiples(s.shape.heads, s.shape.hidden));
}

bool top_k_broken(const Setup& s) {
    return s.moe() && (s.shape.moe->top_k > s.shape.moe->experts || s.shape.moe->top_k < 1);
}

void top_k_describe(const Setup& s, Message& message) {
    say(message, "A token cannot visit {0} of {1} experts", s.shape.moe->top_k, s.shape.moe->experts);
    if (!owns_model(s)) return;
    propose(message,
            {{"model.moe.top_k", std::clamp<std::int64_t>(s.shape.moe->top_k, 1, s.shape.moe->experts)}});
    if (s.shape.moe->top_k > 0) propose(message, {{"model.moe.experts", s.shape.moe->top_k}});
}

bool expert_width_broken(const Setup& s) { return s.moe() && s.shape.moe->expert_ffn < 1; }

void expert_width_describe(const Setup& s, Message& message) {
    say(message, "The {0} experts have no width", s.shape.moe->experts);
    if (!owns_model(s)) return;
    const std::int64_t width = s.shape.ffn_hidden > 0 ? s.shape.ffn_hidden : 4 * s.shape.hidden;
    propose(message, {{"model.moe.expert_ffn", width}});
}

bool ffn_width_broken(const Setup& s) { return has_dense_layers(s) && s.shape.ffn_hidden < 1; }

void ffn_width_describe(const Setup& s, Message& message) {
    say(message, "The dense layers have no FFN width");
    if (owns_model(s)) propose(message, {{"model.ffn_hidden", 4 * s.shape.hidden}});
}

/// Sizes that the latent attention models in use share (DeepSeek-V2, V3): latent 512, heads 128 + 64, values
/// 128.
bool mla_broken(const Setup& s) {
    return has_mla(s) && (s.shape.mla->kv_rank < 1 || s.shape.mla->qk_nope + s.shape.mla->qk_rope < 1 ||
                          s.shape.mla->v_dim < 1);
}

void mla_describe(const Setup& s, Message& message) {
    say(message,
        "Latent attention needs kv_rank, qk_nope or qk_rope, and v_dim; they are {0}, {1}, {2} and {3}",
        s.shape.mla->kv_rank, s.shape.mla->qk_nope, s.shape.mla->qk_rope, s.shape.mla->v_dim);
    if (!owns_model(s)) return;
    Edits edits;
    if (s.shape.mla->kv_rank < 1) edits.emplace_back("model.mla.kv_rank", std::int64_t{512});
    if (s.shape.mla->qk_nope + s.shape.mla->qk_rope < 1) {
        edits.emplace_back("model.mla.qk_nope", std::int64_t{128});
        edits.emplace_back("model.mla.qk_rope", std::int64_t{64});
    }
    if (s.shape.mla->v_dim < 1) edits.emplace_back("model.mla.v_dim", std::int64_t{128});
    propose(message, std::move(edits));
}

bool parameters_broken(const Setup& s) { return s.shape.parameters && s.plan.fidelity == Fidelity::detailed; }

void parameters_describe(const Setup& s, Message& message) {
    say(message,
        "A given total of {0} parameters works with textbook fidelity only: the detailed model counts the "
        "shape",
        *s.shape.parameters);
    propose(message, {{"fidelity", std::string("textbook")}});
    if (owns_model(s)) propose(message, {{"model.parameters", FieldValue{}}});
}

bool vocabulary_broken(const Setup& s) { return s.shape.vocab % s.tensor != 0; }

void vocabulary_describe(const Setup& s, Message& message) {
    const std::int64_t unit =
        product({128, s.tensor}); // make-vocab-size-divisible-by · tensor, Megatron's default
    say(message,
        "A vocabulary of {0} is padded to split over {1} tensor ranks (remainder {2}; {3} with blocks of "
        "128)",
        s.shape.vocab, s.tensor, s.shape.vocab % s.tensor, (s.shape.vocab + unit - 1) / unit * unit);
}

constexpr std::array kRules = {
    Rule{"tensor-heads", "parallel.tensor", "", Severity::error, tensor_heads_broken, tensor_heads_describe},
    Rule{"tensor-kv-heads", "parallel.tensor", "", Severity::error, tensor_kv_broken, tensor_kv_describe},
    Rule{"tensor-ffn", "parallel.tensor", "", Severity::error, tensor_ffn_broken, tensor_ffn_describe},
    Rule{"expert-ffn", "parallel.expert_tensor", "", Severity::error, expert_ffn_broken, expert_ffn_describe},
    Rule{"ulysses-heads", "parallel.context", "", Severity::error, ulysses_heads_broken,
         ulysses_heads_describe},
    Rule{"ulysses-kv-heads", "parallel.context", "", Severity::error, ulysses_kv_broken, ulysses_kv_describe},
    Rule{"kv-heads", "model.kv_heads", "", Severity::error, kv_heads_broken, kv_heads_describe},
    Rule{"head-dim", "model.head_dim", "", Severity::error, head_dim_broken, head_dim_describe},
    Rule{"expert-top-k", "model.moe.top_k", "", Severity::error, top_k_broken, top_k_describe},
    Rule{"expert-width", "model.moe.expert_ffn", "", Severity::error, expert_width_broken,
         expert_width_describe},
    Rule{"ffn-width", "model.ffn_hidden", "", Severity::error, ffn_width_broken, ffn_width_describe},
    Rule{"latent-attention", "model.mla", "", Severity::error, mla_broken, mla_describe},
    Rule{"parameters-detailed", "model.parameters", "", Severity::error, parameters_broken,
         parameters_describe},
    Rule{"vocabulary-padded", "model.vocab", "", Severity::info, vocabulary_broken, vocabulary_describe},
};

} // namespace

std::span<const Rule> model_rules() { return kRules; }

} // namespace shardlens::rules
