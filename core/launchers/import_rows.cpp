// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/import_rows.h"

#include <cstring>

#include "plan/fields.h"

namespace shardlens::launchers {

void take_rows(KeyReader& keys, std::span<const KeyRow> rows) {
    for (const KeyRow& row : rows) {
        const Field* field = find_field(row.path);
        if (!field) continue;
        if (!row.words.empty()) {
            const auto word = keys.text(row.key);
            for (const auto& [ours, theirs] : row.words)
                if (word && *word == theirs) keys.take_as(row.key, row.path, std::string(ours));
        } else if (field->type == FieldType::boolean) {
            keys.take_flag(row.key, row.path);
        } else if (field->type == FieldType::integer) {
            keys.take_integer(row.key, row.path);
        } else {
            keys.take_text(row.key, row.path);
        }
    }
}

} // namespace shardlens::launchers
