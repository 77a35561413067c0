// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Bridge 0.6: overrides.yaml mirrors the nesting of its ConfigContainer and is laid over a recipe
// (src/megatron/bridge/training/config.py, models/gpt_provider.py). What Megatron-LM would be told by flags
// stands here under the container's keys.
#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/document_text.h"
#include "launchers/findings.h"
#include "launchers/import_documents.h"
#include "launchers/makers.h"
#include "launchers/megatron_flags.h"
#include "launchers/megatron_import.h"
#include "launchers/read_rows.h"
#include "launchers/readers.h"
#include "plan/fields.h"

namespace shardlens::launchers {

namespace {

using Json = nlohmann::ordered_json;

const KeyRow kRows[] = {
    {"model.layers", "model.num_layers"},
    {"model.hidden", "model.hidden_size"},
    {"model.heads", "model.num_attention_heads"},
    {"model.vocab", "model.vocab_size"},
    {"parallel.tensor", "model.tensor_model_parallel_size"},
    {"parallel.pipeline", "model.pipeline_model_parallel_size"},
    {"parallel.context", "model.context_parallel_size"},
    {"parallel.sequence", "model.sequence_parallel"},
    {"training.sequence_length", "dataset.seq_length"},
    {"training.micro_batch_size", "train.micro_batch_size"},
    {"training.global_batch_size", "train.global_batch_size"},
};
const KeyRow kDenseRows[] = {{"model.ffn_hidden", "model.ffn_hidden_size"}};
const KeyRow kHeadRows[] = {
    {"model.kv_heads", "model.num_query_groups"},
    {"model.head_dim", "model.kv_channels"},
};
const KeyRow kLatentRows[] = {
    {"model.mla.q_rank", "model.q_lora_rank"},  {"model.mla.kv_rank", "model.kv_lora_rank"},
    {"model.mla.qk_nope", "model.qk_head_dim"}, {"model.mla.qk_rope", "model.qk_pos_emb_head_dim"},
    {"model.mla.v_dim", "model.v_head_dim"},
};
const KeyRow kExpertRows[] = {
    {"parallel.expert", "model.expert_model_parallel_size"},
    {"parallel.expert_tensor", "model.expert_tensor_parallel_size"},
    {"model.moe.experts", "model.num_moe_experts"},
    {"model.moe.top_k", "model.moe_router_topk"},
    {"model.moe.expert_ffn", "model.moe_ffn_hidden_size"},
};
const KeyRow kVirtualRows[] = {{"parallel.virtual_pipeline", "model.virtual_pipeline_model_parallel_size"}};

enum class Kind {
    yes_no,  ///< true where the flag stands, else false
    no_yes,  ///< the other way round
    present, ///< true where the flag stands, else the recipe's
    number,  ///< the value, else the recipe's
    text,
    texts,
    number_or_null, ///< the value, else null: a recipe may have set one
    text_or_null,
};

/// What has no plan field of its own, taken from the flags that Megatron-LM would get.
struct FlagRow {
    const char* flag;
    const char* key;
    Kind kind;
};
constexpr FlagRow kFlags[] = {
    {"--untie-embeddings-and-output-weights", "model.share_embeddings_and_output_weights", Kind::no_yes},
    {"--qk-layernorm", "model.qk_layernorm", Kind::present},
    {"--make-vocab-size-divisible-by", "model.make_vocab_size_divisible_by", Kind::number},
    {"--moe-shared-expert-intermediate-size", "model.moe_shared_expert_intermediate_size", Kind::number},
    {"--moe-token-dispatcher-type", "model.moe_token_dispatcher_type", Kind::text},
    {"--moe-grouped-gemm", "model.moe_grouped_gemm", Kind::present},
    {"--mtp-num-layers", "model.mtp_num_layers", Kind::number},
    {"--cp-comm-type", "model.cp_comm_type", Kind::text},
    {"--account-for-embedding-in-pipeline-split", "model.account_for_embedding_in_pipeline_split",
     Kind::yes_no},
    {"--account-for-loss-in-pipeline-split", "model.account_for_loss_in_pipeline_split", Kind::yes_no},
    {"--pipeline-model-parallel-layout", "model.pipeline_model_parallel_layout", Kind::text_or_null},
    {"--microbatch-group-size-per-virtual-pipeline-stage", "model.microbatch_group_size_per_vp_stage",
     Kind::number},
    {"--recompute-granularity", "model.recompute_granularity", Kind::text_or_null},
    {"--recompute-method", "model.recompute_method", Kind::text_or_null},
    {"--recompute-num-layers", "model.recompute_num_layers", Kind::number_or_null},
    {"--recompute-modules", "model.recompute_modules", Kind::texts},
    {"--bf16", "model.bf16", Kind::present},
    {"--fp16", "model.fp16", Kind::present},
    {"--fp8-format", "model.fp8", Kind::text_or_null},
    {"--fp8-recipe", "model.fp8_recipe", Kind::text},
    {"--fp4-format", "model.fp4", Kind::text_or_null},
    {"--cpu-offloading-num-layers", "model.cpu_offloading", Kind::present},
    {"--cpu-offloading-num-layers", "model.cpu_offloading_num_layers", Kind::number},
    {"--tp-comm-overlap", "model.tp_comm_overlap", Kind::yes_no},
    {"--overlap-moe-expert-parallel-comm", "model.overlap_moe_expert_parallel_comm", Kind::yes_no},
    {"--no-gradient-accumulation-fusion", "model.gradient_accumulation_fusion", Kind::no_yes},
    {"--train-iters", "train.train_iters", Kind::number},
    {"--use-distributed-optimizer", "ddp.use_distributed_optimizer", Kind::yes_no},
    {"--overlap-grad-reduce", "ddp.overlap_grad_reduce", Kind::yes_no},
    {"--overlap-param-gather", "ddp.overlap_param_gather", Kind::yes_no},
    {"--use-megatron-fsdp", "ddp.use_megatron_fsdp", Kind::yes_no},
    {"--data-parallel-sharding-strategy", "ddp.data_parallel_sharding_strategy", Kind::text},
    {"--outer-dp-sharding-strategy", "ddp.outer_dp_sharding_strategy", Kind::text},
    {"--num-distributed-optimizer-instances", "ddp.num_distributed_optimizer_instances", Kind::number},
    {"--use-distributed-optimizer", "optimizer.use_distributed_optimizer", Kind::yes_no},
    {"--overlap-param-gather", "optimizer.overlap_param_gather", Kind::yes_no},
    {"--optimizer", "optimizer.optimizer", Kind::text},
    {"--use-precision-aware-optimizer", "optimizer.use_precision_aware_optimizer", Kind::yes_no},
    {"--optimizer-cpu-offload", "optimizer.optimizer_cpu_offload", Kind::yes_no},
    {"--use-megatron-fsdp", "dist.use_megatron_fsdp", Kind::yes_no},
    {"--use-tp-pp-dp-mapping", "dist.use_tp_pp_dp_mapping", Kind::yes_no},
    {"--ckpt-format", "checkpoint.ckpt_format", Kind::text},
};

void put_flag(const FlagRow& row, const MegatronArguments& arguments, Json& document) {
    const auto at = std::find_if(arguments.flags.begin(), arguments.flags.end(),
                                 [&](const auto& flag) { return flag.first == row.flag; });
    const bool there = at != arguments.flags.end();
    const auto number = [&] { return std::stoll(at->second.front()); };
    switch (row.kind) {
    case Kind::yes_no: return set_key(document, row.key, there);
    case Kind::no_yes: return set_key(document, row.key, !there);
    case Kind::present:
        if (there) set_key(document, row.key, true);
        return;
    case Kind::number:
        if (there) set_key(document, row.key, number());
        return;
    case Kind::number_or_null: return set_key(document, row.key, there ? Json(number()) : Json());
    case Kind::text:
        if (there) set_key(document, row.key, at->second.front());
        return;
    case Kind::text_or_null: return set_key(document, row.key, there ? Json(at->second.front()) : Json());
    case Kind::texts:
        if (there) set_key(document, row.key, at->second);
        return;
    }
}

/// Names of src/megatron/bridge/training/mixed_precision.py.
const char* precision_recipe(const Setup& setup) {
    switch (setup.plan.training.precision) {
    case Precision::fp32: return "null";
    case Precision::fp16: return "fp16_mixed";
    case Precision::bf16: return "bf16_mixed";
    case Precision::fp8: {
        // TransformerConfig: delayed scaling does not go with these two modules.
        const bool current = (setup.recompute_modules & (kRecomputeMoeAct | kRecomputeLayernorm)) != 0;
        return current ? "bf16_with_fp8_current_scaling_mixed" : "bf16_with_fp8_delayed_scaling_mixed";
    }
    case Precision::mxfp8: return "bf16_with_mxfp8_mixed";
    case Precision::nvfp4: return "bf16_with_nvfp4_mixed";
    }
    return "null";
}

/// Sending behind computation: off in the container where Megatron-LM's command line has it on.
void put_pipeline_overlap(const Setup& setup, MegatronArguments& arguments, Json& document) {
    if (setup.virtual_pipeline == 1) return; // only chunks have computation to send behind
    const bool overlaps = setup.overlap.pipeline.value_or(true) || setup.pipeline <= 2;
    set_key(document, "model.overlap_p2p_comm", overlaps);
    set_key(document, "model.batch_p2p_comm", !overlaps); // refused together
    if (!overlaps)
        arguments.differs("overlap.pipeline",
                          "set comm_overlap.overlap_p2p_comm=false as well where the recipe "
                          "has comm_overlap: that one would turn it on again");
}

/// The same as words for the recipe runner, in Hydra's syntax.
void add_words(const Json& value, const std::string& key, std::string& out) {
    if (value.is_object()) {
        for (const auto& [name, member] : value.items())
            add_words(member, key.empty() ? name : key + "." + name, out);
        return;
    }
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (value.is_string() && text.find_first_of("|*") != std::string::npos) text = "'" + text + "'";
    if (value.is_array()) std::erase(text, '"');
    out += " \\\n    " + shell_word(key + "=" + text);
}

} // namespace

Export make_megatron_bridge(const Setup& setup, const Report&, std::string_view version) {
    MegatronArguments arguments;
    arguments.release = 20; // the core of 0.6 is of August 2026
    add_megatron_parallel(setup, arguments);
    add_megatron_training(setup, arguments);
    const std::size_t of_plan = arguments.not_expressed.size();
    add_megatron_model(setup, arguments);
    arguments.not_expressed.resize(of_plan); // norms, activation and biases are the recipe's

    Export result;
    check_hosts(setup, result);
    Json document = Json::object();
    write_rows(kRows, acting_plan(setup), document);
    if (setup.shape.ffn_hidden > 0) write_rows(kDenseRows, acting_plan(setup), document);
    if (setup.shape.mla) {
        set_key(document, "model.multi_latent_attention", true);
        write_rows(kLatentRows, acting_plan(setup), document);
        if (setup.shape.mla->q_rank == 0) set_key(document, "model.q_lora_rank", Json());
    }
    if (!setup.shape.mla) write_rows(kHeadRows, acting_plan(setup), document);
    if (setup.moe()) write_rows(kExpertRows, acting_plan(setup), document);
    set_key(document, "model.seq_length", setup.plan.training.sequence_length);
    set_key(document, kVirtualRows[0].key,
            setup.virtual_pipeline > 1 ? Json(setup.virtual_pipeline) : Json());
    for (const FlagRow& row : kFlags) put_flag(row, arguments, document);
    put_pipeline_overlap(setup, arguments, document);
    if (setup.plan.training.precision == Precision::fp16) {
        for (const char* part : {"model", "optimizer"}) {
            set_key(document, std::string(part) + ".fp16", true);
            set_key(document, std::string(part) + ".bf16", false);
        }
    }

    const auto differs = [&](const char* path, const char* instead) { arguments.differs(path, instead); };
    differs("model",
            "name a recipe of this architecture (RECIPE of run.sh): norms, activation, biases and positions "
            "are the recipe's");
    arguments.differs(
        "training.precision",
        fmt::format("mixed_precision={} among the words of run.sh: a recipe's own mixed precision "
                    "would win over this file",
                    precision_recipe(setup)));
    if (setup.gradient_dtype != Dtype::fp32)
        differs("training.gradient_dtype",
                "gradients are kept in fp32: set grad_reduce_in_fp32 of the mixed precision "
                "in your recipe");
    if (setup.optimizer_dtype != Dtype::fp32 && setup.zero > 0)
        differs("training.optimizer_dtype",
                "fp32 moments: set exp_avg_dtype and exp_avg_sq_dtype in your recipe");
    if (setup.plan.training.attention == Attention::standard)
        differs("training.attention", "the recipe's attention backend");
    result.not_expressed.insert(result.not_expressed.begin(), arguments.not_expressed.begin(),
                                arguments.not_expressed.end());
    const std::string target = fmt::format("megatron-bridge@{}", version);
    add_refusals(setup, target, result);
    if (!result.refusals.empty()) return result;

    std::string text =
        fmt::format("# {}, for Megatron-Bridge {} ({})\n# Laid over a recipe; what is not here is the "
                    "recipe's.\n",
                    setup.plan.name.empty() ? "a plan" : comment_text(setup.plan.name), version, target);
    for (const NotExpressed& item : result.not_expressed)
        text += fmt::format("# Not in this file: {}: {}\n", item.path, comment_text(item.instead));
    result.files.push_back({"overrides.yaml", text + yaml_text(document), false});

    std::string start;
    for (const auto& [name, value] : arguments.environment)
        start += fmt::format("export {}={}\n", name, value);
    start += "# The recipe runner takes the values of overrides.yaml as words; a script of your own can hand "
             "the file "
             "to process_config_with_overrides.\n" +
             torchrun_lines() +
             "    \"${BRIDGE_DIR:-.}/scripts/training/run_recipe.py\" --recipe \"${RECIPE:?set RECIPE to a "
             "recipe of "
             "this architecture}\" --mode pretrain";
    add_words(document, "", start);
    start += fmt::format(" \\\n    mixed_precision={}", precision_recipe(setup));
    add_launch_files(setup, target, start + "\n", result);
    return result;
}

int looks_like_bridge(std::string_view text, std::string_view file_name) {
    const auto has = [&](std::string_view key) { return text.find(key) != std::string_view::npos; };
    const bool degrees = has("tensor_model_parallel_size:") || has("pipeline_model_parallel_size:") ||
                         has("context_parallel_size:");
    if (degrees && has("model:") && (has("train:") || has("ddp:") || has("mixed_precision:"))) return 90;
    return degrees && file_name.find("override") != std::string_view::npos ? 80 : 0;
}

namespace {

void read_sharding(KeyReader& keys, Imported& plan) {
    const bool fsdp = keys.flag("dist.use_megatron_fsdp").value_or(false) ||
                      keys.flag("ddp.use_megatron_fsdp").value_or(false);
    const bool torch_fsdp = keys.flag("dist.use_torch_fsdp2").value_or(false);
    const auto strategy = keys.text("ddp.data_parallel_sharding_strategy");
    (void)keys.flag("optimizer.use_distributed_optimizer");
    const auto distributed = keys.flag("ddp.use_distributed_optimizer");
    if (fsdp || torch_fsdp) {
        const std::string name = strategy.value_or("optim_grads_params");
        const std::int64_t stage = name == "no_shard"      ? 0
                                   : name == "optim"       ? 1
                                   : name == "optim_grads" ? 2
                                                           : 3;
        keys.take_as(strategy ? "ddp.data_parallel_sharding_strategy"
                     : fsdp   ? "dist.use_megatron_fsdp"
                              : "dist.use_torch_fsdp2",
                     "parallel.zero", stage);
    } else if (distributed) {
        keys.take_as("ddp.use_distributed_optimizer", "parallel.zero", std::int64_t{*distributed ? 1 : 0});
    }
    if (const auto instances = keys.integer("ddp.num_distributed_optimizer_instances");
        instances && *instances > 1) {
        const auto gpus = plan.integer("cluster.gpus");
        const std::int64_t ranks =
            plan.integer("parallel.tensor").value_or(1) * plan.integer("parallel.pipeline").value_or(1);
        if (gpus && ranks > 0 && *gpus % (ranks * *instances) == 0)
            keys.take_as("ddp.num_distributed_optimizer_instances", "parallel.shard_group",
                         *gpus / ranks / *instances);
        else
            plan.not_understood("ddp.num_distributed_optimizer_instances", std::to_string(*instances),
                                "groups that states are sharded over: needs cluster.gpus");
    }
}

void read_precision(KeyReader& keys) {
    std::string text = keys.text("mixed_precision").value_or("");
    const bool named = !text.empty();
    if (!named) {
        // The dtypes themselves, as a recipe without mixed precision would have them.
        if (keys.flag("model.bf16").value_or(false)) text = "bf16";
        if (keys.flag("model.fp16").value_or(false)) text = "fp16";
        if (keys.text("model.fp8"))
            text = keys.text("model.fp8_recipe").value_or("") == "mxfp8" ? "mxfp8" : "fp8";
        if (keys.text("model.fp4")) text = "nvfp4";
    }
    const char* precision = text.find("nvfp4") != std::string::npos   ? "nvfp4"
                            : text.find("mxfp8") != std::string::npos ? "mxfp8"
                            : text.find("fp8") != std::string::npos   ? "fp8"
                            : text.starts_with("fp16")                ? "fp16"
                            : text.starts_with("bf16")                ? "bf16"
                                                                      : nullptr;
    const char* key = named                     ? "mixed_precision"
                      : text == "nvfp4"         ? "model.fp4"
                      : text.ends_with("fp8")   ? "model.fp8"
                      : text.starts_with("fp1") ? "model.fp16"
                                                : "model.bf16";
    if (precision)
        keys.take_as(key, "training.precision", std::string(precision));
    else if (named)
        keys.outside("mixed_precision", "a mixed precision recipe of its own");
    keys.ignore({"model.bf16", "model.fp16", "model.fp8", "model.fp8_recipe", "model.fp4", "optimizer.bf16",
                 "optimizer.fp16"});
}

void read_recompute(KeyReader& keys, Imported& plan) {
    if (const auto granularity = keys.text("model.recompute_granularity")) {
        keys.take_as("model.recompute_granularity", "memory.recompute", *granularity);
        keys.take_text("model.recompute_method", "memory.recompute_method");
        // uniform counts the layers of a checkpoint, block the layers of a chunk that are recomputed.
        const std::int64_t count = keys.integer("model.recompute_num_layers").value_or(1);
        if (keys.text("model.recompute_method").value_or("") == "block")
            if (const auto layers = block_recompute_layers(plan, count))
                keys.take_as("model.recompute_num_layers", "memory.recompute_layers", *layers,
                             "the first {0} layers of each of {1} chunks",
                             {std::to_string(count), std::to_string(*layers / count)});
        if (auto modules = keys.texts("model.recompute_modules")) {
            for (std::string& module : *modules)
                if (module == "core_attn") module = "core_attention";
            keys.take_as("model.recompute_modules", "memory.recompute_modules", *modules);
        }
    } else if (keys.is_null("model.recompute_granularity")) {
        plan.read("memory.recompute", std::string("none"), "model.recompute_granularity", "null");
    }
    (void)keys.integer("model.recompute_num_layers");
    (void)keys.text("model.recompute_method");
}

/// The model as far as the overrides say it; the rest of a shape is the recipe's, and asked for.
void read_model(KeyReader& keys, Imported& plan) {
    if (const auto tied = keys.flag("model.share_embeddings_and_output_weights"))
        keys.take_as("model.share_embeddings_and_output_weights", "model.tied_embeddings", *tied);
    keys.take_integer("model.moe_shared_expert_intermediate_size", "model.moe.shared_ffn");
    keys.take_integer("model.mtp_num_layers", "model.mtp_layers");
    keys.take_flag("model.gated_linear_unit", "model.gated_mlp");
    if (const auto norm = keys.text("model.normalization"))
        keys.take_as("model.normalization", "model.norm",
                     std::string(*norm == "RMSNorm" ? "rmsnorm" : "layernorm"));
    const bool latent = keys.flag("model.multi_latent_attention").value_or(false);
    if (latent) read_rows(kLatentRows, keys, plan);
    if (const auto norm = keys.flag("model.qk_layernorm"); norm && !latent)
        keys.take_as("model.qk_layernorm", "model.qk_norm", std::string(*norm ? "per_head" : "none"));
    const auto biases = keys.flag("model.add_bias_linear");
    const bool of_attention = keys.flag("model.add_qkv_bias").value_or(false);
    if (biases && !*biases && of_attention)
        keys.take_as("model.add_qkv_bias", "model.biases", std::vector<std::string>{"qkv"});
    else if (biases)
        keys.take_as("model.add_bias_linear", "model.biases", *biases);
    if (keys.text("model.position_embedding_type").value_or("learned_absolute") != "learned_absolute")
        keys.take_as("model.position_embedding_type", "model.learned_positions", std::int64_t{0});

    const auto preset = plan.value("model");
    if (!plan.has("model.layers") || preset) return;
    std::vector<const char*> of_recipe = {"model.gated_mlp",  "model.norm",
                                          "model.biases",     "model.learned_positions",
                                          "model.qk_norm",    "model.tied_embeddings",
                                          "model.mtp_layers", "model.attention_window"};
    if (latent) std::erase(of_recipe, std::string_view("model.qk_norm"));
    if (!latent) of_recipe.push_back("model.kv_heads");
    if (plan.has("model.moe.experts"))
        of_recipe.insert(of_recipe.end(),
                         {"model.moe.shared_ffn", "model.moe.dense_layers", "model.moe.layer_step"});
    for (const char* path : of_recipe)
        plan.needs(path,
                   "the recipe decides it and this file does not say; a preset as model gives all of them");
}

} // namespace

Error read_bridge(std::string_view text, const std::string& origin, std::string_view version,
                  Imported& plan) {
    const auto documents = yaml_documents(text, origin, plan);
    if (!documents) return documents.error();
    if (documents->empty() || !documents->front().is_object())
        return {origin, "is no map of model, train, ddp and the like"};
    Json document = documents->front();
    drop_interpolations(document, plan);
    KeyReader keys(document, plan);
    plan.assume("stack", std::string("megatron-bridge"), "the program that reads this file");
    plan.assume("target", fmt::format("megatron-bridge@{}", version), plan.version_reason());
    read_rows(kRows, keys, plan);
    read_rows(kDenseRows, keys, plan);
    read_rows(kHeadRows, keys, plan);
    read_rows(kExpertRows, keys, plan);
    if (!plan.has("training.sequence_length"))
        keys.take_integer("model.seq_length", "training.sequence_length");
    (void)keys.integer("model.seq_length");
    if (!keys.is_null(kVirtualRows[0].key)) read_rows(kVirtualRows, keys, plan);
    if (const auto word = keys.text("model.cp_comm_type")) {
        const std::string kind = context_kind_of_transport(*word);
        if (kind.empty())
            plan.not_understood("model.cp_comm_type", *word,
                                "a plan has one transport: p2p, a2a or all_gather");
        else
            keys.take_as("model.cp_comm_type", "parallel.context_kind", kind);
    }
    read_sharding(keys, plan);
    read_precision(keys);
    keys.take_flag("ddp.overlap_grad_reduce", "overlap.grad_reduce");
    keys.take_flag("ddp.overlap_param_gather", "overlap.param_gather");
    keys.take_flag({"model.tp_comm_overlap", "comm_overlap.tp_comm_overlap"}, "overlap.tensor");
    keys.take_flag("model.overlap_moe_expert_parallel_comm", "overlap.expert");
    keys.take_flag({"comm_overlap.overlap_p2p_comm", "model.overlap_p2p_comm"}, "overlap.pipeline");
    keys.ignore({"model.batch_p2p_comm", "comm_overlap.batch_p2p_comm"});
    keys.take_integer("model.microbatch_group_size_per_vp_stage", "parallel.virtual_pipeline_group");
    if (keys.flag("dist.use_tp_pp_dp_mapping").value_or(false))
        keys.take_as("dist.use_tp_pp_dp_mapping", "parallel.rank_order", std::string("megatron-tp-pp-dp"));
    if (const auto name = keys.text("optimizer.optimizer"))
        keys.take_as("optimizer.optimizer", "training.optimizer",
                     *name == "adam"                           ? std::string("adamw")
                     : name->find("muon") != std::string::npos ? "muon"
                                                               : *name);
    if (keys.flag("optimizer.optimizer_cpu_offload").value_or(false))
        keys.take_as("optimizer.optimizer_cpu_offload", "memory.offload_optimizer", std::string("cpu"));
    if (keys.flag("model.cpu_offloading").value_or(false)) {
        keys.take_as("model.cpu_offloading", "memory.offload_activations", std::string("cpu"));
        keys.take_integer("model.cpu_offloading_num_layers", "memory.offload_layers");
    }
    constexpr const char* kLayout = "model.pipeline_model_parallel_layout";
    if (const auto layout = keys.text(kLayout)) {
        const auto split = layout_from_text(*layout);
        const std::int64_t pipeline = plan.integer("parallel.pipeline").value_or(1);
        if (!split || pipeline < 1 || static_cast<std::int64_t>(split->size()) % pipeline != 0) {
            keys.outside(kLayout, "no layout whose stages divide by the pipeline degree");
        } else {
            if (const auto chunks = static_cast<std::int64_t>(split->size()) / pipeline; chunks > 1)
                keys.take_as(kLayout, "parallel.virtual_pipeline", chunks);
            keys.take_as(kLayout, "parallel.layers_per_stage", *split);
        }
    }
    read_recompute(keys, plan);
    for (const char* key :
         {"model.num_layers_in_first_pipeline_stage", "model.num_layers_in_last_pipeline_stage"})
        if (keys.has(key)) keys.outside(key, "how the layers are split: set parallel.layers_per_stage");
    read_model(keys, plan);
    keys.ignore({"model.make_vocab_size_divisible_by",
                 "model.moe_token_dispatcher_type",
                 "model.moe_grouped_gemm",
                 "model.account_for_embedding_in_pipeline_split",
                 "model.account_for_loss_in_pipeline_split",
                 "model.gradient_accumulation_fusion",
                 "optimizer.overlap_param_gather",
                 "optimizer.lr",
                 "optimizer.min_lr",
                 "optimizer.use_precision_aware_optimizer",
                 "dist.*",
                 "checkpoint.*",
                 "logger.*",
                 "rng.*",
                 "scheduler.*",
                 "tokenizer.*",
                 "profiling.*",
                 "validation.*",
                 "train.train_iters",
                 "ddp.outer_dp_sharding_strategy",
                 "ddp.use_megatron_fsdp",
                 "env_vars.*"});
    keys.finish();
    const char* why = "the file is laid over a recipe, and this stands there";
    for (const char* path :
         {"training.sequence_length", "training.micro_batch_size", "training.global_batch_size"})
        if (!plan.has(path)) plan.missing(path, why);
    if (!plan.has("model.layers")) plan.missing("model", why);
    if (!plan.has("cluster.node")) plan.missing("cluster.node", "the file names no machines");
    if (!plan.has("cluster.gpus")) plan.missing("cluster.gpus", "the number of processes is torchrun's");
    return {};
}

} // namespace shardlens::launchers
