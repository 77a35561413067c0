// SPDX-License-Identifier: GPL-3.0-or-later
// Preset files → values. Strict: unknown key, wrong type, value out of bounds and a missing field are errors
// that name file, key and what would be right.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "catalog/catalog.h"

namespace shardlens {

[[nodiscard]] Result<Accelerator> accelerator_from_json(const nlohmann::ordered_json& object,
                                                        const std::string& origin);
[[nodiscard]] Result<Node> node_from_json(const nlohmann::ordered_json& object, const std::string& origin);
[[nodiscard]] Result<ModelPreset> model_preset_from_json(const nlohmann::ordered_json& object,
                                                         const std::string& origin);

} // namespace shardlens
