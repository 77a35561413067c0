// SPDX-License-Identifier: GPL-3.0-or-later
#include "sync/closed_form.h"

#include <cmath>
#include <limits>

namespace shardlens::sync {

double harmonic(std::int64_t n) {
    // Beyond this the sum is the asymptotic series to every digit of a double (Euler and Maclaurin).
    constexpr std::int64_t kSummed = 100000;
    if (n > kSummed) {
        constexpr double kEulerGamma = 0.57721566490153286061;
        const auto x = static_cast<double>(n);
        return std::log(x) + kEulerGamma + 1 / (2 * x) - 1 / (12 * x * x);
    }
    double sum = 0;
    for (std::int64_t i = n; i >= 1; --i) sum += 1 / static_cast<double>(i);
    return sum;
}

double order_statistic_s(const Delay& delay, std::int64_t k, std::int64_t of) {
    if (delay.kind != DelayKind::pareto)
        return delay.floor_s + delay.tail_s * (harmonic(of) - harmonic(of - k));
    const auto p = static_cast<double>(of), rank = static_cast<double>(k);
    const double inverse = 1 / delay.shape;
    if (p - rank + 1 <= inverse) return std::numeric_limits<double>::infinity();
    return delay.floor_s * std::exp(std::lgamma(p + 1) + std::lgamma(p - rank + 1 - inverse) -
                                    std::lgamma(p - rank + 1) - std::lgamma(p + 1 - inverse));
}

const char* to_string(Exactness exactness) {
    switch (exactness) {
    case Exactness::exact: return "exact";
    case Exactness::upper_bound: return "upper bound";
    case Exactness::order_statistic: return "order statistic, no bound for a heavy tail";
    case Exactness::none: return "no closed form";
    }
    return "";
}

UpdateTime expected_update_time(const Spec& spec) {
    const std::int64_t k = spec.gradients_per_update(), p = spec.workers;
    const double mean = spec.delay.mean_s();
    const double shared = static_cast<double>(k) * mean / static_cast<double>(p);
    const double kth = order_statistic_s(spec.delay, k, p);
    switch (spec.variant) {
    case Variant::sync:
    case Variant::k_sync: return {kth, Exactness::exact};
    case Variant::k_batch_sync:
        if (spec.delay.kind == DelayKind::exponential) return {shared, Exactness::exact}; // no memory
        // With one gradient to wait for, or with equal workers, nobody starts a second mini-batch.
        if (k == 1 || spec.delay.kind == DelayKind::constant) return {kth, Exactness::exact};
        return {};
    case Variant::async:
    case Variant::k_batch_async: return {shared, Exactness::exact}; // renewal theorem
    case Variant::k_async:
        if (k == 1) return {shared, Exactness::exact};
        if (k == p || spec.delay.kind == DelayKind::exponential) return {kth, Exactness::exact};
        return {kth,
                spec.delay.kind == DelayKind::pareto ? Exactness::order_statistic : Exactness::upper_bound};
    }
    return {};
}

double expected_staleness(const Spec& spec) {
    const auto k = static_cast<double>(spec.gradients_per_update()), p = static_cast<double>(spec.workers);
    switch (spec.variant) {
    case Variant::async:
    case Variant::k_async: return (p - k) / k;
    case Variant::k_batch_async: return (p - 1) / k;
    default: return 0;
    }
}

double expected_dropped_share(const Spec& spec) {
    const auto k = static_cast<double>(spec.gradients_per_update()), p = static_cast<double>(spec.workers);
    switch (spec.variant) {
    case Variant::k_sync: return 1 - k / p;
    case Variant::k_batch_sync: return 1 - k / (p + k - 1);
    default: return 0;
    }
}

} // namespace shardlens::sync
