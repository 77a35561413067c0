// SPDX-License-Identifier: GPL-3.0-or-later
// The constants that the fit may move, with their priors (priors.json beside this file).
#pragma once

#include <string>
#include <vector>

#include "calibrate/fit.h"
#include "runs.h"

namespace shardlens::accuracy {

/// One parameter per constant of every stack, GPU generation and clock that a fitted row uses. Throws
/// std::runtime_error with one line when the file is broken or names an unknown constant.
[[nodiscard]] std::vector<calibrate::Parameter> parameters_for(const std::vector<Row>& rows,
                                                               const std::string& priors_file);

} // namespace shardlens::accuracy
