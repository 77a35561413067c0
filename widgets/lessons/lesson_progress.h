// SPDX-License-Identifier: GPL-3.0-or-later
// Which questions a learner has answered. Kept in the settings; nothing depends on it but what the list says.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>

class QSettings;

namespace shardlens {

namespace lessons {
struct Lesson;
}

class LessonProgress {
public:
    /// `settings` null: kept for this run alone; else it must outlive the progress.
    explicit LessonProgress(QSettings* settings = nullptr) : m_settings(settings) {}

    [[nodiscard]] QStringList answered(const QString& lesson) const;
    /// Steps of a lesson with a question that is not answered, in order.
    [[nodiscard]] QList<int> openSteps(const lessons::Lesson& lesson) const;
    void setAnswered(const QString& lesson, const QString& question);
    void clear(const QString& lesson);

private:
    QSettings* m_settings;
    mutable QHash<QString, QStringList> m_answered; ///< by lesson, what was asked for so far
};

} // namespace shardlens
