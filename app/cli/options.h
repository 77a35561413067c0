// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sync/sgd.h"

namespace shardlens::cli {

/// Options of `schedule`; integers 0 and overlapped < 0 mean "left out".
struct ScheduleOptions {
    std::string kind;
    std::int64_t stages = 0, micro_batches = 0, chunks = 0, group = 0;
    double forward = 1, backward_input = 1, backward_weight = 1, overlapped = -1, hop = 0;
};

/// Options of `calibrate`; numbers 0 mean "left out".
struct CalibrateOptions {
    std::string log, name;
    double step_s = 0, allocated_bytes = 0, reserved_bytes = 0;
    bool save = false;
};

/// Options of `sgd`; wait_for 0 = left out.
struct SgdOptions {
    std::string variant;
    std::int64_t workers = 8, wait_for = 0, updates = 60000, seed = 1;
    sync::DelayWords delay;
};

/// The arguments of one call, checked as far as they can be without reading a file.
struct Options {
    bool text = false;                   ///< --format text
    std::vector<std::string> sets;       ///< --set, in order
    std::vector<std::string> positional; ///< as many as the command needs
    std::string launcher, directory;     ///< export --to, --out
    std::string kind;                    ///< import --from: importer's id, or id@version; "" = by its look
    std::string part;                    ///< import --part: the one of several models in a file
    std::int64_t depth = 1;              ///< explain --depth: levels of named parts
    std::string trace;                   ///< plan and schedule --trace: a file for trace events
    std::string out;                     ///< balance and orders --out: a file for the plan
    std::int64_t node = 0;               ///< failure --node
    std::optional<std::int64_t> nic;     ///< failure --nic
    ScheduleOptions schedule;
    CalibrateOptions calibrate;
    SgdOptions sgd;
    std::string language = "en";      ///< lessons --language
    std::optional<std::int64_t> step; ///< lessons show --step
};

/// One command as the help shows it and the parser takes it.
struct Syntax {
    const char* name;
    std::vector<const char*> positional; ///< names of the required positional arguments
    const char* options;                 ///< usage of the options, "" = only --format
    bool takes_sets;
    const char* summary;
    std::size_t optional = 0; ///< so many of the last positional arguments may be left out
};

/// Options, or a text to print (--help), or an error line.
struct Parsed {
    std::optional<Options> options;
    std::string help;
    std::string error;
};

/// Reads the arguments behind the command's name.
[[nodiscard]] Parsed parse_options(const Syntax& syntax, std::span<const std::string> arguments);

/// "shardlens-cli plan PLAN.json [--set PATH=VALUE]... [--format json|text]"
[[nodiscard]] std::string usage(const Syntax& syntax);

} // namespace shardlens::cli
