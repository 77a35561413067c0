// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of the field table: what the plan is about, and the shape of its model.
#include <algorithm>
#include <array>

#include "plan/known_launchers.h"
#include "plan/rows.h"

namespace shardlens::detail {
namespace {

/// LAUNCHER or LAUNCHER@VERSION of the contract.
const char* check_target(std::string_view text) {
    const auto [known, version] = split_target(text);
    if (known && std::find(known->versions.begin(), known->versions.end(), version) != known->versions.end())
        return nullptr;
    return "a launcher and version, such as megatron-lm@0.19; launchers: megatron-lm, megatron-bridge, "
           "mindspeed, deepspeed, torchtitan, accelerate, nanotron, colossalai, llm-foundry, sagemaker, "
           "bmtrain, contract";
}

constexpr Given kMust = Given::required;
constexpr Given kOmit = Given::omitted;

/// The preset id; a shape has no id.
FieldValue get_model(const Plan& plan) {
    const auto* id = std::get_if<std::string>(&plan.model);
    return id ? FieldValue{*id} : FieldValue{};
}
void set_model(Plan& plan, const FieldValue& value) { plan.model = std::get<std::string>(value); }

constexpr std::array kBiasMembers = {&Biases::qkv,     &Biases::attn_out, &Biases::mlp,
                                     &Biases::lm_head, &Biases::router,   &Biases::experts};

FieldValue get_biases(const Plan& plan) {
    const Biases* biases = InModel<&ModelShape::biases>::find(plan);
    if (!biases) return {};
    std::vector<std::string> list;
    for (std::size_t i = 0; i < kBiasMembers.size(); ++i)
        if (biases->*kBiasMembers[i]) list.emplace_back(kBiasNames[i]);
    return list;
}

void set_biases(Plan& plan, const FieldValue& value) {
    Biases biases;
    if (const bool* every = std::get_if<bool>(&value)) {
        if (*every) biases = Biases::all();
    } else {
        for (const std::string& name : std::get<std::vector<std::string>>(value))
            for (std::size_t i = 0; i < kBiasNames.size(); ++i)
                if (name == kBiasNames[i]) biases.*kBiasMembers[i] = true;
    }
    InModel<&ModelShape::biases>::make(plan) = biases;
}

void add_shape_fields(std::vector<Field>& table) {
    using S = ModelShape;
    table.push_back(
        text<InModel<&S::name>>("model.name", kOmit, SHARDLENS_TR("Model name"),
                                SHARDLENS_TR("What this model is called in titles and exports.")));
    table.push_back(integer<InModel<&S::layers>>("model.layers", kMust, 1, kMaxLayers, "",
                                                 SHARDLENS_TR("Layers"),
                                                 SHARDLENS_TR("Transformer blocks, one behind the other.")));
    table.push_back(integer<InModel<&S::hidden>>(
        "model.hidden", kMust, 1, kMaxCount, "", SHARDLENS_TR("Hidden size"),
        SHARDLENS_TR("Width of the vector that every token carries from layer to layer.")));
    table.push_back(integer<InModel<&S::heads>>(
        "model.heads", kMust, 1, kMaxCount, "", SHARDLENS_TR("Attention heads"),
        SHARDLENS_TR("Query heads of each attention; tensor parallelism splits them.")));
    table.push_back(integer<InModel<&S::kv_heads>>(
        "model.kv_heads", kOmit, 1, kMaxCount, "", SHARDLENS_TR("KV heads"),
        SHARDLENS_TR("Key and value heads; fewer than the attention heads means grouped queries.")));
    table.push_back(integer<InModel<&S::head_dim>>(
        "model.head_dim", kOmit, 1, kMaxCount, "", SHARDLENS_TR("Head size"),
        SHARDLENS_TR("Width of one attention head; left out, the hidden size divided by the heads.")));
    table.push_back(integer<InModel<&S::ffn_hidden>>(
        "model.ffn_hidden", kOmit, 1, kMaxCount, "", SHARDLENS_TR("MLP width"),
        SHARDLENS_TR("Inner width of the dense MLP; may be left out when every layer has experts.")));
    table.push_back(
        boolean<InModel<&S::gated_mlp>>("model.gated_mlp", kOmit, SHARDLENS_TR("Gated MLP"),
                                        SHARDLENS_TR("A third matrix gates the MLP, as in SwiGLU.")));
    table.push_back(
        text<InModel<&S::activation>>("model.activation", kOmit, SHARDLENS_TR("Activation"),
                                      SHARDLENS_TR("Activation function of the MLP, such as gelu or silu.")));
    table.push_back(
        integer<InModel<&S::vocab>>("model.vocab", kMust, 1, kMaxCount, "", SHARDLENS_TR("Vocabulary"),
                                    SHARDLENS_TR("Rows of the embedding and columns of the output head.")));
    table.push_back(boolean<InModel<&S::tied_embeddings>>(
        "model.tied_embeddings", kOmit, SHARDLENS_TR("Tied embeddings"),
        SHARDLENS_TR("The output head uses the embedding's weights instead of its own.")));
    table.push_back(integer<InModel<&S::learned_positions>>(
        "model.learned_positions", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Learned positions"),
        SHARDLENS_TR("Rows of a learned position table; 0 when positions are computed.")));
    table.push_back(choice<InModel<&S::norm>>("model.norm", kOmit, all(kNormNames),
                                              SHARDLENS_TR("Normalisation"),
                                              SHARDLENS_TR("Kind of the norms before attention and MLP.")));
    table.push_back(boolean<InModel<&S::norm_bias>>("model.norm_bias", kOmit, SHARDLENS_TR("Norm bias"),
                                                    SHARDLENS_TR("Each norm has a bias beside its weight.")));
    table.push_back(integer<InModel<&S::norms_per_layer>>(
        "model.norms_per_layer", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Norms per layer"),
        SHARDLENS_TR("Norms in a block: usually 2, 4 when outputs are normalised too.")));
    table.push_back(
        boolean<InModel<&S::final_norm>>("model.final_norm", kOmit, SHARDLENS_TR("Final norm"),
                                         SHARDLENS_TR("One more norm stands before the output head.")));
    table.push_back(choice<InModel<&S::qk_norm>>(
        "model.qk_norm", kOmit, all(kQkNormNames), SHARDLENS_TR("Query and key norm"),
        SHARDLENS_TR("Queries and keys are normalised per head, over the full width, or not at all.")));
    Field biases =
        row<InModel<&S::name>>("model.biases", FieldType::choice_list, kOmit, SHARDLENS_TR("Biases"),
                               SHARDLENS_TR("Which linear layers carry a bias."), "", 0, 0, all(kBiasNames));
    biases.get = get_biases;
    biases.set = set_biases;
    biases.takes_bool = true;
    table.push_back(std::move(biases));
    table.push_back(integer<InModel<&S::attention_window>>(
        "model.attention_window", kOmit, 0, kMaxSequence, "tokens", SHARDLENS_TR("Attention window"),
        SHARDLENS_TR("How many earlier tokens a token sees; 0 means all of them.")));
    table.push_back(integer<InModel<&S::global_attention_every>>(
        "model.global_attention_every", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Global attention every"),
        SHARDLENS_TR("With a window, every n-th layer still sees the whole sequence; 0 means none does.")));
    table.push_back(boolean<InModel<&S::attention_sinks>>(
        "model.attention_sinks", kOmit, SHARDLENS_TR("Attention sinks"),
        SHARDLENS_TR("Each head learns one scalar that takes part in the softmax.")));
    table.push_back(integer<InModel<&S::embedding_dim>>(
        "model.embedding_dim", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Embedding width"),
        SHARDLENS_TR("Width of the embedding where it differs from the hidden size; 0 means it does not.")));
    table.push_back(
        boolean<InModel<&S::embedding_norm>>("model.embedding_norm", kOmit, SHARDLENS_TR("Embedding norm"),
                                             SHARDLENS_TR("A norm stands behind the embedding.")));
    table.push_back(boolean<InModel<&S::parallel_block>>(
        "model.parallel_block", kOmit, SHARDLENS_TR("Parallel block"),
        SHARDLENS_TR("Attention and MLP read the same input and run side by side.")));
}

void add_part_fields(std::vector<Field>& table) {
    using E = MoeShape;
    table.push_back(
        integer<Moe<&E::experts>>("model.moe.experts", kMust, 1, kMaxCount, "", SHARDLENS_TR("Experts"),
                                  SHARDLENS_TR("Routed experts in each mixture-of-experts layer.")));
    table.push_back(integer<Moe<&E::top_k>>("model.moe.top_k", kMust, 1, kMaxCount, "",
                                            SHARDLENS_TR("Experts per token"),
                                            SHARDLENS_TR("How many routed experts each token visits.")));
    table.push_back(integer<Moe<&E::expert_ffn>>("model.moe.expert_ffn", kMust, 1, kMaxCount, "",
                                                 SHARDLENS_TR("Expert width"),
                                                 SHARDLENS_TR("Inner width of one routed expert's MLP.")));
    table.push_back(integer<Moe<&E::shared_ffn>>(
        "model.moe.shared_ffn", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Shared expert width"),
        SHARDLENS_TR("Inner width of the MLP that every token visits beside its experts; 0 for none.")));
    table.push_back(integer<Moe<&E::dense_layers>>(
        "model.moe.dense_layers", kOmit, 0, kMaxLayers, "", SHARDLENS_TR("Dense layers first"),
        SHARDLENS_TR("How many of the first layers have a dense MLP instead of experts.")));
    table.push_back(integer<Moe<&E::layer_step>>(
        "model.moe.layer_step", kOmit, 1, kMaxLayers, "", SHARDLENS_TR("Expert layer step"),
        SHARDLENS_TR("Behind the dense ones, every n-th layer has experts.")));
    table.push_back(number<Moe<&E::capacity_factor>>(
        "model.moe.capacity_factor", kOmit, 0, 1e6, "", SHARDLENS_TR("Capacity factor"),
        SHARDLENS_TR("Tokens an expert accepts against its fair share; 0 drops none.")));
    table.push_back(
        boolean<Moe<&E::score_bias>>("model.moe.score_bias", kOmit, SHARDLENS_TR("Router score bias"),
                                     SHARDLENS_TR("The router adds a bias per expert to balance the load.")));

    using A = MlaShape;
    table.push_back(integer<Mla<&A::q_rank>>(
        "model.mla.q_rank", kOmit, 0, kMaxCount, "", SHARDLENS_TR("Query rank"),
        SHARDLENS_TR("Width of the compressed query of latent attention; 0 leaves queries whole.")));
    table.push_back(integer<Mla<&A::kv_rank>>(
        "model.mla.kv_rank", kMust, 1, kMaxCount, "", SHARDLENS_TR("KV rank"),
        SHARDLENS_TR("Width of the compressed keys and values of latent attention.")));
    table.push_back(integer<Mla<&A::qk_nope>>(
        "model.mla.qk_nope", kMust, 0, kMaxCount, "", SHARDLENS_TR("Head part without position"),
        SHARDLENS_TR("Width of the part of each query and key head that carries no position.")));
    table.push_back(integer<Mla<&A::qk_rope>>(
        "model.mla.qk_rope", kMust, 0, kMaxCount, "", SHARDLENS_TR("Head part with position"),
        SHARDLENS_TR("Width of the part of each query and key head that carries the rotary position.")));
    table.push_back(integer<Mla<&A::v_dim>>("model.mla.v_dim", kMust, 1, kMaxCount, "",
                                            SHARDLENS_TR("Value head size"),
                                            SHARDLENS_TR("Width of each value head of latent attention.")));
}

} // namespace

void add_model_fields(std::vector<Field>& table) {
    table.push_back(text<Top<&Plan::name>>("name", kOmit, SHARDLENS_TR("Name"),
                                           SHARDLENS_TR("Title of the plan, for people only.")));
    table.push_back(text<Top<&Plan::stack>>(
        "stack", Given::shown, SHARDLENS_TR("Training software"),
        SHARDLENS_TR("The training framework whose fusion, overlap and overhead are assumed.")));
    table.push_back(text<Top<&Plan::stack_version>>(
        "stack_version", kOmit, SHARDLENS_TR("Software release"),
        SHARDLENS_TR("Release of the training framework; left out, the newest one known.")));
    Field target = text<Top<&Plan::target>>(
        "target", kOmit, SHARDLENS_TR("Launcher"),
        SHARDLENS_TR("Launcher and version whose own rules the plan must keep, such as megatron-lm@0.19."));
    target.check_text = check_target;
    table.push_back(std::move(target));
    Field model = row<Top<&Plan::name>>("model", FieldType::text, kMust, SHARDLENS_TR("Model"),
                                        SHARDLENS_TR("Preset of the model to train."));
    model.get = get_model;
    model.set = set_model;
    table.push_back(std::move(model));
    add_shape_fields(table);
    add_part_fields(table);
    table.push_back(integer<InModel<&ModelShape::mtp_layers>>(
        "model.mtp_layers", kOmit, 0, kMaxLayers, "", SHARDLENS_TR("Prediction layers"),
        SHARDLENS_TR("Extra layers that predict further tokens while training.")));
    table.push_back(number<InModel<&ModelShape::parameters>>(
        "model.parameters", kOmit, 1, kMaxParameters, "", SHARDLENS_TR("Parameters"),
        SHARDLENS_TR(
            "A total given instead of counted from the shape; used by the textbook fidelity only.")));
}

} // namespace shardlens::detail
