// SPDX-License-Identifier: GPL-3.0-or-later
#include "sync/sgd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace shardlens::sync {
namespace {

constexpr std::array<std::string_view, 6> kVariants = {"sync",  "k_sync",  "k_batch_sync",
                                                       "async", "k_async", "k_batch_async"};
constexpr std::array<std::string_view, 4> kDelays = {"constant", "exponential", "shifted_exponential",
                                                     "pareto"};

/// Longest and shortest delay that anybody means; sums over a run stay finite.
constexpr double kLongest = 1e9, kShortest = 1e-9;

template <std::size_t n>
std::size_t index_of(const std::array<std::string_view, n>& names, std::string_view name) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

std::string time_problem(const char* name, double value) {
    if (value >= kShortest && value <= kLongest) return {};
    return fmt::format("{} is {}; a number from {} to {} is right", name, value, kShortest, kLongest);
}

} // namespace

const char* to_string(Variant variant) { return kVariants[static_cast<std::size_t>(variant)].data(); }
const char* to_string(DelayKind kind) { return kDelays[static_cast<std::size_t>(kind)].data(); }

std::optional<Variant> variant_of(std::string_view name) {
    const std::size_t at = index_of(kVariants, name);
    return at < kVariants.size() ? std::optional(static_cast<Variant>(at)) : std::nullopt;
}

std::optional<DelayKind> delay_kind_of(std::string_view name) {
    const std::size_t at = index_of(kDelays, name);
    return at < kDelays.size() ? std::optional(static_cast<DelayKind>(at)) : std::nullopt;
}

std::span<const std::string_view> variant_names() { return kVariants; }
std::span<const std::string_view> delay_names() { return kDelays; }

Delay Delay::constant(double seconds) { return {DelayKind::constant, seconds, 0, 0}; }
Delay Delay::exponential(double mean_s) { return {DelayKind::exponential, 0, mean_s, 0}; }
Delay Delay::shifted_exponential(double shift_s, double tail_mean_s) {
    return {DelayKind::shifted_exponential, shift_s, tail_mean_s, 0};
}
Delay Delay::pareto(double scale_s, double shape) { return {DelayKind::pareto, scale_s, 0, shape}; }

double Delay::mean_s() const {
    if (kind != DelayKind::pareto) return floor_s + tail_s;
    return shape > 1 ? floor_s * shape / (shape - 1) : std::numeric_limits<double>::infinity();
}

std::int64_t Spec::gradients_per_update() const {
    if (variant == Variant::sync) return workers;
    return variant == Variant::async ? 1 : wait_for;
}

std::optional<Delay> make_delay(const DelayWords& words, std::string& problem) {
    const std::optional<DelayKind> kind = delay_kind_of(words.kind);
    if (!kind) {
        problem = fmt::format("delay is '{}'; {}, {}, {} or {} is right", words.kind, kDelays[0], kDelays[1],
                              kDelays[2], kDelays[3]);
        return std::nullopt;
    }
    const bool shifted = *kind == DelayKind::shifted_exponential, pareto = *kind == DelayKind::pareto;
    if (words.shift_s && !shifted) problem = "only a shifted_exponential delay has a shift";
    if ((words.shape || words.scale_s) && !pareto) problem = "only a pareto delay has a shape and a scale";
    if (words.mean_s && words.scale_s)
        problem = "mean and scale of a pareto delay fix each other; one of them is right";
    if (!problem.empty()) return std::nullopt;

    const double mean = words.mean_s.value_or(1);
    problem = time_problem("mean", mean);
    if (!problem.empty()) return std::nullopt;
    if (*kind == DelayKind::constant) return Delay::constant(mean);
    if (*kind == DelayKind::exponential) return Delay::exponential(mean);
    if (shifted) {
        const double shift = words.shift_s.value_or(mean / 2);
        if (!(shift >= 0 && shift < mean)) {
            problem =
                fmt::format("shift is {}; a number from 0 to less than the mean, {}, is right", shift, mean);
            return std::nullopt;
        }
        return Delay::shifted_exponential(shift, mean - shift);
    }
    const double shape = words.shape.value_or(2.5);
    if (!(shape > 1 && shape <= 1000)) {
        problem =
            fmt::format("shape is {}; a number above 1 (a mean exists) and at most 1000 is right", shape);
        return std::nullopt;
    }
    const double scale = words.scale_s.value_or((shape - 1) / shape * mean);
    problem = time_problem("scale", scale);
    if (!problem.empty()) return std::nullopt;
    return Delay::pareto(scale, shape);
}

std::string check(const Spec& spec) {
    if (spec.workers < 1 || spec.workers > kMaxWorkers)
        return fmt::format("workers is {}; a whole number from 1 to {} is right", spec.workers, kMaxWorkers);
    const std::int64_t k = spec.gradients_per_update();
    if (k < 1 || k > spec.workers)
        return fmt::format("wait_for is {}; a whole number from 1 to workers, {}, is right", k, spec.workers);
    return {};
}

} // namespace shardlens::sync
