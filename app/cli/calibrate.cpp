// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "calibrate/calibrate.h"
#include "cli/commands.h"
#include "cli/text.h"
#include "plan/plan_json.h"
#include "json/strict_json.h"

namespace shardlens::cli {

namespace {

/// Numbers typed in win over the log's.
Result<calibrate::Observation> observation(const CalibrateOptions& options, const Plan& plan,
                                           std::string& account) {
    calibrate::Observation seen;
    seen.origin = "numbers typed in";
    if (!options.log.empty()) {
        const auto text = read_text(options.log);
        if (!text) return text.error();
        const auto log = calibrate::read_training_log(*text, options.log, calibrate::step_batch(plan));
        if (!log) return log.error();
        seen = calibrate::observed(*log, fmt::format("a {} log", log->format));
        account = log->step_account();
    }
    if (options.step_s > 0) seen.step_s = options.step_s;
    if (options.allocated_bytes > 0) seen.allocated_bytes = options.allocated_bytes;
    if (options.reserved_bytes > 0) seen.reserved_bytes = options.reserved_bytes;
    return seen;
}

std::string as_text(const calibrate::Calibration& result, const std::string& account,
                    const std::string& saved) {
    std::string text = account.empty() ? "" : account + "\n\n";
    std::vector<std::vector<std::string>> rows = {{"", "measured", "before", "error", "after", "error"}};
    const auto compare = [&](const char* name, const std::optional<calibrate::Comparison>& before,
                             const std::optional<calibrate::Comparison>& after, double unit,
                             const char* suffix) {
        if (!before || !after) return;
        rows.push_back({name, fmt::format("{:.4g} {}", before->measured / unit, suffix),
                        fmt::format("{:.4g} {}", before->predicted / unit, suffix),
                        fmt::format("{:+.1f} %", 100 * before->error()),
                        fmt::format("{:.4g} {}", after->predicted / unit, suffix),
                        fmt::format("{:+.1f} %", 100 * after->error())});
    };
    constexpr double kGibi = 1073741824.0;
    compare("step time", result.before.step_s, result.after.step_s, 1, "s");
    compare("allocated", result.before.allocated_bytes, result.after.allocated_bytes, kGibi, "GiB");
    compare("reserved", result.before.reserved_bytes, result.after.reserved_bytes, kGibi, "GiB");
    text += table(rows, {false, true, true, true, true, true}) + "\n";
    std::vector<std::vector<std::string>> changes = {{"constant", "before", "after"}};
    for (const auto& change : result.changes)
        changes.push_back(
            {change.key, fmt::format("{:.4g}", change.before), fmt::format("{:.4g}", change.after)});
    text += table(changes, {false, true, true});
    if (!result.doubt.empty()) text += "\nwarning: " + result.doubt + "\n";
    text += saved.empty() ? "\n--save keeps this profile as a user preset\n"
                          : fmt::format("\nsaved as {}; use it with \"stack\": \"{}\"\n", saved, result.id);
    return text;
}

} // namespace

Outcome calibrate_command(const Options& options, const Catalog& catalog) {
    Result<Plan> plan = load_plan(options.positional[0], options.sets);
    if (!plan) return unreadable(plan.error());
    std::string account;
    const auto seen = observation(options.calibrate, *plan, account);
    if (!seen) return unreadable(seen.error());
    const std::string name =
        options.calibrate.name.empty() ? plan->stack + "-calibrated" : options.calibrate.name;
    const auto result = calibrate::calibrate(*plan, *seen, catalog, name);
    if (!result) return unreadable(result.error());
    std::string saved;
    if (options.calibrate.save) {
        const auto file = calibrate::save_stack(*result, catalog);
        if (!file) return unreadable(file.error());
        saved = *file;
    }
    if (options.text) return {kDone, as_text(*result, account, saved), ""};
    std::string notes = account.empty() ? "" : account + "\n";
    if (!result->doubt.empty()) notes += "warning: " + result->doubt + "\n";
    return {kDone, document(calibrate::to_json(*result)), notes};
}

} // namespace shardlens::cli
