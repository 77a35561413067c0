// SPDX-License-Identifier: GPL-3.0-or-later
#include "presentation_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QTextBrowser>
#include <QTimer>
#include <QVBoxLayout>

#include "lessons/markdown_view.h"

namespace shardlens {

using namespace Qt::StringLiterals;

PresentationBar::PresentationBar(QWidget* parent)
    : QWidget(parent), m_notes(new QTextBrowser(this)), m_step(new QLabel(this)), m_keys(new QLabel(this)),
      m_clock(new QLabel(this)), m_tick(new QTimer(this)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 2, 8, 4);
    layout->setSpacing(4);
    m_notes->setFocusPolicy(Qt::NoFocus);
    m_notes->hide();
    layout->addWidget(m_notes);
    auto* row = new QHBoxLayout;
    row->addWidget(m_step);
    row->addStretch(1);
    row->addWidget(m_keys);
    row->addStretch(1);
    row->addWidget(m_clock);
    layout->addLayout(row);
    m_tick->setInterval(1000);
    connect(m_tick, &QTimer::timeout, this, &PresentationBar::showClock);
    retranslate();
}

void PresentationBar::start() {
    m_since.start();
    m_tick->start();
    m_notesShown = false;
    showNotes();
    showClock();
    show();
}

void PresentationBar::stop() {
    m_tick->stop();
    hide();
}

void PresentationBar::setStep(const QString& step, const QString& notes) {
    m_step->setText(step);
    m_notesMarkdown = notes;
    showNotes();
}

void PresentationBar::setNotesShown(bool on) {
    m_notesShown = on;
    showNotes();
}

void PresentationBar::showNotes() {
    m_notes->setVisible(m_notesShown);
    if (!m_notesShown) return;
    const QString text = m_notesMarkdown.isEmpty() ? tr("No notes for this step.") : m_notesMarkdown;
    setLessonMarkdown(*m_notes->document(), text, palette().color(QPalette::Text));
    m_notes->setFixedHeight(6 * m_notes->fontMetrics().lineSpacing());
}

void PresentationBar::showClock() {
    const qint64 seconds = m_since.isValid() ? m_since.elapsed() / 1000 : 0;
    m_clock->setText(u"%1:%2"_s.arg(seconds / 60, 2, 10, QChar(u'0')).arg(seconds % 60, 2, 10, QChar(u'0')));
}

QString PresentationBar::notesText() const { return m_notes->toPlainText(); }
QString PresentationBar::clockText() const { return m_clock->text(); }

void PresentationBar::retranslate() {
    m_keys->setText(tr("Page keys: steps · N: notes · P: plan · Esc: leave"));
    m_clock->setAccessibleName(tr("Time since the start"));
    m_notes->setAccessibleName(tr("Presenter's notes"));
    showNotes();
}

} // namespace shardlens
