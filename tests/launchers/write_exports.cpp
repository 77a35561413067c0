// SPDX-License-Identifier: GPL-3.0-or-later
// Every export of every launcher over the grid, in OUT/LAUNCHER@VERSION/NUMBER/, with OUT/index.jsonl: what
// check.sh reads. A plan that the launcher refuses is repaired by its own fixes first, so that these are
// tried as well. Usage: SHARDLENS_EXPORTS=OUT shardlens-write-exports
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "launcher_grid.h"
#include "launchers/launcher.h"
#include "placement/placement.h"
#include "plan/edit.h"
#include "plan/plan_json.h"

using namespace shardlens;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr int kMostRepairs = 4;
constexpr std::int64_t kMostGroups = 64; ///< groups are listed up to this world

struct Made {
    Plan plan;
    launchers::Export result;
    int repairs = 0;
};

/// The export of the plan, or of the nearest one by the first fixes; no files when none was found.
Made make(const launchers::Launcher& launcher, const std::string& version, Plan plan) {
    Made made;
    plan.target = fmt::format("{}@{}", launcher.id, version);
    for (; made.repairs <= kMostRepairs; ++made.repairs) {
        const auto report = evaluate(plan, test::catalog(), {.timeline = false, .traffic = false});
        if (!report) break;
        made.plan = plan;
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

Json groups_of(const Plan& plan) {
    Json groups = Json::object();
    const auto setup = resolve(plan, test::catalog());
    if (!setup || setup->world() > kMostGroups) return groups;
    const auto placed = placement::Placement::make(*setup);
    if (!placed) return groups;
    for (const placement::GroupKind kind : placement::kGroupKinds)
        groups[to_string(kind)] = placed->groups(kind);
    return groups;
}

} // namespace

TEST_CASE("write every export of the grid") {
    const char* folder = std::getenv("SHARDLENS_EXPORTS");
    REQUIRE(folder != nullptr);
    const fs::path out = folder;
    fs::create_directories(out);
    std::ofstream index(out / "index.jsonl");
    const std::vector<Plan> grid = test::launcher_grid();
    REQUIRE(grid.size() >= 200);
    for (const launchers::Launcher& launcher : launchers::table()) {
        for (const char* version : launcher.versions) {
            int as_they_are = 0, repaired = 0, refused = 0;
            for (std::size_t i = 0; i < grid.size(); ++i) {
                const Made made = make(launcher, version, grid[i]);
                if (made.result.files.empty()) {
                    ++refused;
                    continue;
                }
                ++(made.repairs == 0 ? as_they_are : repaired);
                const std::string name = fmt::format("{}@{}/{}", launcher.id, version, i);
                const launchers::Export& result = made.result;
                const Error error = launchers::write(result, out / name);
                INFO(error.what);
                REQUIRE(error.what.empty());
                std::ofstream(out / name / "plan.of.grid.json") << plan_to_text(made.plan);
                Json line = {{"folder", name},
                             {"launcher", launcher.id},
                             {"version", version},
                             {"world", made.plan.cluster.gpus},
                             {"tensor", made.plan.parallel.tensor},
                             {"pipeline", made.plan.parallel.pipeline},
                             {"context", made.plan.parallel.context},
                             {"repaired", made.repairs > 0},
                             {"file", result.files.front().name}};
                if (const Json groups = groups_of(made.plan); !groups.empty()) line["groups"] = groups;
                index << line.dump() << "\n";
            }
            fmt::print("{}@{}: {} plans as they are, {} by fixes, {} refused\n", launcher.id, version,
                       as_they_are, repaired, refused);
        }
    }
}
