// SPDX-License-Identifier: GPL-3.0-or-later
// Least squares of the clock's constants against measured step times: robust residuals of log(predicted /
// measured), a prior for every constant, bounds. Levenberg-Marquardt on the logarithms of the constants.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "catalog/setup.h"
#include "placement/placement.h"

namespace shardlens::calibrate {

/// A measured run, resolved once. `weight` counts it against other runs (1 = one independent run).
struct Sample {
    std::string id;
    Setup setup;
    std::shared_ptr<const placement::Placement> placement;
    double measured_s = 0;
    double weight = 1;
};

/// Where a constant lives.
enum class Owner : std::uint8_t { stack, architecture, clock };

/// One constant of one stack profile, GPU generation, or the sustained clock of one accelerator. `sigma` is
/// the standard deviation of the prior's logarithm: 0.1 = "known to about 10 %".
struct Parameter {
    Owner owner = Owner::stack;
    std::string id; ///< of the stack (or "stack@release", after the stack's own), architecture or accelerator
    std::string key; ///< as in its JSON file
    double prior = 1, sigma = 0.3;
    double low = 0, high = 0; ///< bounds, both positive
};

struct FitOptions {
    double residual_scale = 0.05; ///< relative errors beyond this lose weight (soft L1)
    /// Fit once more with each stack's own spread (1.4826 times its median absolute error, Huber's scale) in
    /// place of `residual_scale` where it is larger: an error that is usual for a stack is no outlier.
    bool own_spread = false;
    int iterations = 12;
    unsigned threads = 0; ///< 0: all processors
};

/// Fits `parameters` on `samples`; returns their values in the same order. `start` empty: from the priors.
[[nodiscard]] std::vector<double> fit(const std::vector<Sample>& samples,
                                      const std::vector<Parameter>& parameters,
                                      const FitOptions& options = {}, const std::vector<double>& start = {});

/// Predicted step seconds of every sample with these values in place of the profiles' own.
[[nodiscard]] std::vector<double> predict(const std::vector<Sample>& samples,
                                          const std::vector<Parameter>& parameters,
                                          const std::vector<double>& values, unsigned threads = 0);

/// Sample of a plan with a measured step; an error when a preset is unknown or the degrees make no world.
[[nodiscard]] Result<Sample> make_sample(const Plan& plan, const Catalog& catalog, double measured_s);

} // namespace shardlens::calibrate
