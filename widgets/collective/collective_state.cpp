// SPDX-License-Identifier: GPL-3.0-or-later
#include "collective/collective_state.h"

#include <algorithm>

namespace shardlens {

using placement::AllReduceKind;
using placement::AllReducePhase;

Result<placement::AllReduceSteps> collectiveSteps(const CollectiveSpec& spec) {
    std::vector<std::int64_t> ranks, nodes;
    for (std::int64_t rank = 0; rank < spec.ranks; ++rank) {
        ranks.push_back(rank);
        nodes.push_back(rank / std::max<std::int64_t>(spec.per_node, 1));
    }
    return placement::AllReduceSteps::make(spec.kind, std::move(ranks), nodes, spec.bytes);
}

bool CollectiveState::complete() const {
    const std::size_t ranks = holds.size();
    const std::uint64_t all = ranks >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << ranks) - 1;
    return std::all_of(holds.begin(), holds.end(), [all](const auto& parts_of_rank) {
        return std::all_of(parts_of_rank.begin(), parts_of_rank.end(),
                           [all](std::uint64_t part) { return part == all; });
    });
}

double CollectiveState::busiest(AllReduceKind kind) const {
    double most = 0;
    for (std::size_t rank = 0; rank < sent.size(); ++rank)
        most = std::max(most,
                        kind == AllReduceKind::parameter_server ? sent[rank] + received[rank] : sent[rank]);
    return most;
}

double crossedBytes(const placement::AllReduceSteps& steps, std::int64_t per_node, std::int64_t done) {
    double bytes = 0;
    for (std::int64_t index = 0; index < std::min(done, steps.count()); ++index)
        for (const placement::Transfer& transfer : steps.step(index).transfers)
            if (transfer.from / per_node != transfer.to / per_node) bytes += transfer.bytes;
    return bytes;
}

CollectiveState collectiveState(const placement::AllReduceSteps& steps, std::int64_t ranks,
                                std::int64_t done) {
    CollectiveState state;
    state.parts = steps.parts();
    const auto count = static_cast<std::size_t>(ranks);
    for (std::size_t rank = 0; rank < count; ++rank)
        state.holds.emplace_back(static_cast<std::size_t>(steps.parts()), std::uint64_t{1} << rank);
    state.sent.resize(count);
    state.received.resize(count);
    for (std::int64_t index = 0; index < std::min(done, steps.count()); ++index) {
        const placement::AllReduceStep step = steps.step(index);
        const auto before = state.holds; // all transfers of a step at once
        const bool sums =
            step.phase == AllReducePhase::reduce_scatter || step.phase == AllReducePhase::reduce;
        for (const placement::Transfer& transfer : step.transfers) {
            const auto from = static_cast<std::size_t>(transfer.from),
                       to = static_cast<std::size_t>(transfer.to);
            state.sent[from] += transfer.bytes;
            state.received[to] += transfer.bytes;
            for (std::int64_t i = 0; i < transfer.parts; ++i) {
                const auto part = static_cast<std::size_t>((transfer.first_part + i) % steps.parts());
                if (sums)
                    state.holds[to][part] |= before[from][part];
                else
                    state.holds[to][part] = before[from][part];
            }
        }
    }
    return state;
}

} // namespace shardlens
