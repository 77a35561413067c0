// SPDX-License-Identifier: GPL-3.0-or-later
// The measurement of the window, shortened: every slider of the contract is dragged, and no step goes
// unpainted.
#include "catch.h"

#include <QJsonObject>
#include <map>
#include <vector>

#include "bench_ui.h"
#include "gui_support.h"
#include "main_window.h"
#include "page.h"

using namespace shardlens;
using namespace Qt::StringLiterals;

namespace {

/// Paints so far of every view of a page.
std::vector<int> paints(MainWindow& window, const QString& page) {
    std::vector<int> counts;
    for (const auto* view : window.page(page)->views()) counts.push_back(view->paintCount());
    return counts;
}

} // namespace

TEST_CASE("every slider of the contract is measured, and each of its steps paints") {
    auto window = shownWindow();
    std::map<QString, int> steps;
    QString name;
    std::vector<int> before;
    UiMeasure how;
    how.steps = 4;
    how.passes = 1;
    how.onStep = [&](const QString& slider, int step) {
        ++steps[slider];
        const auto now = paints(*window, slider.startsWith(u"topology."_s)   ? u"topology"_s
                                         : slider.startsWith(u"pipeline."_s) ? u"pipeline"_s
                                                                             : u"overview"_s);
        INFO(slider.toStdString() << ", step " << step);
        REQUIRE_FALSE(now.empty());
        // The first step of a slider follows whatever brought the window back from the last one.
        if (slider == name)
            for (std::size_t view = 0; view < now.size(); ++view) {
                INFO("view " << view);
                CHECK(now[view] > before[view]);
            }
        name = slider;
        before = now;
    };
    const QJsonObject result = measureUi(*window, how);
    const QJsonObject sliders = result[u"sliders"_s].toObject();
    // The names that the contract of --bench-ui lists.
    for (const QString& slider :
         {u"model.size"_s, u"training.sequence_length"_s, u"training.micro_batch_size"_s,
          u"training.global_batch_size"_s, u"parallel.zero"_s, u"parallel.tensor"_s, u"parallel.pipeline"_s,
          u"parallel.virtual_pipeline"_s, u"parallel.data"_s, u"parallel.context"_s, u"parallel.expert"_s,
          u"cluster.gpus"_s}) {
        INFO(slider.toStdString());
        REQUIRE(sliders.contains(slider));
        const QJsonObject figures = sliders[slider].toObject();
        CHECK(figures[u"frames"_s].toInt() == how.steps);
        CHECK(figures[u"evaluations"_s].toInt() >= how.steps);
        CHECK(figures[u"p50_ms"_s].toDouble() > 0);
        CHECK(figures[u"p95_ms"_s].toDouble() >= figures[u"p50_ms"_s].toDouble());
        CHECK(steps[slider] == how.steps);
    }
    CHECK(steps[u"topology.first_paint"_s] == 1);
    CHECK(steps[u"topology.pan"_s] >= 3 * how.steps); // at three levels of detail
    for (const QString& view : {u"topology.first_paint"_s, u"topology.zoom"_s, u"topology.pan"_s,
                                u"pipeline.zoom"_s, u"pipeline.pan"_s}) {
        if (!view.startsWith(u"topology."_s)) CHECK(steps[view] == how.steps);
        CHECK(result[u"views"_s][view][u"p95_ms"_s].toDouble() > 0);
    }
    // The pipeline was as large as the measurement says.
    CHECK(window->document().report()->timeline->schedule.ops.size() >= 200'000);
    CHECK(result[u"startup_ms"_s].toDouble() > 0);
    CHECK(result[u"peak_rss_bytes"_s].toDouble() > 1e6);
}
