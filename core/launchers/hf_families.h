// SPDX-License-Identifier: GPL-3.0-or-later
// What a Hugging Face config.json leaves to the code of its model_type.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "plan/plan.h"

namespace shardlens::launchers {

enum class HfPositions : std::uint8_t {
    none,           ///< rotary or ALiBi: no rows
    learned,        ///< as many rows as positions
    learned_plus_2, ///< two rows in front (OPT)
};

/// One row: the parts of the architecture that no key of the configuration says.
struct HfFamily {
    const char* types; ///< model_type values, between spaces: " llama mistral "
    bool gated;
    const char* activation; ///< where hidden_act and its like are absent
    NormKind norm;
    bool norm_bias;
    const char* biases; ///< names of model.biases between spaces
    bool tied;          ///< class default of tie_word_embeddings
    std::int64_t norms_per_layer = 2;
    QkNorm qk_norm = QkNorm::none;
    bool parallel_block = false;
    HfPositions positions = HfPositions::none;
    bool embedding_norm = false;
};

/// The row of a model_type; nullptr when it is not known.
[[nodiscard]] const HfFamily* find_hf_family(std::string_view model_type);

/// The value that the class of `model_type` gives a whole-number key which the file leaves out; empty when
/// there is none known or the key must be given.
[[nodiscard]] std::optional<std::int64_t> hf_class_default(std::string_view model_type, std::string_view key);

/// Why a model_type cannot be a plan at all: encoders, encoder-decoders, state space models. "" = it can.
[[nodiscard]] std::string_view hf_refusal(std::string_view model_type);

} // namespace shardlens::launchers
