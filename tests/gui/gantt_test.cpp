// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline's timeline: what it shows, how it is hit and moved, what it says, and its pictures.
#include "catch.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QImage>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include "gui_support.h"
#include "pipeline/gantt_view.h"
#include "report/evaluate.h"
#include "sample_report.h"
#include "view_support.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

/// Llama 3 70B on 64 H100 with eight stages and sixteen micro-batches: evaluated, not made by hand.
ReportPtr evaluated(ScheduleKind kind = ScheduleKind::one_f_one_b) {
    Plan plan = presetPlan("llama3-70b-64xh100");
    plan.parallel.pipeline = 8;
    plan.parallel.data = 1;
    plan.parallel.schedule = kind;
    plan.training.global_batch_size = 16;
    const auto report = evaluate(plan, *testCatalog());
    REQUIRE(report.ok());
    REQUIRE((*report)->timeline);
    return *report;
}

void dragMarking(QWidget& widget, const QPointF& from, const QPointF& to) {
    const auto send = [&](QEvent::Type type, const QPointF& at, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, widget.mapToGlobal(at), Qt::LeftButton, buttons, Qt::ShiftModifier);
        QApplication::sendEvent(&widget, &event);
    };
    send(QEvent::MouseButtonPress, from, Qt::LeftButton);
    send(QEvent::MouseMove, to, Qt::LeftButton);
    send(QEvent::MouseButtonRelease, to, Qt::NoButton);
}

/// A point in the row of a rank.
QPointF rowPoint(const GanttView& view, int track, int rank, double seconds) {
    const auto at = view.positionOf(GanttBand::Kind::Rank, track, rank, seconds);
    REQUIRE(at);
    return *at;
}

QByteArray contents(const QString& path) {
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    return file.readAll();
}

} // namespace

TEST_CASE("the timeline is hit, zoomed and moved as trace viewers do") {
    Shown<GanttView> shown({900, 300});
    shown.set(sampleReport()); // 33 s, 4 ranks
    CHECK(shown.view.visibleRange() == VisibleRange{0, 33});
    CHECK(shown.view.emptyReason().isEmpty());
    CHECK(shown.view.heading().contains(QStringLiteral("8")));

    for (const std::size_t op : {std::size_t{0}, std::size_t{5}, std::size_t{20}, std::size_t{63}})
        CHECK(shown.view.opAtPosition(shown.view.positionOf({0, op})) ==
              std::optional(GanttView::OpRef{0, op}));

    clickAt(shown.view, shown.view.positionOf({0, 20})); // rank 1, its fifth op
    CHECK(shown.interaction.selected().stage == 1);
    CHECK(shown.interaction.selected().microBatch ==
          shown.view.report()->timeline->schedule.ops[20].micro_batch);

    const QPointF at = shown.view.positionOf({0, 40});
    const double before = shown.view.plot().frame().x.toValue(at.x() - shown.view.plot().x());
    wheelAt(shown.view, at, 120);
    QApplication::processEvents();
    CHECK(shown.view.visibleRange().span() == Approx(33 * 0.8));
    CHECK(shown.view.plot().frame().x.toValue(at.x() - shown.view.plot().x()) == Approx(before));

    const VisibleRange zoomed = shown.view.visibleRange();
    QTest::keyClick(&shown.view, Qt::Key_W);
    CHECK(shown.view.visibleRange().span() < zoomed.span());
    const VisibleRange near = shown.view.visibleRange();
    QTest::keyClick(&shown.view, Qt::Key_D);
    CHECK(shown.view.visibleRange().from > near.from);
    CHECK(shown.view.visibleRange().span() == Approx(near.span()));
    QTest::keyClick(&shown.view, Qt::Key_A);
    CHECK(shown.view.visibleRange().from == Approx(near.from));
    QTest::keyClick(&shown.view, Qt::Key_S);
    CHECK(shown.view.visibleRange().span() == Approx(zoomed.span()));

    // A chosen window keeps its share of a step that gets longer.
    shown.set(sampleReport({64, 8, 4, 16})); // (16 + 3) · 3 = 57 s
    CHECK(shown.view.visibleRange().span() == Approx(zoomed.span() * 57 / 33));
    QTest::keyClick(&shown.view, Qt::Key_F);
    CHECK(shown.view.visibleRange() == VisibleRange{0, 57});
}

