// SPDX-License-Identifier: GPL-3.0-or-later
// Every GPU of the cluster in its node, rack and pod, coloured by what it holds or carries; hovering one
// shows its groups, a click pins them. Also shows steps of a collective and what a failure takes away.
#pragma once

#include <QBrush>
#include <QPixmap>
#include <QRegion>
#include <vector>

#include "report_view.h"
#include "topology/topology_colors.h"
#include "topology/topology_geometry.h"
#include "view_frame.h"

class QComboBox;

namespace shardlens {

/// Who sends to whom at this moment, drawn as arrows with a mark on its way.
struct TopologyMotion {
    struct Arrow {
        qint64 from = 0, to = 0;
    };
    placement::GroupKind kind = placement::GroupKind::dp;
    std::vector<std::int64_t> members;
    std::vector<Arrow> arrows;
    double progress = 0; ///< of the step, 0 … 1

    bool empty() const { return members.empty(); }
};

/// GPUs that an outage takes away or cuts off from their port, and those whose group or replica it stops.
struct TopologyOutage {
    std::vector<std::int64_t> ranks;   ///< ascending
    std::vector<std::int64_t> stopped; ///< ascending
    bool rerouted = false;             ///< the ranks are there, and send through another port
    bool empty() const { return ranks.empty(); }
};

class TopologyView : public ReportView {
    Q_OBJECT
public:
    using ColorBy = TopologyColors::By;

    TopologyView(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);

