// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as a hand types them. Plain functions; nothing here needs a window.
#pragma once

#include <QString>
#include <optional>
#include <string>
#include <string_view>

namespace shardlens {

[[nodiscard]] inline QString toQString(std::string_view text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// What a typed suffix means. Ki, Mi, Gi and Ti are powers of 1024 everywhere.
enum class QuantityKind {
    Count, ///< counts that engineers double (sequence length, GPUs): k = 1024
    Real,  ///< k, M, B or G, T are powers of 1000
    Bytes, ///< as Real, and a final B is the unit: "80GB", "79.1 GiB"
};

/// Reads "8192", "8k", "2^13", "1e6", "8,192", "64 * 1024". Nothing when the text is not a finite number.
[[nodiscard]] std::optional<double> parseQuantity(const QString& text, QuantityKind kind);

/// A number as the entry field shows it: whole numbers in full up to 15 digits, others with up to 6
/// significant digits.
[[nodiscard]] QString editText(double value);

/// 70.6e9 → "70.6B", 1.0e12 → "1T", 124e6 → "124M".
[[nodiscard]] QString parameterText(double parameters);

} // namespace shardlens
