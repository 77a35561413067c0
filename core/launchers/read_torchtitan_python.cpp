// SPDX-License-Identifier: GPL-3.0-or-later
// torchtitan's Python configurations of main: literal arguments of the calls that make one.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

#include "launchers/model_parts.h"
#include "launchers/python_calls.h"
#include "launchers/read_torchtitan.h"
#include "launchers/readers.h"
#include "launchers/torchtitan.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;

/// Model keywords of main that its own builders take.
void collect_shape(const Json& keywords, Json& shape) {
    static constexpr std::array kKeys = {std::pair{"n_layers", "layers"},
                                         std::pair{"dim", "hidden"},
                                         std::pair{"n_heads", "heads"},
                                         std::pair{"n_kv_heads", "kv_heads"},
                                         std::pair{"head_dim", "head_dim"},
                                         std::pair{"hidden_dim", "ffn_hidden"},
                                         std::pair{"vocab_size", "vocab"},
                                         std::pair{"enable_weight_tying", "tied_embeddings"},
                                         std::pair{"moe_hidden_dim", "expert_ffn"},
                                         std::pair{"num_experts", "experts"},
                                         std::pair{"top_k", "top_k"}};
    for (const auto& [keyword, name] : kKeys)
        if (keywords.contains(keyword)) shape[name] = keywords[keyword];
}

void read_own_shape(const Json& shape, Imported& plan) {
    KeyReader keys(shape, plan, "shape");
    for (const char* name : {"layers", "hidden", "heads", "kv_heads", "head_dim", "ffn_hidden", "vocab"})
        keys.take_integer(name, fmt::format("model.{}", name));
    keys.take_flag("tied_embeddings", "model.tied_embeddings");
    for (const char* name : {"experts", "top_k", "expert_ffn"})
        keys.take_integer(name, fmt::format("model.moe.{}", name));
    plan.assume("model.gated_mlp", true, "torchtitan's builders make it so");
    if (plan.has("model.moe.experts"))
        plan.assume("model.qk_norm", std::string("per_head"), "torchtitan's Qwen3 builder makes it so");
    keys.finish();
}

bool ends_with(const std::string& name, std::string_view end) {
    return name.ends_with(end) && (name.size() == end.size() || name[name.size() - end.size() - 1] == '.');
}

/// A function at the left edge: its name, and its text from `def` to the next line at that edge.
struct Function {
    std::string name;
    std::size_t begin = 0, end = 0;
};

std::vector<Function> configuration_functions(std::string_view text) {
    std::vector<Function> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t next = std::min(text.find('\n', at), text.size() - 1) + 1;
        const std::string_view line = text.substr(at, next - at);
        const char first = line.front();
        // Brackets of a long signature may close at the edge.
        const bool at_edge =
            first != ' ' && first != '\t' && first != '\n' && first != '\r' && first != '#' && first != ')';
        if (at_edge && !found.empty() && found.back().end == 0) found.back().end = at;
        if (line.starts_with("def "))
            found.push_back({std::string(line.substr(4, line.find_first_of("(: \n", 4) - 4)), at, 0});
        at = next;
    }
    if (!found.empty() && found.back().end == 0) found.back().end = text.size();
    std::erase_if(found, [&](const Function& f) {
        return text.substr(f.begin, f.end - f.begin).find("Trainer.Config") == std::string_view::npos;
    });
    return found;
}

std::string names_of(const std::vector<Function>& functions) {
    std::string names;
    for (const Function& function : functions) names += (names.empty() ? "" : ", ") + function.name;
    return one_line(names, 400);
}

/// The text with everything but one function blank, so that line numbers stay.
std::string alone(std::string_view text, const Function& function) {
    std::string one(text);
    for (std::size_t i = 0; i < one.size(); ++i)
        if ((i < function.begin || i >= function.end) && one[i] != '\n') one[i] = ' ';
    return one;
}

/// The function that `config = NAME()` in this one starts from.
const Function* base_of(std::string_view body, const std::vector<Function>& functions) {
    for (const Function& function : functions)
        if (body.find(fmt::format("config = {}()", function.name)) != std::string_view::npos)
            return &function;
    return nullptr;
}

