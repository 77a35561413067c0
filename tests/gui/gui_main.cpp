// SPDX-License-Identifier: GPL-3.0-or-later
// Catch2 with an offscreen QApplication; a Qt warning that nobody announced fails the test it comes from.
#define CATCH_CONFIG_RUNNER
#include "catch.h"

#include <QApplication>
#include <QStandardPaths>
#include <QThread>
#include <cstdio>

#include "gui_support.h"
#include "theme/theme.h"

namespace {

bool g_running = false; ///< a test is under way
int g_outside = 0;      ///< warnings outside of tests or from other threads

void onMessage(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtDebugMsg || type == QtInfoMsg) return;
    if (shardlens::ExpectedWarning::matches(text)) return;
    // Remarks of the platform without a screen, not of ours.
    if (text.startsWith(QLatin1String("This plugin does not support")) ||
        text.startsWith(QLatin1String("QStandardPaths: ")))
        return;
    std::fprintf(stderr, "Qt: %s\n", qPrintable(text));
    if (type == QtFatalMsg) std::abort();
    if (g_running && QThread::currentThread() == qApp->thread())
        FAIL_CHECK("unexpected Qt warning: " << text.toStdString());
    else
        ++g_outside;
}

} // namespace

int main(int argc, char** argv) {
    // What ctest sets, for those who start the program by hand.
    for (const auto& [name, value] : {std::pair{"QT_QPA_PLATFORM", "offscreen"},
                                      std::pair{"QT_FONT_DPI", "96"}, std::pair{"QT_SCALE_FACTOR", "1"}})
        if (qEnvironmentVariableIsEmpty(name)) qputenv(name, value);
    QStandardPaths::setTestModeEnabled(true);
    qInstallMessageHandler(onMessage);
    QApplication application(argc, argv);
    shardlens::Theme::make(shardlens::ThemeKind::Light).apply(application);
    g_running = true;
    const int failed = Catch::Session().run(argc, argv);
    g_running = false;
    return failed != 0 ? failed : g_outside != 0 ? 1 : 0;
}
