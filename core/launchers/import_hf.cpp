// SPDX-License-Identifier: GPL-3.0-or-later
// Hugging Face config.json: the shape of a model, in the spellings of its many families.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/hf_families.h"
#include "launchers/hf_model.h"
#include "launchers/import_documents.h"
#include "launchers/model_parts.h"
#include "launchers/readers.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

const Names kHidden{"hidden_size", "n_embd", "d_model", "model_dim", "n_embed", "dim"};
const Names kLayers{"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"};

bool is_tower(const Json& json) {
    if (!json.is_object()) return false;
    for (const std::string& name : kHidden.names)
        if (json.contains(name)) return true;
    for (const std::string& name : kLayers.names)
        if (json.contains(name)) return true;
    return false;
}

struct Tower {
    std::string path;
    const Json* config;
    bool language;
};

/// Parts of the file that are models of their own, down to two levels of nesting below the top.
void collect(const Json& json, const std::string& path, int depth, std::vector<Tower>& towers) {
    if (!json.is_object() || depth > 2) return;
    for (const auto& [key, member] : json.items()) {
        if (!member.is_object() || key == "quantization_config" || towers.size() > 50) continue;
        const std::string here = path.empty() ? key : fmt::format("{}.{}", path, key);
        if (is_tower(member)) {
            const bool other =
                here.find("vision") != std::string::npos || here.find("audio") != std::string::npos ||
                here.find("speech") != std::string::npos || here.find("image") != std::string::npos ||
                here.find("visual") != std::string::npos;
            towers.push_back({here, &member, !other});
        }
        collect(member, here, depth + 1, towers);
    }
}

std::string described(const std::vector<Tower>& towers, const Tower* except = nullptr) {
    std::string text;
    for (const Tower& tower : towers)
        if (&tower != except) text += fmt::format("{}{}", text.empty() ? "" : ", ", one_line(tower.path));
    return text;
}

std::string type_of(const Json& config, const Json& document, const std::string& path) {
    const auto named = [](const Json& json) {
        return json.is_object() && json.contains("model_type") && json["model_type"].is_string()
                   ? json["model_type"].get<std::string>()
                   : std::string();
    };
    std::string type = named(config);
    if (type.empty() && &config != &document) {
        type = named(document); // gemma3 → gemma3_text, llama4 → llama4_text
        if (find_hf_family(type + "_text")) type += "_text";
    }
    static_cast<void>(path);
    return type;
}

} // namespace

std::vector<std::string> model_parts(std::string_view text) {
    Imported scratch;
    const auto document = relaxed_object(text, "", scratch);
    std::vector<std::string> parts;
    if (!document) return parts;
    std::vector<Tower> towers;
    collect(*document, "", 0, towers);
    for (const Tower& tower : towers) parts.push_back(tower.path);
    return parts;
}

int looks_like_hf(std::string_view text, std::string_view file_name) {
    if (text.find('{') == std::string_view::npos) return 0;
    int score = 0;
    if (text.find("\"model_type\"") != std::string_view::npos) score += 50;
    if (text.find("\"architectures\"") != std::string_view::npos) score += 20;
    for (const std::string& name : kLayers.names)
        if (text.find(fmt::format("\"{}\"", name)) != std::string_view::npos) score = std::max(score, 40);
    return score > 0 && file_name.ends_with("config.json") ? score + 20 : score;
}

Error read_hf(std::string_view text, const std::string& origin, std::string_view, Imported& plan) {
    const std::string where = one_line(origin, 200);
    const auto document = relaxed_object(text, origin, plan);
    if (!document) return document.error();

    const std::string top_type = type_of(*document, *document, "");
    const bool both = document->contains("encoder") && document->contains("decoder");
    const auto flag = document->find("is_encoder_decoder");
    if (both || (flag != document->end() && flag->is_boolean() && flag->get<bool>()))
        return {where, std::string(hf_refusal("encoder-decoder"))};
    if (const auto why = hf_refusal(top_type); !why.empty())
        return {where, fmt::format("model_type {}: {}", one_line(top_type), why)};

    std::vector<Tower> towers;
    collect(*document, "", 0, towers);
    const Tower* chosen = nullptr;
    const bool whole = is_tower(*document);
    if (!plan.part().empty()) {
        const auto found = std::find_if(towers.begin(), towers.end(),
                                        [&](const Tower& tower) { return tower.path == plan.part(); });
        if (found == towers.end())
            return {where, fmt::format("holds no model at {}; {} is right", one_line(plan.part()),
                                       towers.empty() ? "no part" : described(towers))};
        chosen = &*found;
    } else if (!whole) {
        std::vector<const Tower*> language;
        for (const Tower& tower : towers)
            if (tower.language) language.push_back(&tower);
        if (language.size() > 1)
            return {where, fmt::format("holds several models: {}; name the one that is trained with --part",
                                       described(towers))};
        if (language.empty() && towers.size() == 1) language.push_back(&towers[0]);
        if (language.empty())
            return {where,
                    "has neither hidden_size nor num_hidden_layers, nor a part that has: a config.json of a "
                    "transformer is right"};
        chosen = language[0];
    }
    if (!towers.empty() && !(towers.size() == 1 && chosen))
        plan.warn("", "", "further models in the file, not counted: {0}", {described(towers, chosen)});

    const Json& config = chosen ? *chosen->config : *document;
    const std::string type = type_of(config, *document, chosen ? chosen->path : "");
    if (const auto why = hf_refusal(type); !why.empty())
        return {where, fmt::format("model_type {}: {}", one_line(type), why)};
    KeyReader keys(config, plan, chosen ? chosen->path : "");
    const Json* tie = nullptr;
    if (chosen && document->contains("tie_word_embeddings")) tie = &(*document)["tie_word_embeddings"];
    if (Error error = read_hf_model(keys, type, tie, origin, plan); !error.what.empty()) return error;
    keys.finish();
    return {};
}

} // namespace shardlens::launchers
