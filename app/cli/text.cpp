// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli/text.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "plan/fields.h"

namespace shardlens::cli {

namespace {

/// Whole and small enough that every integer reader gets it exactly.
bool is_integer(double value) { return std::floor(value) == value && std::abs(value) < 9.0e18; }

/// Characters, not bytes, of UTF-8 text.
std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

} // namespace

std::string number(double value) {
    if (!std::isfinite(value)) return "null";
    if (is_integer(value)) return fmt::format("{}", static_cast<std::int64_t>(value));
    return fmt::format("{}", value);
}

nlohmann::ordered_json json_number(double value) {
    if (!std::isfinite(value)) return nullptr;
    if (is_integer(value)) return static_cast<std::int64_t>(value);
    return value;
}

std::string document(const nlohmann::ordered_json& value) {
    return value.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string one_line(std::string text) {
    for (char& c : text) {
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    }
    while (!text.empty() && text.back() == ' ') text.pop_back();
    return text;
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& right) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string gap(widths[i] - width(row[i]), ' ');
            const bool to_the_right = i < right.size() && right[i];
            line += (i > 0 ? "  " : "") + (to_the_right ? gap + row[i] : row[i] + gap);
        }
        while (!line.empty() && line.back() == ' ') line.pop_back();
        text += line + "\n";
    }
    return text;
}

} // namespace shardlens::cli
