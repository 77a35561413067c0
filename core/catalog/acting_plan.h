// SPDX-License-Identifier: GPL-3.0-or-later
// A plan that says everything: what views, lessons and launchers quote where the plan itself is silent.
#pragma once

#include "catalog/setup.h"

namespace shardlens {

/// The plan with everything that follows filled in, degrees and shape as they act: get_field() finds a value
/// for every path that matters. A price that nobody knows stays out. Resolving it gives the same again.
[[nodiscard]] Plan acting_plan(const Setup& setup);

} // namespace shardlens
