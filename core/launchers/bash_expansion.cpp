// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/bash_expansion.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <utility>

#include "launchers/bash_arithmetic.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

constexpr std::size_t kMostExpanded = std::size_t{8} << 20;
constexpr std::size_t kMostNotes = 200;
constexpr std::size_t kLongestBraces = 1000; ///< a word with lists in braces
constexpr char kOpen = kOpenMark, kClose = kCloseMark;

} // namespace

void BashExpansion::fail(std::size_t line, std::string what) {
    if (m_error.what.empty())
        m_error = {fmt::format("{}:{}", one_line(m_origin, 200), line), std::move(what)};
}

void BashExpansion::note(std::size_t line, std::string name, std::string text,
                         std::vector<std::string> arguments) {
    if (!m_quiet && m_out.notes.size() < kMostNotes)
        m_out.notes.push_back({line, std::move(name), std::move(text), std::move(arguments)});
}

void BashExpansion::add(BashInput& in, BashFields& fields, std::string_view text, bool quoted) {
    charge(in.line, text.size());
    if (failed()) return;
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

void BashExpansion::skip_parentheses(BashInput& in) {
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

void BashExpansion::one_word(BashInput& in, BashFields& fields, bool whole) {
    while (!in.end() && !failed()) {
        const char c = in.peek();
        if (is_blank(c) || c == '\n' || c == ';' || c == '&' || c == '|' || c == '(' || c == ')' ||
            c == '<' || c == '>')
            return;
        if (c == kOpen) { // in text that was expanded before
            const std::size_t end = std::min(in.text.find(kClose, in.at), in.text.size());
            add(in, fields, in.text.substr(in.at, end - in.at), true);
            if (end < in.text.size()) add(in, fields, std::string_view(&kClose, 1), true);
            in.at = std::min(end + 1, in.text.size());
            continue;
        }
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
            backquoted(in, fields);
        } else {
            add(in, fields, std::string_view(&c, 1), true);
        }
    }
}

void BashExpansion::trailing_blank(BashInput& in) {
    std::size_t end = in.at;
    while (end < in.text.size() && is_blank(in.text[end])) ++end;
    if (end < in.text.size() && in.text[end] == '\n' && in.text[in.at] != '\r')
        note(in.line, "\\", "a blank behind the backslash: the command ends on this line");
}

/// A command's output.
void BashExpansion::backquoted(BashInput& in, BashFields& fields) {
    while (!in.end() && in.peek() != '`') in.take();
    if (!in.end()) in.take();
    add(in, fields, open_mark("(…)"), true);
}

void BashExpansion::charge(std::size_t line, std::size_t bytes) {
    m_expanded += bytes;
    if (m_expanded > kMostExpanded) fail(line, "expands to more than 8 MiB; a smaller script is right");
}

void BashExpansion::append(std::size_t line, const std::string& name, BashVariable value) {
    m_variables.append(name, std::move(value));
    charge_copies(line);
}

void BashExpansion::open_all(std::size_t line) {
    std::vector<std::string> names;
    for (const auto& [name, value] : m_variables.all())
        if (is_name_start(name[0])) names.push_back(name);
    for (const std::string& name : names) m_variables.open(name);
    charge(line, names.size() * 20); // many variables and many files take no long time
}

void BashExpansion::quoted(BashInput& in, BashFields& fields) {
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
            backquoted(in, fields);
        } else {
            add(in, fields, std::string_view(&c, 1), true);
        }
    }
    if (!in.end()) in.take();
}

