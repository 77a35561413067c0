// SPDX-License-Identifier: GPL-3.0-or-later
// GPipe (arXiv 1811.06965) and 1F1B (PipeDream-Flush, DAPPLE; arXiv 2006.09503, 2007.01045).
#include <algorithm>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

/// `warm_up_per_hop` forwards per stage that follows, then forward and backward in turn, then the rest.
void one_forward_one_backward(const ScheduleSpec& spec, std::int64_t warm_up_per_hop, Writer& out) {
    const std::int64_t m = spec.micro_batches;
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        const std::int64_t warm_up = std::min(m, warm_up_per_hop * (spec.ranks - 1 - r));
        for (std::int64_t i = 0; i < warm_up; ++i) out.forward(0);
        for (std::int64_t i = warm_up; i < m; ++i) {
            out.forward(0);
            out.backward(0);
        }
        for (std::int64_t i = 0; i < warm_up; ++i) out.backward(0);
    }
}

} // namespace

void one_chunk_rules(const ScheduleSpec& spec, Rules& rules) {
    rules.require(spec.chunks == 1, spec.kind, "schedule-one-chunk", "chunks", {},
                  "{0} puts one model chunk on each rank, not {1}", {spec.chunks});
}

void generate_gpipe(const ScheduleSpec& spec, Writer& out) {
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        for (std::int64_t k = 0; k < spec.micro_batches; ++k) out.forward(0);
        for (std::int64_t k = 0; k < spec.micro_batches; ++k) out.backward(0);
    }
}

void generate_1f1b(const ScheduleSpec& spec, Writer& out) { one_forward_one_backward(spec, 1, out); }

/// Twice the warm-up hides the latency of a hop, for twice the activations.
void generate_1f1b_eager(const ScheduleSpec& spec, Writer& out) { one_forward_one_backward(spec, 2, out); }

} // namespace shardlens::pipeline
