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
    };
    /// What an operation of one kind and chunk reads and writes, by micro-batch: the loop needs neither a
    /// branch on the kind nor a case for the first and the last stage.
    struct Lane {
        const double* input = nullptr;  ///< end of the result it waits for; zeros where it waits for none
        const double* own = nullptr;    ///< must have ended on this rank before, else the order is broken
        double* out = nullptr;          ///< where its own end goes
        double* also = nullptr;         ///< a whole backward ends the weight half as well
        std::uint32_t* place = nullptr; ///< where it stands in schedule.ops
        double hop = 0, length = 0;
        std::uint32_t wakes = 0; ///< rank that may wait for `out`; the own rank where none does
        bool may_wait = false;   ///< for another stage
        std::int8_t until_input = 0, until_weight = 0; ///< change of the activations alive
    };
    enum class Step : std::uint8_t { done, blocked, broken };

    Error prepare_chunks(const Costs& costs);
    void prepare_lanes();
    static constexpr std::size_t kinds_of(bool plain) { return plain ? 2 : 4; }
    template <bool keep, bool plain> void run_rank(std::size_t rank);
    /// Raises `start` to when the op's inputs are there; notes what the rank waits for when they are not.
    Step ready(const Lane& lane, std::size_t k, std::size_t rank, double& start) {
        const double input = lane.input[k];
        if (input < 0) {
            if (!lane.may_wait || (lane.own != lane.input && lane.own[k] < 0)) return Step::broken;
            m_waits_for[rank] = lane.input + k;
            return Step::blocked;
        }
        if (lane.out[k] >= 0 || lane.own[k] < 0) return Step::broken;
        start = std::max(start, input + lane.hop);
        return Step::done;
    }
    void finish(const Lane& lane, std::size_t k, std::size_t op, double end, RankState& state) {
        lane.out[k] = end;
        lane.also[k] = end;
        lane.place[k] = static_cast<std::uint32_t>(op);
        state.live_until_input += lane.until_input;
        state.live_until_weight += lane.until_weight;
        state.peak_until_input = std::max(state.peak_until_input, state.live_until_input);
        state.peak_until_weight = std::max(state.peak_until_weight, state.live_until_weight);
        if (m_waits_for[lane.wakes] == lane.out + k) {
            m_waits_for[lane.wakes] = nullptr;
            m_runnable[m_waiting_to_run++] = lane.wakes;
        }
    }

    const Schedule& m_schedule;
    Timeline& m_timeline;
    bool m_keep_ops;
    bool m_broken = false;
    bool m_plain = true; ///< whole backwards only, no overlapped cells, nothing that does not exist
    std::int64_t m_micro_batches, m_chunks_per_rank;
    std::vector<ChunkInfo> m_chunks; ///< rank · chunks + chunk
    std::vector<Lane> m_lanes;       ///< (rank · chunks + chunk) · kinds_of(plain) + kind
    Ends m_ends;
    LargeVector<double> m_weight_ends;       ///< of weight halves, by cell; empty when none exist
    std::vector<std::uint32_t> m_weight_ops; ///< nobody asks; one chunk's
    std::vector<double> m_no_wait;           ///< zeros, one per micro-batch
    std::vector<RankState> m_states;
    std::vector<const double*> m_waits_for; ///< by rank: the end that is missing, nullptr = none
    std::vector<std::size_t> m_at;          ///< next operation of each rank
    std::vector<std::uint32_t> m_runnable;  ///< a stack with room for every rank; none is on it twice
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
    if (m_schedule.ops.size() > std::numeric_limits<std::uint32_t>::max())
        return {"schedule", "more than 4,294,967,295 operations are too many to simulate"};
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
    m_ends.forward_op.resize(cells);
    m_ends.backward_op.resize(cells);
    m_states.assign(p, {});
    m_waits_for.assign(p, nullptr);
    m_at.assign(m_schedule.first.begin(), m_schedule.first.end() - 1);
    m_timeline.ranks.assign(p, {});
    if (m_keep_ops) {
        m_timeline.start.resize(m_schedule.ops.size());
        m_timeline.end.resize(m_schedule.ops.size());
    }
    if (Error error = prepare_chunks(costs); !error.what.empty()) return error;
    prepare_lanes();
    return {};
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

