// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <QString>

namespace shardlens {

class MainWindow;

/// Shows the window, waits until nothing is outstanding, and returns what it shows in device pixels.
[[nodiscard]] QImage takeScreenshot(MainWindow& window);

/// The same into a PNG file; into .svg and .pdf the pipeline's timeline alone, as shapes, in the size of the
/// window. Empty when done, else one line.
[[nodiscard]] QString writeScreenshot(MainWindow& window, const QString& path);

} // namespace shardlens
