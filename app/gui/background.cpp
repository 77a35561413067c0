// SPDX-License-Identifier: GPL-3.0-or-later
#include "background.h"

#include <QCoreApplication>
#include <memory>
#include <utility>

namespace shardlens {

Background::Background(QObject* parent) : QObject(parent) {
    m_pool.setMaxThreadCount(1);
    m_pool.setThreadPriority(QThread::LowPriority); // the window goes first
}

Background::~Background() { m_pool.waitForDone(); }

void Background::run(Work work) {
    m_next = std::move(work);
    if (!m_running) start();
}

void Background::start() {
    m_running = true;
    m_pool.start([this, work = std::exchange(m_next, nullptr)] {
        auto deliver = std::make_shared<Deliver>(work());
        // The destructor waits for the pool, so `this` is alive; a queued call to a dead object is dropped.
        QMetaObject::invokeMethod(
            this,
            [this, deliver] {
                m_running = false;
                if (m_next)
                    start();
                else
                    (*deliver)();
            },
            Qt::QueuedConnection);
    });
}

void Background::flush() {
    while (!idle()) {
        m_pool.waitForDone();
        QCoreApplication::sendPostedEvents(this, QEvent::MetaCall);
    }
}

} // namespace shardlens
