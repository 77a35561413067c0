// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "pipeline/engine.h"

namespace shardlens::pipeline {

namespace {

/// Walks from an op to what determined its start: the op before on the rank, or a result from another rank.
/// Starts are not stored: with E the op's end, the determining end e satisfies e + hop + duration = E in the
/// very arithmetic that gave E. A weight half always follows the op before it, so its end is never needed.
class BackWalk {
public:
    BackWalk(const Schedule& schedule, const std::vector<ChunkInfo>& chunks, const Ends& ends, bool keep_ops)
        : m_schedule(schedule), m_chunks(chunks), m_ends(ends), m_keep_ops(keep_ops) {
        m_path.stages.resize(static_cast<std::size_t>(schedule.stages));
    }

    CriticalPath walk(std::size_t rank);

private:
    struct Source { // a result on another rank
        bool found = false;
        std::size_t rank = 0;
        std::size_t op = 0; ///< that produced it
    };

    [[nodiscard]] const ChunkInfo& chunk(std::size_t rank, const Op& op) const {
        return m_chunks[rank * static_cast<std::size_t>(m_schedule.spec.chunks) + op.chunk];
    }
    [[nodiscard]] double end_of(std::size_t rank, const Op& op) const {
        const std::size_t cell = chunk(rank, op).cells + static_cast<std::size_t>(op.micro_batch);
        return op.kind == OpKind::forward ? m_ends.forward[cell] : m_ends.backward[cell];
    }
    /// The op's input from another rank, if it came just in time for `length` more to make `end`.
    void look(std::size_t rank, const Op& op, double length, double end, Source& source) const;
    void count(std::size_t rank, std::size_t first, std::size_t width);

    const Schedule& m_schedule;
    const std::vector<ChunkInfo>& m_chunks;
    const Ends& m_ends;
    bool m_keep_ops;
    CriticalPath m_path;
};

void BackWalk::look(std::size_t rank, const Op& op, double length, double end, Source& source) const {
    const ChunkInfo& own = chunk(rank, op);
    const auto k = static_cast<std::size_t>(op.micro_batch);
    if (op.kind == OpKind::weight_grad || source.found) return;
    const bool forward = op.kind == OpKind::forward;
    const std::size_t neighbour = forward ? own.before : own.after;
    if (neighbour == kNone || (forward ? own.before_rank : own.after_rank) == rank) return;
    const double arrival = forward ? m_ends.forward[neighbour + k] + own.before_hop
                                   : m_ends.backward[neighbour + k] + own.after_hop;
    if (arrival + length != end) return;
    source = {true, forward ? own.before_rank : own.after_rank,
              (forward ? m_ends.forward_op : m_ends.backward_op)[neighbour + k]};
}

void BackWalk::count(std::size_t rank, std::size_t first, std::size_t width) {
    if (m_keep_ops) m_path.ops.push_back(first);
    const auto at = [&](std::size_t i) -> CriticalPath::Stage& {
        return m_path.stages[static_cast<std::size_t>(chunk(rank, m_schedule.ops[i]).stage)];
    };
    if (width == 2) {
        const Op &a = m_schedule.ops[first], &b = m_schedule.ops[first + 1];
        if (const ChunkInfo* cell = overlapping_forward(a, chunk(rank, a), b, chunk(rank, b))) {
            ++m_path.stages[static_cast<std::size_t>(cell->stage)].overlapped;
            return;
        }
    }
    for (std::size_t i = first; i < first + width; ++i) {
        switch (m_schedule.ops[i].kind) {
        case OpKind::forward: ++at(i).forward; break;
        case OpKind::backward: ++at(i).backward; break;
        case OpKind::input_grad: ++at(i).input_grad; break;
        case OpKind::weight_grad: ++at(i).weight_grad; break;
        }
    }
}

CriticalPath BackWalk::walk(std::size_t rank) {
    const auto& ops = m_schedule.ops;
    if (m_schedule.first[rank] == m_schedule.first[rank + 1]) return m_path;
    std::size_t i = m_schedule.first[rank + 1] - 1;
    while (true) {
        const std::size_t begin = m_schedule.first[rank];
        const bool second = i > begin && ops[i - 1].with_next;
        const bool pair = second || (ops[i].with_next && i + 1 < m_schedule.first[rank + 1]);
        if (second) --i;
        count(rank, i, pair ? 2 : 1);
        const double length =
            pair ? cell_duration(ops[i], chunk(rank, ops[i]), ops[i + 1], chunk(rank, ops[i + 1]))
                 : duration(ops[i], chunk(rank, ops[i]));
        Source source;
        if (ops[i].kind != OpKind::weight_grad) {
            const double end = end_of(rank, ops[i]);
            // Where both fit, the chain stays on the rank: fewer hops, easier to read.
            const bool follows = i > begin && ops[i - 1].kind != OpKind::weight_grad &&
                                 end_of(rank, ops[i - 1]) + length == end;
            if (!follows) {
                look(rank, ops[i], length, end, source);
                if (pair) look(rank, ops[i + 1], length, end, source);
            }
        }
        if (source.found) {
            ++m_path.hops;
            i = source.op;
            rank = source.rank;
        } else if (i > begin) {
            --i;
        } else {
            return m_path;
        }
    }
}

} // namespace

CriticalPath critical_path(const Schedule& schedule, const std::vector<ChunkInfo>& chunks, const Ends& ends,
                           std::size_t last_rank, bool keep_ops) {
    CriticalPath path = BackWalk(schedule, chunks, ends, keep_ops).walk(last_rank);
    std::ranges::reverse(path.ops);
    return path;
}

} // namespace shardlens::pipeline
