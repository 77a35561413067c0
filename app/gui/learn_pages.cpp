// SPDX-License-Identifier: GPL-3.0-or-later
#include "learn_pages.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QTimer>

#include "collective/collective_view.h"
#include "matrix/matrix_view.h"
#include "sgd/sgd_charts.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPauseMilliseconds = 120;
constexpr int kMostWorkers = 128;
constexpr std::array<std::int64_t, 6> kDegrees = {1, 2, 4, 8, 16, 32};
constexpr std::array kDelays = {sync::DelayKind::constant, sync::DelayKind::exponential,
                                sync::DelayKind::shifted_exponential, sync::DelayKind::pareto};

QVBoxLayout* pageLayout(QWidget* page) {
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(6, 6, 6, 6);
    layout->setSpacing(6);
    return layout;
}

} // namespace

MatrixPage::MatrixPage(const Theme& theme, Interaction& interaction, QWidget* parent)
    : Page(parent), m_view(new MatrixView(theme, interaction)), m_tensorLabel(new QLabel),
      m_tensor(new QComboBox), m_sequence(new QCheckBox), m_moe(new QCheckBox) {
    auto* tools = new QHBoxLayout;
    m_tensorLabel->setBuddy(m_tensor);
    m_tensor->addItem(QString(), 0);
    for (const std::int64_t degree : kDegrees) m_tensor->addItem(QString::number(degree), qint64(degree));
    tools->addWidget(m_tensorLabel);
    tools->addWidget(m_tensor);
    tools->addWidget(m_sequence);
    tools->addWidget(m_moe);
    tools->addStretch(1);
    auto* layout = pageLayout(this);
    layout->addLayout(tools);
    layout->addWidget(m_view, 1);
    connect(m_tensor, &QComboBox::activated, this, &MatrixPage::take);
    // Clicking leaves the plan's own choice; the next plan that is shown does not bring it back.
    connect(m_sequence, &QCheckBox::clicked, this, [this](bool on) { m_view->setSequence(on); });
    connect(m_moe, &QCheckBox::clicked, this, [this](bool on) { m_view->setExperts(on); });
    retranslate();
}

std::vector<ReportView*> MatrixPage::views() const { return {m_view}; }

void MatrixPage::take() {
    const auto degree = m_tensor->currentData().toLongLong();
    m_view->setTensor(degree > 0 ? std::optional<std::int64_t>(degree) : std::nullopt);
}

void MatrixPage::setTensor(std::int64_t tensor) {
    int index = m_tensor->findData(qint64(tensor));
    if (index < 0) {
        m_tensor->addItem(QString::number(tensor), qint64(tensor));
        index = m_tensor->count() - 1;
    }
    m_tensor->setCurrentIndex(index);
    take();
}

void MatrixPage::showReports(const ReportPtr& report, const ReportPtr& pinned) {
    if (m_view->pinned() != pinned) m_view->setPinned(pinned);
    if (m_view->report() != report) m_view->setReport(report);
    m_sequence->setChecked(m_view->model().sequence);
    m_moe->setChecked(m_view->model().experts > 0);
    m_moe->setVisible(report && report->setup && report->setup->moe() && m_view->hasDenseLayers());
}

void MatrixPage::setTheme(const Theme& theme) { m_view->setTheme(theme); }

void MatrixPage::retranslate() {
    m_tensorLabel->setText(tr("Tensor parallel"));
    m_tensor->setItemText(0, tr("as the plan"));
    m_tensor->setAccessibleName(tr("Tensor parallel degree of the drawing"));
    m_tensor->setToolTip(tr("Only the drawing follows; the plan stays"));
    m_sequence->setText(tr("Sequence parallel"));
    m_sequence->setToolTip(tr("Only the drawing follows; the plan stays"));
    m_moe->setText(tr("Layer of experts"));
}

CollectivePage::CollectivePage(const Theme& theme, QWidget* parent)
    : Page(parent), m_view(new CollectiveView(theme)) {
    pageLayout(this)->addWidget(m_view);
}

void CollectivePage::setTheme(const Theme& theme) { m_view->setTheme(theme); }
void CollectivePage::retranslate() { m_view->retranslate(); }

