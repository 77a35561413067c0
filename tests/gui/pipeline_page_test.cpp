// SPDX-License-Identifier: GPL-3.0-or-later
// The pipeline page: schedules side by side, one taken or shown below, the balance of layers, files.
#include "catch.h"

#include <QApplication>
#include <QCheckBox>
#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <set>

#include "gui_support.h"
#include "main_window.h"
#include "pipeline/gantt_view.h"
#include "pipeline_page.h"
#include "plan/fields.h"
#include "schedule_picker.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

PipelinePage& pipelinePage(MainWindow& window) {
    window.showView(u"pipeline"_s);
    settle(window);
    auto* page = qobject_cast<PipelinePage*>(window.page(u"pipeline"_s));
    REQUIRE(page);
    return *page;
}

int rowOf(const SchedulePicker& picker, ScheduleKind kind) {
    const auto& options = picker.model().options();
    for (std::size_t i = 0; i < options.size(); ++i)
        if (options[i].kind == kind) return static_cast<int>(i);
    FAIL("no row for " << to_string(kind));
    return -1;
}

QString cell(const SchedulePicker& picker, int row, int column) {
    return picker.model().index(row, column).data().toString();
}

} // namespace

TEST_CASE("the picker shows every schedule of the contract, the plan's marked, figures beside reasons") {
    auto window = shownWindow();
    // Nine micro-batches on four stages: orders that need a multiple, or twice as many as stages, cannot be.
    REQUIRE(window->document().edit(u"training.global_batch_size"_s, std::int64_t{18}, 1).what.empty());
    SchedulePicker& picker = pipelinePage(*window).picker();
    std::set<std::string> names;
    for (const ScheduleOption& option : picker.model().options())
        names.insert(std::string(to_string(option.kind)));
    CHECK(names == std::set<std::string>{"gpipe", "1f1b", "1f1b-eager", "interleaved", "interleaved-ep",
                                         "bfs", "zb-h1", "interleaved-zb", "zb-h2", "zb-v", "v-half", "v-min",
                                         "1f1b-v", "dualpipe", "dualpipe-v", "chimera", "hanayo"});
    const int current = rowOf(picker, ScheduleKind::one_f_one_b);
    CHECK(picker.table().currentIndex().row() == current);
    CHECK(cell(picker, current, ScheduleModel::Schedule).contains(u"▸"_s));
    // The current row repeats what the report says.
    const Report& report = *window->document().report();
    const ScheduleOption& option = picker.model().options()[static_cast<std::size_t>(current)];
    CHECK(option.step_s == Approx(report.time.step_s));
    CHECK(option.bubble_fraction == Approx(report.time.bubble_fraction));
    CHECK(option.peak_bytes == Approx(report.memory.peak_bytes));

    int illegal = 0;
    for (int row = 0; row < picker.model().rowCount(); ++row) {
        const ScheduleOption& shown = picker.model().options()[static_cast<std::size_t>(row)];
        INFO(to_string(shown.kind));
        if (shown.legal) {
            for (int column = ScheduleModel::Bubble; column < ScheduleModel::Columns; ++column)
                CHECK_FALSE(cell(picker, row, column).isEmpty());
            continue;
        }
        ++illegal;
        const QString reason = cell(picker, row, ScheduleModel::Bubble);
        CHECK(reason.startsWith(u"✕ "_s));
        CHECK(reason.size() > 20);
        CHECK(picker.model().index(row, ScheduleModel::Step).data().toString().isEmpty());
        // Greyed, and the reason has the whole row.
        CHECK(picker.model().index(row, 0).data(Qt::ForegroundRole).value<QColor>() ==
              window->theme().mutedText());
        CHECK(picker.table().columnSpan(row, ScheduleModel::Bubble) == ScheduleModel::Columns - 1);
    }
    CHECK(illegal > 0);
}

