// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/message.h"

#include <charconv>

namespace shardlens {

const char* to_string(Severity severity) {
    switch (severity) {
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: break;
    }
    return "error";
}

std::string Message::text() const {
    std::string out;
    for (std::size_t at = 0; at < text_template.size(); ++at) {
        if (text_template[at] == '{') {
            const char* begin = text_template.data() + at + 1;
            const char* end = text_template.data() + text_template.size();
            std::size_t index = 0;
            const auto [stop, failure] = std::from_chars(begin, end, index);
            if (failure == std::errc{} && stop < end && *stop == '}' && index < arguments.size()) {
                out += arguments[index];
                at += static_cast<std::size_t>(stop - begin) + 1;
                continue;
            }
        }
        out += text_template[at];
    }
    return out;
}

} // namespace shardlens
