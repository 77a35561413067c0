// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks of a bash script: which parts run, and what a subshell's end takes back.
#include <algorithm>
#include <utility>

#include "launchers/bash_reader.h"

namespace shardlens::launchers {

Runs BashReader::running() const {
    if (m_exited || m_returned) return Runs::no;
    return m_blocks.empty() ? Runs::yes : m_blocks.back().inside();
}

/// Of the command being read.
Runs BashReader::state() const { return m_after_and ? std::min(running(), Runs::maybe) : running(); }

/// Of a command that runs as `runs` says: given that the function it stands in is called.
Runs BashReader::within_call(Runs runs) const {
    if (m_locals.empty() || runs != running() || m_blocks.size() > m_call_base + 50) return runs;
    for (std::size_t i = m_call_base; i < m_blocks.size(); ++i)
        if (m_blocks[i].itself() != Runs::yes) return runs;
    return Runs::yes;
}

bool BashReader::is_local(const std::string& name) const {
    return !m_locals.empty() && m_locals.back().contains(name);
}

BashBlock* BashReader::innermost() { return &m_blocks.back(); }

bool BashReader::in_pattern() { return innermost()->pattern; }

void BashReader::begin_scope() {
    m_words.variables().begin();
    m_left.emplace_back(m_exited, m_returned);
}

void BashReader::end_scope(bool keep) {
    if (keep) {
        m_words.variables().commit();
    } else {
        m_words.variables().rollback();
        std::tie(m_exited, m_returned) = m_left.back();
    }
    m_left.pop_back();
}

void BashReader::open_block(Opened by) {
    m_blocks.emplace_back(by, state()).piped = std::exchange(m_piped, false);
    m_after_and = m_continues = false;
    begin_scope();
}

void BashReader::close_block() {
    const bool subshell = m_blocks.back().by() == Opened::subshell;
    end_scope(!m_piped);
    m_piped = m_blocks.back().piped;
    m_after_and = false;
    m_blocks.pop_back();
    if (m_blocks.empty()) return;
    if (subshell) {
        end_scope(false);
        begin_scope();
    }
    if (innermost()->tests()) add_test({});
}

/// A command between if or elif and then; one without words is not decided.
void BashReader::add_test(const BashCommand& command) {
    std::vector<std::string> words;
    bool known = !command.words.empty();
    for (const BashWord& word : command.words) {
        known = known && !BashExpansion::has_open(word.text);
        words.push_back(word.text);
    }
    innermost()->add_test(std::move(words), known);
}

/// Words that open and close blocks; true when the rest of the line is a command of its own.
bool BashReader::keyword(BashInput& in, std::size_t start, const std::string& text) {
    if (in_pattern() && text != "esac") return false;
    const bool own = block_word(in, start, text);
    m_words.quiet(running() == Runs::no);
    return own;
}

bool BashReader::block_word(BashInput& in, std::size_t start, const std::string& text) {
    const Opened by = innermost()->by();
    const bool closes = m_blocks.size() > m_base;
    if (text == "if") {
        open_block(Opened::branch);
        innermost()->begin_test();
    } else if (text == "while" || text == "until" || text == "for" || text == "select") {
        open_block(Opened::loop);
    } else if (text == "case") {
        begin_case(in);
    } else if (text == "fi" || text == "done" || text == "esac") {
        if (closes && by <= Opened::choice) close_block();
    } else if (text == "function") {
        begin_function(in);
    } else if (text == "{") {
        const bool function = !m_next.name.empty();
        open_block(function ? Opened::function : Opened::braces);
        if (function) begin_body(in);
    } else if (text == "}") {
        if (!closes || (by != Opened::braces && by != Opened::function) || m_blocks.back().parentheses)
            return true;
        if (by == Opened::function) end_function(in, start);
        close_block();
    } else {
        return branch_word(text) || text == "do" || text == "time";
    }
    return text != "for" && text != "select";
}

/// Words between if and fi.
bool BashReader::branch_word(const std::string& text) {
    BashBlock* block = innermost();
    if (text == "then")
        block->then();
    else if (text == "elif")
        block->begin_test();
    else if (text == "else")
        block->otherwise();
    else if (text == "!")
        block->negate();
    else
        return false;
    return true;
}

/// Behind `case`: WORD in.
void BashReader::begin_case(BashInput& in) {
    const auto blanks = [&] {
        while (!in.end() && (is_blank(in.peek()) || in.peek() == '\n')) in.take();
    };
    open_block(Opened::choice);
    blanks();
    BashFields fields;
    m_words.one_word(in, fields, true);
    blanks();
    if (in.peek() != 'i' || in.peek(1) != 'n') return;
    in.take(), in.take();
    innermost()->pattern = true;
}

/// Behind `function`: NAME, with () or without.
void BashReader::begin_function(BashInput& in) {
    while (!in.end() && is_blank(in.peek())) in.take();
    std::string name;
    while (!in.end() && !is_blank(in.peek()) &&
           std::string_view("\n;&|()<>").find(in.peek()) == std::string_view::npos)
        name += in.take();
    m_next = {std::move(name), 0, 0, false, Runs::no};
    std::size_t at = in.at;
    while (at < in.text.size() && is_blank(in.text[at])) ++at;
    if (at >= in.text.size() || in.text[at] != '(') return;
    for (++at; at < in.text.size() && is_blank(in.text[at]);) ++at;
    if (at < in.text.size() && in.text[at] == ')') in.at = at + 1;
}

/// The body of a function begins here; nothing of it runs before the function is called.
void BashReader::begin_body(BashInput& in) {
    Definition next = std::exchange(m_next, {});
    const Runs around = m_blocks[m_blocks.size() - 2].inside();
    if (around == Runs::no || m_exited || m_returned) return; // within another's body
    next.start = in.at;
    next.line = in.line;
    next.subshell = m_blocks.back().parentheses;
    next.runs = around;
    m_defined = std::move(next);
}

void BashReader::end_function(BashInput& in, std::size_t end) {
    if (m_defined.name.empty() || m_blocks[m_blocks.size() - 2].inside() == Runs::no) return;
    const Definition defined = std::exchange(m_defined, {});
    auto body = std::make_shared<const std::string>(in.text.substr(defined.start, end - defined.start));
    m_read += body->size();
    if (m_functions.find(defined.name) == m_functions.end()) m_order.push_back(defined.name);
    m_functions[defined.name] = {std::move(body), defined.line, defined.runs, defined.subshell, false};
}

} // namespace shardlens::launchers
