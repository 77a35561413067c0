// SPDX-License-Identifier: GPL-3.0-or-later
// The commands that the shell runs itself, functions, and text that is read in place of a command.
#include <algorithm>
#include <iterator>
#include <utility>

#include "launchers/bash_reader.h"

namespace shardlens::launchers {

namespace {

constexpr const char* kCondition = "set under a condition: not followed";

std::string file_name(const std::string& path) { return path.substr(path.rfind('/') + 1); }

bool is_shell(const std::string& word) {
    const std::string name = file_name(word);
    return name == "bash" || name == "sh";
}

/// Does the command read its commands from its input?
bool reads_commands(const std::vector<BashWord>& words) {
    const std::string name = file_name(words.front().text);
    for (std::size_t i = 1; i < words.size(); ++i)
        for (const char* end : {".sh", ".sbatch", ".slurm", ".bash", ".py", ".job"})
            if (words[i].text.ends_with(end)) return false;
    if (is_shell(name)) return words.size() == 1 || (words[1].text.starts_with("-") && words[1].text != "-c");
    if (name == "ssh" && words.size() == 2) return true;
    return name == "sbatch" || is_shell(words.back().text);
}

/// Files that set up an environment of programs, not of a training run.
bool is_environment(const std::string& file) {
    const std::string name = file_name(file);
    if (name == "activate" || file == "/etc/profile" || file == "/etc/bashrc") return true;
    if (file == name || file.starts_with("./")) return false; // beside the script
    for (const char* known : {"conda.sh", ".bashrc", ".bash_profile", ".profile", "set_env.sh", "setvars.sh"})
        if (name == known) return true;
    return false;
}

} // namespace

void BashReader::execute(BashInput& in, BashCommand done, Runs runs) {
    done.conditional = runs == Runs::maybe;
    const std::string first = done.words[0].text;
    if (const auto found = m_functions.find(first); found != m_functions.end())
        return call(found->second, done, in.depth + 1, runs, true);
    if (builtin(in, done, runs)) return;
    for (std::size_t i = 2; i < done.words.size(); ++i)
        if (is_shell(done.words[i - 2].text) && done.words[i - 1].text == "-c" && !done.words[i].text.empty())
            return apart(std::string(done.words[i].text), done.line, in.depth + 1, runs);
    if (const std::string* written = m_files.empty() ? nullptr : written_file(done))
        return apart(std::string(*written), done.line, in.depth + 1, runs);
    if (first.starts_with("--"))
        m_words.note(done.line, BashExpansion::plain_text(first),
                     "begins a command: the backslash at the end of the line before is missing, so this "
                     "and the following flags do not reach the program");
    feed_documents(in, done, runs);
    const bool replaced = first == "exec" && done.words.size() > 1 && runs == Runs::yes && !m_piped;
    for (BashWord& word : done.words) word.text = BashExpansion::plain_text(word.text, &word.open);
    m_out.commands.push_back(std::move(done));
    m_exited = m_exited || replaced;
}

/// True: nothing is left to be kept as a command.
bool BashReader::builtin(BashInput& in, const BashCommand& command, Runs runs) {
    const std::string& first = command.words[0].text;
    if (first == "for" || first == "select") {
        if (command.words.size() > 1) m_words.variables().open(command.words[1].text);
        return true;
    }
    if (first == "eval") {
        std::string text;
        for (std::size_t i = 1; i < command.words.size(); ++i) text += command.words[i].text + " ";
        if (text.starts_with(kOpenMark))
            sourced(command);
        else
            script(text, command.line, in.depth + 1, runs);
        return true;
    }
    if (first == "source" || first == ".") {
        if (command.words.size() > 1) sourced(command);
        return true;
    }
    return leaves(command, runs) || sets_variables(command, runs);
}

bool BashReader::leaves(const BashCommand& command, Runs runs) {
    const std::string& first = command.words[0].text;
    if (first != "exit" && first != "return") return false;
    const bool failure = command.words.size() > 1 && command.words[1].text != "0";
    const bool guard = std::any_of(m_blocks.begin(), m_blocks.end(),
                                   [](const BashBlock& block) { return block.by() == Opened::branch; });
    if (runs == Runs::yes && failure && guard) { // of a template whose values are still to be filled in
        m_words.note(command.line, BashExpansion::plain_text(first + " " + command.words[1].text),
                     "a test ends the script as it stands: read on as if it did not");
        return true;
    }
    if (runs == Runs::yes && !m_piped) (first == "exit" ? m_exited : m_returned) = true;
    return true;
}

bool BashReader::sets_variables(const BashCommand& command, Runs runs) {
    const std::string& first = command.words[0].text;
    const auto& words = command.words;
    if (first == "unset") {
        unset(command, runs);
    } else if (first == "export" || first == "declare" || first == "local" || first == "readonly" ||
               first == "typeset") {
        declare(command, within_call(runs));
    } else if (first == "read") {
        read_names(command, "adinNptu");
    } else if (first == "mapfile" || first == "readarray") {
        read_names(command, "dnOsuCc");
    } else if (first == "getopts") {
        for (const char* name : {"OPTARG", "OPTIND"}) m_words.variables().open(name);
        if (words.size() > 2) open_by(command, words[2].text);
    } else if (first == "printf") {
        if (words.size() < 3 || words[1].text != "-v") return false;
        open_by(command, words[2].text);
    } else if (first == "let") {
        for (std::size_t i = 1; i < words.size(); ++i)
            for (const std::string& name :
                 m_words.arithmetic_command(words[i].text, command.line, runs != Runs::yes))
                open_by(command, name);
    } else if (first == "shift") {
        shift(command, within_call(runs));
    } else if (first == "set") {
        const auto dashes =
            std::find_if(words.begin(), words.end(), [](const BashWord& word) { return word.text == "--"; });
        const bool named = words.size() > 2 && words[2].text == "allexport";
        if (words.size() > 1 && (words[1].text == "-a" || (words[1].text == "-o" && named)))
            m_exports_all = true;
        if (words.size() > 1 && (words[1].text == "+a" || (words[1].text == "+o" && named)))
            m_exports_all = false;
        if (dashes == words.end()) return true;
        std::vector<std::string> values;
        for (auto word = dashes + 1; word != words.end(); ++word) values.push_back(word->text);
        set_positional(std::move(values), within_call(runs) != Runs::yes);
    } else {
        return false;
    }
    return true;
}

/// From here on NAME, or the variable of NAME[…], has the value that a command gave it.
void BashReader::open_by(const BashCommand& command, const std::string& name) {
    const std::string variable = name.substr(0, name.find('['));
    if (variable.empty() || !std::all_of(variable.begin(), variable.end(), is_name)) return;
    if (!m_piped)
        m_words.note(command.line, variable, "set by {0}: not known from the script alone",
                     {command.words[0].text});
    m_words.variables().open(variable);
}

void BashReader::unset(const BashCommand& command, Runs runs) {
    bool functions = false;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
        const std::string& text = command.words[i].text;
        const std::string name = text.substr(0, text.find('['));
        if (text.starts_with("-")) {
            functions = text == "-f";
        } else if (functions) {
            if (runs == Runs::yes) m_functions.erase(text);
        } else if (name.empty() || !std::all_of(name.begin(), name.end(), is_name)) {
            continue;
        } else if (runs != Runs::yes) {
            m_words.note(command.line, name, kCondition);
            m_words.variables().open(name);
        } else if (name == text) {
            m_words.variables().assign(name, {});
        } else {
            const auto at =
                m_words.number(text.substr(name.size() + 1, text.size() - name.size() - 2), command.line);
            if (!at || !m_words.variables().remove_element(name, *at)) open_by(command, name);
            m_words.charge_copies(command.line);
        }
    }
}

