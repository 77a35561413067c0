// SPDX-License-Identifier: GPL-3.0-or-later
// What one kind of schedule is made of. Adding a schedule is one generator and one row in families.cpp.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "pipeline/schedule.h"

namespace shardlens::pipeline {

/// Where the stages sit. loop: chunk i of rank r is stage i·p + r. zigzag: odd chunks run backwards (two
/// chunks make a V). mirrored: two copies of the model, copy 1 has stage p − 1 − r on rank r.
enum class Layout : std::uint8_t { loop, zigzag, mirrored };

/// Receives the operations rank by rank. Micro-batch ids count up per kind and chunk, so most generators only
/// say which kind and chunk comes next. Ids beyond the last micro-batch are struck.
class Writer {
public:
    Writer(Schedule& schedule, std::size_t expected_ops);

    void finish();    ///< once, behind the last rank
    void next_rank(); ///< every generator calls it once before each rank's operations
    void add(Op op) {
        if (op.micro_batch >= m_micro_batches) return;
        put(op);
        if (op.kind == OpKind::input_grad)
            m_owed.push_back({OpKind::weight_grad, false, op.chunk, op.micro_batch});
    }
    void forward(std::int64_t chunk) { add(next(OpKind::forward, chunk)); }
    void backward(std::int64_t chunk) { add(next(OpKind::backward, chunk)); }
    void input_grad(std::int64_t chunk) { add(next(OpKind::input_grad, chunk)); }
    /// The oldest weight half of that chunk.
    void weight_grad(std::int64_t chunk) { add(next(OpKind::weight_grad, chunk)); }
    /// The oldest weight half that is still owed, of whichever chunk. Nothing when none is.
    void oldest_weight_grad();
    void all_owed_weight_grads();
    /// One cell in which a forward and a whole backward overlap, in this order.
    void forward_with_backward(std::int64_t forward_chunk, std::int64_t backward_chunk);
    void backward_with_forward(std::int64_t backward_chunk, std::int64_t forward_chunk);

private:
    void put(Op op) {
        if (m_count == m_schedule.ops.size()) m_schedule.ops.resize(2 * m_count + 1);
        m_schedule.ops[m_count++] = op;
    }
    struct Counters {
        std::int32_t forward = 0, backward = 0, weight = 0;
    };
    [[nodiscard]] Op next(OpKind kind, std::int64_t chunk) {
        Counters& counters = m_counters[static_cast<std::size_t>(chunk)];
        std::int32_t& id = kind == OpKind::forward       ? counters.forward
                           : kind == OpKind::weight_grad ? counters.weight
                                                         : counters.backward;
        return {kind, false, static_cast<std::uint16_t>(chunk), id++};
    }

    Schedule& m_schedule;
    std::int64_t m_micro_batches;
    std::size_t m_count = 0;          ///< of schedule.ops, which has room for more until finish()
    std::vector<Counters> m_counters; ///< by chunk
    std::vector<Op> m_owed;           ///< weight halves of this rank in the order of their input halves
    std::size_t m_paid = 0;
};

/// Collects what stands against a schedule. Asked only for yes or no it builds no texts.
class Rules {
public:
    explicit Rules(bool with_messages, std::string_view watched_code = {})
        : m_with_messages(with_messages), m_watched_code(watched_code) {}

    /// `text` has {0} = the kind and {1}, {2} … = `numbers`; `path` is the size the rule is about, `also`
    /// other sizes whose change could help.
    void require(bool holds, ScheduleKind kind, const char* code, const char* path,
                 std::initializer_list<const char*> also, const char* text,
                 std::initializer_list<std::int64_t> numbers);

    struct Finding {
        Message message;
        std::vector<const char*> fields; ///< sizes to try as a fix, the first is the message's path
    };
    [[nodiscard]] bool legal() const { return m_legal; }
    [[nodiscard]] bool watched_broken() const { return m_watched_broken; }
    [[nodiscard]] std::vector<Finding>& findings() { return m_findings; }

private:
    bool m_with_messages;
    std::string_view m_watched_code;
    bool m_legal = true, m_watched_broken = false;
    std::vector<Finding> m_findings;
};

struct Family {
    ScheduleKind kind;
    Layout layout;
    std::int64_t default_chunks;
    bool split_backward; ///< has I and W, so three operations per chunk and micro-batch
    bool grouped;        ///< uses the group size g
    void (*rules)(const ScheduleSpec&, Rules&);
    void (*generate)(const ScheduleSpec&, Writer&);
};

/// The row of a kind.
[[nodiscard]] const Family& family_of(ScheduleKind kind);

// Rules and generators; the sizes given have their defaults filled in.
void one_chunk_rules(const ScheduleSpec& spec, Rules& rules);
void generate_gpipe(const ScheduleSpec& spec, Writer& out);
void generate_1f1b(const ScheduleSpec& spec, Writer& out);
void generate_1f1b_eager(const ScheduleSpec& spec, Writer& out);

void interleaved_rules(const ScheduleSpec& spec, Rules& rules);
void interleaved_ep_rules(const ScheduleSpec& spec, Rules& rules);
void looped_rules(const ScheduleSpec& spec, Rules& rules);
void generate_interleaved(const ScheduleSpec& spec, Writer& out);
void generate_interleaved_ep(const ScheduleSpec& spec, Writer& out);
void generate_looped_bfs(const ScheduleSpec& spec, Writer& out);

void two_chunk_rules(const ScheduleSpec& spec, Rules& rules);
void generate_interleaved_zb(const ScheduleSpec& spec, Writer& out); ///< with one chunk it is ZB-H1
void generate_zb_h2(const ScheduleSpec& spec, Writer& out);
void generate_zb_v(const ScheduleSpec& spec, Writer& out);
void generate_v_shaped(const ScheduleSpec& spec, Writer& out); ///< V-half, V-min and 1F1B-V

void dualpipe_rules(const ScheduleSpec& spec, Rules& rules);
void dualpipe_v_rules(const ScheduleSpec& spec, Rules& rules);
void generate_dualpipe(const ScheduleSpec& spec, Writer& out);
void generate_dualpipe_v(const ScheduleSpec& spec, Writer& out);

void chimera_rules(const ScheduleSpec& spec, Rules& rules);
void hanayo_rules(const ScheduleSpec& spec, Rules& rules);
void generate_chimera(const ScheduleSpec& spec, Writer& out);
void generate_hanayo(const ScheduleSpec& spec, Writer& out);

} // namespace shardlens::pipeline