/// Behind a '$'. `quoted_here`: the value is not split.
void BashExpansion::dollar(BashInput& in, BashFields& fields, bool quoted_here) {
    const char c = in.peek();
    if (c == '(' && in.peek(1) == '(') return arithmetic(in, fields);
    if (c == '(') {
        std::size_t end = in.at + 1;
        while (end < in.text.size() && (is_name(in.text[end]) || in.text[end] == '-')) ++end;
        m_substituted = in.text.substr(in.at + 1, end - in.at - 1);
        skip_parentheses(in);
        add(in, fields, open_mark("(…)"), true);
    } else if (c == '{') {
        in.take();
        braces(in, fields, quoted_here);
    } else if (is_name_start(c)) {
        std::string name;
        while (!in.end() && is_name(in.peek())) name += in.take();
        value(in, fields, name, quoted_here);
    } else if (is_digit(c) || (c != '\0' && std::string_view("@*#?$!-").find(c) != std::string_view::npos)) {
        in.take();
        const std::string name = c == '*' ? "@" : std::string(1, c);
        if (!m_variables.find(name))
            add(in, fields, open_mark(std::string_view(&c, 1)), true);
        else if (name == "@")
            elements(in, fields, name, quoted_here, quoted_here && c == '*');
        else
            value(in, fields, name, quoted_here);
    } else if (c == '\'' || c == '"') {
        // $'…' and $"…": the quote follows.
    } else {
        add(in, fields, "$", true);
    }
}

