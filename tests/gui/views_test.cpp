// SPDX-License-Identifier: GPL-3.0-or-later
// What the four drawn views show, how they are hit, and how often they paint.
#include "catch.h"

#include <QApplication>
#include <QComboBox>
#include <QSignalSpy>
#include <QTest>
#include <QTranslator>

#include "charts/memory_chart.h"
#include "charts/step_bar.h"
#include "charts/terms.h"
#include "pipeline/gantt_view.h"
#include "sample_report.h"
#include "topology/topology_view.h"
#include "view_support.h"

using namespace shardlens;

namespace {

// Marks every text it is asked for, so that a text that was not set anew is seen.
class Marker : public QTranslator {
public:
    QString translate(const char*, const char* source, const char*, int) const override {
        return QStringLiteral("«") + QString::fromUtf8(source) + QStringLiteral("»");
    }
    bool isEmpty() const override { return false; }
};

} // namespace

TEST_CASE("memory bars show the report's numbers") {
    Shown<MemoryChart> shown;
    const auto report = sampleReport();
    shown.set(report);
    std::vector<double> sums(4);
    for (const StackBlock& block : shown.view.blocks()) {
        const auto& stage = report->memory.stages[static_cast<std::size_t>(block.stack)];
        const MemoryTerm& term = memoryTerms()[static_cast<std::size_t>(block.part)];
        CHECK(block.value() * kSampleGib == Approx(stage.*term.bytes));
        sums[static_cast<std::size_t>(block.stack)] += block.value();
    }
    // 28 + activations 20, 15, 10, 5; the last stage has 6 of logits.
    CHECK(sums == std::vector<double>{48, 43, 38, 39});
    CHECK(shown.view.blocks().size() == 4 * 7 + 1); // logits only on the last stage

    const PlotFrame& frame = shown.view.plot().frame();
    CHECK(frame.y.from == 0);
    CHECK(frame.y.to > 80); // capacity is in sight
}

TEST_CASE("a block of memory is hit where it is drawn") {
    Shown<MemoryChart> shown;
    shown.set(sampleReport());
    for (const StackBlock& block : shown.view.blocks()) {
        const QPointF at = shown.view.positionOf(block);
        const auto found = shown.view.blockAtPosition(at);
        REQUIRE(found);
        CHECK(*found == block);
    }
    CHECK_FALSE(shown.view.blockAtPosition({2, 2}));

    const StackBlock& first = shown.view.blocks().front();
    CHECK(pixel(shown.view, shown.view.positionOf(first)) ==
          Theme::make(ThemeKind::Light).color(Role::Parameters));

    const auto activations = std::find_if(shown.view.blocks().begin(), shown.view.blocks().end(),
                                          [](const StackBlock& b) { return b.stack == 1 && b.part == 3; });
    moveTo(shown.view, shown.view.positionOf(*activations));
    CHECK(shown.interaction.hovered().path == QStringLiteral("memory.stages.1.activations_bytes"));
    CHECK(shown.interaction.hovered().stage == 1);
    clickAt(shown.view, shown.view.positionOf(*activations));
    CHECK(shown.interaction.selected().path == QStringLiteral("memory.stages.1.activations_bytes"));
    const QString tip = shown.view.tooltipFor(*activations);
    CHECK(tip.contains(QStringLiteral("15")));
    CHECK(tip.contains(QStringLiteral("35"))); // 15 of 43 GiB

    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(shown.interaction.selected().path == QStringLiteral("memory.stages.2.activations_bytes"));
    QTest::keyClick(&shown.view, Qt::Key_Up); // stage 2 has no logits
    CHECK(shown.interaction.selected().path == QStringLiteral("memory.stages.2.buffers_bytes"));
}

TEST_CASE("128 stages are drawn without labels that touch") {
    Shown<MemoryChart> shown({400, 250});
    shown.set(sampleReport({8192, 8, 128, 128}));
    CHECK(shown.view.blocks().size() == 128 * 7 + 1);
    const auto found = shown.view.blockAtPosition(shown.view.positionOf(shown.view.blocks().front()));
    REQUIRE(found);
    CHECK(found->part == 0);
}

