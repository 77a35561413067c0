// SPDX-License-Identifier: GPL-3.0-or-later
// The text of a bash script, word by word.
#include "launchers/bash_words.h"

#include <algorithm>
#include <utility>

#include "launchers/bash_arithmetic.h"
#include "launchers/bash_reader.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

constexpr std::size_t kMostText = std::size_t{1} << 20;
constexpr std::size_t kMostNested = std::size_t{8} << 20; ///< text of functions and evals
constexpr int kDeepestArithmetic = 20;                    ///< parentheses in it
constexpr std::size_t kLongestArithmetic = 500;           ///< characters of ((…)) as a command

bool is_name_text(std::string_view text) {
    return !text.empty() && text.find_first_of("\x01\x02") == std::string_view::npos;
}

bool has_word(const BashCommand& command, std::string_view text) {
    return std::any_of(command.words.begin(), command.words.end(),
                       [&](const BashWord& word) { return word.text == text; });
}

/// Within [[ … ]], where the signs are words.
bool in_brackets(const BashCommand& command) {
    return !command.words.empty() && command.words.front().text == "[[" && command.words.back().text != "]]";
}

bool declares(const BashCommand& command) {
    if (command.words.empty()) return false;
    const std::string& first = command.words[0].text;
    return first == "export" || first == "declare" || first == "local" || first == "readonly" ||
           first == "typeset";
}

} // namespace

Error BashReader::run(std::string_view text) {
    script(text, 1, 0, Runs::yes);
    uncalled_functions();
    m_words.keep_variables(kMostWords - std::min(m_count, kMostWords));
    return m_words.error();
}

void BashReader::script(std::string_view text, std::size_t line, int depth, Runs around) {
    if (depth > BashExpansion::kDeepest)
        return m_words.fail(line, "evaluates text within text too deeply; fewer levels are right");
    if (depth > 0) m_read += text.size() + 100;
    if (m_read > kMostNested)
        return m_words.fail(line, "runs more than 8 MiB of functions and evaluated text; less is right");
    m_after_and = m_continues = false;
    BashInput in{text, 0, line, depth, {}};
    const Definition next = std::exchange(m_next, {}), defined = std::exchange(m_defined, {});
    m_blocks.emplace_back(Opened::text, around).piped = std::exchange(m_piped, false);
    begin_scope();
    const std::size_t base = std::exchange(m_base, m_blocks.size());
    BashCommand command;
    bool assigned = false; // the command so far is assignments only
    while (!m_words.failed()) {
        while (!in.end() && is_blank(in.peek())) in.take();
        if (in.end()) break;
        m_words.quiet(running() == Runs::no);
        token(in, command, assigned);
    }
    finish(in, command, assigned);
    while (m_blocks.size() > m_base) {
        if (m_blocks.back().by() == Opened::function) end_function(in, in.text.size());
        close_block();
    }
    m_base = base;
    close_block();
    m_next = next, m_defined = defined;
    m_words.quiet(running() == Runs::no);
}

void BashReader::token(BashInput& in, BashCommand& command, bool& assigned) {
    const char c = in.peek();
    if (c == '\\' && in.peek(1) == '\n') {
        in.take(), in.take();
    } else if (c == '#') {
        comment(in);
    } else if (in_brackets(command) && std::string_view("&|()<>").find(c) != std::string_view::npos) {
        command.words.push_back({std::string(1, in.take()), {}, in.line});
        if (++m_count > kMostWords)
            m_words.fail(in.line, "expands to more than 100,000 words; fewer are right");
    } else if (c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')') {
        separator(in, command, assigned);
    } else if (c == '<' || c == '>') {
        redirection(in);
    } else {
        word(in, command, assigned);
    }
}

