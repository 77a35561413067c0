// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench_ui.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QJsonDocument>
#include <QMouseEvent>
#include <QSlider>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>
#include <vector>

#include "controls/field_control.h"
#include "controls/size_control.h"
#include "main_window.h"
#include "options.h"
#include "page.h"
#include "panels/plan_panel.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr double kBudgetMilliseconds = 36'000; ///< afterwards one pass per slider, to end within 45 s
constexpr std::int64_t kTopologyGpus = 100'000;
// 64 ranks, 4 chunks, 448 micro-batches, forward and backward: 229,376 blocks.
constexpr std::int64_t kPipeline = 64, kChunks = 4, kMicroBatches = 448;

/// Sees every paint in the program.
class PaintWatch : public QObject {
public:
    PaintWatch() { qApp->installEventFilter(this); }
    ~PaintWatch() override { qApp->removeEventFilter(this); }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (event->type() == QEvent::Paint) ++m_paints;
        return QObject::eventFilter(watched, event);
    }
    [[nodiscard]] qint64 paints() const { return m_paints; }

private:
    qint64 m_paints = 0;
};

/// Turns the event loop until a turn paints nothing more; milliseconds until the last paint was done.
double frame(MainWindow& window, const PaintWatch& watch, const QElapsedTimer& clock, qint64 startNs) {
    double last = 0;
    for (int quiet = 0; quiet < 2;) {
        const qint64 before = watch.paints();
        QApplication::sendPostedEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // as exec() would
        QApplication::processEvents();
        if (watch.paints() > before) {
            last = static_cast<double>(clock.nsecsElapsed() - startNs) / 1e6;
            quiet = 0;
        } else if (window.document().settled()) {
            ++quiet;
        }
    }
    return last;
}

struct Pass {
    std::vector<double> frames;
    qint64 evaluations = 0;

    [[nodiscard]] double quantile(double q) const {
        if (frames.empty()) return 0;
        std::vector<double> sorted = frames;
        std::sort(sorted.begin(), sorted.end());
        return sorted[std::min(sorted.size() - 1,
                               static_cast<std::size_t>(q * static_cast<double>(sorted.size())))];
    }
};

Pass drag(MainWindow& window, const QString& name, QSlider* slider, const UiMeasure& how,
          const PaintWatch& watch, const QElapsedTimer& clock) {
    Pass pass;
    const int last = slider->maximum();
    if (last < 1) return pass;
    const Plan before = window.document().plan();
    const qint64 evaluations = window.document().evaluationCount();
    const int from = slider->value();
    slider->setSliderDown(true);
    // Back and forth over the legal values, one step at a time.
    for (int step = 1; step <= how.steps; ++step) {
        const int at = (from + step) % (2 * last);
        const qint64 start = clock.nsecsElapsed();
        slider->setValue(at <= last ? at : 2 * last - at);
        pass.frames.push_back(frame(window, watch, clock, start));
        if (how.onStep) how.onStep(name, step);
    }
    pass.evaluations = window.document().evaluationCount() - evaluations;
    slider->setSliderDown(false);
    (void)window.document().change(before, u"back"_s);
    window.settle();
    frame(window, watch, clock, 0);
    return pass;
}

QJsonObject toJson(const Pass& pass, bool withCounts) {
    QJsonObject object{{u"p50_ms"_s, pass.quantile(0.5)}, {u"p95_ms"_s, pass.quantile(0.95)}};
    if (withCounts) {
        object[u"frames"_s] = static_cast<int>(pass.frames.size());
        object[u"evaluations"_s] = pass.evaluations;
    }
    return object;
}

/// Gives a slider that has one legal value in this plan (experts of a dense model) a plan in which it moves.
void giveItRoom(MainWindow& window, const QString& path) {
    Document& document = window.document();
    if (path == "parallel.expert"_L1) {
        for (const auto& entry : document.catalog().list(PresetKind::model)) {
            const auto preset = document.catalog().model(entry.id);
            if (!preset.ok() || !(*preset)->shape.moe) continue;
            Plan plan = document.plan();
            plan.model = entry.id;
            if (document.change(std::move(plan), u"experts"_s).what.empty()) break;
        }
    }
    window.settle();
}

void turnWheel(QWidget& view, int notches, Qt::KeyboardModifiers modifiers) {
    const QPointF middle = QRectF(view.rect()).center();
    QWheelEvent wheel(middle, view.mapToGlobal(middle), {}, {0, 120 * notches}, Qt::NoButton, modifiers,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&view, &wheel);
}

