// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a bash script: quotes, variables and arithmetic, expanded as far as the text alone says it.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "launchers/bash_words.h"
#include "json/result.h"

namespace shardlens::launchers {

/// The text being read; eval nests one in another.
struct BashInput {
    std::string_view text;
    std::size_t at = 0, line = 1;
    int depth = 0;
    std::vector<std::string> here_documents; ///< delimiters of those that begin on the next line
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

struct BashVariable {
    std::vector<std::string> items; ///< one for a plain variable
    bool array = false;
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

    void assign(const std::string& name, BashVariable value) { m_variables[name] = std::move(value); }
    void append(const std::string& name, BashVariable value);
    /// From here on the variable has no known value.
    void open(const std::string& name);

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
    void arithmetic(BashInput& in, BashFields& fields);

    std::string m_origin;
    BashScript& m_out;
    Error m_error;
    std::map<std::string, BashVariable> m_variables;
    std::size_t m_expanded = 0;
    bool m_quiet = false;
};

} // namespace shardlens::launchers
