// SPDX-License-Identifier: GPL-3.0-or-later
// Why a file or a value could not be read, in the user's language: such sentences come with their values put
// in and are made of a few parts, each translated by itself.
#include <QCoreApplication>
#include <QRegularExpression>

#include "controls/core_text.h"
#include "controls/quantity.h"
#include "controls/sentence_pattern.h"

namespace shardlens {

using namespace Qt::StringLiterals;

namespace {

struct ErrorSentence {
    const char* english;
    bool of_sentences; ///< what stands in its places are sentences of ours as well
};

/// The first that fits counts: a longer one stands before one that would match it too.
constexpr ErrorSentence kErrors[] = {
    {QT_TRANSLATE_NOOP("core", "is not TOML: {0}"), false},
    {QT_TRANSLATE_NOOP("core", "is not YAML: {0}"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be opened ({0}); a readable file is right"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be read ({0}); a readable file is right"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be read ({0})"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be written ({0}); a writable file is right"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be written ({0}); a writable folder is right"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be written ({0}); nothing was changed"), false},
    {QT_TRANSLATE_NOOP("core", "cannot be written: {0}"), false},
    {QT_TRANSLATE_NOOP("core", "has {0} bytes; at most {1} ({2} MiB) are right"), false},
    {QT_TRANSLATE_NOOP("core", "has more than {0} bytes ({1} MiB); fewer are right"), false},
    {QT_TRANSLATE_NOOP("core", "more than {0} values with aliases written out; fewer are right"), false},
    {QT_TRANSLATE_NOOP("core", "more than {0} values; fewer are right"), false},
    {QT_TRANSLATE_NOOP("core", "nested deeper than {0} levels; fewer are right"), false},
    {QT_TRANSLATE_NOOP("core", "unknown key \"{0}\"; did you mean \"{1}\"?"), false},
    {QT_TRANSLATE_NOOP("core", "unknown key \"{0}\"; known here: {1}"), false},
    {QT_TRANSLATE_NOOP("core", "unknown key \"{0}\"; {1} is right"), false},
    {QT_TRANSLATE_NOOP("core", "unknown version '{0}'; known: {1}"), false},
    {QT_TRANSLATE_NOOP("core", "unknown escape {0}; \\\\ is right for a backslash"), false},
    {QT_TRANSLATE_NOOP("core", "duplicate key \"{0}\" ({1}); each key once is right"), false},
    {QT_TRANSLATE_NOOP("core", "the model is the preset \"{0}\"; a model object can be changed in its parts"),
     false},
    {QT_TRANSLATE_NOOP("core", "is no field; {0} is"), false},
    {QT_TRANSLATE_NOOP("core", "{0} are missing; they must be given"), false},
    {QT_TRANSLATE_NOOP("core", "{0} after the end of the document; nothing may follow it"), true},
    {QT_TRANSLATE_NOOP("core", "a single quote at {0}; text stands in double quotes"), false},
    {QT_TRANSLATE_NOOP("core", "{0}; {1} is right; did you mean \"{2}\"?"), true},
    {QT_TRANSLATE_NOOP("core", "{0}; {1} is right, or the key left out"), true},
    {QT_TRANSLATE_NOOP("core", "{0}; {1} is right"), true},
    {QT_TRANSLATE_NOOP("core", "{0}; {1} are right"), true},
    {QT_TRANSLATE_NOOP("core", "the text ends where a value is expected at {0}"), false},
    {QT_TRANSLATE_NOOP("core", "the text ends behind the key {0}"), false},
    {QT_TRANSLATE_NOOP("core", "the text ends behind {0}"), false},
    {QT_TRANSLATE_NOOP("core", "{0} where a value is expected at {1}"), true},
    {QT_TRANSLATE_NOOP("core", "{0} where a value is expected"), true},
    {QT_TRANSLATE_NOOP("core", "{0} where a key is expected"), true},
    {QT_TRANSLATE_NOOP("core", "{0} is not a JSON number at {1}"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is not a JSON number"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is outside the range of a double at {1}"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is outside the range of a double"), false},
    {QT_TRANSLATE_NOOP("core", "control character {0} inside a string at {1}"), false},
    {QT_TRANSLATE_NOOP("core", "control character {0} inside a string"), false},
    {QT_TRANSLATE_NOOP("core", "byte {0} is not UTF-8 at {1}"), false},
    {QT_TRANSLATE_NOOP("core", "byte {0} is not UTF-8"), false},
    {QT_TRANSLATE_NOOP("core", "a string that never ends at {0}"), false},
    {QT_TRANSLATE_NOOP("core", "{0} behind the key {1}"), true},
    {QT_TRANSLATE_NOOP("core", "{0} behind {1}"), true},
    {QT_TRANSLATE_NOOP("core", "{0} is out of bounds (position {1})"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is out of bounds"), false},
    {QT_TRANSLATE_NOOP("core", "{0} (position {1})"), true},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" is text"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" is unknown"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" is not known"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" stands twice in the list"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" has a control character"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" is not UTF-8 text"), false},
    {QT_TRANSLATE_NOOP("core", "\"{0}\" is asynchronous and cannot be planned with"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is a number"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is no such number"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is not such a value"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is not whole"), false},
    {QT_TRANSLATE_NOOP("core", "{0} is missing"), false},
    {QT_TRANSLATE_NOOP("core", "true, false or a list out of {0}"), false},
};

QString part(const QString& english, int depth);

/// "parallel.tensor: 7 is text" and "the document: a list": the place stays, what is wrong with it does not.
std::optional<QString> behindPlace(const QString& english, int depth) {
    static const QRegularExpression kPlace(uR"(^([\w.\\…-]+|the document): (.+)$)"_s,
                                           QRegularExpression::UseUnicodePropertiesOption);
    const auto match = kPlace.match(english);
    if (!match.hasMatch()) return std::nullopt;
    const QString place = match.captured(1);
    const QString shown = place.contains(u' ') ? translated(place.toUtf8().constData()) : place;
    return shown + u": "_s + part(match.captured(2), depth + 1);
}

QString part(const QString& english, int depth) {
    constexpr int kDeepest = 5;
    const QString whole = translated(english.toUtf8().constData());
    if (whole != english || depth > kDeepest) return whole;
    if (const auto text = behindPlace(english, depth)) return *text;
    for (const ErrorSentence& sentence : kErrors) {
        auto message = madeFrom(sentence.english, english);
        if (!message) continue;
        if (sentence.of_sentences)
            for (std::string& argument : message->arguments)
                argument = part(toQString(argument), depth + 1).toStdString();
        return translated(*message);
    }
    return translatedInstead(english.toStdString());
}

} // namespace

QString translated(const Error& error) {
    const QString plain = toQString(error.what);
    const QString first = translated(kErrors[0].english);
    if (first == QString::fromUtf8(kErrors[0].english)) return plain; // no other language in use
    return part(plain, 0);
}

} // namespace shardlens