TEST_CASE("a schedule is taken as one step that can be undone") {
    auto window = shownWindow();
    SchedulePicker& picker = pipelinePage(*window).picker();
    const Plan before = window->document().plan();
    const int row = rowOf(picker, ScheduleKind::zb_h1);
    REQUIRE(picker.model().options()[static_cast<std::size_t>(row)].legal);
    picker.table().setCurrentIndex(picker.model().index(row, 0));
    CHECK(picker.useButton().isEnabled());
    picker.table().setFocus();
    QTest::keyClick(&picker.table(), Qt::Key_Return);
    settle(*window);
    CHECK(window->document().plan().parallel.schedule == ScheduleKind::zb_h1);
    CHECK(picker.model().options()[static_cast<std::size_t>(row)].current);
    CHECK_FALSE(picker.useButton().isEnabled());
    window->document().undoStack()->undo();
    settle(*window);
    CHECK(window->document().plan() == before);
    CHECK(
        picker.model().options()[static_cast<std::size_t>(rowOf(picker, ScheduleKind::one_f_one_b))].current);
}

TEST_CASE("an illegal schedule offers the nearest plan that can have it") {
    auto window = shownWindow();
    REQUIRE(window->document().edit(u"training.global_batch_size"_s, std::int64_t{18}, 1).what.empty());
    SchedulePicker& picker = pipelinePage(*window).picker();
    int tried = 0;
    for (int row = 0; row < picker.model().rowCount(); ++row) {
        const ScheduleOption option = picker.model().options()[static_cast<std::size_t>(row)];
        if (option.legal || !option.fix) continue;
        INFO(to_string(option.kind));
        ++tried;
        picker.table().setCurrentIndex(picker.model().index(row, 0));
        CHECK(picker.useButton().isEnabled());
        const Plan before = window->document().plan();
        picker.useButton().click();
        settle(*window);
        CHECK(window->document().report()->valid);
        CHECK(window->document().report()->setup->schedule == option.kind);
        window->document().undoStack()->undo();
        settle(*window);
        CHECK(window->document().plan() == before);
    }
    CHECK(tried > 0);
}

TEST_CASE("a schedule is shown below the plan's timeline and follows the plan") {
    auto window = shownWindow();
    PipelinePage& page = pipelinePage(*window);
    SchedulePicker& picker = page.picker();
    const Plan before = window->document().plan();
    picker.table().setCurrentIndex(picker.model().index(rowOf(picker, ScheduleKind::gpipe), 0));
    CHECK_FALSE(page.gantt().second());
    picker.belowBox().click();
    settle(*window);
    REQUIRE(page.gantt().second());
    CHECK(page.gantt().trackCount() == 2);
    CHECK(page.gantt().second()->setup->schedule == ScheduleKind::gpipe);
    CHECK(window->document().plan() == before);
    CHECK(page.gantt().second()->time.step_s ==
          Approx(
              picker.model().options()[static_cast<std::size_t>(rowOf(picker, ScheduleKind::gpipe))].step_s));

    (void)window->document().edit(u"training.global_batch_size"_s, std::int64_t{64}, 1);
    settle(*window);
    REQUIRE(page.gantt().second());
    CHECK(page.gantt().second()->setup->micro_batches == 32);
    picker.table().setCurrentIndex(picker.model().index(rowOf(picker, ScheduleKind::zb_h1), 0));
    settle(*window);
    REQUIRE(page.gantt().second());
    CHECK(page.gantt().second()->setup->schedule == ScheduleKind::zb_h1);
    picker.belowBox().click();
    settle(*window);
    CHECK(page.gantt().trackCount() == 1);
}

TEST_CASE("balancing layers says what it gains and is one step") {
    auto window = shownWindow();
    // 80 layers on four stages by hand, badly.
    Plan uneven = window->document().plan();
    uneven.parallel.layers_per_stage = {26, 18, 18, 18};
    REQUIRE(window->document().change(uneven, u"uneven"_s).what.empty());
    PipelinePage& page = pipelinePage(*window);
    settle(*window);
    const double step = window->document().report()->time.step_s;
    REQUIRE(page.balanceButton().isEnabled());
    CHECK(page.balanceButton().text().contains(u"−"_s)); // the step gets shorter
    page.balanceButton().click();
    settle(*window);
    CHECK(window->document().report()->time.step_s < step);
    CHECK(window->document().report()->fits);
    CHECK_FALSE(page.balanceButton().isEnabled()); // nothing more to gain
    window->document().undoStack()->undo();
    settle(*window);
    CHECK(window->document().plan() == uneven);
}