TEST_CASE("lines of the timeline grow with the type") {
    Shown<GanttView> shown(QSize(1600, 900));
    const ReportPtr report = evaluated();
    shown.set(report);
    const QColor ink = Theme::make(ThemeKind::Light).outline(Role::Forward);
    constexpr int kRank = 3; // whose first block stands behind idle time
    const double start = report->timeline->start[report->timeline->schedule.first[kRank]];
    // Of the line at the left edge of that block, in pixels.
    const auto edge = [&](double points) {
        QFont font = shown.view.font();
        font.setPointSizeF(points);
        shown.view.setFont(font);
        QApplication::processEvents();
        const QImage image = shown.view.grab().toImage();
        const QPoint at = rowPoint(shown.view, 0, kRank, start).toPoint() - QPoint(3, 0);
        int width = 0, skipped = 0;
        while (image.pixelColor(at + QPoint(skipped, 0)) != ink) REQUIRE(++skipped < 7);
        while (image.pixelColor(at + QPoint(skipped + width, 0)) == ink) ++width;
        return width;
    };
    CHECK(edge(9) == 1);
    CHECK(edge(9 * 1.6) == 2);
}

TEST_CASE("dragging the timeline moves it and selects nothing") {
    Shown<GanttView> shown({900, 300});
    shown.set(sampleReport());
    shown.view.setVisibleRange({10, 20});
    QApplication::processEvents();
    const QPointF from(450, 150);
    QTest::mousePress(&shown.view, Qt::LeftButton, {}, from.toPoint());
    const QPointF to = from - QPointF(100, 0);
    QMouseEvent move(QEvent::MouseMove, to, shown.view.mapToGlobal(to), Qt::NoButton, Qt::LeftButton,
                     Qt::NoModifier);
    QApplication::sendEvent(&shown.view, &move);
    QTest::mouseRelease(&shown.view, Qt::LeftButton, {}, to.toPoint());
    const double moved = 100 / shown.view.plot().frame().x.pixelsPerUnit();
    CHECK(shown.view.visibleRange().from == Approx(10 + moved).epsilon(0.01));
    CHECK(shown.interaction.selected().empty());
}

TEST_CASE("arrow keys reach every block of a row once") {
    Shown<GanttView> shown({900, 300});
    shown.set(sampleReport());
    QTest::keyClick(&shown.view, Qt::Key_Right);
    std::vector<qint64> seen{shown.interaction.selected().microBatch};
    for (int i = 0; i < 15; ++i) {
        QTest::keyClick(&shown.view, Qt::Key_Right);
        seen.push_back(shown.interaction.selected().microBatch);
    }
    std::vector<qint64> expected;
    for (const auto& op : shown.view.report()->timeline->schedule.rank(0)) expected.push_back(op.micro_batch);
    CHECK(seen == expected);
    QTest::keyClick(&shown.view, Qt::Key_Down);
    CHECK(shown.interaction.selected().stage == 1);
}

TEST_CASE("an empty timeline says why") {
    Shown<GanttView> shown;
    const QString start = shown.view.emptyReason();
    CHECK_FALSE(start.isEmpty());
    auto textbook = sampleReport();
    textbook->timeline = nullptr;
    auto setup = std::make_shared<Setup>(*textbook->setup);
    setup->plan.fidelity = Fidelity::textbook;
    textbook->setup = setup;
    shown.set(textbook);
    CHECK(shown.view.emptyReason().contains(QStringLiteral("Textbook")));
    CHECK(shown.view.accessibleDescription() == shown.view.emptyReason());
    auto invalid = sampleReport();
    invalid->timeline = nullptr;
    shown.set(invalid);
    CHECK(shown.view.emptyReason() != start);
    CHECK(shown.view.emptyReason().contains(QStringLiteral("messages")));
    shown.set(sampleReport({8, 8, 1, 4}));
    CHECK(shown.view.emptyReason().isEmpty());
    CHECK(shown.view.heading().contains(QStringLiteral("one stage")));
}

