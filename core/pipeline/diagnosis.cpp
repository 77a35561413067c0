// SPDX-License-Identifier: GPL-3.0-or-later
// Why an order stopped: only reached when it did, so it may search.
#include <string>

#include "pipeline/engine.h"

namespace shardlens::pipeline {

namespace {

class Diagnosis {
public:
    Diagnosis(const Schedule& schedule, const std::vector<ChunkInfo>& chunks, const Ends& ends,
              const std::vector<std::size_t>& at)
        : m_schedule(schedule), m_chunks(chunks), m_ends(ends), m_at(at),
          m_chunks_per_rank(static_cast<std::size_t>(schedule.spec.chunks)) {}

    [[nodiscard]] Error explain() const {
        for (std::size_t r = 0; r < m_at.size(); ++r) {
            if (!stopped(r)) continue;
            if (std::string wrong = what_is_wrong(r); !wrong.empty()) return {"schedule", wrong};
        }
        for (std::size_t r = 0; r < m_at.size(); ++r) {
            if (stopped(r) && lacking(r) != nullptr) return {"schedule", waiting(r)};
        }
        return {"schedule", missing()};
    }

private:
    [[nodiscard]] bool stopped(std::size_t r) const { return m_at[r] < m_schedule.first[r + 1]; }
    [[nodiscard]] std::string name(const Op& op) const { return token(op, m_chunks_per_rank > 1); }
    [[nodiscard]] const ChunkInfo& chunk(std::size_t r, const Op& op) const {
        return m_chunks[r * m_chunks_per_rank + op.chunk];
    }
    [[nodiscard]] bool exists(const Op& op) const {
        return op.chunk < m_chunks_per_rank && op.micro_batch >= 0 &&
               op.micro_batch < m_schedule.spec.micro_batches;
    }
    /// The op of the rank's next cell that lacks a result of another stage; nullptr when none does.
    [[nodiscard]] const Op* lacking(std::size_t r) const {
        const std::size_t i = m_at[r];
        const std::size_t width = m_schedule.ops[i].with_next && i + 1 < m_schedule.first[r + 1] ? 2 : 1;
        for (std::size_t j = i; j < i + width; ++j) {
            const Op& op = m_schedule.ops[j];
            if (!exists(op)) return nullptr;
            const ChunkInfo& own = chunk(r, op);
            const auto k = static_cast<std::size_t>(op.micro_batch);
            const bool forward = op.kind == OpKind::forward;
            if (op.kind == OpKind::weight_grad ||
                (forward ? m_ends.forward : m_ends.backward)[own.cells + k] >= 0 ||
                (!forward && m_ends.forward[own.cells + k] < 0)) {
                continue;
            }
            const std::size_t source = forward ? own.before : own.after;
            if (source != kNone && (forward ? m_ends.forward : m_ends.backward)[source + k] < 0) return &op;
        }
        return nullptr;
    }
    [[nodiscard]] std::string position(std::size_t r) const {
        return "rank " + std::to_string(r) + " at position " + std::to_string(m_at[r] - m_schedule.first[r]);
    }

    /// What no waiting would mend in the rank's next cell; empty when there is nothing.
    [[nodiscard]] std::string what_is_wrong(std::size_t r) const {
        const std::size_t i = m_at[r];
        const std::size_t width = m_schedule.ops[i].with_next && i + 1 < m_schedule.first[r + 1] ? 2 : 1;
        if (width == 2 && m_schedule.ops[i + 1].with_next) {
            return position(r) + ", " + name(m_schedule.ops[i]) +
                   ": an overlapped cell holds two operations, not more";
        }
        for (std::size_t j = i; j < i + width; ++j) {
            const Op& op = m_schedule.ops[j];
            const std::string here = position(r) + ", " + name(op) + ": ";
            if (!exists(op)) return here + "there is no such micro-batch or chunk";
            const std::size_t cell = chunk(r, op).cells + static_cast<std::size_t>(op.micro_batch);
            if (op.kind == OpKind::forward && m_ends.forward[cell] >= 0)
                return here + "the forward ran before";
            if (op.kind == OpKind::weight_grad && !weight_half_is_due(r, j)) {
                return here + "its input half has not run, or the weight half ran before";
            }
            if (op.kind == OpKind::weight_grad) continue;
            if (op.kind != OpKind::forward && m_ends.backward[cell] >= 0)
                return here + "the backward ran before";
            if (op.kind != OpKind::forward && m_ends.forward[cell] < 0) {
                return here + "the forward of this micro-batch has not run";
            }
        }
        return {};
    }

