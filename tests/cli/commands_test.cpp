// SPDX-License-Identifier: GPL-3.0-or-later
// Every command of the contract: what it prints and the exit code.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "catch.h"
#include "process.h"

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

const std::string kPlans = presets_directory() + "/plans/";
const std::string kPlan = kPlans + "llama3-70b-64xh100.json";

/// The one document on standard output.
json document(const Ran& ran) {
    INFO(ran.out.substr(0, 2000));
    const json parsed = json::parse(ran.out, nullptr, false);
    REQUIRE_FALSE(parsed.is_discarded());
    return parsed;
}

std::string schema_errors(const json& value) {
    const json source = json::parse(read_file(presets_directory() + "/schema/report.json"));
    valijson::Schema schema;
    valijson::SchemaParser parser;
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(source), schema);
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    valijson::ValidationResults results;
    std::string text;
    if (validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(value), &results)) return text;
    for (valijson::ValidationResults::Error error; results.popError(error);) {
        for (const std::string& part : error.context) text += part;
        text += ": " + error.description + "\n";
    }
    return text;
}

std::vector<std::string> with_sets(std::vector<std::string> arguments, const std::vector<std::string>& sets) {
    for (const std::string& set : sets) {
        arguments.emplace_back("--set");
        arguments.push_back(set);
    }
    return arguments;
}

} // namespace

TEST_CASE("help and version") {
    const Ran help = run_cli({"--help"});
    CHECK(help.code == 0);
    for (const char* command : {"plan", "validate", "explain", "schedule", "schedules", "balance",
                                "placement", "orders", "failure", "compare", "export", "import", "presets", "bench"}) {
        INFO(command);
        CHECK(help.out.find(std::string("  ") + command + " ") != std::string::npos);
        const Ran own = run_cli({command, "--help"});
        CHECK(own.code == 0);
        CHECK(own.out.find(std::string("shardlens-cli ") + command) == 0);
        CHECK(own.err.empty());
    }
    const Ran version = run_cli({"--version"});
    CHECK(version.code == 0);
    CHECK(version.out.find("shardlens-cli ") == 0);
}

TEST_CASE("plan: every shipped plan gives a report of the schema, and the exit code says whether it fits") {
    std::set<int> codes;
    for (const auto& entry : fs::directory_iterator(kPlans)) {
        INFO(entry.path().string());
        const Ran ran = run_cli({"plan", entry.path().string()});
        const json report = document(ran);
        CHECK(schema_errors(report) == "");
        const bool good = report.at("valid").get<bool>() && report.at("fits").get<bool>();
        CHECK(ran.code == (good ? 0 : 1));
        CHECK(ran.err.empty());
        codes.insert(ran.code);
    }
    CHECK(codes == std::set<int>{0, 1});
}

TEST_CASE("plan: a plan that breaks rules still prints a report of the schema") {
    const Ran ran =
        run_cli(with_sets({"plan", kPlan}, {"parallel.tensor=7", "training.global_batch_size=129"}));
    const json report = document(ran);
    CHECK(ran.code == 1);
    CHECK(schema_errors(report) == "");
    CHECK_FALSE(report.at("valid").get<bool>());
    CHECK(report.at("messages").size() >= 2);
}

TEST_CASE("plan: standard input, --set from left to right, null removes, text") {
    Input input;
    input.text = read_file(kPlan);
    const json from_file = document(run_cli({"plan", kPlan}));
    CHECK(document(run_cli({"plan", "-"}, input)) == from_file);
    const json twice =
        document(run_cli(with_sets({"plan", kPlan}, {"parallel.tensor=4", "parallel.tensor=8"})));
    CHECK(twice == from_file);
    CHECK(from_file.at("time").contains("time_to_train_s"));
    const json timeless = document(run_cli(with_sets({"plan", kPlan}, {"training.tokens=null"})));
    CHECK_FALSE(timeless.at("time").contains("time_to_train_s"));
    CHECK_FALSE(timeless.contains("cost"));
    const Ran text = run_cli({"plan", kPlan, "--format", "text"});
    CHECK(text.code == 0);
    CHECK(text.out.find("step") != std::string::npos);
    CHECK(text.out.find('{') == std::string::npos);
}

