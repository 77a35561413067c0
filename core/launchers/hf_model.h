// SPDX-License-Identifier: GPL-3.0-or-later
// One model of a Hugging Face configuration, and the sums for those whose layers are not alike.
#pragma once

#include "launchers/import_keys.h"

namespace shardlens::launchers {

/// Reads the shape into "model.*". `tie` = tie_word_embeddings of the file around this part, or nullptr. The
/// error is for shapes that cannot be (a head size that is no whole number).
[[nodiscard]] Error read_hf_model(KeyReader& keys, const std::string& model_type,
                                  const nlohmann::ordered_json* tie, const std::string& origin,
                                  Imported& plan);

/// Layers that differ (OpenELM, Jamba, Gemma 3n): a plan has one kind of layer, so the total is counted here
/// by layer and given as model.parameters with textbook fidelity. False when the model is none of these.
bool read_hf_uneven(KeyReader& keys, const std::string& model_type, Imported& plan);

/// The values of a list given whole or as one number for all layers.
[[nodiscard]] std::vector<double> hf_per_layer(KeyReader& keys, const Names& names, std::int64_t layers);

} // namespace shardlens::launchers
