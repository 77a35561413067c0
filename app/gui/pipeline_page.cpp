// SPDX-License-Identifier: GPL-3.0-or-later
#include "pipeline_page.h"

#include <QCheckBox>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStyleOptionButton>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "document.h"
#include "format.h"
#include "pipeline/gantt_view.h"
#include "schedule_picker.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMilliseconds = 400;
constexpr double kButtonZoom = 1.6;

/// A button that its row may squeeze: its text gives way at the right.
class GivingButton : public QPushButton {
public:
    [[nodiscard]] QSize minimumSizeHint() const override {
        return {fontMetrics().averageCharWidth() * kLeastCharacters, QPushButton::minimumSizeHint().height()};
    }

protected:
    void initStyleOption(QStyleOptionButton* option) const override {
        QPushButton::initStyleOption(option);
        const QRect inside = style()->subElementRect(QStyle::SE_PushButtonContents, option, this);
        option->text = option->fontMetrics.elidedText(option->text, Qt::ElideRight, inside.width());
    }

private:
    static constexpr int kLeastCharacters = 8;
};

QString layersText(const std::vector<std::int64_t>& layers) {
    QStringList numbers;
    for (const std::int64_t n : layers) numbers << QString::number(n);
    return numbers.join(u' ');
}

} // namespace

PipelinePage::PipelinePage(Document& document, const Theme& theme, Interaction& interaction, QWidget* parent)
    : Page(parent), m_document(document), m_gantt(new GanttView(theme, interaction)),
      m_picker(new SchedulePicker(document, theme)), m_saveMenu(new QMenu(this)),
      m_balanceButton(new GivingButton), m_pause(new QTimer(this)) {
    auto* tools = new QHBoxLayout;
    tools->setSpacing(4);
    for (QToolButton** tool : {&m_nearer, &m_farther, &m_fit}) {
        *tool = new QToolButton;
        (*tool)->setFocusPolicy(Qt::StrongFocus);
        tools->addWidget(*tool);
    }
    m_byMicroBatch = new QCheckBox;
    m_memory = new QCheckBox;
    m_save = new QPushButton;
    for (QWidget* tool : {static_cast<QWidget*>(m_byMicroBatch), static_cast<QWidget*>(m_memory),
                          static_cast<QWidget*>(m_save)}) {
        tools->addSpacing(4);
        tools->addWidget(tool);
    }
    tools->addStretch(1);
    tools->addWidget(m_balanceButton);
    m_save->setMenu(m_saveMenu);
    m_memory->setChecked(m_gantt->memoryShown());

    auto* rows = new QSplitter(Qt::Vertical);
    rows->setChildrenCollapsible(false);
    rows->setHandleWidth(6);
    rows->addWidget(m_gantt);
    rows->addWidget(m_picker);
    rows->setStretchFactor(0, 3);
    rows->setStretchFactor(1, 2);
    rows->setSizes({420, 240});
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    layout->addLayout(tools);
    layout->addWidget(rows, 1);

    connect(m_nearer, &QToolButton::clicked, m_gantt, [this] { m_gantt->zoom(1 / kButtonZoom); });
    connect(m_farther, &QToolButton::clicked, m_gantt, [this] { m_gantt->zoom(kButtonZoom); });
    connect(m_fit, &QToolButton::clicked, m_gantt, &GanttView::fit);
    connect(m_byMicroBatch, &QCheckBox::toggled, m_gantt, [this](bool on) {
        m_gantt->setColorBy(on ? GanttColors::By::MicroBatch : GanttColors::By::Kind);
    });
    connect(m_memory, &QCheckBox::toggled, m_gantt, &GanttView::setMemoryShown);
    // The keys of the view do the same.
    connect(m_gantt, &GanttView::lookChanged, this, &PipelinePage::showTools);
    connect(m_picker, &SchedulePicker::secondChanged, m_gantt,
            [this](const ReportPtr& report, const QString& name) {
                if (report || m_gantt->second()) m_gantt->setSecond(report, name);
            });
    connect(m_picker, &SchedulePicker::problem, this, &PipelinePage::problem);
    connect(m_balanceButton, &QPushButton::clicked, this, &PipelinePage::useBalance);
    connect(m_saveMenu->addAction(QString()), &QAction::triggered, this, &PipelinePage::pictureWanted);
    connect(m_saveMenu->addAction(QString()), &QAction::triggered, this, &PipelinePage::traceWanted);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &PipelinePage::findBalance);
    retranslate();
}

