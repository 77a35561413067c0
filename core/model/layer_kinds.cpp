// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layer_kinds.h"

namespace shardlens::model {

std::vector<KindCounts> count_kinds(const Setup& setup) {
    std::vector<KindCounts> counts(setup.layers_per_chunk.size(), KindCounts{});
    // "The first n layers of each pipeline rank" counts through the rank's chunks.
    std::vector<std::int64_t> seen(static_cast<std::size_t>(setup.pipeline), 0);
    const std::int64_t limit = setup.plan.memory.recompute_layers;
    const bool mixed = setup.moe(), windowed = setup.shape.attention_window > 0;
    std::int64_t first = 0;
    for (std::size_t chunk = 0; chunk < counts.size(); ++chunk) {
        const std::int64_t layers = setup.layers_per_chunk[chunk];
        auto& used = seen[static_cast<std::size_t>(setup.rank_of_chunk(static_cast<std::int64_t>(chunk)))];
        if (!mixed && !windowed && limit == 0) {
            counts[chunk][4] = layers;
        } else {
            for (std::int64_t i = 0; i < layers; ++i) {
                const bool moe = mixed && setup.is_moe_layer(first + i);
                const bool local = windowed && !setup.is_global_attention(first + i);
                const bool recomputed = limit == 0 || used + i < limit;
                ++counts[chunk][(moe ? 1u : 0u) + (local ? 2u : 0u) + (recomputed ? 4u : 0u)];
            }
        }
        used += layers;
        first += layers;
    }
    return counts;
}

} // namespace shardlens::model
