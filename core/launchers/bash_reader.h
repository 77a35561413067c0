// SPDX-License-Identifier: GPL-3.0-or-later
// Commands out of the words of a bash script: blocks, functions, subshells, and the commands that set
// variables.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "launchers/bash_blocks.h"
#include "launchers/bash_expansion.h"
#include "launchers/bash_words.h"

namespace shardlens::launchers {

class BashReader {
public:
    BashReader(std::string origin, BashScript& out) : m_words(std::move(origin), out), m_out(out) {}

    [[nodiscard]] Error run(std::string_view text);

private:
    static constexpr std::size_t kMostWords = 100'000;

    struct Function {
        std::shared_ptr<const std::string> body;
        std::size_t line = 0;
        Runs defined = Runs::yes;
        bool subshell = false; ///< name() ( … )
        bool called = false;
    };
    /// What follows `name()`, until its body begins, and the body's begin.
    struct Definition {
        std::string name;
        std::size_t start = 0, line = 0;
        bool subshell = false;
        Runs runs = Runs::no;
    };
    using Saved = std::map<std::string, std::optional<BashVariable>>;

    // bash_words.cpp: the text, word by word
    void script(std::string_view text, std::size_t line, int depth, Runs around);
    void token(BashInput& in, BashCommand& command, bool& assigned);
    void comment(BashInput& in);
    void separator(BashInput& in, BashCommand& command, bool& assigned);
    void open_parenthesis(BashInput& in, BashCommand& command, bool& assigned);
    void close_parenthesis(BashInput& in, BashCommand& command, bool& assigned);
    bool arithmetic(BashInput& in);
    void here_documents(BashInput& in);
    void redirection(BashInput& in);
    void word(BashInput& in, BashCommand& command, bool& assigned);
    bool assignment(BashInput& in, const BashCommand& command, bool prefix);
    void integer(std::size_t line, const std::string& name, std::string& value, bool added);
    void array(BashInput& in, BashVariable& value);
    void store(std::size_t line, const std::string& name, BashVariable value, bool append);
    void store_element(std::size_t line, const std::string& name, std::string_view index, std::string value);
    void finish(BashInput& in, BashCommand& command, bool& assigned);

    // bash_structure.cpp: which parts run
    bool keyword(BashInput& in, std::size_t start, const std::string& text);
    bool block_word(BashInput& in, std::size_t start, const std::string& text);
    bool branch_word(const std::string& text);
    void begin_case(BashInput& in);
    void begin_function(BashInput& in);
    void begin_body(BashInput& in);
    void end_function(BashInput& in, std::size_t end);
    void open_block(Opened by);
    void close_block();
    [[nodiscard]] BashBlock* innermost();
    [[nodiscard]] bool in_pattern();
    void add_test(const BashCommand& command);
    [[nodiscard]] Runs running() const;
    [[nodiscard]] Runs state() const;
    [[nodiscard]] Runs within_call(Runs runs) const;
    [[nodiscard]] bool is_local(const std::string& name) const;
    void begin_scope();
    void end_scope(bool keep);

    // bash_builtins.cpp: commands that the shell itself runs
    void execute(BashInput& in, BashCommand done, Runs runs);
    [[nodiscard]] bool builtin(BashInput& in, const BashCommand& command, Runs runs);
    [[nodiscard]] bool sets_variables(const BashCommand& command, Runs runs);
    [[nodiscard]] bool leaves(const BashCommand& command, Runs runs);
    void open_by(const BashCommand& command, const std::string& name);
    void unset(const BashCommand& command, Runs runs);
    void declare(const BashCommand& command, Runs runs);
    void read_names(const BashCommand& command, std::string_view with_value);
    void set_positional(std::vector<std::string> values, bool open);
    void shift(const BashCommand& command, Runs runs);
    void sourced(const BashCommand& command);
    void apart(std::string_view text, std::size_t line, int depth, Runs runs);
    void call(Function& function, const BashCommand& command, int depth, Runs runs, bool known);
    [[nodiscard]] const std::string* written_file(const BashCommand& command) const;
    void feed_documents(BashInput& in, const BashCommand& command, Runs runs);
    void uncalled_functions();
    [[nodiscard]] bool has_program(std::size_t from) const;
    void leave_behind(std::size_t line);
    void localize(const std::string& name);

    BashExpansion m_words;
    BashScript& m_out;
    std::size_t m_count = 0;                   ///< words so far
    std::size_t m_read = 0;                    ///< bytes of text within text so far
    std::vector<BashBlock> m_blocks;           ///< open ones, the innermost last
    std::size_t m_base = 0;                    ///< blocks below stand outside the text that is being read
    bool m_after_and = false;                  ///< behind && or ||
    bool m_continues = false;                  ///< behind |, && or ||: a new line does not end the list
    bool m_piped = false;                      ///< behind |: in a subshell
    bool m_exited = false;                     ///< what follows does not run, up to the end of the shell,
    bool m_returned = false;                   ///< or of the function
    std::vector<std::pair<bool, bool>> m_left; ///< both as they stood before each scope
    std::size_t m_serial = 0;                  ///< commands so far
    bool m_prefixed = false;                   ///< assignments in front of what may become a command
    std::size_t m_notes_before = 0;
    std::vector<std::pair<std::string, BashVariable>> m_prefix_next, m_prefix; ///< what they set
    std::set<std::string> m_exported; ///< by name; of others another shell knows nothing
    bool m_exports_all = false;       ///< set -a
    std::set<std::string> m_integers; ///< variables of declare -i
    Definition m_next, m_defined;     ///< the name read, and the body being passed over
    std::map<std::string, Function> m_functions;
    std::vector<std::string> m_order;             ///< of their definition
    std::pair<std::size_t, std::string> m_target; ///< number of a command, and the file of its output
    std::map<std::string, std::string> m_files;   ///< here-documents that the script writes
    std::vector<std::string> m_active;            ///< those being read
    std::size_t m_call_base = 0;                  ///< blocks below stand outside the innermost
    std::vector<Saved> m_locals;                  ///< variables from before each of them
};

} // namespace shardlens::launchers
