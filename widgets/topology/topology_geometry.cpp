// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shardlens {

namespace {

constexpr double kLabelPixels = 14, kCellPixels = 4;
constexpr double kMostStretch = 2.2; // height of a cell against its width, and the reverse

std::int64_t rowsFor(std::int64_t count, std::int64_t columns) { return (count + columns - 1) / columns; }

// Two rows where possible, as GPUs sit on a board; the divisor nearest to √(2n) columns.
std::int64_t columnsInNode(std::int64_t gpus) {
    const double wanted = std::sqrt(2.0 * static_cast<double>(gpus));
    std::int64_t best = gpus;
    for (std::int64_t columns = 1; columns <= std::min<std::int64_t>(gpus, 4096); ++columns)
        if (gpus % columns == 0 && std::abs(columns - wanted) < std::abs(best - wanted)) best = columns;
    return best;
}

void setDetail(TopologyLayout& layout, TopologyDetail detail, const RankLabel& label) {
    layout.detail = detail;
    const bool pods = layout.shape.pods() > 1;
    switch (detail) {
    case TopologyDetail::Labels:
        layout.cellGap = 3, layout.nodePadding = 6, layout.nodeTitle = label.height, layout.nodeGap = 7;
        layout.podPadding = pods ? 6 : 0, layout.podTitle = pods ? label.height : 0,
        layout.podGap = pods ? 8 : 0;
        return;
    case TopologyDetail::Cells:
        layout.cellGap = 1, layout.nodePadding = 1, layout.nodeTitle = 0, layout.nodeGap = 2;
        layout.podPadding = pods ? 2 : 0, layout.podTitle = 0, layout.podGap = pods ? 3 : 0;
        return;
    case TopologyDetail::Image:
        layout.cellGap = layout.nodePadding = layout.nodeTitle = layout.nodeGap = 0;
        layout.podPadding = layout.podTitle = layout.podGap = 0;
        return;
    }
}

// Largest cells for the columns and detail that the layout has.
void fillArea(TopologyLayout& layout, double width, double height) {
    const auto inner = [](double space, std::int64_t count, double gap, double padding) {
        return (space + gap) / static_cast<double>(count) - gap - 2 * padding;
    };
    const double podWidth = inner(width, layout.podColumns, layout.podGap, layout.podPadding);
    const double podHeight =
        inner(height, layout.podRows, layout.podGap, layout.podPadding) - layout.podTitle;
    const double nodeWidth = inner(podWidth, layout.nodeColumns, layout.nodeGap, layout.nodePadding);
    const double nodeHeight =
        inner(podHeight, layout.nodeRows, layout.nodeGap, layout.nodePadding) - layout.nodeTitle;
    layout.cellWidth = std::max(0.0, nodeWidth / static_cast<double>(layout.cellColumns));
    layout.cellHeight = std::max(0.0, nodeHeight / static_cast<double>(layout.cellRows));
    layout.cellWidth = std::min(layout.cellWidth, kMostStretch * layout.cellHeight);
    layout.cellHeight = std::min(layout.cellHeight, kMostStretch * layout.cellWidth);
    if (layout.detail != TopologyDetail::Image) { // whole pixels look even
        layout.cellWidth = std::floor(layout.cellWidth);
        layout.cellHeight = std::floor(layout.cellHeight);
    }
    layout.left = std::max(0.0, std::floor((width - layout.width()) / 2));
    layout.top = std::max(0.0, std::floor((height - layout.height()) / 2));
}

double smallest(const TopologyLayout& layout) { return std::min(layout.cellWidth, layout.cellHeight); }

bool isLargeEnough(const TopologyLayout& layout) {
    if (layout.detail == TopologyDetail::Image) return true;
    return smallest(layout) >= (layout.detail == TopologyDetail::Labels ? kLabelPixels : kCellPixels);
}

// How well the cells hold a rank number; of two that hold it equally well the larger one.
double fitOf(const TopologyLayout& layout, const RankLabel& label) {
    const double area = layout.cellWidth * layout.cellHeight;
    if (layout.detail != TopologyDetail::Labels) return smallest(layout) * 1e6 + area;
    const double across = layout.cellWidth / (label.width + layout.cellGap + 3);
    const double down = layout.cellHeight / (label.height + layout.cellGap);
    return std::min({across, down, 1.5}) * 1e6 + area;
}

// Every count up to 64, then steps of about 2 %.
std::int64_t nextColumns(std::int64_t columns) { return columns + std::max<std::int64_t>(1, columns / 50); }

} // namespace

