// SPDX-License-Identifier: GPL-3.0-or-later
#include "controls/quantity.h"

#include <QRegularExpression>
#include <array>
#include <cmath>
#include <utility>

#include "formula/explain.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

/// 1024^n or 1000^n of a suffix; 0 when it is none.
double suffixFactor(const QString& suffix, QuantityKind kind) {
    QString name = suffix.toLower();
    if (kind == QuantityKind::Bytes && name.endsWith(u'b')) name.chop(1);
    bool powersOfTwo = kind == QuantityKind::Count;
    if (name.size() > 1 && name.endsWith(u'i')) {
        powersOfTwo = true;
        name.chop(1);
    }
    if (name.isEmpty()) return 1;
    static constexpr std::array<std::pair<char16_t, int>, 6> kPowers{
        {{u'k', 1}, {u'm', 2}, {u'g', 3}, {u'b', 3}, {u't', 4}, {u'p', 5}}};
    if (name.size() != 1) return 0;
    for (const auto& [letter, power] : kPowers)
        if (name.front() == letter) return std::pow(powersOfTwo ? 1024.0 : 1000.0, power);
    return 0;
}

} // namespace

std::optional<double> parseQuantity(const QString& text, QuantityKind kind) {
    // Every number with a suffix becomes a product; what is left must be plain arithmetic.
    static const QRegularExpression kNumber(uR"((\d+(?:\.\d*)?|\.\d+)(e[+-]?\d+)?\s*([a-z]{0,3}))"_s,
                                            QRegularExpression::CaseInsensitiveOption);
    QString cleaned = text.trimmed();
    if (cleaned.isEmpty() || cleaned.size() > 100) return std::nullopt;
    static const QRegularExpression kGrouping(uR"((?<=\d)[,'_\x{00A0}\x{202F}](?=\d{3}))"_s);
    cleaned.remove(kGrouping);
    cleaned.replace(QChar(0x00D7), u'*').replace(QChar(0x2212), u'-');

    QString expression;
    qsizetype at = 0;
    for (auto matches = kNumber.globalMatch(cleaned); matches.hasNext();) {
        const auto match = matches.next();
        expression += cleaned.mid(at, match.capturedStart() - at);
        const QString number = match.captured(1) + match.captured(2);
        const QString suffix = match.captured(3);
        const double factor = suffixFactor(suffix, kind);
        if (factor == 0) return std::nullopt;
        expression += factor == 1 ? number : u"(%1*%2)"_s.arg(number, QString::number(factor, 'g', 17));
        at = match.capturedEnd();
    }
    expression += cleaned.mid(at);

    bool plain = false;
    double value = expression.toDouble(&plain);
    if (!plain) value = evaluate_expression(expression.toStdString());
    if (!std::isfinite(value)) return std::nullopt;
    return value;
}

QString editText(double value) {
    if (value == std::floor(value) && std::fabs(value) < 1e12) return QString::number(value, 'f', 0);
    QString text = QString::number(value, 'g', 12);
    text.replace(u"e+"_s, u"e"_s);
    return text;
}

QString parameterText(double parameters) {
    static constexpr std::array<std::pair<double, char16_t>, 4> kScales{
        {{1e12, u'T'}, {1e9, u'B'}, {1e6, u'M'}, {1e3, u'k'}}};
    for (const auto& [factor, letter] : kScales) {
        // 999.7e9 reads better as 1T than as 1000B.
        if (parameters < factor * 0.9995) continue;
        return QString::number(parameters / factor, 'g', parameters / factor >= 999.5 ? 4 : 3) + letter;
    }
    return QString::number(parameters, 'f', 0);
}

} // namespace shardlens
