// SPDX-License-Identifier: GPL-3.0-or-later
// Chimera (arXiv 2107.06925) and Hanayo (arXiv 2308.15762): every operation has a time slot by a formula that
// no two operations of a rank share, and the rank's order is slot order. With L stages in a chain and k the
// position in its group j: forward of stage s in slot 2Lj + 2k + s, backward in 2Lj + 2k + 2L − 1 − s.
#include <algorithm>
#include <vector>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

struct Slotted {
    std::int64_t slot;
    Op op;
};

void add_pair(std::vector<Slotted>& list, std::int64_t stages, std::int64_t group, std::int64_t position,
              std::int64_t stage, std::int64_t chunk, std::int64_t micro_batch) {
    const std::int64_t base = 2 * stages * group + 2 * position;
    const auto c = static_cast<std::uint16_t>(chunk);
    const auto k = static_cast<std::int32_t>(micro_batch);
    list.push_back({base + stage, {OpKind::forward, false, c, k}});
    list.push_back({base + 2 * stages - 1 - stage, {OpKind::backward, false, c, k}});
}

void write_in_slot_order(std::vector<Slotted>& list, Writer& out) {
    std::ranges::sort(list, {}, &Slotted::slot);
    out.next_rank();
    for (const Slotted& entry : list) out.add(entry.op);
    list.clear();
}

} // namespace

void chimera_rules(const ScheduleSpec& spec, Rules& rules) {
    two_chunk_rules(spec, rules);
    rules.require(spec.ranks % 2 == 0, spec.kind, "schedule-even-stages", "stages", {},
                  "{0} needs an even number of pipeline stages, not {1}", {spec.ranks});
}

void hanayo_rules(const ScheduleSpec& spec, Rules& rules) {
    rules.require(spec.chunks % 2 == 0, spec.kind, "schedule-even-chunks", "chunks", {},
                  "{0} needs an even number of model chunks per rank, two per wave, not {1}", {spec.chunks});
    rules.require(spec.micro_batches % spec.ranks == 0, spec.kind, "schedule-multiple-of-stages",
                  "micro_batches", {"stages"},
                  "{0} needs a multiple of the {2} pipeline stages as micro-batches, not {1}",
                  {spec.micro_batches, spec.ranks});
}

/// Groups of p micro-batches, half per direction; a shorter last group fills direction 0 first.
void generate_chimera(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t p = spec.ranks, half = p / 2;
    std::vector<Slotted> list;
    for (std::int64_t r = 0; r < p; ++r) {
        for (std::int64_t k = 0; k < spec.micro_batches; ++k) {
            const std::int64_t group = k / p, direction = k % p / half, position = k % half;
            add_pair(list, p, group, position, direction == 0 ? r : p - 1 - r, direction,
                     group * half + position);
        }
        write_in_slot_order(list, out);
    }
}

void generate_hanayo(const ScheduleSpec& spec, Writer& out) {
    const std::int64_t p = spec.ranks;
    std::vector<Slotted> list;
    for (std::int64_t r = 0; r < p; ++r) {
        for (std::int64_t k = 0; k < spec.micro_batches; ++k) {
            for (std::int64_t c = 0; c < spec.chunks; ++c) {
                const std::int64_t stage = c * p + (c % 2 == 0 ? r : p - 1 - r);
                add_pair(list, p * spec.chunks, k / p, k % p, stage, c, k);
            }
        }
        write_in_slot_order(list, out);
    }
}

} // namespace shardlens::pipeline
