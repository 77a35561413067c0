// SPDX-License-Identifier: GPL-3.0-or-later
// The timeline as a file: the view is drawn once more, in the light theme, on a device that takes shapes.
#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include "pipeline/gantt_view.h"
#include "json/strict_json.h"

namespace shardlens {

namespace {

constexpr int kDotsPerInch = 96; ///< a pixel of the view on paper
constexpr int kPixelsPerPixel = 2;

} // namespace

// Called on a view made for this alone, so that nothing on screen is touched.
void GanttView::paintOn(QPaintDevice& device) {
    m_vector = true;
    arrange();
    m_plot->paintOn(device, m_plot->geometry(), [this](QPainter& painter) {
        painter.fillRect(rect(), theme().card());
        drawAround(painter);
    });
}

Error GanttView::savePicture(const QString& path, QSize extent) const {
    if (extent.isEmpty()) extent = size();
    const QString suffix = QFileInfo(path).suffix().toLower();
    const QStringList known{QStringLiteral("svg"), QStringLiteral("pdf"), QStringLiteral("png")};
    if (!known.contains(suffix))
        return {path.toStdString(),
                tr("not a kind of picture; the name ends in .svg, .pdf or .png").toStdString()};
    if (!shown()) return {path.toStdString(), tr("not written: %1").arg(emptyReason()).toStdString()};

    Interaction marks;
    marks.setSelected(interaction().selected());
    GanttView view(Theme::make(ThemeKind::Light), marks);
    view.setFont(font());
    view.resize(extent);
    view.m_by = m_by;
    view.m_memoryShown = m_memoryShown;
    view.m_second = m_second;
    view.m_secondName = m_secondName;
    view.setPinned(pinned());
    view.setReport(report());
    view.setVisibleRange(m_visible);
    view.m_selectedOp = m_selectedOp;
    view.m_area = m_area;

    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    if (suffix == QLatin1String("svg")) {
        QSvgGenerator svg;
        svg.setOutputDevice(&buffer);
        svg.setResolution(kDotsPerInch);
        svg.setSize(extent);
        svg.setViewBox(QRect({0, 0}, extent));
        svg.setTitle(heading());
        svg.setDescription(description());
        view.paintOn(svg);
    } else if (suffix == QLatin1String("pdf")) {
        QPdfWriter pdf(&buffer);
        pdf.setResolution(kDotsPerInch);
        pdf.setPageMargins({});
        pdf.setPageSize(QPageSize(QSizeF(extent) * 72 / kDotsPerInch, QPageSize::Point, heading(),
                                  QPageSize::ExactMatch));
        pdf.setTitle(heading());
        view.paintOn(pdf);
    } else {
        QImage image(extent * kPixelsPerPixel, QImage::Format_RGB32);
        image.setDevicePixelRatio(kPixelsPerPixel);
        view.paintOn(image);
        image.save(&buffer, "PNG");
    }
    return write_text(path.toStdString(), {bytes.constData(), static_cast<std::size_t>(bytes.size())});
}

} // namespace shardlens
