// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/step_bar.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "charts/terms.h"
#include "format.h"

namespace shardlens {

namespace {

bool hasTime(const ReportPtr& report) { return report && report->time.step_s > 0; }

void appendTime(std::vector<StackBlock>& blocks, int stack, const Report& report) {
    std::vector<double> parts;
    for (const TimePart& part : timeParts()) parts.push_back(report.time.*part.seconds);
    appendStack(blocks, stack, parts);
}

} // namespace

StepBar::StepBar(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_plot(new Plot(*this, this)) {
    setMouseTracking(true);
    setFocusProxy(m_plot);
    connect(&interaction, &Interaction::hoveredChanged, m_plot, &Plot::markOverlayDirty);
    connect(&interaction, &Interaction::selectedChanged, m_plot, &Plot::markOverlayDirty);
    themeChanged();
    retranslate();
}

void StepBar::retranslate() {
    m_title = tr("Step");
    m_emptyText = tr("The time of a step appears here as soon as the plan can be evaluated.");
    m_plot->setAccessibleTexts(tr("Step time by part"), description());
    setAccessibleName(tr("Step time by part"));
    setAccessibleDescription(description());
    arrange();
    m_plot->markDirty();
    update();
}

QString StepBar::heading() const {
    return hasTime(report()) ? m_title + QLatin1Char(' ') + formatSeconds(report()->time.step_s) : m_title;
}

QString StepBar::note() const {
    if (!hasTime(report()) || !hasTime(pinned())) return {};
    const double before = pinned()->time.step_s, now = report()->time.step_s;
    const QString delta = formatDelta((now - before) / before, QStringLiteral("%"));
    return delta.isEmpty() ? tr("pinned below: %1").arg(formatSeconds(before))
                           : tr("%1 against the pinned plan below: %2").arg(delta, formatSeconds(before));
}

QString StepBar::description() const {
    if (!hasTime(report())) return m_emptyText;
    const TimePart* largest = &timeParts().front();
    for (const TimePart& part : timeParts())
        if (report()->time.*part.seconds > report()->time.*(largest->seconds)) largest = &part;
    return tr("One step takes %1; the largest part is %2 with %3.")
        .arg(formatSeconds(report()->time.step_s), largest->name(),
             formatSeconds(report()->time.*(largest->seconds)));
}

void StepBar::reportChanged() {
    m_blocks.clear();
    if (hasTime(report())) {
        appendTime(m_blocks, 0, *report());
        if (hasTime(pinned())) appendTime(m_blocks, 1, *pinned());
    }
    m_plot->setAccessibleTexts(accessibleName(), description());
    setAccessibleDescription(description());
    arrange();
    m_plot->markDirty();
}

void StepBar::themeChanged() {
    m_brushes.clear();
    m_outlines.clear();
    for (const TimePart& part : timeParts()) {
        m_brushes.push_back(theme().brush(part.role));
        m_outlines.push_back(theme().outline(part.role));
    }
    m_plot->setTheme(theme());
}

void StepBar::arrange() {
    m_frame.update(*this);
    const QRect body = m_frame.body();
    m_plot->setVisible(hasTime(report()));
    // Full names where there is room, else the short ones that the blocks bear, else none.
    constexpr int kLeastPlot = 56;
    m_legendBrief = false;
    m_legendHeight = drawLegend(nullptr, body);
    if (body.height() - m_legendHeight < kLeastPlot) {
        m_legendBrief = true;
        m_legendHeight = drawLegend(nullptr, body);
    }
    if (body.height() - m_legendHeight < kLeastPlot) m_legendHeight = 0;
    m_plot->setGeometry(body.adjusted(-4, 0, 4, -m_legendHeight));
}

void StepBar::resizeEvent(QResizeEvent*) { arrange(); }

void StepBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) arrange();
    ReportView::changeEvent(event);
}

int StepBar::drawLegend(QPainter* painter, const QRect& area) {
    LegendPainter legend(painter, m_frame.labels(), theme(), area);
    for (const StackBlock& block : m_blocks) {
        if (block.stack != 0) continue;
        const auto i = static_cast<std::size_t>(block.part);
        const TimePart& part = timeParts()[i];
        legend.add(m_brushes[i], m_outlines[i],
                   (m_legendBrief ? part.briefName() : part.name()) + QLatin1Char(' ') +
                       formatSeconds(block.value()),
                   part.dimension != part.role ? theme().color(part.dimension) : QColor());
    }
    return legend.height();
}

void StepBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_frame.update(*this);
    m_frame.paint(painter, theme(), heading(), QStringList{note()});
    if (!hasTime(report())) {
        m_frame.paintEmpty(painter, theme(), m_emptyText);
        countPaint();
        return;
    }
    if (m_legendHeight > 0) {
        QRect area = m_frame.body();
        area.setTop(area.bottom() - m_legendHeight + 1);
        drawLegend(&painter, area);
    }
}

void StepBar::preparePlot() {
    const double longest = std::max(hasTime(report()) ? report()->time.step_s : 1e-9,
                                    hasTime(pinned()) ? pinned()->time.step_s : 0.0);
    const bool inMilliseconds = longest < 1;
    PlotAxis x;
    x.to = longest * 1.01;
    x.format = [inMilliseconds](double s) {
        return inMilliseconds ? formatTick(s * 1e3) + QStringLiteral(" ms")
                              : formatTick(s) + QStringLiteral(" s");
    };
    x.tickCount = std::clamp(m_plot->width() / 90, 2, 10);
    m_plot->setXAxis(x);
    PlotAxis y;
    y.visible = false;
    m_plot->setYAxis(y);
}

QRectF StepBar::rectOf(const StackBlock& block, const PlotFrame& frame) const {
    const QRectF& area = frame.rect;
    const bool withGhost = hasTime(pinned());
    const double ghost = withGhost ? std::clamp(area.height() * 0.22, 6.0, 18.0) : 0;
    const double bar = std::clamp(area.height() - ghost - (withGhost ? 8 : 4), 8.0, 64.0);
    const double start = std::round(area.top() + std::max(0.0, (area.height() - bar - ghost - 4) / 2));
    const double top = block.stack == 0 ? start : start + bar + 4;
    const double left = std::round(frame.x.toPixel(block.low)),
                 right = std::round(frame.x.toPixel(block.high));
    return {left, top, right - left, std::round(block.stack == 0 ? bar : ghost)};
}

