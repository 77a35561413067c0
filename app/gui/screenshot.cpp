// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QPixmap>
#include <QSaveFile>

#include "main_window.h"

namespace shardlens {

using namespace Qt::StringLiterals;

QImage takeScreenshot(MainWindow& window) {
    const QSize wanted = window.size();
    window.show();
    window.resize(wanted);
    QElapsedTimer clock;
    clock.start();
    // Layout, first paint, late fills and queued replots each take a turn of the event loop.
    for (int turn = 0; turn < 10 || (!window.settled() && clock.elapsed() < 20000); ++turn) {
        window.settle();
        QApplication::processEvents();
    }
    return window.grab().toImage();
}

QString writeScreenshot(MainWindow& window, const QString& path) {
    const QImage image = takeScreenshot(window);
    QSaveFile file(path); // whole or not at all
    if (!file.open(QIODevice::WriteOnly) || !image.save(&file, "PNG") || !file.commit())
        return u"shardlens: %1: cannot be written: %2"_s.arg(path, file.errorString());
    return {};
}

} // namespace shardlens
