// SPDX-License-Identifier: GPL-3.0-or-later
#include "catch.h"

#include "options.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

Options good(const QStringList& arguments) {
    const auto result = parseOptions(QStringList{u"shardlens"_s} + arguments);
    if (!result.ok()) FAIL(result.error().line());
    return *result;
}

std::string bad(const QStringList& arguments) {
    const auto result = parseOptions(QStringList{u"shardlens"_s} + arguments);
    REQUIRE_FALSE(result.ok());
    const std::string line = result.error().line();
    CHECK(line.find('\n') == std::string::npos);
    return line;
}

} // namespace

TEST_CASE("the command line of the contract is understood") {
    CHECK(good({}).planFile.isEmpty());
    CHECK(good({u"plan.json"_s}).planFile == u"plan.json");
    const Options shot = good({u"plan.json"_s, u"--screenshot"_s, u"out.png"_s, u"--size"_s, u"1920x1200"_s,
                               u"--scale"_s, u"1.25"_s, u"--view"_s, u"memory"_s, u"--language"_s, u"zh_CN"_s,
                               u"--theme"_s, u"high-contrast"_s});
    CHECK(shot.screenshot == u"out.png");
    CHECK(shot.size == QSize(1920, 1200));
    CHECK(shot.scale == 1.25);
    CHECK(shot.view == u"memory");
    CHECK(shot.language == u"zh_CN");
    CHECK(shot.theme == ThemeKind::HighContrast);
    CHECK(shot.unattended());
    CHECK(good({u"--bench-ui"_s}).size == QSize(1600, 1000));
    CHECK(good({u"--bench-ui"_s, u"--size"_s, u"800x600"_s}).size == QSize(800, 600));
    CHECK(good({u"--help"_s}).help);
    CHECK(good({u"--version"_s}).version);
    for (const QString& view : viewNames()) CHECK(good({u"--view"_s, view}).view == view);
}

TEST_CASE("wrong usage is one line that says what would be right") {
    CHECK_THAT(bad({u"--sizee"_s, u"1x1"_s}), Catch::Contains("--size") || Catch::Contains("size"));
    CHECK_THAT(bad({u"--size"_s, u"big"_s}), Catch::Contains("1600x1000"));
    CHECK_THAT(bad({u"--size"_s, u"10x10"_s}), Catch::Contains("320x240"));
    CHECK_THAT(bad({u"--size"_s, u"99999x99999"_s}), Catch::Contains("16384x16384"));
    CHECK_THAT(bad({u"--scale"_s, u"3"_s}), Catch::Contains("1, 1.25, 1.5, 2"));
    CHECK_THAT(bad({u"--scale"_s, u"nan"_s}), Catch::Contains("1, 1.25, 1.5, 2"));
    CHECK_THAT(bad({u"--view"_s, u"memroy"_s}), Catch::Contains("memory"));
    CHECK_THAT(bad({u"--theme"_s, u"blue"_s}), Catch::Contains("high-contrast"));
    CHECK_THAT(bad({u"--language"_s, u"fr"_s}), Catch::Contains("zh_CN"));
    CHECK_THAT(bad({u"a.json"_s, u"b.json"_s}), Catch::Contains("one plan"));
    CHECK_THAT(bad({u"--screenshot"_s}), Catch::Contains("screenshot"));
    CHECK_THAT(bad({u"--screenshot"_s, u"a.png"_s, u"--bench-ui"_s}), Catch::Contains("together"));
    CHECK_THAT(bad({u"--screenshot"_s, u"a.svg"_s}), Catch::Contains("--view pipeline"));
    CHECK(good({u"--screenshot"_s, u"a.svg"_s, u"--view"_s, u"pipeline"_s}).screenshot == u"a.svg");
}

TEST_CASE("what this version does not draw is refused in one line") {
    for (const QString& view : {u"start"_s, u"search"_s})
        CHECK_THAT(bad({u"--view"_s, view}), Catch::Contains("no such view"));
}

TEST_CASE("lessons, the views beside them and presentation are understood") {
    const Options lesson = good({u"--lesson"_s, u"experts"_s, u"--presentation"_s});
    CHECK(lesson.lesson == u"experts");
    CHECK(lesson.view == u"lessons");
    CHECK(lesson.presentation);
    CHECK_FALSE(good({}).presentation);
    for (const QString& view : {u"matrix"_s, u"sgd"_s, u"collective"_s})
        CHECK(good({u"--view"_s, view}).view == view);
    CHECK_THAT(bad({u"--view"_s, u"matrx"_s}), Catch::Contains("did you mean matrix"));
    CHECK_THAT(bad({u"--lesson"_s, u"experts"_s, u"--view"_s, u"memory"_s}),
               Catch::Contains("--view lessons"));
    CHECK_THAT(bad({u"--lesson"_s, QString()}), Catch::Contains("--lesson needs"));
    CHECK_THAT(bad({u"--presentation"_s, u"--bench-ui"_s}), Catch::Contains("together"));
}
