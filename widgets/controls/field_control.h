// SPDX-License-Identifier: GPL-3.0-or-later
// One plan field under the hand: label, slider over the legal values, entry field (or combo box, or check
// box), a mark when something is wrong with it, and a lock.
#pragma once

#include <QString>
#include <QWidget>
#include <vector>

#include "plan/fields.h"

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSlider;
class QTimer;
class QToolButton;

namespace shardlens {

class FieldControl : public QWidget {
    Q_OBJECT
public:
    explicit FieldControl(const Field& field, QWidget* parent = nullptr);

    [[nodiscard]] const Field& field() const { return m_field; }
    [[nodiscard]] QString path() const { return m_path; }

    /// Shows a value of the plan without telling anyone. `acting` is what holds where the plan leaves the
    /// field out; it is shown in its place, in italics.
    void setValue(const FieldValue& value, const FieldValue& acting);
    /// What the slider steps through, ascending; fewer than two values disable it.
    void setLegalValues(const std::vector<double>& values);
    /// Shows the slider also before there are values for it; once it had some, it stays anyway.
    void keepSlider();
    /// Marks the field with a sentence; an empty one removes the mark.
    void setMark(Severity severity, const QString& text);
    [[nodiscard]] QString markText() const { return m_mark.isEmpty() ? m_entryError : m_mark; }

    /// Without it there is no lock: where no search will come by.
    void setLockable(bool lockable);
    [[nodiscard]] bool locked() const;
    void setLocked(bool locked);

    /// Shown label; shorter than the table's where the group already says it.
    void setLabel(const char* english);
    void retranslate();

    /// The entry, combo box or check box.
    [[nodiscard]] QWidget* mainWidget() const { return m_main; }
    [[nodiscard]] QSlider* slider() const { return m_slider; }
    [[nodiscard]] QLineEdit* entry() const { return m_entry; }
    [[nodiscard]] QComboBox* combo() const { return m_combo; }
    [[nodiscard]] QCheckBox* check() const { return m_check; }
    /// Values the slider steps through now.
    [[nodiscard]] const std::vector<double>& legalValues() const { return m_steps; }

signals:
    /// The hand wants this value. One gesture number per drag, so that a drag is one undo step.
    void edited(const QString& path, const shardlens::FieldValue& value, int gesture);
    /// The hand is about to use the slider: the legal values should be fresh.
    void legalValuesWanted(const QString& path);
    void lockToggled(const QString& path, bool locked);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void buildNumber();
    void buildChoice();
    void buildCheck();
    void buildText();
    void sliderMoved(int index);
    void entryFinished();
    void showValue();
    void placeSlider();
    void showSlider();
    void applyMark();
    void showLabel();
    void endGesture();
    void emitEdit(const FieldValue& value);
    [[nodiscard]] bool isNumber() const;
    [[nodiscard]] FieldValue numberValue(double value) const;

    const Field& m_field;
    const QString m_path;
    const char* m_englishLabel;
    bool m_optional = false; ///< may be left out of a plan
    FieldValue m_value, m_acting;
    std::vector<double> m_steps;
    int m_gesture = 1;
    Severity m_markSeverity = Severity::info;
    QString m_mark, m_entryError;
    bool m_marked = false;
    bool m_keepSlider = false;

    QLabel* m_label;
    QWidget* m_main = nullptr; ///< what the label's mnemonic and the tab order lead to
    QSlider* m_slider = nullptr;
    QLineEdit* m_entry = nullptr;
    QComboBox* m_combo = nullptr;
    QCheckBox* m_check = nullptr;
    QToolButton* m_lock;
    QTimer* m_rest;
};

/// Steps for a real-valued field: hundredths of a bounded fraction, 1-2-5 for counts of tokens; empty for the
/// rest.
[[nodiscard]] std::vector<double> ladder(const Field& field);

/// The text of a typed list: "20, 20" or "[20, 20]" → entries.
[[nodiscard]] QStringList splitList(const QString& text);

} // namespace shardlens
