// SPDX-License-Identifier: GPL-3.0-or-later
// presets/schema/plan.json and the field table say the same; plans are judged alike by the schema and by the
// reader.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "catch.h"
#include "plan/fields.h"
#include "plan/plan_json.h"
#include "json/strict_json.h"

using namespace shardlens;

namespace {

nlohmann::json read(const std::string& path) {
    const auto text = read_text(path);
    REQUIRE(text.ok());
    return nlohmann::json::parse(*text);
}

const nlohmann::json& document() {
    static const nlohmann::json schema = read(presets_directory() + "/schema/plan.json");
    return schema;
}

/// The object schema that holds the fields of a group.
const nlohmann::json& group_schema(std::string_view group) {
    const nlohmann::json& top = document();
    const auto& model = top.at("properties").at("model").at("anyOf").at(1);
    if (group.empty()) return top;
    if (group == "model") return model;
    if (group.starts_with("model.")) return model.at("properties").at(std::string(group.substr(6)));
    return top.at("properties").at(std::string(group));
}

const nlohmann::json& field_schema(const Field& field) {
    if (field.path == std::string_view("model"))
        return document().at("properties").at("model").at("anyOf").at(0);
    return group_schema(field.group()).at("properties").at(std::string(field.key()));
}

bool schema_accepts(const nlohmann::json& plan) {
    static const auto schema = [] {
        auto parsed = std::make_unique<valijson::Schema>();
        valijson::SchemaParser parser;
        const valijson::adapters::NlohmannJsonAdapter adapter(document());
        parser.populateSchema(adapter, *parsed);
        return parsed;
    }();
    valijson::Validator validator(valijson::Validator::kStrongTypes);
    const valijson::adapters::NlohmannJsonAdapter adapter(plan);
    return validator.validate(*schema, adapter, nullptr);
}

bool reader_accepts(const nlohmann::json& plan) { return parse_plan(plan.dump(), "plan.json").ok(); }

/// A plan with a model object that has every part.
nlohmann::json base_plan() {
    return nlohmann::json::parse(R"({"schema": "shardlens/plan/1",
        "model": {"layers": 4, "hidden": 64, "heads": 4, "ffn_hidden": 256, "vocab": 100,
                  "moe": {"experts": 8, "top_k": 2, "expert_ffn": 32},
                  "mla": {"kv_rank": 8, "qk_nope": 16, "qk_rope": 8, "v_dim": 16}},
        "cluster": {"node": "dgx-h100", "gpus": 8},
        "training": {"sequence_length": 4096, "micro_batch_size": 2, "global_batch_size": 32}})");
}

nlohmann::json::json_pointer pointer(const Field& field) {
    std::string path = "/" + std::string(field.path);
    std::replace(path.begin(), path.end(), '.', '/');
    return nlohmann::json::json_pointer(path);
}

void check_same_verdict(const nlohmann::json& plan) {
    INFO(plan.dump());
    const auto read = parse_plan(plan.dump(), "plan.json");
    INFO((read ? std::string("read") : read.error().line()));
    CHECK(schema_accepts(plan) == read.ok());
}

} // namespace

TEST_CASE("each field stands in the schema with its type, bounds, choices, default and sentence") {
    for (const Field& field : fields()) {
        INFO(field.path);
        const nlohmann::json& node = field_schema(field);
        const nlohmann::json choices(std::vector<std::string>(field.choices.begin(), field.choices.end()));
        const bool is_model = field.path == std::string_view("model");
        switch (field.type) {
        case FieldType::boolean: CHECK(node.at("type") == "boolean"); break;
        case FieldType::integer:
        case FieldType::number:
            CHECK(node.at("type") == (field.type == FieldType::integer ? "integer" : "number"));
            CHECK(node.at("minimum") == field.minimum);
            CHECK(node.at("maximum") == field.maximum);
            break;
        case FieldType::text:
            CHECK(node.at("type") == "string");
            CHECK(node.contains("pattern"));
            break;
        case FieldType::choice: CHECK(node.at("enum") == choices); break;
        case FieldType::integer_list:
            CHECK(node.at("type") == "array");
            CHECK(node.at("items").at("type") == "integer");
            CHECK(node.at("items").at("minimum") == field.minimum);
            CHECK(node.at("items").at("maximum") == field.maximum);
            break;
        case FieldType::choice_list: {
            const nlohmann::json& list = field.takes_bool ? node.at("anyOf").at(1) : node;
            if (field.takes_bool) CHECK(node.at("anyOf").at(0).at("type") == "boolean");
            CHECK(list.at("type") == "array");
            CHECK(list.at("uniqueItems") == true);
            CHECK(list.at("items").at("enum") == choices);
            break;
        }
        case FieldType::text_list:
            CHECK(node.at("type") == "array");
            CHECK(node.at("items").at("type") == "string");
            break;
        }
        const nlohmann::json& described = is_model ? document().at("properties").at("model") : node;
        CHECK(described.at("description") == field.tooltip);
        const FieldValue usual = default_value(field);
        if (usual != FieldValue{} && check_value(field, usual))
            CHECK(node.at("default") == nlohmann::json(to_json(usual)));
        else
            CHECK_FALSE(node.contains("default"));
    }
}

