// SPDX-License-Identifier: GPL-3.0-or-later
// A schedule is data: the order of operations per pipeline rank. Generators make it, one simulator times it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plan/message.h"
#include "plan/plan.h"
#include "json/result.h"

namespace shardlens::pipeline {

enum class OpKind : std::uint8_t { forward, backward, input_grad, weight_grad };

/// One operation of one chunk on one micro-batch. An overlapped cell is two consecutive ops of which the
/// first has `with_next` set; they start together and share one duration.
struct Op {
    OpKind kind = OpKind::forward;
    bool with_next = false;
    std::uint16_t chunk = 0; ///< local chunk (or direction of a bidirectional schedule)
    std::int32_t micro_batch = 0;

    bool operator==(const Op&) const = default;
};

struct ScheduleSpec {
    ScheduleKind kind = ScheduleKind::one_f_one_b;
    std::int64_t ranks = 1;         ///< p
    std::int64_t micro_batches = 1; ///< m (both directions together for bidirectional ones)
    std::int64_t chunks = 0;        ///< v; 0 = the kind's default (1, or 2 for V-shaped and bidirectional)
    std::int64_t group = 0;         ///< g; 0 = m / max(1, ⌊m / p⌋) where whole, else p

    bool operator==(const ScheduleSpec&) const = default;
};

struct Schedule {
    ScheduleSpec spec; ///< with defaults filled in
    bool bidirectional = false;
    std::int64_t stages = 1;            ///< stages of one copy of the model: p·v, or p when bidirectional
    std::vector<std::int32_t> stage_of; ///< [rank · chunks + chunk] → stage in model order
    std::vector<Op> ops;                ///< rank 0's list, then rank 1's …
    std::vector<std::size_t> first;     ///< ops of rank r: first[r] … first[r + 1]

    [[nodiscard]] std::span<const Op> rank(std::int64_t r) const {
        return {ops.data() + first[r], first[r + 1] - first[r]};
    }
    [[nodiscard]] std::int32_t stage(std::int64_t r, std::int64_t chunk) const {
        return stage_of[static_cast<std::size_t>(r * spec.chunks + chunk)];
    }
};

/// What stands against a schedule of these sizes: the rule in words and the nearest legal values as fixes
/// (paths parallel.pipeline, training.global_batch_size … are filled in by the rules room; here path is
/// "stages", "micro_batches", "chunks" or "group"). Empty = it can be generated.
[[nodiscard]] std::vector<Message> check(const ScheduleSpec& spec);

/// Fills in defaults (chunks, group).
[[nodiscard]] ScheduleSpec with_defaults(ScheduleSpec spec);

/// The kind whose order is made instead, where a kind needs more micro-batches to be itself: ZB-H1 for ZB-H2
/// with fewer than 2p − 1.
[[nodiscard]] std::optional<ScheduleKind> shortened_to(const ScheduleSpec& spec);

/// The order of operations. Errors: check() is not empty.
[[nodiscard]] Result<Schedule> make_schedule(const ScheduleSpec& spec);

/// Chunk activations alive on any rank at most, freed at the end of B or W: of V-half 2 ⌊(p + 2) / 2⌋, of
/// V-min 2 ⌊(p + 4) / 3⌋, of 1F1B-V 2 (⌊2p / 3⌋ + 1) (arXiv 2405.15362; 1F1B has 2p such halves of a stage).
[[nodiscard]] std::int64_t v_shaped_live_limit(ScheduleKind kind, std::int64_t ranks);

/// "F3", "B3", "I3.1", "F3.0+B1.1": chunk suffix only when v > 1.
[[nodiscard]] std::string token(const Op& op, bool with_chunk);

} // namespace shardlens::pipeline
