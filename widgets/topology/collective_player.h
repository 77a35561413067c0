// SPDX-License-Identifier: GPL-3.0-or-later
// An all-reduce of one group, step by step or played: who sends which part to whom, in words and as a motion
// for the map.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "placement/all_reduce_steps.h"
#include "report_view.h"
#include "topology/topology_view.h"

class QComboBox;
class QLabel;
class QToolButton;

namespace shardlens {

class StepControls;

/// "reduce-scatter between nodes": what a step of an all-reduce does.
[[nodiscard]] QString phaseName(placement::AllReduceKind kind, const placement::AllReduceStep& step);
/// "ring", "tree" …
[[nodiscard]] QString algorithmName(placement::AllReduceKind kind);

class CollectivePlayer : public QWidget {
    Q_OBJECT
public:
    explicit CollectivePlayer(QWidget* parent = nullptr);

    void setReport(const ReportPtr& report);
    /// Plays the groups that this GPU is in; −1: GPU 0.
    void setRank(qint64 rank);
    void setKind(placement::GroupKind kind);
    void setAlgorithm(placement::AllReduceKind kind);
    void retranslate();

    /// Kinds of groups that send something in this plan; of those that reduce nothing it says what they do.
    [[nodiscard]] const std::vector<placement::GroupKind>& kinds() const { return m_kinds; }
    [[nodiscard]] std::optional<placement::GroupKind> kind() const;
    [[nodiscard]] placement::AllReduceKind algorithm() const;
    [[nodiscard]] qint64 stepCount() const { return m_steps ? m_steps->count() : 0; }
    [[nodiscard]] qint64 step() const;
    void setStep(qint64 step);
    [[nodiscard]] bool playing() const;
    /// Starts at the first step when the last one has been shown.
    void setPlaying(bool on);
    /// Moves on by a share of a step; what the clock does while it plays.
    void advance(double share);
    /// Takes the motion off the map.
    void stop();
    [[nodiscard]] QString caption() const;
    [[nodiscard]] TopologyMotion motion() const;

signals:
    /// Empty when nothing is shown.
    void motionChanged(const shardlens::TopologyMotion& motion);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    /// What a group does that reduces nothing.
    [[nodiscard]] QString exchangeText(placement::GroupKind kind) const;
    void refresh();

    QComboBox *m_kind, *m_algorithm;
    StepControls* m_controls;
    QToolButton* m_stop;
    QLabel* m_caption;
    ReportPtr m_report;
    std::vector<placement::GroupKind> m_kinds;
    std::vector<std::int64_t> m_members;
    std::optional<placement::AllReduceSteps> m_steps;
    placement::AllReduceStep m_now; ///< of the steps, the one shown
    QString m_problem;              ///< why there are none
    qint64 m_rank = -1;
    double m_bytes = 0;
    bool m_shown = false; ///< on the map
};

} // namespace shardlens
