// SPDX-License-Identifier: GPL-3.0-or-later
#include "sync/loss.h"

#include <deque>

#include "sync/engine.h"

namespace shardlens::sync {
namespace {

double loss_of(const std::vector<double>& weights) {
    double square = 0;
    for (const double w : weights) square += w * w;
    return square / 2;
}

/// One run, its losses added to the curve's sums.
void add_run(const Spec& spec, const LossSetting& setting, std::uint64_t seed, LossCurve& curve) {
    // Noise has a stream of its own, so that the delays of a seed are those of simulate().
    Random delays(seed), noise(seed ^ 0x9E3779B97F4A7C15ull);
    const auto dimensions = static_cast<std::size_t>(setting.dimensions);
    // Versions that a running worker may still hold, the oldest first.
    std::deque<std::vector<double>> versions{std::vector<double>(dimensions, setting.start)};
    std::int64_t oldest = 0;
    std::vector<std::int64_t> reads(static_cast<std::size_t>(spec.workers), 0);
    std::size_t next_time = 0, next_update = 0;
    double loss = loss_of(versions.back());
    const double scatter =
        setting.noise /
        std::sqrt(static_cast<double>(spec.gradients_per_update())); // of the mean of K gradients
    const auto record_update = [&](std::int64_t update) {
        while (next_update < curve.at_update.size() && curve.at_update[next_update] <= update)
            curve.by_update[next_update++] += loss;
    };
    record_update(0);

    run_workers(
        spec, delays,
        [&](std::int64_t update, double time, const std::vector<Segment>& applied) {
            while (next_time < curve.at_s.size() && curve.at_s[next_time] < time)
                curve.by_time[next_time++] += loss;
            std::vector<double> weights = versions.back();
            const double share = setting.step_size / static_cast<double>(applied.size());
            for (const Segment& segment : applied) {
                const std::vector<double>& read =
                    versions[static_cast<std::size_t>(segment.version_read - oldest)];
                for (std::size_t i = 0; i < dimensions; ++i) weights[i] -= share * read[i];
            }
            for (double& w : weights) w -= setting.step_size * scatter * noise.normal();
            loss = loss_of(weights);
            versions.push_back(std::move(weights));
            // What a worker reads next is no older than what it used last.
            for (const Segment& segment : applied) {
                std::int64_t& read = reads[static_cast<std::size_t>(segment.worker)];
                read = std::max(read, segment.version_read);
            }
            record_update(update);
            const std::int64_t held = *std::min_element(reads.begin(), reads.end());
            while (oldest < held) {
                versions.pop_front();
                ++oldest;
            }
            return next_time < curve.at_s.size() || next_update < curve.at_update.size();
        },
        [&](const Segment& segment) {
            if (segment.fate == Fate::cancelled)
                reads[static_cast<std::size_t>(segment.worker)] = segment.version_read;
        });
}

} // namespace

LossCurve loss_curve(const Spec& spec, std::vector<double> at_s, std::vector<std::int64_t> at_update,
                     const LossSetting& setting) {
    LossCurve curve;
    curve.at_s = std::move(at_s);
    curve.at_update = std::move(at_update);
    curve.by_time.assign(curve.at_s.size(), 0);
    curve.by_update.assign(curve.at_update.size(), 0);
    const std::int64_t runs = std::max<std::int64_t>(1, setting.runs);
    for (std::int64_t run = 0; run < runs; ++run)
        add_run(spec, setting, setting.seed + static_cast<std::uint64_t>(run), curve);
    for (double& loss : curve.by_time) loss /= static_cast<double>(runs);
    for (double& loss : curve.by_update) loss /= static_cast<double>(runs);
    const std::size_t tail = curve.by_time.size() - curve.by_time.size() / 4;
    for (std::size_t i = tail; i < curve.by_time.size(); ++i)
        curve.floor += curve.by_time[i] / static_cast<double>(curve.by_time.size() - tail);
    return curve;
}

std::vector<double> even_times(double until_s, std::int64_t points) {
    std::vector<double> times;
    for (std::int64_t i = 0; i < points; ++i)
        times.push_back(points > 1 ? until_s * static_cast<double>(i) / static_cast<double>(points - 1)
                                   : until_s);
    return times;
}

} // namespace shardlens::sync
