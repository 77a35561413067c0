// SPDX-License-Identifier: GPL-3.0-or-later
// Exit code 2: one line on standard error, nothing on standard output, soon and within a gigabyte.
#include <algorithm>
#include <filesystem>
#include <sys/stat.h>

#include "catch.h"
#include "process.h"

namespace fs = std::filesystem;

namespace {

const std::string kGoodPlan = presets_directory() + "/plans/llama3-70b-64xh100.json";

#ifdef SHARDLENS_SANITIZE
constexpr double kSeconds = 20;
#else
constexpr double kSeconds = 2;
#endif

/// One line that ends, with printable text before the end.
bool is_one_line(const std::string& text) {
    return text.size() > 1 && text.back() == '\n' && std::count(text.begin(), text.end(), '\n') == 1 &&
           std::none_of(text.begin(), text.end() - 1,
                        [](char c) { return static_cast<unsigned char>(c) < 0x20; });
}

void check_refused(const Ran& ran) {
    CHECK(ran.code == 2);
    CHECK(ran.out.empty());
    CHECK(is_one_line(ran.err));
    CHECK(ran.seconds < kSeconds);
#ifndef SHARDLENS_SANITIZE
    CHECK(ran.peak_bytes < 1073741824.0);
#endif
}

} // namespace

TEST_CASE("bad usage is one line that says what would be right") {
    struct Call {
        std::vector<std::string> arguments;
        const char* fragment;
    };
    const Call calls[] = {
        {{}, "a command is missing"},
        {{"plam", kGoodPlan}, "did you mean 'plan'?"},
        {{"search", kGoodPlan}, "unknown command 'search'"},
        {{"import", "/dev/null"}, "/dev/null"},
        {{"import", kGoodPlan, "--from", "deepsped"}, "did you mean 'deepspeed'?"},
        {{"import", kGoodPlan, "--from", "megatron-script@9"}, "unknown version '9'; known: 0.19"},
        {{"--plan"}, "unknown option '--plan'"},
        {{"plan"}, "PLAN.json is missing"},
        {{"plan", kGoodPlan, kGoodPlan}, "unexpected argument"},
        {{"plan", kGoodPlan, "--format", "xml"}, "--format is json or text"},
        {{"plan", kGoodPlan, "--formt", "text"}, "did you mean '--format'?"},
        {{"plan", kGoodPlan, "--format"}, "--format"},
        {{"plan", kGoodPlan, "--set"}, "--set"},
        {{"plan", kGoodPlan, "--set", "parallel.tensor"}, "parallel.tensor"},
        {{"plan", kGoodPlan, "--set", "parallel.tensr=8"}, "tensor"},
        {{"plan", kGoodPlan, "--set", "parallel.tensor=eight"}, "parallel.tensor"},
        {{"plan", kGoodPlan, "--set", "model=llama3-7b"}, "llama3-7b"},
        {{"plan", kGoodPlan, "--set", "cluster.node=dgx-h1000"}, "dgx-h1000"},
        {{"plan", kGoodPlan, "--set", "stack=megatron"}, "megatron"},
        {{"plan", "/nonexistent/plan.json"}, "/nonexistent/plan.json"},
        {{"plan", presets_directory()}, "is a directory"},
        {{"plan", "two\nlines.json"}, "two"},
        {{"validate"}, "PLAN.json is missing"},
        {{"explain", kGoodPlan}, "PATH is missing"},
        {{"explain", kGoodPlan, "memory.peak_byte"}, "memory.peak_bytes"},
        {{"explain", kGoodPlan, "memory.stages.99.total_bytes"}, "memory.stages.99.total_bytes"},
        {{"placement"}, "PLAN.json is missing"},
        {{"compare", kGoodPlan}, "B.json is missing"},
        {{"compare", "-", "-"}, "standard input"},
        {{"export", kGoodPlan, "--to", "deepspeed"}, "--out DIR is missing"},
        {{"export", kGoodPlan, "--out", "/tmp"}, "--to LAUNCHER is missing"},
        {{"export", kGoodPlan, "--to", "megatron", "--out", "/nonexistent-a/b"}, "unknown 'megatron'"},
        {{"export", kGoodPlan, "--to", "megatron-lm@0.1", "--out", "/nonexistent-a/b"}, "known: 0.19"},
        {{"export", kGoodPlan, "--to", "contract", "--out", kGoodPlan}, "cannot make this folder"},
        {{"export", kGoodPlan, "--to", "contract", "--out", "/proc/nowhere"}, "/proc/nowhere"},
        {{"presets"}, "list|show is missing"},
        {{"presets", "show"}, "ID is missing"},
        {{"presets", "show", "llama3-71b"}, "llama3-71b"},
        {{"presets", "list", "models"}, "unexpected argument 'models'"},
        {{"presets", "remove", "x"}, "list or show"},
        {{"schedule", "--stages", "2", "--micro-batches", "2"}, "--kind is missing"},
        {{"schedule", "--kind", "1f1b", "--micro-batches", "2"}, "--stages is missing"},
        {{"schedule", "--kind", "1f1b", "--stages", "2"}, "--micro-batches is missing"},
        {{"schedule", "--kind", "2f2b", "--stages", "2", "--micro-batches", "2"}, "one of gpipe, 1f1b"},
        {{"schedule", "--kind", "1f1b", "--stages", "two", "--micro-batches", "2"}, "not 'two'"},
        {{"schedule", "--kind", "1f1b", "--stages", "0", "--micro-batches", "2"}, "from 1 to"},
        {{"schedule", "--kind", "1f1b", "--stages", "2.5", "--micro-batches", "2"}, "whole number"},
        {{"schedule", "--kind", "1f1b", "--stages", "2", "--micro-batches", "2", "--forward", "nan"},
         "--forward"},
        {{"schedule", "--kind", "1f1b", "--stages", "2", "--micro-batches", "2", "--comm", "-1"}, "--comm"},
        {{"bench", "now"}, "unexpected argument 'now'"},
    };
    for (const Call& call : calls) {
        std::string words;
        for (const std::string& argument : call.arguments) words += argument + " ";
        INFO(words);
        const Ran ran = run_cli(call.arguments);
        INFO(ran.err);
        check_refused(ran);
        CHECK(ran.err.find(call.fragment) != std::string::npos);
    }
}

