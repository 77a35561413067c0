// SPDX-License-Identifier: GPL-3.0-or-later
// Every view in every theme and both languages: the picture has the size asked for and shows something.
#include "catch.h"

#include <QImage>
#include <QLabel>
#include <QScrollBar>
#include <QTableView>
#include <QTemporaryDir>
#include <set>

#include "charts/memory_chart.h"
#include "controls/field_control.h"
#include "gui_support.h"
#include "main_window.h"
#include "options.h"
#include "page.h"
#include "panels/plan_panel.h"
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

TEST_CASE("capacity and usable memory are named whole, also under bars of fifteen times their height") {
    for (const QSize size : {QSize(1024, 700), QSize(1280, 800), QSize(1600, 1000)}) {
        auto window = shownWindow(size);
        REQUIRE(window->document().start(presetPlan("textbook-70b-zero0")).what.empty());
        for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
            INFO(size.width() << "x" << size.height() << " " << language.toStdString());
            window->setLanguage(language);
            settle(*window);
            auto* chart = window->page(u"overview"_s)->findChild<MemoryChart*>();
            REQUIRE(chart);
            REQUIRE(window->document().report()->memory.peak_bytes >
                    15 * window->document().report()->memory.capacity_bytes);
            const auto labels = chart->lineLabels();
            REQUIRE(labels.size() == 2);
            for (const QRectF& label : labels) {
                CHECK(label.width() > 40);
                CHECK(chart->plot().frame().rect.contains(label));
            }
            CHECK_FALSE(labels[0].adjusted(0, 0, 0, -0.5).intersects(labels[1]));
        }
        window->setLanguage(u"en"_s);
    }
}

TEST_CASE("the name of the capacity stands above its line where there is room") {
    for (const QSize size : {QSize(1024, 700), QSize(1600, 1000)}) {
        INFO(size.height());
        auto window = shownWindow(size);
        auto* chart = window->page(u"overview"_s)->findChild<MemoryChart*>();
        REQUIRE(chart);
        const auto labels = chart->lineLabels();
        REQUIRE(labels.size() == 2);
        const auto& frame = chart->plot().frame();
        const auto& memory = window->document().report()->memory;
        REQUIRE(memory.peak_bytes < memory.capacity_bytes);
        CHECK(labels[0].bottom() <= frame.y.toPixel(memory.capacity_bytes / 1073741824.0));
        CHECK(labels[1].top() >= frame.y.toPixel(memory.usable_bytes / 1073741824.0) - 1);
    }
}

TEST_CASE("a table of 16 stages is as wide as its texts, and scrolls") {
    auto window = shownWindow({1280, 800});
    for (const auto& [plan, scrolls] :
         {std::pair{"llama3-405b-16384xh100", true}, {"llama3-70b-64xh100", false}}) {
        REQUIRE(window->document().start(presetPlan(plan)).what.empty());
        window->showView(u"memory"_s);
        settle(*window);
        auto* table = window->page(u"memory"_s)->findChild<QTableView*>();
        REQUIRE(table);
        INFO(plan);
        QFont bold = table->font();
        bold.setBold(true);
        const QFontMetrics metrics(bold);
        for (int column = 0; column < table->model()->columnCount(); ++column) {
            const int width = table->columnWidth(column);
            const auto fits = [&](const QVariant& text) {
                return metrics.horizontalAdvance(text.toString()) + 6 <= width;
            };
            CHECK(fits(table->model()->headerData(column, Qt::Horizontal)));
            for (int row = 0; row < table->model()->rowCount(); ++row)
                CHECK(fits(table->model()->index(row, column).data()));
        }
        CHECK((table->horizontalScrollBar()->maximum() > 0) == scrolls);
    }
}

TEST_CASE("every label of the plan is whole, marked or not") {
    auto window = shownWindow({1280, 800});
    for (const int length : {8192, 1000}) { // the second breaks rules
        (void)window->document().edit(u"training.sequence_length"_s, std::int64_t{length}, 1);
        (void)window->document().edit(u"training.global_batch_size"_s, std::int64_t{length == 1000 ? 7 : 64},
                                      2);
        settle(*window);
        for (const auto* label : window->planPanel()->findChildren<QLabel*>())
            if (label->isVisibleTo(window.get())) {
                INFO(label->text().toStdString());
                CHECK_FALSE(label->text().contains(u'…'));
            }
    }
    CHECK_FALSE(window->planPanel()->control(u"training.global_batch_size"_s)->markText().isEmpty());
}

TEST_CASE("the pipeline's timeline is written as shapes in the size asked for") {
    auto window = shownWindow({1000, 700});
    window->showView(u"pipeline"_s);
    QTemporaryDir directory;
    const QString svg = directory.filePath(u"a.svg"_s), pdf = directory.filePath(u"a.pdf"_s);
    CHECK(writeScreenshot(*window, svg).isEmpty());
    QFile file(svg);
    REQUIRE(file.open(QIODevice::ReadOnly));
    CHECK(file.readAll().contains("viewBox=\"0 0 1000 700\""));
    CHECK(writeScreenshot(*window, pdf).isEmpty());
    CHECK(QFile::exists(pdf));
    const QString nowhere = directory.filePath(u"missing/a.svg"_s);
    CHECK(writeScreenshot(*window, nowhere).startsWith(u"shardlens: "_s + nowhere));
}
