// SPDX-License-Identifier: GPL-3.0-or-later
// The one interaction state that every view reads and none owns: what is hovered and what is selected.
#pragma once

#include <QObject>
#include <QString>

namespace shardlens {

/// Something a view can point at. Negative numbers and empty strings: not about that.
struct Target {
    int stage = -1;       ///< pipeline rank
    qint64 rank = -1;     ///< global rank (a GPU)
    qint64 microBatch = -1;
    QString path;         ///< report path of a number: "memory.stages.0.activations_bytes", "time.bubble_s"

    bool operator==(const Target&) const = default;
    [[nodiscard]] bool empty() const { return *this == Target{}; }
};

class Interaction : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;
    [[nodiscard]] const Target& hovered() const { return m_hovered; }
    [[nodiscard]] const Target& selected() const { return m_selected; }

public slots:
    void setHovered(const shardlens::Target& target);
    void setSelected(const shardlens::Target& target);

signals:
    void hoveredChanged();
    void selectedChanged();

private:
    Target m_hovered, m_selected;
};

} // namespace shardlens
