// SPDX-License-Identifier: GPL-3.0-or-later
// The model-size slider: the presets of a family by size, and shapes between them.
#pragma once

#include "catalog/catalog.h"

namespace shardlens::model {

struct FamilyMember {
    std::string id;
    double parameters = 0;
};

/// Presets of the family that the preset `model_id` belongs to, ascending by size ("llama": 1B … 405B; "gpt":
/// 124M … 1T). Of presets that differ by less than 19 % only one is a member, `model_id` itself before all
/// others. Empty when there is no such preset or it is of no family.
[[nodiscard]] std::vector<FamilyMember> family_of(const Catalog& catalog, const std::string& model_id);

/// A shape of about `parameters` between (or at) the family's presets: layers, hidden, heads and FFN follow
/// the neighbours geometrically, rounded to whole heads of the nearer neighbour's head size and multiples of
/// 128. Exactly the preset's shape at a preset's size and outside the family's range; parameters never fall
/// as `parameters` grows.
[[nodiscard]] ModelShape scaled(const Catalog& catalog, const std::vector<FamilyMember>& family,
                                double parameters);

} // namespace shardlens::model
