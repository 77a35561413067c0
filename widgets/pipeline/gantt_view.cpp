// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline/gantt_view.h"

#include <QPainter>

#include "format.h"

namespace shardlens {

namespace {

constexpr std::array kKindRoles = {Role::Forward, Role::Backward, Role::InputGradient, Role::WeightGradient};
constexpr double kThinnestPixels = 1.0;
constexpr int kShades = 4;

} // namespace

GanttView::GanttView(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_plot(new Plot(*this, this)) {
    setMouseTracking(true);
    setFocusProxy(m_plot);
    connect(&interaction, &Interaction::hoveredChanged, m_plot, &Plot::markOverlayDirty);
    connect(&interaction, &Interaction::selectedChanged, this, [this] {
        m_plot->markOverlayDirty();
        update(m_frame.headingRow());
    });
    themeChanged();
    retranslate();
}

const pipeline::Timeline* GanttView::timeline() const {
    return report() && report()->timeline && hasOps(*report()->timeline) ? report()->timeline.get() : nullptr;
}

double GanttView::endOfTime() const { return timeline() ? timeline()->makespan : 1; }

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
    if (timeline()) return {};
    if (!report()) return m_startText;
    if (report()->setup && report()->setup->plan.fidelity == Fidelity::textbook) return m_textbookText;
    if (report()->timeline) return m_noOpsText;
    return m_invalidText;
}

QString GanttView::heading() const {
    const auto* shown = timeline();
    if (!shown) return m_title;
    const auto& spec = shown->schedule.spec;
    if (spec.ranks == 1)
        return spec.micro_batches == 1 ? tr("%1: one stage, one micro-batch, no bubble").arg(m_title)
                                       : tr("%1: one stage, %2 micro-batches one after another, no bubble")
                                             .arg(m_title)
                                             .arg(spec.micro_batches);
    return tr("%1: %2 × %3, bubble %4")
        .arg(m_title, tr("%n stage(s)", nullptr, static_cast<int>(spec.ranks)),
             tr("%n micro-batch(es)", nullptr, static_cast<int>(spec.micro_batches)),
             formatPercent(report()->time.bubble_fraction));
}

QString GanttView::note() const {
    const auto* shown = timeline();
    if (!shown) return {};
    const qint64 selected = interaction().selected().microBatch;
    if (selected >= 0) return tr("micro-batch %1 framed").arg(selected);
    if (m_whole) return tr("wheel zooms, drag moves");
    return tr("%1 of %2 shown, F shows all")
        .arg(formatSeconds(m_visible.span()), formatSeconds(shown->makespan));
}

QString GanttView::description() const {
    const auto* shown = timeline();
    if (!shown) return emptyReason();
    const auto& spec = shown->schedule.spec;
    return tr("Pipeline of %1 with %2: %3, of which %4 idle.")
        .arg(tr("%n stage(s)", nullptr, static_cast<int>(spec.ranks)),
             tr("%n micro-batch(es)", nullptr, static_cast<int>(spec.micro_batches)),
             formatSeconds(shown->makespan), formatPercent(report()->time.bubble_fraction));
}

void GanttView::reportChanged() {
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
    m_idle = theme().brush(Role::Idle);
    const QColor idle = theme().color(Role::Idle);
    const auto shade = [&](std::array<QRgb, kShareSteps>& shades, const QColor& full) {
        for (std::size_t i = 0; i < shades.size(); ++i)
            shades[i] = mixed(idle, full, static_cast<double>(i) / (kShareSteps - 1)).rgb();
    };
    for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind)
        shade(m_shades[kind], theme().color(kKindRoles[kind]));
    shade(m_overlappedShades, mixed(theme().color(Role::Forward), theme().color(Role::Backward), 0.5));
    m_fills.clear();
    mixColors();
    m_plot->setTheme(theme());
}

// Chunks of one rank are shades of the same colour, the first chunk being the full one.
void GanttView::mixColors() {
    const std::size_t chunks =
        timeline()
            ? static_cast<std::size_t>(std::clamp<std::int64_t>(timeline()->schedule.spec.chunks, 1, kShades))
            : 1;
    if (m_fills.size() == chunks) return;
    m_fills.resize(chunks);
    for (std::size_t chunk = 0; chunk < chunks; ++chunk)
        for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind) {
            const double fade =
                chunks > 1 ? 0.45 * static_cast<double>(chunk) / static_cast<double>(chunks - 1) : 0;
            const QColor color = mixed(theme().color(kKindRoles[kind]), theme().card(), fade);
            Fill& fill = m_fills[chunk][kind];
            fill = {QBrush(color), color, theme().outline(color), readableOn(color)};
            if (chunk == 0 && kind >= 2) fill.brush = theme().brush(kKindRoles[kind]);
        }
}

const GanttView::Fill& GanttView::fill(const pipeline::Op& op) const {
    return m_fills[op.chunk % m_fills.size()][static_cast<std::size_t>(op.kind)];
}

