// SPDX-License-Identifier: GPL-3.0-or-later
// V-half, V-min and 1F1B-V (Qi et al., Pipeline Parallelism with Controllable Memory, arXiv 2405.15362): two
// chunks per rank in a V, and a building block, the slots in which one micro-batch visits a rank, that is
// repeated every six slots. How long the block keeps a micro-batch on a rank bounds the activations alive.
// The repeated block alone wastes its warm-up and its end, so both are tightened: every operation of the
// warm-up moves into the earliest free slot in which it can run without more activations alive than the block
// needs anyway, and at the end weight halves wait until a rank would idle. Between the two the block stays as
// it is: its slack between the ranks is what hides the latency of hops.
#include <algorithm>
#include <array>
#include <limits>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

constexpr std::int64_t kPeriod = 6; ///< slots of one micro-batch on a rank: 2 F, 2 I and 2 W, or 2 F and 2 B
constexpr std::size_t kVisits = 4;

/// What a rank does in a slot. The first four are the visits of a micro-batch in its order; chunk a has stage
/// r, chunk b stage 2p − 1 − r.
enum Work : std::uint8_t { forward_a, forward_b, backward_b, backward_a, weight_half, nothing };

constexpr bool is_forward(Work work) { return work <= forward_b; }
constexpr bool is_backward(Work work) { return work == backward_b || work == backward_a; }

/// Slot in which micro-batch 0 makes each visit to one rank; micro-batch k comes kPeriod · k slots later.
using Block = std::array<std::int64_t, kVisits>;

/// One rank's block, after the authors' schedulers (sail-sg/zero-bubble-pipeline-parallelism, zbv_greedy.py
/// and v1f1b.py). The gaps are there because no two visits may fall on the same slot modulo the period.
Block block_of(ScheduleKind kind, std::int64_t p, std::int64_t r) {
    if (kind == ScheduleKind::v_half) {
        const std::int64_t gap = p % 2 == 0 ? 3 : 0;
        return {2 * r, 3 * p - 2 - r, 3 * p - 1 + gap + 2 * r, 6 * p - 2 + gap - r};
    }
    if (kind == ScheduleKind::v_min) {
        const std::int64_t gap = p % 3 == 0 ? 2 : 0;
        return {r, 2 * p - 1 - r, 2 * p + gap + r, 4 * p - 1 + gap - r};
    }
    // 1F1B-V: whole backwards of two slots, and three idle ones after every third rank
    const auto backward = [&](std::int64_t stages_done) {
        return 2 * p + (p % 3 == 0 ? 3 : 0) + 2 * stages_done + 3 * ((stages_done + (2 * p + 1) % 3) / 3);
    };
    return {r, 2 * p - 1 - r, backward(r), backward(2 * p - 1 - r)};
}

/// Where a visit stands on the way of a micro-batch through the pipeline, 0 … 4p − 1.
std::int64_t step_of(std::int64_t p, std::int64_t r, Work visit) {
    switch (visit) {
    case forward_a: return r;
    case forward_b: return 2 * p - 1 - r;
    case backward_b: return 2 * p + r;
    default: return 4 * p - 1 - r;
    }
}

/// The blocks of one rank, read slot by slot from slot 0 on. Weight halves take the slots between.
class RepeatedBlock {
public:
    RepeatedBlock(const Block& block, std::int64_t micro_batches, bool split)
        : m_block(block), m_micro_batches(micro_batches), m_split(split) {
        m_visit_of.fill(nothing);
        for (std::size_t visit = 0; visit < kVisits; ++visit)
            m_visit_of[static_cast<std::size_t>(block[visit] % kPeriod)] = static_cast<Work>(visit);
    }

    [[nodiscard]] Work next() {
        const std::int64_t slot = m_slot++;
        const Work visit = m_visit_of[m_residue];
        m_residue = m_residue + 1 == kPeriod ? 0 : m_residue + 1;
        if (visit != nothing && slot >= m_block[visit] && m_done[visit] < m_micro_batches) {
            ++m_done[visit];
            m_owed += m_split && is_backward(visit) ? 1 : 0;
            return visit;
        }
        if (m_owed == 0) return nothing;
        --m_owed;
        return weight_half;
    }

private:
    Block m_block;
    std::int64_t m_micro_batches, m_slot = 0, m_owed = 0;
    std::size_t m_residue = 0;
    std::array<Work, kPeriod> m_visit_of{};
    std::array<std::int64_t, kVisits> m_done{};
    bool m_split;
};

