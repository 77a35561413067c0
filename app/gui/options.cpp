// SPDX-License-Identifier: GPL-3.0-or-later
#include "options.h"

#include <QCommandLineParser>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "controls/quantity.h"
#include "lessons_page.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Views of the contract that this version does not draw.
const QStringList kLaterViews{u"start"_s, u"search"_s};

Error wrong(const QString& what) { return {"shardlens", what.toStdString()}; }

/// "did you mean …" where a typing error is likely.
QString nearestOf(const QString& given, const QStringList& known) {
    std::vector<std::string> names;
    for (const QString& name : known) names.push_back(name.toStdString());
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string near = nearest(given.toStdString(), views);
    return near.empty() ? QString() : u" (did you mean %1?)"_s.arg(toQString(near));
}

void addOptions(QCommandLineParser& parser) {
    parser.addPositionalArgument(u"PLAN.json"_s, u"Plan to open; left out, Llama 3 70B on 64 H100."_s,
                                 u"[PLAN.json]"_s);
    parser.addOptions({
        {{u"h"_s, u"help"_s}, u"Print this help."_s},
        {{u"v"_s, u"version"_s}, u"Print the version."_s},
        {u"screenshot"_s,
         u"Open, settle, write a picture of the window, exit. With --view pipeline a name that ends in .svg "
         u"or "
         ".pdf takes the timeline alone, as shapes."_s,
         u"OUT.png"_s},
        {u"size"_s, u"Size of the window, for example 1600x1000."_s, u"WxH"_s},
        {u"scale"_s, u"Device pixels per pixel: 1, 1.25, 1.5 or 2."_s, u"S"_s},
        {u"view"_s, u"View to show: %1."_s.arg((viewNames() + learnViewNames()).join(u", "_s)), u"VIEW"_s},
        {u"language"_s, u"en or zh_CN."_s, u"LANGUAGE"_s},
        {u"theme"_s, u"light, dark or high-contrast."_s, u"THEME"_s},
        {u"bench-ui"_s, u"Drag every slider and print how long a frame takes, as JSON."_s},
        {u"lesson"_s, u"Lesson to open: its id, or a file or folder of lessons."_s, u"ID"_s},
        {u"presentation"_s, u"Start in presentation mode: large type, the open lesson step by step."_s},
    });
}

std::optional<QSize> parseSize(const QString& text) {
    static const QRegularExpression kSize(u"^(\\d{1,5})[xX](\\d{1,5})$"_s);
    const auto match = kSize.match(text);
    if (!match.hasMatch()) return std::nullopt;
    const QSize size(match.captured(1).toInt(), match.captured(2).toInt());
    if (size.width() < 320 || size.height() < 240 || size.width() > 16384 || size.height() > 16384)
        return std::nullopt;
    return size;
}

} // namespace

const QStringList& viewNames() {
    static const QStringList kNames{u"overview"_s, u"memory"_s, u"time"_s,      u"pipeline"_s, u"topology"_s,
                                    u"compare"_s,  u"export"_s, u"published"_s, u"lessons"_s};
    return kNames;
}

QString helpText() {
    QCommandLineParser parser;
    parser.setApplicationDescription(u"ShardLens: explore how a large model is trained on many GPUs."_s);
    addOptions(parser);
    return parser.helpText();
}

