// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchers/import_keys.h"

namespace shardlens::launchers {

/// The sections of DeepSpeed's configuration that other programs carry inside their own: batch, precision,
/// optimizer, ZeRO. Degrees ("parallel.tensor", "parallel.pipeline", "parallel.context") must have been read
/// before.
void read_deepspeed_sections(KeyReader& keys, Imported& plan);

} // namespace shardlens::launchers
