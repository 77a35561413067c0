// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/common.h"

#include <algorithm>
#include <fmt/format.h>

#include "placement/placement.h"

namespace shardlens::launchers {

namespace {

bool is_host_name(const std::string& name) {
    return !name.empty() && name[0] != '-' && name[0] != '#' &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '.' || c == '-' || c == '_' || c == ':';
           });
}

/// The plan's names, then node0, node1 … for nodes it does not name.
std::vector<std::string> host_names(const Setup& setup) {
    std::vector<std::string> names = setup.plan.cluster.hosts;
    const auto nodes = static_cast<std::size_t>(setup.cluster.nodes());
    if (names.size() > nodes) names.resize(nodes);
    while (names.size() < nodes) names.push_back(fmt::format("node{}", names.size()));
    return names;
}

std::int64_t axis_size(const Setup& setup, placement::Axis axis) {
    switch (axis) {
    case placement::Axis::tp: return setup.tensor;
    case placement::Axis::cp: return setup.context;
    case placement::Axis::dp: return setup.data;
    case placement::Axis::pp: return setup.pipeline;
    case placement::Axis::ep: return setup.expert;
    case placement::Axis::etp: return setup.expert_tensor;
    case placement::Axis::edp: return setup.expert_data;
    }
    return 1;
}

std::vector<placement::Axis> acting(const Setup& setup, std::vector<placement::Axis> axes) {
    std::erase_if(axes, [&](placement::Axis axis) { return axis_size(setup, axis) == 1; });
    return axes;
}

/// At most 64 characters: queues show fewer.
std::string job_name(const Setup& setup) {
    std::string name;
    for (const char c : setup.plan.name) {
        if (name.size() >= 64) break;
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.';
        if (plain)
            name += c;
        else if (!name.empty() && name.back() != '-')
            name += '-';
    }
    while (!name.empty() && name.back() == '-') name.pop_back();
    return name.empty() ? "shardlens" : name;
}

constexpr const char* kRunHead = R"sh(set -euo pipefail
here=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd)
)sh";

constexpr const char* kFindNode = R"sh(mapfile -t hosts < <(tr -d '\r' < "$here/hosts" | grep -Ev '^[[:space:]]*(#|$)')
if [[ ${#hosts[@]} -ne $NNODES ]]; then
    echo "$here/hosts names ${#hosts[@]} nodes; the plan needs $NNODES, one per line, in the order of the node ranks" >&2
    exit 2
fi
NODE_RANK=${1:-${NODE_RANK:-}}
if [[ -z $NODE_RANK ]]; then
    name=$(hostname)
    for i in "${!hosts[@]}"; do
        if [[ ${hosts[$i]} == "$name" || ${hosts[$i]} == "${name%%.*}" || ${hosts[$i]%%.*} == "$name" ]]; then
            NODE_RANK=$i
        fi
    done
fi
if [[ -z $NODE_RANK ]]; then
    echo "this node ($name) is not in $here/hosts; name it there or give its rank: $0 NODE_RANK" >&2
    exit 2
fi
if ! [[ $NODE_RANK =~ ^[0-9]+$ && $NODE_RANK -lt $NNODES ]]; then
    echo "$NODE_RANK is no rank of a node; 0 to $((NNODES - 1)) is right" >&2
    exit 2
fi
MASTER_ADDR=${MASTER_ADDR:-${hosts[0]}}
)sh";

constexpr const char* kOneNode = R"sh(NODE_RANK=0
MASTER_ADDR=${MASTER_ADDR:-127.0.0.1}
)sh";

} // namespace

std::int64_t processes_per_node(const Setup& setup) {
    return std::min(setup.cluster.gpus, setup.cluster.node.gpus_per_node);
}

std::int64_t processes_on_last_node(const Setup& setup) {
    return setup.cluster.gpus - (setup.cluster.nodes() - 1) * setup.cluster.node.gpus_per_node;
}

Message refusal(const char* code, const char* path, const char* text_template,
                std::vector<std::string> arguments, std::vector<Fix> fixes) {
    return {Severity::error, code, path, text_template, std::move(arguments), std::move(fixes)};
}

void check_hosts(const Setup& setup, Export& result) {
    for (const std::string& name : setup.plan.cluster.hosts) {
        if (is_host_name(name)) continue;
        result.refusals.push_back(refusal("launcher-host-name", "cluster.hosts", "'{0}' is not a host name",
                                          {comment_text(name)}, {{{{"cluster.hosts", std::monostate{}}}}}));
        break;
    }
    const std::size_t named = setup.plan.cluster.hosts.size();
    if (named > 0 && static_cast<std::int64_t>(named) < setup.cluster.nodes()) {
        result.not_expressed.push_back(
            {"cluster.hosts",
             fmt::format("the plan names {} of {} nodes: complete the file hosts, in the order of the node "
                         "ranks",
                         named, setup.cluster.nodes())});
    }
}

