// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "plan/fields.h"
#include "report/report.h"

namespace shardlens {

struct PlanDifference {
    std::string path;
    FieldValue a, b;
};
struct NumberDifference {
    std::string path, unit;
    double a = 0, b = 0;

    [[nodiscard]] double absolute() const { return b - a; }
    [[nodiscard]] double relative() const { return a != 0 ? (b - a) / a : 0; }
};

/// Plan fields that differ, in field-table order (name left out).
[[nodiscard]] std::vector<PlanDifference> diff(const Plan& a, const Plan& b);
/// Report numbers that both have, with their values.
[[nodiscard]] std::vector<NumberDifference> diff(const Report& a, const Report& b);

} // namespace shardlens
