// SPDX-License-Identifier: GPL-3.0-or-later
// The lines a reader of logs knows, as data: a launcher is a row of each table. Not for other rooms.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace shardlens::calibrate {

enum class Quantity : std::uint8_t {
    seconds,
    milliseconds,
    steps_per_s,
    tokens_per_s_per_gpu,
    samples_per_s
};

/// Which number of which line is meant: `key`, then blanks, quotes, ':' or '=', then the number, then `unit`.
/// Without a unit a ':' or '=' is required, so that prose and tables do not count.
struct NumberShape {
    std::string_view launcher;
    std::string_view key;
    std::string_view unit = {};
    bool letters = false; ///< the number may end in K, M, B or T for powers of 1000
    std::string_view marker =
        {}; ///< what lines are searched for; left out: the key. At least kMarkerLength long
    std::string_view beside = {}; ///< must stand in the line too
    std::string_view unless = {}; ///< must not stand in the line

    [[nodiscard]] constexpr std::string_view search_text() const { return marker.empty() ? key : marker; }
};

struct StepShape {
    NumberShape number;
    Quantity quantity = Quantity::seconds;
    std::string_view step_key = {};  ///< in front of the iteration's number
    std::string_view batch_key = {}; ///< in front of the global batch in samples
};

enum class LoggedPeak : std::uint8_t { allocated, reserved };

struct MemoryShape {
    NumberShape number;
    LoggedPeak kind = LoggedPeak::allocated;
    double bytes_per_unit = 1;
};

/// Two launchers' lines in one log that make a third launcher.
struct Combination {
    std::string_view launcher;
    std::string_view seen_too;
    std::string_view name;
};

inline constexpr std::size_t kMarkerLength = 7;

/// In order of preference: a log may hold several of them.
[[nodiscard]] std::span<const StepShape> step_shapes();
[[nodiscard]] std::span<const MemoryShape> memory_shapes();
[[nodiscard]] std::span<const Combination> combinations();

} // namespace shardlens::calibrate
