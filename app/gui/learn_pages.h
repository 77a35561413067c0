// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that stand beside lessons and on their own: the matrices of a layer, SGD with stragglers, an
// all-reduce step by step.
#pragma once

#include "background.h"
#include "page.h"
#include "sgd/sgd_result.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QSpinBox;
class QTimer;

namespace shardlens {

class CollectiveView;
class LossChart;
class MatrixView;
class StalenessChart;
class WorkerTimeline;

class MatrixPage : public Page {
    Q_OBJECT
public:
    MatrixPage(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr);
    void showReports(const ReportPtr& report, const ReportPtr& pinned) override;
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] std::vector<ReportView*> views() const override;
    [[nodiscard]] MatrixView& view() const { return *m_view; }
    /// A degree of one's own; 0: the plan's.
    void setTensor(std::int64_t tensor);

private:
    void take();

    MatrixView* m_view;
    QLabel* m_tensorLabel;
    QComboBox* m_tensor;
    QCheckBox *m_sequence, *m_moe;
};

class CollectivePage : public Page {
    Q_OBJECT
public:
    explicit CollectivePage(const Theme& theme, QWidget* parent = nullptr);
    void showReports(const ReportPtr&, const ReportPtr&) override {}
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] CollectiveView& view() const { return *m_view; }

private:
    CollectiveView* m_view;
};

class SgdPage : public Page {
    Q_OBJECT
public:
    explicit SgdPage(const Theme& theme, QWidget* parent = nullptr);
    void showReports(const ReportPtr&, const ReportPtr&) override {}
    void setTheme(const Theme& theme) override;
    void retranslate() override;
    [[nodiscard]] bool settled() const override;
    void settle() override;

    void setSpec(const sync::Spec& spec);
    [[nodiscard]] const sync::Spec& spec() const { return m_spec; }
    [[nodiscard]] const SgdResultPtr& result() const { return m_result; }
    [[nodiscard]] WorkerTimeline& timeline() const { return *m_timeline; }

protected:
    void showEvent(QShowEvent* event) override;

private:
    void readControls();
    void showControls();
    void compute();
    void take(const SgdResultPtr& result);

    sync::Spec m_spec;
    std::uint64_t m_seed = sync::LossSetting{}.seed;
    SgdResultPtr m_result;
    QComboBox *m_variant, *m_delay;
    QSpinBox *m_workers, *m_waitFor, *m_seedBox;
    QDoubleSpinBox *m_mean, *m_shape;
    QLabel *m_variantLabel, *m_workersLabel, *m_waitForLabel, *m_delayLabel, *m_meanLabel, *m_shapeLabel,
        *m_seedLabel;
    WorkerTimeline* m_timeline;
    LossChart *m_overTime, *m_overUpdates;
    StalenessChart* m_staleness;
    QTimer* m_pause;
    bool m_wanted = true;    ///< controls differ from what is drawn
    Background m_background; ///< last: it waits for its work before the rest goes
};

} // namespace shardlens
