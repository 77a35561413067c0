// SPDX-License-Identifier: GPL-3.0-or-later
#include "language.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>

namespace shardlens {

using namespace Qt::StringLiterals;

void Language::use(const QString& code) {
    const QString wanted = code == "zh_CN"_L1 ? code : u"en"_s;
    if (wanted == m_code) return;
    m_code = wanted;
    QCoreApplication::removeTranslator(&m_own);
    QCoreApplication::removeTranslator(&m_core);
    QCoreApplication::removeTranslator(&m_qt);
    QLocale::setDefault(QLocale(m_code));
    // Qt's own buttons: qtbase_en does not exist and is not needed.
    if (m_code != "en"_L1 &&
        m_qt.load(u"qtbase_"_s + m_code, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(&m_qt);
    // What core says; English needs none.
    if (m_core.load(u":/i18n/core_%1.qm"_s.arg(m_code))) QCoreApplication::installTranslator(&m_core);
    // English has a catalogue too: it holds the plural forms.
    if (m_own.load(u":/i18n/shardlens_%1.qm"_s.arg(m_code))) QCoreApplication::installTranslator(&m_own);
}

QString Language::ofSystem() {
    return QLocale::system().language() == QLocale::Chinese ? u"zh_CN"_s : u"en"_s;
}

Language::~Language() {
    if (!QCoreApplication::instance()) return;
    for (QTranslator* translator : {&m_own, &m_core, &m_qt}) QCoreApplication::removeTranslator(translator);
}

} // namespace shardlens
