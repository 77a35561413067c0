// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gantt_view.h"

#include <QPainter>

#include "format.h"

namespace shardlens {

namespace {

constexpr int kLeastBodyWithReadout = 150; ///< pixels; lower views say it right of the heading
constexpr int kLeastPlot = 90;

} // namespace

GanttView::GanttView(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_plot(new Plot(*this, this)) {
    setMouseTracking(true);
    setFocusProxy(m_plot);
    connect(&interaction, &Interaction::hoveredChanged, m_plot, &Plot::markOverlayDirty);
    connect(&interaction, &Interaction::selectedChanged, this, [this] {
        // The curve of memory stands below the selected row: another row moves it.
        const auto moves = [this](const GanttBand& band) {
            return band.kind == GanttBand::Kind::Memory && band.rank != memoryRank(track(band.track));
        };
        if (std::any_of(m_bands.begin(), m_bands.end(), moves))
            m_plot->markDirty();
        else
            m_plot->markOverlayDirty();
        readoutChanged();
    });
    themeChanged();
    retranslate();
}

double GanttView::endOfTime() const {
    double end = 0;
    for (const Track& track : m_tracks) end = std::max(end, track.end());
    return end > 0 ? end : 1;
}

void GanttView::setSecond(ReportPtr report, const QString& name) {
    m_second = std::move(report);
    m_secondName = name;
    tracksChanged();
    update();
}

void GanttView::setColorBy(GanttColors::By by) {
    if (by == m_by) return;
    m_by = by;
    mixColors();
    m_plot->markDirty();
    update();
    emit lookChanged();
}

void GanttView::setMemoryShown(bool shown) {
    if (shown == m_memoryShown) return;
    m_memoryShown = shown;
    arrange();
    m_plot->markDirty();
    update();
    emit lookChanged();
}

void GanttView::retranslate() {
    m_title = tr("Pipeline");
    m_startText =
        tr("Pick a model and a cluster, or open a plan, to see when each stage works on which micro-batch.");
    m_textbookText =
        tr("Textbook fidelity has no timeline: its bubble is the closed form (p − 1) / (m + p − 1). "
           "Switch the plan to detailed fidelity to see the schedule.");
    m_noOpsText = tr("Only the summary of the timeline was computed.");
    m_invalidText =
        tr("There is no timeline: this schedule cannot be built with these sizes; see the messages.");
    m_plot->setAccessibleTexts(tr("Pipeline timeline"), description());
    setAccessibleName(tr("Pipeline timeline"));
    setAccessibleDescription(description());
    arrange();
    m_plot->markDirty();
    update();
}

QString GanttView::emptyReason() const {
    if (shown()) return {};
    if (!report()) return m_startText;
    if (report()->setup && report()->setup->plan.fidelity == Fidelity::textbook) return m_textbookText;
    if (report()->timeline) return m_noOpsText;
    return m_invalidText;
}

void GanttView::collectTracks() {
    m_tracks.clear();
    const auto add = [this](const ReportPtr& report, const QString& name) {
        if (report && report->timeline && hasOps(*report->timeline))
            m_tracks.push_back({report, name, step_timeline(*report)});
    };
    add(report(), QString());
    if (!m_tracks.empty()) {
        if (m_second)
            add(m_second, m_secondName);
        else
            add(pinned(), QString());
    }
    m_curves.assign(m_tracks.size(), {});
    m_kindsSeen = {};
    m_partsSeen.clear();
    for (const Track& track : m_tracks) {
        for (const auto& op : track.timeline().schedule.ops)
            m_kindsSeen[static_cast<std::size_t>(op.kind)] = true;
        for (const RankStep& rank : track.step.ranks)
            for (const StepInterval& interval : rank.intervals) m_partsSeen.insert(interval.part);
    }
}

void GanttView::reportChanged() {
    // Moments and marks belong to the timeline that was.
    m_cursor.reset();
    m_area.reset();
    m_areaAnchor.reset();
    tracksChanged();
}

void GanttView::tracksChanged() {
    collectTracks();
    if (m_cursor && m_cursor->track >= trackCount()) m_cursor.reset();
    if (m_area && m_area->track >= trackCount()) m_area.reset();
    // A window that the user has chosen keeps its share of the step while a slider moves.
    const double end = endOfTime();
    if (m_whole || !(m_end > 0)) {
        m_visible = {0, end};
    } else if (end != m_end) {
        m_visible = VisibleRange{m_visible.from * end / m_end, m_visible.to * end / m_end}.inside(end);
    }
    m_end = end;
    m_plot->setAccessibleTexts(accessibleName(), description());
    setAccessibleDescription(description());
    mixColors();
    arrange();
    m_plot->markDirty();
}

void GanttView::themeChanged() {
    mixColors();
    m_plot->setTheme(theme());
}

void GanttView::mixColors() {
    std::int64_t chunks = 1;
    for (const Track& track : m_tracks) chunks = std::max(chunks, track.timeline().schedule.spec.chunks);
    m_colors.mix(theme(), m_by, chunks);
}

int GanttView::memoryRank(const Track& track) const {
    const int selected = interaction().selected().stage;
    const int wanted = selected >= 0 ? selected : static_cast<int>(track.report->memory.peak_stage);
    return std::clamp(wanted, 0, track.ranks() - 1);
}

const MemoryCurve& GanttView::curve(int index, int rank) const {
    auto& curves = m_curves[static_cast<std::size_t>(index)];
    const auto found = curves.find(rank);
    if (found != curves.end()) return found->second;
    return curves.emplace(rank, memory_curve(*track(index).report, rank)).first->second;
}

void GanttView::arrange() {
    m_frame.update(*this);
    const QRect body = m_frame.body();
    m_plot->setVisible(shown() != nullptr);
    const int line = body.height() >= kLeastBodyWithReadout ? QFontMetrics(font()).height() + 4 : 0;
    // The legend names the curve of memory where there is room for one, which depends on the legend.
    m_bands.clear();
    for (int round = 0; round < 2; ++round) {
        m_legendHeight = drawLegend(nullptr, body);
        if (body.height() - m_legendHeight < kLeastPlot) m_legendHeight = 0;
        m_plot->setGeometry(body.adjusted(-4, 0, 4, -m_legendHeight - line));
        layOut();
        if (!hasMemoryBands()) break;
    }
    m_readoutRow = line > 0
                       ? QRect(body.left(), body.bottom() - m_legendHeight - line + 1, body.width(), line)
                       : QRect();
}

bool GanttView::hasMemoryBands() const {
    return std::any_of(m_bands.begin(), m_bands.end(),
                       [](const GanttBand& band) { return band.kind == GanttBand::Kind::Memory; });
}

void GanttView::resizeEvent(QResizeEvent*) { arrange(); }

void GanttView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) arrange();
    ReportView::changeEvent(event);
}

