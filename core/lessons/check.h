// SPDX-License-Identifier: GPL-3.0-or-later
// Is a lesson right? Everything it names exists, every figure is computed, every question can be answered
// rightly and wrongly, and the languages say the same.
#pragma once

#include <string_view>
#include <vector>

#include "lessons/library.h"

namespace shardlens {
class Catalog;
}

namespace shardlens::lessons {

/// Problems of one lesson, `where` = "file:line": unknown names, paths, plans and units; fields without a
/// value; figures typed into the text; questions whose right answer is refused or whose wrong one passes;
/// buttons that fail.
[[nodiscard]] std::vector<Error> check_lesson(const std::shared_ptr<const Lesson>& lesson,
                                              const Catalog& catalog);

/// Differences of form between two languages of a lesson: steps, blocks, ids, fields, everything but prose.
[[nodiscard]] std::vector<Error> check_pair(const Lesson& first, const Lesson& second);

/// All of a library: the form of its files, each lesson, each pair, ids that stand twice, a language that is
/// missing.
[[nodiscard]] std::vector<Error> check_library(const Library& library, const Catalog& catalog);

/// Figures typed into Markdown instead of computed: digits with a unit or %, whole numbers of three digits
/// and more. Left alone: live fields, code, years, names (70B, H100, GPT-3), arXiv numbers, formulas. Each
/// with its line (first 0).
[[nodiscard]] std::vector<std::pair<int, std::string>> typed_figures(std::string_view markdown);

} // namespace shardlens::lessons