/// Drags a view there and back.
Pass pan(MainWindow& window, QWidget& view, const QString& name, const UiMeasure& how,
         const PaintWatch& watch, const QElapsedTimer& clock) {
    const QPointF middle = QRectF(view.rect()).center();
    const auto send = [&view](QEvent::Type type, const QPointF& at, Qt::MouseButtons buttons) {
        QMouseEvent event(type, at, view.mapToGlobal(at), Qt::LeftButton, buttons, Qt::NoModifier);
        QApplication::sendEvent(&view, &event);
    };
    frame(window, watch, clock, 0);
    Pass pass;
    send(QEvent::MouseButtonPress, middle, Qt::LeftButton);
    for (int step = 1; step <= how.steps; ++step) {
        const int way = step <= how.steps / 2 ? step : how.steps - step;
        const qint64 start = clock.nsecsElapsed();
        send(QEvent::MouseMove, middle - QPointF(way * 7, way * 4), Qt::LeftButton);
        pass.frames.push_back(frame(window, watch, clock, start));
        if (how.onStep) how.onStep(name, step);
    }
    send(QEvent::MouseButtonRelease, middle, Qt::NoButton);
    return pass;
}

/// The map of 100,000 GPUs from the report to its first picture.
Pass paintTopology(MainWindow& window, const UiMeasure& how, const PaintWatch& watch,
                   const QElapsedTimer& clock) {
    window.showView(u"compare"_s); // away from every map
    (void)window.document().edit(u"cluster.gpus"_s, kTopologyGpus, 0);
    window.settle();
    frame(window, watch, clock, 0);
    Pass pass;
    const qint64 start = clock.nsecsElapsed();
    window.showView(u"topology"_s);
    pass.frames.push_back(frame(window, watch, clock, start));
    if (how.onStep) how.onStep(u"topology.first_paint"_s, 1);
    return pass;
}

/// Turns the wheel `notches` in, as many out, and so on.
Pass zoom(MainWindow& window, QWidget& view, const QString& name, int notches, const UiMeasure& how,
          const PaintWatch& watch, const QElapsedTimer& clock) {
    Pass pass;
    for (int step = 1; step <= how.steps; ++step) {
        const qint64 start = clock.nsecsElapsed();
        turnWheel(view, (step - 1) / notches % 2 == 0 ? 1 : -1, Qt::NoModifier);
        pass.frames.push_back(frame(window, watch, clock, start));
        if (how.onStep) how.onStep(name, step);
    }
    return pass;
}

Pass zoomTopology(MainWindow& window, const UiMeasure& how, const PaintWatch& watch,
                  const QElapsedTimer& clock) {
    window.settle();
    frame(window, watch, clock, 0);
    constexpr int kNotches = 13; // from the whole cluster to rectangles with numbers
    return zoom(window, *window.page(u"topology"_s)->views().front(), u"topology.zoom"_s, kNotches, how,
                watch, clock);
}

/// At every level of detail that the wheel passes.
Pass panTopology(MainWindow& window, const UiMeasure& how, const PaintWatch& watch,
                 const QElapsedTimer& clock) {
    QWidget* view = window.page(u"topology"_s)->views().front();
    Pass all;
    for (const int notches : {3, 4, 5}) { // one pixel per GPU, rectangles, rectangles with numbers
        for (int notch = 0; notch < notches; ++notch) turnWheel(*view, 1, Qt::NoModifier);
        const Pass pass = pan(window, *view, u"topology.pan"_s, how, watch, clock);
        all.frames.insert(all.frames.end(), pass.frames.begin(), pass.frames.end());
    }
    return all;
}

/// Zooms a timeline of more than 200,000 blocks in and out again.
Pass zoomPipeline(MainWindow& window, const UiMeasure& how, const PaintWatch& watch,
                  const QElapsedTimer& clock) {
    Plan plan = window.document().plan();
    if (window.document().report()) { // a shape with a layer for every chunk
        ModelShape shape = window.document().report()->setup->shape;
        shape.layers = kPipeline * kChunks;
        plan.model = shape;
    }
    plan.cluster.gpus = plan.parallel.tensor * kPipeline;
    plan.parallel.context = plan.parallel.expert = 1;
    plan.parallel.data = 1;
    plan.parallel.pipeline = kPipeline;
    plan.parallel.virtual_pipeline = kChunks;
    plan.parallel.schedule = ScheduleKind::interleaved;
    plan.parallel.layers_per_stage.clear();
    plan.training.micro_batch_size = 1;
    plan.training.global_batch_size = kMicroBatches;
    (void)window.document().change(std::move(plan), u"pipeline"_s);
    window.showView(u"pipeline"_s);
    window.settle();
    frame(window, watch, clock, 0);
    return zoom(window, *window.page(u"pipeline"_s)->views().front(), u"pipeline.zoom"_s,
                std::max(1, how.steps / 2), how, watch, clock);
}

