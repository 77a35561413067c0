// SPDX-License-Identifier: GPL-3.0-or-later
// BMTrain: the call of init_distributed in a Python program (bmtrain/init.py). It names stages, micro-batches
// and tensor ranks; blocks, batches, model and optimizer are in the rest of the program.
#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

#include "launchers/python_calls.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBytes = std::size_t{1} << 20;
constexpr std::string_view kFunction = "init_distributed";
/// Its parameters in their order.
constexpr std::array kParameters = {"init_method", "seed", "pipe_size", "num_micro_batches", "tp_size"};

/// Is it BMTrain's function, and not one of that name of another library? The program says under which name
/// it knows the module: import bmtrain as bmt.
bool is_start(std::string_view name, std::string_view text) {
    if (!name.ends_with(kFunction)) return false;
    const std::string_view module =
        name.substr(0, name.size() > kFunction.size() ? name.size() - kFunction.size() - 1 : 0);
    if (module.empty()) return name == kFunction && text.find("from bmtrain") != std::string_view::npos;
    return module.starts_with("bmtrain") ||
           text.find(fmt::format("import bmtrain as {}", module)) != std::string_view::npos;
}

struct StartArguments {
    Json literal = Json::object();     ///< parameter → value
    std::vector<std::string> computed; ///< parameters with another value than a literal
};

StartArguments arguments_of(const PythonCall& call) {
    StartArguments arguments{Json::parse(call.keywords), call.not_literal};
    for (std::size_t i = 0; i < call.positional.size(); ++i) {
        const std::string key = i < kParameters.size() ? kParameters[i] : fmt::format("argument {}", i + 1);
        if (call.positional[i].empty())
            arguments.computed.push_back(key);
        else
            arguments.literal[key] = Json::parse(call.positional[i]);
    }
    return arguments;
}

/// 0 and less switch a degree off; one that the program computes, or that is not understood, is not 1.
void read_degree(KeyReader& keys, Imported& plan, const char* key, const char* path, const char* when_off) {
    const auto size = keys.integer(key);
    if (size && *size > 0)
        keys.take_integer(key, path);
    else if (size)
        keys.take_as(key, path, std::int64_t{1}, when_off);
    else if (keys.has(key))
        plan.needs(path, "its value is not understood");
    else
        plan.assume(path, std::int64_t{1}, when_off);
}

void read_degrees(KeyReader& keys, const std::vector<std::string>& computed, Imported& plan) {
    struct Degree {
        const char *key, *path, *when_off;
    };
    for (const Degree& degree :
         {Degree{"tp_size", "parallel.tensor", "without tp_size there are no tensor ranks"},
          Degree{"pipe_size", "parallel.pipeline", "without pipe_size there is no pipeline"}}) {
        const bool is_computed = std::any_of(computed.begin(), computed.end(), [&](const std::string& key) {
            return key == degree.key || key == "*"; // unpacked arguments may be any
        });
        if (is_computed && !keys.has(degree.key))
            plan.needs(degree.path, "the program computes it");
        else
            read_degree(keys, plan, degree.key, degree.path, degree.when_off);
    }
}

/// What the blocks do by themselves, with a pipeline and without (block_layer.py, pipe_layer.py).
void read_blocks(KeyReader& keys, Imported& plan) {
    plan.assume("memory.recompute", std::string("full"),
                "a block of BMTrain is recomputed unless told otherwise");
    const bool pipeline = integer_or(plan, "parallel.pipeline", 1) > 1;
    if (!pipeline && keys.integer("pipe_size").value_or(0) < 1) {
        keys.outside("num_micro_batches", "without a pipeline it is not read");
        plan.assume("parallel.zero", std::int64_t{3}, "a block of BMTrain runs ZeRO 3 unless told otherwise");
        return;
    }
    plan.assume("parallel.zero", std::int64_t{2}, "the pipeline of BMTrain runs ZeRO 2");
    if (pipeline)
        plan.assume("parallel.schedule", std::string("gpipe"),
                    "the pipeline of BMTrain runs all forwards first");
    read_micro_batch_count(keys, plan, "num_micro_batches");
}

} // namespace

int looks_like_bmtrain(std::string_view text, std::string_view) {
    const bool calls = text.find("init_distributed(") != std::string_view::npos;
    return calls && text.find("import bmtrain") != std::string_view::npos   ? 95
           : calls && text.find("from bmtrain") != std::string_view::npos ? 90
                                                                            : 0;
}

Error read_bmtrain(std::string_view text, const std::string& origin, std::string_view version,
                   Imported& plan) {
    const std::string where = one_line(origin, 200);
    if (text.size() > kMostBytes) return {where, "is larger than 1 MiB; the program's start alone is right"};
    std::optional<PythonCall> start;
    for (const PythonCall& call : python_calls(text)) {
        if (!is_start(call.name, text)) continue;
        if (start)
            plan.warn(fmt::format("line {}", call.line), call.name,
                      "another such call: the first in the file counts");
        else
            start = call;
    }
    if (!start) return {where, "does not call bmtrain.init_distributed; a program that does is right"};
    const StartArguments arguments = arguments_of(*start);
    KeyReader keys(arguments.literal, plan);
    plan.assume("stack", std::string("generic"), "no stack is measured with BMTrain");
    plan.assume("target", fmt::format("bmtrain@{}", version), plan.version_reason());
    for (const std::string& key : arguments.computed)
        plan.not_understood(key, fmt::format("line {}", start->line), "only literal values are read");
    read_degrees(keys, arguments.computed, plan);
    read_blocks(keys, plan);
    keys.ignore({"init_method", "seed"});
    for (const auto& [key, value] : arguments.literal.items())
        if (std::find(kParameters.begin(), kParameters.end(), key) == kParameters.end())
            keys.outside(key, "init_distributed has no such argument and refuses it");
    keys.finish();
    for (const char* path :
         {"model", "training.sequence_length", "training.micro_batch_size", "training.global_batch_size"})
        if (!plan.has_note(ImportNote::Kind::missing, path))
            plan.missing(path, "BMTrain leaves it to the rest of the program");
    plan.needs("training.precision", "the program builds the parameters in it");
    assume_gradient_precision(plan);
    plan.missing("cluster.node", "the file names no machines");
    plan.missing("cluster.gpus", "the number of processes is torchrun's");
    return {};
}

} // namespace shardlens::launchers
