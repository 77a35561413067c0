// SPDX-License-Identifier: GPL-3.0-or-later
// Where a batch comes from: global = micro-batch · accumulation · data, the ranks behind each factor, and the
// same in the units of the plan's launcher.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "catalog/setup.h"
#include "json/result.h"

namespace shardlens::launchers {

/// One number with the numbers it is made of.
struct BatchNumber {
    std::string name; ///< plan path, "accumulation" or "world"; for launchers their own key
    std::int64_t value = 0;
    const char* unit = ""; ///< "samples", "tokens", "micro-batches", "ranks"
    bool given = false;    ///< stands in the plan; else it follows from `formula`
    std::string formula;   ///< "256 / (2 · 8)"; "" when given
};

struct BatchArithmetic {
    BatchNumber global, micro, accumulation, data;
    /// Samples that micro · accumulation · data leaves out of the global batch; not 0 = the batch cannot be
    /// cut.
    std::int64_t rest = 0;
    /// tensor · pipeline · context · data, and the expert grid expert_tensor · expert · edp · pipeline (0
    /// without experts); each should be the number of GPUs.
    BatchNumber world, expert_world;
    std::int64_t gpus = 0;
    std::vector<BatchNumber> launcher; ///< what its files hold and what it computes from them
    /// The global batch that the launcher takes itself to train with; 0 = its files do not say.
    std::int64_t launcher_global = 0;
};

/// For the setup's plan and target (no target: `launcher` is empty).
[[nodiscard]] BatchArithmetic batch_arithmetic(const Setup& setup);

/// train = micro · accumulation · data with some of the three given, completed as DeepSpeed completes them
/// (deepspeed/runtime/config.py, _set_batch_related_parameters): accumulation 1 where only one is given.
struct BatchParts {
    std::optional<std::int64_t> global, micro, accumulation;
};
/// The error names both sides of what does not agree, or what is no whole number, or that nothing is given.
[[nodiscard]] Result<BatchParts> complete_batch(const BatchParts& given, std::int64_t data);

} // namespace shardlens::launchers
