// SPDX-License-Identifier: GPL-3.0-or-later
#include "json/text.h"

#include <fmt/format.h>

namespace shardlens {

std::size_t utf8_length(std::string_view text, std::size_t position) {
    const auto byte = [&](std::size_t offset) -> unsigned {
        return position + offset < text.size() ? static_cast<unsigned char>(text[position + offset]) : 0u;
    };
    const auto follows = [&](std::size_t offset) { return (byte(offset) & 0xC0u) == 0x80u; };
    if (position >= text.size()) return 0;
    const unsigned first = byte(0);
    if (first < 0x80) return 1;
    if (first >= 0xC2 && first <= 0xDF) return follows(1) ? 2 : 0;
    if (first >= 0xE0 && first <= 0xEF) {
        if (!follows(1) || !follows(2)) return 0;
        const bool overlong = first == 0xE0 && byte(1) < 0xA0;
        const bool surrogate = first == 0xED && byte(1) > 0x9F;
        return overlong || surrogate ? 0 : 3;
    }
    if (first >= 0xF0 && first <= 0xF4) {
        if (!follows(1) || !follows(2) || !follows(3)) return 0;
        const bool overlong = first == 0xF0 && byte(1) < 0x90;
        const bool too_large = first == 0xF4 && byte(1) > 0x8F;
        return overlong || too_large ? 0 : 4;
    }
    return 0;
}

bool valid_utf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = utf8_length(text, at);
        if (length == 0) return false;
        at += length;
    }
    return true;
}

std::string one_line(std::string_view text, std::size_t most) {
    std::string out;
    for (std::size_t at = 0; at < text.size();) {
        if (out.size() >= most) return out + "…";
        const std::size_t length = utf8_length(text, at);
        const auto byte = static_cast<unsigned char>(text[at]);
        if (length == 0 || byte < 0x20 || byte == 0x7F) {
            out += fmt::format("\\x{:02X}", byte);
            ++at;
        } else {
            out += text.substr(at, length);
            at += length;
        }
    }
    return out;
}

} // namespace shardlens
