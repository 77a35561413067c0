// SPDX-License-Identifier: GPL-3.0-or-later
// Every shipped file: valid by its schema, readable by the program, consistent with the others.
#include "catch.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "catalog/setup.h"
#include "json/strict_json.h"

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

nlohmann::json load(const fs::path& path) {
    const auto text = read_text(path.string());
    INFO(path.string());
    REQUIRE(text.ok());
    REQUIRE(parse_strict(*text, path.string()).ok());
    return nlohmann::json::parse(*text);
}

std::vector<fs::path> files(const std::string& folder) {
    std::vector<fs::path> found;
    const auto path = fs::path(presets_directory()) / folder;
    if (!fs::is_directory(path)) return found;
    for (const auto& entry : fs::directory_iterator(path)) found.push_back(entry.path());
    std::sort(found.begin(), found.end());
    return found;
}

std::string validate(const nlohmann::json& schema_json, const nlohmann::json& document) {
    valijson::Schema schema;
    valijson::SchemaParser parser;
    const valijson::adapters::NlohmannJsonAdapter schema_adapter(schema_json);
    parser.populateSchema(schema_adapter, schema);
    const valijson::adapters::NlohmannJsonAdapter target(document);
    valijson::ValidationResults results;
    valijson::Validator validator;
    if (validator.validate(schema, target, &results)) return {};
    std::string all = "invalid:";
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
        for (const auto& part : error.context) all += part;
        all += ": " + error.description + "; ";
    }
    return all;
}

const std::map<std::string, std::string> kSchemaOf = {
    {"models", "model.json"}, {"nodes", "node.json"},   {"accelerators", "accelerator.json"},
    {"plans", "plan.json"},   {"stacks", "stack.json"}, {"architectures", "architecture.json"}};

} // namespace

TEST_CASE("every shipped preset validates against its schema") {
    for (const auto& [folder, schema_file] : kSchemaOf) {
        const auto schema_path = fs::path(presets_directory()) / "schema" / schema_file;
        INFO(schema_path.string());
        REQUIRE(fs::exists(schema_path));
        const auto schema = load(schema_path);
        CHECK(schema.value("$schema", "") == "http://json-schema.org/draft-07/schema#");
        const auto all = files(folder);
        CHECK(all.size() >= 2);
        for (const auto& path : all) {
            INFO(path.string());
            CHECK(path.extension() == ".json");
            CHECK(validate(schema, load(path)) == "");
        }
    }
}

TEST_CASE("the schemas are strict") {
    const auto presets = fs::path(presets_directory());
    const std::map<std::string, std::string> samples = {
        {"model.json", "models/deepseek-v3.json"},
        {"node.json", "nodes/dgx-h100.json"},
        {"accelerator.json", "accelerators/h100-80gb-sxm.json"}};
    for (const auto& [schema_file, sample] : samples) {
        const auto schema = load(presets / "schema" / schema_file);
        const auto good = load(presets / sample);
        INFO(schema_file);
        REQUIRE(validate(schema, good).empty());
        auto bad = good;
        bad["no_such_key"] = 1;
        CHECK_FALSE(validate(schema, bad).empty());
        bad = good;
        bad.erase("source");
        CHECK_FALSE(validate(schema, bad).empty());
        bad = good;
        bad["name"] = 7;
        CHECK_FALSE(validate(schema, bad).empty());
        bad = good;
        bad["id"] = "../up";
        CHECK_FALSE(validate(schema, bad).empty());
    }
    auto model = load(presets / "models/deepseek-v3.json");
    model["moe"]["expertz"] = 1;
    CHECK_FALSE(validate(load(presets / "schema/model.json"), model).empty());
}

TEST_CASE("ids are file names, unique over all kinds, and every entry names its source") {
    std::map<std::string, std::string> seen;
    for (const auto& [folder, schema_file] : kSchemaOf) {
        for (const auto& path : files(folder)) {
            const auto id = path.stem().string();
            INFO(folder << "/" << id);
            if (folder != "architectures") CHECK(seen.emplace(id, folder).second);
            const auto json = load(path);
            if (folder == "plans") continue;
            CHECK(json.value("id", "") == id);
            CHECK(json.value("source", "").size() > 5);
        }
    }
}

TEST_CASE("the program reads every shipped preset and the links between them hold") {
    const Catalog catalog({presets_directory()});
    const auto line = [](const auto& result) { return result.ok() ? std::string() : result.error().line(); };
    for (const auto& id : catalog.ids(PresetKind::accelerator)) {
        const auto accelerator = catalog.accelerator(id);
        INFO(id);
        REQUIRE(line(accelerator) == "");
        CHECK(line(catalog.architecture((*accelerator)->architecture)) == "");
        // A card shows less than its physical memory, and never a tenth less than its label.
        const auto& a = **accelerator;
        if (a.plan_with_bytes) {
            CHECK(*a.plan_with_bytes <= a.bytes_if_binary_gib * 1.01);
            CHECK(*a.plan_with_bytes >= a.bytes_if_decimal_gb * 0.9);
        }
        CHECK(a.bytes_if_binary_gib / a.bytes_if_decimal_gb == Approx(1.073741824));
    }
    for (const auto& id : catalog.ids(PresetKind::node)) {
        const auto node = catalog.node(id);
        INFO(id);
        REQUIRE(line(node) == "");
        CHECK(line(catalog.accelerator((*node)->accelerator)) == "");
        CHECK_FALSE(((*node)->in_switch_reduction && (*node)->full_mesh));
    }
    for (const auto& id : catalog.ids(PresetKind::model)) CHECK(line(catalog.model(id)) == "");
    for (const auto& id : catalog.ids(PresetKind::stack)) CHECK(line(catalog.stack(id)) == "");
    for (const auto& id : catalog.ids(PresetKind::plan)) {
        const auto plan = catalog.plan(id);
        INFO(id);
        REQUIRE(line(plan) == "");
        const auto setup = resolve(*plan, catalog);
        REQUIRE(line(setup) == "");
        CHECK_FALSE(plan->name.empty());
        // World and expert grid (contract): the shipped plans use every accelerator.
        CHECK(setup->tensor * setup->context * setup->data * setup->pipeline == setup->world());
        if (setup->moe())
            CHECK(setup->expert_tensor * setup->expert * setup->expert_data * setup->pipeline ==
                  setup->world());
        CHECK(plan->training.global_batch_size % (plan->training.micro_batch_size * setup->data) == 0);
    }
}
