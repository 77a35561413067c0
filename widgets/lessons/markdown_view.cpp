// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/markdown_view.h"

#include <QAbstractTextDocumentLayout>
#include <QLocale>
#include <QScrollBar>
#include <QTextBlock>
#include <QTextDocument>
#include <QTextFrame>
#include <QTextLayout>
#include <QTextTable>
#include <QWheelEvent>

#include "controls/quantity.h"
#include "lessons/session.h"
#include "theme/theme.h"

namespace shardlens {

using namespace Qt::StringLiterals;

lessons::NumberFormat localeNumberFormat() {
    const QLocale locale;
    auto format = lessons::NumberFormat::of(lessonLanguage().toStdString());
    format.decimal = locale.decimalPoint().toStdString();
    format.group = locale.groupSeparator().toStdString();
    return format;
}

QString lessonLanguage() { return QLocale().language() == QLocale::Chinese ? u"zh_CN"_s : u"en"_s; }

void setLessonMarkdown(QTextDocument& document, const QString& markdown, const QColor& ink) {
    document.setMarkdown(markdown, QTextDocument::MarkdownFeatures(QTextDocument::MarkdownDialectGitHub) |
                                       QTextDocument::MarkdownNoHTML);
    QList<QTextFrame*> frames{document.rootFrame()};
    while (!frames.isEmpty()) {
        QTextFrame* frame = frames.takeFirst();
        frames += frame->childFrames();
        if (auto* table = qobject_cast<QTextTable*>(frame)) {
            QTextTableFormat format = table->format();
            format.setBorder(1);
            format.setBorderStyle(QTextFrameFormat::BorderStyle_Solid);
            format.setBorderBrush(ink);
            format.setBorderCollapse(true);
            format.setCellPadding(4);
            format.setCellSpacing(0);
            format.setTopMargin(4);
            format.setBottomMargin(8);
            table->setFormat(format);
        }
    }
    // Lines of a page stand apart far enough to be read aloud from.
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
        QTextBlockFormat format = block.blockFormat();
        format.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
        QTextCursor(block).setBlockFormat(format);
    }
}

MarkdownView::MarkdownView(QWidget* parent) : QTextBrowser(parent) {
    setFrameShape(QFrame::NoFrame);
    setOpenExternalLinks(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setFocusPolicy(Qt::ClickFocus);
    viewport()->setAutoFillBackground(false);
    document()->setDocumentMargin(2);
    setUndoRedoEnabled(false);
}

void MarkdownView::setPiece(std::string markdown) { m_markdown = std::move(markdown); }

void MarkdownView::fill(const lessons::Session& session) {
    const lessons::Filled filled = session.fill(m_markdown, localeNumberFormat());
    // A reader has no use for the expression that failed; checking the lesson names it to its author.
    setToolTip(filled.problems.empty() ? QString()
                                       : tr("A dash stands for a figure that the plan does not have"));
    const QString text = toQString(filled.text);
    if (text == m_filled) return;
    m_filled = text;
    write();
}

void MarkdownView::write() {
    const QColor ink = mixed(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.3);
    setLessonMarkdown(*document(), m_filled, ink);
    const bool links = m_filled.contains(u"]("_s) || m_filled.contains(u"://"_s);
    setFocusPolicy(links ? Qt::StrongFocus : Qt::ClickFocus);
    setAccessibleName(toPlainText());
    fitHeight();
}

void MarkdownView::fitHeight() {
    document()->setTextWidth(viewport()->width());
    const double height = document()->documentLayout()->documentSize().height();
    const bool wide = document()->idealWidth() > viewport()->width() + 1;
    const int wanted = int(height + 0.99) + (wide ? horizontalScrollBar()->sizeHint().height() : 0);
    if (wanted != minimumHeight() || wanted != maximumHeight()) setFixedHeight(wanted);
}

double MarkdownView::firstLineMiddle() const {
    const QTextBlock first = document()->begin();
    const QTextLayout* layout = first.layout();
    if (!layout || layout->lineCount() == 0) return fontMetrics().height() / 2.0;
    const QTextLine line = layout->lineAt(0);
    const double top = document()->documentLayout()->blockBoundingRect(first).top() + line.y();
    return top + line.ascent() - QFontMetricsF(font()).capHeight() / 2;
}

QSize MarkdownView::sizeHint() const { return {320, minimumHeight()}; }
QSize MarkdownView::minimumSizeHint() const { return {120, minimumHeight()}; }

void MarkdownView::resizeEvent(QResizeEvent* event) {
    QTextBrowser::resizeEvent(event);
    fitHeight();
}

void MarkdownView::changeEvent(QEvent* event) {
    QTextBrowser::changeEvent(event);
    if (event->type() == QEvent::FontChange) fitHeight();
    if (event->type() == QEvent::PaletteChange && !m_filled.isEmpty()) write();
}

// The page round it scrolls.
void MarkdownView::wheelEvent(QWheelEvent* event) { event->ignore(); }

} // namespace shardlens
