// SPDX-License-Identifier: GPL-3.0-or-later
// The topology page: hover and pin, search, collectives step by step, failures, the list of crossing groups.
#include "catch.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTableWidget>
#include <QToolButton>
#include <QtTest>
#include <set>

#include "format.h"
#include "gui_support.h"
#include "main_window.h"
#include "report/evaluate.h"
#include "sample_report.h"
#include "topology/collective_player.h"
#include "topology/topology_view.h"
#include "topology_page.h"
#include "view_support.h"

using namespace shardlens;
using namespace Qt::StringLiterals;
using placement::AllReduceKind;
using placement::GroupKind;

namespace {

struct OpenPage {
    explicit OpenPage(const std::string& plan, const QSize& size = {1600, 1000}) : window(shownWindow(size)) {
        REQUIRE(window->document().start(presetPlan(plan)).what.empty());
        window->showView(u"topology"_s);
        settle(*window);
        page = qobject_cast<TopologyPage*>(window->page(u"topology"_s));
        REQUIRE(page);
    }
    std::unique_ptr<MainWindow> window;
    TopologyPage* page = nullptr;
};

/// A colour is somewhere on the edge of a GPU's rectangle.
bool framed(const QImage& image, const TopologyView& view, qint64 rank, const QColor& color) {
    const CellRect cell = view.layoutOfMap().cell(rank);
    const QPointF at = QPointF(cell.x, cell.y) + QPointF(view.mapArea().topLeft()) - view.offset();
    for (int y = 4; y < static_cast<int>(cell.height) - 4; ++y)
        if (image.pixelColor((at + QPointF(-1, y)).toPoint()) != color) return false;
    return true;
}

} // namespace

TEST_CASE("pointing at a GPU lights its groups in their colours, a click keeps them lit") {
    Shown<TopologyView> shown({900, 640});
    shown.set(sampleReport());
    const Theme theme = Theme::make(ThemeKind::Light);
    REQUIRE(shown.view.layoutOfMap().detail == TopologyDetail::Labels);
    const auto lit = [&](qint64 rank, Role role) {
        return framed(shown.view.grab().toImage(), shown.view, rank, theme.color(role));
    };
    CHECK_FALSE(lit(16, Role::TensorGroup));
    moveTo(shown.view, shown.view.positionOf(17));
    CHECK(lit(16, Role::TensorGroup));   // 16–23
    CHECK(lit(25, Role::DataGroup));     // 17, 25
    CHECK(lit(33, Role::PipelineGroup)); // 1, 17, 33, 49
    CHECK_FALSE(lit(26, Role::DataGroup));
    moveTo(shown.view, {3, 3}); // off the map
    CHECK_FALSE(lit(16, Role::TensorGroup));
    clickAt(shown.view, shown.view.positionOf(17));
    moveTo(shown.view, {3, 3});
    CHECK(lit(16, Role::TensorGroup));
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    CHECK_FALSE(lit(16, Role::TensorGroup));
}

TEST_CASE("lines and numbers of the map grow with the type") {
    Shown<TopologyView> shown(QSize(1000, 700));
    const auto report = evaluate(presetPlan("teaching-8-gpus"), *testCatalog());
    REQUIRE(report.ok());
    shown.set(*report);
    Target target;
    target.rank = 1;
    shown.interaction.setSelected(target);
    const QColor ink = Theme::make(ThemeKind::Light).text();
    // Of the frame round the selected GPU, in pixels outside its rectangle.
    const auto frame = [&](double points) {
        QFont font = shown.view.font();
        font.setPointSizeF(points);
        shown.view.setFont(font);
        QApplication::processEvents();
        const QImage image = shown.view.grab().toImage();
        const CellRect cell = shown.view.layoutOfMap().cell(1);
        const QPoint middle(int(cell.x) + shown.view.mapArea().left(),
                            int(cell.y + cell.height / 2) + shown.view.mapArea().top());
        int width = 0;
        while (image.pixelColor(middle - QPoint(width + 1, 0)) == ink) ++width;
        return width;
    };
    CHECK(frame(9) == 2);
    CHECK(frame(9 * 1.6) == 4);
}

