// SPDX-License-Identifier: GPL-3.0-or-later
#include "format.h"

#include <QCoreApplication>
#include <QLocale>
#include <array>
#include <cmath>

namespace shardlens {

namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kMinute = 60, kHour = 3600, kDay = 86400, kYear = 365.25 * kDay;

// A narrow no-break space would be finer but many fonts lack it.
const QChar kSpace = QChar(0x00A0);

QString text(const char* source) { return QCoreApplication::translate("shardlens::format", source); }

QString with(double value, const QString& unit, int digits = 3) {
    return formatNumber(value, digits) + kSpace + unit;
}

// Sizes are often round and then need no decimals: "80 GiB", not "80.0 GiB".
QString withRound(double value, const QString& unit) {
    const bool whole = std::abs(value - std::round(value)) < 1e-9 * std::abs(value);
    return whole ? QLocale().toString(std::round(value), 'f', 0) + kSpace + unit : with(value, unit);
}

QString decimalPrefix(double value, const QString& unit) {
    static constexpr std::array kPrefixes = {"", "k", "M", "G", "T", "P", "E", "Z", "Y"};
    std::size_t step = 0;
    double scaled = value;
    while (std::abs(scaled) >= 999.5 && step + 1 < kPrefixes.size()) {
        scaled /= 1000;
        ++step;
    }
    return withRound(scaled, QLatin1String(kPrefixes[step]) + unit);
}

} // namespace

QString formatNumber(double value, int digits) {
    if (!std::isfinite(value)) return QStringLiteral("–");
    if (value == 0) return QLocale().toString(0);
    // The exponent after rounding: 9.996 is "10.0", not "10.00".
    const int first = static_cast<int>(std::floor(std::log10(std::abs(value))));
    const double unit = std::pow(10.0, first - digits + 1);
    const double rounded = std::round(value / unit) * unit;
    const int exponent = static_cast<int>(std::floor(std::log10(std::abs(rounded)) + 1e-12));
    const int decimals = std::max(0, digits - 1 - exponent);
    if (decimals > 6) return QLocale().toString(value, 'g', digits);
    return QLocale().toString(decimals == 0 ? value : rounded, 'f', decimals);
}

QString formatTick(double value) { return QLocale().toString(std::abs(value) < 1e-12 ? 0.0 : value, 'g', 6); }

QString formatBytes(double bytes) {
    static constexpr std::array kUnits = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    std::size_t step = 0;
    double scaled = bytes;
    while (std::abs(scaled) >= 1023.5 && step + 1 < kUnits.size()) {
        scaled /= 1024;
        ++step;
    }
    return withRound(scaled, QLatin1String(kUnits[step]));
}

QString formatGib(double bytes) {
    const double gib = bytes / kGib;
    if (gib == 0) return QLocale().toString(0);
    return std::abs(gib) < 0.05 ? formatNumber(gib, 1)
                                : QLocale().toString(gib, 'f', std::abs(gib) < 999.5 ? 1 : 0);
}

QString formatSeconds(double seconds) {
    const double size = std::abs(seconds);
    if (size == 0) return with(0, QStringLiteral("s"));
    if (size >= 0.9995) return with(seconds, QStringLiteral("s"));
    if (size >= 0.9995e-3) return with(seconds * 1e3, QStringLiteral("ms"));
    if (size >= 0.9995e-6) return with(seconds * 1e6, QStringLiteral("µs"));
    return with(seconds * 1e9, QStringLiteral("ns"));
}

QString formatDays(double seconds) {
    const double size = std::abs(seconds);
    if (size >= 2 * kYear)
        return with(seconds / kYear, text(QT_TRANSLATE_NOOP("shardlens::format", "years")));
    if (size >= 2 * kDay) return with(seconds / kDay, text(QT_TRANSLATE_NOOP("shardlens::format", "days")));
    if (size >= kHour) return with(seconds / kHour, text(QT_TRANSLATE_NOOP("shardlens::format", "h")), 2);
    if (size >= kMinute)
        return with(seconds / kMinute, text(QT_TRANSLATE_NOOP("shardlens::format", "min")), 2);
    return formatSeconds(seconds);
}

namespace {

QString percentText(double fraction, int decimalsBelowTen) {
    const double percent = fraction * 100;
    const int decimals = std::abs(percent) >= 9.95 ? 0 : decimalsBelowTen;
    return QLocale().toString(percent == 0 ? 0.0 : percent, 'f', percent == 0 ? 0 : decimals) + kSpace +
           QLatin1Char('%');
}

} // namespace

QString formatPercent(double fraction) { return percentText(fraction, 1); }
QString formatShare(double fraction) { return percentText(fraction, 2); }

QString formatRate(double perSecond, const QString& unit) {
    if (unit.startsWith(QLatin1String("tokens"))) return with(perSecond, unit);
    return decimalPrefix(perSecond, unit);
}

QString formatDollars(double dollars) {
    const double size = std::abs(dollars);
    const QString sign = QStringLiteral("$") + kSpace;
    if (size >= 999.5e6) return sign + formatNumber(dollars / 1e9) + QLatin1Char('B');
    if (size >= 999.5e3) return sign + formatNumber(dollars / 1e6) + QLatin1Char('M');
    if (size >= 9999.5) return sign + formatNumber(dollars / 1e3) + QLatin1Char('k');
    return sign + QLocale().toString(dollars, 'f', size >= 99.995 ? 0 : 2);
}

QString formatCount(double count) {
    struct Word {
        double from, scale;
        const char* word;
    };
    static constexpr Word kByThousands[] = {{1e12, 1e12, QT_TRANSLATE_NOOP("shardlens::format", "trillion")},
                                            {1e9, 1e9, QT_TRANSLATE_NOOP("shardlens::format", "billion")},
                                            {1e6, 1e6, QT_TRANSLATE_NOOP("shardlens::format", "million")}};
    // Chinese groups by ten thousands.
    static constexpr Word kByMyriads[] = {
        {1e12, 1e12, QT_TRANSLATE_NOOP("shardlens::format", "trillion")},
        {1e8, 1e8, QT_TRANSLATE_NOOP("shardlens::format", "hundred million")},
        {1e6, 1e4, QT_TRANSLATE_NOOP("shardlens::format", "ten thousand")}};
    const double size = std::abs(count);
    for (const Word& word : QLocale().language() == QLocale::Chinese ? kByMyriads : kByThousands)
        if (size >= 0.9995 * word.from) return with(count / word.scale, text(word.word));
    return size == std::round(size) ? QLocale().toString(count, 'f', 0) : formatNumber(count);
}

QString formatValue(double value, const QString& unit) {
    if (unit == QLatin1String("B")) return formatBytes(value);
    if (unit == QLatin1String("s")) return formatSeconds(value);
    if (unit == QLatin1String("USD")) return formatDollars(value);
    if (unit == QLatin1String("1") || unit.isEmpty()) return formatCount(value);
    if (unit == QLatin1String("kWh") || unit == QLatin1String("GPUh")) return with(value, unit);
    return formatRate(value, unit);
}

QString formatDelta(double difference, const QString& unit) {
    // Differences that only rounding made.
    const double least = unit == QLatin1String("%") ? 0.0005 : unit == QLatin1String("B") ? 0.5 : 1e-9;
    if (!(std::abs(difference) >= least)) return {};
    const QString size = unit == QLatin1String("%") ? formatPercent(std::abs(difference))
                                                    : formatValue(std::abs(difference), unit);
    return (difference > 0 ? QStringLiteral("+") : QStringLiteral("−")) + size;
}

} // namespace shardlens
