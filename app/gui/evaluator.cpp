// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluator.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QTimer>

#include "controls/quantity.h"
#include "report/evaluate.h"

namespace shardlens {

namespace {
constexpr double kQuickMilliseconds = 8; ///< half a frame: slower plans leave the window's thread
} // namespace

Evaluator::Evaluator(std::shared_ptr<const Catalog> catalog, QObject* parent)
    : QObject(parent), m_catalog(std::move(catalog)), m_turn(new QTimer(this)) {
    m_pool.setMaxThreadCount(1);
    m_turn->setSingleShot(true);
    m_turn->setInterval(0);
    connect(m_turn, &QTimer::timeout, this, &Evaluator::start);
}

Evaluator::~Evaluator() { m_pool.waitForDone(); }

void Evaluator::request(const Plan& plan) {
    m_wanted = plan;
    if (!m_running && !m_turn->isActive()) m_turn->start();
}

void Evaluator::start() {
    if (!m_wanted || m_running) return;
    if (m_lastMilliseconds < kQuickMilliseconds)
        runHere();
    else
        runBeside();
}

void Evaluator::runHere() {
    m_turn->stop();
    const Plan plan = *std::exchange(m_wanted, std::nullopt);
    ++m_count;
    QElapsedTimer clock;
    clock.start();
    const auto result = evaluate(plan, *m_catalog);
    m_lastMilliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
    deliver(result);
}

void Evaluator::runBeside() {
    m_running = true;
    ++m_count;
    m_pool.start([this, plan = *std::exchange(m_wanted, std::nullopt), catalog = m_catalog] {
        QElapsedTimer clock;
        clock.start();
        auto result = std::make_shared<Result<ReportPtr>>(evaluate(plan, *catalog));
        const double milliseconds = static_cast<double>(clock.nsecsElapsed()) / 1e6;
        // The destructor waits for the pool, so `this` is alive; a queued call to a dead object is dropped.
        QMetaObject::invokeMethod(
            this,
            [this, result, milliseconds] {
                m_running = false;
                m_lastMilliseconds = milliseconds;
                // A plan overtaken meanwhile is still shown: a long drag moves, and the latest plan follows.
                deliver(*result);
                if (m_wanted) m_turn->start();
            },
            Qt::QueuedConnection);
    });
}

void Evaluator::flush() {
    while (!idle()) {
        if (m_running) {
            m_pool.waitForDone();
            QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
        }
        if (m_wanted && !m_running) runHere();
    }
}

void Evaluator::deliver(const Result<ReportPtr>& result) {
    if (result.ok())
        emit ready(result.value());
    else
        emit failed(toQString(result.error().line()));
}

} // namespace shardlens
