// SPDX-License-Identifier: GPL-3.0-or-later
// The export page: what the last edit changed, what is not expressed, refusals with repairs, files, target;
// and the arithmetic of the batch beside it.
#include "catch.h"

#include <QApplication>
#include <QCheckBox>
#include <QClipboard>
#include <QFile>
#include <QListWidget>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QToolButton>
#include <QTreeWidget>
#include <QUndoStack>

#include "controls/core_text.h"
#include "controls/field_control.h"
#include "controls/quantity.h"
#include "export_page.h"
#include "gui_support.h"
#include "launchers/batch_arithmetic.h"
#include "main_window.h"
#include "panels/batch_panel.h"
#include "panels/messages_panel.h"
#include "panels/plan_panel.h"
#include "text_diff.h"
#include "text_preview.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

struct Shown {
    std::unique_ptr<MainWindow> window = shownWindow();
    ExportPage* page = nullptr;

    explicit Shown(const QString& launcher) {
        window->showView(u"export"_s);
        settle(*window);
        page = qobject_cast<ExportPage*>(window->page(u"export"_s));
        REQUIRE(page);
        page->setLauncher(launcher);
        settle(*window);
    }
    void edit(const QString& path, const FieldValue& value, int gesture) {
        const Error error = window->document().edit(path, value, gesture);
        INFO(error.line());
        REQUIRE(error.what.empty());
        settle(*window);
    }
    void look(const QString& file) const {
        for (int row = 0; row < page->files()->count(); ++row)
            if (page->files()->item(row)->text().endsWith(file)) page->files()->setCurrentRow(row);
    }
    /// Marked lines of the file in sight.
    [[nodiscard]] QStringList marked() const {
        QStringList lines;
        const QStringList all = page->text()->toPlainText().split(u'\n');
        for (int i = 0; i < all.size(); ++i)
            if (page->text()->signOf(i) == u"+") lines << all[i].trimmed();
        return lines;
    }
};

} // namespace

TEST_CASE("lines that an edit changed, added or took away") {
    const auto signs = [](const QString& before, const QString& after) {
        const LineChanges changes = changedLines(before, after);
        QString text;
        for (std::size_t i = 0; i < changes.removedBefore.size(); ++i)
            text += i < changes.changed.size() && changes.changed[i] ? u'+'
                    : changes.removedBefore[i]                       ? u'-'
                                                                     : u'.';
        return text; // one sign a line and one for the end
    };
    CHECK(signs(u"a\nb\nc"_s, u"a\nb\nc"_s) == u"....");
    CHECK(signs(u"a\nb\nc"_s, u"a\nx\nc"_s) == u".+..");
    CHECK(signs(u"a\nb\nc"_s, u"a\nb\nnew\nc"_s) == u"..+..");
    CHECK(signs(u"a\nb\nc"_s, u"a\nc"_s) == u".-.");
    CHECK(signs(u"a\nb\nc"_s, u"a\nb"_s) == u"..-");
    // What moved over a line that stays is one line gone and one come.
    CHECK(signs(u"a\nb\nc\nd"_s, u"b\nc\na\nd"_s) == u"-.+..");
    CHECK(changedLines(u"a\nb"_s, u"c\nd"_s).count() == 2);
    CHECK(signs(QString(), u"a"_s) == u"+.");
}

