// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/optimizer_state.h"

#include <algorithm>

namespace shardlens::model {

double optimizer_moment_bytes(const Setup& setup) {
    const double one = setup.optimizer_dtype == Dtype::fp32 ? 4 : 2;
    switch (setup.plan.training.optimizer) {
    case Optimizer::adamw: return 2 * one;
    case Optimizer::sgd:
    case Optimizer::muon: return one;
    case Optimizer::adamw_8bit: return 2 * (1 + 4.0 / 256);
    case Optimizer::adafactor:
        return 8.0 / static_cast<double>(std::max<std::int64_t>(setup.shape.hidden, 1));
    }
    return 2 * one;
}

} // namespace shardlens::model
