// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign JSON and YAML as one kind of value, with what was odd about it in the account.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "launchers/import.h"

namespace shardlens::launchers {

/// A JSON object in the relaxed form of parse_relaxed; each oddity becomes a warning, names that stand for a
/// value a not_understood note. Errors: those of parse_relaxed, not an object.
[[nodiscard]] Result<nlohmann::ordered_json> relaxed_object(std::string_view text, const std::string& origin,
                                                            Imported& plan);

} // namespace shardlens::launchers
