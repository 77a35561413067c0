// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "catalog/setup.h"

namespace shardlens::rules {

/// Does DeepSpeed's Muon refuse the default reduce_scatter: true here? With ZeRO 3 always, with ZeRO 1 and 2
/// where the optimizer is on the host (runtime/zero/stage3.py, stage_1_and_2.py).
[[nodiscard]] inline bool muon_needs_whole_gradients(const Setup& s) {
    return s.plan.training.optimizer == Optimizer::muon &&
           (s.zero == 3 || (s.zero > 0 && s.plan.memory.offload_optimizer == Offload::cpu));
}

} // namespace shardlens::rules
