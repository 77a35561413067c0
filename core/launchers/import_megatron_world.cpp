// SPDX-License-Identifier: GPL-3.0-or-later
// How many processes a script starts. Meanings of the options: manuals of srun and sbatch (-N nodes, -n tasks
// of the whole job, --ntasks-per-node), torchrun --help, mpirun(1).
#include <algorithm>
#include <fmt/format.h>
#include <optional>

#include "launchers/import_keys.h"
#include "launchers/import_megatron.h"

namespace shardlens::launchers {

namespace {

using Names = std::vector<std::string_view>;

/// An option of the starting program or of the job, as read.
struct Option {
    std::optional<std::int64_t> count;
    std::string name; ///< as written, "" = not there
    std::string shown, open;
    [[nodiscard]] bool given() const { return !name.empty(); }
};

const Names kSlurmNodes = {"--nodes", "-N"}, kSlurmTasks = {"--ntasks", "-n"},
            kSlurmPerNode = {"--ntasks-per-node"};

std::optional<std::int64_t> positive(std::string_view text) {
    const auto number = number_from_text(std::string(text));
    if (!number || *number < 1 || *number > 1e7) return std::nullopt;
    const auto count = static_cast<std::int64_t>(*number);
    return static_cast<double>(count) == *number ? std::optional(count) : std::nullopt;
}

/// "-N8" and "--nodes=8" as name and value; the value is empty when the next word holds it.
std::pair<std::string, std::string> split_option(const std::string& word) {
    if (word.starts_with("--")) {
        const std::size_t equals = word.find('=');
        return {word.substr(0, equals), equals == std::string::npos ? "" : word.substr(equals + 1)};
    }
    const bool attached = word.size() > 2 && word[0] == '-' &&
                          ((word[2] >= '0' && word[2] <= '9') || word[2] == '$' || word[2] == '=');
    if (!attached) return {word, ""};
    return {word.substr(0, 2), word.substr(word[2] == '=' ? 3 : 2)};
}

/// `shortened`: argparse takes the beginning of a name as well, as torchrun does.
bool is_one_of(std::string name, const Names& names, bool shortened) {
    if (name.starts_with("--")) std::replace(name.begin(), name.end(), '_', '-');
    return std::any_of(names.begin(), names.end(), [&](std::string_view full) {
        return name == full || (shortened && name.size() > 3 && full.starts_with(name));
    });
}

/// The last of the options between two words.
Option find_option(const BashCommand& command, std::size_t begin, std::size_t end, const Names& names,
                   bool shortened = false) {
    Option option;
    for (std::size_t i = begin; i < end; ++i) {
        auto [name, value] = split_option(command.words[i].text);
        if (!is_one_of(name, names, shortened)) continue;
        const BashWord* word = &command.words[i];
        if (value.empty()) {
            if (i + 1 >= end) continue;
            word = &command.words[++i];
            value = word->text;
        }
        option = {std::nullopt, name, value, word->open.empty() ? "" : word->open[0]};
        if (option.open.empty()) option.count = positive(value);
    }
    return option;
}

Option find_option(const SbatchOptions& job, const Names& names) {
    Option option;
    for (const auto& [name, value] : job)
        if (is_one_of(name, names, false)) option = {positive(value), "#SBATCH " + name, value, ""};
    return option;
}

enum class Starter : std::uint8_t { other, torchrun, srun, mpirun };

std::string_view file_of(std::string_view word) { return word.substr(word.rfind('/') + 1); }

/// The starter next to the program, and where it stands.
std::pair<Starter, std::size_t> starter_of(const BashCommand& command, std::size_t program) {
    for (std::size_t i = program; i-- > 0;) {
        const std::string_view word = command.words[i].text, file = file_of(word);
        if (file == "torchrun" || word.starts_with("torch.distributed.") ||
            word.ends_with("torch/distributed/run.py") || word.ends_with("torch/distributed/launch.py"))
            return {Starter::torchrun, i};
        if (file == "srun") return {Starter::srun, i};
        if (file == "mpirun" || file == "mpiexec" || file == "orterun") return {Starter::mpirun, i};
    }
    return {Starter::other, 0};
}

/// A word among the starter's options that may hold any of them: "$DISTRIBUTED_ARGS".
std::string unread_option(const BashCommand& command, std::size_t starter, std::size_t program) {
    for (std::size_t i = starter + 1; i < program; ++i) {
        const BashWord& word = command.words[i];
        const std::string& before = command.words[i - 1].text;
        const bool value = i > starter + 1 && before.starts_with("-") && before != "--standalone" &&
                           before.find('=') == std::string::npos;
        if (!word.open.empty() && word.text.starts_with('$') && !value) return word.text;
    }
    return {};
}

/// What is known of a world; fields that are not given stay empty.
struct World {
    Option tasks, nodes, per_node;
    bool one_node = false; ///< no number of nodes means one
};

void not_said(const Option& option, const char* open_text, Imported& plan) {
    if (!option.open.empty())
        plan.missing("cluster.gpus", open_text, {option.open}, option.name, option.shown);
    else
        plan.missing("cluster.gpus", "no single number: how many processes run is not known", {}, option.name,
                     option.shown);
}

void take_world(const World& world, Imported& plan) {
    if (world.tasks.count) {
        plan.read("cluster.gpus", *world.tasks.count, world.tasks.name, world.tasks.shown);
        return;
    }
    if (world.tasks.given())
        return not_said(world.tasks, "the number of processes is ${0}, which the script does not set", plan);
    if (world.nodes.given() && !world.nodes.count)
        return not_said(world.nodes, "the number of nodes is ${0}, which the script does not set", plan);
    if (world.per_node.given() && !world.per_node.count)
        return not_said(world.per_node, "the processes per node are ${0}, which the script does not set",
                        plan);
    if (world.nodes.count && world.per_node.count)
        plan.read("cluster.gpus", *world.nodes.count * *world.per_node.count,
                  fmt::format("{} · {}", world.nodes.name, world.per_node.name),
                  fmt::format("{} · {}", *world.nodes.count, *world.per_node.count));
    else if (world.per_node.count && world.one_node)
        plan.read("cluster.gpus", *world.per_node.count, world.per_node.name, world.per_node.shown,
                  "one node: no number of nodes is given");
    else if (world.per_node.count)
        plan.missing("cluster.gpus", "the processes per node are given, the number of nodes is not", {},
                     world.per_node.name, world.per_node.shown);
    else if (!plan.has("cluster.gpus"))
        plan.missing("cluster.gpus", "no number of nodes and processes that can be read in the script");
}

/// An option of the command, else of the job.
Option either(Option own, const SbatchOptions& job, const Names& names) {
    return own.given() ? std::move(own) : find_option(job, names);
}

World slurm_world(const SbatchOptions& job, const BashCommand& command, std::size_t begin, std::size_t end) {
    World world;
    world.tasks = find_option(command, begin, end, kSlurmTasks);
    if (world.tasks.given()) return world; // -n is the world, whatever --ntasks-per-node says
    const Option nodes = find_option(command, begin, end, kSlurmNodes);
    const Option per_node = find_option(command, begin, end, kSlurmPerNode);
    if (!nodes.given() || !per_node.given()) world.tasks = find_option(job, kSlurmTasks);
    world.nodes = either(nodes, job, kSlurmNodes);
    world.per_node = either(per_node, job, kSlurmPerNode);
    return world;
}

/// deepspeed, accelerate, scripts of one's own: whatever name the number has.
World any_world(const SbatchOptions& job, const BashCommand& command, std::size_t end) {
    World world;
    world.tasks = find_option(command, 0, end, {"--num-processes", "-np", "-n", "--ntasks"});
    world.nodes =
        either(find_option(command, 0, end, {"--nnodes", "--num-nodes", "--nodes", "-N", "--num-machines"}),
               job, kSlurmNodes);
    world.per_node = find_option(command, 0, end,
                                 {"--nproc-per-node", "--num-gpus", "--ntasks-per-node", "--gpus-per-node"});
    world.one_node = !is_one_of(world.per_node.name, kSlurmPerNode, false);
    if (world.tasks.given() || world.per_node.given()) return world;
    // One task of the job is often a starter of its own.
    const auto several = [](Option option) { return option.count == 1 ? Option{} : option; };
    world.tasks = several(find_option(job, kSlurmTasks));
    world.per_node = several(find_option(job, kSlurmPerNode));
    world.one_node = false;
    return world;
}

/// Does the name stand in the text, not as the beginning of a longer one?
bool uses(std::string_view text, std::string_view name) {
    for (std::size_t at = text.find(name); at != std::string_view::npos; at = text.find(name, at + 1)) {
        const std::size_t end = at + name.size();
        if (end == text.size() || (text[end] != '_' && (text[end] < 'A' || text[end] > 'Z'))) return true;
    }
    return false;
}

} // namespace

void read_world(const SbatchOptions& job, const BashCommand& command, std::size_t program, Imported& plan) {
    const auto [starter, at] = starter_of(command, program);
    World world;
    if (starter == Starter::torchrun) {
        world.nodes = find_option(command, at, program, {"--nnodes"}, true);
        world.per_node = find_option(command, at, program, {"--nproc-per-node"}, true);
        world.one_node = true; // torchrun --help: --nnodes has the default 1
    } else if (starter == Starter::srun) {
        world = slurm_world(job, command, at, program);
    } else if (starter == Starter::mpirun) {
        world.tasks = find_option(command, at, program, {"-np", "--np", "-n", "--n"});
        if (!world.tasks.given()) world = slurm_world(job, command, program, program);
    } else {
        world = any_world(job, command, program);
    }
    const bool known = world.tasks.count || (world.nodes.count && world.per_node.count);
    if (const std::string unread = unread_option(command, at, program); !known && !unread.empty()) {
        plan.missing("cluster.gpus", "may stand in {0}, which is not known from this file alone", {unread});
        return;
    }
    if (starter == Starter::torchrun && !world.nodes.given()) {
        const Option nodes = either(find_option(command, 0, at, kSlurmNodes), job, kSlurmNodes);
        if (nodes.given() && nodes.count != 1) {
            plan.missing("cluster.gpus",
                         "torchrun without --nnodes is one node each, and the job has several", {},
                         nodes.name, nodes.shown);
            return;
        }
    }
    take_world(world, plan);
}

SbatchOptions sbatch_options(std::string_view text) {
    SbatchOptions options;
    while (!text.empty() && options.size() < 100) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        if (line[first] != '#') break;
        if (!line.starts_with("#SBATCH")) continue;
        std::vector<std::string> words;
        for (std::size_t at = 7; (at = line.find_first_not_of(" \t\r", at)) != std::string_view::npos;) {
            if (line[at] == '#') break; // a remark of the author
            const std::size_t end = std::min(line.find_first_of(" \t\r", at), line.size());
            words.emplace_back(line.substr(at, end - at));
            at = end;
        }
        for (std::size_t i = 0; i < words.size(); ++i) {
            auto [name, value] = split_option(words[i]);
            if (value.empty() && i + 1 < words.size() && !words[i + 1].starts_with('-')) value = words[++i];
            options.emplace_back(std::move(name), std::move(value));
        }
    }
    return options;
}

