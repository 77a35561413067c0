// SPDX-License-Identifier: GPL-3.0-or-later
// Placement against a listing of every rank.
#include "catch.h"
#include "degrees.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <rapidcheck.h>
#include <set>

#include "placement/traffic.h"

using namespace shardlens;
using namespace shardlens::placement;

namespace {

/// Small worlds on nodes, domains and pods of any size, fitting or not.
Degrees random_degrees() {
    const auto degree = [] { return *rc::gen::element<std::int64_t>(1, 1, 2, 3, 4, 6, 8, 12); };
    Degrees degrees;
    degrees.tp = degree();
    degrees.cp = *rc::gen::element<std::int64_t>(1, 1, 2, 3, 4);
    degrees.dp = degree();
    degrees.pp = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 8);
    const std::int64_t stage = degrees.tp * degrees.cp * degrees.dp;
    std::vector<std::int64_t> divisors;
    for (std::int64_t i = 1; i <= stage; ++i)
        if (stage % i == 0) divisors.push_back(i);
    degrees.ep = *rc::gen::elementOf(divisors);
    std::erase_if(divisors, [&](std::int64_t i) { return stage / degrees.ep % i != 0; });
    degrees.etp = *rc::gen::elementOf(divisors);
    std::vector<std::int64_t> shards;
    for (std::int64_t i = 1; i <= degrees.cp * degrees.dp; ++i)
        if (degrees.cp * degrees.dp % i == 0) shards.push_back(i);
    degrees.shard_group = *rc::gen::elementOf(shards);
    std::vector<std::string> axes = {"tp", "cp", "ep", "dp", "pp"};
    for (std::size_t i = axes.size() - 1; i > 0; --i)
        std::swap(axes[i], axes[*rc::gen::inRange<std::size_t>(0, i + 1)]);
    degrees.order = axes[0] + "-" + axes[1] + "-" + axes[2] + "-" + axes[3] + "-" + axes[4];
    degrees.gpus_per_node = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 5, 6, 8, 12, 16);
    degrees.domain = *rc::gen::element<std::int64_t>(0, 4, 8, 9, 36, 72);
    degrees.nodes_per_pod = *rc::gen::element<std::int64_t>(0, 1, 2, 3, 5, 16);
    return degrees;
}

struct Spread {
    std::int64_t most_blocks = 0, least_together = 1'000'000, crossing = 0;
};

Spread spread(const std::vector<std::vector<std::int64_t>>& groups, std::int64_t block) {
    Spread result;
    for (const auto& group : groups) {
        std::multiset<std::int64_t> blocks;
        for (const std::int64_t rank : group) blocks.insert(rank / block);
        std::int64_t touched = 0, together = 0;
        for (auto it = blocks.begin(); it != blocks.end(); it = blocks.upper_bound(*it), ++touched)
            together = std::max(together, static_cast<std::int64_t>(blocks.count(*it)));
        result.most_blocks = std::max(result.most_blocks, touched);
        result.least_together = std::min(result.least_together, together);
        result.crossing += touched > 1 ? 1 : 0;
    }
    return result;
}

std::int64_t most_groups_on_a_node(const std::vector<std::vector<std::int64_t>>& groups,
                                   std::int64_t per_node) {
    std::map<std::int64_t, std::set<std::size_t>> on;
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (const std::int64_t rank : groups[i]) on[rank / per_node].insert(i);
    std::size_t most = 0;
    for (const auto& [node, held] : on) most = std::max(most, held.size());
    return static_cast<std::int64_t>(most);
}

} // namespace

