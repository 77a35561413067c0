// SPDX-License-Identifier: GPL-3.0-or-later
// One view on its own, shown, and the mouse on it.
#pragma once

#include <QApplication>
#include <QMouseEvent>

#include "report_view.h"

namespace shardlens {

template <class View> struct Shown {
    explicit Shown(const QSize& size = {640, 400}) : view(Theme::make(ThemeKind::Light), interaction) {
        view.resize(size);
        view.show();
        QApplication::processEvents();
    }
    void set(const ReportPtr& report) {
        view.setReport(report);
        QApplication::processEvents();
    }
    void pin(const ReportPtr& report) {
        view.setPinned(report);
        QApplication::processEvents();
    }
    Interaction interaction;
    View view;
};

inline void moveTo(QWidget& widget, const QPointF& at) {
    QMouseEvent event(QEvent::MouseMove, at, widget.mapToGlobal(at), Qt::NoButton, Qt::NoButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

inline void clickAt(QWidget& widget, const QPointF& at) {
    QMouseEvent press(QEvent::MouseButtonPress, at, widget.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton,
                      Qt::NoModifier);
    QApplication::sendEvent(&widget, &press);
    QMouseEvent release(QEvent::MouseButtonRelease, at, widget.mapToGlobal(at), Qt::LeftButton, Qt::NoButton,
                        Qt::NoModifier);
    QApplication::sendEvent(&widget, &release);
}

inline void wheelAt(QWidget& widget, const QPointF& at, int turn) {
    QWheelEvent event(at, widget.mapToGlobal(at), QPoint(), QPoint(0, turn), Qt::NoButton, Qt::NoModifier,
                      Qt::NoScrollPhase, false);
    QApplication::sendEvent(&widget, &event);
}

inline QColor pixel(QWidget& widget, const QPointF& at) {
    return widget.grab().toImage().pixelColor(at.toPoint());
}

} // namespace shardlens