Result<Options> parseOptions(const QStringList& arguments) {
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(arguments)) {
        QString what = parser.errorText();
        if (what.endsWith(u'.')) what.chop(1);
        const QStringList unknown = parser.unknownOptionNames();
        const QStringList options{u"lesson"_s,   u"presentation"_s, u"screenshot"_s, u"size"_s,
                                  u"scale"_s,    u"view"_s,         u"language"_s,   u"theme"_s,
                                  u"bench-ui"_s, u"help"_s,         u"version"_s};
        if (!unknown.isEmpty()) what += nearestOf(unknown.first(), options);
        return wrong(what + u"; see shardlens --help"_s);
    }
    Options options;
    options.help = parser.isSet(u"help"_s);
    options.version = parser.isSet(u"version"_s);
    if (options.help || options.version) return options;

    const QStringList files = parser.positionalArguments();
    if (files.size() > 1) return wrong(u"one plan at a time: %1 were given"_s.arg(files.size()));
    if (!files.isEmpty()) options.planFile = files.first();

    options.screenshot = parser.value(u"screenshot"_s);
    if (parser.isSet(u"screenshot"_s) && options.screenshot.isEmpty())
        return wrong(u"--screenshot needs the name of a PNG file to write"_s);
    options.benchUi = parser.isSet(u"bench-ui"_s);
    if (options.benchUi && !options.screenshot.isEmpty())
        return wrong(u"--screenshot and --bench-ui cannot be used together"_s);
    if (options.benchUi) options.size = {1600, 1000};

    if (parser.isSet(u"size"_s)) {
        const auto size = parseSize(parser.value(u"size"_s));
        if (!size)
            return wrong(
                u"--size %1: not a size between 320x240 and 16384x16384, for example 1600x1000"_s.arg(
                    parser.value(u"size"_s)));
        options.size = *size;
        options.sizeGiven = true;
    }
    if (parser.isSet(u"scale"_s)) {
        const QString text = parser.value(u"scale"_s);
        bool number = false;
        options.scale = text.toDouble(&number);
        constexpr std::array kScales{1.0, 1.25, 1.5, 2.0};
        if (!number || std::find(kScales.begin(), kScales.end(), options.scale) == kScales.end())
            return wrong(u"--scale %1: not one of 1, 1.25, 1.5, 2"_s.arg(text));
    }
    if (parser.isSet(u"lesson"_s)) {
        options.lesson = parser.value(u"lesson"_s);
        if (options.lesson.isEmpty()) return wrong(u"--lesson needs the id of a lesson, or a file"_s);
        options.view = u"lessons"_s;
    }
    options.presentation = parser.isSet(u"presentation"_s);
    if (options.presentation && options.benchUi)
        return wrong(u"--presentation and --bench-ui cannot be used together"_s);
    const QStringList known = viewNames() + learnViewNames();
    if (parser.isSet(u"view"_s)) {
        options.view = parser.value(u"view"_s);
        if (kLaterViews.contains(options.view))
            return wrong(u"--view %1: this version has no such view; it has %2"_s.arg(options.view,
                                                                                      known.join(u", "_s)));
        if (!known.contains(options.view))
            return wrong(u"--view %1: not a view%2; there are %3"_s.arg(
                options.view, nearestOf(options.view, known), known.join(u", "_s)));
        if (!options.lesson.isEmpty() && options.view != "lessons"_L1)
            return wrong(u"--lesson is shown by --view lessons, not %1"_s.arg(options.view));
    }
    if (const QString suffix = QFileInfo(options.screenshot).suffix().toLower();
        (suffix == "svg"_L1 || suffix == "pdf"_L1) && options.view != "pipeline"_L1)
        return wrong(u"--screenshot %1: the window is written as PNG; with --view pipeline its timeline is "
                     "written as shapes"_s.arg(options.screenshot));
    if (parser.isSet(u"language"_s)) {
        options.language = parser.value(u"language"_s);
        if (options.language != "en"_L1 && options.language != "zh_CN"_L1)
            return wrong(u"--language %1: not one of en, zh_CN"_s.arg(options.language));
    }
    if (parser.isSet(u"theme"_s)) {
        const QString name = parser.value(u"theme"_s);
        if (name == "light"_L1)
            options.theme = ThemeKind::Light;
        else if (name == "dark"_L1)
            options.theme = ThemeKind::Dark;
        else if (name == "high-contrast"_L1)
            options.theme = ThemeKind::HighContrast;
        else
            return wrong(u"--theme %1: not one of light, dark, high-contrast"_s.arg(name));
    }
    return options;
}

} // namespace shardlens
