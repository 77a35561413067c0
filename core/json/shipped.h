// SPDX-License-Identifier: GPL-3.0-or-later
// Where the files that come with the program lie.
#pragma once

#include <filesystem>

namespace shardlens {

/// share/shardlens/NAME of the installed program, else the nearest folder NAME beside the program or above
/// it; only one that holds `inside` counts. Empty when there is none. `executable` is argv[0] or
/// /proc/self/exe.
[[nodiscard]] std::filesystem::path shipped_directory(const std::filesystem::path& executable,
                                                      const std::filesystem::path& name,
                                                      const std::filesystem::path& inside);

} // namespace shardlens