using Orders = std::vector<std::vector<Work>>; ///< by rank; micro-batches count up per kind of work

/// Moves every operation of the first `horizon` slots into the earliest slot that its dependencies, the slots
/// taken before and the limit of activations alive leave. Slot by slot, so all that an operation depends on
/// and all that its rank did before has its final place.
class Squeeze {
public:
    Squeeze(const ScheduleSpec& spec, std::int64_t horizon)
        : m_p(spec.ranks), m_horizon(horizon),
          m_slots_of_backward(spec.kind == ScheduleKind::one_f_one_b_v ? 2 : 1),
          m_limit(v_shaped_live_limit(spec.kind, spec.ranks)),
          m_ids(std::min(spec.micro_batches, horizon / kPeriod + 1)), m_work(index(m_p, 0), nothing),
          m_taken(m_work.size(), 0), m_live(m_work.size(), 0),
          m_end(static_cast<std::size_t>(4 * m_p * m_ids), 0), m_ranks(static_cast<std::size_t>(m_p)) {}

    void place(std::int64_t r, std::int64_t slot, Work work);

    [[nodiscard]] Orders orders() const {
        Orders all(static_cast<std::size_t>(m_p));
        for (std::int64_t r = 0; r < m_p; ++r) {
            for (std::int64_t slot = 0; slot < m_horizon; ++slot) {
                const Work work = m_work[index(r, slot)];
                if (work != nothing) all[static_cast<std::size_t>(r)].push_back(work);
            }
        }
        return all;
    }

private:
    struct Rank {
        std::array<std::int64_t, kVisits + 1> next{};      ///< micro-batch, or number of the weight half
        std::array<std::int64_t, kVisits + 1> free_from{}; ///< after the last operation of the same kind
        std::vector<std::int64_t> input_ends;              ///< in which order weight halves become due
        std::int32_t live = 0;                             ///< in the blocks as they are
    };

    [[nodiscard]] std::size_t index(std::int64_t r, std::int64_t slot) const {
        return static_cast<std::size_t>(r * (m_horizon + 1) + slot);
    }
    [[nodiscard]] std::int64_t ready(std::int64_t r, const Rank& rank, Work work) const;
    [[nodiscard]] std::int64_t first_slot_with_room(std::int64_t r, std::int64_t from,
                                                    std::int64_t slot) const;
    [[nodiscard]] std::int64_t free_slot(std::int64_t r, std::int64_t from, std::int64_t slot,
                                         std::int64_t length) const;
    void shift_live(std::int64_t r, std::int64_t from, std::int64_t to, std::int32_t change) {
        for (std::int64_t slot = from; slot < to; ++slot) m_live[index(r, slot)] += change;
    }

    std::int64_t m_p, m_horizon, m_slots_of_backward, m_limit, m_ids;
    std::vector<Work> m_work;          ///< what starts in a slot
    std::vector<std::uint8_t> m_taken; ///< does it, or what started before it, run in the slot?
    std::vector<std::int32_t> m_live;  ///< chunk activations alive in a slot, up to the slot reached
    std::vector<std::int64_t> m_end;   ///< by step and micro-batch
    std::vector<Rank> m_ranks;
};

std::int64_t Squeeze::ready(std::int64_t r, const Rank& rank, Work work) const {
    const std::int64_t id = rank.next[work], after_own = rank.free_from[work];
    if (work == weight_half) return std::max(after_own, rank.input_ends[static_cast<std::size_t>(id)]);
    const std::int64_t step = step_of(m_p, r, work);
    if (step == 0) return after_own;
    return std::max(after_own, m_end[static_cast<std::size_t>((step - 1) * m_ids + id)]);
}

/// The earliest slot from which on one more activation may be alive until `slot`.
std::int64_t Squeeze::first_slot_with_room(std::int64_t r, std::int64_t from, std::int64_t slot) const {
    while (slot > from && m_live[index(r, slot - 1)] < m_limit) --slot;
    return slot;
}

