// SPDX-License-Identifier: GPL-3.0-or-later
// The page of published runs: found beside the window, while in sight, and taken over as the plan.
#include "catch.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QUndoStack>

#include "format.h"
#include "gui_support.h"
#include "main_window.h"
#include "panels/verdict_panel.h"
#include "published_page.h"
#include "report/evaluate.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

PublishedPage& published(MainWindow& window) {
    window.showView(u"published"_s);
    settle(window);
    auto* page = qobject_cast<PublishedPage*>(window.page(u"published"_s));
    REQUIRE(page);
    return *page;
}

QString cell(const PublishedPage& page, int row, int column) {
    return page.model().index(row, column).data().toString();
}

} // namespace

TEST_CASE("published runs stand in the order of their distance, measured beside predicted") {
    auto window = shownWindow();
    PublishedPage& page = published(*window);
    const auto& runs = page.model().runs();
    REQUIRE(runs.size() > 10);
    for (std::size_t i = 1; i < runs.size(); ++i) CHECK(runs[i - 1].distance <= runs[i].distance);
    int steps = 0;
    for (int row = 0; row < page.model().rowCount(); ++row) {
        const auto& near = runs[std::size_t(row)];
        CHECK_FALSE(cell(page, row, PublishedModel::Run).isEmpty());
        CHECK_FALSE(cell(page, row, PublishedModel::Source).isEmpty());
        CHECK((near.step_s || near.memory));
        if (!near.step_s) continue;
        ++steps;
        CHECK(near.step_s->measured == *near.run->step_s);
        const auto report = evaluate(near.run->plan, *testCatalog(), {.timeline = false});
        REQUIRE(report.ok());
        CHECK(near.step_s->predicted == (*report)->time.step_s);
        CHECK(cell(page, row, PublishedModel::StepMeasured) == formatSeconds(near.step_s->measured));
        CHECK(cell(page, row, PublishedModel::StepPredicted) == formatSeconds(near.step_s->predicted));
        CHECK(cell(page, row, PublishedModel::StepError).contains(u'%'));
    }
    CHECK(steps > 0);
}

TEST_CASE("a drag starts no look-up, a rest starts one, and only in sight") {
    auto window = shownWindow();
    PublishedPage& page = published(*window);
    CHECK(page.lookups() == 1);
    for (const std::int64_t length : {4096, 2048, 1024}) {
        REQUIRE(window->document().edit(u"training.sequence_length"_s, length, 7).what.empty());
        window->document().settle();
        QApplication::processEvents();
    }
    CHECK(page.lookups() == 1);
    settle(*window);
    CHECK(page.lookups() == 2);

    window->showView(u"overview"_s);
    REQUIRE(window->document().edit(u"training.sequence_length"_s, std::int64_t{8192}, 8).what.empty());
    settle(*window);
    QTest::qWait(400);
    CHECK(page.lookups() == 2);
    (void)published(*window);
    CHECK(page.lookups() == 3);
}

TEST_CASE("a run's plan becomes the document's, in one step that can be undone") {
    auto window = shownWindow();
    PublishedPage& page = published(*window);
    Document& document = window->document();
    const Plan before = document.plan();
    const Plan wanted = page.model().runs()[1].run->plan;
    page.table().selectRow(1);
    REQUIRE(page.openButton().isEnabled());
    page.openButton().click();
    CHECK(document.plan() == wanted);
    CHECK(document.undoStack()->count() == 1);
    settle(*window);
    // Now it is itself the nearest.
    CHECK(page.model().runs()[0].distance == 0);
    document.undoStack()->undo();
    settle(*window);
    CHECK(document.plan() == before);

    // A double click does the same.
    const Plan third = page.model().runs()[2].run->plan;
    const QPoint at = page.table().visualRect(page.model().index(2, 0)).center();
    QTest::mouseClick(page.table().viewport(), Qt::LeftButton, {}, at);
    QTest::mouseDClick(page.table().viewport(), Qt::LeftButton, {}, at);
    CHECK(document.plan() == third);
}

TEST_CASE("a broken file of published runs is one line on the page") {
    QTemporaryDir own;
    REQUIRE(QDir(own.path()).mkpath(u"published"_s));
    QFile file(own.filePath(u"published/mine.json"_s));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("{\"schema\": \"shardlens/published/1\", \"runs\": [{}]}");
    file.close();
    MainWindow window(
        std::make_shared<const Catalog>(Catalog({presets_directory(), own.path().toStdString()})), nullptr);
    REQUIRE(window.document().start(presetPlan("llama3-70b-64xh100")).what.empty());
    window.show();
    settle(window);
    PublishedPage& page = published(window);
    CHECK(page.model().rowCount() == 0);
    bool said = false;
    for (const auto* label : page.findChildren<QLabel*>())
        said = said || (label->text().contains(u"mine.json"_s) && !label->text().contains(u'\n'));
    CHECK(said);
}

TEST_CASE("closing the window while runs are read is safe") {
    auto window = shownWindow();
    window->showView(u"published"_s);
    auto* page = qobject_cast<PublishedPage*>(window->page(u"published"_s));
    REQUIRE(page);
    QTest::qWait(300); // the pause is over, the files are being read
    window.reset();
    QApplication::processEvents();
}

TEST_CASE("step time and memory carry the error band and say where it comes from") {
    auto window = shownWindow();
    Document& document = window->document();
    const auto rowOf = [&](const QString& path) {
        for (const auto& row : window->verdictPanel()->rows())
            if (row.path == path) return row;
        FAIL("no row " << path.toStdString());
        return VerdictPanel::Row{};
    };
    const auto use = [&](const std::string& stack) {
        Plan plan = document.plan();
        plan.stack = stack;
        REQUIRE(document.change(std::move(plan), u"stack"_s).what.empty());
        settle(*window);
    };
    use("nemo");
    const ErrorBand<double> band = document.report()->error_band;
    REQUIRE(band.runs > 0);
    CHECK(rowOf(u"time.step_s"_s).band.contains(formatPercent(band.step_median)));
    CHECK(rowOf(u"time.step_s"_s).band.contains(formatPercent(band.step_p90)));
    CHECK(rowOf(u"time.step_s"_s).tip.contains(u"nemo"_s));
    CHECK(rowOf(u"error_band.runs"_s).value.contains(QString::number(int(band.runs))));
    // Never compared: no number that looks like one.
    use("llama3");
    REQUIRE(document.report()->error_band.runs == 0);
    CHECK(rowOf(u"time.step_s"_s).band == u"± ?");
    CHECK(rowOf(u"memory.peak_bytes"_s).band == u"± ?");
    CHECK(rowOf(u"error_band.runs"_s).value == u"never compared");
    CHECK(rowOf(u"time.step_s"_s).tip.contains(u"megatron-core"_s));
}
