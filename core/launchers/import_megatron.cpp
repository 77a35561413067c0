// SPDX-License-Identifier: GPL-3.0-or-later
// Where Megatron-LM's flags stand: in a launch script, or as the map MODEL_ARGS.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/bash_words.h"
#include "launchers/import_documents.h"
#include "launchers/import_keys.h"
#include "launchers/import_megatron.h"
#include "launchers/readers.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

int release_of(std::string_view version) {
    if (version == "main") return 20;
    int minor = 19;
    const std::string_view digits = version.substr(version.find('.') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), minor);
    return minor;
}

void assume_launcher(Imported& plan, std::string_view launcher, std::string_view version) {
    plan.assume("stack", std::string("megatron-lm"), "the program that takes these flags");
    plan.assume("target", fmt::format("{}@{}", launcher, version), plan.version_reason());
}

/// #SBATCH lines with variables, and those of scripts within the script, are known after expansion only.
void add_options(const SbatchOptions& expanded, SbatchOptions& job) {
    for (const auto& option : expanded) {
        const auto same = std::find_if(job.begin(), job.end(),
                                       [&](const auto& other) { return other.first == option.first; });
        if (same == job.end())
            job.push_back(option);
        else if (same->second.find('$') != std::string::npos)
            same->second = option.second;
    }
}

/// Which of several programs or variables count.
void tell_choice(const MegatronProgram& found, Imported& plan) {
    if (found.variables.size() == 1)
        plan.warn(found.variables[0], "",
                  "no program *.py is started by the text alone: the flags that this variable holds count");
    else if (!found.variables.empty())
        plan.warn(fmt::format("{}", fmt::join(found.variables, ", ")), "",
                  "no program *.py is started by the text alone: the flags that these variables hold count");
    else if (found.others > 0)
        plan.warn(fmt::format("line {}", found.command.line), found.command.words[found.at].text,
                  "the program with the most of Megatron-LM's flags, out of {0}",
                  {std::to_string(found.others + 1)});
    if (found.variables.empty() && !found.command.words[found.at].open.empty())
        plan.warn(found.command.words[found.at].text, "",
                  "taken as the program: flags of Megatron-LM stand behind it");
}

/// `launcher` = megatron-lm or mindspeed, which runs on Megatron-LM's core 0.12.
Error read_script(std::string_view text, const std::string& origin, const char* launcher,
                  std::string_view version, Imported& plan) {
    auto script = read_bash(text, origin);
    if (!script) return script.error();
    SbatchOptions job = sbatch_options(text);
    add_options(script->sbatch, job);
    if (const std::string set = slurm_variables(job, text, plan); !set.empty()) {
        script = read_bash(set + std::string(text), origin);
        if (!script) return script.error();
    }
    for (const BashNote& note : script->notes)
        plan.warn(fmt::format("line {}: {}", note.line, note.name), "", note.template_text, note.arguments);
    const MegatronProgram found = find_program(*script, origin, plan);
    if (found.command.words.empty())
        return {one_line(origin, 200), "starts no program *.py; a script that starts Megatron-LM is right"};
    tell_choice(found, plan);
    if (!plan.part().empty()) plan.warn("--part", plan.part(), "a script has no parts: it has no effect");
    assume_launcher(plan, launcher, version);
    read_world(job, found.command, found.at, plan);
    MegatronFlags flags(plan);
    add_flags(found.command, found.at, flags);
    read_megatron_flags(flags, release_of(version));
    return {};
}

} // namespace

int looks_like_megatron_script(std::string_view text, std::string_view file_name) {
    const bool flag = text.find("--tensor-model-parallel-size") != std::string_view::npos ||
                      text.find("--num-attention-heads") != std::string_view::npos ||
                      text.find("--micro-batch-size") != std::string_view::npos;
    if (!flag) return 0;
    const bool started =
        text.find("torchrun") != std::string_view::npos || text.find(".py") != std::string_view::npos;
    if (!started) return text.starts_with("#!") || file_name.ends_with(".sh") ? 60 : 0;
    return file_name.ends_with(".sh") || text.starts_with("#!") ? 80 : 50;
}

Error read_megatron_script(std::string_view text, const std::string& origin, std::string_view version,
                           Imported& plan) {
    return read_script(text, origin, "megatron-lm", version, plan);
}

int looks_like_mindspeed(std::string_view text, std::string_view file_name) {
    const bool own = text.find("mindspeed") != std::string_view::npos ||
                     text.find("--context-parallel-algo") != std::string_view::npos ||
                     text.find("--schedules-method") != std::string_view::npos;
    const int script = looks_like_megatron_script(text, file_name);
    return own && script > 0 ? script + 10 : 0;
}

Error read_mindspeed(std::string_view text, const std::string& origin, std::string_view version,
                     Imported& plan) {
    return read_script(text, origin, "mindspeed", version, plan);
}

int looks_like_megatron_model_args(std::string_view text, std::string_view) {
    return text.find("MODEL_ARGS:") != std::string_view::npos ? 90 : 0;
}

Error read_megatron_model_args(std::string_view text, const std::string& origin, std::string_view version,
                               Imported& plan) {
    auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    const Json* found = nullptr;
    const std::vector<Json> all = *std::move(documents);
    for (const Json& document : all) {
        const bool has =
            document.is_object() && document.contains("MODEL_ARGS") && document["MODEL_ARGS"].is_object();
        if (has && found) plan.warn("MODEL_ARGS", "", "given in several documents, the last one counts");
        if (has) found = &document;
    }
    if (!found)
        return {one_line(origin, 200), "has no map MODEL_ARGS; MODEL_ARGS: {--num-layers: 32, …} is right"};
    assume_launcher(plan, "megatron-lm", version);
    KeyReader keys(*found, plan);
    keys.take_integer("WORLD_SIZE", "cluster.gpus");
    if (!plan.has("cluster.gpus")) plan.missing("cluster.gpus", "the world is not in this file");
    keys.ignore({"ENV_VARS.*", "MODEL_ARGS.*", "TEST_TYPE", "METRICS", "BEFORE_SCRIPT", "AFTER_SCRIPT"});
    MegatronFlags flags(plan);
    for (const auto& [key, value] : (*found)["MODEL_ARGS"].items()) {
        if (value.is_null() || value == false) continue; // unset, and a switch that is off
        std::vector<std::string> values;
        if (value.is_string()) {
            std::string words = value.get<std::string>();
            // "[a b]": several values, as _run_training.sh of the functional tests takes them
            if (words.size() > 2 && words.front() == '[' && words.find(']') == words.size() - 1)
                words = words.substr(1, words.size() - 2);
            if (words.find("${") != std::string::npos) { // a value outside this file
                flags.add_open(key.starts_with("--") ? key : "--" + key, words);
                continue;
            }
            for (std::size_t at = 0; at < words.size();) {
                const std::size_t end = std::min(words.find(' ', at), words.size());
                if (end > at) values.push_back(words.substr(at, end - at));
                at = end + 1;
            }
        } else if (value.is_array()) {
            for (const Json& item : value)
                values.push_back(item.is_string() ? item.get<std::string>() : item.dump());
        } else if (value.is_object()) {
            plan.not_understood("MODEL_ARGS." + key, "{…}", "a value or true is right");
            continue;
        } else if (value != true) {
            values.push_back(value.dump());
        }
        flags.add(key.starts_with("--") ? key : "--" + key, std::move(values));
    }
    read_megatron_flags(flags, release_of(version));
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
