// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/trace_json.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

#include "report/memory_curve.h"
#include "report/step_timeline.h"

namespace shardlens {

namespace {

using pipeline::Op;
using pipeline::OpKind;

/// Perfetto nests events of a thread by their times, so ends and starts that meet must meet exactly: all
/// times are whole nanoseconds.
class Events {
public:
    explicit Events(double units_per_second) : m_to_ns(1e9 * units_per_second) {}

    [[nodiscard]] std::int64_t ns(double time) const { return std::llround(time * m_to_ns); }

    void thread(std::int64_t id, const std::string& name) {
        raw(R"({{"ph":"M","pid":0,"tid":{},"name":"thread_name","args":{{"name":"{}"}}}})", id, name);
        raw(R"({{"ph":"M","pid":0,"tid":{0},"name":"thread_sort_index","args":{{"sort_index":{0}}}}})", id);
    }
    void process(const std::string& name) {
        raw(R"({{"ph":"M","pid":0,"name":"process_name","args":{{"name":"{}"}}}})", name);
    }
    void span(std::int64_t thread, const std::string& name, const char* category, double start, double end,
              const std::string& arguments) {
        raw(R"({{"ph":"X","pid":0,"tid":{},"name":"{}","cat":"{}","ts":{},"dur":{},"args":{{{}}}}})", thread,
            name, category, micro(ns(start)), micro(ns(end) - ns(start)), arguments);
    }
    /// From inside the event that ends at `from` to the one that starts at `to`.
    void flow(std::int64_t id, const char* name, std::int64_t from_thread, std::int64_t from,
              std::int64_t to_thread, std::int64_t to) {
        raw(R"({{"ph":"s","pid":0,"tid":{},"id":{},"name":"{}","cat":"dependency","ts":{}}})", from_thread,
            id, name, micro(from));
        raw(R"({{"ph":"f","bp":"e","pid":0,"tid":{},"id":{},"name":"{}","cat":"dependency","ts":{}}})",
            to_thread, id, name, micro(to));
    }
    void counter(const std::string& name, const char* series, double time, double value) {
        raw(R"({{"ph":"C","pid":0,"name":"{}","ts":{},"args":{{"{}":{:.0f}}}}})", name, micro(ns(time)),
            series, value);
    }
    [[nodiscard]] std::string document() && { return std::move(m_text) + "\n]}\n"; }

private:
    template <class... Args> void raw(fmt::format_string<Args...> format, Args&&... args) {
        if (!m_first) m_text += ",\n";
        m_first = false;
        fmt::format_to(std::back_inserter(m_text), format, std::forward<Args>(args)...);
    }
    static std::string micro(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

    double m_to_ns;
    bool m_first = true;
    std::string m_text = "{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n";
};

constexpr std::int64_t op_thread(std::int64_t rank) { return 2 * rank; }
constexpr std::int64_t step_thread(std::int64_t rank) { return 2 * rank + 1; }

class OpEvents {
public:
    OpEvents(const pipeline::Timeline& timeline, Events& out)
        : m_timeline(timeline), m_schedule(timeline.schedule), m_out(out) {
        const auto lines = static_cast<std::size_t>(m_schedule.stages) *
                           static_cast<std::size_t>(m_schedule.bidirectional ? m_schedule.spec.chunks : 1);
        for (auto& list : m_at)
            list.assign(lines * static_cast<std::size_t>(m_schedule.spec.micro_batches), kNone);
    }

    void write() {
        for (std::int64_t r = 0; r < m_schedule.spec.ranks; ++r) rank(r);
        for (std::int64_t r = 0; r < m_schedule.spec.ranks; ++r) flows(r);
    }

private:
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    [[nodiscard]] std::size_t cell(std::int64_t rank, const Op& op) const {
        const std::int64_t copy = m_schedule.bidirectional ? op.chunk : 0;
        const std::int64_t stage = m_schedule.stage(rank, op.chunk);
        return static_cast<std::size_t>((copy * m_schedule.stages + stage) * m_schedule.spec.micro_batches +
                                        op.micro_batch);
    }
    /// Index of the forward, or of the backward or its input half, of a cell.
    std::size_t& at(bool forward, std::size_t cell) { return m_at[forward ? 0 : 1][cell]; }

    [[nodiscard]] static const char* category(OpKind kind) {
        switch (kind) {
        case OpKind::forward: return "forward";
        case OpKind::backward: return "backward";
        case OpKind::input_grad: return "backward_input";
        case OpKind::weight_grad: return "backward_weight";
        }
        return "";
    }

    void rank(std::int64_t r) {
        std::string stages;
        for (std::int64_t c = 0; c < m_schedule.spec.chunks; ++c)
            stages += fmt::format("{}{}", c > 0 ? ", " : "", m_schedule.stage(r, c));
        m_out.thread(op_thread(r),
                     fmt::format("rank {}, stage{} {}", r, m_schedule.spec.chunks > 1 ? "s" : "", stages));
        const bool with_chunk = m_schedule.spec.chunks > 1;
        const auto row = static_cast<std::size_t>(r);
        for (std::size_t i = m_schedule.first[row]; i < m_schedule.first[row + 1]; ++i) {
            const std::size_t first = i;
            std::string name = pipeline::token(m_schedule.ops[i], with_chunk);
            note(r, i);
            if (m_schedule.ops[i].with_next && i + 1 < m_schedule.first[row + 1]) {
                ++i;
                name += "+" + pipeline::token(m_schedule.ops[i], with_chunk);
                note(r, i);
            }
            const Op& op = m_schedule.ops[first];
            m_out.span(op_thread(r), name, first == i ? category(op.kind) : "overlapped",
                       m_timeline.start[first], m_timeline.end[first],
                       fmt::format(R"("micro_batch":{},"chunk":{},"stage":{})", op.micro_batch, op.chunk,
                                   m_schedule.stage(r, op.chunk)));
        }
    }
    void note(std::int64_t r, std::size_t i) {
        const Op& op = m_schedule.ops[i];
        if (op.kind != OpKind::weight_grad) at(op.kind == OpKind::forward, cell(r, op)) = i;
    }