TEST_CASE("validate: messages, and exit 1 for a plan that does not fit") {
    const Ran good = run_cli({"validate", kPlan});
    CHECK(good.code == 0);
    CHECK(document(good) == json{{"messages", json::array()}});
    // 16 bytes of state for each of 70e9 parameters on every GPU: 1.1 TB into 80 GB (domain: 2 + 2 + 12
    // bytes).
    const Ran large = run_cli({"validate", kPlans + "textbook-70b-zero0.json"});
    CHECK(large.code == 1);
    bool named = false;
    const json broken = document(large);
    for (const json& message : broken.at("messages")) named |= message.at("code") == "memory-exceeds";
    CHECK(named);
}

TEST_CASE("explain: the formula of a number and its parts") {
    const json report = document(run_cli({"plan", kPlan}));
    for (const char* path : {"memory.peak_bytes", "memory.stages.3.logits_bytes", "time.step_s", "time.mfu",
                             "model.parameters"}) {
        INFO(path);
        const Ran ran = run_cli({"explain", kPlan, path});
        CHECK(ran.code == 0);
        const json explanation = document(ran);
        std::string pointer = std::string("/") + path;
        std::replace(pointer.begin(), pointer.end(), '.', '/');
        const double value = report.at(json::json_pointer(pointer)).get<double>();
        CHECK(explanation.at("path") == path);
        CHECK(explanation.at("value").get<double>() == Approx(value).epsilon(1e-9));
        for (const char* key : {"unit", "formula", "substituted", "source", "tag"})
            CHECK(explanation.at(key).is_string());
        CHECK(explanation.at("parts").is_array());
        if (std::string(path).find("_bytes") != std::string::npos)
            CHECK(explanation.at("value").is_number_integer());
    }
}

TEST_CASE("schedule: 1F1B of 4 stages and 8 micro-batches") {
    // F = 1, B = 2: makespan m (F + B) + (p - 1)(F + B) = 24 + 9; each rank is busy for 24 of 33; the warm-up
    // of rank r holds p - r micro-batches (Narayanan et al. 2021, section 2.2).
    const Ran ran = run_cli({"schedule", "--kind", "1f1b", "--stages", "4", "--micro-batches", "8"});
    CHECK(ran.code == 0);
    const json result = document(ran);
    CHECK(result.at("makespan") == 33);
    CHECK(result.at("bubble_fraction").get<double>() == Approx(9.0 / 33));
    REQUIRE(result.at("ranks").size() == 4);
    for (int r = 0; r < 4; ++r) {
        const json& rank = result.at("ranks").at(static_cast<std::size_t>(r));
        CHECK(rank.at("rank") == r);
        CHECK(rank.at("busy") == 24);
        CHECK(rank.at("idle_total") == 9);
        CHECK(rank.at("peak_live_until_input") == 4 - r);
        CHECK(rank.at("ops").size() == 16);
    }
    CHECK(result.at("ranks").at(0).at("ops").at(0) == json{{"op", "F0"}, {"start", 0}, {"end", 1}});
    // Costs scale: everything twice as long.
    const json slow =
        document(run_cli({"schedule", "--kind", "1f1b", "--stages", "4", "--micro-batches", "8", "--forward",
                          "2", "--backward-input", "2", "--backward-weight", "2"}));
    CHECK(slow.at("makespan") == 66);
    // A hop of 0.5 stands three times on the way down and three times on the way back.
    const json hops = document(
        run_cli({"schedule", "--kind", "gpipe", "--stages", "4", "--micro-batches", "1", "--comm", "0.5"}));
    CHECK(hops.at("makespan") == 15);
}

