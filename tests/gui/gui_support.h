// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's tests share.
#pragma once

#include <QRegularExpression>
#include <QSize>
#include <QString>
#include <memory>

#include "catalog/catalog.h"
#include "plan/plan.h"

namespace shardlens {

class MainWindow;

/// Announces a Qt warning for as long as it lives; any other fails the test.
class ExpectedWarning {
public:
    explicit ExpectedWarning(const QString& pattern);
    ~ExpectedWarning();
    ExpectedWarning(const ExpectedWarning&) = delete;
    ExpectedWarning& operator=(const ExpectedWarning&) = delete;
    [[nodiscard]] static bool matches(const QString& text);

private:
    QRegularExpression m_pattern;
};

/// The repository's presets, read once per test program.
[[nodiscard]] std::shared_ptr<const Catalog> testCatalog();
/// Preset plan by id.
[[nodiscard]] Plan presetPlan(const std::string& id);

/// A shown window with the plan of Llama 3 70B on 64 H100, settled and painted.
[[nodiscard]] std::unique_ptr<MainWindow> shownWindow(const QSize& size = {1600, 1000});

/// Turns the event loop until nothing is outstanding.
void settle(MainWindow& window);

} // namespace shardlens
