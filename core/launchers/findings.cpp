// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/findings.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "launchers/common.h"
#include "plan/fields.h"
#include "rules/rules.h"

namespace shardlens::launchers {

void Findings::no_offload() const {
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.offload_optimizer != Offload::none)
        differs("memory.offload_optimizer", "optimizer states stay on the GPU");
    if (memory.offload_parameters != Offload::none)
        differs("memory.offload_parameters", "parameters stay on the GPU");
    if (memory.offload_activations != Offload::none)
        differs("memory.offload_activations", "activations stay on the GPU");
}

void Findings::recompute_is_all_or_nothing() const {
    const MemoryOptions& memory = setup.plan.memory;
    if (memory.recompute == Recompute::selective)
        differs("memory.recompute", "nothing is recomputed: only whole layers can be");
    if (memory.recompute == Recompute::full && memory.recompute_layers > 0)
        differs("memory.recompute_layers", "every layer is recomputed");
}

void Findings::only_adamw(const char* launcher) const {
    if (setup.plan.training.optimizer == Optimizer::adamw) return;
    differs("training.optimizer",
            fmt::format("AdamW: {} has no {}", launcher, to_string(setup.plan.training.optimizer)));
}

void Findings::model_differs(std::initializer_list<ShapeFeature> said) const {
    const ModelShape& shape = setup.shape;
    const auto activation = [&] {
        return !shape.activation.empty() && shape.activation != "silu" && shape.activation != "swiglu";
    };
    struct Row {
        ShapeFeature feature;
        bool there;
        const char* words;
    };
    const Row rows[] = {
        {ShapeFeature::plain_mlp, !shape.gated_mlp, "an MLP without gate"},
        {ShapeFeature::activation, activation(), "its activation"},
        {ShapeFeature::layer_norms, shape.norm != NormKind::rmsnorm, "layer norms"},
        {ShapeFeature::norms_per_layer, shape.norms_per_layer != 2, "its number of norms"},
        {ShapeFeature::qk_norm, shape.qk_norm != QkNorm::none, "norms of queries and keys"},
        {ShapeFeature::head_size, !shape.mla && shape.head_size() * shape.heads != shape.hidden,
         "a head size that is not hidden / heads"},
        {ShapeFeature::qkv_biases, shape.biases.qkv, "biases of queries, keys and values"},
        {ShapeFeature::other_biases,
         shape.biases.attn_out || shape.biases.mlp || shape.biases.lm_head ||
             (setup.moe() && (shape.biases.experts || shape.biases.router)),
         "biases of other layers"},
        {ShapeFeature::tied_embeddings, shape.tied_embeddings, "tied embeddings"},
        {ShapeFeature::learned_positions, shape.learned_positions > 0, "learned positions"},
        {ShapeFeature::windows, shape.attention_window > 0, "windowed attention"},
        {ShapeFeature::sinks, shape.attention_sinks, "attention sinks"},
        {ShapeFeature::narrow_embedding, shape.embedding_dim > 0, "a narrower embedding"},
        {ShapeFeature::embedding_norm, shape.embedding_norm, "a norm behind the embedding"},
        {ShapeFeature::parallel_block, shape.parallel_block, "attention and MLP side by side"},
        {ShapeFeature::experts, setup.moe(), "experts"},
        {ShapeFeature::shared_experts, setup.moe() && shape.moe->shared_ffn > 0, "shared experts"},
        {ShapeFeature::dense_layers,
         setup.moe() && (shape.moe->dense_layers > 0 || shape.moe->layer_step > 1), "layers without experts"},
        {ShapeFeature::latent_attention, shape.mla.has_value(), "latent attention"},
        {ShapeFeature::mtp, shape.mtp_layers > 0, "layers for multi-token prediction"},
    };
    std::string list;
    for (const Row& row : rows)
        if (row.there && std::find(said.begin(), said.end(), row.feature) == said.end())
            list += (list.empty() ? "" : ", ") + std::string(row.words);
    if (!list.empty()) differs("model", fmt::format("not in the model that this file describes: {}", list));
}

void Findings::model_in_program() const {
    differs("model", "build the model in your program: " + shape_words(setup));
    differs("training.sequence_length",
            fmt::format("feed sequences of {} tokens in your program", setup.plan.training.sequence_length));
}

void Findings::attention_in_program() const {
    if (setup.plan.training.attention == Attention::standard)
        differs("training.attention", "build attention without a flash kernel in your program");
}

Dtype working_dtype(const Setup& setup) {
    switch (setup.plan.training.precision) {
    case Precision::fp32: return Dtype::fp32;
    case Precision::fp16: return Dtype::fp16;
    default: return Dtype::bf16;
    }
}

std::string shape_words(const Setup& setup) {
    const ModelShape& shape = setup.shape;
    const std::string head =
        fmt::format("{} layers, hidden {}, {} heads of size {}, {} KV heads", shape.layers, shape.hidden,
                    shape.heads, shape.head_size(), shape.kv());
    if (!setup.moe()) return fmt::format("{}, FFN {}, vocabulary {}", head, shape.ffn_hidden, shape.vocab);
    bool dense = false;
    for (std::int64_t i = 0; i < shape.layers; ++i) dense = dense || !setup.is_moe_layer(i);
    const MoeShape& moe = *shape.moe;
    return fmt::format("{}{}, {} experts of width {}, {} for each token, vocabulary {}", head,
                       dense ? fmt::format(", FFN {} of dense layers", shape.ffn_hidden) : std::string(),
                       moe.experts, moe.expert_ffn, moe.top_k, shape.vocab);
}

std::int64_t train_steps(const Setup& setup) {
    const Training& training = setup.plan.training;
    if (!training.tokens) return 1000;
    const double per_step =
        static_cast<double>(training.global_batch_size) * static_cast<double>(training.sequence_length);
    return static_cast<std::int64_t>(std::clamp(std::ceil(*training.tokens / per_step), 1.0, 2147483647.0));
}

void add_refusals(const Setup& setup, std::string_view launcher_at_version, Export& result) {
    Setup targeted = setup;
    targeted.plan.target = launcher_at_version;
    derive_degrees(targeted); // a target may split sequences another way
    for (Message& message : rules::check(targeted))
        if (message.severity == Severity::error && rules::is_of_launcher(message.code))
            result.refusals.push_back(std::move(message));
}

std::string file_header(const Setup& setup, std::string_view launcher_at_version,
                        const char* left_to_the_user, const Export& result, bool counts_steps) {
    std::string text = fmt::format("# {}, for {}\n# Not part of a plan, set them yourself: {}.\n",
                                   setup.plan.name.empty() ? "a plan" : comment_text(setup.plan.name),
                                   launcher_at_version, left_to_the_user);
    if (counts_steps && !setup.plan.training.tokens)
        text += "# The plan names no tokens: 1000 steps are an example.\n";
    for (const NotExpressed& item : result.not_expressed)
        text += fmt::format("# Not in this file: {}: {}\n", item.path, comment_text(item.instead));
    return text;
}

} // namespace shardlens::launchers
