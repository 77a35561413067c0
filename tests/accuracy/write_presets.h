// SPDX-License-Identifier: GPL-3.0-or-later
// Puts fitted constants and cross-validated errors into the preset files.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "calibrate/fit.h"
#include "report.h"

namespace shardlens::accuracy {

/// Replaces the constants of `parameters` in presets/{stacks,architectures,accelerators}. Those that moved
/// from their prior stand in a group of their own. Throws std::runtime_error.
void write_constants(const std::filesystem::path& presets,
                     const std::vector<calibrate::Parameter>& parameters, const std::vector<double>& values,
                     const Rows& rows);

/// Puts the errors of `prediction` into every stack's accuracy block, with a class for each GPU generation
/// and for any GPU (""), dense or with experts, that has enough runs; and the errors of memory by stack.
void write_accuracy(const std::filesystem::path& presets, const Rows& rows, const Prediction& prediction,
                    const std::map<std::string, std::vector<double>>& memory_errors);

} // namespace shardlens::accuracy
