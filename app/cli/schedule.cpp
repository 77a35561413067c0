// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "pipeline/simulate.h"
#include "plan/fields.h"
#include "report/report.h"
#include "report/trace_json.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

// A listing beyond this would fill memory before anybody reads it.
constexpr double kMaxListedOps = 2e6;

Outcome refused(const std::vector<Message>& messages, bool as_text) {
    if (as_text) return {kBroken, messages_to_text(messages), ""};
    nlohmann::ordered_json output;
    output["messages"] = messages_to_json(messages);
    return {kBroken, document(output), ""};
}

/// Calls visit(token, start, end) for every cell of a rank; an overlapped pair is one cell.
template <class Visit>
void visit_cells(const pipeline::Timeline& timeline, std::int64_t rank, Visit&& visit) {
    const pipeline::Schedule& schedule = timeline.schedule;
    const bool with_chunk = schedule.spec.chunks > 1;
    const auto at = static_cast<std::size_t>(rank);
    for (std::size_t i = schedule.first[at]; i < schedule.first[at + 1]; ++i) {
        std::string name = pipeline::token(schedule.ops[i], with_chunk);
        const double start = timeline.start[i];
        while (schedule.ops[i].with_next && i + 1 < schedule.first[at + 1]) {
            name += "+" + pipeline::token(schedule.ops[++i], with_chunk);
        }
        visit(name, start, timeline.end[i]);
    }
}

/// What the order is, where it is not what its name says; "" when it is.
std::string note_on(const pipeline::ScheduleSpec& spec) {
    if (const auto instead = pipeline::shortened_to(spec))
        return fmt::format(
            "{} with {} stages needs at least {} micro-batches to be itself; with {} it runs as {}",
            to_string(spec.kind), spec.ranks, 2 * spec.ranks - 1, spec.micro_batches, to_string(*instead));
    if (spec.kind == ScheduleKind::pipedream)
        return fmt::format("pipedream is asynchronous: shown are {} micro-batches of an order without end; "
                           "rank r keeps {} - r "
                           "versions of its weights and applies a gradient {} - r updates after the version "
                           "it was computed on",
                           spec.micro_batches, spec.ranks, spec.ranks - 1);
    return {};
}

/// Versions of the weights that a rank of PipeDream stashes: one per micro-batch between its forward and its
/// backward, p - r (SOSP 2019, section 3.3).
std::int64_t weight_versions(const pipeline::Timeline& timeline, std::int64_t rank) {
    return timeline.schedule.spec.ranks - rank;
}

std::string schedule_json(const pipeline::Timeline& timeline) {
    // Built by hand: a million operations must not become a million JSON objects first.
    std::string text = "{\"ranks\": [";
    const auto ranks = static_cast<std::int64_t>(timeline.ranks.size());
    for (std::int64_t r = 0; r < ranks; ++r) {
        text += fmt::format("{}\n{{\"rank\": {}, \"ops\": [", r > 0 ? "," : "", r);
        bool first = true;
        visit_cells(timeline, r, [&](const std::string& name, double start, double end) {
            fmt::format_to(std::back_inserter(text), "{}{{\"op\": \"{}\", \"start\": {}, \"end\": {}}}",
                           first ? "" : ", ", name, number(start), number(end));
            first = false;
        });
        const pipeline::RankSummary& rank = timeline.ranks[static_cast<std::size_t>(r)];
        text += fmt::format(
            "],\n \"busy\": {}, \"idle_total\": {}, \"idle_inside\": {}, \"peak_live_until_input\": {}, "
            "\"peak_live_until_weight\": {}",
            number(rank.busy), number(rank.idle_total), number(rank.idle_inside), rank.peak_live_until_input,
            rank.peak_live_until_weight);
        if (timeline.schedule.spec.kind == ScheduleKind::pipedream) {
            const std::int64_t versions = weight_versions(timeline, r);
            text += fmt::format(", \"weight_versions\": {}, \"staleness\": {}", versions, versions - 1);
        }
        text += "}";
    }
    text += fmt::format("\n],\n\"makespan\": {},\n\"bubble_fraction\": {}", number(timeline.makespan),
                        number(timeline.bubble_fraction));
    if (const auto instead = pipeline::shortened_to(timeline.schedule.spec))
        text += fmt::format(",\n\"runs_as\": \"{}\"", to_string(*instead));
    return text + "}\n";
}