Pass panPipeline(MainWindow& window, const UiMeasure& how, const PaintWatch& watch,
                 const QElapsedTimer& clock) {
    QWidget* view = window.page(u"pipeline"_s)->views().front();
    turnWheel(*view, 4, Qt::NoModifier);
    return pan(window, *view, u"pipeline.pan"_s, how, watch, clock);
}

} // namespace

double millisecondsSinceProcessStart() {
    std::ifstream file("/proc/self/stat");
    std::string line;
    std::getline(file, line);
    // Field 22, counted behind the name, which may hold spaces.
    std::istringstream rest(line.substr(std::min(line.size(), line.rfind(')') + 2)));
    std::string word;
    for (int field = 3; field <= 22; ++field) rest >> word;
    const double startedS = std::strtod(word.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return (static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9 - startedS) * 1e3;
}

QJsonObject measureUi(MainWindow& window, const UiMeasure& how) {
    QElapsedTimer clock;
    clock.start();
    const PaintWatch watch;
    const QSize size = window.size();
    window.show();
    window.resize(size);
    window.update(); // a window that was in sight before paints as well
    while (watch.paints() == 0) QApplication::processEvents();
    QJsonObject result{{u"startup_ms"_s, millisecondsSinceProcessStart()}};
    window.settle();
    frame(window, watch, clock, 0);

    const QStringList fields{u"training.sequence_length"_s,
                             u"training.micro_batch_size"_s,
                             u"training.global_batch_size"_s,
                             u"parallel.zero"_s,
                             u"parallel.tensor"_s,
                             u"parallel.pipeline"_s,
                             u"parallel.virtual_pipeline"_s,
                             u"parallel.data"_s,
                             u"parallel.context"_s,
                             u"parallel.expert"_s,
                             u"cluster.gpus"_s};
    const Plan start = window.document().plan();
    QJsonObject sliders;
    const auto measure = [&](const QString& name, QSlider* slider) {
        if (slider->maximum() < 1) giveItRoom(window, name);
        Pass best;
        for (int pass = 0; pass < how.passes; ++pass) {
            if (pass > 0 && static_cast<double>(clock.elapsed()) > kBudgetMilliseconds) break;
            Pass measured = drag(window, name, slider, how, watch, clock);
            if (pass == 0 || measured.quantile(0.95) < best.quantile(0.95)) best = std::move(measured);
        }
        sliders[name] = toJson(best, true);
        (void)window.document().change(start, u"start"_s);
        window.settle();
    };
    measure(u"model.size"_s, window.planPanel()->sizeControl()->slider());
    for (const QString& field : fields)
        if (FieldControl* control = window.planPanel()->control(field)) measure(field, control->slider());
    result[u"sliders"_s] = sliders;
    QJsonObject views;
    const auto viewed = [&](const QString& name, const Pass& pass) { views[name] = toJson(pass, false); };
    viewed(u"topology.first_paint"_s, paintTopology(window, how, watch, clock));
    viewed(u"topology.zoom"_s, zoomTopology(window, how, watch, clock));
    viewed(u"topology.pan"_s, panTopology(window, how, watch, clock));
    (void)window.document().change(start, u"start"_s);
    viewed(u"pipeline.zoom"_s, zoomPipeline(window, how, watch, clock));
    viewed(u"pipeline.pan"_s, panPipeline(window, how, watch, clock));
    result[u"views"_s] = views;

    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    result[u"peak_rss_bytes"_s] = static_cast<qint64>(usage.ru_maxrss) * 1024;
    return result;
}

int benchUi(MainWindow& window, const Options&) {
    const QByteArray json = QJsonDocument(measureUi(window)).toJson(QJsonDocument::Indented);
    std::fwrite(json.constData(), 1, static_cast<std::size_t>(json.size()), stdout);
    return 0;
}

} // namespace shardlens
