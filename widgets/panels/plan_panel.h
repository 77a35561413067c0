// SPDX-License-Identifier: GPL-3.0-or-later
// The plan under the hand: every field of the field table, the common ones in sight, the rest behind "more".
#pragma once

#include <QHash>
#include <QScrollArea>
#include <functional>
#include <set>
#include <vector>

#include "launchers/batch_arithmetic.h"
#include "model/family.h"
#include "plan/fields.h"

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace shardlens {

class BatchPanel;
class FieldControl;
class SizeControl;

class PlanPanel : public QScrollArea {
    Q_OBJECT
public:
    /// Legal values of an integer field given the rest of the plan, ascending.
    using LegalValues = std::function<std::vector<std::int64_t>(const QString& path)>;

    explicit PlanPanel(LegalValues legalValues, QWidget* parent = nullptr);

    /// Shows a plan; `acting` is the same plan with what it leaves out filled in.
    void setPlan(const Plan& plan, const Plan& acting);
    void setParameters(double parameters);
    /// The batch's arithmetic, below the fields it is made of.
    void setBatch(const launchers::BatchArithmetic& numbers, const QString& launcher);
    void setMessages(const std::vector<Message>& messages);
    void setFamily(const std::vector<model::FamilyMember>& family);
    [[nodiscard]] const std::vector<model::FamilyMember>& sizeFamily() const;
    /// Asks for fresh legal values of every slider in sight.
    void refreshLegalValues();
    void retranslate();

    /// The control of a field; opens its "more" part when needed. Null when the table has no such field.
    [[nodiscard]] FieldControl* control(const QString& path);
    [[nodiscard]] SizeControl* sizeControl() const { return m_size; }
    [[nodiscard]] BatchPanel* batchPanel() const { return m_batch; }
    /// Scrolls to the field and gives it the keyboard.
    void reveal(const QString& path);
    [[nodiscard]] QStringList lockedPaths() const;

signals:
    void edited(const QString& path, const shardlens::FieldValue& value, int gesture);
    void sizeWanted(double parameters, const QString& id, int gesture);

protected:
    void changeEvent(QEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    struct Group {
        const char* title; ///< English
        std::vector<const Field*> common, more;
        QLabel* heading = nullptr;
        QToolButton* toggle = nullptr;
        QWidget* moreBody = nullptr;
        QVBoxLayout* moreLayout = nullptr;
        bool built = false;
    };
    void buildGroup(Group& group, QVBoxLayout* layout);
    void openMore(Group& group, bool open);
    FieldControl* addControl(const Field& field, QVBoxLayout* layout);
    void showIn(FieldControl* control);
    void refresh(FieldControl* control);
    void mark(FieldControl* control);

    LegalValues m_legalValues;
    std::vector<Group> m_groups;
    QHash<QString, FieldControl*> m_controls;
    SizeControl* m_size = nullptr;
    BatchPanel* m_batch = nullptr;
    Plan m_plan, m_acting;
    std::vector<Message> m_messages;
    std::set<QString> m_locked;
};

} // namespace shardlens