std::string schedule_text(const pipeline::Timeline& timeline) {
    std::string text = fmt::format("makespan {}  bubble fraction {:.4f}\n\n", number(timeline.makespan),
                                   timeline.bubble_fraction);
    const bool stashes = timeline.schedule.spec.kind == ScheduleKind::pipedream;
    std::vector<std::vector<std::string>> rows = {
        {"rank", "busy", "idle", "idle inside", "peak live (B, I)", "peak live (B, W)"}};
    if (stashes) rows.front().emplace_back("weight versions");
    rows.front().emplace_back("operations");
    for (std::size_t r = 0; r < timeline.ranks.size(); ++r) {
        const pipeline::RankSummary& rank = timeline.ranks[r];
        std::string ops;
        visit_cells(timeline, static_cast<std::int64_t>(r), [&](const std::string& name, double, double) {
            if (!ops.empty()) ops += ' ';
            ops += name;
        });
        rows.push_back({std::to_string(r), number(rank.busy), number(rank.idle_total),
                        number(rank.idle_inside), std::to_string(rank.peak_live_until_input),
                        std::to_string(rank.peak_live_until_weight)});
        if (stashes)
            rows.back().push_back(std::to_string(weight_versions(timeline, static_cast<std::int64_t>(r))));
        rows.back().push_back(std::move(ops));
    }
    return text + table(rows, {true, true, true, true, true, true, stashes});
}

} // namespace

Outcome schedule_command(const Options& options, const Catalog&) {
    const ScheduleOptions& wanted = options.schedule;
    const std::optional<ScheduleKind> kind = schedule_kind(wanted.kind);
    if (!kind) {
        std::string known;
        for (const std::string_view choice : find_field("parallel.schedule")->choices) {
            known += fmt::format("{}, ", choice);
        }
        known += to_string(ScheduleKind::pipedream); // only here: a plan cannot be asynchronous
        return unreadable(
            {"shardlens-cli", fmt::format("schedule: unknown kind '{}'; one of {}", wanted.kind, known)});
    }
    pipeline::ScheduleSpec spec;
    spec.kind = *kind;
    spec.ranks = wanted.stages;
    spec.micro_batches = wanted.micro_batches;
    spec.chunks = wanted.chunks;
    spec.group = wanted.group;
    // A split backward is two operations of its own.
    const double ops = 3.0 * static_cast<double>(spec.ranks) * static_cast<double>(spec.micro_batches) *
                       static_cast<double>(std::max<std::int64_t>(pipeline::with_defaults(spec).chunks, 1));
    if (ops > kMaxListedOps) {
        Message message;
        message.code = "schedule-size";
        message.path = "micro_batches";
        message.text_template = "{0} operations are more than the {1} that can be listed";
        message.arguments = {number(ops), number(kMaxListedOps)};
        return refused({message}, options.text);
    }
    if (const std::vector<Message> messages = pipeline::check(spec); !messages.empty()) {
        return refused(messages, options.text);
    }
    Result<pipeline::Schedule> schedule = pipeline::make_schedule(spec);
    pipeline::Costs costs;
    costs.stages = {{.forward = wanted.forward,
                     .input_grad = wanted.backward_input,
                     .weight_grad = wanted.backward_weight,
                     .overlapped = wanted.overlapped}};
    costs.hop = wanted.hop;
    const Result<pipeline::Timeline> timeline = schedule
                                                    ? pipeline::simulate(*std::move(schedule), costs, true)
                                                    : Result<pipeline::Timeline>(schedule.error());
    if (!timeline) {
        Message message;
        message.code = "schedule";
        message.path = "kind";
        message.text_template = "{0}";
        message.arguments = {timeline.error().line()};
        return refused({message}, options.text);
    }
    if (!options.trace.empty()) {
        const Result<std::string> trace = trace_json(*timeline);
        if (!trace) return unreadable(trace.error());
        if (const Error error = write_text(options.trace, *trace); !error.what.empty())
            return unreadable(error);
    }
    std::string note = note_on(spec);
    if (!note.empty()) note += "\n";
    return {kDone, options.text ? schedule_text(*timeline) : schedule_json(*timeline), std::move(note)};
}

} // namespace shardlens::cli