    void retranslate() override;
    [[nodiscard]] QSize sizeHint() const override { return {480, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {220, 150}; }

    [[nodiscard]] ColorBy colorBy() const { return m_colorBy; }
    void setColorBy(ColorBy what);
    /// Pixels from the top left corner of the map, which lies at mapArea() minus offset().
    [[nodiscard]] const TopologyLayout& layoutOfMap() const { return m_layout; }
    [[nodiscard]] QRect mapArea() const { return m_map; }
    [[nodiscard]] QPointF offset() const { return m_offset; }
    [[nodiscard]] double zoom() const { return m_zoom; }
    /// Zooms around a point of this widget.
    void zoomAt(const QPointF& position, double factor);
    /// Zooms around the middle.
    void zoomBy(double factor) { zoomAt(QRectF(m_map).center(), factor); }
    void pan(const QPointF& by);
    void fit();
    /// Pins a GPU and brings it into sight, near enough to read its number.
    void reveal(qint64 rank);
    [[nodiscard]] std::optional<qint64> rankAtPosition(const QPointF& position) const;
    /// A pod is one rack with a fast fabric (NVL72), and called so.
    [[nodiscard]] bool podsAreRacks() const;
    /// Middle of a GPU in this widget.
    [[nodiscard]] QPointF positionOf(qint64 rank) const;
    [[nodiscard]] QString tooltipFor(qint64 rank) const;
    [[nodiscard]] QColor colorOf(qint64 rank) const { return m_colors.fill(rank).color; }
    /// "tensor 8: inside one node": one per kind of group with more than one member.
    [[nodiscard]] QStringList groupLines() const;
    /// Members, bytes and time of the group of one kind that a GPU is in: the tooltip's line.
    [[nodiscard]] QString groupText(placement::GroupKind kind, qint64 rank) const;

    void setMotion(TopologyMotion motion);
    [[nodiscard]] const TopologyMotion& motion() const { return m_motion; }
    void setOutage(TopologyOutage outage);
    [[nodiscard]] const TopologyOutage& outage() const { return m_outage; }

protected:
    void reportChanged() override;
    void themeChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct PixelPart;
    struct GroupLine {
        placement::GroupKind kind;
        Role role;
        placement::Reach reach;
    };

    [[nodiscard]] const placement::Placement* place() const;
    [[nodiscard]] TopologyShape shapeOfCluster() const;
    void arrange();
    void relayout();
    [[nodiscard]] RankLabel rankLabel();
    void clampOffset();
    void refreshColors();
    void dropBase();
    void repaintMap();
    /// Arranges anew what stands around the map; a pinned GPU that was in view stays there.
    void rearrange();
    [[nodiscard]] bool inView(qint64 rank) const; ///< all of it
    void bringIntoView(qint64 rank);
    /// Colours are steps of a scale: a shade that is dimmed would be another step.
    [[nodiscard]] bool colorsAreScale() const {
        return m_colorBy == ColorBy::LinkLoad || m_colorBy == ColorBy::Memory;
    }
    int drawLegend(QPainter* painter, const QRect& area);
    void renderBase();
    void renderPart(QPainter& painter, const QRect& part);
    void drawGrid(QPainter& painter, const QRect& part);
    void drawCells(QPainter& painter, const QRect& part);
    void drawNodes(QPainter& painter, const QRect& part);
    void drawNode(QPainter& painter, std::int64_t node);
    void drawBoxes(QPainter& painter, const QRect& part);
    void drawOverlay(QPainter& painter);
    void drawGroupsOf(QPainter& painter, qint64 rank);
    void drawMotion(QPainter& painter);
    void drawOutage(QPainter& painter);
    void frameCell(QPainter& painter, qint64 rank, const QColor& color);
    void tagCell(QPainter& painter, qint64 rank, const std::vector<placement::GroupKind>& kinds);
    void drawNumber(QPainter& painter, qint64 rank, const QString& text, const QPointF& middle);
    void fillCell(QPainter& painter, qint64 rank, const QRectF& rect);
    void drawLost(QPainter& painter, const QRectF& cell, double width) const;
    void drawStopped(QPainter& painter, const QRectF& cell) const;
    void drawRerouted(QPainter& painter, const QRectF& cell, double width) const;
    void frameStage(QPainter& painter, int stage, const QColor& color);
    /// Where a rank is drawn, counted through the nodes as they stand, and who is drawn there. The same
    /// number unless hosts were launched in another order; a slot that the last host leaves empty has a rank
    /// behind the world.
    [[nodiscard]] qint64 slotOf(qint64 rank) const;
    [[nodiscard]] qint64 rankOf(qint64 slot) const;
    /// Calls visit(rank, slot) for the GPUs of a node.
    template <class Visit> void visitNode(std::int64_t node, Visit&& visit) const;
    [[nodiscard]] QRectF cellRect(qint64 rank) const; ///< in pixels of the map area
    [[nodiscard]] bool inSight(const QRectF& cell) const;
    [[nodiscard]] int stageOf(qint64 rank) const;
    [[nodiscard]] Target targetOf(std::optional<qint64> rank) const;
    [[nodiscard]] QString reachText(const GroupLine& line) const;
    [[nodiscard]] bool podIsDomain() const; ///< drawn as one box
    [[nodiscard]] QFont smallFont() const;  ///< inside cells
    [[nodiscard]] QString rackTitle(std::int64_t rack) const;
    [[nodiscard]] QString description() const;
    [[nodiscard]] QString gpusText() const;
    [[nodiscard]] QString nodesText() const;

    ViewFrame m_frame;
    QComboBox* m_combo = nullptr;
    ColorBy m_colorBy = ColorBy::Stage;
    TopologyColors m_colors;
    std::vector<QBrush> m_brushes; // of the fills
    TopologyLayout m_whole, m_layout;
    QRect m_map;
    double m_zoom = 1;
    QPointF m_offset;
    QPixmap m_base;                    // the map without what is hovered or selected
    QRegion m_stale;                   // of the base, to be drawn anew
    std::vector<std::uint32_t> m_grid; // fill of each GPU + 1 in a grid without gaps, while cells are small
    std::vector<GroupLine> m_groups;
    std::vector<std::int64_t> m_launchedAt; // launch number of the host in a place; empty: the same number
    LabelCache m_small;
    TopologyMotion m_motion;
    TopologyOutage m_outage;
    QPointF m_pressed, m_pressedOffset;
    bool m_pressing = false, m_dragging = false;
    int m_legendHeight = 0;
    double m_numberWidth = 0; // of the longest rank number
    int m_stroke = 1;         // pixels of a line beside text of this size
    QString m_title, m_emptyText, m_noWorldText;
};

} // namespace shardlens
