// SPDX-License-Identifier: GPL-3.0-or-later
// What core says of a lesson, in the user's language: why a figure is a dash, what is wrong with a file.
#pragma once

#include <QString>

#include "json/result.h"

namespace shardlens {

/// What is wrong; words that no translation is known of stay English.
[[nodiscard]] QString translatedLesson(const Error& error);
/// Where and what, in one line.
[[nodiscard]] QString translatedLessonLine(const Error& error);

} // namespace shardlens