TEST_CASE("no two colours of the map share a pattern") {
    TopologyColors colors;
    const auto report = sampleReport({64, 1, 8, 8});
    for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Dark, ThemeKind::HighContrast})
        for (const auto by :
             {TopologyColors::By::Stage, TopologyColors::By::Data, TopologyColors::By::LinkLoad}) {
            colors.update(by, report.get(), Theme::make(kind));
            std::set<Pattern> patterns;
            for (const auto& fill : colors.fills()) patterns.insert(fill.pattern);
            CHECK(patterns.size() == colors.fills().size());
        }
    // Memory: four quarters of what is usable, over it, over the card.
    colors.update(TopologyColors::By::Memory, report.get(), Theme::make(ThemeKind::Light));
    std::set<Pattern> bands;
    for (const auto& entry : colors.legend()) bands.insert(entry.fill.pattern);
    CHECK(bands.size() == 6);
    CHECK(colors.fill(0).pattern == Pattern::Horizontal); // 48 of 72 GiB usable: the third quarter
    CHECK(colors.shortTextOf(0) == formatBytes(48 * kSampleGib));
    colors.update(TopologyColors::By::Stage, report.get(), Theme::make(ThemeKind::Light));
    CHECK(colors.shortTextOf(63) == u"S7");
    CHECK(colors.textOf(63) == u"stage 7");
}

TEST_CASE("patterns are drawn however small the GPUs are") {
    const Theme theme = Theme::make(ThemeKind::Light);
    for (const auto& [gpus, detail] :
         {std::pair{4096, TopologyDetail::Cells}, std::pair{102400, TopologyDetail::Image}}) {
        Shown<TopologyView> shown({700, 500});
        shown.set(sampleReport({gpus, 8, 8, 8}));
        REQUIRE(shown.view.layoutOfMap().detail == detail);
        TopologyColors colors;
        colors.update(TopologyColors::By::Stage, shown.view.report().get(), theme);
        std::set<QRgb> seen;
        const QImage image = shown.view.grab(shown.view.mapArea()).toImage();
        for (int y = 0; y < image.height(); ++y)
            for (int x = 0; x < image.width(); ++x) seen.insert(image.pixel(x, y));
        for (const auto& fill : colors.fills()) {
            INFO(gpus << " GPUs, pattern " << static_cast<int>(fill.pattern));
            CHECK(seen.count(fill.color.rgb()) == 1);
            if (fill.pattern != Pattern::Solid)
                CHECK(seen.count(theme.ink(fill.color, fill.pattern).rgb()) == 1);
        }
    }
}

TEST_CASE("hosts launched in another order, the last one not full") {
    // 12 GPUs on two nodes: ranks 0–7 on node2, which stands second, 8–11 on node1.
    OpenPage open("llama3-70b-64xh100");
    Plan plan = open.window->document().plan();
    plan.cluster.gpus = 12;
    plan.cluster.hosts = {"node2", "node1"};
    plan.parallel.tensor = 4;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 3;
    plan.training.global_batch_size = 12;
    REQUIRE(open.window->document().change(plan, u"two hosts"_s).what.empty());
    settle(*open.window);
    TopologyView& map = open.page->map();
    for (qint64 rank = 0; rank < 12; ++rank)
        CHECK(map.rankAtPosition(map.positionOf(rank)) == std::optional<qint64>(rank));
    // Node 0 is drawn first and holds ranks 8 to 11 and four empty slots.
    CHECK(map.positionOf(8).x() <= map.positionOf(0).x());
    CHECK(map.positionOf(8) != map.positionOf(0));
    const QPointF below = map.positionOf(8) + QPointF(0, map.layoutOfMap().cellHeight);
    CHECK_FALSE(map.rankAtPosition(below).has_value());
    CHECK(open.page->find(u"node 0"_s));
    CHECK(open.page->player().motion().empty());
    CHECK(map.tooltipFor(8).contains(u"node 0"_s));
    CHECK_FALSE(open.page->find(u"node 2"_s));
    open.page->setFailing(TopologyPage::Failing::Node, 0);
    settle(*open.window);
    CHECK(map.outage().ranks == std::vector<std::int64_t>{8, 9, 10, 11});
    CHECK_FALSE(map.grab().toImage().isNull());
}

