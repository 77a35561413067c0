// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-LM: train.sh starts pretrain_gpt.py with the flags, model_args.yaml holds the same flags as a map
// (MODEL_ARGS, as in the launcher's functional tests).
#include <charconv>
#include <fmt/format.h>

#include "launchers/common.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "launchers/megatron_flags.h"

namespace shardlens::launchers {

namespace {

int release_of(std::string_view version) {
    if (version == "main") return 20;
    int minor = 19;
    const std::string_view digits = version.substr(version.find('.') + 1);
    std::from_chars(digits.data(), digits.data() + digits.size(), minor);
    return minor;
}

std::string header(const Setup& setup, const MegatronScript& script, const MegatronArguments& arguments) {
    std::string text =
        fmt::format("# {}, for {} ({})\n", setup.plan.name.empty() ? "a plan" : comment_text(setup.plan.name),
                    script.title, script.target);
    text += script.note;
    text += "# Not part of a plan, set them yourself: learning rate, data (--mock-data), tokenizer, "
            "checkpoints, rotary base.\n";
    if (!setup.plan.training.tokens)
        text += "# The plan names no tokens: --train-iters 1000 is an example.\n";
    for (const NotExpressed& item : arguments.not_expressed) {
        text += fmt::format("# Not in this file: {}: {}\n", item.path, comment_text(item.instead));
    }
    return text;
}

std::string train_script(const Setup& setup, const MegatronScript& script,
                         const MegatronArguments& arguments) {
    std::string text = "#!/usr/bin/env bash\n" + header(setup, script, arguments);
    text += "# Started on every node by run.sh, which sets NODE_RANK and MASTER_ADDR; the static rendezvous "
            "keeps ranks in "
            "node order.\n"
            "set -euo pipefail\n";
    for (const auto& [name, value] : arguments.environment)
        text += fmt::format("export {}={}\n", name, value);
    // Numbers where they are the same on every node, so that the file can be read without running it.
    const std::int64_t processes = processes_per_node(setup);
    const bool whole = processes_on_last_node(setup) == processes;
    text += fmt::format(
        "exec torchrun --nnodes {} --nproc-per-node {} --node-rank \"${{NODE_RANK:-0}}\" \\\n"
        "    --rdzv-backend static --master-addr \"${{MASTER_ADDR:-127.0.0.1}}\" --master-port "
        "\"${{MASTER_PORT:-29500}}\" \\\n"
        "    \"${{MEGATRON_DIR:-.}}/pretrain_gpt.py\"",
        setup.cluster.nodes(),
        whole ? std::to_string(processes) : fmt::format("\"${{NPROC_PER_NODE:-{}}}\"", processes));
    for (const auto& [name, values] : arguments.flags) {
        text += " \\\n    " + name;
        for (const std::string& value : values) text += " " + shell_word(value);
    }
    return text + "\n";
}

/// As _run_training.sh of the functional tests takes it: since 0.16 a text with blanks is one value and "[a
/// b]" several; before, every text is cut at its blanks.
std::string yaml_value(const std::vector<std::string>& values, int release) {
    if (values.empty()) return "true";
    std::string joined;
    for (const std::string& value : values) joined += (joined.empty() ? "" : " ") + value;
    if (values.size() > 1 && release >= 16) return "\"[" + joined + "]\"";
    // Quoted where YAML could read something else: a pattern of brackets, a layout with bars, "3e-4".
    const bool digits = joined.find_first_not_of("0123456789") == std::string::npos;
    const bool word = joined.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_- ") ==
                      std::string::npos;
    return digits || word ? joined : "\"" + joined + "\"";
}

std::string model_args(const Setup& setup, const MegatronScript& script, const MegatronArguments& arguments) {
    std::string text = header(setup, script, arguments) + "ENV_VARS:\n";
    for (const auto& [name, value] : arguments.environment) text += fmt::format("  {}: {}\n", name, value);
    text += fmt::format("WORLD_SIZE: {}\nMODEL_ARGS:\n", setup.world());
    for (const auto& [name, values] : arguments.flags)
        text += fmt::format("  {}: {}\n", name, yaml_value(values, arguments.release));
    return text;
}

} // namespace

Export megatron_export(const Setup& setup, const MegatronScript& script, MegatronArguments& arguments) {
    add_megatron_model(setup, arguments);
    add_megatron_parallel(setup, arguments);
    add_megatron_training(setup, arguments);

    Export result;
    check_hosts(setup, result);
    arguments.not_expressed.insert(arguments.not_expressed.end(), result.not_expressed.begin(),
                                   result.not_expressed.end());
    result.not_expressed = arguments.not_expressed;
    add_refusals(setup, script.target, result);
    if (!result.refusals.empty()) return result;
    result.files.push_back({"train.sh", train_script(setup, script, arguments), true});
    if (script.with_model_args)
        result.files.push_back({"model_args.yaml", model_args(setup, script, arguments), false});
    add_launch_files(setup, script.target, "exec \"$here/train.sh\"\n", result);
    return result;
}

Export make_megatron_lm(const Setup& setup, const Report&, std::string_view version) {
    MegatronArguments arguments;
    arguments.release = release_of(version);
    MegatronScript script;
    script.target = fmt::format("megatron-lm@{}", version);
    script.title = fmt::format("Megatron-LM {}{}", version == "main" ? "" : "core ", version);
    script.with_model_args = true;
    return megatron_export(setup, script, arguments);
}

} // namespace shardlens::launchers
