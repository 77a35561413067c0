// SPDX-License-Identifier: GPL-3.0-or-later
#include "sgd/sgd_result.h"

#include <algorithm>
#include <cmath>

namespace shardlens {

namespace {

constexpr std::int64_t kTimedUpdates = 2000; ///< enough for the mean time of an update to a few percent
constexpr std::int64_t kStalenessUpdates = 6000;
constexpr double kShownRounds = 6; ///< waits for all workers that the rows show
constexpr double kLossRounds = 40;
constexpr std::int64_t kLossPoints = 160, kLossUpdates = 160;

} // namespace

SgdResultPtr computeSgd(const sync::Spec& spec, std::uint64_t seed) {
    auto result = std::make_shared<SgdResult>();
    result->spec = spec;
    // One round = one update that waits for everybody: the same scale for every variant.
    sync::Spec all = spec;
    all.variant = sync::Variant::sync;
    const double round_s = sync::simulate(all, {kTimedUpdates, seed, 0}).update_time_s;
    const double update_s = sync::simulate(spec, {kTimedUpdates, seed, 0}).update_time_s;
    result->window_s = kShownRounds * round_s;
    const auto kept =
        static_cast<std::int64_t>(std::clamp(std::ceil(1.5 * result->window_s / update_s) + 16, 4.0, 5e3));
    result->run = sync::simulate(spec, {std::max(kStalenessUpdates, kept), seed, kept});

    // Where chance made the updates kept end earlier, so do the rows.
    if (!result->run.update_times_s.empty())
        result->window_s = std::min(result->window_s, result->run.update_times_s.back());

    sync::LossSetting setting;
    setting.seed = seed;
    // As many gradients for few workers as for many.
    setting.runs = std::clamp<std::int64_t>(60 * 16 / spec.workers, 4, 60);
    std::vector<std::int64_t> updates;
    for (std::int64_t i = 0; i <= kLossUpdates; ++i) updates.push_back(i);
    for (const sync::Variant variant : kSgdVariants) {
        sync::Spec one = spec;
        one.variant = variant;
        result->loss.push_back(
            sync::loss_curve(one, sync::even_times(kLossRounds * round_s, kLossPoints), updates, setting));
    }
    return result;
}

} // namespace shardlens