TEST_CASE("no figure and no heading of the picker is cut, in either language") {
    auto window = shownWindow({1280, 800});
    for (const QString& language : {u"en"_s, u"zh_CN"_s}) {
        INFO(language.toStdString());
        window->setLanguage(language);
        SchedulePicker& picker = pipelinePage(*window).picker();
        QTableView& table = picker.table();
        const auto fits = [&](const QVariant& text, const QVariant& font, int column) {
            const QFontMetrics metrics(font.isValid() ? font.value<QFont>().resolve(table.font())
                                                      : table.font());
            return metrics.horizontalAdvance(text.toString()) + 6 <= table.columnWidth(column);
        };
        for (int column = 0; column < ScheduleModel::Columns; ++column) {
            CHECK(fits(picker.model().headerData(column, Qt::Horizontal), {}, column));
            for (int row = 0; row < picker.model().rowCount(); ++row)
                if (picker.model().options()[static_cast<std::size_t>(row)].legal || column == 0) {
                    const QModelIndex index = picker.model().index(row, column);
                    INFO(index.data().toString().toStdString());
                    CHECK(fits(index.data(), index.data(Qt::FontRole), column));
                }
        }
        for (QAbstractButton* button : {static_cast<QAbstractButton*>(&picker.useButton()),
                                        static_cast<QAbstractButton*>(&picker.belowBox())})
            CHECK(button->width() >= button->sizeHint().width());
    }
    window->setLanguage(u"en"_s);
}

TEST_CASE("the page is reachable by keyboard and says what its parts are") {
    auto window = shownWindow();
    PipelinePage& page = pipelinePage(*window);
    for (auto* button : page.findChildren<QAbstractButton*>()) {
        if (!button->isVisibleTo(&page) || button->parentWidget()->inherits("QTableView")) continue;
        INFO(button->text().toStdString());
        CHECK(button->focusPolicy() == Qt::StrongFocus);
        CHECK_FALSE((button->accessibleName().isEmpty() && button->text().isEmpty()));
        CHECK_FALSE(button->toolTip().isEmpty());
    }
    CHECK_FALSE(page.picker().table().accessibleName().isEmpty());
}

TEST_CASE("pictures and traces of the pipeline are whole, or not there") {
    auto window = shownWindow();
    pipelinePage(*window);
    QTemporaryDir directory;
    CHECK(window->savePictureAs(directory.filePath(u"a.svg"_s)));
    CHECK(QFile::exists(directory.filePath(u"a.svg"_s)));
    const QString trace = directory.filePath(u"a.json"_s);
    CHECK(window->saveTraceAs(trace));
    QFile file(trace);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QJsonObject root = QJsonDocument::fromJson(file.readAll()).object();
    int complete = 0;
    for (const auto& event : root[u"traceEvents"_s].toArray())
        complete += event.toObject()[u"ph"_s].toString() == "X"_L1;
    // Every operation of 4 stages and 64 micro-batches, and what the step holds beside them.
    CHECK(complete >= 2 * 4 * 64);

    const QString nowhere = directory.filePath(u"missing/a.json"_s);
    CHECK_FALSE(window->saveTraceAs(nowhere));
    CHECK(window->bannerText().contains(nowhere));
    CHECK_FALSE(window->savePictureAs(directory.filePath(u"missing/a.pdf"_s)));
    window->showView(u"memory"_s);
    settle(*window);
    CHECK_FALSE(window->savePictureAs(directory.filePath(u"missing/a.png"_s)));
    CHECK(window->savePictureAs(directory.filePath(u"m.png"_s)));
    CHECK(QDir(directory.path()).entryList(QDir::Files).size() == 3);
}
