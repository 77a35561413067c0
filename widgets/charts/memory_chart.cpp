// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/memory_chart.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QToolTip>

#include "charts/terms.h"
#include "format.h"

namespace shardlens {

namespace {

constexpr double kGib = 1024.0 * 1024.0 * 1024.0;
constexpr double kWidestBar = 110;

bool hasStages(const ReportPtr& report) { return report && !report->memory.stages.empty(); }

double tallestGib(const ReportPtr& report) {
    double tallest = 0;
    if (report)
        for (const auto& stage : report->memory.stages) tallest = std::max(tallest, stage.total_bytes / kGib);
    return tallest;
}

} // namespace

MemoryChart::MemoryChart(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_plot(new Plot(*this, this)) {
    setMouseTracking(true);
    setFocusProxy(m_plot);
    connect(&interaction, &Interaction::hoveredChanged, m_plot, &Plot::markOverlayDirty);
    connect(&interaction, &Interaction::selectedChanged, m_plot, &Plot::markOverlayDirty);
    themeChanged();
    retranslate();
}

void MemoryChart::retranslate() {
    m_title = tr("Memory per stage");
    m_unitTitle = tr("GiB per GPU");
    m_capacityText = tr("%1 capacity");
    m_usableText = tr("%1 usable");
    m_pinnedText = tr("dashed: pinned plan");
    m_emptyText =
        tr("Pick a model and a cluster, or open a plan, to see the memory of every pipeline stage.");
    m_plot->setAccessibleTexts(m_title, description());
    setAccessibleName(m_title);
    setAccessibleDescription(description());
    arrange();
    m_plot->markDirty();
    update();
}

QString MemoryChart::description() const {
    if (!hasStages(report())) return m_emptyText;
    const auto& memory = report()->memory;
    return tr("Stage %1 of %2 needs most: %3 of %4 usable and %5 capacity.")
        .arg(static_cast<int>(memory.peak_stage))
        .arg(memory.stages.size())
        .arg(formatBytes(memory.need_bytes), formatBytes(memory.usable_bytes),
             formatBytes(memory.capacity_bytes));
}

void MemoryChart::reportChanged() {
    rebuildBlocks();
    m_plot->setAccessibleTexts(m_title, description());
    setAccessibleDescription(description());
    arrange();
    m_plot->markDirty();
}

void MemoryChart::rebuildBlocks() {
    m_blocks.clear();
    m_termsShown = 0;
    if (!hasStages(report())) return;
    const auto terms = memoryTerms();
    std::vector<double> parts(terms.size());
    int stage = 0;
    for (const auto& ledger : report()->memory.stages) {
        for (std::size_t i = 0; i < terms.size(); ++i) parts[i] = ledger.*terms[i].bytes / kGib;
        appendStack(m_blocks, stage++, parts);
    }
    for (const StackBlock& block : m_blocks) m_termsShown |= 1u << block.part;
}

void MemoryChart::themeChanged() {
    m_brushes.clear();
    m_outlines.clear();
    for (const MemoryTerm& term : memoryTerms()) {
        m_brushes.push_back(theme().brush(term.role));
        m_outlines.push_back(theme().outline(term.role));
    }
    m_plot->setTheme(theme());
}

// The plot leaves room for as many legend rows as the present terms need.
void MemoryChart::arrange() {
    m_frame.update(*this);
    const QRect body = m_frame.body();
    m_plot->setVisible(hasStages(report()));
    m_legendHeight = drawLegend(nullptr, body);
    if (body.height() - m_legendHeight < 90) m_legendHeight = 0;
    m_plot->setGeometry(body.adjusted(-4, 0, 4, -m_legendHeight));
}

void MemoryChart::resizeEvent(QResizeEvent*) { arrange(); }

void MemoryChart::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange) arrange();
    ReportView::changeEvent(event);
}

int MemoryChart::drawLegend(QPainter* painter, const QRect& area) {
    LegendPainter legend(painter, m_frame.labels(), theme(), area);
    const auto terms = memoryTerms();
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (m_termsShown & (1u << i)) legend.add(m_brushes[i], m_outlines[i], terms[i].name());
    return legend.height();
}

