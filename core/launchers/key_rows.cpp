// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/key_rows.h"

#include <nlohmann/json.hpp>

#include "plan/fields.h"
#include "plan/plan_json.h"

namespace shardlens::launchers {

using Json = nlohmann::ordered_json;

void set_key(Json& document, std::string_view key, Json value) {
    Json* at = &document;
    for (std::size_t dot = key.find('.'); dot != std::string_view::npos; dot = key.find('.')) {
        at = &(*at)[std::string(key.substr(0, dot))];
        key.remove_prefix(dot + 1);
    }
    (*at)[std::string(key)] = std::move(value);
}

std::optional<std::string_view> launcher_word(const KeyRow& row, std::string_view plan_value) {
    for (const auto& [plan_word, word] : row.words)
        if (plan_value == plan_word) return word;
    return std::nullopt;
}

void write_rows(std::span<const KeyRow> rows, const Plan& resolved, Json& document) {
    for (const KeyRow& row : rows) {
        const FieldValue value = get_field(resolved, row.path);
        if (std::holds_alternative<std::monostate>(value)) continue;
        if (row.words.empty()) {
            set_key(document, row.key, to_json(value));
            continue;
        }
        const auto word = launcher_word(row, to_text(value));
        if (!word) continue;
        if (*word == "true" || *word == "false")
            set_key(document, row.key, *word == "true");
        else
            set_key(document, row.key, std::string(*word));
    }
}

} // namespace shardlens::launchers
