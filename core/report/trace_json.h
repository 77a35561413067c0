// SPDX-License-Identifier: GPL-3.0-or-later
// A step as Chrome trace events, for Perfetto and chrome://tracing (Trace Event Format: complete events "X",
// flows "s" and "f", counters "C", metadata "M"). Times are in microseconds.
#pragma once

#include <string>

#include "report/report.h"

namespace shardlens {

/// A bare schedule: one thread per rank, one event per operation or overlapped cell, a flow for every result
/// that goes to another rank, a counter of live activations per rank. A unit of the costs is shown as 1 ms.
/// An error when it is longer than traces can count: 2⁶³ ns, 292 years.
[[nodiscard]] Result<std::string> trace_json(const pipeline::Timeline& timeline);

/// The step of a plan: the same in seconds, with gradient reduction, optimizer and gather, and a counter of
/// bytes per rank. An error when the report has no timeline with operations, and as above.
[[nodiscard]] Result<std::string> trace_json(const Report& report);

} // namespace shardlens
