// SPDX-License-Identifier: GPL-3.0-or-later
// A piece of a lesson's text with its live fields filled in: as high as its text, without scroll bars of its
// own.
#pragma once

#include <QTextBrowser>

#include "lessons/number_format.h"

class QTextDocument;

namespace shardlens {

namespace lessons {
class Session;
}

/// How the current locale writes numbers.
[[nodiscard]] lessons::NumberFormat localeNumberFormat();
/// "zh_CN" or "en": the language of lessons that goes with the current locale.
[[nodiscard]] QString lessonLanguage();

/// Markdown without HTML into a document; tables get lines of `ink`.
void setLessonMarkdown(QTextDocument& document, const QString& markdown, const QColor& ink);

class MarkdownView : public QTextBrowser {
    Q_OBJECT
public:
    explicit MarkdownView(QWidget* parent = nullptr);

    /// Text as written, with fields; fill() fills them in.
    void setPiece(std::string markdown);
    /// Fills the fields in from the session as it is now. What has no value is a dash, named in the tooltip.
    void fill(const lessons::Session& session);
    [[nodiscard]] const QString& filledText() const { return m_filled; }

    /// Pixels from the top to the middle of the first line's capitals.
    [[nodiscard]] double firstLineMiddle() const;

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void write();
    void fitHeight();

    std::string m_markdown;
    QString m_filled;
};

} // namespace shardlens
