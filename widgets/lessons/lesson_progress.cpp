// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_progress.h"

#include <QSettings>

#include "controls/quantity.h"
#include "lessons/lesson.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

QString keyOf(QString lesson) {
    lesson.replace(u'/', u'-'); // a separator in settings
    return u"lessons/answered/"_s + lesson;
}

} // namespace

QStringList LessonProgress::answered(const QString& lesson) const {
    const auto found = m_answered.constFind(lesson);
    if (found != m_answered.constEnd()) return *found;
    const QStringList kept = m_settings ? m_settings->value(keyOf(lesson)).toStringList() : QStringList();
    m_answered.insert(lesson, kept);
    return kept;
}

QList<int> LessonProgress::openSteps(const lessons::Lesson& lesson) const {
    const QStringList done = answered(toQString(lesson.id));
    QList<int> open;
    for (std::size_t step = 0; step < lesson.steps.size(); ++step)
        for (const lessons::Block& block : lesson.steps[step].blocks)
            if (const auto* question = std::get_if<lessons::Question>(&block);
                question && !done.contains(toQString(question->id)) && !open.contains(int(step)))
                open << int(step);
    return open;
}

void LessonProgress::setAnswered(const QString& lesson, const QString& question) {
    QStringList all = answered(lesson);
    if (all.contains(question)) return;
    all << question;
    m_answered.insert(lesson, all);
    if (m_settings) m_settings->setValue(keyOf(lesson), all);
}

void LessonProgress::clear(const QString& lesson) {
    m_answered.insert(lesson, {});
    if (m_settings) m_settings->remove(keyOf(lesson));
}

} // namespace shardlens
