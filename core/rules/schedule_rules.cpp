// SPDX-License-Identifier: GPL-3.0-or-later
// Pipeline stages and what their schedules can run. Definitions of the schedules: the papers and programs
// that core/pipeline names; the limits here are those their generators need.
#include <algorithm>
#include <array>
#include <numeric>

#include "plan/fields.h"
#include "rules/support.h"

namespace shardlens::rules {

namespace {

// --- layers over stages

/// Embedding, head and MTP may have a rank of their own; a split by cost may leave the last ranks empty.
bool layers_broken(const Setup& s) {
    return s.plan.parallel.layers_per_stage.empty() && !s.stack.splits_by_cost &&
           s.pipeline > s.shape.layers + 2 + s.shape.mtp_layers;
}

void propose_pipeline(const Setup& s, Message& message, std::int64_t at, std::size_t most,
                      bool even = false) {
    const std::int64_t others = product({s.tensor, s.context});
    if (s.world() % others != 0) return;
    propose_each(message, "parallel.pipeline",
                 near_divisors(s.world() / others, at, most, [&](std::int64_t value) {
                     return value != s.pipeline && value <= s.shape.layers && (!even || value % 2 == 0);
                 }));
}

void layers_describe(const Setup& s, Message& message) {
    say(message, "{0} pipeline stages for {1} layers leave {2} stages empty", s.pipeline, s.shape.layers,
        s.pipeline - s.shape.layers);
    propose_pipeline(s, message, s.shape.layers, 2);
    propose(message, {{"parallel.pipeline", std::int64_t{1}}});
}

const FieldValue kNoList = std::vector<std::int64_t>{};

bool list_length_broken(const Setup& s) {
    const std::int64_t length = static_cast<std::int64_t>(s.plan.parallel.layers_per_stage.size());
    return length != 0 && length != s.pipeline && length != product({s.pipeline, s.virtual_pipeline});
}

void list_length_describe(const Setup& s, Message& message) {
    const std::int64_t chunks = product({s.pipeline, s.virtual_pipeline});
    const auto length = s.plan.parallel.layers_per_stage.size();
    if (s.virtual_pipeline > 1)
        say(message,
            "layers_per_stage has {0} numbers; {1} (one per pipeline rank) or {2} (one per chunk) are needed",
            length, s.pipeline, chunks);
    else
        say(message, "layers_per_stage has {0} numbers; one for each of the {1} pipeline ranks is needed",
            length, s.pipeline);
    propose(message, {{"parallel.layers_per_stage", kNoList}});
}

std::int64_t list_sum(const Setup& s) {
    const auto& list = s.plan.parallel.layers_per_stage;
    return std::accumulate(list.begin(), list.end(), std::int64_t{0});
}

bool list_sum_broken(const Setup& s) {
    return !s.plan.parallel.layers_per_stage.empty() && list_sum(s) != s.shape.layers;
}

void list_sum_describe(const Setup& s, Message& message) {
    say(message, "layers_per_stage adds up to {0} layers, the model has {1}", list_sum(s), s.shape.layers);
    std::vector<std::int64_t> list = s.plan.parallel.layers_per_stage;
    const std::int64_t missing = s.shape.layers - list_sum(s);
    const auto place =
        missing > 0 ? std::min_element(list.begin(), list.end()) : std::max_element(list.begin(), list.end());
    if (*place + missing >= 0) {
        *place += missing;
        propose(message, {{"parallel.layers_per_stage", list}});
    }
    propose(message, {{"parallel.layers_per_stage", kNoList}});
}

bool empty_stage_broken(const Setup& s) {
    if (s.pipeline == 1 || layers_broken(s) || s.layers_per_chunk.empty()) return false;
    const std::vector<std::int64_t> layers = layers_per_rank(s);
    return std::find(layers.begin(), layers.end(), 0) != layers.end();
}

void empty_stage_describe(const Setup& s, Message& message) {
    const std::vector<std::int64_t> layers = layers_per_rank(s);
    say(message, "{0} of {1} pipeline ranks have no transformer layer",
        std::count(layers.begin(), layers.end(), 0), s.pipeline);
    propose(message, {{"parallel.layers_per_stage", kNoList}});
    propose_pipeline(s, message, s.pipeline - 1, 1);
}

bool uneven_broken(const Setup& s) {
    if (s.pipeline == 1 || !s.plan.parallel.layers_per_stage.empty() || layers_broken(s) ||
        s.layers_per_chunk.empty() || s.shape.layers % product({s.pipeline, s.virtual_pipeline}) == 0)
        return false;
    const std::vector<std::int64_t> layers = layers_per_rank(s);
    const auto [least, most] = std::minmax_element(layers.begin(), layers.end());
    return *least != *most;
}

void uneven_describe(const Setup& s, Message& message) {
    const std::vector<std::int64_t> layers = layers_per_rank(s);
    const auto [least, most] = std::minmax_element(layers.begin(), layers.end());
    say(message,
        "{0} layers do not divide evenly over {1} chunks: pipeline ranks have {2} to {3}, the fullest sets "
        "the pace",
        s.shape.layers, product({s.pipeline, s.virtual_pipeline}), *least, *most);
}

// --- chunks per rank

/// Embedding, head and MTP may have a chunk of their own.
bool too_many_chunks_broken(const Setup& s) {
    return s.pipeline > 1 && s.plan.parallel.virtual_pipeline > 1 &&
           product({s.plan.parallel.pipeline, s.plan.parallel.virtual_pipeline}) >
               s.shape.layers + 2 + s.shape.mtp_layers;
}

void too_many_chunks_describe(const Setup& s, Message& message) {
    say(message, "{0} chunks on {1} pipeline ranks are more than the {2} layers with embedding and head",
        product({s.plan.parallel.pipeline, s.plan.parallel.virtual_pipeline}), s.plan.parallel.pipeline,
        s.shape.layers);
    const std::int64_t most = std::max<std::int64_t>(1, s.shape.layers / s.pipeline);
    Edits edits{{"parallel.virtual_pipeline", most}};
    if (most == 1 && is_interleaved(s.schedule)) edits.emplace_back("parallel.schedule", std::string("1f1b"));
    propose(message, std::move(edits));
    propose(message,
            {{"parallel.virtual_pipeline", std::int64_t{1}}, {"parallel.schedule", std::string("1f1b")}});
}

bool virtual_alone_broken(const Setup& s) { return s.pipeline == 1 && s.plan.parallel.virtual_pipeline > 1; }

void virtual_alone_describe(const Setup& s, Message& message) {
    say(message, "{0} virtual stages per rank need more than one pipeline rank",
        s.plan.parallel.virtual_pipeline);
    Edits edits{{"parallel.virtual_pipeline", std::int64_t{1}}};
    if (is_interleaved(s.schedule) || s.schedule == ScheduleKind::bfs)
        edits.emplace_back("parallel.schedule", std::string("1f1b"));
    propose(message, std::move(edits));
    propose_pipeline(s, message, 2, 2);
}

enum class Chunks : std::uint8_t { one, several, two, even };

Chunks chunks_of(ScheduleKind kind) {
    switch (kind) {
    case ScheduleKind::gpipe:
    case ScheduleKind::one_f_one_b:
    case ScheduleKind::one_f_one_b_eager:
    case ScheduleKind::zb_h1:
    case ScheduleKind::zb_h2:
    case ScheduleKind::pipedream: return Chunks::one;
    case ScheduleKind::interleaved:
    case ScheduleKind::interleaved_ep:
    case ScheduleKind::bfs:
    case ScheduleKind::interleaved_zb: return Chunks::several;
    case ScheduleKind::hanayo: return Chunks::even;
    default: return Chunks::two;
    }
}

/// virtual_pipeline 1 is also what a plan that leaves it out says, so the V-shaped kinds take it as their own
/// number.
bool chunks_broken(const Setup& s) {
    const std::int64_t chunks = s.plan.parallel.virtual_pipeline;
    if (s.pipeline == 1) return false;
    switch (chunks_of(s.schedule)) {
    case Chunks::one: return chunks != 1;
    case Chunks::several: return chunks < 2;
    case Chunks::two: return chunks > 2;
    case Chunks::even: return chunks > 1 && chunks % 2 != 0;
    }
    return false;
}

void chunks_describe(const Setup& s, Message& message) {
    const std::int64_t chunks = s.plan.parallel.virtual_pipeline;
    const auto kind = to_string(s.schedule);
    switch (chunks_of(s.schedule)) {
    case Chunks::one:
        say(message, "Schedule {0} runs one chunk per pipeline rank, virtual_pipeline is {1}", kind, chunks);
        propose(message, {{"parallel.virtual_pipeline", std::int64_t{1}}});
        if (s.plan.parallel.schedule) propose(message, {{"parallel.schedule", std::string("interleaved")}});
        break;
    case Chunks::several:
        say(message, "Schedule {0} needs at least 2 chunks per pipeline rank, virtual_pipeline is {1}", kind,
            chunks);
        propose(message, {{"parallel.virtual_pipeline", std::int64_t{2}}});
        propose(message, {{"parallel.schedule", std::string("1f1b")}});
        break;
    case Chunks::two:
        say(message, "Schedule {0} runs 2 chunks per pipeline rank, virtual_pipeline is {1}", kind, chunks);
        propose(message, {{"parallel.virtual_pipeline", std::int64_t{2}}});
        propose(message, {{"parallel.schedule", std::string("interleaved")}});
        break;
    case Chunks::even:
        say(message, "Schedule {0} runs 2 chunks per wave, virtual_pipeline is {1}", kind, chunks);
        propose_each(message, "parallel.virtual_pipeline", near_multiples(2, chunks));
        propose(message, {{"parallel.schedule", std::string("interleaved")}});
        break;
    }
}

// --- what a schedule needs

void propose_plain_schedule(const Setup& s, Message& message) {
    propose(message,
            {{"parallel.schedule",
              std::string(s.plan.parallel.virtual_pipeline > 1 && s.pipeline > 1 ? "interleaved" : "1f1b")}});
}

/// Global batches around the plan's whose micro-batches per replica are a multiple of `unit` and at least
/// `least`.
void propose_micro_batches(const Setup& s, Message& message, std::int64_t unit, std::int64_t least) {
    const std::int64_t samples = samples_per_micro_batch(s);
    const std::int64_t lowest = (least + unit - 1) / unit * unit;
    for (const std::int64_t count : near_multiples(unit, s.micro_batches))
        if (count >= lowest) propose(message, {{"training.global_batch_size", product({count, samples})}});
    if (s.micro_batches < lowest)
        propose(message, {{"training.global_batch_size", product({lowest, samples})}});
    // Smaller micro-batches make more of them.
    const std::int64_t per_rank = s.plan.training.global_batch_size / s.data;
    if (s.plan.training.global_batch_size % s.data == 0)
        for (const std::int64_t count : near_divisors(per_rank, s.micro_batches, 2, [&](std::int64_t value) {
                 return value % unit == 0 && value >= lowest;
             }))
            propose(message, {{"training.micro_batch_size", per_rank / count}});
}

bool asynchronous_broken(const Setup& s) { return s.schedule == ScheduleKind::pipedream; }

void asynchronous_describe(const Setup& s, Message& message) {
    say(message, "Schedule pipedream is asynchronous: a synchronous training step cannot use it");
    propose_plain_schedule(s, message);
}

bool needs_even_stages(ScheduleKind kind) {
    return kind == ScheduleKind::dualpipe || kind == ScheduleKind::chimera;
}

bool even_stages_broken(const Setup& s) { return needs_even_stages(s.schedule) && s.pipeline % 2 != 0; }

void even_stages_describe(const Setup& s, Message& message) {
    say(message, "Schedule {0} runs in both directions and needs an even number of pipeline ranks, not {1}",
        to_string(s.schedule), s.pipeline);
    propose_plain_schedule(s, message);
    propose_pipeline(s, message, s.pipeline, 2, true);
}

bool even_batches_broken(const Setup& s) {
    return s.schedule == ScheduleKind::dualpipe && s.micro_batches % 2 != 0;
}

void even_batches_describe(const Setup& s, Message& message) {
    say(message, "Schedule dualpipe needs an even number of micro-batches, not {0}", s.micro_batches);
    propose_micro_batches(s, message, 2, 2 * s.pipeline);
    propose_plain_schedule(s, message);
}

bool enough_batches_broken(const Setup& s) {
    return (s.schedule == ScheduleKind::dualpipe || s.schedule == ScheduleKind::dualpipe_v) &&
           s.micro_batches < product({2, s.pipeline});
}

void enough_batches_describe(const Setup& s, Message& message) {
    say(message, "Schedule {0} needs at least 2 · {1} micro-batches, not {2}", to_string(s.schedule),
        s.pipeline, s.micro_batches);
    propose_micro_batches(s, message, 2, 2 * s.pipeline);
    propose_plain_schedule(s, message);
}

bool whole_waves_broken(const Setup& s) {
    return s.schedule == ScheduleKind::hanayo && s.micro_batches % s.pipeline != 0;
}

void whole_waves_describe(const Setup& s, Message& message) {
    say(message, "Schedule hanayo needs a multiple of {0} micro-batches, not {1}", s.pipeline,
        s.micro_batches);
    propose_micro_batches(s, message, s.pipeline, s.pipeline);
    propose_plain_schedule(s, message);
}

bool expert_overlap_broken(const Setup& s) {
    return s.schedule == ScheduleKind::interleaved_ep && s.plan.memory.recompute == Recompute::full;
}

void expert_overlap_describe(const Setup&, Message& message) {
    say(message,
        "Schedule interleaved-ep overlaps a forward with a backward, which full recomputation excludes");
    propose(message, {{"memory.recompute", std::string("selective")}});
    propose(message, {{"parallel.schedule", std::string("interleaved")}});
}

// --- the interleaved schedules (Megatron's schedules.py: p ≤ g ≤ m, and the rest of m / g is 0 or at least
// p)

bool runs_interleaved(const Setup& s) { return s.pipeline > 1 && is_interleaved(s.schedule); }

void propose_not_interleaved(const Setup& s, Message& message) {
    Edits edits{{"parallel.virtual_pipeline", std::int64_t{1}}};
    if (s.plan.parallel.schedule) edits.emplace_back("parallel.schedule", std::string("1f1b"));
    if (s.plan.parallel.virtual_pipeline_group > 0)
        edits.emplace_back("parallel.virtual_pipeline_group", std::int64_t{0});
    propose(message, std::move(edits));
}

bool few_interleaved_broken(const Setup& s) { return runs_interleaved(s) && s.micro_batches < s.pipeline; }

void few_interleaved_describe(const Setup& s, Message& message) {
    say(message,
        "An interleaved schedule needs at least as many micro-batches as pipeline ranks: {0} for {1} (global "
        "batch {2} / "
        "(micro-batch {3} · data {4}))",
        s.micro_batches, s.pipeline, s.plan.training.global_batch_size, s.plan.training.micro_batch_size,
        s.data);
    propose_micro_batches(s, message, s.pipeline, s.pipeline);
    propose_not_interleaved(s, message);
}

bool group_broken(const Setup& s) {
    const std::int64_t group = s.plan.parallel.virtual_pipeline_group;
    return runs_interleaved(s) && !few_interleaved_broken(s) && group > 0 &&
           (group < s.pipeline || group > s.micro_batches);
}

void group_describe(const Setup& s, Message& message) {
    const std::int64_t group = s.plan.parallel.virtual_pipeline_group;
    say(message,
        "virtual_pipeline_group {0} must lie between the {1} pipeline ranks and the {2} micro-batches", group,
        s.pipeline, s.micro_batches);
    propose(message, {{"parallel.virtual_pipeline_group", std::clamp(group, s.pipeline, s.micro_batches)}});
    propose(message, {{"parallel.virtual_pipeline_group", std::int64_t{0}}});
}

bool fits_group(const Setup& s, std::int64_t group) {
    const std::int64_t rest = s.micro_batches % group;
    return rest == 0 || rest >= s.pipeline;
}

bool remainder_broken(const Setup& s) {
    return runs_interleaved(s) && !few_interleaved_broken(s) && !group_broken(s) &&
           !fits_group(s, group_size(s));
}

void remainder_describe(const Setup& s, Message& message) {
    const std::int64_t group = group_size(s);
    say(message,
        "{0} micro-batches in groups of {1} leave a last group of {2}, fewer than the {3} pipeline ranks: an "
        "interleaved "
        "schedule stalls",
        s.micro_batches, group, s.micro_batches % group, s.pipeline);
    propose_micro_batches(s, message, s.pipeline, s.pipeline);
    for (std::int64_t other = s.pipeline; other <= std::min(s.micro_batches, 2 * s.pipeline); ++other)
        if (fits_group(s, other)) {
            propose(message, {{"parallel.virtual_pipeline_group", other}});
            break;
        }
    propose_not_interleaved(s, message);
}

bool group_idle_broken(const Setup& s) {
    return s.plan.parallel.virtual_pipeline_group > 0 && !runs_interleaved(s);
}

void group_idle_describe(const Setup& s, Message& message) {
    say(message, "virtual_pipeline_group has no effect with schedule {0} on {1} pipeline ranks",
        to_string(s.schedule), s.pipeline);
    propose(message, {{"parallel.virtual_pipeline_group", std::int64_t{0}}});
}

// --- advice

bool few_batches(const Setup& s) {
    return s.pipeline > 1 && s.micro_batches < s.pipeline && !few_interleaved_broken(s);
}

/// torchtitan's 1F1B waits for ever when there are fewer micro-batches than stages; GPipe runs.
bool few_titan_broken(const Setup& s) { return few_batches(s) && s.schedule != ScheduleKind::gpipe; }
bool few_batches_broken(const Setup& s) {
    return few_batches(s) && !(targets(s, "torchtitan") && few_titan_broken(s));
}

void few_batches_describe(const Setup& s, Message& message) {
    say(message,
        "Fewer micro-batches ({0}) than pipeline ranks ({1}): more than half of the pipeline idles (bubble "
        "{2} of "
        "{3} slots)",
        s.micro_batches, s.pipeline, s.pipeline - 1, s.micro_batches + s.pipeline - 1);
    propose_micro_batches(s, message, s.pipeline, s.pipeline);
}

bool short_step_broken(const Setup& s) {
    return s.pipeline > 1 && (s.schedule == ScheduleKind::zb_h2 || s.schedule == ScheduleKind::zb_v) &&
           s.micro_batches < 2 * s.pipeline - 1;
}

void short_step_describe(const Setup& s, Message& message) {
    const bool h2 = s.schedule == ScheduleKind::zb_h2;
    if (h2)
        say(message,
            "Schedule zb-h2 needs 2 · {0} − 1 micro-batches to be itself, the plan has {1}: it runs as zb-h1",
            s.pipeline, s.micro_batches);
    else
        say(message,
            "Schedule {0} reaches its small bubble from 2 · {1} − 1 micro-batches on, the plan has {2}",
            to_string(s.schedule), s.pipeline, s.micro_batches);
    propose_micro_batches(s, message, 1, 2 * s.pipeline - 1);
    if (h2) propose(message, {{"parallel.schedule", std::string("zb-h1")}});
}

constexpr std::array kRules = {
    Rule{"pipeline-layers", "parallel.pipeline", "", Severity::error, layers_broken, layers_describe},
    Rule{"layers-per-stage-length", "parallel.layers_per_stage", "", Severity::error, list_length_broken,
         list_length_describe},
    Rule{"layers-per-stage-sum", "parallel.layers_per_stage", "", Severity::error, list_sum_broken,
         list_sum_describe},
    Rule{"virtual-pipeline-alone", "parallel.virtual_pipeline", "", Severity::error, virtual_alone_broken,
         virtual_alone_describe},
    Rule{"virtual-pipeline-layers", "parallel.virtual_pipeline", "", Severity::error, too_many_chunks_broken,
         too_many_chunks_describe},
    Rule{"schedule-asynchronous", "parallel.schedule", "", Severity::error, asynchronous_broken,
         asynchronous_describe},
    Rule{"schedule-chunks", "parallel.virtual_pipeline", "", Severity::error, chunks_broken, chunks_describe},
    Rule{"schedule-even-pipeline", "parallel.schedule", "", Severity::error, even_stages_broken,
         even_stages_describe},
    Rule{"schedule-enough-micro-batches", "parallel.schedule", "", Severity::error, enough_batches_broken,
         enough_batches_describe},
    Rule{"schedule-even-micro-batches", "parallel.schedule", "", Severity::error, even_batches_broken,
         even_batches_describe},
    Rule{"schedule-whole-waves", "parallel.schedule", "", Severity::error, whole_waves_broken,
         whole_waves_describe},
    Rule{"schedule-recompute", "parallel.schedule", "", Severity::error, expert_overlap_broken,
         expert_overlap_describe},
    Rule{"interleaved-few-micro-batches", "training.global_batch_size", "", Severity::error,
         few_interleaved_broken, few_interleaved_describe},
    Rule{"interleaved-group", "parallel.virtual_pipeline_group", "", Severity::error, group_broken,
         group_describe},
    Rule{"interleaved-remainder", "training.global_batch_size", "", Severity::error, remainder_broken,
         remainder_describe},
    Rule{"titan-few-micro-batches", "training.global_batch_size", "torchtitan", Severity::error,
         few_titan_broken, few_batches_describe},
    Rule{"pipeline-few-micro-batches", "training.global_batch_size", "", Severity::warning,
         few_batches_broken, few_batches_describe},
    Rule{"schedule-short-step", "training.global_batch_size", "", Severity::warning, short_step_broken,
         short_step_describe},
    Rule{"pipeline-empty-stage", "parallel.layers_per_stage", "", Severity::warning, empty_stage_broken,
         empty_stage_describe},
    Rule{"pipeline-uneven", "parallel.pipeline", "", Severity::info, uneven_broken, uneven_describe},
    Rule{"virtual-group-idle", "parallel.virtual_pipeline_group", "", Severity::info, group_idle_broken,
         group_idle_describe},
};

} // namespace

std::span<const Rule> schedule_rules() { return kRules; }

} // namespace shardlens::rules