TEST_CASE("the last edit's lines are marked until the next one") {
    Shown shown(u"megatron-lm@0.19"_s);
    shown.look(u"train.sh"_s);
    CHECK(shown.marked().isEmpty());
    CHECK(shown.page->changesText().isEmpty());

    shown.edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1);
    const QStringList micro = shown.marked();
    REQUIRE(micro.size() == 1);
    CHECK(micro[0].contains(u"--micro-batch-size"_s));
    CHECK(micro[0].contains(u'2'));
    CHECK(shown.page->changesText().contains(u"train.sh"_s));
    // The list of files carries the sign as well, the untouched hosts do not.
    for (int row = 0; row < shown.page->files()->count(); ++row) {
        const QString text = shown.page->files()->item(row)->text();
        if (text.endsWith(u"train.sh"_s)) CHECK(text.startsWith(u'+'));
        if (text.endsWith(u"hosts"_s)) CHECK_FALSE(text.startsWith(u'+'));
    }
    // A change of language or theme is no edit.
    shown.window->setLanguage(u"zh_CN"_s);
    settle(*shown.window);
    CHECK(shown.marked() == micro);
    shown.window->setTheme(ThemeKind::Dark);
    CHECK(shown.marked() == micro);
    shown.window->setTheme(ThemeKind::Light);
    shown.window->setLanguage(u"en"_s);

    shown.edit(u"training.global_batch_size"_s, std::int64_t{256}, 2);
    const QStringList global = shown.marked();
    CHECK_FALSE(global.isEmpty());
    for (const QString& line : global) CHECK_FALSE(line.contains(u"--micro-batch-size"_s));
    // A drag is one edit: its steps are held against what was there before the first of them.
    shown.edit(u"training.global_batch_size"_s, std::int64_t{512}, 3);
    const auto steps = shown.window->document().undoStack()->count();
    shown.edit(u"training.global_batch_size"_s, std::int64_t{1024}, 3);
    CHECK(shown.window->document().undoStack()->count() == steps);
    CHECK_FALSE(shown.marked().isEmpty());
    shown.edit(u"training.global_batch_size"_s, std::int64_t{256}, 3);
    CHECK(shown.page->text()->toPlainText().contains(u"--global-batch-size 256"_s));
    // Another launcher is no edit either.
    shown.page->setLauncher(u"deepspeed@0.19"_s);
    settle(*shown.window);
    CHECK(shown.page->changesText().isEmpty());
}

TEST_CASE("what is not expressed leads to its field") {
    Shown shown(u"deepspeed@0.19"_s);
    shown.edit(u"parallel.tensor"_s, std::int64_t{1}, 1);
    shown.edit(u"parallel.pipeline"_s, std::int64_t{4}, 2);
    QTreeWidget* tree = shown.page->notExpressed();
    REQUIRE(tree->topLevelItemCount() > 0);
    QTreeWidgetItem* pipeline = nullptr;
    for (int i = 0; i < tree->topLevelItemCount(); ++i)
        if (tree->topLevelItem(i)->toolTip(0) == u"parallel.pipeline") pipeline = tree->topLevelItem(i);
    REQUIRE(pipeline);
    CHECK(pipeline->text(0) == labelOfPath("parallel.pipeline"));
    emit tree->itemClicked(pipeline, 0);
    CHECK(shown.window->planPanel()->control(u"parallel.pipeline"_s)->mainWidget() ==
          shown.window->focusWidget());
}

TEST_CASE("what is not expressed is read to its end at any width") {
    Shown shown(u"deepspeed@0.19"_s);
    QTreeWidget* tree = shown.page->notExpressed();
    REQUIRE(tree->topLevelItemCount() > 2);
    for (const int width : {1280, 1000, 1700}) {
        shown.window->resize(width, 800);
        settle(*shown.window);
        for (int i = 0; i < 3; ++i) QApplication::processEvents(); // the scroll bar comes, the column follows
        INFO(width << ", columns " << tree->columnWidth(0) << " + " << tree->columnWidth(1));
        CHECK(tree->columnWidth(0) + tree->columnWidth(1) <= tree->viewport()->width());
        CHECK(tree->horizontalScrollBar()->maximum() == 0);
        bool wrapped = false;
        for (int i = 0; i < tree->topLevelItemCount(); ++i) {
            QTreeWidgetItem* item = tree->topLevelItem(i);
            INFO(item->text(1).toStdString());
            const QFontMetrics metrics(tree->font());
            const QRect room(0, 0, tree->columnWidth(1), 10000);
            const int needed = metrics.boundingRect(room, Qt::TextWordWrap, item->text(1)).height();
            CHECK(tree->visualItemRect(item).height() >= needed);
            wrapped |= needed > metrics.height();
        }
        CHECK(wrapped);
    }
}

TEST_CASE("a refusal offers its repair, and one press applies it") {
    // DeepSpeed's pipeline runs with ZeRO 0 or 1: docs of PipelineEngine.
    Shown shown(u"deepspeed@0.19"_s);
    shown.edit(u"parallel.zero"_s, std::int64_t{3}, 1);
    CHECK_FALSE(shown.page->preview().refusals.empty());
    REQUIRE(shown.page->refusals()->isVisible());
    QTemporaryDir folder;
    CHECK_FALSE(shown.page->saveInto(folder.filePath(u"out"_s)).first);
    CHECK_FALSE(QFile::exists(folder.filePath(u"out"_s)));
    QPushButton* fix = nullptr;
    for (auto* button : shown.page->refusals()->findChildren<QPushButton*>())
        if (!fix && button->property("fix").toBool() && button->isVisibleTo(shown.page->refusals()))
            fix = button;
    REQUIRE(fix);
    const auto refused = shown.page->preview().refusals.size();
    fix->click();
    settle(*shown.window);
    CHECK(shown.page->preview().refusals.size() < refused);
    shown.window->document().undoStack()->undo();
    CHECK(shown.window->document().plan().parallel.zero == 3);
}

