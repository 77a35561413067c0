// SPDX-License-Identifier: GPL-3.0-or-later
// Where Megatron-LM's flags stand: in a launch script, or as the map MODEL_ARGS.
#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/bash_words.h"
#include "launchers/import_documents.h"
#include "launchers/import_keys.h"
#include "launchers/megatron_import.h"
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

bool is_flag(const std::string& word) { return word.size() > 2 && word.starts_with("--"); }

std::size_t flag_count(const BashCommand& command) {
    return static_cast<std::size_t>(std::count_if(command.words.begin(), command.words.end(),
                                                  [](const BashWord& w) { return is_flag(w.text); }));
}

std::size_t program_at(const BashCommand& command) {
    for (std::size_t i = 0; i < command.words.size(); ++i)
        if (command.words[i].text.ends_with(".py")) return i;
    return command.words.size();
}

/// How many processes: the value of an option of the starting program, as read.
struct Option {
    std::optional<std::int64_t> count;
    std::string shown, open;
};

Option start_option(const BashCommand& command, std::size_t end,
                    std::initializer_list<std::string_view> names) {
    Option option;
    for (std::size_t i = 0; i < end; ++i) {
        std::string name = command.words[i].text;
        const std::size_t equals = name.find('=');
        const BashWord* word = &command.words[i];
        std::string value = equals == std::string::npos ? "" : name.substr(equals + 1);
        name = name.substr(0, equals);
        std::replace(name.begin(), name.end(), '_', '-');
        if (std::find(names.begin(), names.end(), name) == names.end()) continue;
        if (equals == std::string::npos) {
            if (i + 1 >= end) continue;
            word = &command.words[i + 1];
            value = word->text;
        }
        option.shown = value;
        option.open = word->open.empty() ? "" : word->open[0];
        const auto number = option.open.empty() ? number_from_text(value) : std::nullopt;
        if (number && *number >= 1 && *number <= 1e7 &&
            *number == static_cast<double>(static_cast<std::int64_t>(*number)))
            option.count = static_cast<std::int64_t>(*number);
    }
    return option;
}

void read_world(const BashScript& script, const BashCommand& command, std::size_t program, Imported& plan) {
    Option nodes =
        start_option(command, program, {"--nnodes", "--num-nodes", "--nodes", "-N", "--num-machines"});
    Option processes = start_option(
        command, program, {"--nproc-per-node", "--num-gpus", "--ntasks-per-node", "--gpus-per-node"});
    std::string from = "--nnodes · --nproc_per_node";
    for (const auto& [name, value] : script.sbatch) {
        const auto number = number_from_text(value);
        if (!number || *number < 1 || *number > 1e7) continue;
        if ((name == "--nodes" || name == "-N") && nodes.shown.empty())
            nodes.count = static_cast<std::int64_t>(*number), nodes.shown = value, from = "#SBATCH";
        if (name == "--ntasks-per-node" && processes.shown.empty() && *number > 1)
            processes.count = static_cast<std::int64_t>(*number), processes.shown = value, from = "#SBATCH";
    }
    if (const Option all = start_option(command, program, {"-np", "-n", "--num-processes", "--ntasks"});
        all.count && !processes.count) {
        plan.read("cluster.gpus", *all.count, "-np", all.shown);
        return;
    }
    if (processes.count && nodes.shown.empty()) nodes.count = 1;
    if (nodes.count && processes.count) {
        plan.read("cluster.gpus", *nodes.count * *processes.count, from,
                  fmt::format("{} · {}", *nodes.count, *processes.count));
        return;
    }
    for (const Option* option : {&nodes, &processes}) {
        if (option->open.empty()) continue;
        plan.missing("cluster.gpus",
                     option == &nodes ? "the number of nodes is ${0}, which the script does not set"
                                      : "the processes per node are ${0}, which the script does not set",
                     {option->open}, option == &nodes ? "--nnodes" : "--nproc_per_node", option->shown);
        return;
    }
    if (!plan.has("cluster.gpus"))
        plan.missing("cluster.gpus", "no number of nodes and processes that can be read in the script");
}