void GanttView::readoutChanged() {
    update(m_frame.headingRow());
    if (!m_readoutRow.isEmpty()) update(m_readoutRow);
}

void GanttView::layOut() {
    std::vector<GanttTrackShape> shapes;
    for (const Track& track : m_tracks)
        shapes.push_back({track.ranks(), m_tracks.size() > 1, m_memoryShown, memoryRank(track)});
    const double line = m_frame.labels().size(QStringLiteral("S0")).height();
    // Axis labels and title stand below the rows; what little this misses is stretched away.
    const double height = std::max(1.0, m_plot->height() - 2 * line - 18);
    m_bands = layOutBands(shapes, height, line + 4);
}

void GanttView::preparePlot() {
    layOut();
    PlotAxis x;
    x.from = m_visible.from;
    x.to = m_visible.to;
    const double unit = m_visible.to >= 1 ? 1 : m_visible.to >= 1e-3 ? 1e-3 : 1e-6;
    x.title = unit == 1 ? tr("time, s") : unit == 1e-3 ? tr("time, ms") : tr("time, µs");
    x.format = [unit](double seconds) { return formatTick(seconds / unit); };
    x.tickCount = std::clamp(m_plot->width() / 100, 2, 10);
    m_plot->setXAxis(x);

    PlotAxis y;
    y.from = 0;
    y.to = m_bands.empty() ? 1 : m_bands.back().bottom;
    y.reversed = true;
    int rows = 0;
    double high = 0;
    for (const GanttBand& band : m_bands)
        if (band.kind == GanttBand::Kind::Rank) {
            ++rows;
            high += band.height();
        }
    const int step = labelStep(rows, high, m_frame.labels().size(QStringLiteral("S0")).height() + 1);
    for (const GanttBand& band : m_bands)
        if (band.kind == GanttBand::Kind::Rank && band.rank % step == 0)
            y.labels.emplace_back((band.top + band.bottom) / 2, tr("S%1").arg(band.rank));
    m_plot->setYAxis(y);
}

void GanttView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_frame.update(*this);
    drawAround(painter);
    if (!shown()) countPaint();
}

void GanttView::drawAround(QPainter& painter) {
    QStringList notes{note()};
    if (m_readoutRow.isEmpty()) notes.prepend(m_cursor || m_area ? readout() : QString());
    m_frame.paint(painter, theme(), heading(), notes);
    if (!shown()) return m_frame.paintEmpty(painter, theme(), emptyReason());
    if (!m_readoutRow.isEmpty()) {
        painter.setFont(font());
        painter.setPen(m_cursor || m_area ? theme().text() : theme().mutedText());
        const QFontMetrics metrics(font());
        QString line = readout();
        if (m_area && metrics.horizontalAdvance(line) > m_readoutRow.width()) line = areaText(*m_area, true);
        painter.drawText(m_readoutRow, Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(line, Qt::ElideRight, m_readoutRow.width()));
    }
    if (m_legendHeight == 0) return;
    QRect area = m_frame.body();
    area.setTop(area.bottom() - m_legendHeight + 1);
    drawLegend(&painter, area);
}

} // namespace shardlens
