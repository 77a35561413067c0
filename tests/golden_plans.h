// SPDX-License-Identifier: GPL-3.0-or-later
// The plans whose exports are kept word for word in tests/data/launchers/golden.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "catch.h"
#include "plan/plan_json.h"

namespace shardlens::test {

/// Name (the folder) and plan.
inline std::vector<std::pair<std::string, Plan>> golden_plans() {
    std::vector<std::pair<std::string, Plan>> plans;
    for (const char* name : {"dense", "experts", "sharded"}) {
        auto plan = load_plan(data_file(std::string("launchers/golden/") + name + "/plan.json"));
        INFO((plan ? std::string() : plan.error().line()));
        REQUIRE(plan.ok());
        plans.emplace_back(name, *std::move(plan));
    }
    return plans;
}

} // namespace shardlens::test
