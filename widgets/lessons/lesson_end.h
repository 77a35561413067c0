// SPDX-License-Identifier: GPL-3.0-or-later
// What stands at the end of a lesson: the questions that are still open, and the way to the next lesson.
#pragma once

#include <QFrame>
#include <QStringList>

#include "theme/theme.h"

class QLabel;
class QPushButton;

namespace shardlens {

class LessonEnd : public QFrame {
    Q_OBJECT
public:
    explicit LessonEnd(QWidget* parent = nullptr);

    /// Steps with a question that is not answered yet, and what they are called; `questions`: has the lesson
    /// any?
    void setOpen(const QList<int>& steps, const QStringList& names, bool questions);
    /// The lesson that follows; an empty title: this is the last one.
    void setNext(const QString& title);
    void setTheme(const Theme& theme);

signals:
    void stepWanted(int step);
    void nextWanted();

private:
    QLabel* m_open;
    QPushButton* m_next;
};

} // namespace shardlens
