// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/simulate.h"

#include <algorithm>
#include <cmath>
#include <new>

#include "pipeline/engine.h"

namespace shardlens::pipeline {

namespace {

/// One run. Ranks that can go on stand in a list; a rank runs until it waits for another rank's result, and
/// that result puts it back on the list. Work is linear in the number of operations.
class Engine {
public:
    Engine(const Schedule& schedule, Timeline& timeline, bool keep_ops)
        : m_schedule(schedule), m_timeline(timeline), m_keep_ops(keep_ops),
          m_micro_batches(schedule.spec.micro_batches), m_chunks_per_rank(schedule.spec.chunks) {}

    /// Builds the tables; an error when costs or lists do not fit the schedule.
    Error prepare(const Costs& costs);
    /// Plays the order; an error when it stops early or is not complete.
    Error run();

private:
    struct RankState {
        double free_at = 0, busy = 0, idle_inside = 0;
        std::int64_t live_until_input = 0, live_until_weight = 0;
        std::int64_t peak_until_input = 0, peak_until_weight = 0;
        std::int64_t forwards = 0;
    };
    enum class Step : std::uint8_t { done, blocked, broken };

    Error prepare_chunks(const Costs& costs);
    template <bool keep> void run_rank(std::size_t rank);
    /// Raises `start` to when the op's inputs are there; notes what the rank waits for when they are not.
    Step ready(const Op& op, const ChunkInfo& chunk, std::size_t rank, double& start);
    void finish(const Op& op, const ChunkInfo& chunk, double end, RankState& state);
    Step blocked(std::size_t rank, std::size_t result) {
        m_waits_for[rank] = result;
        return Step::blocked;
    }
    void wake(std::uint32_t rank, std::size_t result) {
        if (m_waits_for[rank] != result) return;
        m_waits_for[rank] = kNone;
        m_runnable[m_waiting_to_run++] = rank;
    }

