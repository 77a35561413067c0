// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/lesson_panel.h"

#include <QApplication>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "controls/quantity.h"
#include "lessons/lesson_end.h"
#include "lessons/lesson_list.h"
#include "lessons/lesson_progress.h"
#include "lessons/markdown_view.h"
#include "lessons/question_card.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// Text of a title: bold and larger than what surrounds it, at whatever size that is.
void asHeading(QLabel& label, const QFont& body, double scale) {
    QFont font;
    font.setWeight(QFont::DemiBold);
    font.setPointSizeF(body.pointSizeF() * scale);
    label.setFont(font);
    label.setWordWrap(true);
    label.setTextFormat(Qt::PlainText);
}

constexpr double kTitleScale = 1.35, kHeadingScale = 1.2;
/// Of a text that is presented: 22.4 points where the window is 1080 pixels high, and as large a share
/// elsewhere.
constexpr double kPresentedPoints = 22.4 / 1080;
constexpr int kMargin = 6, kPresentedMargin = 32;

} // namespace

LessonPanel::LessonPanel(const Theme& theme, const Catalog& catalog, LessonProgress& progress,
                         QWidget* parent)
    : QWidget(parent), m_theme(theme), m_catalog(catalog), m_progress(progress),
      m_stack(new QStackedWidget(this)), m_list(new LessonList(progress)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_stack);

    auto* listPage = new QWidget(m_stack);
    auto* listLayout = new QVBoxLayout(listPage);
    listLayout->setContentsMargins(6, 6, 6, 6);
    m_listTitle = new QLabel(listPage);
    m_empty = new QLabel(listPage);
    m_empty->setWordWrap(true);
    listLayout->addWidget(m_listTitle);
    listLayout->addWidget(m_empty);
    listLayout->addWidget(m_list, 1);
    m_stack->addWidget(listPage);

    auto* lessonPage = new QWidget(m_stack);
    auto* lessonLayout = new QVBoxLayout(lessonPage);
    lessonLayout->setContentsMargins(kMargin, kMargin, kMargin, kMargin);
    lessonLayout->setSpacing(6);
    m_top = new QWidget(lessonPage);
    auto* top = new QHBoxLayout(m_top);
    top->setContentsMargins(0, 0, 0, 0);
    m_toList = new QToolButton(m_top);
    m_startOver = new QToolButton(m_top);
    m_back = new QPushButton(m_top);
    for (QToolButton* button : {m_toList, m_startOver}) button->setFocusPolicy(Qt::StrongFocus);
    top->addWidget(m_toList);
    top->addWidget(m_startOver);
    top->addStretch(1);
    top->addWidget(m_back);
    lessonLayout->addWidget(m_top);
    m_title = new QLabel(lessonPage);
    m_heading = new QLabel(lessonPage);
    lessonLayout->addWidget(m_title);
    lessonLayout->addWidget(m_heading);
    m_scroll = new QScrollArea(lessonPage);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    // Always there: its coming would break lines anew and move what is under the mouse.
    m_scroll->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
    m_scroll->installEventFilter(this);
    lessonLayout->addWidget(m_scroll, 1);
    auto* bottom = new QHBoxLayout;
    m_previous = new QPushButton(lessonPage);
    m_position = new QLabel(lessonPage);
    m_position->setAlignment(Qt::AlignCenter);
    m_next = new QPushButton(lessonPage);
    bottom->addWidget(m_previous);
    bottom->addWidget(m_position, 1);
    bottom->addWidget(m_next);
    lessonLayout->addLayout(bottom);
    m_stack->addWidget(lessonPage);

    connect(m_list, &LessonList::chosen, this, &LessonPanel::open);
    connect(m_toList, &QToolButton::clicked, this, &LessonPanel::closeLesson);
    connect(m_startOver, &QToolButton::clicked, this, &LessonPanel::startOver);
    connect(m_back, &QPushButton::clicked, this, &LessonPanel::backWanted);
    connect(m_previous, &QPushButton::clicked, this, [this] { setStep(m_step - 1); });
    connect(m_next, &QPushButton::clicked, this, [this] { setStep(m_step + 1); });
    scaleHeadings();
    setTheme(theme);
    retranslate();
}

