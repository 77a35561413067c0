// SPDX-License-Identifier: GPL-3.0-or-later
// Sharpens a stack profile with one measured run: the few constants that matter for the plan, moved no
// further from the profile than their uncertainty allows.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "calibrate/log.h"
#include "catalog/catalog.h"
#include "plan/plan.h"

namespace shardlens::calibrate {

/// What was measured; at least one member is set.
struct Observation {
    std::optional<double> step_s;
    std::optional<double> allocated_bytes; ///< the allocator's peak, worst rank
    std::optional<double> reserved_bytes;  ///< what the framework reserved, worst rank
    std::string origin;                    ///< where from, for the profile's source
};
[[nodiscard]] Observation observed(const TrainingLog& log, const std::string& origin);

/// A predicted quantity beside the measured one.
struct Comparison {
    double predicted = 0, measured = 0;
    [[nodiscard]] double error() const { return predicted / measured - 1; }
};
struct Fitness {
    std::optional<Comparison> step_s, allocated_bytes, reserved_bytes;
};

/// A constant that moved.
struct Change {
    std::string key;
    double before = 0, after = 0;
};

struct Calibration {
    std::string id;
    std::string stack; ///< the new profile on top of the plan's stack, as a JSON document
    std::vector<Change> changes;
    Fitness before, after;
    std::string doubt; ///< one sentence when the run is probably not of this plan, else ""
};

/// `id`: of the new profile (letters, digits, '.', '-', '_'). Errors: unknown presets, nothing measured, a
/// quantity that is not positive or a hundred times from the prediction, an id that is taken by the plan's
/// own stack.
[[nodiscard]] Result<Calibration> calibrate(const Plan& plan, const Observation& observation,
                                            const Catalog& catalog, const std::string& id);

/// {"stack", "changes", "before", "after"}, and "doubt" where there is one
[[nodiscard]] nlohmann::ordered_json to_json(const Calibration& calibration);

/// Saves the profile as a user preset; returns the file. Errors: the folder cannot be written, `id` exists
/// already as a shipped preset.
[[nodiscard]] Result<std::string> save_stack(const Calibration& calibration, const Catalog& catalog);

} // namespace shardlens::calibrate
