// SPDX-License-Identifier: GPL-3.0-or-later
#include "placement/placement.h"

#include <algorithm>
#include <fmt/format.h>

#include "rules/host_order.h"
#include "rules/rank_order.h"

namespace shardlens::placement {

namespace {

Axis dense_axis(rules::OrderAxis axis) {
    switch (axis) {
    case rules::OrderAxis::tp: return Axis::tp;
    case rules::OrderAxis::cp: return Axis::cp;
    case rules::OrderAxis::ep: return Axis::ep;
    case rules::OrderAxis::dp: return Axis::dp;
    case rules::OrderAxis::pp: return Axis::pp;
    }
    return Axis::tp;
}

Axis expert_axis(Axis axis) {
    if (axis == Axis::tp) return Axis::etp;
    if (axis == Axis::dp) return Axis::edp;
    return axis;
}

/// True when the product of the factors is `world`; no overflow whatever the factors.
bool multiplies_to(std::int64_t world, std::initializer_list<std::int64_t> factors) {
    for (const std::int64_t factor : factors) {
        if (factor < 1 || world % factor != 0) return false;
        world /= factor;
    }
    return world == 1;
}

} // namespace

std::int64_t Grid::world() const {
    std::int64_t product = 1;
    for (const std::int64_t size : sizes) product *= size;
    return product;
}

std::int64_t Grid::size(Axis axis) const {
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (axes[i] == axis) return sizes[i];
    return 1;
}

std::int64_t Grid::stride(Axis axis) const {
    std::int64_t product = 1;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        if (axes[i] == axis) return product;
        product *= sizes[i];
    }
    return product;
}

std::int64_t Grid::coordinate(std::int64_t rank, Axis axis) const { return rank / stride(axis) % size(axis); }

Result<RankOrder> parse_rank_order(std::string_view text) {
    const Result<rules::AxisOrder> axes = rules::parse_axis_order(text);
    if (!axes) return axes.error();
    RankOrder order;
    for (const rules::OrderAxis name : *axes) {
        const Axis axis = dense_axis(name);
        if (axis != Axis::ep) order.dense.push_back(axis);
        if (axis != Axis::cp) order.expert.push_back(expert_axis(axis));
    }
    return order;
}

const char* to_string(GroupKind kind) {
    switch (kind) {
    case GroupKind::tp: return "tp";
    case GroupKind::cp: return "cp";
    case GroupKind::dp: return "dp";
    case GroupKind::dp_cp: return "dp_cp";
    case GroupKind::pp: return "pp";
    case GroupKind::ep: return "ep";
    case GroupKind::etp: return "etp";
    case GroupKind::edp: return "edp";
    case GroupKind::dp_replicate: return "dp_replicate";
    case GroupKind::dp_shard: return "dp_shard";
    case GroupKind::embedding: return "embedding";
    }
    return "";
}

std::vector<std::vector<std::int64_t>> groups_along(const Grid& grid, std::initializer_list<Axis> axes) {
    std::vector<std::int64_t> first{0}, offsets{0};
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        const bool inside = std::find(axes.begin(), axes.end(), grid.axes[i]) != axes.end();
        std::vector<std::int64_t>& digits = inside ? offsets : first;
        const std::size_t before = digits.size();
        for (std::int64_t value = 1; value < grid.sizes[i]; ++value)
            for (std::size_t k = 0; k < before; ++k) digits.push_back(digits[k] + value * stride);
        stride *= grid.sizes[i];
    }
    std::vector<std::vector<std::int64_t>> groups(first.size(), offsets);
    for (std::size_t i = 0; i < groups.size(); ++i)
        for (std::int64_t& rank : groups[i]) rank += first[i];
    return groups;
}

void Placement::Layout::add(std::int64_t count, std::int64_t stride, bool member) {
    if (count == 1) return;
    (member ? members : groups) *= count;
    if (size > 0) {
        Digit& last = digits[size - 1];
        if (last.member == member && last.stride * last.count == stride) {
            last.count *= count;
            return;
        }
    }
    digits[size++] = {count, stride, member};
}

std::int64_t Placement::Layout::base(std::int64_t index) const {
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (digits[i].member) continue;
        rank += index % digits[i].count * digits[i].stride;
        index /= digits[i].count;
    }
    return rank;
}

std::int64_t Placement::Layout::offset(std::int64_t member) const {
    std::int64_t rank = 0;
    for (std::size_t i = 0; i < size; ++i) {
        if (!digits[i].member) continue;
        rank += member % digits[i].count * digits[i].stride;
        member /= digits[i].count;
    }
    return rank;
}

std::int64_t Placement::Layout::index_of(std::int64_t rank, bool of_member) const {
    std::int64_t index = 0, weight = 1;
    for (std::size_t i = 0; i < size; ++i) {
        if (digits[i].member != of_member) continue;
        index += rank / digits[i].stride % digits[i].count * weight;
        weight *= digits[i].count;
    }
    return index;
}

