// SPDX-License-Identifier: GPL-3.0-or-later
// Core hands some sentences over with the values already in them: which template were they made from?
#pragma once

#include <QString>
#include <optional>

#include "plan/message.h"

namespace shardlens {

/// The template and what stood in its places; nothing where the text was not made from it. `sentence` must
/// live as long as the program: its pattern is kept.
[[nodiscard]] std::optional<Message> madeFrom(const char* sentence, const QString& text);

} // namespace shardlens
