// SPDX-License-Identifier: GPL-3.0-or-later
// The grid covers what it says, and what the launchers' files say of its plans is what the plans say.
#include <nlohmann/json.hpp>

#include "launcher_exports.h"
#include "launcher_grid.h"
#include "launchers/import.h"
#include "launchers/key_rows.h"
#include "plan/plan_json.h"

using namespace shardlens;
using Json = nlohmann::ordered_json;

namespace {

const std::vector<Plan>& grid() {
    static const std::vector<Plan> kGrid = test::launcher_grid();
    return kGrid;
}

struct Carried {
    const char* launcher;
    const char* version;
    const char* importer;
    std::vector<const char*> paths; ///< the fields that its file has: each must come back
};

const std::vector<Carried>& carried() {
    static const std::vector<const char*> kTitan = {"parallel.tensor",
                                                    "parallel.pipeline",
                                                    "parallel.context",
                                                    "parallel.data",
                                                    "parallel.zero",
                                                    "training.sequence_length",
                                                    "training.micro_batch_size",
                                                    "training.global_batch_size",
                                                    "training.precision"};
    static const std::vector<Carried> kCarried = {
        {"torchtitan", "0.2.2", "torchtitan-toml", kTitan},
        {"torchtitan", "main", "torchtitan-python", kTitan},
        {"accelerate", "1.15", "accelerate", {"cluster.gpus", "training.precision", "parallel.zero"}},
        {"nanotron",
         "0.4",
         "nanotron",
         {"parallel.tensor", "parallel.pipeline", "parallel.context", "parallel.data", "parallel.zero",
          "training.sequence_length", "training.micro_batch_size", "training.global_batch_size",
          "memory.recompute", "model.layers", "model.hidden", "model.heads", "model.kv_heads",
          "model.ffn_hidden", "model.vocab"}},
        {"llm-foundry",
         "0.22",
         "llm-foundry",
         {"parallel.zero", "training.sequence_length", "training.micro_batch_size",
          "training.global_batch_size", "memory.recompute", "model.layers", "model.hidden", "model.heads",
          "model.vocab"}},
    };
    return kCarried;
}

/// Is the path listed as not in the file (or what it belongs to)?
bool excused(const launchers::Export& result, std::string_view path) {
    for (const launchers::NotExpressed& item : result.not_expressed) {
        if (path == item.path) return true;
        if (item.path == "model" && path.starts_with("model")) return true;
        if (item.path == "model.moe" && (path.starts_with("model.moe") || path == "model.ffn_hidden"))
            return true;
    }
    return false;
}

/// The value that a file of this plan must give back.
Json expected(const Setup& setup, const Plan& resolved, const std::string& path) {
    if (path == "parallel.shard_group") return setup.shard;
    return to_json(get_field(resolved, path));
}

void compare(const Carried& launcher, const test::MadeExport& made) {
    const Setup& setup = *made.report->setup;
    const launchers::File& file = made.result.files.front();
    launchers::ImportOptions options;
    options.kind = launcher.importer;
    options.sets = {"cluster.node=" + setup.plan.cluster.node};
    const std::string_view id = launcher.launcher;
    if (id == "llm-foundry") options.sets.push_back(fmt::format("cluster.gpus={}", setup.world()));
    if (id == "accelerate") // in the user's program
        options.sets.push_back(
            fmt::format("training.micro_batch_size={}", setup.plan.training.micro_batch_size));
    // Where the model stands elsewhere, the split over stages needs its layers.
    const bool elsewhere = file.text.find("flavor = 'plan'") != std::string::npos || id == "accelerate";
    if (elsewhere) options.sets.push_back(fmt::format("model.layers={}", setup.shape.layers));
    const auto imported = launchers::import_plan(file.text, file.name, options);
    INFO((imported ? std::string() : imported.error().line()));
    REQUIRE(imported.ok());
    INFO(file.text);
    const Json document = Json::parse(imported->text);
    const Plan resolved = launchers::resolved_plan(setup);
    for (const Field& field : fields()) {
        const std::string path = field.path;
        std::string slashes = "/" + path;
        std::replace(slashes.begin(), slashes.end(), '.', '/');
        const Json::json_pointer pointer(slashes);
        if (path == "stack" || path == "target" || !document.contains(pointer) || excused(made.result, path))
            continue;
        if (path == "model") {
            if (!document["model"].is_string()) continue;
            const auto preset = test::catalog().model(document["model"].get<std::string>());
            REQUIRE(preset.ok());
            CHECK((*preset)->shape.layers == setup.shape.layers);
            CHECK((*preset)->shape.hidden == setup.shape.hidden);
            continue;
        }
        if (path.starts_with("model.") && document["model"].is_string()) continue;
        INFO(path);
        CHECK(document.at(pointer) == expected(setup, resolved, path));
    }
    for (const char* path : launcher.paths) {
        std::string slashes = std::string("/") + path;
        std::replace(slashes.begin(), slashes.end(), '.', '/');
        INFO(path);
        CHECK((document.contains(Json::json_pointer(slashes)) || excused(made.result, path)));
    }
    for (const launchers::ImportNote& note : imported->notes) {
        INFO(note.line());
        CHECK(note.kind != launchers::ImportNote::Kind::not_understood);
    }
}

} // namespace

TEST_CASE("the grid has 200 valid plans and every possible pair") {
    CHECK(grid().size() >= 200);
    std::set<test::GridPair> open = test::possible_pairs();
    std::set<std::string> models;
    std::set<std::int64_t> nodes;
    for (const Plan& plan : grid()) {
        for (const test::GridPair& pair : test::pairs_of(test::factors_of(plan))) open.erase(pair);
        models.insert(std::get<std::string>(plan.model));
        nodes.insert(test::setup_of_grid(plan).cluster.nodes());
    }
    for (const test::GridPair& pair : open)
        UNSCOPED_INFO("not covered: factor " << pair[0] << " = " << pair[1] << " with factor " << pair[2]
                                             << " = " << pair[3]);
    CHECK(open.empty());
    CHECK(models.size() >= 8);
    CHECK(nodes.size() >= 5);
}

TEST_CASE("files of torchtitan, accelerate, nanotron and llm-foundry come back as the plan") {
    for (const Carried& launcher : carried()) {
        const auto found = launchers::find(fmt::format("{}@{}", launcher.launcher, launcher.version));
        REQUIRE(found.ok());
        int made_files = 0;
        for (const Plan& plan : grid()) {
            const test::MadeExport made = test::made_export(*found->first, launcher.version, plan);
            if (made.result.files.empty()) continue;
            ++made_files;
            INFO(launcher.launcher << "@" << launcher.version << ", " << plan.name);
            compare(launcher, made);
        }
        INFO(launcher.launcher);
        CHECK(made_files >= 200);
    }
}

TEST_CASE("a refusal's first fixes lead to a plan that the launcher takes") {
    for (const Carried& launcher : carried()) {
        const auto found = launchers::find(fmt::format("{}@{}", launcher.launcher, launcher.version));
        REQUIRE(found.ok());
        for (const Plan& plan : grid()) {
            const test::MadeExport made = test::made_export(*found->first, launcher.version, plan);
            INFO(launcher.launcher << "@" << launcher.version << ", " << plan.name << ": "
                                   << (made.result.refusals.empty() ? std::string()
                                                                    : made.result.refusals.front().code));
            for (const Message& refusal : made.result.refusals) CHECK_FALSE(refusal.fixes.empty());
        }
    }
}
