// SPDX-License-Identifier: GPL-3.0-or-later
// What every view has in common: it draws a Report, follows the theme and the language, and computes nothing.
#pragma once

#include <QEvent>
#include <QWidget>
#include <memory>

#include "interaction.h"
#include "report/report.h"
#include "theme/theme.h"

namespace shardlens {

using ReportPtr = std::shared_ptr<const Report>;

class ReportView : public QWidget {
    Q_OBJECT
public:
    ReportView(const Theme& theme, Interaction& interaction, QWidget* parent = nullptr)
        : QWidget(parent), m_theme(theme), m_interaction(interaction) {}

    /// Keeps the report and schedules one repaint, however often it is called in one turn of the event loop. A view
    /// that is not visible only remembers it.
    void setReport(ReportPtr report) {
        m_report = std::move(report);
        reportChanged();
        update();
    }
    /// The pinned baseline drawn as a ghost; null for none.
    void setPinned(ReportPtr pinned) {
        m_pinned = std::move(pinned);
        reportChanged();
        update();
    }
    void setTheme(const Theme& theme) {
        m_theme = theme;
        themeChanged();
        update();
    }

    [[nodiscard]] const ReportPtr& report() const { return m_report; }
    [[nodiscard]] const ReportPtr& pinned() const { return m_pinned; }
    /// Paints so far; tests count them.
    [[nodiscard]] int paintCount() const { return m_paintCount; }

    /// Sets every text anew after a change of language; also updates accessible name and description.
    virtual void retranslate() = 0;

protected:
    virtual void reportChanged() {}
    virtual void themeChanged() {}
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::LanguageChange) retranslate();
        QWidget::changeEvent(event);
    }
    [[nodiscard]] const Theme& theme() const { return m_theme; }
    [[nodiscard]] Interaction& interaction() const { return m_interaction; }
    void countPaint() { ++m_paintCount; }

private:
    Theme m_theme;
    Interaction& m_interaction;
    ReportPtr m_report, m_pinned;
    int m_paintCount = 0;
};

} // namespace shardlens
