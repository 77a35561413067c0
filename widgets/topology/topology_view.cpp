// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/topology_view.h"

#include <QComboBox>
#include <QPaintEvent>
#include <QPainter>
#include <array>

#include "format.h"

namespace shardlens {

using placement::Axis;
using placement::GroupKind;

namespace {

constexpr int kCategories = 8;

struct ShownKind {
    GroupKind kind;
    Role role;
};
constexpr std::array kShownKinds = {
    ShownKind{GroupKind::tp, Role::TensorGroup},   ShownKind{GroupKind::cp, Role::ContextGroup},
    ShownKind{GroupKind::ep, Role::ExpertGroup},   ShownKind{GroupKind::dp, Role::DataGroup},
    ShownKind{GroupKind::pp, Role::PipelineGroup},
};

std::optional<GroupKind> groupKindOf(TopologyView::ColorBy what) {
    switch (what) {
    case TopologyView::ColorBy::Tensor: return GroupKind::tp;
    case TopologyView::ColorBy::Context: return GroupKind::cp;
    case TopologyView::ColorBy::Expert: return GroupKind::ep;
    case TopologyView::ColorBy::Data: return GroupKind::dp;
    case TopologyView::ColorBy::Pipeline: return GroupKind::pp;
    case TopologyView::ColorBy::Stage:
    case TopologyView::ColorBy::Memory: break;
    }
    return {};
}

} // namespace

TopologyView::TopologyView(const Theme& theme, Interaction& interaction, QWidget* parent)
    : ReportView(theme, interaction, parent), m_combo(new QComboBox(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    for (int i = 0; i <= static_cast<int>(ColorBy::Memory); ++i) m_combo->addItem(QString());
    connect(m_combo, &QComboBox::activated, this,
            [this](int index) { setColorBy(static_cast<ColorBy>(index)); });
    const auto repaint = [this] { update(m_map.adjusted(-2, -2, 2, 2)); };
    connect(&interaction, &Interaction::hoveredChanged, this, repaint);
    connect(&interaction, &Interaction::selectedChanged, this, repaint);
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
                               tr("memory used")};
    for (int i = 0; i < names.size(); ++i) m_combo->setItemText(i, names[i]);
    m_combo->setAccessibleName(tr("Colour GPUs by"));
    m_combo->setToolTip(tr("What the colour of a GPU stands for"));
    setAccessibleName(tr("Cluster map"));
    setAccessibleDescription(description());
    arrange();
    dropBase();
    update();
}

QString TopologyView::gpusText() const {
    return tr("%Ln GPU(s)", nullptr, static_cast<int>(m_whole.shape.gpus));
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
    refreshTables();
    arrange();
    dropBase();
    update();
}

void TopologyView::reportChanged() {
    m_groups.clear();
    if (const auto* placed = place())
        for (const auto& [kind, role] : kShownKinds) {
            if (kind == GroupKind::ep && !placed->has_experts()) continue;
            const placement::Reach reach = placed->reach(kind);
            if (reach.members > 1) m_groups.push_back({kind, role, reach});
        }
    refreshTables();
    arrange();
    dropBase();
    setAccessibleDescription(description());
}

void TopologyView::themeChanged() {
    refreshTables();
    dropBase();
}

// Colours by stage or by number of the group; looked up once per report, not once per GPU and paint.
void TopologyView::refreshTables() {
    m_groupOf.clear();
    m_colors.clear();
    const auto* placed = place();
    if (!placed) return;
    if (m_colorBy == ColorBy::Memory) {
        for (const auto& stage : report()->memory.stages) m_colors.push_back(memoryColor(stage.total_bytes));
    }
    if (m_colors.empty())
        for (int i = 0; i < kCategories; ++i) m_colors.push_back(theme().categorical(i));
    const auto kind = groupKindOf(m_colorBy);
    if (!kind) return;
    m_groupOf.assign(static_cast<std::size_t>(placed->world()), 0);
    const std::int64_t count = placed->group_count(*kind);
    for (std::int64_t index = 0; index < count; ++index)
        for (const std::int64_t rank : placed->group(*kind, index))
            m_groupOf[static_cast<std::size_t>(rank)] = static_cast<std::int32_t>(index);
}

QColor TopologyView::memoryColor(double bytes) const {
    const auto& memory = report()->memory;
    if (bytes > memory.capacity_bytes) return theme().color(Role::Bad);
    if (bytes > memory.usable_bytes) return theme().color(Role::Gradients);
    const double share = memory.capacity_bytes > 0 ? bytes / memory.capacity_bytes : 0;
    return mixed(mixed(theme().card(), theme().text(), 0.1), theme().color(Role::Backward),
                 0.1 + 0.9 * share);
}

int TopologyView::stageOf(qint64 rank) const {
    return static_cast<int>(place()->dense().coordinate(rank, Axis::pp));
}

QColor TopologyView::colorOf(qint64 rank) const {
    const std::size_t number = m_groupOf.empty()
                                   ? static_cast<std::size_t>(stageOf(rank))
                                   : static_cast<std::size_t>(m_groupOf[static_cast<std::size_t>(rank)]);
    return m_colors[number % m_colors.size()];
}

QString TopologyView::groupName(GroupKind kind) const {
    switch (kind) {
    case GroupKind::tp: return tr("tensor");
    case GroupKind::cp: return tr("context");
    case GroupKind::ep: return tr("expert");
    case GroupKind::dp: return tr("data");
    case GroupKind::pp: return tr("pipeline");
    default: return QString::fromLatin1(placement::to_string(kind));
    }
}

QString TopologyView::reachText(const GroupLine& line) const {
    const QString name = tr("%1 %2").arg(groupName(line.kind)).arg(line.reach.members);
    if (line.reach.nodes <= 1) return tr("%1: inside one node").arg(name);
    if (line.reach.pods <= 1) return tr("%1: over %2 nodes").arg(name).arg(line.reach.nodes);
    return tr("%1: over %2 nodes in %3 pods").arg(name).arg(line.reach.nodes).arg(line.reach.pods);
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
    const auto stages = placed->dense().size(Axis::pp);
    if (m_colorBy == ColorBy::Memory) {
        const auto& memory = report()->memory;
        for (const double share : {0.25, 0.5, 0.75}) {
            const QColor color = memoryColor(memory.usable_bytes * share);
            colors.add(color, theme().outline(color), formatBytes(memory.usable_bytes * share));
        }
        colors.add(theme().color(Role::Gradients), theme().outline(Role::Gradients), tr("over usable"));
        colors.add(theme().color(Role::Bad), theme().outline(Role::Bad), tr("over capacity"));
    } else if (m_colorBy == ColorBy::Stage) {
        const auto shown = static_cast<int>(std::min<std::int64_t>(stages, kCategories));
        for (int stage = 0; stage < shown; ++stage) {
            QString text = stage == 0 ? tr("stage %1").arg(stage) : QString::number(stage);
            if (stage + 1 == shown && stages > shown) text += tr(", then the colours repeat");
            colors.add(theme().categorical(stage), theme().outline(theme().categorical(stage)), text);
        }
    }
    const int above = colors.height();
    LegendPainter groups(painter, m_frame.labels(), theme(), area.adjusted(0, above, 0, 0));
    for (const GroupLine& line : m_groups)
        groups.add(Qt::NoBrush, theme().color(line.role), reachText(line), theme().color(line.role));
    return above + groups.height();
}

void TopologyView::arrange() {
    m_frame.update(*this);
    QFont small = font();
    if (small.pixelSize() > 0)
        small.setPixelSize(std::max(8, small.pixelSize() * 5 / 6));
    else
        small.setPointSizeF(small.pointSizeF() * 5 / 6);
    m_small.setFont(small);

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

    const TopologyShape shape{place()->world(), place()->gpus_per_node(), place()->nodes_per_pod()};
    if (shape != m_whole.shape) m_zoom = 1, m_offset = {};
    const TopologyLayout whole = layOutTopology(shape, m_map.width(), m_map.height(), rankLabel());
    if (whole == m_whole) return;
    m_whole = whole;
    relayout();
}

RankLabel TopologyView::rankLabel() {
    const QSizeF size = m_small.size(QString::number(std::max<qint64>(place()->world() - 1, 0)));
    return {size.width(), size.height()};
}

// The layout at the current zoom.
void TopologyView::relayout() {
    if (!place()) return;
    m_layout =
        m_zoom <= 1 ? m_whole : zoomTopology(m_whole, m_map.width(), m_map.height(), m_zoom, rankLabel());
    clampOffset();
    dropBase();
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
    if (m_base.isNull() || m_base.devicePixelRatio() != devicePixelRatioF()) renderBase();
    painter.setClipRect(m_map.adjusted(-2, -2, 2, 2));
    const bool focusOnRank = interaction().hovered().rank >= 0 || interaction().selected().rank >= 0;
    if (focusOnRank && m_layout.detail != TopologyDetail::Labels) { // small cells: the others step back
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