TEST_CASE("racks are called racks, and carry their titles while GPUs are small") {
    OpenPage open("llama3-70b-64xh100");
    Plan plan = open.window->document().plan();
    plan.cluster = {};
    plan.cluster.node = "gb200-nvl72";
    plan.cluster.gpus = 576;
    plan.parallel.data = 18;
    plan.training.global_batch_size = 144;
    REQUIRE(open.window->document().change(plan, u"racks"_s).what.empty());
    settle(*open.window);
    const TopologyView& map = open.page->map();
    CHECK(map.podsAreRacks());
    CHECK(map.layoutOfMap().shape.racks() == 8);
    CHECK(map.layoutOfMap().rackTitle > 0);
    CHECK(map.groupLines().join(u"; "_s).contains(u"in 4 racks"_s)); // one of 4 stages each
    CHECK_FALSE(map.groupLines().join(u"; "_s).contains(u"pod"_s));
    QStringList reaches;
    for (int row = 0; row < open.page->groups().rowCount(); ++row)
        reaches << open.page->groups().item(row, 2)->text();
    CHECK(reaches.join(u"; "_s).contains(u"racks"_s));
    CHECK_FALSE(map.tooltipFor(0).contains(u"pod"_s));
}

TEST_CASE("a dragged map shows what one drawn anew shows") {
    for (const double zoom : {4.0, 9.0, 40.0}) { // one pixel per GPU, rectangles, numbers
        Shown<TopologyView> shown({700, 500});
        shown.set(sampleReport({100000, 8, 4, 8}));
        shown.view.zoomAt(QRectF(shown.view.mapArea()).center(), zoom);
        QApplication::processEvents();
        for (const QPointF& by : {QPointF(13, 7), QPointF(-40, 3), QPointF(5, -60)}) {
            shown.view.pan(by);
            QApplication::processEvents();
        }
        const QImage dragged = shown.view.grab().toImage();
        shown.view.setTheme(Theme::make(ThemeKind::Light)); // draws everything anew
        INFO("zoom " << zoom << ", detail " << static_cast<int>(shown.view.layoutOfMap().detail));
        CHECK(dragged == shown.view.grab().toImage());
    }
}

TEST_CASE("a number finds its GPU among 100,000") {
    OpenPage open("llama3-70b-64xh100");
    REQUIRE(open.window->document().edit(u"cluster.gpus"_s, std::int64_t{100000}, 0).what.empty());
    settle(*open.window);
    TopologyView& map = open.page->map();
    REQUIRE(map.layoutOfMap().detail == TopologyDetail::Image);
    QTest::keyClick(&map, Qt::Key_Slash);
    QLineEdit& field = open.page->searchField();
    QTest::keyClicks(&field, u"54321"_s);
    QTest::keyClick(&field, Qt::Key_Return);
    CHECK(map.layoutOfMap().detail == TopologyDetail::Labels);
    CHECK(map.rankAtPosition(map.positionOf(54321)) == std::optional<qint64>(54321));
    CHECK(QRectF(map.mapArea()).contains(map.positionOf(54321)));
    CHECK(open.page->find(u"node 3"_s));
    CHECK(map.rankAtPosition(map.positionOf(24)) == std::optional<qint64>(24));
    CHECK(QRectF(map.mapArea()).contains(map.positionOf(24)));
    CHECK_FALSE(open.page->find(u"100000"_s));
    CHECK_FALSE(open.page->find(u"rack of wine"_s));
    field.setText(u"100000"_s);
    QTest::keyClick(&field, Qt::Key_Return);
    CHECK(field.toolTip().contains(u"99999"_s));
}

