// SPDX-License-Identifier: GPL-3.0-or-later
// A layer under tensor parallelism: its matrices cut by column and by row, shapes on the edges, collectives
// where they sit, heads as cells; of a mixture of experts the routed ones that a rank holds.
#pragma once

#include <optional>

#include "matrix/matrix_geometry.h"
#include "report_view.h"
#include "view_frame.h"

namespace shardlens {

class MatrixView : public ReportView {
    Q_OBJECT
public:
    MatrixView(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);

    /// Another degree than the plan's; nothing: the plan's.
    void setTensor(std::optional<std::int64_t> tensor);
    void setSequence(std::optional<bool> sequence);
    /// A layer of experts or a dense one, where the model has both; nothing: of experts.
    void setExperts(std::optional<bool> moe);
    /// Of a mixture of experts: are some layers dense? Needs a report.
    [[nodiscard]] bool hasDenseLayers() const;
    /// The rank whose parts are filled.
    void setRank(std::int64_t rank);
    [[nodiscard]] std::int64_t rank() const { return m_rank; }
    [[nodiscard]] const MatrixModel& model() const { return m_model; }
    /// One sentence about what cannot be cut evenly; "" when all can.
    [[nodiscard]] QString uneven() const;

    void retranslate() override;
    [[nodiscard]] QSize sizeHint() const override { return {560, 380}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {320, 240}; }

signals:
    void rankChanged();

protected:
    void reportChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void rebuild();
    [[nodiscard]] QString description() const;
    struct Row {
        const MatrixHalf* half;
        QString title;
        QRectF area;
    };
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] QString expertsText() const;
    /// Sizes as engineers write them, without groups.
    [[nodiscard]] static QString count(double value);
    void paintHalf(QPainter& painter, const MatrixHalf& half, const QRectF& area, const QString& title);
    /// `edge` is the width of the room for shapes beside it.
    void paintBox(QPainter& painter, const MatrixBox& box, const QRectF& rect, double edge);
    void paintExchange(QPainter& painter, const MatrixExchange& exchange, const QRectF& rect);
    void paintHeads(QPainter& painter, const MatrixHeads& heads, const QRectF& rect, double edge);
    void paintEdge(QPainter& painter, const QRectF& rect, double rows, double columns);
    /// One line, in smaller type where the room is narrow.
    void fitted(QPainter& painter, const QRectF& room, const QString& text, const QColor& ink);
    /// Up to two lines.
    void wrapped(QPainter& painter, const QRectF& room, const QString& text, const QColor& ink,
                 int alignment);
    void text(QPainter& painter, const QRectF& room, const QString& text, const QColor& ink, int flags);

    ViewFrame m_frame;
    MatrixModel m_model;
    bool m_have = false;
    std::optional<std::int64_t> m_tensor;
    std::optional<bool> m_sequence;
    std::optional<bool> m_moe;
    std::int64_t m_rank = 0;
};

} // namespace shardlens
