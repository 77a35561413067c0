// SPDX-License-Identifier: GPL-3.0-or-later
// Documents of nested keys as YAML and TOML text.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace shardlens::launchers {

/// Block style, keys in their order, lists of scalars on one line. A text that YAML 1.1 could read as
/// something else stands in quotes, so that PyYAML and OmegaConf see the same types.
[[nodiscard]] std::string yaml_text(const nlohmann::ordered_json& document);

/// TOML 1.0; top-level objects become tables. null has no form in TOML and is left out.
[[nodiscard]] std::string toml_text(const nlohmann::ordered_json& document);

} // namespace shardlens::launchers
