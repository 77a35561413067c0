// SPDX-License-Identifier: GPL-3.0-or-later
// Folders of lessons: the shipped ones, or an instructor's.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "lessons/lesson.h"

namespace shardlens::lessons {

/// One lesson in the languages that it has.
struct Entry {
    std::string name; ///< the file's, without .md
    std::vector<std::pair<std::string, std::shared_ptr<const Lesson>>>
        languages; ///< "en", "zh_CN"; "" = of no folder

    /// The lesson in `language` or else in what there is; never null.
    [[nodiscard]] std::shared_ptr<const Lesson> in(std::string_view language) const;
};

struct Library {
    std::vector<Entry> entries;  ///< by order, then id
    std::vector<Error> problems; ///< of the form of the files; what could be read is there all the same

    [[nodiscard]] const Entry* find(std::string_view id) const;
};

/// Reads DIR/*.md and DIR/{en,zh_CN}/*.md, or one file.
[[nodiscard]] Result<Library> load_lessons(const std::filesystem::path& folder_or_file);

/// The shipped lessons: share/shardlens/lessons of the installed program, or `lessons` beside its folder;
/// empty when there are none. `executable` as in Catalog::default_directories.
[[nodiscard]] std::filesystem::path default_lessons(const std::filesystem::path& executable);

} // namespace shardlens::lessons
