// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a bash script: quotes, variables and arithmetic, expanded as far as the text alone says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "launchers/bash_blocks.h"
#include "launchers/bash_variables.h"
#include "launchers/bash_words.h"
#include "json/result.h"

namespace shardlens::launchers {

/// `<<WORD`, whose text begins on the next line.
struct BashHereDocument {
    std::string delimiter;
    bool quoted = false;   ///< nothing in it is expanded
    bool tabs = false;     ///< `<<-`: tabs in front are left out
    std::size_t owner = 0; ///< number of the command that it is fed to
    std::string file;      ///< that it is written to
    Runs runs = Runs::no;  ///< whether its text is read as commands
};

/// The text being read; eval nests one in another.
struct BashInput {
    std::string_view text;
    std::size_t at = 0, line = 1;
    int depth = 0;
    std::vector<BashHereDocument> here_documents; ///< those that begin on the next line
    [[nodiscard]] bool end() const { return at >= text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const {
        return at + ahead < text.size() ? text[at + ahead] : '\0';
    }
    char take() {
        if (text[at] == '\n') ++line;
        return text[at++];
    }
};

/// The fields one word of the text expands to.
struct BashFields {
    std::vector<std::string> done;
    std::string current;
    bool begun = false;
    void flush() {
        if (begun) done.push_back(std::move(current));
        current.clear();
        begun = false;
    }
};

[[nodiscard]] inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
[[nodiscard]] inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] inline bool is_name_start(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
[[nodiscard]] inline bool is_name(char c) { return is_name_start(c) || is_digit(c); }

/// Variables, and words with their values put in. What is not known stands in a text between two marks, by
/// name.
class BashExpansion {
public:
    static constexpr int kDeepest = 24;

    BashExpansion(std::string origin, BashScript& out) : m_origin(std::move(origin)), m_out(out) {}

    [[nodiscard]] const Error& error() const { return m_error; }
    [[nodiscard]] bool failed() const { return !m_error.what.empty(); }
    /// The first failure counts.
    void fail(std::size_t line, std::string what);
    void note(std::size_t line, std::string name, std::string text, std::vector<std::string> arguments = {});

    /// Reads to the next unquoted separator. `whole`: one field, no splitting (the value of an assignment).
    void one_word(BashInput& in, BashFields& fields, bool whole);
    static void skip_parentheses(BashInput& in);

    /// A word with its lists in braces, {a,b}, written out; false: it has none, and nothing is read.
    bool braced_words(BashInput& in, BashFields& fields);
    /// The text of a here-document with its values put in.
    [[nodiscard]] std::string here_document(std::string_view text, std::size_t line, int depth);

    [[nodiscard]] BashVariables& variables() { return m_variables; }
    void append(std::size_t line, const std::string& name, BashVariable value);
    /// Copies of values count as expanded text.
    void charge_copies(std::size_t line) { charge(line, m_variables.take_copied()); }
    void charge(std::size_t line, std::size_t bytes);
    /// All variables set so far.
    void open_all(std::size_t line);
    /// What ((…)) and let do: sets a variable, or opens those that it sets. Their names are returned.
    std::vector<std::string> arithmetic_command(std::string_view text, std::size_t line, bool conditional);
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view text, std::size_t line);
    /// The first word within the last $(…).
    [[nodiscard]] const std::string& substituted() const { return m_substituted; }

    /// Of a part that does not run nothing is noted or kept.
    void quiet(bool on) { m_quiet = on; }
    /// Puts variables that hold flags into the script, of at most so many words together.
    void keep_variables(std::size_t most_words);

    [[nodiscard]] static bool has_open(std::string_view text);
    /// Marks back into what a person wrote; their names into `open`.
    [[nodiscard]] static std::string plain_text(std::string_view text,
                                                std::vector<std::string>* open = nullptr);

private:
    void add(BashInput& in, BashFields& fields, std::string_view text, bool quoted);
    void trailing_blank(BashInput& in);
    void quoted(BashInput& in, BashFields& fields);
    void backquoted(BashInput& in, BashFields& fields);
    void dollar(BashInput& in, BashFields& fields, bool quoted_here);
    static std::string_view inside_braces(BashInput& in);
    void braces(BashInput& in, BashFields& fields, bool quoted_here);
    void nested(BashInput& in, BashFields& fields, std::string_view text, bool quoted_here);
    void value(BashInput& in, BashFields& fields, const std::string& name, bool quoted_here);
    void elements(BashInput& in, BashFields& fields, const std::string& name, bool quoted_here, bool joined);
    void element(BashInput& in, BashFields& fields, const std::string& name, std::string_view index,
                 bool quoted_here);
    void arithmetic(BashInput& in, BashFields& fields);
    void write_out(BashInput& in, BashFields& fields, const std::string& word, int depth);
    bool arithmetic_statement(std::string_view text, std::size_t line);

    std::string m_origin;
    BashScript& m_out;
    Error m_error;
    BashVariables m_variables;
    std::string m_substituted;
    std::size_t m_expanded = 0;
    bool m_quiet = false;
};

} // namespace shardlens::launchers
