// SPDX-License-Identifier: GPL-3.0-or-later
// Every export of the grid to Megatron-LM and MindSpeed, train.sh and model_args.yaml, against the recorded
// lists of their parsers' options: no flag that the release does not know, right numbers, right choices.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "launcher_exports.h"
#include "launcher_grid.h"
#include "launchers/import_documents.h"
#include "launchers/megatron_import.h"

using namespace shardlens;

namespace {

using Options = std::map<std::string, nlohmann::json>;
using Flags = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// The options of one release: "0.12", "0.16", "0.19", "main", "mindspeed 0.12".
Options recorded_options(const std::string& release) {
    static const nlohmann::json list = [] {
        nlohmann::json all;
        std::ifstream(data_file("launchers/megatron_flags.json")) >> all;
        return all;
    }();
    Options options;
    for (const auto& option : list) {
        const auto& releases = option.at("releases");
        if (std::find(releases.begin(), releases.end(), release) == releases.end()) continue;
        for (const auto& flag : option.at("flags")) options[flag.get<std::string>()] = option;
    }
    return options;
}

bool is_number(const std::string& text, bool whole) {
    char* end = nullptr;
    if (whole)
        (void)std::strtoll(text.c_str(), &end, 10);
    else
        (void)std::strtod(text.c_str(), &end);
    return !text.empty() && *end == '\0';
}

/// What is wrong with one option and its values; "" when nothing is.
std::string problem(const Options& options, const std::string& flag, const std::vector<std::string>& values) {
    const auto at = options.find(flag);
    if (at == options.end()) return flag + " is not known";
    const nlohmann::json& option = at->second;
    const std::string action = option.at("action");
    if (action != "Store") return values.empty() ? "" : flag + " takes no value";
    const nlohmann::json& count = option.at("nargs");
    if (values.empty() || (count.is_null() && values.size() != 1) ||
        (count.is_number() && values.size() != count.get<std::size_t>()))
        return flag + " has another number of values";
    for (const std::string& value : values) {
        if (option.at("type") == "int" && !is_number(value, true)) return flag + " wants a whole number";
        if (option.at("type") == "float" && !is_number(value, false)) return flag + " wants a number";
        // An enumeration is listed by its members, "AttnBackend.flash", whose names the parser takes.
        const nlohmann::json& choices = option.at("choices");
        const auto is_value = [&](const nlohmann::json& choice) {
            if (!choice.is_string()) return choice == nlohmann::json::parse(value, nullptr, false);
            const std::string name = choice;
            return name == value || name.ends_with("." + value);
        };
        if (choices.is_array() && std::none_of(choices.begin(), choices.end(), is_value))
            return flag + " cannot be " + value;
    }
    return {};
}

/// The options behind the program in train.sh.
Flags options_of(const std::string& script) {
    Flags all;
    std::istringstream lines(script);
    std::string commands;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("#")) commands += line + "\n";
    std::istringstream stream(commands);
    bool behind = false;
    for (std::string word; stream >> word;) {
        if (word == "\\") continue;
        std::erase(word, '\'');
        if (behind && word.starts_with("--"))
            all.emplace_back(word, std::vector<std::string>{});
        else if (behind && !all.empty())
            all.back().second.push_back(word);
        if (word.find("pretrain_gpt.py") != std::string::npos) behind = true;
    }
    return all;
}

/// What tests/functional_tests/shell_test_utils/_run_training.sh of the release makes of MODEL_ARGS: true =
/// the bare flag, "[a b]" = several values since 0.16, another text with blanks one value; 0.12 cuts every
/// text.
Flags options_of_model_args(const std::string& text, const std::string& release) {
    launchers::Imported account;
    const auto documents = launchers::yaml_documents(text, "model_args.yaml", account);
    REQUIRE(documents.ok());
    REQUIRE(documents->size() == 1);
    CHECK(account.notes().empty()); // no key twice
    Flags all;
    for (const auto& [flag, value] : documents->front().at("MODEL_ARGS").items()) {
        std::vector<std::string> values;
        if (value.is_string()) {
            std::string words = value;
            const bool list = words.starts_with("[") && words.find(']') == words.size() - 1;
            if (list) words = words.substr(1, words.size() - 2);
            std::istringstream stream(words);
            for (std::string word; (list || release == "0.12") && stream >> word;) values.push_back(word);
            if (values.empty()) values.push_back(words);
        } else if (value != true) {
            values.push_back(value.dump());
        }
        all.emplace_back(flag, values);
    }
    return all;
}

} // namespace