TEST_CASE("plan and schedule: the bubbles that textbooks quote") {
    // (p - 1) / (m + p - 1): 46.7 % for 8 stages and 8 micro-batches, 9.9 % for 64
    const fs::path file = fs::temp_directory_path() / "shardlens_bubble_plan.json";
    std::ofstream(file) << R"({"schema": "shardlens/plan/1", "cluster": {"node": "dgx-h100", "gpus": 8},
        "model": {"layers": 16, "hidden": 8192, "heads": 64, "ffn_hidden": 32768, "vocab": 256},
        "training": {"sequence_length": 8192, "micro_batch_size": 1, "global_batch_size": 8},
        "parallel": {"pipeline": 8}})";
    for (const auto& [micro_batches, bubble] : {std::pair{"8", 0.467}, std::pair{"64", 0.099}}) {
        INFO(micro_batches);
        const std::string batch = std::string("training.global_batch_size=") + micro_batches;
        const auto bubble_of = [&](const std::vector<std::string>& sets) {
            return document(run_cli(with_sets({"plan", file.string()}, sets)))
                .at("time")
                .at("bubble_fraction")
                .get<double>();
        };
        CHECK(bubble_of({batch, "fidelity=textbook"}) == Approx(bubble).margin(5e-4));
        // A small vocabulary leaves the stages alike but for the ends: simulated with costs, nearly the same.
        CHECK(bubble_of({batch}) == Approx(bubble).margin(4e-3));
        const json drawn = document(
            run_cli({"schedule", "--kind", "1f1b", "--stages", "8", "--micro-batches", micro_batches}));
        CHECK(drawn.at("bubble_fraction").get<double>() == Approx(bubble).margin(5e-4));
    }
    fs::remove(file);
}

TEST_CASE("schedule: an order that is not what its name says is named") {
    const Ran few = run_cli({"schedule", "--kind", "zb-h2", "--stages", "4", "--micro-batches", "6"});
    CHECK(few.code == 0);
    CHECK(document(few).at("runs_as") == "zb-h1");
    CHECK(few.err.find("zb-h2 with 4 stages needs at least 7 micro-batches") == 0);
    const json same =
        document(run_cli({"schedule", "--kind", "zb-h1", "--stages", "4", "--micro-batches", "6"}));
    CHECK(document(few).at("ranks") == same.at("ranks"));
    const Ran enough = run_cli({"schedule", "--kind", "zb-h2", "--stages", "4", "--micro-batches", "7"});
    CHECK(enough.err.empty());
    CHECK_FALSE(document(enough).contains("runs_as"));
    // The plan says it as well.
    const json plan = document(
        run_cli(with_sets({"plan", kPlan}, {"parallel.schedule=zb-h2", "training.global_batch_size=10"})));
    bool said = false;
    for (const json& message : plan.at("messages"))
        said = said || message.at("code") == "schedule-short-step";
    CHECK(said);
}

TEST_CASE("schedule: PipeDream is drawn with its weight versions, and no plan can have it") {
    const Ran ran = run_cli({"schedule", "--kind", "pipedream", "--stages", "4", "--micro-batches", "8"});
    CHECK(ran.code == 0);
    CHECK(ran.err.find("asynchronous") != std::string::npos);
    const json drawn = document(ran);
    CHECK(drawn.at("makespan") == 33); // (n + p - 1)(F + B)
    for (int r = 0; r < 4; ++r) { // rank r keeps p - r versions, its gradients are p - 1 - r updates late
        CHECK(drawn.at("ranks").at(static_cast<std::size_t>(r)).at("weight_versions") == 4 - r);
        CHECK(drawn.at("ranks").at(static_cast<std::size_t>(r)).at("staleness") == 3 - r);
    }
    CHECK(run_cli(with_sets({"plan", kPlan}, {"parallel.schedule=pipedream"})).code == 2);
}

