// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/calibrate.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibrate/fit.h"
#include "calibrate/peaks.h"
#include "report/evaluate.h"
#include "json/strict_json.h"

namespace shardlens::calibrate {
namespace {

using Json = nlohmann::ordered_json;

/// How well a constant of a profile is known for one more cluster of the same kind: spread of its logarithm.
/// Kernel efficiencies vary little between clusters, what is hidden behind what and host time vary much.
struct Factor {
    const char* key;
    double spread;
};
constexpr std::array kFactors = {Factor{"gemm_efficiency", 0.08},       Factor{"attention_efficiency", 0.12},
                                 Factor{"elementwise_factor", 0.25},    Factor{"tensor_exposed", 0.3},
                                 Factor{"data_exposed", 0.4},           Factor{"pipeline_exposed", 0.4},
                                 Factor{"context_exposed", 0.4},        Factor{"expert_exposed", 0.3},
                                 Factor{"expert_host_s", 0.4},          Factor{"host_s_per_layer", 0.3},
                                 Factor{"micro_batch_overhead_s", 0.4}, Factor{"step_overhead_s", 0.5},
                                 Factor{"nic_efficiency", 0.1}};
constexpr std::size_t kMostFactors = 3;
constexpr double kFarthest = 3;             ///< spreads: beyond, the log is of another plan
constexpr double kMeasurementError = 0.005; ///< of a median step time
constexpr double kLeastEffect = 0.002;      ///< a factor that moves the step less is left alone

Fitness compare(const Report& report, const Observation& seen) {
    const Peaks peaks = peaks_of(report);
    Fitness out;
    if (seen.step_s) out.step_s = Comparison{report.time.step_s, *seen.step_s};
    if (seen.allocated_bytes) out.allocated_bytes = Comparison{peaks.allocated, *seen.allocated_bytes};
    if (seen.reserved_bytes) out.reserved_bytes = Comparison{peaks.reserved, *seen.reserved_bytes};
    return out;
}

/// The factors that could explain most: effect of one spread on the step time.
std::vector<Parameter> strongest(const Sample& sample) {
    struct Candidate {
        Parameter parameter;
        double effect;
    };
    std::vector<Candidate> candidates;
    StackProfile stack = sample.setup.stack;
    const double base = step_seconds(sample.setup, sample.placement.get());
    for (const Factor& factor : kFactors) {
        const NumberField field = number_field(stack, factor.key);
        if (!field.value || !(*field.value > 0)) continue;
        Parameter parameter{Owner::stack,
                            stack.id,
                            factor.key,
                            *field.value,
                            factor.spread,
                            std::max(field.low, *field.value * std::exp(-kFarthest * factor.spread)),
                            std::min(field.high, *field.value * std::exp(kFarthest * factor.spread))};
        Setup moved = sample.setup;
        *number_field(moved.stack, factor.key).value *= std::exp(factor.spread);
        const double effect = std::abs(std::log(step_seconds(moved, sample.placement.get()) / base));
        if (effect > kLeastEffect) candidates.push_back({std::move(parameter), effect});
    }
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.effect > b.effect; });
    if (candidates.size() > kMostFactors) candidates.resize(kMostFactors);
    std::vector<Parameter> chosen;
    for (Candidate& candidate : candidates) chosen.push_back(std::move(candidate.parameter));
    return chosen;
}

void fit_step(const Sample& sample, std::vector<Change>& changes) {
    const auto parameters = strongest(sample);
    if (parameters.empty()) return;
    const auto values =
        fit({sample}, parameters, {.residual_scale = kMeasurementError, .iterations = 40, .threads = 1});
    for (std::size_t i = 0; i < parameters.size(); ++i)
        changes.push_back({parameters[i].key, parameters[i].prior, values[i]});
}

double clamped(StackProfile& stack, const char* key, double value) {
    const NumberField field = number_field(stack, key);
    return std::clamp(value, field.low, field.high);
}

