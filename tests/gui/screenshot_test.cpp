// SPDX-License-Identifier: GPL-3.0-or-later
// Every view in every theme and both languages: the picture has the size asked for and shows something.
#include "catch.h"

#include <QImage>
#include <set>

#include "gui_support.h"
#include "main_window.h"
#include "options.h"
#include "page.h"
#include "screenshot.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

/// Distinct colours on a grid of points within an area.
std::size_t colours(const QImage& image, const QRect& area) {
    std::set<QRgb> seen;
    for (int y = area.top(); y < area.bottom(); y += 3)
        for (int x = area.left(); x < area.right(); x += 3) seen.insert(image.pixel(x, y));
    return seen.size();
}

} // namespace

TEST_CASE("every view draws in every theme") {
    auto window = shownWindow({1280, 800});
    window->document().pin();
    (void)window->document().edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1);
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast}) {
        window->setTheme(kind);
        for (const QString& view : viewNames()) {
            INFO(view.toStdString() << ", theme " << int(kind));
            window->showView(view);
            const QImage image = takeScreenshot(*window);
            CHECK(image.size() == QSize(1280, 800));
            QWidget* page = window->page(view);
            const QRect area(page->mapTo(window.get(), QPoint(0, 0)), page->size());
            CHECK(area.width() > 500);
            CHECK(colours(image, area) >= 8);
            // The paper of the theme is the most of it: no white hole in a dark window.
            const QColor paper = image.pixelColor(area.left() + 2, area.top() + 2);
            CHECK((kind == ThemeKind::Light) == (paper.lightness() > 128));
        }
    }
    window->setTheme(ThemeKind::Light);
}

TEST_CASE("small windows keep their parts and large ones fill") {
    for (const QSize size : {QSize(1024, 700), QSize(1920, 1200)}) {
        auto window = shownWindow(size);
        const QImage image = takeScreenshot(*window);
        CHECK(image.size() == size);
    }
}