void GanttView::arrange() {
    m_frame.update(*this);
    const QRect body = m_frame.body();
    m_plot->setVisible(timeline() != nullptr);
    m_legendHeight = drawLegend(nullptr, body);
    if (body.height() - m_legendHeight < 90) m_legendHeight = 0;
    m_plot->setGeometry(body.adjusted(-4, 0, 4, -m_legendHeight));
}

void GanttView::resizeEvent(QResizeEvent*) { arrange(); }

void GanttView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) arrange();
    ReportView::changeEvent(event);
}

int GanttView::drawLegend(QPainter* painter, const QRect& area) {
    if (!timeline()) return 0;
    LegendPainter legend(painter, m_frame.labels(), theme(), area);
    // zb-h1 has no whole backward, the others no halves of it.
    std::array<bool, kKindRoles.size()> present{};
    for (const auto& op : timeline()->schedule.ops) present[static_cast<std::size_t>(op.kind)] = true;
    for (std::size_t kind = 0; kind < kKindRoles.size(); ++kind) {
        if (!present[kind]) continue;
        const Fill& shown = m_fills[0][kind];
        legend.add(shown.brush, shown.outline, kindName(static_cast<pipeline::OpKind>(kind)));
    }
    legend.add(m_idle, theme().outline(Role::Idle), tr("idle"));
    return legend.height();
}

void GanttView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_frame.update(*this);
    m_frame.paint(painter, theme(), heading(), QStringList{note()});
    if (!timeline()) {
        m_frame.paintEmpty(painter, theme(), emptyReason());
        countPaint();
        return;
    }
    if (m_legendHeight > 0) {
        QRect area = m_frame.body();
        area.setTop(area.bottom() - m_legendHeight + 1);
        drawLegend(&painter, area);
    }
}

void GanttView::preparePlot() {
    const int ranks = timeline() ? static_cast<int>(timeline()->schedule.spec.ranks) : 1;
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
    y.to = ranks;
    y.reversed = true;
    const QSizeF label = m_frame.labels().size(QStringLiteral("S0"));
    const int step = labelStep(ranks, m_plot->height() - 40.0, label.height() + 1);
    for (int rank = 0; rank < ranks; rank += step) y.labels.emplace_back(rank + 0.5, tr("S%1").arg(rank));
    m_plot->setYAxis(y);
}

GanttRows GanttView::rows(const PlotFrame& frame) const {
    return {frame.rect.top(), frame.rect.bottom(),
            timeline() ? static_cast<int>(timeline()->schedule.spec.ranks) : 1};
}

QRectF GanttView::rectOf(double start, double end, int row, const PlotFrame& frame) const {
    const GanttRows shape = rows(frame);
    const double left = std::round(std::max(frame.x.toPixel(start), frame.rect.left() - 8));
    const double right = std::round(std::min(frame.x.toPixel(end), frame.rect.right() + 8));
    const double top = std::round(shape.rowTop(row));
    const double height = std::max(1.0, std::round(shape.rowTop(row) + shape.rowHeight()) - top);
    return {left, top, std::max(1.0, right - left), height};
}

void GanttView::drawPlot(QPainter& painter, const PlotFrame& frame) {
    const auto* shown = timeline();
    if (!shown) return;
    const int ranks = static_cast<int>(shown->schedule.spec.ranks);
    m_numberSize =
        m_frame.labels().size(QString::number(std::max<qint64>(shown->schedule.spec.micro_batches - 1, 0)));
    double lastTop = -1;
    for (int rank = 0; rank < ranks; ++rank) {
        const QRectF row = rectOf(0, shown->makespan, rank, frame);
        if (row.top() == lastTop) continue; // more ranks than pixels
        lastTop = row.top();
        painter.fillRect(row, m_idle);
        m_spans.clear();
        layOutRank(*shown, rank, frame.x, kThinnestPixels, m_spans);
        if (static_cast<double>(m_spans.size()) > frame.rect.width() / 4) {
            drawDenseRow(painter, row, frame);
            continue;
        }
        for (const GanttSpan& span : m_spans)
            drawSpan(painter, span, rectOf(span.start, span.end, rank, frame));
    }
}

