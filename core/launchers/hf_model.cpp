// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchers/hf_model.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/hf_families.h"
#include "model/counts.h"
#include "plan/fields.h"
#include "json/text.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;
constexpr const char* kOfType = "how models of type {0} are built";

/// Ordinary activation names of the classes.
std::string activation_name(const std::string& name) {
    if (name == "gelu_pytorch_tanh" || name == "gelu_fast") return "gelu_tanh";
    if (name == "swish") return "silu";
    return name;
}

class Model {
public:
    Model(KeyReader& keys, std::string type, const Json* tie, std::string origin, Imported& plan)
        : m_keys(keys), m_type(std::move(type)), m_tie(tie), m_origin(std::move(origin)), m_plan(plan),
          m_known(find_hf_family(m_type)) {
        static const HfFamily kUnknown{" ", true, "silu", NormKind::rmsnorm, false, " ", false};
        m_family = m_known ? m_known : &kUnknown;
        m_shown = m_type.empty() ? "(none given)" : one_line(m_type);
    }

    Error read() {
        if (!m_known)
            m_plan.warn("model_type", m_type,
                        "not known here; read by its keys, the rest as a model of type llama");
        m_keys.ignore({"model_type"});
        if (const auto name = m_keys.text("_name_or_path"); name && !name->empty() && name->front() != '/')
            m_plan.read("model.name", *name, "_name_or_path", *name);
        count({"num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers"},
              "model.layers");
        count({"hidden_size", "n_embd", "d_model", "model_dim", "n_embed", "dim"}, "model.hidden");
        count({"vocab_size", "padded_vocab_size"}, "model.vocab");
        if (m_type == "chatglm" || m_keys.has("padded_vocab_size")) rows_of_chatglm();
        attention();
        every_head_its_own();
        if (Error error = head_size(); !error.what.empty()) return error;
        mlp();
        experts();
        norms();
        positions();
        window();
        ends();
        layer_embeddings();
        ignored();
        return {};
    }

private:
    bool count(const Names& names, const char* path) {
        if (m_keys.take_integer(names, path)) return true;
        const auto usual = hf_class_default(m_type, names.names.front());
        return usual && !m_keys.has(names) &&
               m_plan.assume(path, *usual, "default of {0} in the class of {1}",
                             {names.names.front(), m_shown});
    }
    void of_type(const char* path, const FieldValue& value) {
        m_plan.assume(path, value, kOfType, {m_shown});
    }
    [[nodiscard]] std::int64_t have(const char* path) const { return m_plan.integer(path).value_or(0); }

    void rows_of_chatglm() {
        if (m_keys.has("padded_vocab_size")) m_keys.take_integer("padded_vocab_size", "model.vocab");
    }

    void attention() {
        count({"num_attention_heads", "n_head", "n_heads", "num_heads"}, "model.heads");
        if (have("model.heads") == 0) return;
        const Names kv{"num_key_value_heads", "num_kv_heads", "n_head_kv", "attn_config.kv_n_heads",
                       "multi_query_group_num"};
        const auto multi_query = m_keys.flag({"multi_query", "multi_query_attention"});
        const auto new_falcon = m_keys.flag("new_decoder_architecture");
        const bool falcon = m_type == "falcon" || m_type.starts_with("RefinedWeb");
        if (m_type == "chatglm" && !multi_query.value_or(false)) {
            m_keys.ignore({"multi_query_group_num"}); // not in use without multi_query_attention
            return;
        }
        if (falcon && !new_falcon.value_or(m_keys.has("n_head_kv"))) {
            m_keys.ignore({"num_kv_heads", "n_head_kv"}); // read by the new architecture only
            if (multi_query.value_or(true)) one_kv_head();
            return;
        }
        if (m_keys.take_integer(kv, "model.kv_heads")) return;
        if (multi_query.value_or(false) || m_keys.text("attn_config.attn_type") == "multiquery_attention") {
            one_kv_head();
            return;
        }
        const auto usual = hf_class_default(m_type, "num_key_value_heads");
        if (usual && !m_keys.is_null(kv))
            m_plan.assume("model.kv_heads", *usual, "default of num_key_value_heads in the class of {0}",
                          {m_shown});
    }
    void every_head_its_own() {
        const std::int64_t heads = have("model.heads");
        if (heads == 0 || m_plan.has("model.kv_heads")) return;
        const Names kv{"num_key_value_heads", "num_kv_heads", "n_head_kv"};
        if (m_keys.is_null(kv))
            m_plan.assume("model.kv_heads", heads, "{0} is null: every query head has its own key and value",
                          {null_key(kv)});
        else
            m_plan.assume("model.kv_heads", heads, "every query head has its own key and value");
    }
    /// The spelling that holds null.
    [[nodiscard]] std::string null_key(const Names& names) const {
        for (const std::string& name : names.names)
            if (m_keys.is_null(name)) return name;
        return names.names.front();
    }
    void one_kv_head() {
        const Names names{"multi_query", "multi_query_attention", "attn_config.attn_type"};
        if (m_keys.has(names))
            m_keys.take_as(names, "model.kv_heads", std::int64_t{1},
                           "all query heads share one key and value");
        else
            m_plan.assume("model.kv_heads", std::int64_t{1},
                          "multi_query is on where {0} does not say otherwise", {m_shown});
    }