void MemoryChart::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    m_frame.update(*this);
    m_frame.paint(painter, theme(), m_title,
                  hasStages(report()) && hasStages(pinned()) ? QStringList{m_pinnedText} : QStringList());
    if (!hasStages(report())) {
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

void MemoryChart::preparePlot() {
    const bool any = hasStages(report());
    const int stages = any ? static_cast<int>(report()->memory.stages.size()) : 1;
    const double capacity = any ? report()->memory.capacity_bytes / kGib : 1;
    // The name of the capacity stands above its line, also in a low plot.
    const double line = m_frame.boldLabels().size(m_capacityText).height() + 4;
    const double name = std::min(0.3, line / std::max(1.0, m_plot->height() - 45.0));
    const double top = std::max({capacity * 1.10, capacity / (1 - name), tallestGib(report()) * 1.14,
                                 tallestGib(pinned()) * 1.06, 1e-3});

    PlotAxis y;
    y.to = top;
    y.grid = true;
    y.title = m_unitTitle;
    y.format = formatTick;
    y.tickCount = std::clamp(m_plot->height() / 45, 2, 6);
    m_plot->setYAxis(y);

    PlotAxis x;
    x.from = -0.5;
    x.to = stages - 0.5;
    const QString full = tr("stage %1");
    const QString wide = full.arg(stages - 1);
    const double slot = (m_plot->width() - 60.0) / stages;
    const bool inFull = m_frame.labels().size(wide).width() + 10 < slot;
    const QString pattern = inFull ? full : QStringLiteral("%1");
    if (!inFull) x.title = tr("pipeline stage");
    const double labelWidth = m_frame.labels().size(pattern.arg(stages - 1)).width() + 10;
    const int step = labelStep(stages, m_plot->width() - 60.0, labelWidth);
    for (int stage = 0; stage < stages; stage += step) x.labels.emplace_back(stage, pattern.arg(stage));
    m_plot->setXAxis(x);
}

QRectF MemoryChart::rectOf(const StackBlock& block, const PlotFrame& frame) const {
    const double half = barHalfWidth(frame.x.pixelsPerUnit(), kWidestBar);
    const double left = std::round(frame.x.toPixel(block.stack - half));
    const double right = std::max(left + 1, std::round(frame.x.toPixel(block.stack + half)));
    // Rounding both ends keeps neighbours touching and the whole stack as high as its sum.
    const double top = std::round(frame.y.toPixel(block.high)),
                 bottom = std::round(frame.y.toPixel(block.low));
    return {left, top, right - left, bottom - top};
}

void MemoryChart::drawPlot(QPainter& painter, const PlotFrame& frame) {
    drawGhost(painter, frame);
    for (const StackBlock& block : m_blocks) {
        const QRectF rect = rectOf(block, frame);
        const auto part = static_cast<std::size_t>(block.part);
        painter.fillRect(rect, m_brushes[part]);
        if (rect.width() < 6 || rect.height() < 3) continue;
        painter.setPen(m_outlines[part]);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect.adjusted(0, 0, -1, -1));
    }
    placeLines(frame);
    drawLines(painter, frame);
    drawTotals(painter, frame);
    drawLineLabels(painter);
}

void MemoryChart::drawGhost(QPainter& painter, const PlotFrame& frame) const {
    if (!hasStages(report()) || !hasStages(pinned())) return;
    QPen pen(theme().mutedText());
    pen.setDashPattern({4, 3});
    painter.setPen(pen);
    painter.setBrush(Qt::NoBrush);
    const auto stages = std::min(pinned()->memory.stages.size(), report()->memory.stages.size());
    const bool thin = frame.x.pixelsPerUnit() < 12;
    QPolygonF tops;
    for (std::size_t i = 0; i < stages; ++i) {
        const StackBlock whole{static_cast<int>(i), 0, 0, pinned()->memory.stages[i].total_bytes / kGib};
        const double air = frame.x.pixelsPerUnit() >= 20 ? 4 : 0;
        const QRectF rect = rectOf(whole, frame).adjusted(-air, 0, air - 1, -1);
        if (!thin)
            painter.drawRect(rect);
        else
            tops << rect.topLeft() << rect.topRight();
    }
    if (thin) painter.drawPolyline(tops); // the sides of thin bars would hide everything between them
}

