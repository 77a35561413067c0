// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "json/strict_json.h"

namespace shardlens {

std::string nearest(std::string_view key, std::span<const std::string_view> candidates) {
    constexpr std::size_t kLongest = 64; // no key of ours is longer; keeps hostile keys cheap
    if (key.empty() || key.size() > kLongest) return {};
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(1, key.size() / 3) + 1;
    for (const std::string_view candidate : candidates) {
        if (candidate.size() > kLongest) continue;
        // Optimal string alignment: insert, delete, replace, swap neighbours. Three rolling rows.
        const std::size_t width = candidate.size() + 1;
        std::vector<std::size_t> before(width), last(width), row(width);
        for (std::size_t j = 0; j < width; ++j) last[j] = j;
        for (std::size_t i = 1; i <= key.size(); ++i) {
            row[0] = i;
            for (std::size_t j = 1; j < width; ++j) {
                const bool same = lower(key[i - 1]) == lower(candidate[j - 1]);
                row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
                if (i > 1 && j > 1 && lower(key[i - 1]) == lower(candidate[j - 2]) &&
                    lower(key[i - 2]) == lower(candidate[j - 1]))
                    row[j] = std::min(row[j], before[j - 2] + 1);
            }
            std::swap(before, last);
            std::swap(last, row);
        }
        if (last[width - 1] < best_distance) {
            best_distance = last[width - 1];
            best = candidate;
        }
    }
    return best;
}

} // namespace shardlens