    Error head_size() {
        const std::int64_t heads = have("model.heads"), hidden = have("model.hidden");
        if (m_keys.has("kv_lora_rank")) {
            m_keys.take_integer("q_lora_rank", "model.mla.q_rank");
            m_keys.take_integer("kv_lora_rank", "model.mla.kv_rank");
            m_keys.take_integer("qk_nope_head_dim", "model.mla.qk_nope");
            m_keys.take_integer("qk_rope_head_dim", "model.mla.qk_rope");
            m_keys.take_integer("v_head_dim", "model.mla.v_dim");
            m_plan.drop("model.kv_heads"); // every head has keys and values of its own out of the latent
            m_keys.ignore({"head_dim", "qk_head_dim"});
            const std::int64_t size = have("model.mla.qk_nope") + have("model.mla.qk_rope");
            if (size > 0)
                m_plan.read("model.head_dim", size, "qk_nope_head_dim + qk_rope_head_dim",
                            std::to_string(size));
            return {};
        }
        if (count({"head_dim", "kv_channels", "attention_head_dim"}, "model.head_dim")) return {};
        if (heads > 0 && hidden > 0 && hidden % heads != 0 && !m_plan.has("model.head_dim"))
            return {one_line(m_origin, 200),
                    fmt::format(
                        "hidden size {} is no multiple of {} heads and head_dim is missing; head_dim in the "
                        "file or --set model.head_dim=N is right",
                        hidden, heads)};
        return {};
    }

    void mlp() {
        const Names widths{"intermediate_size",
                           "n_inner",
                           "ffn_dim",
                           "ffn_hidden_size",
                           "ff_intermediate_size",
                           "inner_hidden_size",
                           "ffn_config.ffn_hidden_size"};
        const std::int64_t hidden = have("model.hidden");
        gate();
        if (m_type == "llama4_text") {
            m_keys.take_integer("intermediate_size_mlp", "model.ffn_hidden");
            return;
        }
        if (const auto* width = m_keys.peek(widths); width && width->is_array()) {
            same_width(widths);
        } else if (width) {
            auto value = m_keys.integer(widths);
            if (!value) return;
            const bool halves = m_type == "qwen"; // both gated matrices share the number
            if (halves)
                m_keys.take_as(widths, "model.ffn_hidden", *value / 2,
                               "holds both matrices of the gated MLP");
            else
                m_keys.take_as(widths, "model.ffn_hidden", *value);
        } else if (const Names ratio{"expansion_ratio", "mlp_ratio"}; m_keys.has(ratio)) {
            const auto factor = m_keys.number(ratio);
            if (factor && hidden > 0 && *factor > 0 && *factor < 1e6)
                m_keys.take_as(ratio, "model.ffn_hidden",
                               static_cast<std::int64_t>(std::llround(*factor * static_cast<double>(hidden))),
                               "times the hidden size");
        } else if (m_keys.has("ffn_dim_multiplier") || m_keys.has("multiple_of")) {
            multiplied(hidden);
        } else if (hidden > 0 && !m_family->gated && !m_keys.has("num_local_experts")) {
            m_plan.assume("model.ffn_hidden", 4 * hidden, "4 · hidden where {0} gives no width", {m_shown});
        }
    }

