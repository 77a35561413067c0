// SPDX-License-Identifier: GPL-3.0-or-later
// The memory half of the accuracy program: printed peaks against the ledger, and whether runs die.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runs.h"

namespace shardlens::accuracy {

struct MemoryRun {
    bool cross_validate = false; ///< refit the few fitted constants on each set of training folds
    int folds = 5;
    std::string dump; ///< CSV of every figure; "" = none
};

/// Figures by how the constants were fitted ("shipped", "families left out"), set, and kind ("median", "p90"
/// …).
using Figures = std::map<std::string, std::map<std::string, std::map<std::string, double>>>;

struct MemoryFigures {
    std::string text; ///< errors of peaks by stack and source, the worst rows, the verdict's hits and misses
    Figures figures;
    std::map<std::string, std::vector<double>> errors; ///< of peaks with the shipped constants, by stack
};
[[nodiscard]] MemoryFigures memory_figures(const std::vector<Row>& rows, const MemoryRun& options);

} // namespace shardlens::accuracy