void BashReader::comment(BashInput& in) {
    const std::size_t end = std::min(in.text.find('\n', in.at), in.text.size());
    std::string_view line = in.text.substr(in.at, end - in.at);
    in.at = end;
    if (!line.starts_with("#SBATCH") || running() == Runs::no) return;
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

void BashReader::separator(BashInput& in, BashCommand& command, bool& assigned) {
    const char c = in.take();
    if (c == '&' && in.peek() == '>') return redirection(in);
    if (c == '(') return open_parenthesis(in, command, assigned);
    if (c == ')') return close_parenthesis(in, command, assigned);
    if (in_pattern()) return;
    const bool pair = (c == '&' || c == '|') && in.peek() == c;
    if (pair || (c == '|' && in.peek() == '&')) in.take();
    const bool empty = command.words.empty() && !assigned;
    if (c == '\n' && empty && (m_continues || !m_next.name.empty())) return here_documents(in);
    const bool plain_before = assigned && command.words.empty(), after_and = m_after_and;
    finish(in, command, assigned);
    const bool pipe = c == '|' && !pair;
    end_scope(!(pipe || m_piped || (c == '&' && !pair))); // each part of a pipeline is a subshell
    begin_scope();
    m_piped = pipe;
    m_after_and = pair && (!plain_before || after_and);
    m_continues = pair || pipe;
    if (c == ';' && (in.peek() == ';' || in.peek() == '&') && innermost()->by() == Opened::choice) {
        while (in.peek() == ';' || in.peek() == '&') in.take();
        innermost()->pattern = true;
    }
    if (c == '\n') here_documents(in);
}

void BashReader::open_parenthesis(BashInput& in, BashCommand& command, bool& assigned) {
    if (in_pattern()) return;
    std::size_t close = in.at;
    while (close < in.text.size() && is_blank(in.text[close])) ++close;
    if (command.words.size() == 1 && !assigned && close < in.text.size() && in.text[close] == ')') {
        in.at = close + 1; // name() { … }
        if (is_name_text(command.words[0].text)) m_next = {command.words[0].text, 0, 0, false, Runs::no};
        command.words.clear();
        return;
    }
    const bool counts = command.words.size() == 1 && command.words[0].text == "for";
    if ((command.words.empty() || counts) && in.peek() == '(' && arithmetic(in)) return;
    const bool empty = command.words.empty() && !assigned;
    if (!empty) finish(in, command, assigned);
    const bool function = !m_next.name.empty();
    open_block(function ? Opened::function : Opened::subshell);
    m_blocks.back().parentheses = true;
    if (function) begin_body(in);
}

void BashReader::close_parenthesis(BashInput& in, BashCommand& command, bool& assigned) {
    if (in_pattern()) {
        command.words.clear();
        innermost()->pattern = false;
        return;
    }
    const std::size_t end = in.at - 1;
    finish(in, command, assigned);
    if (m_blocks.size() <= m_base || !m_blocks.back().parentheses) return;
    if (m_blocks.back().by() == Opened::function) end_function(in, end);
    close_block();
}

/// ((…)) behind its first parenthesis; false: it is a subshell in a subshell.
bool BashReader::arithmetic(BashInput& in) {
    int level = 0;
    std::size_t end = in.at;
    const std::size_t last = std::min(in.text.size(), in.at + kLongestArithmetic);
    for (; end < last; ++end) {
        level += in.text[end] == '(' ? 1 : in.text[end] == ')' ? -1 : 0;
        if (level == 0 || level > kDeepestArithmetic) break;
    }
    if (level != 0 || end + 1 >= last || in.text[end + 1] != ')') return false;
    std::string text(in.text.substr(in.at + 1, end - in.at - 1));
    const std::size_t line = in.line;
    while (in.at < end + 2) in.take();
    if (innermost()->tests()) add_test({});
    m_continues = false;
    if (state() == Runs::no) return true;
    std::replace(text.begin(), text.end(), ';', ','); // of for ((…; …; …))
    for (const std::string& name : m_words.arithmetic_command(text, line, state() == Runs::maybe))
        m_words.note(line, name, "set by {0}: not known from the script alone", {"((…))"});
    return true;
}

void BashReader::here_documents(BashInput& in) {
    for (const BashHereDocument& document : std::exchange(in.here_documents, {})) {
        std::string text;
        const std::size_t first = in.line;
        while (!in.end()) {
            const std::size_t end = std::min(in.text.find('\n', in.at), in.text.size());
            std::string_view line = in.text.substr(in.at, end - in.at);
            in.at = std::min(end + 1, in.text.size());
            ++in.line;
            while (document.tabs && !line.empty() && line.front() == '\t') line.remove_prefix(1);
            if (line == document.delimiter) break;
            if (document.runs != Runs::no || !document.file.empty()) text.append(line).push_back('\n');
        }
        if (text.empty()) continue;
        if (!document.quoted) text = m_words.here_document(text, first, in.depth + 1);
        if (!document.file.empty()) {
            m_words.charge(first, text.size());
            m_files[document.file] = std::move(text);
            continue;
        }
        apart(text, first, in.depth + 1, document.runs);
    }
}

void BashReader::redirection(BashInput& in) {
    const bool output = in.peek() == '>' && in.peek(1) != '>' && in.peek(1) != '&';
    const bool here = in.peek() == '<' && in.peek(1) == '<' && in.peek(2) != '<';
    while (!in.end() && (in.peek() == '<' || in.peek() == '>' || in.peek() == '&' || in.peek() == '|'))
        in.take();
    BashHereDocument document;
    document.tabs = here && in.peek() == '-';
    if (document.tabs) in.take();
    while (!in.end() && is_blank(in.peek())) in.take();
    if (in.peek() == '(') {
        BashExpansion::skip_parentheses(in);
        return;
    }
    const std::size_t start = in.at;
    BashFields fields;
    if (!in.end() && in.peek() != '\n') m_words.one_word(in, fields, true);
    fields.flush();
    if (output && !fields.done.empty()) m_target = {m_serial, fields.done[0]};
    if (!here || fields.done.empty() || in.here_documents.size() >= 20) return;
    document.delimiter = fields.done[0];
    document.quoted = in.text.substr(start, in.at - start).find_first_of("'\"\\") != std::string_view::npos;
    document.owner = m_serial;
    in.here_documents.push_back(std::move(document));
}

void BashReader::word(BashInput& in, BashCommand& command, bool& assigned) {
    const std::size_t line = in.line, start = in.at;
    m_continues = false;
    if (command.words.empty()) command.line = line;
    const bool first = command.words.empty();
    if ((first || declares(command)) && !in_pattern() && assignment(in, command, first)) {
        assigned = true;
        return;
    }
    // 2>file: the number belongs to the redirection.
    if (is_digit(in.peek()) && (in.peek(1) == '>' || in.peek(1) == '<')) {
        in.take();
        return;
    }
    if (m_prefixed) { // for this command only, whose own words do not see them
        m_words.variables().rollback();
        m_prefixed = false;
        m_out.notes.resize(std::min(m_out.notes.size(), m_notes_before));
    }
    BashFields fields;
    if (!m_words.braced_words(in, fields)) m_words.one_word(in, fields, false);
    fields.flush();
    for (std::string& text : fields.done) {
        if (++m_count > kMostWords)
            return m_words.fail(line, "expands to more than 100,000 words; fewer are right");
        if (first && !assigned && command.words.empty() && keyword(in, start, text)) continue;
        command.words.push_back({std::move(text), {}, line});
    }
    if (!command.words.empty()) m_next = {};
}

bool BashReader::assignment(BashInput& in, const BashCommand& command, bool prefix) {
    std::size_t end = in.at;
    if (end >= in.text.size() || !is_name_start(in.text[end])) return false;
    while (end < in.text.size() && is_name(in.text[end])) ++end;
    const std::string name(in.text.substr(in.at, end - in.at));
    std::string_view index;
    if (end < in.text.size() && in.text[end] == '[') {
        const std::size_t close = in.text.substr(0, std::min(in.text.size(), end + 200)).find(']', end);
        if (close == std::string_view::npos) return false;
        index = in.text.substr(end + 1, close - end - 1);
        end = close + 1;
    }
    const bool append = end + 1 < in.text.size() && in.text[end] == '+' && in.text[end + 1] == '=';
    if (!append && (end >= in.text.size() || in.text[end] != '=')) return false;
    while (in.at < end + (append ? 2 : 1)) in.take();
    const std::size_t line = in.line;
    if (prefix && !m_prefixed && m_prefix.empty()) {
        m_words.variables().begin();
        m_prefixed = true;
        m_notes_before = m_out.notes.size();
    }
    BashVariable value;
    if (in.peek() == '(') {
        value.array = true;
        array(in, value);
    } else {
        BashFields fields;
        if (!in.end()) m_words.one_word(in, fields, true);
        std::string all; // "${A[@]}" in it makes several fields, which an assignment joins
        for (const std::string& field : fields.done) all += field + " ";
        value.items = {all + fields.current};
    }
    const std::string kind = prefix ? "" : command.words[0].text;
    if (m_exports_all || kind == "export" || (!prefix && has_word(command, "-x"))) m_exported.insert(name);
    if (kind == "local" || kind == "declare" || kind == "typeset") localize(name);
    if (!prefix && has_word(command, "-i")) m_integers.insert(name);
    if (m_integers.contains(name) && value.items.size() == 1) integer(line, name, value.items[0], append);
    if (index.data())
        store_element(line, name, append ? "" : index, value.items.empty() ? "" : value.items[0]);
    else
        store(line, name, std::move(value), append && !m_integers.contains(name));
    return true;
}

/// The value of a variable that `declare -i` made a number: `value` is an expression.
void BashReader::integer(std::size_t line, const std::string& name, std::string& value, bool added) {
    const auto number = m_words.number(added ? name + "+(" + value + ")" : value, line);
    value = number ? std::to_string(*number) : open_mark(name);
}

/// The elements between parentheses; those with an index of their own leave all of them open.
void BashReader::array(BashInput& in, BashVariable& value) {
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
            const bool indexed = in.peek() == '[';
            if (!m_words.braced_words(in, fields)) m_words.one_word(in, fields, false);
            fields.flush();
            if (indexed && !fields.done.empty() && fields.done[0].find("]=") != std::string::npos)
                fields.done[0] = open_mark("[…]");
            m_count += fields.done.size();
            if (m_count > kMostWords)
                return m_words.fail(in.line, "expands to more than 100,000 words; fewer are right");
            for (std::string& item : fields.done) value.items.push_back(std::move(item));
        }
    }
}

