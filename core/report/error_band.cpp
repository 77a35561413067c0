// SPDX-License-Identifier: GPL-3.0-or-later
// How far off the planner was on published runs like this plan, and which runs those were.
#include <cmath>

#include "report/build.h"

namespace shardlens {
namespace {

/// The errors over the runs of a GPU generation ("" = any), dense or with experts as the plan; null when
/// there are none.
const Accuracy* accuracy_of_class(const Setup& setup, const std::string& architecture) {
    for (const AccuracyClass& one : setup.stack.accuracy_classes)
        if (one.architecture == architecture && one.experts == setup.moe()) return &one.accuracy;
    return nullptr;
}

constexpr std::int64_t kLeastRuns = 4; ///< of a GPU generation to speak for itself

struct Chosen {
    const Accuracy* accuracy = nullptr;
    ErrorScope scope = ErrorScope::none;
};
template <class Has> Chosen narrowest(const Setup& setup, Has has) {
    // The formulas of the papers were not held against runs.
    if (setup.plan.fidelity == Fidelity::textbook) return {};
    if (const Accuracy* own = accuracy_of_class(setup, setup.architecture.id); own && has(*own)) {
        if (own->runs >= kLeastRuns) return {own, ErrorScope::generation};
        // The kind of model on other GPUs says little of a generation that it was never run on.
        if (const Accuracy* kind = accuracy_of_class(setup, ""); kind && has(*kind))
            return {kind, ErrorScope::kind};
    }
    if (!has(setup.stack.accuracy)) return {};
    return {&setup.stack.accuracy, setup.stack.calibrated ? ErrorScope::own_run : ErrorScope::stack};
}

const char* source_of(ErrorScope scope) {
    switch (scope) {
    case ErrorScope::generation:
        return "published runs of this stack on this GPU generation against the planner";
    case ErrorScope::kind: return "published runs of this stack and kind of model against the planner";
    case ErrorScope::stack: return "published runs of this stack against the planner";
    case ErrorScope::own_run: return "the run that the profile was calibrated on, against the planner";
    case ErrorScope::none: break;
    }
    return "never compared with published runs";
}

/// Sentences by scope; {0} the stack, {1} the GPU generation, {2} the runs.
struct Sentences {
    const char *dense, *experts, *any_dense, *any_experts, *stack, *own_run, *relative, *none;
};
constexpr Sentences kStep = {
    "Step time: {2} published runs of dense models with {0} on {1}",
    "Step time: {2} published runs of models with experts with {0} on {1}",
    "Step time: {2} published runs of dense models with {0}, all GPUs",
    "Step time: {2} published runs of models with experts with {0}, all GPUs",
    "Step time: {2} published runs with {0}, all GPUs and models",
    "Step time: the one run that {0} was calibrated on, not a prediction",
    "Step time: {0} was never compared with published runs; its nearest relative is {1}",
    "Step time: {0} was never compared with published runs"};
constexpr Sentences kMemory = {
    "Memory: published runs of dense models with {0} on {1}",
    "Memory: published runs of models with experts with {0} on {1}",
    "Memory: published runs of dense models with {0}, all GPUs",
    "Memory: published runs of models with experts with {0}, all GPUs",
    "Memory: published runs with {0}, all GPUs and models",
    "Memory: the one run that {0} was calibrated on, not a prediction",
    "Memory: {0} was never compared with published runs; its nearest relative is {1}",
    "Memory: {0} was never compared with published runs"};

Message note(const Report& report, const Sentences& sentences, ErrorScope scope) {
    Message message{Severity::info, "error-band", "stack", sentences.none, {}, {}};
    if (!report.setup) return message;
    const Setup& setup = *report.setup;
    message.arguments = {setup.stack.id};
    if (setup.plan.fidelity == Fidelity::textbook) {
        message.text_template = "The textbook's formulas were never compared with published runs";
        message.arguments.clear();
        return message;
    }
    const auto compared = [&](const char* sentence) {
        message.text_template = sentence;
        message.arguments = {setup.stack.id, setup.architecture.id,
                             std::to_string(static_cast<std::int64_t>(report.error_band.runs))};
    };
    switch (scope) {
    case ErrorScope::generation: compared(setup.moe() ? sentences.experts : sentences.dense); break;
    case ErrorScope::kind: compared(setup.moe() ? sentences.any_experts : sentences.any_dense); break;
    case ErrorScope::stack: compared(sentences.stack); break;
    case ErrorScope::own_run: message.text_template = sentences.own_run; break;
    case ErrorScope::none:
        if (setup.stack.relative.empty()) break;
        message.text_template = sentences.relative;
        message.arguments.push_back(setup.stack.relative);
        break;
    }
    return message;
}

} // namespace

template <class N> ErrorBand<N> error_band(const Setup& setup) {
    const Chosen step = narrowest(setup, [](const Accuracy& a) { return a.runs > 0; });
    const Chosen memory = narrowest(setup, [](const Accuracy& a) { return a.has_memory(); });
    const auto number = [](const Chosen& of, double Accuracy::*member, const char* name) {
        return input<N>(of.accuracy ? of.accuracy->*member : 0,
                        {name, "1", source_of(of.scope), Tag::measured});
    };
    ErrorBand<N> band;
    band.step_median = number(step, &Accuracy::step_median, "step_median");
    band.step_p90 = number(step, &Accuracy::step_p90, "step_p90");
    band.memory_median = number(memory, &Accuracy::memory_median, "memory_median");
    band.memory_p90 = number(memory, &Accuracy::memory_p90, "memory_p90");
    band.runs = input<N>(step.accuracy ? static_cast<double>(step.accuracy->runs) : 0,
                         {"runs", "1", source_of(step.scope), Tag::measured});
    band.step_scope = step.scope;
    band.memory_scope = memory.scope;
    return band;
}
template ErrorBand<double> error_band<double>(const Setup&);
template ErrorBand<Traced> error_band<Traced>(const Setup&);

Message step_error_note(const Report& report) { return note(report, kStep, report.error_band.step_scope); }
Message memory_error_note(const Report& report) {
    return note(report, kMemory, report.error_band.memory_scope);
}

std::optional<Message> release_note(const Report& report) {
    if (!report.setup || !report.setup->oldest_release) return std::nullopt;
    const Setup& setup = *report.setup;
    if (setup.plan.fidelity == Fidelity::textbook) return std::nullopt; // knows no software
    Setup older = setup;
    older.stack = *setup.oldest_release;
    const auto differs = [](double a, double b) { return std::fabs(a - b) > 1e-6 * std::fabs(a); };
    if (!differs(report.time.step_s, step_seconds(older, report.placement.get())) &&
        !differs(report.memory.peak_bytes, memory_report<double>(older).peak_bytes))
        return std::nullopt;
    Message message{Severity::info, "stack-release", "stack_version", "", {}, {}};
    message.arguments = {setup.stack.id, setup.stack.version, older.stack.version, setup.plan.stack_version};
    message.text_template =
        setup.plan.stack_version.empty()
            ? "The plan names no release of {0}: taken as {1}; for an older one, down to {2}, set "
              "stack_version"
            : "No release {3} of {0} is known: taken as {1}; those known begin with {2}";
    return message;
}

} // namespace shardlens
