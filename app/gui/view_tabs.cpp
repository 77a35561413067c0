// SPDX-License-Identifier: GPL-3.0-or-later
#include "view_tabs.h"

#include <QProxyStyle>
#include <QTabBar>

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSpace = 14; ///< beside a name, both sides together

/// Fusion, as the whole window has it, with less room beside the names.
class CloseTabs : public QProxyStyle {
public:
    CloseTabs() : QProxyStyle(u"Fusion"_s) {}
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override {
        return metric == PM_TabBarTabHSpace ? kSpace : QProxyStyle::pixelMetric(metric, option, widget);
    }
};

} // namespace

ViewTabs::ViewTabs(QWidget* parent) : QTabWidget(parent) {
    setDocumentMode(true);
    auto* style = new CloseTabs;
    style->setParent(this); // a widget does not own its style
    tabBar()->setStyle(style);
}

} // namespace shardlens
