// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "report/balance.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

nlohmann::ordered_json figures_json(const SplitFigures& figures) {
    nlohmann::ordered_json object;
    object["layers_per_stage"] = figures.layers;
    object["slowest_stage"] = figures.slowest_stage;
    object["slowest_stage_s"] = json_number(figures.slowest_stage_s);
    object["step_s"] = json_number(figures.step_s);
    object["bubble_fraction"] = json_number(figures.bubble_fraction);
    object["peak_bytes"] = json_number(figures.peak_bytes);
    object["fits"] = figures.fits;
    return object;
}

std::vector<std::string> figures_row(const char* name, const SplitFigures& figures) {
    return {
        name,
        fmt::format("{:.3f} s", figures.step_s),
        fmt::format("{:.3f} ms, stage {}", figures.slowest_stage_s * 1e3, figures.slowest_stage),
        fmt::format("{:.1f} %", figures.bubble_fraction * 100),
        fmt::format("{:.1f} GiB{}", figures.peak_bytes / 1073741824.0, figures.fits ? "" : " (does not fit)"),
        fmt::format("{}", fmt::join(figures.layers, " "))};
}

} // namespace

Outcome balance_command(const Options& options, const Catalog& catalog) {
    const Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    const Result<Balance> found = balance(*plan, catalog);
    if (!found) return refused(found.error(), "balance", options);
    if (!options.out.empty())
        if (const Error error = write_text(options.out, plan_to_text(found->plan)); !error.what.empty())
            return unreadable(error);
    const int code = found->after.fits && found->messages.empty() ? kDone : kBroken;
    const double faster = 1 - found->after.step_s / found->before.step_s;
    if (options.text) {
        std::string text = table({{"", "step", "slowest stage", "bubble", "peak memory", "layers per stage"},
                                  figures_row("before", found->before),
                                  figures_row("after", found->after)},
                                 {false, true, true, true, true});
        text += found->changed      ? fmt::format("\nthe step gets {:.1f} % shorter\n", faster * 100)
                : found->after.fits ? "\nno better split was found\n"
                                    : "\nno split was found that fits the memory\n";
        return {code, text + messages_to_text(found->messages), ""};
    }
    nlohmann::ordered_json output;
    output["changed"] = found->changed;
    output["layers_per_stage"] = found->after.layers;
    output["before"] = figures_json(found->before);
    output["after"] = figures_json(found->after);
    output["step_s_saved"] = json_number(found->before.step_s - found->after.step_s);
    output["step_share_saved"] = json_number(faster);
    output["messages"] = messages_to_json(found->messages);
    return {code, document(output), ""};
}

} // namespace shardlens::cli
