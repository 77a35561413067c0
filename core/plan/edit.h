// SPDX-License-Identifier: GPL-3.0-or-later
// Edits as a hand makes them: one field changes and what must follow does.
#pragma once

#include "json/result.h"
#include "plan/fields.h"

namespace shardlens {

/// Sets a field and keeps the world whole: a new tensor, pipeline or context degree changes `parallel.data` to
/// gpus / (tensor · pipeline · context) (at least 1); a new data degree changes `cluster.gpus`; a new gpus changes
/// data; a pipeline or virtual_pipeline change drops layers_per_stage lists of another length; virtual_pipeline
/// above 1 turns 1f1b into interleaved and back; tensor 1 switches sequence parallelism off where the target is of
/// Megatron's family, which refuses it then. The error is empty when done; the plan is unchanged otherwise.
[[nodiscard]] Error edit_field(Plan& plan, std::string_view path, const FieldValue& value);

/// Applies every edit of a fix literally (no following).
[[nodiscard]] Error apply_fix(Plan& plan, const Fix& fix);

} // namespace shardlens