std::int64_t Squeeze::free_slot(std::int64_t r, std::int64_t from, std::int64_t slot,
                                std::int64_t length) const {
    while (from < slot && (m_taken[index(r, from)] || m_taken[index(r, from + length - 1)])) ++from;
    return from;
}

void Squeeze::place(std::int64_t r, std::int64_t slot, Work work) {
    Rank& rank = m_ranks[static_cast<std::size_t>(r)];
    const bool whole = is_backward(work) && m_slots_of_backward == 2;
    const std::int64_t length = whole ? 2 : 1;
    const std::int32_t change = is_forward(work) ? 1 : whole || work == weight_half ? -1 : 0;
    m_live[index(r, slot)] = rank.live + (whole ? 0 : change); // a whole backward frees at its end
    rank.live += change;
    if (work == nothing) return;

    std::int64_t at = ready(r, rank, work);
    if (is_forward(work)) at = first_slot_with_room(r, at, slot);
    at = free_slot(r, at, slot, length);
    const std::int64_t freed_later = whole ? 1 : 0;
    if (change != 0) shift_live(r, at + freed_later, slot + freed_later, change);
    m_work[index(r, at)] = work;
    for (std::int64_t i = at; i < at + length; ++i) m_taken[index(r, i)] = 1;
    const std::int64_t id = rank.next[work]++, end = at + length;
    rank.free_from[work] = end;
    if (work == weight_half) return;
    m_end[static_cast<std::size_t>(step_of(m_p, r, work) * m_ids + id)] = end;
    if (is_backward(work)) rank.input_ends.push_back(end);
}

/// Plays the orders, every operation one slot. From the first forward of its last micro-batch on a rank takes
/// its weight halves where it would wait, be it for another rank or for room for a forward, and runs the
/// other chunk's input half where the next one in the order would wait.
class UnitTimePlay {
public:
    UnitTimePlay(const ScheduleSpec& spec, Orders orders)
        : m_p(spec.ranks), m_micro_batches(spec.micro_batches),
          m_limit(v_shaped_live_limit(spec.kind, spec.ranks)), m_planned(std::move(orders)),
          m_ranks(m_planned.size()), m_done(static_cast<std::size_t>(4 * m_p + 1), 0) {
        m_done[0] = std::numeric_limits<std::int64_t>::max(); // the data is there
    }

    [[nodiscard]] Orders orders();

private:
    struct Rank {
        std::size_t at = 0;                                ///< in the planned order
        std::array<std::int64_t, kVisits> next{}, ahead{}; ///< micro-batch; how many ran before their turn
        std::int64_t owed = 0, live = 0;
        Work running = nothing;
    };

    [[nodiscard]] Work choose(std::int64_t r);
    /// Does the next micro-batch of this visit wait for nothing but the rank?
    [[nodiscard]] bool has_input(std::int64_t r, const Rank& rank, Work visit) const {
        return m_done[static_cast<std::size_t>(step_of(m_p, r, visit))] > rank.next[visit];
    }
    [[nodiscard]] bool has_room(const Rank& rank, Work visit) const {
        return !is_forward(visit) || rank.live < m_limit;
    }
    /// At the end weight halves have no turn of their own, and a visit that ran ahead has had its turn.
    static bool skips_turn(Rank& rank, Work planned) {
        if (planned == weight_half) return true;
        if (rank.ahead[planned] == 0) return false;
        --rank.ahead[planned];
        return true;
    }
    void finish(std::int64_t r);

    std::int64_t m_p, m_micro_batches, m_limit;
    Orders m_planned, m_played;
    std::vector<Rank> m_ranks;
    std::vector<std::int64_t> m_done; ///< [step + 1]: micro-batches that are through it
};

Work UnitTimePlay::choose(std::int64_t r) {
    const std::vector<Work>& planned = m_planned[static_cast<std::size_t>(r)];
    Rank& rank = m_ranks[static_cast<std::size_t>(r)];
    const bool closing = rank.next[forward_a] == m_micro_batches;
    while (closing && rank.at < planned.size() && skips_turn(rank, planned[rank.at])) ++rank.at;
    if (rank.at < planned.size()) {
        const Work first = planned[rank.at];
        if (first == weight_half || (has_input(r, rank, first) && has_room(rank, first))) {
            ++rank.at;
            return first;
        }
        const Work other = first == backward_a ? backward_b : backward_a;
        if (closing && is_backward(first) && rank.next[other] < m_micro_batches &&
            has_input(r, rank, other)) {
            ++rank.ahead[other];
            return other;
        }
    }
    return closing && rank.owed > 0 ? weight_half : nothing;
}