SgdPage::SgdPage(const Theme& theme, QWidget* parent)
    : Page(parent), m_variant(new QComboBox), m_delay(new QComboBox), m_workers(new QSpinBox),
      m_waitFor(new QSpinBox), m_seedBox(new QSpinBox), m_mean(new QDoubleSpinBox),
      m_shape(new QDoubleSpinBox), m_variantLabel(new QLabel), m_workersLabel(new QLabel),
      m_waitForLabel(new QLabel), m_delayLabel(new QLabel), m_meanLabel(new QLabel), m_shapeLabel(new QLabel),
      m_seedLabel(new QLabel), m_timeline(new WorkerTimeline(theme)),
      m_overTime(new LossChart(LossChart::Over::Time, theme)),
      m_overUpdates(new LossChart(LossChart::Over::Updates, theme)), m_staleness(new StalenessChart(theme)),
      m_pause(new QTimer(this)) {
    m_spec.delay = sync::Delay::exponential(1);
    for (const sync::Variant variant : kSgdVariants) m_variant->addItem(sgdVariantName(variant));
    for (std::size_t i = 0; i < kDelays.size(); ++i) m_delay->addItem(QString());
    m_workers->setRange(1, kMostWorkers);
    m_waitFor->setRange(1, kMostWorkers);
    m_seedBox->setRange(1, 9999);
    m_mean->setRange(0.01, 1000);
    m_mean->setDecimals(2);
    m_mean->setSingleStep(0.1);
    m_shape->setRange(1.1, 20); // below, the mean is infinite
    m_shape->setDecimals(1);
    m_shape->setSingleStep(0.1);
    auto* tools = new QGridLayout;
    tools->setHorizontalSpacing(6);
    tools->setVerticalSpacing(4);
    const std::pair<QLabel*, QWidget*> fields[] = {{m_variantLabel, m_variant}, {m_workersLabel, m_workers},
                                                   {m_waitForLabel, m_waitFor}, {m_seedLabel, m_seedBox},
                                                   {m_delayLabel, m_delay},     {m_meanLabel, m_mean},
                                                   {m_shapeLabel, m_shape}};
    int place = 0;
    for (const auto& [label, field] : fields) {
        label->setBuddy(field);
        label->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
        tools->addWidget(label, place / 4, 2 * (place % 4));
        tools->addWidget(field, place / 4, 2 * (place % 4) + 1);
        ++place;
    }
    tools->setColumnStretch(8, 1);
    auto* charts = new QGridLayout;
    charts->setSpacing(6);
    charts->addWidget(m_timeline, 0, 0, 1, 2);
    charts->addWidget(m_overTime, 1, 0);
    charts->addWidget(m_overUpdates, 1, 1);
    charts->addWidget(m_staleness, 2, 0, 1, 2);
    charts->setRowStretch(0, 5);
    charts->setRowStretch(1, 5);
    charts->setRowStretch(2, 3);
    auto* layout = pageLayout(this);
    layout->addLayout(tools);
    layout->addLayout(charts, 1);
    m_pause->setSingleShot(true);
    m_pause->setInterval(kPauseMilliseconds);
    connect(m_pause, &QTimer::timeout, this, &SgdPage::compute);
    for (QComboBox* box : {m_variant, m_delay})
        connect(box, &QComboBox::activated, this, &SgdPage::readControls);
    for (QSpinBox* box : {m_workers, m_waitFor, m_seedBox})
        connect(box, &QSpinBox::valueChanged, this, &SgdPage::readControls);
    for (QDoubleSpinBox* box : {m_mean, m_shape})
        connect(box, &QDoubleSpinBox::valueChanged, this, &SgdPage::readControls);
    showControls();
    retranslate();
}

void SgdPage::setSpec(const sync::Spec& spec) {
    m_spec = spec;
    m_spec.workers = std::clamp<std::int64_t>(spec.workers, 1, kMostWorkers);
    m_spec.wait_for = std::clamp<std::int64_t>(spec.wait_for, 1, m_spec.workers);
    showControls();
    m_wanted = true;
    m_pause->start();
}

