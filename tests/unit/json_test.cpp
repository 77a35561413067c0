// SPDX-License-Identifier: GPL-3.0-or-later
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "catch.h"
#include "json/strict_json.h"
#include "json/text.h"

using namespace shardlens;
namespace fs = std::filesystem;

namespace {

/// A folder of this test alone, gone afterwards.
class Folder {
public:
    Folder() {
        std::string name = (fs::temp_directory_path() / "shardlens-json-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        m_path = name;
    }
    ~Folder() {
        std::error_code ignored;
        fs::permissions(m_path, fs::perms::owner_all, ignored);
        fs::remove_all(m_path, ignored);
    }
    [[nodiscard]] fs::path operator/(const std::string& name) const { return m_path / name; }
    [[nodiscard]] std::size_t entries() const {
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(m_path), fs::directory_iterator()));
    }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

std::string line_of(std::string_view text) {
    const auto parsed = parse_strict(text, "plan.json");
    REQUIRE_FALSE(parsed.ok());
    return parsed.error().line();
}

void write_raw(const fs::path& path, std::string_view text) {
    std::ofstream(path, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
}

/// Spaces without holding them: written in pieces.
void write_spaces(const fs::path& path, std::size_t bytes) {
    std::ofstream out(path, std::ios::binary);
    const std::string piece(std::size_t{1} << 20, ' ');
    for (std::size_t done = 0; done < bytes; done += piece.size())
        out.write(piece.data(), static_cast<std::streamsize>(std::min(piece.size(), bytes - done)));
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Largest resident size of this process so far, in MiB.
double peak_mib() {
    struct rusage usage {};
    ::getrusage(RUSAGE_SELF, &usage);
    return static_cast<double>(usage.ru_maxrss) / 1024;
}

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

} // namespace

// First, because the peak of the process counts.
TEST_CASE("200 MB of spaces are refused at once and without being held") {
    const Folder folder;
    const fs::path file = folder / "spaces.json";
    write_spaces(file, 200'000'000);
    const auto start = std::chrono::steady_clock::now();
    const auto text = read_text(file.string());
    CHECK(seconds_since(start) < 1);
    REQUIRE_FALSE(text.ok());
    CHECK(text.error().line() ==
          file.string() + ": has 200000000 bytes; at most 67108864 (64 MiB) are right");
    if (!kSanitized) CHECK(peak_mib() < 200);
}

TEST_CASE("a pipe of 200 MB of spaces is refused after 64 MiB") {
    const Folder folder;
    const fs::path fifo = folder / "pipe";
    REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
    const pid_t writer = ::fork();
    REQUIRE(writer >= 0);
    if (writer == 0) {
        ::signal(SIGPIPE, SIG_IGN);
        const std::string piece(std::size_t{1} << 16, ' ');
        for (;;) { // the reader may have found the pipe empty and left while this end was opened
            const int fd = ::open(fifo.c_str(), O_WRONLY);
            for (int i = 0; i < 3200 && ::write(fd, piece.data(), piece.size()) > 0; ++i) {
            }
            ::close(fd);
        }
    }
    // The reader may come before the writer; an empty pipe is no text to wait for.
    Result<std::string> text = std::string();
    while (text.ok() && text->empty()) text = read_text(fifo.string());
    CHECK_FALSE(text.ok());
    if (!text.ok())
        CHECK(text.error().line() ==
              fifo.string() + ": has more than 67108864 bytes (64 MiB); fewer are right");
    ::kill(writer, SIGKILL);
    ::waitpid(writer, nullptr, 0);
    if (!kSanitized) CHECK(peak_mib() < 250);
}

TEST_CASE("a document is read as it stands, in the order of its keys") {
    const auto parsed = parse_strict(
        " {\"b\": [1, -2, 3.5, 1e5, true, false, null], \"a\": {\"x\": \"é\\u00e9\\n\"}} \n", "x");
    REQUIRE(parsed.ok());
    CHECK(parsed->dump() == "{\"b\":[1,-2,3.5,100000.0,true,false,null],\"a\":{\"x\":\"éé\\n\"}}");
    CHECK(parse_strict("18446744073709551615", "x")->get<std::uint64_t>() == 18446744073709551615u);
    CHECK(parse_strict("-9223372036854775808", "x")->get<std::int64_t>() == INT64_MIN);
    CHECK(parse_strict("1.7976931348623157e308", "x")->get<double>() == 1.7976931348623157e308);
    CHECK(parse_strict("\"\\ud83d\\ude00\"", "x")->get<std::string>() == "\xF0\x9F\x98\x80"); // U+1F600
    CHECK(parse_strict("\"\\u0000\"", "x")->get<std::string>() == std::string(1, '\0'));
}

TEST_CASE("errors name file, line, what is wrong and what would be right") {
    CHECK(line_of("") == "plan.json:1: is empty; one JSON document is right");
    CHECK(line_of(" \n\n ") == "plan.json:3: is empty; one JSON document is right");
    CHECK(line_of("{\"a\": {\"b\": 1,\n \"b\": 2}}") ==
          "plan.json:2: duplicate key \"b\" (a.b); each key once is right");
    CHECK(line_of("{\"a\": [0, {\"b\": 1, \"b\": 2}]}") ==
          "plan.json:1: duplicate key \"b\" (a.1.b); each key once is right");
    CHECK(line_of("{\n\"a\": NaN}") ==
          "plan.json:2: NaN is not a JSON number at a; a finite number is right");
    CHECK(line_of("[1e999]") == "plan.json:1: 1e999 is outside the range of a double at 0; a number between "
                                "1e-307 and 1e308 is right");
    CHECK(line_of("[1e-999]") == "plan.json:1: 1e-999 is outside the range of a double at 0; a number "
                                 "between 1e-307 and 1e308 is right");
    CHECK(line_of("{} x") == "plan.json:1: 'x' after the end of the document; nothing may follow it");
    CHECK(line_of("\"\xFF\"") == "plan.json:1: byte \\xFF is not UTF-8; UTF-8 text is right");
    CHECK(line_of("\"\\ud83dx\"") == "plan.json:1: half of a surrogate pair; both halves are right");
    CHECK(line_of("[1,]") == "plan.json:1: a comma before ']'; a further value or no comma is right");
}

TEST_CASE("a duplicate key is found among many as among few, whatever its spelling") {
    std::string many = "{";
    for (int i = 0; i < 1000; ++i) many += "\"k" + std::to_string(i) + "\": 0, ";
    CHECK(parse_strict(many + "\"other\": 0}", "x").ok());
    CHECK(line_of(many + "\"k\\u0035\": 0}") ==
          "plan.json:1: duplicate key \"k5\" (k5); each key once is right");
}

TEST_CASE("nesting ends at its limit") {
    const auto nested = [](std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
    CHECK(parse_strict(nested(kMaxJsonDepth), "x").ok());
    CHECK_FALSE(parse_strict(nested(kMaxJsonDepth + 1), "x").ok());
    CHECK(line_of(std::string(5'000'000, '[')) ==
          "plan.json:1: nested deeper than 32 levels; fewer are right");
}

TEST_CASE("hostile documents of the largest size take linear time") {
    const auto timed = [](const std::string& text) {
        const auto start = std::chrono::steady_clock::now();
        const auto parsed = parse_strict(text, "x");
        CHECK(seconds_since(start) <
              (kSanitized ? 60 : 10)); // about 1 s; a quadratic search would take hours
        return parsed.ok();
    };
    std::string keys = "{";
    for (int i = 0; i < 1'000'000; ++i) keys += "\"" + std::to_string(i) + "\":0,";
    CHECK(timed(keys + "\"x\":0}"));
    CHECK_FALSE(timed("[" + std::string(40'000'000, '\n') + "x"));
    CHECK_FALSE(timed("\"" + std::string(40'000'000, 'a')));
    std::string lists = "[";
    for (int i = 0; i < 8'000'001; ++i) lists += "0,";
    CHECK_FALSE(timed(lists + "0]"));
}

TEST_CASE("what cannot be read is an error and never a wait") {
    const Folder folder;
    const auto error = [](const fs::path& path) {
        const auto text = read_text(path.string());
        REQUIRE_FALSE(text.ok());
        return text.error().what;
    };
    CHECK(error(folder.path()) == "is a directory; a file is right");
    CHECK(error("/dev/zero") == "is a device; a file is right");
    CHECK(error("/dev/null") == "is a device; a file is right");
    CHECK(error(folder / "missing.json").find("cannot be opened (No such file or directory)") == 0);
    CHECK(error("") == "no file name; a file or - for standard input is right");
    CHECK(error(folder / std::string(5000, 'x')).find("cannot be opened") == 0);
    write_raw(folder / "loop", "");
    fs::create_symlink("round", folder / "round");
    CHECK(error(folder / "round").find("cannot be opened") == 0);

    // A FIFO that nobody writes to reads as an empty document.
    REQUIRE(::mkfifo((folder / "silent").c_str(), 0600) == 0);
    const auto start = std::chrono::steady_clock::now();
    const auto silent = read_text((folder / "silent").string());
    CHECK(seconds_since(start) < 1);
    CHECK((silent.ok() && silent->empty()));
    CHECK_FALSE(parse_strict(*silent, "silent").ok());
}

TEST_CASE("the largest allowed file is read, one byte more is not") {
    const Folder folder;
    const fs::path file = folder / "large.json";
    write_spaces(file, kMaxInputBytes);
    const auto text = read_text(file.string());
    REQUIRE(text.ok());
    CHECK(text->size() == kMaxInputBytes);
    fs::resize_file(file, kMaxInputBytes + 1);
    CHECK_FALSE(read_text(file.string()).ok());
}

TEST_CASE("a written file is whole, keeps its mode, and leaves nothing beside it") {
    const Folder folder;
    const fs::path file = folder / "plan.json";
    CHECK(write_text(file, "one").what.empty());
    CHECK(*read_text(file.string()) == "one");
    fs::permissions(file, fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read);
    CHECK(write_text(file, std::string(3'000'000, 'x')).what.empty());
    CHECK(read_text(file.string())->size() == 3'000'000);
    CHECK(fs::status(file).permissions() ==
          (fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read));
    CHECK(folder.entries() == 1);

    fs::create_symlink("plan.json", folder / "link.json");
    CHECK(write_text(folder / "link.json", "two").what.empty());
    CHECK(fs::is_symlink(folder / "link.json"));
    CHECK(*read_text(file.string()) == "two");
}

TEST_CASE("a file that cannot be written is named and nothing is left behind") {
    const Folder folder;
    CHECK(write_text(folder / "no-such-folder/plan.json", "x")
              .line()
              .find("no-such-folder/plan.json: cannot be written") != std::string::npos);
    CHECK(write_text(folder.path(), "x").what == "is not a regular file; a file is right");
    CHECK(write_text("/dev/null", "x").what == "is not a regular file; a file is right");
    CHECK_FALSE(write_text("", "x").what.empty());
    CHECK(folder.entries() == 0);
    // /proc takes no new files, whoever asks.
    CHECK(write_text("/proc/shardlens.json", "x").what.find("cannot be written") == 0);

    // A full disk: a limit on the size of files stands in for it.
    write_raw(folder / "kept.json", "before");
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        ::signal(SIGXFSZ, SIG_IGN);
        const struct rlimit limit { 1000, 1000 };
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const Error error = write_text(folder / "kept.json", std::string(100'000, 'x'));
        ::_exit(error.what.find("nothing was changed") != std::string::npos ? 0 : 1);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    CHECK(status == 0);
    CHECK(*read_text((folder / "kept.json").string()) == "before");
    CHECK(folder.entries() == 1);
}

TEST_CASE("the nearest key is one that a finger could have missed") {
    using namespace std::string_view_literals;
    constexpr std::string_view keys[] = {"tensor", "sequence", "pipeline", "data", "zero"};
    CHECK(nearest("tensr", keys) == "tensor");
    CHECK(nearest("TENSOR", keys) == "tensor");
    CHECK(nearest("tesnor", keys) == "tensor");
    CHECK(nearest("pipelines", keys) == "pipeline");
    CHECK(nearest("zer0", keys) == "zero");
    CHECK(nearest("optimizer", keys).empty());
    CHECK(nearest("", keys).empty());
    CHECK(nearest(std::string(1'000'000, 'x'), keys).empty());
    CHECK(nearest("x", {}).empty());
}

TEST_CASE("foreign text becomes one readable line") {
    CHECK(one_line("a\nb\x7F\xFFé") == "a\\x0Ab\\x7F\\xFFé");
    CHECK(one_line(std::string(100, 'x'), 10) == "xxxxxxxxxx…");
    CHECK(valid_utf8("é漢\xF0\x9F\x98\x80"));
    CHECK_FALSE(valid_utf8("\xC0\x80"));         // overlong
    CHECK_FALSE(valid_utf8("\xE0\x80\x80"));     // overlong
    CHECK_FALSE(valid_utf8("\xED\xA0\x80"));     // surrogate
    CHECK_FALSE(valid_utf8("\xF4\x90\x80\x80")); // above U+10FFFF
    CHECK_FALSE(valid_utf8("\xE6\xBC"));         // cut off
}
