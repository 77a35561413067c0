// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/schedules/family.h"

#include <algorithm>
#include <iterator>
#include <string>

#include "plan/fields.h"

namespace shardlens::pipeline {

namespace {

using enum ScheduleKind;

constexpr Family kFamilies[] = {
    // kind, layout, chunks, split, grouped, rules, generator
    {gpipe, Layout::loop, 1, false, false, one_chunk_rules, generate_gpipe},
    {one_f_one_b, Layout::loop, 1, false, false, one_chunk_rules, generate_1f1b},
    {one_f_one_b_eager, Layout::loop, 1, false, false, one_chunk_rules, generate_1f1b_eager},
    {interleaved, Layout::loop, 1, false, true, interleaved_rules, generate_interleaved},
    {interleaved_ep, Layout::loop, 1, false, true, interleaved_ep_rules, generate_interleaved_ep},
    {bfs, Layout::loop, 1, false, false, looped_rules, generate_looped_bfs},
    {zb_h1, Layout::loop, 1, true, false, one_chunk_rules, generate_interleaved_zb},
    {interleaved_zb, Layout::loop, 1, true, true, interleaved_rules, generate_interleaved_zb},
    {zb_h2, Layout::loop, 1, true, false, one_chunk_rules, generate_zb_h2},
    {zb_v, Layout::zigzag, 2, true, false, two_chunk_rules, generate_zb_v},
    {v_half, Layout::zigzag, 2, true, false, two_chunk_rules, generate_v_shaped},
    {v_min, Layout::zigzag, 2, true, false, two_chunk_rules, generate_v_shaped},
    {one_f_one_b_v, Layout::zigzag, 2, false, false, two_chunk_rules, generate_v_shaped},
    {dualpipe, Layout::mirrored, 2, true, false, dualpipe_rules, generate_dualpipe},
    {dualpipe_v, Layout::zigzag, 2, true, false, dualpipe_v_rules, generate_dualpipe_v},
    {chimera, Layout::mirrored, 2, false, false, chimera_rules, generate_chimera},
    {hanayo, Layout::zigzag, 2, false, false, hanayo_rules, generate_hanayo},
    // PipeDream never flushes; over m micro-batches its order is that of 1F1B.
    {pipedream, Layout::loop, 1, false, false, one_chunk_rules, generate_1f1b},
};

constexpr bool rows_are_complete() {
    for (std::size_t i = 0; i < std::size(kFamilies); ++i)
        if (kFamilies[i].kind != static_cast<ScheduleKind>(i)) return false;
    return std::size(kFamilies) == static_cast<std::size_t>(pipedream) + 1;
}
static_assert(rows_are_complete(), "one row per kind, in the order of the kinds");

} // namespace

const Family& family_of(ScheduleKind kind) { return kFamilies[static_cast<std::size_t>(kind)]; }

Writer::Writer(Schedule& schedule, std::size_t expected_ops)
    : m_schedule(schedule), m_micro_batches(schedule.spec.micro_batches),
      m_counters(static_cast<std::size_t>(schedule.spec.chunks)) {
    schedule.ops.resize(expected_ops);
    schedule.first.reserve(static_cast<std::size_t>(schedule.spec.ranks) + 1);
}

void Writer::finish() {
    m_schedule.ops.resize(m_count);
    m_schedule.first.push_back(m_count);
}

void Writer::next_rank() {
    m_schedule.first.push_back(m_count);
    std::ranges::fill(m_counters, Counters{});
    m_owed.clear();
    m_paid = 0;
}

void Writer::oldest_weight_grad() {
    if (m_paid < m_owed.size()) put(m_owed[m_paid++]);
}

void Writer::all_owed_weight_grads() {
    while (m_paid < m_owed.size()) oldest_weight_grad();
}

void Writer::forward_with_backward(std::int64_t forward_chunk, std::int64_t backward_chunk) {
    forward(forward_chunk);
    m_schedule.ops[m_count - 1].with_next = true;
    backward(backward_chunk);
}

void Writer::backward_with_forward(std::int64_t backward_chunk, std::int64_t forward_chunk) {
    backward(backward_chunk);
    m_schedule.ops[m_count - 1].with_next = true;
    forward(forward_chunk);
}

void Rules::require(bool holds, ScheduleKind kind, const char* code, const char* path,
                    std::initializer_list<const char*> also, const char* text,
                    std::initializer_list<std::int64_t> numbers) {
    if (holds) return;
    m_legal = false;
    m_watched_broken = m_watched_broken || m_watched_code == code;
    if (!m_with_messages) return;
    Finding finding;
    finding.message = {Severity::error, code, path, text, {std::string(to_string(kind))}, {}};
    for (const std::int64_t number : numbers) finding.message.arguments.push_back(std::to_string(number));
    finding.fields.push_back(path);
    finding.fields.insert(finding.fields.end(), also.begin(), also.end());
    m_findings.push_back(std::move(finding));
}

} // namespace shardlens::pipeline
