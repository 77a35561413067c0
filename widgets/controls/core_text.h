// SPDX-License-Identifier: GPL-3.0-or-later
// What core says, in the user's language. Core speaks English templates; their translations live in the
// context "core".
#pragma once

#include <QString>
#include <optional>
#include <span>

#include "plan/fields.h"
#include "plan/message.h"
#include "json/result.h"

namespace shardlens {

[[nodiscard]] QString translated(const char* english);
/// The sentence of a message with its arguments put in.
[[nodiscard]] QString translated(const Message& message);
[[nodiscard]] QString translated(const Error& error);
/// Where and what, in one line.
[[nodiscard]] QString translatedLine(const Error& error);
/// A value of a choice field as a label; names such as 1f1b stay as they are.
[[nodiscard]] QString translatedChoice(const QString& value);
/// What a launcher does instead: a fixed sentence, or one with values in it.
[[nodiscard]] QString translatedInstead(const std::string& english);
/// A sentence with its values put in, as the first of `sentences` that it has the form of: "{0} is missing".
/// None: no such form, or English is in use.
[[nodiscard]] std::optional<Message> messageOfForm(std::span<const char* const> sentences,
                                                   const QString& english);
[[nodiscard]] QString translatedTooltip(const Field& field);
/// "Tensor parallel 4, Data parallel 2": what pressing the button of a fix does.
[[nodiscard]] QString describe(const Fix& fix);
[[nodiscard]] QString labelOfPath(const std::string& path);

/// Name of a report number for people: "memory.stages.0.activations_bytes" → "activations, stage 0".
[[nodiscard]] QString numberName(const QString& path);

} // namespace shardlens