TEST_CASE("the ring of a data group, step by step") {
    // domain.md's picture: 8 GPUs, 2 stages, 4 replicas, pipeline neighbours side by side.
    OpenPage open("teaching-8-gpus");
    const auto& placed = *open.window->document().report()->placement;
    CHECK(placed.group_of(GroupKind::pp, 0) == std::vector<std::int64_t>{0, 1});
    CHECK(placed.group_of(GroupKind::dp, 0) == std::vector<std::int64_t>{0, 2, 4, 6});
    CollectivePlayer& player = open.page->player();
    TopologyView& map = open.page->map();
    REQUIRE(player.kind());
    CHECK(roleOf(*player.kind()) == Role::DataGroup);
    CHECK(map.motion().empty());
    player.setAlgorithm(AllReduceKind::ring);
    // A ring of 4: 3 steps of reduce-scatter, 3 of all-gather; everybody sends to the next.
    REQUIRE(player.stepCount() == 6);
    player.setStep(0);
    CHECK(map.motion().members == std::vector<std::int64_t>{0, 2, 4, 6});
    REQUIRE(map.motion().arrows.size() == 4);
    for (const auto& arrow : map.motion().arrows) CHECK(arrow.to == (arrow.from + 2) % 8);
    CHECK(player.caption().contains(u"Step 1 of 6: reduce-scatter"_s));
    player.setStep(3);
    CHECK(player.caption().contains(u"Step 4 of 6: all-gather"_s));
    player.setStep(99);
    CHECK(player.step() == 5);

    // Played: a step and a half further, paused, and at the end it rests.
    player.setStep(0);
    player.setPlaying(true);
    CHECK(player.playing());
    player.advance(1.5);
    CHECK(player.step() == 1);
    CHECK(map.motion().progress == Approx(0.5));
    player.setPlaying(false);
    CHECK_FALSE(player.playing());
    CHECK(player.step() == 1);
    player.setPlaying(true);
    player.advance(10);
    CHECK(player.step() == 5);
    CHECK_FALSE(player.playing());
    player.stop();
    CHECK(map.motion().empty());

    // The group follows the pinned GPU.
    clickAt(map, map.positionOf(3));
    player.setStep(0);
    CHECK(map.motion().members == std::vector<std::int64_t>{1, 3, 5, 7});
    // A binomial tree of 4: 2 steps up, 2 down.
    player.setAlgorithm(AllReduceKind::tree);
    CHECK(player.stepCount() == 4);
}

TEST_CASE("a group that reduces nothing says what it does instead") {
    OpenPage open("llama3-70b-64xh100");
    CollectivePlayer& player = open.page->player();
    player.setKind(GroupKind::pp);
    REQUIRE(player.kind() == std::optional(GroupKind::pp));
    CHECK(player.stepCount() == 0);
    CHECK(player.caption().contains(u"Nothing is summed"_s));
    player.setPlaying(true);
    player.advance(1);
    CHECK_FALSE(player.playing());
    CHECK(open.page->map().motion().empty());
    player.setKind(GroupKind::tp);
    CHECK(player.stepCount() == 14);
}

TEST_CASE("two levels cross nodes only in the middle") {
    OpenPage open("llama3-70b-64xh100");
    Plan plan = open.window->document().plan();
    plan.parallel.tensor = 1;
    plan.parallel.sequence = false;
    plan.parallel.pipeline = 1;
    plan.parallel.data = 64;
    REQUIRE(open.window->document().change(plan, u"data alone"_s).what.empty());
    settle(*open.window);
    CollectivePlayer& player = open.page->player();
    player.setAlgorithm(AllReduceKind::two_level);
    // 8 a node on 8 nodes: 7 steps inside, 14 between, 7 inside.
    REQUIRE(player.stepCount() == 28);
    for (const qint64 step : {0, 6, 7, 20, 21, 27}) {
        player.setStep(step);
        const bool between = step >= 7 && step < 21;
        INFO("step " << step);
        for (const auto& arrow : player.motion().arrows) CHECK((arrow.from / 8 != arrow.to / 8) == between);
        CHECK(player.caption().contains(between ? u"between nodes"_s : u"inside each node"_s));
    }
}