TEST_CASE("plan and schedule write trace events, whole or not at all") {
    const fs::path file = fs::temp_directory_path() / "shardlens_trace.json";
    fs::remove(file);
    const Ran plan = run_cli({"plan", kPlan, "--trace", file.string()});
    CHECK(plan.code == 0);
    CHECK(plan.out == run_cli({"plan", kPlan}).out);
    CHECK(json::parse(read_file(file.string())).at("traceEvents").size() > 500);
    const Ran drawn = run_cli(
        {"schedule", "--kind", "zb-v", "--stages", "2", "--micro-batches", "4", "--trace", file.string()});
    CHECK(drawn.code == 0);
    std::size_t spans = 0;
    const json trace = json::parse(read_file(file.string()));
    for (const json& event : trace.at("traceEvents")) spans += event.at("ph") == "X";
    CHECK(spans == 2 * 4 * 2 * 3); // ranks, micro-batches, chunks; F, I and W
    fs::remove(file);
    CHECK(run_cli({"plan", kPlan, "--trace", "/no/such/folder/t.json"}).code == 2);
    CHECK(run_cli({"plan", kPlans + "textbook-70b-zero0.json", "--trace", file.string()}).code == 2);
    CHECK_FALSE(fs::exists(file));
}

TEST_CASE("schedules: every schedule of the contract, side by side") {
    const Ran ran = run_cli({"schedules", kPlan});
    CHECK(ran.code == 0);
    const json options = document(ran).at("schedules");
    CHECK(options.size() == 17);
    const json report = document(run_cli({"plan", kPlan}));
    int current = 0;
    for (const json& option : options) {
        INFO(option.dump());
        CHECK(option.at("legal").get<bool>() == option.contains("step_s"));
        if (!option.at("current").get<bool>()) continue;
        ++current;
        CHECK(option.at("step_s") == report.at("time").at("step_s"));
        CHECK(option.at("peak_bytes") == report.at("memory").at("peak_bytes"));
    }
    CHECK(current == 1);
    const Ran few = run_cli(
        with_sets({"schedules", kPlan}, {"training.global_batch_size=14", "parallel.schedule=dualpipe"}));
    CHECK(few.code == 1); // the plan's own cannot be
    const json fewer = document(few).at("schedules");
    const auto refused = std::find_if(fewer.begin(), fewer.end(),
                                      [](const json& option) { return option.at("schedule") == "dualpipe"; });
    REQUIRE(refused != fewer.end());
    CHECK_FALSE(refused->at("legal").get<bool>());
    CHECK_FALSE(refused->at("messages").empty());
    CHECK_FALSE(refused->at("fix").at("set").empty());
    const Ran text = run_cli({"schedules", kPlan, "--format", "text"});
    CHECK(text.out.find("1f1b *") != std::string::npos);
}

TEST_CASE("balance: the split, what it gains, and the plan with it") {
    const fs::path file = fs::temp_directory_path() / "shardlens_balanced.json";
    const Ran ran = run_cli({"balance", kPlan, "--out", file.string()});
    CHECK(ran.code == 0);
    const json found = document(ran);
    REQUIRE(found.at("changed").get<bool>());
    CHECK(found.at("after").at("step_s").get<double>() < found.at("before").at("step_s").get<double>());
    CHECK(found.at("step_s_saved").get<double>() > 0);
    // The head is as long as part of a layer: the last stage gives one away.
    CHECK(found.at("layers_per_stage").at(3).get<int>() == 19);
    const json written = document(run_cli({"plan", file.string()}));
    CHECK(written.at("time").at("step_s") == found.at("after").at("step_s"));
    CHECK(document(run_cli({"balance", file.string()})).at("changed") == false);
    fs::remove(file);
    const Ran alone = run_cli(with_sets({"balance", kPlan}, {"parallel.pipeline=1", "parallel.data=8"}));
    CHECK(alone.code == 1);
    CHECK(document(alone).at("messages").at(0).at("path") == "parallel.pipeline");
}

