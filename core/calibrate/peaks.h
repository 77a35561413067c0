// SPDX-License-Identifier: GPL-3.0-or-later
// The ledger as frameworks and tools print it.
#pragma once

#include "report/report.h"

namespace shardlens::calibrate {

/// Largest rank's peak: what the allocator has in use, what it reserved, what the device shows. The ledger's
/// parts between them are fragmentation and context.
struct Peaks {
    double allocated = 0, reserved = 0, device = 0;
};
[[nodiscard]] Peaks peaks_of(const Report& report);

} // namespace shardlens::calibrate