/// The texts that make one configuration: those it starts from first.
Result<std::vector<std::string>> one_configuration(std::string_view text, const std::string& origin,
                                                   Imported& plan) {
    const auto functions = configuration_functions(text);
    const auto chosen = std::find_if(functions.begin(), functions.end(),
                                     [&](const Function& f) { return f.name == plan.part(); });
    if (!plan.part().empty() && chosen == functions.end())
        return Error{one_line(origin, 200),
                     fmt::format("holds no configuration {}; {} is right", one_line(plan.part()),
                                 functions.empty() ? "no part" : names_of(functions))};
    if (functions.empty()) return std::vector{std::string(text)};
    const Function* function = plan.part().empty() ? &functions.front() : &*chosen;
    if (plan.part().empty() && functions.size() > 1)
        plan.warn(function->name, "", "the first configuration of {0} counts: {1}",
                  {std::to_string(functions.size()), names_of(functions)});
    constexpr std::size_t kDeepest = 8; // one that starts from itself ends
    std::vector<std::string> texts;
    while (function && texts.size() < kDeepest) {
        texts.insert(texts.begin(), alone(text, *function));
        function = base_of(text.substr(function->begin, function->end - function->begin), functions);
    }
    return texts;
}

/// What the texts read so far say.
struct Collected {
    Json document = Json::object(), shape = Json::object();
    std::string family = "llama3";
    std::set<std::string>
        unread; ///< keys whose value is no literal; "training.*" where others may be set too
};

/// Fields that no default stands for where their key is set to something that is not read.
/// Such keys are null in the document from here on.
void ask_for_unread(Collected& all, Imported& plan) {
    struct Row {
        const char *section, *key, *path;
    };
    static constexpr std::array kRows = {
        Row{"parallelism", "tensor_parallel_degree", "parallel.tensor"},
        Row{"parallelism", "pipeline_parallel_degree", "parallel.pipeline"},
        Row{"parallelism", "context_parallel_degree", "parallel.context"},
        Row{"parallelism", "expert_parallel_degree", "parallel.expert"},
        Row{"parallelism", "data_parallel_replicate_degree", "parallel.shard_group"},
        Row{"parallelism", "fsdp_reshard_after_forward", "parallel.zero"},
        Row{"parallelism", "enable_sequence_parallel", "parallel.sequence"},
        Row{"parallelism", "pipeline_parallel_schedule", "parallel.schedule"},
        Row{"parallelism", "pipeline_parallel_layers_per_stage", "parallel.virtual_pipeline"},
        Row{"parallelism", "module_fqns_per_model_part", "parallel.layers_per_stage"},
        Row{"training", "num_tokens_per_train_step", "training.global_batch_size"},
        Row{"training", "global_batch_size", "training.global_batch_size"},
        Row{"training", "mixed_precision_param", "training.precision"},
        Row{"training", "enable_cpu_offload", "memory.offload_parameters"},
        Row{"training", "enable_cpu_offload", "memory.offload_optimizer"},
        Row{"compile", "enable", "stack"},
    };
    for (const auto& [section, key, path] : kRows) {
        const std::string name = fmt::format("{}.{}", section, key);
        const bool literal = all.document.contains(section) && all.document[section].contains(key) &&
                             !all.document[section][key].is_null();
        if (literal || (!all.unread.contains(name) && !all.unread.contains(fmt::format("{}.*", section))))
            continue;
        all.document[section][key] = nullptr;
        plan.needs(path, "{0} may be set to a value that is not read", {name});
    }
}

/// `config.parallelism.tensor_parallel_degree = 8`: the lines that change one value of a section.
void collect_changes(const std::string& text, Collected& out, Imported& plan) {
    int number = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        std::string_view line(text.data() + at, end - at);
        at = end + 1;
        ++number;
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        for (const char* section : {"parallelism", "training", "compile"}) {
            const std::string start = fmt::format("config.{}.", section);
            const std::size_t equals = line.find(" = ");
            if (!line.starts_with(start) || equals == std::string_view::npos) continue;
            const std::string key(line.substr(start.size(), equals - start.size()));
            const auto calls = python_calls(fmt::format("set({}={})", key, line.substr(equals + 3)));
            if (calls.empty()) continue;
            const Json value = Json::parse(calls.front().keywords);
            const std::string name = fmt::format("{}.{}", section, key);
            out.unread.erase(name);
            if (value.contains(key)) {
                out.document[section][key] = value[key];
                continue;
            }
            out.unread.insert(name);
            out.document[section].erase(key); // what the text began with holds no longer
            plan.not_understood(name, fmt::format("line {}", number), "only literal values are read");
        }
    }
}

