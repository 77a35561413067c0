// SPDX-License-Identifier: GPL-3.0-or-later
#include "preset_bar.h"

#include <QComboBox>
#include <QEvent>
#include <QLabel>
#include <QLayout>
#include <QResizeEvent>
#include <QSignalBlocker>
#include <algorithm>

#include "controls/choice_box.h"
#include "controls/core_text.h"
#include "controls/quantity.h"
#include "document.h"
#include "launchers/launcher.h"

namespace shardlens {

using namespace Qt::StringLiterals;

PresetBar::PresetBar(Document& document, QAction* undo, QAction* redo, QAction* pin, QWidget* parent)
    : QToolBar(parent), m_document(document) {
    setObjectName(u"presetBar"_s);
    setMovable(false);
    setToolButtonStyle(Qt::ToolButtonIconOnly);
    setIconSize(QSize(18, 18));
    addAction(undo);
    addAction(redo);
    addSeparator();
    m_model = addChoice(m_modelLabel, "model", 16);
    m_node = addChoice(m_nodeLabel, "cluster.node", 20);
    m_stack = addChoice(m_stackLabel, "stack", 15);
    m_target = addChoice(m_targetLabel, "target", 13);
    m_fidelity = addChoice(m_fidelityLabel, "fidelity", 8);
    m_target->addItem(QString(), QString());
    for (const auto& launcher : launchers::table())
        for (const char* version : launcher.versions) {
            const QString id = u"%1@%2"_s.arg(QString::fromUtf8(launcher.id), QString::fromUtf8(version));
            m_target->addItem(id, id);
        }
    m_fidelity->addItem(QString(), u"detailed"_s);
    m_fidelity->addItem(QString(), u"textbook"_s);
    auto* spacer = new QWidget(this);
    spacer->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    addWidget(spacer);
    addAction(pin);
    retranslate();
}

QComboBox* PresetBar::addChoice(QLabel*& label, const char* path, int characters) {
    label = new QLabel(this);
    label->setContentsMargins(8, 0, 4, 0);
    addWidget(label);
    auto* combo = new ChoiceBox(this);
    combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    combo->setMinimumContentsLength(characters);
    m_choices.push_back(combo);
    combo->setFocusPolicy(Qt::StrongFocus);
    combo->setMaxVisibleItems(30);
    label->setBuddy(combo);
    addWidget(combo);
    connect(combo, &QComboBox::activated, this, [this, combo, path = QString::fromLatin1(path)](int index) {
        emit chosen(path, combo->itemData(index).toString().toStdString());
        showPlan(); // the choice may have been refused
    });
    return combo;
}

void PresetBar::populate() {
    const auto fill = [this](QComboBox* combo, PresetKind kind) {
        const QSignalBlocker blocker(combo);
        combo->clear();
        for (const PresetEntry& entry : m_document.catalog().list(kind)) {
            const QString name = toQString(entry.name.empty() ? entry.id : entry.name);
            combo->addItem(name, toQString(entry.id));
            combo->setItemData(combo->count() - 1, toQString(entry.id), Qt::ToolTipRole);
        }
    };
    fill(m_model, PresetKind::model);
    fill(m_node, PresetKind::node);
    fill(m_stack, PresetKind::stack);
    showPlan();
}

void PresetBar::select(QComboBox* combo, const QString& id, const QString& name) {
    const QSignalBlocker blocker(combo);
    int row = combo->findData(id);
    if (row < 0) {
        combo->insertItem(0, name, id);
        row = 0;
    }
    combo->setCurrentIndex(row);
}

void PresetBar::showPlan() {
    const Plan& plan = m_document.plan();
    // An entry for a shape of one's own stands only as long as the plan holds one.
    const bool preset = std::holds_alternative<std::string>(plan.model);
    if (const int own = m_model->findData(QString()); own >= 0) {
        const QSignalBlocker blocker(m_model);
        m_model->removeItem(own);
    }
    if (preset) {
        const QString id = toQString(std::get<std::string>(plan.model));
        select(m_model, id, id);
    } else {
        const auto& name = std::get<ModelShape>(plan.model).name;
        select(m_model, {}, name.empty() ? tr("own shape") : toQString(name));
    }
    select(m_node, toQString(plan.cluster.node), toQString(plan.cluster.node));
    select(m_stack, toQString(plan.stack), toQString(plan.stack));
    select(m_target, toQString(plan.target), toQString(plan.target));
    select(m_fidelity, plan.fidelity == Fidelity::textbook ? u"textbook"_s : u"detailed"_s, {});
}

void PresetBar::retranslate() {
    setWindowTitle(tr("Presets"));
    const auto name = [](QLabel* label, QComboBox* combo, const QString& text, const QString& tip) {
        label->setText(text);
        QString plain = text;
        combo->setAccessibleName(plain.remove(u'&'));
        combo->setToolTip(tip);
        combo->setAccessibleDescription(tip);
    };
    name(m_modelLabel, m_model, tr("&Model"), tr("The architecture that is trained"));
    name(m_nodeLabel, m_node, tr("&Cluster"), tr("The kind of node; the number of GPUs is in the plan"));
    name(m_stackLabel, m_stack, tr("&Stack"),
         tr("The training software assumed: what it fuses, overlaps and keeps"));
    name(m_targetLabel, m_target, tr("&Target"), tr("The launcher whose own rules apply on top"));
    name(m_fidelityLabel, m_fidelity, tr("F&idelity"),
         tr("Detailed: every tensor and kernel. Textbook: the formulas of the papers."));
    m_target->setItemText(m_target->findData(QString()), tr("any launcher"));
    m_fidelity->setItemText(m_fidelity->findData(u"detailed"_s), tr("detailed"));
    m_fidelity->setItemText(m_fidelity->findData(u"textbook"_s), tr("textbook"));
}

void PresetBar::fitChoices() {
    int rest = 16, choices = 0; // margins of the bar
    for (QAction* action : actions()) {
        auto* widget = widgetForAction(action);
        const bool choice = std::find(m_choices.begin(), m_choices.end(), widget) != m_choices.end();
        if (widget) (choice ? choices : rest) += std::max(0, widget->sizeHint().width());
    }
    const double share =
        choices > 0 ? std::clamp((width() - rest) / static_cast<double>(choices), 0.4, 1.0) : 1;
    for (QComboBox* combo : m_choices)
        combo->setMaximumWidth(static_cast<int>(combo->sizeHint().width() * share));
    if (!layout()) return;
    layout()->invalidate(); // it was laid out for other widths
    layout()->activate();
}

void PresetBar::resizeEvent(QResizeEvent* event) {
    QToolBar::resizeEvent(event);
    if (event->size().width() != event->oldSize().width()) fitChoices();
}

void PresetBar::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) {
        retranslate();
        fitChoices();
    }
    QToolBar::changeEvent(event);
}

} // namespace shardlens
