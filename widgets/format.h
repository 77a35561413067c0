// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them: three significant digits, grouped by the current QLocale, always with a unit.
#pragma once

#include <QString>

namespace shardlens {

/// "50.7", "1,115", "0.0123": `digits` significant digits, whole numbers above that.
[[nodiscard]] QString formatNumber(double value, int digits = 3);
/// For the ticks of an axis whose title names the unit: as few digits as the value needs.
[[nodiscard]] QString formatTick(double value);
/// Bytes with a binary unit: "50.7 GiB", "512 MiB", "1.21 TiB".
[[nodiscard]] QString formatBytes(double bytes);
/// Bytes as GiB without the unit, for axes and bars whose title names it: "50.7".
[[nodiscard]] QString formatGib(double bytes);
/// Seconds of a step or an operation: "14.7 s", "820 ms", "35 µs".
[[nodiscard]] QString formatSeconds(double seconds);
/// Seconds of a whole training run: "162 days", "4.6 h", "12 min", "8.1 years".
[[nodiscard]] QString formatDays(double seconds);
/// A fraction: "8.6 %".
[[nodiscard]] QString formatPercent(double fraction);
/// As formatPercent, with one more decimal below 10 %: a share among others of its kind.
[[nodiscard]] QString formatShare(double fraction);
/// "1,115 tokens/s", "455 TFLOP/s", "50 GB/s": decimal prefix for all units but tokens/s.
[[nodiscard]] QString formatRate(double perSecond, const QString& unit);
/// "$ 747k", "$ 1.2M", "$ 12.30".
[[nodiscard]] QString formatDollars(double dollars);
/// Large counts: "70.6 billion", "128".
[[nodiscard]] QString formatCount(double count);
/// By the unit of the contract: B, s, 1, FLOP, FLOP/s, B/s, tokens/s, USD, kWh, GPUh.
[[nodiscard]] QString formatValue(double value, const QString& unit);
/// With its sign: "+3.1 GiB", "−12 %". "" when the difference rounds to nothing.
[[nodiscard]] QString formatDelta(double difference, const QString& unit);

} // namespace shardlens
