// SPDX-License-Identifier: GPL-3.0-or-later
#include "panels/messages_panel.h"

#include <QEvent>
#include <QFrame>
#include <QHash>
#include <QLabel>
#include <QPushButton>
#include <QTextLayout>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

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

/// In lines of at most kLine pixels, broken between the edits of a fix.
QString broken(const QString& what, const QFontMetrics& metrics) {
    constexpr int kLine = 225;
    QString text, line;
    for (const QString& edit : what.split(u", "_s)) {
        const QString longer = line.isEmpty() ? edit : line + u", "_s + edit;
        if (!line.isEmpty() && metrics.horizontalAdvance(longer) > kLine) {
            text += line + u",\n"_s;
            line = edit;
        } else {
            line = longer;
        }
    }
    return text + metrics.elidedText(line, Qt::ElideMiddle, kLine);
}

/// A sentence behind a sign, which wraps. Layouts ask for its height several times a turn, and the label's own
/// answer, rich text laid out and back again, was the dearest thing that a step of a slider could cause: here
/// the same lines are broken once per width, without a document.
class Sentence : public QLabel {
public:
    explicit Sentence(QWidget* parent) : QLabel(parent) {
        setTextFormat(Qt::RichText);
        setWordWrap(true);
        setTextInteractionFlags(Qt::TextSelectableByMouse);
    }

    void setSentence(const QString& sign, const QColor& ink, const QString& sentence) {
        const QString rich = u"<span style='color:%1'><b>%2</b></span> %3"_s.arg(ink.name(), sign,
                                                                                 sentence.toHtmlEscaped());
        if (rich == text()) return;
        m_signLength = int(sign.size());
        m_plain = sign + u' ' + sentence;
        m_heights.clear();
        setText(rich);
    }

    // Whatever it says, it takes the width that there is.
    [[nodiscard]] QSize sizeHint() const override { return {kWidth, fontMetrics().height()}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {0, fontMetrics().height()}; }
    [[nodiscard]] int heightForWidth(int width) const override {
        const auto known = m_heights.constFind(width);
        return known != m_heights.cend() ? *known : *m_heights.insert(width, brokenInto(width));
    }

protected:
    void changeEvent(QEvent* event) override {
        if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) m_heights.clear();
        QLabel::changeEvent(event);
    }

private:
    [[nodiscard]] int brokenInto(int width) const {
        QTextLayout layout(m_plain, font());
        QTextCharFormat bold;
        bold.setFontWeight(QFont::Bold);
        layout.setFormats({{0, m_signLength, bold}});
        double height = 0;
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            height += line.height();
        }
        layout.endLayout();
        return static_cast<int>(std::ceil(height));
    }

    static constexpr int kWidth = 200;
    QString m_plain;
    int m_signLength = 0;
    mutable QHash<int, int> m_heights;
};

/// No layout while many things change at once; what changed is laid out in the turn after.
class LayoutPause {
public:
    explicit LayoutPause(QLayout* layout) : m_layout(layout) { m_layout->setEnabled(false); }
    ~LayoutPause() { m_layout->setEnabled(true); }
    Q_DISABLE_COPY_MOVE(LayoutPause)

private:
    QLayout* m_layout;
};

} // namespace

/// One message with its fixes; its widgets are kept when another message comes.
class MessagesPanel::Card : public QFrame {
public:
    explicit Card(MessagesPanel& panel, QWidget* parent)
        : QFrame(parent), m_panel(panel), m_layout(new QVBoxLayout(this)), m_text(new Sentence(this)),
          m_show(new QToolButton(this)) {
        setFrameShape(QFrame::StyledPanel);
        setAutoFillBackground(true);
        m_layout->setContentsMargins(8, 6, 8, 6);
        m_layout->setSpacing(4);
        m_layout->addWidget(m_text);
        m_show->setAutoRaise(true);
        m_show->setFocusPolicy(Qt::StrongFocus);
        m_layout->addWidget(m_show, 0, Qt::AlignLeft);
        connect(m_show, &QToolButton::clicked, this,
                [this] { emit m_panel.fieldRequested(toQString(m_message.path)); });
    }

    [[nodiscard]] const Message& message() const { return m_message; }