TEST_CASE("every malformed file is refused by every command that reads a plan") {
    std::size_t files = 0;
    for (const auto& entry : fs::directory_iterator(data_file("malformed"))) {
        INFO(entry.path().string());
        const bool first_half = files++ % 2 == 0; // two commands, each on half of the corpus, keep this quick
        const Ran ran = run_cli({first_half ? "plan" : "validate", entry.path().string()});
        INFO(ran.err);
        check_refused(ran);
        CHECK(ran.err.find(entry.path().filename().string()) != std::string::npos);
    }
    CHECK(files >= 60);
    const std::string file = data_file("malformed/trailing-comma-object.json");
    check_refused(run_cli({"explain", file, "time.step_s"}));
    check_refused(run_cli({"placement", file}));
    check_refused(run_cli({"compare", kGoodPlan, file}));
    check_refused(run_cli({"export", file, "--to", "contract", "--out", "/nonexistent-a/b"}));
}

TEST_CASE("input without end is refused early") {
    Input spaces;
    spaces.spaces = std::size_t{200} << 20;
    check_refused(run_cli({"plan", "-"}, spaces));

    TemporaryFolder folder;
    const std::string sparse = folder.file("sparse.json", "");
    fs::resize_file(sparse, std::uintmax_t{8} << 30); // zeros that take no room
    check_refused(run_cli({"plan", sparse}));
    check_refused(run_cli({"plan", "/dev/zero"}));

    const std::string blanks = folder.file("spaces.json", std::string(std::size_t{200} << 20, ' '));
    const Ran ran = run_cli({"plan", blanks});
    check_refused(ran);
    CHECK(ran.err.find("64") != std::string::npos);
}

TEST_CASE("an empty or broken standard input is one line") {
    for (const char* text : {"", "{", "null", "[]", "\xff\xfe"}) {
        INFO(text);
        Input input;
        input.text = text;
        const Ran ran = run_cli({"validate", "-"}, input);
        INFO(ran.err);
        check_refused(ran);
        CHECK(ran.err.find("standard input") != std::string::npos);
    }
}

TEST_CASE("an output that cannot be written is no crash") {
    Input gone;
    gone.early_reader_end = true;
    CHECK(run_cli({"schedule", "--kind", "1f1b", "--stages", "8", "--micro-batches", "4000"}, gone).code ==
          0);
    Input closed;
    closed.close_output = true;
    CHECK(run_cli({"plan", kGoodPlan}, closed).code == 2);
    Input full;
    full.full_output = true;
    const Ran ran = run_cli({"plan", kGoodPlan}, full);
    CHECK(ran.code == 2);
    CHECK(is_one_line(ran.err));
}
