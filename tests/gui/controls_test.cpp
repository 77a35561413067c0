// SPDX-License-Identifier: GPL-3.0-or-later
// Controls of plan fields: what can be typed, what is marked, what a slider steps through.
#include "catch.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>
#include <QToolButton>

#include "controls/field_control.h"
#include "controls/quantity.h"
#include "gui_support.h"
#include "panels/plan_panel.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

struct Edited {
    QString path;
    FieldValue value;
    int gesture;
};

struct Rig {
    explicit Rig(const char* path) : control(*find_field(path)) {
        QObject::connect(&control, &FieldControl::edited, &control,
                         [this](const QString& p, const FieldValue& v, int g) {
                             edits.push_back({p, v, g});
                         });
        control.resize(330, 26);
        control.show();
    }
    void type(const QString& text) {
        control.entry()->setFocus();
        control.entry()->selectAll();
        QTest::keyClicks(control.entry(), text);
        QTest::keyClick(control.entry(), Qt::Key_Return);
    }
    FieldControl control;
    std::vector<Edited> edits;
};

} // namespace

TEST_CASE("numbers are read as people write them") {
    const auto count = [](const QString& text) {
        return parseQuantity(text, QuantityKind::Count).value_or(-1);
    };
    const auto real = [](const QString& text) {
        return parseQuantity(text, QuantityKind::Real).value_or(-1);
    };
    const auto bytes = [](const QString& text) {
        return parseQuantity(text, QuantityKind::Bytes).value_or(-1);
    };
    CHECK(count(u"8192"_s) == 8192);
    CHECK(count(u"8k"_s) == 8192);
    CHECK(count(u"2^13"_s) == 8192);
    CHECK(count(u"1e6"_s) == 1e6);
    CHECK(count(u"8,192"_s) == 8192);
    CHECK(count(u" 64 * 1k "_s) == 65536);
    CHECK(count(u"1M"_s) == 1048576);
    CHECK(real(u"300B"_s) == 300e9);
    CHECK(real(u"1.5T"_s) == 1.5e12);
    CHECK(real(u"15k"_s) == 15000);
    CHECK(real(u"0.9"_s) == 0.9);
    CHECK(bytes(u"80GB"_s) == 80e9);
    CHECK(bytes(u"79.5 GiB"_s) == 79.5 * 1073741824);
    CHECK(bytes(u"512 B"_s) == 512);
    for (const QString& text :
         {u""_s, u"abc"_s, u"8q"_s, u"--"_s, u"1/0"_s, u"nan"_s, u"inf"_s, u"2^^3"_s, u"(1"_s})
        CHECK_FALSE(parseQuantity(text, QuantityKind::Count));
    CHECK(editText(8192) == u"8192");
    CHECK(editText(1e13) == u"1e13");
    CHECK(editText(0.9) == u"0.9");
    CHECK(parameterText(70.6e9) == u"70.6B");
    CHECK(parameterText(999.7e9) == u"1T");
}

TEST_CASE("a typed number becomes an edit; one gesture per entry") {
    Rig rig("training.sequence_length");
    rig.control.setValue(std::int64_t{4096}, {});
    CHECK(rig.control.entry()->text() == u"4096");
    rig.type(u"8k"_s);
    REQUIRE(rig.edits.size() == 1);
    CHECK(rig.edits[0].path == u"training.sequence_length");
    CHECK(rig.edits[0].value == FieldValue(std::int64_t{8192}));
    rig.control.setValue(std::int64_t{8192}, {});
    CHECK(rig.control.entry()->text() == u"8192");
    rig.type(u"2^14"_s);
    REQUIRE(rig.edits.size() == 2);
    CHECK(rig.edits[1].value == FieldValue(std::int64_t{16384}));
    CHECK(rig.edits[1].gesture != rig.edits[0].gesture);
}

TEST_CASE("what cannot be stays in the field and is marked; Escape brings the value back") {
    Rig rig("parallel.tensor");
    rig.control.setValue(std::int64_t{8}, {});
    for (const QString& text : {u"eight"_s, u"0"_s, u"-4"_s, u"2.5"_s}) {
        rig.type(text);
        CHECK(rig.edits.empty());
        CHECK(rig.control.entry()->text() == text);
        CHECK_FALSE(rig.control.markText().isEmpty());
        CHECK(rig.control.entry()->toolTip() == rig.control.markText());
    }
    QTest::keyClicks(rig.control.entry(), u"x"_s);
    QTest::keyClick(rig.control.entry(), Qt::Key_Escape);
    CHECK(rig.control.entry()->text() == u"8");
    CHECK(rig.control.markText().isEmpty());

    // A value that breaks a rule between fields is the plan's business: it is an edit, and marked by its
    // message.
    rig.type(u"7"_s);
    REQUIRE(rig.edits.size() == 1);
    rig.control.setValue(std::int64_t{7}, {});
    const auto sign = [&rig] { return rig.control.grab(QRect(0, 0, 14, rig.control.height())).toImage(); };
    const QImage unmarked = sign();
    rig.control.setMark(Severity::error, u"64 heads cannot be split over 7 tensor ranks"_s);
    CHECK(rig.control.entry()->text() == u"7");
    CHECK(rig.control.entry()->toolTip().contains(u"64 heads"));
    CHECK(sign() != unmarked); // a sign at the label, not the tint alone
    CHECK(rig.control.entry()->palette().color(QPalette::Base) !=
          QApplication::palette().color(QPalette::Base));
    rig.control.setMark(Severity::info, {});
    CHECK(sign() == unmarked);
}