TEST_CASE("at a moment the timeline says what a stage holds") {
    Shown<GanttView> shown({900, 420});
    shown.set(sampleReport()); // 1F1B, F = 1 s, B = 2 s: stage 0 runs F0 to F3 until 4 s, B0 from 10 to 12 s
    const QString idle = shown.view.readout();
    moveTo(shown.view, rowPoint(shown.view, 0, 0, 5));
    CHECK(shown.view.readout() != idle);
    CHECK(shown.view.readout().contains(u"5"_s));
    CHECK(shown.view.readout().contains(u"stage 0 holds F0…F3"_s));
    CHECK(shown.view.tooltipAt(rowPoint(shown.view, 0, 0, 5)).contains(u"F0…F3"_s));
    CHECK(shown.view.tooltipAt(rowPoint(shown.view, 0, 0, 5)).contains(u"waits"_s));
    moveTo(shown.view, rowPoint(shown.view, 0, 3, 5)); // the last stage works on one at a time
    CHECK(shown.view.readout().contains(u"stage 3 holds F0"_s));
    CHECK_FALSE(shown.view.readout().contains(u"…"_s));
    moveTo(shown.view, rowPoint(shown.view, 0, 3, 1)); // F0 comes to it at 3 s
    CHECK(shown.view.readout().contains(u"no activations"_s));
    // The keyboard gets the same: the selected operation is the moment.
    QEvent leave(QEvent::Leave);
    QApplication::sendEvent(&shown.view, &leave);
    CHECK(shown.view.readout() == idle);
    for (int i = 0; i < 4; ++i) QTest::keyClick(&shown.view, Qt::Key_Right); // F0, F1, F2, F3
    CHECK(shown.view.readout().contains(u"stage 0 holds F0…F3"_s));
}

TEST_CASE("memory over time stands below rows, below the selected one where room is short") {
    Shown<GanttView> shown({900, 700});
    const ReportPtr report = evaluated();
    const auto curves = [&] {
        std::vector<int> ranks;
        for (const GanttBand& band : shown.view.bands())
            if (band.kind == GanttBand::Kind::Memory) ranks.push_back(band.rank);
        return ranks;
    };
    shown.view.resize(900, 1200);
    shown.set(report);
    CHECK(curves() == std::vector{0, 1, 2, 3, 4, 5, 6, 7});
    shown.view.resize(900, 420);
    QApplication::processEvents();
    CHECK(curves() == std::vector{static_cast<int>(report->memory.peak_stage)});
    clickAt(shown.view, rowPoint(shown.view, 0, 5, report->timeline->makespan * 0.5));
    QApplication::processEvents();
    REQUIRE(curves() == std::vector{5});

    // The curve's peak is the ledger's.
    const MemoryCurve curve = memory_curve(*report, 5);
    CHECK(curve.peak_bytes() == Approx(report->memory.stages[5].total_bytes));
    const auto at = shown.view.positionOf(GanttBand::Kind::Memory, 0, 5, curve.peak_time_s());
    REQUIRE(at);
    const QString tip = shown.view.tooltipAt(*at);
    CHECK(tip.contains(u"stage 5 holds"_s));
    CHECK(tip.contains(QString::fromStdString(curve.peak_name)));
    moveTo(shown.view, *at);
    CHECK(shown.interaction.hovered().path == u"memory.stages.5.activations_bytes"_s);

    QTest::keyClick(&shown.view, Qt::Key_M);
    QApplication::processEvents();
    CHECK(curves().empty());
}

