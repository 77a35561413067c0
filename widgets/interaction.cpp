// SPDX-License-Identifier: GPL-3.0-or-later
#include "interaction.h"

namespace shardlens {

void Interaction::setHovered(const Target& target) {
    if (target == m_hovered) return;
    m_hovered = target;
    emit hoveredChanged();
}

void Interaction::setSelected(const Target& target) {
    if (target == m_selected) return;
    m_selected = target;
    emit selectedChanged();
}

} // namespace shardlens
