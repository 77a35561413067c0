// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/read_rows.h"

#include <algorithm>
#include <cctype>
#include <limits>
#include <nlohmann/json.hpp>

#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

bool same_word(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

/// The plan's text as a value of the field's type.
FieldValue typed(const char* path, const char* text) {
    const Field* field = find_field(path);
    if (field && field->type == FieldType::boolean) return std::string_view(text) == "true";
    if (field && field->type == FieldType::integer) return static_cast<std::int64_t>(std::stoll(text));
    return std::string(text);
}

void read_word(const KeyRow& row, const Names& names, KeyReader& keys, Imported& plan) {
    const nlohmann::ordered_json* value = keys.find(names);
    if (!value) return;
    const std::string written = value->is_boolean()  ? (value->get<bool>() ? "true" : "false")
                                : value->is_string() ? value->get<std::string>()
                                                     : value->dump();
    if (same_word(written, "auto")) {
        plan.not_understood(keys.key(names), written, "filled in elsewhere");
        return;
    }
    for (const auto& [plan_word, word] : row.words) {
        if (!same_word(written, word)) continue;
        keys.take_as(names, row.path, typed(row.path, plan_word));
        return;
    }
    plan.not_understood(keys.key(names), written, "no such value is known for {0}", {row.path});
}

std::optional<std::int64_t> product(std::initializer_list<std::int64_t> factors) {
    std::int64_t result = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(result, factor, &result)) return std::nullopt;
    return result;
}

} // namespace

Names names_of(std::string_view key, std::span<const OldNames> old) {
    Names names{std::string(key)};
    for (const OldNames& row : old)
        if (key == row.key) names.names.insert(names.names.end(), row.old.begin(), row.old.end());
    return names;
}

void read_rows(std::span<const KeyRow> rows, KeyReader& keys, Imported& plan, std::span<const OldNames> old) {
    for (const KeyRow& row : rows) {
        const Names names = names_of(row.key, old);
        if (!row.words.empty()) {
            read_word(row, names, keys, plan);
            continue;
        }
        const Field* field = find_field(row.path);
        if (!field) continue;
        if (field->type == FieldType::boolean) {
            keys.take_flag(names, row.path);
        } else if (field->type == FieldType::integer) {
            if (!keys.take_integer(names, row.path) && keys.has(names))
                plan.needs(row.path, "its value is not understood"); // a plan's default is not what it says
        } else if (field->type == FieldType::number) {
            keys.take_number(names, row.path);
        } else {
            keys.take_text(names, row.path);
        }
    }
}

void read_world(KeyReader& keys, Imported& plan, const Names& key,
                std::initializer_list<const char*> degrees) {
    std::optional<std::int64_t> world = 1;
    for (const char* path : degrees) {
        const auto degree = plan.integer(path);
        if (!degree || *degree < 1 || !world) return;
        world = product({*world, *degree});
    }
    if (world) keys.take_as(key, "cluster.gpus", *world, "the product of the degrees");
}

void read_global_batch(KeyReader& keys, Imported& plan, const Names& accumulation) {
    const auto steps = keys.integer(accumulation);
    if (!steps) return;
    const auto micro = plan.integer("training.micro_batch_size");
    const auto data = plan.integer("parallel.data");
    if (!micro || !data) {
        plan.missing("training.global_batch_size",
                     "it is the number of micro-batches times micro batch and data ranks", {},
                     keys.key(accumulation), keys.shown(accumulation));
        return;
    }
    if (const auto batch = product({*steps, *micro, *data}))
        keys.take_as(accumulation, "training.global_batch_size", *batch,
                     "micro-batch · accumulation · data ranks");
}

void read_micro_batch_count(KeyReader& keys, Imported& plan, const Names& key) {
    const auto count = keys.integer(key);
    if (!count) return;
    const auto micro = plan.integer("training.micro_batch_size"), gpus = plan.integer("cluster.gpus");
    const auto ranks =
        product({integer_or(plan, "parallel.tensor", 1), integer_or(plan, "parallel.pipeline", 1)});
    const bool known = micro && gpus && ranks && *ranks > 0 && *gpus >= *ranks;
    if (const auto batch = known ? product({*count, *micro, *gpus / *ranks}) : std::nullopt)
        keys.take_as(key, "training.global_batch_size", *batch);
    else
        plan.missing("training.global_batch_size",
                     "it is the number of micro-batches times micro batch and data ranks", {}, keys.key(key),
                     keys.shown(key));
}

void assume_gradient_precision(Imported& plan) {
    const auto precision = plan.value("training.precision");
    if (!precision || !std::holds_alternative<std::string>(*precision)) return;
    const auto& word = std::get<std::string>(*precision);
    plan.assume("training.gradient_dtype", word == "fp32" || word == "fp16" ? word : "bf16",
                "gradients have the training precision");
}

std::int64_t integer_or(const Imported& plan, std::string_view path, std::int64_t otherwise) {
    return plan.integer(path).value_or(otherwise);
}

} // namespace shardlens::launchers
