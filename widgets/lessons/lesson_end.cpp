// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_end.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace shardlens {

using namespace Qt::StringLiterals;

LessonEnd::LessonEnd(QWidget* parent)
    : QFrame(parent), m_open(new QLabel(this)), m_next(new QPushButton(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(2, 8, 2, 4);
    layout->setSpacing(8);
    m_open->setObjectName(u"openQuestions"_s);
    m_open->setWordWrap(true);
    m_open->setTextFormat(Qt::RichText);
    m_open->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_next->setObjectName(u"nextLesson"_s);
    layout->addWidget(m_open);
    layout->addWidget(m_next, 0, Qt::AlignLeft);
    connect(m_open, &QLabel::linkActivated, this,
            [this](const QString& step) { emit stepWanted(step.toInt()); });
    connect(m_next, &QPushButton::clicked, this, &LessonEnd::nextWanted);
}

void LessonEnd::setOpen(const QList<int>& steps, const QStringList& names, bool questions) {
    m_open->setVisible(questions);
    QStringList links;
    for (qsizetype i = 0; i < steps.size(); ++i)
        links << u"<a href=\"%1\">%2</a>"_s.arg(steps[i]).arg(names.value(i).toHtmlEscaped());
    m_open->setText(links.isEmpty() ? tr("✓ All questions of this lesson are answered.").toHtmlEscaped()
                                    : tr("Questions not answered yet: %1").arg(links.join(tr(", "))));
}

void LessonEnd::setNext(const QString& title) {
    m_next->setVisible(!title.isEmpty());
    m_next->setText(tr("Next lesson: %1 ▶").arg(title));
}

void LessonEnd::setTheme(const Theme& theme) {
    QPalette ink = m_open->palette();
    ink.setColor(QPalette::WindowText, theme.mutedText());
    ink.setColor(QPalette::Link, theme.color(Role::Highlight));
    m_open->setPalette(ink);
}

} // namespace shardlens
