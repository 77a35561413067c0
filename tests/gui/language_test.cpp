// SPDX-License-Identifier: GPL-3.0-or-later
// Chinese: nothing left untranslated, switched while the window runs, and back again.
#include "catch.h"

#include <QAbstractButton>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QMenuBar>
#include <QRegularExpression>
#include <QXmlStreamReader>
#include <set>

#include "controls/core_text.h"
#include "gui_support.h"
#include "language.h"
#include "launchers/launcher.h"
#include "main_window.h"
#include "options.h"
#include "panels/plan_panel.h"
#include "report/evaluate.h"
#include "rules/rules.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

bool hasChinese(const QString& text) {
    for (const QChar c : text)
        if (c.script() == QChar::Script_Han) return true;
    return false;
}

} // namespace

TEST_CASE("the catalogues have no unfinished entry, and places match") {
    for (const QString& name : {u"shardlens_zh_CN"_s, u"shardlens_en"_s, u"core_zh_CN"_s}) {
        QFile file(QString::fromUtf8(SHARDLENS_SOURCE_DIR) + u"/resources/translations/%1.ts"_s.arg(name));
        REQUIRE(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        QString source;
        int entries = 0;
        static const QRegularExpression kPlace(u"%n|%[0-9]|\\{[0-9]\\}"_s);
        const auto places = [](const QString& text) {
            QStringList found;
            for (auto it = kPlace.globalMatch(text); it.hasNext();) found << it.next().captured();
            found.sort();
            found.removeDuplicates();
            return found;
        };
        const auto check = [&](const QString& translation) {
            INFO(name.toStdString() << ": " << source.toStdString());
            CHECK_FALSE(translation.isEmpty());
            CHECK(places(translation) == places(source));
            ++entries;
        };
        while (!xml.atEnd()) {
            xml.readNext();
            if (!xml.isStartElement()) continue;
            if (xml.name() == u"source")
                source = xml.readElementText();
            else if (xml.name() == u"translation") {
                INFO(source.toStdString());
                CHECK(xml.attributes().value(u"type"_s).isEmpty());
                // A plural entry holds its forms as children.
                const QString text = xml.readElementText(QXmlStreamReader::IncludeChildElements).trimmed();
                check(text);
            }
        }
        CHECK_FALSE(xml.hasError());
        CHECK(entries > 5);
    }
}

TEST_CASE("every field of the table and every sentence of the rules is translated") {
    Language language;
    language.use(u"zh_CN"_s);
    for (const Field& field : fields()) {
        INFO(field.path);
        // Names such as PUE are the same in both languages.
        CHECK((hasChinese(translated(field.label)) || QLatin1StringView(field.label) == "PUE"_L1));
        CHECK(hasChinese(translatedTooltip(field)));
    }
    // Plans that break rules, each with whatever messages it gets.
    int seen = 0;
    for (const auto& [path, value] :
         std::vector<std::pair<std::string, FieldValue>>{{"parallel.tensor", std::int64_t{7}},
                                                         {"parallel.tensor", std::int64_t{16}},
                                                         {"parallel.pipeline", std::int64_t{7}},
                                                         {"parallel.pipeline", std::int64_t{96}},
                                                         {"parallel.data", std::int64_t{3}},
                                                         {"parallel.expert", std::int64_t{2}},
                                                         {"parallel.virtual_pipeline", std::int64_t{3}},
                                                         {"training.global_batch_size", std::int64_t{7}},
                                                         {"parallel.shard_group", std::int64_t{3}},
                                                         {"cluster.gpus", std::int64_t{63}},
                                                         {"memory.recompute_layers", std::int64_t{99}},
                                                         {"training.tokens", 1e3},
                                                         {"parallel.zero", std::int64_t{3}},
                                                         {"training.micro_batch_size", std::int64_t{64}}}) {
        Plan plan = presetPlan("llama3-70b-64xh100");
        REQUIRE(set_field(plan, path, value).what.empty());
        const auto setup = resolve(plan, *testCatalog());
        REQUIRE(setup.ok());
        for (const Message& message : rules::check(*setup)) {
            ++seen;
            INFO(message.code << ": " << message.text_template);
            CHECK(hasChinese(translated(message)));
            CHECK_FALSE(translated(message).contains(u'{'));
        }
    }
    CHECK(seen > 10);
    language.use(u"en"_s);
}

TEST_CASE("what a checkpoint takes and which release was taken is translated") {
    Language language;
    language.use(u"zh_CN"_s);
    Plan plan = presetPlan("llama3-70b-64xh100");
    plan.stack = "fsdp";
    plan.model = std::string("llama3-8b");
    plan.parallel = {};
    plan.parallel.zero = 3;
    plan.memory.recompute = Recompute::full;
    plan.training.sequence_length = 1024;
    plan.training.global_batch_size = 2;
    plan.cluster.gpus = 2;
    std::set<std::string> seen;
    // Room for whole weights on every rank, for one copy of them, and for none.
    for (const double host : {80e9, 50e9, 20e9}) {
        plan.cluster.host_memory_bytes = host;
        const auto report = evaluate(plan, *testCatalog());
        REQUIRE(report.ok());
        for (const Message& message : (*report)->messages) {
            if (message.code.rfind("checkpoint", 0) != 0) continue;
            seen.insert(message.code);
            INFO(message.code);
            CHECK(hasChinese(translated(message)));
        }
    }
    CHECK(seen.size() == 4);
    plan.stack = "nanotron";
    plan.parallel.zero = 1;
    for (const char* release : {"", "0.1"}) {
        plan.stack_version = release;
        const auto report = evaluate(plan, *testCatalog());
        REQUIRE(report.ok());
        const auto note = release_note(**report);
        REQUIRE(note);
        CHECK(hasChinese(translated(*note)));
    }
    language.use(u"en"_s);
}

TEST_CASE("what launchers do instead and why they refuse is translated") {
    Language language;
    language.use(u"zh_CN"_s);
    int seen = 0;
    for (const auto& preset : testCatalog()->list(PresetKind::plan)) {
        const auto plan = testCatalog()->plan(preset.id);
        REQUIRE(plan.ok());
        const auto setup = resolve(*plan, *testCatalog());
        REQUIRE(setup.ok());
        const auto report = evaluate(*plan, *testCatalog());
        REQUIRE(report.ok());
        for (const auto& launcher : launchers::table())
            for (const char* version : launcher.versions) {
                const auto made = launcher.make(*setup, **report, version);
                for (const auto& entry : made.not_expressed) {
                    ++seen;
                    INFO(preset.id << ", " << launcher.id << ": " << entry.instead);
                    CHECK(hasChinese(translatedInstead(entry.instead)));
                }
                for (const Message& refusal : made.refusals) {
                    ++seen;
                    INFO(preset.id << ", " << launcher.id << ": " << refusal.text_template);
                    CHECK(hasChinese(translated(refusal)));
                }
            }
    }
    CHECK(seen > 20);
    CHECK(translatedChoice(u"selective"_s) == u"选择性");
    CHECK(translatedChoice(u"1f1b"_s) == u"1f1b");
    language.use(u"en"_s);
    CHECK(translatedInstead("DeepSpeed runs 1f1b instead of gpipe") ==
          u"DeepSpeed runs 1f1b instead of gpipe");
}

TEST_CASE("one is singular in English") {
    Language language;
    language.use(u"en"_s);
    const auto text = [](const char* context, const char* source, int n) {
        return QCoreApplication::translate(context, source, nullptr, n);
    };
    CHECK(text("shardlens::TopologyView", "%Ln GPU(s)", 1) == u"1 GPU");
    CHECK(text("shardlens::TopologyView", "%Ln node(s)", 8) == u"8 nodes");
    CHECK(text("shardlens::GanttView", "%n micro-batch(es)", 1) == u"1 micro-batch");
    CHECK(text("shardlens::Document", "%1 on %n GPU(s)", 2) == u"%1 on 2 GPUs");
}

TEST_CASE("the language switches while the window runs, and back") {
    auto window = shownWindow();
    const auto texts = [&window] {
        QStringList all{window->windowTitle()};
        for (const auto* label : window->findChildren<QLabel*>()) all << label->text();
        for (const auto* button : window->findChildren<QAbstractButton*>()) all << button->text();
        for (const QAction* action : window->allActions()) all << action->text();
        return all;
    };
    for (const QString& view : viewNames()) {
        window->showView(view);
        settle(*window);
    }
    (void)window->planPanel()->control(u"cluster.pue"_s); // opens a "more" part
    settle(*window);
    const QStringList english = texts();
    for (const QString& text : english)
        if (text != u"简体中文"_s) CHECK_FALSE(hasChinese(text));
    window->setLanguage(u"zh_CN"_s);
    settle(*window);
    const QStringList chinese = texts();
    REQUIRE(chinese.size() == english.size());
    // What may stay: names, numbers, signs. Everything that is a sentence or a label of ours must have
    // changed.
    for (const QAction* action : window->allActions()) {
        INFO(action->text().toStdString());
        CHECK((hasChinese(action->text()) || action->text() == u"English"));
    }
    for (const auto* label : window->planPanel()->findChildren<QLabel*>()) {
        INFO(label->text().toStdString());
        CHECK((hasChinese(label->text()) || label->text() == u"PUE"));
    }
    window->setLanguage(u"en"_s);
    settle(*window);
    CHECK(texts() == english);
}
