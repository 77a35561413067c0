// SPDX-License-Identifier: GPL-3.0-or-later
// Branches of launch scripts that the text decides. Expected: what bash 5.2 prints for `set --; SCRIPT`, with
// `run` printing its words; "?" where that depends on what the text does not hold.
#include "catch.h"

#include "launchers/bash_words.h"

using namespace shardlens::launchers;

namespace {

/// The words behind every `run`, commands separated by '|', a '?' in front of those under a condition.
std::string ran(const std::string& script) {
    const auto read = read_bash(script, "script");
    REQUIRE(read.ok());
    std::string out;
    for (const BashCommand& command : read->commands) {
        if (command.words.front().text != "run") continue;
        if (!out.empty()) out += '|';
        if (command.conditional) out += '?';
        for (std::size_t i = 1; i < command.words.size(); ++i)
            out += (i > 1 ? " " : "") + command.words[i].text;
    }
    return out;
}

} // namespace

TEST_CASE("a test that the text decides picks its branch") {
    const std::pair<const char*, const char*> cases[] = {
        {"D=fp8\nif [[ \"$D\" == \"fp8\" ]]; then A+=(--fp8); else A+=(--bf16); fi\nrun ${A[@]}", "--fp8"},
        {"D=bf16\nif [[ $D == fp8 ]]; then A=1; elif [ $D = bf16 ]; then A=2; else A=3; fi; run $A", "2"},
        {"D=x\nif [ $D = a ]; then A=1; elif [ $D = b ]; then A=2; else A=3; fi; run $A", "3"},
        {"A=1; if [ ! -z \"$A\" ]\nthen run a\nfi", "a"},
        {"A=; if test -n \"$A\"; then run a; else run b; fi", "b"},
        {"A=8; if ! [ $A -lt 8 ]; then run a; fi; if [ $A -ne 8 ]; then run b; fi", "a"},
        {"N=4; if [ $N -gt 1 ]; then if [ $N -ge 8 ]; then T=8; else T=4; fi; else T=1; fi; run $T", "4"},
        {"M=${3:-MOCK}; if [[ $M == MOCK ]]; then run mock; else run real; fi", "mock"},
        {"if [ a = b ]; then for i in 1 2; do run $i; done; fi; run c", "c"},
        {"if [ a = b ]; then A=1; eval 'run x'; fi; run ${A:-2}", "2"},
        {"if [ \"a b\" = \"a b\" ]; then run one word; fi", "one word"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("a test that it does not decide leaves both branches open") {
    const std::pair<const char*, const char*> cases[] = {
        {"if [ $RANK -eq 0 ]; then run a; else run b; fi", "?a|?b"},
        {"if [ -f file ]; then run a; else run b; fi", "?a|?b"},
        {"if grep -q x y; then run a; else run b; fi", "?a|?b"},
        {"A=1; if [ $A = 1 ] && true; then run a; else run b; fi", "?a|?b"},
        {"A=ab; if [[ $A == a* ]]; then run a; else run b; fi", "?a|?b"},
        {"A=1; if [ $X = 1 ]; then run a; elif [ $A = 1 ]; then run b; else run c; fi", "?a|?b"},
        {"A=1; if [ $X = 1 ]; then A=2; fi; if [ $A = 1 ]; then run a; else run b; fi", "?a|?b"},
        {"f() { if [ a = a ]; then run a; fi; }", "?a"},
        {"while [ a = a ]; do run a; done", "?a"},
        {"fi; else then elif; run a", "a"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("elements of an array are split where no quotes stand around them") {
    const auto words = [](const std::string& script) {
        return read_bash("A=('--format hybrid' '' \"--bias  x\"); run " + script, "script")
            ->commands[0]
            .words.size();
    };
    CHECK(words("${A[@]}") == 5);     // bash: set -- ${A[@]}; echo $# prints 4
    CHECK(words("\"${A[@]}\"") == 4); // 3
    CHECK(words("\"${A[*]}\"") == 2); // 1
    CHECK(words("$A") == 3);          // 2
}

TEST_CASE("an assignment joins the elements of an array; variables that hold flags are kept") {
    const auto script =
        read_bash("A=(--x 1 --y '2 3'); B=\"python a.py ${A[@]}\"; C=${A[@]}; run $B", "script");
    REQUIRE(script.ok());
    CHECK(script->commands[0].words.size() == 8); // bash: set -- $B; echo $# prints 7
    REQUIRE(script->variables.size() == 3);
    CHECK(script->variables[0].words.size() == 6); // the name, and five words
    CHECK(script->variables[1].words[3].text == "--x");
    CHECK(script->variables[2].words.size() == 6);
}

TEST_CASE("what does not run leaves no note") {
    const auto read = read_bash("if [ a = b ]; then A=${B:-3}; C+=x; fi\nrun", "script");
    REQUIRE(read.ok());
    CHECK(read->notes.empty());
}

TEST_CASE("blocks in blocks in blocks take no long time") {
    std::string deep;
    for (int i = 0; i < 90'000; ++i) deep += "if\n";
    CHECK(read_bash(deep + "run a", "script").ok());
}