TEST_CASE("the check of flags can fail") {
    const Options options = recorded_options("main");
    REQUIRE(options.size() > 800);
    CHECK(problem(options, "--tensor-parallel-size", {"2"}) == "--tensor-parallel-size is not known");
    CHECK_FALSE(problem(options, "--tensor-model-parallel-size", {"two"}).empty());
    CHECK_FALSE(problem(options, "--tensor-model-parallel-size", {}).empty());
    CHECK_FALSE(problem(options, "--sequence-parallel", {"true"}).empty());
    CHECK_FALSE(problem(options, "--recompute-granularity", {"some"}).empty());
    CHECK(problem(options, "--recompute-granularity", {"full"}).empty());
    // Releases differ: --use-custom-fsdp became --use-megatron-fsdp.
    CHECK(problem(recorded_options("0.12"), "--use-custom-fsdp", {}).empty());
    CHECK_FALSE(problem(recorded_options("0.12"), "--use-megatron-fsdp", {}).empty());
    CHECK_FALSE(problem(options, "--use-custom-fsdp", {}).empty());
    CHECK(
        problem(recorded_options("mindspeed 0.12"), "--context-parallel-algo", {"ulysses_cp_algo"}).empty());
    CHECK_FALSE(problem(recorded_options("0.12"), "--context-parallel-algo", {"ulysses_cp_algo"}).empty());
}

TEST_CASE("every release knows every flag of every export of the grid, in both files") {
    const std::vector<Plan> grid = test::launcher_grid();
    for (const char* target :
         {"megatron-lm@0.19", "megatron-lm@0.16", "megatron-lm@0.12", "megatron-lm@main", "mindspeed@0.12"}) {
        const auto found = launchers::find(target);
        REQUIRE(found.ok());
        const auto& [launcher, version] = *found;
        const bool mindspeed = launcher->id == std::string_view("mindspeed");
        const Options options = recorded_options(mindspeed ? "mindspeed " + version : version);
        std::size_t files = 0, flags = 0;
        for (const Plan& plan : grid) {
            const launchers::Export made = test::made_export(*launcher, version.c_str(), plan).result;
            if (made.files.empty()) continue;
            ++files;
            INFO(target << " " << plan.name);
            const Flags script = options_of(made.files.front().text);
            for (const auto& [flag, values] : script) {
                ++flags;
                CHECK(problem(options, flag, values) == "");
            }
            if (mindspeed) continue;
            REQUIRE(made.files.at(1).name == "model_args.yaml");
            CHECK(options_of_model_args(made.files.at(1).text, version) == script);
        }
        CHECK(files >= 200);
        CHECK(flags > 30 * files);
    }
}

TEST_CASE("the flags that the import reads without a value are switches in every release that has them") {
    int checked = 0;
    for (const char* release : {"0.12", "0.16", "0.19", "main", "mindspeed 0.12"}) {
        for (const auto& [flag, option] : recorded_options(release)) {
            INFO(release << " " << flag);
            if (!launchers::is_megatron_switch(flag)) continue;
            CHECK(option.at("action") != "Store");
            ++checked;
        }
    }
    CHECK(checked > 500);
    const Options newest = recorded_options("main"), oldest = recorded_options("mindspeed 0.12");
    for (const std::string_view name : launchers::megatron_switches()) {
        INFO(name);
        CHECK((newest.contains(std::string(name)) || oldest.contains(std::string(name))));
    }
    CHECK_FALSE(launchers::is_megatron_switch("--micro-batch-size"));
}