    /// Meta's own parameter files: 2/3 of 4 · hidden, times the multiplier, up to a multiple (llama,
    /// model.py).
    void multiplied(std::int64_t hidden) {
        const double factor = m_keys.number("ffn_dim_multiplier").value_or(1);
        const std::int64_t multiple = m_keys.integer("multiple_of").value_or(256);
        if (hidden <= 0 || multiple <= 0 || multiple > 1'000'000 || !(factor > 0) || factor > 1e6) return;
        const auto base = static_cast<double>(2 * 4 * hidden / 3);
        const auto wide = static_cast<std::int64_t>(factor * base);
        m_keys.take_as({"ffn_dim_multiplier", "multiple_of"}, "model.ffn_hidden",
                       (wide + multiple - 1) / multiple * multiple,
                       "2/3 · 4 · hidden · factor, up to a multiple");
    }

    void same_width(const Names& widths) {
        const auto list = m_keys.integers(widths);
        if (!list || list->empty()) return;
        const auto [least, most] = std::minmax_element(list->begin(), list->end());
        if (*least == *most)
            m_keys.take_as(widths, "model.ffn_hidden", *most, "the same in all layers");
        else
            m_keys.take_as(widths, "model.ffn_hidden", *most, "the widest of layers that differ: {0} to {1}",
                           {std::to_string(*least), std::to_string(*most)});
    }

    void gate() {
        const Names names{"hidden_act", "hidden_activation",          "activation_function",
                          "activation", "ffn_config.ffn_act_fn.name", "activation_fn_name"};
        const auto act = m_keys.text(names);
        of_type("model.gated_mlp", m_family->gated);
        if (act && m_type != "gpt_oss")
            m_keys.take_as(names, "model.activation", activation_name(*act));
        else
            of_type("model.activation", std::string(m_family->activation));
        if (!m_known && act && act->find("relu") != std::string::npos) of_type("model.gated_mlp", false);
    }

    void experts() {
        const Names names{"num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts",
                          "ffn_config.moe_num_experts"};
        const auto number = m_keys.integer(names);
        if (!number || *number <= 1) return;
        m_keys.take_as(names, "model.moe.experts", *number);
        m_keys.take_integer({"num_experts_per_tok", "num_experts_per_token", "moe_top_k", "experts_per_token",
                             "ffn_config.moe_top_k", "num_selected_experts"},
                            "model.moe.top_k");
        const Names own{"moe_intermediate_size"};
        if (m_keys.has(own)) {
            m_keys.take_integer(own, "model.moe.expert_ffn");
        } else {
            const Names shared{"intermediate_size", "ffn_config.ffn_hidden_size"};
            if (m_keys.take_integer(shared, "model.moe.expert_ffn") && m_type != "llama4_text")
                m_plan.drop("model.ffn_hidden");
        }
        shared_experts();
        expert_layers();
        const auto method = m_keys.text("topk_method");
        if (method == "noaux_tc" || m_type == "deepseek_v3" || m_type == "kimi_k2" || m_type == "glm4_moe")
            of_type("model.moe.score_bias", true);
        if (m_family->biases &&
            std::string_view(m_family->biases).find("experts") == std::string_view::npos &&
            m_plan.integer("model.moe.expert_ffn").value_or(0) == 0)
            m_plan.missing("model.moe.expert_ffn", "no key says how wide an expert is");
    }