    /// Results that reach this rank from another one: of the stage before for a forward, of the one behind
    /// for a backward.
    void flows(std::int64_t r) {
        const auto row = static_cast<std::size_t>(r);
        const auto m = static_cast<std::size_t>(m_schedule.spec.micro_batches);
        for (std::size_t i = m_schedule.first[row]; i < m_schedule.first[row + 1]; ++i) {
            const Op& op = m_schedule.ops[i];
            if (op.kind == OpKind::weight_grad) continue;
            const bool forward = op.kind == OpKind::forward;
            const std::int64_t stage = m_schedule.stage(r, op.chunk);
            if (forward ? stage == 0 : stage + 1 == m_schedule.stages) continue;
            const std::size_t own = cell(r, op);
            const std::size_t source = at(forward, forward ? own - m : own + m);
            if (source == kNone) continue;
            const auto next = std::upper_bound(m_schedule.first.begin(), m_schedule.first.end(), source);
            const std::int64_t from = next - m_schedule.first.begin() - 1;
            if (from == r) continue;
            // A flow belongs to the event that is open at its time, so it leaves just before the end.
            const std::int64_t start = m_out.ns(m_timeline.start[source]),
                               end = m_out.ns(m_timeline.end[source]);
            m_out.flow(m_next_flow++, forward ? "activations" : "gradients", op_thread(from),
                       std::max(start, end - 1), op_thread(r), m_out.ns(m_timeline.start[i]));
        }
    }

    const pipeline::Timeline& m_timeline;
    const pipeline::Schedule& m_schedule;
    Events& m_out;
    std::array<std::vector<std::size_t>, 2> m_at;
    std::int64_t m_next_flow = 1;
};

/// One value per time: of those at the same nanosecond the last.
template <class Time, class Value>
void write_counter(Events& out, const std::string& name, const char* series, std::size_t points, Time time,
                   Value value) {
    for (std::size_t i = 0; i < points; ++i)
        if (i + 1 == points || out.ns(time(i + 1)) != out.ns(time(i)))
            out.counter(name, series, time(i), value(i));
}

Error too_long(double seconds) {
    constexpr double kMostSeconds = 9.2e9; // 2⁶³ ns
    if (seconds <= kMostSeconds) return {};
    return {"trace", fmt::format("{:.3g} s are more than the {:.3g} s that a trace can count in nanoseconds",
                                 seconds, kMostSeconds)};
}

} // namespace

Result<std::string> trace_json(const pipeline::Timeline& timeline) {
    constexpr double kMillisecond = 1e-3;
    if (Error error = too_long(timeline.makespan * kMillisecond); !error.what.empty()) return error;
    Events out(kMillisecond);
    out.process(fmt::format("{} ranks, {} micro-batches", timeline.schedule.spec.ranks,
                            timeline.schedule.spec.micro_batches));
    OpEvents(timeline, out).write();
    const std::vector<double> ones(static_cast<std::size_t>(timeline.schedule.spec.chunks), 1.0);
    for (std::int64_t r = 0; r < timeline.schedule.spec.ranks; ++r) {
        const auto live = pipeline::live_curve(timeline.schedule.rank(r), ones, true);
        const std::size_t first = timeline.schedule.first[static_cast<std::size_t>(r)];
        write_counter(
            out, fmt::format("rank {} activations", r), "alive", live.size(),
            [&](std::size_t i) {
                const bool rises = live[i] > (i > 0 ? live[i - 1] : 0);
                return rises ? timeline.start[first + i] : timeline.end[first + i];
            },
            [&](std::size_t i) { return live[i]; });
    }
    return std::move(out).document();
}

Result<std::string> trace_json(const Report& report) {
    if (!report.timeline || report.timeline->start.empty())
        return Error{"parallel.schedule", "this plan has no pipeline timeline to write"};
    const pipeline::Timeline& timeline = *report.timeline;
    const StepTimeline step = step_timeline(report);
    if (Error error = too_long(std::max(step.step_s, timeline.makespan)); !error.what.empty()) return error;
    Events out(1);
    out.process(fmt::format("one pipeline, {} of {} micro-batches", timeline.schedule.spec.micro_batches,
                            report.setup->micro_batches));
    OpEvents(timeline, out).write();
    for (std::size_t r = 0; r < step.ranks.size(); ++r) {
        const auto thread = step_thread(static_cast<std::int64_t>(r));
        out.thread(thread, fmt::format("rank {}, step", r));
        for (const StepInterval& part : step.ranks[r].intervals)
            out.span(thread, to_string(part.part), part.exposed ? "exposed" : "hidden", part.start_s,
                     part.end_s, part.chunk < 0 ? "" : fmt::format(R"("chunk":{})", part.chunk));
    }
    for (std::int64_t r = 0; r < timeline.schedule.spec.ranks; ++r) {
        const MemoryCurve curve = memory_curve(report, r);
        write_counter(
            out, fmt::format("rank {} memory", r), "bytes", curve.bytes.size(),
            [&](std::size_t i) { return curve.time_s[i]; }, [&](std::size_t i) { return curve.bytes[i]; });
    }
    return std::move(out).document();
}

} // namespace shardlens
