// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QUndoCommand>
#include <functional>

#include "plan/plan.h"

namespace shardlens {

/// One edit of the plan. A plan is a small value, so before and after are kept whole. Edits of the same field
/// in the same gesture merge; a gesture that returns to its start leaves nothing behind.
class PlanCommand : public QUndoCommand {
public:
    using Apply = std::function<void(const Plan&)>;

    /// `mergeId` −1: never merges.
    PlanCommand(Plan before, Plan after, const QString& text, int mergeId, int gesture, Apply apply)
        : QUndoCommand(text), m_before(std::move(before)), m_after(std::move(after)), m_mergeId(mergeId),
          m_gesture(gesture), m_apply(std::move(apply)) {}

    void undo() override { m_apply(m_before); }
    void redo() override { m_apply(m_after); }
    [[nodiscard]] const Plan& before() const { return m_before; }
    [[nodiscard]] int gesture() const { return m_gesture; }
    [[nodiscard]] int id() const override { return m_mergeId; }
    bool mergeWith(const QUndoCommand* other) override {
        const auto* later = static_cast<const PlanCommand*>(other); // same id: same class
        if (later->m_gesture != m_gesture) return false;
        m_after = later->m_after;
        setText(later->text());
        setObsolete(m_after == m_before);
        return true;
    }

private:
    Plan m_before, m_after;
    int m_mergeId, m_gesture;
    Apply m_apply;
};

} // namespace shardlens