TEST_CASE("the step bar shows the parts that sum to the step") {
    Shown<StepBar> shown({800, 120});
    const auto report = sampleReport();
    shown.set(report);
    double sum = 0;
    for (const StackBlock& block : shown.view.blocks()) {
        CHECK(block.stack == 0);
        CHECK(block.value() ==
              Approx(report->time.*timeParts()[static_cast<std::size_t>(block.part)].seconds));
        CHECK(block.low == Approx(sum));
        sum += block.value();
        CHECK(shown.view.blockAtPosition(shown.view.positionOf(block)) == std::optional(block));
    }
    CHECK(sum == Approx(14.5));
    CHECK(shown.view.blocks().size() == 7);

    auto slower = std::make_shared<Report>(*report);
    slower->time.bubble_s += 2.5;
    slower->time.step_s += 2.5;
    shown.pin(slower);
    CHECK(shown.view.blocks().size() == 14);
    CHECK(shown.view.blocks().back().high == Approx(17));
    const auto bubble = std::find_if(shown.view.blocks().begin(), shown.view.blocks().end(),
                                     [](const StackBlock& b) { return b.part == 7; });
    moveTo(shown.view, shown.view.positionOf(*bubble));
    CHECK(shown.interaction.hovered().path == QStringLiteral("time.bubble_s"));
    CHECK(shown.view.tooltipFor(*bubble).contains(QStringLiteral("−2.50")));
    // The ghost is hit below the bar.
    CHECK(shown.view.positionOf(shown.view.blocks().back()).y() > shown.view.positionOf(*bubble).y());
    CHECK(shown.view.blockAtPosition(shown.view.positionOf(shown.view.blocks()[7]))->stack == 1);
}

TEST_CASE("the map shows where groups sit") {
    Shown<TopologyView> shown({520, 380});
    shown.set(sampleReport());
    // 64 GPUs in the order tp 8, dp 2, pp 4: a tensor group fills a node, data neighbours sit on the next
    // one, and the stages take two nodes each.
    CHECK(shown.view.groupLines() == QStringList{QStringLiteral("tensor 8: inside one node"),
                                                 QStringLiteral("data 2: over 2 nodes"),
                                                 QStringLiteral("pipeline 4: over 4 nodes")});
    for (const qint64 rank : {0, 7, 8, 17, 63})
        CHECK(shown.view.rankAtPosition(shown.view.positionOf(rank)) == std::optional(rank));

    moveTo(shown.view, shown.view.positionOf(17));
    CHECK(shown.interaction.hovered().rank == 17);
    CHECK(shown.interaction.hovered().stage == 1);
    const QString tip = shown.view.tooltipFor(17);
    CHECK(tip.contains(QStringLiteral("16–23")));         // tensor group
    CHECK(tip.contains(QStringLiteral("17, 25")));        // data group
    CHECK(tip.contains(QStringLiteral("1, 17, 33, 49"))); // pipeline group
    CHECK(tip.contains(QStringLiteral("node 2")));
    clickAt(shown.view, shown.view.positionOf(42));
    CHECK(shown.interaction.selected().rank == 42);
    CHECK(shown.interaction.selected().stage == 2);
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK(shown.interaction.selected().rank == 43);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    CHECK(shown.interaction.selected().rank == 51);
}

TEST_CASE("the map is coloured by what the list says") {
    Shown<TopologyView> shown({520, 380});
    shown.set(sampleReport());
    const Theme theme = Theme::make(ThemeKind::Light);
    CHECK(shown.view.colorOf(0) == theme.categorical(0));
    CHECK(shown.view.colorOf(16) == theme.categorical(1));
    CHECK(shown.view.colorOf(63) == theme.categorical(3));
    // Drawn as well: a corner of the cell, off the number.
    const CellRect cell = shown.view.layoutOfMap().cell(16);
    const QPointF corner =
        QPointF(cell.x + 4, cell.y + 3) + QPointF(shown.view.mapArea().topLeft()) - shown.view.offset();
    const QColor drawn = pixel(shown.view, corner), fill = theme.categorical(1);
    CHECK((drawn == fill || drawn == theme.ink(fill, Pattern::Vertical)));

    shown.view.setColorBy(TopologyView::ColorBy::Data);
    CHECK(shown.view.colorOf(1) == shown.view.colorOf(9)); // one data group
    CHECK(shown.view.colorOf(1) != shown.view.colorOf(2));
    shown.view.setColorBy(TopologyView::ColorBy::Memory);
    CHECK(shown.view.colorOf(0) != shown.view.colorOf(63)); // 48 and 39 GiB
    CHECK(shown.view.colorOf(0) == shown.view.colorOf(15));
    auto* combo = shown.view.findChild<QComboBox*>();
    REQUIRE(combo);
    CHECK(combo->currentIndex() == static_cast<int>(TopologyView::ColorBy::Memory));
}

