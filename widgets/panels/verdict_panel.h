// SPDX-License-Identifier: GPL-3.0-or-later
// The answer, readable from the back of a room: does it fit, how fast, how well used, how long, how much.
#pragma once

#include <QRect>
#include <vector>

#include "charts/label_cache.h"
#include "report_view.h"

class QTimer;

namespace shardlens {

class VerdictPanel : public ReportView {
    Q_OBJECT
public:
    VerdictPanel(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);
    void retranslate() override;

    struct Row {
        QString name, value, delta;
        QString path;            ///< report path of the number, for the explanation
        int better = 0;          ///< of the delta: +1 better, −1 worse
        QString band, shortBand; ///< error of the planner behind the value, whole and where room is short
        QString tip;             ///< where the band comes from
        QRect area;
    };
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }
    [[nodiscard]] QString verdictText() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void reportChanged() override;
    void themeChanged() override;
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void build();
    void buildErrors(const Report& report);
    /// The band of a row in the room that its value and name leave.
    [[nodiscard]] QString bandFor(const Row& row, int room);
    void place();
    /// On one line in the middle of `area`, shortened where it is too long; returns its width in pixels.
    int write(QPainter& painter, LabelCache& labels, const QRect& area, Qt::Alignment side,
              const QString& text);
    void describe();
    void select(int row);
    [[nodiscard]] const Report* baseline() const;
    [[nodiscard]] QFont bigFont() const;
    [[nodiscard]] QFont figureFont() const;

    ReportPtr m_rest;    ///< report at the last rest of the hand
    ReportPtr m_last;    ///< report shown before the current one
    QTimer* m_restTimer; ///< the hand rests
    QTimer* m_fadeTimer; ///< deltas against the last rest go
    QTimer* m_describeTimer;
    bool m_showDeltas = false;
    LabelCache m_labels, m_figures, m_big;
    std::vector<Row> m_rows;
    int m_current = -1;
    int m_hovered = -1;
};

} // namespace shardlens
