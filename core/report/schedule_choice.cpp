// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/schedule_choice.h"

#include <algorithm>

#include "plan/edit.h"
#include "plan/fields.h"
#include "report/build.h"
#include "rules/rules.h"

namespace shardlens {

namespace {

bool is_bidirectional(ScheduleKind kind) {
    return kind == ScheduleKind::dualpipe || kind == ScheduleKind::chimera;
}

/// The plan's number of chunks per rank where the kind can have it, else the nearest that it can.
std::int64_t chunks_for(ScheduleKind kind, const Parallel& parallel) {
    const std::int64_t given = parallel.virtual_pipeline;
    if (parallel.pipeline == 1) return 1;
    switch (kind) {
    case ScheduleKind::interleaved:
    case ScheduleKind::interleaved_ep:
    case ScheduleKind::bfs:
    case ScheduleKind::interleaved_zb: return std::max<std::int64_t>(given, 2);
    case ScheduleKind::hanayo: return given % 2 == 0 || given == 1 ? given : given - 1;
    case ScheduleKind::zb_v:
    case ScheduleKind::v_half:
    case ScheduleKind::v_min:
    case ScheduleKind::one_f_one_b_v:
    case ScheduleKind::dualpipe_v: return std::min<std::int64_t>(given, 2);
    default: return 1;
    }
}

/// What the plan must change to run the kind; nothing for its own schedule.
Fix changes_for(const Plan& plan, ScheduleKind kind) {
    Fix fix;
    const Parallel& parallel = plan.parallel;
    const std::int64_t chunks = chunks_for(kind, parallel);
    fix.set.emplace_back("parallel.schedule", std::string(to_string(kind)));
    if (chunks != parallel.virtual_pipeline) fix.set.emplace_back("parallel.virtual_pipeline", chunks);
    const auto entries = static_cast<std::int64_t>(parallel.layers_per_stage.size());
    if (entries != 0 && entries != parallel.pipeline && entries != parallel.pipeline * chunks)
        fix.set.emplace_back("parallel.layers_per_stage", std::vector<std::int64_t>{});
    return fix;
}

std::vector<Message> errors_of(const Setup& setup) {
    std::vector<Message> found = rules::check(setup);
    std::erase_if(found, [](const Message& message) { return message.severity != Severity::error; });
    return found;
}

/// The first of the fixes offered, alone or one for each of two rules, that makes the plan legal with this
/// schedule.
std::optional<Fix> nearest_fix(const Plan& plan, const Catalog& catalog, ScheduleKind kind,
                               const std::vector<Message>& obstacles, int depth = 2) {
    std::vector<std::pair<Fix, std::vector<Message>>> not_enough;
    for (const Message& obstacle : obstacles)
        for (const Fix& fix : obstacle.fixes) {
            Plan fixed = plan;
            if (!apply_fix(fixed, fix).what.empty() || fixed.parallel.schedule != kind) continue;
            const auto setup = resolve(fixed, catalog);
            if (!setup) continue;
            std::vector<Message> left = errors_of(*setup);
            if (left.empty()) return fix;
            not_enough.emplace_back(fix, std::move(left));
        }
    if (depth < 2) return std::nullopt;
    for (const auto& [fix, left] : not_enough) {
        Plan fixed = plan;
        if (!apply_fix(fixed, fix).what.empty()) continue;
        if (const auto more = nearest_fix(fixed, catalog, kind, left, depth - 1)) {
            Fix both = fix;
            for (const auto& change : more->set) {
                std::erase_if(both.set, [&](const auto& other) { return other.first == change.first; });
                both.set.push_back(change);
            }
            return both;
        }
    }
    return std::nullopt;
}

/// Borders between stages on different ranks that a micro-batch crosses on its way.
std::int64_t borders_of(const pipeline::Schedule& schedule) {
    std::vector<std::int64_t> rank_of(static_cast<std::size_t>(schedule.stages), 0);
    for (std::int64_t r = 0; r < schedule.spec.ranks; ++r)
        for (std::int64_t c = 0; c < (schedule.bidirectional ? 1 : schedule.spec.chunks); ++c)
            rank_of[static_cast<std::size_t>(schedule.stage(r, c))] = r;
    std::int64_t borders = 0;
    for (std::size_t s = 1; s < rank_of.size(); ++s) borders += rank_of[s] != rank_of[s - 1];
    return borders;
}

/// Fills in the figures; a step too large to simulate becomes an obstacle.
void measure(const Setup& setup, ScheduleOption& option) {
    const auto shared = std::make_shared<const Setup>(setup);
    const Report report = build_report<double>(shared, {.timeline = false, .traffic = false});
    for (const Message& message : report.messages)
        if (message.code == "pipeline-size") option.obstacles.push_back(message);
    option.legal = option.obstacles.empty();
    if (!option.legal) return;
    option.step_s = report.time.step_s;
    option.bubble_s = report.time.bubble_s;
    option.bubble_fraction = report.time.bubble_fraction;
    option.peak_bytes = report.memory.peak_bytes;
    option.fits = judge(setup, report.memory) == Verdict::fits;
    for (const auto& stage : report.memory.stages)
        option.in_flight_micro_batches =
            std::max(option.in_flight_micro_batches, stage.in_flight_micro_batches);
    option.model_copies = is_bidirectional(setup.schedule) && setup.pipeline > 1 ? 2 : 1;
    option.chunks_per_rank = setup.virtual_pipeline;
    if (report.timeline) option.boundaries = borders_of(report.timeline->schedule);
    if (!report.costs) return;
    const cost::StepCosts<double>& costs = *report.costs;
    std::vector<double> parameters(static_cast<std::size_t>(setup.pipeline), 0);
    for (std::size_t i = 0; i < costs.chunk_parameters.size(); ++i)
        parameters[static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(i)))] +=
            costs.chunk_parameters[i];
    for (std::size_t r = 0; r < parameters.size(); ++r)
        option.parameters_per_rank =
            std::max(option.parameters_per_rank,
                     parameters[r] + (option.model_copies == 2 ? parameters[parameters.size() - 1 - r] : 0));
    option.p2p_bytes_per_step = 2.0 * static_cast<double>(setup.micro_batches) *
                                static_cast<double>(option.boundaries) * costs.message_bytes;
}