TEST_CASE("100,000 GPUs are shown, found, zoomed and moved") {
    Shown<TopologyView> shown({700, 500});
    shown.set(sampleReport({100000, 8, 4, 8}));
    CHECK(shown.view.layoutOfMap().detail == TopologyDetail::Image);
    const QPointF at = shown.view.positionOf(54321);
    REQUIRE(shown.view.rankAtPosition(at));
    for (int i = 0; i < 14; ++i) shown.view.zoomAt(at, 1.25);
    CHECK(shown.view.layoutOfMap().detail != TopologyDetail::Image);
    const auto rank = shown.view.rankAtPosition(at);
    REQUIRE(rank);
    const QPointF offset = shown.view.offset();
    shown.view.pan({-30, 0});
    CHECK(shown.view.offset().x() == offset.x() - 30);
    shown.view.fit();
    CHECK(shown.view.zoom() == 1);
    CHECK(shown.view.offset() == QPointF());
}

TEST_CASE("without a world the map says so") {
    Shown<TopologyView> shown;
    auto broken = sampleReport();
    broken->placement = nullptr;
    shown.set(broken);
    CHECK(shown.view.accessibleDescription().contains(QStringLiteral("multiply")));
    CHECK_FALSE(shown.view.rankAtPosition({100, 100}));
    moveTo(shown.view, {100, 100});
    CHECK(shown.interaction.hovered().empty());
}

TEMPLATE_TEST_CASE("many reports in one turn cost one paint, hidden views none", "", MemoryChart, StepBar,
                   GanttView, TopologyView) {
    Shown<TestType> shown;
    const auto a = sampleReport(), b = sampleReport({128, 8, 8, 16});
    shown.set(a);
    const int before = shown.view.paintCount();
    for (int i = 0; i < 100; ++i) shown.view.setReport(i % 2 == 0 ? b : a);
    QApplication::processEvents();
    QApplication::processEvents();
    CHECK(shown.view.paintCount() == before + 1);

    shown.view.hide();
    QApplication::processEvents();
    const int hidden = shown.view.paintCount();
    for (int i = 0; i < 10; ++i) shown.set(i % 2 == 0 ? b : a);
    CHECK(shown.view.paintCount() == hidden);
    shown.view.show();
    QApplication::processEvents();
    CHECK(shown.view.paintCount() > hidden);
}

TEMPLATE_TEST_CASE("a view follows language, theme and report", "", MemoryChart, StepBar, GanttView,
                   TopologyView) {
    Shown<TestType> shown;
    CHECK_FALSE(shown.view.accessibleDescription().isEmpty());
    const QString empty = shown.view.accessibleDescription();
    shown.set(sampleReport());
    CHECK(shown.view.accessibleDescription() != empty);
    const QString name = shown.view.accessibleName(), description = shown.view.accessibleDescription();
    CHECK_FALSE(name.isEmpty());

    Marker marker;
    QApplication::installTranslator(&marker);
    QApplication::processEvents();
    CHECK(shown.view.accessibleName() == QStringLiteral("«") + name + QStringLiteral("»"));
    CHECK(shown.view.accessibleDescription().startsWith(QStringLiteral("«")));
    for (const auto* combo : shown.view.template findChildren<QComboBox*>())
        for (int i = 0; i < combo->count(); ++i) CHECK(combo->itemText(i).startsWith(QStringLiteral("«")));
    QApplication::removeTranslator(&marker);
    QApplication::processEvents();
    CHECK(shown.view.accessibleDescription() == description);

    for (auto* widget : shown.view.template findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisibleTo(&shown.view)) continue;
        INFO(widget->metaObject()->className());
        CHECK_FALSE(widget->accessibleName().isEmpty());
    }

    for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::HighContrast, ThemeKind::Light}) {
        const Theme theme = Theme::make(kind);
        shown.view.setTheme(theme);
        QApplication::processEvents();
        CHECK(pixel(shown.view, {static_cast<double>(shown.view.width()) - 6, 40}) == theme.card());
    }
}

TEST_CASE("hovering repaints the overlay alone") {
    Shown<MemoryChart> shown;
    shown.set(sampleReport());
    const int replots = shown.view.plot().replotCount();
    moveTo(shown.view, shown.view.positionOf(shown.view.blocks()[2]));
    QApplication::processEvents();
    moveTo(shown.view, shown.view.positionOf(shown.view.blocks()[3]));
    QApplication::processEvents();
    CHECK(shown.view.plot().replotCount() == replots);
    CHECK(shown.view.plot().bufferRatio() == Approx(shown.view.devicePixelRatioF()));
}
