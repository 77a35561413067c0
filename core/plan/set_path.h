// SPDX-License-Identifier: GPL-3.0-or-later
// `--set PATH=VALUE` on a document that is not read yet. Internal to core/plan.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "json/result.h"

namespace shardlens::detail {

/// Changes the document in place. Objects (and the list of a list field) missing on the way are created; a
/// position just behind a list's end appends; null removes. The error is empty when done.
[[nodiscard]] Error apply_set(nlohmann::ordered_json& document, const std::string& assignment);

} // namespace shardlens::detail