TEST_CASE("schedule: chunks are named, impossible sizes are messages") {
    const json interleaved = document(run_cli(
        {"schedule", "--kind", "interleaved", "--stages", "2", "--micro-batches", "4", "--chunks", "2"}));
    CHECK(interleaved.at("ranks").at(0).at("ops").at(0).at("op") == "F0.0");
    // m v (F + B) + (p - 1)(F + B): the bubble divided by v.
    CHECK(interleaved.at("makespan") == 27);
    const Ran impossible = run_cli({"schedule", "--kind", "interleaved", "--stages", "4", "--micro-batches",
                                    "6", "--chunks", "2", "--group", "4"});
    // Megatron-LM's schedules.py: six micro-batches in groups of four leave two, fewer than the four ranks.
    CHECK(impossible.code == 1);
    CHECK(document(impossible).at("messages").size() == 1);
    const Ran endless =
        run_cli({"schedule", "--kind", "1f1b", "--stages", "1000000", "--micro-batches", "1000000"});
    CHECK(endless.code == 1);
    CHECK(document(endless).at("messages").at(0).at("code") == "schedule-size");
}

TEST_CASE("placement: every kind partitions the world") {
    const Ran ran = run_cli({"placement", kPlan});
    CHECK(ran.code == 0);
    const json result = document(ran);
    for (const char* kind : {"tp", "cp", "dp", "dp_cp", "pp", "dp_replicate", "dp_shard"}) {
        INFO(kind);
        std::set<int> seen;
        std::size_t members = 0;
        for (const json& group : result.at("groups").at(kind)) {
            for (const json& rank : group) {
                seen.insert(rank.get<int>());
                ++members;
            }
        }
        CHECK(seen.size() == 64);
        CHECK(members == 64);
        CHECK(result.at("crossing").contains(kind));
    }
    CHECK_FALSE(result.at("groups").contains("ep")); // a dense model
    CHECK(result.at("groups").at("embedding").size() == 16);
    // tp-cp-ep-dp-pp: tensor neighbours are ranks 0 … 7, on one node; the pipeline of rank 0 is every 16th
    // rank.
    CHECK(result.at("groups").at("tp").at(0) == json{0, 1, 2, 3, 4, 5, 6, 7});
    CHECK(result.at("groups").at("pp").at(0) == json{0, 16, 32, 48});
    CHECK(result.at("crossing").at("tp") == 0);
    CHECK(result.at("crossing").at("pp") == 16);
    CHECK(result.at("ranks").at(17) ==
          json{{"rank", 17}, {"node", 2}, {"local", 1}, {"tp", 1}, {"cp", 0}, {"dp", 0}, {"pp", 1}});
    for (const char* link : {"scale_up", "nic", "uplink"}) {
        CHECK(result.at("traffic").at(link).at("bytes_per_step").get<double>() >= 0);
    }
    const json experts = document(run_cli({"placement", kPlans + "mixtral-8x7b-64xh100.json"}));
    for (const char* kind : {"ep", "etp", "edp"}) CHECK(experts.at("groups").contains(kind));
}

TEST_CASE("placement: degrees that make no world are messages, other broken rules keep the groups") {
    const Ran no_world = run_cli(with_sets({"placement", kPlan}, {"parallel.tensor=5"}));
    CHECK(no_world.code == 1);
    CHECK(document(no_world).at("messages").size() >= 1);
    const Ran other = run_cli(with_sets({"placement", kPlan}, {"training.global_batch_size=129"}));
    CHECK(other.code == 1);
    CHECK(document(other).at("groups").at("tp").size() == 8);
}

TEST_CASE("placement: 16,384 GPUs") {
    const Ran ran = run_cli({"placement", kPlans + "llama3-405b-16384xh100.json"});
    CHECK(document(ran).at("ranks").size() == 16384);
    CHECK(ran.seconds < 5);
}

