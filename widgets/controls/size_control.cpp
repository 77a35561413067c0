// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/size_control.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QSlider>
#include <QTimer>
#include <cmath>

#include "controls/quantity.h"

namespace shardlens {

namespace {
constexpr int kBetween = 5; ///< scaled shapes between two presets
} // namespace

SizeControl::SizeControl(QWidget* parent)
    : QWidget(parent), m_label(new QLabel(this)), m_slider(new QSlider(Qt::Horizontal, this)),
      m_entry(new QLineEdit(this)), m_rest(new QTimer(this)) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(14, 0, 24, 0);
    layout->setSpacing(4);
    m_label->setFixedWidth(104);
    m_label->setBuddy(m_entry);
    layout->addWidget(m_label);
    m_slider->setFocusPolicy(Qt::StrongFocus);
    m_slider->setPageStep(kBetween + 1);
    m_slider->installEventFilter(this);
    layout->addWidget(m_slider, 3);
    m_entry->setAlignment(Qt::AlignRight);
    m_entry->setMinimumWidth(76);
    layout->addWidget(m_entry, 1);
    m_rest->setSingleShot(true);
    m_rest->setInterval(500);
    connect(m_rest, &QTimer::timeout, this, &SizeControl::endGesture);
    connect(m_slider, &QSlider::sliderReleased, this, &SizeControl::endGesture);
    connect(m_slider, &QSlider::valueChanged, this, [this](int index) {
        const Step& step = m_steps[static_cast<std::size_t>(index)];
        emit sizeWanted(step.parameters, toQString(step.id), m_gesture);
        if (!m_slider->isSliderDown()) m_rest->start();
    });
    connect(m_entry, &QLineEdit::editingFinished, this, &SizeControl::entryFinished);
    setFamily({});
}

void SizeControl::setFamily(const std::vector<model::FamilyMember>& family) {
    m_family = family;
    m_steps.clear();
    for (std::size_t i = 0; i < family.size(); ++i) {
        m_steps.push_back({family[i].parameters, family[i].id});
        if (i + 1 == family.size()) break;
        const double ratio = family[i + 1].parameters / family[i].parameters;
        if (ratio < 1.05) continue; // nothing worth a step between
        for (int k = 1; k <= kBetween; ++k)
            m_steps.push_back({family[i].parameters * std::pow(ratio, double(k) / (kBetween + 1)), {}});
    }
    const QSignalBlocker blocker(m_slider);
    m_slider->setRange(0, std::max(0, static_cast<int>(m_steps.size()) - 1));
    m_slider->setEnabled(m_steps.size() > 1);
    m_entry->setReadOnly(m_steps.size() < 2);
    showParameters();
    retranslate();
}

void SizeControl::setParameters(double parameters) {
    if (parameters == m_parameters && !m_entry->isModified()) return;
    m_parameters = parameters;
    showParameters();
}

void SizeControl::showParameters() {
    m_entry->setText(m_parameters > 0 ? parameterText(m_parameters) : QString());
    m_entry->setModified(false);
    if (m_steps.empty() || m_parameters <= 0) return;
    int nearest = 0;
    for (int i = 1; i < static_cast<int>(m_steps.size()); ++i)
        if (std::fabs(std::log(m_steps[std::size_t(i)].parameters / m_parameters)) <
            std::fabs(std::log(m_steps[std::size_t(nearest)].parameters / m_parameters)))
            nearest = i;
    // While the hand holds the handle it stays where the hand put it; a scaled shape is only about the size
    // asked for.
    if (m_slider->isSliderDown()) return;
    const QSignalBlocker blocker(m_slider);
    m_slider->setValue(nearest);
}

void SizeControl::entryFinished() {
    if (!m_entry->isModified()) return;
    m_entry->setModified(false);
    const auto wanted = parseQuantity(m_entry->text(), QuantityKind::Real);
    if (!wanted || *wanted <= 0 || m_steps.size() < 2) return showParameters();
    const double clamped = std::clamp(*wanted, m_steps.front().parameters, m_steps.back().parameters);
    QString id;
    for (const auto& member : m_family)
        if (std::fabs(member.parameters / clamped - 1) < 0.02) id = toQString(member.id);
    emit sizeWanted(clamped, id, m_gesture);
    endGesture();
    showParameters();
}

void SizeControl::endGesture() {
    m_rest->stop();
    ++m_gesture;
}

void SizeControl::retranslate() {
    m_label->setText(tr("Model size"));
    m_slider->setAccessibleName(tr("Model size, slider"));
    m_entry->setAccessibleName(tr("Model size"));
    const QString tip =
        m_steps.size() > 1
            ? tr("Parameters. The slider steps through the presets of the model's family and through "
                 "shapes scaled between them; 13B or 1.5e9 can be typed.")
            : tr("This model belongs to no family of presets; pick one that does to scale it.");
    m_label->setToolTip(tip);
    m_slider->setToolTip(tip);
    m_entry->setToolTip(tip);
    m_entry->setAccessibleDescription(tip);
}

void SizeControl::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

bool SizeControl::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_slider && event->type() == QEvent::Wheel && !m_slider->hasFocus()) {
        event->ignore();
        return true;
    }
    if (watched == m_slider && event->type() == QEvent::FocusOut) endGesture();
    return QWidget::eventFilter(watched, event);
}

} // namespace shardlens