TEST_CASE("a slider steps through the legal values, by drag and by key") {
    Rig rig("parallel.tensor");
    rig.control.setValue(std::int64_t{2}, {});
    rig.control.setLegalValues({1, 2, 4, 8});
    QSlider* slider = rig.control.slider();
    CHECK(slider->isVisibleTo(&rig.control));
    CHECK(slider->value() == 1);
    slider->setSliderDown(true);
    slider->setSliderPosition(2);
    slider->setSliderPosition(3);
    slider->setSliderDown(false);
    REQUIRE(rig.edits.size() == 2);
    CHECK(rig.edits[1].value == FieldValue(std::int64_t{8}));
    CHECK(rig.edits[0].gesture == rig.edits[1].gesture);
    slider->setFocus();
    QTest::keyClick(slider, Qt::Key_Left);
    REQUIRE(rig.edits.size() == 3);
    CHECK(rig.edits[2].value == FieldValue(std::int64_t{4}));
    CHECK(rig.edits[2].gesture != rig.edits[1].gesture);
    // An illegal value rests the handle at its nearest legal neighbour and tells nobody.
    rig.control.setValue(std::int64_t{7}, {});
    CHECK(slider->value() == 3);
    CHECK(rig.edits.size() == 3);
}

TEST_CASE("a slider without legal values stays, disabled") {
    Rig rig("parallel.pipeline");
    rig.control.setValue(std::int64_t{2}, {});
    rig.control.setLegalValues({1, 2, 4});
    QSlider* slider = rig.control.slider();
    CHECK(slider->isEnabled());
    rig.control.setLegalValues({});
    CHECK_FALSE(slider->isHidden());
    CHECK_FALSE(slider->isEnabled());
    CHECK(rig.edits.empty());
    rig.control.setLegalValues({2, 4});
    CHECK(slider->isEnabled());
    CHECK(slider->value() == 0);
}

TEST_CASE("choices, booleans, lists and left-out fields") {
    Rig recompute("memory.recompute");
    recompute.control.setValue(std::string("none"), {});
    REQUIRE(recompute.control.combo());
    QTest::keyClick(recompute.control.combo(), Qt::Key_Down);
    REQUIRE(recompute.edits.size() == 1);
    CHECK(recompute.edits[0].value == FieldValue(std::string("selective")));

    Rig sequence("parallel.sequence");
    sequence.control.setValue(false, {});
    QTest::keyClick(sequence.control.check(), Qt::Key_Space);
    REQUIRE(sequence.edits.size() == 1);
    CHECK(sequence.edits[0].value == FieldValue(true));

    Rig layers("parallel.layers_per_stage");
    layers.control.setValue(std::vector<std::int64_t>{}, {});
    layers.type(u"20,20, 20 20"_s);
    REQUIRE(layers.edits.size() == 1);
    CHECK(layers.edits[0].value == FieldValue(std::vector<std::int64_t>{20, 20, 20, 20}));
    layers.type(u"20,x"_s);
    CHECK(layers.edits.size() == 1);
    CHECK_FALSE(layers.control.markText().isEmpty());

    // Left out: the acting value is shown, and emptying the field leaves it out again.
    Rig data("parallel.data");
    data.control.setValue(std::monostate{}, std::int64_t{2});
    CHECK(data.control.entry()->text() == u"2");
    CHECK(data.control.entry()->font().italic());
    data.type(u"4"_s);
    REQUIRE(data.edits.size() == 1);
    data.control.setValue(std::int64_t{4}, std::int64_t{4});
    CHECK_FALSE(data.control.entry()->font().italic());
    data.control.entry()->selectAll();
    QTest::keyClick(data.control.entry(), Qt::Key_Delete);
    QTest::keyClick(data.control.entry(), Qt::Key_Return);
    REQUIRE(data.edits.size() == 2);
    CHECK(data.edits[1].value == FieldValue(std::monostate{}));
}

TEST_CASE("every plan field has a control that a keyboard reaches, with a name") {
    PlanPanel panel([](const QString&) { return std::vector<std::int64_t>{1, 2, 4}; });
    const Plan plan = presetPlan("llama3-70b-64xh100");
    panel.setPlan(plan, plan);
    int controls = 0;
    for (const Field& field : fields()) {
        const std::string_view path = field.path;
        // These stand in the toolbar.
        if (path == "model" || path == "stack" || path == "target" || path == "fidelity" ||
            path == "cluster.node" || path == "schema")
            continue;
        INFO(field.path);
        FieldControl* control = panel.control(QString::fromLatin1(field.path));
        REQUIRE(control);
        ++controls;
        for (QWidget* child : control->findChildren<QWidget*>()) {
            if (child->focusPolicy() == Qt::NoFocus || !child->isVisibleTo(control)) continue;
            INFO(child->metaObject()->className());
            CHECK_FALSE(child->accessibleName().isEmpty());
            CHECK((child->focusPolicy() & Qt::TabFocus) != 0);
        }
        // A lock is remembered.
        control->setLocked(true);
        CHECK(panel.lockedPaths().contains(control->path()));
    }
    CHECK(controls > 50);
}

TEST_CASE("a wheel over a field that has no focus scrolls the panel and changes nothing") {
    Rig rig("memory.recompute");
    rig.control.setValue(std::string("none"), {});
    rig.control.combo()->clearFocus();
    QWheelEvent wheel({5, 5}, {5, 5}, {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
    QApplication::sendEvent(rig.control.combo(), &wheel);
    CHECK(rig.edits.empty());
    CHECK(rig.control.combo()->currentText() == u"none");
}