/// `changes`: the text starts from what was read before and replaces it.
void collect_calls(const std::string& text, bool changes, Collected& out, Imported& plan) {
    Json& document = out.document;
    for (const PythonCall& call : python_calls(text)) {
        const Json keywords = Json::parse(call.keywords);
        const char* section = ends_with(call.name, "ParallelismConfig") ? "parallelism"
                              : ends_with(call.name, "TrainingConfig")  ? "training"
                              : ends_with(call.name, "CompileConfig")   ? "compile"
                                                                        : nullptr;
        const std::string line = fmt::format("line {}", call.line);
        if (section) {
            if (document.contains(section) && !changes) {
                plan.warn(line, call.name, "another such object: the first in the file counts");
                continue;
            }
            document[section] = keywords;
            std::erase_if(out.unread, [&](const std::string& name) {
                return name.starts_with(fmt::format("{}.", section));
            });
            for (const std::string& keyword : call.not_literal) {
                out.unread.insert(fmt::format("{}.{}", section, keyword));
                plan.not_understood(fmt::format("{}.{}", section, keyword), line,
                                    "only literal values are read");
            }
        } else if (ends_with(call.name, "model_registry") &&
                   (changes || !(document.contains("model") && document["model"].contains("name")))) {
            document["model"] = {{"name", out.family}};
            if (!call.positional.empty() && !call.positional.front().empty())
                document["model"]["flavor"] = Json::parse(call.positional.front());
            if (keywords.contains("flavor")) document["model"]["flavor"] = keywords["flavor"];
        } else if (ends_with(call.name, "FullAC.Config") || ends_with(call.name, "SelectiveAC.Config")) {
            document["activation_checkpoint"]["mode"] =
                call.name.find("FullAC") != std::string::npos ? "full" : "selective";
        } else if (call.name.find("LinearConverter.Config") != std::string::npos) {
            document["model"]["converters"].push_back(call.name.find("Float8") != std::string::npos ? "float8"
                                                      : call.name.find("MXFP8") != std::string::npos
                                                          ? "quantize.mx"
                                                          : "nvfp4");
        } else if (call.name.find("_build_") != std::string::npos ||
                   ends_with(call.name, "Llama3Model.Config") || ends_with(call.name, "Qwen3Model.Config")) {
            collect_shape(keywords, out.shape);
        }
    }
}

} // namespace

std::vector<std::string> python_configurations(std::string_view text) {
    std::vector<std::string> names;
    if (text.size() > kMostBytes || looks_like_torchtitan_python(text, "") == 0) return names;
    for (const Function& function : configuration_functions(text)) names.push_back(function.name);
    return names;
}

int looks_like_torchtitan_python(std::string_view text, std::string_view) {
    const auto has = [&](const char* part) { return text.find(part) != std::string_view::npos; };
    if (!has("torchtitan")) return 0;
    return has("ParallelismConfig(") || has("TrainingConfig(") ? 95 : 0;
}

Error read_torchtitan_python(std::string_view text, const std::string& origin, std::string_view,
                             Imported& plan) {
    if (text.size() > kMostBytes)
        return {one_line(origin, 200), "is larger than 1 MiB; a configuration of torchtitan is smaller"};
    Collected all;
    for (const auto& row : torchtitan_flavors())
        if (text.find(fmt::format("torchtitan.models.{} import", row.family)) != std::string_view::npos)
            all.family = row.family;
    const auto texts = one_configuration(text, origin, plan);
    if (!texts) return texts.error();
    for (std::size_t i = 0; i < texts->size(); ++i) {
        collect_calls((*texts)[i], i > 0, all, plan);
        collect_changes((*texts)[i], all, plan);
    }
    ask_for_unread(all, plan);
    const Json &document = all.document, &shape = all.shape;
    KeyReader keys(document, plan);
    plan.assume("target", std::string("torchtitan@main"), "the file is a Python configuration");
    read_rows(torchtitan_main_rows(), keys, plan);
    keys.take_text("activation_checkpoint.mode", "memory.recompute");
    if (shape.contains("layers")) read_own_shape(shape, plan);
    read_torchtitan_keys(keys, plan);
    if (integer_or(plan, "parallel.tensor", 1) > 1 && !plan.has("parallel.sequence"))
        plan.assume("parallel.sequence", true, "torchtitan's default enable_sequence_parallel");
    if (integer_or(plan, "parallel.context", 1) > 1)
        plan.assume("parallel.context_kind", std::string("allgather"),
                    "FlexAttention gathers keys and values");
    const Json* converters = keys.find("model.converters");
    if (converters && converters->dump().find("nvfp4") != std::string::npos)
        keys.take_as("model.converters", "training.precision", std::string("nvfp4"));
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
