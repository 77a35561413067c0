// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/diff.h"

#include <map>

namespace shardlens {

std::vector<PlanDifference> diff(const Plan& a, const Plan& b) {
    std::vector<PlanDifference> result;
    for (const Field& field : fields()) {
        if (std::string_view(field.path) == "name") continue;
        FieldValue x = get_field(a, field.path), y = get_field(b, field.path);
        if (x != y) result.push_back({field.path, std::move(x), std::move(y)});
    }
    return result;
}

std::vector<NumberDifference> diff(const Report& a, const Report& b) {
    std::map<std::string, double> other;
    visit_numbers(b, [&](const std::string& path, const char*, double value) { other.emplace(path, value); });
    std::vector<NumberDifference> result;
    visit_numbers(a, [&](const std::string& path, const char* unit, double value) {
        if (const auto found = other.find(path); found != other.end())
            result.push_back({path, unit, value, found->second});
    });
    return result;
}

} // namespace shardlens
