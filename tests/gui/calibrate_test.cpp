// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog that sharpens a stack with one run: from a log, from typed figures, stored and used at once.
#include "catch.h"

#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QUndoStack>
#include <cmath>

#include "calibrate_dialog.h"
#include "controls/quantity.h"
#include "gui_support.h"
#include "main_window.h"
#include "preset_bar.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

/// A window whose own presets go into a folder that is thrown away.
struct Own {
    QTemporaryDir folder;
    MainWindow window{
        std::make_shared<const Catalog>(Catalog({presets_directory(), folder.path().toStdString()})),
        nullptr};

    Own() {
        REQUIRE(window.document().start(presetPlan("llama3-70b-64xh100")).what.empty());
        window.show();
        settle(window);
    }
    [[nodiscard]] double step() { return window.document().report()->time.step_s; }
};

QString errorAfter(const CalibrateDialog& dialog, int row) {
    return dialog.errors().content().cells[std::size_t(row)].back().text;
}

} // namespace

TEST_CASE("seconds and memory as typed") {
    CHECK(*parseSeconds(u"1.84"_s) == Approx(1.84));
    CHECK(*parseSeconds(u"1.84 s"_s) == Approx(1.84));
    CHECK(*parseSeconds(u"1840ms"_s) == Approx(1.84));
    CHECK(*parseSeconds(u"2 min"_s) == Approx(120));
    CHECK_FALSE(parseSeconds(u"soon"_s));
    CHECK(*parseMemory(u"61.5 GiB"_s) == Approx(61.5 * 1073741824.0));
    CHECK(*parseMemory(u"61.5"_s) == Approx(61.5 * 1073741824.0));
    CHECK(*parseMemory(u"60 GB"_s) == Approx(60e9));
    CHECK_FALSE(parseMemory(u"much"_s));
}

TEST_CASE("a typed step time moves the prediction towards it, and saving makes the plan use it") {
    Own own;
    Document& document = own.window.document();
    const double before = own.step();
    const double measured = before * 1.06;
    CalibrateDialog dialog(document, own.window.theme(), &own.window);
    CHECK_FALSE(dialog.saveButton().isEnabled());
    dialog.step().setText(QString::number(measured, 'g', 12));
    dialog.name().setText(u"our-cluster"_s);
    dialog.settle();
    INFO(dialog.problem().toStdString());
    REQUIRE(dialog.problem().isEmpty());
    REQUIRE(dialog.errors().rowCount() == 1);
    CHECK(dialog.constants().rowCount() >= 1);
    CHECK(dialog.constants().rowCount() <= 3);
    REQUIRE(dialog.saveButton().isEnabled());

    const std::string old = document.plan().stack;
    QSignalSpy saved(&dialog, &CalibrateDialog::saved);
    dialog.saveButton().click();
    REQUIRE(saved.count() == 1);
    CHECK(QFile::exists(own.folder.filePath(u"stacks/our-cluster.json"_s)));
    CHECK(document.plan().stack == "our-cluster");
    settle(own.window);
    CHECK(std::abs(own.step() / measured - 1) < std::abs(before / measured - 1));
    CHECK(document.report()->error_band.step_scope == ErrorScope::own_run);
    document.undoStack()->undo();
    settle(own.window);
    CHECK(document.plan().stack == old);
    CHECK(own.step() == before);
}

TEST_CASE("a profile that is saved again is read again, without a restart") {
    Own own;
    Document& document = own.window.document();
    const double before = own.step();
    double first = 0;
    for (const double factor : {1.05, 1.12}) {
        CalibrateDialog dialog(document, own.window.theme(), &own.window);
        dialog.step().setText(QString::number(before * factor, 'g', 12));
        dialog.name().setText(u"twice"_s);
        dialog.settle();
        REQUIRE(dialog.saveButton().isEnabled());
        dialog.saveButton().click();
        settle(own.window);
        REQUIRE(document.plan().stack == "twice");
        if (factor < 1.1)
            first = own.step();
        else
            CHECK(own.step() > first);
        document.undoStack()->undo();
        settle(own.window);
    }
}

