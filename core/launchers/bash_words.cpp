// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_words.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <optional>
#include <utility>

#include "launchers/bash_arithmetic.h"
#include "launchers/bash_test.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;
constexpr std::size_t kMostExpanded = std::size_t{8} << 20;
constexpr std::size_t kMostWords = 100'000;
constexpr std::size_t kMostNotes = 200;
constexpr int kDeepest = 24;

// What is not known stands between these two in a value, by name; the file's own control characters are
// blanks.
constexpr char kOpen = '\x01', kClose = '\x02';

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
std::string open_mark(std::string_view name) { return kOpen + std::string(name) + kClose; }

struct Variable {
    std::vector<std::string> items; ///< one for a plain variable
    bool array = false;
};

/// Does a part of the script run? `maybe`: the text alone does not say.
enum class Runs : std::uint8_t { no, maybe, yes };

/// if … fi, or a loop or case, whose inside may run.
struct Block {
    Runs around = Runs::yes;       ///< what the block stands in
    Runs runs = Runs::maybe;       ///< the branch that is being read
    bool tests = false;            ///< between if or elif and then
    bool negated = false;          ///< if ! …
    bool decided = false;          ///< a branch that runs, if the block gets so far, lies behind
    bool doubtful = false;         ///< a branch that may have run lies behind
    std::vector<std::string> test; ///< its words
    int commands = 0;              ///< that the test is made of

    void begin_test() {
        tests = true;
        negated = false;
        runs = Runs::maybe;
        test.clear();
        commands = 0;
    }
    void then() {
        tests = false;
        auto said = commands == 1 ? evaluate_test(test) : std::nullopt;
        if (said && negated) said = !*said;
        if (decided || said == false) {
            runs = Runs::no;
        } else if (said) {
            runs = doubtful ? Runs::maybe : Runs::yes;
            decided = true;
        } else {
            runs = Runs::maybe;
            doubtful = true;
        }
    }
    void otherwise() { runs = decided ? Runs::no : doubtful ? Runs::maybe : Runs::yes; }
    [[nodiscard]] Runs inside() const { return std::min(around, runs); }
};

class Bash {
public:
    Bash(std::string origin, BashScript& out) : m_origin(std::move(origin)), m_out(out) {}

    Error run(std::string_view text) {
        script(text, 1, 0);
        for (const auto& [name, variable] : m_variables) keep_variable(name, variable);
        return m_error;
    }

private:
    /// The text being read; eval nests one in another.
    struct Input {
        std::string_view text;
        std::size_t at = 0, line = 1;
        int depth = 0;
        std::vector<std::string> here_documents;
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
    struct Fields {
        std::vector<std::string> done;
        std::string current;
        bool begun = false;
        void flush() {
            if (begun) done.push_back(std::move(current));
            current.clear();
            begun = false;
        }
    };

    void fail(std::size_t line, std::string what) {
        if (m_error.what.empty())
            m_error = {fmt::format("{}:{}", one_line(m_origin, 200), line), std::move(what)};
    }
    [[nodiscard]] bool failed() const { return !m_error.what.empty(); }

    void note(std::size_t line, std::string name, std::string text, std::vector<std::string> arguments = {}) {
        if (!dead() && m_out.notes.size() < kMostNotes)
            m_out.notes.push_back({line, std::move(name), std::move(text), std::move(arguments)});
    }

    void add(Input& in, Fields& fields, std::string_view text, bool quoted) {
        m_expanded += text.size();
        if (m_expanded > kMostExpanded) {
            fail(in.line, "expands to more than 8 MiB; a smaller script is right");
            return;
        }
        if (quoted) {
            fields.current += text;
            fields.begun = true;
            return;
        }
        bool inside = false; // a name of something open holds no separators
        for (const char c : text) {
            if (c == kOpen) inside = true;
            if (c == kClose) inside = false;
            if (!inside && (is_blank(c) || c == '\n')) {
                fields.flush();
            } else {
                fields.current += c;
                fields.begun = true;
            }
        }
    }

