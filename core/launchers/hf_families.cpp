// SPDX-License-Identifier: GPL-3.0-or-later
// Read from the modelling and configuration classes of transformers (models/*/modeling_*.py,
// configuration_*.py) and of the models' own repositories where the class lives there (qwen, chatglm,
// internlm2, baichuan, mpt, dbrx).
#include "launchers/hf_families.h"

#include <fmt/format.h>

namespace shardlens::launchers {

namespace {

constexpr NormKind kRms = NormKind::rmsnorm, kLayer = NormKind::layernorm;
constexpr const char* kAll = " qkv attn_out mlp ";

constexpr HfFamily kFamilies[] = {
    {" llama mistral ministral mixtral phi3 deepseek deepseek_v2 deepseek_v3 kimi_k2 llama4_text "
     "internlm2 baichuan granite granitemoe exaone minicpm jamba yi ",
     true, "silu", kRms, false, " ", false},
    {" smollm3 ", true, "silu", kRms, false, " ", true},
    {" qwen qwen2 qwen2_moe qwen2_vl_text qwen2_5_vl_text ", true, "silu", kRms, false, " qkv ", false},
    {" qwen3 qwen3_moe qwen3_vl_text qwen3_vl_moe_text ", true, "silu", kRms, false, " ", false, 2,
     QkNorm::per_head},
    {" gemma ", true, "gelu_tanh", kRms, false, " ", true},
    {" gemma2 ", true, "gelu_tanh", kRms, false, " ", true, 4},
    {" gemma3_text gemma3n_text ", true, "gelu_tanh", kRms, false, " ", true, 4, QkNorm::per_head},
    {" grok-1 grok ", true, "gelu", kRms, false, " ", true, 4},
    {" glm4_moe ", true, "silu", kRms, false, " qkv ", false},
    {" glm ", true, "silu", kRms, false, " qkv ", false},
    {" glm4 ", true, "silu", kRms, false, " qkv ", false, 4},
    {" chatglm ", true, "silu", kRms, false, " qkv ", false},
    {" gpt_oss ", true, "swiglu_clamped", kRms, false, " qkv attn_out mlp router experts ", false},
    {" openelm ", true, "silu", kRms, false, " ", true, 2, QkNorm::per_head},
    {" olmo2 ", true, "silu", kRms, false, " ", false, 2, QkNorm::full},
    {" olmoe ", true, "silu", kRms, false, " ", false, 2, QkNorm::full},
    {" cohere ", true, "silu", kLayer, false, " ", true, 1, QkNorm::none, true},
    {" dbrx ", true, "silu", kLayer, false, " ", false},
    {" stablelm ", true, "silu", kLayer, true, " ", false},
    {" phi3small ", true, "gegelu", kLayer, true, kAll, true},
    {" phimoe ", true, "silu", kLayer, true, " qkv attn_out lm_head ", false},
    {" nemotron ", false, "relu2", kLayer, true, " ", false},
    {" starcoder2 ", false, "gelu_tanh", kLayer, true, kAll, true},
    {" phi phi-msft ", false, "gelu_new", kLayer, true, " qkv attn_out mlp lm_head ", false, 1, QkNorm::none,
     true},
    {" gptj codegen ", false, "gelu_new", kLayer, true, " mlp lm_head ", false, 1, QkNorm::none, true},
    {" gpt_neox ", false, "gelu", kLayer, true, kAll, false, 2, QkNorm::none, true},
    {" gpt2 gpt_bigcode openai-gpt ", false, "gelu_new", kLayer, true, kAll, true, 2, QkNorm::none, false,
     HfPositions::learned},
    {" opt ", false, "relu", kLayer, true, kAll, true, 2, QkNorm::none, false, HfPositions::learned_plus_2},
    {" bloom ", false, "gelu", kLayer, true, kAll, true, 2, QkNorm::none, false, HfPositions::none, true},
    {" mpt ", false, "gelu", kLayer, false, " ", true, 2, QkNorm::none, false, HfPositions::learned},
    {" falcon RefinedWeb RefinedWebModel ", false, "gelu", kLayer, true, " ", true, 2, QkNorm::none, true},
};

struct ClassDefault {
    const char* types;
    const char* key;
    std::int64_t value;
};

constexpr ClassDefault kDefaults[] = {
    {" mistral mixtral ministral ", "num_key_value_heads", 8},
    {" gemma gemma2 gemma3_text gemma3n_text ", "head_dim", 256},
    {" gemma gemma2 ", "vocab_size", 256000},
    {" gemma2 gemma3_text ", "num_attention_heads", 8},
    {" gemma2 gemma3_text ", "num_key_value_heads", 4},
    {" gemma3_text ", "vocab_size", 262208},
    {" gemma3_text ", "num_hidden_layers", 26},
    {" gemma3_text ", "hidden_size", 2304},
    {" gemma3_text ", "intermediate_size", 9216},
    {" gemma2 gemma3_text ", "sliding_window", 4096},
    {" gpt2 gpt_bigcode ", "num_hidden_layers", 12},
    {" gpt2 gpt_bigcode ", "hidden_size", 768},
    {" gpt2 gpt_bigcode ", "num_attention_heads", 12},
    {" gpt2 gpt_bigcode ", "vocab_size", 50257},
    {" gpt2 gpt_bigcode ", "max_position_embeddings", 1024},
    {" llama4_text ", "interleave_moe_layer_step", 1},
    {" qwen3 qwen3_moe ", "head_dim", 128},
    {" glm4_moe glm ", "head_dim", 128},
};

struct Refusal {
    const char* types;
    const char* why;
};

constexpr Refusal kRefusals[] = {
    {" t5 mt5 umt5 longt5 bart mbart pegasus bigbird_pegasus blenderbot marian m2m_100 nllb-moe prophetnet "
     "led whisper "
     "speech_to_text switch_transformers encoder-decoder vision-encoder-decoder speech-encoder-decoder fsmt ",
     "an encoder-decoder model: a plan describes a decoder-only transformer"},
    {" bert roberta xlm-roberta distilbert albert electra deberta deberta-v2 modernbert vit clip siglip "
     "wav2vec2 ",
     "an encoder: a plan describes a decoder-only transformer"},
    {" mamba mamba2 falcon_mamba rwkv xlstm recurrent_gemma ",
     "has no attention fields: a state space or recurrent model is no plan, which describes a transformer"},
};

bool holds(std::string_view types, std::string_view type) {
    return !type.empty() && type.find(' ') == std::string_view::npos &&
           types.find(fmt::format(" {} ", type)) != std::string_view::npos;
}

} // namespace

const HfFamily* find_hf_family(std::string_view model_type) {
    for (const HfFamily& family : kFamilies)
        if (holds(family.types, model_type)) return &family;
    return nullptr;
}

std::optional<std::int64_t> hf_class_default(std::string_view model_type, std::string_view key) {
    for (const ClassDefault& row : kDefaults)
        if (key == row.key && holds(row.types, model_type)) return row.value;
    return std::nullopt;
}

std::string_view hf_refusal(std::string_view model_type) {
    for (const Refusal& row : kRefusals)
        if (holds(row.types, model_type)) return row.why;
    return {};
}

} // namespace shardlens::launchers
