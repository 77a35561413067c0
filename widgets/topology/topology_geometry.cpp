// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_geometry.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace shardlens {

namespace {

constexpr double kLabelPixels = 14, kCellPixels = 4;
constexpr double kTitledCellPixels = 8; // cells that leave room for titles of pods and racks
constexpr double kMostStretch = 2.2;    // height of a cell against its width, and the reverse

std::int64_t rowsFor(std::int64_t count, std::int64_t columns) { return (count + columns - 1) / columns; }

// Two rows where possible, as GPUs sit on a board; the divisor nearest to √(2n) columns.
std::int64_t columnsInNode(std::int64_t gpus) {
    const double wanted = std::sqrt(2.0 * static_cast<double>(gpus));
    std::int64_t best = gpus;
    for (std::int64_t columns = 1; columns <= std::min<std::int64_t>(gpus, 4096); ++columns)
        if (gpus % columns == 0 && std::abs(columns - wanted) < std::abs(best - wanted)) best = columns;
    return best;
}

/// What the map may look like, the finest first.
struct Level {
    TopologyDetail detail;
    bool titled; ///< pods and racks
};
constexpr std::array kLevels = {Level{TopologyDetail::Labels, true}, Level{TopologyDetail::Cells, true},
                                Level{TopologyDetail::Cells, false}, Level{TopologyDetail::Image, false}};

void setLevel(TopologyLayout& layout, const Level& level, const RankLabel& label) {
    layout.detail = level.detail;
    const bool pods = layout.shape.pods() > 1, racks = layout.shape.nodesPerRack > 0;
    const auto paddings = [&](double padding, double title, double gap) {
        layout.podPadding = pods ? padding : 0, layout.podTitle = pods ? title : 0,
        layout.podGap = pods ? gap : 0;
        layout.rackPadding = racks ? padding : 0, layout.rackTitle = racks ? title : 0,
        layout.rackGap = racks ? gap : 0;
    };
    switch (level.detail) {
    case TopologyDetail::Labels:
        layout.cellGap = 1 + 2 * label.stroke, layout.nodePadding = 6;
        layout.nodeTitle = label.height, layout.nodeGap = 7;
        return paddings(6, label.height, 8);
    case TopologyDetail::Cells:
        layout.cellGap = 1, layout.nodePadding = 1, layout.nodeTitle = 0, layout.nodeGap = 2;
        return paddings(2, level.titled ? label.height : 0, 3);
    case TopologyDetail::Image:
        layout.cellGap = layout.nodePadding = layout.nodeTitle = layout.nodeGap = 0;
        return paddings(0, 0, 0);
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
    const double rackWidth = inner(podWidth, layout.rackColumns, layout.rackGap, layout.rackPadding);
    const double rackHeight =
        inner(podHeight, layout.rackRows, layout.rackGap, layout.rackPadding) - layout.rackTitle;
    const double nodeWidth = inner(rackWidth, layout.nodeColumns, layout.nodeGap, layout.nodePadding);
    const double nodeHeight =
        inner(rackHeight, layout.nodeRows, layout.nodeGap, layout.nodePadding) - layout.nodeTitle;
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

bool isLargeEnough(const TopologyLayout& layout, const Level& level) {
    switch (level.detail) {
    case TopologyDetail::Labels: return smallest(layout) >= kLabelPixels;
    case TopologyDetail::Cells: return smallest(layout) >= (level.titled ? kTitledCellPixels : kCellPixels);
    case TopologyDetail::Image: break;
    }
    return true;
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

std::int64_t TopologyShape::rackSize() const {
    return nodesPerRack > 0 ? std::min(nodesPerRack, podSize()) : podSize();
}
std::int64_t TopologyShape::racksPerPod() const { return rowsFor(podSize(), rackSize()); }
std::int64_t TopologyShape::rackOf(std::int64_t node) const {
    return node / podSize() * racksPerPod() + node % podSize() / rackSize();
}
std::int64_t TopologyShape::racks() const { return rackOf(std::max<std::int64_t>(1, nodes()) - 1) + 1; }

double TopologyLayout::rackWidth() const {
    return static_cast<double>(nodeColumns) * (nodeWidth() + nodeGap) - nodeGap + 2 * rackPadding;
}
double TopologyLayout::rackHeight() const {
    return static_cast<double>(nodeRows) * (nodeHeight() + nodeGap) - nodeGap + 2 * rackPadding + rackTitle;
}
double TopologyLayout::podWidth() const {
    return static_cast<double>(rackColumns) * (rackWidth() + rackGap) - rackGap + 2 * podPadding;
}
double TopologyLayout::podHeight() const {
    return static_cast<double>(rackRows) * (rackHeight() + rackGap) - rackGap + 2 * podPadding + podTitle;
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

CellRect TopologyLayout::rack(std::int64_t index) const {
    const CellRect box = pod(index / shape.racksPerPod());
    const std::int64_t within = index % shape.racksPerPod();
    return {box.x + podPadding + static_cast<double>(within % rackColumns) * (rackWidth() + rackGap),
            box.y + podPadding + podTitle +
                static_cast<double>(within / rackColumns) * (rackHeight() + rackGap),
            rackWidth(), rackHeight()};
}

CellRect TopologyLayout::node(std::int64_t index) const {
    const CellRect box = rack(shape.rackOf(index));
    const std::int64_t within = index % shape.podSize() % shape.rackSize();
    return {box.x + rackPadding + static_cast<double>(within % nodeColumns) * (nodeWidth() + nodeGap),
            box.y + rackPadding + rackTitle +
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
    double dx = x - left, dy = y - top;
    // One level: which box of a grid the point is in; afterwards the point is seen from inside that box.
    const auto step = [&](double width, double height, double gap, std::int64_t columns, std::int64_t rows,
                          double padding, double title) -> std::optional<std::int64_t> {
        const auto along = [gap](double& at, double size, std::int64_t count) -> std::int64_t {
            if (at < 0 || !(size > 0)) return -1;
            const auto index = static_cast<std::int64_t>(at / (size + gap));
            at -= static_cast<double>(index) * (size + gap);
            return index >= count || at >= size ? -1 : index;
        };
        const std::int64_t column = along(dx, width, columns), row = along(dy, height, rows);
        if (column < 0 || row < 0) return {};
        dx -= padding, dy -= padding + title;
        return row * columns + column;
    };
    const auto pod = step(podWidth(), podHeight(), podGap, podColumns, podRows, podPadding, podTitle);
    if (!pod) return {};
    const auto rack = step(rackWidth(), rackHeight(), rackGap, rackColumns, rackRows, rackPadding, rackTitle);
    if (!rack) return {};
    const auto within =
        step(nodeWidth(), nodeHeight(), nodeGap, nodeColumns, nodeRows, nodePadding, nodeTitle);
    if (!within || *within >= shape.rackSize()) return {};
    const auto local = step(cellWidth - cellGap, cellHeight - cellGap, cellGap, cellColumns, cellRows, 0, 0);
    const std::int64_t inPod = *rack * shape.rackSize() + *within;
    if (!local || *local >= shape.gpusPerNode || inPod >= shape.podSize()) return {};
    const std::int64_t rank = (*pod * shape.podSize() + inPod) * shape.gpusPerNode + *local;
    if (rank >= shape.gpus) return {};
    return rank;
}

std::int64_t TopologyLayout::gridColumn(std::int64_t rank) const {
    const std::int64_t node = rank / shape.gpusPerNode, inPod = node % shape.podSize();
    const std::int64_t rack = inPod / shape.rackSize(), within = inPod % shape.rackSize();
    return ((node / shape.podSize() % podColumns * rackColumns + rack % rackColumns) * nodeColumns +
            within % nodeColumns) *
               cellColumns +
           rank % shape.gpusPerNode % cellColumns;
}

std::int64_t TopologyLayout::gridRow(std::int64_t rank) const {
    const std::int64_t node = rank / shape.gpusPerNode, inPod = node % shape.podSize();
    const std::int64_t rack = inPod / shape.rackSize(), within = inPod % shape.rackSize();
    return ((node / shape.podSize() / podColumns * rackRows + rack / rackColumns) * nodeRows +
            within / nodeColumns) *
               cellRows +
           rank % shape.gpusPerNode / cellColumns;
}

std::pair<std::int64_t, std::int64_t> touchedBoxes(double from, double to, double pitch, std::int64_t count) {
    if (!(pitch > 0)) return {0, count};
    const auto clampTo = [count](double value) {
        return static_cast<std::int64_t>(std::clamp(value, 0.0, static_cast<double>(count)));
    };
    return {clampTo(std::floor(from / pitch)), clampTo(std::floor(to / pitch) + 1)};
}

TopologyLayout layOutTopology(const TopologyShape& shape, double width, double height,
                              const RankLabel& label) {
    TopologyLayout layout;
    layout.shape = shape;
    layout.cellColumns = columnsInNode(shape.gpusPerNode);
    layout.cellRows = rowsFor(shape.gpusPerNode, layout.cellColumns);
    const std::int64_t pods = shape.pods(), racks = shape.racksPerPod(), nodes = shape.rackSize();
    for (const Level& level : kLevels) {
        setLevel(layout, level, label);
        TopologyLayout best = layout;
        double bestScore = -1;
        const auto over = [](std::int64_t count, auto&& visit) {
            for (std::int64_t columns = 1; columns <= count; columns = nextColumns(columns)) visit(columns);
        };
        over(pods, [&](std::int64_t podColumns) {
            over(racks, [&](std::int64_t rackColumns) {
                over(nodes, [&](std::int64_t nodeColumns) {
                    TopologyLayout tried = layout;
                    tried.podColumns = podColumns, tried.podRows = rowsFor(pods, podColumns);
                    tried.rackColumns = rackColumns, tried.rackRows = rowsFor(racks, rackColumns);
                    tried.nodeColumns = nodeColumns, tried.nodeRows = rowsFor(nodes, nodeColumns);
                    fillArea(tried, width, height);
                    const double score = fitOf(tried, label);
                    if (score > bestScore) bestScore = score, best = tried;
                });
            });
        });
        if (isLargeEnough(best, level)) return best;
    }
    return layout;
}

TopologyLayout zoomTopology(const TopologyLayout& whole, double width, double height, double zoom,
                            const RankLabel& label) {
    TopologyLayout layout = whole;
    for (const Level& level : kLevels) {
        setLevel(layout, level, label);
        fillArea(layout, width * zoom, height * zoom);
        if (isLargeEnough(layout, level)) break;
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