std::vector<ReportView*> PipelinePage::views() const { return {m_gantt}; }

void PipelinePage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    m_report = report;
    if (m_gantt->pinned() != pinned) m_gantt->setPinned(pinned);
    if (m_gantt->report() != report) m_gantt->setReport(report);
    m_picker->setReport(report);
    if (m_report == m_balanceOf) return;
    m_balance.reset();
    m_pause->start();
    showBalance();
}

void PipelinePage::setTheme(const Theme& theme) {
    m_gantt->setTheme(theme);
    m_picker->setTheme(theme);
}

void PipelinePage::showTools() {
    m_byMicroBatch->setChecked(m_gantt->colorBy() == GanttColors::By::MicroBatch);
    m_memory->setChecked(m_gantt->memoryShown());
}

void PipelinePage::findBalance() {
    m_pause->stop();
    if (!isVisible() || !m_report || m_report == m_balanceOf) return;
    m_balanceOf = m_report;
    m_background.run(
        [this, plan = m_document.plan(), catalog = m_document.sharedCatalog()]() -> Background::Deliver {
            return [this, found = balance(plan, *catalog)] {
                m_balance = found;
                showBalance();
            };
        });
}

void PipelinePage::showBalance() {
    m_balanceButton->setEnabled(m_balance && m_balance->ok() && (*m_balance)->changed);
    if (!m_balance) {
        m_balanceButton->setText(tr("Balance layers"));
        m_balanceButton->setToolTip(tr("Looks for the split of layers with the fastest slowest stage"));
        return;
    }
    if (!m_balance->ok()) {
        m_balanceButton->setText(tr("Balance layers"));
        m_balanceButton->setToolTip(translated(m_balance->error()));
        return;
    }
    const Balance& found = **m_balance;
    if (!found.changed) {
        m_balanceButton->setText(tr("Layers are balanced"));
        m_balanceButton->setToolTip(
            tr("No split of the layers makes the slowest stage faster within the memory"));
        return;
    }
    const double gain = found.before.step_s > 0 ? found.after.step_s / found.before.step_s - 1 : 0;
    const QString step = formatDelta(gain, u"%"_s);
    m_balanceButton->setText(step.isEmpty() ? tr("Balance layers") : tr("Balance: %1").arg(step));
    m_balanceButton->setToolTip(
        tr("Layers by chunk: %1\ninstead of %2\nslowest stage %3 instead of %4, step %5 instead of %6, peak "
           "%7 "
           "instead of %8")
            .arg(layersText(found.after.layers), layersText(found.before.layers),
                 formatSeconds(found.after.slowest_stage_s), formatSeconds(found.before.slowest_stage_s),
                 formatSeconds(found.after.step_s), formatSeconds(found.before.step_s),
                 formatBytes(found.after.peak_bytes), formatBytes(found.before.peak_bytes)));
}

void PipelinePage::useBalance() {
    if (!m_balance || !m_balance->ok() || !(*m_balance)->changed) return;
    const Error error = m_document.change((*m_balance)->plan, tr("Balance layers"));
    if (!error.what.empty()) emit problem(error);
}

bool PipelinePage::settled() const {
    return !m_pause->isActive() && m_background.idle() && m_picker->settled();
}

void PipelinePage::settle() {
    if (m_pause->isActive()) findBalance();
    m_background.flush();
    m_picker->settle();
}

void PipelinePage::retranslate() {
    const auto say = [](QAbstractButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAccessibleName(tip);
    };
    say(m_nearer, u"+"_s, tr("Zoom in (W)"));
    say(m_farther, u"−"_s, tr("Zoom out (S)"));
    say(m_fit, tr("Fit"), tr("Show the whole step (F)"));
    say(m_byMicroBatch, tr("Micro-batches"), tr("Colour tells the micro-batch, the pattern its work (C)"));
    say(m_memory, tr("Memory"), tr("Memory over time below the rows (M)"));
    say(m_save, tr("Save"), tr("Save the timeline as a picture or a trace"));
    m_saveMenu->actions()[0]->setText(tr("Picture (SVG, PDF, PNG)…"));
    m_saveMenu->actions()[1]->setText(tr("Chrome trace for Perfetto…"));
    m_picker->retranslate();
    showBalance();
}

} // namespace shardlens
