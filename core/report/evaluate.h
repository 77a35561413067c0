// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formula/explain.h"
#include "report/report.h"
#include "json/result.h"

namespace shardlens {

struct EvaluateOptions {
    bool timeline = true; ///< keep start and end of every pipeline op for the views
    bool traffic = true;  ///< count the bytes on every class of links
};

/// Plan → Report: pure, no global state, may run on any thread. Errors only for unknown preset ids; an
/// invalid plan gets a report with every message and what can be computed.
[[nodiscard]] Result<std::shared_ptr<const Report>> evaluate(const Plan& plan, const Catalog& catalog,
                                                             const EvaluateOptions& options = {});

/// The same for a plan that is resolved already, with constants of its own perhaps.
[[nodiscard]] std::shared_ptr<const Report> evaluate(Setup setup, const Catalog& catalog,
                                                     const EvaluateOptions& options = {});

/// Predicted seconds of a step alone, by the same code as evaluate(): for fits that need it many thousand
/// times. Detailed fidelity; `placement` may be null as in cost::step_costs.
[[nodiscard]] double step_seconds(const Setup& setup, const placement::Placement* placement);

/// Explains the number at a report path ("memory.stages.0.activations_bytes"), computed by the same code as
/// evaluate(). An unknown path is an error that names the nearest known one. `depth` as in formula/explain.h.
[[nodiscard]] Result<Explanation> explain_number(const Plan& plan, const Catalog& catalog,
                                                 const std::string& path, int depth = 1);

/// Explains every number of the report at once (for tests and the explanation panel): path → explanation.
[[nodiscard]] Result<std::vector<std::pair<std::string, Explanation>>>
explain_all(const Plan& plan, const Catalog& catalog, int depth = 1);

} // namespace shardlens
