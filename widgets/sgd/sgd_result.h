// SPDX-License-Identifier: GPL-3.0-or-later
// What the charts of SGD with stragglers draw: one run gradient by gradient, and the loss of every variant
// side by side.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "sync/loss.h"
#include "sync/simulate.h"

namespace shardlens {

inline constexpr std::array kSgdVariants = {sync::Variant::sync,         sync::Variant::k_sync,
                                            sync::Variant::k_batch_sync, sync::Variant::async,
                                            sync::Variant::k_async,      sync::Variant::k_batch_async};

struct SgdResult {
    sync::Spec spec;
    sync::Run run;                     ///< with the segments of the first updates
    double window_s = 0;               ///< the workers' rows are drawn up to here
    std::vector<sync::LossCurve> loss; ///< by kSgdVariants, same workers, K and delay
};
using SgdResultPtr = std::shared_ptr<const SgdResult>;

/// Runs a specification that sync::check has passed. Takes from milliseconds to about a second; pure.
[[nodiscard]] SgdResultPtr computeSgd(const sync::Spec& spec, std::uint64_t seed);

} // namespace shardlens
