// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "placement/all_reduce_steps.h"

using namespace shardlens;
using namespace shardlens::placement;

namespace {

std::vector<std::int64_t> every(std::int64_t count, std::int64_t stride = 1) {
    std::vector<std::int64_t> ranks(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) ranks[static_cast<std::size_t>(i)] = i * stride;
    return ranks;
}

AllReduceSteps steps_of(AllReduceKind kind, const std::vector<std::int64_t>& ranks, std::int64_t per_node,
                        double bytes) {
    std::vector<std::int64_t> nodes;
    for (const std::int64_t rank : ranks) nodes.push_back(rank / per_node);
    Result<AllReduceSteps> steps = AllReduceSteps::make(kind, ranks, nodes, bytes);
    if (!steps) FAIL(steps.error().line());
    return std::move(steps).value();
}

struct Outcome {
    bool complete = true; ///< every rank ends with every rank's part of the sum, once
    std::map<std::int64_t, double> sent;
};

/// Carries the steps out: what each rank's copy of each part is the sum of. All transfers of a step leave at
/// the same time.
Outcome carry_out(const AllReduceSteps& steps, const std::vector<std::int64_t>& ranks) {
    using Sum = std::multiset<std::int64_t>;
    std::map<std::int64_t, std::vector<Sum>> holds;
    for (const std::int64_t rank : ranks)
        holds[rank].assign(static_cast<std::size_t>(steps.parts()), Sum{rank});
    Outcome outcome;
    for (std::int64_t i = 0; i < steps.count(); ++i) {
        const AllReduceStep step = steps.step(i);
        const bool sums =
            step.phase == AllReducePhase::reduce_scatter || step.phase == AllReducePhase::reduce;
        const auto before = holds;
        for (const Transfer& transfer : step.transfers) {
            outcome.sent[transfer.from] += transfer.bytes;
            for (std::int64_t part = transfer.first_part; part < transfer.first_part + transfer.parts;
                 ++part) {
                const auto at = static_cast<std::size_t>(part);
                Sum& own = holds.at(transfer.to).at(at);
                const Sum& given = before.at(transfer.from).at(at);
                if (sums)
                    own.insert(given.begin(), given.end());
                else
                    own = given;
            }
        }
    }
    const Sum whole(ranks.begin(), ranks.end());
    for (const auto& [rank, parts] : holds)
        for (const Sum& part : parts) outcome.complete = outcome.complete && part == whole;
    return outcome;
}

} // namespace

// Patarasuk and Yuan 2009: no all-reduce sends less than 2 N (P − 1) / P per rank; ring and two levels send
// it.
TEST_CASE("ring and two levels send 2 N (P - 1) / P per rank and leave the sum everywhere") {
    const double bytes = 2.19e9;
    for (const std::int64_t per_node : {1, 2, 4, 8})
        for (const std::int64_t nodes : {1, 2, 3, 5}) {
            const auto ranks = every(per_node * nodes);
            const auto members = static_cast<double>(ranks.size());
            for (const AllReduceKind kind : {AllReduceKind::ring, AllReduceKind::two_level}) {
                CAPTURE(per_node, nodes, to_string(kind));
                const AllReduceSteps steps = steps_of(kind, ranks, per_node, bytes);
                const Outcome outcome = carry_out(steps, ranks);
                CHECK(outcome.complete);
                for (const auto& [rank, sent] : outcome.sent)
                    CHECK(sent == Approx(2 * bytes * (members - 1) / members));
                CHECK(steps.busiest_bytes() == Approx(2 * bytes * (members - 1) / members));
            }
            CHECK(steps_of(AllReduceKind::ring, ranks, per_node, bytes).count() ==
                  2 * (per_node * nodes - 1));
            CHECK(steps_of(AllReduceKind::two_level, ranks, per_node, bytes).count() ==
                  2 * (per_node - 1) + 2 * (nodes - 1));
        }
}

