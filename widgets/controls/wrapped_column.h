// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences in the last column of a list: they break into lines instead of running out of sight.
#pragma once

class QTreeView;

namespace shardlens {

/// Makes the last column of the list as wide as is left, its text wrapped and its rows as high as that takes,
/// whatever the width becomes.
void wrapLastColumn(QTreeView& list);

} // namespace shardlens
