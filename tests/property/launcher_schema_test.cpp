// SPDX-License-Identifier: GPL-3.0-or-later
// Every export of the grid that is JSON, YAML or TOML against the JSON Schema of its launcher
// (tests/data/launchers/schema, written from the launchers' own definitions; presets/schema/plan.json for
// plans).
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>

#include "catch.h"
#include "launcher_exports.h"
#include "launcher_grid.h"
#include "launchers/import_documents.h"
#include "staged_plans.h"
#include "json/strict_json.h"

using namespace shardlens;
using nlohmann::json;
using Pointer = json::json_pointer;

namespace {

class SchemaFile {
public:
    explicit SchemaFile(const std::string& path) {
        const auto text = read_text(path);
        INFO(path);
        REQUIRE(text.ok());
        m_text = json::parse(*text);
        valijson::SchemaParser parser;
        const valijson::adapters::NlohmannJsonAdapter adapter(m_text);
        parser.populateSchema(adapter, m_schema);
    }

    /// The first thing that is wrong with the document; "" when nothing is.
    [[nodiscard]] std::string complaint(const json& document) const {
        valijson::Validator validator(valijson::Validator::kStrongTypes);
        valijson::ValidationResults results;
        const valijson::adapters::NlohmannJsonAdapter adapter(document);
        if (validator.validate(m_schema, adapter, &results)) return {};
        std::string line = "refused";
        for (valijson::ValidationResults::Error error; results.popError(error);) {
            line += "; ";
            for (const std::string& part : error.context) line += part;
            line += ": " + error.description;
        }
        return line;
    }

private:
    json m_text;
    valijson::Schema m_schema;
};

/// The schemas by name, each read once: "nanotron@0.4", "accelerate@1.15-fsdp".
const SchemaFile& schema(const std::string& name) {
    static std::map<std::string, std::unique_ptr<SchemaFile>> known;
    std::unique_ptr<SchemaFile>& file = known[name];
    if (!file)
        file = std::make_unique<SchemaFile>(name == "contract@1"
                                                ? presets_directory() + "/schema/plan.json"
                                                : data_file("launchers/schema/" + name + ".json"));
    return *file;
}

json plain(const nlohmann::ordered_json& document) { return json::parse(document.dump()); }

/// A file as the importers read it.
json parsed(const launchers::File& file) {
    launchers::Imported account;
    INFO(file.text);
    if (file.name.ends_with(".json")) {
        const auto document = launchers::relaxed_object(file.text, file.name, account);
        REQUIRE(document.ok());
        return plain(*document);
    }
    if (file.name.ends_with(".toml")) {
        const auto document = launchers::toml_document(file.text, file.name);
        REQUIRE(document.ok());
        return plain(*document);
    }
    const auto documents = launchers::yaml_documents(file.text, file.name, account);
    REQUIRE(documents.ok());
    REQUIRE(documents->size() == 1);
    return plain(documents->front());
}

/// model_args.yaml holds flags: megatron_flags_test.cpp looks at those.
bool has_schema(const std::string& name) {
    const bool document = name.ends_with(".json") || name.ends_with(".yaml") || name.ends_with(".toml");
    return document && name != "model_args.yaml";
}

/// accelerate has one schema per backend.
std::string schema_name(const launchers::Launcher& launcher, const char* version, const json& document) {
    std::string name = fmt::format("{}@{}", launcher.id, version);
    if (launcher.id != std::string_view("accelerate")) return name;
    std::string backend = document.at("distributed_type");
    if (backend == "NO") backend = "MULTI_GPU";
    for (char& c : backend)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return name + "-" + backend;
}

/// The grid, and what it leaves out: plain replicas, and every value of the fields that it keeps still.
std::vector<Plan> plans_to_export() {
    std::vector<Plan> plans = test::launcher_grid();
    Plan flat;
    flat.name = "plain replicas";
    flat.model = std::string("llama3-8b");
    flat.cluster.node = "dgx-h100";
    flat.cluster.gpus = 16;
    flat.training.sequence_length = 8192;
    flat.training.micro_batch_size = 1;
    flat.training.global_batch_size = 64;
    plans.push_back(flat);
    Plan sharded = flat;
    sharded.parallel.zero = 3;
    for (const Plan& base : {flat, sharded, test::staged_plan()})
        for (const char* path :
             {"training.optimizer", "training.precision", "training.attention", "training.gradient_dtype",
              "training.optimizer_dtype", "memory.recompute", "memory.offload_optimizer",
              "memory.offload_parameters", "memory.offload_activations"})
            for (const std::string_view choice : find_field(path)->choices) {
                Plan plan = base;
                REQUIRE(set_field(plan, path, std::string(choice)).what.empty());
                plan.name = fmt::format("{} {}", path, choice);
                if (resolve(plan, test::catalog())) plans.push_back(std::move(plan));
            }
    for (Plan& plan : test::staged_plans()) plans.push_back(std::move(plan));
    return plans;
}

struct Documents {
    std::map<std::string, json> richest; ///< by schema: the file with most in it
    std::map<std::string, std::size_t> files;
};

/// All of the grid's documents, each checked against its schema.
const Documents& checked_documents() {
    static const Documents all = [] {
        Documents found;
        const std::vector<Plan> plans = plans_to_export();
        for (const launchers::Launcher& launcher : launchers::table())
            for (const char* version : launcher.versions)
                for (const Plan& plan : plans) {
                    const test::MadeExport made = test::made_export(launcher, version, plan);
                    for (const launchers::File& file : made.result.files) {
                        if (!has_schema(file.name)) continue;
                        const json document = parsed(file);
                        const std::string name = schema_name(launcher, version, document);
                        INFO(name << " " << plan.name << "\n" << file.text);
                        CHECK(schema(name).complaint(document) == "");
                        ++found.files[name];
                        json& richest = found.richest[name];
                        if (document.dump().size() > richest.dump().size()) richest = document;
                    }
                }
        return found;
    }();
    return all;
}

/// Objects that the launcher hands on unread: any key may stand in them.
const std::set<std::string> kOpen = {
    "deepspeed@0.19/optimizer/params",
    "llm-foundry@0.22/variables",
    "llm-foundry@0.22/tokenizer",
    "llm-foundry@0.22/train_loader",
    "llm-foundry@0.22/optimizer",
    "llm-foundry@0.22/scheduler",
    "llm-foundry@0.22/model/ffn_config/ffn_act_fn",
    "llm-foundry@0.22/model/activation_checkpointing_target",
};

/// Puts a wrong thing in every place below `at`; each must be refused. Returns how many were tried.
std::size_t spoil_everywhere(const std::string& name, const json& document, const Pointer& at) {
    const json& here = document.at(at);
    if (kOpen.contains(name + at.to_string())) return 0;
    std::size_t tried = 0;
    const auto refused = [&](const Pointer& place, const json& wrong) {
        json spoilt = document;
        spoilt[place] = wrong;
        INFO(name << " " << place.to_string() << " = " << wrong.dump());
        CHECK_FALSE(schema(name).complaint(spoilt).empty());
        ++tried;
    };
    if (here.is_object()) {
        refused(at / "unheard-of", 1);
        for (const auto& [key, value] : here.items()) tried += spoil_everywhere(name, document, at / key);
    } else {
        refused(at, json{{"unheard-of", 1}});
        if (!here.is_string() && !here.is_array()) refused(at, "unheard-of");
    }
    return tried;
}

struct BadValue {
    const char* schema;
    const char* place;
    const char* right; ///< JSON
    const char* wrong;
};
/// Values outside a choice or a range, beside one inside.
const BadValue kBadValues[] = {
    {"deepspeed@0.19", "/zero_optimization/stage", "3", "4"},
    {"deepspeed@0.19", "/zero_optimization/offload_optimizer", R"({"device": "cpu"})",
     R"({"device": "gpu"})"},
    {"deepspeed@0.19", "/optimizer/type", R"("AdamW")", R"("Adafactor")"},
    {"deepspeed@0.19", "/data_types/grad_accum_dtype", R"("fp32")", R"("float32")"},
    {"deepspeed@0.19", "/train_micro_batch_size_per_gpu", "1", "0"},
    {"torchtitan@0.2.2", "/parallelism/fsdp_reshard_after_forward", R"("always")", R"("sometimes")"},
    {"torchtitan@0.2.2", "/parallelism/pipeline_parallel_schedule", R"("ZBVZeroBubble")", R"("ZBV")"},
    {"torchtitan@0.2.2", "/parallelism/context_parallel_rotate_method", R"("alltoall")", R"("ring")"},
    {"torchtitan@0.2.2", "/activation_checkpoint/selective_ac_option", R"("op")", R"("attention")"},
    {"torchtitan@0.2.2", "/training/mixed_precision_param", R"("bfloat16")", R"("float16")"},
    {"accelerate@1.15-fsdp", "/fsdp_config/fsdp_version", "2", "3"},
    {"accelerate@1.15-fsdp", "/fsdp_config/fsdp_state_dict_type", R"("SHARDED_STATE_DICT")",
     R"("LOCAL_STATE_DICT")"},
    {"accelerate@1.15-fsdp", "/fsdp_config/fsdp_reshard_after_forward", "true", R"("FULL_SHARD")"},
    {"accelerate@1.15-fsdp", "/parallelism_config/parallelism_config_cp_comm_strategy", R"("alltoall")",
     R"("ring")"},
    {"accelerate@1.15-deepspeed", "/deepspeed_config/zero_stage", "1", "4"},
    {"accelerate@1.15-megatron_lm", "/megatron_lm_config/megatron_lm_recompute_granularity", R"("full")",
     R"("uniform")"},
    {"accelerate@1.15-multi_gpu", "/mixed_precision", R"("bf16")", R"("bfloat16")"},
    {"nanotron@0.4", "/parallelism/pp_engine", R"("afab")", R"("interleaved")"},
    {"nanotron@0.4", "/parallelism/tp_mode", R"("ALL_REDUCE")", R"("SEQUENCE")"},
    {"nanotron@0.4", "/optimizer/zero_stage", "1", "3"},
    {"nanotron@0.4", "/model/model_config/_attn_implementation", R"("ring")", R"("flash")"},
    {"nanotron@0.4", "/model/dtype", R"("bfloat16")", R"("bf16")"},
    {"colossalai@0.5", "/args/zero_stage", "2", "3"},
    {"colossalai@0.5", "/args/sequence_parallelism_mode", R"("ring_attn")", R"("ulysses")"},
    {"colossalai@0.5", "/args/precision", R"("bf16")", R"("fp8")"},
    {"colossalai@0.5", "/plugin", R"("MoeHybridParallelPlugin")", R"("GeminiPlugin")"},
    {"llm-foundry@0.22", "/fsdp_config/sharding_strategy", R"("_HYBRID_SHARD_ZERO2")", R"("ZERO3")"},
    {"llm-foundry@0.22", "/precision", R"("amp_bf16")", R"("bf16")"},
    {"llm-foundry@0.22", "/max_duration", R"("1000ba")", R"("1000 steps")"},
    {"llm-foundry@0.22", "/model/attn_config/attn_impl", R"("torch")", R"("triton")"},
    {"sagemaker@1", "/smdistributed/modelparallel/parameters/placement_strategy", R"("spread")", R"("DPT")"},
    {"sagemaker@1", "/smdistributed/modelparallel/parameters/pipeline", R"("simple")", R"("1f1b")"},
    {"sagemaker@2", "/smp/tensor_parallel_degree", "8", "0"},
    {"megatron-bridge@0.6", "/model/recompute_granularity", R"("selective")", R"("some")"},
    {"megatron-bridge@0.6", "/model/cp_comm_type", R"("all_gather")", R"("allgather")"},
    {"megatron-bridge@0.6", "/ddp/data_parallel_sharding_strategy", R"("optim_grads")", R"("zero2")"},
    {"megatron-bridge@0.6", "/train/micro_batch_size", "1", "0"},
    {"contract@1", "/parallel/zero", "3", "4"},
};

} // namespace

