// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/step_controls.h"

#include <QHBoxLayout>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <QToolButton>
#include <algorithm>
#include <limits>

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {
constexpr int kTickMilliseconds = 33;
constexpr double kStepSeconds = 1.2;
} // namespace

StepControls::StepControls(QWidget* parent)
    : QWidget(parent), m_layout(new QHBoxLayout(this)), m_slider(new QSlider(Qt::Horizontal)),
      m_clock(new QTimer(this)) {
    m_layout->setContentsMargins(0, 0, 0, 0);
    m_layout->setSpacing(6);
    for (QToolButton** button : {&m_first, &m_back, &m_play, &m_forward}) {
        *button = new QToolButton;
        (*button)->setFocusPolicy(Qt::StrongFocus);
        m_layout->addWidget(*button);
    }
    m_layout->addWidget(m_slider, 1);
    m_play->setCheckable(true);
    m_clock->setInterval(kTickMilliseconds);
    connect(m_first, &QToolButton::clicked, this, [this] { setStep(0); });
    connect(m_back, &QToolButton::clicked, this, [this] { setStep(m_step - 1); });
    connect(m_forward, &QToolButton::clicked, this, [this] { setStep(m_step + 1); });
    connect(m_play, &QToolButton::toggled, this, &StepControls::setPlaying);
    connect(m_slider, &QSlider::valueChanged, this, &StepControls::setStep);
    connect(m_clock, &QTimer::timeout, this, [this] { advance(kTickMilliseconds / 1000.0 / kStepSeconds); });
    retranslate();
    refresh(false);
}

void StepControls::addButton(QToolButton* button) {
    button->setFocusPolicy(Qt::StrongFocus);
    m_layout->insertWidget(m_layout->indexOf(m_slider), button);
}

void StepControls::setCount(qint64 count) {
    m_count = std::max<qint64>(count, 0);
    m_step = 0;
    m_progress = 0;
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(
            0, static_cast<int>(std::clamp<qint64>(m_count - 1, 0, std::numeric_limits<int>::max())));
        m_slider->setValue(0);
    }
    if (m_count == 0) m_clock->stop();
    refresh(false);
}

void StepControls::setStep(qint64 step) {
    if (m_count == 0) return;
    m_step = std::clamp<qint64>(step, 0, m_count - 1);
    m_progress = 0.5; // where a step that stands still shows its arrows best
    refresh(true);
}

bool StepControls::playing() const { return m_clock->isActive(); }

void StepControls::setPlaying(bool on) {
    on = on && m_count > 0;
    {
        const QSignalBlocker quiet(m_play);
        m_play->setChecked(on);
    }
    if (on == playing()) return;
    if (!on) {
        m_clock->stop();
    } else {
        if (m_step == m_count - 1 && m_progress > 0) m_step = 0;
        m_progress = 0;
        m_clock->start();
    }
    refresh(on);
}

void StepControls::advance(double share) {
    if (m_count == 0) return;
    m_progress += share;
    while (m_progress >= 1 && m_step + 1 < m_count) {
        m_progress -= 1;
        ++m_step;
    }
    if (m_progress >= 1) {
        m_progress = 1;
        setPlaying(false);
    }
    refresh(true);
}

void StepControls::refresh(bool moved) {
    {
        const QSignalBlocker quiet(m_slider);
        m_slider->setValue(static_cast<int>(m_step));
    }
    m_play->setEnabled(m_count > 0);
    m_slider->setEnabled(m_count > 0);
    m_first->setEnabled(m_step > 0);
    m_back->setEnabled(m_step > 0);
    m_forward->setEnabled(m_step + 1 < m_count);
    m_play->setText(playing() ? u"❚❚"_s : u"▶"_s);
    emit changed(moved);
}

void StepControls::retranslate() {
    const auto say = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
    };
    say(m_first, u"|◀"_s, tr("First step"));
    say(m_back, u"◂"_s, tr("One step back"));
    say(m_play, playing() ? u"❚❚"_s : u"▶"_s, tr("Play or pause"));
    say(m_forward, u"▸"_s, tr("One step on"));
    m_slider->setAccessibleName(tr("Step of the all-reduce"));
}

// Nobody watches: the clock rests, the step stays.
void StepControls::hideEvent(QHideEvent* event) {
    setPlaying(false);
    QWidget::hideEvent(event);
}

} // namespace shardlens