TEST_CASE("a marked area says where its time went") {
    Shown<GanttView> shown({900, 420});
    shown.set(sampleReport());
    // Stage 0 from 0 to 4 s runs forwards, and then waits until 10 s.
    dragMarking(shown.view, rowPoint(shown.view, 0, 0, 2), rowPoint(shown.view, 0, 0, 6));
    REQUIRE(shown.view.area());
    CHECK(shown.view.area()->firstRank == 0);
    CHECK(shown.view.area()->lastRank == 0);
    CHECK(shown.view.area()->from == Approx(2).margin(0.1));
    CHECK(shown.view.area()->to == Approx(6).margin(0.1));
    CHECK(shown.view.readout().contains(u"forward"_s));
    CHECK(shown.view.readout().contains(u"idle"_s));
    CHECK_FALSE(shown.view.readout().contains(u"backward"_s));
    CHECK(shown.interaction.selected().empty());
    CHECK(shown.view.visibleRange() == VisibleRange{0, 33}); // marking does not pan
    // Upwards and to the left is the same area.
    dragMarking(shown.view, rowPoint(shown.view, 0, 2, 6), rowPoint(shown.view, 0, 1, 2));
    CHECK(shown.view.area()->firstRank == 1);
    CHECK(shown.view.area()->lastRank == 2);
    CHECK(shown.view.area()->from < shown.view.area()->to);
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    CHECK_FALSE(shown.view.area());

    // By keys: F0 of stage 0 to F2 of stage 0 is 0 to 3 s.
    QTest::keyClick(&shown.view, Qt::Key_Right);
    QTest::keyClick(&shown.view, Qt::Key_Right, Qt::ShiftModifier);
    QTest::keyClick(&shown.view, Qt::Key_Right, Qt::ShiftModifier);
    REQUIRE(shown.view.area());
    CHECK(*shown.view.area() == GanttArea{0, 3, 0, 0, 0});
    CHECK(shown.view.readout().contains(u"forward 100"_s));
    QTest::keyClick(&shown.view, Qt::Key_Right);
    CHECK_FALSE(shown.view.area());
}

TEST_CASE("two timelines stand one above the other on one scale") {
    Shown<GanttView> shown({900, 600});
    const auto now = sampleReport(), then = sampleReport({64, 8, 4, 16}); // 33 s and 57 s
    shown.set(now);
    REQUIRE(shown.view.trackCount() == 1);
    shown.pin(then);
    REQUIRE(shown.view.trackCount() == 2);
    CHECK(shown.view.visibleRange().to >= 57);
    // The same moment has the same place in both.
    CHECK(rowPoint(shown.view, 0, 1, 20).x() == rowPoint(shown.view, 1, 1, 20).x());
    CHECK(rowPoint(shown.view, 0, 3, 20).y() < rowPoint(shown.view, 1, 0, 20).y());
    CHECK(shown.view.accessibleDescription().contains(u"Below it: pinned plan"_s));
    const std::size_t last = then->timeline->start.size() - 1;
    CHECK(shown.view.opAtPosition(shown.view.positionOf({1, last})) ==
          std::optional(GanttView::OpRef{1, last}));
    clickAt(shown.view, shown.view.positionOf({1, last}));
    CHECK(shown.interaction.selected().microBatch == 15);

    // Down from the last row of the first comes the first row of the second.
    clickAt(shown.view, shown.view.positionOf({0, now->timeline->schedule.first[3]}));
    QTest::keyClick(&shown.view, Qt::Key_Down);
    CHECK(shown.interaction.selected().stage == 0);
    QTest::keyClick(&shown.view, Qt::Key_Up);
    CHECK(shown.interaction.selected().stage == 3);

    const auto other = sampleReport({64, 8, 4, 24});
    shown.view.setSecond(other, u"compared"_s);
    QApplication::processEvents();
    CHECK(shown.view.accessibleDescription().contains(u"compared"_s));
    CHECK(shown.view.visibleRange().to >= (24 + 3) * 3);
    shown.view.setSecond(nullptr, {});
    shown.pin(nullptr);
    CHECK(shown.view.trackCount() == 1);
}