    void script(std::string_view text, std::size_t line, int depth) {
        if (depth > kDeepest)
            return fail(line, "evaluates text within text too deeply; fewer levels are right");
        Input in{text, 0, line, depth, {}};
        BashCommand command;
        bool assigned = false; // the command so far is assignments only
        while (!failed()) {
            while (!in.end() && is_blank(in.peek())) in.take();
            if (in.end()) break;
            const char c = in.peek();
            if (c == '\\' && in.peek(1) == '\n') {
                in.take(), in.take();
            } else if (c == '#') {
                comment(in);
            } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
                separator(in, command, assigned);
            } else if (c == '<' || c == '>') {
                redirection(in);
            } else {
                word(in, command, assigned);
            }
        }
        finish(command, assigned, depth);
    }

    void comment(Input& in) {
        const std::size_t end = std::min(in.text.find('\n', in.at), in.text.size());
        std::string_view line = in.text.substr(in.at, end - in.at);
        in.at = end;
        if (!line.starts_with("#SBATCH")) return;
        line.remove_prefix(7);
        Fields fields;
        for (const char c : line) {
            if (is_blank(c) || c == '=')
                fields.flush();
            else
                fields.current += c, fields.begun = true;
        }
        fields.flush();
        if (fields.done.size() >= 2 && m_out.sbatch.size() < 100)
            m_out.sbatch.emplace_back(fields.done[0], fields.done[1]);
    }

    void separator(Input& in, BashCommand& command, bool& assigned) {
        const char c = in.take();
        const bool pair = (c == '&' || c == '|') && in.peek() == c;
        if (c == '&' && (in.peek() == '>')) return redirection(in);
        if (c == '(' && in.peek() == ')' && command.words.size() == 1) { // name() { … }
            in.take();
            command.words.clear();
            m_function_next = true;
            return;
        }
        const bool plain_before = assigned && command.words.empty();
        finish(command, assigned, in.depth);
        if (pair) in.take();
        m_after_and = pair && !plain_before;
        if (c == '\n') here_documents(in);
    }

    void here_documents(Input& in) {
        for (const std::string& delimiter : in.here_documents) {
            while (!in.end()) {
                const std::size_t end = std::min(in.text.find('\n', in.at), in.text.size());
                std::string_view line = in.text.substr(in.at, end - in.at);
                in.at = std::min(end + 1, in.text.size());
                ++in.line;
                while (!line.empty() && line.front() == '\t') line.remove_prefix(1);
                if (line == delimiter) break;
            }
        }
        in.here_documents.clear();
    }

    void redirection(Input& in) {
        const bool here = in.peek() == '<' && in.peek(1) == '<' && in.peek(2) != '<';
        while (!in.end() && (in.peek() == '<' || in.peek() == '>' || in.peek() == '&' || in.peek() == '|'))
            in.take();
        if (here && in.peek() == '-') in.take();
        while (!in.end() && is_blank(in.peek())) in.take();
        if (in.peek() == '(') {
            skip_parentheses(in);
            return;
        }
        Fields fields;
        if (!in.end() && in.peek() != '\n') one_word(in, fields, true);
        fields.flush();
        if (here && !fields.done.empty() && in.here_documents.size() < 20)
            in.here_documents.push_back(fields.done[0]);
    }

    void skip_parentheses(Input& in) {
        int level = 0;
        while (!in.end()) {
            const char c = in.take();
            if (c == '\\' && !in.end()) {
                in.take();
            } else if (c == '\'' || c == '"') {
                while (!in.end() && in.peek() != c) {
                    if (in.peek() == '\\' && c == '"') in.take();
                    if (!in.end()) in.take();
                }
                if (!in.end()) in.take();
            } else if (c == '(') {
                ++level;
            } else if (c == ')' && --level == 0) {
                return;
            }
        }
    }

    [[nodiscard]] static bool declares(const BashCommand& command) {
        if (command.words.empty()) return false;
        const std::string& first = command.words[0].text;
        return first == "export" || first == "declare" || first == "local" || first == "readonly" ||
               first == "typeset";
    }

    void word(Input& in, BashCommand& command, bool& assigned) {
        const std::size_t line = in.line;
        if (command.words.empty()) command.line = line;
        if ((command.words.empty() || declares(command)) && assignment(in)) {
            assigned = true;
            return;
        }
        // 2>file: the number belongs to the redirection.
        if (is_digit(in.peek()) && (in.peek(1) == '>' || in.peek(1) == '<')) {
            in.take();
            return;
        }
        Fields fields;
        one_word(in, fields, false);
        fields.flush();
        for (std::string& text : fields.done) {
            if (++m_words > kMostWords)
                return fail(line, "expands to more than 100,000 words; fewer are right");
            if (command.words.empty() && keyword(text)) continue;
            command.words.push_back({std::move(text), {}, line});
        }
    }

