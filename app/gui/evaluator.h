// SPDX-License-Identifier: GPL-3.0-or-later
// Plan → Report for the window: many requests in one turn of the event loop cost one evaluation; what is
// quick runs at once, what is slow runs beside the window, and the latest plan wins.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <memory>
#include <optional>

#include "report_view.h"

class QTimer;

namespace shardlens {

class Evaluator : public QObject {
    Q_OBJECT
public:
    explicit Evaluator(std::shared_ptr<const Catalog> catalog, QObject* parent = nullptr);
    ~Evaluator() override;

    /// Evaluates `plan` when the event loop turns next; a later request in the same turn replaces it.
    void request(const Plan& plan);
    /// Evaluates what was requested now and waits for what runs beside.
    void flush();
    /// Nothing requested and nothing running.
    [[nodiscard]] bool idle() const { return !m_wanted && !m_running; }
    /// Evaluations started so far.
    [[nodiscard]] qint64 count() const { return m_count; }

signals:
    void ready(const shardlens::ReportPtr& report);
    void failed(const QString& line);

private:
    void start();
    void runHere();
    void runBeside();
    void deliver(const Result<ReportPtr>& result);

    std::shared_ptr<const Catalog> m_catalog;
    QThreadPool m_pool;
    QTimer* m_turn;
    std::optional<Plan> m_wanted;
    bool m_running = false;
    qint64 m_count = 0;
    double m_lastMilliseconds = 0;
};

} // namespace shardlens