TEST_CASE("a click lights the way of a micro-batch, the rest steps back") {
    Shown<GanttView> shown({900, 420});
    shown.set(sampleReport());
    const Theme theme = Theme::make(ThemeKind::Light);
    // Off the number in the middle: a third of the block from its left edge, inside the outline.
    const auto inside = [&](std::size_t op) {
        const auto& timeline = *shown.view.report()->timeline;
        const QPointF middle = shown.view.positionOf({0, op});
        const double width =
            (timeline.end[op] - timeline.start[op]) * shown.view.plot().frame().x.pixelsPerUnit();
        return middle - QPointF(width / 4, 0);
    };
    // F1 and F2 of stage 0.
    REQUIRE(pixel(shown.view, inside(1)) == theme.color(Role::Forward));
    REQUIRE(pixel(shown.view, inside(2)) == theme.color(Role::Forward));
    clickAt(shown.view, shown.view.positionOf({0, 1}));
    QApplication::processEvents();
    CHECK(pixel(shown.view, inside(1)) == theme.color(Role::Forward));
    CHECK(pixel(shown.view, inside(2)) != theme.color(Role::Forward));
    const auto far = shown.view.report()->timeline->schedule.first[2] + 1; // F1 of stage 2
    CHECK(pixel(shown.view, inside(far)) == theme.color(Role::Forward));
    QTest::keyClick(&shown.view, Qt::Key_Escape);
    QApplication::processEvents();
    CHECK(shown.interaction.selected().empty());
    CHECK(pixel(shown.view, inside(2)) == theme.color(Role::Forward));
}

TEST_CASE("colour tells the kind or the micro-batch") {
    Shown<GanttView> shown({900, 420});
    shown.set(sampleReport());
    QSignalSpy spy(&shown.view, &GanttView::lookChanged);
    QTest::keyClick(&shown.view, Qt::Key_C);
    QApplication::processEvents();
    CHECK(spy.count() == 1);
    CHECK(shown.view.colorBy() == GanttColors::By::MicroBatch);
    const Theme theme = Theme::make(ThemeKind::Light);
    const auto corner = [&](std::size_t op) {
        const auto& timeline = *shown.view.report()->timeline;
        const double width =
            (timeline.end[op] - timeline.start[op]) * shown.view.plot().frame().x.pixelsPerUnit();
        return pixel(shown.view, shown.view.positionOf({0, op}) - QPointF(width / 4, 0));
    };
    for (const std::size_t op : {0, 1, 2, 3}) CHECK(corner(op) == theme.categorical(static_cast<int>(op)));
    // Forward and backward of one micro-batch differ by pattern where they do not by colour.
    CHECK(theme.pattern(Role::Forward) != theme.pattern(Role::Backward));
    CHECK(theme.pattern(Role::Backward) != theme.pattern(Role::InputGradient));
    CHECK(theme.pattern(Role::InputGradient) != theme.pattern(Role::WeightGradient));
}

