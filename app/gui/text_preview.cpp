// SPDX-License-Identifier: GPL-3.0-or-later
#include "text_preview.h"

#include <QFontDatabase>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <algorithm>
#include <vector>

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {
constexpr int kMostMarks = 2000;             ///< lines with paper of their own; the margin marks all
constexpr qsizetype kMostColoured = 300'000; ///< characters: the hosts of a huge cluster stay plain
} // namespace

/// Comments, texts, numbers and names of a configuration file. Line by line: what spans lines stays plain.
class FileColours : public QSyntaxHighlighter {
public:
    using QSyntaxHighlighter::QSyntaxHighlighter;

    void choose(const QString& name, const Theme& theme) {
        m_rules.clear();
        const auto rule = [this](const QString& pattern, const QColor& ink, bool italic = false) {
            QTextCharFormat format;
            format.setForeground(ink);
            format.setFontItalic(italic);
            m_rules.push_back({QRegularExpression(pattern), format});
        };
        const QColor names = theme.outline(Role::Parameters), texts = theme.outline(Role::Optimizer),
                     numbers = theme.outline(Role::Activations);
        rule(uR"((?<![\w.-])-?\d[\d_]*(\.\d+)?([eE][+-]?\d+)?(?![\w.]))"_s, numbers);
        if (name.endsWith(".json"_L1)) {
            rule(uR"("(\\.|[^"\\])*")"_s, texts);
            rule(uR"("(\\.|[^"\\])*"(?=\s*:))"_s, names);
            return;
        }
        rule(uR"("(\\.|[^"\\])*"|'[^']*')"_s, texts);
        if (name.endsWith(".sh"_L1)) {
            rule(u"(?<![\\w-])--?[A-Za-z][\\w-]*"_s, names);
            rule(uR"(^\s*[A-Z][A-Z0-9_]*(?==))"_s, names);
        } else {
            rule(uR"(^[\s-]*[\w.-]+(?=\s*[:=]))"_s, names);
            rule(uR"(^\s*\[[\w.]+\])"_s, names);
        }
        rule(uR"((^|\s)#.*$)"_s, theme.mutedText(), true);
    }

protected:
    void highlightBlock(const QString& line) override {
        for (const auto& [pattern, format] : m_rules)
            for (auto matches = pattern.globalMatch(line); matches.hasNext();) {
                const auto match = matches.next();
                setFormat(int(match.capturedStart()), int(match.capturedLength()), format);
            }
    }

private:
    std::vector<std::pair<QRegularExpression, QTextCharFormat>> m_rules;
};

/// Left of the text: the signs of the lines that changed.
class TextPreview::Margin : public QWidget {
public:
    explicit Margin(TextPreview* preview) : QWidget(preview), m_preview(*preview) {}

protected:
    void paintEvent(QPaintEvent* event) override { m_preview.paintMargin(event); }

private:
    TextPreview& m_preview;
};

TextPreview::TextPreview(const Theme& theme, QWidget* parent)
    : QPlainTextEdit(parent), m_theme(theme), m_colours(new FileColours(static_cast<QObject*>(this))),
      m_margin(new Margin(this)) {
    setReadOnly(true);
    setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    setLineWrapMode(QPlainTextEdit::NoWrap);
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setTabChangesFocus(true);
    setViewportMargins(fontMetrics().horizontalAdvance(u"+"_s) + 8, 0, 0, 0);
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
        if (dy != 0)
            m_margin->scroll(0, dy);
        else
            m_margin->update(0, rect.y(), m_margin->width(), rect.height());
    });
}

void TextPreview::showFile(const QString& name, const QString& text, const LineChanges& changes) {
    m_changes = changes;
    const bool colour = text.size() <= kMostColoured;
    m_colours->setDocument(nullptr); // not while the text changes
    if (toPlainText() != text) {
        const int down = verticalScrollBar()->value(), right = horizontalScrollBar()->value();
        setPlainText(text);
        verticalScrollBar()->setValue(down);
        horizontalScrollBar()->setValue(right);
    }
    m_colours->choose(name, m_theme);
    if (colour) m_colours->setDocument(document());
    markLines();
}

void TextPreview::setTheme(const Theme& theme) { m_theme = theme; }

QString TextPreview::signOf(int line) const {
    const auto at = static_cast<std::size_t>(line);
    if (at < m_changes.changed.size() && m_changes.changed[at]) return u"+"_s;
    return at < m_changes.removedBefore.size() && m_changes.removedBefore[at] ? u"−"_s : QString();
}

void TextPreview::showFirstChange() {
    for (int line = 0; line < blockCount(); ++line) {
        if (signOf(line).isEmpty()) continue;
        const int inSight = viewport()->height() / std::max(1, fontMetrics().lineSpacing());
        const int top = verticalScrollBar()->value(); // in lines, as nothing is wrapped
        if (line < top || line >= top + inSight - 1) verticalScrollBar()->setValue(line - inSight / 3);
        return;
    }
}

void TextPreview::markLines() {
    QList<QTextEdit::ExtraSelection> marks;
    const QColor paper = mixed(m_theme.card(), m_theme.color(Role::Highlight), m_theme.isDark() ? 0.3 : 0.14);
    int line = 0;
    for (QTextBlock block = document()->firstBlock(); block.isValid() && marks.size() < kMostMarks;
         block = block.next(), ++line) {
        if (signOf(line) != u"+"_s) continue;
        QTextEdit::ExtraSelection mark;
        mark.format.setBackground(paper);
        mark.format.setProperty(QTextFormat::FullWidthSelection, true);
        mark.cursor = QTextCursor(block);
        marks << mark;
    }
    setExtraSelections(marks);
    m_margin->update();
}

void TextPreview::paintMargin(QPaintEvent* event) {
    QPainter painter(m_margin);
    painter.fillRect(event->rect(), mixed(m_theme.card(), m_theme.window(), 0.6));
    QFont bold = font();
    bold.setBold(true);
    painter.setFont(bold);
    painter.setPen(m_theme.outline(Role::Highlight));
    QTextBlock block = firstVisibleBlock();
    double top = blockBoundingGeometry(block).translated(contentOffset()).top();
    for (; block.isValid() && top <= event->rect().bottom(); block = block.next()) {
        const double height = blockBoundingRect(block).height();
        if (const QString sign = signOf(block.blockNumber()); !sign.isEmpty())
            painter.drawText(QRectF(0, top, m_margin->width(), height), Qt::AlignCenter, sign);
        top += height;
    }
}

void TextPreview::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    m_margin->setGeometry(inside.left(), inside.top(), viewportMargins().left(), inside.height());
}

} // namespace shardlens
