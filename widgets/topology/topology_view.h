// SPDX-License-Identifier: GPL-3.0-or-later
// Every GPU of the cluster in its node and pod, coloured by what it holds; hovering one shows its groups.
#pragma once

#include <QPixmap>
#include <vector>

#include "report_view.h"
#include "topology/topology_geometry.h"
#include "view_frame.h"

class QComboBox;

namespace shardlens {

class TopologyView : public ReportView {
    Q_OBJECT
public:
    enum class ColorBy { Stage, Tensor, Context, Expert, Data, Pipeline, Memory };
    Q_ENUM(ColorBy)

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
    void pan(const QPointF& by);
    void fit();
    [[nodiscard]] std::optional<qint64> rankAtPosition(const QPointF& position) const;
    /// Middle of a GPU in this widget.
    [[nodiscard]] QPointF positionOf(qint64 rank) const;
    [[nodiscard]] QString tooltipFor(qint64 rank) const;
    [[nodiscard]] QColor colorOf(qint64 rank) const;
    /// "tensor 8: inside one node": one per kind of group with more than one member.
    [[nodiscard]] QStringList groupLines() const;

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
    struct GroupLine {
        placement::GroupKind kind;
        Role role;
        placement::Reach reach;
    };

    [[nodiscard]] const placement::Placement* place() const;
    void arrange();
    void relayout();
    [[nodiscard]] RankLabel rankLabel();
    void clampOffset();
    void refreshTables();
    void dropBase() { m_base = QPixmap(); }
    int drawLegend(QPainter* painter, const QRect& area);
    void renderBase();
    void drawImage(QPainter& painter);
    void drawNodes(QPainter& painter);
    void drawNode(QPainter& painter, std::int64_t node);
    void drawOverlay(QPainter& painter);
    void drawGroupsOf(QPainter& painter, qint64 rank);
    void frameCell(QPainter& painter, qint64 rank, const QColor& color, int inset);
    void frameStage(QPainter& painter, int stage, const QColor& color);
    template <class Visit> void visitVisibleNodes(Visit&& visit) const;
    [[nodiscard]] QRectF cellRect(qint64 rank) const; ///< in pixels of the map area
    [[nodiscard]] int stageOf(qint64 rank) const;
    [[nodiscard]] QString groupName(placement::GroupKind kind) const;
    [[nodiscard]] QString reachText(const GroupLine& line) const;
    [[nodiscard]] QString description() const;
    [[nodiscard]] QString gpusText() const;
    [[nodiscard]] QString nodesText() const;
    [[nodiscard]] QColor memoryColor(double bytes) const;

    ViewFrame m_frame;
    QComboBox* m_combo = nullptr;
    ColorBy m_colorBy = ColorBy::Stage;
    TopologyLayout m_whole, m_layout;
    QRect m_map;
    double m_zoom = 1;
    QPointF m_offset;
    QPixmap m_base;                      // the map without what is hovered or selected
    std::vector<std::int32_t> m_groupOf; // group number by rank, only while coloured by a group
    std::vector<QColor> m_colors;        // by stage or by group number modulo its size
    std::vector<GroupLine> m_groups;
    LabelCache m_small;
    QPointF m_pressed, m_pressedOffset;
    bool m_pressing = false, m_dragging = false;
    int m_legendHeight = 0;
    double m_numberWidth = 0; // of the longest rank number
    QString m_title, m_emptyText, m_noWorldText;
};

} // namespace shardlens
