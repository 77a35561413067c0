// SPDX-License-Identifier: GPL-3.0-or-later
#include "topology/collective_player.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "controls/core_text.h"
#include "controls/step_controls.h"
#include "format.h"

namespace shardlens {

using namespace Qt::StringLiterals;
using placement::AllReduceKind;
using placement::AllReducePhase;
using placement::GroupKind;

namespace {

constexpr std::array kAlgorithms = {AllReduceKind::ring, AllReduceKind::tree, AllReduceKind::two_level};

/// Members of this kind hold copies of something that is summed.
bool reduces(const Report& report, GroupKind kind) {
    if (kind == GroupKind::cp) return report.setup->context_kind == ContextKind::allgather;
    return kind != GroupKind::pp && kind != GroupKind::ep;
}

} // namespace

QString phaseName(AllReduceKind kind, const placement::AllReduceStep& step) {
    QString phase;
    switch (step.phase) {
    case AllReducePhase::reduce_scatter: phase = CollectivePlayer::tr("reduce-scatter"); break;
    case AllReducePhase::all_gather: phase = CollectivePlayer::tr("all-gather"); break;
    case AllReducePhase::reduce: phase = CollectivePlayer::tr("reduce towards the root"); break;
    case AllReducePhase::broadcast: phase = CollectivePlayer::tr("broadcast from the root"); break;
    }
    if (kind != AllReduceKind::two_level) return phase;
    return step.between_nodes ? CollectivePlayer::tr("%1 between nodes").arg(phase)
                              : CollectivePlayer::tr("%1 inside each node").arg(phase);
}

QString algorithmName(AllReduceKind kind) {
    switch (kind) {
    case AllReduceKind::ring: return CollectivePlayer::tr("ring");
    case AllReduceKind::tree: return CollectivePlayer::tr("tree");
    case AllReduceKind::two_level: return CollectivePlayer::tr("two levels");
    case AllReduceKind::parameter_server: break;
    }
    return CollectivePlayer::tr("parameter server");
}

CollectivePlayer::CollectivePlayer(QWidget* parent)
    : QWidget(parent), m_kind(new QComboBox), m_algorithm(new QComboBox), m_controls(new StepControls),
      m_stop(new QToolButton), m_caption(new QLabel) {
    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(6);
    layout->addWidget(m_kind, 0, 0);
    layout->addWidget(m_algorithm, 0, 1);
    layout->setColumnStretch(2, 1);
    m_controls->addButton(m_stop);
    layout->addWidget(m_controls, 1, 0, 1, 3);
    m_caption->setWordWrap(true);
    m_caption->setTextFormat(Qt::PlainText);
    m_caption->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_caption->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    layout->addWidget(m_caption, 2, 0, 1, 3);
    layout->setRowStretch(2, 1);
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i) m_algorithm->addItem(QString());
    m_kind->setSizeAdjustPolicy(QComboBox::AdjustToContents);

    connect(m_kind, &QComboBox::activated, this, &CollectivePlayer::rebuild);
    connect(m_algorithm, &QComboBox::activated, this, &CollectivePlayer::rebuild);
    connect(m_stop, &QToolButton::clicked, this, &CollectivePlayer::stop);
    connect(m_controls, &StepControls::changed, this, [this](bool moved) {
        m_shown = m_shown || moved;
        refresh();
    });
    retranslate();
}

std::optional<GroupKind> CollectivePlayer::kind() const {
    const auto at = static_cast<std::size_t>(m_kind->currentIndex());
    return at < m_kinds.size() ? std::optional(m_kinds[at]) : std::nullopt;
}

AllReduceKind CollectivePlayer::algorithm() const {
    return kAlgorithms[static_cast<std::size_t>(std::max(0, m_algorithm->currentIndex()))];
}

void CollectivePlayer::setReport(const ReportPtr& report) {
    if (report == m_report) return;
    const auto chosen = kind();
    m_report = report;
    m_kinds.clear();
    if (report && report->placement)
        for (const auto& collective : report->traffic.collectives) m_kinds.push_back(collective.kind);
    {
        const QSignalBlocker quiet(m_kind);
        m_kind->clear();
        for (const GroupKind each : m_kinds) m_kind->addItem(tr("%1 group").arg(groupName(each)));
        // The reduction of gradients is what an all-reduce is asked about most.
        auto wanted = std::find(m_kinds.begin(), m_kinds.end(), chosen.value_or(GroupKind::dp_cp));
        if (wanted == m_kinds.end())
            wanted = std::find_if(m_kinds.begin(), m_kinds.end(),
                                  [](GroupKind each) { return roleOf(each) == Role::DataGroup; });
        if (wanted != m_kinds.end()) m_kind->setCurrentIndex(static_cast<int>(wanted - m_kinds.begin()));
    }
    stop();
    rebuild();
}

void CollectivePlayer::setRank(qint64 rank) {
    if (rank == m_rank) return;
    m_rank = rank;
    rebuild();
}

void CollectivePlayer::setKind(GroupKind kind) {
    const auto at = std::find(m_kinds.begin(), m_kinds.end(), kind);
    if (at == m_kinds.end()) return;
    m_kind->setCurrentIndex(static_cast<int>(at - m_kinds.begin()));
    rebuild();
}

void CollectivePlayer::setAlgorithm(AllReduceKind kind) {
    m_algorithm->setCurrentIndex(
        static_cast<int>(std::find(kAlgorithms.begin(), kAlgorithms.end(), kind) - kAlgorithms.begin()));
    rebuild();
}

