// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as people read them.
#include "catch.h"

#include <QLocale>

#include "format.h"

using namespace shardlens;

namespace {

// No-break spaces read as plain ones here.
std::string plain(QString text) { return text.replace(QChar(0x00A0), QLatin1Char(' ')).toStdString(); }

struct WithLocale {
    explicit WithLocale(const QString& name) : before(QLocale()) { QLocale::setDefault(QLocale(name)); }
    ~WithLocale() { QLocale::setDefault(before); }
    QLocale before;
};

} // namespace

TEST_CASE("three digits and a unit") {
    const WithLocale english(QStringLiteral("en_US"));
    constexpr double kGib = 1024.0 * 1024 * 1024;
    CHECK(plain(formatBytes(80 * kGib)) == "80 GiB");
    CHECK(plain(formatBytes(50.68 * kGib)) == "50.7 GiB");
    CHECK(plain(formatBytes(1023.9 * kGib)) == "1.00 TiB");
    CHECK(plain(formatBytes(0)) == "0 B");
    CHECK(plain(formatGib(21.25 * kGib)) == "21.3");
    CHECK(plain(formatSeconds(14.68)) == "14.7 s");
    CHECK(plain(formatSeconds(9.996)) == "10.0 s");
    CHECK(plain(formatSeconds(0.82)) == "820 ms");
    CHECK(plain(formatSeconds(3.5e-5)) == "35.0 µs");
    CHECK(plain(formatDays(162 * 86400.0)) == "162 days");
    CHECK(plain(formatDays(4.6 * 3600)) == "4.6 h");
    CHECK(plain(formatDays(8.1 * 365.25 * 86400)) == "8.10 years");
    CHECK(plain(formatPercent(0.0857)) == "8.6 %");
    CHECK(plain(formatPercent(0.46)) == "46 %");
    CHECK(plain(formatShare(0.0096)) == "0.96 %");
    CHECK(plain(formatShare(0.0104)) == "1.04 %");
    CHECK(plain(formatShare(0.46)) == "46 %");
    CHECK(plain(formatPercent(0)) == "0 %");
    CHECK(plain(formatRate(1115, QStringLiteral("tokens/s"))) == "1,115 tokens/s");
    CHECK(plain(formatRate(4.553e14, QStringLiteral("FLOP/s"))) == "455 TFLOP/s");
    CHECK(plain(formatRate(5e10, QStringLiteral("B/s"))) == "50 GB/s");
    CHECK(plain(formatDollars(747400)) == "$ 747k");
    CHECK(plain(formatDollars(12.3)) == "$ 12.30");
    CHECK(plain(formatCount(64)) == "64");
    CHECK(plain(formatCount(70.56e9)) == "70.6 billion");
    CHECK(plain(formatTick(2.5)) == "2.5");
    CHECK(plain(formatTick(10)) == "10");
}

TEST_CASE("differences carry a sign or are silent") {
    const WithLocale english(QStringLiteral("en_US"));
    CHECK(plain(formatDelta(3.1 * 1024 * 1024 * 1024, QStringLiteral("B"))) == "+3.10 GiB");
    CHECK(plain(formatDelta(-0.12, QStringLiteral("%"))) == "−12 %");
    CHECK(formatDelta(0, QStringLiteral("s")).isEmpty());
    CHECK(formatDelta(1e-5, QStringLiteral("%")).isEmpty());
}

TEST_CASE("the locale's separators are used") {
    const WithLocale german(QStringLiteral("de_DE"));
    CHECK(plain(formatRate(1115, QStringLiteral("tokens/s"))) == "1.115 tokens/s");
    CHECK(plain(formatSeconds(14.68)) == "14,7 s");
}

TEST_CASE("Chinese counts by ten thousands") {
    const WithLocale chinese(QStringLiteral("zh_CN")); // the words are untranslated here
    CHECK(plain(formatCount(2.27e9)) == "22.7 hundred million");
    CHECK(plain(formatCount(2.5e6)) == "250 ten thousand");
    CHECK(plain(formatCount(1.04e12)) == "1.04 trillion");
}

TEST_CASE("numbers that are none do not break the text") {
    CHECK(plain(formatNumber(std::nan(""))) == "–");
    CHECK(plain(formatBytes(INFINITY)).find("–") != std::string::npos);
}
