// SPDX-License-Identifier: GPL-3.0-or-later
// The way back of a table of fields and keys.
#pragma once

#include <span>

#include "launchers/import_keys.h"
#include "launchers/key_rows.h"

namespace shardlens::launchers {

/// Takes every key of the rows that is there into its plan field; words become the plan's.
void take_rows(KeyReader& keys, std::span<const KeyRow> rows);

} // namespace shardlens::launchers
