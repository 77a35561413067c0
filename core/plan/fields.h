// SPDX-License-Identifier: GPL-3.0-or-later
// The field table: one row per plan field, read by JSON in and out, `--set`, controls, tooltips, messages and
// (later) the search space. Adding a field is one row here and a member in plan.h.
#pragma once

#include <span>
#include <string>
#include <optional>
#include <string_view>
#include <vector>

#include "json/result.h"
#include "plan/message.h"
#include "plan/plan.h"

namespace shardlens {

enum class FieldType : std::uint8_t { boolean, integer, number, text, choice, integer_list, choice_list, text_list };

/// One plan field. Strings are literals; label and tooltip are English and marked for translation.
struct Field {
    const char* path;    ///< "parallel.tensor"; model shape fields are "model.layers", "model.moe.experts" …
    FieldType type;
    const char* unit;    ///< "", "B", "B/s", "tokens", "W", "USD", "h" …
    double minimum;      ///< bounds of the field itself, whatever the other fields say
    double maximum;
    std::vector<std::string_view> choices; ///< for choice and choice_list
    bool required;       ///< must be given
    bool omit_default;   ///< left out of written JSON when it has its default (or is left out in the plan)
    const char* label;
    const char* tooltip; ///< one sentence for the user
    FieldValue (*get)(const Plan&);
    void (*set)(Plan&, const FieldValue&); ///< the value has been checked against type, bounds and choices

    [[nodiscard]] std::string_view key() const;   ///< last part of the path
    [[nodiscard]] std::string_view group() const; ///< "parallel" of "parallel.tensor"; "" at top level
};

/// All fields in the order of the contract.
[[nodiscard]] std::span<const Field> fields();
[[nodiscard]] const Field* find_field(std::string_view path);

/// Value of a field; monostate when left out or when the path does not exist.
[[nodiscard]] FieldValue get_field(const Plan& plan, std::string_view path);

/// Checks type, bounds and choices, then sets. Whole numbers may come as double (2.0, 1e5).
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
[[nodiscard]] std::string_view to_string(Offload);
[[nodiscard]] std::string_view to_string(NormKind);
[[nodiscard]] std::string_view to_string(QkNorm);
[[nodiscard]] std::string_view to_string(Fidelity);
[[nodiscard]] std::optional<ScheduleKind> schedule_kind(std::string_view name);

} // namespace shardlens
