// SPDX-License-Identifier: GPL-3.0-or-later
// Plans of our own that are not quite of today: unknown fields are named and left out, the rest is kept.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/import_documents.h"
#include "launchers/import_keys.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

int looks_like_contract(std::string_view text, std::string_view) {
    return text.find("\"shardlens/plan/") != std::string_view::npos ? 100 : 0;
}

Error read_contract(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    const auto document = relaxed_object(text, origin, plan);
    if (!document) return document.error();
    KeyReader keys(*document, plan);
    const auto schema = keys.text("schema");
    if (schema && *schema != kPlanSchema)
        plan.warn("schema", *schema, "another version of the format; read as {0}", {kPlanSchema});
    for (const Field& field : fields()) {
        const char* path = field.path;
        switch (field.type) {
        case FieldType::boolean: keys.take_flag(path, path); break;
        case FieldType::integer: keys.take_integer(path, path); break;
        case FieldType::number: keys.take_number(path, path); break;
        case FieldType::text:
        case FieldType::choice:
            if (const auto* value = keys.peek(path); value && value->is_object())
                break; // a model's own shape
            keys.take_text(path, path);
            break;
        case FieldType::integer_list: keys.take_integers(path, path); break;
        case FieldType::choice_list:
            if (const auto* value = keys.peek(path); value && value->is_boolean()) {
                keys.take_as(path, path, value->get<bool>());
                break;
            }
            keys.take_texts(path, path);
            break;
        case FieldType::text_list: keys.take_texts(path, path); break;
        }
    }
    keys.ignore({"overlap.*"});
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
