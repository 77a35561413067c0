// SPDX-License-Identifier: GPL-3.0-or-later
// export: whole files, only in the folder named; refusals carry a fix that works.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "catch.h"
#include "process.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const std::string kPlan = presets_directory() + "/plans/llama3-70b-64xh100.json";

std::set<std::string> files_in(const std::string& folder) {
    std::set<std::string> names;
    if (!fs::exists(folder)) return names;
    for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename().string());
    return names;
}

Ran export_to(const std::string& launcher, const std::string& folder,
              const std::vector<std::string>& sets = {}) {
    std::vector<std::string> arguments = {"export", kPlan, "--to", launcher, "--out", folder};
    for (const std::string& set : sets) {
        arguments.emplace_back("--set");
        arguments.push_back(set);
    }
    return run_cli(arguments);
}

} // namespace

TEST_CASE("export writes the launcher's files and nothing else") {
    struct Case {
        const char* launcher;
        std::set<std::string> files;
        std::vector<std::string> sets = {};
    };
    const Case cases[] = {
        {"megatron-lm", {"train.sh", "model_args.yaml", "run.sh", "job.slurm.sh", "hosts"}},
        {"megatron-lm@0.12", {"train.sh", "model_args.yaml", "run.sh", "job.slurm.sh", "hosts"}},
        {"torchtitan", {"config.toml", "run.sh", "job.slurm.sh", "hosts"}, {"parallel.zero=3"}},
        {"torchtitan@main", {"config.py", "run.sh", "job.slurm.sh", "hosts"}, {"parallel.zero=3"}},
        {"accelerate", {"config.yaml", "run.sh", "job.slurm.sh", "hosts"}},
        {"nanotron", {"config.yaml", "run.sh", "job.slurm.sh", "hosts"}},
        {"llm-foundry",
         {"train.yaml", "run.sh", "job.slurm.sh", "hosts"},
         {"parallel.zero=3", "parallel.pipeline=1", "parallel.data=8"}},
        {"contract", {"plan.json", "run.sh", "job.slurm.sh", "hosts"}},
    };
    for (const Case& wanted : cases) {
        INFO(wanted.launcher);
        TemporaryFolder folder;
        const std::string out = folder.path("deep/er");
        const Ran ran = export_to(wanted.launcher, out, wanted.sets);
        INFO(ran.out << ran.err);
        CHECK(ran.code == 0);
        CHECK(files_in(out) == wanted.files);
        const json result = json::parse(ran.out);
        CHECK(result.at("files").get<std::set<std::string>>() == wanted.files);
        CHECK(result.at("not_expressed").is_array());
        CHECK(files_in(folder.path()) == std::set<std::string>{"deep"});
    }
}

TEST_CASE("the exported plan is the plan") {
    TemporaryFolder folder;
    CHECK(export_to("contract", folder.path(), {"parallel.zero=2"}).code == 0);
    const Ran again = run_cli({"compare", folder.path("plan.json"), kPlan});
    CHECK(json::parse(again.out).at("differs") ==
          json::array({{{"path", "parallel.zero"}, {"a", 2}, {"b", 1}}}));
}

TEST_CASE("a plan that does not fit may be exported") {
    TemporaryFolder folder;
    const std::vector<std::string> small = {"cluster.memory_bytes=20000000000"};
    CHECK(run_cli({"validate", kPlan, "--set", small[0]}).code == 1);
    CHECK(export_to("megatron-lm", folder.path(), small).code == 0);
}

TEST_CASE("a refusal writes nothing and names a plan that the launcher runs") {
    TemporaryFolder folder;
    const std::string out = folder.path("out");
    std::vector<std::string> sets = {"parallel.zero=2"};
    // DeepSpeed's pipeline engine excludes ZeRO 2 and 3 (deepspeed/runtime/pipe/engine.py).
    const Ran refused = export_to("deepspeed", out, sets);
    CHECK(refused.code == 1);
    CHECK(files_in(out).empty());
    const json result = json::parse(refused.out);
    CHECK(result.at("files").empty());
    REQUIRE(result.at("messages").size() >= 1);
    for (const json& message : result.at("messages")) {
        REQUIRE(message.at("fixes").size() >= 1);
        for (const auto& [path, value] : message.at("fixes").at(0).at("set").items())
            sets.push_back(path + "=" + value.dump());
    }
    const Ran repaired = export_to("deepspeed", out, sets);
    INFO(repaired.out);
    CHECK(repaired.code == 0);
    CHECK(files_in(out) == std::set<std::string>{"ds_config.json", "run.sh", "job.slurm.sh", "hosts"});
}

TEST_CASE("a broken plan is not exported") {
    TemporaryFolder folder;
    const Ran ran = export_to("megatron-lm", folder.path("out"), {"parallel.tensor=7"});
    CHECK(ran.code == 1);
    CHECK(json::parse(ran.out).at("messages").size() >= 1);
    CHECK(files_in(folder.path()).empty());
}

TEST_CASE("a file in the way leaves the others as they were") {
    TemporaryFolder folder;
    fs::create_directory(folder.path("hosts")); // where a file must go
    const std::string kept = folder.file("plan.json", "mine");
    const Ran ran = export_to("contract", folder.path());
    CHECK(ran.code == 2);
    CHECK(read_file(kept) == "mine");
    CHECK(files_in(folder.path()) == std::set<std::string>{"hosts", "plan.json"});
}
