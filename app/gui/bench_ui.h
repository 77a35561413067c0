// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>

namespace shardlens {

class MainWindow;
struct Options;

/// Shows the window, drags every slider of the contract through 50 steps three times with all views in sight,
/// pans the topology, and measures from the edit to the painted frame. Takes less than 45 s.
[[nodiscard]] QJsonObject measureUi(MainWindow& window);

/// Prints measureUi() as JSON; returns the exit code.
int benchUi(MainWindow& window, const Options& options);

/// Milliseconds since this process was started, by the kernel's clock (10 ms steps).
[[nodiscard]] double millisecondsSinceProcessStart();

} // namespace shardlens