/// Allocated bytes beyond the ledger are what "base" stands for; reserved over allocated is fragmentation.
void fit_memory(const Report& before, const Observation& seen, std::vector<Change>& changes) {
    StackProfile stack = before.setup->stack;
    const Peaks peaks = peaks_of(before);
    double allocated = peaks.allocated;
    if (seen.allocated_bytes) {
        const double base =
            std::round(clamped(stack, "base_bytes", stack.base_bytes + *seen.allocated_bytes - allocated));
        allocated += base - stack.base_bytes;
        changes.push_back({"base_bytes", stack.base_bytes, base});
    }
    if (seen.reserved_bytes)
        changes.push_back({"fragmentation_factor", stack.fragmentation_factor,
                           clamped(stack, "fragmentation_factor", *seen.reserved_bytes / allocated - 1)});
}

Json profile(const Plan& plan, const Setup& setup, const Observation& seen, const std::string& id,
             const std::vector<Change>& changes) {
    Json values = Json::object();
    for (const Change& change : changes) values[change.key] = change.after;
    Json stack;
    stack["id"] = id;
    stack["name"] = fmt::format("{} on {}", setup.stack.name, setup.cluster.node.name);
    if (!setup.stack.version.empty()) stack["version"] = setup.stack.version;
    stack["base"] = setup.stack.id;
    if (!plan.stack_version.empty()) stack["base_version"] = plan.stack_version;
    stack["source"] = fmt::format("Calibrated on {} for the plan \"{}\"", seen.origin, plan.name);
    stack["fitted"] = true;
    stack["constants"] = Json::array(
        {Json{{"source", fmt::format("Fitted on {}; everything else as {}", seen.origin, setup.stack.id)},
              {"values", std::move(values)}}});
    return stack;
}

Error check(const Observation& seen) {
    if (!seen.step_s && !seen.allocated_bytes && !seen.reserved_bytes)
        return {seen.origin, "nothing was measured: give a step time, allocated or reserved memory"};
    for (const auto& [value, name] :
         {std::pair{seen.step_s, "step time"}, std::pair{seen.allocated_bytes, "allocated memory"},
          std::pair{seen.reserved_bytes, "reserved memory"}})
        if (value && !(*value > 0 && std::isfinite(*value)))
            return {seen.origin, fmt::format("{} must be a positive number", name)};
    if (seen.allocated_bytes && seen.reserved_bytes && *seen.reserved_bytes < *seen.allocated_bytes)
        return {seen.origin, "reserved memory must not be less than allocated memory"};
    return {};
}

/// A figure in another unit, or of another run altogether: no constant brings it near.
Error check(const Fitness& before, const std::string& origin) {
    constexpr double kAbsurd = 100;
    for (const auto& [comparison, name] :
         {std::pair{before.step_s, "step time"}, std::pair{before.allocated_bytes, "allocated memory"},
          std::pair{before.reserved_bytes, "reserved memory"}})
        if (comparison && !(comparison->predicted < kAbsurd * comparison->measured &&
                            comparison->measured < kAbsurd * comparison->predicted))
            return {origin, fmt::format("{} is a hundred times or more from the prediction; what a run of "
                                        "this plan printed, in the right unit, is expected",
                                        name)};
    return {};
}

/// A profile that stays far off after its constants moved as far as they may was held against another run.
std::string doubt_about(const Fitness& after) {
    constexpr double kFar = 0.1;
    for (const auto& [comparison, name] :
         {std::pair{after.step_s, "step time"}, std::pair{after.allocated_bytes, "allocated memory"},
          std::pair{after.reserved_bytes, "reserved memory"}})
        if (comparison && std::abs(comparison->error()) > kFar)
            return fmt::format(
                "{} stays {:+.0f} % off with every constant as far as is plausible: is the plan the one "
                "that was measured (model, GPUs, batch, layout, recomputation)?",
                name, 100 * comparison->error());
    return {};
}

bool is_id(const std::string& id) {
    return !id.empty() && id.size() <= 100 && id.front() != '.' &&
           std::all_of(id.begin(), id.end(), [](unsigned char c) {
               return std::isalnum(c) != 0 || c == '.' || c == '-' || c == '_';
           });
}