    /// Words that open and close blocks; true when the rest of the line is a command of its own.
    bool keyword(const std::string& text) {
        if (text == "if") {
            open_block().begin_test();
        } else if (text == "while" || text == "until" || text == "for" || text == "case" ||
                   text == "select") {
            open_block();
        } else if (text == "fi" || text == "done" || text == "esac") {
            if (!m_blocks.empty()) m_blocks.pop_back();
        } else if (text == "function") {
            m_function_next = true;
        } else if (text == "{") {
            m_braces.push_back(std::exchange(m_function_next, false));
        } else if (text == "}") {
            if (!m_braces.empty()) m_braces.pop_back();
        } else {
            return branch(text) || text == "do" || text == "time";
        }
        return text != "for" && text != "case" && text != "select" && text != "function";
    }

    /// Words between if and fi.
    bool branch(const std::string& text) {
        Block none;
        Block& block = m_blocks.empty() ? none : m_blocks.back();
        if (text == "then")
            block.then();
        else if (text == "elif")
            block.begin_test();
        else if (text == "else")
            block.otherwise();
        else if (text == "!")
            block.negated = !block.negated;
        else
            return false;
        return true;
    }

    Block& open_block() {
        const Runs around = running();
        m_blocks.emplace_back().around = around;
        return m_blocks.back();
    }

    [[nodiscard]] Runs running() const { return m_blocks.empty() ? Runs::yes : m_blocks.back().inside(); }
    /// Inside a branch that is known not to run.
    [[nodiscard]] bool dead() const { return running() == Runs::no; }
    [[nodiscard]] bool conditional() const {
        return m_after_and || running() != Runs::yes ||
               std::find(m_braces.begin(), m_braces.end(), true) != m_braces.end();
    }

    bool assignment(Input& in) {
        std::size_t end = in.at;
        if (end >= in.text.size() || !is_name_start(in.text[end])) return false;
        while (end < in.text.size() && is_name(in.text[end])) ++end;
        const std::string name(in.text.substr(in.at, end - in.at));
        const bool append = end + 1 < in.text.size() && in.text[end] == '+' && in.text[end + 1] == '=';
        if (!append && (end >= in.text.size() || in.text[end] != '=')) return false;
        in.at = end + (append ? 2 : 1);
        const std::size_t line = in.line;
        Variable value;
        if (in.peek() == '(') {
            value.array = true;
            array(in, value.items);
        } else {
            Fields fields;
            if (!in.end()) one_word(in, fields, true);
            std::string all; // "${A[@]}" in it makes several fields, which an assignment joins
            for (const std::string& field : fields.done) all += field + " ";
            value.items = {all + fields.current};
        }
        store(line, name, std::move(value), append);
        return true;
    }

    void array(Input& in, std::vector<std::string>& items) {
        in.take();
        while (!in.end() && !failed()) {
            const char c = in.peek();
            if (is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '<' || c == '>' ||
                c == '(') {
                in.take();
            } else if (c == '\\' && in.peek(1) == '\n') {
                in.take(), in.take();
            } else if (c == '#') {
                comment(in);
            } else if (c == ')') {
                in.take();
                return;
            } else {
                Fields fields;
                one_word(in, fields, false);
                fields.flush();
                m_words += fields.done.size();
                if (m_words > kMostWords)
                    return fail(in.line, "expands to more than 100,000 words; fewer are right");
                for (std::string& item : fields.done) items.push_back(std::move(item));
            }
        }
    }

    void store(std::size_t line, const std::string& name, Variable value, bool append) {
        if (dead()) return;
        if (conditional()) {
            if (append) {
                note(line, name, "added to under a condition only: left out");
            } else {
                note(line, name, "set under a condition: not followed");
                m_variables[name] = {{open_mark(name)}, false};
            }
            return;
        }
        Variable& variable = m_variables[name];
        if (!append) {
            variable = std::move(value);
        } else if (value.array || variable.array) {
            if (variable.items.size() == 1 && variable.items[0].empty() && !variable.array)
                variable.items.clear();
            variable.array = true;
            for (std::string& item : value.items) variable.items.push_back(std::move(item));
        } else {
            variable.items.resize(1);
            variable.items[0] += value.items[0];
        }
    }