TEST_CASE("every export of the grid is valid by its launcher's schema") {
    const Documents& documents = checked_documents();
    std::set<std::string> files;
    for (const auto& entry : std::filesystem::directory_iterator(data_file("launchers/schema")))
        if (entry.path().extension() == ".json") files.insert(entry.path().stem().string());
    files.insert("contract@1");
    std::map<std::string, std::size_t> of_launcher;
    for (const std::string& name : files) {
        INFO(name);
        CHECK(documents.files.contains(name)); // no schema that nothing is held to
        const auto count = documents.files.find(name);
        of_launcher[name.substr(0, name.find('-', name.find('@')))] +=
            count == documents.files.end() ? 0 : count->second;
    }
    for (const auto& [launcher, count] : of_launcher) {
        INFO(launcher);
        CHECK(count >= 200);
    }
}

TEST_CASE("a key too many and a value of the wrong type are refused wherever they stand") {
    for (const auto& [name, document] : checked_documents().richest) {
        INFO(name);
        CHECK(spoil_everywhere(name, document, Pointer()) >= 10);
        for (const char* needed : {"model", "parallelism", "num_processes", "zero_optimization", "args",
                                   "smp", "smdistributed", "max_seq_len"}) {
            if (!document.contains(needed)) continue;
            json without = document;
            without.erase(needed);
            INFO("without " << needed);
            CHECK_FALSE(schema(name).complaint(without).empty());
        }
    }
}

TEST_CASE("values outside a choice or a range are refused") {
    std::set<std::string> named;
    for (const BadValue& row : kBadValues) {
        json document = checked_documents().richest.at(row.schema);
        INFO(row.schema << " " << row.place);
        document[Pointer(row.place)] = json::parse(row.right);
        CHECK(schema(row.schema).complaint(document) == "");
        document[Pointer(row.place)] = json::parse(row.wrong);
        CHECK_FALSE(schema(row.schema).complaint(document).empty());
        named.insert(row.schema);
    }
    for (const auto& [name, document] : checked_documents().richest) {
        INFO(name);
        CHECK(named.contains(name));
    }
}
