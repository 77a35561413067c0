// SPDX-License-Identifier: GPL-3.0-or-later
// Workers and a parameter server, gradient by gradient.
#pragma once

#include <vector>

#include "sync/sgd.h"

namespace shardlens::sync {

enum class Fate : std::uint8_t { applied, cancelled, unfinished };

/// One mini-batch on one worker.
struct Segment {
    std::int64_t worker = 0;
    double start_s = 0;
    double end_s = 0; ///< delivered, or cancelled
    std::int64_t version_read = 0;
    std::int64_t version_at_use = 0; ///< of the weights that the gradient is applied to; only when applied
    Fate fate = Fate::unfinished;

    [[nodiscard]] std::int64_t staleness() const { return version_at_use - version_read; }
};

struct Run {
    std::int64_t updates = 0;
    double time_s = 0;        ///< of the last update
    double update_time_s = 0; ///< mean from one update to the next
    std::int64_t applied = 0, cancelled = 0;
    double dropped_share = 0; ///< cancelled of all that were begun and ended
    double mean_staleness = 0;
    std::vector<std::int64_t> staleness; ///< [s] = gradients applied s updates after their weights were read
    /// What was kept for drawing: every mini-batch begun before update `kept_updates`, by start; and those
    /// updates.
    std::vector<Segment> segments;
    std::vector<double> update_times_s;
};

struct RunOptions {
    std::int64_t updates = 60000;
    std::uint64_t seed = 1;
    std::int64_t kept_updates = 0; ///< segments of so many first updates are kept
};

/// Most updates · workers of a run, so that every call ends within seconds.
inline constexpr double kMaxGradients = 2e8;

/// Runs a specification that check() has passed; the same seed gives the same run on every machine.
[[nodiscard]] Run simulate(const Spec& spec, const RunOptions& options = {});

} // namespace shardlens::sync
