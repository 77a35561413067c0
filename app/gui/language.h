// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTranslator>

namespace shardlens {

/// Texts and number formats of one language, switched while the program runs.
class Language {
public:
    /// "en" or "zh_CN"; everything else is taken as "en". Every widget gets a LanguageChange event.
    void use(const QString& code);
    [[nodiscard]] const QString& code() const { return m_code; }
    /// The system's language, where there is a translation for it.
    [[nodiscard]] static QString ofSystem();
    ~Language();

private:
    QString m_code;
    QTranslator m_own, m_core, m_qt;
};

} // namespace shardlens