void Engine::prepare_lanes() {
    constexpr auto kind_of = [](OpKind kind) { return static_cast<std::size_t>(kind); };
    static_assert(kind_of(OpKind::forward) < 2 && kind_of(OpKind::backward) < 2 &&
                  kind_of(OpKind::input_grad) >= 2 && kind_of(OpKind::weight_grad) >= 2);
    unsigned kinds = 0, cells = 0, chunks = 0, micro_batches = 0;
    for (const Op& op : m_schedule.ops) {
        kinds |= static_cast<unsigned>(op.kind);
        cells |= static_cast<unsigned>(op.with_next);
        chunks = std::max(chunks, static_cast<unsigned>(op.chunk));
        micro_batches = std::max(micro_batches, static_cast<unsigned>(op.micro_batch));
    }
    const bool halves = kinds >= 2;
    m_plain = !halves && cells == 0 && chunks < m_chunks_per_rank && micro_batches < m_micro_batches;
    const std::size_t lanes_of_chunk = kinds_of(m_plain);
    if (halves) {
        m_weight_ends.assign(m_ends.backward.size(), kNotYet);
        m_weight_ops.resize(static_cast<std::size_t>(m_micro_batches));
    }
    m_no_wait.assign(static_cast<std::size_t>(m_micro_batches), 0);
    m_lanes.resize(m_chunks.size() * lanes_of_chunk);
    for (std::size_t slot = 0; slot < m_chunks.size(); ++slot) {
        const ChunkInfo& chunk = m_chunks[slot];
        const auto rank = static_cast<std::uint32_t>(slot / static_cast<std::size_t>(m_chunks_per_rank));
        double* const forward = m_ends.forward.data() + chunk.cells;
        double* const backward = m_ends.backward.data() + chunk.cells;
        const bool first = chunk.before == kNone, last = chunk.after == kNone;
        Lane* const lanes = m_lanes.data() + slot * lanes_of_chunk;
        Lane& f = lanes[kind_of(OpKind::forward)];
        f.input = f.own = first ? m_no_wait.data() : m_ends.forward.data() + chunk.before;
        f.out = f.also = forward;
        f.place = m_ends.forward_op.data() + chunk.cells;
        f.hop = chunk.before_hop;
        f.wakes = chunk.after_rank;
        f.may_wait = !first;
        f.until_input = f.until_weight = 1;
        Lane& b = lanes[kind_of(OpKind::backward)];
        b.input = last ? forward : m_ends.backward.data() + chunk.after;
        b.own = forward;
        b.out = b.also = backward;
        b.place = m_ends.backward_op.data() + chunk.cells;
        b.hop = chunk.after_hop;
        b.wakes = chunk.before_rank;
        b.may_wait = !last;
        b.until_input = -1;
        if (halves) {
            Lane& w = lanes[kind_of(OpKind::weight_grad)];
            lanes[kind_of(OpKind::input_grad)] = b;
            b.also = m_weight_ends.data() + chunk.cells;
            w.input = w.own = backward;
            w.out = w.also = b.also;
            w.place = m_weight_ops.data(); // nobody asks
            w.wakes = rank;
            w.until_weight = -1;
        }
        b.until_weight = -1;
        for (std::size_t kind = 0; kind < lanes_of_chunk; ++kind) lanes[kind].length = chunk.length[kind];
    }
}

template <bool keep, bool plain> void Engine::run_rank(std::size_t rank) {
    const Op* const ops = m_schedule.ops.data();
    const std::size_t first_slot = rank * static_cast<std::size_t>(m_chunks_per_rank);
    constexpr std::size_t kKinds = kinds_of(plain);
    const Lane* const lanes = m_lanes.data() + first_slot * kKinds;
    const std::size_t begin = m_schedule.first[rank], end = m_schedule.first[rank + 1];
    RankState state = m_states[rank];
    const auto exists = [&](const Op& op) {
        return op.chunk < m_chunks_per_rank && op.micro_batch >= 0 && op.micro_batch < m_micro_batches;
    };
    const auto lane_of = [&](const Op& op) -> const Lane& {
        return lanes[op.chunk * kKinds + static_cast<std::size_t>(op.kind)];
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
        if (!plain && !exists(op)) {
            step = Step::broken;
            break;
        }
        const Lane& lane = lane_of(op);
        const auto k = static_cast<std::size_t>(op.micro_batch);
        double start = state.free_at, length = lane.length;
        step = ready(lane, k, rank, start);
        if (step != Step::done) break;
        std::size_t next = i + 1;
        if (plain || !op.with_next || next == end) {
            finish(lane, k, i, start + length, state);
        } else {
            const Op other = ops[next];
            if (other.with_next || !exists(other)) {
                step = Step::broken;
                break;
            }
            const Lane& other_lane = lane_of(other);
            const auto other_k = static_cast<std::size_t>(other.micro_batch);
            step = ready(other_lane, other_k, rank, start);
            if (step != Step::done) break;
            length =
                cell_duration(op, m_chunks[first_slot + op.chunk], other, m_chunks[first_slot + other.chunk]);
            const bool swapped = op.kind != OpKind::forward; // both are alive while the cell runs
            if (swapped) finish(other_lane, other_k, next, start + length, state);
            finish(lane, k, i, start + length, state);
            if (!swapped) finish(other_lane, other_k, next, start + length, state);
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
        if (m_plain) {
            m_keep_ops ? run_rank<true, true>(rank) : run_rank<false, true>(rank);
        } else {
            m_keep_ops ? run_rank<true, false>(rank) : run_rank<false, false>(rank);
        }
    }
    // A forward is freed by its backward or weight half alone, and each runs once: as many forwards as there
    // are cells, all freed, means that nothing is missing anywhere.
    const auto forwards = [&]() -> std::int64_t {
        if (m_plain) return static_cast<std::int64_t>(m_schedule.ops.size() / 2); // as many backwards
        return std::ranges::count(m_schedule.ops, OpKind::forward, &Op::kind);
    };
    std::int64_t unfinished = 0;
    std::size_t last = 0;
    for (std::size_t r = 0; r < p; ++r) {
        const RankState& state = m_states[r];
        unfinished += m_at[r] != m_schedule.first[r + 1] || state.live_until_weight != 0;
        m_timeline.ranks[r] = {state.busy, 0, state.idle_inside, state.peak_until_input,
                               state.peak_until_weight};
        if (state.free_at > m_states[last].free_at) last = r;
    }
    if (unfinished != 0 || forwards() != m_schedule.stages * m_micro_batches) {
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