TEST_CASE("a log is recognised and says how its step time was taken") {
    Own own;
    Document& document = own.window.document();
    Plan plan = document.plan();
    QFile log(own.folder.filePath(u"run.log"_s));
    REQUIRE(log.open(QIODevice::WriteOnly));
    const double seconds = own.step() * 1.04;
    for (int i = 1; i <= 12; ++i)
        log.write(
            QStringLiteral(
                " [2026-01-01 00:00:%1] iteration %2/ 100 | consumed samples: %3 | elapsed time per "
                "iteration (ms): %4 | learning rate: 1.0E-04 | global batch size: %5 | lm loss: 2.0E+00 |\n")
                .arg(i, 2, 10, QChar(u'0'))
                .arg(i, 8)
                .arg(i * plan.training.global_batch_size)
                .arg(seconds * 1000, 0, 'f', 1)
                .arg(plan.training.global_batch_size)
                .toUtf8());
    log.close();
    CalibrateDialog dialog(document, own.window.theme(), &own.window);
    dialog.logFile().setText(log.fileName());
    dialog.settle();
    INFO(dialog.problem().toStdString());
    REQUIRE(dialog.problem().isEmpty());
    CHECK(dialog.account().contains(u"Megatron-LM"_s));
    CHECK(dialog.account().contains(u"median"_s));
    CHECK(*parseSeconds(dialog.step().text()) == Approx(seconds).epsilon(1e-4));
    CHECK(dialog.errors().rowCount() == 1);
    CHECK_FALSE(errorAfter(dialog, 0).isEmpty());
}

TEST_CASE("what cannot be read is one line, and nothing can be saved") {
    Own own;
    Document& document = own.window.document();
    const auto check = [](const CalibrateDialog& dialog) {
        INFO(dialog.problem().toStdString());
        CHECK_FALSE(dialog.problem().isEmpty());
        CHECK_FALSE(dialog.problem().contains(u'\n'));
    };
    CalibrateDialog dialog(document, own.window.theme(), &own.window);
    dialog.step().setText(u"soon"_s);
    dialog.settle();
    check(dialog);
    CHECK_FALSE(dialog.saveButton().isEnabled());
    dialog.step().setText(u"-3"_s);
    dialog.settle();
    check(dialog);
    dialog.step().setText(u"15 s"_s);
    dialog.name().setText(u"not/a name"_s);
    dialog.settle();
    check(dialog);
    dialog.name().setText(toQString(document.plan().stack));
    dialog.settle();
    check(dialog);
    CHECK_FALSE(dialog.saveButton().isEnabled());
    dialog.name().setText(u"fine"_s);
    dialog.settle();
    CHECK(dialog.problem().isEmpty());
    CHECK(dialog.saveButton().isEnabled());
    dialog.allocated().setText(u"60 GiB"_s);
    dialog.reserved().setText(u"50 GiB"_s);
    dialog.settle();
    check(dialog);

    for (const QString& path : {own.folder.filePath(u"missing.log"_s), own.folder.path()}) {
        dialog.logFile().setText(path);
        dialog.settle();
        check(dialog);
        CHECK_FALSE(dialog.saveButton().isEnabled());
    }
    QFile prose(own.folder.filePath(u"prose.log"_s));
    REQUIRE(prose.open(QIODevice::WriteOnly));
    prose.write("nothing to see here\n");
    prose.close();
    dialog.logFile().setText(prose.fileName());
    dialog.settle();
    check(dialog);
    QFile empty(own.folder.filePath(u"empty.log"_s));
    REQUIRE(empty.open(QIODevice::WriteOnly));
    empty.close();
    dialog.logFile().setText(empty.fileName());
    dialog.settle();
    check(dialog);
}

TEST_CASE("a shipped profile is not overwritten") {
    Own own;
    CalibrateDialog dialog(own.window.document(), own.window.theme(), &own.window);
    const std::string stack = own.window.document().plan().stack == "nemo" ? "megatron-core" : "nemo";
    dialog.step().setText(u"15 s"_s);
    dialog.name().setText(QString::fromStdString(stack));
    dialog.settle();
    dialog.saveButton().click();
    CHECK_FALSE(dialog.problem().isEmpty());
    CHECK(own.window.document().plan().stack != stack);
}

TEST_CASE("the menu opens the dialog, and a saved profile is among the choices") {
    Own own;
    QAction* action = nullptr;
    for (QAction* one : own.window.allActions())
        if (one->shortcut() == QKeySequence(u"Ctrl+K"_s)) action = one;
    REQUIRE(action);
    action->trigger();
    QApplication::processEvents();
    auto* dialog = own.window.findChild<CalibrateDialog*>();
    REQUIRE(dialog);
    dialog->step().setText(u"15 s"_s);
    dialog->name().setText(u"from-menu"_s);
    dialog->settle();
    dialog->saveButton().click();
    settle(own.window);
    CHECK(own.window.presetBar()->stack()->findData(u"from-menu"_s) >= 0);
    CHECK(own.window.presetBar()->stack()->currentData() == u"from-menu"_s);
    CHECK(own.window.bannerText().contains(u"from-menu"_s));
    CHECK_FALSE(own.window.findChild<CalibrateDialog*>()); // closed and gone
}
