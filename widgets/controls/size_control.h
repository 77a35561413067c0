// SPDX-License-Identifier: GPL-3.0-or-later
// The model-size slider: a family's presets by size, and shapes scaled between them.
#pragma once

#include <QWidget>
#include <string>
#include <vector>

#include "model/family.h"

class QLabel;
class QLineEdit;
class QSlider;
class QTimer;

namespace shardlens {

class SizeControl : public QWidget {
    Q_OBJECT
public:
    explicit SizeControl(QWidget* parent = nullptr);

    /// The family to step through; an empty one disables the control and says why.
    void setFamily(const std::vector<model::FamilyMember>& family);
    [[nodiscard]] const std::vector<model::FamilyMember>& family() const { return m_family; }
    /// Shows a size without telling anyone.
    void setParameters(double parameters);
    void retranslate();

    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] QLineEdit* entry() const { return m_entry; }

signals:
    /// The hand wants this size: a preset where `id` is not empty, else a scaled shape.
    void sizeWanted(double parameters, const QString& id, int gesture);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Step {
        double parameters;
        std::string id;
    };
    void entryFinished();
    void showParameters();
    void endGesture();

    std::vector<model::FamilyMember> m_family;
    std::vector<Step> m_steps;
    double m_parameters = 0;
    int m_gesture = 1;
    QLabel* m_label;
    QSlider* m_slider;
    QLineEdit* m_entry;
    QTimer* m_rest;
};

} // namespace shardlens
