// SPDX-License-Identifier: GPL-3.0-or-later
// Zero bubble schedules with deeper warm-up (ZB-H2, arXiv 2401.10241) or V-shaped chunks (ZB-V, arXiv
// 2405.15362).
#include <algorithm>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

void two_chunk_rules(const ScheduleSpec& spec, Rules& rules) {
    rules.require(spec.chunks == 2, spec.kind, "schedule-two-chunks", "chunks", {},
                  "{0} has exactly 2 model chunks (or directions) per rank, not {1}", {spec.chunks});
}

std::optional<ScheduleKind> shortened_to(const ScheduleSpec& spec) {
    if (spec.kind != ScheduleKind::zb_h2 || spec.micro_batches >= 2 * spec.ranks - 1) return std::nullopt;
    return ScheduleKind::zb_h1;
}

/// With fewer than 2p − 1 micro-batches the deep warm-up costs memory and up to three units and gains
/// nothing.
void generate_zb_h2(const ScheduleSpec& spec, Writer& out) {
    if (shortened_to(spec)) return generate_interleaved_zb(spec, out);
    const std::int64_t m = spec.micro_batches;
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        const std::int64_t warm_up = std::min(m, 2 * (spec.ranks - 1 - r) + 1);
        for (std::int64_t i = 0; i < warm_up; ++i) out.forward(0);
        for (std::int64_t i = 0; i < m; ++i) {
            out.input_grad(0);
            if (i >= 2 * r) out.oldest_weight_grad();
            if (warm_up + i < m) out.forward(0);
        }
        out.all_owed_weight_grads();
    }
}

/// The pattern is made for n = max(m, 2p − 1) micro-batches; those beyond m are struck by the writer.
void generate_zb_v(const ScheduleSpec& spec, Writer& out) {
    constexpr std::int64_t a = 0, b = 1; // the chunks with stage r and stage 2p − 1 − r
    const std::int64_t p = spec.ranks, n = std::max(spec.micro_batches, 2 * p - 1);
    const auto backward = [&](std::int64_t chunk) {
        out.input_grad(chunk);
        out.weight_grad(chunk);
    };
    for (std::int64_t r = 0; r < p; ++r) {
        out.next_rank();
        std::int64_t left_a = n, left_b = n, paid_a = 0, paid_b = 0;
        for (std::int64_t i = 0; i < 2 * (p - r) - 1; ++i, --left_a) out.forward(a);
        for (std::int64_t i = 0; i < r; ++i, --left_a, --left_b) {
            out.forward(b);
            out.forward(a);
        }
        for (std::int64_t i = 0; i < p - r; ++i, --left_b, ++paid_b) {
            out.forward(b);
            backward(b);
        }
        for (; left_a > 0 || left_b > 0; ++paid_a, ++paid_b, --left_b) {
            if (left_a-- > 0) out.forward(a);
            backward(a);
            out.forward(b);
            backward(b);
        }
        for (std::int64_t i = 0; i < r; ++i) {
            out.input_grad(a);
            out.input_grad(b);
        }
        for (std::int64_t i = 0; i < p - r; ++i, ++paid_a) backward(a);
        for (; paid_b < n; ++paid_b) out.weight_grad(b);
        for (; paid_a < n; ++paid_a) out.weight_grad(a);
    }
}

} // namespace shardlens::pipeline
