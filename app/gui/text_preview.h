// SPDX-License-Identifier: GPL-3.0-or-later
// A file to look at: fixed width, lightly coloured by its kind, with the lines that the last edit changed
// marked by paper and by a sign beside them.
#pragma once

#include <QPlainTextEdit>

#include "text_diff.h"
#include "theme/theme.h"

namespace shardlens {

class FileColours;

class TextPreview : public QPlainTextEdit {
    Q_OBJECT
public:
    explicit TextPreview(const Theme& theme, QWidget* parent = nullptr);

    /// `name` decides the colouring (train.sh, config.yaml …). The place in sight stays where the text allows
    /// it.
    void showFile(const QString& name, const QString& text, const LineChanges& changes);
    void setTheme(const Theme& theme);
    [[nodiscard]] const LineChanges& changes() const { return m_changes; }
    /// The sign beside a line: "+" changed, "−" lines gone before it, "" neither.
    [[nodiscard]] QString signOf(int line) const;
    /// Brings the first marked line into sight.
    void showFirstChange();

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    class Margin;
    void paintMargin(QPaintEvent* event);
    void markLines();

    Theme m_theme;
    LineChanges m_changes;
    FileColours* m_colours;
    Margin* m_margin;
};

} // namespace shardlens
