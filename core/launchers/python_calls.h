// SPDX-License-Identifier: GPL-3.0-or-later
// Literal keyword arguments of the calls in a Python file. Nothing is executed and nothing but literals is
// understood.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shardlens::launchers {

struct PythonCall {
    std::string name; ///< as written: "ParallelismConfig", "FullAC.Config"
    int line = 0;
    std::string keywords = "{}";          ///< the literal ones as a JSON object, in the order written
    std::vector<std::string> positional;  ///< as JSON, "" for another value than a literal
    std::vector<std::string> not_literal; ///< keywords with another value; "*" for unpacked ones
};

/// Calls in the order of their opening brackets. Literals: numbers and products of whole numbers, texts,
/// True, False, None and lists of them. Deeper nesting than 64 brackets is left unread.
[[nodiscard]] std::vector<PythonCall> python_calls(std::string_view text);

} // namespace shardlens::launchers
