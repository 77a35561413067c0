// SPDX-License-Identifier: GPL-3.0-or-later
// The document: one undo step per gesture, one evaluation per turn of the event loop, files whole or not at
// all.
#include "catch.h"

#include <QApplication>
#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <rapidcheck.h>

#include "document.h"
#include "gui_support.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

void start(Document& document) {
    REQUIRE(document.start(presetPlan("llama3-70b-64xh100")).what.empty());
    document.settle();
}

} // namespace

TEST_CASE("a drag is one undo step, and none when it returns to its start") {
    Document document(testCatalog());
    start(document);
    const Plan before = document.plan();
    for (std::int64_t i = 1; i <= 49; ++i)
        CHECK(document.edit(u"training.global_batch_size"_s, 128 + 8 * i, 1).what.empty());
    CHECK(document.undoStack()->count() == 1);
    CHECK(document.plan().training.global_batch_size == 128 + 8 * 49);
    document.undoStack()->undo();
    CHECK(document.plan() == before);
    document.undoStack()->redo();
    CHECK(document.plan().training.global_batch_size == 128 + 8 * 49);
    document.undoStack()->undo();

    for (const std::int64_t value : {256, 512, 256, 128})
        CHECK(document.edit(u"training.global_batch_size"_s, value, 2).what.empty());
    CHECK(document.undoStack()->count() == 0);
    CHECK(document.plan() == before);
    CHECK_FALSE(document.modified());
}

// The rule megatron-sequence refuses sequence parallelism with one tensor rank.
TEST_CASE("what follows a value that a drag only passes does not stay") {
    Document document(testCatalog());
    start(document);
    const Plan before = document.plan();
    REQUIRE(before.target.starts_with("megatron-lm"));
    REQUIRE(before.parallel.sequence);
    REQUIRE(before.parallel.tensor == 8);
    for (const std::int64_t value : {4, 2, 1})
        CHECK(document.edit(u"parallel.tensor"_s, value, 1).what.empty());
    CHECK_FALSE(document.plan().parallel.sequence);
    CHECK(document.undoStack()->count() == 1);
    CHECK(document.edit(u"parallel.tensor"_s, std::int64_t{2}, 1).what.empty());
    CHECK(document.plan().parallel.sequence);
    CHECK(document.edit(u"parallel.tensor"_s, std::int64_t{1}, 1).what.empty());
    document.undoStack()->undo();
    CHECK(document.plan() == before);
}

TEST_CASE("two gestures on one field and one gesture on two fields are two steps") {
    Document document(testCatalog());
    start(document);
    (void)document.edit(u"training.micro_batch_size"_s, std::int64_t{2}, 1);
    (void)document.edit(u"training.micro_batch_size"_s, std::int64_t{4}, 2);
    CHECK(document.undoStack()->count() == 2);
    (void)document.edit(u"parallel.zero"_s, std::int64_t{2}, 2);
    CHECK(document.undoStack()->count() == 3);
    CHECK(document.undoStack()->undoText().contains(u"2"));
}

TEST_CASE("50 edits in one turn of the event loop cost exactly one evaluation") {
    Document document(testCatalog());
    start(document);
    QSignalSpy reports(&document, &Document::reportChanged);
    const qint64 evaluations = document.evaluationCount();
    for (std::int64_t i = 1; i <= 50; ++i)
        (void)document.edit(u"training.global_batch_size"_s, 128 + 8 * i, 1);
    CHECK(document.evaluationCount() == evaluations);
    while (!document.settled()) QApplication::processEvents();
    CHECK(document.evaluationCount() == evaluations + 1);
    REQUIRE(reports.count() == 1);
    // The report is that of the last edit.
    REQUIRE(document.report()->setup);
    CHECK(document.report()->setup->plan == document.plan());
}

TEST_CASE("the report is evaluate()'s of the plan") {
    Document document(testCatalog());
    start(document);
    (void)document.edit(u"parallel.tensor"_s, std::int64_t{4}, 1);
    document.settle();
    const auto direct = evaluate(document.plan(), *testCatalog());
    REQUIRE(direct.ok());
    CHECK(document.report()->time.step_s == (*direct)->time.step_s);
    CHECK(document.report()->memory.peak_bytes == (*direct)->memory.peak_bytes);
    CHECK(document.actingPlan().parallel.data == (*direct)->setup->data);
}

