// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import_documents.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::launchers {

Result<nlohmann::ordered_json> relaxed_object(std::string_view text, const std::string& origin,
                                              Imported& plan) {
    std::vector<Oddity> oddities;
    auto document = parse_relaxed(text, origin, oddities);
    if (!document) return document.error();
    if (!document->is_object())
        return Error{one_line(origin, 200), "is JSON, but no object; an object {…} is right"};
    for (const Oddity& oddity : oddities) {
        const std::string key = oddity.path.empty() ? fmt::format("line {}", oddity.line)
                                                    : fmt::format("{} (line {})", oddity.path, oddity.line);
        if (oddity.what.find("to be filled in") != std::string::npos)
            plan.not_understood(key, oddity.value, oddity.what);
        else
            plan.warn(key, oddity.value, "{0}: not JSON, other programs may refuse the file", {oddity.what});
    }
    return document;
}

} // namespace shardlens::launchers
