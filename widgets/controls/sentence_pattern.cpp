// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/sentence_pattern.h"

#include <QHash>
#include <QRegularExpression>

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// The sentence as a pattern whose places match anything.
QRegularExpression patternOf(const QString& sentence) {
    QString pattern;
    static const QRegularExpression kPlace(uR"(\{[0-9]\})"_s);
    qsizetype from = 0;
    for (auto place = kPlace.globalMatch(sentence); place.hasNext();) {
        const auto match = place.next();
        pattern += QRegularExpression::escape(sentence.mid(from, match.capturedStart() - from)) + u"(.*)"_s;
        from = match.capturedEnd();
    }
    pattern += QRegularExpression::escape(sentence.mid(from));
    return QRegularExpression(QRegularExpression::anchoredPattern(pattern));
}

} // namespace

std::optional<Message> madeFrom(const char* sentence, const QString& text) {
    static QHash<const char*, QRegularExpression> patterns;
    auto pattern = patterns.find(sentence);
    if (pattern == patterns.end())
        pattern = patterns.insert(sentence, patternOf(QString::fromUtf8(sentence)));
    const auto match = pattern->match(text);
    if (!match.hasMatch()) return std::nullopt;
    Message message;
    message.text_template = sentence;
    for (int i = 1; i <= match.lastCapturedIndex(); ++i)
        message.arguments.push_back(match.captured(i).toStdString());
    return message;
}

} // namespace shardlens