/// Values of flags that take more than one word; all others take one or none.
void add_flags(const BashCommand& command, std::size_t program, MegatronFlags& flags, Imported& plan) {
    const auto& words = command.words;
    for (std::size_t i = program + 1; i < words.size();) {
        const BashWord& word = words[i++];
        if (!is_flag(word.text)) {
            if (!word.open.empty())
                plan.not_understood(word.text, "",
                                    "line {0}: not known from the script alone: what it holds is not read",
                                    {std::to_string(word.line)});
            else
                plan.not_understood(word.text, "", "line {0}: a word without a flag",
                                    {std::to_string(word.line)});
            continue;
        }
        std::string name = word.text;
        std::vector<std::string> values;
        bool open = !word.open.empty();
        std::string shown;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            values.push_back(name.substr(equals + 1));
            shown = values.back();
            name = name.substr(0, equals);
            if (name.find('$') != std::string::npos) continue;
        } else {
            while (i < words.size() && !is_flag(words[i].text)) {
                if (!values.empty() && name != "--recompute-modules" && name != "--cp-comm-type" &&
                    name != "--rampup-batch-size" && name != "--data-path" && name != "--offload-modules" &&
                    name != "--hierarchical-context-parallel-sizes" && !name.ends_with("-data-path"))
                    break;
                open = open || !words[i].open.empty();
                shown += (shown.empty() ? "" : " ") + words[i].text;
                values.push_back(words[i++].text);
            }
        }
        if (open)
            flags.add_open(std::move(name), std::move(shown));
        else
            flags.add(std::move(name), std::move(values));
    }
}

/// Where a script's flags stand.
struct Flagged {
    const BashCommand* command = nullptr;
    std::size_t program = 0; ///< index of the word that the flags stand behind
    std::size_t others = 0;  ///< further programs
    bool variable = false;   ///< the command is a variable's name and value
};

/// The program with the most flags; without one, the variable with the most: files of arguments that others
/// source, and commands in a string.
Flagged most_flags(const BashScript& script) {
    Flagged found;
    for (const BashCommand& command : script.commands) {
        const std::size_t program = program_at(command);
        if (program == command.words.size()) continue;
        if (found.command) ++found.others;
        if (found.command && flag_count(command) <= flag_count(*found.command)) continue;
        found.command = &command;
        found.program = program;
    }
    if (found.command && flag_count(*found.command) > 0) return found;
    for (const BashCommand& variable : script.variables) {
        if (found.command && flag_count(variable) <= flag_count(*found.command)) continue;
        const std::size_t program = program_at(variable);
        found = {&variable, program == variable.words.size() ? 0 : program, 0, true};
    }
    return found;
}

/// `launcher` = megatron-lm or mindspeed, which runs on Megatron-LM's core 0.12.
Error read_script(std::string_view text, const std::string& origin, const char* launcher,
                  std::string_view version, Imported& plan) {
    const auto script = read_bash(text, origin);
    if (!script) return script.error();
    for (const BashNote& note : script->notes)
        plan.warn(fmt::format("line {}: {}", note.line, note.name), "", note.template_text, note.arguments);
    const Flagged chosen = most_flags(*script);
    if (!chosen.command)
        return {one_line(origin, 200), "starts no program *.py; a script that starts Megatron-LM is right"};
    const BashCommand& command = *chosen.command;
    if (chosen.variable)
        plan.warn(command.words[0].text, "",
                  "no program *.py is started by the text alone: the flags that this variable holds count");
    else if (chosen.others > 0)
        plan.warn(fmt::format("line {}", command.line), command.words[chosen.program].text,
                  "the program with the most flags of {0}", {std::to_string(chosen.others + 1)});
    assume_launcher(plan, launcher, version);
    read_world(*script, command, chosen.program, plan);
    MegatronFlags flags(plan);
    add_flags(command, chosen.program, flags, plan);
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
