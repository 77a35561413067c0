// SPDX-License-Identifier: GPL-3.0-or-later
// Validity: a table of rules, each with code, plan path, predicate, sentence and fixes. Shared by the
// window's marked fields, the command line, the search's pruning and the exporters.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "catalog/setup.h"
#include "plan/message.h"

namespace shardlens::rules {

struct Rule {
    const char* code; ///< stable: "tensor-heads"
    const char* path; ///< the field the message stands at
    /// "" = holds whatever the target; else the targets that turn it on, separated by spaces, each a launcher
    /// or launcher@version; "*" = any target.
    const char* launcher;
    Severity severity;
    /// Must not assume that other rules hold. Cheap: legal_values() asks it for every candidate.
    bool (*broken)(const Setup& setup);
    /// Sentence, arguments and proposed repairs of a broken rule; may move the message to another path.
    void (*describe)(const Setup& setup, Message& message);
};

[[nodiscard]] std::span<const Rule> table();

/// Every broken rule at once, errors first. Fixes have been tried: applied to the plan each removes its
/// message and brings no new error (what must follow, such as the data degree or the global batch, is part of
/// the fix).
[[nodiscard]] std::vector<Message> check(const Setup& setup);

/// Does the code belong to a rule that a target turns on?
[[nodiscard]] bool is_of_launcher(std::string_view code);

/// Values of an integer field that break no error rule about it given the rest of the plan, ascending; what a
/// slider steps through. For fields with free values (sequence length, batch sizes) a sensible ladder.
[[nodiscard]] std::vector<std::int64_t> legal_values(const Plan& plan, const Catalog& catalog,
                                                     std::string_view path);

} // namespace shardlens::rules