void MemoryChart::drawLines(QPainter& painter, const PlotFrame& frame) const {
    for (const Line& line : m_lines) {
        QPen pen(theme().color(line.role));
        if (line.role == Role::Usable) pen.setDashPattern({6, 4});
        painter.setPen(pen);
        painter.drawLine(QPointF(frame.rect.left(), line.y), QPointF(frame.rect.right(), line.y));
    }
}

// Capacity is named above its line and what is usable below its own; where bars tower over both, the pair
// moves up until it is whole.
void MemoryChart::placeLines(const PlotFrame& frame) {
    m_lines.clear();
    if (!report()) return;
    const auto& memory = report()->memory;
    const auto add = [&](double bytes, Role role, const QString& pattern) {
        if (!(bytes > 0)) return;
        Line line{role, std::round(frame.y.toPixel(bytes / kGib)), pattern.arg(formatBytes(bytes)), {}};
        LabelCache& labels = m_frame.boldLabels();
        if (labels.size(line.text).width() + 6 > frame.rect.width()) line.text = formatBytes(bytes);
        const QSizeF size = labels.size(line.text);
        const double width = std::min(size.width() + 6, frame.rect.width());
        const double y = role == Role::Usable ? line.y + 1 : line.y - size.height() - 1;
        line.label = QRectF(frame.rect.right() - width, y, width, size.height());
        m_lines.push_back(line);
    };
    add(memory.capacity_bytes, Role::Capacity, m_capacityText);
    if (memory.usable_bytes < memory.capacity_bytes) add(memory.usable_bytes, Role::Usable, m_usableText);
    double floor = frame.rect.bottom() - 1;
    for (auto line = m_lines.rbegin(); line != m_lines.rend(); ++line) {
        line->label.moveBottom(std::min(line->label.bottom(), floor));
        floor = line->label.top();
    }
    double ceiling = frame.rect.top();
    for (Line& line : m_lines) {
        line.label.moveTop(std::max(line.label.top(), ceiling));
        ceiling = line.label.bottom();
    }
}

void MemoryChart::drawLineLabels(QPainter& painter) {
    for (const Line& line : m_lines) {
        painter.fillRect(line.label, theme().card());
        painter.setPen(theme().color(line.role));
        m_frame.boldLabels().draw(painter, line.label.topLeft() + QPointF(3, 0), line.text);
    }
}

std::vector<QRectF> MemoryChart::lineLabels() const {
    std::vector<QRectF> areas;
    for (const Line& line : m_lines) areas.push_back(line.label);
    return areas;
}

void MemoryChart::drawTotals(QPainter& painter, const PlotFrame& frame) {
    if (!report()) return;
    LabelCache& labels = m_frame.boldLabels();
    const double slot = frame.x.pixelsPerUnit();
    int stage = 0;
    for (const auto& ledger : report()->memory.stages) {
        const int at = stage++;
        const QString text = formatGib(ledger.total_bytes);
        const QSizeF size = labels.size(text);
        if (size.width() + 4 > slot) return; // all or none, so that a missing one does not look like zero
        const double top = std::round(frame.y.toPixel(ledger.total_bytes / kGib)) - size.height() - 1;
        QPointF place(frame.x.toPixel(at) - size.width() / 2, std::max(top, frame.rect.top()));
        for (const Line& line : m_lines) // below the name of a line rather than under it
            if (line.label.intersects(QRectF(place, size).adjusted(-2, 1, 2, -1)))
                place.setY(line.label.bottom());
        painter.fillRect(QRectF(place, size).adjusted(-2, 1, 2, -1), theme().card());
        painter.setPen(theme().text());
        labels.draw(painter, place, text);
    }
}

void MemoryChart::drawPlotOverlay(QPainter& painter, const PlotFrame& frame) {
    const auto terms = memoryTerms();
    const auto mark = [&](const Target& target, const QColor& color, int width) {
        if (target.empty()) return;
        for (const StackBlock& block : m_blocks)
            if (target.path == terms[static_cast<std::size_t>(block.part)].path(block.stack))
                return paintMark(painter, rectOf(block, frame), color, theme().card(), width);
        if (target.stage < 0 || !hasStages(report())) return;
        if (static_cast<std::size_t>(target.stage) >= report()->memory.stages.size()) return;
        const auto& ledger = report()->memory.stages[static_cast<std::size_t>(target.stage)];
        paintMark(painter,
                  rectOf({target.stage, 0, 0, ledger.total_bytes / kGib}, frame).adjusted(-2, -2, 2, 2),
                  color, theme().card(), width);
    };
    mark(interaction().selected(), theme().text(), 2); // no band has the colour of the text
    mark(interaction().hovered(), theme().text(), 1);
}

