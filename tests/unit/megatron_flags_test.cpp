// SPDX-License-Identifier: GPL-3.0-or-later
// Every export of the grid to Megatron-LM against the recorded list of its parser's options: no flag that it
// does not know, right numbers, right choices.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "catch.h"
#include "launcher_grid.h"
#include "launchers/launcher.h"

using namespace shardlens;

namespace {

using Options = std::map<std::string, nlohmann::json>;

Options recorded_options() {
    nlohmann::json list;
    std::ifstream(data_file("launchers/megatron_flags.json")) >> list;
    Options options;
    for (const auto& option : list)
        for (const auto& flag : option.at("flags")) options[flag.get<std::string>()] = option;
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
std::vector<std::pair<std::string, std::vector<std::string>>> options_of(const std::string& script) {
    std::vector<std::pair<std::string, std::vector<std::string>>> all;
    std::istringstream stream(script);
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

} // namespace

TEST_CASE("the check of flags can fail") {
    const Options options = recorded_options();
    REQUIRE(options.size() > 800);
    CHECK(problem(options, "--tensor-parallel-size", {"2"}) == "--tensor-parallel-size is not known");
    CHECK_FALSE(problem(options, "--tensor-model-parallel-size", {"two"}).empty());
    CHECK_FALSE(problem(options, "--tensor-model-parallel-size", {}).empty());
    CHECK_FALSE(problem(options, "--sequence-parallel", {"true"}).empty());
    CHECK_FALSE(problem(options, "--recompute-granularity", {"some"}).empty());
    CHECK(problem(options, "--recompute-granularity", {"full"}).empty());
}

TEST_CASE("Megatron-LM knows every flag of every export of the grid") {
    const Options options = recorded_options();
    const auto found = launchers::find("megatron-lm@main");
    REQUIRE(found.ok());
    std::size_t files = 0, flags = 0;
    for (Plan plan : test::launcher_grid()) {
        plan.target = "megatron-lm@main";
        const auto report = evaluate(plan, test::catalog(), {.timeline = false, .traffic = false});
        REQUIRE(report.ok());
        const launchers::Export made = found->first->make(*(*report)->setup, **report, found->second);
        if (!made.refusals.empty()) continue;
        ++files;
        for (const auto& [flag, values] : options_of(made.files.front().text)) {
            ++flags;
            INFO(plan.name);
            CHECK(problem(options, flag, values) == "");
        }
    }
    CHECK(files >= 150);
    CHECK(flags > 30 * files);
}
