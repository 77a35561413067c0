// SPDX-License-Identifier: GPL-3.0-or-later
// Import: a file becomes the plan with an account of every key, gaps are filled by hand, bad files change
// nothing.
#include "catch.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFile>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUndoStack>
#include <QUrl>
#include <set>

#include "controls/core_text.h"
#include "controls/field_control.h"
#include "controls/quantity.h"
#include "gui_support.h"
#include "import_dialog.h"
#include "import_notes.h"
#include "language.h"
#include "launchers/launcher.h"
#include "main_window.h"
#include "panels/plan_panel.h"
#include "plan/plan_json.h"
#include "report/evaluate.h"

using namespace shardlens;
using namespace Qt::StringLiterals;
using Kind = launchers::ImportNote::Kind;

namespace {

QString sample(const QString& name) {
    return QString::fromUtf8(SHARDLENS_SOURCE_DIR) + u"/tests/data/imports/"_s + name;
}

QString writeFile(const QTemporaryDir& folder, const QString& name, const QByteArray& text) {
    QFile file(folder.filePath(name));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write(text);
    return file.fileName();
}

QAction* actionOf(const MainWindow& window, const QString& keys) {
    for (QAction* one : window.allActions())
        if (one->shortcut() == QKeySequence(keys)) return one;
    return nullptr;
}

/// As a hand types it.
void type(ImportDialog& dialog, const QString& path, const QString& text) {
    auto* control = qobject_cast<FieldControl*>(dialog.gap(path));
    INFO(path.toStdString());
    REQUIRE(control);
    REQUIRE(control->entry());
    control->entry()->clear();
    QTest::keyClicks(control->entry(), text);
    QTest::keyClick(control->entry(), Qt::Key_Return);
    dialog.settle();
}

void pick(ImportDialog& dialog, const QString& path, const QString& id) {
    auto* combo = qobject_cast<QComboBox*>(dialog.gap(path));
    REQUIRE(combo);
    const int row = combo->findData(id);
    REQUIRE(row >= 0);
    combo->setCurrentIndex(row);
    emit combo->activated(row);
    dialog.settle();
}

void drop(QWidget& window, const QString& path) {
    QMimeData mime;
    mime.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent event({50, 50}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
    QApplication::sendEvent(&window, &event);
}

bool hasChinese(const QString& text) {
    for (const QChar c : text)
        if (c.script() == QChar::Script_Han) return true;
    return false;
}

} // namespace

TEST_CASE(
    "a launch script: what it says is read, what it leaves open is asked for, and one undo takes it back") {
    auto window = shownWindow();
    const Plan before = window->document().plan();
    auto* action = actionOf(*window, u"Ctrl+I"_s);
    REQUIRE(action);
    action->trigger();
    auto* dialog = window->findChild<ImportDialog*>();
    REQUIRE(dialog);
    CHECK_FALSE(dialog->importButton()->isEnabled());
    dialog->openFile(sample(u"imp-bash-175b.sh"_s));
    dialog->settle();
    CHECK(dialog->kind()->currentData() == u"megatron-script"_s);
    CHECK(dialog->version()->currentText() == u"0.19");
    // Values of the public example: examples/gpt3/train_gpt3_175b_distributed.sh of Megatron-LM.
    const auto& notes = dialog->notes()->model().notes();
    std::set<std::string> missing;
    bool tensor = false;
    for (const auto& note : notes) {
        if (note.kind == Kind::missing) missing.insert(note.path);
        if (note.path == "parallel.tensor") {
            tensor = note.kind == Kind::read && note.value == "8" &&
                     note.key.find("--tensor-model-parallel-size") != std::string::npos;
        }
    }
    CHECK(tensor);
    REQUIRE(missing.count("cluster.node") == 1); // no script names its GPUs
    CHECK_FALSE(dialog->importButton()->isEnabled());
    CHECK(dialog->problem().contains(labelOfPath("cluster.node")));
    CHECK(window->document().plan() == before);

    pick(*dialog, u"cluster.node"_s, u"dgx-a100-640"_s);
    for (const QString& path : dialog->gaps())
        if (path == u"cluster.gpus") type(*dialog, path, u"1k"_s);
    INFO(dialog->problem().toStdString());
    REQUIRE(dialog->importButton()->isEnabled());
    CHECK(dialog->problem().isEmpty());
    const int lines = dialog->notes()->model().rowCount();
    dialog->importButton()->click();
    settle(*window);
    CHECK_FALSE(window->findChild<ImportDialog*>());
    const Plan& plan = window->document().plan();
    CHECK(plan.parallel.tensor == 8);
    CHECK(plan.parallel.pipeline == 16);
    CHECK(plan.training.global_batch_size == 1536);
    CHECK(plan.training.sequence_length == 2048);
    REQUIRE(std::holds_alternative<ModelShape>(plan.model));
    CHECK(std::get<ModelShape>(plan.model).layers == 96);
    CHECK(std::get<ModelShape>(plan.model).hidden == 12288);
    CHECK(window->bannerText().contains(u"imp-bash-175b.sh"_s));

    // The notes stay, and a row leads to its field.
    actionOf(*window, u"Ctrl+Shift+I"_s)->trigger();
    auto* kept = window->findChild<ImportNotesDialog*>();
    REQUIRE(kept);
    CHECK(kept->view()->model().rowCount() == lines);
    QTableView* table = kept->view()->table();
    for (int row = 0; row < table->model()->rowCount(); ++row)
        if (const auto index = table->model()->index(row, 0);
            index.data(ImportNotesModel::kPathRole) == u"parallel.pipeline"_s)
            emit table->activated(index);
    CHECK(window->focusWidget() == window->planPanel()->control(u"parallel.pipeline"_s)->mainWidget());
    kept->close();

    window->document().undoStack()->undo();
    CHECK(window->document().plan() == before);
    CHECK(window->document().undoStack()->index() == 0);
}

TEST_CASE("a model's config.json: the rest is taken from the present plan") {
    auto window = shownWindow();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    dialog.openFile(sample(u"imp-falcon7.json"_s));
    dialog.settle();
    CHECK(dialog.kind()->currentData() == u"hf-config"_s);
    CHECK_FALSE(dialog.part()->isVisibleTo(&dialog));
    CHECK_FALSE(dialog.importButton()->isEnabled());
    CHECK(dialog.gaps().contains(u"training.global_batch_size"_s));
    // A wrong entry stays where it is and changes nothing.
    type(dialog, u"training.micro_batch_size"_s, u"some"_s);
    CHECK_FALSE(dialog.importButton()->isEnabled());
    type(dialog, u"training.micro_batch_size"_s, u"4"_s);
    dialog.fillButton()->click();
    dialog.settle();
    INFO(dialog.problem().toStdString());
    REQUIRE(dialog.importButton()->isEnabled());
    dialog.importButton()->click();
    const Plan& plan = window->document().plan();
    CHECK(plan.training.micro_batch_size == 4);
    CHECK(plan.training.global_batch_size == 128); // of the plan that was there
    CHECK(plan.cluster.node == "dgx-h100");
    // tiiuae/falcon-7b: 32 layers, hidden 4544, 71 heads.
    CHECK(std::get<ModelShape>(plan.model).layers == 32);
    CHECK(std::get<ModelShape>(plan.model).hidden == 4544);
    CHECK(std::get<ModelShape>(plan.model).heads == 71);
}

TEST_CASE("of a file with several models one is chosen") {
    auto window = shownWindow();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    dialog.show();
    dialog.openFile(sample(u"imp-qwen-omni.json"_s));
    dialog.settle();
    REQUIRE(dialog.part()->isVisibleTo(&dialog));
    CHECK(dialog.part()->currentIndex() < 0);
    CHECK_FALSE(dialog.importButton()->isEnabled());
    CHECK_FALSE(dialog.problem().contains(u"--part"_s)); // there is no command line here
    const int row = dialog.part()->findData(u"talker_config"_s);
    REQUIRE(row >= 0);
    dialog.part()->setCurrentIndex(row);
    emit dialog.part()->activated(row);
    dialog.settle();
    bool layers = false;
    for (const auto& note : dialog.notes()->model().notes())
        layers = layers || (note.path == "model.layers" && note.value == "24");
    CHECK(layers);
}

TEST_CASE("another kind or version is read anew") {
    auto window = shownWindow();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    dialog.openFile(sample(u"imp-bash-175b.sh"_s));
    dialog.settle();
    const int old = dialog.version()->findText(u"0.12"_s);
    REQUIRE(old >= 0);
    dialog.version()->setCurrentIndex(old);
    emit dialog.version()->activated(old);
    dialog.settle();
    bool target = false;
    for (const auto& note : dialog.notes()->model().notes())
        target = target || (note.path == "target" && note.value == "megatron-lm@0.12");
    CHECK(target);
    // As something that it is not: one line, nothing to import, and the way back is open.
    const int wrong = dialog.kind()->findData(u"hf-config"_s);
    dialog.kind()->setCurrentIndex(wrong);
    emit dialog.kind()->activated(wrong);
    dialog.settle();
    CHECK_FALSE(dialog.problem().isEmpty());
    CHECK_FALSE(dialog.problem().contains(u'\n'));
    CHECK_FALSE(dialog.importButton()->isEnabled());
    const int right = dialog.kind()->findData(u"megatron-script"_s);
    dialog.kind()->setCurrentIndex(right);
    emit dialog.kind()->activated(right);
    dialog.settle();
    CHECK(dialog.notes()->model().rowCount() > 10);
}

TEST_CASE("the buttons above the table show and hide kinds of notes") {
    auto window = shownWindow();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    dialog.openFile(sample(u"imp-bash-175b.sh"_s));
    dialog.settle();
    auto* notes = dialog.notes();
    const int all = notes->shownRows();
    CHECK(all == notes->model().rowCount());
    const int read = notes->model().count(Kind::read);
    REQUIRE(read > 5);
    notes->filter(Kind::read)->click();
    CHECK(notes->shownRows() == all - read);
    notes->filter(Kind::read)->click();
    CHECK(notes->shownRows() == all);
    // Urgent first.
    CHECK(notes->model().notes().front().kind == Kind::missing);
    CHECK(notes->model().notes().back().kind == Kind::read);
    // Colour never speaks alone.
    CHECK(notes->model().index(0, ImportNotesModel::Kind).data(Qt::DisplayRole).toString() == u"✗ missing");
}

TEST_CASE("bad files: one clear line, and the window is as it was") {
    QTemporaryDir folder;
    auto window = shownWindow();
    const Plan before = window->document().plan();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    const QStringList bad{
        folder.filePath(u"missing.json"_s),
        folder.path(),
        writeFile(folder, u"empty.sh"_s, ""),
        writeFile(folder, u"prose.txt"_s, "nothing to see here\n"),
        writeFile(folder, u"half_config.json"_s, "{\"model_type\": \"llama\", \"hidden_size\": "),
        writeFile(folder, u"bytes.yaml"_s, QByteArray("\xff\xfe\x00\x01", 4)),
        sample(u"imp-encdec.json"_s),
    };
    for (const QString& path : bad) {
        INFO(path.toStdString());
        dialog.openFile(path);
        dialog.settle();
        CHECK_FALSE(dialog.problem().isEmpty());
        CHECK_FALSE(dialog.problem().contains(u'\n'));
        CHECK_FALSE(dialog.problem().contains(u"--from"_s));
        CHECK_FALSE(dialog.importButton()->isEnabled());
        CHECK(dialog.notes()->model().rowCount() == 0);
        CHECK(dialog.gaps().isEmpty());
    }
    CHECK(window->document().plan() == before);
    CHECK_FALSE(window->document().modified());
    // And after all of them a good one.
    dialog.openFile(sample(u"imp-falcon7.json"_s));
    dialog.settle();
    CHECK(dialog.notes()->model().rowCount() > 3);
}

TEST_CASE(
    "a file dropped on the window: a plan is opened, a launcher's file is shown, anything else is a line") {
    QTemporaryDir folder;
    auto window = shownWindow();
    const Plan before = window->document().plan();
    drop(*window, sample(u"imp-bash-175b.sh"_s));
    auto* dialog = window->findChild<ImportDialog*>();
    REQUIRE(dialog);
    dialog->settle();
    CHECK(dialog->kind()->currentData() == u"megatron-script"_s);
    CHECK(dialog->file()->text().endsWith(u"imp-bash-175b.sh"_s));
    // The dialog takes drops as well.
    drop(*dialog, sample(u"imp-falcon7.json"_s));
    dialog->settle();
    CHECK(dialog->kind()->currentData() == u"hf-config"_s);
    dialog->reject();
    settle(*window);
    CHECK(window->document().plan() == before);

    drop(*window, writeFile(folder, u"prose.txt"_s, "nothing to see here\n"));
    CHECK_FALSE(window->findChild<ImportDialog*>());
    CHECK(window->bannerText().contains(u"prose.txt"_s));
    CHECK_FALSE(window->bannerText().contains(u'\n'));
    CHECK(window->document().plan() == before);
}

TEST_CASE("text of a launcher's file can be pasted") {
    auto window = shownWindow();
    QApplication::clipboard()->setText(
        u"{\"model_type\": \"llama\", \"hidden_size\": 4096, \"num_hidden_layers\": 32, "
        u"\"num_attention_heads\": 32, "
        "\"num_key_value_heads\": 8, \"intermediate_size\": 14336, \"vocab_size\": 128256}"_s);
    actionOf(*window, u"Ctrl+Shift+V"_s)->trigger();
    auto* dialog = window->findChild<ImportDialog*>();
    REQUIRE(dialog);
    dialog->settle();
    CHECK(dialog->kind()->currentData() == u"hf-config"_s);
    dialog->fillButton()->click();
    dialog->settle();
    REQUIRE(dialog->importButton()->isEnabled());
    dialog->importButton()->click();
    settle(*window);
    CHECK(std::get<ModelShape>(window->document().plan().model).ffn_hidden == 14336);
    QApplication::clipboard()->clear();
}

TEST_CASE("every sentence of an import is translated") {
    Language language;
    language.use(u"zh_CN"_s);
    std::set<std::string> seen;
    const auto check = [&seen](std::string_view text, const QString& name) {
        for (const char* part : {"", "thinker_config.text_config"}) {
            const auto read =
                launchers::import_plan(text, name.toStdString(), {.kind = {}, .sets = {}, .part = part});
            if (!read.ok()) continue;
            for (const auto& note : read->notes) {
                if (note.text_template.empty() || !seen.insert(note.text_template).second) continue;
                INFO(name.toStdString() << ": " << note.text_template);
                // The name of a key alone is the same in every language.
                CHECK((hasChinese(noteText(note)) || note.text_template.find(' ') == std::string::npos));
                CHECK_FALSE(noteText(note).contains(u'{'));
            }
        }
    };
    const QDir samples(sample(QString()));
    for (const QString& name : samples.entryList(QDir::Files)) {
        QFile file(samples.filePath(name));
        REQUIRE(file.open(QIODevice::ReadOnly));
        check(file.readAll().toStdString(), name);
    }
    for (const auto& preset : testCatalog()->list(PresetKind::plan)) {
        const auto plan = testCatalog()->plan(preset.id);
        REQUIRE(plan.ok());
        const auto report = evaluate(*plan, *testCatalog());
        REQUIRE(report.ok());
        for (const auto& launcher : launchers::table())
            for (const char* version : launcher.versions)
                for (const auto& file : launcher.make(*(*report)->setup, **report, version).files)
                    check(file.text, QString::fromStdString(file.name));
    }
    CHECK(seen.size() > 60);
    language.use(u"en"_s);
}

TEST_CASE("the kinds of files are named in the user's language, also when it changes") {
    auto window = shownWindow();
    ImportDialog dialog(window->document(), window->theme(), window.get());
    dialog.openFile(sample(u"imp-falcon7.json"_s));
    dialog.settle();
    CHECK(dialog.kind()->currentText() == u"Hugging Face config.json"_s);
    Language language;
    language.use(u"zh_CN"_s);
    QApplication::processEvents();
    for (int row = 0; row < dialog.kind()->count(); ++row) {
        INFO(dialog.kind()->itemText(row).toStdString());
        CHECK(hasChinese(dialog.kind()->itemText(row)));
        CHECK_FALSE(dialog.kind()->itemData(row).toString().isEmpty());
    }
    CHECK(dialog.kind()->currentData() == u"hf-config"_s);
    language.use(u"en"_s);
    QApplication::processEvents();
    CHECK(dialog.kind()->currentText() == u"Hugging Face config.json"_s);
}

TEST_CASE("why a file cannot be read is said in the user's language") {
    Language language;
    language.use(u"zh_CN"_s);
    int seen = 0;
    const auto check = [&seen](const Error& error, const std::string& of) {
        ++seen;
        const QString shown = translated(error);
        INFO(of << ": " << error.what << " -> " << shown.toStdString());
        CHECK(hasChinese(shown));
        // No half of it stays; what a library says stands in quotes.
        const QString ours = shown.section(u'“', 0, 0);
        for (const QString& word :
             {u" is "_s, u" are "_s, u" where "_s, u" behind "_s, u"right"_s, u"{0}"_s, u"{1}"_s})
            CHECK_FALSE(ours.contains(word));
    };
    const QDir malformed(QString::fromUtf8(SHARDLENS_SOURCE_DIR) + u"/tests/data/malformed"_s);
    for (const QString& name : malformed.entryList(QDir::Files)) {
        QFile file(malformed.filePath(name));
        REQUIRE(file.open(QIODevice::ReadOnly));
        const auto read = parse_plan(file.readAll().toStdString(), "plan.json");
        if (!read.ok()) check(read.error(), name.toStdString());
    }
    CHECK(seen > 120);
    for (const launchers::Importer& importer : launchers::importers())
        for (const char* text :
             {"", "[1, 2", "a: [1, 2\nb: }", "x = = 3", "model: {a: b", "&a [*a]", "? [1]: 2", "{}",
              "\"text\"", "{\"a\": 01}", "nothing to see here\n", "key: \"\\q\"\n", "a:\n\t- b"})
            if (const auto read =
                    launchers::import_plan(text, "file", {.kind = importer.id, .sets = {}, .part = {}});
                !read.ok())
                check(read.error(), importer.id);
    for (const char* sentence :
         {"cannot be opened (Permission denied); a readable file is right",
          "has more than 67108864 bytes (64 MiB); fewer are right", "is a directory; a file is right"}) {
        INFO(sentence);
        CHECK(hasChinese(translated(Error{"", sentence})));
    }
    CHECK(seen > 160);
    // A library's own words stay as they are.
    const auto toml =
        launchers::import_plan("x = = 3", "config.toml", {.kind = "torchtitan-toml", .sets = {}, .part = {}});
    REQUIRE_FALSE(toml.ok());
    CHECK(translatedLine(toml.error()).startsWith(u"config.toml:1: 不是 TOML：“"_s));
    language.use(u"en"_s);
    CHECK(translatedLine(toml.error()) == toQString(toml.error().line()));
}
