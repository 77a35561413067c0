// SPDX-License-Identifier: GPL-3.0-or-later
// DualPipe (arXiv 2412.19437) and its "cut in half" form DualPipeV: micro-batches enter from both ends and
// the forward of one direction overlaps the backward of the other.
#include <algorithm>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

/// One rank of an arm of `arm` ranks, `depth` hops from where its own direction enters. `near` is the
/// direction (or chunk) that enters here, `far` the other; n micro-batches each.
void dualpipe_rank(std::int64_t arm, std::int64_t depth, std::int64_t n, std::int64_t near, std::int64_t far,
                   Writer& out) {
    const std::int64_t to_turn = arm - 1 - depth;
    out.next_rank();
    for (std::int64_t i = 0; i < 2 * to_turn; ++i) out.forward(near);
    for (std::int64_t i = 0; i <= depth; ++i) {
        out.forward(near);
        out.forward(far);
    }
    for (std::int64_t i = 0; i < to_turn; ++i) {
        out.input_grad(far);
        out.oldest_weight_grad();
        out.forward(far);
    }
    for (std::int64_t i = 0; i < n - 2 * arm + depth + 1; ++i) {
        if (i == 0 && to_turn == 0) { // the backward of the turning rank needs the forward just before it
            out.forward(near);
            out.backward(far);
        } else {
            out.forward_with_backward(near, far);
        }
        out.forward_with_backward(far, near);
    }
    for (std::int64_t i = 0; i < to_turn; ++i) {
        out.backward(far);
        out.forward_with_backward(far, near);
    }
    for (std::int64_t i = 0; i < 2 * (depth + 1); ++i) {
        const std::int64_t chunk = i % 2 == 0 ? far : near;
        if (i <= depth) {
            out.backward(chunk);
        } else {
            out.input_grad(chunk);
        }
    }
    for (std::int64_t i = 0; i < to_turn; ++i) {
        out.oldest_weight_grad();
        out.input_grad(near);
    }
    out.all_owed_weight_grads();
}

} // namespace

void dualpipe_rules(const ScheduleSpec& spec, Rules& rules) {
    const std::int64_t p = spec.ranks, m = spec.micro_batches;
    two_chunk_rules(spec, rules);
    rules.require(p % 2 == 0, spec.kind, "schedule-even-stages", "stages", {},
                  "{0} needs an even number of pipeline stages, not {1}", {p});
    rules.require(m % 2 == 0, spec.kind, "schedule-even-micro-batches", "micro_batches", {},
                  "{0} needs an even number of micro-batches, half for each direction, not {1}", {m});
    rules.require(
        m >= 2 * p, spec.kind, "schedule-too-few-micro-batches-for-both-ends", "micro_batches", {"stages"},
        "{0} needs at least twice as many micro-batches as pipeline stages ({2}), not {1}", {m, 2 * p});
}

void dualpipe_v_rules(const ScheduleSpec& spec, Rules& rules) {
    const std::int64_t p = spec.ranks, m = spec.micro_batches;
    two_chunk_rules(spec, rules);
    rules.require(
        m >= 2 * p, spec.kind, "schedule-too-few-micro-batches-for-both-ends", "micro_batches", {"stages"},
        "{0} needs at least twice as many micro-batches as pipeline stages ({2}), not {1}", {m, 2 * p});
}

void generate_dualpipe(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t p = spec.ranks, arm = p / 2;
    for (std::int64_t r = 0; r < p; ++r) {
        const std::int64_t near = r < arm ? 0 : 1;
        dualpipe_rank(arm, std::min(r, p - 1 - r), spec.micro_batches / 2, near, 1 - near, out);
    }
}

void generate_dualpipe_v(const ScheduleSpec& spec, Writer& out) {
    for (std::int64_t r = 0; r < spec.ranks; ++r) dualpipe_rank(spec.ranks, r, spec.micro_batches, 0, 1, out);
}

} // namespace shardlens::pipeline
