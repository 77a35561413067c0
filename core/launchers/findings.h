// SPDX-License-Identifier: GPL-3.0-or-later
// What an exporter finds out about a plan besides the files.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include "launchers/launcher.h"

namespace shardlens::launchers {

/// What makes a shape more than a plain Llama (gated SiLU MLP, RMS norms, rotary positions, no biases).
enum class ShapeFeature : std::uint8_t {
    plain_mlp,
    activation,
    layer_norms,
    norms_per_layer,
    qk_norm,
    head_size,
    qkv_biases,
    other_biases,
    tied_embeddings,
    learned_positions,
    windows,
    sinks,
    narrow_embedding,
    embedding_norm,
    parallel_block,
    experts,
    shared_experts,
    dense_layers, ///< layers without experts among those with
    latent_attention,
    mtp,
};

/// Collects into `result` what the files do not say.
struct Findings {
    const Setup& setup;
    Export& result;

    void differs(std::string path, std::string instead) const {
        result.not_expressed.push_back({std::move(path), std::move(instead)});
    }

    /// Differences that every launcher without such an option has. `wanted` counts as said when true.
    void no_offload() const;
    /// recompute_modules, recompute_layers and recompute_method for a launcher whose only choice is the whole
    /// model or nothing.
    void recompute_is_all_or_nothing() const;
    /// Optimizers beside AdamW.
    void only_adamw(const char* launcher) const;
    /// One entry for "model" with the features of the shape that the launcher's configuration does not say.
    void model_differs(std::initializer_list<ShapeFeature> said) const;
    /// The model is built in the user's program: its numbers.
    void model_in_program() const;
    /// Its attention as well, where no key says it.
    void attention_in_program() const;
};

/// The dtype of parameters and activations: the precision's own, bf16 where it is narrower than 16 bits.
[[nodiscard]] Dtype working_dtype(const Setup& setup);
/// "80 layers, hidden 8192, 64 heads of size 128, 8 KV heads, FFN 28672, vocabulary 128256", with experts
/// theirs.
[[nodiscard]] std::string shape_words(const Setup& setup);

/// Steps of the plan's tokens, or 1000 where it names none.
[[nodiscard]] std::int64_t train_steps(const Setup& setup);

/// Adds to result.refusals what rules::check finds broken for this target: rules stand in core/rules.
void add_refusals(const Setup& setup, std::string_view launcher_at_version, Export& result);

/// The first lines of an exported text file, as comments: plan, target, what is not in it. `counts_steps`:
/// the file has a number of steps.
[[nodiscard]] std::string file_header(const Setup& setup, std::string_view launcher_at_version,
                                      const char* left_to_the_user, const Export& result,
                                      bool counts_steps = true);

} // namespace shardlens::launchers
