// SPDX-License-Identifier: GPL-3.0-or-later
// Where groups lie on blocks of consecutive ranks (nodes, scale-up domains, pods). When the block is itself a
// product of the rank's digits, the answer is a closed form (all groups of a kind alike). Else groups differ
// only by where in a block their first rank stands, so one look per residue is enough: nothing walks over all
// ranks.
#include "placement/placement.h"

#include <algorithm>
#include <numeric>

namespace shardlens::placement {

namespace {

/// Multiplicity of residues modulo a block, in steps of `step`.
struct Residues {
    std::int64_t step = 1;
    std::vector<std::int64_t> counts{1};

    /// All sums of an old residue and j · stride, j < count.
    void add(std::int64_t count, std::int64_t stride) {
        const std::int64_t size = static_cast<std::int64_t>(counts.size());
        const std::int64_t shift = stride / step % size;
        const std::int64_t cycle = size / std::gcd(shift, size); // gcd(0, n) = n
        const std::int64_t whole = count / cycle, rest = count % cycle;
        if (cycle == 1) {
            for (std::int64_t& number : counts) number *= count;
            return;
        }
        const auto at = [](std::int64_t index) { return static_cast<std::size_t>(index); };
        const auto forward = [&](std::int64_t index) {
            return index + shift < size ? index + shift : index + shift - size;
        };
        std::vector<std::int64_t> sums(counts.size(), 0);
        for (std::int64_t start = 0; start < size / cycle; ++start) {
            std::int64_t total = 0, window = 0, tail = start;
            if (whole > 0)
                for (std::int64_t i = 0, r = start; i < cycle; ++i, r = forward(r)) total += counts[at(r)];
            // window = old[r] + old[r - shift] + … (rest terms), slid along the cycle; tail is its last term
            for (std::int64_t i = 0; i < rest; ++i) {
                if (i > 0) tail = tail >= shift ? tail - shift : tail - shift + size;
                window += counts[at(tail)];
            }
            for (std::int64_t i = 0, r = start; i < cycle; ++i) {
                sums[at(r)] = whole * total + window;
                r = forward(r);
                if (rest == 0) continue;
                window += counts[at(r)] - counts[at(tail)];
                tail = forward(tail);
            }
        }
        counts = std::move(sums);
    }
};

/// Blocks that one group touches and its most members on one of them.
struct Spread {
    std::int64_t blocks = 0, together = 0;
};

/// `offsets` ascending, from a first rank that stands `base` behind the start of a block.
Spread spread_of(const std::vector<std::int64_t>& offsets, std::int64_t base, std::int64_t block) {
    Spread spread;
    std::int64_t last = -1, run = 0;
    for (const std::int64_t offset : offsets) {
        const std::int64_t index = (base + offset) / block;
        if (index != last) {
            ++spread.blocks;
            run = 0;
        }
        last = index;
        spread.together = std::max(spread.together, ++run);
    }
    return spread;
}

/// Members base, base + stride, … (count of them). `blocks_only` leaves `together` at 1.
Spread spread_of_progression(std::int64_t count, std::int64_t stride, std::int64_t base, std::int64_t block,
                             bool blocks_only) {
    if (stride >= block) return {count, 1};
    Spread spread{(base + (count - 1) * stride) / block + 1 - base / block, 1};
    if (blocks_only) return spread;
    // The number on a block depends on where the first of them stands in it, which repeats.
    const std::int64_t looked_at = std::min(spread.blocks, block / std::gcd(stride, block) + 2);
    const auto below = [&](std::int64_t rank) { // members before `rank`
        return rank <= base ? 0 : std::min(count, (rank - base + stride - 1) / stride);
    };
    for (std::int64_t i = 0; i < looked_at; ++i) {
        const std::int64_t start = (base / block + i) * block;
        spread.together = std::max(spread.together, below(start + block) - below(start));
    }
    return spread;
}

} // namespace

Placement::Bound Placement::bound(GroupKind kind, std::int64_t block, bool blocks_only) const {
    const Layout& own = layout(kind);
    if (own.groups == 0) return {1, 1, 0};
    if (own.members == 1 || world() <= block) return {1, own.members, 0};
    const bool embedding = kind == GroupKind::embedding;
    const bool cut_across = is_sliced(kind) && !m_even_slices;

    // Is the block a product of whole digits and a divisor of the next one?
    bool aligned = !cut_across;
    std::int64_t rest = block, together = 1, all = 1;
    for (std::size_t i = 0; aligned && i < own.size; ++i) {
        const Digit& digit = own.digits[i];
        const std::int64_t inside = rest % digit.count == 0 ? digit.count : rest;
        aligned = digit.count % inside == 0;
        if (!aligned) break;
        rest /= inside;
        if (!digit.member) continue;
        together *= inside;
        all *= digit.count;
    }
    if (aligned) {
        if (embedding) return together == all ? Bound{1, 2, 0} : Bound{2, 1, own.groups};
        const std::int64_t blocks = own.members / together;
        return {blocks, together, blocks > 1 ? own.groups : 0};
    }

    // Residues of the first ranks, and the members' offsets from them.
    const Layout& shape = cut_across ? layout(GroupKind::dp_cp) : own;
    Residues residues;
    residues.step = block;
    // Ranks that differ in a lowest digit which divides the block always share blocks: they count, but do not
    // matter.
    const bool skip_lowest = !shape.digits[0].member && block % shape.digits[0].count == 0;
    const std::size_t from = skip_lowest ? 1 : 0;
    for (std::size_t i = from; i < shape.size; ++i)
        if (!shape.digits[i].member) residues.step = std::gcd(residues.step, shape.digits[i].stride);
    residues.counts.assign(static_cast<std::size_t>(block / residues.step), 0);
    residues.counts[0] = skip_lowest ? shape.digits[0].count : 1;
    const Digit* only = nullptr;
    std::size_t member_digits = 0;
    for (std::size_t i = from; i < shape.size; ++i) {
        if (shape.digits[i].member) {
            ++member_digits;
            only = &shape.digits[i];
        } else {
            residues.add(shape.digits[i].count, shape.digits[i].stride);
        }
    }

    Bound worst{0, own.members, 0};
    const auto take = [&](const Spread& spread, std::int64_t groups) {
        worst.blocks = std::max(worst.blocks, spread.blocks);
        worst.together = std::min(worst.together, spread.together);
        if (spread.blocks > 1) worst.crossing += groups;
    };
    const auto for_residues = [&](const auto& spread) {
        for (std::size_t i = 0; i < residues.counts.size(); ++i)
            if (residues.counts[i] > 0)
                take(spread(static_cast<std::int64_t>(i) * residues.step), residues.counts[i]);
    };

    if (embedding) {
        const std::vector<std::int64_t> offsets = {0, own.offset(m_dense.size(Axis::pp) - 1)};
        for_residues([&](std::int64_t base) { return spread_of(offsets, base, block); });
    } else if (cut_across) {
        const bool shard = kind == GroupKind::dp_shard;
        for (std::int64_t slice = 0; slice < shape.members / own.members; ++slice) {
            std::vector<std::int64_t> offsets;
            for (std::int64_t i = 0; i < own.members; ++i)
                offsets.push_back(shape.offset(shard ? slice * m_shard + i : slice + i * m_shard));
            for_residues([&](std::int64_t base) { return spread_of(offsets, base, block); });
        }
    } else if (member_digits == 1) {
        for_residues([&](std::int64_t base) {
            return spread_of_progression(only->count, only->stride, base, block, blocks_only);
        });
    } else {
        // `only` is the outermost member digit. Its pattern repeats after `period` steps, so a long one is
        // cut short and the blocks of the periods left out are added.
        const std::int64_t period = block / std::gcd(only->stride, block);
        const std::int64_t inner = own.members / only->count;
        std::int64_t outer = only->count, left_out = 0;
        if (outer > 3 * period) {
            left_out = outer / period - 2;
            outer -= left_out * period;
        }
        std::vector<std::int64_t> offsets, shorter;
        for (std::int64_t i = 0; i < outer * inner; ++i) {
            offsets.push_back(own.offset(i));
            if (i < (outer - period) * inner) shorter.push_back(offsets.back());
        }
        for_residues([&](std::int64_t base) {
            Spread spread = spread_of(offsets, base, block);
            if (left_out > 0)
                spread.blocks += left_out * (spread.blocks - spread_of(shorter, base, block).blocks);
            return spread;
        });
    }
    return worst;
}

std::int64_t Placement::groups_on_a_node(GroupKind kind) const {
    const Layout& own = layout(kind);
    const std::int64_t block = std::min(m_gpus_per_node, world());
    if (own.groups == 0) return 1;
    // Members further apart than a node never meet on one.
    const bool cut_across = is_sliced(kind) && !m_even_slices;
    std::int64_t least_stride = world(), span = 1;
    const Layout& shape = cut_across ? layout(GroupKind::dp_cp) : own;
    for (std::size_t i = 0; i < shape.size; ++i) {
        if (!shape.digits[i].member) continue;
        least_stride = std::min(least_stride, shape.digits[i].stride);
        span = shape.digits[i].stride * shape.digits[i].count;
    }
    if (own.members == 1 || (least_stride >= block && kind != GroupKind::embedding)) return block;

    // Whatever a node holds repeats with the span of the outermost member digit; only nodes in which such a
    // span ends can differ from the others when the span is long.
    const auto count_on = [&](std::int64_t node) {
        std::vector<std::int64_t> seen;
        const std::int64_t end = std::min(world(), (node + 1) * block);
        for (std::int64_t rank = node * block; rank < end; ++rank) {
            std::int64_t id = shape.index_of(rank, false);
            const std::int64_t position = shape.index_of(rank, true);
            if (cut_across)
                id = id * shape.members +
                     (kind == GroupKind::dp_shard ? position / m_shard : position % m_shard);
            if (kind == GroupKind::embedding && position != 0 && position != m_dense.size(Axis::pp) - 1)
                continue;
            seen.push_back(id);
        }
        std::sort(seen.begin(), seen.end());
        return static_cast<std::int64_t>(std::unique(seen.begin(), seen.end()) - seen.begin());
    };
    constexpr std::int64_t kMostNodes = 1024;
    const std::int64_t nodes = (world() + block - 1) / block;
    const std::int64_t period = span / std::gcd(span, block);
    std::int64_t most = 0;
    if (block % span == 0 && kind != GroupKind::embedding && !cut_across) return count_on(0);
    for (std::int64_t node = 0; node < std::min({nodes, period, kMostNodes}); ++node) {
        most = std::max(most, count_on(node));
        if (most == block) return most;
    }
    if (std::min(nodes, period) > kMostNodes) {
        const std::int64_t ends = std::min(world() / span - 1, block);
        for (std::int64_t i = 1; i <= ends; ++i) most = std::max(most, count_on(i * span / block));
    }
    return most;
}

Reach Placement::reach(GroupKind kind) const {
    Reach reach;
    const Layout& own = layout(kind);
    if (own.groups == 0) return reach;
    reach.members = own.members;
    const Bound node = bound(kind, m_gpus_per_node);
    const bool moved = !m_places.empty();
    const Bound domain = m_domain == m_gpus_per_node ? node
                         : moved && m_domain > m_gpus_per_node
                             ? m_permuted_domains[static_cast<std::size_t>(kind)]
                             : bound(kind, m_domain);
    reach.members_per_node = node.together;
    reach.nodes = node.blocks;
    reach.members_per_domain = domain.together;
    reach.domains = domain.blocks;
    if (moved)
        reach.pods = m_permuted_pods[static_cast<std::size_t>(kind)].blocks;
    else if (m_nodes_per_pod > 0)
        reach.pods = bound(kind, m_nodes_per_pod * m_gpus_per_node, true).blocks;
    reach.rail_aligned = true;
    const bool cut_across = is_sliced(kind) && !m_even_slices;
    if (cut_across) {
        const Layout& whole = layout(GroupKind::dp_cp);
        const bool shard = kind == GroupKind::dp_shard;
        for (std::int64_t slice = 0; slice < whole.members / own.members; ++slice)
            for (std::int64_t i = 1; i < own.members; ++i) {
                const std::int64_t from = whole.offset(shard ? slice * m_shard : slice);
                const std::int64_t to = whole.offset(shard ? slice * m_shard + i : slice + i * m_shard);
                if ((to - from) % m_gpus_per_node != 0) reach.rail_aligned = false;
            }
    } else if (kind == GroupKind::embedding) {
        if (own.members > 1)
            reach.rail_aligned = own.offset(m_dense.size(Axis::pp) - 1) % m_gpus_per_node == 0;
    } else {
        for (std::size_t i = 0; i < own.size; ++i)
            if (own.digits[i].member && own.digits[i].stride % m_gpus_per_node != 0)
                reach.rail_aligned = false;
    }

    // Closed form of the aligned case: a node holds x / u groups.
    const std::int64_t block = std::min(m_gpus_per_node, world());
    bool alike = !cut_across && kind != GroupKind::embedding;
    std::int64_t rest = block;
    for (std::size_t i = 0; alike && i < own.size; ++i) {
        const std::int64_t inside = rest % own.digits[i].count == 0 ? own.digits[i].count : rest;
        alike = own.digits[i].count % inside == 0;
        if (alike) rest /= inside;
    }
    reach.groups_per_node = alike ? block / node.together : groups_on_a_node(kind);
    return reach;
}

Placement::Bound Placement::permuted_bound(GroupKind kind, std::int64_t block) const {
    const Layout& own = layout(kind);
    if (own.groups == 0) return {1, 1, 0};
    const Bound node = bound(kind, m_gpus_per_node);
    if (node.blocks <= 1 && block % m_gpus_per_node == 0) return {1, own.members, 0};
    const bool cut_across = is_sliced(kind) && !m_even_slices;
    // Groups of a kind differ by their first rank, unless cut across. Of those whose first ranks are
    // neighbours on one node, and so are all their members, one is looked at.
    std::int64_t alike = 1;
    std::vector<std::int64_t> offsets;
    if (!cut_across) {
        offsets = group(kind, 0);
        for (std::int64_t& offset : offsets) offset -= own.base(0);
        const Digit& lowest = own.digits[0];
        if (own.size > 0 && !lowest.member && block % m_gpus_per_node == 0)
            alike = std::gcd(lowest.count, m_gpus_per_node);
    }
    Bound worst{1, own.members, 0};
    const std::int64_t blocks = (node_count() * m_gpus_per_node + block - 1) / block;
    std::vector<std::int64_t> seen(static_cast<std::size_t>(blocks), -1); // the group that touched it last
    std::vector<std::int64_t> members(seen.size());                       // of that group
    for (std::int64_t i = 0; i < own.groups; i += alike) {
        std::int64_t touched = 0, most = 0;
        const auto touch = [&](std::int64_t rank) {
            const auto at = static_cast<std::size_t>(slot_of(rank) / block);
            if (seen[at] != i) {
                ++touched;
                seen[at] = i;
                members[at] = 0;
            }
            most = std::max(most, ++members[at]);
        };
        if (cut_across)
            for (const std::int64_t rank : group(kind, i)) touch(rank);
        else
            for (const std::int64_t base = own.base(i); const std::int64_t offset : offsets)
                touch(base + offset);
        worst.blocks = std::max(worst.blocks, touched);
        worst.together = std::min(worst.together, most);
        worst.crossing += touched > 1 ? alike : 0;
    }
    return worst;
}

std::int64_t Placement::crossing_pods(GroupKind kind) const {
    if (!m_places.empty()) return m_permuted_pods[static_cast<std::size_t>(kind)].crossing;
    return m_nodes_per_pod > 0 ? bound(kind, m_nodes_per_pod * m_gpus_per_node).crossing : 0;
}

std::int64_t Placement::crossing_domains(GroupKind kind) const {
    if (!m_places.empty() && m_domain > m_gpus_per_node)
        return m_permuted_domains[static_cast<std::size_t>(kind)].crossing;
    return bound(kind, m_domain).crossing;
}

std::int64_t Placement::crossing(GroupKind kind) const { return bound(kind, m_gpus_per_node).crossing; }

bool Placement::stage_border_crosses_node(std::int64_t stage) const {
    const Layout& own = layout(GroupKind::pp);
    const std::int64_t stages = m_dense.size(Axis::pp);
    if (stages < 2 || stage < 0 || stage >= stages) return false;
    const std::int64_t from = own.offset(stage), to = own.offset((stage + 1) % stages);
    if (world() <= m_gpus_per_node) return false;
    if (std::max(from, to) - std::min(from, to) >= m_gpus_per_node) return true;
    Residues residues;
    residues.counts.assign(static_cast<std::size_t>(m_gpus_per_node), 0);
    residues.counts[0] = 1;
    for (std::size_t i = 0; i < own.size; ++i)
        if (!own.digits[i].member) residues.add(own.digits[i].count, own.digits[i].stride);
    for (std::size_t i = 0; i < residues.counts.size(); ++i) {
        const std::int64_t base = static_cast<std::int64_t>(i);
        if (residues.counts[i] > 0 && (base + from) / m_gpus_per_node != (base + to) / m_gpus_per_node)
            return true;
    }
    return false;
}

} // namespace shardlens::placement