std::string slurm_variables(const SbatchOptions& options, std::string_view text, Imported& plan) {
    const Option nodes = find_option(options, kSlurmNodes), tasks = find_option(options, kSlurmTasks),
                 per_node = find_option(options, kSlurmPerNode);
    Option gpus = find_option(options, {"--gpus-per-node", "--gres"});
    if (const std::size_t kind = gpus.shown.rfind(':'); kind != std::string::npos) // gpu:a100:8
        gpus.count = positive(std::string_view(gpus.shown).substr(kind + 1));
    Option all = tasks;
    if (!tasks.given() && nodes.count && per_node.count) {
        all.count = *nodes.count * *per_node.count;
        all.name = nodes.name + " · " + per_node.name;
    }
    std::string assignments;
    for (const auto& [name, option] : {std::pair<const char*, const Option*>{"SLURM_NNODES", &nodes},
                                       {"SLURM_JOB_NUM_NODES", &nodes},
                                       {"SLURM_NTASKS_PER_NODE", &per_node},
                                       {"SLURM_NTASKS", &all},
                                       {"SLURM_NPROCS", &all},
                                       {"SLURM_GPUS_ON_NODE", &gpus}}) {
        if (!option->count || !uses(text, name)) continue;
        assignments += fmt::format("{}={}; ", name, *option->count);
        plan.warn(name, std::to_string(*option->count), "as Slurm sets it in a job with {0}", {option->name});
    }
    return assignments;
}

} // namespace shardlens::launchers
