// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace shardlens {

/// The icon resources/icons/NAME.svg in one colour, so that it suits every theme. Sharp at every device
/// ratio.
[[nodiscard]] QIcon tintedIcon(const QString& name, const QColor& color);

} // namespace shardlens