LessonPanel::~LessonPanel() { clearPage(); }

void LessonPanel::setLibrary(std::shared_ptr<const lessons::Library> library) {
    if (m_session) closeLesson();
    m_library = std::move(library);
    m_list->show(m_library);
    retranslate();
}

bool LessonPanel::open(const QString& id) {
    const lessons::Entry* entry = m_library ? m_library->find(id.toStdString()) : nullptr;
    if (!entry) return false;
    clearPage();
    m_language = lessonLanguage();
    m_session.emplace(entry->in(m_language.toStdString()), m_catalog);
    m_step = 0;
    // Until the document's report of the opening plan comes, the session's own fills the fields.
    emit opened();
    buildStep();
    m_stack->setCurrentIndex(1);
    m_scroll->setFocus(Qt::OtherFocusReason);
    emit stepChanged();
    return true;
}

void LessonPanel::closeLesson() {
    if (!m_session) return;
    clearPage();
    m_session.reset();
    m_step = 0;
    m_list->show(m_library);
    m_stack->setCurrentIndex(0);
    m_list->setFocus(Qt::OtherFocusReason);
    emit closed();
}

QString LessonPanel::lessonId() const { return m_session ? toQString(m_session->lesson().id) : QString(); }

int LessonPanel::stepCount() const { return m_session ? int(m_session->lesson().steps.size()) : 0; }

const lessons::Step* LessonPanel::current() const {
    if (!m_session || m_step >= stepCount()) return nullptr;
    return &m_session->lesson().steps[static_cast<std::size_t>(m_step)];
}

void LessonPanel::setStep(int step) {
    const int wanted = qBound(0, step, qMax(0, stepCount() - 1));
    if (!m_session || wanted == m_step) return;
    m_step = wanted;
    // A widget of the step that goes may have the keys.
    if (m_page && m_page->isAncestorOf(QApplication::focusWidget())) m_scroll->setFocus(Qt::OtherFocusReason);
    buildStep();
    emit stepChanged();
}

bool LessonPanel::scrollBy(double share) {
    QScrollBar* bar = m_scroll->verticalScrollBar();
    const int before = bar->value();
    bar->setValue(before + int(share * m_scroll->viewport()->height()));
    return bar->value() != before;
}

QString LessonPanel::filled(const std::string& text) const {
    return toQString(m_session->fill(text, localeNumberFormat()).text);
}

void LessonPanel::refresh() {
    if (!m_session || !current()) return;
    m_title->setText(toQString(m_session->lesson().title));
    m_heading->setText(heading());
    m_heading->setVisible(!m_heading->text().isEmpty());
    for (MarkdownView* view : m_texts) view->fill(*m_session);
    for (std::size_t i = 0; i < m_actionButtons.size(); ++i)
        m_actionButtons[i]->setText(filled(m_actions[i]->label));
    for (QuestionCard* card : m_questions) card->refresh();
    showEnd();
}

void LessonPanel::showNavigation() {
    m_previous->setEnabled(m_step > 0);
    m_next->setEnabled(m_step + 1 < stepCount());
    const int last = stepCount() - 1;
    m_position->setText(m_step == 0 ? tr("Introduction") : tr("Step %1 of %2").arg(m_step).arg(last));
}

void LessonPanel::startOver() {
    if (!m_session) return;
    m_progress.clear(lessonId());
    (void)open(QString(lessonId()));
}

void LessonPanel::setReport(const ReportPtr& report) {
    if (report == m_report) return;
    m_report = report;
    if (!m_session) return;
    m_session->set_report(report);
    refresh();
}

void LessonPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    for (QuestionCard* card : m_questions) card->setTheme(theme);
    if (m_end) m_end->setTheme(theme);
    QPalette muted = m_position->palette();
    muted.setColor(QPalette::WindowText, theme.mutedText());
    m_position->setPalette(muted);
    m_empty->setPalette(muted);
}

QFont LessonPanel::bodyFont() const {
    QFont body = QApplication::font();
    if (m_presenting) body.setPointSizeF(std::max(body.pointSizeF(), kPresentedPoints * window()->height()));
    return body;
}

void LessonPanel::scaleHeadings() {
    const QFont body = bodyFont();
    // Each widget by itself: under a style sheet a font does not reach children that were made earlier.
    for (QWidget* widget : m_stack->widget(1)->findChildren<QWidget*>()) {
        if (widget == m_title || widget == m_heading) continue;
        if (m_presenting && widget->font().pointSizeF() != body.pointSizeF())
            widget->setFont(body);
        else if (!m_presenting && m_presentedType)
            widget->setFont(QFont());
    }
    m_presentedType = m_presenting;
    asHeading(*m_listTitle, body, kTitleScale);
    asHeading(*m_title, body, kTitleScale);
    asHeading(*m_heading, body, kHeadingScale);
}

// Before it is shown a widget may miss that the program's font has changed.
void LessonPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    scaleHeadings();
}

void LessonPanel::setPresenting(bool on) {
    m_presenting = on;
    scaleHeadings();
    m_top->setVisible(!on);
    const int side = on ? kPresentedMargin : kMargin;
    m_stack->widget(1)->layout()->setContentsMargins(side, side / 2 + 3, side, kMargin);
}

QString LessonPanel::notes() const {
    const lessons::Step* step = current();
    QStringList all;
    if (step)
        for (const lessons::Block& block : step->blocks)
            if (const auto* notes = std::get_if<lessons::Notes>(&block)) all << filled(notes->markdown);
    return all.join(u"\n\n"_s);
}

QString LessonPanel::heading() const {
    const lessons::Step* step = current();
    return step ? filled(step->heading) : QString();
}

QString LessonPanel::shownText() const {
    QStringList all{m_title->text(), m_heading->text()};
    for (const MarkdownView* view : m_texts) all << view->toPlainText();
    for (const QPushButton* button : m_actionButtons) all << button->text();
    return all.join(u'\n');
}

void LessonPanel::retranslate() {
    m_listTitle->setText(tr("Lessons"));
    m_empty->setText(tr("No lesson was found beside the program. Learn › Open lesson folder opens one."));
    m_empty->setVisible(!m_library || m_library->entries.empty());
    m_list->retranslate();
    m_list->show(m_library);
    m_toList->setText(tr("☰ Lessons"));
    m_toList->setToolTip(tr("Back to the list of lessons; the plan stays as it is"));
    m_startOver->setText(tr("Start over"));
    m_startOver->setToolTip(tr("Forgets the answers of this lesson and loads its plan again"));
    m_back->setText(tr("Back to my plan"));
    m_back->setToolTip(tr("Brings back the plan from before the lesson"));
    m_previous->setText(tr("◀ Previous"));
    m_next->setText(tr("Next ▶"));
    m_scroll->setAccessibleName(tr("Text of the lesson"));
    if (!m_session) return;
    if (m_language != lessonLanguage() && m_library) {
        // The same step in the other language; answers of this step are asked again.
        if (const lessons::Entry* entry = m_library->find(m_session->lesson().id)) {
            clearPage();
            m_language = lessonLanguage();
            m_session.emplace(entry->in(m_language.toStdString()), m_catalog);
            m_session->set_report(m_report);
            m_step = qMin(m_step, stepCount() - 1);
            buildStep();
        }
    }
    for (QuestionCard* card : m_questions) card->retranslate();
    refresh();
    showNavigation();
}

void LessonPanel::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() != QEvent::FontChange || !m_heading) return;
    scaleHeadings();
}

// The window may get its height after the presentation has begun.
void LessonPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (m_presenting) scaleHeadings();
}

} // namespace shardlens
