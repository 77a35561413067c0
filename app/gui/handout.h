// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson on paper: its text with the figures of its own plan filled in, questions with room for answers,
// pictures of its views, and the answers at the end.
#pragma once

#include <QByteArray>
#include <memory>

#include "lessons/lesson.h"
#include "json/result.h"

class QTextDocument;

namespace shardlens {

class Catalog;

/// The document in the language of the locale, in the light theme. Errors: the lesson's plan cannot be made.
[[nodiscard]] Result<std::unique_ptr<QTextDocument>>
handoutDocument(const std::shared_ptr<const lessons::Lesson>& lesson, const Catalog& catalog);

/// Property of blocks that a page break must not part: the number of the question or answer.
constexpr int kHandoutPiece = 0x100001; // QTextFormat::UserProperty + 1

/// A4 pages as PDF, fonts embedded.
[[nodiscard]] QByteArray handoutPdf(QTextDocument& document, const QString& title);

/// Both, written whole or not at all. The error is empty when done.
[[nodiscard]] Error writeHandout(const std::shared_ptr<const lessons::Lesson>& lesson, const Catalog& catalog,
                                 const QString& path);

} // namespace shardlens
