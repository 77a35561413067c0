// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/choice_box.h"

#include <QHelpEvent>
#include <QStyleOptionComboBox>
#include <QStylePainter>
#include <QToolTip>

namespace shardlens {

QString ChoiceBox::shownText() const {
    QStyleOptionComboBox option;
    initStyleOption(&option);
    const QRect room =
        style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, this);
    return fontMetrics().elidedText(currentIndex() < 0 ? placeholderText() : currentText(), Qt::ElideRight,
                                    room.width() - 4);
}

void ChoiceBox::paintEvent(QPaintEvent*) {
    QStylePainter painter(this);
    painter.setPen(palette().color(QPalette::Text));
    QStyleOptionComboBox option;
    initStyleOption(&option);
    painter.drawComplexControl(QStyle::CC_ComboBox, option);
    option.currentText = shownText();
    if (currentIndex() < 0)
        option.palette.setColor(QPalette::ButtonText, palette().color(QPalette::PlaceholderText));
    painter.drawControl(QStyle::CE_ComboBoxLabel, option);
}

bool ChoiceBox::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && currentIndex() >= 0 && shownText() != currentText()) {
        const QString whole = currentText().toHtmlEscaped();
        QToolTip::showText(static_cast<QHelpEvent*>(event)->globalPos(),
                           toolTip().isEmpty()
                               ? whole
                               : QStringLiteral("<b>%1</b><br>%2").arg(whole, toolTip().toHtmlEscaped()),
                           this);
        return true;
    }
    return QComboBox::event(event);
}

} // namespace shardlens