bool can_be_simulated(Plan plan, const Fix& fix, const Catalog& catalog) {
    if (!apply_fix(plan, fix).what.empty()) return false;
    const auto setup = resolve(plan, catalog);
    ScheduleOption tried;
    if (setup) measure(*setup, tried);
    return tried.legal;
}

} // namespace

Result<std::vector<ScheduleOption>> compare_schedules(const Plan& plan, const Catalog& catalog) {
    const auto given = resolve(plan, catalog);
    if (!given) return given.error();
    std::vector<ScheduleOption> options;
    for (int i = 0; i < static_cast<int>(ScheduleKind::pipedream); ++i) {
        ScheduleOption option;
        option.kind = static_cast<ScheduleKind>(i);
        option.current = option.kind == given->schedule;
        Plan changed = plan;
        if (!option.current) option.set = changes_for(plan, option.kind);
        if (const Error error = apply_fix(changed, option.set); !error.what.empty()) return error;
        const auto setup = resolve(changed, catalog);
        if (!setup) return setup.error();
        for (Message& message : rules::check(*setup)) {
            if (message.severity == Severity::error)
                option.obstacles.push_back(std::move(message));
            else if (message.code == "schedule-short-step" || message.code == "pipeline-few-micro-batches")
                option.notes.push_back(std::move(message));
        }
        if (option.obstacles.empty()) measure(*setup, option);
        if (!option.legal) {
            option.notes.clear();
            changed.parallel.schedule = option.kind; // a fix must keep it
            option.fix = nearest_fix(changed, catalog, option.kind, option.obstacles);
            if (option.fix && !can_be_simulated(changed, *option.fix, catalog)) option.fix.reset();
        }
        options.push_back(std::move(option));
    }
    return options;
}

} // namespace shardlens
