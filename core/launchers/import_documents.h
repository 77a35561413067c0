// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign JSON, YAML and TOML as one kind of value, with what was odd about it in the account.
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

/// The documents of a YAML file (null ones left out), anchors and merge keys resolved, plain scalars typed as
/// PyYAML types them (so 1e8 without a dot stays text, yes and off are booleans). Tags are not acted upon:
/// each gives a warning; the last of duplicate keys counts, with a warning. Errors: not YAML (with its line),
/// deeper than kMaxJsonDepth, larger than 8 MiB or more than 300,000 values with aliases written out.
[[nodiscard]] Result<std::vector<nlohmann::ordered_json>>
yaml_documents(std::string_view text, const std::string& origin, Imported& plan);

/// A TOML file; dates become null. Errors: not TOML (with its line), larger than 8 MiB.
[[nodiscard]] Result<nlohmann::ordered_json> toml_document(std::string_view text, const std::string& origin);

/// Texts that still hold an interpolation (${…}) become null, each with a not_understood note at its path
/// below `prefix`.
void drop_interpolations(nlohmann::ordered_json& document, Imported& plan, const std::string& prefix = {});

} // namespace shardlens::launchers