TEST_CASE("the schema has no field that the table has not, and no open object") {
    std::set<std::string> groups{""};
    for (const Field& field : fields()) groups.insert(std::string(field.group()));
    for (const std::string& group : groups) {
        INFO("group " << group);
        const nlohmann::json& node = group_schema(group);
        CHECK(node.at("type") == "object");
        CHECK(node.at("additionalProperties") == false);
        std::set<std::string> required;
        for (const auto& [key, value] : node.at("properties").items()) {
            const std::string path = group.empty() ? key : group + "." + key;
            INFO(path);
            const bool known = path == "schema" || find_field(path) || groups.contains(path);
            CHECK(known);
        }
        if (group.empty()) required = {"schema", "cluster", "training"}; // the groups of required fields
        for (const Field& field : fields())
            if (field.group() == group && field.required) required.insert(std::string(field.key()));
        const auto named = node.value("required", nlohmann::json::array()).get<std::set<std::string>>();
        CHECK(named == required);
    }
    CHECK(document().at("properties").at("schema").at("const") == kPlanSchema);
    CHECK(document().at("$schema") == "http://json-schema.org/draft-07/schema#");
}

TEST_CASE("schema and reader agree at and beyond every bound") {
    REQUIRE(schema_accepts(base_plan()));
    REQUIRE(reader_accepts(base_plan()));
    for (const Field& field : fields()) {
        if (field.path == std::string_view("model")) continue;
        std::vector<nlohmann::json> values = {nullptr,
                                              true,
                                              "text",
                                              "two\nlines",
                                              "",
                                              nlohmann::json::array(),
                                              nlohmann::json::object(),
                                              nlohmann::json::array({1, 2}),
                                              nlohmann::json::array({"mlp", "qkv"}),
                                              nlohmann::json::array({"a", ""}),
                                              nlohmann::json::array({true}),
                                              -1,
                                              0,
                                              1,
                                              3,
                                              0.5,
                                              1.5,
                                              100'001,
                                              std::int64_t{2147483648},
                                              1e300};
        for (const std::string_view choice : field.choices) {
            values.emplace_back(std::string(choice));
            values.push_back(nlohmann::json::array({std::string(choice)}));
            values.push_back(nlohmann::json::array({std::string(choice), std::string(choice)}));
        }
        for (const FieldValue& bound : {FieldValue(field.minimum), FieldValue(field.maximum),
                                        FieldValue(field.minimum - 1), FieldValue(field.maximum + 1)})
            values.emplace_back(to_json(bound));
        for (const nlohmann::json& value : values) {
            nlohmann::json plan = base_plan();
            plan[pointer(field)] = value;
            check_same_verdict(plan);
        }
    }
}

TEST_CASE("schema and reader agree on what is missing and what is too much") {
    for (const Field& field : fields()) {
        nlohmann::json plan = base_plan();
        const auto at = pointer(field);
        if (!plan.contains(at)) continue;
        plan[at.parent_pointer()].erase(std::string(field.key()));
        check_same_verdict(plan);
    }
    for (const char* group : {"", "/model", "/model/moe", "/model/mla", "/cluster", "/training", "/parallel",
                              "/memory", "/overlap"}) {
        nlohmann::json plan = base_plan();
        plan[nlohmann::json::json_pointer(group)]["unheard-of"] = 1;
        CHECK_FALSE(schema_accepts(plan));
        check_same_verdict(plan);
        plan = base_plan();
        if (*group) plan[nlohmann::json::json_pointer(group)] = 1;
        check_same_verdict(plan);
    }
    nlohmann::json dense = base_plan();
    dense["model"].erase("moe");
    CHECK(schema_accepts(dense));
    dense["model"].erase("ffn_hidden");
    CHECK_FALSE(schema_accepts(dense));
    check_same_verdict(dense);
    nlohmann::json preset = base_plan();
    preset["model"] = "llama3-8b";
    CHECK(schema_accepts(preset));
    check_same_verdict(preset);
    preset["schema"] = "shardlens/plan/2";
    check_same_verdict(preset);
}

TEST_CASE("the schema's pattern of rank orders is the reader's rule") {
    const Field* field = find_field("parallel.rank_order");
    REQUIRE(field);
    const std::regex pattern(field_schema(*field).at("pattern").get<std::string>());
    const std::vector<std::string> words = {"tp", "cp", "dp", "pp", "ep", "etp", "", "megatron"};
    std::size_t tried = 0, right = 0;
    // Every order of up to four words, and every order of five axes.
    const std::function<void(std::string, std::size_t, std::size_t, std::size_t)> walk =
        [&](std::string order, std::size_t used, std::size_t most, std::size_t known) {
            if (used > 0) {
                const bool reader = check_value(*field, order).ok();
                if (reader != std::regex_search(order, pattern)) FAIL_CHECK(order);
                ++tried;
                right += reader ? 1 : 0;
            }
            if (used == most) return;
            for (std::size_t w = 0; w < known; ++w)
                walk(order + (used ? "-" : "") + words[w], used + 1, most, known);
        };
    walk("", 0, 4, words.size());
    CHECK(right == 24 + 2); // 4! orders of four axes, and the names "megatron" and "megatron-tp-pp-dp"
    right = 0;
    walk("", 0, 5, 5);
    CHECK(right == 24 + 120); // and 5! with ep
    CHECK(tried > 8000);
}

TEST_CASE("every shipped plan is valid by the schema") {
    for (const auto& entry : std::filesystem::directory_iterator(presets_directory() + "/plans")) {
        if (entry.path().extension() != ".json") continue;
        INFO(entry.path().string());
        const auto plan = load_plan(entry.path().string());
        REQUIRE(plan.ok());
        CHECK(schema_accepts(nlohmann::json(plan_to_json(*plan))));
        CHECK(schema_accepts(read(entry.path().string())));
    }
}
