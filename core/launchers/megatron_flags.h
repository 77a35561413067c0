// SPDX-License-Identifier: GPL-3.0-or-later
// The parts that make up Megatron-LM's command line (megatron/training/arguments.py). Facts that differ by
// release were read from the parsers of core 0.12, 0.16, 0.19 and main (August 2026).
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "launchers/launcher.h"

namespace shardlens::launchers {

/// Flags in order, with the release they are for and what could not be said.
struct MegatronArguments {
    int release = 19;       ///< minor number of megatron-core; main = 20
    bool mindspeed = false; ///< with MindSpeed's own flags
    std::vector<std::pair<std::string, std::vector<std::string>>>
        flags; ///< name with dashes, values ([] = bare)
    std::vector<std::pair<std::string, std::string>> environment;
    std::vector<NotExpressed> not_expressed;

    void flag(std::string name) { flags.emplace_back(std::move(name), std::vector<std::string>{}); }
    void flag(std::string name, std::string value) {
        flags.emplace_back(std::move(name), std::vector<std::string>{std::move(value)});
    }
    void flag(std::string name, std::int64_t value) { flag(std::move(name), std::to_string(value)); }
    void differs(std::string path, std::string instead) {
        not_expressed.push_back({std::move(path), std::move(instead)});
    }
};

/// What stands around the flags in train.sh.
struct MegatronScript {
    std::string target;           ///< "mindspeed@0.12"
    std::string title;            ///< for people
    std::string note;             ///< comment lines, each with # and line end
    bool with_model_args = false; ///< model_args.yaml beside it
};

/// All of the launcher's files; `arguments` comes with release and dialect set, and goes out filled.
[[nodiscard]] Export megatron_export(const Setup& setup, const MegatronScript& script,
                                     MegatronArguments& arguments);

/// Layers, widths, norms, positions, experts.
void add_megatron_model(const Setup& setup, MegatronArguments& arguments);
/// Degrees, pipeline split, sharding, overlap, rank order.
void add_megatron_parallel(const Setup& setup, MegatronArguments& arguments);
/// Batch, precision, optimizer, recomputation, offload.
void add_megatron_training(const Setup& setup, MegatronArguments& arguments);

/// "([0]*3+[1]*58)": a list of 0 and 1 as Megatron's parser reads it, runs of equal values folded.
[[nodiscard]] std::string pattern_text(const std::vector<bool>& pattern);

/// "Et*3|t*4|t*4|t*3L": the chunks of the pipeline in model order; MTP layers stand before the loss.
[[nodiscard]] std::string pipeline_layout(const std::vector<std::int64_t>& layers_per_chunk,
                                          std::int64_t mtp_layers);

} // namespace shardlens::launchers