/// Names without a value: `local A` hides the one outside.
void BashReader::declare(const BashCommand& command, Runs runs) {
    const std::string& first = command.words[0].text;
    const bool exports =
        first == "export" || std::any_of(command.words.begin(), command.words.end(),
                                         [](const BashWord& word) { return word.text == "-x"; });
    for (std::size_t i = 1; exports && i < command.words.size(); ++i)
        m_exported.insert(command.words[i].text);
    if (first == "export" || first == "readonly" || m_locals.empty()) return;
    for (std::size_t i = 1; i < command.words.size(); ++i) {
        const std::string& name = command.words[i].text;
        if (name.empty() || !std::all_of(name.begin(), name.end(), is_name)) continue;
        localize(name);
        if (runs == Runs::yes)
            m_words.variables().assign(name, {});
        else
            m_words.variables().open(name);
    }
}

/// `with_value`: letters of options that take one; -a names an array.
void BashReader::read_names(const BashCommand& command, std::string_view with_value) {
    const auto& words = command.words;
    bool named = false;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& text = words[i].text;
        if (text.size() < 2 || text[0] != '-') {
            open_by(command, text);
            named = true;
            continue;
        }
        const std::size_t option = text.find_first_of(with_value, 1);
        if (option == std::string::npos) continue;
        std::string value = text.substr(option + 1);
        if (value.empty() && i + 1 < words.size()) value = words[++i].text;
        if (text[option] != 'a') continue;
        open_by(command, value);
        named = true;
    }
    if (!named) m_words.variables().open(words[0].text == "read" ? "REPLY" : "MAPFILE");
}