TEST_CASE("every kind of group but embedding holds each rank once") {
    CHECK(rc::check([] {
        const Degrees degrees = random_degrees();
        const Result<Placement> placement = Placement::make(setup_of(degrees));
        RC_ASSERT(placement.ok());
        for (const GroupKind kind : kGroupKinds) {
            std::vector<std::int64_t> seen;
            const auto groups = placement->groups(kind);
            RC_ASSERT(static_cast<std::int64_t>(groups.size()) == placement->group_count(kind));
            for (const auto& group : groups) {
                RC_ASSERT(static_cast<std::int64_t>(group.size()) == placement->reach(kind).members);
                for (const std::int64_t rank : group) RC_ASSERT(placement->group_of(kind, rank) == group);
                seen.insert(seen.end(), group.begin(), group.end());
            }
            std::sort(seen.begin(), seen.end());
            RC_ASSERT(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
            if (kind != GroupKind::embedding)
                RC_ASSERT(static_cast<std::int64_t>(seen.size()) == placement->world());
            RC_ASSERT(seen.empty() || (seen.front() >= 0 && seen.back() < placement->world()));
        }
        // Experts re-use the ranks of a stage: they do not multiply the world.
        RC_ASSERT(placement->expert().world() == placement->dense().world());
    }));
}

TEST_CASE("pipeline neighbours differ in the stage alone") {
    CHECK(rc::check([] {
        const Result<Placement> placement = Placement::make(setup_of(random_degrees()));
        RC_ASSERT(placement.ok());
        const Grid& grid = placement->dense();
        for (std::int64_t rank = 0; rank < placement->world(); ++rank) {
            const auto stages = placement->group_of(GroupKind::pp, rank);
            const std::int64_t own = grid.coordinate(rank, Axis::pp);
            RC_ASSERT(stages[static_cast<std::size_t>(own)] == rank);
            for (const std::int64_t other : stages)
                for (const Axis axis : {Axis::tp, Axis::cp, Axis::dp})
                    RC_ASSERT(grid.coordinate(other, axis) == grid.coordinate(rank, axis));
        }
    }));
}

TEST_CASE("reach and crossing equal a count over all ranks") {
    CHECK(rc::check([] {
        const Degrees degrees = random_degrees();
        const Result<Placement> placement = Placement::make(setup_of(degrees));
        RC_ASSERT(placement.ok());
        const std::int64_t domain = degrees.domain > 0 ? degrees.domain : degrees.gpus_per_node;
        for (const GroupKind kind : kGroupKinds) {
            const auto groups = placement->groups(kind);
            const Reach reach = placement->reach(kind);
            const Spread node = spread(groups, degrees.gpus_per_node), fabric = spread(groups, domain);
            RC_LOG() << to_string(kind) << ' ' << degrees.order << ' ' << degrees.tp << ' ' << degrees.cp
                     << ' ' << degrees.dp << ' ' << degrees.pp << ' ' << degrees.ep << ' ' << degrees.etp
                     << " shard " << degrees.shard_group << " node " << degrees.gpus_per_node << " domain "
                     << domain << " pod " << degrees.nodes_per_pod << std::endl;
            RC_ASSERT(reach.nodes == node.most_blocks);
            RC_ASSERT(reach.members_per_node == node.least_together);
            RC_ASSERT(placement->crossing(kind) == node.crossing);
            RC_ASSERT(reach.domains == fabric.most_blocks);
            RC_ASSERT(reach.members_per_domain == fabric.least_together);
            if (degrees.nodes_per_pod > 0)
                RC_ASSERT(reach.pods ==
                          spread(groups, degrees.gpus_per_node * degrees.nodes_per_pod).most_blocks);
            RC_ASSERT(reach.groups_per_node == most_groups_on_a_node(groups, degrees.gpus_per_node));
            bool aligned = true;
            for (const auto& group : groups)
                for (const std::int64_t rank : group)
                    aligned &= placement->local_of(rank) == placement->local_of(group.front());
            RC_ASSERT(reach.rail_aligned == aligned);
        }
    }));
}

TEST_CASE("hosts in any order: pods and fast fabrics equal a count over where every rank stands") {
    CHECK(rc::check([] {
        const Degrees degrees = random_degrees();
        Setup setup = setup_of(degrees);
        std::vector<std::string> hosts;
        for (std::int64_t node = 0; node < setup.cluster.nodes(); ++node)
            hosts.push_back("node" + std::to_string(node));
        for (std::size_t i = hosts.size() - 1; i > 0; --i)
            std::swap(hosts[i], hosts[*rc::gen::inRange<std::size_t>(0, i + 1)]);
        setup.plan.cluster.hosts = hosts;
        const Result<Placement> placement = Placement::make(setup);
        RC_ASSERT(placement.ok());
        const std::int64_t per_node = degrees.gpus_per_node;
        const auto slot = [&](std::int64_t rank) { // node7 stands in place 7
            return std::stoll(hosts[static_cast<std::size_t>(rank / per_node)].substr(4)) * per_node +
                   rank % per_node;
        };
        const std::int64_t domain = degrees.domain > 0 ? degrees.domain : per_node;
        for (const GroupKind kind : kGroupKinds) {
            auto groups = placement->groups(kind);
            for (auto& group : groups)
                for (std::int64_t& rank : group) {
                    RC_ASSERT(placement->node_of(rank) == slot(rank) / per_node);
                    if (domain >= per_node) RC_ASSERT(placement->domain_of(rank) == slot(rank) / domain);
                    rank = slot(rank);
                }
            const Reach reach = placement->reach(kind);
            RC_LOG() << to_string(kind) << ' ' << degrees.order << " node " << per_node << " domain "
                     << domain << " pod " << degrees.nodes_per_pod << std::endl;
            if (domain > per_node) {
                const Spread fabric = spread(groups, domain);
                RC_ASSERT(reach.domains == fabric.most_blocks);
                RC_ASSERT(reach.members_per_domain == fabric.least_together);
                RC_ASSERT(placement->crossing_domains(kind) == fabric.crossing);
            }
            if (degrees.nodes_per_pod > 0) {
                const Spread pod = spread(groups, per_node * degrees.nodes_per_pod);
                RC_ASSERT(reach.pods == pod.most_blocks);
                RC_ASSERT(placement->crossing_pods(kind) == pod.crossing);
            }
            RC_ASSERT(reach.nodes == spread(groups, per_node).most_blocks);
        }
    }));
}

TEST_CASE("stage borders equal a look at every pair of neighbours") {
    CHECK(rc::check([] {
        const Degrees degrees = random_degrees();
        const Result<Placement> placement = Placement::make(setup_of(degrees));
        RC_ASSERT(placement.ok());
        for (std::int64_t stage = 0; stage < degrees.pp; ++stage) {
            bool crosses = false;
            for (const auto& stages : placement->groups(GroupKind::pp)) {
                const std::int64_t next = stages[static_cast<std::size_t>((stage + 1) % degrees.pp)];
                crosses |=
                    placement->node_of(stages[static_cast<std::size_t>(stage)]) != placement->node_of(next);
            }
            RC_ASSERT(placement->stage_border_crosses_node(stage) == crosses);
        }
    }));
}

TEST_CASE("a count over every rank's port gives the closed form of the traffic") {
    CHECK(rc::check([] {
        Degrees degrees = random_degrees();
        degrees.domain = 0; // one fast fabric per node
        degrees.gpus_per_node = *rc::gen::element<std::int64_t>(1, 2, 4, 8, 16);
        Setup setup = setup_of(degrees);
        setup.cluster.node.nics_per_node = degrees.gpus_per_node;
        setup.context_kind =
            *rc::gen::element(ContextKind::ring, ContextKind::ulysses, ContextKind::allgather);
        const Result<Placement> placement = Placement::make(setup);
        RC_ASSERT(placement.ok());
        GroupVolumes volumes;
        volumes.tensor_bytes = 1e6;
        volumes.context_bytes = 2e6;
        volumes.expert_bytes = 3e6;
        volumes.data_bytes = 5e6;
        volumes.pipeline_bytes = 7e6;
        const Traffic load = traffic(*placement, setup, volumes);
        std::array<double, kGroupKinds.size()> sum{}, most{};
        for (std::int64_t node = 0; node < placement->node_count(); ++node)
            for (const NicLoad& nic : nic_loads(*placement, setup, volumes, node)) {
                double all = 0;
                for (std::size_t kind = 0; kind < sum.size(); ++kind) {
                    sum[kind] += nic.by_kind[kind];
                    most[kind] = std::max(most[kind], nic.by_kind[kind]);
                    all += nic.by_kind[kind];
                }
                RC_ASSERT(std::abs(all - nic.bytes_per_step) <= 1e-6 * (1 + all));
            }
        for (const CollectiveTraffic& one : load.collectives) {
            const auto kind = static_cast<std::size_t>(one.kind);
            RC_LOG() << to_string(one.kind) << ' ' << degrees.order << std::endl;
            // Nothing counted where no group leaves its node, and the other way round.
            RC_ASSERT((sum[kind] > 0) == (one.of(LinkClass::nic).bytes_per_step > 0));
            // Groups that all lie alike (aligned strides): equal to the byte.
            const bool alike = one.reach.members == one.reach.nodes * one.reach.members_per_node;
            const bool whole_nodes = placement->world() % degrees.gpus_per_node == 0 &&
                                     (one.crossing == one.groups || one.crossing == 0);
            const bool power_of_two = (placement->world() & (placement->world() - 1)) == 0;
            if (!alike || !whole_nodes || !power_of_two) continue;
            if (one.kind == GroupKind::cp && setup.context_kind == ContextKind::ring &&
                one.reach.members_per_node > 1)
                continue; // rings in rank order leave a node where groups of several axes interleave
            RC_ASSERT(std::abs(sum[kind] - one.of(LinkClass::nic).bytes_per_step) <= 1e-6 * sum[kind]);
            RC_ASSERT(most[kind] <= one.of(LinkClass::nic).busiest_link_bytes * (1 + 1e-9));
        }
    }));
}