TEST_CASE("collectives and the optimizer are drawn where they start") {
    Shown<GanttView> shown({900, 500});
    Plan plan = presetPlan("llama3-70b-64xh100"); // data 2: gradients are reduced
    const auto result = evaluate(plan, *testCatalog());
    REQUIRE(result.ok());
    shown.set(*result);
    const StepTimeline step = step_timeline(**result);
    REQUIRE(step.ranks.size() == 4);
    CHECK(shown.view.visibleRange().to == Approx(step.step_s));
    const auto tipAt = [&](StepPart part) {
        for (const StepInterval& interval : step.ranks[0].intervals)
            if (interval.part == part && interval.end_s > interval.start_s)
                return shown.view.tooltipAt(
                    rowPoint(shown.view, 0, 0, (interval.start_s + interval.end_s) / 2));
        return QString();
    };
    CHECK(tipAt(StepPart::grad_reduce).contains(u"reduce gradients"_s));
    CHECK(tipAt(StepPart::optimizer).contains(u"optimizer"_s));
    for (const StepInterval& interval : step.ranks[0].intervals)
        if (interval.part == StepPart::optimizer) {
            // Near enough that it is some pixels wide.
            const double margin = 8 * (interval.end_s - interval.start_s);
            shown.view.setVisibleRange({interval.start_s - margin, interval.end_s + margin});
            QApplication::processEvents();
            const double pixels =
                (interval.end_s - interval.start_s) * shown.view.plot().frame().x.pixelsPerUnit();
            REQUIRE(pixels >= 4);
            // On the lower part of the row, left of its middle and off any letters.
            QPointF at = rowPoint(shown.view, 0, 0, interval.start_s) + QPointF(2, 0);
            const QColor seen = pixel(shown.view, at);
            const Theme theme = Theme::make(ThemeKind::Light);
            const QColor fill = theme.color(Role::Optimizer);
            CHECK((seen == fill || seen == theme.ink(fill, theme.pattern(Role::Optimizer))));
        }
}

TEST_CASE("pictures are whole, with shapes and text") {
    Shown<GanttView> shown({700, 420});
    shown.set(evaluated());
    shown.pin(evaluated(ScheduleKind::zb_h1));
    clickAt(shown.view, shown.view.positionOf({0, 3}));
    QApplication::processEvents();
    QTemporaryDir directory;
    const int replots = shown.view.plot().replotCount();

    const QString svg = directory.filePath(u"a.svg"_s);
    CHECK(shown.view.savePicture(svg).what.empty());
    const QByteArray text = contents(svg);
    QXmlStreamReader xml(text);
    int rectangles = 0, images = 0, texts = 0;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        rectangles += xml.name() == "rect"_L1;
        images += xml.name() == "image"_L1;
        texts += xml.name() == "text"_L1;
    }
    CHECK_FALSE(xml.hasError());
    CHECK(rectangles > 2 * 256); // 8 stages · 16 micro-batches · F and B, twice
    CHECK(images == 0);
    CHECK_FALSE(text.contains("wheel")); // a picture says nothing of the mouse
    CHECK(texts > 10);
    CHECK(text.contains(shown.view.heading().toUtf8()));

    const QString pdf = directory.filePath(u"a.pdf"_s);
    CHECK(shown.view.savePicture(pdf).what.empty());
    CHECK(contents(pdf).startsWith("%PDF"));
    CHECK(contents(pdf).contains("%%EOF"));
    const QString png = directory.filePath(u"a.PNG"_s);
    CHECK(shown.view.savePicture(png).what.empty());
    CHECK(QImage(png).size() == QSize(1400, 840));
    QApplication::processEvents();
    CHECK(shown.view.plot().replotCount() == replots); // nothing on screen was touched
}

TEST_CASE("a picture that cannot be written leaves nothing behind") {
    Shown<GanttView> shown({700, 420});
    QTemporaryDir directory;
    const QString early = directory.filePath(u"a.svg"_s);
    CHECK(shown.view.savePicture(early).where == early.toStdString()); // nothing to draw yet
    shown.set(sampleReport());
    CHECK_THAT(shown.view.savePicture(directory.filePath(u"a.bmp"_s)).what, Catch::Contains(".svg, .pdf"));
    for (const QString& suffix : {u"svg"_s, u"pdf"_s, u"png"_s}) {
        const QString nowhere = directory.filePath(u"missing/a."_s + suffix);
        CHECK(shown.view.savePicture(nowhere).where == nowhere.toStdString());
        // A folder stands where the file should go.
        const QString taken = directory.filePath(u"taken."_s + suffix);
        REQUIRE(QDir().mkdir(taken));
        CHECK_FALSE(shown.view.savePicture(taken).what.empty());
    }
    QStringList left = QDir(directory.path()).entryList(QDir::Files);
    CHECK(left.isEmpty());
}
