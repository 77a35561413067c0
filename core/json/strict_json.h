// SPDX-License-Identifier: GPL-3.0-or-later
// JSON reading that never guesses: duplicate keys, NaN, trailing text, deep nesting and oversized input are
// errors with file and line. Used for plans, presets and everything else that is ours.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "json/result.h"

namespace shardlens {

inline constexpr std::size_t kMaxInputBytes = std::size_t{64}
                                              << 20; ///< contract: a file over 64 MiB is refused
inline constexpr int kMaxJsonDepth = 32;

/// Parses one JSON document. `origin` (file name or "standard input") stands in front of the line number.
/// Errors: not JSON, duplicate key (named with its path), nesting deeper than kMaxJsonDepth, number out of
/// the range of a double, invalid UTF-8, text behind the document.
[[nodiscard]] Result<nlohmann::ordered_json> parse_strict(std::string_view text, const std::string& origin);

/// Something beyond JSON that parse_relaxed read all the same.
struct Oddity {
    std::size_t line = 0; ///< from 1
    std::string path;     ///< of the value being read; may be empty
    std::string value;    ///< as written, or the one that counts; empty where it does not matter
    std::string what;     ///< English
};

/// The same for files of other programs: comments (//, #, /* */), a byte order mark, commas before an end,
/// single or no quotes around keys, True, False and None, numbers such as 1_000 or .5, control characters in
/// strings; the last of duplicate keys counts; NaN, infinities and names that stand for a value become null.
/// Each of these is listed once, each value that came out other than written by itself. The other errors are
/// those of parse_strict.
[[nodiscard]] Result<nlohmann::ordered_json> parse_relaxed(std::string_view text, const std::string& origin,
                                                           std::vector<Oddity>& oddities);

/// Reads a file (or standard input for "-") of at most kMaxInputBytes. Directories, devices that never end
/// and unreadable files are errors.
[[nodiscard]] Result<std::string> read_text(const std::string& path);

/// Writes whole or not at all: to a temporary file beside `path`, then renamed. Returns an empty `what` when
/// done.
[[nodiscard]] Error write_text(const std::filesystem::path& path, std::string_view text);

/// The candidate nearest to `key` by edit distance, or "" when none is near enough to be a likely typing
/// error.
[[nodiscard]] std::string nearest(std::string_view key, std::span<const std::string_view> candidates);

} // namespace shardlens
