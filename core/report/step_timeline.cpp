// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/step_timeline.h"

#include <algorithm>

#include "report/build.h"

namespace shardlens {

namespace {

using pipeline::OpKind;

/// What the timeline says of one chunk of a rank.
struct ChunkSpan {
    std::int32_t chunk = 0;
    double first_forward_s = -1, last_gradient_s = 0; ///< start of the first, end of the last op
    double share = 0; ///< of its parameters in those of the rank that has most
};

std::vector<ChunkSpan> spans_of(const pipeline::Timeline& timeline, std::size_t rank) {
    std::vector<ChunkSpan> spans(static_cast<std::size_t>(timeline.schedule.spec.chunks));
    for (std::size_t c = 0; c < spans.size(); ++c) spans[c].chunk = static_cast<std::int32_t>(c);
    for (std::size_t i = timeline.schedule.first[rank]; i < timeline.schedule.first[rank + 1]; ++i) {
        const pipeline::Op& op = timeline.schedule.ops[i];
        ChunkSpan& span = spans[op.chunk];
        if (op.kind == OpKind::forward) {
            if (span.first_forward_s < 0) span.first_forward_s = timeline.start[i];
        } else if (op.kind != OpKind::input_grad) {
            span.last_gradient_s = timeline.end[i];
        }
    }
    return spans;
}

double communication(const cost::PassTime<double>& pass) {
    return pass.tensor_comm_s + pass.context_comm_s + pass.expert_comm_s + pass.data_comm_s +
           pass.pipeline_comm_s;
}

/// Puts the step's own intervals of one rank in time.
class RankPlan {
public:
    RankPlan(std::vector<ChunkSpan> spans, RankStep& out) : m_spans(std::move(spans)), m_out(out) {}

    /// Behind the hidden part of gather(): what then has no room is not drawn.
    void reduce(const cost::TailParts& parts) {
        std::ranges::sort(m_spans, {}, &ChunkSpan::last_gradient_s);
        const double end = m_spans.back().last_gradient_s;
        // Hidden parts one after the other on the rank's network, each as early as its chunk's gradients are
        // there; the last chunk's buckets go out while its backward still runs.
        double before = end;
        for (std::size_t i = m_spans.size(); i-- > 0;) {
            const double length = parts.reduce_hidden_s * m_spans[i].share;
            const double start =
                std::max(m_gathered_s, std::min(m_spans[i].last_gradient_s, before - length));
            add(StepPart::grad_reduce, false, m_spans[i].chunk, start, std::min(length, before - start));
            before = std::min(before, start);
        }
        double at = end;
        for (const ChunkSpan& span : m_spans)
            at = add(StepPart::grad_reduce, true, span.chunk, at, parts.reduce_exposed_s * span.share);
    }

    void gather(const cost::TailParts& parts, double exposed_from) {
        std::ranges::sort(m_spans, {}, &ChunkSpan::first_forward_s);
        double exposed = exposed_from;
        for (const ChunkSpan& span : m_spans) {
            m_gathered_s = add(StepPart::param_gather, false, span.chunk, m_gathered_s,
                               parts.gather_hidden_s * span.share);
            exposed =
                add(StepPart::param_gather, true, span.chunk, exposed, parts.gather_exposed_s * span.share);
        }
    }

    /// Returns its end.
    double add(StepPart part, bool exposed, std::int32_t chunk, double start, double length) {
        if (length <= 0) return start;
        m_out.intervals.push_back({part, exposed, chunk, start, start + length});
        const bool moves_data = part == StepPart::grad_reduce || part == StepPart::param_gather;
        if (moves_data) (exposed ? m_out.exposed_comm_s : m_out.hidden_comm_s) += length;
        return start + length;
    }

private:
    std::vector<ChunkSpan> m_spans;
    RankStep& m_out;
    double m_gathered_s = 0; ///< the network of the rank is free from here on
};

} // namespace

const char* to_string(StepPart part) {
    switch (part) {
    case StepPart::grad_reduce: return "grad_reduce";
    case StepPart::param_gather: return "param_gather";
    case StepPart::optimizer: return "optimizer";
    case StepPart::offload: return "offload";
    case StepPart::other: return "other";
    }
    return "";
}

StepTimeline step_timeline(const Report& report) {
    StepTimeline step;
    const pipeline::Timeline* timeline = report.timeline.get();
    if (!timeline || timeline->start.empty() || !report.costs) return step;
    const cost::StepCosts<double>& costs = *report.costs;
    const pipeline::Schedule& schedule = timeline->schedule;
    const auto ranks = static_cast<std::size_t>(schedule.spec.ranks);
    const auto stages = static_cast<std::size_t>(schedule.stages);

    // Several chunks of the model are one stage of a bidirectional pipeline, or of the fall-back.
    const auto times = stage_times(*report.setup, costs, schedule.stages);
    std::vector<double> parameters(stages, 0);
    const bool one_to_one = costs.chunk_parameters.size() == stages;
    for (std::size_t i = 0; i < costs.chunk_parameters.size(); ++i)
        parameters[one_to_one
                       ? i
                       : static_cast<std::size_t>(report.setup->rank_of_chunk(static_cast<std::int64_t>(i))) %
                             stages] += costs.chunk_parameters[i];
    std::vector<double> of_rank(ranks, 0);
    for (std::size_t r = 0; r < ranks; ++r)
        for (std::int64_t c = 0; c < schedule.spec.chunks; ++c)
            of_rank[r] +=
                parameters[static_cast<std::size_t>(schedule.stage(static_cast<std::int64_t>(r), c))];
    const auto largest = std::ranges::max_element(of_rank);
    step.largest_rank = largest - of_rank.begin();
    const double most = *largest > 0 ? *largest : 1;

    const cost::TailTime<double>& tail = costs.tail;
    step.pipeline_end_s = timeline->makespan;
    const double optimizer_s = step.pipeline_end_s + tail.parts.reduce_exposed_s;
    const double offload_s = optimizer_s + tail.optimizer_s;
    const double gather_s = offload_s + tail.offload_s;
    const double other_s = gather_s + tail.parts.gather_exposed_s;
    step.step_s = other_s + tail.other_s;
    step.ranks.resize(ranks);
    for (std::size_t r = 0; r < ranks; ++r) {
        std::vector<ChunkSpan> spans = spans_of(*timeline, r);
        double micro_batches = 0;
        for (ChunkSpan& span : spans) {
            const auto stage =
                static_cast<std::size_t>(schedule.stage(static_cast<std::int64_t>(r), span.chunk));
            span.share = parameters[stage] / most;
            const auto ops = schedule.rank(static_cast<std::int64_t>(r));
            micro_batches = static_cast<double>(std::ranges::count_if(ops, [&](const pipeline::Op& op) {
                return op.kind == OpKind::forward && op.chunk == span.chunk;
            }));
            step.ranks[r].exposed_comm_s +=
                micro_batches * (communication(times[stage].forward) + communication(times[stage].backward) +
                                 communication(times[stage].recompute));
        }
        const double share = of_rank[r] / most;
        RankPlan plan(std::move(spans), step.ranks[r]);
        plan.add(StepPart::optimizer, true, -1, optimizer_s, tail.optimizer_s * share);
        plan.add(StepPart::offload, true, -1, offload_s, tail.offload_s * share);
        plan.gather(tail.parts, gather_s);
        plan.reduce(tail.parts);
        plan.add(StepPart::other, true, -1, other_s, tail.other_s);
        std::ranges::sort(step.ranks[r].intervals, {}, &StepInterval::start_s);
    }
    return step;
}

} // namespace shardlens
