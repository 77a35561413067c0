// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers of a lesson with their units, as a reader of its language writes them.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "json/result.h"

namespace shardlens::lessons {

/// How numbers and verdicts are written; the window fills in the locale's signs.
struct NumberFormat {
    std::string decimal = ".";
    std::string group = ","; ///< between thousands; "" = none
    std::string minutes = "min", hours = "h", days = "days", years = "years";
    std::string fits = "fits", marginal = "marginal", does_not_fit = "does not fit";

    /// The defaults with the words of "en" or "zh_CN".
    [[nodiscard]] static NumberFormat of(std::string_view language);
};

/// "B", "GB", "GiB", "auto", "%", "1", "text" …
[[nodiscard]] std::span<const std::string_view> unit_names();
[[nodiscard]] bool is_unit(std::string_view unit);

/// How much of the base unit (bytes, seconds, FLOP/s …) one of `unit` is: 1e9 for GB, 0.01 for %; 1 where the
/// unit picks its size or is none.
[[nodiscard]] double unit_scale(std::string_view unit);

/// `value` (in base units) with `digits` behind the point, or three significant ones; the unit behind it.
[[nodiscard]] std::string format_number(double value, std::string_view unit, std::optional<int> digits = {},
                                        const NumberFormat& format = {});

/// What a learner typed, in base units: the locale's signs, "1e9", "1.07B", "16 million" or "1600万", and the
/// unit behind the number or not.
[[nodiscard]] Result<double> read_number(std::string_view typed, std::string_view unit,
                                         const NumberFormat& format = {});

} // namespace shardlens::lessons
