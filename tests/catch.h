// SPDX-License-Identifier: GPL-3.0-or-later
// Catch2 2.13 (Debian 12) and 3 behind one include.
#pragma once

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
using Catch::Approx;
#else
#include <catch2/catch.hpp>
#endif

#include <string>

/// Path of a file below tests/data.
inline std::string data_file(const std::string& name) {
    return std::string(SHARDLENS_SOURCE_DIR) + "/tests/data/" + name;
}
/// Path of the repository's presets.
inline std::string presets_directory() { return std::string(SHARDLENS_SOURCE_DIR) + "/presets"; }
