// SPDX-License-Identifier: GPL-3.0-or-later
// Which parts of a bash script run, as far as the tests of its ifs are decided by the text.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "launchers/bash_test.h"

namespace shardlens::launchers {

/// Does a part of the script run? `maybe`: the text alone does not say.
enum class Runs : std::uint8_t { no, maybe, yes };

/// What a block is opened by: if, a loop's word, case, {, (, a function's definition, text that is read in
/// place of a command.
enum class Opened : std::uint8_t { branch, loop, choice, braces, subshell, function, text };

/// A block that is open.
class BashBlock {
public:
    BashBlock(Opened by, Runs around)
        : m_by(by), m_around(around), m_runs(by <= Opened::choice     ? Runs::maybe
                                             : by == Opened::function ? Runs::no // read where it is called
                                                                      : Runs::yes) {}
    [[nodiscard]] Opened by() const { return m_by; }

    void begin_test() {
        if (m_by != Opened::branch) return;
        m_tests = true;
        m_negated = false;
        m_runs = Runs::maybe;
        m_test.clear();
        m_commands = 0;
    }
    [[nodiscard]] bool tests() const { return m_tests; }
    void negate() { m_negated = !m_negated; }
    /// A command between if or elif and then; `known`: nothing in its words is open.
    void add_test(std::vector<std::string> words, bool known) {
        m_commands += known ? 1 : 2; // one known command decides
        m_test = std::move(words);
    }
    void then() {
        m_tests = false;
        if (m_by != Opened::branch) return;
        auto said = m_commands == 1 ? evaluate_test(m_test) : std::nullopt;
        if (said && m_negated) said = !*said;
        if (m_decided || said == false) {
            m_runs = Runs::no;
        } else if (said) {
            m_runs = m_doubtful ? Runs::maybe : Runs::yes;
            m_decided = true;
        } else {
            m_runs = Runs::maybe;
            m_doubtful = true;
        }
    }
    void otherwise() {
        if (m_by == Opened::branch) m_runs = m_decided ? Runs::no : m_doubtful ? Runs::maybe : Runs::yes;
    }
    /// Given that what is around runs.
    [[nodiscard]] Runs itself() const { return m_runs; }
    [[nodiscard]] Runs inside() const { return std::min(m_around, m_runs); }

    bool pattern = false;     ///< of a case: a pattern follows, not a command
    bool parentheses = false; ///< closed by )
    bool piped = false;       ///< the block stands in a pipeline, behind a |

private:
    Opened m_by;
    Runs m_around;           ///< what the block stands in
    Runs m_runs;             ///< the branch that is being read
    bool m_tests = false;    ///< between if or elif and then
    bool m_negated = false;  ///< if ! …
    bool m_decided = false;  ///< a branch that runs, if the block gets so far, lies behind
    bool m_doubtful = false; ///< a branch that may have run lies behind
    std::vector<std::string> m_test;
    int m_commands = 0; ///< that the test is made of
};

} // namespace shardlens::launchers
