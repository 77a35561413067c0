// SPDX-License-Identifier: GPL-3.0-or-later
// Which of a script's commands starts the training, and the flags behind it.
#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <set>

#include "launchers/import_megatron.h"

namespace shardlens::launchers {

namespace {

bool is_flag(const std::string& word) { return word.size() > 2 && word.starts_with("--"); }

bool has_flags(const BashCommand& command) {
    return std::any_of(command.words.begin(), command.words.end(),
                       [](const BashWord& word) { return is_flag(word.text); });
}

/// Flags with more than one value; all others take one or none.
bool takes_several(const std::string& name) {
    constexpr std::array<std::string_view, 6> kSeveral = {
        "--recompute-modules", "--cp-comm-type",    "--rampup-batch-size",
        "--data-path",         "--offload-modules", "--hierarchical-context-parallel-sizes"};
    return std::find(kSeveral.begin(), kSeveral.end(), name) != kSeveral.end() ||
           name.ends_with("-data-path");
}

/// The flags behind a word, as the import knows them; the plan is thrown away.
class KnownFlags {
public:
    KnownFlags(const BashCommand& command, std::size_t program) : m_flags(m_plan) {
        add_flags(command, program, m_flags);
        read_megatron_flags(m_flags, 20);
    }
    [[nodiscard]] std::size_t count() const { return m_flags.known(); }
    /// Index of the first of them.
    [[nodiscard]] std::size_t first(const BashCommand& command) const {
        for (std::size_t i = 0; i < command.words.size(); ++i)
            if (m_flags.knows(command.words[i].text.substr(0, command.words[i].text.find('=')))) return i;
        return command.words.size();
    }

private:
    Imported m_plan;
    MegatronFlags m_flags;
};

/// Files and modules that start others.
bool is_starter(std::string_view word) {
    return word.starts_with("torch.distributed.") || word.ends_with("torch/distributed/run.py") ||
           word.ends_with("torch/distributed/launch.py") || word.starts_with("accelerate.") ||
           word.starts_with("deepspeed.");
}

/// A word that the text does not know, and that is no value of an option: "$PRETRAIN".
bool may_be_program(const std::vector<BashWord>& words, std::size_t i) {
    if (words[i].open.empty() || !words[i].text.starts_with('$')) return false;
    return i == 0 || !words[i - 1].text.starts_with('-') || words[i - 1].text.find('=') != std::string::npos;
}

/// The word that the training's flags stand behind: a file *.py; or, when Megatron-LM's flags follow, a
/// module behind -m or a word that is not known. The number of words when there is none.
std::size_t program_at(const BashCommand& command) {
    const auto& words = command.words;
    std::size_t file = words.size(), module = words.size(), open = words.size();
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i].text;
        if (is_starter(word)) continue;
        if (word.ends_with(".py")) file = std::min(file, i);
        if (may_be_program(words, i)) open = std::min(open, i);
        if (i > 0 && (words[i - 1].text == "-m" || words[i - 1].text == "--module") && !word.starts_with('-'))
            module = i;
    }
    if (module == words.size() && (file != words.size() || open == words.size() || !has_flags(command)))
        return file;
    const std::size_t flags = KnownFlags(command, 0).first(command);
    if (flags == words.size() || file < flags) return file;
    return module < flags ? module : open < flags ? open : file;
}

/// The best program so far.
struct Best {
    const BashCommand* command = nullptr;
    std::size_t at = 0, known = 0, programs = 0;

    void consider(const BashCommand& candidate) {
        const std::size_t program = program_at(candidate);
        if (program == candidate.words.size()) return;
        ++programs;
        const std::size_t count = has_flags(candidate) ? KnownFlags(candidate, program).count() : 0;
        const bool more =
            !command || count > known || (known == 0 && has_flags(candidate) && !has_flags(*command));
        if (!more) return;
        command = &candidate;
        at = program;
        known = count;
    }
};

/// Commands within words: ssh node "cd … && torchrun …", bash -lc '…'.
void read_inside(const std::vector<BashCommand>& commands, const std::string& origin,
                 std::deque<BashCommand>& out, Imported& plan) {
    for (const BashCommand& command : commands) {
        if (command.words[0].text == "echo" || command.words[0].text == "printf") continue;
        for (const BashWord& word : command.words) {
            if (word.text.find(" --") == std::string::npos || is_flag(word.text)) continue;
            const auto script = read_bash(word.text, origin);
            if (!script) continue;
            for (const BashNote& note : script->notes)
                plan.warn("line " + std::to_string(word.line) + ": " + note.name, "", note.template_text,
                          note.arguments);
            for (BashCommand inner : script->commands) {
                inner.line = word.line;
                for (BashWord& part : inner.words) part.line = word.line;
                out.push_back(std::move(inner));
            }
        }
    }
}

/// A flag of a variable with its values.
using Flag = std::vector<BashWord>;