    const Schedule& m_schedule;
    Timeline& m_timeline;
    bool m_keep_ops;
    bool m_broken = false;
    std::int64_t m_micro_batches, m_chunks_per_rank;
    std::vector<ChunkInfo> m_chunks; ///< rank · chunks + chunk
    Ends m_ends;
    std::vector<std::uint8_t>
        m_halves; ///< by cell: 1 input half done, 2 weight half done; empty when none exist
    std::vector<RankState> m_states;
    std::vector<std::size_t> m_waits_for;  ///< by rank: 2 · cell, + 1 for a backward; kNone
    std::vector<std::size_t> m_at;         ///< next operation of each rank
    std::vector<std::uint32_t> m_runnable; ///< a stack with room for every rank; none is on it twice
    std::size_t m_waiting_to_run = 0;
};

bool is_cost(double value) { return std::isfinite(value) && value >= 0; }

Error Engine::prepare(const Costs& costs) {
    const ScheduleSpec& spec = m_schedule.spec;
    const auto p = static_cast<std::size_t>(std::max<std::int64_t>(0, spec.ranks));
    const std::int64_t copies = m_schedule.bidirectional ? spec.chunks : 1;
    if (spec.ranks < 1 || spec.chunks < 1 || spec.micro_batches < 1 || m_schedule.stages < 1 ||
        m_schedule.first.size() != p + 1 || m_schedule.first.back() != m_schedule.ops.size() ||
        m_schedule.stage_of.size() != p * static_cast<std::size_t>(spec.chunks) ||
        m_schedule.stage_of.size() != static_cast<std::size_t>(m_schedule.stages * copies) ||
        !std::ranges::is_sorted(m_schedule.first)) {
        return {"schedule", "the lists of ranks, stages and operations do not fit together"};
    }
    const std::size_t cells = m_schedule.stage_of.size() * static_cast<std::size_t>(m_micro_batches);
    if (cells / static_cast<std::size_t>(copies) > m_schedule.ops.size() / 2) {
        return {"schedule", "the order misses operations: it has " + std::to_string(m_schedule.ops.size()) +
                                ", every micro-batch needs a forward and a backward at each of " +
                                std::to_string(m_schedule.stages) + " stages"};
    }
    if (costs.stages.size() != 1 && costs.stages.size() != static_cast<std::size_t>(m_schedule.stages)) {
        return {"costs", "give one cost for all stages or one for each of the " +
                             std::to_string(m_schedule.stages) + " stages, not " +
                             std::to_string(costs.stages.size())};
    }
    for (const StageCost& cost : costs.stages) {
        if (!is_cost(cost.forward) || !is_cost(cost.input_grad) || !is_cost(cost.weight_grad) ||
            !std::isfinite(cost.overlapped)) {
            return {"costs", "durations must be finite and not negative"};
        }
    }
    if (!is_cost(costs.hop)) return {"costs", "the hop latency must be finite and not negative"};
    m_ends.forward.assign(cells, kNotYet);
    m_ends.backward.assign(cells, kNotYet);
    m_states.assign(p, {});
    m_waits_for.assign(p, kNone);
    m_at.assign(m_schedule.first.begin(), m_schedule.first.end() - 1);
    m_timeline.ranks.assign(p, {});
    if (m_keep_ops) {
        m_timeline.start.resize(m_schedule.ops.size());
        m_timeline.end.resize(m_schedule.ops.size());
    }
    return prepare_chunks(costs);
}

Error Engine::prepare_chunks(const Costs& costs) {
    const auto m = static_cast<std::size_t>(m_micro_batches);
    const auto v = static_cast<std::size_t>(m_chunks_per_rank);
    const auto stages = static_cast<std::size_t>(m_schedule.stages);
    const auto& stage_of = m_schedule.stage_of;
    const auto line = [&](std::size_t slot) { // copy of the model and stage in it
        return (m_schedule.bidirectional ? slot % v * stages : 0) + static_cast<std::size_t>(stage_of[slot]);
    };
    std::vector<std::size_t> slot_of(stage_of.size(), kNone);
    for (std::size_t slot = 0; slot < stage_of.size(); ++slot) {
        if (stage_of[slot] < 0 || stage_of[slot] >= m_schedule.stages || slot_of[line(slot)] != kNone) {
            return {"schedule",
                    "stage " + std::to_string(stage_of[slot]) + " is placed twice or does not exist"};
        }
        slot_of[line(slot)] = slot;
    }
    m_chunks.resize(stage_of.size());
    for (std::size_t slot = 0; slot < stage_of.size(); ++slot) {
        ChunkInfo& chunk = m_chunks[slot];
        const std::size_t rank = slot / v;
        const StageCost& cost = costs.of(stage_of[slot]);
        chunk.stage = stage_of[slot];
        chunk.cells = line(slot) * m;
        chunk.length = {cost.forward, cost.input_grad + cost.weight_grad, cost.input_grad, cost.weight_grad};
        chunk.overlapped = cost.overlapped;
        chunk.before_rank = chunk.after_rank = static_cast<std::uint32_t>(rank);
        if (chunk.stage > 0) {
            chunk.before = chunk.cells - m;
            chunk.before_slot = slot_of[line(slot) - 1];
            chunk.before_rank = static_cast<std::uint32_t>(chunk.before_slot / v);
            chunk.before_hop = chunk.before_rank == rank ? 0 : costs.hop;
        }
        if (chunk.stage + 1 < m_schedule.stages) {
            chunk.after = chunk.cells + m;
            chunk.after_slot = slot_of[line(slot) + 1];
            chunk.after_rank = static_cast<std::uint32_t>(chunk.after_slot / v);
            chunk.after_hop = chunk.after_rank == rank ? 0 : costs.hop;
        }
    }
    return {};
}

inline Engine::Step Engine::ready(const Op& op, const ChunkInfo& chunk, std::size_t rank, double& start) {
    const auto k = static_cast<std::size_t>(op.micro_batch);
    switch (op.kind) {
    case OpKind::forward:
        if (m_ends.forward[chunk.cells + k] >= 0) return Step::broken; // a second time
        if (chunk.before != kNone) {
            const double input = m_ends.forward[chunk.before + k];
            if (input < 0) return blocked(rank, 2 * (chunk.before + k));
            start = std::max(start, input + chunk.before_hop);
        }
        return Step::done;
    case OpKind::backward:
    case OpKind::input_grad:
        if (m_ends.backward[chunk.cells + k] >= 0 || m_ends.forward[chunk.cells + k] < 0) return Step::broken;
        if (chunk.after != kNone) {
            const double input = m_ends.backward[chunk.after + k];
            if (input < 0) return blocked(rank, 2 * (chunk.after + k) + 1);
            start = std::max(start, input + chunk.after_hop);
        }
        return Step::done;
    case OpKind::weight_grad:
        return !m_halves.empty() && m_halves[chunk.cells + k] == 1 ? Step::done : Step::broken;
    }
    return Step::broken;
}

inline void Engine::finish(const Op& op, const ChunkInfo& chunk, double end, RankState& state) {
    const std::size_t cell = chunk.cells + static_cast<std::size_t>(op.micro_batch);
    switch (op.kind) {
    case OpKind::forward:
        m_ends.forward[cell] = end;
        ++state.forwards;
        state.peak_until_input = std::max(state.peak_until_input, ++state.live_until_input);
        state.peak_until_weight = std::max(state.peak_until_weight, ++state.live_until_weight);
        wake(chunk.after_rank, 2 * cell);
        return;
    case OpKind::backward:
        m_ends.backward[cell] = end;
        --state.live_until_input;
        --state.live_until_weight;
        wake(chunk.before_rank, 2 * cell + 1);
        return;
    case OpKind::input_grad:
        m_ends.backward[cell] = end;
        --state.live_until_input;
        if (m_halves.empty()) m_halves.assign(m_ends.backward.size(), 0);
        m_halves[cell] = 1;
        wake(chunk.before_rank, 2 * cell + 1);
        return;
    case OpKind::weight_grad:
        m_halves[cell] = 3;
        --state.live_until_weight;
        return;
    }
}

template <bool keep> void Engine::run_rank(std::size_t rank) {
    const Op* const ops = m_schedule.ops.data();
    const ChunkInfo* const chunks = m_chunks.data() + rank * static_cast<std::size_t>(m_chunks_per_rank);
    const std::size_t begin = m_schedule.first[rank], end = m_schedule.first[rank + 1];
    RankState state = m_states[rank];
    const auto exists = [&](const Op& op) {
        return op.chunk < m_chunks_per_rank && op.micro_batch >= 0 && op.micro_batch < m_micro_batches;
    };
    const auto note = [&](std::size_t i, double start, double length) {
        if constexpr (keep) {
            m_timeline.start[i] = start;
            m_timeline.end[i] = start + length;
        }
    };
    std::size_t i = m_at[rank];
    Step step = Step::done;
    while (i < end) {
        const Op op = ops[i];
        if (!exists(op)) {
            step = Step::broken;
            break;
        }
        const ChunkInfo& chunk = chunks[op.chunk];
        double start = state.free_at, length = 0;
        step = ready(op, chunk, rank, start);
        if (step != Step::done) break;
        std::size_t next = i + 1;
        if (!op.with_next || next == end) [[likely]] {
            length = duration(op, chunk);
            finish(op, chunk, start + length, state);
        } else {
            const Op other = ops[next];
            if (other.with_next || !exists(other)) {
                step = Step::broken;
                break;
            }
            const ChunkInfo& other_chunk = chunks[other.chunk];
            step = ready(other, other_chunk, rank, start);
            if (step != Step::done) break;
            length = cell_duration(op, chunk, other, other_chunk);
            const bool swapped = op.kind != OpKind::forward; // both are alive while the cell runs
            if (swapped) finish(other, other_chunk, start + length, state);
            finish(op, chunk, start + length, state);
            if (!swapped) finish(other, other_chunk, start + length, state);
            note(next, start, length);
            ++next;
        }
        note(i, start, length);
        state.busy += length;
        if (i > begin) state.idle_inside += start - state.free_at;
        state.free_at = start + length;
        i = next;
    }
    m_broken = m_broken || step == Step::broken;
    m_at[rank] = i;
    m_states[rank] = state;
}

Error Engine::run() {
    const auto p = static_cast<std::uint32_t>(m_schedule.spec.ranks);
    m_runnable.resize(p);
    for (std::uint32_t r = p; r > 0; --r) m_runnable[m_waiting_to_run++] = r - 1;
    while (m_waiting_to_run > 0 && !m_broken) {
        const std::uint32_t rank = m_runnable[--m_waiting_to_run];
        m_keep_ops ? run_rank<true>(rank) : run_rank<false>(rank);
    }
    // A forward is freed by its backward or weight half alone, and each runs once: as many forwards as there
    // are cells, all freed, means that nothing is missing anywhere.
    std::int64_t unfinished = 0, forwards = 0;
    std::size_t last = 0;
    for (std::size_t r = 0; r < p; ++r) {
        const RankState& state = m_states[r];
        unfinished += m_at[r] != m_schedule.first[r + 1] || state.live_until_weight != 0;
        forwards += state.forwards;
        m_timeline.ranks[r] = {state.busy, 0, state.idle_inside, state.peak_until_input,
                               state.peak_until_weight};
        if (state.free_at > m_states[last].free_at) last = r;
    }
    if (unfinished != 0 || forwards != m_schedule.stages * m_micro_batches) {
        return explain_stop(m_schedule, m_chunks, m_ends, m_at);
    }
    m_timeline.makespan = m_states[last].free_at;
    for (RankSummary& rank : m_timeline.ranks) {
        rank.idle_total = std::max(0.0, m_timeline.makespan - rank.busy);
        m_timeline.bubble_fraction += rank.idle_total;
    }
    const double span = static_cast<double>(p) * m_timeline.makespan;
    m_timeline.bubble_fraction = span > 0 ? m_timeline.bubble_fraction / span : 0;
    m_timeline.critical = critical_path(m_schedule, m_chunks, m_ends, last, m_keep_ops);
    return {};
}

} // namespace

Result<Timeline> simulate(Schedule schedule, const Costs& costs, bool keep_ops) {
    try {
        Timeline timeline;
        Engine engine(schedule, timeline, keep_ops);
        if (Error error = engine.prepare(costs); !error.what.empty()) return error;
        if (Error error = engine.run(); !error.what.empty()) return error;
        timeline.schedule = std::move(schedule);
        return timeline;
    } catch (const std::bad_alloc&) {
        return Error{"schedule", "not enough memory to simulate an order of this size"};
    }
}

} // namespace shardlens::pipeline