// Two levels: what crosses the network per rank is 2 (k − 1) / k · N / x.
TEST_CASE("two levels send 2 (k - 1) / k N / x between nodes") {
    const auto ranks = every(24);
    const AllReduceSteps steps = steps_of(AllReduceKind::two_level, ranks, 8, 2.4e9);
    std::map<std::int64_t, double> across;
    for (std::int64_t i = 0; i < steps.count(); ++i) {
        const AllReduceStep step = steps.step(i);
        for (const Transfer& transfer : step.transfers) {
            CHECK((transfer.from / 8 != transfer.to / 8) == step.between_nodes);
            if (!step.between_nodes) continue;
            CHECK(transfer.from % 8 == transfer.to % 8); // equal positions: one rail
            across[transfer.from] += transfer.bytes;
        }
    }
    CHECK(across.size() == 24);
    for (const auto& [rank, sent] : across) CHECK(sent == Approx(2 * 2.0 / 3 * 2.4e9 / 8));
}

TEST_CASE("the tree takes 2 ceil(log2 P) steps and sends as many bytes in all as the ring") {
    for (std::int64_t members = 1; members <= 20; ++members) {
        CAPTURE(members);
        const auto ranks = every(members, 8); // one per node
        const AllReduceSteps steps = steps_of(AllReduceKind::tree, ranks, 8, 1e6);
        const Outcome outcome = carry_out(steps, ranks);
        CHECK(outcome.complete);
        double all = 0, most = 0;
        for (const auto& [rank, sent] : outcome.sent) {
            all += sent;
            most = std::max(most, sent);
        }
        CHECK(all == Approx(2e6 * static_cast<double>(members - 1)));
        CHECK(most == Approx(steps.busiest_bytes()));
        std::int64_t depth = 0;
        while ((std::int64_t{1} << depth) < members) ++depth;
        CHECK(steps.count() == 2 * depth);
    }
}

TEST_CASE(
    "a parameter server takes 2 N (P - 1) through its port, P times the ring's bytes in as many steps") {
    const double bytes = 14e9; // 7e9 parameters in bf16: 24.5 GB on a ring of 8
    for (const std::int64_t members : {1, 2, 3, 8, 64}) {
        CAPTURE(members);
        const auto ranks = every(members, 3);
        const AllReduceSteps steps = steps_of(AllReduceKind::parameter_server, ranks, 8, bytes);
        const AllReduceSteps ring = steps_of(AllReduceKind::ring, ranks, 8, bytes);
        CHECK(carry_out(steps, ranks).complete);
        CHECK(steps.count() == ring.count());
        double port = 0;
        std::map<std::int64_t, double> worker;
        for (std::int64_t i = 0; i < steps.count(); ++i)
            for (const Transfer& transfer : steps.step(i).transfers) {
                CHECK((transfer.from == ranks[0]) != (transfer.to == ranks[0]));
                port += transfer.bytes;
                worker[transfer.from == ranks[0] ? transfer.to : transfer.from] += transfer.bytes;
            }
        CHECK(port == Approx(2 * bytes * static_cast<double>(members - 1)));
        CHECK(steps.busiest_bytes() == Approx(port));
        CHECK(ring.busiest_bytes() * static_cast<double>(members) == Approx(port));
        for (const auto& [rank, passed] : worker) CHECK(passed == Approx(2 * bytes));
    }
    CHECK(steps_of(AllReduceKind::ring, every(8), 8, bytes).busiest_bytes() == Approx(24.5e9));
}

TEST_CASE("two levels need as many members on every node") {
    const Result<AllReduceSteps> uneven =
        AllReduceSteps::make(AllReduceKind::two_level, every(5), {0, 0, 0, 1, 1}, 1e6);
    REQUIRE_FALSE(uneven.ok());
    CHECK(uneven.error().what.find("node 0 has 3, node 1 has 2") != std::string::npos);
    // A ring of any ranks will do; steps outside are empty.
    const AllReduceSteps ring = steps_of(AllReduceKind::ring, {7, 3, 11}, 8, 3e6);
    CHECK(ring.step(0).transfers.at(0).from == 7);
    CHECK(ring.step(0).transfers.at(0).to == 3);
    CHECK(ring.step(0).transfers.at(0).bytes == Approx(1e6));
    CHECK(ring.step(ring.count()).transfers.empty());
    CHECK(steps_of(AllReduceKind::ring, {4}, 8, 1e6).count() == 0);
}
