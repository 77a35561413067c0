// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonObject>
#include <QString>
#include <functional>

namespace shardlens {

class MainWindow;
struct Options;

/// How much measureUi() does, and who watches.
struct UiMeasure {
    int steps = 50; ///< of every drag, pan and zoom
    int passes = 3; ///< over every slider; the best counts
    /// Behind the frame of every step of a slider, and of "topology.first_paint", "topology.zoom",
    /// "topology.pan", "pipeline.zoom", "pipeline.pan".
    std::function<void(const QString& name, int step)> onStep;
};

/// Shows the window, drags every slider of the contract through 50 steps three times with all views in sight,
/// paints, zooms and pans a topology of 100,000 GPUs, zooms and pans a pipeline of 200,000 blocks, and
/// measures from the edit to the painted frame. Takes less than 45 s.
[[nodiscard]] QJsonObject measureUi(MainWindow& window, const UiMeasure& how = {});

/// Prints measureUi() as JSON; returns the exit code.
int benchUi(MainWindow& window, const Options& options);

/// Milliseconds since this process was started, by the kernel's clock (10 ms steps).
[[nodiscard]] double millisecondsSinceProcessStart();

} // namespace shardlens