TEST_CASE("the list names the groups that cross, the links and the order") {
    OpenPage open("llama3-70b-64xh100");
    QTableWidget& groups = open.page->groups();
    REQUIRE(groups.rowCount() >= 3);
    const auto rowOf = [&](const QString& name) {
        for (int row = 0; row < groups.rowCount(); ++row)
            if (groups.item(row, 0)->text() == name) return row;
        return -1;
    };
    // TP 8 stays in its node, DP 2 and PP 4 leave it: those stand above.
    REQUIRE(rowOf(u"tensor"_s) >= 0);
    CHECK(groups.item(rowOf(u"tensor"_s), 2)->text() == u"inside"_s);
    CHECK(groups.item(rowOf(u"data"_s), 2)->text().contains(u'2'));
    CHECK(groups.item(rowOf(u"data"_s), 3)->text() == u"32 of 32"_s);
    CHECK(rowOf(u"data"_s) < rowOf(u"tensor"_s));
    CHECK(open.page->links().rowCount() >= 2);
    // Choosing a row chooses the group that is played.
    groups.setCurrentCell(rowOf(u"tensor"_s), 0);
    CHECK(open.page->player().kind() == std::optional(GroupKind::tp));

    // The order that puts tensor groups across nodes is worse, and the button brings the gain.
    Plan plan = open.window->document().plan();
    plan.parallel.rank_order = "dp-pp-cp-ep-tp";
    REQUIRE(open.window->document().change(plan, u"far apart"_s).what.empty());
    settle(*open.window);
    CHECK(groups.item(rowOf(u"tensor"_s), 2)->text().contains(u"⚠"_s));
    const double before = open.window->document().report()->time.step_s;
    QPushButton& button = open.page->orderButton();
    REQUIRE(button.isEnabled());
    CHECK(button.text().contains(u'%'));
    button.click();
    settle(*open.window);
    CHECK(open.window->document().report()->time.step_s < before);
    open.window->document().undoStack()->undo();
    settle(*open.window);
    CHECK(open.window->document().report()->time.step_s == Approx(before));
}

TEST_CASE("the list of groups shows the whole time, and what a fast fabric over nodes carries") {
    for (const QSize& size : {QSize(1920, 1200), QSize(1280, 800)}) {
        OpenPage open("llama3-405b-16384xh100", size);
        Plan plan = open.window->document().plan();
        plan.cluster.gpus = 100096;
        plan.parallel.data.reset();
        REQUIRE(open.window->document().change(plan, u"100,096 GPUs"_s).what.empty());
        settle(*open.window);
        QTableWidget& groups = open.page->groups();
        REQUIRE(groups.rowCount() >= 3);
        INFO(size.width() << " pixels wide, the list has " << groups.viewport()->width());
        for (int column = 0; column < groups.columnCount(); ++column) {
            if (groups.isColumnHidden(column)) continue;
            INFO("column " << column);
            for (int row = 0; row < groups.rowCount(); ++row)
                CHECK(groups.columnWidth(column) >=
                      groups.fontMetrics().horizontalAdvance(groups.item(row, column)->text()) + 6);
        }
        CHECK(groups.columnViewportPosition(5) + groups.columnWidth(5) <= groups.viewport()->width());
        // The slowest link, as the line of a GPU says it.
        const auto* data = open.window->document().report()->traffic.of(GroupKind::dp_cp);
        REQUIRE(data);
        bool found = false;
        for (int row = 0; row < groups.rowCount(); ++row) {
            if (groups.item(row, 0)->text() != u"data"_s) continue;
            found = true;
            CHECK(groups.item(row, 5)->text() == formatSeconds(data->busy_s));
        }
        CHECK(found);
    }
    OpenPage rack("llama3-70b-64xh100");
    Plan plan = rack.window->document().plan();
    plan.cluster.node = "gb200-nvl72"; // nodes of 4: tensor groups of 8 lie on two
    REQUIRE(rack.window->document().change(plan, u"racks"_s).what.empty());
    settle(*rack.window);
    QTableWidget& groups = rack.page->groups();
    const auto* tensor = rack.window->document().report()->traffic.of(GroupKind::tp);
    REQUIRE(tensor);
    bool found = false;
    for (int row = 0; row < groups.rowCount(); ++row) {
        if (groups.item(row, 0)->text() != u"tensor"_s) continue;
        found = true;
        CHECK(groups.item(row, 2)->text() == u"2 nodes"_s);
        CHECK(groups.item(row, 4)->text() == formatBytes(tensor->sent_bytes));
        CHECK(groups.item(row, 5)->text() == formatSeconds(tensor->busy_s));
    }
    CHECK(found);
}

TEST_CASE("a GPU of a model with experts lists the groups that their gradients reduce over") {
    OpenPage open("mixtral-8x7b-64xh100");
    const auto& placed = *open.window->document().report()->placement;
    REQUIRE(placed.reach(GroupKind::edp).members > 1);
    CHECK(open.page->map().tooltipFor(0).contains(u"expert data group: 0"_s));
    OpenPage dense("llama3-70b-64xh100");
    CHECK_FALSE(dense.page->map().tooltipFor(0).contains(u"expert"_s));
}