TEST_CASE("the plan takes the launcher as target and lets it go") {
    Shown shown(u"megatron-lm@0.19"_s);
    QCheckBox* box = shown.page->ownRules();
    CHECK(box->isChecked()); // the preset's own target
    shown.page->setLauncher(u"torchtitan@0.2.2"_s);
    settle(*shown.window);
    CHECK_FALSE(box->isChecked());
    box->click();
    settle(*shown.window);
    CHECK(shown.window->document().plan().target == "torchtitan@0.2.2");
    CHECK(box->isChecked());
    box->click();
    settle(*shown.window);
    CHECK(shown.window->document().plan().target.empty());
    shown.window->document().undoStack()->undo();
    settle(*shown.window);
    CHECK(box->isChecked());
}

TEST_CASE("one file is copied or saved") {
    Shown shown(u"megatron-lm@0.19"_s);
    shown.look(u"train.sh"_s);
    shown.page->copyButton()->click();
    CHECK(QApplication::clipboard()->text() == shown.page->text()->toPlainText());
    QTemporaryDir folder;
    const QString path = folder.filePath(u"mine.sh"_s);
    CHECK(shown.page->saveFileAs(path).first);
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    CHECK(QString::fromUtf8(file.readAll()) == shown.page->text()->toPlainText());
    const auto [done, line] = shown.page->saveFileAs(folder.filePath(u"no/such/folder/x.sh"_s));
    CHECK_FALSE(done);
    CHECK_FALSE(line.contains(u'\n'));
}

TEST_CASE("the batch: 128 = 1 · 64 · 2 on 64 GPUs, by hand") {
    // 64 GPUs / (tensor 8 · pipeline 4) = 2 data ranks; 128 samples / (1 · 2) = 64 micro-batches.
    Shown shown(u"megatron-lm@0.19"_s);
    BatchPanel* folded = shown.window->planPanel()->batchPanel();
    REQUIRE(folded);
    CHECK(folded->summary() == u"Batch 128 = 1 × 64 × 2");
    CHECK(folded->fold()->text() == folded->summary());
    folded->fold()->click();
    CHECK(folded->details().contains(u"8 · 4 · 1 · 2"_s));
    CHECK(folded->details().contains(u"= 128 / (1 · 2)"_s));
    CHECK(folded->details().contains(u"megatron-lm@0.19"_s));
    CHECK(folded->details().contains(u"--global-batch-size"_s));
    // The page shows the launcher chosen there, which need not be the target.
    shown.page->setLauncher(u"deepspeed@0.19"_s);
    settle(*shown.window);
    CHECK(shown.page->batch()->details().contains(u"gradient_accumulation_steps 64"_s));
    CHECK(shown.page->batch()->details().contains(u"train_batch_size 128"_s));
    CHECK_FALSE(shown.page->batch()->details().contains(u"--global-batch-size"_s));

    shown.edit(u"training.micro_batch_size"_s, std::int64_t{3}, 1);
    // 128 = 3 · 21 · 2 + 2
    CHECK(folded->summary().startsWith(u"Batch 128 = 3 × 21 × 2"_s));
    CHECK(folded->summary().contains(u"2 left over"_s));
    CHECK(shown.page->batch()->details().contains(u"2 samples of the global batch are left over"_s));
}

TEST_CASE("the expert grid stands beside the world") {
    auto window = shownWindow();
    REQUIRE(window->document().start(presetPlan("mixtral-8x7b-64xh100")).what.empty());
    settle(*window);
    const Setup& setup = *window->document().report()->setup;
    REQUIRE(setup.moe());
    BatchPanel* panel = window->planPanel()->batchPanel();
    panel->fold()->click();
    const QString text = panel->details();
    INFO(text.toStdString());
    CHECK(text.contains(u"etp · ep · edp · pp"_s));
    CHECK(setup.expert_tensor * setup.expert * setup.expert_data * setup.pipeline == 64);
    CHECK(text.contains(u"%1 · %2 · %3 · %4 ✓"_s.arg(setup.expert_tensor)
                            .arg(setup.expert)
                            .arg(setup.expert_data)
                            .arg(setup.pipeline)));
}
