// SPDX-License-Identifier: GPL-3.0-or-later
// The field table: one row per plan field, read by JSON in and out, `--set`, controls, tooltips, messages and
// (later) the search space. Adding a field is one row here and a member in plan.h.
#pragma once

#include <span>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/result.h"
#include "plan/message.h"
#include "plan/plan.h"

/// Marks a literal for translation without doing anything: labels, tooltips and message templates stay English here and
/// a view looks them up with QCoreApplication::translate("shardlens", text). lupdate finds them with
/// `-tr-function-alias QT_TR_NOOP+=SHARDLENS_TR`; the namespace is the context.
#define SHARDLENS_TR(text) text

namespace shardlens {

/// `text` of a FieldValue is one line of UTF-8 without control characters; `choice` is one of Field::choices.
enum class FieldType : std::uint8_t { boolean, integer, number, text, choice, integer_list, choice_list, text_list };

/// One plan field. Strings are literals; label and tooltip are English and marked for translation.
struct Field {
    const char* path;    ///< "parallel.tensor"; model shape fields are "model.layers", "model.moe.experts" …
    FieldType type;
    const char* unit;    ///< "", "B", "B/s", "tokens", "W", "USD", "h" …
    double minimum;      ///< bounds of the field itself, whatever the other fields say
    double maximum;
    std::vector<std::string_view> choices; ///< for choice and choice_list
    bool required;       ///< must be given (below "model", "model.moe" and "model.mla": where that object is given)
    bool omit_default;   ///< left out of written JSON when it has its default (or is left out in the plan)
    const char* label;
    const char* tooltip; ///< one sentence for the user
    FieldValue (*get)(const Plan&);
    void (*set)(Plan&, const FieldValue&); ///< the value has been checked against type, bounds and choices
    bool takes_bool = false; ///< a choice_list for which true (the usual ones) and false (none) may stand
    /// For text with a form of its own: what would be right, or nullptr when `text` is.
    const char* (*check_text)(std::string_view text) = nullptr;

    [[nodiscard]] std::string_view key() const;   ///< last part of the path
    [[nodiscard]] std::string_view group() const; ///< "parallel" of "parallel.tensor"; "" at top level
};

/// All fields in the order of the contract.
[[nodiscard]] std::span<const Field> fields();
[[nodiscard]] const Field* find_field(std::string_view path);

/// Value of a field; monostate when left out or when the path does not exist. A field with a default is never left
/// out: a plan without name has the name "". Shape fields exist only where the model is an object, those below
/// "model.moe" and "model.mla" only where it has that part; "model" itself is the preset id, monostate for a shape.
[[nodiscard]] FieldValue get_field(const Plan& plan, std::string_view path);

/// Value of a field in a plan that leaves it out; monostate for fields without one.
[[nodiscard]] FieldValue default_value(const Field& field);

/// The value as the field stores it, or what is wrong with it and what would be right. Whole numbers may come as
/// double (2.0, 1e5) and go out as integers; monostate goes out as the default.
[[nodiscard]] Result<FieldValue> check_value(const Field& field, const FieldValue& value);

/// What would be right for the field, for messages and hints: "a whole number from 1 to 10000000".
[[nodiscard]] std::string expectation(const Field& field);

/// Checks type, bounds and choices, then sets. Whole numbers may come as double (2.0, 1e5); monostate leaves the field
/// out. Setting a field below "model.moe" or "model.mla" creates that part; a shape field of a preset is an error.
/// The returned error is empty (`what` == "") when done; the plan is unchanged otherwise.
[[nodiscard]] Error set_field(Plan& plan, std::string_view path, const FieldValue& value);

/// As a person would write it: 8192 → "8192", lists "[1, 2]", text without quotes.
[[nodiscard]] std::string to_text(const FieldValue& value);

/// Names of enumerated values as the contract spells them ("1f1b", "adamw-8bit").
[[nodiscard]] std::string_view to_string(Precision);
[[nodiscard]] std::string_view to_string(Optimizer);
[[nodiscard]] std::string_view to_string(Attention);
[[nodiscard]] std::string_view to_string(Dtype);
[[nodiscard]] std::string_view to_string(ScheduleKind);
[[nodiscard]] std::string_view to_string(ContextKind);
[[nodiscard]] std::string_view to_string(Recompute);
[[nodiscard]] std::string_view to_string(RecomputeMethod);
[[nodiscard]] std::string_view to_string(Offload);
[[nodiscard]] std::string_view to_string(NormKind);
[[nodiscard]] std::string_view to_string(QkNorm);
[[nodiscard]] std::string_view to_string(Fidelity);
/// By the contract's name, "pipedream" included; empty for any other text.
[[nodiscard]] std::optional<ScheduleKind> schedule_kind(std::string_view name);
/// The values of `memory.recompute_modules`, in the order of the RecomputeModule bits.
[[nodiscard]] std::span<const std::string_view> recompute_module_names();

} // namespace shardlens
