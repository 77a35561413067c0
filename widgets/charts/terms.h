// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of memory and of the step in the contract's order, with role, path and name: one list for all
// views.
#pragma once

#include <QString>
#include <span>

#include "report/report.h"
#include "theme/theme.h"

namespace shardlens {

struct MemoryTerm {
    double memory::StageLedger<double>::*bytes;
    Role role;
    const char* key;   ///< "activations_bytes"
    const char* label; ///< English; name() translates

    [[nodiscard]] QString name() const;
    [[nodiscard]] QString path(int stage) const; ///< "memory.stages.0.activations_bytes"
};
/// Bottom of the stack first; they sum to total_bytes.
[[nodiscard]] std::span<const MemoryTerm> memoryTerms();

struct TimePart {
    double TimeReport<double>::*seconds;
    Role role;
    Role dimension;    ///< of communication: whose; else the same as role
    const char* key;   ///< "forward_s"
    const char* label; ///< English, in full
    const char* brief; ///< English, to be written into a block

    [[nodiscard]] QString name() const;
    [[nodiscard]] QString briefName() const;
    [[nodiscard]] QString path() const; ///< "time.forward_s"
};
/// Exposed parts in the contract's order; they sum to step_s.
[[nodiscard]] std::span<const TimePart> timeParts();

} // namespace shardlens