Placement::Layout Placement::make_layout(const Grid& grid, Axis first, Axis second) {
    Layout layout;
    layout.groups = 1;
    std::int64_t stride = 1;
    for (std::size_t i = 0; i < grid.axes.size(); ++i) {
        layout.add(grid.sizes[i], stride, grid.axes[i] == first || grid.axes[i] == second);
        stride *= grid.sizes[i];
    }
    return layout;
}

void Placement::make_layouts() {
    const auto set = [this](GroupKind kind, const Grid& grid, Axis first, Axis second) {
        m_layouts[static_cast<std::size_t>(kind)] = make_layout(grid, first, second);
    };
    set(GroupKind::tp, m_dense, Axis::tp, Axis::tp);
    set(GroupKind::cp, m_dense, Axis::cp, Axis::cp);
    set(GroupKind::dp, m_dense, Axis::dp, Axis::dp);
    set(GroupKind::dp_cp, m_dense, Axis::dp, Axis::cp);
    set(GroupKind::pp, m_dense, Axis::pp, Axis::pp);
    set(GroupKind::embedding, m_dense, Axis::pp, Axis::pp);
    if (m_has_experts) {
        set(GroupKind::ep, m_expert, Axis::ep, Axis::ep);
        set(GroupKind::etp, m_expert, Axis::etp, Axis::etp);
        set(GroupKind::edp, m_expert, Axis::edp, Axis::edp);
    }

    // Slices of the data · context group, cut into digits where the slice length allows it.
    const Layout& whole = layout(GroupKind::dp_cp);
    Layout shard, replicate;
    shard.groups = replicate.groups = 1;
    std::int64_t rest = m_shard;
    m_even_slices = true;
    for (std::size_t i = 0; i < whole.size; ++i) {
        const Digit& digit = whole.digits[i];
        if (!digit.member) {
            shard.add(digit.count, digit.stride, false);
            replicate.add(digit.count, digit.stride, false);
            continue;
        }
        const std::int64_t inside = rest % digit.count == 0 ? digit.count : rest;
        if (digit.count % inside != 0) m_even_slices = false;
        if (!m_even_slices) break;
        rest /= inside;
        shard.add(inside, digit.stride, true);
        replicate.add(inside, digit.stride, false);
        shard.add(digit.count / inside, digit.stride * inside, false);
        replicate.add(digit.count / inside, digit.stride * inside, true);
    }
    if (!m_even_slices) {
        shard.size = replicate.size = 0;
        shard.members = m_shard;
        replicate.members = whole.members / m_shard;
        shard.groups = world() / shard.members;
        replicate.groups = world() / replicate.members;
    }
    m_layouts[static_cast<std::size_t>(GroupKind::dp_shard)] = shard;
    m_layouts[static_cast<std::size_t>(GroupKind::dp_replicate)] = replicate;

    Layout& embedding = m_layouts[static_cast<std::size_t>(GroupKind::embedding)];
    embedding.members = std::min<std::int64_t>(2, m_dense.size(Axis::pp));
}

bool Placement::is_sliced(GroupKind kind) const {
    return kind == GroupKind::dp_shard || kind == GroupKind::dp_replicate;
}

