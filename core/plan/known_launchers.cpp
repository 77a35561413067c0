// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/known_launchers.h"

#include <algorithm>
#include <array>

namespace shardlens {

std::span<const KnownLauncher> known_launchers() {
    static const std::array<KnownLauncher, 12> kKnown = {{
        {"megatron-lm", "Megatron-LM", {"0.19", "0.16", "0.12", "main"}},
        {"megatron-bridge", "Megatron-Bridge", {"0.6"}},
        {"mindspeed", "MindSpeed", {"0.12"}},
        {"deepspeed", "DeepSpeed", {"0.19"}},
        {"torchtitan", "torchtitan", {"0.2.2", "main"}},
        {"accelerate", "accelerate", {"1.15"}},
        {"nanotron", "nanotron", {"0.4"}},
        {"colossalai", "ColossalAI", {"0.5"}},
        {"llm-foundry", "llm-foundry", {"0.22"}},
        {"sagemaker", "SageMaker", {"1", "2"}},
        {"bmtrain", "BMTrain", {"1.0"}},
        {"contract", "ShardLens", {"1"}},
    }};
    return kKnown;
}

std::pair<const KnownLauncher*, std::string_view> split_target(std::string_view target) {
    const std::size_t at = target.find('@');
    const std::string_view id = target.substr(0, at);
    for (const KnownLauncher& known : known_launchers())
        if (known.id == id)
            return {&known, at == std::string_view::npos ? known.versions.front() : target.substr(at + 1)};
    return {nullptr, {}};
}

bool is_among(std::string_view target, std::string_view launchers) {
    if (target.empty()) return false;
    if (launchers == "*") return true;
    const std::string_view id = target.substr(0, target.find('@'));
    while (!launchers.empty()) {
        const std::string_view word = launchers.substr(0, launchers.find(' '));
        launchers.remove_prefix(std::min(launchers.size(), word.size() + 1));
        if (!word.starts_with(id)) continue;
        if (word.size() == id.size()) return true;
        if (word[id.size()] == '@' && word.substr(id.size() + 1) == split_target(target).second) return true;
    }
    return false;
}

} // namespace shardlens
