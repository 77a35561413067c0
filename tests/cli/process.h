// SPDX-License-Identifier: GPL-3.0-or-later
// Runs shardlens-cli as its users do.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

struct Ran {
    int code = -1; ///< exit code, or 128 + signal
    std::string out, err;
    double seconds = 0;
    double peak_bytes = 0; ///< largest resident size
};

struct Input {
    std::string text;              ///< standard input
    std::size_t spaces = 0;        ///< so many spaces behind the text
    bool close_output = false;     ///< standard output is closed before the start
    bool full_output = false;      ///< standard output is /dev/full
    bool early_reader_end = false; ///< the reader of standard output goes away at once
};

/// Addresses are limited to 1 GiB (not under a sanitizer), as is time: 60 s, then the process is killed.
[[nodiscard]] Ran run_cli(const std::vector<std::string>& arguments, const Input& input = {});

/// An empty folder that disappears with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    [[nodiscard]] std::string path(const std::string& name = {}) const;
    /// Writes a file and returns its path.
    [[nodiscard]] std::string file(const std::string& name, const std::string& text) const;

private:
    std::string m_path;
};

[[nodiscard]] std::string read_file(const std::string& path);
