// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace shardlens {

/// The desktop program. Exit code 0 when done, 2 with one line on standard error for bad usage or an
/// unreadable plan.
int runDesktop(int argc, char** argv);

} // namespace shardlens
