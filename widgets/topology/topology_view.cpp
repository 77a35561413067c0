// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_view.h"

#include <QComboBox>
#include <QPaintEvent>
#include <QPainter>
#include <algorithm>
#include <utility>

#include "charts/stroke.h"
#include "format.h"

namespace shardlens {

using placement::Axis;
using placement::GroupKind;

namespace {

constexpr std::int64_t kMostInARack = 288; // GPUs; a fast fabric of more is a torus

} // namespace

TopologyView::TopologyView(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_combo(new QComboBox(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    for (int i = 0; i <= static_cast<int>(ColorBy::LinkLoad); ++i) m_combo->addItem(QString());
    connect(m_combo, &QComboBox::activated, this,
            [this](int index) { setColorBy(static_cast<ColorBy>(index)); });
    connect(&interaction, &Interaction::hoveredChanged, this, &TopologyView::repaintMap);
    connect(&interaction, &Interaction::selectedChanged, this, &TopologyView::repaintMap);
    retranslate();
}

const placement::Placement* TopologyView::place() const {
    return report() ? report()->placement.get() : nullptr;
}

void TopologyView::retranslate() {
    m_title = tr("Cluster");
    m_emptyText = tr("Pick a model and a cluster, or open a plan, to see which GPU holds what.");
    m_noWorldText = tr("The degrees of parallelism do not multiply to the number of GPUs; see the messages.");
    const QStringList names = {tr("pipeline stage"), tr("tensor group"), tr("context group"),
                               tr("expert group"),   tr("data group"),   tr("pipeline group"),
                               tr("memory used"),    tr("network load")};
    for (int i = 0; i < names.size(); ++i) m_combo->setItemText(i, names[i]);
    m_combo->setAccessibleName(tr("Colour GPUs by"));
    m_combo->setToolTip(tr("What the colour of a GPU stands for"));
    setAccessibleName(tr("Cluster map"));
    setAccessibleDescription(description());
    refreshColors();
    arrange();
    dropBase();
    update();
}

QString TopologyView::gpusText() const {
    return tr("%Ln GPU(s)", nullptr, static_cast<int>(place() ? place()->world() : 0));
}

QString TopologyView::nodesText() const {
    return tr("%Ln node(s)", nullptr, static_cast<int>(m_whole.shape.nodes()));
}

QString TopologyView::description() const {
    if (!report()) return m_emptyText;
    if (!place()) return m_noWorldText;
    QString text = tr("%1 in %2.").arg(gpusText(), nodesText());
    const QStringList lines = groupLines();
    if (!lines.isEmpty()) text += QLatin1Char(' ') + lines.join(QStringLiteral("; ")) + QLatin1Char('.');
    return text;
}

void TopologyView::setColorBy(ColorBy what) {
    if (what == m_colorBy) return;
    m_colorBy = what;
    m_combo->setCurrentIndex(static_cast<int>(what));
    refreshColors();
    rearrange();
    dropBase();
    update();
}

void TopologyView::rearrange() {
    const qint64 pinned = interaction().selected().rank;
    const bool seen = inView(pinned);
    arrange();
    if (seen) bringIntoView(pinned);
}

void TopologyView::reportChanged() {
    m_groups.clear();
    m_motion = {}; // of another plan
    m_outage = {};
    if (const auto* placed = place())
        for (const GroupKind kind : shownKinds(*placed))
            m_groups.push_back({kind, roleOf(kind), placed->reach(kind)});
    m_launchedAt.clear();
    if (const auto* placed = place()) {
        const qint64 perNode = placed->gpus_per_node(), nodes = placed->node_count();
        if (placed->hosts_moved()) {
            m_launchedAt.resize(static_cast<std::size_t>(nodes));
            for (qint64 host = 0; host < nodes; ++host)
                m_launchedAt[static_cast<std::size_t>(placed->node_of(host * perNode))] = host;
        }
    }
    refreshColors();
    arrange();
    dropBase();
    setAccessibleDescription(description());
}

void TopologyView::themeChanged() {
    refreshColors();
    dropBase();
}

void TopologyView::refreshColors() {
    m_colors.update(m_colorBy, report().get(), theme());
    m_brushes.clear();
    for (const auto& fill : m_colors.fills()) m_brushes.push_back(theme().brush(fill.color, fill.pattern));
}

void TopologyView::dropBase() {
    m_stale = QRect(QPoint(), m_map.size());
    m_grid.clear();
}

void TopologyView::repaintMap() { update(m_map.adjusted(-2, -2, 2, 2)); }

void TopologyView::setMotion(TopologyMotion motion) {
    m_motion = std::move(motion);
    repaintMap();
}

void TopologyView::setOutage(TopologyOutage outage) {
    m_outage = std::move(outage);
    rearrange(); // the legend says what the marks mean
    update();
}

int TopologyView::stageOf(qint64 rank) const {
    return static_cast<int>(place()->dense().coordinate(rank, Axis::pp));
}

qint64 TopologyView::slotOf(qint64 rank) const {
    if (m_launchedAt.empty()) return rank;
    return place()->node_of(rank) * m_layout.shape.gpusPerNode + place()->local_of(rank);
}

qint64 TopologyView::rankOf(qint64 slot) const {
    if (m_launchedAt.empty()) return slot;
    const qint64 perNode = m_layout.shape.gpusPerNode;
    return m_launchedAt[static_cast<std::size_t>(slot / perNode)] * perNode + slot % perNode;
}

Target TopologyView::targetOf(std::optional<qint64> rank) const {
    Target target;
    if (rank) {
        target.rank = *rank;
        target.stage = stageOf(*rank);
    }
    return target;
}

QString TopologyView::reachText(const GroupLine& line) const {
    const QString name = tr("%1 %2").arg(groupName(line.kind)).arg(line.reach.members);
    if (line.reach.nodes <= 1) return tr("%1: inside one node").arg(name);
    if (line.reach.domains <= 1)
        return tr("%1: over %2 nodes of one fast fabric").arg(name).arg(line.reach.nodes);
    if (line.reach.pods <= 1) return tr("%1: over %2 nodes").arg(name).arg(line.reach.nodes);
    if (podsAreRacks())
        return tr("%1: %2 nodes in %3 racks").arg(name).arg(line.reach.nodes).arg(line.reach.pods);
    return tr("%1: %2 nodes in %3 pods").arg(name).arg(line.reach.nodes).arg(line.reach.pods);
}

QStringList TopologyView::groupLines() const {
    QStringList lines;
    for (const GroupLine& line : m_groups) lines.push_back(reachText(line));
    return lines;
}

int TopologyView::drawLegend(QPainter* painter, const QRect& area) {
    const auto* placed = place();
    if (!placed) return 0;
    LegendPainter colors(painter, m_frame.labels(), theme(), area);
    const auto& entries = m_colors.legend();
    for (const auto& entry : entries)
        colors.add(theme().brush(entry.fill.color, entry.fill.pattern), theme().outline(entry.fill.color),
                   entry.text);
    if (!m_outage.empty()) {
        const auto mark = [](auto draw) {
            return [draw](QPainter& on, const QRect& swatch) { draw(on, QRectF(swatch)); };
        };
        if (m_outage.rerouted)
            colors.add(mark([this](QPainter& on, const QRectF& cell) { drawRerouted(on, cell, 1); }),
                       theme().color(Role::Caution), tr("sends through another port"));
        else
            colors.add(mark([this](QPainter& on, const QRectF& cell) { drawLost(on, cell, 1); }),
                       theme().color(Role::Bad), tr("lost"));
        if (!m_outage.stopped.empty())
            colors.add(mark([this](QPainter& on, const QRectF& cell) { drawStopped(on, cell); }),
                       theme().color(Role::Caution), tr("stops with it"));
    }
    const int above = colors.height();
    LegendPainter groups(painter, m_frame.labels(), theme(), area.adjusted(0, above, 0, 0));
    for (const GroupLine& line : m_groups)
        groups.add(Qt::NoBrush, theme().color(line.role),
                   groupLetter(line.kind) + QStringLiteral(" ") + reachText(line), theme().color(line.role));
    return above + groups.height();
}

void TopologyView::arrange() {
    m_frame.update(*this);
    m_stroke = strokePixels(font());
    m_small.setFont(smallFont());

    const QRect body = m_frame.body();
    const bool any = place() != nullptr;
    m_combo->setVisible(any);
    const QSize wanted = m_combo->sizeHint();
    const int comboWidth = std::min(wanted.width(), width() / 2);
    m_combo->setGeometry(width() - comboWidth - 8, 5, comboWidth, wanted.height());
    m_legendHeight = drawLegend(nullptr, body);
    if (body.height() - m_legendHeight < 110) m_legendHeight = 0;
    m_map = body;
    m_map.setTop(std::max(body.top(), m_combo->geometry().bottom() + 4));
    m_map.setBottom(body.bottom() - m_legendHeight - (m_legendHeight > 0 ? 4 : 0));
    if (!any) return;

    const TopologyShape shape = shapeOfCluster();
    if (shape != m_whole.shape) m_zoom = 1, m_offset = {};
    const auto layOut = [&] { return layOutTopology(shape, m_map.width(), m_map.height(), rankLabel()); };
    // Large type is as large inside cells as round them, where that leaves the numbers their place.
    if (m_stroke > 1) m_small.setFont(font());
    TopologyLayout whole = layOut();
    const auto numbered = [&] {
        return whole.detail == TopologyDetail::Labels && rankLabel().width <= whole.cellWidth &&
               rankLabel().height <= whole.cellHeight;
    };
    if (m_stroke > 1 && !numbered()) {
        m_small.setFont(smallFont());
        whole = layOut();
    }
    if (whole == m_whole) return;
    m_whole = whole;
    m_grid.clear();
    relayout();
}

QFont TopologyView::smallFont() const {
    QFont small = font();
    if (small.pixelSize() > 0)
        small.setPixelSize(std::max(8, small.pixelSize() * 5 / 6));
    else
        small.setPointSizeF(small.pointSizeF() * 5 / 6);
    return small;
}

// A fast fabric over several nodes is a rack; where it is also the pod, the rack is drawn.
TopologyShape TopologyView::shapeOfCluster() const {
    TopologyShape shape{place()->world(), place()->gpus_per_node(), place()->nodes_per_pod()};
    // The host that is not full may stand anywhere.
    if (place()->hosts_moved()) shape.gpus = place()->node_count() * shape.gpusPerNode;
    const std::int64_t domain = report()->setup ? report()->setup->cluster.node.scale_up_domain : 0;
    const std::int64_t rack = domain / std::max<std::int64_t>(1, shape.gpusPerNode);
    if (rack > 1) shape.nodesPerRack = rack;
    if (rack > 1 && shape.nodesPerPod == rack) shape.nodesPerPod = 0;
    return shape;
}

bool TopologyView::podsAreRacks() const {
    return podIsDomain() && place()->nodes_per_pod() * place()->gpus_per_node() <= kMostInARack;
}

bool TopologyView::podIsDomain() const {
    return place() && place()->nodes_per_pod() > 0 &&
           shapeOfCluster().nodesPerRack == place()->nodes_per_pod();
}

QString TopologyView::rackTitle(std::int64_t rack) const {
    if (m_whole.shape.nodesPerRack * m_whole.shape.gpusPerNode <= kMostInARack)
        return tr("rack %1").arg(rack);
    return podIsDomain() ? tr("pod %1").arg(rack) : tr("fast fabric %1").arg(rack);
}

RankLabel TopologyView::rankLabel() {
    const QSizeF size = m_small.size(QString::number(std::max<qint64>(place()->world() - 1, 0)));
    // Titles are as high; Chinese is higher than digits.
    return {size.width(), std::max(size.height(), m_small.size(tr("node %1").arg(0)).height()),
            double(m_stroke)};
}

// The layout at the current zoom.
void TopologyView::relayout() {
    if (!place()) return;
    m_layout =
        m_zoom <= 1 ? m_whole : zoomTopology(m_whole, m_map.width(), m_map.height(), m_zoom, rankLabel());
    clampOffset();
    m_stale = QRect(QPoint(), m_map.size()); // the image of one pixel per GPU stays: columns are the same
}

void TopologyView::clampOffset() {
    const double right = std::max(0.0, m_layout.left + m_layout.width() - m_map.width());
    const double bottom = std::max(0.0, m_layout.top + m_layout.height() - m_map.height());
    m_offset = {std::clamp(std::round(m_offset.x()), 0.0, right),
                std::clamp(std::round(m_offset.y()), 0.0, bottom)};
}

void TopologyView::resizeEvent(QResizeEvent*) {
    arrange();
    relayout();
}

void TopologyView::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) {
        arrange();
        dropBase();
    }
    ReportView::changeEvent(event);
}

void TopologyView::paintEvent(QPaintEvent* event) {
    QPainter painter(this);
    m_frame.update(*this);
    const bool any = place() != nullptr;
    if (!m_map.contains(event->rect())) {
        QStringList notes;
        if (any) notes << tr("%1, %2").arg(gpusText(), nodesText()) << gpusText();
        m_frame.paint(painter, theme(), m_title, notes, any ? m_combo->width() + 8 : 0);
        if (any && m_legendHeight > 0) {
            QRect area = m_frame.body();
            area.setTop(area.bottom() - m_legendHeight + 1);
            drawLegend(&painter, area);
        }
    }
    countPaint();
    if (!any) return m_frame.paintEmpty(painter, theme(), report() ? m_noWorldText : m_emptyText);
    renderBase();
    painter.setClipRect(m_map.adjusted(-2, -2, 2, 2));
    const bool focusOnRank = interaction().hovered().rank >= 0 || interaction().selected().rank >= 0 ||
                             !m_motion.empty() || !m_outage.empty();
    if (focusOnRank && !colorsAreScale() &&
        m_layout.detail != TopologyDetail::Labels) { // small cells: the others step back
        painter.fillRect(m_map, theme().card());
        painter.setOpacity(0.4);
        painter.drawPixmap(m_map.topLeft(), m_base);
        painter.setOpacity(1);
    } else {
        painter.drawPixmap(m_map.topLeft(), m_base);
    }
    painter.translate(m_map.topLeft());
    drawOverlay(painter);
}

} // namespace shardlens
