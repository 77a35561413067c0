// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/log.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "calibrate/log_shapes.h"

namespace shardlens::calibrate {
namespace {

constexpr std::size_t kNowhere = std::string_view::npos;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_word(char c) { return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

/// Finds the next of several texts. A log may hold hundreds of megabytes of other output, so most of its
/// bytes are never looked at: Wu and Manber's multi-pattern search (1994) over the first kMarkerLength bytes
/// of each text, which skips by what the last two bytes of the window allow.
class MarkerSearch {
public:
    explicit MarkerSearch(std::vector<std::string_view> markers) : m_markers(std::move(markers)) {
        m_skip.fill(kMarkerLength - 1);
        for (const std::string_view marker : m_markers)
            for (std::size_t at = 1; at < kMarkerLength; ++at) {
                std::uint8_t& skip = m_skip[pair(marker, at)];
                skip = std::min(skip, static_cast<std::uint8_t>(kMarkerLength - 1 - at));
            }
    }

    [[nodiscard]] std::size_t next(std::string_view text, std::size_t from) const {
        for (std::size_t last = from + kMarkerLength - 1; last < text.size();) {
            const std::size_t skip = m_skip[pair(text, last)];
            const std::size_t start = last + 1 - kMarkerLength;
            if (skip == 0 && starts_here(text.substr(start))) return start;
            last += std::max<std::size_t>(skip, 1);
        }
        return kNowhere;
    }

private:
    static std::size_t pair(std::string_view text, std::size_t last) {
        return static_cast<std::uint8_t>(text[last - 1]) * std::size_t{256} +
               static_cast<std::uint8_t>(text[last]);
    }
    [[nodiscard]] bool starts_here(std::string_view text) const {
        return std::ranges::any_of(m_markers,
                                   [&](std::string_view marker) { return text.starts_with(marker); });
    }

    std::vector<std::string_view> m_markers;
    std::array<std::uint8_t, 65536> m_skip{};
};

const MarkerSearch& marker_search() {
    static const MarkerSearch search = [] {
        std::vector<std::string_view> markers;
        for (const StepShape& shape : step_shapes()) markers.push_back(shape.number.search_text());
        for (const MemoryShape& shape : memory_shapes()) markers.push_back(shape.number.search_text());
        return MarkerSearch(std::move(markers));
    }();
    return search;
}

/// A line, or what a progress bar last wrote over it: the text between two line feeds or carriage returns.
struct Line {
    std::string_view text;
    std::size_t number = 0;
    bool cut = false; ///< the file ends in it
};

/// The text without terminal colours (ESC [ … letter).
std::string without_colours(std::string_view text) {
    std::string plain;
    plain.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '\x1b') {
            plain += text[i];
        } else if (i + 1 < text.size() && text[i + 1] == '[') {
            for (i += 2; i < text.size() && (is_digit(text[i]) || text[i] == ';');) ++i;
        }
    }
    return plain;
}

/// Hands every line with a marker to `visit`, its colours removed.
template <class Visit> void for_marked_lines(std::string_view text, const Visit& visit) {
    std::size_t counted = 0, number = 1;
    for (std::size_t at = 0; (at = marker_search().next(text, at)) != kNowhere;) {
        number += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                                                      text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        const std::size_t before = text.substr(counted, at - counted).find_last_of("\r\n");
        const std::size_t start = before == kNowhere ? counted : counted + before + 1;
        counted = at;
        const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
        const std::string_view raw = text.substr(start, end - start);
        if (raw.find('\x1b') == kNowhere) {
            visit(Line{raw, number, end == text.size()});
        } else {
            const std::string plain = without_colours(raw);
            visit(Line{plain, number, end == text.size()});
        }
        counted = at = end;
    }
}

struct Number {
    double value = 0;
    std::size_t begin = 0, end = 0; ///< in the line
};

/// Digits with a fraction or exponent; commas between groups of three digits are skipped ("5,671").
std::optional<Number> number_at(std::string_view text, std::size_t begin) {
    std::string digits;
    std::size_t end = begin;
    for (; end < text.size() && digits.size() < 40; ++end) {
        const char c = text[end];
        const bool exponent_sign = (c == '+' || c == '-') && !digits.empty() && (digits.back() | 0x20) == 'e';
        if (is_digit(c) || c == '.' || c == 'e' || c == 'E' || exponent_sign) {
            digits += c;
            continue;
        }
        const auto digit = [&](std::size_t offset) {
            return end + offset < text.size() && is_digit(text[end + offset]);
        };
        if (c != ',' || !digit(1) || !digit(2) || !digit(3) || digit(4)) break;
    }
    double value = 0;
    const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || stop == digits.data() || !std::isfinite(value)) return std::nullopt;
    end -= static_cast<std::size_t>(digits.data() + digits.size() -
                                    stop); // "4.1]", "12.e…": only what was a number
    return Number{value, begin, end};
}

