// SPDX-License-Identifier: GPL-3.0-or-later
// The YAML of a lesson: front matter, buttons, questions. Internal to core/lessons.
#pragma once

#include <string>
#include <vector>

#include "lessons/lesson.h"

namespace shardlens::lessons {

/// Where a piece of YAML stands, and where its problems go.
struct YamlSource {
    std::string file;
    int line = 0; ///< lines of the file above its first
    std::vector<Error>* problems = nullptr;
};

void read_front_matter_yaml(const std::string& text, const YamlSource& source, Lesson& lesson);
[[nodiscard]] Action read_action_yaml(const std::string& text, const YamlSource& source);
[[nodiscard]] Question read_question_yaml(const std::string& text, const YamlSource& source);

} // namespace shardlens::lessons
