// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of reading a script that starts Megatron-LM: which program, its flags, how many processes.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launchers/bash_words.h"
#include "launchers/megatron_import.h"

namespace shardlens::launchers {

/// Options of Slurm's job script: name as written ("-N", "--nodes"), value.
using SbatchOptions = std::vector<std::pair<std::string, std::string>>;

/// From the #SBATCH lines before the first command; later ones sbatch does not read (its manual).
[[nodiscard]] SbatchOptions sbatch_options(std::string_view text);

/// Assignments of the variables that Slurm sets inside a job with these options (SLURM_NNODES …; sbatch's
/// manual, "OUTPUT ENVIRONMENT VARIABLES"), on one line, for those that stand in the text; a note of each
/// into the plan.
[[nodiscard]] std::string slurm_variables(const SbatchOptions& options, std::string_view text,
                                          Imported& plan);

/// cluster.gpus = number of processes, from the options before the program and those of the job; missing,
/// with the reason, when they do not say it.
void read_world(const SbatchOptions& job, const BashCommand& command, std::size_t program, Imported& plan);

/// The flags behind the word `program`. Words whose content is not known are told to `flags`.
void add_flags(const BashCommand& command, std::size_t program, MegatronFlags& flags);

/// The command whose flags count.
struct MegatronProgram {
    BashCommand command;                ///< no words = none found
    std::size_t at = 0;                 ///< index of the word that the flags stand behind
    std::size_t others = 0;             ///< further programs
    std::vector<std::string> variables; ///< whose values make up the command, when no program is started
};

/// The program with the most flags that are Megatron-LM's, also in a command that a word holds (ssh node
/// "…"). Without one, all variables that hold flags together: files of arguments that others source. What
/// they contradict each other in is a note.
[[nodiscard]] MegatronProgram find_program(const BashScript& script, const std::string& origin,
                                           Imported& plan);

} // namespace shardlens::launchers
