// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTabWidget>

namespace shardlens {

/// The tabs of the centre, close together: all their names fit between the panels of a window of 1280 pixels.
class ViewTabs : public QTabWidget {
public:
    explicit ViewTabs(QWidget* parent = nullptr);
};

} // namespace shardlens
