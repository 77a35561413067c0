// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>

#include "json/result.h"
#include "plan/fields.h"
#include "plan/message.h"
#include "plan/plan.h"

namespace shardlens {

/// Reads a plan from a parsed document. Strict: unknown key (names key, path and nearest known key), wrong
/// type, a value outside the field's own bounds, a missing required field. Does not look into the catalogue.
[[nodiscard]] Result<Plan> plan_from_json(const nlohmann::ordered_json& document, const std::string& origin);

/// The fields that must be given and that a partial plan (an object, schema left out or not) does not give.
/// Errors are those of plan_from_json.
[[nodiscard]] Result<std::vector<const Field*>> missing_fields(const nlohmann::ordered_json& document,
                                                               const std::string& origin);

/// Text → plan, with `--set PATH=VALUE` applied in order before reading; VALUE is JSON, or a string where it is
/// not JSON; null removes the field. PATH may go through lists ("parallel.layers_per_stage.0").
[[nodiscard]] Result<Plan> parse_plan(std::string_view text, const std::string& origin,
                                      std::span<const std::string> sets = {});

/// File (or "-") → plan.
[[nodiscard]] Result<Plan> load_plan(const std::string& path, std::span<const std::string> sets = {});

/// Plan → JSON of schema shardlens/plan/1, keys in the contract's order. Reading it back gives an equal plan.
[[nodiscard]] nlohmann::ordered_json plan_to_json(const Plan& plan);
[[nodiscard]] std::string plan_to_text(const Plan& plan); ///< indented, with a final newline

/// A model shape object (of a plan or of a preset); `allow_extra` names keys that a preset may add.
[[nodiscard]] Result<ModelShape> model_from_json(const nlohmann::ordered_json& object, const std::string& origin,
                                                 std::string_view path, std::span<const std::string_view> allow_extra = {});
[[nodiscard]] nlohmann::ordered_json model_to_json(const ModelShape& shape);

[[nodiscard]] nlohmann::ordered_json to_json(const FieldValue& value);

} // namespace shardlens