    /// Did the input half run on this rank before position j, and the weight half not?
    [[nodiscard]] bool weight_half_is_due(std::size_t r, std::size_t j) const {
        const Op& op = m_schedule.ops[j];
        bool due = false;
        for (std::size_t i = m_schedule.first[r]; i < j; ++i) {
            const Op& before = m_schedule.ops[i];
            if (before.chunk != op.chunk || before.micro_batch != op.micro_batch) continue;
            if (before.kind == OpKind::input_grad) due = true;
            if (before.kind == OpKind::weight_grad) return false;
        }
        return due;
    }

    [[nodiscard]] std::string waiting(std::size_t r) const {
        const Op& op = *lacking(r);
        const ChunkInfo& own = chunk(r, op);
        const bool forward = op.kind == OpKind::forward;
        const std::size_t slot = forward ? own.before_slot : own.after_slot, other = slot / m_chunks_per_rank;
        Op wanted{forward ? OpKind::forward : OpKind::backward, false,
                  static_cast<std::uint16_t>(slot % m_chunks_per_rank), op.micro_batch};
        bool listed = false;
        for (const Op& candidate : m_schedule.rank(static_cast<std::int64_t>(other))) {
            const bool same_way =
                forward ? candidate.kind == OpKind::forward
                        : candidate.kind == OpKind::backward || candidate.kind == OpKind::input_grad;
            if (same_way && candidate.chunk == wanted.chunk && candidate.micro_batch == wanted.micro_batch) {
                wanted.kind = candidate.kind;
                listed = true;
            }
        }
        std::string text = "the order deadlocks: " + position(r) + " waits in " + name(op) + " for " +
                           name(wanted) + " of rank " + std::to_string(other);
        if (!listed) return text + ", which that rank never runs";
        if (other != r && stopped(other))
            text += ", which itself stands before " + name(m_schedule.ops[m_at[other]]);
        return text;
    }

    [[nodiscard]] std::string missing() const {
        const auto m = static_cast<std::size_t>(m_schedule.spec.micro_batches);
        const auto says = [&](std::size_t slot, OpKind kind, std::size_t k) {
            const Op op{kind, false, static_cast<std::uint16_t>(slot % m_chunks_per_rank),
                        static_cast<std::int32_t>(k)};
            return "the order misses " + name(op) + " on rank " + std::to_string(slot / m_chunks_per_rank);
        };
        std::size_t forwards = 0;
        for (std::size_t slot = 0; slot < m_chunks.size(); ++slot) {
            for (std::size_t k = 0; k < m; ++k) {
                const bool forward = m_ends.forward[m_chunks[slot].cells + k] >= 0;
                const bool backward = m_ends.backward[m_chunks[slot].cells + k] >= 0;
                forwards += forward ? 1 : 0;
                if (forward && !backward) return says(slot, OpKind::backward, k);
                if (!forward && !m_schedule.bidirectional) return says(slot, OpKind::forward, k);
            }
        }
        if (forwards != static_cast<std::size_t>(m_schedule.stages) * m) {
            return "the order runs " + std::to_string(forwards) + " forwards instead of " +
                   std::to_string(m_schedule.stages) + " stages × " + std::to_string(m) + " micro-batches";
        }
        return missing_weight_half();
    }

    [[nodiscard]] std::string missing_weight_half() const {
        for (std::size_t r = 0; r < m_at.size(); ++r) {
            const auto ops = m_schedule.rank(static_cast<std::int64_t>(r));
            for (std::size_t i = 0; i < ops.size(); ++i) {
                if (ops[i].kind != OpKind::input_grad) continue;
                bool found = false;
                for (std::size_t j = i + 1; j < ops.size() && !found; ++j) {
                    found = ops[j].kind == OpKind::weight_grad && ops[j].chunk == ops[i].chunk &&
                            ops[j].micro_batch == ops[i].micro_batch;
                }
                if (found) continue;
                const Op weight{OpKind::weight_grad, false, ops[i].chunk, ops[i].micro_batch};
                return "the order misses " + name(weight) + " on rank " + std::to_string(r);
            }
        }
        return "the order is not complete";
    }

    const Schedule& m_schedule;
    const std::vector<ChunkInfo>& m_chunks;
    const Ends& m_ends;
    const std::vector<std::size_t>& m_at;
    std::size_t m_chunks_per_rank;
};

} // namespace

Error explain_stop(const Schedule& schedule, const std::vector<ChunkInfo>& chunks, const Ends& ends,
                   const std::vector<std::size_t>& at) {
    return Diagnosis(schedule, chunks, ends, at).explain();
}

} // namespace shardlens::pipeline