bool same_placement(const Setup& setup, std::string_view order) {
    const auto wanted = placement::parse_rank_order(setup.plan.parallel.rank_order);
    const auto given = placement::parse_rank_order(order);
    if (!wanted || !given) return false;
    if (acting(setup, wanted->dense) != acting(setup, given->dense)) return false;
    return !setup.moe() || acting(setup, wanted->expert) == acting(setup, given->expert);
}

std::string torchrun_lines() {
    return "exec torchrun --nnodes \"$NNODES\" --nproc-per-node \"$NPROC_PER_NODE\" --node-rank "
           "\"$NODE_RANK\" \\\n"
           "    --rdzv-backend static --master-addr \"$MASTER_ADDR\" --master-port \"$MASTER_PORT\" \\\n";
}

std::string comment_text(std::string_view text) {
    // Line ends of YAML beyond ASCII: next line, line and paragraph separator.
    constexpr std::string_view kLineEnds[] = {"\xC2\x85", "\xE2\x80\xA8", "\xE2\x80\xA9"};
    std::string line(text);
    for (char& c : line) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    for (const std::string_view end : kLineEnds)
        for (std::size_t at = line.find(end); at != std::string::npos; at = line.find(end, at))
            line.replace(at, end.size(), " ");
    return line;
}

std::string shell_word(const std::string& text) {
    const bool plain = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               std::string_view("-_./:,+@%=").find(c) != std::string_view::npos;
    });
    if (plain) return text;
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

void add_launch_files(const Setup& setup, std::string_view launcher_at_version, std::string_view start,
                      Export& result) {
    const std::int64_t nodes = setup.cluster.nodes();
    const std::int64_t processes = processes_per_node(setup);
    const std::string plan_name = setup.plan.name.empty() ? "a plan" : comment_text(setup.plan.name);

    std::string hosts;
    for (const std::string& name : host_names(setup)) hosts += name + "\n";

    std::string run = fmt::format("#!/usr/bin/env bash\n# {}, for {}.\n", plan_name, launcher_at_version);
    if (nodes > 1) {
        run += fmt::format(
            "# Start it on each of the {} nodes; the node rank is the line of the node in hosts, from 0:\n"
            "#   ./run.sh [NODE_RANK]\n",
            nodes);
    }
    run += fmt::format(
        "# Static rendezvous with given node ranks: rank = node rank * {} + local GPU, as the plan places "
        "them.\n",
        processes);
    for (const NotExpressed& item : result.not_expressed) {
        run += fmt::format("# Not in these files: {}: {}\n", item.path, comment_text(item.instead));
    }
    run += kRunHead;
    run += fmt::format("NNODES={}\nNPROC_PER_NODE={}\n", nodes, processes);
    run += nodes > 1 ? kFindNode : kOneNode;
    if (processes_on_last_node(setup) != processes) {
        run += fmt::format("# The last node takes what is left.\n"
                           "if [[ $NODE_RANK -eq $((NNODES - 1)) ]]; then NPROC_PER_NODE={}; fi\n",
                           processes_on_last_node(setup));
    }
    run +=
        "MASTER_PORT=${MASTER_PORT:-29500}\nexport NNODES NPROC_PER_NODE NODE_RANK MASTER_ADDR MASTER_PORT\n";
    run += start;

    const bool named = static_cast<std::int64_t>(setup.plan.cluster.hosts.size()) >= nodes;
    std::string slurm = fmt::format("#!/usr/bin/env bash\n"
                                    "# {}, for {}. sbatch job.slurm.sh, from this folder.\n"
                                    "#SBATCH --job-name={}\n"
                                    "#SBATCH --nodes={}\n"
                                    "#SBATCH --ntasks-per-node=1\n"
                                    "#SBATCH --gpus-per-node={}\n"
                                    "#SBATCH --distribution=block\n"
                                    "#SBATCH --exclusive\n",
                                    plan_name, launcher_at_version, job_name(setup), nodes, processes);
    if (named) slurm += "#SBATCH --nodelist=./hosts\n";
    slurm += "set -euo pipefail\nhere=${SLURM_SUBMIT_DIR:-$PWD}\n";
    if (!named) {
        slurm += "# The plan names no nodes: those of the job, in Slurm's order, become the node ranks.\n"
                 "scontrol show hostnames \"$SLURM_JOB_NODELIST\" > \"$here/hosts\"\n";
    }
    slurm += "# One task per node; torchrun starts a process for each of its GPUs.\n"
             "srun --ntasks-per-node=1 --distribution=block \"$here/run.sh\"\n";

    result.files.push_back({"run.sh", run, true});
    result.files.push_back({"job.slurm.sh", slurm, true});
    result.files.push_back({"hosts", hosts, false});
}

} // namespace shardlens::launchers
