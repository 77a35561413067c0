// SPDX-License-Identifier: GPL-3.0-or-later
// The memory half of the accuracy program: printed peaks against the ledger, and whether runs die.
#pragma once

#include <string>
#include <vector>

#include "runs.h"

namespace shardlens::accuracy {

struct MemoryRun {
    bool cross_validate = false; ///< refit the few fitted constants on each set of training folds
    int folds = 5;
    std::string dump; ///< CSV of every figure; "" = none
};

/// Prints errors of peaks by stack and source, the worst rows, and the verdict's hits and misses.
void print_memory(const std::vector<Row>& rows, const MemoryRun& options);

} // namespace shardlens::accuracy
