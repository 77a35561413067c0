// SPDX-License-Identifier: GPL-3.0-or-later
// Buttons, slider and clock of something that is played step by step.
#pragma once

#include <QWidget>

class QHBoxLayout;
class QSlider;
class QTimer;
class QToolButton;

namespace shardlens {

class StepControls : public QWidget {
    Q_OBJECT
public:
    explicit StepControls(QWidget* parent = nullptr);

    /// Starts anew with so many steps; 0: nothing can be played.
    void setCount(qint64 count);
    [[nodiscard]] qint64 count() const { return m_count; }
    [[nodiscard]] qint64 step() const { return m_step; }
    /// How far the step has gone, 0 to 1.
    [[nodiscard]] double progress() const { return m_progress; }
    void setStep(qint64 step);
    [[nodiscard]] bool playing() const;
    /// Starts at the first step when the last one has been shown.
    void setPlaying(bool on);
    /// Moves on by a share of a step; what the clock does while it plays.
    void advance(double share);
    void retranslate();
    /// Room for a button of the owner between the others and the slider.
    void addButton(QToolButton* button);

signals:
    /// Step, progress, count or playing differ; `moved`: by a hand or the clock, not by a new count.
    void changed(bool moved);

protected:
    void hideEvent(QHideEvent* event) override;

private:
    void refresh(bool moved);

    QHBoxLayout* m_layout;
    QToolButton *m_first, *m_back, *m_play, *m_forward;
    QSlider* m_slider;
    QTimer* m_clock;
    qint64 m_count = 0, m_step = 0;
    double m_progress = 0;
};

} // namespace shardlens
