// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/messages_panel.h"

#include <QEvent>
#include <QFrame>
#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>

#include "controls/core_text.h"
#include "controls/quantity.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMaxCards = 40; ///< more than anyone reads; the rest is counted

Role roleOf(Severity severity) {
    switch (severity) {
    case Severity::info: return Role::Parameters;
    case Severity::warning: return Role::Caution;
    case Severity::error: break;
    }
    return Role::Bad;
}

QString signOf(Severity severity) {
    switch (severity) {
    case Severity::info: return u"ℹ"_s;
    case Severity::warning: return u"⚠"_s;
    case Severity::error: break;
    }
    return u"✗"_s;
}

} // namespace

MessagesPanel::MessagesPanel(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_body(new QWidget(this)), m_layout(new QVBoxLayout(m_body)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_layout->setContentsMargins(8, 6, 8, 6);
    m_layout->setSpacing(6);
    setWidget(m_body);
    retranslate();
}

void MessagesPanel::setMessages(const std::vector<Message>& messages) {
    if (messages == m_messages) return;
    m_messages = messages;
    rebuild();
}

void MessagesPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    rebuild();
}

void MessagesPanel::rebuild() {
    // The keyboard stays in the list when the card that held it goes.
    const bool hadFocus = m_body->isAncestorOf(focusWidget() ? focusWidget() : this) && isActiveWindow();
    while (QLayoutItem* item = m_layout->takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater();
        }
        delete item;
    }
    QPalette paper = palette();
    paper.setColor(QPalette::Window, m_theme.card());
    m_body->setPalette(paper);
    if (m_messages.empty()) {
        auto* empty = new QLabel(tr("Nothing to mend: the plan breaks no rule."), m_body);
        empty->setWordWrap(true);
        m_layout->addWidget(empty);
    }
    for (std::size_t i = 0; i < m_messages.size() && i < kMaxCards; ++i)
        m_layout->addWidget(card(m_messages[i]));
    if (m_messages.size() > kMaxCards)
        m_layout->addWidget(new QLabel(
            tr("… and %n more", nullptr, static_cast<int>(m_messages.size() - kMaxCards)), m_body));
    m_layout->addStretch(1);
    if (hadFocus) setFocus();
}

QWidget* MessagesPanel::card(const Message& message) {
    auto* frame = new QFrame(m_body);
    frame->setFrameShape(QFrame::StyledPanel);
    const QColor ink = m_theme.color(roleOf(message.severity));
    QPalette tinted = palette();
    tinted.setColor(QPalette::Window, mixed(m_theme.card(), ink, 0.10));
    frame->setPalette(tinted);
    frame->setAutoFillBackground(true);
    auto* layout = new QVBoxLayout(frame);
    layout->setContentsMargins(8, 6, 8, 6);
    layout->setSpacing(4);

    auto* text = new QLabel(frame);
    text->setTextFormat(Qt::RichText);
    text->setText(u"<span style='color:%1'><b>%2</b></span> %3"_s.arg(ink.name(), signOf(message.severity),
                                                                      translated(message).toHtmlEscaped()));
    text->setWordWrap(true);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    text->setAccessibleName(translated(message));
    layout->addWidget(text);

    for (const Fix& fix : message.fixes) {
        const QString what = describe(fix);
        auto* button = new QPushButton(frame);
        button->setText(button->fontMetrics().elidedText(what, Qt::ElideMiddle, 250));
        button->setAccessibleName(tr("Apply: %1").arg(what));
        button->setToolTip(tr("Apply: %1").arg(what));
        button->setProperty("fix", true);
        connect(button, &QPushButton::clicked, this, [this, fix] { emit fixRequested(fix); });
        layout->addWidget(button, 0, Qt::AlignLeft);
    }
    if (!message.path.empty() && find_field(message.path)) {
        auto* show = new QToolButton(frame);
        show->setAutoRaise(true);
        show->setFocusPolicy(Qt::StrongFocus);
        show->setText(tr("Show %1").arg(labelOfPath(message.path)));
        connect(show, &QToolButton::clicked, this,
                [this, path = toQString(message.path)] { emit fieldRequested(path); });
        layout->addWidget(show, 0, Qt::AlignLeft);
    }
    frame->setAccessibleName(translated(message));
    return frame;
}

void MessagesPanel::retranslate() {
    setAccessibleName(tr("Messages"));
    rebuild();
}

void MessagesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

QSize MessagesPanel::sizeHint() const { return {300, 180}; }

} // namespace shardlens
