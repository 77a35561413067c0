// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include <QApplication>
#include <QBuffer>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QPixmap>

#include "controls/quantity.h"
#include "main_window.h"
#include "pipeline/gantt_view.h"
#include "pipeline_page.h"
#include "json/strict_json.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Shows the window and waits until nothing more comes.
void settleForPicture(MainWindow& window) {
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
}

} // namespace

QImage takeScreenshot(MainWindow& window) {
    settleForPicture(window);
    return window.grab().toImage();
}

QString writeScreenshot(MainWindow& window, const QString& path) {
    const QString suffix = QFileInfo(path).suffix().toLower();
    Error error;
    if (suffix == "svg"_L1 || suffix == "pdf"_L1) {
        settleForPicture(window);
        const auto* pipeline = qobject_cast<PipelinePage*>(window.page(u"pipeline"_s));
        error = pipeline->gantt().savePicture(path, window.size());
    } else {
        QByteArray bytes;
        QBuffer buffer(&bytes);
        takeScreenshot(window).save(&buffer, "PNG");
        error = write_text(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
    }
    return error.what.empty() ? QString() : u"shardlens: "_s + toQString(error.line());
}

} // namespace shardlens
