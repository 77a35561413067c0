// SPDX-License-Identifier: GPL-3.0-or-later
// Obstacles and their repair. The rules stand with the generators; the nearest legal values are found by
// trying, so a rule never has to say how it is mended.
#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

#include "pipeline/schedules/family.h"
#include "plan/fields.h"

namespace shardlens::pipeline {

namespace {

constexpr std::int64_t kOpLimit = 50'000'000;
constexpr std::int64_t kChunkLimit = std::numeric_limits<std::uint16_t>::max();
constexpr std::int64_t kSearchSpan = 20'000; ///< how far from the given value a repair is looked for at most

std::int64_t& size_of(ScheduleSpec& spec, std::string_view name) {
    if (name == "stages") return spec.ranks;
    if (name == "micro_batches") return spec.micro_batches;
    return name == "chunks" ? spec.chunks : spec.group;
}

bool sizes_are_positive(const ScheduleSpec& spec) {
    return spec.ranks >= 1 && spec.micro_batches >= 1 && spec.chunks >= 0 && spec.group >= 0;
}

/// Micro-batches whose operations take as long to write as what some generators do whatever their number is.
std::int64_t drawn_at_least(ScheduleKind kind, std::int64_t ranks) {
    switch (kind) {
    case ScheduleKind::zb_v: return 2 * ranks - 1;
    case ScheduleKind::v_half:
    case ScheduleKind::v_min:
    case ScheduleKind::one_f_one_b_v:
        return ranks * ranks / 16; // p² moves in the warm-up, by up to p slots each
    default: return 1;
    }
}

/// Operations of an order with these sizes, or kOpLimit + 1 when there are more. Nothing overflows.
std::int64_t count_ops(const ScheduleSpec& spec, const Family& family) {
    const std::int64_t micro_batches =
        spec.ranks > kOpLimit ? spec.micro_batches
                              : std::max(spec.micro_batches, drawn_at_least(family.kind, spec.ranks));
    std::int64_t total = family.split_backward ? 3 : 2;
    for (const std::int64_t factor :
         {spec.ranks, micro_batches, family.layout == Layout::mirrored ? 1 : spec.chunks}) {
        if (factor > kOpLimit / total) return kOpLimit + 1;
        total *= factor;
    }
    return total;
}

void apply_rules(const ScheduleSpec& raw, const Family& family, Rules& rules) {
    const auto at_least = [&](std::int64_t value, std::int64_t least, const char* code, const char* path,
                              const char* text) {
        rules.require(value >= least, raw.kind, code, path, {}, text, {value, least});
    };
    at_least(raw.ranks, 1, "schedule-stages", "stages", "{0} needs at least {2} pipeline stage, not {1}");
    at_least(raw.micro_batches, 1, "schedule-micro-batches", "micro_batches",
             "{0} needs at least {2} micro-batch, not {1}");
    at_least(raw.chunks, 0, "schedule-chunks", "chunks",
             "{0} needs a positive number of model chunks per rank, not {1}");
    at_least(raw.group, 0, "schedule-group", "group",
             "{0} needs a positive group of micro-batches per chunk, not {1}");
    if (!sizes_are_positive(raw)) return;
    const ScheduleSpec spec = with_defaults(raw);
    rules.require(spec.chunks <= kChunkLimit, raw.kind, "schedule-chunks", "chunks", {},
                  "{0} takes at most {2} model chunks per rank, not {1}", {spec.chunks, kChunkLimit});
    const bool fits = spec.chunks <= kChunkLimit && count_ops(spec, family) <= kOpLimit;
    rules.require(
        fits || spec.chunks > kChunkLimit, raw.kind, "schedule-too-large", "micro_batches",
        {"stages", "chunks"},
        "{0} with {1} stages, {2} micro-batches and {3} chunks per rank has more than the {4} operations "
        "that can be drawn up",
        {spec.ranks, spec.micro_batches, spec.chunks, kOpLimit});
    if (fits) family.rules(spec, rules);
}

bool is_legal(const ScheduleSpec& spec, const Family& family) {
    Rules rules(false);
    apply_rules(spec, family, rules);
    return rules.legal();
}

bool breaks(const ScheduleSpec& spec, const Family& family, std::string_view code) {
    Rules rules(false, code);
    apply_rules(spec, family, rules);
    return rules.watched_broken();
}

/// Where to look for a smaller value: at the given one, or at the largest that keeps the order drawable.
std::int64_t start_below(ScheduleSpec spec, const Family& family, const char* name) {
    const std::int64_t given = std::max<std::int64_t>(1, size_of(spec, name));
    if (!sizes_are_positive(spec) || count_ops(with_defaults(spec), family) <= kOpLimit) return given - 1;
    std::int64_t low = 0, high = given; // low is drawable (0: nothing is), high is not
    while (high - low > 1) {
        size_of(spec, name) = low + (high - low) / 2;
        (count_ops(with_defaults(spec), family) <= kOpLimit ? low : high) = size_of(spec, name);
    }
    return std::min(low, given - 1);
}

/// The nearest smaller and larger value of one size for which `good` holds.
template <class Good>
std::vector<std::int64_t> nearest(ScheduleSpec spec, const Family& family, const char* name, Good good) {
    std::int64_t& value = size_of(spec, name);
    if (value == 0) {
        ScheduleSpec filled = with_defaults(spec);
        value = size_of(filled, name);
    }
    const std::int64_t below = start_below(spec, family, name);
    const std::int64_t above = std::max<std::int64_t>(1, value < kOpLimit ? value + 1 : value);
    // No rule asks for more than a multiple of the stages, so a repair is never further away than that.
    const std::int64_t span = std::clamp<std::int64_t>(spec.ranks, 16, kSearchSpan / 3) * 3;
    std::vector<std::int64_t> found;
    for (value = below; value >= 1 && below - value < span; --value) {
        if (good(spec)) {
            found.push_back(value);
            break;
        }
    }
    for (value = above; value <= kOpLimit && value - above < span; ++value) {
        if (good(spec)) {
            found.push_back(value);
            break;
        }
    }
    return found;
}

/// Mends what still stands in the way after `fix`, one size after the other. False when that does not end.
bool complete(ScheduleSpec spec, const Family& family, Fix& fix) {
    for (int tries = 0; !is_legal(spec, family); ++tries) {
        if (tries == 8) return false;
        Rules rules(true);
        apply_rules(spec, family, rules);
        const Rules::Finding& finding = rules.findings().front();
        const char* name = finding.fields.front();
        std::vector<std::int64_t> values =
            nearest(spec, family, name, [&](const ScheduleSpec& s) { return is_legal(s, family); });
        if (values.empty()) {
            values = nearest(spec, family, name,
                             [&](const ScheduleSpec& s) { return !breaks(s, family, finding.message.code); });
        }
        if (values.empty()) return false;
        size_of(spec, name) = values.front();
        const auto set = std::ranges::find(fix.set, name, &std::pair<std::string, FieldValue>::first);
        if (set == fix.set.end()) {
            fix.set.emplace_back(name, values.front());
        } else {
            set->second = values.front();
        }
    }
    return true;
}

/// Changes of `name` alone that leave nothing standing in the way; else changes that end this rule, completed
/// by other sizes.
std::vector<Fix> repairs(const ScheduleSpec& spec, const Family& family, const char* name,
                         std::string_view code) {
    std::vector<Fix> fixes;
    const auto legal = [&](const ScheduleSpec& s) { return is_legal(s, family); };
    for (const std::int64_t value : nearest(spec, family, name, legal)) fixes.push_back({{{name, value}}});
    if (!fixes.empty()) return fixes;
    const auto ends_rule = [&](const ScheduleSpec& s) { return !breaks(s, family, code); };
    for (const std::int64_t value : nearest(spec, family, name, ends_rule)) {
        ScheduleSpec changed = spec;
        size_of(changed, name) = value;
        Fix fix{{{name, value}}};
        if (complete(changed, family, fix)) fixes.push_back(std::move(fix));
    }
    return fixes;
}

} // namespace

std::vector<Message> check(const ScheduleSpec& spec) {
    const Family& family = family_of(spec.kind);
    if (is_legal(spec, family)) return {};
    Rules rules(true);
    apply_rules(spec, family, rules);
    std::vector<Message> messages;
    for (Rules::Finding& finding : rules.findings()) {
        for (const char* field : finding.fields) {
            for (Fix& fix : repairs(spec, family, field, finding.message.code)) {
                if (std::ranges::find(finding.message.fixes, fix) == finding.message.fixes.end()) {
                    finding.message.fixes.push_back(std::move(fix));
                }
            }
        }
        messages.push_back(std::move(finding.message));
    }
    return messages;
}

} // namespace shardlens::pipeline
