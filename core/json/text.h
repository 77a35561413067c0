// SPDX-License-Identifier: GPL-3.0-or-later
// Foreign text inside our own one-line messages.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace shardlens {

/// Length in bytes of the well-formed UTF-8 sequence at `text[position]`, 0 when there is none (overlong
/// forms, surrogates and values above U+10FFFF count as malformed).
[[nodiscard]] std::size_t utf8_length(std::string_view text, std::size_t position);

[[nodiscard]] bool valid_utf8(std::string_view text);

/// The text as one line of valid UTF-8: control characters and malformed bytes as "\x0A", cut with "…" after
/// `most` bytes. Whatever a file holds, an error message about it stays one readable line.
[[nodiscard]] std::string one_line(std::string_view text, std::size_t most = 60);

} // namespace shardlens
