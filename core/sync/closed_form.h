// SPDX-License-Identifier: GPL-3.0-or-later
// What is known without simulating. X is the time of a mini-batch, X_{K:P} the K-th smallest of P of them.
#pragma once

#include <optional>

#include "sync/sgd.h"

namespace shardlens::sync {

/// H_n = 1 + 1/2 + … + 1/n.
[[nodiscard]] double harmonic(std::int64_t n);

/// E[X_{K:P}] in seconds: constant c; exponential mean · (H_P − H_{P−K}); shifted: the shift more; Pareto
/// scale · Γ(P+1) Γ(P−K+1−1/a) / (Γ(P−K+1) Γ(P+1−1/a)), infinite where a ≤ 1/(P−K+1) (David and Nagaraja,
/// Order Statistics).
[[nodiscard]] double order_statistic_s(const Delay& delay, std::int64_t k, std::int64_t of);

enum class Exactness : std::uint8_t {
    exact,
    upper_bound,     ///< K-async with delays that are "new longer than used": no more than E[X_{K:P}]
    order_statistic, ///< K-async with a heavy tail: E[X_{K:P}] again, which then bounds nothing
    none
};
[[nodiscard]] const char* to_string(Exactness exactness);

struct UpdateTime {
    std::optional<double> seconds; ///< absent with Exactness::none
    Exactness exactness = Exactness::none;
};

/// Expected seconds from one update to the next (Dutta et al., arXiv 1803.01113, section 3): K-sync
/// E[X_{K:P}]; K-batch-sync K · mean / P for exponential delays; async and K-batch-async K · E[X] / P for
/// every delay; K-async E[X_{K:P}] for exponential delays.
[[nodiscard]] UpdateTime expected_update_time(const Spec& spec);

/// Mean updates between reading the weights and using the gradient: (P − K)/K for K-async, (P − 1)/K for
/// K-batch-async.
[[nodiscard]] double expected_staleness(const Spec& spec);
/// Share of the gradients begun that are cancelled: 1 − K/P for K-sync, 1 − K/(P + K − 1) for K-batch-sync.
[[nodiscard]] double expected_dropped_share(const Spec& spec);

} // namespace shardlens::sync