TEST_CASE("any sequence of edits undone gives the plan back") {
    const Plan before = presetPlan("llama3-70b-64xh100");
    const bool held = rc::check("undo all", [&before] {
        Document document(testCatalog());
        RC_ASSERT(document.start(before).what.empty());
        const int edits = *rc::gen::inRange(1, 20);
        for (int i = 0; i < edits; ++i) {
            const auto path = *rc::gen::elementOf(
                std::vector<QString>{u"parallel.tensor"_s, u"parallel.pipeline"_s, u"parallel.data"_s,
                                     u"parallel.virtual_pipeline"_s, u"training.micro_batch_size"_s,
                                     u"cluster.gpus"_s, u"parallel.zero"_s});
            const std::int64_t value = path == u"parallel.zero"_s
                                           ? *rc::gen::inRange<std::int64_t>(0, 4)
                                           : std::int64_t{1} << *rc::gen::inRange(0, 6);
            (void)document.edit(path, value, *rc::gen::inRange(0, 3));
        }
        const Plan after = document.plan();
        while (document.undoStack()->canUndo()) document.undoStack()->undo();
        RC_ASSERT(document.plan() == before);
        while (document.undoStack()->canRedo()) document.undoStack()->redo();
        RC_ASSERT(document.plan() == after);
    });
    CHECK(held);
}

TEST_CASE("an unknown preset never enters the plan") {
    Document document(testCatalog());
    start(document);
    const Plan before = document.plan();
    const Error error = document.edit(u"cluster.accelerator"_s, std::string("h101-80gb-sxm"), 1);
    CHECK_THAT(error.line(), Catch::Contains("h101-80gb-sxm"));
    CHECK(document.plan() == before);
    CHECK(document.undoStack()->count() == 0);
}

TEST_CASE("changing a number of a preset's shape makes it a shape of one's own") {
    Document document(testCatalog());
    start(document);
    CHECK(document.edit(u"model.layers"_s, std::int64_t{40}, 1).what.empty());
    REQUIRE(std::holds_alternative<ModelShape>(document.plan().model));
    const auto& shape = std::get<ModelShape>(document.plan().model);
    CHECK(shape.layers == 40);
    // The rest is the preset's: hidden size of Llama 3 70B (arXiv 2407.21783, table 3).
    CHECK(shape.hidden == 8192);
    document.undoStack()->undo();
    CHECK(std::holds_alternative<std::string>(document.plan().model));
}

TEST_CASE("save and reopen give an equal plan; bad files leave everything as it was") {
    QTemporaryDir directory;
    Document document(testCatalog());
    start(document);
    (void)document.edit(u"parallel.zero"_s, std::int64_t{3}, 1);
    CHECK(document.modified());
    const QString path = directory.filePath(u"plan.json"_s);
    REQUIRE(document.save(path).what.empty());
    CHECK_FALSE(document.modified());
    Document other(testCatalog());
    REQUIRE(other.open(path).what.empty());
    CHECK(other.plan() == document.plan());
    CHECK(other.filePath() == path);

    const QString bad = directory.filePath(u"bad.json"_s);
    QFile file(bad);
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("{\"schema\": \"shardlens/plan/1\", \"modell\": 1}");
    file.close();
    (void)other.edit(u"parallel.zero"_s, std::int64_t{0}, 1);
    const Plan before = other.plan();
    const Error error = other.open(bad);
    CHECK_FALSE(error.what.empty());
    CHECK_THAT(error.line(), !Catch::Contains("\n"));
    CHECK(other.plan() == before);
    CHECK(other.filePath() == path);
    CHECK(other.undoStack()->canUndo());
    CHECK_FALSE(other.open(directory.filePath(u"absent.json"_s)).what.empty());
    CHECK_FALSE(other.save(directory.filePath(u"absent/plan.json"_s)).what.empty());
}

TEST_CASE("a plan that is slow to evaluate leaves the thread, and the latest plan wins") {
    Document document(testCatalog());
    REQUIRE(document.start(presetPlan("llama3-70b-64xh100")).what.empty());
    // A million pipeline operations take longer than half a frame.
    (void)document.edit(u"training.global_batch_size"_s, std::int64_t{400'000}, 1);
    document.settle();
    (void)document.edit(u"training.global_batch_size"_s, std::int64_t{400'008}, 2);
    while (!document.settled()) QApplication::processEvents();
    (void)document.edit(u"training.global_batch_size"_s, std::int64_t{256}, 3);
    (void)document.edit(u"training.global_batch_size"_s, std::int64_t{128}, 3);
    while (!document.settled()) QApplication::processEvents();
    CHECK(document.report()->setup->plan.training.global_batch_size == 128);
}
