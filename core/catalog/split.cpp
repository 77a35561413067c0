// SPDX-License-Identifier: GPL-3.0-or-later
// How layers are dealt out to pipeline chunks when the plan does not say.
#include <algorithm>

#include "catalog/setup.h"

namespace shardlens {

std::vector<std::int64_t> split_layers(std::int64_t layers, std::int64_t chunks, bool count_ends,
                                       std::int64_t mtp_layers) {
    layers = std::max<std::int64_t>(layers, 0);
    chunks = std::clamp<std::int64_t>(chunks, 1, kMaxChunks);
    mtp_layers = std::max<std::int64_t>(mtp_layers, 0);
    const auto count = static_cast<std::size_t>(chunks);
    if (layers % chunks != 0 && count_ends) {
        // Embedding in front, MTP layers and head behind, each as long as a layer.
        const auto all = layers + 2 + mtp_layers;
        const auto each = all / chunks;
        const auto last = each - 1 - mtp_layers;
        if (all % chunks == 0 && each >= 1 && last >= 0) {
            std::vector<std::int64_t> split(count, each);
            split.front() -= 1;
            split.back() = last;
            return split;
        }
    }
    std::vector<std::int64_t> split(count, layers / chunks);
    for (std::int64_t extra = 0; extra < layers % chunks; ++extra) ++split[static_cast<std::size_t>(extra)];
    return split;
}

std::vector<std::int64_t> split_layers_by_cost(std::int64_t layers, std::int64_t chunks, double layer_cost,
                                               double head_cost) {
    layers = std::max<std::int64_t>(layers, 0);
    chunks = std::clamp<std::int64_t>(chunks, 1, kMaxChunks);
    std::vector<std::int64_t> split(static_cast<std::size_t>(chunks), 0);
    const double total = static_cast<double>(layers) * layer_cost + head_cost;
    std::int64_t chunk = 0;
    for (std::int64_t layer = 0; layer < layers; ++layer) {
        ++split[static_cast<std::size_t>(chunk)];
        const double reached = static_cast<double>(layer + 1) * layer_cost;
        const double share = total * static_cast<double>(chunk + 1) / static_cast<double>(chunks);
        if (reached >= share && chunk + 1 < chunks) ++chunk;
    }
    return split;
}

} // namespace shardlens
