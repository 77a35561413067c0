// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce of ranks of one's own choice, step by step: ring, tree, two levels, parameter server; who
// sends what, what everybody holds, and the bytes counted against their closed forms.
#pragma once

#include <QWidget>
#include <optional>

#include "collective/collective_state.h"
#include "theme/theme.h"
#include "view_frame.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace shardlens {

class StepControls;

/// The drawing: ranks on their nodes, each with its vector in parts, and the step's transfers as arrows.
class CollectiveCanvas : public QWidget {
    Q_OBJECT
public:
    explicit CollectiveCanvas(const Theme& theme, QWidget* parent = nullptr);
    void setTheme(const Theme& theme);
    /// `step` null: nothing moves.
    void show(const CollectiveSpec& spec, const CollectiveState& state, const placement::AllReduceStep& step,
              double progress, const QString& title);
    /// Where a rank is drawn (for tests).
    [[nodiscard]] QRectF rankRect(std::int64_t rank) const;
    [[nodiscard]] QSize sizeHint() const override { return {520, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {260, 170}; }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    /// Null: only measures. The height that it takes.
    int drawLegend(QPainter* painter, const QRect& area);
    void fitLegend();
    void paintRank(QPainter& painter, std::int64_t rank);
    void paintArrows(QPainter& painter);

    Theme m_theme;
    ViewFrame m_frame;
    CollectiveSpec m_spec;
    CollectiveState m_state;
    placement::AllReduceStep m_step;
    double m_progress = 0;
    int m_legendHeight = 0;
    QString m_title;
};

class CollectiveView : public QWidget {
    Q_OBJECT
public:
    explicit CollectiveView(const Theme& theme, QWidget* parent = nullptr);

    void setSpec(const CollectiveSpec& spec);
    [[nodiscard]] const CollectiveSpec& spec() const { return m_spec; }
    void setTheme(const Theme& theme);
    void retranslate();

    [[nodiscard]] StepControls& controls() const { return *m_controls; }
    [[nodiscard]] CollectiveCanvas& canvas() const { return *m_canvas; }
    [[nodiscard]] QString caption() const;
    /// Bytes of the busiest rank counted over every step, and what the closed form says.
    [[nodiscard]] double countedBytes() const;
    [[nodiscard]] double expectedBytes() const;

protected:
    void changeEvent(QEvent* event) override;

private:
    void readControls();
    void rebuild();
    void refresh();

    CollectiveSpec m_spec;
    std::optional<placement::AllReduceSteps> m_steps;
    QString m_problem;
    QComboBox* m_kind;
    QSpinBox *m_ranks, *m_perNode;
    QLineEdit* m_bytes;
    QLabel *m_ranksLabel, *m_perNodeLabel, *m_bytesLabel, *m_caption;
    CollectiveCanvas* m_canvas;
    StepControls* m_controls;
};

} // namespace shardlens
