// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import.h"
#include "catalog/setup.h"
#include "cli/commands.h"
#include "json/strict_json.h"

namespace shardlens::cli {

Outcome import_command(const Options& options, const Catalog& catalog) {
    const std::string& path = options.positional[0];
    const Result<std::string> text = read_text(path);
    if (!text) return unreadable(text.error());
    const auto imported = launchers::import_plan(*text, path == "-" ? "standard input" : path,
                                                 {.kind = options.kind, .sets = options.sets, .part = options.part});
    if (!imported) return unreadable(imported.error());
    // Ids that --set gives beside the file.
    if (imported->plan)
        if (const auto setup = resolve(*imported->plan, catalog); !setup) return unreadable(setup.error());
    std::string account;
    for (const launchers::ImportNote& note : imported->notes) account += note.line() + "\n";
    const int code = imported->plan ? kDone : kBroken;
    // The account is for people: on standard error beside the document, part of it where text is asked for.
    if (options.text) return {code, account + "\n" + imported->text, ""};
    return {code, imported->text, account};
}

} // namespace shardlens::cli
