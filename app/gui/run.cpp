// SPDX-License-Identifier: GPL-3.0-or-later
#include "run.h"

#include <QApplication>
#include <QSettings>
#include <cstdio>

#include "bench_ui.h"
#include "controls/quantity.h"
#include "main_window.h"
#include "options.h"
#include "screenshot.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr const char* kDefaultPlan = "llama3-70b-64xh100";

int fail(const QString& line) {
    std::fputs(qPrintable(line + u'\n'), stderr);
    return 2;
}

/// Is there a screen to open a window on?
bool hasDisplay() {
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

/// Without a screen Qt's platform layer remarks on what it lacks; a picture and a measurement lack nothing.
void dropPlatformRemarks(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    if (text.startsWith(u"This plugin does not support"_s) || text.startsWith(u"QStandardPaths: "_s)) return;
    std::fputs(qPrintable(text + u'\n'), stderr);
}

} // namespace

int runDesktop(int argc, char** argv) {
    QStringList arguments;
    for (int i = 0; i < argc; ++i) arguments << QString::fromLocal8Bit(argv[i]);
    const auto parsed = parseOptions(arguments);
    if (!parsed.ok()) return fail(toQString(parsed.error().line()));
    const Options& options = *parsed;

    QCoreApplication::setApplicationName(u"shardlens"_s);
    QCoreApplication::setOrganizationName(u"shardlens"_s);
    QCoreApplication::setApplicationVersion(QStringLiteral(SHARDLENS_VERSION));
    if (options.help || options.version) {
        QCoreApplication application(argc, argv);
        std::fputs(qPrintable(options.help ? helpText()
                                           : u"shardlens %1\n"_s.arg(QStringLiteral(SHARDLENS_VERSION))),
                   stdout);
        return 0;
    }
    if (options.unattended()) {
        qInstallMessageHandler(dropPlatformRemarks);
        // A picture and a measurement are the same on every machine, with and without a screen.
        if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
        qputenv("QT_FONT_DPI", "96");
        qputenv("QT_SCALE_FACTOR", QByteArray::number(options.scale));
        QGuiApplication::setHighDpiScaleFactorRoundingPolicy(
            Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    } else if (!hasDisplay()) {
        return fail(u"shardlens: there is no display; --screenshot OUT.png writes a picture instead"_s);
    }

    QApplication application(argc, argv);
    QGuiApplication::setDesktopFileName(u"org.shardlens.ShardLens"_s);
    QGuiApplication::setWindowIcon(QIcon(u":/icons/shardlens.svg"_s));
    auto catalog = std::make_shared<const Catalog>(Catalog(Catalog::default_directories("/proc/self/exe")));
    MainWindow window(catalog, options.unattended() ? nullptr : std::make_unique<QSettings>());
    if (!options.language.isEmpty()) window.setLanguage(options.language);
    if (options.theme) window.setTheme(*options.theme);

    if (!options.planFile.isEmpty()) {
        if (const Error error = window.document().open(options.planFile); !error.what.empty())
            return fail(toQString(error.line()));
    } else {
        auto plan = catalog->plan(kDefaultPlan);
        if (!plan.ok()) return fail(toQString(plan.error().line()));
        if (const Error error = window.document().start(std::move(plan).value()); !error.what.empty())
            return fail(toQString(error.line()));
    }
    if (options.unattended() || options.sizeGiven) window.resize(options.size);
    window.showView(options.view);
    if (!options.lesson.isEmpty())
        if (const Error error = window.openLesson(options.lesson); !error.what.empty())
            return fail(u"shardlens: --lesson "_s + toQString(error.line()));
    if (options.presentation) window.startPresentation(!options.unattended());

    if (options.benchUi) return benchUi(window, options);
    if (!options.screenshot.isEmpty()) {
        const QString problem = writeScreenshot(window, options.screenshot);
        return problem.isEmpty() ? 0 : fail(problem);
    }
    window.show();
    return QApplication::exec();
}

} // namespace shardlens
