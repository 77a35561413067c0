// SPDX-License-Identifier: GPL-3.0-or-later
// Launch scripts as far as the text decides what they do. Expected: what bash 5.2 prints for `set --;
// SCRIPT`, with `run` printing its words; "?" where that depends on what the text does not hold.
#include <chrono>
#include <tuple>

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
        {"f() { if [ a = a ]; then run a; fi; }; [ -f file ] && f", "?a"},
        {"while [ a = a ]; do run a; done", "?a"},
        {"f() { local A=$1; shift; \"$@\" $A; }; [ -f file ] && f 4 run", "?4"},
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

TEST_CASE("a guard of what is still to be filled in does not hide the program") {
    const auto read = read_bash("IMAGE=\nif [ -z \"$IMAGE\" ]; then\n exit 1\nfi\nrun a", "script");
    REQUIRE(read.ok());
    CHECK(read->commands.back().words[0].text == "run"); // bash ends in line 3
    REQUIRE(read->notes.size() == 1);
    CHECK(read->notes[0].line == 3);
    CHECK(ran("if true; then exit 0; fi; run a") == "");    // bash: nothing
    CHECK(ran("declare -i TP=2*2; TP+=4; run $TP") == "8"); // bash: 8
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

TEST_CASE("functions: definitions run nothing, calls read the body where they stand") {
    const std::pair<const char*, const char*> cases[] = {
        {"TP=4\nfunction big {\n TP=8\n}\nrun $TP", "4"},
        {"TP=4\nfunction big() { TP=8; }; function small\n{ TP=2\n}\nrun $TP", "4"},
        {"TP=4; foo() ( TP=8 ); run $TP; foo; run $TP", "4|4"},
        {"TP=4; foo ()\n{ TP=8; }\nrun $TP; foo; run $TP", "4|8"},
        {"f() { run $1 $2; }\nf 4 2; f 8", "4 2|8"},
        {"f() { run \"$@\" $#; run \"$*\"; }; f 'a b' c", "a b c 2|a b c"},
        {"f() { local TP=8; run $TP; }; TP=4; f; run $TP", "8|4"},
        {"f() { local TP; run \"${TP:-none}\"; TP=8; }; TP=4; f; run $TP", "none|4"},
        {"TP=2; main() { run $TP; }; TP=8; main", "8"},
        {"a() { TP=1; run $TP; }; b() { TP=8; run $TP big; }; a", "1"},
        {"f() { TP=8; return 0; TP=9; run never; }; f; run $TP", "8"},
        {"f() { shift; run $1 $#; }; f 1 2 3", "2 2"},
        {"f() { run ${1:-4} ${2:-5}; }; f 8; f", "8 5|4 5"},
        {"g() { run $1; }; f() { g $2; run $1; }; f 1 2", "2|1"},
        {"f() { TP=8; run in; }; f | cat; run ${TP:-out}", "in|out"},
        {"TP=4; f() { run $TP; }; TP=8 f; run $TP", "8|4"},
        {"f() { exit 0; }; run a; f; run b", "a"},
        {"set -- 8 2; run $2 $#", "2 2"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("a subshell and a pipeline take their assignments with them") {
    const std::pair<const char*, const char*> cases[] = {
        {"TP=4; (TP=8; export TP; run $TP); run $TP", "8|4"},
        {"TP=4\n(\n cd /\n TP=8\n)\nrun $TP", "4"},
        {"TP=4; echo x | TP=1; run $TP; TP=2 | cat; run $TP", "4|4"},
        {"TP=4; { TP=8; PP=2; } | cat; run $TP ${PP:-1}", "4 1"},
        {"TP=4; { TP=8; }; run $TP", "8"},
        {"TP=4; ( (TP=2); run $TP; TP=1; run $TP ); run $TP", "4|1|4"},
        {"A=(--a 1); (A+=(--b 2); run ${A[@]}); run ${A[@]}", "--a 1 --b 2|--a 1"},
        {"(exit 0; run a); run b", "b"},
        {"TP=4; bash -c 'TP=8; exit 0'; run $TP", "4"},
        {"if (TP=1; true); then :; fi; run ${TP:-4}", "4"},
        {"echo 8 | read TP; run ${TP:-4}", "4"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("assignments in front of a command are for it alone") {
    const std::pair<const char*, const char*> cases[] = {
        {"TP=4; TP=8 true; run $TP", "4"},           {"TP=4; A=1 TP=8 B=3 run $TP; run $TP", "4|4"},
        {"TP=4; export TP=8; run $TP", "8"},         {"TP=4; PP=2 TP=8; run $TP $PP", "8 2"},
        {"TP=4; EMPTY=; TP=8 $EMPTY; run $TP", "8"}, {"TP=4; TP=8 PP=$TP; run $PP", "8"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("elements, arithmetic, unset and braces") {
    const std::pair<const char*, const char*> cases[] = {
        {"A=(--tp 4 --sp); A[1]=8; run ${A[@]}; run ${A[1]} ${A[2]}", "--tp 8 --sp|8 --sp"},
        {"O=(); O[0]=--tp; O[1]=8; run \"${O[@]}\"", "--tp 8"},
        {"N=1; A=(1 2 3); A[N+1]=9; A[-3]=7; run ${A[*]}", "7 2 9"},
        {"PP=4; ((PP /= 2)); run $PP; let PP+=3 PP*=2; run $PP; ((PP--)); ((++PP)); ((PP -= 1, TP = PP * "
         "2)); run $PP $TP",
         "2|10|9 18"},
        {"((PP = 2 * 2)); (( PP = $PP + 1 )); run $PP", "5"},
        {"TP=8; unset TP; run ${TP:-4}; run ${TP-5}; run a$TP", "4|5|a"},
        {"A=(1 2 3); unset A[2]; run ${A[@]}; unset A; run ${A[@]} x", "1 2|x"},
        {"run {--tp,8} a{b,c}d {x,{y,z}} {1,2}{3,4} {one} pre{,fix}",
         "--tp 8 abd acd x y z 13 14 23 24 {one} pre prefix"},
        {"TP=8; run {--tp,$TP} ${TP}{a,b}", "--tp 8 8a 8b"},
        {"A=({--tp,8} x); run ${A[@]}", "--tp 8 x"},
        {"declare -i TP=2*2; run $TP", "4"},
        {"A=(1 2); A+=x; run ${A[@]}", "1x 2"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("a here-document for a shell is read as its text") {
    const std::pair<const char*, const char*> cases[] = {
        {"TP=8; bash <<EOF\nTP=2\nrun $TP \\$TP\nEOF\nrun $TP", "8 2|8"},
        {"sbatch <<'EOF'\nTP=2\nrun $TP \"a  b\"\nexit 0\nrun no\nEOF\nrun b", "2 a  b|b"},
        {"cat <<EOF | sbatch\nrun a\nEOF\ncat <<EOF\nEOF\nrun b", "a|b"},
        {"sbatch --nodes=4 <<-END\n	run a\n	END\nrun b", "a|b"},
        {"f() { sbatch <<EOF\nrun $1\n}\nEOF\n}; f 4; f 2", "4|2"},
        {"TP=8; cat > job <<EOF\nrun $TP \\$TP\nEOF\nexport TP=2; bash ./job; run b", "8 2|b"},
        {"if false; then sbatch <<EOF\nrun a\nEOF\nfi; run b", "b"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("what never runs") {
    const std::pair<const char*, const char*> cases[] = {
        {"run a\nexit 0\nrun b", "a"},
        {"if false; then run a; else run b; fi; if true; then run c; fi; if ! true; then run d; fi", "b|c"},
        {"if false; then exit; fi; run a", "a"},
        {"case x in --a|--b) true;; (if) true;; *) ;; esac; run a", "a"},
        {"TP=2; if false\nthen\n TP=8\nfi\nrun $TP", "2"},
        {"run a; exec true; run b", "a"},
    };
    for (const auto& [script, printed] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
    }
}

TEST_CASE("what a command sets is open, and noted") {
    const std::tuple<const char*, const char*, const char*> cases[] = {
        // bash: the words depend on the input, the files and the arguments; behind it what the note is about
        {"TP=2; read -r -p 'size ' TP <file; run $TP", "$TP", "TP"},
        {"TP=2; printf -v TP '%d' 4; run $TP", "$TP", "TP"},
        {"TP=2; getopts x TP; run $TP", "$TP", "TP"},
        {"A=(1); read -a A <file; run ${A[0]}", "$A", "A"},
        {"A=(1); mapfile -t A <file; run ${A[0]}", "$A", "A"},
        {"PP=4; ((PP = UNKNOWN * 2)); run $PP", "$PP", "PP"},
        {"PP=4; X=$((PP++)); run $PP", "$PP", "PP"},
        {"PP=4; [ $X ] && ((PP /= 2)); run $PP", "$PP", "PP"},
        {"A=(1 2); A[5]=9; run ${A[0]}", "$A", "A"},
        {"A=(1 2); A[UNKNOWN]=9; run ${A[0]}", "$A", "A"},
        {"A=(1 2); [ $X ] && unset A; run ${A[0]}", "$A", "A"},
        {"TP=1; PP=2; source ./conf.env; PP=4; run $TP $PP", "$TP 4", "./conf.env"},
        {"TP=1; [ -f env.sh ] && . env.sh; run $TP", "$TP", "env.sh"},
        {"TP=1; eval \"$(cat env.sh)\"; run $TP", "$TP", "eval"},
        {"TP=1; main() { run $TP; }; source env.sh; main", "$TP", "env.sh"},
        {"TP=1; [ $X ] && { PP=3; TP=2; }; run $TP", "$TP", "TP"},
        {"TP=1; [ $X ] &&\n TP=2\nrun $TP", "$TP", "TP"},
        {"export PP=4; TP=1; read X; bash -c 'run $TP $PP'", "$TP 4", "X"}, // bash: TP is not exported
        {"TP=1; [ $X ] && PP=2 && TP=2; run $TP", "$TP", "TP"},
    };
    for (const auto& [script, printed, noted] : cases) {
        INFO(script);
        CHECK(ran(script) == printed);
        const auto read = read_bash(script, "script");
        REQUIRE_FALSE(read->notes.empty());
        CHECK(read->notes.back().name == noted);
        CHECK(read->notes.back().line > 0);
    }
    CHECK(ran("f() { run $1; }; f \"$@\"") == "$1");
    CHECK(ran("TP=1; source activate env; . ~/.bashrc; eval \"$(conda shell.bash hook)\"; run $TP") == "1");
}

TEST_CASE("the options of a script for sbatch are read out of a here-document") {
    const auto read = read_bash(
        "N=4\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --nodes=$N\nrun\nEOF\ncat <<EOF\n#SBATCH -N 9\nEOF\n",
        "script");
    REQUIRE(read.ok());
    REQUIRE(read->sbatch.size() == 1);
    CHECK(read->sbatch[0] == std::pair<std::string, std::string>("--nodes", "4"));
}

TEST_CASE("the patterns of a case are no commands") {
    const auto read =
        read_bash("case $1 in\n --checkpoint-path) A=1; shift;;\n --x|--y) ;;\nesac\n", "script");
    REQUIRE(read.ok());
    CHECK(read->commands.empty());
    for (const BashNote& note : read->notes) CHECK(note.name == "A");
}

TEST_CASE("a function that is not called counts where nothing else starts a program") {
    const auto read =
        read_bash("h() { echo; }\nr() { python a.py --tp $TP; }\nmain() { TP=8; r; }\n\"$@\"", "script");
    REQUIRE(read.ok());
    REQUIRE(read->commands.size() == 2);
    CHECK(read->commands[1].words.back().text == "8");
    CHECK(read->commands[1].conditional);
    REQUIRE(read->notes.size() == 1);
    CHECK(read->notes[0].name == "main");
    CHECK(read->notes[0].line == 3);
    CHECK(read_bash("r() { python a.py; }\npython b.py", "script")->commands.size() == 1);
}

TEST_CASE("functions in functions and text in text take no long time") {
    std::string doubling = "f0() { run; }\n";
    for (int i = 1; i < 23; ++i) {
        const std::string before = "f" + std::to_string(i - 1);
        doubling += "f" + std::to_string(i) + "() { " + before + "; " + before + "; }\n";
    }
    CHECK_FALSE(read_bash(doubling + "f22", "script").ok());
    CHECK(ran("f() { run a; f; }; f") == "a");
    for (const char* part : {"(",
                             "((",
                             "{ ",
                             "f() {\n",
                             "A+=(x)\n(A+=(y))\n",
                             "{a,b}",
                             "A[0]=;",
                             ". x;B=1;",
                             "{",
                             "<<A ",
                             "f() { f; }\nf\n",
                             "case x in\n",
                             "bash -c a;",
                             "A=1 ",
                             "a|",
                             "set -- $@ a;",
                             "shift;",
                             "unset A;",
                             "((A++));",
                             "let A++;",
                             "local A;"}) {
        std::string text;
        while (text.size() < 200'000) text += part;
        INFO(part);
        const auto begin = std::chrono::steady_clock::now();
        (void)read_bash(text, "script");
        (void)read_bash("f() {\n" + text + "\n}\nf 1 2", "script");
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(5)); // about 0.1 s each
    }
}