void BashReader::store(std::size_t line, const std::string& name, BashVariable value, bool append) {
    Runs runs = state();
    if (runs == Runs::no) return;
    if (is_local(name)) runs = within_call(runs);
    if (runs == Runs::maybe && append) {
        m_words.note(line, name, "added to under a condition only: left out");
    } else if (runs == Runs::maybe) {
        m_words.note(line, name, "set under a condition: not followed");
        m_words.variables().open(name);
    } else if (append) {
        m_words.append(line, name, std::move(value));
    } else {
        m_words.variables().assign(name, std::move(value));
    }
    if (const BashVariable* now = m_words.variables().find(name); m_prefixed && now)
        m_prefix_next.emplace_back(name, *now);
}

/// NAME[index]=value.
void BashReader::store_element(std::size_t line, const std::string& name, std::string_view index,
                               std::string value) {
    const Runs runs = state();
    if (runs == Runs::no) return;
    const auto at = runs == Runs::yes ? m_words.number(index, line) : std::nullopt;
    const bool set = at && m_words.variables().set_element(name, *at, std::move(value));
    m_words.charge_copies(line);
    if (set) return;
    m_words.note(line, name,
                 runs == Runs::yes ? "an element of it is set whose place is not known: not followed"
                                   : "set under a condition: not followed");
    m_words.variables().open(name);
}

