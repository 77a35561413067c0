// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "formula/traced.h"

namespace shardlens {

/// A number explained: what `shardlens-cli explain` prints and the explanation panel shows.
struct Explanation {
    std::string name;
    double value = 0;
    std::string unit;
    std::string formula;     ///< with names
    std::string substituted; ///< numbers, + - * / ^ ( ), min, max, ceil, floor only; evaluates to `value`
    std::string source;
    Tag tag = Tag::exact;
    std::vector<Explanation>
        parts; ///< the named quantities of the formula, in order of appearance, each once
};

/// Explains a recorded number. The formula stops at named quantities; `parts` goes `depth` levels into them.
[[nodiscard]] Explanation explain(const Traced& number, int depth = 1);

/// Evaluates the grammar of `Explanation::substituted`. Returns NaN when the text is not of that grammar.
[[nodiscard]] double evaluate_expression(const std::string& text);

} // namespace shardlens
