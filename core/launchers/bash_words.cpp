// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_words.h"

#include <algorithm>
#include <utility>

#include "launchers/bash_blocks.h"
#include "launchers/bash_expansion.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;
constexpr std::size_t kMostWords = 100'000;

/// Commands out of words.
class Commands {
public:
    Commands(std::string origin, BashScript& out) : m_words(std::move(origin), out), m_out(out) {}

    Error run(std::string_view text) {
        script(text, 1, 0);
        m_words.keep_variables(kMostWords - std::min(m_count, kMostWords));
        return m_words.error();
    }

private:
    void script(std::string_view text, std::size_t line, int depth) {
        if (depth > BashExpansion::kDeepest)
            return m_words.fail(line, "evaluates text within text too deeply; fewer levels are right");
        BashInput in{text, 0, line, depth, {}};
        BashCommand command;
        bool assigned = false; // the command so far is assignments only
        while (!m_words.failed()) {
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

    void comment(BashInput& in) {
        const std::size_t end = std::min(in.text.find('\n', in.at), in.text.size());
        std::string_view line = in.text.substr(in.at, end - in.at);
        in.at = end;
        if (!line.starts_with("#SBATCH")) return;
        line.remove_prefix(7);
        BashFields fields;
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

    void separator(BashInput& in, BashCommand& command, bool& assigned) {
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

    void here_documents(BashInput& in) {
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

    void redirection(BashInput& in) {
        const bool here = in.peek() == '<' && in.peek(1) == '<' && in.peek(2) != '<';
        while (!in.end() && (in.peek() == '<' || in.peek() == '>' || in.peek() == '&' || in.peek() == '|'))
            in.take();
        if (here && in.peek() == '-') in.take();
        while (!in.end() && is_blank(in.peek())) in.take();
        if (in.peek() == '(') {
            BashExpansion::skip_parentheses(in);
            return;
        }
        BashFields fields;
        if (!in.end() && in.peek() != '\n') m_words.one_word(in, fields, true);
        fields.flush();
        if (here && !fields.done.empty() && in.here_documents.size() < 20)
            in.here_documents.push_back(fields.done[0]);
    }

    [[nodiscard]] static bool declares(const BashCommand& command) {
        if (command.words.empty()) return false;
        const std::string& first = command.words[0].text;
        return first == "export" || first == "declare" || first == "local" || first == "readonly" ||
               first == "typeset";
    }

    void word(BashInput& in, BashCommand& command, bool& assigned) {
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
        BashFields fields;
        m_words.one_word(in, fields, false);
        fields.flush();
        for (std::string& text : fields.done) {
            if (++m_count > kMostWords)
                return m_words.fail(line, "expands to more than 100,000 words; fewer are right");
            if (command.words.empty() && keyword(text)) continue;
            command.words.push_back({std::move(text), {}, line});
        }
    }

    /// Words that open and close blocks; true when the rest of the line is a command of its own.
    bool keyword(const std::string& text) {
        const bool own = block_word(text);
        m_words.quiet(running() == Runs::no);
        return own;
    }

    bool block_word(const std::string& text) {
        if (text == "if") {
            m_blocks.emplace_back(running()).begin_test();
        } else if (text == "while" || text == "until" || text == "for" || text == "case" ||
                   text == "select") {
            m_blocks.emplace_back(running());
        } else if (text == "fi" || text == "done" || text == "esac") {
            if (!m_blocks.empty()) m_blocks.pop_back();
        } else if (text == "function") {
            m_function_next = true;
        } else if (text == "{") {
            m_braces.push_back(std::exchange(m_function_next, false));
        } else if (text == "}") {
            if (!m_braces.empty()) m_braces.pop_back();
        } else {
            return branch_word(text) || text == "do" || text == "time";
        }
        return text != "for" && text != "case" && text != "select" && text != "function";
    }

    /// Words between if and fi.
    bool branch_word(const std::string& text) {
        BashBlock none(Runs::yes);
        BashBlock& block = m_blocks.empty() ? none : m_blocks.back();
        if (text == "then")
            block.then();
        else if (text == "elif")
            block.begin_test();
        else if (text == "else")
            block.otherwise();
        else if (text == "!")
            block.negate();
        else
            return false;
        return true;
    }

    [[nodiscard]] Runs running() const { return m_blocks.empty() ? Runs::yes : m_blocks.back().inside(); }
    [[nodiscard]] bool conditional() const {
        return m_after_and || running() != Runs::yes ||
               std::find(m_braces.begin(), m_braces.end(), true) != m_braces.end();
    }

    bool assignment(BashInput& in) {
        std::size_t end = in.at;
        if (end >= in.text.size() || !is_name_start(in.text[end])) return false;
        while (end < in.text.size() && is_name(in.text[end])) ++end;
        const std::string name(in.text.substr(in.at, end - in.at));
        const bool append = end + 1 < in.text.size() && in.text[end] == '+' && in.text[end + 1] == '=';
        if (!append && (end >= in.text.size() || in.text[end] != '=')) return false;
        in.at = end + (append ? 2 : 1);
        const std::size_t line = in.line;
        BashVariable value;
        if (in.peek() == '(') {
            value.array = true;
            array(in, value.items);
        } else {
            BashFields fields;
            if (!in.end()) m_words.one_word(in, fields, true);
            std::string all; // "${A[@]}" in it makes several fields, which an assignment joins
            for (const std::string& field : fields.done) all += field + " ";
            value.items = {all + fields.current};
        }
        store(line, name, std::move(value), append);
        return true;
    }

    void array(BashInput& in, std::vector<std::string>& items) {
        in.take();
        while (!in.end() && !m_words.failed()) {
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
                BashFields fields;
                m_words.one_word(in, fields, false);
                fields.flush();
                m_count += fields.done.size();
                if (m_count > kMostWords)
                    return m_words.fail(in.line, "expands to more than 100,000 words; fewer are right");
                for (std::string& item : fields.done) items.push_back(std::move(item));
            }
        }
    }

    void store(std::size_t line, const std::string& name, BashVariable value, bool append) {
        if (running() == Runs::no) return;
        if (conditional() && append) {
            m_words.note(line, name, "added to under a condition only: left out");
        } else if (conditional()) {
            m_words.note(line, name, "set under a condition: not followed");
            m_words.open(name);
        } else if (append) {
            m_words.append(name, std::move(value));
        } else {
            m_words.assign(name, std::move(value));
        }
    }

    void add_test(const BashCommand& command) {
        std::vector<std::string> words;
        bool known = true;
        for (const BashWord& word : command.words) {
            known = known && !BashExpansion::has_open(word.text);
            words.push_back(word.text);
        }
        m_blocks.back().add_test(std::move(words), known);
    }

    void finish(BashCommand& command, bool& assigned, int depth) {
        const bool was_conditional = conditional();
        m_after_and = false;
        assigned = false;
        BashCommand done = std::exchange(command, {});
        if (done.words.empty() || m_words.failed()) return;
        if (!m_blocks.empty() && m_blocks.back().tests()) add_test(done);
        if (running() == Runs::no) return;
        done.conditional = was_conditional;
        const std::string first = done.words[0].text;
        if (first == "for" || first == "select") {
            if (done.words.size() > 1) m_words.open(done.words[1].text);
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
            m_words.note(done.line, BashExpansion::plain_text(first),
                         "begins a command: the backslash at the end of the line before is missing, so this "
                         "and the following flags do not reach the program");
        if (!evaluated.empty()) {
            script(evaluated, done.line, depth + 1);
            return;
        }
        for (BashWord& word : done.words) word.text = BashExpansion::plain_text(word.text, &word.open);
        m_out.commands.push_back(std::move(done));
    }

    BashExpansion m_words;
    BashScript& m_out;
    std::size_t m_count = 0;         ///< words so far
    std::vector<BashBlock> m_blocks; ///< open ones, the innermost last
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
    Error error = Commands(origin, script).run(clean);
    if (!error.what.empty()) return error;
    return script;
}

} // namespace shardlens::launchers