/// Whether all of the number was written: the last line of a log may end within it. Decimals that are missing
/// then change little, anything else would change everything.
bool complete(const Line& line, const Number& number, bool letters) {
    if (!line.cut || number.end < line.text.size()) return true;
    const std::string_view digits = line.text.substr(number.begin);
    const std::size_t point = digits.find('.');
    return !letters && point != kNowhere && point + 1 < digits.size();
}

/// The number behind `key` at or after `from`, where the key stands as a word of its own.
std::optional<Number> number_behind(const Line& line, std::string_view key, std::size_t from, bool assigned) {
    const std::string_view text = line.text;
    for (std::size_t at = from; (at = text.find(key, at)) != kNowhere; at += key.size()) {
        if (at > 0 && is_word(text[at - 1])) continue;
        const std::size_t behind = at + key.size();
        const std::size_t begin = text.find_first_not_of(" \t\"':=", behind);
        if (begin == kNowhere || begin == behind || !is_digit(text[begin])) continue;
        if (assigned && text.substr(behind, begin - behind).find_first_of(":=") == kNowhere) continue;
        if (auto number = number_at(text, begin)) return number;
    }
    return std::nullopt;
}

double scale_of(char letter) {
    switch (letter) {
    case 'K': return 1e3;
    case 'M': return 1e6;
    case 'B': return 1e9;
    case 'T': return 1e12;
    default: return 1;
    }
}

/// The next number of that shape at or after `from`, its unit checked and its letter applied.
std::optional<Number> shaped_number(const Line& line, const NumberShape& shape, std::size_t from) {
    for (;;) {
        std::optional<Number> number = number_behind(line, shape.key, from, shape.unit.empty());
        if (!number) return std::nullopt;
        from = number->end;
        if (!complete(line, *number, shape.letters)) continue;
        std::string_view behind = line.text.substr(number->end);
        if (shape.letters && !behind.empty()) number->value *= scale_of(behind.front());
        behind.remove_prefix(std::min(behind.find_first_not_of(' '), behind.size()));
        if (behind.starts_with(shape.unit) && number->value > 0 && std::isfinite(number->value))
            return number;
    }
}

bool about(const Line& line, const NumberShape& shape) {
    return (shape.beside.empty() || line.text.find(shape.beside) != kNowhere) &&
           (shape.unless.empty() || line.text.find(shape.unless) == kNowhere);
}

/// A printed time or rate.
struct Sample {
    double value = 0;
    std::size_t line = 0;
    std::optional<double> step, batch;
    bool starts = false; ///< iterations start here: the first, a second run, or another rank's output
};

struct Findings {
    std::vector<std::vector<Sample>> steps = std::vector<std::vector<Sample>>(step_shapes().size());
    std::optional<MemoryPeak> allocated, reserved;
    std::vector<std::string_view> launchers; ///< whose memory lines were seen
};

std::optional<double> value_of(const Line& line, std::string_view key) {
    if (key.empty()) return std::nullopt;
    const std::optional<Number> number = number_behind(line, key, 0, false);
    return number && complete(line, *number, false) ? std::optional(number->value) : std::nullopt;
}

