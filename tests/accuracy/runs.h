// SPDX-License-Identifier: GPL-3.0-or-later
// Published runs as samples of the fit, and the sets that errors are reported over.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "calibrate/fit.h"
#include "calibrate/published.h"

namespace shardlens::accuracy {

struct Row {
    calibrate::PublishedRun run;
    calibrate::Sample sample; ///< measured_s = 0 when the run gives no step time
    bool sweep = false;       ///< of the playbook's sweep
    std::string family;       ///< same layout family: folds never part it
    std::string whole_model;  ///< same stack and model
};

/// Every published run, resolved. Throws std::runtime_error with one line when a file or a plan is broken.
[[nodiscard]] std::vector<Row> load_rows(const Catalog& catalog);

/// A named set of rows and how its figure is taken.
struct Set {
    std::string name;
    std::function<bool(const Row&)> holds;
};
/// The sets that the accuracy table reports for step time.
[[nodiscard]] const std::vector<Set>& step_sets();

/// May this row move the fit? (Runs measured with a pipeline defect are reported, not fitted.)
[[nodiscard]] bool fitted_on(const Row& row);

/// Fold of each row: the families (or whole models) of each stack are dealt out over `folds` in a fixed mixed
/// order.
[[nodiscard]] std::vector<int> deal_folds(const std::vector<Row>& rows, std::string Row::*group, int folds);

/// Median, mean and 90th percentile of absolute relative errors.
struct Errors {
    std::size_t runs = 0;
    double median = 0, mean = 0, p90 = 0, bias = 0; ///< bias: median of the signed error
};
[[nodiscard]] Errors errors_of(std::vector<double> signed_errors);

} // namespace shardlens::accuracy
