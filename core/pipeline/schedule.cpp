// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/schedule.h"

#include <algorithm>
#include <new>

#include "pipeline/schedules/family.h"

namespace shardlens::pipeline {

namespace {

void place_stages(Schedule& schedule, Layout layout) {
    const std::int64_t p = schedule.spec.ranks, v = schedule.spec.chunks;
    schedule.bidirectional = layout == Layout::mirrored;
    schedule.stages = schedule.bidirectional ? p : p * v;
    schedule.stage_of.reserve(static_cast<std::size_t>(p * v));
    for (std::int64_t r = 0; r < p; ++r) {
        for (std::int64_t c = 0; c < v; ++c) {
            const std::int64_t within = layout == Layout::loop || c % 2 == 0 ? r : p - 1 - r;
            const std::int64_t stage = schedule.bidirectional ? within : c * p + within;
            schedule.stage_of.push_back(static_cast<std::int32_t>(stage));
        }
    }
}

} // namespace

ScheduleSpec with_defaults(ScheduleSpec spec) {
    const Family& family = family_of(spec.kind);
    if (spec.chunks == 0) spec.chunks = family.default_chunks;
    if (!family.grouped) {
        spec.group = 0; // a group means nothing to these orders
    } else if (spec.group == 0 && spec.ranks >= 1 && spec.micro_batches >= 1) {
        const std::int64_t rounds = std::max<std::int64_t>(1, spec.micro_batches / spec.ranks);
        spec.group = spec.micro_batches % rounds == 0 ? spec.micro_batches / rounds : spec.ranks;
    }
    return spec;
}

Result<Schedule> make_schedule(const ScheduleSpec& spec) {
    const std::vector<Message> obstacles = check(spec);
    if (!obstacles.empty()) return Error{obstacles.front().path, obstacles.front().text()};
    const Family& family = family_of(spec.kind);
    try {
        Schedule schedule;
        schedule.spec = with_defaults(spec);
        place_stages(schedule, family.layout);
        const std::int64_t per_rank =
            schedule.spec.micro_batches * (schedule.bidirectional ? 1 : schedule.spec.chunks);
        Writer out(schedule, static_cast<std::size_t>(schedule.spec.ranks * per_rank *
                                                      (family.split_backward ? 3 : 2)));
        family.generate(schedule.spec, out);
        out.finish();
        return schedule;
    } catch (const std::bad_alloc&) {
        return Error{"micro_batches", "not enough memory for an order of this size; use fewer micro-batches"};
    }
}

std::string token(const Op& op, bool with_chunk) {
    constexpr char kLetters[] = {'F', 'B', 'I', 'W'};
    std::string text(1, kLetters[static_cast<std::size_t>(op.kind)]);
    text += std::to_string(op.micro_batch);
    if (with_chunk) text += "." + std::to_string(op.chunk);
    return text;
}

} // namespace shardlens::pipeline
