// SPDX-License-Identifier: GPL-3.0-or-later
// The plan itself, in its canonical form, with scripts that start a program of the user's own.
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/makers.h"
#include "plan/plan_json.h"

namespace shardlens::launchers {

Export make_contract(const Setup& setup, const Report&, std::string_view version) {
    Export result;
    check_hosts(setup, result);
    if (!result.refusals.empty()) return result;
    result.files.push_back({"plan.json", plan_to_text(setup.plan), false});
    const std::string start =
        torchrun_lines() +
        "    \"${TRAIN_SCRIPT:?set TRAIN_SCRIPT to the training program that reads the plan}\" "
        "\"$here/plan.json\"\n";
    add_launch_files(setup, fmt::format("contract@{}", version), start, result);
    return result;
}

} // namespace shardlens::launchers
