// SPDX-License-Identifier: GPL-3.0-or-later
// Interleaved 1F1B (arXiv 2104.04473), its variant with overlapped expert communication as Megatron-LM runs
// it, looped breadth-first (arXiv 2211.05953) and interleaved zero bubble (arXiv 2401.10241 with several
// chunks).
#include <algorithm>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

/// The chunk sequence of all forwards: micro-batches in groups of g (the last may be shorter), each group
/// through chunk 0, then chunk 1 …; backwards take the chunks from the last one down.
class GroupWalk {
public:
    explicit GroupWalk(const ScheduleSpec& spec)
        : m_chunks(spec.chunks), m_group(spec.group), m_left(spec.micro_batches),
          m_size(std::min(m_group, m_left)) {}

    std::int64_t next() {
        const std::int64_t chunk = m_chunk;
        if (++m_in_group == m_size) {
            m_in_group = 0;
            if (++m_chunk == m_chunks) {
                m_chunk = 0;
                m_left -= m_size;
                m_size = std::min(m_group, m_left);
            }
        }
        return chunk;
    }
    std::int64_t next_backward() { return m_chunks - 1 - next(); }

private:
    std::int64_t m_chunks, m_group, m_left, m_size, m_chunk = 0, m_in_group = 0;
};

} // namespace

void interleaved_rules(const ScheduleSpec& spec, Rules& rules) {
    const std::int64_t p = spec.ranks, m = spec.micro_batches, g = spec.group;
    if (m < p) { // one group; nothing is left over that could stall
        rules.require(g == m, spec.kind, "schedule-group-range", "group", {"micro_batches"},
                      "{0} runs fewer micro-batches than pipeline stages as one group of {2}, not {1}",
                      {g, m});
        return;
    }
    rules.require(
        g >= p && g <= m, spec.kind, "schedule-group-range", "group", {},
        "{0} needs a group of {2} to {3} micro-batches per chunk (stages to micro-batches), not {1}",
        {g, p, m});
    if (g < p || g > m) return;
    rules.require(
        m % g == 0 || m % g >= p, spec.kind, "schedule-group-remainder", "micro_batches", {"group", "stages"},
        "{0} with groups of {2} leaves {3} of {1} micro-batches over; the rest must be 0 or at least the "
        "{4} pipeline stages, else ranks stall or block each other",
        {m, g, m % g, p});
}

void interleaved_ep_rules(const ScheduleSpec& spec, Rules& rules) {
    rules.require(spec.chunks > 1 || spec.ranks == 1, spec.kind, "schedule-overlap-chunks", "chunks", {},
                  "{0} needs at least 2 model chunks per rank to pair a forward with a backward, not {1}",
                  {spec.chunks});
    interleaved_rules(spec, rules);
}

void looped_rules(const ScheduleSpec& /*spec*/, Rules& /*rules*/) {}

void generate_interleaved(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t total = spec.micro_batches * spec.chunks;
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        GroupWalk forwards(spec), backwards(spec);
        const std::int64_t warm_up =
            std::min(total, (spec.chunks - 1) * spec.group + 2 * (spec.ranks - 1 - r));
        for (std::int64_t i = 0; i < warm_up; ++i) out.forward(forwards.next());
        for (std::int64_t i = warm_up; i < total; ++i) {
            out.forward(forwards.next());
            out.backward(backwards.next_backward());
        }
        for (std::int64_t i = 0; i < warm_up; ++i) out.backward(backwards.next_backward());
    }
}

/// One more warm-up forward, then cells of a forward and a backward: the one's all-to-all hides behind the
/// other.
void generate_interleaved_ep(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t total = spec.micro_batches * spec.chunks;
    const bool alone = spec.ranks == 1 && spec.chunks == 1; // without a pipeline the backward comes first
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        GroupWalk forwards(spec), backwards(spec);
        const std::int64_t warm_up =
            std::min(total, (spec.chunks - 1) * spec.group + 2 * (spec.ranks - 1 - r) + 1);
        for (std::int64_t i = 0; i < warm_up; ++i) out.forward(forwards.next());
        for (std::int64_t i = warm_up; i < total; ++i) {
            const std::int64_t forward = forwards.next(), backward = backwards.next_backward();
            if (alone) {
                out.backward_with_forward(backward, forward);
            } else {
                out.forward_with_backward(forward, backward);
            }
        }
        for (std::int64_t i = 0; i < warm_up; ++i) out.backward(backwards.next_backward());
    }
}

/// Backwards of a chunk run from the last micro-batch to the first, as PyTorch's LoopedBFS does.
void generate_looped_bfs(const ScheduleSpec& spec, Writer& out) {
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        for (std::int64_t c = 0; c < spec.chunks; ++c) {
            for (std::int64_t k = 0; k < spec.micro_batches; ++k) out.forward(c);
        }
        for (std::int64_t c = spec.chunks - 1; c >= 0; --c) {
            for (std::int64_t k = spec.micro_batches - 1; k >= 0; --k) {
                out.add(
                    {OpKind::backward, false, static_cast<std::uint16_t>(c), static_cast<std::int32_t>(k)});
            }
        }
    }
}

/// Rank r keeps r weight halves in hand and pays them when it would idle.
void generate_interleaved_zb(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t total = spec.micro_batches * spec.chunks;
    for (std::int64_t r = 0; r < spec.ranks; ++r) {
        out.next_rank();
        GroupWalk forwards(spec), backwards(spec);
        const std::int64_t warm_up = std::min(total, (spec.chunks - 1) * spec.group + spec.ranks - 1 - r);
        for (std::int64_t i = 0; i < warm_up; ++i) out.forward(forwards.next());
        for (std::int64_t i = 0; i < total; ++i) {
            if (warm_up + i < total) out.forward(forwards.next());
            out.input_grad(backwards.next_backward());
            if (i >= r) out.oldest_weight_grad();
        }
        out.all_owed_weight_grads();
    }
}

} // namespace shardlens::pipeline