    /// Reads to the next unquoted separator. `whole`: one field, no splitting (the value of an assignment).
    void one_word(Input& in, Fields& fields, bool whole) {
        while (!in.end() && !failed()) {
            const char c = in.peek();
            if (is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' ||
                c == '<' || c == '>')
                return;
            in.take();
            if (c == '\\') {
                if (in.end()) return;
                if (is_blank(in.peek())) trailing_blank(in);
                const char next = in.take();
                if (next != '\n') add(in, fields, std::string_view(&next, 1), true);
            } else if (c == '\'') {
                const std::size_t end = std::min(in.text.find('\'', in.at), in.text.size());
                add(in, fields, in.text.substr(in.at, end - in.at), true);
                while (in.at < end) in.take();
                if (!in.end()) in.take();
            } else if (c == '"') {
                quoted(in, fields);
            } else if (c == '$') {
                dollar(in, fields, whole);
            } else if (c == '`') {
                while (!in.end() && in.peek() != '`') in.take();
                if (!in.end()) in.take();
                add(in, fields, open_mark("(…)"), true);
            } else {
                add(in, fields, std::string_view(&c, 1), true);
            }
        }
    }

    void trailing_blank(Input& in) {
        std::size_t end = in.at;
        while (end < in.text.size() && is_blank(in.text[end])) ++end;
        if (end < in.text.size() && in.text[end] == '\n' && in.text[in.at] != '\r')
            note(in.line, "\\", "a blank behind the backslash: the command ends on this line");
    }

    void quoted(Input& in, Fields& fields) {
        fields.begun = true;
        while (!in.end() && in.peek() != '"' && !failed()) {
            const char c = in.take();
            if (c == '\\' && !in.end()) {
                const char next = in.take();
                if (next == '\n') continue;
                if (next != '"' && next != '\\' && next != '$' && next != '`') add(in, fields, "\\", true);
                add(in, fields, std::string_view(&next, 1), true);
            } else if (c == '$') {
                dollar(in, fields, true);
            } else if (c == '`') {
                while (!in.end() && in.peek() != '`') in.take();
                if (!in.end()) in.take();
                add(in, fields, open_mark("(…)"), true);
            } else {
                add(in, fields, std::string_view(&c, 1), true);
            }
        }
        if (!in.end()) in.take();
    }

    /// Behind a '$'. `quoted_here`: the value is not split.
    void dollar(Input& in, Fields& fields, bool quoted_here) {
        const char c = in.peek();
        if (c == '(' && in.peek(1) == '(') return arithmetic(in, fields);
        if (c == '(') {
            skip_parentheses(in);
            add(in, fields, open_mark("(…)"), true);
        } else if (c == '{') {
            in.take();
            braces(in, fields, quoted_here);
        } else if (is_name_start(c)) {
            std::string name;
            while (!in.end() && is_name(in.peek())) name += in.take();
            value(in, fields, name, quoted_here);
        } else if (is_digit(c) ||
                   (c != '\0' && std::string_view("@*#?$!-").find(c) != std::string_view::npos)) {
            in.take();
            add(in, fields, open_mark(std::string_view(&c, 1)), true);
        } else if (c == '\'' || c == '"') {
            // $'…' and $"…": the quote follows.
        } else {
            add(in, fields, "$", true);
        }
    }

    /// The text up to the '}' that closes the expansion, which is taken as well.
    std::string_view inside_braces(Input& in) {
        const std::size_t start = in.at;
        int level = 1;
        while (!in.end()) {
            if (in.peek() == '\\') {
                in.take();
            } else if (in.peek() == '{') {
                ++level;
            } else if (in.peek() == '}' && --level == 0) {
                break;
            }
            if (!in.end()) in.take();
        }
        const std::string_view inside = in.text.substr(start, in.at - start);
        if (!in.end()) in.take();
        return inside;
    }

