// SPDX-License-Identifier: GPL-3.0-or-later
// Which pipeline schedule a launcher runs for a plan, whatever the plan names: for the rule that says so and
// for the exporters.
#pragma once

#include <optional>
#include <string_view>

#include "catalog/setup.h"

namespace shardlens::rules {

/// The schedule that the launcher puts in the place of the plan's: of megatron/core/pipeline_parallel/
/// schedules.py, PyTorch's distributed/pipelining/schedules.py and so on. Nothing where the launcher runs the
/// plan's own, where there is one stage, and for launchers without a pipeline. `launcher`: an id, with or
/// without a version.
[[nodiscard]] std::optional<ScheduleKind> schedule_instead(const Setup& setup, std::string_view launcher);

} // namespace shardlens::rules
