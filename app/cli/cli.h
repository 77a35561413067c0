// SPDX-License-Identifier: GPL-3.0-or-later
// shardlens-cli: arguments in, one document for standard output and words for standard error out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace shardlens::cli {

// Exit codes (contract): the plan breaks a rule or does not fit; the input cannot be read or the call is
// wrong.
inline constexpr int kDone = 0;
inline constexpr int kBroken = 1;
inline constexpr int kUnreadable = 2;

/// What a call leaves behind.
struct Outcome {
    int code = kDone;
    std::string out; ///< standard output: one document or nothing
    std::string err; ///< standard error: whole lines
};

/// Runs one command. `arguments` without the program's name; `executable` is argv[0], to find presets/.
/// Never throws; reads standard input only for a file named "-".
[[nodiscard]] Outcome run(const std::vector<std::string>& arguments, const std::filesystem::path& executable);

/// Writes an outcome to the process's streams and returns the exit code. A reader that closes the pipe early
/// ends the writing quietly; any other failure to write is one line on standard error and kUnreadable.
[[nodiscard]] int deliver(const Outcome& outcome);

} // namespace shardlens::cli