void read_steps(const Line& line, Findings& findings) {
    for (std::size_t i = 0; i < step_shapes().size(); ++i) {
        const StepShape& shape = step_shapes()[i];
        if (line.text.find(shape.number.key) == kNowhere || !about(line, shape.number)) continue;
        if (const auto number = shaped_number(line, shape.number, 0))
            findings.steps[i].push_back({number->value, line.number, value_of(line, shape.step_key),
                                         value_of(line, shape.batch_key)});
    }
}

/// The rank a line names in front of `at`: "[Rank 3] …" (Megatron) or "[rank3]: …" (torchrun).
std::optional<std::int64_t> rank_before(std::string_view text, std::size_t at) {
    const std::size_t upper = text.rfind("[Rank ", at), lower = text.rfind("[rank", at);
    const std::size_t begin = upper != kNowhere ? upper + 6 : lower != kNowhere ? lower + 5 : kNowhere;
    if (begin == kNowhere) return std::nullopt;
    std::int64_t rank = 0;
    const auto [stop, error] = std::from_chars(text.data() + begin, text.data() + text.size(), rank);
    return error == std::errc{} && rank >= 0 ? std::optional(rank) : std::nullopt;
}

/// Several ranks may have written into one line, so a line can hold several peaks.
void read_memory(const Line& line, Findings& findings) {
    for (const MemoryShape& shape : memory_shapes()) {
        if (line.text.find(shape.number.key) == kNowhere || !about(line, shape.number)) continue;
        auto& peak = shape.kind == LoggedPeak::allocated ? findings.allocated : findings.reserved;
        auto number = shaped_number(line, shape.number, 0);
        if (number) findings.launchers.push_back(shape.number.launcher);
        for (; number; number = shaped_number(line, shape.number, number->end)) {
            const double bytes = number->value * shape.bytes_per_unit;
            if (!peak || bytes > peak->bytes)
                peak = MemoryPeak{bytes, line.number, rank_before(line.text, number->begin)};
        }
        std::ranges::sort(findings.launchers);
        const auto doubles = std::ranges::unique(findings.launchers);
        findings.launchers.erase(doubles.begin(), doubles.end());
    }
}

/// What the value says in seconds; nothing where the batch is needed and missing.
std::optional<double> seconds(double value, Quantity quantity, const std::optional<StepBatch>& batch) {
    switch (quantity) {
    case Quantity::seconds: return value;
    case Quantity::milliseconds: return value / 1e3;
    case Quantity::steps_per_s: return 1 / value;
    case Quantity::tokens_per_s_per_gpu:
        return batch && batch->tokens_per_gpu > 0 ? std::optional(batch->tokens_per_gpu / value)
                                                  : std::nullopt;
    case Quantity::samples_per_s:
        return batch && batch->samples > 0 ? std::optional(batch->samples / value) : std::nullopt;
    }
    return std::nullopt;
}

/// One sample per iteration, as slow as its slowest line. Ranks that print the same iteration do so within a
/// few lines; an iteration number that falls back farther is a new start.
std::vector<Sample> merged_ranks(const std::vector<Sample>& samples) {
    constexpr std::size_t kNear = 4; // iterations that ranks may be apart in the output
    std::vector<Sample> steps;
    for (const Sample& sample : samples) {
        const auto near = steps.end() - static_cast<std::ptrdiff_t>(std::min(kNear, steps.size()));
        const auto same = sample.step
                              ? std::find_if(near, steps.end(),
                                             [&](const Sample& other) { return other.step == sample.step; })
                              : steps.end();
        if (same == steps.end()) {
            const bool falls =
                !steps.empty() && sample.step && steps.back().step && *sample.step < *steps.back().step;
            const bool starts = steps.empty() || falls;
            steps.push_back(sample);
            steps.back().starts = starts;
        } else if (sample.value > same->value) {
            same->value = sample.value;
            same->line = sample.line;
        }
    }
    return steps;
}

double median(std::vector<double> values) {
    const std::size_t half = values.size() / 2;
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(half));
    const double upper = values[half];
    if (values.size() % 2 == 1) return upper;
    return (upper + *std::max_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(half))) /
           2;
}

double median_value(std::span<const Sample> samples) {
    std::vector<double> values;
    values.reserve(samples.size());
    for (const Sample& sample : samples) values.push_back(sample.value);
    return median(std::move(values));
}

