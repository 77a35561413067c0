// SPDX-License-Identifier: GPL-3.0-or-later
// How a row of the field table reaches its member: places (where in a Plan) and conversions (member ↔
// FieldValue). Internal to core/plan.
#pragma once

#include <algorithm>
#include <concepts>
#include <iterator>
#include <type_traits>

#include "plan/enum_names.h"
#include "plan/fields.h"

namespace shardlens::detail {

// Places. find() gives nullptr where the plan has no such part; make() creates the part.

template <auto Member> struct Top {
    static auto* find(auto& plan) { return &(plan.*Member); }
    static auto& make(Plan& plan) { return plan.*Member; }
};

template <auto Group, auto Member> struct In {
    static auto* find(auto& plan) { return &(plan.*Group.*Member); }
    static auto& make(Plan& plan) { return plan.*Group.*Member; }
};

template <auto Member> struct InModel {
    static auto find(auto& plan) -> decltype(&(std::get<ModelShape>(plan.model).*Member)) {
        auto* shape = std::get_if<ModelShape>(&plan.model);
        return shape ? &(shape->*Member) : nullptr;
    }
    static auto& make(Plan& plan) {
        if (!std::holds_alternative<ModelShape>(plan.model)) plan.model = ModelShape{};
        return std::get<ModelShape>(plan.model).*Member;
    }
};

template <auto Part, auto Member> struct InModelPart {
    static auto find(auto& plan) -> decltype(&(*(std::get<ModelShape>(plan.model).*Part).*Member)) {
        auto* part = InModel<Part>::find(plan);
        return part && part->has_value() ? &(**part.*Member) : nullptr;
    }
    static auto& make(Plan& plan) {
        auto& part = InModel<Part>::make(plan);
        if (!part) part.emplace();
        return *part.*Member;
    }
};

template <auto Member> using Cluster = In<&Plan::cluster, Member>;
template <auto Member> using Train = In<&Plan::training, Member>;
template <auto Member> using Par = In<&Plan::parallel, Member>;
template <auto Member> using Mem = In<&Plan::memory, Member>;
template <auto Member> using Over = In<&Plan::overlap, Member>;
template <auto Member> using Moe = InModelPart<&ModelShape::moe, Member>;
template <auto Member> using Mla = InModelPart<&ModelShape::mla, Member>;

// Conversions.

template <class E>
requires std::is_enum_v<E> FieldValue to_value(E value) {
    return std::string(names(value)[static_cast<std::size_t>(value)]);
}
template <class T>
requires(!std::is_enum_v<T>) FieldValue to_value(const T& value) { return value; }
template <class T> FieldValue to_value(const std::optional<T>& value) {
    return value ? to_value(*value) : FieldValue{};
}

template <class T> void from_value(const FieldValue& value, T& member) {
    if constexpr (std::is_enum_v<T>) {
        const auto& known = names(T{});
        const auto found = std::find(known.begin(), known.end(), std::get<std::string>(value));
        if (found != known.end()) member = static_cast<T>(std::distance(known.begin(), found));
    } else {
        member = std::get<T>(value);
    }
}
template <class T> void from_value(const FieldValue& value, std::optional<T>& member) {
    if (std::holds_alternative<std::monostate>(value)) {
        member.reset();
        return;
    }
    T inner{};
    from_value(value, inner);
    member = std::move(inner);
}

template <class Place> FieldValue get_member(const Plan& plan) {
    const auto* member = Place::find(plan);
    return member ? to_value(*member) : FieldValue{};
}
template <class Place> void set_member(Plan& plan, const FieldValue& value) {
    from_value(value, Place::make(plan));
}

// Rows.

inline constexpr double kMaxCount = 2147483647; ///< contract: counts without a bound of their own
inline constexpr double kMaxGpus = 10'000'000;
inline constexpr double kMaxLayers = 100'000;
inline constexpr double kMaxSequence = 1e9;
inline constexpr double kMaxParameters = 1e16;
inline constexpr double kMaxAmount = 1e18; ///< bytes, bytes per second, tokens: far above anything built
inline constexpr double kSmallestShare = 1e-4;

enum class Given : std::uint8_t {
    required,
    shown,  ///< written even when it has its default
    omitted ///< left out of written JSON when it has its default
};

template <class Place>
Field row(const char* path, FieldType type, Given given, const char* label, const char* tooltip,
          const char* unit = "", double minimum = 0, double maximum = 0,
          std::vector<std::string_view> choices = {}) {
    return {path,
            type,
            unit,
            minimum,
            maximum,
            std::move(choices),
            given == Given::required,
            given == Given::omitted,
            label,
            tooltip,
            get_member<Place>,
            set_member<Place>};
}

template <class Place>
Field integer(const char* path, Given given, double minimum, double maximum, const char* unit,
              const char* label, const char* tooltip) {
    return row<Place>(path, FieldType::integer, given, label, tooltip, unit, minimum, maximum);
}
template <class Place>
Field number(const char* path, Given given, double minimum, double maximum, const char* unit,
             const char* label, const char* tooltip) {
    return row<Place>(path, FieldType::number, given, label, tooltip, unit, minimum, maximum);
}
template <class Place> Field boolean(const char* path, Given given, const char* label, const char* tooltip) {
    return row<Place>(path, FieldType::boolean, given, label, tooltip);
}
template <class Place> Field text(const char* path, Given given, const char* label, const char* tooltip) {
    return row<Place>(path, FieldType::text, given, label, tooltip);
}
template <class Place>
Field choice(const char* path, Given given, std::vector<std::string_view> choices, const char* label,
             const char* tooltip) {
    return row<Place>(path, FieldType::choice, given, label, tooltip, "", 0, 0, std::move(choices));
}
template <class Array> std::vector<std::string_view> all(const Array& array) {
    return {array.begin(), array.end()};
}

/// The parts of the table, in the contract's order.
void add_model_fields(std::vector<Field>& table);
void add_cluster_fields(std::vector<Field>& table);
void add_training_fields(std::vector<Field>& table);
void add_parallel_fields(std::vector<Field>& table);
void add_memory_fields(std::vector<Field>& table);

} // namespace shardlens::detail