void BashReader::finish(BashInput& in, BashCommand& command, bool& assigned) {
    if (m_prefixed) m_words.variables().commit();
    const bool kept = std::exchange(m_prefixed, false);
    m_prefix = std::exchange(m_prefix_next, {});
    if (kept) m_prefix.clear();
    const Runs runs = state();
    m_after_and = assigned = false;
    BashCommand done = std::exchange(command, {});
    if (done.words.empty() && runs == Runs::yes) // A=1 $EMPTY
        for (auto& [name, value] : m_prefix) m_words.variables().assign(name, std::move(value));
    if (!done.words.empty() && !m_words.failed()) {
        if (innermost()->tests()) add_test(done);
        if (runs != Runs::no) execute(in, std::move(done), runs);
    }
    m_prefix.clear();
    ++m_serial;
}

Result<BashScript> read_bash(std::string_view text, const std::string& origin) {
    if (text.size() > kMostText)
        return Error{one_line(origin, 200), "is larger than 1 MiB; a launch script is smaller"};
    std::string clean(text);
    for (char& c : clean) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 && c != '\n' && c != '\t') c = ' ';
    }
    BashScript script;
    Error error = BashReader(origin, script).run(clean);
    if (!error.what.empty()) return error;
    return script;
}

} // namespace shardlens::launchers
