// SPDX-License-Identifier: GPL-3.0-or-later
// The command line of the desktop program.
#pragma once

#include <QSize>
#include <QString>
#include <QStringList>
#include <optional>

#include "theme/theme.h"
#include "json/result.h"

namespace shardlens {

struct Options {
    QString planFile;
    QString screenshot;    ///< picture to write; empty: none
    QSize size{1280, 800}; ///< of the window, in logical pixels
    bool sizeGiven = false;
    double scale = 1; ///< device pixels per logical pixel
    QString view = QStringLiteral("overview");
    QString language; ///< "en", "zh_CN"; empty: the user's choice
    std::optional<ThemeKind> theme;
    QString lesson; ///< id, or a file or folder of lessons
    bool presentation = false;
    bool benchUi = false;
    bool help = false, version = false;

    /// Runs without a person: nothing is read from or kept in the user's settings.
    [[nodiscard]] bool unattended() const { return benchUi || !screenshot.isEmpty(); }
};

/// `arguments` with the program's name first. The error is one line.
[[nodiscard]] Result<Options> parseOptions(const QStringList& arguments);

/// What --help prints.
[[nodiscard]] QString helpText();

/// Views that --view may name.
[[nodiscard]] const QStringList& viewNames();

} // namespace shardlens
