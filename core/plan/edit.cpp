// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/edit.h"

#include <algorithm>

#include "plan/known_launchers.h"

namespace shardlens {
namespace {

/// Degrees may be 2^31−1 each: their product is only exact, and only needed exactly, where it is a possible
/// world.
double model_ranks(const Parallel& parallel) {
    return static_cast<double>(parallel.tensor) * static_cast<double>(parallel.pipeline) *
           static_cast<double>(parallel.context);
}

void follow_with_data(Plan& plan) {
    const double replicas = static_cast<double>(plan.cluster.gpus) / model_ranks(plan.parallel);
    plan.parallel.data = std::max<std::int64_t>(1, static_cast<std::int64_t>(replicas));
}

Error follow_with_gpus(Plan& plan) {
    if (!plan.parallel.data) return {};
    return set_field(plan, "cluster.gpus",
                     static_cast<double>(*plan.parallel.data) * model_ranks(plan.parallel));
}

void follow_with_stages(Plan& plan) {
    Parallel& parallel = plan.parallel;
    const auto entries = static_cast<double>(parallel.layers_per_stage.size());
    const auto ranks = static_cast<double>(parallel.pipeline);
    if (entries != ranks && entries != ranks * static_cast<double>(parallel.virtual_pipeline))
        parallel.layers_per_stage.clear();
}

/// With one tensor rank there is nothing to share; most launchers do not mind the word, these refuse it.
void follow_with_sequence(Plan& plan) {
    if (plan.parallel.tensor == 1 && is_among(plan.target, kMegatronRunners)) plan.parallel.sequence = false;
}

void follow_with_schedule(Parallel& parallel) {
    if (parallel.virtual_pipeline > 1 && parallel.schedule == ScheduleKind::one_f_one_b)
        parallel.schedule = ScheduleKind::interleaved;
    else if (parallel.virtual_pipeline == 1 && parallel.schedule == ScheduleKind::interleaved)
        parallel.schedule = ScheduleKind::one_f_one_b;
}

} // namespace

Error edit_field(Plan& plan, std::string_view path, const FieldValue& value) {
    Plan edited = plan;
    if (Error error = set_field(edited, path, value); !error.what.empty()) return error;
    if (path == "parallel.tensor" || path == "parallel.pipeline" || path == "parallel.context" ||
        path == "cluster.gpus")
        follow_with_data(edited);
    if (path == "parallel.tensor") follow_with_sequence(edited);
    if (path == "parallel.data")
        if (Error error = follow_with_gpus(edited); !error.what.empty()) return error;
    if (path == "parallel.pipeline" || path == "parallel.virtual_pipeline") follow_with_stages(edited);
    if (path == "parallel.virtual_pipeline") follow_with_schedule(edited.parallel);
    plan = std::move(edited);
    return {};
}

Error apply_fix(Plan& plan, const Fix& fix) {
    Plan fixed = plan;
    for (const auto& [path, value] : fix.set)
        if (Error error = set_field(fixed, path, value); !error.what.empty()) return error;
    plan = std::move(fixed);
    return {};
}

} // namespace shardlens