Result<Placement> Placement::make(const Setup& setup) {
    Result<RankOrder> order = parse_rank_order(setup.plan.parallel.rank_order);
    if (!order) return order.error();
    const std::int64_t world = setup.world();
    if (!multiplies_to(world, {setup.tensor, setup.context, setup.data, setup.pipeline}))
        return Error{
            "parallel",
            fmt::format(
                "tensor {} · context {} · data {} · pipeline {} must multiply to the {} GPUs of the cluster",
                setup.tensor, setup.context, setup.data, setup.pipeline, world)};

    Placement placement;
    placement.m_gpus_per_node = std::max<std::int64_t>(1, setup.cluster.node.gpus_per_node);
    placement.m_domain = std::max<std::int64_t>(1, setup.cluster.node.scale_up_domain);
    placement.m_nodes_per_pod = std::max<std::int64_t>(0, setup.cluster.node.nodes_per_pod);
    for (const Axis axis : order->dense) {
        placement.m_dense.axes.push_back(axis);
        placement.m_dense.sizes.push_back(axis == Axis::tp   ? setup.tensor
                                          : axis == Axis::cp ? setup.context
                                          : axis == Axis::dp ? setup.data
                                                             : setup.pipeline);
    }
    const std::int64_t stage_ranks = world / setup.pipeline;
    placement.m_has_experts = setup.moe() && setup.expert_tensor > 0 && setup.expert > 0 &&
                              stage_ranks % setup.expert_tensor == 0 &&
                              stage_ranks / setup.expert_tensor % setup.expert == 0;
    if (placement.m_has_experts) {
        const std::int64_t expert_data = stage_ranks / setup.expert_tensor / setup.expert;
        for (const Axis axis : order->expert) {
            placement.m_expert.axes.push_back(axis);
            placement.m_expert.sizes.push_back(axis == Axis::etp   ? setup.expert_tensor
                                               : axis == Axis::ep  ? setup.expert
                                               : axis == Axis::edp ? expert_data
                                                                   : setup.pipeline);
        }
    }
    const std::int64_t state_ranks = setup.data * setup.context;
    placement.m_shard = 1;
    if (setup.plan.parallel.zero > 0) {
        const std::int64_t group = setup.plan.parallel.shard_group;
        placement.m_shard = group > 0 && state_ranks % group == 0 ? group : state_ranks;
    }
    placement.make_layouts();
    const std::vector<std::string>& hosts = setup.plan.cluster.hosts;
    if (static_cast<std::int64_t>(hosts.size()) == setup.cluster.nodes()) {
        std::vector<std::int64_t> places = rules::places_of(hosts);
        if (!std::is_sorted(places.begin(), places.end())) {
            placement.m_places = std::move(places);
            for (const GroupKind kind : kGroupKinds) {
                const auto at = static_cast<std::size_t>(kind);
                if (placement.m_nodes_per_pod > 0)
                    placement.m_permuted_pods[at] =
                        placement.permuted_bound(kind, placement.m_nodes_per_pod * placement.m_gpus_per_node);
                if (placement.m_domain > placement.m_gpus_per_node)
                    placement.m_permuted_domains[at] = placement.permuted_bound(kind, placement.m_domain);
            }
        }
    }
    return placement;
}

std::int64_t nics_per_node(const Node& node) {
    return node.nics_per_node > 0 ? node.nics_per_node : std::max<std::int64_t>(1, node.gpus_per_node);
}

std::int64_t nic_of(const Node& node, std::int64_t local) {
    return local * nics_per_node(node) / std::max<std::int64_t>(1, node.gpus_per_node);
}

std::int64_t Placement::first_rank_on(std::int64_t node) const {
    if (node < 0 || node >= node_count()) return world();
    std::int64_t launched = node;
    if (!m_places.empty()) launched = std::find(m_places.begin(), m_places.end(), node) - m_places.begin();
    return launched * m_gpus_per_node;
}

std::int64_t Placement::group_count(GroupKind kind) const { return layout(kind).groups; }

std::vector<std::int64_t> Placement::group(GroupKind kind, std::int64_t index) const {
    const Layout& own = layout(kind);
    std::vector<std::int64_t> ranks;
    if (index < 0 || index >= own.groups) return ranks;
    ranks.reserve(static_cast<std::size_t>(own.members));
    if (is_sliced(kind)) {
        const Layout& whole = layout(GroupKind::dp_cp);
        const std::int64_t per_whole = whole.members / own.members;
        const std::int64_t first = whole.base(index / per_whole), slice = index % per_whole;
        const std::int64_t start = kind == GroupKind::dp_shard ? slice * m_shard : slice;
        const std::int64_t step = kind == GroupKind::dp_shard ? 1 : m_shard;
        for (std::int64_t i = 0; i < own.members; ++i)
            ranks.push_back(first + whole.offset(start + i * step));
        return ranks;
    }
    const std::int64_t first = own.base(index);
    if (kind == GroupKind::embedding) {
        ranks.push_back(first);
        if (own.members > 1) ranks.push_back(first + own.offset(m_dense.size(Axis::pp) - 1));
        return ranks;
    }
    for (std::int64_t i = 0; i < own.members; ++i) ranks.push_back(first + own.offset(i));
    return ranks;
}

std::vector<std::int64_t> Placement::group_of(GroupKind kind, std::int64_t rank) const {
    const Layout& own = layout(kind);
    if (own.groups == 0 || rank < 0 || rank >= world()) return {};
    if (is_sliced(kind)) {
        const Layout& whole = layout(GroupKind::dp_cp);
        const std::int64_t position = whole.index_of(rank, true);
        const std::int64_t slice = kind == GroupKind::dp_shard ? position / m_shard : position % m_shard;
        return group(kind, whole.index_of(rank, false) * (whole.members / own.members) + slice);
    }
    if (kind == GroupKind::embedding) {
        const std::int64_t stage = own.index_of(rank, true);
        if (stage != 0 && stage != m_dense.size(Axis::pp) - 1) return {};
    }
    return group(kind, own.index_of(rank, false));
}

std::vector<std::vector<std::int64_t>> Placement::groups(GroupKind kind) const {
    std::vector<std::vector<std::int64_t>> all;
    const std::int64_t count = group_count(kind);
    all.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) all.push_back(group(kind, i));
    return all;
}

} // namespace shardlens::placement
