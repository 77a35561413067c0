// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace shardlens {

/// Why something could not be read: one line that says where, what is wrong and what would be right.
struct Error {
    std::string where; ///< file, file:line, or plan path; may be empty
    std::string what;

    [[nodiscard]] std::string line() const { return where.empty() ? what : where + ": " + what; }
    bool operator==(const Error&) const = default;
};

/// A value or the error that prevented it (GCC 12 has no std::expected in C++20).
template <class T> class Result {
public:
    Result(T value) : m_state(std::in_place_index<0>, std::move(value)) {}      // NOLINT: implicit on purpose
    Result(Error error) : m_state(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit on purpose

    [[nodiscard]] bool ok() const { return m_state.index() == 0; }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const T& value() const& { return std::get<0>(m_state); }
    [[nodiscard]] T&& value() && { return std::get<0>(std::move(m_state)); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] T&& operator*() && { return std::get<0>(std::move(m_state)); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] const Error& error() const { return std::get<1>(m_state); }

private:
    std::variant<T, Error> m_state;
};

} // namespace shardlens
