// SPDX-License-Identifier: GPL-3.0-or-later
// One function per command; each lives in the file of its name.
#pragma once

#include "catalog/catalog.h"
#include "cli/cli.h"
#include "cli/options.h"

namespace shardlens::cli {

/// Exit code 2 with the error as the one line.
[[nodiscard]] Outcome unreadable(const Error& error);

/// Exit code 1 with the error as the one message, in either format.
[[nodiscard]] Outcome refused(const Error& error, const char* code, const Options& options);

Outcome plan_command(const Options& options, const Catalog& catalog);
Outcome validate_command(const Options& options, const Catalog& catalog);
Outcome explain_command(const Options& options, const Catalog& catalog);
Outcome schedule_command(const Options& options, const Catalog& catalog);
Outcome schedules_command(const Options& options, const Catalog& catalog);
Outcome balance_command(const Options& options, const Catalog& catalog);
Outcome placement_command(const Options& options, const Catalog& catalog);
Outcome orders_command(const Options& options, const Catalog& catalog);
Outcome failure_command(const Options& options, const Catalog& catalog);
Outcome compare_command(const Options& options, const Catalog& catalog);
Outcome calibrate_command(const Options& options, const Catalog& catalog);
Outcome export_command(const Options& options, const Catalog& catalog);
Outcome import_command(const Options& options, const Catalog& catalog);
Outcome lessons_command(const Options& options, const Catalog& catalog);
Outcome sgd_command(const Options& options, const Catalog& catalog);
Outcome presets_command(const Options& options, const Catalog& catalog);
Outcome bench_command(const Options& options, const Catalog& catalog);

} // namespace shardlens::cli
