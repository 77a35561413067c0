// SPDX-License-Identifier: GPL-3.0-or-later
// A combo box whose text ends in an ellipsis when it is cut, and is whole in the tooltip.
#pragma once

#include <QComboBox>

namespace shardlens {

class ChoiceBox : public QComboBox {
    Q_OBJECT
public:
    using QComboBox::QComboBox;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// The current text as far as there is room for it.
    [[nodiscard]] QString shownText() const;
};

} // namespace shardlens