std::int64_t TopologyShape::podSize() const {
    const std::int64_t all = std::max<std::int64_t>(1, nodes());
    return nodesPerPod > 0 ? std::min(nodesPerPod, all) : all;
}

std::int64_t TopologyShape::pods() const { return rowsFor(std::max<std::int64_t>(1, nodes()), podSize()); }

double TopologyLayout::podWidth() const {
    return static_cast<double>(nodeColumns) * (nodeWidth() + nodeGap) - nodeGap + 2 * podPadding;
}
double TopologyLayout::podHeight() const {
    return static_cast<double>(nodeRows) * (nodeHeight() + nodeGap) - nodeGap + 2 * podPadding + podTitle;
}
double TopologyLayout::width() const {
    return static_cast<double>(podColumns) * (podWidth() + podGap) - podGap;
}
double TopologyLayout::height() const {
    return static_cast<double>(podRows) * (podHeight() + podGap) - podGap;
}

CellRect TopologyLayout::pod(std::int64_t index) const {
    return {left + static_cast<double>(index % podColumns) * (podWidth() + podGap),
            top + static_cast<double>(index / podColumns) * (podHeight() + podGap), podWidth(), podHeight()};
}

CellRect TopologyLayout::node(std::int64_t index) const {
    const CellRect box = pod(index / shape.podSize());
    const std::int64_t within = index % shape.podSize();
    return {box.x + podPadding + static_cast<double>(within % nodeColumns) * (nodeWidth() + nodeGap),
            box.y + podPadding + podTitle +
                static_cast<double>(within / nodeColumns) * (nodeHeight() + nodeGap),
            nodeWidth(), nodeHeight()};
}

CellRect TopologyLayout::cell(std::int64_t rank) const {
    const CellRect box = node(rank / shape.gpusPerNode);
    const std::int64_t local = rank % shape.gpusPerNode;
    return {box.x + nodePadding + static_cast<double>(local % cellColumns) * cellWidth,
            box.y + nodePadding + nodeTitle + static_cast<double>(local / cellColumns) * cellHeight,
            cellWidth - cellGap, cellHeight - cellGap};
}

std::optional<std::int64_t> TopologyLayout::rankAt(double x, double y) const {
    // One level: which of `columns` boxes of `size` with `gap` between them, and where inside.
    const auto step = [](double& at, double size, double gap,
                         std::int64_t columns) -> std::optional<std::int64_t> {
        if (at < 0 || !(size > 0)) return {};
        const auto index = static_cast<std::int64_t>(at / (size + gap));
        at -= static_cast<double>(index) * (size + gap);
        if (index >= columns || at >= size) return {};
        return index;
    };
    double dx = x - left, dy = y - top;
    const auto podX = step(dx, podWidth(), podGap, podColumns), podY = step(dy, podHeight(), podGap, podRows);
    if (!podX || !podY) return {};
    dx -= podPadding, dy -= podPadding + podTitle;
    const auto nodeX = step(dx, nodeWidth(), nodeGap, nodeColumns),
               nodeY = step(dy, nodeHeight(), nodeGap, nodeRows);
    if (!nodeX || !nodeY) return {};
    dx -= nodePadding, dy -= nodePadding + nodeTitle;
    const auto cellX = step(dx, cellWidth - cellGap, cellGap, cellColumns);
    const auto cellY = step(dy, cellHeight - cellGap, cellGap, cellRows);
    if (!cellX || !cellY) return {};
    const std::int64_t within = *nodeY * nodeColumns + *nodeX, local = *cellY * cellColumns + *cellX;
    if (within >= shape.podSize() || local >= shape.gpusPerNode) return {};
    const std::int64_t rank =
        ((*podY * podColumns + *podX) * shape.podSize() + within) * shape.gpusPerNode + local;
    if (rank >= shape.gpus) return {};
    return rank;
}

