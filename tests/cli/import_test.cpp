// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <nlohmann/json.hpp>

#include "process.h"

TEST_CASE("import prints the plan and accounts for every key on standard error") {
    const std::string script = data_file("imports/imp-bash-175b.sh");
    const Ran partial = run_cli({"import", script});
    CHECK(partial.code == 1); // no node named
    const auto plan = nlohmann::json::parse(partial.out);
    CHECK(plan["parallel"]["tensor"] == 8);
    CHECK_FALSE(plan["cluster"].contains("node"));
    CHECK(partial.err.find("missing: cluster.node") != std::string::npos);
    CHECK(partial.err.find("read: parallel.tensor = 8 from --tensor-model-parallel-size") !=
          std::string::npos);

    const Ran whole =
        run_cli({"import", script, "--from", "megatron-script@0.16", "--set", "cluster.node=dgx-h100"});
    CHECK(whole.code == 0);
    CHECK(nlohmann::json::parse(whole.out)["target"] == "megatron-lm@0.16");

    // Ids that are no preset's, as plan refuses them.
    const Ran unknown = run_cli({"import", script, "--set", "cluster.node=nosuch"});
    CHECK(unknown.code == 2);
    CHECK(unknown.err.find("no node preset is called \"nosuch\"") != std::string::npos);
}