    void shared_experts() {
        if (m_keys.take_integer("shared_expert_intermediate_size", "model.moe.shared_ffn")) {
            if (m_type == "qwen2_moe")
                m_plan.warn("", "",
                            "the gate of the shared expert (hidden size weights a layer) is not counted");
            return;
        }
        const Names names{"n_shared_experts", "num_shared_experts"};
        const auto number = m_keys.integer(names);
        const std::int64_t width = have("model.moe.expert_ffn");
        if (number && *number > 0 && *number < 10'000 && width > 0)
            m_keys.take_as(names, "model.moe.shared_ffn", *number * width, "as many experts wide");
        else if (m_type == "llama4_text" && width > 0)
            of_type("model.moe.shared_ffn", width);
    }

    void expert_layers() {
        m_keys.take_integer("first_k_dense_replace", "model.moe.dense_layers");
        if (const auto step =
                m_keys.integer({"interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq"});
            step && *step > 1)
            m_keys.take_as({"interleave_moe_layer_step", "decoder_sparse_step", "moe_layer_freq"},
                           "model.moe.layer_step", *step);
        const bool every = have("model.moe.layer_step") <= 1 && have("model.moe.dense_layers") == 0;
        if (every) m_plan.drop("model.ffn_hidden"); // no layer has a dense MLP
        if (const auto* dense = m_keys.peek("mlp_only_layers"); dense && dense->is_array() && dense->empty())
            m_keys.ignore({"mlp_only_layers"});
        else
            m_keys.outside("mlp_only_layers",
                           "single dense layers: a plan has the first ones dense, or every n-th");
        m_keys.ignore({"moe_layers", "norm_topk_prob", "scoring_func", "n_group", "topk_group",
                       "routed_scaling_factor", "router_aux_loss_coef", "aux_loss_alpha", "seq_aux",
                       "output_router_logits", "ep_size", "router_jitter_noise", "router_z_loss_coef",
                       "ffn_config.*", "num_experts_per_tok"});
    }

    void norms() {
        of_type("model.norm", std::string(m_family->norm == NormKind::rmsnorm ? "rmsnorm" : "layernorm"));
        bool bias = m_family->norm_bias;
        if (m_type == "mpt") bias = !m_keys.flag("no_bias").value_or(true);
        if (bias) of_type("model.norm_bias", true);
        std::int64_t per_layer = m_family->norms_per_layer;
        const bool falcon = m_type == "falcon" || m_type.starts_with("RefinedWeb");
        if (falcon) {
            const bool new_one = m_keys.flag("new_decoder_architecture").value_or(m_keys.has("n_head_kv"));
            const bool parallel = m_keys.flag("parallel_attn").value_or(true);
            per_layer = parallel && !new_one ? 1 : 2;
            m_keys.ignore({"num_ln_in_parallel_attn"});
        }
        if (per_layer != 2) of_type("model.norms_per_layer", per_layer);
        QkNorm qk = m_family->qk_norm;
        if (const auto on = m_keys.flag({"use_qk_norm", "qk_layernorm", "normalize_qk_projections"}); on)
            qk = m_type == "llama4_text" ? QkNorm::none : *on ? QkNorm::per_head : QkNorm::none;
        if (qk != QkNorm::none)
            of_type("model.qk_norm", std::string(qk == QkNorm::full ? "full" : "per_head"));
        biases(bias);
        bool parallel = m_family->parallel_block;
        if (const auto given = m_keys.flag({"use_parallel_residual", "parallel_attn"})) parallel = *given;
        if (parallel) of_type("model.parallel_block", true);
        if (m_family->embedding_norm) of_type("model.embedding_norm", true);
        if (m_type == "opt" && m_keys.flag("do_layer_norm_before") == false)
            m_keys.take_as("do_layer_norm_before", "model.final_norm", false, "the norms follow each part");
    }

    void biases(bool mpt_bias) {
        std::vector<std::string> names;
        const std::string_view usual(m_family->biases);
        const auto usually = [&](const char* name) {
            return usual.find(fmt::format(" {} ", name)) != std::string_view::npos;
        };
        const auto all = m_keys.flag({"use_bias", "bias", "enable_bias"});
        const auto attention = m_keys.flag({"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias"});
        const auto mlp_bias = m_keys.flag("mlp_bias");
        const auto linear = m_keys.flag("add_bias_linear");
        m_keys.ignore({"no_bias"});
        const bool blocks = all.value_or(m_type == "mpt" ? mpt_bias : false) || linear.value_or(false);
        for (const char* name : {"qkv", "attn_out", "mlp", "lm_head", "router", "experts"}) {
            const std::string_view part(name);
            bool on = usually(name);
            const bool of_block = part == "qkv" || part == "attn_out" || part == "mlp";
            if (of_block && (all || blocks)) on = blocks;
            if (part == "qkv" && attention) on = *attention || blocks;
            // llama's attention_bias covers the output as well; the others' only queries, keys and values.
            if (part == "attn_out" && attention && (m_type == "llama" || !m_known)) on = *attention || blocks;
            if (part == "mlp" && mlp_bias) on = *mlp_bias;
            if (on) names.emplace_back(name);
        }
        if (!names.empty()) of_type("model.biases", names);
    }

    void positions() {
        const Names rows{"max_position_embeddings", "n_positions",       "n_ctx", "max_seq_len", "seq_length",
                         "max_sequence_length",     "max_context_length"};
        const auto alibi = m_keys.flag({"alibi", "attn_config.alibi"});
        const auto rope = m_keys.flag("attn_config.rope");
        m_keys.ignore({"max_position_embeddings", "n_positions", "n_ctx", "max_seq_len", "seq_length",
                       "max_sequence_length", "max_context_length"});
        if (m_family->positions == HfPositions::none || alibi.value_or(false) || rope.value_or(false)) return;
        const bool two_more = m_family->positions == HfPositions::learned_plus_2;
        if (const auto number = m_keys.integer(rows)) {
            if (two_more)
                m_keys.take_as(rows, "model.learned_positions", *number + 2, "and two rows in front");
            else
                m_keys.take_as(rows, "model.learned_positions", *number);
        } else if (const auto usual = hf_class_default(m_type, "max_position_embeddings")) {
            of_type("model.learned_positions", *usual);
        }
    }

    void window() {
        const Names names{"sliding_window", "attention_window"};
        const auto use = m_keys.flag("use_sliding_window");
        const Names every{"sliding_window_pattern", "_sliding_window_pattern", "global_attn_every_n_layers"};
        const bool qwen = m_type.starts_with("qwen"); // off unless switched on
        const auto size = m_keys.integer(names);
        m_keys.ignore({"layer_types", "max_window_layers", "cache_implementation"});
        if (m_type == "llama4_text") {
            m_keys.outside("attention_chunk_size",
                           "attention in chunks has no form in a plan: full attention counted");
            return;
        }
        if (!size || *size <= 0 || use == false || (qwen && !use.value_or(false))) {
            m_keys.ignore({"sliding_window_pattern", "_sliding_window_pattern"});
            return;
        }
        m_keys.take_as(names, "model.attention_window", *size);
        if (m_keys.take_integer(every, "model.global_attention_every")) return;
        if (m_type == "gemma2" || m_type == "gpt_oss")
            of_type("model.global_attention_every", std::int64_t{2});
        if (m_type == "gemma3_text") of_type("model.global_attention_every", std::int64_t{6});
        if (m_type == "gpt_oss") of_type("model.attention_sinks", true);
    }

    void ends() {
        const Names tied{"tie_word_embeddings", "share_input_output_layers"};
        if (m_keys.take_flag(tied, "model.tied_embeddings")) {
        } else if (m_tie && m_tie->is_boolean()) {
            m_plan.read("model.tied_embeddings", m_tie->get<bool>(), "tie_word_embeddings", m_tie->dump());
        } else {
            m_plan.assume("model.tied_embeddings", m_family->tied,
                          "tie_word_embeddings is left out: the class of {0} has it so; a separate head is "
                          "vocab · hidden more",
                          {m_shown});
        }
        if (m_keys.take_integer("word_embed_proj_dim", "model.embedding_dim") &&
            have("model.embedding_dim") == have("model.hidden"))
            m_plan.drop("model.embedding_dim");
        if (m_keys.take_integer({"num_nextn_predict_layers", "mtp_num_layers"}, "model.mtp_layers") &&
            have("model.mtp_layers") == 0)
            m_plan.drop("model.mtp_layers");
    }

    /// Gemma 3n looks up a second embedding in every layer: counted into a total, with textbook fidelity.
    void layer_embeddings() {
        const Names rows{"vocab_size_per_layer_input"}, width{"hidden_size_per_layer_input"};
        const auto words = m_keys.number(rows);
        const auto size = m_keys.number(width);
        if (!words || !size || !(*words > 0) || !(*size > 0)) return;
        Plan plan;
        plan.model = ModelShape{};
        for (const auto& [path, value] : m_plan.values())
            if (!set_field(plan, path, value).what.empty()) return;
        const double tables = *words * *size * static_cast<double>(have("model.layers"));
        const double total = tables + model::count_parameters<double>(std::get<ModelShape>(plan.model)).total;
        m_keys.take_as(
            rows, "model.parameters", total,
            "with {0} in embeddings of every layer, which are looked up and not multiplied: the time is an "
            "upper bound",
            {fmt::format("{:.0f}", tables)});
        m_plan.assume("fidelity", std::string("textbook"),
                      "a total instead of a shape works with textbook fidelity only");
    }

    void ignored();

    KeyReader& m_keys;
    std::string m_type, m_shown;
    const Json* m_tie;
    std::string m_origin;
    Imported& m_plan;
    const HfFamily* m_known;
    const HfFamily* m_family = nullptr;
};

/// Keys about generation, initialisation, dropout, checkpoint storage and rotary angles: none changes a
/// weight's size.
void Model::ignored() {
    m_keys.ignore({"architectures",
                   "auto_map",
                   "torch_dtype",
                   "dtype",
                   "transformers_version",
                   "_name_or_path",
                   "name_or_path",
                   "use_cache",
                   "bos_token_id",
                   "eos_token_id",
                   "pad_token_id",
                   "sep_token_id",
                   "decoder_start_token_id",
                   "forced_eos_token_id",
                   "unk_token_id",
                   "initializer_range",
                   "init_std",
                   "attention_dropout",
                   "hidden_dropout",
                   "hidden_dropout_prob",
                   "attention_probs_dropout_prob",
                   "attn_pdrop",
                   "resid_pdrop",
                   "embd_pdrop",
                   "resid_dropout",
                   "dropout",
                   "layerdrop",
                   "classifier_dropout",
                   "activation_dropout",
                   "rms_norm_eps",
                   "layer_norm_eps",
                   "layer_norm_epsilon",
                   "layernorm_epsilon",
                   "norm_eps",
                   "norm_epsilon",
                   "rope_theta",
                   "rope_scaling",
                   "rope_ratio",
                   "rope_parameters",
                   "rope_local_base_freq",
                   "rotary_emb_base",
                   "rotary_pct",
                   "rotary_dim",
                   "partial_rotary_factor",
                   "original_rope",
                   "pretraining_tp",
                   "slow_but_exact",
                   "task_specific_params",
                   "summary_type",
                   "summary_activation",
                   "summary_first_dropout",
                   "summary_proj_to_labels",
                   "summary_use_proj",
                   "scale_attn_weights",
                   "scale_attn_by_inverse_layer_idx",
                   "reorder_and_upcast_attn",
                   "attention_softmax_in_fp32",
                   "scale_attention_softmax_in_fp32",
                   "is_encoder_decoder",
                   "id2label",
                   "label2id",
                   "num_labels",
                   "problem_type",
                   "return_dict",
                   "output_attentions",
                   "output_hidden_states",
                   "query_pre_attn_scalar",
                   "attn_logit_softcapping",
                   "final_logit_softcapping",
                   "attn_implementation",
                   "_attn_implementation",
                   "attn_config.*",
                   "init_config.*",
                   "emb_pdrop",
                   "learned_pos_emb",
                   "logit_scale",
                   "embedding_fraction",
                   "verbose",
                   "apply_residual_connection_post_layernorm",
                   "masked_softmax_fusion",
                   "bias_dropout_fusion",
                   "unk_token_id",
                   "seq_length",
                   "offset_alibi",
                   "unused",
                   "prefix",
                   "_remove_final_layer_norm",
                   "quantization_config.*",
                   "mlp_dtype",
                   "rescale_every",
                   "skip_bias_add",
                   "use_attn_mask",
                   "embd_layer_norm",
                   "kv_channels",
                   "use_dynamic_ntk",
                   "use_logn_attn",
                   "use_flash_attn",
                   "fp16",
                   "bf16",
                   "fp32",
                   "onnx_safe",
                   "tokenizer_type",
                   "tokenizer_class",
                   "apply_query_key_layer_scaling",
                   "post_layer_norm",
                   "rmsnorm",
                   "original_max_position_embeddings",
                   "fp32_residual_connection",
                   "pre_seq_len",
                   "prefix_projection",
                   "quantization_bit",
                   "cls_token_id",
                   "gmask_token_id",
                   "for_llm_class",
                   "attn_logit_soft_capping",
                   "router_jitter_noise",
                   "swiglu_limit",
                   "no_rope_layers",
                   "no_rope_layer_interval",
                   "floor_scale",
                   "attn_scale",
                   "attn_temperature_tuning",
                   "chunk_size_feed_forward",
                   "experts_per_token",
                   "initial_context_length",
                   "embedding_multiplier",
                   "residual_multiplier",
                   "attention_multiplier",
                   "logits_scaling",
                   "gradient_checkpointing",
                   "num_ln_in_parallel_attn"});
}

} // namespace

Error read_hf_model(KeyReader& keys, const std::string& model_type, const Json* tie,
                    const std::string& origin, Imported& plan) {
    if (keys.peek({"num_attention_heads", "n_head", "n_heads", "num_heads", "num_query_heads"}) == nullptr &&
        !hf_class_default(model_type, "num_attention_heads") && !plan.has("model.heads"))
        return {
            one_line(origin, 200),
            "has no attention fields (num_attention_heads, n_head …); a transformer's config.json is right"};
    if (read_hf_uneven(keys, model_type, plan)) return {};
    return Model(keys, model_type, tie, origin, plan).read();
}

} // namespace shardlens::launchers
