// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_colors.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "format.h"
#include "placement/port_loads.h"

namespace shardlens {

using placement::Axis;
using placement::GroupKind;

namespace {

constexpr int kCategories = 8;
// Of the categorical colours, so that two that look alike to somebody differ in their pattern.
constexpr std::array<Pattern, kCategories> kCategoryPatterns = {
    Pattern::Solid, Pattern::Vertical, Pattern::Backslash, Pattern::Slash,
    Pattern::Dots,  Pattern::Cross,    Pattern::Grid,      Pattern::Horizontal};
// Denser as the load grows; the first is for none.
constexpr std::array kLoadPatterns = {Pattern::Solid, Pattern::Dots, Pattern::Slash, Pattern::Cross,
                                      Pattern::Grid};
// Of the quarters of the usable memory; what is over it has its own.
constexpr std::array kMemoryPatterns = {Pattern::Solid, Pattern::Dots, Pattern::Horizontal,
                                        Pattern::Vertical};

std::optional<GroupKind> groupKindOf(TopologyColors::By by) {
    switch (by) {
    case TopologyColors::By::Tensor: return GroupKind::tp;
    case TopologyColors::By::Context: return GroupKind::cp;
    case TopologyColors::By::Expert: return GroupKind::ep;
    case TopologyColors::By::Data: return GroupKind::dp;
    case TopologyColors::By::Pipeline: return GroupKind::pp;
    case TopologyColors::By::Stage:
    case TopologyColors::By::Memory:
    case TopologyColors::By::LinkLoad: break;
    }
    return {};
}

} // namespace

Role roleOf(GroupKind kind) {
    switch (kind) {
    case GroupKind::tp:
    case GroupKind::etp: return Role::TensorGroup;
    case GroupKind::cp: return Role::ContextGroup;
    case GroupKind::ep: return Role::ExpertGroup;
    case GroupKind::pp:
    case GroupKind::embedding: return Role::PipelineGroup;
    case GroupKind::dp:
    case GroupKind::dp_cp:
    case GroupKind::edp:
    case GroupKind::dp_replicate:
    case GroupKind::dp_shard: break;
    }
    return Role::DataGroup;
}

QString groupName(GroupKind kind) {
    switch (kind) {
    case GroupKind::tp: return TopologyTexts::tr("tensor");
    case GroupKind::cp: return TopologyTexts::tr("context");
    case GroupKind::dp: return TopologyTexts::tr("data");
    case GroupKind::dp_cp: return TopologyTexts::tr("data");
    case GroupKind::pp: return TopologyTexts::tr("pipeline");
    case GroupKind::ep: return TopologyTexts::tr("expert");
    case GroupKind::etp: return TopologyTexts::tr("expert tensor");
    case GroupKind::edp: return TopologyTexts::tr("expert data");
    case GroupKind::dp_replicate: return TopologyTexts::tr("replicas");
    case GroupKind::dp_shard: return TopologyTexts::tr("shards");
    case GroupKind::embedding: return TopologyTexts::tr("embedding");
    }
    return {};
}

QString groupLetter(GroupKind kind) {
    switch (roleOf(kind)) {
    case Role::TensorGroup: return QStringLiteral("T");
    case Role::ContextGroup: return QStringLiteral("C");
    case Role::ExpertGroup: return QStringLiteral("E");
    case Role::PipelineGroup: return QStringLiteral("P");
    default: return QStringLiteral("D");
    }
}

std::vector<GroupKind> shownKinds(const placement::Placement& placement) {
    std::vector<GroupKind> kinds;
    const GroupKind data = placement.dense().size(Axis::cp) > 1 ? GroupKind::dp_cp : GroupKind::dp;
    for (const GroupKind kind : {GroupKind::tp, GroupKind::cp, GroupKind::ep, data, GroupKind::pp}) {
        if (kind == GroupKind::ep && !placement.has_experts()) continue;
        if (placement.reach(kind).members > 1) kinds.push_back(kind);
    }
    return kinds;
}

std::vector<GroupKind> listedKinds(const placement::Placement& placement) {
    std::vector<GroupKind> kinds = shownKinds(placement);
    if (placement.has_experts() && placement.reach(GroupKind::edp).members > 1)
        kinds.push_back(GroupKind::edp);
    return kinds;
}

const placement::CollectiveTraffic* collectiveOf(const Report& report, GroupKind kind) {
    const auto* found = report.traffic.of(kind);
    if (!found && kind == GroupKind::dp) found = report.traffic.of(kind = GroupKind::dp_cp);
    if (!found && kind == GroupKind::dp_cp) found = report.traffic.of(GroupKind::dp_shard);
    return found;
}

TopologyColors::Fill TopologyColors::scaleFill(double share, const Theme& theme) {
    return {mixed(mixed(theme.card(), theme.text(), 0.1), theme.color(Role::Backward), 0.1 + 0.9 * share),
            Pattern::Solid};
}

void TopologyColors::update(By by, const Report* report, const Theme& theme) {
    m_by = by;
    m_numbers.clear();
    m_fills.clear();
    m_legend.clear();
    m_texts.clear();
    if (!report || !report->placement) return;
    m_numbers.resize(static_cast<std::size_t>(report->placement->world()));
    if (by == By::LinkLoad) return colourByLoad(*report, theme);
    if (by == By::Memory) return colourByMemory(*report, theme);
    colourByCategory(*report, theme);
}

void TopologyColors::numberByStage(const placement::Placement& placed) {
    const auto stride = placed.dense().stride(Axis::pp), size = placed.dense().size(Axis::pp);
    std::int64_t rank = 0;
    if (size > 1)
        for (std::uint32_t& number : m_numbers) number = static_cast<std::uint32_t>(rank++ / stride % size);
}

void TopologyColors::colourByCategory(const Report& report, const Theme& theme) {
    const placement::Placement& placed = *report.placement;
    for (int i = 0; i < kCategories; ++i)
        m_fills.push_back({theme.categorical(i), kCategoryPatterns[static_cast<std::size_t>(i)]});
    const auto kind = groupKindOf(m_by);
    if (!kind) {
        numberByStage(placed);
        const auto stages = placed.dense().size(Axis::pp);
        const auto shown = static_cast<int>(std::min<std::int64_t>(stages, kCategories));
        for (int stage = 0; stage < shown; ++stage) {
            QString text = stage == 0 ? TopologyTexts::tr("stage %1").arg(stage) : QString::number(stage);
            if (stage + 1 == shown && stages > shown) text += TopologyTexts::tr(", then the colours repeat");
            m_legend.push_back({m_fills[static_cast<std::size_t>(stage)], text});
        }
        return;
    }
    const std::int64_t count = placed.group_count(*kind);
    for (std::int64_t index = 0; index < count; ++index)
        for (const std::int64_t rank : placed.group(*kind, index))
            m_numbers[static_cast<std::size_t>(rank)] = static_cast<std::uint32_t>(index);
    const QString name = groupName(*kind);
    m_legend.push_back({m_fills[0], count == 1
                                        ? TopologyTexts::tr("one %1 group").arg(name)
                                        : TopologyTexts::tr("%1 groups 0 to %2; colours repeat after %3")
                                              .arg(name)
                                              .arg(count - 1)
                                              .arg(kCategories)});
}

void TopologyColors::colourByMemory(const Report& report, const Theme& theme) {
    const auto& memory = report.memory;
    numberByStage(*report.placement);
    const auto scale = [&](double bytes) {
        Fill fill = scaleFill(memory.capacity_bytes > 0 ? bytes / memory.capacity_bytes : 0, theme);
        const double quarters = memory.usable_bytes > 0 ? 4 * bytes / memory.usable_bytes : 0;
        fill.pattern =
            kMemoryPatterns[static_cast<std::size_t>(std::clamp(std::ceil(quarters) - 1, 0.0, 3.0))];
        return fill;
    };
    const Fill overUsable{theme.color(Role::Gradients), Pattern::Slash};
    const Fill overCapacity{theme.color(Role::Bad), Pattern::Cross};
    for (const auto& stage : memory.stages) {
        m_fills.push_back(stage.total_bytes > memory.capacity_bytes ? overCapacity
                          : stage.total_bytes > memory.usable_bytes ? overUsable
                                                                    : scale(stage.total_bytes));
        m_texts.push_back(formatBytes(stage.total_bytes));
    }
    if (m_fills.empty()) m_fills.push_back(scale(0));
    for (const double share : {0.25, 0.5, 0.75, 1.0}) {
        const double bytes = memory.usable_bytes * share;
        const QString text = formatBytes(bytes);
        m_legend.push_back({scale(bytes), share == 0.25 ? TopologyTexts::tr("up to %1").arg(text) : text});
    }
    m_legend.push_back({overUsable, TopologyTexts::tr("over usable")});
    m_legend.push_back({overCapacity, TopologyTexts::tr("over capacity")});
}

void TopologyColors::colourByLoad(const Report& report, const Theme& theme) {
    constexpr auto steps = static_cast<std::uint32_t>(kLoadPatterns.size()) - 1;
    for (std::uint32_t i = 0; i <= steps; ++i) {
        Fill fill = scaleFill(i / static_cast<double>(steps), theme);
        fill.pattern = kLoadPatterns[i];
        m_fills.push_back(fill);
    }
    const placement::Placement& placed = *report.placement;
    const double capacity = report.traffic.nic.capacity_bytes_per_s;
    std::vector<double> loads(m_numbers.size());
    if (report.costs && report.setup) {
        const auto ports = placement::port_loads(placed, *report.setup, report.costs->volumes);
        for (std::int64_t rank = 0; rank < placed.world(); ++rank)
            loads[static_cast<std::size_t>(rank)] = ports.of(
                placed.node_of(rank), placement::nic_of(report.setup->cluster.node, placed.local_of(rank)));
    }
    const double most = loads.empty() ? 0 : *std::max_element(loads.begin(), loads.end());
    for (std::size_t rank = 0; rank < loads.size(); ++rank)
        m_numbers[rank] =
            most > 0 && loads[rank] > 0
                ? std::clamp(static_cast<std::uint32_t>(std::ceil(loads[rank] / most * steps - 1e-9)), 1u,
                             steps)
                : 0;
    m_texts.assign(steps + 1, QString());
    m_texts[0] = TopologyTexts::tr("nothing leaves the node");
    m_legend.push_back({m_fills[0], m_texts[0]});
    for (std::uint32_t i = 1; i <= steps && most > 0; ++i) {
        const double bytes = most * i / steps;
        m_texts[i] = TopologyTexts::tr("port sends up to %1").arg(formatBytes(bytes));
        QString text = i == 1 ? m_texts[i] : formatBytes(bytes);
        if (i == steps && capacity > 0 && report.time.step_s > 0)
            text = TopologyTexts::tr("%1 a step, %2 of its time")
                       .arg(formatBytes(bytes), formatPercent(bytes / capacity / report.time.step_s));
        m_legend.push_back({m_fills[i], text});
    }
}

QString TopologyColors::textOf(std::int64_t rank) const {
    const std::uint32_t at = number(rank);
    if (m_by == By::Memory || m_by == By::LinkLoad) return at < m_texts.size() ? m_texts[at] : QString();
    if (const auto kind = groupKindOf(m_by))
        return TopologyTexts::tr("%1 group %2").arg(groupName(*kind)).arg(at);
    return TopologyTexts::tr("stage %1").arg(at);
}

QString TopologyColors::shortTextOf(std::int64_t rank) const {
    const std::uint32_t at = number(rank);
    if (m_by == By::LinkLoad) return {};
    if (m_by == By::Memory) return at < m_texts.size() ? m_texts[at] : QString();
    if (const auto kind = groupKindOf(m_by)) return groupLetter(*kind) + QString::number(at);
    return QStringLiteral("S") + QString::number(at);
}

} // namespace shardlens
