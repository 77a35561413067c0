// SPDX-License-Identifier: GPL-3.0-or-later
// Every launcher's files for three plans, byte for byte as they were when the launchers' own parsers accepted
// them.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <set>
#include <sstream>

#include "catch.h"
#include "golden_plans.h"
#include "launcher_exports.h"
#include "json/strict_json.h"

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRenew = "SHARDLENS_WRITE_GOLDEN"; ///< set: writes the files instead of comparing them

fs::path golden_folder() { return data_file("launchers/golden"); }

/// "line 12: 'tp: 4', golden 'tp: 8'"; "" where the texts are the same.
std::string first_difference(const std::string& text, const std::string& golden) {
    if (text == golden) return {};
    std::istringstream ours(text), theirs(golden);
    for (int line = 1;; ++line) {
        std::string a, b;
        const bool more_a = static_cast<bool>(std::getline(ours, a));
        const bool more_b = static_cast<bool>(std::getline(theirs, b));
        if (!more_a && !more_b) return "the last line ends otherwise";
        if (a != b || more_a != more_b)
            return fmt::format("line {}: '{}', golden '{}'", line, more_a ? a : "(end)",
                               more_b ? b : "(end)");
    }
}

std::set<std::string> names_in(const fs::path& folder) {
    std::set<std::string> names;
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder, missing))
        names.insert(entry.path().filename().string());
    return names;
}

void compare(const launchers::Export& made, const fs::path& folder) {
    std::set<std::string> names;
    for (const launchers::File& file : made.files) {
        names.insert(file.name);
        const auto golden = read_text((folder / file.name).string());
        INFO((folder / file.name).string());
        INFO("To renew: " << kRenew
                          << "=1 build/tests/property_launcher_golden_test, then the launchers' own "
                          << "parsers over the new files, as golden/README.md says");
        CHECK(golden.ok());
        if (golden) CHECK(first_difference(file.text, *golden) == "");
        const bool executable =
            (fs::status(folder / file.name).permissions() & fs::perms::owner_exec) != fs::perms::none;
        CHECK(executable == file.executable);
    }
    CHECK(names_in(folder) == names);
}

} // namespace

TEST_CASE("the first differing line is named") {
    CHECK(first_difference("a\nb\n", "a\nb\n") == "");
    CHECK(first_difference("a\nb\n", "a\nc\n") == "line 2: 'b', golden 'c'");
    CHECK(first_difference("a\n", "a\nc\n") == "line 2: '(end)', golden 'c'");
    CHECK(first_difference("a\nb", "a\nb\n") == "the last line ends otherwise");
}

TEST_CASE("the exports of the golden plans are those that the launchers accepted") {
    const bool renew = std::getenv(kRenew) != nullptr;
    for (const auto& [name, plan] : test::golden_plans()) {
        std::set<std::string> targets = {"plan.json"};
        for (const launchers::Launcher& launcher : launchers::table())
            for (const char* version : launcher.versions) {
                const std::string target = fmt::format("{}@{}", launcher.id, version);
                targets.insert(target);
                const test::MadeExport made = test::made_export(launcher, version, plan);
                INFO(name << " " << target);
                REQUIRE_FALSE(made.result.files.empty());
                const fs::path folder = golden_folder() / name / target;
                if (renew) {
                    fs::remove_all(folder);
                    REQUIRE(launchers::write(made.result, folder).what.empty());
                }
                compare(made.result, folder);
            }
        CHECK(names_in(golden_folder() / name) == targets);
    }
}