std::vector<Flag> flags_of(const BashCommand& variable) {
    std::vector<Flag> flags;
    std::map<std::string, std::size_t> seen; // the last of repeated ones counts
    for (std::size_t i = 1; i < variable.words.size(); ++i) {
        const BashWord& word = variable.words[i];
        if (!is_flag(word.text)) {
            if (flags.empty()) flags.emplace_back();
            flags.back().push_back(word);
            continue;
        }
        const auto [at, first] = seen.emplace(word.text.substr(0, word.text.find('=')), flags.size());
        if (!first) flags[at->second].clear();
        at->second = flags.size();
        flags.push_back({word});
    }
    return flags;
}

bool same_words(const Flag& a, const Flag& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const BashWord& x, const BashWord& y) { return x.text == y.text; });
}

bool starts_processes(const BashCommand& variable) {
    return std::any_of(variable.words.begin(), variable.words.end(), [](const BashWord& word) {
        return word.text.starts_with("--nproc") || word.text.starts_with("--nnodes");
    });
}

/// All variables as one command: options of the starter, then each flag once. Where two differ, the variable
/// with more of Megatron-LM's flags counts.
MegatronProgram join_variables(const std::vector<BashCommand>& variables, Imported& plan) {
    std::vector<std::pair<std::size_t, const BashCommand*>> order;
    MegatronProgram joined;
    for (const BashCommand& variable : variables) {
        const std::size_t known = KnownFlags(variable, 0).count();
        if (known > 0 || !starts_processes(variable)) {
            order.emplace_back(known, &variable);
            continue;
        }
        joined.variables.push_back(variable.words[0].text);
        joined.command.words.insert(joined.command.words.end(), variable.words.begin() + 1,
                                    variable.words.end());
    }
    joined.at = joined.command.words.size();
    joined.command.words.push_back({"", {}, 0}); // where the program would stand
    std::stable_sort(order.begin(), order.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::map<std::string, std::pair<Flag, std::string>> taken;
    for (const auto& [known, variable] : order) {
        const std::string& owner = variable->words[0].text;
        bool counts = false;
        for (const Flag& flag : flags_of(*variable)) {
            if (flag.empty()) continue;
            const std::string name = flag[0].text.substr(0, flag[0].text.find('='));
            const auto [at, first] = taken.try_emplace(name, flag, owner);
            if (first) {
                counts = true;
                joined.command.words.insert(joined.command.words.end(), flag.begin(), flag.end());
            } else if (!same_words(at->second.first, flag)) {
                plan.warn(name, flag.size() > 1 ? flag[1].text : "",
                          "{0} says otherwise than {1}, which counts", {owner, at->second.second});
            }
        }
        if (counts) joined.variables.push_back(owner);
    }
    if (joined.variables.empty()) joined.command.words.clear();
    return joined;
}

} // namespace

void add_flags(const BashCommand& command, std::size_t program, MegatronFlags& flags) {
    const auto& words = command.words;
    for (std::size_t i = program + 1; i < words.size();) {
        const BashWord& word = words[i++];
        if (!is_flag(word.text)) {
            flags.plan().not_understood(
                word.text, "",
                word.open.empty() ? "line {0}: a word without a flag"
                                  : "line {0}: not known from the script alone: what it holds is not read",
                {std::to_string(word.line)});
            // What a caller may add by hand, "$@", is no part of the script.
            const bool added = word.text == "$@" || word.text == "$*";
            if (word.text.starts_with('$') && !word.open.empty() && !added) flags.add_unread(word.text);
            continue;
        }
        std::string name = word.text;
        std::vector<std::string> values;
        bool open = !word.open.empty();
        std::string shown;
        if (const std::size_t equals = name.find('='); equals != std::string::npos) {
            values.push_back(name.substr(equals + 1));
            shown = values.back();
            name = name.substr(0, equals);
            if (name.find('$') != std::string::npos) continue;
        } else if (!is_megatron_switch(name)) {
            while (i < words.size() && !is_flag(words[i].text)) {
                if (!values.empty() && !takes_several(name)) break;
                open = open || !words[i].open.empty();
                shown += (shown.empty() ? "" : " ") + words[i].text;
                values.push_back(words[i++].text);
            }
        }
        if (open)
            flags.add_open(std::move(name), std::move(shown));
        else
            flags.add(std::move(name), std::move(values));
    }
}

MegatronProgram find_program(const BashScript& script, const std::string& origin, Imported& plan) {
    Best best;
    for (const BashCommand& command : script.commands) best.consider(command);
    std::deque<BashCommand> inside;
    if (best.known == 0) {
        read_inside(script.commands, origin, inside, plan);
        for (const BashCommand& command : inside) best.consider(command);
    }
    if (best.known == 0) { // a command in a string that nobody runs here
        Best in_variables;
        for (const BashCommand& variable : script.variables) in_variables.consider(variable);
        if (in_variables.known > 0)
            return {*in_variables.command, in_variables.at, 0, {in_variables.command->words[0].text}};
        MegatronProgram joined = join_variables(script.variables, plan);
        const bool holds = !joined.command.words.empty() && KnownFlags(joined.command, joined.at).count() > 0;
        if (holds || !best.command || !has_flags(*best.command)) return joined;
    }
    return {*best.command, best.at, best.programs - 1, {}};
}

} // namespace shardlens::launchers