TEST_CASE("compare: what differs in the plans and in the numbers") {
    TemporaryFolder folder;
    json plan = json::parse(read_file(kPlan));
    plan["memory"]["recompute"] = "full";
    const std::string other = folder.file("b.json", plan.dump());
    const Ran ran = run_cli({"compare", kPlan, other});
    CHECK(ran.code == 0);
    const json result = document(ran);
    CHECK(schema_errors(result.at("a")) == "");
    CHECK(result.at("differs") ==
          json::array({{{"path", "memory.recompute"}, {"a", "none"}, {"b", "full"}}}));
    std::map<std::string, double> absolute;
    for (const json& delta : result.at("deltas")) absolute[delta.at("path")] = delta.at("absolute");
    const double step_a = result.at("a").at("time").at("step_s"),
                 step_b = result.at("b").at("time").at("step_s");
    CHECK(absolute.at("time.step_s") == Approx(step_b - step_a));
    CHECK(absolute.at("time.step_s") > 0);                       // recomputation costs time
    CHECK(absolute.at("memory.stages.0.activations_bytes") < 0); // and saves memory
}

TEST_CASE("presets: list names every kind, show prints the file") {
    const Ran list = run_cli({"presets", "list"});
    CHECK(list.code == 0);
    const json presets = document(list);
    for (const char* kind : {"models", "nodes", "accelerators", "stacks", "plans"}) {
        INFO(kind);
        REQUIRE(presets.at(kind).size() > 0);
        for (const json& entry : presets.at(kind)) CHECK(entry.at("id").is_string());
        const std::string id = presets.at(kind).at(0).at("id");
        const Ran show = run_cli({"presets", "show", id});
        CHECK(show.code == 0);
        CHECK(document(show).is_object());
    }
    CHECK(run_cli({"presets", "show", "llama3-70b"}).out ==
          read_file(presets_directory() + "/models/llama3-70b.json"));
}

TEST_CASE("calibrate: a log or numbers in, a profile with the error before and after out") {
    const json typed = document(run_cli({"calibrate", kPlan, "--step-s", "12.5", "--name", "mine"}));
    CHECK(typed["stack"]["id"] == "mine");
    CHECK(typed["stack"]["base"] == "megatron-bridge");
    CHECK(typed["before"]["step_s"]["measured"] == 12.5);
    const double before = typed["before"]["step_s"]["error"], after = typed["after"]["step_s"]["error"];
    CHECK(std::abs(after) < std::abs(before));
    CHECK(std::abs(after) < 0.02);

    // The log's batch is the plan's; its median step is counted by hand in the test of the log's reader.
    const std::string log = data_file("logs/megatron-lm.log");
    const Ran read = run_cli({"calibrate", kPlan, "--log", log, "--format", "text"});
    INFO(read.out + read.err);
    CHECK(read.code == 0);
    CHECK(read.out.find("step time") != std::string::npos);
    CHECK(read.out.find("--save keeps this profile") != std::string::npos);

    CHECK(run_cli({"calibrate", kPlan}).code == 2);
    CHECK(run_cli({"calibrate", kPlan, "--log", "no-such-file"}).code == 2);
    CHECK(run_cli({"calibrate", kPlan, "--log", data_file("logs/unknown.log")}).code == 2);
    CHECK(run_cli({"calibrate", kPlan, "--step-s", "-3"}).code == 2);
    CHECK(run_cli({"calibrate", kPlan, "--step-s", "0"}).code == 2);
    CHECK(run_cli({"calibrate", kPlan, "--step-s", "1", "--name", "a/b"}).code == 2);
}

TEST_CASE("bench prints its three numbers") {
    const Ran ran = run_cli({"bench"});
    CHECK(ran.code == 0);
    const json result = document(ran);
    for (const char* key : {"evaluate_us", "evaluate_timeline_us", "simulate_1m_ops_ms"})
        CHECK(result.at(key) > 0);
}

TEST_CASE("numbers do not follow the locale") {
    // Whatever the environment says; without the locale installed this is the C locale and still a check of
    // the parse.
    ::setenv("LC_ALL", "de_DE.UTF-8", 1);
    const json report = document(run_cli({"plan", kPlan}));
    ::unsetenv("LC_ALL");
    CHECK(report == document(run_cli({"plan", kPlan})));
}
