// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include "launchers/torchtitan.h"

namespace shardlens::launchers {

namespace {

struct Widths {
    std::int64_t layers, hidden, heads, kv_heads, ffn, vocab, experts, expert_ffn;
};

struct Row {
    TorchtitanFlavor flavor;
    Widths widths;
};

constexpr std::int64_t kLlamaContext = 131072, kQwenContext = 40960, kDeepSeekContext = 16384;

const std::array<Row, 16>& rows() {
    static const std::array<Row, 16> kRows = {{
        {{"llama3", "1B", "llama3.2-1b", false, kLlamaContext}, {16, 2048, 32, 8, 8192, 128256, 0, 0}},
        {{"llama3", "3B", "llama3.2-3b", false, kLlamaContext}, {28, 3072, 24, 8, 8192, 128256, 0, 0}},
        {{"llama3", "8B", "llama3-8b", true, kLlamaContext}, {32, 4096, 32, 8, 14336, 128256, 0, 0}},
        {{"llama3", "70B", "llama3-70b", true, kLlamaContext}, {80, 8192, 64, 8, 28672, 128256, 0, 0}},
        {{"llama3", "405B", "llama3.1-405b", true, kLlamaContext}, {126, 16384, 128, 8, 53248, 128256, 0, 0}},
        {{"qwen3", "0.6B", "qwen3-0.6b", true, kQwenContext}, {28, 1024, 16, 8, 3072, 151936, 0, 0}},
        {{"qwen3", "1.7B", "qwen3-1.7b", true, kQwenContext}, {28, 2048, 16, 8, 6144, 151936, 0, 0}},
        {{"qwen3", "4B", "qwen3-4b", true, kQwenContext}, {36, 2560, 32, 8, 9728, 151936, 0, 0}},
        {{"qwen3", "8B", "qwen3-8b", true, kQwenContext}, {36, 4096, 32, 8, 12288, 151936, 0, 0}},
        {{"qwen3", "14B", "qwen3-14b", true, kQwenContext}, {40, 5120, 40, 8, 17408, 151936, 0, 0}},
        {{"qwen3", "32B", "qwen3-32b", true, kQwenContext}, {64, 5120, 64, 8, 25600, 151936, 0, 0}},
        {{"qwen3", "30B-A3B", "qwen3-30b-a3b", true, kQwenContext}, {48, 2048, 32, 4, 0, 151936, 128, 768}},
        {{"qwen3", "235B-A22B", "qwen3-235b-a22b", true, kQwenContext},
         {94, 4096, 64, 4, 0, 151936, 128, 1536}},
        {{"deepseek_v3", "16B", "deepseek-v2-lite", true, kDeepSeekContext},
         {27, 2048, 16, 16, 10944, 102400, 64, 1408}},
        {{"deepseek_v3", "236B", "deepseek-v2", true, kDeepSeekContext},
         {60, 5120, 128, 128, 12288, 102400, 160, 1536}},
        {{"deepseek_v3", "671B", "deepseek-v3", true, kDeepSeekContext},
         {61, 7168, 128, 128, 18432, 129280, 256, 2048}},
    }};
    return kRows;
}

} // namespace

std::span<const TorchtitanFlavor> torchtitan_flavors() {
    static const std::vector<TorchtitanFlavor> kFlavors = [] {
        std::vector<TorchtitanFlavor> flavors;
        for (const Row& row : rows()) flavors.push_back(row.flavor);
        return flavors;
    }();
    return kFlavors;
}

const TorchtitanFlavor* torchtitan_flavor(const Setup& setup) {
    const ModelShape& shape = setup.shape;
    for (std::size_t i = 0; i < rows().size(); ++i) {
        const Widths& wanted = rows()[i].widths;
        const bool experts =
            setup.moe() ? shape.moe->experts == wanted.experts && shape.moe->expert_ffn == wanted.expert_ffn
                        : wanted.experts == 0;
        const bool ffn = wanted.ffn == 0 || shape.ffn_hidden == wanted.ffn;
        const bool latent =
            shape.mla.has_value() == (std::string_view(rows()[i].flavor.family) == "deepseek_v3");
        if (experts && ffn && latent && shape.layers == wanted.layers && shape.hidden == wanted.hidden &&
            shape.heads == wanted.heads && (latent || shape.kv() == wanted.kv_heads) &&
            shape.vocab == wanted.vocab && shape.gated_mlp && shape.norm == NormKind::rmsnorm)
            return &torchtitan_flavors()[i];
    }
    return nullptr;
}

std::optional<bool> torchtitan_has_experts(std::string_view preset) {
    for (const Row& row : rows())
        if (preset == row.flavor.preset) return row.widths.experts > 0;
    return std::nullopt;
}

std::int64_t torchtitan_layers(std::string_view preset) {
    for (const Row& row : rows())
        if (preset == row.flavor.preset) return row.widths.layers;
    return 0;
}

} // namespace shardlens::launchers
