// SPDX-License-Identifier: GPL-3.0-or-later
// The split of layers over pipeline stages that makes the slowest stage fastest, embedding and head counted,
// within the memory of the cards.
#pragma once

#include "report/report.h"

namespace shardlens {

struct SplitFigures {
    std::vector<std::int64_t> layers; ///< per chunk in model order (p · v)
    double slowest_stage_s = 0;       ///< forward and backward of one micro-batch on the busiest rank
    std::int64_t slowest_stage = 0;   ///< which rank that is
    double step_s = 0, bubble_fraction = 0, peak_bytes = 0;
    bool fits = false; ///< every stage within the usable memory
};

struct Balance {
    SplitFigures before, after;
    bool changed = false; ///< false: no split found is better, `after` is `before`
    Plan plan;            ///< the plan with parallel.layers_per_stage set; as given when nothing changed
    std::vector<Message> messages; ///< what rules say against the new split and not against the old one
};

/// The best split for the slowest stage. With one chunk per rank it is exact; with several it is the end of a
/// search that moves one layer at a time, exact when all layers cost the same. A chunk stays without layers
/// only where the plan's split has such chunks. A plan that does not fit is split so that it does, if that is
/// possible, even if it gets slower. Errors: unknown preset ids; a plan with one stage, textbook fidelity, or
/// whose step cannot be timed.
[[nodiscard]] Result<Balance> balance(const Plan& plan, const Catalog& catalog);

} // namespace shardlens
