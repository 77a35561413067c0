// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace shardlens::launchers {

/// Parts of a Hugging Face config.json that are models of their own ("text_config", "vision_config" …): what
/// ImportOptions::part may name. Empty for a file with one model and for text that is no such file.
[[nodiscard]] std::vector<std::string> model_parts(std::string_view text);

/// Functions of a torchtitan configuration registry in Python that build a Trainer.Config, in the order written;
/// ImportOptions::part may name them as well.
[[nodiscard]] std::vector<std::string> python_configurations(std::string_view text);

} // namespace shardlens::launchers
