// SPDX-License-Identifier: GPL-3.0-or-later
#include "calibrate/peaks.h"

#include <algorithm>

namespace shardlens::calibrate {

Peaks peaks_of(const Report& report) {
    Peaks peaks;
    for (const auto& stage : report.memory.stages) {
        peaks.device = std::max(peaks.device, stage.total_bytes);
        peaks.reserved = std::max(peaks.reserved, stage.total_bytes - stage.context_bytes);
        peaks.allocated =
            std::max(peaks.allocated, stage.total_bytes - stage.context_bytes - stage.fragmentation_bytes);
    }
    return peaks;
}

} // namespace shardlens::calibrate
