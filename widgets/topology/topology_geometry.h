// SPDX-License-Identifier: GPL-3.0-or-later
// Pods, racks, nodes and GPUs as rectangles: layout, level of detail and hit test by arithmetic, without a
// window.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace shardlens {

struct TopologyShape {
    std::int64_t gpus = 0;
    std::int64_t gpusPerNode = 8;
    std::int64_t nodesPerPod = 0;  ///< 0 = no pods
    std::int64_t nodesPerRack = 0; ///< nodes that share a fast fabric (NVL72); 0 = no racks are drawn

    [[nodiscard]] std::int64_t nodes() const { return (gpus + gpusPerNode - 1) / gpusPerNode; }
    [[nodiscard]] std::int64_t podSize() const; ///< nodes drawn in one pod box; all of them without pods
    [[nodiscard]] std::int64_t pods() const;
    [[nodiscard]] std::int64_t rackSize() const; ///< nodes drawn in one rack box; a pod's without racks
    [[nodiscard]] std::int64_t racksPerPod() const;
    [[nodiscard]] std::int64_t racks() const;
    [[nodiscard]] std::int64_t rackOf(std::int64_t node) const; ///< counted over all pods
    bool operator==(const TopologyShape&) const = default;
};

enum class TopologyDetail {
    Image,  ///< cells under 4 pixels: one pixel per GPU, scaled
    Cells,  ///< plain rectangles
    Labels, ///< at least 14 pixels: rectangles with rank numbers, nodes with titles
};

struct CellRect {
    double x = 0, y = 0, width = 0, height = 0;

    [[nodiscard]] bool contains(double px, double py) const {
        return px >= x && py >= y && px < x + width && py < y + height;
    }
    bool operator==(const CellRect&) const = default;
};

/// Sizes of everything, in pixels from the top left corner of the map.
struct TopologyLayout {
    TopologyShape shape;
    TopologyDetail detail = TopologyDetail::Image;
    std::int64_t cellColumns = 1, cellRows = 1; ///< GPUs inside a node
    std::int64_t nodeColumns = 1, nodeRows = 1; ///< nodes inside a rack
    std::int64_t rackColumns = 1, rackRows = 1; ///< racks inside a pod
    std::int64_t podColumns = 1, podRows = 1;
    double cellWidth = 1, cellHeight = 1; ///< from one GPU to the next
    double cellGap = 0, nodePadding = 0, nodeTitle = 0, nodeGap = 0;
    double rackPadding = 0, rackTitle = 0, rackGap = 0, podPadding = 0, podTitle = 0, podGap = 0;
    double left = 0, top = 0; ///< of the first pod: the map is centred when smaller than the area

    [[nodiscard]] double nodeWidth() const { return cellColumns * cellWidth + 2 * nodePadding; }
    [[nodiscard]] double nodeHeight() const { return cellRows * cellHeight + 2 * nodePadding + nodeTitle; }
    [[nodiscard]] double rackWidth() const;
    [[nodiscard]] double rackHeight() const;
    [[nodiscard]] double podWidth() const;
    [[nodiscard]] double podHeight() const;
    [[nodiscard]] double width() const; ///< of the whole map
    [[nodiscard]] double height() const;

    [[nodiscard]] CellRect pod(std::int64_t index) const;
    [[nodiscard]] CellRect rack(std::int64_t index) const;
    [[nodiscard]] CellRect node(std::int64_t index) const;
    /// The GPU's rectangle without the gap to its neighbours.
    [[nodiscard]] CellRect cell(std::int64_t rank) const;
    /// The GPU under a point; empty between GPUs and outside.
    [[nodiscard]] std::optional<std::int64_t> rankAt(double x, double y) const;
    /// Column and row of a GPU in the grid without any gaps, for the image.
    [[nodiscard]] std::int64_t gridColumn(std::int64_t rank) const;
    [[nodiscard]] std::int64_t gridRow(std::int64_t rank) const;
    [[nodiscard]] std::int64_t gridColumns() const {
        return podColumns * rackColumns * nodeColumns * cellColumns;
    }
    [[nodiscard]] std::int64_t gridRows() const { return podRows * rackRows * nodeRows * cellRows; }
    /// Calls visit(node) for every node whose box may touch the area, by arithmetic.
    template <class Visit> void visitNodes(const CellRect& area, Visit&& visit) const;
    bool operator==(const TopologyLayout&) const = default;
};

/// Size in pixels of the longest rank number; titles of nodes and pods are as high.
struct RankLabel {
    double width = 14, height = 13;
    double stroke = 1; ///< pixels of a line beside it
};

/// Chooses columns so that rank numbers fit best, then the finest detail that the cells allow.
[[nodiscard]] TopologyLayout layOutTopology(const TopologyShape& shape, double width, double height,
                                            const RankLabel& label);

/// The same columns on an area `zoom` times as large, so that zooming never reorders nodes.
[[nodiscard]] TopologyLayout zoomTopology(const TopologyLayout& whole, double width, double height,
                                          double zoom, const RankLabel& label);

/// First and one past the last box of `count` in steps of `pitch` that touches [from, to].
[[nodiscard]] std::pair<std::int64_t, std::int64_t> touchedBoxes(double from, double to, double pitch,
                                                                 std::int64_t count);

template <class Visit> void TopologyLayout::visitNodes(const CellRect& area, Visit&& visit) const {
    // Calls inner(index, x, y) for the boxes of one level; x and y are the area's corner seen from the box.
    const auto level = [&](double x, double y, double boxWidth, double boxHeight, double gap,
                           std::int64_t columns, std::int64_t rows, std::int64_t count, auto&& inner) {
        const auto [c0, c1] = touchedBoxes(x, x + area.width, boxWidth + gap, columns);
        const auto [r0, r1] = touchedBoxes(y, y + area.height, boxHeight + gap, rows);
        for (std::int64_t row = r0; row < r1; ++row)
            for (std::int64_t column = c0; column < c1; ++column)
                if (const std::int64_t index = row * columns + column; index < count)
                    inner(index, x - static_cast<double>(column) * (boxWidth + gap),
                          y - static_cast<double>(row) * (boxHeight + gap));
    };
    level(area.x - left, area.y - top, podWidth(), podHeight(), podGap, podColumns, podRows, shape.pods(),
          [&](std::int64_t pod, double px, double py) {
              level(px - podPadding, py - podPadding - podTitle, rackWidth(), rackHeight(), rackGap,
                    rackColumns, rackRows, shape.racksPerPod(), [&](std::int64_t rack, double rx, double ry) {
                        const std::int64_t first = rack * shape.rackSize();
                        level(rx - rackPadding, ry - rackPadding - rackTitle, nodeWidth(), nodeHeight(),
                              nodeGap, nodeColumns, nodeRows,
                              std::min(shape.rackSize(), shape.podSize() - first),
                              [&](std::int64_t within, double, double) {
                                  const std::int64_t node = pod * shape.podSize() + first + within;
                                  if (node < shape.nodes()) visit(node);
                              });
                    });
          });
}

/// Ranks in few characters: "16–23", "1, 9", "0, 8, 16 … 504 (64)".
[[nodiscard]] std::string shortenedRanks(std::span<const std::int64_t> ranks);

} // namespace shardlens
