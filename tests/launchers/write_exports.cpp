// SPDX-License-Identifier: GPL-3.0-or-later
// Every export of every launcher over the golden plans, the grid and pipelines that it leaves out
// (accelerate's also over plans for FSDP1), in OUT/LAUNCHER@VERSION/NAME/, with OUT/index.jsonl: what
// check.sh reads. A plan that the launcher refuses is repaired by its own fixes first, so that these are
// tried as well. Usage: SHARDLENS_EXPORTS=OUT [SHARDLENS_GOLDEN_ONLY=1] shardlens-write-exports
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>

#include "fsdp_plans.h"
#include "golden_plans.h"
#include "launcher_exports.h"
#include "launcher_grid.h"
#include "placement/placement.h"
#include "plan/plan_json.h"
#include "staged_plans.h"

using namespace shardlens;
namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

constexpr std::int64_t kMostGroups = 64; ///< groups are listed up to this world

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
    std::vector<std::pair<std::string, Plan>> plans = test::golden_plans();
    if (std::getenv("SHARDLENS_GOLDEN_ONLY") == nullptr) {
        const std::vector<Plan> grid = test::launcher_grid();
        REQUIRE(grid.size() >= 200);
        for (std::size_t i = 0; i < grid.size(); ++i) plans.emplace_back(std::to_string(i), grid[i]);
        for (Plan& plan : test::staged_plans())
            plans.emplace_back(fmt::format("staged{}", plans.size()), std::move(plan));
    }
    for (const launchers::Launcher& launcher : launchers::table()) {
        auto own = plans;
        if (launcher.id == std::string_view("accelerate") && std::getenv("SHARDLENS_GOLDEN_ONLY") == nullptr)
            for (Plan& plan : test::fsdp_plans())
                own.emplace_back(fmt::format("fsdp{}", own.size()), std::move(plan));
        for (const char* version : launcher.versions) {
            int as_they_are = 0, repaired = 0, refused = 0;
            for (const auto& [of_plan, plan] : own) {
                const test::MadeExport made = test::made_export(launcher, version, plan);
                if (made.result.files.empty()) {
                    ++refused;
                    continue;
                }
                ++(made.repairs == 0 ? as_they_are : repaired);
                const std::string name = fmt::format("{}@{}/{}", launcher.id, version, of_plan);
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
                             {"repaired", made.repairs > 0}};
                if (const Json groups = groups_of(made.plan); !groups.empty()) line["groups"] = groups;
                for (const launchers::File& file : result.files) {
                    // model_args.yaml holds the flags of train.sh in a form that no parser takes.
                    if (test::starts_processes(file) || file.name == "model_args.yaml") continue;
                    line["file"] = file.name;
                    index << line.dump() << "\n";
                }
            }
            fmt::print("{}@{}: {} plans as they are, {} by fixes, {} refused\n", launcher.id, version,
                       as_they_are, repaired, refused);
        }
    }
}
