// SPDX-License-Identifier: GPL-3.0-or-later
// Which of Megatron-LM's options can say how a plan splits its layers (megatron/training/arguments.py).
#pragma once

#include "catalog/setup.h"

namespace shardlens::rules {

enum class SplitWords {
    even,   ///< nothing to say
    ends,   ///< --account-for-embedding/-loss-in-pipeline-split: the first or last chunk has one layer less
    layout, ///< --pipeline-model-parallel-layout (core 0.13 and later)
    first_last, ///< --decoder-first/-last-pipeline-num-layers, without chunks
    none,       ///< no option says it
};

/// `has_layout`: does the release have the layout string?
[[nodiscard]] SplitWords split_words(const Setup& setup, bool has_layout);

/// Do all stages but the last hold as many layers, and the last some? --decoder-last-pipeline-num-layers says
/// that, the one option of the kind in accelerate's plugin (utils/dataclasses.py).
[[nodiscard]] bool only_last_differs(const Setup& setup);

/// The plan's layers in that form, as many as fit on every stage but the last; empty where the last would
/// have none, or as many as the others.
[[nodiscard]] std::vector<std::int64_t> last_stage_shorter(const Setup& setup);

} // namespace shardlens::rules
