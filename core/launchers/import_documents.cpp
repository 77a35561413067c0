// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import_documents.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <toml++/toml.h>

#include "json/strict_json.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

/// The parsed form of a larger file would fill the memory.
constexpr std::size_t kMostTomlBytes = std::size_t{8} << 20;

Json from_toml(const toml::node& node) {
    if (const auto* table = node.as_table()) {
        Json object = Json::object();
        for (const auto& [key, value] : *table) object[std::string(key.str())] = from_toml(value);
        return object;
    }
    if (const auto* array = node.as_array()) {
        Json list = Json::array();
        for (const toml::node& item : *array) list.push_back(from_toml(item));
        return list;
    }
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* count = node.as_integer()) return count->get();
    if (const auto* number = node.as_floating_point()) return number->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    return nullptr; // dates have no place in a configuration
}

} // namespace

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

Result<Json> toml_document(std::string_view text, const std::string& origin) {
    const std::string where = one_line(origin, 200);
    if (text.size() > kMostTomlBytes) return Error{where, "is larger than 8 MiB; a smaller file is right"};
    try {
        return from_toml(toml::parse(text, origin));
    } catch (const toml::parse_error& error) {
        return Error{fmt::format("{}:{}", where, error.source().begin.line),
                     fmt::format("is not TOML: {}", one_line(error.description(), 200))};
    }
}

} // namespace shardlens::launchers
