// SPDX-License-Identifier: GPL-3.0-or-later
#include "process.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <poll.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr double kDeadlineSeconds = 60;

[[noreturn]] void become_cli(const std::vector<std::string>& arguments, const Input& input, int in, int out,
                             int err) {
    ::dup2(in, 0);
    ::dup2(input.full_output ? ::open("/dev/full", O_WRONLY) : out, 1);
    ::dup2(err, 2);
    for (int fd = 3; fd < 64; ++fd) ::close(fd);
    if (input.close_output) ::close(1);
    std::signal(SIGPIPE, SIG_DFL);
#ifndef SHARDLENS_SANITIZE
    const rlimit limit{std::size_t{1} << 30, std::size_t{1} << 30};
    ::setrlimit(RLIMIT_AS, &limit);
#endif
    std::vector<char*> argv;
    std::string program = SHARDLENS_CLI;
    argv.push_back(program.data());
    std::vector<std::string> copies = arguments;
    for (std::string& copy : copies) argv.push_back(copy.data());
    argv.push_back(nullptr);
    ::execv(program.c_str(), argv.data());
    std::_Exit(127);
}

/// Writes what standard input still wants; false when there is nothing more to write or nobody reads.
bool feed(int fd, const Input& input, std::size_t& written) {
    static const std::string blank(65536, ' ');
    const std::size_t total = input.text.size() + input.spaces;
    if (written >= total) return false;
    const bool in_text = written < input.text.size();
    const char* from = in_text ? input.text.data() + written : blank.data();
    const std::size_t want = in_text ? input.text.size() - written : std::min(blank.size(), total - written);
    const ssize_t count = ::write(fd, from, want);
    if (count < 0) return errno == EAGAIN;
    written += static_cast<std::size_t>(count);
    return written < total;
}

} // namespace

Ran run_cli(const std::vector<std::string>& arguments, const Input& input) {
    std::signal(SIGPIPE, SIG_IGN);
    int in[2], out[2], err[2];
    if (::pipe(in) != 0 || ::pipe(out) != 0 || ::pipe(err) != 0) std::abort();
    const auto start = std::chrono::steady_clock::now();
    const auto elapsed = [&] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const pid_t child = ::fork();
    if (child == 0) become_cli(arguments, input, in[0], out[1], err[1]);
    for (const int fd : {in[0], out[1], err[1]}) ::close(fd);
    ::fcntl(in[1], F_SETFL, O_NONBLOCK);
    if (input.early_reader_end) {
        ::close(out[0]);
        out[0] = -1;
    }

    Ran result;
    std::size_t written = 0;
    std::array<pollfd, 3> watched = {pollfd{in[1], POLLOUT, 0}, pollfd{out[0], POLLIN, 0},
                                     pollfd{err[0], POLLIN, 0}};
    if (input.text.empty() && input.spaces == 0) {
        ::close(in[1]);
        watched[0].fd = -1;
    }
    std::array<char, 65536> buffer;
    while (watched[1].fd >= 0 || watched[2].fd >= 0) {
        if (elapsed() > kDeadlineSeconds) ::kill(child, SIGKILL);
        ::poll(watched.data(), watched.size(), 200);
        if (watched[0].fd >= 0 && watched[0].revents != 0 && !feed(watched[0].fd, input, written)) {
            ::close(watched[0].fd);
            watched[0].fd = -1;
        }
        for (const std::size_t i : {std::size_t{1}, std::size_t{2}}) {
            if (watched[i].fd < 0 || watched[i].revents == 0) continue;
            const ssize_t count = ::read(watched[i].fd, buffer.data(), buffer.size());
            if (count > 0) {
                (i == 1 ? result.out : result.err).append(buffer.data(), static_cast<std::size_t>(count));
            } else {
                ::close(watched[i].fd);
                watched[i].fd = -1;
            }
        }
    }
    if (watched[0].fd >= 0) ::close(watched[0].fd);
    int status = 0;
    rusage usage{};
    ::wait4(child, &status, 0, &usage);
    result.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    result.seconds = elapsed();
    result.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
    return result;
}

TemporaryFolder::TemporaryFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "shardlens-cli-test-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    m_path = name;
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

std::string TemporaryFolder::path(const std::string& name) const {
    return name.empty() ? m_path : m_path + "/" + name;
}

std::string TemporaryFolder::file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
}

std::string read_file(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path, std::ios::binary).rdbuf();
    return text.str();
}
