// SPDX-License-Identifier: GPL-3.0-or-later
// What `[ … ]`, `[[ … ]]` and `test …` say, where the words alone decide it.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace shardlens::launchers {

/// The expanded words of a command, the first and last brackets included: strings compared by =, == and !=,
/// whole numbers by -eq, -ne, -lt, -le, -gt and -ge, -z, -n, one string alone, each behind any number of !.
/// true, false and : alone. Nothing for other commands, for files, patterns and combined tests.
[[nodiscard]] std::optional<bool> evaluate_test(const std::vector<std::string>& words);

} // namespace shardlens::launchers
