// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/icons.h"

#include <QPainter>
#include <QPixmap>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace shardlens {

QIcon tintedIcon(const QString& name, const QColor& color) {
    constexpr int kSize = 64; // drawn large once and scaled down
    const QString key = QStringLiteral("shardlens-icon/%1/%2").arg(name, color.name(QColor::HexArgb));
    QPixmap pixmap;
    if (!QPixmapCache::find(key, &pixmap)) {
        pixmap = QPixmap(kSize, kSize);
        pixmap.fill(Qt::transparent);
        QSvgRenderer renderer(QStringLiteral(":/icons/%1.svg").arg(name));
        QPainter painter(&pixmap);
        renderer.render(&painter);
        painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
        painter.fillRect(pixmap.rect(), color);
        painter.end();
        QPixmapCache::insert(key, pixmap);
    }
    return QIcon(pixmap);
}

} // namespace shardlens
