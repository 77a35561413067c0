// SPDX-License-Identifier: GPL-3.0-or-later
// The current plan, its file, its history, its report and the pinned plans. The only place that changes a
// plan, and only through the undo stack.
#pragma once

#include <QObject>
#include <QString>
#include <QUndoStack>
#include <array>
#include <memory>
#include <optional>

#include "evaluator.h"
#include "plan/edit.h"
#include "report_view.h"

namespace shardlens {

class Document : public QObject {
    Q_OBJECT
public:
    struct Pinned {
        Plan plan;
        ReportPtr report;
        QString name;
    };
    static constexpr int kPins = 4;
    using Pins = std::array<std::optional<Pinned>, kPins>; ///< A to D

    explicit Document(std::shared_ptr<const Catalog> catalog, QObject* parent = nullptr);

    [[nodiscard]] const Plan& plan() const { return m_plan; }
    /// The plan with what it leaves out filled in, as the report used it.
    [[nodiscard]] const Plan& actingPlan() const { return m_acting; }
    [[nodiscard]] const Catalog& catalog() const { return *m_catalog; }
    /// For work beside the window, which may outlive the document.
    [[nodiscard]] const std::shared_ptr<const Catalog>& sharedCatalog() const { return m_catalog; }
    [[nodiscard]] const ReportPtr& report() const { return m_report; }
    [[nodiscard]] const Pins& pins() const { return m_pins; }
    /// The baseline: the pinned plan that every view compares with; none when nothing is pinned.
    [[nodiscard]] const std::optional<Pinned>& pinned() const { return m_pins[std::size_t(m_baseline)]; }
    [[nodiscard]] int baseline() const { return m_baseline; }
    [[nodiscard]] QUndoStack* undoStack() { return &m_undo; }
    [[nodiscard]] const QString& filePath() const { return m_filePath; }
    [[nodiscard]] bool modified() const { return !m_undo.isClean(); }
    /// Plan's name, else file name, else model and GPUs.
    [[nodiscard]] QString title() const;

    // Edits. Each is one undo step; edits of one field with the same gesture number are one step together.
    // The error is empty when done, and the plan is unchanged otherwise.
    Error edit(const QString& path, const FieldValue& value, int gesture);
    Error applyFix(const Fix& fix);
    /// Any other change. `mergeKey` −1: a step of its own.
    Error change(Plan after, const QString& text, int mergeKey = -1, int gesture = 0);

    // Files. The error is empty when done; otherwise everything is as it was.
    Error open(const QString& path);
    Error save(const QString& path);
    /// A plan without a file: a preset, or what --set and other makers hand over. Clears the history.
    Error start(Plan plan);
    /// A plan as text (pasted): one undo step.
    Error paste(const QString& text);

    /// Pins the plan at hand and compares with it: to the first free letter, else in place of the baseline.
    /// Pinned already, it is only compared with.
    void pin();
    /// To this letter (0 = A); A, where it is pinned, is what the others are compared with.
    void pinAs(int letter);
    /// Takes the baseline away; another pinned plan follows it.
    void unpin();
    void setBaseline(int letter);
    /// All of them at once; where the baseline is not pinned, the first that is.
    void setPins(const Pins& pins, int baseline);

    /// Evaluates at once what is pending.
    void settle();
    [[nodiscard]] bool settled() const { return m_evaluator.idle(); }
    [[nodiscard]] qint64 evaluationCount() const { return m_evaluator.count(); }

signals:
    void planChanged();
    void reportChanged(const shardlens::ReportPtr& report);
    void messagesChanged();
    void pinnedChanged();
    void fileChanged();
    /// Something the user should read in one line.
    void problem(const QString& line);

private:
    /// Where an edit starts from: what followed an earlier value of the same gesture is not kept.
    [[nodiscard]] const Plan& beforeGesture(int mergeKey, int gesture) const;
    void setPlan(const Plan& plan);
    void takeReport(const ReportPtr& report);
    /// Unknown preset ids must not enter the plan: nothing could be computed.
    [[nodiscard]] Error known(const Plan& plan) const;

    std::shared_ptr<const Catalog> m_catalog;
    Evaluator m_evaluator;
    Plan m_plan, m_acting;
    QUndoStack m_undo;
    QString m_filePath;
    ReportPtr m_report;
    Pins m_pins;
    int m_baseline = 0;
};

/// "A" for 0.
[[nodiscard]] QString pinLetter(int pin);

} // namespace shardlens