    void braces(Input& in, Fields& fields, bool quoted_here) {
        const std::size_t line = in.line;
        std::string_view rest = inside_braces(in);
        std::size_t end = 0;
        while (end < rest.size() && is_name(rest[end])) ++end;
        const std::string name(rest.substr(0, end));
        rest.remove_prefix(end);
        if (name.empty()) return add(in, fields, open_mark("{…}"), true);
        if (rest.empty()) return value(in, fields, name, quoted_here);
        if (rest == "[@]" || rest == "[*]")
            return elements(in, fields, name, quoted_here, quoted_here && rest == "[*]");
        const bool colon = rest[0] == ':';
        const char operation = rest.size() > (colon ? 1u : 0u) ? rest[colon ? 1 : 0] : '\0';
        if (operation != '-' && operation != '=' && operation != '+' && operation != '?')
            return add(in, fields, open_mark(name), true);
        rest.remove_prefix(colon ? 2 : 1);
        const auto found = m_variables.find(name);
        const bool set = found != m_variables.end() &&
                         !(colon && (found->second.items.empty() || found->second.items[0].empty()));
        if (operation == '+') {
            if (set) nested(in, fields, rest, quoted_here);
            if (found == m_variables.end()) note(line, name, "not set in the script: taken as empty");
            return;
        }
        if (set || operation == '?') return value(in, fields, name, quoted_here);
        Fields usual;
        nested(in, usual, rest, true);
        note(line, name, "not set in the script: its default {0} counts", {plain_text(usual.current)});
        if (operation == '=' && !dead()) m_variables[name] = {{usual.current}, false};
        add(in, fields, usual.current, quoted_here);
    }

    void nested(Input& in, Fields& fields, std::string_view text, bool quoted_here) {
        if (in.depth + 1 > kDeepest) return fail(in.line, "expands too deeply; fewer levels are right");
        Input inner{text, 0, in.line, in.depth + 1, {}};
        Fields result;
        while (!inner.end() && !failed()) {
            const char c = inner.take();
            if (c == '"' || c == '\'') continue;
            if (c == '\\' && !inner.end())
                result.current += inner.take();
            else if (c == '$')
                dollar(inner, result, true);
            else
                add(inner, result, std::string_view(&c, 1), true);
        }
        add(in, fields, result.current, quoted_here);
    }

    void value(Input& in, Fields& fields, const std::string& name, bool quoted_here) {
        const auto found = m_variables.find(name);
        if (found == m_variables.end()) return add(in, fields, open_mark(name), true);
        const Variable& variable = found->second;
        if (!variable.items.empty()) add(in, fields, variable.items[0], quoted_here);
    }

    /// ${A[@]}: a field for each element when quoted, else the words of each; "${A[*]}": one field.
    void elements(Input& in, Fields& fields, const std::string& name, bool quoted_here, bool joined) {
        const auto found = m_variables.find(name);
        if (found == m_variables.end()) return add(in, fields, open_mark(name), true);
        const std::vector<std::string>& items = found->second.items;
        for (std::size_t i = 0; i < items.size() && !failed(); ++i) {
            if (i > 0 && joined)
                add(in, fields, " ", true);
            else if (i > 0)
                fields.flush();
            add(in, fields, items[i], quoted_here);
        }
    }