TEST_CASE("a pinned GPU stays in view whatever the colours stand for, and shades of a scale are not dimmed") {
    OpenPage open("llama3-405b-16384xh100");
    TopologyView& map = open.page->map();
    REQUIRE(open.page->find(u"16383"_s));
    for (int by = 0; by <= static_cast<int>(TopologyView::ColorBy::LinkLoad); ++by) {
        map.setColorBy(static_cast<TopologyView::ColorBy>(by));
        INFO("colour " << by);
        CHECK(QRectF(map.mapArea()).contains(map.positionOf(16383)));
    }
    map.fit();
    REQUIRE(map.layoutOfMap().detail != TopologyDetail::Labels);
    const auto colours = [&] { return map.grab(map.mapArea()).toImage(); };
    const QImage pinned = colours();
    QTest::keyClick(&map, Qt::Key_Escape);
    const QImage plain = colours();
    REQUIRE(plain.size() == pinned.size());
    qint64 changed = 0;
    for (int y = 0; y < plain.height(); ++y)
        for (int x = 0; x < plain.width(); ++x) changed += plain.pixel(x, y) != pinned.pixel(x, y);
    CHECK(changed > 0); // its groups
    CHECK(changed < qint64(plain.width()) * plain.height() / 10);
}

TEST_CASE("a failed node takes its replica, a failed port only time") {
    OpenPage open("llama3-70b-64xh100");
    TopologyView& map = open.page->map();
    open.page->setFailing(TopologyPage::Failing::Node, 3);
    settle(*open.window);
    REQUIRE(map.outage().ranks.size() == 8);
    CHECK(map.outage().ranks.front() == 24);
    // tp-cp-ep-dp-pp with DP 2: node 3 holds replica 1 of stage 1, so half of the cluster waits.
    CHECK(map.outage().stopped.size() == 32);
    CHECK(open.page->failureText().contains(u"Replicas lost: 1 of 2"_s));
    // The replica that is left keeps its share of the batch.
    const std::int64_t batch = open.window->document().plan().training.global_batch_size;
    CHECK(
        open.page->failureText().contains(u"global batch shrinks from %1 to %2"_s.arg(batch).arg(batch / 2)));
    const QPointF corner = map.positionOf(24) + QPointF(0, -map.layoutOfMap().cell(24).height / 2);
    const QColor lost = map.grab().toImage().pixelColor(corner.toPoint());
    const int legend = map.mapArea().height();
    open.page->setFailing(TopologyPage::Failing::Port, 3, 0);
    settle(*open.window);
    CHECK(map.outage().stopped.empty());
    CHECK(map.outage().rerouted);
    CHECK(map.outage().ranks == std::vector<std::int64_t>{24});
    CHECK(open.page->failureText().startsWith(u"1 GPU sends through"_s));
    CHECK_FALSE(open.page->failureText().contains(u"global batch"_s));
    const QPointF edge = map.positionOf(24) + QPointF(0, -map.layoutOfMap().cell(24).height / 2);
    CHECK(map.grab().toImage().pixelColor(edge.toPoint()) != lost);
    CHECK(map.mapArea().height() >= legend); // one mark to explain instead of two
    CHECK_FALSE(open.page->failureText().contains(u"Replicas lost"_s));
    open.page->setFailing(TopologyPage::Failing::Nothing);
    settle(*open.window);
    CHECK(map.outage().empty());
}

TEST_CASE("everything on the page is reached with the Tab key and has a name") {
    OpenPage open("llama3-70b-64xh100");
    int reached = 0;
    for (auto* widget : open.page->findChildren<QWidget*>()) {
        const bool control = qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                             qobject_cast<QLineEdit*>(widget) || qobject_cast<TopologyView*>(widget) ||
                             qobject_cast<QTableWidget*>(widget);
        if (!control || !widget->isVisibleTo(open.page) || widget->parentWidget()->inherits("QLineEdit") ||
            widget->parentWidget()->inherits("QTableWidget") || widget->parentWidget()->inherits("QTabBar"))
            continue;
        INFO(widget->metaObject()->className() << " " << widget->objectName().toStdString());
        CHECK((widget->focusPolicy() & Qt::TabFocus) != 0);
        CHECK_FALSE(widget->accessibleName().isEmpty());
        ++reached;
    }
    CHECK(reached >= 8);
}
