// SPDX-License-Identifier: GPL-3.0-or-later
// Megatron-Bridge 0.6: overrides.yaml mirrors the nesting of its ConfigContainer and is laid over a recipe
// (src/megatron/bridge/training/config.py, models/gpt_provider.py). What Megatron-LM would be told by flags
// stands here under the container's keys.
#include "launchers/megatron_bridge.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "launchers/common.h"
#include "launchers/document_text.h"
#include "launchers/findings.h"
#include "launchers/makers.h"
#include "launchers/megatron_flags.h"
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
const KeyRow kVirtualRow = {"parallel.virtual_pipeline", "model.virtual_pipeline_model_parallel_size"};

} // namespace

std::span<const KeyRow> bridge_rows() { return kRows; }
std::span<const KeyRow> bridge_dense_rows() { return kDenseRows; }
std::span<const KeyRow> bridge_head_rows() { return kHeadRows; }
std::span<const KeyRow> bridge_latent_rows() { return kLatentRows; }
std::span<const KeyRow> bridge_expert_rows() { return kExpertRows; }
const KeyRow& bridge_virtual_row() { return kVirtualRow; }

namespace {

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
    set_key(document, kVirtualRow.key,
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

} // namespace shardlens::launchers
