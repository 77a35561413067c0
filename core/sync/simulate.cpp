// SPDX-License-Identifier: GPL-3.0-or-later
#include "sync/simulate.h"

#include "sync/engine.h"

namespace shardlens::sync {

Run simulate(const Spec& spec, const RunOptions& options) {
    Run run;
    Random random(options.seed);
    const std::int64_t updates = std::max<std::int64_t>(1, options.updates);
    double stale = 0, kept_until = -1;
    const auto keep = [&](const Segment& segment) {
        if (options.kept_updates > 0 && (kept_until < 0 || segment.start_s < kept_until))
            run.segments.push_back(segment);
    };
    run_workers(
        spec, random,
        [&](std::int64_t update, double time, const std::vector<Segment>&) {
            run.updates = update;
            run.time_s = time;
            if (update <= options.kept_updates) run.update_times_s.push_back(time);
            if (update == options.kept_updates) kept_until = time;
            return update < updates;
        },
        [&](const Segment& segment) {
            keep(segment);
            if (segment.fate == Fate::cancelled) {
                ++run.cancelled;
                return;
            }
            ++run.applied;
            const auto staleness = static_cast<std::size_t>(segment.staleness());
            if (staleness >= run.staleness.size()) run.staleness.resize(staleness + 1);
            ++run.staleness[staleness];
            stale += static_cast<double>(staleness);
        });
    const auto applied = static_cast<double>(run.applied), cancelled = static_cast<double>(run.cancelled);
    run.update_time_s = run.time_s / static_cast<double>(run.updates);
    run.mean_staleness = stale / applied;
    run.dropped_share = cancelled / (applied + cancelled);
    std::stable_sort(run.segments.begin(), run.segments.end(),
                     [](const Segment& a, const Segment& b) { return a.start_s < b.start_s; });
    return run;
}

} // namespace shardlens::sync
