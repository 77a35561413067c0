// SPDX-License-Identifier: GPL-3.0-or-later
#include "rules/support.h"

#include <algorithm>
#include <limits>

#include "plan/known_launchers.h"

namespace shardlens::rules {

std::int64_t product(std::initializer_list<std::int64_t> factors) {
    std::int64_t result = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(result, factor, &result)) return std::numeric_limits<std::int64_t>::max();
    return result;
}

std::vector<std::int64_t> divisors(std::int64_t n) {
    std::vector<std::int64_t> all{1};
    const auto with_power = [&](std::int64_t prime, int power) {
        const std::size_t before = all.size();
        std::int64_t factor = 1;
        for (int i = 0; i < power; ++i) {
            factor *= prime;
            for (std::size_t j = 0; j < before; ++j) all.push_back(all[j] * factor);
        }
    };
    for (std::int64_t prime = 2; prime * prime <= n; prime += prime == 2 ? 1 : 2) {
        int power = 0;
        for (; n % prime == 0; n /= prime) ++power;
        if (power > 0) with_power(prime, power);
    }
    if (n > 1) with_power(n, 1);
    std::sort(all.begin(), all.end());
    return all;
}

std::vector<std::int64_t> near_divisors(std::int64_t n, std::int64_t at, std::size_t most,
                                        const std::function<bool(std::int64_t)>& passes) {
    std::vector<std::int64_t> found;
    if (n < 1) return found;
    const std::vector<std::int64_t> all = divisors(n);
    auto above = std::upper_bound(all.begin(), all.end(), at);
    auto below = above;
    while (found.size() < most && (below != all.begin() || above != all.end())) {
        if (below != all.begin() && passes(*--below)) found.push_back(*below);
        if (found.size() == most || above == all.end()) continue;
        if (passes(*above)) found.push_back(*above);
        ++above;
    }
    return found;
}

std::vector<std::int64_t> near_multiples(std::int64_t unit, std::int64_t at) {
    std::vector<std::int64_t> found;
    if (unit < 1) return found;
    const std::int64_t lower = at / unit * unit;
    if (lower > 0) found.push_back(lower);
    if (lower <= std::numeric_limits<std::int64_t>::max() - unit) found.push_back(lower + unit);
    return found;
}

void propose(Message& message, Edits edits) { message.fixes.push_back(Fix{std::move(edits)}); }

void propose_each(Message& message, const std::string& path, const std::vector<std::int64_t>& values) {
    for (const std::int64_t value : values) propose(message, {{path, value}});
}

void derive(Setup& s, bool with_layers) {
    if (const ModelShape* shape = std::get_if<ModelShape>(&s.plan.model)) s.shape = *shape;
    s.cluster.gpus = s.plan.cluster.gpus;
    if (s.plan.cluster.gpus_per_node) s.cluster.node.gpus_per_node = *s.plan.cluster.gpus_per_node;
    if (s.plan.cluster.scale_up_domain) s.cluster.node.scale_up_domain = *s.plan.cluster.scale_up_domain;
    derive_degrees(s);
    if (with_layers) derive_layers(s);
}

std::vector<std::int64_t> layers_per_rank(const Setup& s) {
    std::vector<std::int64_t> layers(static_cast<std::size_t>(s.pipeline), 0);
    for (std::size_t chunk = 0; chunk < s.layers_per_chunk.size(); ++chunk) {
        const auto rank = static_cast<std::size_t>(s.rank_of_chunk(static_cast<std::int64_t>(chunk)));
        if (rank < layers.size()) layers[rank] += s.layers_per_chunk[chunk];
    }
    return layers;
}

bool targets(const Setup& s, std::string_view launchers) { return is_among(s.plan.target, launchers); }

std::int64_t group_size(const Setup& s) {
    if (s.plan.parallel.virtual_pipeline_group > 0) return s.plan.parallel.virtual_pipeline_group;
    const std::int64_t rounds = std::max<std::int64_t>(1, s.micro_batches / s.pipeline);
    return s.micro_batches % rounds == 0 ? s.micro_batches / rounds : s.pipeline;
}

} // namespace shardlens::rules