    void setMessage(const Message& message, const Theme& theme) {
        const LayoutPause pause(m_layout);
        m_message = message;
        const QColor ink = theme.color(roleOf(message.severity));
        if (const QColor paper = mixed(theme.card(), ink, 0.10); palette().color(QPalette::Window) != paper) {
            QPalette tinted = palette();
            tinted.setColor(QPalette::Window, paper);
            setPalette(tinted);
        }
        const QString sentence = translated(message);
        m_text->setSentence(signOf(message.severity), ink, sentence);
        m_text->setAccessibleName(sentence);
        setAccessibleName(sentence);
        while (m_fixes.size() < message.fixes.size()) addButton();
        for (std::size_t i = 0; i < m_fixes.size(); ++i) {
            QPushButton* button = m_fixes[i];
            button->setVisible(i < message.fixes.size());
            if (i >= message.fixes.size()) continue;
            const QString what = describe(message.fixes[i]);
            button->setText(broken(what, button->fontMetrics()));
            button->setAccessibleName(MessagesPanel::tr("Apply: %1").arg(what));
            button->setToolTip(MessagesPanel::tr("Apply: %1").arg(what));
        }
        const bool field = !message.path.empty() && find_field(message.path);
        m_show->setVisible(field);
        if (field) m_show->setText(MessagesPanel::tr("Show %1").arg(labelOfPath(message.path)));
    }

private:
    void addButton() {
        auto* button = new QPushButton(this);
        button->setProperty("fix", true);
        const std::size_t index = m_fixes.size();
        connect(button, &QPushButton::clicked, this, [this, index] {
            // A copy: applying it fills this card anew.
            const Fix fix = m_message.fixes[index];
            emit m_panel.fixRequested(fix);
        });
        m_layout->insertWidget(m_layout->count() - 1, button, 0, Qt::AlignLeft);
        m_fixes.push_back(button);
    }

    MessagesPanel& m_panel;
    Message m_message;
    QVBoxLayout* m_layout;
    Sentence* m_text;
    QToolButton* m_show;
    std::vector<QPushButton*> m_fixes;
};

MessagesPanel::MessagesPanel(const Theme& theme, QWidget* parent)
    : QScrollArea(parent), m_theme(theme), m_body(new QWidget(this)), m_layout(new QVBoxLayout(m_body)),
      m_empty(new QLabel(m_body)), m_more(new QLabel(m_body)) {
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_layout->setContentsMargins(8, 6, 8, 6);
    m_layout->setSpacing(6);
    m_empty->setWordWrap(true);
    m_layout->addWidget(m_empty);
    m_layout->addWidget(m_more);
    m_layout->addStretch(1);
    setBackgroundRole(QPalette::Base);
    m_body->setBackgroundRole(QPalette::Base);
    m_body->setAutoFillBackground(true);
    setWidget(m_body);
    retranslate();
}

void MessagesPanel::setMessages(const std::vector<Message>& messages) {
    if (messages == m_messages) return;
    m_messages = messages;
    refill();
}

void MessagesPanel::setTheme(const Theme& theme) {
    m_theme = theme;
    refill();
}

void MessagesPanel::refill() {
    const LayoutPause pause(m_layout);
    const std::size_t shown = std::min(m_messages.size(), kMaxCards);
    while (m_cards.size() < shown) {
        auto* card = new Card(*this, m_body);
        m_layout->insertWidget(m_layout->count() - 2, card);
        m_cards.push_back(card);
    }
    for (std::size_t i = 0; i < m_cards.size(); ++i) {
        if (i < shown) m_cards[i]->setMessage(m_messages[i], m_theme);
        m_cards[i]->setVisible(i < shown);
    }
    m_empty->setVisible(m_messages.empty());
    m_more->setVisible(m_messages.size() > shown);
    m_more->setText(tr("… and %n more", nullptr, static_cast<int>(m_messages.size() - shown)));
}

void MessagesPanel::retranslate() {
    setAccessibleName(tr("Messages"));
    m_empty->setText(tr("Nothing to mend: the plan breaks no rule."));
    refill();
}

void MessagesPanel::changeEvent(QEvent* event) {
    if (event->type() == QEvent::LanguageChange) retranslate();
    QScrollArea::changeEvent(event);
}

QSize MessagesPanel::sizeHint() const { return {300, 180}; }

} // namespace shardlens
