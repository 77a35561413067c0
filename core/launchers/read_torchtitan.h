// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of torchtitan's TOML and of its Python configurations share.
#pragma once

#include "launchers/read_rows.h"

namespace shardlens::launchers {

/// Spellings of the tree of late 2024 and of 0.1.0.
[[nodiscard]] std::span<const OldNames> torchtitan_old_names();

/// The key with those spellings.
[[nodiscard]] Names torchtitan_name(const char* key);

/// Chunks of each stage rank and the layers in them.
void read_torchtitan_stages(KeyReader& keys, Imported& plan);

/// Everything that both forms say under the same keys.
void read_torchtitan_keys(KeyReader& keys, Imported& plan);

} // namespace shardlens::launchers