/// Without the first step of each start (it compiles kernels, opens communicators and fills the allocator)
/// and without what follows it for as long as that is slower than the later steps usually are.
std::vector<Sample> without_warmup(const std::vector<Sample>& steps) {
    constexpr double kSettled = 1.1; // of the later half's median
    const double later = median_value(std::span(steps).subspan(steps.size() / 2));
    std::vector<Sample> rest;
    bool starting = true;
    for (const Sample& step : steps) {
        starting = starting || step.starts;
        if (starting && ((step.starts && steps.size() > 2) || step.value > kSettled * later)) continue;
        starting = false;
        rest.push_back(step);
    }
    return rest.empty() ? steps : rest;
}

/// Without the steps in which something else happened (a checkpoint, an evaluation, a skipped update): the
/// Hampel identifier, three scaled median absolute deviations. Never closer than two per cent, because a log
/// rounded to few digits has hardly any deviation.
std::vector<Sample> without_outliers(const std::vector<Sample>& steps) {
    constexpr double kDeviations = 3, kNormalScale = 1.4826, kNearestLimit = 0.02;
    const double middle = median_value(steps);
    std::vector<double> deviations;
    deviations.reserve(steps.size());
    for (const Sample& step : steps) deviations.push_back(std::abs(step.value - middle));
    const double limit =
        std::max(kDeviations * kNormalScale * median(std::move(deviations)), kNearestLimit * middle);
    std::vector<Sample> rest;
    for (const Sample& step : steps)
        if (std::abs(step.value - middle) <= limit) rest.push_back(step);
    return rest.empty() ? steps : rest;
}

void take_steps(std::vector<Sample> samples, TrainingLog& log) {
    std::vector<Sample> steps = merged_ranks(samples);
    log.steps_read = steps.size();
    for (const Sample& step : steps)
        if (step.batch) log.global_batch = step.batch;
    if (log.global_batch)
        std::erase_if(steps,
                      [&](const Sample& step) { return step.batch && step.batch != log.global_batch; });
    log.other_batch_skipped = log.steps_read - steps.size();
    const std::vector<Sample> warm = without_warmup(steps);
    log.warmup_skipped = steps.size() - warm.size();
    const std::vector<Sample> rest = without_outliers(warm);
    log.outliers_skipped = warm.size() - rest.size();
    log.step_s = median_value(rest);
    log.step_lines.reserve(rest.size());
    for (const Sample& step : rest) log.step_lines.push_back(step.line);
}

bool seen(const Findings& findings, std::string_view launcher) {
    for (std::size_t i = 0; i < step_shapes().size(); ++i)
        if (!findings.steps[i].empty() && step_shapes()[i].number.launcher == launcher) return true;
    return std::ranges::find(findings.launchers, launcher) != findings.launchers.end();
}

std::string format_name(const Findings& findings, std::string_view launcher) {
    for (const Combination& both : combinations())
        if (both.launcher == launcher && seen(findings, both.seen_too)) return std::string(both.name);
    return std::string(launcher);
}

std::string known_launchers() {
    std::vector<std::string_view> names;
    for (const StepShape& shape : step_shapes())
        if (std::ranges::find(names, shape.number.launcher) == names.end())
            names.push_back(shape.number.launcher);
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string at_line(const std::string& origin, std::size_t line) {
    return fmt::format("{}:{}", origin, line);
}

/// The first shape whose numbers can be turned into seconds.
std::optional<std::size_t> readable_steps(const Findings& findings, const std::optional<StepBatch>& batch) {
    for (std::size_t i = 0; i < step_shapes().size(); ++i)
        if (!findings.steps[i].empty() && seconds(1, step_shapes()[i].quantity, batch)) return i;
    return std::nullopt;
}

std::vector<Sample> in_seconds(std::vector<Sample> samples, Quantity quantity,
                               const std::optional<StepBatch>& batch) {
    for (Sample& sample : samples)
        sample.value = seconds(sample.value, quantity, batch).value_or(sample.value);
    return samples;
}

/// Rates are there, but not the batch they go with.
std::optional<Error> unreadable_rates(const Findings& findings, const std::string& origin) {
    for (std::size_t i = 0; i < step_shapes().size(); ++i) {
        if (findings.steps[i].empty()) continue;
        const bool samples = step_shapes()[i].quantity == Quantity::samples_per_s;
        return Error{at_line(origin, findings.steps[i].front().line),
                     fmt::format("{} prints {} per second; for a step time the plan's {} must be known",
                                 step_shapes()[i].number.launcher, samples ? "samples" : "tokens",
                                 samples ? "global batch" : "tokens per GPU and step")};
    }
    return std::nullopt;
}

Error other_batch(std::string where, double of_run, double of_plan) {
    return {std::move(where),
            fmt::format("the run's global batch is {}, the plan's is {}; a log of the planned run "
                        "is right",
                        of_run, of_plan)};
}

/// The error that stands against reading it at all.
std::optional<Error> unreadable(std::string_view text, const std::string& origin) {
    if (text.empty()) return Error{origin, "is empty; the output of a training run is right"};
    if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
        return Error{origin, "is UTF-16 text; UTF-8 is right"};
    return std::nullopt;
}

} // namespace

