// SPDX-License-Identifier: GPL-3.0-or-later
// The strip below a presentation: step, time since its start, keys; above it the presenter's notes when
// wanted.
#pragma once

#include <QElapsedTimer>
#include <QWidget>

class QLabel;
class QTextBrowser;
class QTimer;

namespace shardlens {

class PresentationBar : public QWidget {
    Q_OBJECT
public:
    explicit PresentationBar(QWidget* parent = nullptr);

    /// Shows the strip; the clock starts at zero.
    void start();
    void stop();
    void setStep(const QString& step, const QString& notes);
    void setNotesShown(bool on);
    [[nodiscard]] bool notesShown() const { return m_notesShown; }
    [[nodiscard]] QString notesText() const;
    [[nodiscard]] QString clockText() const;
    void retranslate();

private:
    void showNotes();
    void showClock();

    QTextBrowser* m_notes;
    QLabel *m_step, *m_keys, *m_clock;
    QTimer* m_tick;
    QElapsedTimer m_since;
    QString m_notesMarkdown;
    bool m_notesShown = false;
};

} // namespace shardlens
