// SPDX-License-Identifier: GPL-3.0-or-later
// What all launchers share: process start on static rendezvous, Slurm, hosts, refusals.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "launchers/launcher.h"

namespace shardlens::launchers {

/// Processes on every node: a whole node's GPUs, or all GPUs of a plan smaller than a node.
[[nodiscard]] std::int64_t processes_per_node(const Setup& setup);
/// The same, or the rest where the GPUs are no whole number of nodes.
[[nodiscard]] std::int64_t processes_on_last_node(const Setup& setup);

/// A plan value that the launcher has no way to run. `fixes` lead to the nearest plan it can run.
[[nodiscard]] Message refusal(const char* code, const char* path, const char* text_template,
                              std::vector<std::string> arguments, std::vector<Fix> fixes);

/// What holds for every launcher: host names that can be used, and enough of them.
void check_hosts(const Setup& setup, Export& result);

/// Do the ranks of `order` (contract spelling, left-most fastest) land where the plan's own rank order puts
/// them? Axes of size 1 do not count.
[[nodiscard]] bool same_placement(const Setup& setup, std::string_view order);

/// Adds hosts, run.sh and job.slurm.sh. `start` is the shell code that ends run.sh; it finds NNODES,
/// NPROC_PER_NODE, NODE_RANK, MASTER_ADDR, MASTER_PORT and here (the folder) set. Everything in
/// `not_expressed` so far is written into run.sh as a comment.
void add_launch_files(const Setup& setup, std::string_view launcher_at_version, std::string_view start,
                      Export& result);

/// torchrun with the plan's nodes, for `start`: ends with a backslash, the program follows on the next line.
[[nodiscard]] std::string torchrun_lines();

/// One line for a comment: no line breaks or control characters.
[[nodiscard]] std::string comment_text(std::string_view text);

/// A word for bash, in single quotes where it needs them.
[[nodiscard]] std::string shell_word(const std::string& text);

} // namespace shardlens::launchers