StepBatch step_batch(const Plan& plan) {
    const double samples = static_cast<double>(plan.training.global_batch_size);
    const double gpus = static_cast<double>(std::max<std::int64_t>(plan.cluster.gpus, 1));
    return {samples, samples * static_cast<double>(plan.training.sequence_length) / gpus};
}

std::vector<Message> TrainingLog::account() const {
    std::vector<Message> parts;
    const auto say = [&parts](const char* text, std::vector<std::string> arguments) {
        parts.push_back({Severity::info, "step-account", "", text, std::move(arguments), {}});
    };
    if (!step_s) {
        say("no step times, only memory ({0})", {format});
        return parts;
    }
    say("{0} s: median of {1} of {2} steps in a log of {3}",
        {fmt::format("{:.6g}", *step_s), std::to_string(step_lines.size()), std::to_string(steps_read),
         format});
    if (!step_lines.empty())
        say("lines {0} to {1}", {std::to_string(step_lines.front()), std::to_string(step_lines.back())});
    const std::pair<std::size_t, const char*> skipped[] = {
        {other_batch_skipped, "{0} of another global batch left out"},
        {warmup_skipped, "{0} of the warm-up left out"},
        {outliers_skipped, "{0} too far from the others left out"}};
    for (const auto& [steps, text] : skipped)
        if (steps > 0) say(text, {std::to_string(steps)});
    return parts;
}

std::string TrainingLog::step_account() const {
    std::string text;
    for (const Message& part : account()) text += (text.empty() ? "" : "; ") + part.text();
    return text;
}

Result<TrainingLog> read_training_log(std::string_view text, const std::string& origin,
                                      const std::optional<StepBatch>& batch) {
    if (auto error = unreadable(text, origin)) return *error;
    Findings findings;
    for_marked_lines(text, [&](const Line& line) {
        read_steps(line, findings);
        read_memory(line, findings);
    });

    TrainingLog log;
    log.allocated = findings.allocated;
    // Less reserved than allocated: it was printed earlier in the run, before the peak.
    if (findings.reserved && findings.reserved->bytes >= log.allocated.value_or(MemoryPeak{}).bytes)
        log.reserved = findings.reserved;
    const std::optional<std::size_t> chosen = readable_steps(findings, batch);
    if (chosen) {
        const StepShape& shape = step_shapes()[*chosen];
        const std::size_t last_line = findings.steps[*chosen].back().line;
        log.format = format_name(findings, shape.number.launcher);
        take_steps(in_seconds(findings.steps[*chosen], shape.quantity, batch), log);
        if (batch && batch->samples > 0 && log.global_batch && *log.global_batch != batch->samples)
            return other_batch(at_line(origin, last_line), *log.global_batch, batch->samples);
        return log;
    }
    if (auto error = unreadable_rates(findings, origin)) return *error;
    if (findings.launchers.empty())
        return Error{origin, fmt::format("holds no iteration time and no memory peak; lines of {} are known",
                                         known_launchers())};
    log.format = findings.launchers.front();
    return log;
}

} // namespace shardlens::calibrate