// Where blocks are a few pixels wide a row is one line of pixels, stretched: a tenth of the time of as many
// rectangles.
void GanttView::drawDenseRow(QPainter& painter, const QRectF& row, const PlotFrame& frame) {
    const int width = static_cast<int>(row.width());
    if (m_line.width() != width) m_line = QImage(width, 1, QImage::Format_ARGB32_Premultiplied);
    m_line.fill(Qt::transparent);
    auto* pixels = reinterpret_cast<QRgb*>(m_line.scanLine(0));
    const double perUnit = frame.x.pixelsPerUnit(), origin = frame.x.toPixel(0) - row.left();
    for (const GanttSpan& span : m_spans) {
        const int left = std::clamp(static_cast<int>(origin + span.start * perUnit + 0.5), 0, width - 1);
        const int right = std::clamp(static_cast<int>(origin + span.end * perUnit + 0.5), left + 1, width);
        // Gaps that were merged away lighten the colour.
        const double share = span.end > span.start ? span.busy / (span.end - span.start) : 1;
        const auto& shades =
            span.overlapped ? m_overlappedShades : m_shades[static_cast<std::size_t>(span.kind)];
        const QRgb color =
            shades[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (shades.size() - 1) + 0.5)];
        std::fill(pixels + left, pixels + right, color);
    }
    painter.drawImage(row, m_line);
}

void GanttView::drawSpan(QPainter& painter, const GanttSpan& span, const QRectF& rect) {
    const auto& ops = timeline()->schedule.ops;
    const pipeline::Op& op = ops[span.first];
    if (span.merged)
        return painter.fillRect(rect.toRect(), m_fills[0][static_cast<std::size_t>(span.kind)].color);
    const auto block = [&](const pipeline::Op& shown, const QRectF& at) {
        const Fill& look = fill(shown);
        if (shown.kind == pipeline::OpKind::forward || shown.kind == pipeline::OpKind::backward)
            painter.fillRect(at.toRect(), look.color);
        else
            painter.fillRect(at, look.brush);
        if (at.width() < 8 || at.height() < 8) { // a full outline would be most of the block
            if (at.width() >= 3) painter.fillRect(QRect(at.left(), at.top(), 1, at.height()), look.outline);
            return;
        }
        painter.setPen(look.outline);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(at.adjusted(0, 0, -1, -1));
        drawNumber(painter, shown, at);
    };
    if (!span.overlapped) return block(op, rect);
    const double half = std::round(rect.height() / 2);
    block(op, QRectF(rect.left(), rect.top(), rect.width(), half));
    block(ops[span.first + 1], QRectF(rect.left(), rect.top() + half, rect.width(), rect.height() - half));
}

void GanttView::drawNumber(QPainter& painter, const pipeline::Op& op, const QRectF& rect) {
    // All numbers of this width or none: single digits alone would look like the end of the work.
    if (rect.width() < m_numberSize.width() + 4 || rect.height() + 2 < m_numberSize.height()) return;
    const QString number = QString::number(op.micro_batch);
    LabelCache& labels = m_frame.labels();
    painter.setPen(fill(op).text);
    labels.drawCentred(painter, rect.center(), number);
}

void GanttView::frameMicroBatch(QPainter& painter, const PlotFrame& frame, qint64 microBatch,
                                const QColor& color) {
    const auto* shown = timeline();
    painter.setBrush(Qt::NoBrush);
    for (int rank = 0; rank < static_cast<int>(shown->schedule.spec.ranks); ++rank) {
        const auto r = static_cast<std::size_t>(rank);
        for (std::size_t i = shown->schedule.first[r]; i < shown->schedule.first[r + 1]; ++i) {
            if (shown->schedule.ops[i].micro_batch != microBatch) continue;
            if (shown->end[i] < m_visible.from || shown->start[i] > m_visible.to) continue;
            const QRectF rect = rectOf(shown->start[i], shown->end[i], rank, frame).adjusted(-1, -1, 1, 1);
            paintMark(painter, rect, color, theme().card(), rect.width() > 6 ? 2 : 1);
        }
    }
}

void GanttView::drawPlotOverlay(QPainter& painter, const PlotFrame& frame) {
    const auto* shown = timeline();
    if (!shown) return;
    const int ranks = static_cast<int>(shown->schedule.spec.ranks);
    const auto frameRow = [&](int rank, const QColor& color) {
        if (rank < 0 || rank >= ranks) return;
        painter.setPen(color);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rectOf(m_visible.from, m_visible.to, rank, frame).adjusted(0, -1, -1, 0));
    };
    const Target& selected = interaction().selected();
    const Target& hovered = interaction().hovered();
    frameRow(selected.stage, theme().color(Role::Highlight));
    if (hovered.stage != selected.stage) frameRow(hovered.stage, theme().mutedText());
    if (hovered.microBatch >= 0 && hovered.microBatch != selected.microBatch)
        frameMicroBatch(painter, frame, hovered.microBatch, theme().text());
    if (selected.microBatch >= 0)
        frameMicroBatch(painter, frame, selected.microBatch, theme().color(Role::Highlight));
}

QString GanttView::kindName(pipeline::OpKind kind) const {
    switch (kind) {
    case pipeline::OpKind::forward: return tr("forward");
    case pipeline::OpKind::backward: return tr("backward");
    case pipeline::OpKind::input_grad: return tr("input gradient");
    case pipeline::OpKind::weight_grad: return tr("weight gradient");
    }
    return {};
}

} // namespace shardlens
