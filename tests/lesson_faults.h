// SPDX-License-Identifier: GPL-3.0-or-later
// What can be wrong with a lesson: each fault of tests/data/lessons/en/small.md.
#pragma once

#include <string>

namespace shardlens::test {

struct LessonFault {
    const char *from, *to; ///< the change that makes it
    std::string line;      ///< ":12"; ":" anywhere
    const char* part;      ///< of the sentence that tells it
};

inline const LessonFault kLessonFaults[] = {
    {"---\nid", "id", ":1", "front matter"},
    {"id: small", "id: Small Lesson", ":2", "small letters"},
    {"order: 1", "ordre: 1", ":3", "order is right"},
    {"order: 1", "order: one", ":3", "whole number"},
    {"order: 1", "order: 1\norder: 2", ":4", "twice"},
    {"summary: One", "summary: {One", ":", "not YAML"},
    {"textbook-70b-zero0\nplans", "textbook-70b\nplans", ":6", "textbook-70b"},
    {"plan: textbook-70b-zero0\nplans", "plan: none.json\nplans", ":6", "no plan file"},
    {"{set: {parallel.zero: 3}}", "{set: {parallel.zro: 3}}", ":8", "parallel.zero"},
    {"views: [memory, time]", "views: [memroy]", ":10", "view 'memroy'"},
    {"focus: memory.stages.0.optimizer_bytes", "focus: memory.stages.0.optimiser_bytes", ":1",
     "optimizer_bytes"},
    {"report.verdict | text", "report.verdict | s", ":18", "the unit text is right"},
    {"{{ report.verdict | text }}", "{{ report.verdict }}", ":18", "not of the form"},
    {"{{ report.verdict | text }}", "{{ report.verdict | text", ":18", "no end"},
    {"{{ report.verdict | text }}", "{{ report.time.step_s | sec }}", ":18", "unit 'sec'"},
    {"{{ report.verdict | text }}", "about 46.7 % of it", ":18", "46.7 %"},
    {"{{ report.verdict | text }}", "1222 GiB", ":18", "1222 GiB"},
    {"{{ report.verdict | text }}", "<b>fits</b>", ":18", "HTML"},
    {"```action\nlabel: Ring", "```acton\nlabel: Ring", ":26", "action is right"},
    {"kind: ring", "kind: rings", ":28", "two-level"},
    {"play: {kind: ring, ranks: 8,", "play: {kind: two-level, ranks: 8, per_node: 3,", ":26", "every node"},
    {"highlight: memory.stages.0.opt", "highlight: memory.stages.9.opt", ":20", "highlight"},
    {"wait_for: 4", "wait_for: 9", ":", "wait_for"},
    {"delay: exponential", "delay: gaussian", ":", "shifted_exponential"},
    {"play: {kind: ring, ranks: 8, bytes: \"2 * seven.report.model.parameters\"}\n", "", ":", "does nothing"},
    {"id: saves-memory", "id: per-parameter", ":", "twice"},
    {"kind: number", "kind: numeric", ":", "number, choice, goal"},
    {"answer: \"states_bytes(1, 0, 1)\"", "answer: \"states_byte(1, 0, 1)\"", ":", "states_bytes"},
    {"answer: \"states_bytes(1, 0, 1)\"", "answer: \"1 / 3\"", ":", "tolerance"},
    {"unit: B", "unit: bytes", ":", "unit 'bytes'"},
    {"tolerance: 0", "tolerance: 2", ":", "tolerance"},
    {", right: true}", ", why: no}", ":", "0 of 2 options"},
    {", why: Every rank holds everything.}", "}", ":", "why it is wrong"},
    {"goal: \"report.fits", "goal: \"report.fit", ":", "fits"},
    {"memory.recompute: full}}", "memory.recompute: none}}", ":", "does not meet"},
    {"wrong: {set: {parallel.zero: 3}}", "wrong: {set: {parallel.zero: 3, memory.recompute: full}}", ":",
     "meets the goal"},
    {"allow: [parallel.zero, memory.recompute]", "allow: [parallel.zero]", ":", "allow does not name"},
    {"allow: [parallel.zero, memory", "allow: [parallel.zreo, memory", ":", "no field"},
    {"Wait for an answer.\n```", "Wait for an answer.", ":", "no end"},
};

} // namespace shardlens::test
