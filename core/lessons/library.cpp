// SPDX-License-Identifier: GPL-3.0-or-later
#include "lessons/library.h"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "json/shipped.h"
#include "json/strict_json.h"

namespace shardlens::lessons {
namespace {

namespace fs = std::filesystem;

constexpr std::array<const char*, 2> kLanguages = {"en", "zh_CN"};
constexpr const char* kSuffix = ".md";

std::vector<fs::path> lesson_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        const std::string name = at->path().filename().string();
        if (at->path().extension() == kSuffix && name != "README.md" && at->is_regular_file(ignored))
            files.push_back(at->path());
    }
    std::sort(files.begin(), files.end());
    return files;
}

struct Loader {
    std::map<std::string, Entry> entries;
    std::vector<Error> problems;

    void add(const fs::path& file, const std::string& language) {
        const Result<std::string> text = read_text(file.string());
        if (!text) {
            problems.push_back(text.error());
            return;
        }
        Parsed parsed = parse_lesson(*text, file);
        problems.insert(problems.end(), parsed.problems.begin(), parsed.problems.end());
        Entry& entry = entries[file.stem().string()];
        entry.name = file.stem().string();
        entry.languages.emplace_back(language, std::make_shared<const Lesson>(std::move(parsed.lesson)));
    }
};

} // namespace

std::shared_ptr<const Lesson> Entry::in(std::string_view language) const {
    for (const auto& [known, lesson] : languages)
        if (known == language) return lesson;
    return languages.front().second;
}

const Entry* Library::find(std::string_view id) const {
    for (const Entry& entry : entries)
        if (entry.languages.front().second->id == id) return &entry;
    return nullptr;
}

Result<Library> load_lessons(const fs::path& folder_or_file) {
    std::error_code ignored;
    Loader loader;
    if (fs::is_directory(folder_or_file, ignored)) {
        for (const char* language : kLanguages)
            for (const fs::path& file : lesson_files(folder_or_file / language)) loader.add(file, language);
        for (const fs::path& file : lesson_files(folder_or_file)) loader.add(file, "");
        if (loader.entries.empty())
            return Error{
                folder_or_file.string(),
                "no lesson in this folder; files NAME.md, or en/NAME.md and zh_CN/NAME.md, are right"};
    } else if (fs::exists(folder_or_file, ignored)) {
        const std::string above = folder_or_file.parent_path().filename().string();
        const bool known = std::ranges::count(kLanguages, above) > 0;
        loader.add(folder_or_file, known ? above : "");
        if (loader.entries.empty()) return loader.problems.front();
    } else {
        return Error{folder_or_file.string(),
                     "no such file or folder; a lesson or a folder of lessons is right"};
    }
    Library library;
    library.problems = std::move(loader.problems);
    for (auto& [name, entry] : loader.entries) library.entries.push_back(std::move(entry));
    std::ranges::stable_sort(library.entries, {}, [](const Entry& entry) {
        const Lesson& lesson = *entry.languages.front().second;
        return std::pair(lesson.order, lesson.id);
    });
    return library;
}

fs::path default_lessons(const fs::path& executable) {
    return shipped_directory(executable, "lessons", "en");
}

} // namespace shardlens::lessons
