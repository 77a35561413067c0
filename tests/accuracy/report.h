// SPDX-License-Identifier: GPL-3.0-or-later
// What the accuracy program writes: tables, a CSV of every run, and a plot.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "runs.h"

namespace shardlens::accuracy {

/// Predicted step seconds of the fitted rows under one way of fitting.
struct Prediction {
    std::string name;              ///< "shipped", "families left out", "whole models left out"
    std::vector<double> predicted; ///< in the order of the rows
};

using Rows = std::vector<const Row*>;

/// Relative errors predicted / measured − 1 of the rows a set holds.
[[nodiscard]] std::vector<double> errors_in(const Set& set, const Rows& rows, const Prediction& prediction);

/// Sets of the rows' stacks ("nemo", "nemo, experts"), GPUs, and sizes.
[[nodiscard]] std::vector<Set> sets_by_stack(const Rows& rows);
[[nodiscard]] std::vector<Set> sets_by_gpu(const Rows& rows);
[[nodiscard]] std::vector<Set> sets_by_size();

/// One line per set: runs, median, mean, 90th percentile, bias.
[[nodiscard]] std::string table(const std::vector<Set>& sets, const Rows& rows, const Prediction& prediction);

/// Markdown with every table, the worst 20 rows and the rows in doubt; CSV; SVG of predicted against
/// measured. Throws std::runtime_error when a file cannot be written.
void write_reports(const std::filesystem::path& directory, const std::vector<Row>& all, const Rows& rows,
                   const std::vector<Prediction>& predictions, const std::string& memory_text);

} // namespace shardlens::accuracy
