// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/all_reduce_steps.h"

#include <algorithm>
#include <bit>
#include <map>

#include <fmt/format.h>

namespace shardlens::placement {

namespace {

std::int64_t levels(std::int64_t ranks) {
    return ranks < 2 ? 0 : static_cast<std::int64_t>(std::bit_width(static_cast<std::uint64_t>(ranks - 1)));
}

/// Which part member `own` of a ring sends in a step: it starts with its own and passes on what came last.
std::int64_t passed_on(std::int64_t own, std::int64_t step, std::int64_t ring) {
    return ((own - step) % ring + ring) % ring;
}

} // namespace

const char* to_string(AllReduceKind kind) {
    switch (kind) {
    case AllReduceKind::ring: return "ring";
    case AllReduceKind::tree: return "tree";
    case AllReduceKind::two_level: return "two-level";
    case AllReduceKind::parameter_server: return "parameter-server";
    }
    return "";
}

const char* to_string(AllReducePhase phase) {
    switch (phase) {
    case AllReducePhase::reduce_scatter: return "reduce-scatter";
    case AllReducePhase::all_gather: return "all-gather";
    case AllReducePhase::reduce: return "reduce";
    case AllReducePhase::broadcast: return "broadcast";
    }
    return "";
}

Result<AllReduceSteps> AllReduceSteps::make(AllReduceKind kind, std::vector<std::int64_t> ranks,
                                            const std::vector<std::int64_t>& nodes, double bytes) {
    AllReduceSteps steps;
    steps.m_kind = kind;
    steps.m_bytes = bytes;
    if (kind == AllReduceKind::two_level) {
        std::map<std::int64_t, std::vector<std::int64_t>> on_node;
        for (std::size_t i = 0; i < ranks.size() && i < nodes.size(); ++i)
            on_node[nodes[i]].push_back(ranks[i]);
        ranks.clear();
        for (const auto& [node, members] : on_node) {
            if (members.size() != on_node.begin()->second.size())
                return Error{"all-reduce",
                             fmt::format("two levels need as many members on every node; node {} "
                                         "has {}, node {} has {}",
                                         on_node.begin()->first, on_node.begin()->second.size(), node,
                                         members.size())};
            ranks.insert(ranks.end(), members.begin(), members.end());
        }
        if (!on_node.empty()) steps.m_per_node = static_cast<std::int64_t>(on_node.begin()->second.size());
    }
    steps.m_ranks = std::move(ranks);
    const auto members = static_cast<std::int64_t>(steps.m_ranks.size());
    const bool whole = kind == AllReduceKind::tree || kind == AllReduceKind::parameter_server;
    steps.m_parts = whole ? 1 : std::max<std::int64_t>(1, members);
    return steps;
}

std::int64_t AllReduceSteps::count() const {
    const auto members = static_cast<std::int64_t>(m_ranks.size());
    if (members < 2) return 0;
    switch (m_kind) {
    case AllReduceKind::ring:
    case AllReduceKind::parameter_server: return 2 * (members - 1);
    case AllReduceKind::tree: return 2 * levels(members);
    case AllReduceKind::two_level: return 2 * (m_per_node - 1) + 2 * (members / m_per_node - 1);
    }
    return 0;
}

AllReduceStep AllReduceSteps::step(std::int64_t index) const {
    if (index < 0 || index >= count()) return {};
    switch (m_kind) {
    case AllReduceKind::ring: return ring_step(index);
    case AllReduceKind::tree: return tree_step(index);
    case AllReduceKind::two_level: return two_level_step(index);
    case AllReduceKind::parameter_server: return parameter_server_step(index);
    }
    return {};
}

AllReduceStep AllReduceSteps::ring_step(std::int64_t index) const {
    const auto members = static_cast<std::int64_t>(m_ranks.size());
    const bool gathers = index >= members - 1;
    AllReduceStep step;
    step.phase = gathers ? AllReducePhase::all_gather : AllReducePhase::reduce_scatter;
    for (std::int64_t own = 0; own < members; ++own) {
        // Behind the reduce-scatter member i holds the sum of part i + 1.
        const std::int64_t part =
            gathers ? passed_on(own + 1, index - (members - 1), members) : passed_on(own, index, members);
        step.transfers.push_back({m_ranks[static_cast<std::size_t>(own)],
                                  m_ranks[static_cast<std::size_t>((own + 1) % members)], part, 1,
                                  m_bytes / static_cast<double>(members)});
    }
    return step;
}

AllReduceStep AllReduceSteps::tree_step(std::int64_t index) const {
    const auto members = static_cast<std::int64_t>(m_ranks.size());
    const std::int64_t depth = levels(members);
    const bool down = index >= depth;
    const std::int64_t apart = std::int64_t{1} << (down ? 2 * depth - 1 - index : index);
    AllReduceStep step;
    step.phase = down ? AllReducePhase::broadcast : AllReducePhase::reduce;
    for (std::int64_t parent = 0; parent + apart < members; parent += 2 * apart) {
        const std::int64_t upper = m_ranks[static_cast<std::size_t>(parent)],
                           lower = m_ranks[static_cast<std::size_t>(parent + apart)];
        step.transfers.push_back({down ? upper : lower, down ? lower : upper, 0, 1, m_bytes});
    }
    return step;
}

AllReduceStep AllReduceSteps::two_level_step(std::int64_t index) const {
    const auto members = static_cast<std::int64_t>(m_ranks.size());
    const std::int64_t x = m_per_node, k = members / x;
    const std::int64_t middle = x - 1, last = middle + 2 * (k - 1);
    const double part_bytes = m_bytes / static_cast<double>(members);
    AllReduceStep step;
    step.between_nodes = index >= middle && index < last;
    const bool gathers = index >= last || (step.between_nodes && index - middle >= k - 1);
    step.phase = gathers ? AllReducePhase::all_gather : AllReducePhase::reduce_scatter;
    for (std::int64_t node = 0; node < k; ++node)
        for (std::int64_t own = 0; own < x; ++own) {
            const auto rank = [&](std::int64_t at_node, std::int64_t position) {
                return m_ranks[static_cast<std::size_t>(at_node * x + position)];
            };
            // The vector is x pieces of k parts each; behind the first stage position i owns piece i + 1.
            if (step.between_nodes) {
                const std::int64_t done = index - middle;
                const std::int64_t part =
                    gathers ? passed_on(node + 1, done - (k - 1), k) : passed_on(node, done, k);
                step.transfers.push_back(
                    {rank(node, own), rank((node + 1) % k, own), (own + 1) % x * k + part, 1, part_bytes});
            } else {
                const std::int64_t piece =
                    gathers ? passed_on(own + 1, index - last, x) : passed_on(own, index, x);
                step.transfers.push_back({rank(node, own), rank(node, (own + 1) % x), piece * k, k,
                                          part_bytes * static_cast<double>(k)});
            }
        }
    return step;
}

AllReduceStep AllReduceSteps::parameter_server_step(std::int64_t index) const {
    const auto workers = static_cast<std::int64_t>(m_ranks.size()) - 1;
    const bool pulls = index >= workers;
    const std::int64_t server = m_ranks.front();
    const std::int64_t worker = m_ranks[static_cast<std::size_t>(index % workers) + 1];
    AllReduceStep step;
    step.phase = pulls ? AllReducePhase::broadcast : AllReducePhase::reduce;
    step.transfers.push_back({pulls ? server : worker, pulls ? worker : server, 0, 1, m_bytes});
    return step;
}

double AllReduceSteps::busiest_bytes() const {
    const auto members = static_cast<double>(m_ranks.size());
    if (members < 2) return 0;
    if (m_kind == AllReduceKind::parameter_server) return 2 * m_bytes * (members - 1);
    if (m_kind == AllReduceKind::tree)
        return m_bytes * static_cast<double>(levels(static_cast<std::int64_t>(m_ranks.size())));
    return 2 * m_bytes * (members - 1) / members;
}

} // namespace shardlens::placement