/// The text up to the '}' that closes the expansion, which is taken as well.
std::string_view BashExpansion::inside_braces(BashInput& in) {
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

void BashExpansion::braces(BashInput& in, BashFields& fields, bool quoted_here) {
    const std::size_t line = in.line;
    std::string_view rest = inside_braces(in);
    std::size_t end = 0;
    while (end < rest.size() && is_name(rest[end])) ++end;
    const std::string name(rest.substr(0, end));
    rest.remove_prefix(end);
    if (name.empty() && (rest == "@" || rest == "*") && m_variables.find("@"))
        return elements(in, fields, "@", quoted_here, quoted_here && rest == "*");
    if (name.empty()) return add(in, fields, open_mark("{…}"), true);
    if (rest.empty()) return value(in, fields, name, quoted_here);
    if (rest == "[@]" || rest == "[*]")
        return elements(in, fields, name, quoted_here, quoted_here && rest == "[*]");
    if (rest.front() == '[' && rest.back() == ']') return element(in, fields, name, rest, quoted_here);
    const bool colon = rest[0] == ':';
    const char operation = rest.size() > (colon ? 1u : 0u) ? rest[colon ? 1 : 0] : '\0';
    if (operation != '-' && operation != '=' && operation != '+' && operation != '?')
        return add(in, fields, open_mark(name), true);
    rest.remove_prefix(colon ? 2 : 1);
    const BashVariable* found = m_variables.find(name);
    const bool set = found && !found->items.empty() && !(colon && found->items[0].empty());
    if (operation == '+') {
        if (set && found->items[0].starts_with(kOpen)) return add(in, fields, open_mark(name), true);
        if (set) nested(in, fields, rest, quoted_here);
        if (!found) note(line, name, "not set in the script: taken as empty");
        return;
    }
    if (set || operation == '?') return value(in, fields, name, quoted_here);
    BashFields usual;
    nested(in, usual, rest, true);
    note(line, name, "not set in the script: its default {0} counts", {plain_text(usual.current)});
    if (operation == '=' && !m_quiet) m_variables.assign(name, {{usual.current}, false});
    add(in, fields, usual.current, quoted_here);
}

void BashExpansion::nested(BashInput& in, BashFields& fields, std::string_view text, bool quoted_here) {
    if (in.depth + 1 > kDeepest) return fail(in.line, "expands too deeply; fewer levels are right");
    BashInput inner{text, 0, in.line, in.depth + 1, {}};
    BashFields result;
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

void BashExpansion::value(BashInput& in, BashFields& fields, const std::string& name, bool quoted_here) {
    const BashVariable* found = m_variables.find(name);
    if (!found) return add(in, fields, open_mark(name), true);
    if (!found->items.empty()) add(in, fields, found->items[0], quoted_here);
}

// ${A[@]}: a field for each element when quoted, else the words of each; "${A[*]}": one field.
void BashExpansion::elements(BashInput& in, BashFields& fields, const std::string& name, bool quoted_here,
                             bool joined) {
    const BashVariable* found = m_variables.find(name);
    if (!found) return add(in, fields, open_mark(name), true);
    const std::vector<std::string>& items = found->items;
    for (std::size_t i = 0; i < items.size() && !failed(); ++i) {
        if (i > 0 && joined)
            add(in, fields, " ", true);
        else if (i > 0)
            fields.flush();
        add(in, fields, items[i], quoted_here);
    }
}

/// ${A[2]}; `index` with its brackets.
void BashExpansion::element(BashInput& in, BashFields& fields, const std::string& name,
                            std::string_view index, bool quoted_here) {
    const BashVariable* found = m_variables.find(name);
    const bool digits =
        index.size() > 2 && index.size() < 9 && index.find_first_not_of("0123456789", 1) == index.size() - 1;
    if (!found || !found->array || !digits) return add(in, fields, open_mark(name), true);
    std::size_t at = 0;
    for (const char c : index.substr(1, index.size() - 2)) at = at * 10 + static_cast<std::size_t>(c - '0');
    if (at < found->items.size()) add(in, fields, found->items[at], quoted_here);
}

void BashExpansion::keep_variables(std::size_t most_words) {
    const auto has_flag = [](const std::string& item) { return item.find("--") != std::string::npos; };
    for (const auto& [name, variable] : m_variables.all()) {
        if (!is_name_start(name[0])) continue;
        if (std::none_of(variable.items.begin(), variable.items.end(), has_flag)) continue;
        BashInput none;
        BashFields fields;
        for (const std::string& item : variable.items) {
            if (failed() || m_expanded + item.size() > kMostExpanded) return;
            add(none, fields, item, false);
            fields.flush();
        }
        if (fields.done.size() > most_words) return;
        most_words -= fields.done.size();
        BashCommand kept;
        kept.words.push_back({name, {}, 0});
        for (const std::string& text : fields.done) {
            BashWord word;
            word.text = plain_text(text, &word.open);
            kept.words.push_back(std::move(word));
        }
        m_out.variables.push_back(std::move(kept));
    }
}

bool BashExpansion::has_open(std::string_view text) { return text.find(kOpen) != std::string_view::npos; }

void BashExpansion::arithmetic(BashInput& in, BashFields& fields) {
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
    BashFields expanded;
    nested(in, expanded, source, true);
    std::string open;
    const auto lookup = [&](const std::string& name) -> std::optional<std::string> {
        const BashVariable* found = m_variables.find(name);
        if (found && !found->items.empty()) return found->items[0];
        if (open.empty()) open = name;
        return std::nullopt;
    };
    const auto number = evaluate_arithmetic(expanded.current, lookup);
    if (!number && !m_quiet)
        for (const std::string& name : assigned_names(source)) {
            note(in.line, name, "set by {0}: not known from the script alone", {"$((…))"});
            m_variables.open(name);
        }
    if (number) return add(in, fields, std::to_string(*number), true);
    if (const std::size_t mark = expanded.current.find(kOpen); open.empty() && mark != std::string::npos)
        open = expanded.current.substr(mark + 1, expanded.current.find(kClose, mark) - mark - 1);
    add(in, fields, open_mark(open.empty() ? "((…))" : open), true);
}

std::optional<std::int64_t> BashExpansion::number(std::string_view text, std::size_t line) {
    BashInput in{text, 0, line, 0, {}};
    BashFields expanded;
    nested(in, expanded, text, true);
    return evaluate_arithmetic(expanded.current, [&](const std::string& name) -> std::optional<std::string> {
        const BashVariable* found = m_variables.find(name);
        if (!found || found->items.empty()) return std::nullopt;
        return found->items[0];
    });
}

bool BashExpansion::arithmetic_statement(std::string_view text, std::size_t line) {
    const auto simple = simple_assignment(text);
    const auto value = simple ? number(simple->expression, line) : std::nullopt;
    if (value) m_variables.assign(simple->name, {{std::to_string(*value)}, false});
    return value.has_value();
}

std::vector<std::string> BashExpansion::arithmetic_command(std::string_view text, std::size_t line,
                                                           bool conditional) {
    std::vector<std::string> opened;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::string_view statement = text.substr(at, end - at);
        at = end + 1;
        if (!conditional && arithmetic_statement(statement, line)) continue;
        for (const std::string& name : assigned_names(statement)) {
            m_variables.open(name);
            if (std::find(opened.begin(), opened.end(), name) == opened.end()) opened.push_back(name);
        }
    }
    return opened;
}

std::string BashExpansion::here_document(std::string_view text, std::size_t line, int depth) {
    BashInput in{text, 0, line, depth, {}};
    BashFields fields;
    while (!in.end() && !failed()) {
        const char c = in.take();
        if (c == '\\' && !in.end()) {
            const char next = in.take();
            if (next == '\n') continue;
            if (next != '\\' && next != '$' && next != '`') add(in, fields, "\\", true);
            add(in, fields, std::string_view(&next, 1), true);
        } else if (c == '$') {
            dollar(in, fields, true);
        } else if (c == '`') {
            backquoted(in, fields);
        } else {
            add(in, fields, std::string_view(&c, 1), true);
        }
    }
    std::string all;
    for (const std::string& field : fields.done) all += field + " ";
    return all + fields.current;
}

bool BashExpansion::braced_words(BashInput& in, BashFields& fields) {
    std::size_t end = in.at;
    bool list = false;
    for (; end < in.text.size(); ++end) {
        const char c = in.text[end];
        if (is_blank(c) || std::string_view("\n;&|()<>").find(c) != std::string_view::npos) break;
        if (c == '\\' || c == '\'' || c == '"' || c == '`') return false;
        if (c == '$' && end + 1 < in.text.size() && in.text[end + 1] == '{')
            end = std::min(in.text.find('}', end), in.text.size() - 1);
        list = list || c == '{';
    }
    if (!list) return false;
    const std::string word(in.text.substr(in.at, end - in.at));
    if (word.find(',') == std::string::npos) return false;
    if (word.size() > kLongestBraces)
        add(in, fields, open_mark("{…}"), true);
    else
        write_out(in, fields, word, 0);
    in.at = end;
    return true;
}

void BashExpansion::write_out(BashInput& in, BashFields& fields, const std::string& word, int depth) {
    if (depth > kDeepest) return fail(in.line, "expands too deeply; fewer levels are right");
    charge(in.line, word.size());
    for (std::size_t open = 0; open < word.size() && !failed(); ++open) {
        if (word[open] == '$' && open + 1 < word.size() && word[open + 1] == '{')
            open = std::min(word.find('}', open), word.size() - 1);
        if (word[open] != '{') continue;
        std::vector<std::size_t> ends; // of the alternatives
        int level = 0;
        for (std::size_t at = open; at < word.size(); ++at) {
            level += word[at] == '{' ? 1 : word[at] == '}' ? -1 : 0;
            if ((word[at] == ',' && level == 1) || level == 0) ends.push_back(at);
            if (level == 0) break;
        }
        if (level != 0 || ends.size() < 2) continue;
        std::size_t start = open + 1;
        for (const std::size_t end : ends) {
            write_out(in, fields,
                      word.substr(0, open) + word.substr(start, end - start) + word.substr(ends.back() + 1),
                      depth + 1);
            start = end + 1;
        }
        return;
    }
    BashInput one{word, 0, in.line, in.depth, {}};
    one_word(one, fields, false);
    fields.flush();
    if (fields.done.size() > 100'000) fail(in.line, "expands to more than 100,000 words; fewer are right");
}

std::string BashExpansion::plain_text(std::string_view text, std::vector<std::string>* open) {
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

} // namespace shardlens::launchers
