// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/commands.h"
#include "cli/text.h"
#include "json/strict_json.h"

namespace shardlens::cli {

Outcome presets_command(const Options& options, const Catalog& catalog) {
    const std::string& action = options.positional[0];
    if (action == "show") {
        Result<std::string> text = catalog.text(options.positional[1]);
        if (!text) return unreadable(text.error());
        if (const auto read = parse_strict(*text, "preset " + options.positional[1]); !read)
            return unreadable(read.error());
        return {kDone, *std::move(text), ""};
    }
    if (action != "list") {
        return unreadable({"shardlens-cli", fmt::format("presets takes list or show ID, not '{}'", action)});
    }
    nlohmann::ordered_json output;
    std::vector<std::vector<std::string>> rows;
    for (const auto& [name, kind] :
         {std::pair{"models", PresetKind::model}, std::pair{"nodes", PresetKind::node},
          std::pair{"accelerators", PresetKind::accelerator}, std::pair{"stacks", PresetKind::stack},
          std::pair{"plans", PresetKind::plan}}) {
        output[name] = nlohmann::ordered_json::array();
        for (const PresetEntry& entry : catalog.list(kind)) {
            output[name].push_back({{"id", entry.id}, {"name", entry.name}});
            rows.push_back({name, entry.id, entry.name});
        }
    }
    return {kDone, options.text ? table(rows) : document(output), ""};
}

} // namespace shardlens::cli