/// $1 … of a function or behind `set --`. `open`: it is not certain which.
void BashReader::set_positional(std::vector<std::string> values, bool open) {
    BashVariables& variables = m_words.variables();
    const BashVariable* before = variables.find("@");
    const std::size_t most = std::max({values.size(), before ? before->items.size() : 0, std::size_t{9}});
    m_words.charge(0, most * 20);
    const auto many = [](const std::string& value) {
        return value.find(open_mark("@")) != std::string::npos ||
               value.find(open_mark("*")) != std::string::npos;
    };
    for (std::size_t i = 0; i < most; ++i) {
        const std::string name = std::to_string(i + 1);
        open = open || (i < values.size() && many(values[i])); // of how many words is not known
        localize(name);
        if (open)
            variables.open(name);
        else if (i < values.size())
            variables.assign(name, {{values[i]}, false});
        else
            variables.assign(name, {});
    }
    localize("#");
    if (open)
        variables.open("#");
    else
        variables.assign("#", {{std::to_string(values.size())}, false});
    localize("@");
    variables.assign("@", {std::move(values), true});
}

void BashReader::shift(const BashCommand& command, Runs runs) {
    const BashVariable* all = m_words.variables().find("@");
    if (!all) return; // they are open
    const std::string& text = command.words.size() > 1 ? command.words[1].text : "1";
    const auto by = m_words.number(text, command.line);
    const bool known = runs == Runs::yes && by && *by >= 0;
    std::vector<std::string> values = all->items;
    if (known && *by > static_cast<std::int64_t>(values.size())) return;
    if (known) values.erase(values.begin(), values.begin() + *by);
    set_positional(known ? std::move(values) : std::vector<std::string>{open_mark("@")}, !known);
}

/// A file, or text, that is not known and may set any variable.
void BashReader::sourced(const BashCommand& command) {
    const bool file = command.words[0].text != "eval";
    const std::string name = file ? command.words[1].text : "eval";
    const std::string& from = m_words.substituted();
    if (file ? is_environment(name) : from == "conda" || from == "ssh-agent" || from == "micromamba") return;
    m_words.note(command.line, BashExpansion::plain_text(name),
                 file ? "sourced, not read: variables set before it are not known behind it"
                      : "evaluates text that is not known: variables set before it are not known behind it");
    m_words.open_all(command.line);
}

/// What another shell does not get: its value is what the environment holds.
void BashReader::leave_behind(std::size_t line) {
    std::vector<std::string> names;
    for (const auto& [name, value] : m_words.variables().all())
        if (!m_exported.contains(name)) names.push_back(name);
    for (const std::string& name : names)
        if (is_name_start(name[0]))
            m_words.variables().open(name);
        else
            m_words.variables().restore(name, std::nullopt);
    m_words.charge(line, names.size() * 20);
}

/// Text for a shell of its own, whose variables end with it.
void BashReader::apart(std::string_view text, std::size_t line, int depth, Runs runs) {
    begin_scope();
    leave_behind(line);
    for (auto& [name, value] : std::exchange(m_prefix, {})) m_words.variables().assign(name, value);
    script(text, line, depth, runs);
    end_scope(false);
}

void BashReader::localize(const std::string& name) {
    if (m_locals.empty() || m_locals.back().contains(name)) return;
    const BashVariable* value = m_words.variables().find(name);
    std::size_t bytes = name.size();
    for (std::size_t i = 0; value && i < value->items.size(); ++i)
        bytes += value->items[i].size() + sizeof(std::string);
    m_words.charge(0, bytes);
    m_locals.back().emplace(name, value ? std::optional(*value) : std::nullopt);
}