void StepBar::drawBlock(QPainter& painter, const StackBlock& block, const QRectF& rect) {
    const auto i = static_cast<std::size_t>(block.part);
    const TimePart& part = timeParts()[i];
    if (block.stack == 1) {
        const QColor faded = mixed(theme().color(part.role), theme().card(), 0.5);
        painter.fillRect(rect, part.role == Role::Idle ? m_brushes[i] : QBrush(faded));
        if (rect.width() < 3) return;
        painter.setPen(mixed(m_outlines[i], theme().card(), 0.3));
        painter.setBrush(Qt::NoBrush);
        return painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    painter.fillRect(rect, m_brushes[i]);
    // Communication is grey; its edge says of which dimension.
    if (part.dimension != part.role)
        painter.fillRect(rect.adjusted(0, rect.height() - 5, 0, 0), theme().color(part.dimension));
    if (rect.width() < 3) return;
    painter.setPen(m_outlines[i]);
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(rect.adjusted(0, 0, -1, -1));
}

void StepBar::drawBlockLabel(QPainter& painter, const StackBlock& block, const QRectF& rect) {
    const TimePart& part = timeParts()[static_cast<std::size_t>(block.part)];
    LabelCache& labels = m_frame.boldLabels();
    const QString name = part.briefName();
    const bool inMilliseconds = report()->time.step_s < 1;
    const QString withValue =
        name + QLatin1Char(' ') +
        (inMilliseconds ? formatSeconds(block.value()) : formatNumber(block.value(), 2));
    for (const QString& text : {withValue, name}) {
        const QSizeF size = labels.size(text);
        if (size.width() + 8 > rect.width() || size.height() > rect.height()) continue;
        if (part.role != Role::Forward && part.role != Role::Backward) {
            const QRectF paper(rect.center() - QPointF(size.width() / 2 + 3, size.height() / 2 - 1),
                               QSizeF(size.width() + 6, size.height() - 2));
            painter.fillRect(paper, theme().color(part.role)); // the pattern would run through the letters
        }
        painter.setPen(theme().textOn(part.role));
        return labels.drawCentred(painter, rect.center(), text);
    }
}

void StepBar::drawPlot(QPainter& painter, const PlotFrame& frame) {
    for (const StackBlock& block : m_blocks) {
        const QRectF rect = rectOf(block, frame);
        drawBlock(painter, block, rect);
        if (block.stack == 0) drawBlockLabel(painter, block, rect);
    }
}

void StepBar::drawPlotOverlay(QPainter& painter, const PlotFrame& frame) {
    const auto mark = [&](const Target& target, const QColor& color, int width) {
        if (target.path.isEmpty()) return;
        for (const StackBlock& block : m_blocks)
            if (target.path == timeParts()[static_cast<std::size_t>(block.part)].path())
                paintMark(painter, rectOf(block, frame), color, theme().card(), width);
    };
    mark(interaction().selected(), theme().text(), 2); // no band has the colour of the text
    mark(interaction().hovered(), theme().text(), 1);
}

std::optional<StackBlock> StepBar::blockAtPosition(const QPointF& position) const {
    if (!hasTime(report())) return {};
    const PlotFrame& frame = m_plot->frame();
    const QPointF inside = position - QPointF(m_plot->pos());
    const double slack = 3 / frame.x.pixelsPerUnit();
    for (const int stack : {0, 1}) {
        const QRectF row = rectOf({stack, 0, 0, 0}, frame);
        if (inside.y() < row.top() || inside.y() >= row.bottom()) continue;
        return blockAt(m_blocks, stack, frame.x.toValue(inside.x()), slack);
    }
    return {};
}

QPointF StepBar::positionOf(const StackBlock& block) const {
    return rectOf(block, m_plot->frame()).center() + QPointF(m_plot->pos());
}

QString StepBar::tooltipFor(const StackBlock& block) const {
    const TimePart& part = timeParts()[static_cast<std::size_t>(block.part)];
    const Report& shown = block.stack == 0 ? *report() : *pinned();
    QString text =
        tr("%1: %2 (%3 of %4)")
            .arg(part.name(), formatSeconds(block.value()), formatPercent(block.value() / shown.time.step_s),
                 formatSeconds(shown.time.step_s));
    if (block.stack == 1) return tr("Pinned plan") + QLatin1Char('\n') + text;
    if (hasTime(pinned())) {
        const QString delta = formatDelta(block.value() - pinned()->time.*part.seconds, QStringLiteral("s"));
        text += QLatin1Char('\n') +
                (delta.isEmpty() ? tr("as pinned") : tr("%1 against the pinned plan").arg(delta));
    }
    return text;
}

void StepBar::mouseMoveEvent(QMouseEvent* event) {
    Target target;
    if (const auto block = blockAtPosition(event->position()))
        target.path = timeParts()[static_cast<std::size_t>(block->part)].path();
    interaction().setHovered(target);
    if (target.empty()) QToolTip::hideText();
}

void StepBar::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    Target target;
    if (const auto block = blockAtPosition(event->position()))
        target.path = timeParts()[static_cast<std::size_t>(block->part)].path();
    interaction().setSelected(target);
}

void StepBar::leaveEvent(QEvent*) { interaction().setHovered({}); }

void StepBar::keyPressEvent(QKeyEvent* event) {
    const int step = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    std::vector<QString> paths;
    for (const StackBlock& block : m_blocks)
        if (block.stack == 0) paths.push_back(timeParts()[static_cast<std::size_t>(block.part)].path());
    if (step == 0 || paths.empty()) return ReportView::keyPressEvent(event);
    const auto found = std::find(paths.begin(), paths.end(), interaction().selected().path);
    const auto last = static_cast<std::ptrdiff_t>(paths.size()) - 1;
    const std::ptrdiff_t at =
        found == paths.end() ? 0 : std::clamp<std::ptrdiff_t>(found - paths.begin() + step, 0, last);
    Target target;
    target.path = paths[static_cast<std::size_t>(at)];
    interaction().setSelected(target);
}

bool StepBar::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip) return ReportView::event(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const auto block = blockAtPosition(help->pos()))
        QToolTip::showText(
            help->globalPos(), tooltipFor(*block), this,
            rectOf(*block, m_plot->frame()).toRect().translated(m_plot->pos()).adjusted(-1, -1, 1, 1));
    else
        QToolTip::hideText();
    return true;
}

} // namespace shardlens
