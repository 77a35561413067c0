// SPDX-License-Identifier: GPL-3.0-or-later
// Pods, nodes and GPUs as rectangles: layout, level of detail and hit test by arithmetic, without a window.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace shardlens {

struct TopologyShape {
    std::int64_t gpus = 0;
    std::int64_t gpusPerNode = 8;
    std::int64_t nodesPerPod = 0; ///< 0 = no pods

    [[nodiscard]] std::int64_t nodes() const { return (gpus + gpusPerNode - 1) / gpusPerNode; }
    [[nodiscard]] std::int64_t podSize() const; ///< nodes drawn in one pod box; all of them without pods
    [[nodiscard]] std::int64_t pods() const;
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
    std::int64_t nodeColumns = 1, nodeRows = 1; ///< nodes inside a pod
    std::int64_t podColumns = 1, podRows = 1;
    double cellWidth = 1, cellHeight = 1; ///< from one GPU to the next
    double cellGap = 0, nodePadding = 0, nodeTitle = 0, nodeGap = 0, podPadding = 0, podTitle = 0, podGap = 0;
    double left = 0, top = 0; ///< of the first pod: the map is centred when smaller than the area

    [[nodiscard]] double nodeWidth() const { return cellColumns * cellWidth + 2 * nodePadding; }
    [[nodiscard]] double nodeHeight() const { return cellRows * cellHeight + 2 * nodePadding + nodeTitle; }
    [[nodiscard]] double podWidth() const;
    [[nodiscard]] double podHeight() const;
    [[nodiscard]] double width() const; ///< of the whole map
    [[nodiscard]] double height() const;

    [[nodiscard]] CellRect pod(std::int64_t index) const;
    [[nodiscard]] CellRect node(std::int64_t index) const;
    /// The GPU's rectangle without the gap to its neighbours.
    [[nodiscard]] CellRect cell(std::int64_t rank) const;
    /// The GPU under a point; empty between GPUs and outside.
    [[nodiscard]] std::optional<std::int64_t> rankAt(double x, double y) const;
    /// Column and row of a GPU in the grid without any gaps, for the image.
    [[nodiscard]] std::int64_t gridColumn(std::int64_t rank) const;
    [[nodiscard]] std::int64_t gridRow(std::int64_t rank) const;
    [[nodiscard]] std::int64_t gridColumns() const { return podColumns * nodeColumns * cellColumns; }
    [[nodiscard]] std::int64_t gridRows() const { return podRows * nodeRows * cellRows; }
    bool operator==(const TopologyLayout&) const = default;
};

/// Size in pixels of the longest rank number; titles of nodes and pods are as high.
struct RankLabel {
    double width = 14, height = 13;
};

/// Chooses columns so that rank numbers fit best, then the finest detail that the cells allow.
[[nodiscard]] TopologyLayout layOutTopology(const TopologyShape& shape, double width, double height,
                                            const RankLabel& label);

/// The same columns on an area `zoom` times as large, so that zooming never reorders nodes.
[[nodiscard]] TopologyLayout zoomTopology(const TopologyLayout& whole, double width, double height,
                                          double zoom, const RankLabel& label);

/// Ranks in few characters: "16–23", "1, 9", "0, 8, 16 … 504 (64)".
[[nodiscard]] std::string shortenedRanks(std::span<const std::int64_t> ranks);

} // namespace shardlens