std::optional<StackBlock> MemoryChart::blockAtPosition(const QPointF& position) const {
    if (!hasStages(report())) return {};
    const PlotFrame& frame = m_plot->frame();
    const QPointF inside = position - QPointF(m_plot->pos());
    if (!frame.rect.contains(inside)) return {};
    const double key = frame.x.toValue(inside.x());
    const int stage = static_cast<int>(std::lround(key));
    if (std::abs(key - stage) > barHalfWidth(frame.x.pixelsPerUnit(), kWidestBar)) return {};
    return blockAt(m_blocks, stage, frame.y.toValue(inside.y()), 3 / std::abs(frame.y.pixelsPerUnit()));
}

QPointF MemoryChart::positionOf(const StackBlock& block) const {
    return rectOf(block, m_plot->frame()).center() + QPointF(m_plot->pos());
}

Target MemoryChart::targetOf(const StackBlock& block) const {
    Target target;
    target.stage = block.stack;
    target.path = memoryTerms()[static_cast<std::size_t>(block.part)].path(block.stack);
    return target;
}

QString MemoryChart::tooltipFor(const StackBlock& block) const {
    const MemoryTerm& term = memoryTerms()[static_cast<std::size_t>(block.part)];
    const auto& ledger = report()->memory.stages[static_cast<std::size_t>(block.stack)];
    const double bytes = ledger.*term.bytes;
    QString text = tr("Stage %1, %2: %3 (%4 of %5)")
                       .arg(block.stack)
                       .arg(term.name(), formatBytes(bytes),
                            formatPercent(ledger.total_bytes > 0 ? bytes / ledger.total_bytes : 0),
                            formatBytes(ledger.total_bytes));
    if (hasStages(pinned()) && static_cast<std::size_t>(block.stack) < pinned()->memory.stages.size()) {
        const double before = pinned()->memory.stages[static_cast<std::size_t>(block.stack)].*term.bytes;
        const QString delta = formatDelta(bytes - before, QStringLiteral("B"));
        text += QLatin1Char('\n') +
                (delta.isEmpty() ? tr("as pinned") : tr("%1 against the pinned plan").arg(delta));
    }
    return text;
}

void MemoryChart::mouseMoveEvent(QMouseEvent* event) {
    const auto block = blockAtPosition(event->position());
    interaction().setHovered(block ? targetOf(*block) : Target{});
    if (!block) QToolTip::hideText();
}

void MemoryChart::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    const auto block = blockAtPosition(event->position());
    interaction().setSelected(block ? targetOf(*block) : Target{});
}

void MemoryChart::leaveEvent(QEvent*) { interaction().setHovered({}); }

// Left and right walk over the stages, up and down over the terms of a stage.
void MemoryChart::keyPressEvent(QKeyEvent* event) {
    const int dx = event->key() == Qt::Key_Right ? 1 : event->key() == Qt::Key_Left ? -1 : 0;
    const int dy = event->key() == Qt::Key_Up ? 1 : event->key() == Qt::Key_Down ? -1 : 0;
    if ((dx == 0 && dy == 0) || m_blocks.empty()) return ReportView::keyPressEvent(event);
    const auto current = std::find_if(m_blocks.begin(), m_blocks.end(), [&](const StackBlock& block) {
        return targetOf(block).path == interaction().selected().path;
    });
    if (current == m_blocks.end()) return interaction().setSelected(targetOf(m_blocks.front()));
    const StackBlock* best = nullptr;
    for (const StackBlock& block : m_blocks) {
        if (dy != 0 && block.stack == current->stack && (block.part - current->part) * dy > 0 &&
            (!best || std::abs(block.part - current->part) < std::abs(best->part - current->part)))
            best = &block;
        if (dx != 0 && block.stack == current->stack + dx &&
            (!best || std::abs(block.part - current->part) < std::abs(best->part - current->part)))
            best = &block;
    }
    if (best) interaction().setSelected(targetOf(*best));
}

bool MemoryChart::event(QEvent* event) {
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
