// SPDX-License-Identifier: GPL-3.0-or-later
// The model-size slider: the presets of a family by size, and shapes between them.
#pragma once

#include "catalog/catalog.h"

namespace shardlens::model {

struct FamilyMember {
    std::string id;
    double parameters = 0;
};

/// Presets of the family that `shape_or_id` belongs to, by size ("llama": 1B … 405B; "gpt": 124M … 1T). Empty when
/// the model is of no family.
[[nodiscard]] std::vector<FamilyMember> family_of(const Catalog& catalog, const std::string& model_id);

/// A shape of about `parameters` between (or at) the family's presets: layers, hidden, heads and FFN follow the
/// neighbours geometrically, rounded to whole heads of the same head size and multiples of 128.
[[nodiscard]] ModelShape scaled(const Catalog& catalog, const std::vector<FamilyMember>& family, double parameters);

} // namespace shardlens::model
