// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui_support.h"

#include <QApplication>
#include <QSettings>
#include <vector>

#include "catch.h"
#include "main_window.h"

namespace shardlens {

namespace {
std::vector<const QRegularExpression*>& expected() {
    static std::vector<const QRegularExpression*> patterns;
    return patterns;
}
} // namespace

ExpectedWarning::ExpectedWarning(const QString& pattern) : m_pattern(pattern) {
    expected().push_back(&m_pattern);
}
ExpectedWarning::~ExpectedWarning() { std::erase(expected(), &m_pattern); }
bool ExpectedWarning::matches(const QString& text) {
    for (const auto* pattern : expected())
        if (pattern->match(text).hasMatch()) return true;
    return false;
}

std::shared_ptr<const Catalog> testCatalog() {
    static const auto catalog = std::make_shared<const Catalog>(Catalog({presets_directory()}));
    return catalog;
}

Plan presetPlan(const std::string& id) {
    auto plan = testCatalog()->plan(id);
    if (!plan.ok()) FAIL(plan.error().line());
    return std::move(plan).value();
}

std::unique_ptr<MainWindow> shownWindow(const QSize& size) {
    auto window = std::make_unique<MainWindow>(testCatalog(), nullptr);
    REQUIRE(window->document().start(presetPlan("llama3-70b-64xh100")).what.empty());
    window->resize(size);
    window->show();
    settle(*window);
    return window;
}

void settle(MainWindow& window) {
    for (int turn = 0; turn < 6 || !window.settled(); ++turn) {
        window.settle();
        QApplication::sendPostedEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // no event loop of exec() runs here
        QApplication::processEvents();
    }
}

} // namespace shardlens
