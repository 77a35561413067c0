// SPDX-License-Identifier: GPL-3.0-or-later
// Files by POSIX calls: std::ifstream would block on a FIFO, read devices for ever and says not why it
// failed.
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens {
namespace {

/// A pipe that was named as a file and stays silent for so long is refused; standard input may be as slow as
/// it likes.
constexpr int kPipePatienceMs = 5000;

std::string reason(int code) { return std::generic_category().message(code); }

class Descriptor {
public:
    Descriptor(int fd, bool owned) : m_fd(fd), m_owned(owned) {}
    ~Descriptor() {
        if (m_owned && m_fd >= 0) ::close(m_fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    [[nodiscard]] int get() const { return m_fd; }
    /// Close errors matter where something was written.
    int close_now() {
        const int fd = m_fd;
        m_fd = -1;
        return ::close(fd);
    }

private:
    int m_fd;
    bool m_owned;
};

std::string too_large(std::uintmax_t bytes) {
    return fmt::format("has {} bytes; at most {} ({} MiB) are right", bytes, kMaxInputBytes,
                       kMaxInputBytes >> 20);
}

/// What the descriptor is, if it is nothing to read a document from.
std::string unreadable_kind(const struct stat& status, bool standard_input) {
    if (S_ISDIR(status.st_mode)) return "is a directory; a file is right";
    if (S_ISSOCK(status.st_mode) && !standard_input) return "is a socket; a file is right";
    if ((S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode)) && !standard_input)
        return "is a device; a file is right";
    if (S_ISREG(status.st_mode) && static_cast<std::uintmax_t>(status.st_size) > kMaxInputBytes)
        return too_large(static_cast<std::uintmax_t>(status.st_size));
    return {};
}

} // namespace

Result<std::string> read_text(const std::string& path) {
    const bool standard_input = path == "-";
    const std::string where = standard_input ? "standard input" : one_line(path, 200);
    if (path.empty()) return Error{"", "no file name; a file or - for standard input is right"};
    if (path.find('\0') != std::string::npos)
        return Error{where, "a file name with a zero byte; one without is right"};

    // O_NONBLOCK: opening a FIFO that nobody writes to would wait for ever.
    const Descriptor file(standard_input ? STDIN_FILENO
                                         : ::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY),
                          !standard_input);
    if (file.get() < 0) {
        const int code = errno;
        return Error{where, fmt::format("cannot be opened ({}); a readable file is right", reason(code))};
    }
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        return Error{where, fmt::format("cannot be read ({})", reason(errno))};
    if (std::string kind = unreadable_kind(status, standard_input); !kind.empty())
        return Error{where, std::move(kind)};

    std::string text;
    if (S_ISREG(status.st_mode)) text.reserve(static_cast<std::size_t>(status.st_size));
    constexpr std::size_t kChunk = std::size_t{256} << 10;
    std::string chunk(kChunk, '\0');
    for (;;) {
        // One byte past the limit is asked for, to tell "exactly the limit" from "more".
        const std::size_t wanted = std::min(kChunk, kMaxInputBytes - text.size() + 1);
        const ssize_t got = ::read(file.get(), chunk.data(), wanted);
        if (got > 0) {
            if (text.size() + static_cast<std::size_t>(got) > kMaxInputBytes)
                return Error{where, fmt::format("has more than {} bytes ({} MiB); fewer are right",
                                                kMaxInputBytes, kMaxInputBytes >> 20)};
            text.append(chunk, 0, static_cast<std::size_t>(got));
            continue;
        }
        if (got == 0) return text;
        if (errno == EINTR) continue;
        if (errno == EAGAIN || errno == EWOULDBLOCK) {
            struct pollfd waiting {
                file.get(), POLLIN, 0
            };
            const int ready = ::poll(&waiting, 1, standard_input ? -1 : kPipePatienceMs);
            if (ready > 0 || (ready < 0 && errno == EINTR)) continue;
            return Error{where, "is a pipe that nothing comes out of; a file is right"};
        }
        return Error{where, fmt::format("cannot be read ({}); a readable file is right", reason(errno))};
    }
}

Error write_text(const std::filesystem::path& path, std::string_view text) {
    namespace fs = std::filesystem;
    static std::atomic<unsigned> counter{0}; // only makes names of temporary files differ between threads
    const std::string where = one_line(path.string(), 200);
    std::error_code code;
    if (path.empty() || path.filename().empty()) return {where, "names no file; a file name is right"};

    // Through a symbolic link the file behind it is replaced, not the link.
    fs::path target = path;
    if (fs::is_symlink(fs::symlink_status(target, code))) {
        const fs::path real = fs::weakly_canonical(target, code);
        if (code)
            return {where, fmt::format("cannot be written ({}); a writable file is right", code.message())};
        target = real;
    }
    const fs::file_status before = fs::status(target, code);
    if (fs::exists(before) && !fs::is_regular_file(before))
        return {where, "is not a regular file; a file is right"};

    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    fs::path temporary;
    int fd = -1;
    for (int attempt = 0; attempt < 100 && fd < 0; ++attempt) {
        temporary = folder / fmt::format(".shardlens-{}-{}.tmp", ::getpid(), counter.fetch_add(1));
        fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666); // umask applies
        if (fd < 0 && errno != EEXIST) break;
    }
    if (fd < 0)
        return {where, fmt::format("cannot be written ({}); a writable folder is right", reason(errno))};

    Descriptor file(fd, true);
    const auto give_up = [&](int why) -> Error {
        std::error_code ignored;
        fs::remove(temporary, ignored);
        return {where, fmt::format("cannot be written ({}); nothing was changed", reason(why))};
    };
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t put = ::write(fd, text.data() + done, text.size() - done);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return give_up(put < 0 ? errno : EIO);
        done += static_cast<std::size_t>(put);
    }
    if (fs::exists(before)) ::fchmod(fd, static_cast<mode_t>(before.permissions()) & 07777);
    if (::fsync(fd) != 0 && errno != EINVAL && errno != EROFS) return give_up(errno);
    if (file.close_now() != 0) return give_up(errno);
    if (::rename(temporary.c_str(), target.c_str()) != 0) return give_up(errno);
    return {};
}

} // namespace shardlens