Json to_json(const std::optional<Comparison>& comparison) {
    if (!comparison) return nullptr;
    return Json{{"predicted", comparison->predicted},
                {"measured", comparison->measured},
                {"error", comparison->error()}};
}
Json to_json(const Fitness& fitness) {
    Json out = Json::object();
    if (fitness.step_s) out["step_s"] = to_json(fitness.step_s);
    if (fitness.allocated_bytes) out["allocated_bytes"] = to_json(fitness.allocated_bytes);
    if (fitness.reserved_bytes) out["reserved_bytes"] = to_json(fitness.reserved_bytes);
    return out;
}

} // namespace

Observation observed(const TrainingLog& log, const std::string& origin) {
    Observation seen;
    seen.origin = origin;
    seen.step_s = log.step_s;
    if (log.allocated) seen.allocated_bytes = log.allocated->bytes;
    if (log.reserved) seen.reserved_bytes = log.reserved->bytes;
    return seen;
}

Result<Calibration> calibrate(const Plan& given, const Observation& seen, const Catalog& catalog,
                              const std::string& id) {
    if (Error error = check(seen); !error.what.empty()) return error;
    if (!is_id(id)) return Error{"name", "must consist of letters, digits, '.', '-' and '_'"};
    if (id == given.stack)
        return Error{"name", fmt::format("\"{}\" is the plan's own stack; choose another", id)};
    Plan plan = given;
    plan.fidelity = Fidelity::detailed; // the textbook has no constants to fit
    auto before = evaluate(plan, catalog, {.timeline = false, .traffic = false});
    if (!before) return before.error();
    if (Error error = check(compare(**before, seen), seen.origin); !error.what.empty()) return error;
    auto sample = make_sample(plan, catalog, seen.step_s.value_or((*before)->time.step_s));
    if (!sample) return sample.error();

    Calibration out;
    out.id = id;
    if (seen.step_s) fit_step(*sample, out.changes);
    fit_memory(**before, seen, out.changes);
    Json stack = profile(plan, *(*before)->setup, seen, id, out.changes);
    out.before = compare(**before, seen);
    const auto read = stack_from_json(stack, id, "", &(*before)->setup->stack);
    if (!read) return read.error();
    Setup setup = *(*before)->setup;
    setup.stack = *read;
    out.after = compare(*evaluate(std::move(setup), catalog, {.timeline = false, .traffic = false}), seen);
    Json accuracy{{"source", fmt::format("after calibration on {}", seen.origin)}};
    accuracy["runs"] = seen.step_s ? 1 : 0;
    accuracy["calibrated"] = true;
    if (out.after.step_s)
        accuracy["step_median"] = accuracy["step_p90"] = std::abs(out.after.step_s->error());
    out.doubt = doubt_about(out.after);
    const auto& memory = out.after.allocated_bytes ? out.after.allocated_bytes : out.after.reserved_bytes;
    if (memory) accuracy["memory_median"] = accuracy["memory_p90"] = std::abs(memory->error());
    stack["accuracy"] = std::move(accuracy);
    out.stack = stack.dump(1) + "\n";
    return out;
}

Json to_json(const Calibration& calibration) {
    Json changes = Json::array();
    for (const Change& change : calibration.changes)
        changes.push_back({{"key", change.key}, {"before", change.before}, {"after", change.after}});
    Json out{{"stack", Json::parse(calibration.stack)},
             {"changes", std::move(changes)},
             {"before", to_json(calibration.before)},
             {"after", to_json(calibration.after)}};
    if (!calibration.doubt.empty()) out["doubt"] = calibration.doubt;
    return out;
}

Result<std::string> save_stack(const Calibration& calibration, const Catalog& catalog) {
    if (catalog.user_directory().empty())
        return Error{"", "there is no folder for user presets: set XDG_DATA_HOME or HOME"};
    if (catalog.is_shipped(PresetKind::stack, calibration.id))
        return Error{"name", fmt::format("\"{}\" is a shipped profile; choose another name", calibration.id)};
    const auto folder = catalog.user_directory() / "stacks";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) return Error{folder.string(), error.message()};
    const auto file = folder / (calibration.id + ".json");
    if (Error failed = write_text(file, calibration.stack); !failed.what.empty()) return failed;
    catalog.reread_stacks(); // one of this name may have been read before
    return file.string();
}

} // namespace shardlens::calibrate
