// SPDX-License-Identifier: GPL-3.0-or-later
// Plan path ↔ launcher key, as a table: what a table can say, export and import share.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalog/acting_plan.h"

namespace shardlens::launchers {

/// One field under the launcher's own name. `words`: how its values are spelled, plan's text first; the
/// launcher's "true" and "false" are booleans. A value without a word stands in no table: code says it.
struct KeyRow {
    const char* path;
    const char* key; ///< dotted: "parallelism.tensor_parallel_degree"
    std::vector<std::pair<const char*, const char*>> words = {};
};

/// Sets `key` (dotted) in the document, making objects on the way.
void set_key(nlohmann::ordered_json& document, std::string_view key, nlohmann::ordered_json value);

/// Writes the fields of the rows that have a value (and, with words, a word for it).
void write_rows(std::span<const KeyRow> rows, const Plan& resolved, nlohmann::ordered_json& document);

/// The launcher's word for the plan's value, or nothing.
[[nodiscard]] std::optional<std::string_view> launcher_word(const KeyRow& row, std::string_view plan_value);

} // namespace shardlens::launchers
