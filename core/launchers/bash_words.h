// SPDX-License-Identifier: GPL-3.0-or-later
// What a bash script would hand to its programs, as far as the text alone says it. Nothing is executed:
// command substitutions, unset variables and positional parameters stay open and are named.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "json/result.h"

namespace shardlens::launchers {

/// One argument after expansion and word splitting.
struct BashWord {
    std::string text; ///< open parts stand in it as they are written: "$WORLD_SIZE", "$(hostname)"
    std::vector<std::string> open; ///< names of what is not known: "WORLD_SIZE", "1", "$(…)"
    std::size_t line = 0;          ///< from 1, where the command's word stands
};

struct BashCommand {
    std::vector<BashWord> words; ///< assignments in front are left out
    std::size_t line = 0;
    bool conditional = false; ///< inside if, for, while or case, or behind && or ||
};

struct BashNote {
    std::size_t line = 0;
    std::string name;          ///< the variable or word it is about
    std::string template_text; ///< English, {0} …
    std::vector<std::string> arguments;
};

struct BashScript {
    std::vector<BashCommand> commands;
    std::vector<BashCommand>
        variables; ///< those that hold flags at the end: name, then the words of the value
    std::vector<BashNote> notes;
    std::vector<std::pair<std::string, std::string>> sbatch; ///< options of #SBATCH lines: name, value
};

/// Reads assignments (also arrays and their elements, +=, export, ((…)), let, unset), expansions ($A, ${A},
/// ${A:-b}, ${A[@]}, $((…)), {a,b}), quotes, continued lines, comments, eval of a string, and what bash, sh
/// and sbatch read from a here-document or behind -c. A function is read where it is called, with its
/// arguments. What a subshell, a part of a pipeline or another shell sets ends with it. Of an if whose tests
/// the text decides (bash_test.h) the branch that runs is read, the others are left out; variables set under
/// any other condition, by a command (read, printf -v, getopts, mapfile) or before a file that is sourced
/// count as open, with a note. Errors: more than 1 MiB of text, or expansions and calls beyond 8 MiB or
/// 100,000 words.
[[nodiscard]] Result<BashScript> read_bash(std::string_view text, const std::string& origin);

} // namespace shardlens::launchers