std::int64_t TopologyLayout::gridColumn(std::int64_t rank) const {
    const std::int64_t node = rank / shape.gpusPerNode, local = rank % shape.gpusPerNode;
    const std::int64_t within = node % shape.podSize(), podIndex = node / shape.podSize();
    return (podIndex % podColumns * nodeColumns + within % nodeColumns) * cellColumns + local % cellColumns;
}

std::int64_t TopologyLayout::gridRow(std::int64_t rank) const {
    const std::int64_t node = rank / shape.gpusPerNode, local = rank % shape.gpusPerNode;
    const std::int64_t within = node % shape.podSize(), podIndex = node / shape.podSize();
    return (podIndex / podColumns * nodeRows + within / nodeColumns) * cellRows + local / cellColumns;
}

TopologyLayout layOutTopology(const TopologyShape& shape, double width, double height,
                              const RankLabel& label) {
    TopologyLayout layout;
    layout.shape = shape;
    layout.cellColumns = columnsInNode(shape.gpusPerNode);
    layout.cellRows = rowsFor(shape.gpusPerNode, layout.cellColumns);
    const std::int64_t pods = shape.pods(), nodes = shape.podSize();
    for (const auto detail : {TopologyDetail::Labels, TopologyDetail::Cells, TopologyDetail::Image}) {
        setDetail(layout, detail, label);
        TopologyLayout best = layout;
        double bestScore = -1;
        for (std::int64_t podColumns = 1; podColumns <= pods; podColumns = nextColumns(podColumns))
            for (std::int64_t nodeColumns = 1; nodeColumns <= nodes; nodeColumns = nextColumns(nodeColumns)) {
                TopologyLayout tried = layout;
                tried.podColumns = podColumns, tried.podRows = rowsFor(pods, podColumns);
                tried.nodeColumns = nodeColumns, tried.nodeRows = rowsFor(nodes, nodeColumns);
                fillArea(tried, width, height);
                const double score = fitOf(tried, label);
                if (score > bestScore) bestScore = score, best = tried;
            }
        if (isLargeEnough(best)) return best;
    }
    return layout;
}

TopologyLayout zoomTopology(const TopologyLayout& whole, double width, double height, double zoom,
                            const RankLabel& label) {
    TopologyLayout layout = whole;
    for (const auto detail : {TopologyDetail::Labels, TopologyDetail::Cells, TopologyDetail::Image}) {
        setDetail(layout, detail, label);
        fillArea(layout, width * zoom, height * zoom);
        if (isLargeEnough(layout)) break;
    }
    return layout;
}

std::string shortenedRanks(std::span<const std::int64_t> ranks) {
    if (ranks.empty()) return {};
    const std::size_t n = ranks.size();
    const auto text = [&](std::size_t i) { return std::to_string(ranks[i]); };
    bool consecutive = n > 2;
    for (std::size_t i = 1; i < n && consecutive; ++i) consecutive = ranks[i] == ranks[i - 1] + 1;
    if (consecutive) return text(0) + "–" + text(n - 1);
    std::string result;
    const std::size_t shown = n <= 6 ? n : 3;
    for (std::size_t i = 0; i < shown; ++i) result += (i > 0 ? ", " : "") + text(i);
    if (shown < n) result += " … " + text(n - 1) + " (" + std::to_string(n) + ")";
    return result;
}

} // namespace shardlens