void UnitTimePlay::finish(std::int64_t r) {
    Rank& rank = m_ranks[static_cast<std::size_t>(r)];
    const Work work = rank.running;
    if (work == nothing) return;
    m_played[static_cast<std::size_t>(r)].push_back(work);
    rank.live += is_forward(work) ? 1 : work == weight_half ? -1 : 0;
    rank.owed += is_backward(work) ? 1 : work == weight_half ? -1 : 0;
    if (work == weight_half) return;
    ++rank.next[work];
    ++m_done[static_cast<std::size_t>(step_of(m_p, r, work) + 1)];
}

/// No slot passes in which all ranks wait: of all that is left, the visit with the earliest slot of the plan
/// has its input, and there is room for it or a weight half to pay, because the plan itself stays within the
/// limit.
Orders UnitTimePlay::orders() {
    m_played.resize(m_planned.size());
    const auto all = static_cast<std::size_t>(kPeriod * m_micro_batches);
    for (auto& rank : m_played) rank.reserve(all);
    for (bool goes_on = true; goes_on;) {
        goes_on = false;
        for (std::int64_t r = 0; r < m_p; ++r) {
            Rank& rank = m_ranks[static_cast<std::size_t>(r)];
            rank.running = choose(r);
            goes_on = goes_on || rank.running != nothing;
        }
        for (std::int64_t r = 0; r < m_p; ++r) finish(r);
    }
    return std::move(m_played);
}

void write(const Orders& orders, bool split, Writer& out) {
    for (const auto& rank : orders) {
        out.next_rank();
        for (const Work work : rank) {
            const std::int64_t chunk = work == forward_a || work == backward_a ? 0 : 1;
            if (work == weight_half) {
                out.oldest_weight_grad();
            } else if (is_forward(work)) {
                out.forward(chunk);
            } else if (split) {
                out.input_grad(chunk);
            } else {
                out.backward(chunk);
            }
        }
    }
}

} // namespace

std::int64_t v_shaped_live_limit(ScheduleKind kind, std::int64_t ranks) {
    switch (kind) {
    case ScheduleKind::v_half: return 2 * ((ranks + 2) / 2);
    case ScheduleKind::v_min: return 2 * ((ranks + 4) / 3);
    default: return 2 * (2 * ranks / 3 + 1);
    }
}

/// Of 1F1B-V all is squeezed, and that is its order; with split backwards only what comes before the first
/// micro-batch has left rank 0.
void generate_v_shaped(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t p = spec.ranks;
    const bool split = spec.kind != ScheduleKind::one_f_one_b_v;
    const std::int64_t first_out = block_of(spec.kind, p, 0)[backward_a];
    const std::int64_t end = first_out + kPeriod * (spec.micro_batches - 1) + 2;
    const std::int64_t horizon = split ? first_out + 1 : end;
    std::vector<RepeatedBlock> blocks;
    for (std::int64_t r = 0; r < p; ++r)
        blocks.emplace_back(block_of(spec.kind, p, r), spec.micro_batches, split);
    Squeeze squeeze(spec, horizon);
    for (std::int64_t slot = 0; slot < horizon; ++slot) {
        for (std::int64_t r = 0; r < p; ++r)
            squeeze.place(r, slot, blocks[static_cast<std::size_t>(r)].next());
    }
    Orders orders = squeeze.orders();
    if (!split) return write(orders, split, out);
    for (std::int64_t r = 0; r < p; ++r) {
        auto& order = orders[static_cast<std::size_t>(r)];
        order.reserve(static_cast<std::size_t>(kPeriod * spec.micro_batches));
        for (std::int64_t slot = horizon; slot < end; ++slot) {
            const Work work = blocks[static_cast<std::size_t>(r)].next();
            if (work != nothing) order.push_back(work);
        }
    }
    write(UnitTimePlay(spec, std::move(orders)).orders(), split, out);
}

} // namespace shardlens::pipeline
