// SPDX-License-Identifier: GPL-3.0-or-later
// A lesson out of plans, for instructors: the folder with its plan files and the text in the language of the
// locale. What it writes passes the checker.
#pragma once

#include <QString>
#include <vector>

#include "plan/plan.h"
#include "json/result.h"

namespace shardlens {

class Catalog;

/// The text of the lesson about `plans` (at least one), named plan-a.json, plan-b.json … beside it.
[[nodiscard]] Result<std::string> lessonText(const std::vector<Plan>& plans, const QString& title,
                                             const Catalog& catalog);

/// Writes FOLDER/lesson.md and the plans; FOLDER is made when it is not there. Nothing that is there is
/// written over. The error is empty when done and the checker found nothing.
[[nodiscard]] Error writeLessonFolder(const std::vector<Plan>& plans, const QString& title,
                                      const Catalog& catalog, const QString& folder);

} // namespace shardlens
