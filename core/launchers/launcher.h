// SPDX-License-Identifier: GPL-3.0-or-later
// One file per launcher: what a plan becomes in its configuration, and what it cannot express.
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "plan/message.h"
#include "report/report.h"
#include "json/result.h"

namespace shardlens::launchers {

struct File {
    std::string name; ///< relative, no directories
    std::string text;
    bool executable = false;
};

struct NotExpressed {
    std::string path;    ///< plan path
    std::string instead; ///< what was done instead, or where the user must say it
};

struct Export {
    std::vector<File> files;
    std::vector<NotExpressed> not_expressed;
    std::vector<Message> refusals; ///< not empty: the launcher has no way to run this; nothing to write
};

struct Launcher {
    const char* id;                    ///< "megatron-lm"
    std::vector<const char*> versions; ///< first = default
    const char* title;                 ///< "Megatron-LM"
    Export (*make)(const Setup& setup, const Report& report, std::string_view version);
};

[[nodiscard]] std::span<const Launcher> table();

/// "megatron-lm@0.19" → launcher and version; the error names the nearest id or the versions it has.
[[nodiscard]] Result<std::pair<const Launcher*, std::string>> find(std::string_view launcher_at_version);

/// Writes every file into `directory` (made when missing), each whole or none at all.
[[nodiscard]] Error write(const Export& result, const std::filesystem::path& directory);

} // namespace shardlens::launchers
