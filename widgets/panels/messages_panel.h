// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong or worth knowing, each with its repairs one click away.
#pragma once

#include <QScrollArea>
#include <vector>

#include "plan/message.h"
#include "theme/theme.h"

class QLabel;
class QVBoxLayout;

namespace shardlens {

class MessagesPanel : public QScrollArea {
    Q_OBJECT
public:
    explicit MessagesPanel(const Theme& theme, QWidget* parent = nullptr);

    void setMessages(const std::vector<Message>& messages);
    void setTheme(const Theme& theme);
    void retranslate();
    [[nodiscard]] const std::vector<Message>& messages() const { return m_messages; }

signals:
    void fixRequested(const shardlens::Fix& fix);
    /// The user wants to see the field that a message is about.
    void fieldRequested(const QString& path);

protected:
    void changeEvent(QEvent* event) override;
    [[nodiscard]] QSize sizeHint() const override;

private:
    class Card;
    void refill();

    Theme m_theme;
    std::vector<Message> m_messages;
    QWidget* m_body;
    QVBoxLayout* m_layout;
    QLabel *m_empty, *m_more;
    std::vector<Card*> m_cards; ///< kept and filled anew: a drag changes messages at every step
};

} // namespace shardlens
