// SPDX-License-Identifier: GPL-3.0-or-later
// Data-parallel SGD with workers of random speed: who is waited for, and how long a mini-batch takes.
// Simulated in sync/simulate.h and sync/loss.h, in closed form in sync/closed_form.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace shardlens::sync {

/// How many gradients an update waits for, and what becomes of the others (Dutta et al., arXiv 1803.01113,
/// section 2).
enum class Variant : std::uint8_t {
    sync,         ///< all P workers
    k_sync,       ///< the first K of P workers; the others are cancelled
    k_batch_sync, ///< the first K mini-batches, whoever computes them; the others are cancelled
    async,        ///< every gradient as it arrives
    k_async,      ///< K different workers; the others go on with the weights that they read
    k_batch_async ///< K mini-batches, whoever computes them; the others go on
};

enum class DelayKind : std::uint8_t { constant, exponential, shifted_exponential, pareto };

[[nodiscard]] const char* to_string(Variant variant); ///< "k_batch_sync"
[[nodiscard]] const char* to_string(DelayKind kind);  ///< "shifted_exponential"
[[nodiscard]] std::optional<Variant> variant_of(std::string_view name);
[[nodiscard]] std::optional<DelayKind> delay_kind_of(std::string_view name);
[[nodiscard]] std::span<const std::string_view> variant_names();
[[nodiscard]] std::span<const std::string_view> delay_names();

/// Time of one mini-batch on one worker, independent and the same for all.
struct Delay {
    DelayKind kind = DelayKind::exponential;
    double floor_s = 0; ///< never shorter: the constant, the shift, the scale of the Pareto law
    double tail_s = 1;  ///< mean of the exponential part
    double shape = 0;   ///< Pareto: P(X > x) = (floor / x)^shape

    [[nodiscard]] static Delay constant(double seconds);
    [[nodiscard]] static Delay exponential(double mean_s);
    [[nodiscard]] static Delay shifted_exponential(double shift_s, double tail_mean_s);
    [[nodiscard]] static Delay pareto(double scale_s, double shape);

    [[nodiscard]] double mean_s() const; ///< infinite for a Pareto shape of 1 or less
    bool operator==(const Delay&) const = default;
};

/// What a person gives of a delay: the mean of the whole and what else the kind has. Left out: mean 1; shift
/// half the mean; shape 2.5; scale (shape − 1) / shape · mean, so that every kind of the same mean can be
/// compared.
struct DelayWords {
    std::string kind = "exponential";
    std::optional<double> mean_s, shift_s, shape, scale_s;
};

struct Spec {
    Variant variant = Variant::k_sync;
    std::int64_t workers = 8;  ///< P
    std::int64_t wait_for = 4; ///< K; sync takes P and async 1, whatever stands here
    Delay delay;

    /// K as the variant has it.
    [[nodiscard]] std::int64_t gradients_per_update() const;
    bool operator==(const Spec&) const = default;
};

inline constexpr std::int64_t kMaxWorkers = 4096;

/// The delay, or in `problem` what is wrong with the words and what would be right.
[[nodiscard]] std::optional<Delay> make_delay(const DelayWords& words, std::string& problem);
/// What is wrong with a specification and what would be right; "" when nothing is.
[[nodiscard]] std::string check(const Spec& spec);

} // namespace shardlens::sync
