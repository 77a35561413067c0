// SPDX-License-Identifier: GPL-3.0-or-later
// Which lines of a text an edit changed. Plain functions; nothing here needs a window.
#pragma once

#include <QStringList>
#include <vector>

namespace shardlens {

struct LineChanges {
    std::vector<bool> changed; ///< by line of the new text: not in the old one at this place
    /// By line of the new text, and one for its end: old lines that stood before it are gone, with nothing in
    /// their place.
    std::vector<bool> removedBefore;

    /// Changed lines and places where lines went.
    [[nodiscard]] int count() const;
};

/// A longest common subsequence of the lines stays unmarked. Where two texts differ in more than some
/// thousand lines, everything between their common beginning and end counts as changed.
[[nodiscard]] LineChanges changedLines(const QString& before, const QString& after);

} // namespace shardlens
