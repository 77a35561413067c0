// SPDX-License-Identifier: GPL-3.0-or-later
// An export of a plan, or of the nearest plan that the launcher can run.
#pragma once

#include <fmt/format.h>

#include "launchers/launcher.h"
#include "plan/edit.h"
#include "plans.h"

namespace shardlens::test {

struct MadeExport {
    Plan plan;
    std::shared_ptr<const Report> report;
    launchers::Export result; ///< no files: not even its fixes lead to a plan that the launcher runs
    int repairs = 0;
};

/// How processes are started; everything else of an export is the launcher's own configuration.
inline bool starts_processes(const launchers::File& file) {
    return file.name == "run.sh" || file.name == "job.slurm.sh" || file.name == "hosts";
}

/// Applies the first fix of the first refusal or broken rule until the launcher takes the plan.
inline MadeExport made_export(const launchers::Launcher& launcher, const char* version, Plan plan) {
    constexpr int kMostRepairs = 6;
    MadeExport made;
    plan.target = fmt::format("{}@{}", launcher.id, version);
    for (; made.repairs <= kMostRepairs; ++made.repairs) {
        const auto report = evaluate(plan, catalog(), {.timeline = false, .traffic = false});
        if (!report) break;
        made.plan = plan;
        made.report = *report;
        made.result = launcher.make(*(*report)->setup, **report, version);
        std::vector<Message> broken = made.result.refusals;
        for (const Message& message : (*report)->messages)
            if (message.severity == Severity::error && message.code != "memory-exceeds")
                broken.push_back(message);
        if (broken.empty()) return made;
        made.result.files.clear();
        if (broken.front().fixes.empty() || !apply_fix(plan, broken.front().fixes.front()).what.empty())
            break;
    }
    return made;
}

} // namespace shardlens::test
