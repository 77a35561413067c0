// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce step by step: who sends which part of the vector to whom. Steps are made one at a time, so a
// group of thousands costs nothing until it is looked at.
#pragma once

#include <cstdint>
#include <vector>

#include "json/result.h"

namespace shardlens::placement {

enum class AllReduceKind : std::uint8_t {
    ring,            ///< reduce-scatter and all-gather round one ring
    tree,            ///< binomial tree: reduce to the first member, broadcast back
    two_level,       ///< reduce-scatter inside each node, rings between equal positions, all-gather inside
    parameter_server ///< the first member takes everybody's vector through its one port, then sends the sum
                     ///< back
};

enum class AllReducePhase : std::uint8_t { reduce_scatter, all_gather, reduce, broadcast };
[[nodiscard]] const char* to_string(AllReduceKind kind);
[[nodiscard]] const char* to_string(AllReducePhase phase);

struct Transfer {
    std::int64_t from = 0, to = 0;          ///< global ranks
    std::int64_t first_part = 0, parts = 0; ///< of the vector, in units of 1 / AllReduceSteps::parts()
    double bytes = 0;
};

struct AllReduceStep {
    AllReducePhase phase = AllReducePhase::reduce_scatter;
    bool between_nodes = false; ///< two_level: the middle stage
    std::vector<Transfer> transfers;
};

class AllReduceSteps {
public:
    /// `bytes` of the whole vector on every rank; `ranks` in group-local order; `nodes[i]` where rank i sits.
    /// two_level needs as many members on every node, else an error.
    [[nodiscard]] static Result<AllReduceSteps> make(AllReduceKind kind, std::vector<std::int64_t> ranks,
                                                     const std::vector<std::int64_t>& nodes, double bytes);

    [[nodiscard]] AllReduceKind kind() const { return m_kind; }
    [[nodiscard]] std::int64_t count() const; ///< steps one after the other; 0 for one rank
    [[nodiscard]] std::int64_t parts() const { return m_parts; } ///< equal parts the vector is cut into
    [[nodiscard]] AllReduceStep step(std::int64_t index) const;
    /// Bytes that the busiest member sends in all: 2 N (P − 1) / P for ring and two levels (Patarasuk and
    /// Yuan 2009), N ⌈log2 P⌉ for the root of the tree. Of the parameter server what passes its port both
    /// ways, 2 N (P − 1), as a step is one message in or out.
    [[nodiscard]] double busiest_bytes() const;

private:
    [[nodiscard]] AllReduceStep ring_step(std::int64_t index) const;
    [[nodiscard]] AllReduceStep tree_step(std::int64_t index) const;
    [[nodiscard]] AllReduceStep two_level_step(std::int64_t index) const;
    [[nodiscard]] AllReduceStep parameter_server_step(std::int64_t index) const;

    AllReduceKind m_kind = AllReduceKind::ring;
    std::vector<std::int64_t> m_ranks; ///< two_level: node by node
    std::int64_t m_per_node = 1;       ///< two_level: members on each node
    std::int64_t m_parts = 1;
    double m_bytes = 0;
};

} // namespace shardlens::placement