/// The body as if it stood here; `known`: so are its arguments.
void BashReader::call(Function& function, const BashCommand& command, int depth, Runs runs, bool known) {
    function.called = true;
    const std::string name = command.words[0].text;
    if (std::find(m_active.begin(), m_active.end(), name) != m_active.end())
        return m_words.note(command.line, name, "calls itself: not followed");
    const std::shared_ptr<const std::string> body = function.body; // it may define itself anew
    const bool subshell = function.subshell;
    const std::size_t line = function.line;
    runs = std::min(runs, function.defined);
    if (subshell) begin_scope();
    m_active.push_back(name);
    m_locals.emplace_back();
    for (const auto& [variable, value] : std::exchange(m_prefix, {})) {
        localize(variable);
        m_words.variables().assign(variable, value);
    }
    std::vector<std::string> values;
    for (std::size_t i = 1; i < command.words.size(); ++i) values.push_back(command.words[i].text);
    if (known) set_positional(std::move(values), false);
    const std::size_t call_base = std::exchange(m_call_base, m_blocks.size());
    script(*body, line, depth, runs);
    m_call_base = call_base;
    m_returned = false;
    for (auto& [variable, value] : m_locals.back()) m_words.variables().restore(variable, std::move(value));
    m_words.charge_copies(command.line);
    m_locals.pop_back();
    m_active.pop_back();
    if (subshell) end_scope(false);
}

/// The text of a file that the script wrote itself and that the command runs.
const std::string* BashReader::written_file(const BashCommand& command) const {
    const auto& words = command.words;
    const bool runs = is_shell(words[0].text) || file_name(words[0].text) == "sbatch";
    for (std::size_t i = runs ? 1 : 0; i < (runs ? words.size() : 1); ++i) {
        std::string name = words[i].text;
        if (name.starts_with("./")) name.erase(0, 2);
        if (const auto found = m_files.find(name); found != m_files.end()) return &found->second;
    }
    return nullptr;
}

void BashReader::feed_documents(BashInput& in, const BashCommand& command, Runs runs) {
    if (!in.here_documents.empty() && in.here_documents.back().owner == m_serial && runs == Runs::yes &&
        command.words.size() == 1 && command.words[0].text == "cat" && m_target.first == m_serial) {
        const std::string& file = m_target.second; // cat > FILE <<EOF
        in.here_documents.back().file = file.substr(file.starts_with("./") ? 2 : 0);
        return;
    }
    if (in.here_documents.empty() || !reads_commands(command.words)) return;
    for (BashHereDocument& document : in.here_documents)
        if (document.owner == m_serial || (m_piped && document.owner + 1 == m_serial)) document.runs = runs;
}

bool BashReader::has_program(std::size_t from) const {
    return std::any_of(
        m_out.commands.begin() + static_cast<std::ptrdiff_t>(from), m_out.commands.end(),
        [](const BashCommand& command) {
            return std::any_of(command.words.begin(), command.words.end(), [](const BashWord& word) {
                return word.text.ends_with(".py") || word.text == "-m" || word.text == "torchrun";
            });
        });
}

/// Where nothing else starts a program: what functions would start that the text does not call, as when their
/// name is an argument of the script.
void BashReader::uncalled_functions() {
    if (has_program(0)) return;
    for (auto name = m_order.rbegin(); name != m_order.rend() && !m_words.failed(); ++name) {
        const auto found = m_functions.find(*name);
        if (found == m_functions.end() || found->second.called) continue;
        const std::size_t commands = m_out.commands.size(), notes = m_out.notes.size();
        m_exited = m_returned = false;
        m_words.note(found->second.line, *name,
                     "a function that the script does not call: its commands count");
        BashCommand unknown;
        unknown.line = found->second.line;
        unknown.words.push_back({*name, {}, unknown.line});
        begin_scope();
        call(found->second, unknown, 1, Runs::yes, false);
        end_scope(false);
        if (!has_program(commands)) {
            m_out.commands.resize(commands);
            m_out.notes.resize(notes);
        }
        for (std::size_t i = commands; i < m_out.commands.size(); ++i) m_out.commands[i].conditional = true;
    }
}

} // namespace shardlens::launchers
