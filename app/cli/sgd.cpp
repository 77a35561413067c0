// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "sync/closed_form.h"
#include "sync/loss.h"
#include "sync/simulate.h"

namespace shardlens::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t kPoints = 129; ///< of a loss curve
constexpr double kMeans = 128;        ///< mean delays that it spans
constexpr double kLossUpdates = 2e6;  ///< over all runs, so that a call ends in seconds

sync::LossCurve curve_of(const sync::Spec& spec, std::uint64_t seed, std::int64_t& runs) {
    const double until = kMeans * spec.delay.mean_s();
    // No variant updates more often than every gradient arrives.
    const double updates =
        kMeans * static_cast<double>(spec.workers) / static_cast<double>(spec.gradients_per_update());
    runs = static_cast<std::int64_t>(std::clamp(kLossUpdates / updates, 1.0, 60.0));
    std::vector<std::int64_t> at_update;
    for (std::int64_t update = 0; update < kPoints; ++update) at_update.push_back(update);
    return sync::loss_curve(spec, sync::even_times(until, kPoints), std::move(at_update),
                            {.runs = runs, .seed = seed});
}

Json numbers(const std::vector<double>& values) {
    Json list = Json::array();
    for (const double value : values) list.push_back(json_number(value));
    return list;
}

Json delay_json(const sync::Delay& delay) {
    Json object = {{"kind", to_string(delay.kind)}, {"mean_s", json_number(delay.mean_s())}};
    if (delay.kind == sync::DelayKind::shifted_exponential) object["shift_s"] = json_number(delay.floor_s);
    if (delay.kind == sync::DelayKind::pareto) {
        object["scale_s"] = json_number(delay.floor_s);
        object["shape"] = json_number(delay.shape);
    }
    return object;
}

} // namespace

Outcome sgd_command(const Options& options, const Catalog&) {
    const SgdOptions& wanted = options.sgd;
    const auto wrong = [](const std::string& what) { return unreadable({"shardlens-cli", "sgd: " + what}); };
    sync::Spec spec;
    const auto variant = sync::variant_of(wanted.variant);
    if (!variant) {
        std::string known;
        for (const std::string_view name : sync::variant_names())
            known += fmt::format("{}{}", known.empty() ? "" : ", ", name);
        return wrong(fmt::format("unknown variant '{}'; one of {} is right", wanted.variant, known));
    }
    spec.variant = *variant;
    spec.workers = wanted.workers;
    spec.wait_for = wanted.wait_for > 0 ? wanted.wait_for : std::max<std::int64_t>(1, wanted.workers / 2);
    std::string problem;
    const auto delay = sync::make_delay(wanted.delay, problem);
    if (delay) spec.delay = *delay;
    if (problem.empty()) problem = sync::check(spec);
    const double gradients = static_cast<double>(wanted.updates) * static_cast<double>(spec.workers);
    if (problem.empty() && gradients > sync::kMaxGradients)
        problem = fmt::format("{} updates of {} workers are more than {} gradients; fewer updates are right",
                              wanted.updates, spec.workers, number(sync::kMaxGradients));
    if (!problem.empty()) return wrong(problem);

    const auto seed = static_cast<std::uint64_t>(wanted.seed);
    const sync::Run run = sync::simulate(spec, {.updates = wanted.updates, .seed = seed});
    const sync::UpdateTime expected = sync::expected_update_time(spec);
    std::int64_t runs = 0;
    const sync::LossCurve curve = curve_of(spec, seed, runs);
    if (options.text) {
        std::vector<std::vector<std::string>> rows = {{"", "simulated", "closed form", ""}};
        rows.push_back({"time per update (s)", fmt::format("{:.4f}", run.update_time_s),
                        expected.seconds ? fmt::format("{:.4f}", *expected.seconds) : "",
                        to_string(expected.exactness)});
        rows.push_back({"staleness (updates)", fmt::format("{:.3f}", run.mean_staleness),
                        fmt::format("{:.3f}", sync::expected_staleness(spec)), "exact"});
        rows.push_back({"gradients dropped", fmt::format("{:.1f} %", 100 * run.dropped_share),
                        fmt::format("{:.1f} %", 100 * sync::expected_dropped_share(spec)), "exact"});
        rows.push_back({"loss in the end", fmt::format("{:.4f}", curve.floor), "", ""});
        return {kDone, table(rows, {false, true, true}), ""};
    }
    Json histogram = Json::array();
    for (const std::int64_t count : run.staleness) histogram.push_back(count);
    Json output;
    output["variant"] = to_string(spec.variant);
    output["workers"] = spec.workers;
    output["wait_for"] = spec.gradients_per_update();
    output["delay"] = delay_json(spec.delay);
    output["simulated"] = {{"updates", run.updates},
                           {"time_per_update_s", json_number(run.update_time_s)},
                           {"staleness", json_number(run.mean_staleness)},
                           {"staleness_counts", std::move(histogram)},
                           {"dropped_share", json_number(run.dropped_share)}};
    output["closed_form"] = {
        {"time_per_update_s", expected.seconds ? json_number(*expected.seconds) : Json()},
        {"exactness", to_string(expected.exactness)},
        {"staleness", json_number(sync::expected_staleness(spec))},
        {"dropped_share", json_number(sync::expected_dropped_share(spec))}};
    output["loss"] = {{"runs", runs},
                      {"time_s", numbers(curve.at_s)},
                      {"by_time", numbers(curve.by_time)},
                      {"update", curve.at_update},
                      {"by_update", numbers(curve.by_update)},
                      {"floor", json_number(curve.floor)}};
    return {kDone, document(output), ""};
}

} // namespace shardlens::cli