    void arithmetic(Input& in, Fields& fields) {
        in.take(), in.take();
        const std::size_t start = in.at;
        int level = 0;
        while (!in.end() && !(level == 0 && in.peek() == ')' && in.peek(1) == ')')) {
            if (in.peek() == '(') ++level;
            if (in.peek() == ')') --level;
            in.take();
        }
        const std::string_view source = in.text.substr(start, in.at - start);
        if (!in.end()) in.take(), in.take();
        Fields expanded;
        nested(in, expanded, source, true);
        std::string open;
        const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
            const auto found = m_variables.find(name);
            if (found != m_variables.end() && !found->second.items.empty()) return found->second.items[0];
            if (open.empty()) open = name;
            return std::nullopt;
        };
        const auto number = evaluate_arithmetic(expanded.current, lookup);
        if (number) return add(in, fields, std::to_string(*number), true);
        if (const std::size_t mark = expanded.current.find(kOpen); open.empty() && mark != std::string::npos)
            open = expanded.current.substr(mark + 1, expanded.current.find(kClose, mark) - mark - 1);
        add(in, fields, open_mark(open.empty() ? "((…))" : open), true);
    }

    /// Marks back into what a person wrote.
    static std::string plain_text(std::string_view text, std::vector<std::string>* open = nullptr) {
        std::string out;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] != kOpen) {
                if (text[i] != kClose) out += text[i];
                continue;
            }
            const std::size_t end = std::min(text.find(kClose, i), text.size());
            const std::string name(text.substr(i + 1, end - i - 1));
            if (open && std::find(open->begin(), open->end(), name) == open->end()) open->push_back(name);
            out += "$" + name;
            i = end;
        }
        return out;
    }

    void keep_variable(const std::string& name, const Variable& variable) {
        const auto has_flag = [](const std::string& item) { return item.find("--") != std::string::npos; };
        if (failed() || std::none_of(variable.items.begin(), variable.items.end(), has_flag)) return;
        Input none;
        Fields fields;
        for (const std::string& item : variable.items) {
            if (m_expanded + item.size() > kMostExpanded) return;
            add(none, fields, item, false);
            fields.flush();
        }
        BashCommand kept;
        kept.words.push_back({name, {}, 0});
        for (const std::string& text : fields.done) {
            if (++m_words > kMostWords) return;
            BashWord word;
            word.text = plain_text(text, &word.open);
            kept.words.push_back(std::move(word));
        }
        m_out.variables.push_back(std::move(kept));
    }

    void remember_test(const BashCommand& command) {
        Block& block = m_blocks.back();
        ++block.commands;
        for (const BashWord& word : command.words) {
            // What is open is not decided.
            if (word.text.find(kOpen) != std::string::npos) ++block.commands;
            if (block.commands == 1) block.test.push_back(word.text);
        }
    }

    void finish(BashCommand& command, bool& assigned, int depth) {
        const bool was_conditional = conditional();
        m_after_and = false;
        assigned = false;
        BashCommand done = std::exchange(command, {});
        if (done.words.empty() || failed()) return;
        if (!m_blocks.empty() && m_blocks.back().tests) remember_test(done);
        if (dead()) return;
        done.conditional = was_conditional;
        const std::string first = done.words[0].text;
        if (first == "for" || first == "select") {
            if (done.words.size() > 1)
                m_variables[done.words[1].text] = {{open_mark(done.words[1].text)}, false};
            return;
        }
        if (first == "case" || declares(done) || first == "unset") return;
        std::string evaluated;
        if (first == "eval") {
            for (std::size_t i = 1; i < done.words.size(); ++i) evaluated += done.words[i].text + " ";
        } else {
            for (std::size_t i = 2; i < done.words.size(); ++i) {
                const std::string& shell = done.words[i - 2].text;
                const bool is_shell =
                    shell == "bash" || shell == "sh" || shell.ends_with("/bash") || shell.ends_with("/sh");
                if (is_shell && done.words[i - 1].text == "-c") evaluated = done.words[i].text;
            }
        }
        if (first.starts_with("--"))
            note(done.line, plain_text(first),
                 "begins a command: the backslash at the end of the line before is missing, so this and the "
                 "following flags do not reach the program");
        if (!evaluated.empty()) {
            script(evaluated, done.line, depth + 1);
            return;
        }
        for (BashWord& word : done.words) word.text = plain_text(word.text, &word.open);
        m_out.commands.push_back(std::move(done));
    }

    std::string m_origin;
    BashScript& m_out;
    Error m_error;
    std::map<std::string, Variable> m_variables;
    std::size_t m_expanded = 0, m_words = 0;
    std::vector<Block> m_blocks; ///< open ones, the innermost last
    bool m_after_and = false, m_function_next = false;
    std::vector<bool> m_braces; ///< open braces; true = body of a function
};

} // namespace

Result<BashScript> read_bash(std::string_view text, const std::string& origin) {
    if (text.size() > kMostText)
        return Error{one_line(origin, 200), "is larger than 1 MiB; a launch script is smaller"};
    std::string clean(text);
    for (char& c : clean) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 && c != '\n' && c != '\t') c = ' ';
    }
    BashScript script;
    Error error = Bash(origin, script).run(clean);
    if (!error.what.empty()) return error;
    return script;
}

} // namespace shardlens::launchers
