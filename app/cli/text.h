// SPDX-License-Identifier: GPL-3.0-or-later
// What the commands share for both output formats. Locale-independent.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "plan/message.h"
#include "json/result.h"

namespace shardlens::cli {

/// A JSON number as short as it can be: whole numbers without point or exponent; not a number and infinities
/// are null.
[[nodiscard]] std::string number(double value);
/// The same as a JSON value.
[[nodiscard]] nlohmann::ordered_json json_number(double value);

/// A document as printed: indented by two, invalid UTF-8 replaced, final newline.
[[nodiscard]] std::string document(const nlohmann::ordered_json& value);

/// One line whatever is in it: line breaks and control characters become spaces.
[[nodiscard]] std::string one_line(std::string text);

/// Rows with columns aligned to the widest cell; `right` marks columns of numbers by index.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                const std::vector<bool>& right = {});

} // namespace shardlens::cli
