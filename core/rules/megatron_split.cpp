// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/megatron_split.h"

#include <algorithm>

namespace shardlens::rules {

SplitWords split_words(const Setup& setup, bool has_layout) {
    const std::vector<std::int64_t>& layers = setup.layers_per_chunk;
    const std::size_t chunks = layers.size();
    const auto all_equal = [&](std::size_t first, std::size_t last) {
        return std::all_of(layers.begin() + static_cast<std::ptrdiff_t>(first),
                           layers.begin() + static_cast<std::ptrdiff_t>(last),
                           [&](std::int64_t n) { return n == layers[first]; });
    };
    if (chunks < 2 || all_equal(0, chunks)) return SplitWords::even;
    const bool middle_equal = chunks == 2 || all_equal(1, chunks - 1);
    const auto end_fits = [&](std::int64_t n) { return n == layers[1] || n == layers[1] - 1; };
    if (chunks > 2 && middle_equal && end_fits(layers.front()) && end_fits(layers.back()))
        return SplitWords::ends;
    if (has_layout) return SplitWords::layout;
    const bool whole = middle_equal && layers.front() > 0 && layers.back() > 0;
    return whole && setup.virtual_pipeline == 1 ? SplitWords::first_last : SplitWords::none;
}

bool only_last_differs(const Setup& setup) {
    const std::vector<std::int64_t>& layers = setup.layers_per_chunk;
    return layers.size() > 1 && layers.back() > 0 && layers.back() != layers.front() &&
           std::all_of(layers.begin(), layers.end() - 1, [&](std::int64_t n) { return n == layers.front(); });
}

std::vector<std::int64_t> last_stage_shorter(const Setup& setup) {
    const std::int64_t stages = setup.pipeline, each = (setup.shape.layers + stages - 1) / stages;
    const std::int64_t last = setup.shape.layers - each * (stages - 1);
    if (last < 1 || last == each) return {};
    std::vector<std::int64_t> layers(static_cast<std::size_t>(stages), each);
    layers.back() = last;
    return layers;
}

} // namespace shardlens::rules
