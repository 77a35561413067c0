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

// What is not known stands between these two in a value, by name; the file's own control characters are
// blanks.
constexpr char kOpen = '\x01', kClose = '\x02';

std::string open_mark(std::string_view name) { return kOpen + std::string(name) + kClose; }

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

void BashExpansion::append(const std::string& name, BashVariable value) {
    BashVariable& variable = m_variables[name];
    if (value.array || variable.array) {
        if (variable.items.size() == 1 && variable.items[0].empty() && !variable.array)
            variable.items.clear();
        variable.array = true;
        for (std::string& item : value.items) variable.items.push_back(std::move(item));
    } else {
        variable.items.resize(1);
        variable.items[0] += value.items[0];
    }
}

void BashExpansion::open(const std::string& name) { m_variables[name] = {{open_mark(name)}, false}; }

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
        add(in, fields, open_mark(std::string_view(&c, 1)), true);
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
    BashFields usual;
    nested(in, usual, rest, true);
    note(line, name, "not set in the script: its default {0} counts", {plain_text(usual.current)});
    if (operation == '=' && !m_quiet) m_variables[name] = {{usual.current}, false};
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
    const auto found = m_variables.find(name);
    if (found == m_variables.end()) return add(in, fields, open_mark(name), true);
    const BashVariable& variable = found->second;
    if (!variable.items.empty()) add(in, fields, variable.items[0], quoted_here);
}

// ${A[@]}: a field for each element when quoted, else the words of each; "${A[*]}": one field.
void BashExpansion::elements(BashInput& in, BashFields& fields, const std::string& name, bool quoted_here,
                             bool joined) {
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

void BashExpansion::keep_variables(std::size_t most_words) {
    const auto has_flag = [](const std::string& item) { return item.find("--") != std::string::npos; };
    for (const auto& [name, variable] : m_variables) {
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
