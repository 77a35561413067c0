// SPDX-License-Identifier: GPL-3.0-or-later
// The one loop behind runs and loss curves. Internal to core/sync.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "sync/simulate.h"

namespace shardlens::sync {

/// Random numbers that are the same on every machine (the standard library's distributions are not).
class Random {
public:
    explicit Random(std::uint64_t seed) : m_engine(seed) {}

    /// In (0, 1].
    double uniform() { return 1 - static_cast<double>(m_engine() >> 11) * 0x1p-53; }
    /// Standard normal (polar method, Marsaglia 1964).
    double normal() {
        if (m_kept) {
            m_kept = false;
            return m_normal;
        }
        double u = 0, v = 0, square = 0;
        do {
            u = 2 * uniform() - 1;
            v = 2 * uniform() - 1;
            square = u * u + v * v;
        } while (square >= 1 || square == 0);
        const double scale = std::sqrt(-2 * std::log(square) / square);
        m_normal = v * scale;
        m_kept = true;
        return u * scale;
    }
    double delay(const Delay& law) {
        switch (law.kind) {
        case DelayKind::constant: return law.floor_s;
        case DelayKind::exponential:
        case DelayKind::shifted_exponential: return law.floor_s - law.tail_s * std::log(uniform());
        case DelayKind::pareto: return law.floor_s * std::pow(uniform(), -1 / law.shape);
        }
        return 0;
    }

private:
    std::mt19937_64 m_engine;
    double m_normal = 0;
    bool m_kept = false;
};

/// Runs workers and server until `on_update` returns false.
/// on_update(update, time, applied): the K segments that update number `update` (1 first) is made of.
/// on_end(segment): every mini-batch that is applied, with that update, or cancelled.
template <class OnUpdate, class OnEnd>
void run_workers(const Spec& spec, Random& random, OnUpdate&& on_update, OnEnd&& on_end) {
    const auto workers = static_cast<std::size_t>(spec.workers);
    const auto k = static_cast<std::size_t>(spec.gradients_per_update());
    const bool cancels = spec.variant == Variant::sync || spec.variant == Variant::k_sync ||
                         spec.variant == Variant::k_batch_sync;
    // Does a worker that has delivered go on at once, before the update?
    const bool goes_on = spec.variant == Variant::k_batch_sync || spec.variant == Variant::k_batch_async;

    std::vector<Segment> current(workers);
    struct Due {
        double time;
        std::uint64_t begun; ///< ties in the order of starting
        std::size_t worker;
        bool operator<(const Due& other) const {
            return time != other.time ? time > other.time : begun > other.begun;
        }
    };
    std::vector<Due> due; // a heap, the next delivery on top
    due.reserve(workers);
    std::vector<Segment> delivered;
    delivered.reserve(k);
    std::int64_t version = 0;
    std::uint64_t begun = 0;

    const auto begin = [&](std::size_t worker, double now) {
        const double end = now + random.delay(spec.delay);
        current[worker] = {static_cast<std::int64_t>(worker), now, end, version, 0, Fate::unfinished};
        due.push_back({end, begun++, worker});
    };
    const auto begin_and_sort = [&](std::size_t worker, double now) {
        begin(worker, now);
        std::push_heap(due.begin(), due.end());
    };
    for (std::size_t worker = 0; worker < workers; ++worker) begin_and_sort(worker, 0);

    for (;;) {
        std::pop_heap(due.begin(), due.end());
        const Due next = due.back();
        due.pop_back();
        delivered.push_back(current[next.worker]);
        if (delivered.size() < k) {
            if (goes_on) begin_and_sort(next.worker, next.time);
            continue;
        }
        for (Segment& segment : delivered) {
            segment.fate = Fate::applied;
            segment.version_at_use = version;
            on_end(segment);
        }
        ++version;
        if (!on_update(version, next.time, delivered)) return;
        if (cancels) {
            for (const Due& other : due) {
                Segment& segment = current[other.worker];
                segment.end_s = next.time;
                segment.fate = Fate::cancelled;
                on_end(segment);
            }
            due.clear();
            for (std::size_t worker = 0; worker < workers; ++worker) begin(worker, next.time);
            std::make_heap(due.begin(), due.end());
        } else if (goes_on) {
            begin_and_sort(next.worker, next.time);
        } else {
            for (const Segment& segment : delivered)
                begin_and_sort(static_cast<std::size_t>(segment.worker), next.time);
        }
        delivered.clear();
    }
}

} // namespace shardlens::sync