void SgdPage::showControls() {
    const QSignalBlocker quiet[] = {QSignalBlocker(m_workers), QSignalBlocker(m_waitFor),
                                    QSignalBlocker(m_seedBox), QSignalBlocker(m_mean),
                                    QSignalBlocker(m_shape)};
    const auto at = [](const auto& list, auto wanted) {
        return int(std::find(list.begin(), list.end(), wanted) - list.begin());
    };
    m_variant->setCurrentIndex(at(kSgdVariants, m_spec.variant));
    m_delay->setCurrentIndex(at(kDelays, m_spec.delay.kind));
    m_workers->setValue(int(m_spec.workers));
    m_waitFor->setMaximum(int(m_spec.workers));
    m_waitFor->setValue(int(m_spec.gradients_per_update()));
    m_waitFor->setEnabled(m_spec.variant != sync::Variant::sync && m_spec.variant != sync::Variant::async);
    const double mean = m_spec.delay.mean_s();
    if (std::isfinite(mean)) m_mean->setValue(mean);
    const bool pareto = m_spec.delay.kind == sync::DelayKind::pareto;
    m_shape->setVisible(pareto);
    m_shapeLabel->setVisible(pareto);
    if (pareto) m_shape->setValue(m_spec.delay.shape);
    m_seedBox->setValue(int(m_seed));
}

void SgdPage::readControls() {
    sync::Spec spec = m_spec;
    spec.variant = kSgdVariants[static_cast<std::size_t>(std::max(0, m_variant->currentIndex()))];
    spec.workers = m_workers->value();
    if (m_waitFor->isEnabled()) spec.wait_for = m_waitFor->value();
    sync::DelayWords words;
    words.kind = sync::to_string(kDelays[static_cast<std::size_t>(std::max(0, m_delay->currentIndex()))]);
    words.mean_s = m_mean->value();
    if (words.kind == sync::to_string(sync::DelayKind::pareto)) words.shape = m_shape->value();
    std::string problem;
    if (const auto delay = sync::make_delay(words, problem)) spec.delay = *delay;
    const auto seed = static_cast<std::uint64_t>(m_seedBox->value());
    if (spec == m_spec && seed == m_seed) return;
    m_seed = seed;
    setSpec(spec);
}

void SgdPage::compute() {
    m_pause->stop();
    if (!m_wanted || !isVisible()) return;
    m_wanted = false;
    m_background.run([this, spec = m_spec, seed = m_seed]() -> Background::Deliver {
        return [this, result = computeSgd(spec, seed)] { take(result); };
    });
}

void SgdPage::take(const SgdResultPtr& result) {
    m_result = result;
    m_timeline->setResult(result);
    m_overTime->setResult(result);
    m_overUpdates->setResult(result);
    m_staleness->setResult(result);
}

void SgdPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (m_wanted) m_pause->start();
}

bool SgdPage::settled() const { return !m_pause->isActive() && m_background.idle(); }

void SgdPage::settle() {
    if (m_pause->isActive()) compute();
    m_background.flush();
}

void SgdPage::setTheme(const Theme& theme) {
    m_timeline->setTheme(theme);
    m_overTime->setTheme(theme);
    m_overUpdates->setTheme(theme);
    m_staleness->setTheme(theme);
}

void SgdPage::retranslate() {
    m_variantLabel->setText(tr("Variant"));
    m_workersLabel->setText(tr("Workers P"));
    m_waitForLabel->setText(tr("Wait for K"));
    m_delayLabel->setText(tr("Delay"));
    m_meanLabel->setText(tr("Mean, s"));
    m_shapeLabel->setText(tr("Tail index"));
    m_seedLabel->setText(tr("Seed"));
    m_waitFor->setToolTip(tr("Gradients that an update waits for"));
    m_delay->setToolTip(tr("Law of the time that a mini-batch takes"));
    m_shape->setToolTip(tr("Smaller: heavier tail, more stragglers"));
    const QStringList delays{tr("constant"), tr("exponential"), tr("shifted exponential"), tr("Pareto")};
    for (int i = 0; i < delays.size(); ++i) m_delay->setItemText(i, delays[i]);
    m_timeline->retranslate();
    m_overTime->retranslate();
    m_overUpdates->retranslate();
    m_staleness->retranslate();
}

} // namespace shardlens
