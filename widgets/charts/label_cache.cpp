// SPDX-License-Identifier: GPL-3.0-or-later
#include "charts/label_cache.h"

#include <QPainter>
#include <cmath>

namespace shardlens {

namespace {
constexpr qsizetype kMostTexts = 8192;
}

void LabelCache::setFont(const QFont& font) {
    if (m_font == font && !m_texts.isEmpty()) return;
    m_font = font;
    m_texts.clear();
}

const QStaticText& LabelCache::find(const QString& text) {
    const auto found = m_texts.constFind(text);
    if (found != m_texts.cend()) return *found;
    if (m_texts.size() >= kMostTexts) m_texts.clear();
    QStaticText laidOut(text);
    laidOut.setTextFormat(Qt::PlainText);
    laidOut.setPerformanceHint(QStaticText::AggressiveCaching);
    laidOut.prepare(QTransform(), m_font);
    return *m_texts.insert(text, laidOut);
}

QSizeF LabelCache::size(const QString& text) { return find(text).size(); }

void LabelCache::draw(QPainter& painter, const QPointF& at, const QString& text) {
    painter.setFont(m_font);
    painter.drawStaticText(QPointF(std::round(at.x()), std::round(at.y())), find(text));
}

void LabelCache::drawCentred(QPainter& painter, const QPointF& centre, const QString& text) {
    const QSizeF extent = size(text);
    draw(painter, centre - QPointF(extent.width() / 2, extent.height() / 2), text);
}

} // namespace shardlens