void CollectivePlayer::rebuild() {
    m_steps.reset();
    m_members.clear();
    m_problem.clear();
    const auto chosen = kind();
    if (!chosen) {
        m_problem = tr("No group of this plan reduces anything.");
    } else {
        const placement::Placement& placed = *m_report->placement;
        const qint64 rank = m_rank >= 0 && m_rank < placed.world() ? m_rank : 0;
        m_members = placed.group_of(*chosen, rank);
        if (m_members.empty()) m_members = placed.group(*chosen, 0); // embedding: not every rank has one
        std::vector<std::int64_t> nodes;
        for (const qint64 member : m_members) nodes.push_back(placed.node_of(member));
        if (!reduces(*m_report, *chosen)) m_problem = exchangeText(*chosen);
        // The report counts reduce-scatter and all-gather as a pass each; an all-reduce is both.
        m_bytes = m_report->traffic.of(*chosen)->payload_bytes / 2;
        if (m_problem.isEmpty()) {
            auto made = placement::AllReduceSteps::make(algorithm(), m_members, nodes, m_bytes);
            if (made)
                m_steps = std::move(made).value();
            else
                m_problem = translated(made.error());
        }
    }
    m_controls->setCount(stepCount()); // refreshes
}

QString CollectivePlayer::exchangeText(GroupKind kind) const {
    const QString sent = formatBytes(m_report->traffic.of(kind)->sent_bytes);
    if (kind == GroupKind::pp)
        return tr("Neighbouring stages pass activations and their gradients on, %1 a step from one GPU. "
                  "Nothing is "
                  "summed: there is no all-reduce to play.")
            .arg(sent);
    if (kind == GroupKind::ep)
        return tr("Every member sends tokens to every other and takes them back, %1 a step from one GPU. "
                  "Nothing "
                  "is summed: there is no all-reduce to play.")
            .arg(sent);
    return tr("Members pass keys and values of their part of the sequence on, %1 a step from one GPU. "
              "Nothing is "
              "summed: there is no all-reduce to play.")
        .arg(sent);
}

qint64 CollectivePlayer::step() const { return m_controls->step(); }
void CollectivePlayer::setStep(qint64 step) { m_controls->setStep(step); }
bool CollectivePlayer::playing() const { return m_controls->playing(); }
void CollectivePlayer::setPlaying(bool on) { m_controls->setPlaying(on); }
void CollectivePlayer::advance(double share) { m_controls->advance(share); }

void CollectivePlayer::stop() {
    setPlaying(false);
    m_shown = false;
    refresh();
}

void CollectivePlayer::refresh() {
    m_now = stepCount() > 0 ? m_steps->step(step()) : placement::AllReduceStep{};
    m_algorithm->setEnabled(kind() && reduces(*m_report, *kind()));
    m_stop->setEnabled(m_shown);
    m_caption->setText(caption());
    emit motionChanged(motion());
}

TopologyMotion CollectivePlayer::motion() const {
    TopologyMotion result;
    if (!m_shown || !m_steps || !kind()) return result;
    result.kind = *kind();
    result.members = m_members;
    for (const auto& transfer : m_now.transfers) result.arrows.push_back({transfer.from, transfer.to});
    result.progress = m_controls->progress();
    return result;
}

QString CollectivePlayer::caption() const {
    if (!m_steps) return m_problem;
    if (stepCount() == 0) return tr("One GPU alone has nothing to exchange.");
    double moved = 0;
    for (const auto& transfer : m_now.transfers) moved += transfer.bytes;
    QString text =
        tr("Step %1 of %2: %3.").arg(step() + 1).arg(stepCount()).arg(phaseName(algorithm(), m_now));
    if (!m_now.transfers.empty()) {
        const auto& first = m_now.transfers.front();
        text += u'\n' + tr("%1 of %2 members send %3 each, %4 of %5 parts; GPU %6 sends to GPU %7.")
                            .arg(m_now.transfers.size())
                            .arg(m_members.size())
                            .arg(formatBytes(first.bytes))
                            .arg(first.parts)
                            .arg(m_steps->parts())
                            .arg(first.from)
                            .arg(first.to);
    }
    return text + u'\n' +
           tr("%1 move in this step. The busiest member sends %2 in all, for a vector of %3: what this group "
              "reduces in one training step.")
               .arg(formatBytes(moved), formatBytes(m_steps->busiest_bytes()), formatBytes(m_bytes));
}

void CollectivePlayer::retranslate() {
    const QString off = tr("Take the steps off the map");
    m_stop->setText(u"■"_s);
    m_stop->setToolTip(off);
    m_stop->setAccessibleName(off);
    m_controls->retranslate();
    m_kind->setAccessibleName(tr("Group to play"));
    m_kind->setToolTip(tr("Group to play: of the pinned GPU, else of GPU 0"));
    m_algorithm->setAccessibleName(tr("Algorithm of the all-reduce"));
    m_algorithm->setToolTip(tr("Algorithm of the all-reduce"));
    m_caption->setAccessibleName(tr("What happens in this step"));
    for (std::size_t i = 0; i < m_kinds.size(); ++i)
        m_kind->setItemText(static_cast<int>(i), tr("%1 group").arg(groupName(m_kinds[i])));
    for (std::size_t i = 0; i < kAlgorithms.size(); ++i)
        m_algorithm->setItemText(static_cast<int>(i), algorithmName(kAlgorithms[i]));
    m_caption->setText(caption());
}

void CollectivePlayer::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QWidget::changeEvent(event);
}

} // namespace shardlens
