// SPDX-License-Identifier: GPL-3.0-or-later
// Work beside the window, one piece at a time: the latest wish wins, its result comes back in the window's
// thread.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <functional>

namespace shardlens {

class Background : public QObject {
    Q_OBJECT
public:
    /// Runs in the window's thread when the work is done.
    using Deliver = std::function<void()>;
    /// Runs beside; must hold what it reads by value or shared pointer.
    using Work = std::function<Deliver()>;

    explicit Background(QObject* parent = nullptr);
    ~Background() override; ///< waits for what runs

    /// Replaces work that still waits; what runs already is finished, but no longer delivered.
    void run(Work work);
    [[nodiscard]] bool idle() const { return !m_running && !m_next; }
    /// Waits until everything is delivered.
    void flush();

private:
    void start();

    QThreadPool m_pool;
    Work m_next;
    bool m_running = false;
};

} // namespace shardlens
